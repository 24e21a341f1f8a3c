// The objects that this library makes by name: what ObjectRegistry looks
// through last.
//
// Options stand below the floors that implement most of these classes, so each
// floor adds factories for what it has (ROCKSDB_REGISTER_OBJECTS). Those for
// the floors below options are added here.
//
// Threads  Every call from any thread.
#pragma once

#include <memory>
#include <string>

#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/utilities/object_registry.h"

namespace ROCKSDB_NAMESPACE {

// Never destroyed.
const std::shared_ptr<ObjectLibrary>& BuiltinLibrary();

// For a class whose default constructor is all that is needed.
template <class T, class Implementation>
void AddBuiltin(const std::string& name) {
  BuiltinLibrary()->AddFactory<T>(
      name, [](const std::string&, std::unique_ptr<T>* guard, std::string*) {
        *guard = std::make_unique<Implementation>();
        return guard->get();
      });
}

// The ids that are a number as options write it: "64M" is a cache.
class NumberEntry final : public ObjectLibrary::Entry {
 public:
  bool Matches(const std::string& target) const override;
  const char* Name() const override { return "NUMBER"; }
};

struct ObjectRegistrar {
  explicit ObjectRegistrar(void (*add_objects)()) { add_objects(); }
};

}  // namespace ROCKSDB_NAMESPACE

// Calls `function` before main(), and before the constructors of an
// application's own globals, which may hold options.
#define ROCKSDB_REGISTER_OBJECTS(function)                                  \
  [[gnu::init_priority(300)]] const ObjectRegistrar g_registrar_##function( \
      &function)

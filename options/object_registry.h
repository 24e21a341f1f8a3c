// Makes the objects that options name: comparators, merge operators, table
// factories and the like.
//
// Options stand below the floors that implement these classes, so each floor
// registers a maker for what it has, and option text is turned into objects
// here.
//
// Threads    Every call from any thread. Registration happens before main()
//            (ROCKSDB_REGISTER_OBJECTS) or later, through RegisterObject().
// Ownership  What the maker says; results are shared.
// Errors     NotSupported for a name without a maker; else the maker's.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {

struct ConfigOptions;

// Does the registered name stand for an id, or for the ids that begin with it
// ("rocksdb.FixedPrefix." for rocksdb.FixedPrefix.8)?
enum class ObjectMatch { kWholeId, kPrefix };

// Makes the object of id `id`; options in braces are set on it afterwards,
// through Configurable::ConfigureFromMap().
using ErasedMaker =
    std::function<Status(const std::string& id, std::shared_ptr<void>* result)>;

void RegisterErasedObject(std::string_view type, std::string_view name,
                          ObjectMatch match, ErasedMaker maker);
Status MakeErasedObject(std::string_view type, const std::string& id,
                        std::shared_ptr<void>* result);

// Registers T, one of the public classes with a Type(), under `name`. The
// latest registration of a name wins; of prefixes the longest.
template <class T>
void RegisterObject(
    std::string_view name, ObjectMatch match,
    std::function<Status(const std::string&, std::shared_ptr<T>*)> maker) {
  RegisterErasedObject(
      T::Type(), name, match,
      [maker = std::move(maker)](const std::string& id,
                                 std::shared_ptr<void>* result) {
        std::shared_ptr<T> object;
        Status s = maker(id, &object);
        if (s.ok()) *result = std::move(object);
        return s;
      });
}

// For a class whose default constructor is all that is needed.
template <class T, class Implementation>
void RegisterObject(std::string_view name) {
  RegisterObject<T>(name, ObjectMatch::kWholeId,
                    [](const std::string&, std::shared_ptr<T>* result) {
                      *result = std::make_shared<Implementation>();
                      return Status::OK();
                    });
}

template <class T>
Status MakeObject(const std::string& id, std::shared_ptr<T>* result) {
  std::shared_ptr<void> object;
  Status s = MakeErasedObject(T::Type(), id, &object);
  if (s.ok()) *result = std::static_pointer_cast<T>(object);
  return s;
}

struct ObjectRegistrar {
  explicit ObjectRegistrar(void (*register_objects)()) { register_objects(); }
};

}  // namespace ROCKSDB_NAMESPACE

// Calls `function` before main(), and before the constructors of an
// application's own globals, which may hold options.
#define ROCKSDB_REGISTER_OBJECTS(function)                                  \
  [[gnu::init_priority(300)]] const ObjectRegistrar g_registrar_##function( \
      &function)

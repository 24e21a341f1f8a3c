// The native objects that Java holds, by number.
//
// Java never sees an address: a handle is a number that is given out once, so
// that one that is closed, made up, or of another kind is noticed and not
// followed. A call pins what it uses; closing makes later calls fail at once,
// and the object goes when the last call that has it is done.
//
// Threads    All functions may be called from any thread.
// Ownership  The table owns the objects. What an object needs to live (a
//            database under an iterator) it holds itself.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE::jni {

using Handle = int64_t;

// The kind of an object, and the kind that it also is.
struct TypeTag {
  const char* name;
  const TypeTag* base;
};

class Object {
 public:
  virtual ~Object() = default;
  virtual const TypeTag* Tag() const = 0;

  bool Is(const TypeTag& wanted) const {
    for (const TypeTag* tag = Tag(); tag != nullptr; tag = tag->base) {
      if (tag == &wanted) return true;
    }
    return false;
  }
};

// A place in the table. Its state is, from the top: how often it was used, two
// bits, and the calls that have it pinned.
struct HandleSlot {
  std::atomic<uint64_t> state;
  Object* object;
  uint32_t index;
};

// Gives `object` a handle, which is never 0.
Handle Publish(std::unique_ptr<Object> object);

// The place of an open handle, pinned; null if it is closed or none.
HandleSlot* PinSlot(Handle handle);
void UnpinSlot(HandleSlot* slot);

// Closes a handle; false if it was closed. The object may live on until calls
// that have it pinned return.
bool CloseHandle(Handle handle);

// Objects that are open, or closed and still pinned.
int64_t LiveObjects();
// How many objects of each type are open, by the type's name.
std::map<std::string, int64_t> OpenObjectsByType();

}  // namespace ROCKSDB_NAMESPACE::jni

// Option structs that Java makes and copies by number.
#pragma once

#include <memory>

#include "java/jni/values.h"

namespace ROCKSDB_NAMESPACE::jni {

// Null for a number that no struct has, or a struct that `from` has not.
std::unique_ptr<StructObject> NewStruct(int32_t kind);
std::unique_ptr<StructObject> CopyStruct(int32_t kind, StructObject& from);

template <class T>
std::unique_ptr<StructObject> CopyOf(StructObject& from) {
  if (from.Tag() == &Value<T>::kTag) {
    return std::make_unique<Value<T>>(static_cast<Value<T>&>(from));
  }
  T* struct_of = from.Struct<T>();
  if (struct_of == nullptr) return nullptr;
  auto copy = std::make_unique<Value<T>>(std::in_place, *struct_of);
  AddKept(from.kept, &copy->kept);
  return copy;
}

}  // namespace ROCKSDB_NAMESPACE::jni

// A slice of Java's: bytes of its own, or in place.
#pragma once

#include <string>

#include "java/jni/call.h"

namespace ROCKSDB_NAMESPACE::jni {

class SliceObject : public Object {
 public:
  static constexpr TypeTag kTag{"Slice", nullptr};
  explicit SliceObject(std::string own) : bytes_(std::move(own)), rep(bytes_) {}
  explicit SliceObject(const Slice& in_place) : rep(in_place) {}
  SliceObject(const SliceObject&) = delete;
  SliceObject& operator=(const SliceObject&) = delete;
  const TypeTag* Tag() const override { return &kTag; }

 private:
  std::string bytes_;

 public:
  Slice rep;
};

}  // namespace ROCKSDB_NAMESPACE::jni

// What an index hands out: bytes that it borrows, or that it has made.
#pragma once

#include <string>
#include <variant>

#include "rocksdb/slice.h"

namespace ROCKSDB_NAMESPACE {

inline Slice SliceOf(const std::variant<Slice, std::string>& part) {
  return std::holds_alternative<Slice>(part)
             ? std::get<Slice>(part)
             : Slice(std::get<std::string>(part));
}

}  // namespace ROCKSDB_NAMESPACE

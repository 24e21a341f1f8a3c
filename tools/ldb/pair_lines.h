// Lines "<key> ==> <value>" of standard input, such as dump prints.
//
// Threads  Pure functions.
#pragma once

#include <cstdint>
#include <string>

#include "rocksdb/slice.h"

namespace ROCKSDB_NAMESPACE {

// What dump, or an older tool, prints beside its pairs.
inline bool IsOtherOutput(const Slice& line) {
  return line.starts_with("Keys in range:") ||
         line.starts_with("Created bg thread 0x");
}

inline std::string BadLinesText(uint64_t count) {
  return "Warning: " + std::to_string(count) + " bad lines ignored.";
}

}  // namespace ROCKSDB_NAMESPACE

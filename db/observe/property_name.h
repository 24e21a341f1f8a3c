// Names of properties that end with a number.
#pragma once

#include <cstdint>
#include <string>

#include "rocksdb/slice.h"
#include "util/string_util.h"

namespace ROCKSDB_NAMESPACE {

// The number behind `prefix`; false if there is none such below `limit`.
inline bool ConsumeNumberAtEnd(const Slice& property, const std::string& prefix,
                               uint64_t limit, uint64_t* number) {
  if (!property.starts_with(prefix)) return false;
  Slice digits = property;
  digits.remove_prefix(prefix.size());
  return ConsumeDecimalNumber(&digits, number) && digits.empty() &&
         *number < limit;
}

}  // namespace ROCKSDB_NAMESPACE

#pragma once

// The merge operators that every build knows by name.
//
//   put           the newest operand wins
//   uint64add     adds 8-byte little-endian numbers
//   max           the bytewise greatest
//   stringappend  joins with a delimiter
//
// Threads  All of them are immutable.

#include <memory>
#include <span>
#include <string>

#include "rocksdb/merge_operator.h"

namespace ROCKSDB_NAMESPACE {

std::shared_ptr<MergeOperator> NewPutOperator();
std::shared_ptr<MergeOperator> NewUInt64AddOperator();
std::shared_ptr<MergeOperator> NewMaxOperator();
std::shared_ptr<MergeOperator> NewStringAppendOperator(
    const std::string& delimiter = ",");

struct BuiltinMergeOperator {
  std::unique_ptr<MergeOperator> (*make)();
  const char* nickname;
};

std::span<const BuiltinMergeOperator> BuiltinMergeOperators();

}  // namespace ROCKSDB_NAMESPACE

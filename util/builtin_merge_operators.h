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
#include <string>

#include "rocksdb/merge_operator.h"

namespace ROCKSDB_NAMESPACE {

std::shared_ptr<MergeOperator> NewPutOperator();
std::shared_ptr<MergeOperator> NewUInt64AddOperator();
std::shared_ptr<MergeOperator> NewMaxOperator();
std::shared_ptr<MergeOperator> NewStringAppendOperator(
    const std::string& delimiter = ",");

// The operator called `name`, by its class name or its short name; nullptr if
// there is none.
std::shared_ptr<MergeOperator> BuiltinMergeOperator(const std::string& name);

}  // namespace ROCKSDB_NAMESPACE

#pragma once

// The merge operators that every build knows by name.
//
//   put               the newest operand wins; put_v1 is the same
//   uint64add         adds 8-byte little-endian numbers
//   max               the bytewise greatest
//   bytesxor          exclusive or, byte by byte; the shorter one has zeros
//                     behind it
//   sortlist          merges lists of decimal numbers, joined by commas, each
//                     in ascending order
//   stringappend      joins with a delimiter
//   stringappendtest  the same, but never joins operands among each other
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
std::shared_ptr<MergeOperator> NewBytesXOROperator();
std::shared_ptr<MergeOperator> NewSortListOperator();
// The one that is called stringappendtest.
std::shared_ptr<MergeOperator> NewStringAppendTESTOperator(
    const std::string& delimiter = ",");

struct BuiltinMergeOperator {
  std::unique_ptr<MergeOperator> (*make)();
  const char* nickname;
  const char* other_nickname = nullptr;
};

std::span<const BuiltinMergeOperator> BuiltinMergeOperators();

}  // namespace ROCKSDB_NAMESPACE

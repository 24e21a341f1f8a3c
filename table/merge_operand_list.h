// What a lookup gathers for DB::GetMergeOperands().
//
// Threads    One.
// Ownership  Copies of what was found.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "rocksdb/slice.h"

namespace ROCKSDB_NAMESPACE {

// The operands of a key, newest first, and below them its base value if there
// is one.
struct MergeOperandList {
  std::vector<std::string> values;
  // False: no older operand is wanted. Null: all are.
  std::function<bool(Slice)> continue_after;
};

}  // namespace ROCKSDB_NAMESPACE

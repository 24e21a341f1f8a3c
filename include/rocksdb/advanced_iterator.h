#pragma once

// What iterators below the user's answer at each step, for iterators of an
// application's own (external_table.h).

#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/slice.h"

namespace ROCKSDB_NAMESPACE {

// Is a key within the upper bound of its scan?
enum class IterBoundCheck : char {
  kUnknown = 0,  // nobody has looked
  kOutOfBound,
  kInbound,
};

struct IterateResult {
  Slice key;
  IterBoundCheck bound_check_result = IterBoundCheck::kUnknown;
  // False: the value must be prepared before it is asked for.
  bool value_prepared = true;
};

}  // namespace ROCKSDB_NAMESPACE

// A change of a family's stall.
#pragma once

#include <string>
#include <utility>

#include "rocksdb/types.h"

namespace ROCKSDB_NAMESPACE {

// Not told to listeners yet.
struct StallChange {
  std::string family;
  std::pair<WriteStallCondition, WriteStallCondition> conditions;  // new, old
};

}  // namespace ROCKSDB_NAMESPACE

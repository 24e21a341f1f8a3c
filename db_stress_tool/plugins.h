// The user's own objects that db_stress gives to the engine.
//
// Threads    As their interfaces ask: any.

#pragma once

#include <memory>

#include "rocksdb/compaction_filter.h"
#include "rocksdb/merge_operator.h"

namespace ROCKSDB_NAMESPACE::stress {

// A merge is a put: the newest operand is the value.
std::shared_ptr<MergeOperator> MakeLastOperandOperator();

// Looks at each value and keeps it.
std::shared_ptr<CompactionFilterFactory> MakeKeepAllFilterFactory();

}  // namespace ROCKSDB_NAMESPACE::stress

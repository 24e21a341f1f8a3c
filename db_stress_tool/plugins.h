// The user's own objects that db_stress gives to the engine.
//
// Threads    As their interfaces ask: any.

#pragma once

#include <memory>

#include "rocksdb/compaction_filter.h"
#include "rocksdb/merge_operator.h"
#include "rocksdb/table_properties.h"

namespace ROCKSDB_NAMESPACE::stress {

// A merge is a put: the newest operand is the value.
std::shared_ptr<MergeOperator> MakeLastOperandOperator();

// The same by FullMerge() alone.
std::shared_ptr<MergeOperator> MakeOldLastOperandOperator();

// Has one table in so many ask to be compacted, by chance from `seed`.
std::shared_ptr<TablePropertiesCollectorFactory> MakeMarkingFactory(
    int64_t one_in, uint64_t seed);

// Looks at each value and keeps it.
std::shared_ptr<CompactionFilterFactory> MakeKeepAllFilterFactory();

}  // namespace ROCKSDB_NAMESPACE::stress

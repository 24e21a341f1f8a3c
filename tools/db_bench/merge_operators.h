// The merge operators that --merge_operator offers by themselves, so that the
// merging benchmarks run on any engine.
//
// They carry the names that RocksDB's own operators of this meaning have, as
// databases remember them.
//
// Threads    Immutable; any thread.

#pragma once

#include <memory>
#include <string>

#include "rocksdb/merge_operator.h"
#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE::bench {

// "put": the last operand wins. "uint64add": 64-bit little-endian sums.
// Null for any other name.
std::shared_ptr<MergeOperator> MakeMergeOperator(const std::string& name);

}  // namespace ROCKSDB_NAMESPACE::bench

// The kinds of updates that databases, batches and transactions have in
// common, by the numbers of Writes.java.
#pragma once

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE::jni {

enum class Update { kPut, kMerge, kDelete, kSingleDelete, kDeleteRange };

}  // namespace ROCKSDB_NAMESPACE::jni

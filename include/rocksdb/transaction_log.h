#pragma once

// The older names of what rocksdb/wal_iterator.h declares.

#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/wal_iterator.h"

namespace ROCKSDB_NAMESPACE {

using LogFile = WalFile;
using VectorLogPtr = VectorWalPtr;
using TransactionLogIterator = WalIterator;

}  // namespace ROCKSDB_NAMESPACE

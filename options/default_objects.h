// The objects that options have when nobody chose others. Their classes live
// on floors above; see options/builtin_objects.h.
//
// Threads  Every call from any thread.
#pragma once

#include <memory>

#include "rocksdb/memtablerep.h"
#include "rocksdb/table.h"

namespace ROCKSDB_NAMESPACE {

// Null only in a program that does not link the table formats.
std::shared_ptr<TableFactory> NewDefaultTableFactory();

// A skip list.
std::shared_ptr<MemTableRepFactory> NewDefaultMemTableFactory();

// LZ4 if this build has it, else Snappy, else none.
CompressionType DefaultCompression();

}  // namespace ROCKSDB_NAMESPACE

// A data block of a table file that holds one entry alone, as with values about
// as large as a block. Where a compaction passes the entry on unchanged, the
// block of the new file has the same bytes, and its stored form is there
// already.
//
// Threads    A plain value.
// Ownership  Refers to the memory of the iterator that filled it in, and to the
//            table file's properties.
#pragma once

#include "rocksdb/compression_type.h"
#include "rocksdb/slice.h"

namespace ROCKSDB_NAMESPACE {

struct WholeBlock {
  Slice raw;     // expanded
  Slice stored;  // compressed, without its trailer
  CompressionType type = kNoCompression;
  Slice made_with;  // the file's property `rocksdb.compression_options`
};

}  // namespace ROCKSDB_NAMESPACE

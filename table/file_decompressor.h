// Which decompressor the blocks of a table file need: the file's property
// `rocksdb.compression` names the manager that made it and the types that are
// in it.
//
// Threads    Pure.
// Errors     Corruption for a property that is malformed; NotSupported, with
//            the name, for a manager that nobody knows.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "rocksdb/advanced_compression.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {

struct CompressionOrigin {
  uint32_t format_version = 0;
  std::string property;  // `rocksdb.compression`; empty: not there
  // What the options name, and is asked first; may be null.
  std::shared_ptr<CompressionManager> configured;
};

// Without a dictionary, and guarded where it is not built in.
Status FindDecompressor(const CompressionOrigin& origin,
                        std::shared_ptr<Decompressor>* result);

}  // namespace ROCKSDB_NAMESPACE

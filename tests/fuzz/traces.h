// Traces as decoders of arbitrary bytes: records of operations, of accesses of
// the block cache and of I/O.
#pragma once

#include <string>
#include <vector>

#include "rocksdb/slice.h"

namespace ROCKSDB_NAMESPACE::fuzz {

size_t RunTraceRecord(const Slice& bytes);
std::vector<std::string> TraceRecordSeeds();

// Files of text that the analyser of block cache traces reads.
size_t RunBlockAccessText(const Slice& bytes);
std::vector<std::string> BlockAccessTextSeeds();

}  // namespace ROCKSDB_NAMESPACE::fuzz

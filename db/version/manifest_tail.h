// Tells a manifest whose last write was cut short, which is what a crash
// leaves and is read without that write, from one whose last bytes were
// damaged: the length of a record is not covered by its checksum, so that a
// flipped bit there looks like a record that is cut short.
//
// Errors   Corruption that names the offset; IOError if it cannot be read.
// Threads  Pure function.
#pragma once

#include <cstdint>
#include <string>

#include "rocksdb/file_system.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {

// `begin` is where the last complete record ends.
Status CheckManifestTail(FileSystem* fs, const std::string& path,
                         uint64_t begin);

}  // namespace ROCKSDB_NAMESPACE

// Tells a manifest whose last write was cut short, which is what a crash
// leaves and is read without that write, from one whose last bytes were
// damaged: the length of a record is not covered by its checksum, so that a
// flipped bit there looks like a record that is cut short. A power failure may
// also leave the whole length, but zeros in place of the last sectors.
//
// Errors   Corruption that names the offset; IOError if it cannot be read.
// Threads  Pure function.
#pragma once

#include <cstdint>
#include <string>

#include "rocksdb/file_system.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {

// `begin` is where the last complete record ends. *is_torn: what is behind it
// is the beginning of a record, or nothing, and zeros up to the end of the
// file.
Status CheckManifestTail(FileSystem* fs, const std::string& path,
                         uint64_t begin, bool* is_torn);

}  // namespace ROCKSDB_NAMESPACE

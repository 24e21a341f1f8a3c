// Files that applications keep beside a database, as decoders of arbitrary
// bytes: dumps of databases and of caches, encrypted files, traces.
//
// Threads    Pure functions, but for files in memory of their own.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "rocksdb/slice.h"

namespace ROCKSDB_NAMESPACE::fuzz {

// How many pairs?
size_t RunDumpFile(const Slice& bytes);
std::vector<std::string> DumpFileSeeds();

// The first byte says whether the rest is a whole file, or one unit of a file
// whose other bytes, and checksums, are good. How many blocks are loaded?
size_t RunCacheDump(const Slice& bytes);
std::vector<std::string> CacheDumpSeeds();

// How many bytes are read of it, in all ways?
size_t RunEncryptedFile(const Slice& bytes);
std::vector<std::string> EncryptedFileSeeds();

// How many operations? Those that read are run.
size_t RunTraceFile(const Slice& bytes);
std::vector<std::string> TraceFileSeeds();

}  // namespace ROCKSDB_NAMESPACE::fuzz

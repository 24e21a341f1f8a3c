// Takes what is in a block cache to a file, and from there to a secondary
// cache, so that a process that starts need not read all of it from tables
// again.
//
// What is dumped  Blocks that a secondary cache could take (data, index,
//                 filters), uncompressed.
// Threads         A dumper or loader is used by one thread; the caches may be
//                 in use.
// Experimental in RocksDB; the file is its.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/cache.h"
#include "rocksdb/db.h"
#include "rocksdb/env.h"
#include "rocksdb/file_system.h"
#include "rocksdb/io_status.h"
#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/secondary_cache.h"
#include "rocksdb/status.h"
#include "rocksdb/system_clock.h"
#include "rocksdb/table.h"

namespace ROCKSDB_NAMESPACE {

// The version of the file format.
const int kCacheDumpMajorVersion = 0;
const int kCacheDumpMinorVersion = 1;

// Where a dump goes: for each unit, its metadata and then the unit.
class CacheDumpWriter {
 public:
  virtual ~CacheDumpWriter() = default;

  virtual IOStatus WriteMetadata(const Slice& metadata) = 0;
  virtual IOStatus WritePacket(const Slice& data) = 0;
  // After the last unit, or the first error.
  virtual IOStatus Close() = 0;
};

// Where it comes from, in the same order. Empty, with OK: it ends.
class CacheDumpReader {
 public:
  virtual ~CacheDumpReader() = default;

  virtual IOStatus ReadMetadata(std::string* metadata) = 0;
  virtual IOStatus ReadPacket(std::string* data) = 0;
};

struct CacheDumpOptions {
  SystemClock* clock;
  // When to stop, in microseconds since 1970; zero: never.
  std::chrono::microseconds deadline = std::chrono::microseconds::zero();
  // Bytes after which to stop; 0: never.
  uint64_t max_size_bytes = 0;
};

class CacheDumper {
 public:
  virtual ~CacheDumper() = default;

  // Only blocks of tables that these databases have now, in any family. To be
  // called before the dump.
  virtual Status SetDumpFilter(const std::vector<DB*>& /*db_list*/) {
    return Status::NotSupported("CacheDumper::SetDumpFilter");
  }
  // Writes all, and closes the writer. A dump that ends by its deadline or size
  // is whole as far as it goes.
  virtual IOStatus DumpCacheEntriesToWriter() {
    return IOStatus::NotSupported("CacheDumper::DumpCacheEntriesToWriter");
  }
};

class CacheDumpedLoader {
 public:
  virtual ~CacheDumpedLoader() = default;

  // Gives each block to the secondary cache's InsertSaved(). Corruption for a
  // file that is damaged or ends early; what came before it is in the cache.
  virtual IOStatus RestoreCacheEntriesToSecondaryCache() {
    return IOStatus::NotSupported(
        "CacheDumpedLoader::RestoreCacheEntriesToSecondaryCache");
  }
};

// A dump in one file.
IOStatus NewToFileCacheDumpWriter(const std::shared_ptr<FileSystem>& fs,
                                  const FileOptions& file_opts,
                                  const std::string& file_name,
                                  std::unique_ptr<CacheDumpWriter>* writer);
IOStatus NewFromFileCacheDumpReader(const std::shared_ptr<FileSystem>& fs,
                                    const FileOptions& file_opts,
                                    const std::string& file_name,
                                    std::unique_ptr<CacheDumpReader>* reader);

// InvalidArgument where the cache, the writer or dump_options.clock is null.
Status NewDefaultCacheDumper(const CacheDumpOptions& dump_options,
                             const std::shared_ptr<Cache>& cache,
                             std::unique_ptr<CacheDumpWriter>&& writer,
                             std::unique_ptr<CacheDumper>* cache_dumper);

// InvalidArgument where the secondary cache or the reader is null. `toptions`
// are those of the tables.
Status NewDefaultCacheDumpedLoader(
    const CacheDumpOptions& dump_options,
    const BlockBasedTableOptions& toptions,
    const std::shared_ptr<SecondaryCache>& secondary_cache,
    std::unique_ptr<CacheDumpReader>&& reader,
    std::unique_ptr<CacheDumpedLoader>* cache_dump_loader);

}  // namespace ROCKSDB_NAMESPACE

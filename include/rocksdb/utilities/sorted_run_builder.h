// Sorts entries that come in any order, more of them than fit into memory, into
// table files whose key ranges do not overlap.
//
//   Add() or AddBatch(), in any order; Finish(); then GetOutputFiles() or
//   NewIterator(); Cleanup().
//
// It is a database of its own in `temp_dir`, without a log: what was added is
// lost with the process. Of several entries with one key the last that was
// added counts. The files can be ingested with
// IngestExternalFileOptions::allow_db_generated_files, or read with
// SstFileReader, as long as they are there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/comparator.h"
#include "rocksdb/iterator.h"
#include "rocksdb/options.h"
#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/slice.h"
#include "rocksdb/status.h"
#include "rocksdb/table.h"
#include "rocksdb/write_batch.h"

namespace ROCKSDB_NAMESPACE {

struct SortedRunBuilderOptions {
  // A directory for it alone: made if it is missing, and deleted with what is
  // in it. Must be given.
  std::string temp_dir;
  // The order of keys, which the database that takes the files must have. Null,
  // the default: bytewise.
  const Comparator* comparator = nullptr;
  // About how large files become.
  uint64_t target_file_size_bytes = 64 * 1024 * 1024;
  CompressionType compression = kNoCompression;
  // Threads that sort at once in Finish(), and flush meanwhile.
  int max_compaction_threads = 4;
  // Bytes of entries in memory that become one unsorted file, and how many such
  // there may be before writers wait.
  size_t write_buffer_size = 64 * 1024 * 1024;
  int max_write_buffer_number = 4;
  // Makes the files. Null, the default: block-based tables.
  std::shared_ptr<TableFactory> table_factory = nullptr;
  // Leaves all files behind.
  bool keep_temp_db = false;
};

// Threads    Add() and AddBatch() from any thread at once; Finish() and
//            Cleanup() from one, when no other call is under way.
// Ownership  Iterators must be gone before Cleanup() and the end of this.
class SortedRunBuilder {
 public:
  // InvalidArgument: no temp_dir, or it has a database already; or numbers that
  // no database takes.
  static Status Create(const SortedRunBuilderOptions& options,
                       std::unique_ptr<SortedRunBuilder>* result);
  // Does what Cleanup() does; errors are lost.
  virtual ~SortedRunBuilder() = default;

  // InvalidArgument behind Finish().
  virtual Status Add(const Slice& key, const Slice& value) = 0;
  // All updates of the batch, deletions too, which hide what was added before.
  virtual Status AddBatch(WriteBatch* batch) = 0;

  // Sorts what was added. Once; if it fails, all is to be thrown away.
  virtual Status Finish() = 0;

  // Paths, in the order of keys. Empty before Finish(), and after Cleanup().
  virtual const std::vector<std::string>& GetOutputFiles() const = 0;
  // What was added; after Finish(), what the files hold, and their bytes.
  virtual uint64_t GetNumEntries() const = 0;
  virtual uint64_t GetDataSize() const = 0;
  // Over all entries; the caller deletes it. Before Finish(), and after
  // Cleanup(), its status is InvalidArgument.
  virtual Iterator* NewIterator(const ReadOptions& options) = 0;

  // Deletes the files, but with keep_temp_db. Again is OK.
  virtual Status Cleanup() = 0;

 protected:
  SortedRunBuilder() = default;
};

}  // namespace ROCKSDB_NAMESPACE

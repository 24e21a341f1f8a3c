// A table file that a job has made, read once more before the files that it
// replaces go: for paranoid_file_checks and verify_output_flags.
//
// Reads by the path of bulk readers, so nothing of it stays in a cache.
//
// Threads    One thread, without the DB mutex.
// Ownership  Borrows all that it is given.
// Errors     Corruption names the file.
#pragma once

#include <cstdint>
#include <memory>

#include "db/outputs/job_context.h"
#include "db/tables/table_cache.h"
#include "rocksdb/options.h"
#include "rocksdb/status.h"
#include "util/key/internal_iterator.h"

namespace ROCKSDB_NAMESPACE {

class OutputReader {
 public:
  struct Output {
    const FileMeta* file = nullptr;
    int level = 0;
    const MutableCFOptions* options = nullptr;
  };
  OutputReader(const JobContext& job, const Output& output);
  OutputReader(const OutputReader&) = delete;
  OutputReader& operator=(const OutputReader&) = delete;

  // Do the options ask for `what` of a compaction that ran `where`?
  static bool IsAsked(const MutableCFOptions& options, VerifyOutputFlags where,
                      VerifyOutputFlags what);

  Status NewIterator(std::unique_ptr<InternalIterator>* entries) const;
  // Every block against its checksum.
  Status CheckBlocks() const;
  // Reads as many entries as the file says, in order.
  Status CheckEntries() const;
  // The whole file against the checksum that goes into the manifest; OK where
  // it has none.
  Status CheckFile() const;
  // Makes those of the checks above that verify_output_flags asks for after a
  // compaction that ran `where`.
  Status CheckAsAsked(VerifyOutputFlags where) const;

 private:
  const JobContext& job_;
  const Output output_;
  ReadOptions read_;
  BulkReadPolicy bulk_;
  TableCache::IteratorRequest request_;
};

}  // namespace ROCKSDB_NAMESPACE

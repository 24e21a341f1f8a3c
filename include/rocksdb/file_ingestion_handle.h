#pragma once

// Table files that are ready to be ingested: checked, and in the database's
// directory, where nobody sees them yet.
//
// Threads    One at a time.
// Lifetime   Until DB::CommitFileIngestionHandles() takes it, or it is
//            destroyed, which undoes what was prepared. Before the DB is
//            closed.

#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {

class FileIngestionHandle {
 public:
  virtual ~FileIngestionHandle() = default;
  FileIngestionHandle(const FileIngestionHandle&) = delete;
  FileIngestionHandle& operator=(const FileIngestionHandle&) = delete;
  FileIngestionHandle(FileIngestionHandle&&) = delete;
  FileIngestionHandle& operator=(FileIngestionHandle&&) = delete;

  // Undoes what was prepared: moved files are where they were, copies are gone.
  // The handle cannot be committed then. Twice is OK.
  virtual Status Abort() = 0;

 protected:
  FileIngestionHandle() = default;
};

}  // namespace ROCKSDB_NAMESPACE

#pragma once

// Reading the write-ahead log: its files, and the batches in them.
//
// Threads    An iterator serves one thread at a time.
// Ownership  The caller owns iterators and file lists; an iterator must not
//            outlive its DB.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/status.h"
#include "rocksdb/types.h"
#include "rocksdb/write_batch.h"

namespace ROCKSDB_NAMESPACE {

enum WalFileType {
  // Kept for replication or backup only.
  kArchivedLogFile = 0,
  // Holds, or may hold, data that are in no table file yet.
  kAliveLogFile = 1,
};

// One log file, as it was when the list was made.
class WalFile {
 public:
  virtual ~WalFile() = default;

  // Relative to the log directory: "/000003.log", or "/archive/000003.log".
  virtual std::string PathName() const = 0;
  virtual uint64_t LogNumber() const = 0;
  virtual WalFileType Type() const = 0;
  // The sequence number of the first batch.
  virtual SequenceNumber StartSequence() const = 0;
  virtual uint64_t SizeFileBytes() const = 0;
};

using VectorWalPtr = std::vector<std::unique_ptr<WalFile>>;

// A batch, and the sequence number of its first update.
struct BatchResult {
  SequenceNumber sequence = 0;
  std::unique_ptr<WriteBatch> writeBatchPtr;

  BatchResult() = default;
  BatchResult(BatchResult&&) = default;
  BatchResult& operator=(BatchResult&&) = default;
};

// Walks over batches in the order of their sequence numbers.
class WalIterator {
 public:
  WalIterator() = default;
  WalIterator(const WalIterator&) = delete;
  WalIterator& operator=(const WalIterator&) = delete;
  virtual ~WalIterator() = default;

  struct ReadOptions {
    // Checks the checksums of records as they are read.
    bool verify_checksums_ = true;

    ReadOptions() = default;
    explicit ReadOptions(bool verify_checksums)
        : verify_checksums_(verify_checksums) {}
  };

  // At a batch. After an error, or at the end of what is written so far,
  // false.
  virtual bool Valid() = 0;
  // Needs Valid(). At the end of what is written, it may be called again once
  // more has been written.
  virtual void Next() = 0;
  virtual Status status() = 0;
  // The present batch, which the caller gets; once for each position.
  virtual BatchResult GetBatch() = 0;
};

// Older names.
using LogFile = WalFile;
using VectorLogPtr = VectorWalPtr;
using TransactionLogIterator = WalIterator;

}  // namespace ROCKSDB_NAMESPACE

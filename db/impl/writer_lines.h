// How the writers of a database line up: the two threads of groups, what slows
// them down or stops them, and the lock of the log, which keeps them out.
//
// Threads    As each part says.
// Ownership  Owns the parts, which borrow from each other and from what is
//            given.
#pragma once

#include "db/intake/wal_lock.h"
#include "db/write/leader_attention.h"
#include "db/write/write_controller.h"
#include "db/write/write_thread.h"

namespace ROCKSDB_NAMESPACE {

struct Foundation;

class WriterLines {
 public:
  explicit WriterLines(Foundation* base);
  WriterLines(const WriterLines&) = delete;
  WriterLines& operator=(const WriterLines&) = delete;

  WriteThread* writes() { return &writes_; }
  WriteThread* log_only() { return &log_only_; }
  WriteController* controller() { return &controller_; }
  LeaderAttention* attention() { return &attention_; }
  WalLock* wal_lock() { return &wal_lock_; }

 private:
  WriteThread writes_;
  WriteThread log_only_;  // the queue of batches that need no memtable
  WriteController controller_;
  LeaderAttention attention_;
  WalLock wal_lock_;
};

}  // namespace ROCKSDB_NAMESPACE

// Leadership of the write thread without a batch: while it lives, no write is
// under way, no scan adds a tombstone, and memtables, logs and the family set
// may be changed.
//
// Threads  Not while holding the DB mutex: a writer may wait for it.
#pragma once

#include "db/write/write_thread.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

class Exclusive {
 public:
  explicit Exclusive(WriteThread* thread) : thread_(thread) {
    // An exclusive writer joins no group: it only ever becomes leader.
    INVARIANT(thread_ != nullptr);
    const WriteThread::State state = thread_->Join(&writer_);
    INVARIANT(state == WriteThread::State::kLeader);
    thread_->FormGroup(&writer_, &group_);
    INVARIANT(group_.size == 1);
    thread_->inserts()->Drain();
    thread_->SetExclusive(true);
  }
  ~Exclusive() {
    thread_->SetExclusive(false);
    thread_->Leave(&group_);
  }
  Exclusive(const Exclusive&) = delete;
  Exclusive& operator=(const Exclusive&) = delete;

 private:
  WriteThread* thread_;
  WriteThread::Writer writer_;
  WriteThread::Group group_;
};

}  // namespace ROCKSDB_NAMESPACE

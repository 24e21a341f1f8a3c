// Where a database's write leader waits while the memtables of all databases
// that share a WriteBufferManager hold too much.
//
// Threads  Safe for concurrent use; one thread at a time waits.
#pragma once

#include "rocksdb/write_buffer_manager.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

class WriteMemoryStall final : public StallInterface {
 public:
  WriteMemoryStall() : changed_(&mutex_) {}

  // Before the manager is told: the Signal() of before does not count.
  void Prepare() EXCLUDES(mutex_) {
    MutexLock lock(&mutex_);
    is_signalled_ = false;
  }
  void Block() override EXCLUDES(mutex_) {
    MutexLock lock(&mutex_);
    while (!is_signalled_) changed_.Wait();
  }
  void Signal() override EXCLUDES(mutex_) {
    MutexLock lock(&mutex_);
    is_signalled_ = true;
    changed_.SignalAll();
  }

 private:
  Mutex mutex_;
  CondVar changed_;
  bool is_signalled_ GUARDED_BY(mutex_) = false;
};

}  // namespace ROCKSDB_NAMESPACE

// Holds every compaction that comes to it, until it is opened.
#pragma once

#include <string>

#include "rocksdb/compaction_filter.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

class CompactionGate : public CompactionFilter {
 public:
  const char* Name() const override { return "CompactionGate"; }
  bool Filter(int, const Slice&, const Slice&, std::string*,
              bool*) const override {
    MutexLock lock(&mutex_);
    has_come_ = true;
    changed_.SignalAll();
    while (!is_open_) changed_.Wait();
    return false;
  }
  // Until a compaction has come since it was closed.
  void Await() {
    MutexLock lock(&mutex_);
    while (!has_come_) changed_.Wait();
  }
  bool has_come() const {
    MutexLock lock(&mutex_);
    return has_come_;
  }
  void Open() {
    MutexLock lock(&mutex_);
    is_open_ = true;
    changed_.SignalAll();
  }
  void Close() {
    MutexLock lock(&mutex_);
    is_open_ = has_come_ = false;
  }

 private:
  mutable Mutex mutex_;
  mutable CondVar changed_{&mutex_};
  mutable bool has_come_ = false;
  bool is_open_ = false;
};

}  // namespace ROCKSDB_NAMESPACE

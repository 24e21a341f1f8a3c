// How often something was done, and a way to wait for it.
#pragma once

#include "rocksdb/rocksdb_namespace.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

class CallCount {
 public:
  void Add() {
    MutexLock lock(&mutex_);
    ++count_;
    changed_.SignalAll();
  }
  void WaitFor(int count) {
    MutexLock lock(&mutex_);
    while (count_ < count) changed_.Wait();
  }
  int value() {
    MutexLock lock(&mutex_);
    return count_;
  }

 private:
  Mutex mutex_;
  CondVar changed_{&mutex_};
  int count_ = 0;
};

}  // namespace ROCKSDB_NAMESPACE

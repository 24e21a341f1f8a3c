// The turn of one of several appenders to the log; none is needed where there
// is only one.
//
// Threads  Any; held over an append, and a sync that goes with it.
#pragma once

#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

class LogTurn {
 public:
  // Null: there is one appender.
  explicit LogTurn(Mutex* mutex) NO_THREAD_SAFETY_ANALYSIS : mutex_(mutex) {
    if (mutex_ != nullptr) mutex_->Lock();
  }
  ~LogTurn() NO_THREAD_SAFETY_ANALYSIS {
    if (mutex_ != nullptr) mutex_->Unlock();
  }
  LogTurn(const LogTurn&) = delete;
  LogTurn& operator=(const LogTurn&) = delete;

 private:
  Mutex* const mutex_;
};

}  // namespace ROCKSDB_NAMESPACE

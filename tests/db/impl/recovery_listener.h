// A listener that records background errors and recoveries, and lets a test
// wait for the end of a recovery.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "rocksdb/listener.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

class RecoveryListener : public EventListener {
 public:
  RecoveryListener() : changed_(&mutex_) {}
  const char* Name() const override { return "RecoveryListener"; }

  void OnBackgroundError(BackgroundErrorReason reason, Status* error) override {
    MutexLock lock(&mutex_);
    errors_.emplace_back(reason, *error);
    if (on_error) on_error();
  }
  void OnErrorRecoveryBegin(BackgroundErrorReason, Status,
                            bool* auto_recovery) override {
    MutexLock lock(&mutex_);
    ++begins_;
    *auto_recovery = allows_recovery;
    changed_.SignalAll();
  }
  void OnErrorRecoveryEnd(const BackgroundErrorRecoveryInfo& info) override {
    MutexLock lock(&mutex_);
    ends_.push_back(info);
    changed_.SignalAll();
  }
  void OnErrorRecoveryCompleted(Status) override {
    MutexLock lock(&mutex_);
    ++completions_;
    changed_.SignalAll();
  }
  void OnFlushBegin(DB* db, const FlushJobInfo&) override {
    if (on_flush_begin) on_flush_begin(db);
  }

  // A call may return the error before the listener is told, so tests wait.
  void WaitForBegin(int n) {
    MutexLock lock(&mutex_);
    while (begins_ < n) changed_.Wait();
  }
  // The `n`-th end, counted from 1.
  BackgroundErrorRecoveryInfo WaitForEnd(size_t n) {
    MutexLock lock(&mutex_);
    while (ends_.size() < n) changed_.Wait();
    return ends_[n - 1];
  }
  void WaitForCompletion(int n) {
    MutexLock lock(&mutex_);
    while (completions_ < n) changed_.Wait();
  }
  std::vector<std::pair<BackgroundErrorReason, Status>> errors() {
    MutexLock lock(&mutex_);
    return errors_;
  }
  int begins() {
    MutexLock lock(&mutex_);
    return begins_;
  }
  size_t ends() {
    MutexLock lock(&mutex_);
    return ends_.size();
  }

  // Set before the database is opened.
  bool allows_recovery = true;
  std::function<void()> on_error;
  std::function<void(DB*)> on_flush_begin;

 private:
  Mutex mutex_;
  CondVar changed_;
  std::vector<std::pair<BackgroundErrorReason, Status>> errors_;
  std::vector<BackgroundErrorRecoveryInfo> ends_;
  int begins_ = 0;
  int completions_ = 0;
};

}  // namespace ROCKSDB_NAMESPACE

// The database's options that are in force: SetDBOptions() replaces them as a
// whole, and whoever holds the ones before keeps to those.
//
// Threads    Get() any, without the DB mutex. The others under it.
#pragma once

#include <memory>
#include <utility>

#include "options/db_options.h"
#include "util/invariant.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

class CurrentOptions {
 public:
  using Ref = std::shared_ptr<const MutableDBOptions>;

  CurrentOptions(Mutex* mutex, const DBOptions& options)
      : mutex_(mutex),
        options_(std::make_shared<const MutableDBOptions>(options)) {}
  CurrentOptions(const CurrentOptions&) = delete;
  CurrentOptions& operator=(const CurrentOptions&) = delete;

  Ref Get() const EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    return options_;
  }
  const Ref& held() const {
    mutex_->AssertHeld();
    return options_;
  }
  const MutableDBOptions& operator*() const { return *held(); }
  const MutableDBOptions* operator->() const { return held().get(); }
  void Set(const MutableDBOptions& options) {
    mutex_->AssertHeld();
    options_ = std::make_shared<const MutableDBOptions>(options);
  }

 private:
  Mutex* const mutex_;
  Ref options_ GUARDED_BY(mutex_);  // never null
};

}  // namespace ROCKSDB_NAMESPACE

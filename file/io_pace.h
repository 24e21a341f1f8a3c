// How many bytes a second the compactions of a database may move while its
// users read from the device: work that is not urgent is spread over the time
// it has, in steps, rather than done in bursts.
//
// The account is a bucket of bytes that fills at the rate, up to what 20 ms
// bring, and at least one request. A request is charged when it goes out, reads
// and writes alike. A thread that finds the bucket empty asks again or waits; a
// new rate wakes those that wait.
//
// Threads  Safe for concurrent use.
#pragma once

#include <atomic>
#include <cstdint>

#include "rocksdb/system_clock.h"
#include "util/mutex.h"
#include "util/thread_annotations.h"

namespace ROCKSDB_NAMESPACE {

class IoPace {
 public:
  // A null clock: that of the operating system.
  explicit IoPace(SystemClock* clock = nullptr);
  IoPace(const IoPace&) = delete;
  IoPace& operator=(const IoPace&) = delete;

  // 0: as fast as it goes.
  void SetRate(uint64_t bytes_per_second) EXCLUDES(mutex_);
  uint64_t rate() const { return rate_.load(std::memory_order_relaxed); }

  // May a request of up to `most` bytes go out now? Charges nothing.
  bool HasCredit() EXCLUDES(mutex_);
  // Waits until HasCredit(), but not longer than 100 ms. The caller must have
  // nothing in flight that others wait for.
  void WaitForCredit() EXCLUDES(mutex_);
  // A request went out. The bucket may fall below empty: the next one waits
  // for longer.
  void Charge(uint64_t bytes) EXCLUDES(mutex_);

  // All that was waited.
  uint64_t wait_micros() const {
    return wait_micros_.load(std::memory_order_relaxed);
  }

 private:
  void Fill(uint64_t now_micros) REQUIRES(mutex_);

  SystemClock* const clock_;
  std::atomic<uint64_t> rate_{0};
  std::atomic<uint64_t> wait_micros_{0};
  Mutex mutex_;
  CondVar changed_{&mutex_};
  // In bytes; below zero: owed.
  int64_t credit_ GUARDED_BY(mutex_) = 0;
  uint64_t filled_at_micros_ GUARDED_BY(mutex_) = 0;
};

}  // namespace ROCKSDB_NAMESPACE

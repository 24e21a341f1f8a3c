// How reads of users fare: how many of them come from the device, and how long
// these take. Some are timed, and stand for others.
//
// Threads  Safe for concurrent use.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "rocksdb/system_clock.h"
#include "util/mutex.h"
#include "util/thread_annotations.h"

namespace ROCKSDB_NAMESPACE {

class UserReads {
 public:
  explicit UserReads(SystemClock* clock) : clock_(clock) {}

  // Should the next read of this thread be timed? Cheap.
  static bool WantsRead() {
    Sampling& own = SamplingOfThread();
    if (own.to_skip == 0) [[unlikely]] {
      // Others may start before it is noted.
      own.to_skip = own.stands_for - 1;
      return true;
    }
    --own.to_skip;
    return false;
  }
  // One that WantsRead() chose took so long (0: not known), and came from the
  // device or from memory. `is_quiet`: there is no background I/O.
  void Note(uint64_t micros, bool is_from_device, bool is_quiet)
      EXCLUDES(mutex_);

  // Do users read from the device, now and not just seldom?
  bool ReachDevice() const;

  // A tenth of a second is over, in which `was_quiet` or there were background
  // requests. True: the device's reads take several times as long as they do
  // in quiet.
  bool EndWindow(bool was_quiet) EXCLUDES(mutex_);

  struct Micros {
    // The 95th percentile of the last window with timed reads; 0: none yet.
    uint64_t p95 = 0;
    uint64_t quiet = 0;
  };
  Micros Times() const EXCLUDES(mutex_);

 private:
  static constexpr size_t kSampleCount = 128;
  // One read in so many of a thread is timed.
  struct Sampling {
    uint32_t to_skip = 0;
    uint32_t stands_for = 1;
  };
  static Sampling& SamplingOfThread() {
    thread_local Sampling sampling;
    return sampling;
  }
  uint64_t TakeP95() REQUIRES(mutex_);

  SystemClock* const clock_;
  std::atomic<uint64_t> last_from_device_micros_{0};
  // Lately, and how many of them came from the device.
  std::atomic<uint64_t> reads_{0};
  std::atomic<uint64_t> device_reads_{0};

  mutable Mutex mutex_;
  // Microseconds of the latest timed reads from the device in this window.
  std::array<uint64_t, kSampleCount> samples_ GUARDED_BY(mutex_){};
  size_t sample_count_ GUARDED_BY(mutex_) = 0;
  Micros times_ GUARDED_BY(mutex_);
};

}  // namespace ROCKSDB_NAMESPACE

// Lets a tool that reads much read at full speed while nobody else reads from
// the device, and leave the device to others while they do.
//
// Now and then, with no read of its own under way, it compares what the device
// has read with what the process has. While there is more, reads are made one
// at a time, in small parts, and after each the tool rests for several times as
// long as the device had it: so a read of another never waits for more than one
// part, and seldom for any.
//
// It is a RateLimiter, since that is whom readers ask before they read: one
// that says from case to case whether reads are limited. It limits reads with a
// priority alone.
//
// Threads  Safe for concurrent use; a thread that rests holds up no other.
// Errors   Where the system does not tell what is read, nobody is yielded to.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "env/posix/disk_reads.h"
#include "rocksdb/env.h"
#include "rocksdb/rate_limiter.h"
#include "rocksdb/system_clock.h"
#include "util/mutex.h"
#include "util/thread_annotations.h"

namespace ROCKSDB_NAMESPACE {

class YieldingLimiter final : public RateLimiter {
 public:
  // Most bytes of one read, while others read.
  static constexpr int64_t kPartBytes = 128 << 10;
  // Rests for so many times as long as the device had a part.
  static constexpr uint64_t kRests = 4;
  // How often it looks: while it is alone, and while it is not.
  static constexpr uint64_t kAloneMicros = 100'000;
  static constexpr uint64_t kBesideMicros = 20'000;
  // Others count as readers for so long after a look found that they read.
  static constexpr uint64_t kMemoryMicros = 100'000;
  // Others that read fewer bytes a second do not count.
  static constexpr uint64_t kSeldomBytes = 512 << 10;

  using Count = std::function<bool(DiskReads*)>;
  YieldingLimiter(Count count, SystemClock* clock);

  // For what lies below `path`, which is of the operating system's file system;
  // null: it is of another one.
  static std::shared_ptr<RateLimiter> Below(const std::string& path, Env* env);

  const char* Name() const override { return "YieldingLimiter"; }
  bool IsRateLimited(OpType op_type) override EXCLUDES(mutex_);
  using RateLimiter::Request;
  void Request(int64_t bytes, Env::IOPriority pri, Statistics* stats) override
      EXCLUDES(mutex_);
  int64_t GetSingleBurstBytes() const override { return kPartBytes; }

  // There is no rate.
  void SetBytesPerSecond(int64_t /*bytes_per_second*/) override {}
  int64_t GetBytesPerSecond() const override { return 0; }
  int64_t GetTotalBytesThrough(Env::IOPriority /*pri*/) const override;
  int64_t GetTotalRequests(Env::IOPriority /*pri*/) const override;

 private:
  // Parts whose times are remembered. One of the quicker tells how long the
  // device takes: others have in theirs what their reader did with the bytes.
  static constexpr size_t kPartCount = 8;

  bool IsLookDue(uint64_t now) const REQUIRES(mutex_);
  void Look(uint64_t now) REQUIRES(mutex_);
  void NotePart(uint64_t now) REQUIRES(mutex_);
  uint64_t RestMicros() const REQUIRES(mutex_);

  const Count count_;
  SystemClock* const clock_;
  mutable Mutex mutex_;
  bool has_looked_ GUARDED_BY(mutex_) = false;
  DiskReads seen_ GUARDED_BY(mutex_);
  uint64_t looked_micros_ GUARDED_BY(mutex_) = 0;
  // Until then others count as readers.
  uint64_t beside_until_micros_ GUARDED_BY(mutex_) = 0;
  // The part that was let go last, and when; 0 bytes: none.
  int64_t part_bytes_ GUARDED_BY(mutex_) = 0;
  uint64_t part_micros_ GUARDED_BY(mutex_) = 0;
  // The times of the last parts, overwritten in turn; 0: none yet.
  std::array<double, kPartCount> micros_per_byte_ GUARDED_BY(mutex_){};
  size_t next_part_ GUARDED_BY(mutex_) = 0;
  int64_t all_bytes_ GUARDED_BY(mutex_) = 0;
  int64_t request_count_ GUARDED_BY(mutex_) = 0;
};

}  // namespace ROCKSDB_NAMESPACE

// The token bucket behind NewGenericRateLimiter().
//
// Every period the bucket is filled with the bytes of one period, and what is
// left over is lost, so that an idle time buys no burst later. A request that
// finds too few bytes waits in the queue of its priority, and takes what there
// is at each refill until it has all. The first to wait sleeps until the next
// refill and then serves the queues, IO_USER always first; with chance
// 1/fairness the others are served from the lowest up.
//
// Time is that of a clock that nobody sets. A tuned rate follows what part of
// the periods drained the bucket; those that passed without a request count as
// well.
//
// Threads    Safe for concurrent use.
// Ownership  No request may be waiting when it is destroyed.
// Errors     None; parameters out of range are brought into range.

#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <memory>

#include "rocksdb/rate_limiter.h"
#include "rocksdb/system_clock.h"
#include "util/mutex.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {

struct RateLimiterSettings {
  int64_t bytes_per_second = 1;
  int64_t refill_period_micros = 100 * 1000;
  int32_t fairness = 10;
  RateLimiter::Mode mode = RateLimiter::Mode::kWritesOnly;
  // The rate follows demand, between 1/20 of bytes_per_second and all of it.
  bool is_auto_tuned = false;
  // 0: as much as one refill.
  int64_t single_burst_bytes = 0;
};

class GenericRateLimiter : public RateLimiter {
 public:
  GenericRateLimiter(const RateLimiterSettings& settings,
                     const std::shared_ptr<SystemClock>& clock,
                     uint64_t seed = 0);
  ~GenericRateLimiter() override;

  static const char* kClassName() { return "GenericRateLimiter"; }
  const char* Name() const override { return kClassName(); }

  using RateLimiter::Request;
  void SetBytesPerSecond(int64_t bytes_per_second) override;
  Status SetSingleBurstBytes(int64_t single_burst_bytes) override;
  void Request(const int64_t bytes, const Env::IOPriority pri) override {
    Request(bytes, pri, nullptr);
  }
  void Request(const int64_t bytes, const Env::IOPriority pri,
               Statistics* stats) override;
  void Request(const int64_t bytes, const Env::IOPriority pri,
               Statistics* stats, OpType op_type) override;
  int64_t GetSingleBurstBytes() const override;
  int64_t GetTotalBytesThrough(const Env::IOPriority pri) const override;
  int64_t GetTotalRequests(const Env::IOPriority pri) const override;
  Status GetTotalPendingRequests(int64_t* total_pending_requests,
                                 const Env::IOPriority pri) const override;
  int64_t GetBytesPerSecond() const override;

 private:
  struct Waiter {
    explicit Waiter(Mutex* mutex, int64_t bytes)
        : missing_bytes(bytes), wake(mutex) {}
    int64_t missing_bytes;
    CondVar wake;
  };

  // Waits for the bytes; answers for how many microseconds, 0: not at all.
  uint64_t Acquire(int64_t bytes, Env::IOPriority pri) EXCLUDES(mutex_);
  void SetRateLocked(int64_t bytes_per_second) REQUIRES(mutex_);
  bool TakeAtOnceLocked(int64_t bytes) REQUIRES(mutex_);
  bool HasWaitersLocked() const REQUIRES(mutex_);
  void RefillIfDueLocked(uint64_t now_micros) REQUIRES(mutex_);
  void ServeQueuesLocked() REQUIRES(mutex_);
  void ServeQueueLocked(int priority) REQUIRES(mutex_);
  // Sleeps until the next refill and serves the queues.
  void LeadLocked() REQUIRES(mutex_);
  void WakeNextLeaderLocked() REQUIRES(mutex_);
  // So many periods have passed since the last refill.
  void TuneLocked(int64_t passed_periods) REQUIRES(mutex_);
  int64_t SumLocked(const std::array<int64_t, Env::IO_TOTAL>& counts,
                    Env::IOPriority pri) const REQUIRES(mutex_);

  const std::shared_ptr<SystemClock> clock_;
  const int64_t refill_period_micros_;
  const int32_t fairness_;
  const bool is_auto_tuned_;

  mutable Mutex mutex_;
  Random64 random_ GUARDED_BY(mutex_);
  int64_t max_bytes_per_second_ GUARDED_BY(mutex_);
  int64_t bytes_per_second_ GUARDED_BY(mutex_) = 0;
  int64_t refill_bytes_ GUARDED_BY(mutex_) = 0;
  int64_t burst_bytes_ GUARDED_BY(mutex_);
  int64_t available_bytes_ GUARDED_BY(mutex_) = 0;
  uint64_t next_refill_micros_ GUARDED_BY(mutex_);
  bool has_leader_ GUARDED_BY(mutex_) = false;
  std::array<std::deque<Waiter*>, Env::IO_TOTAL> queues_ GUARDED_BY(mutex_);
  std::array<int64_t, Env::IO_TOTAL> bytes_through_ GUARDED_BY(mutex_){};
  std::array<int64_t, Env::IO_TOTAL> requests_ GUARDED_BY(mutex_){};
  // Periods since the last tuning, and how many of them drained the bucket.
  int64_t periods_ GUARDED_BY(mutex_) = 0;
  int64_t drained_periods_ GUARDED_BY(mutex_) = 0;
};

}  // namespace ROCKSDB_NAMESPACE

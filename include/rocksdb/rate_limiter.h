// RateLimiter: holds background I/O to a number of bytes per second.
//
// Threads  Safe for concurrent use; Request() blocks until the bytes are due.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "rocksdb/customizable.h"
#include "rocksdb/env.h"
#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/statistics.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {

class Statistics;

class RateLimiter : public Customizable {
 public:
  enum class OpType { kRead, kWrite };
  enum class Mode { kReadsOnly, kWritesOnly, kAllIo };

  explicit RateLimiter(Mode mode = Mode::kWritesOnly) : mode_(mode) {}
  RateLimiter(const RateLimiter&) = delete;
  RateLimiter& operator=(const RateLimiter&) = delete;
  ~RateLimiter() override = default;

  static const char* Type() { return "RateLimiter"; }
  const char* Name() const override { return ""; }

  // A limiter of so many bytes per second from its number in text, or a
  // registered one; an unknown text is NotSupported.
  static Status CreateFromString(const ConfigOptions& options,
                                 const std::string& value,
                                 std::shared_ptr<RateLimiter>* result);

  // Changes the rate; at least 1.
  virtual void SetBytesPerSecond(int64_t bytes_per_second) = 0;

  // Changes the largest request; 0 derives it from the rate.
  virtual Status SetSingleBurstBytes(int64_t /*single_burst_bytes*/) {
    return Status::NotSupported("RateLimiter::SetSingleBurstBytes");
  }

  // Waits for `bytes`, at most GetSingleBurstBytes(). The form with an
  // operation passes at once where the mode does not limit that operation.
  // An implementation has the form with statistics; it may have the first one
  // instead, as older ones do.
  virtual void Request(const int64_t /*bytes*/, const Env::IOPriority /*pri*/) {
  }
  virtual void Request(const int64_t bytes, const Env::IOPriority pri,
                       Statistics* /*stats*/) {
    Request(bytes, pri);
  }
  virtual void Request(const int64_t bytes, const Env::IOPriority pri,
                       Statistics* stats, OpType op_type) {
    if (IsRateLimited(op_type)) Request(bytes, pri, stats);
  }

  // Waits for as many of `bytes` as one request allows, rounded down to
  // `alignment` (0 or 1: none) but at least one alignment unit; answers how
  // many were granted. Where GetSingleBurstBytes() is not above 0, one request
  // allows any number. Of what an overriding function answers the engine takes
  // whole units, and 0 as no limit.
  virtual size_t RequestToken(size_t bytes, size_t alignment,
                              Env::IOPriority io_priority, Statistics* stats,
                              RateLimiter::OpType op_type);

  virtual int64_t GetSingleBurstBytes() const = 0;

  // Sums since construction, of one priority or of all (IO_TOTAL).
  virtual int64_t GetTotalBytesThrough(
      const Env::IOPriority pri = Env::IO_TOTAL) const = 0;
  virtual int64_t GetTotalRequests(
      const Env::IOPriority pri = Env::IO_TOTAL) const = 0;

  // Requests that wait now.
  virtual Status GetTotalPendingRequests(
      int64_t* /*total_pending_requests*/,
      const Env::IOPriority /*pri*/ = Env::IO_TOTAL) const {
    return Status::NotSupported("RateLimiter::GetTotalPendingRequests");
  }

  virtual int64_t GetBytesPerSecond() const = 0;

  virtual bool IsRateLimited(OpType op_type) {
    return !((mode_ == Mode::kWritesOnly && op_type == OpType::kRead) ||
             (mode_ == Mode::kReadsOnly && op_type == OpType::kWrite));
  }

 protected:
  Mode GetMode() const { return mode_; }

 private:
  const Mode mode_;
};

// A token bucket, refilled every `refill_period_us` microseconds. With chance
// 1/fairness a lower priority is served before a higher one, so that none
// starves; `fairness` is from 1 to 100. With `auto_tuned`, the rate moves
// between 1/20 of `rate_bytes_per_sec` and all of it, as demand asks.
// `single_burst_bytes` 0 allows one refill in one request.
// The caller owns the result.
RateLimiter* NewGenericRateLimiter(
    int64_t rate_bytes_per_sec, int64_t refill_period_us = 100 * 1000,
    int32_t fairness = 10,
    RateLimiter::Mode mode = RateLimiter::Mode::kWritesOnly,
    bool auto_tuned = false, int64_t single_burst_bytes = 0);

}  // namespace ROCKSDB_NAMESPACE

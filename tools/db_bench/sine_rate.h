// A rate that goes up and down: sine_a * sin(sine_b * x + sine_c) + sine_d, x
// being the seconds since the benchmark began.
//
// Threads    Confined to one thread; the pacer that it sets is for all.

#pragma once

#include <chrono>
#include <cstdint>

#include "rocksdb/rocksdb_namespace.h"
#include "tools/db_bench/pacer.h"
#include "tools/db_bench/random.h"

namespace ROCKSDB_NAMESPACE::bench {

// At least 1.
double SineRateAt(double seconds);

class SineRate {
 public:
  // Nothing is paced unless `is_on`.
  SineRate(bool is_on, uint64_t interval_millis);

  // Sets the rate of `pacer`, if it is time to. With a `noise` above 0, up to
  // that part of it more or less.
  void Follow(Pacer* pacer, double noise, Random* random) {
    if (is_on_) SetRate(pacer, noise, random);
  }

 private:
  void SetRate(Pacer* pacer, double noise, Random* random);

  using Clock = std::chrono::steady_clock;

  const bool is_on_;
  const std::chrono::milliseconds interval_;
  const Clock::time_point start_ = Clock::now();
  Clock::time_point next_ = start_;
};

}  // namespace ROCKSDB_NAMESPACE::bench

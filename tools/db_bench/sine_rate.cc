#include "tools/db_bench/sine_rate.h"

#include <gflags/gflags.h>

#include <algorithm>
#include <cmath>

DEFINE_double(sine_a, 1, "A of the rate A sin(B x + C) + D at x seconds.");
DEFINE_double(sine_b, 1, "B of that rate.");
DEFINE_double(sine_c, 0, "C of that rate.");
DEFINE_double(sine_d, 1, "D of that rate.");

namespace ROCKSDB_NAMESPACE::bench {

double SineRateAt(double seconds) {
  return std::max(
      1.0, FLAGS_sine_a * std::sin(FLAGS_sine_b * seconds + FLAGS_sine_c) +
               FLAGS_sine_d);
}

SineRate::SineRate(bool is_on, uint64_t interval_millis)
    : is_on_(is_on), interval_(static_cast<int64_t>(interval_millis)) {}

void SineRate::SetRate(Pacer* pacer, double noise, Random* random) {
  const Clock::time_point now = Clock::now();
  if (now < next_) return;
  next_ = now + interval_;
  const std::chrono::duration<double> elapsed = now - start_;
  double rate = SineRateAt(elapsed.count());
  if (noise > 0) rate *= 1 + noise * (2 * random->Fraction() - 1);
  pacer->SetRate(static_cast<uint64_t>(std::max(1.0, rate)));
}

}  // namespace ROCKSDB_NAMESPACE::bench

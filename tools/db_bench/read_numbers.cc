#include "tools/db_bench/read_numbers.h"

#include <gflags/gflags.h>

#include <cmath>

DEFINE_double(read_random_exp_range, 0.0,
              "Lookups draw the number num * exp(-r), r being uniform from 0 "
              "to this; the larger, the more they meet the same keys. 0: all "
              "alike.");

namespace ROCKSDB_NAMESPACE::bench {

ReadNumbers::ReadNumbers(Worker& worker)
    : random_(&worker.random),
      count_(worker.KeyCount()),
      exponent_(FLAGS_read_random_exp_range) {}

uint64_t ReadNumbers::DrawSkewed() {
  const double rank =
      static_cast<double>(count_) * std::exp(-exponent_ * random_->Fraction());
  const auto number = static_cast<uint64_t>(rank) % count_;
  // A prime apart, so that keys that are read often are no neighbours.
  __extension__ using Wide = unsigned __int128;
  constexpr uint64_t kPrime = 0x5bd1e995;
  return static_cast<uint64_t>(static_cast<Wide>(number) * kPrime % count_);
}

}  // namespace ROCKSDB_NAMESPACE::bench

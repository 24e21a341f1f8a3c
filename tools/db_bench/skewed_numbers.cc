#include "tools/db_bench/skewed_numbers.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace ROCKSDB_NAMESPACE::bench {

SkewedNumbers::SkewedNumbers(uint64_t count, double skew)
    : count_(count),
      skew_(skew),
      lowest_area_(Area(1.5) - 1),
      highest_area_(Area(static_cast<double>(count) + 0.5)),
      always_taken_(2 - InverseArea(Area(2.5) - Height(2))),
      stride_(0x9E3779B97F4A7C15u % count) {
  while (std::gcd(stride_, count_) != 1) ++stride_;
}

double SkewedNumbers::Height(double x) const { return std::pow(x, -skew_); }

double SkewedNumbers::Area(double x) const {
  const double power = 1 - skew_;
  const double log_x = std::log(x);
  // expm1 and log1p stay exact where the skew is close to 1.
  return std::abs(power) < 1e-12 ? log_x : std::expm1(power * log_x) / power;
}

double SkewedNumbers::InverseArea(double area) const {
  const double power = 1 - skew_;
  if (std::abs(power) < 1e-12) return std::exp(area);
  return std::exp(std::log1p(std::max(-1.0, power * area)) / power);
}

uint64_t SkewedNumbers::DrawRank(Random* random) const {
  while (true) {
    const double area =
        highest_area_ + random->Fraction() * (lowest_area_ - highest_area_);
    const double x = InverseArea(area);
    const double nearest =
        std::clamp(std::floor(x + 0.5), 1.0, static_cast<double>(count_));
    const bool is_taken = nearest - x <= always_taken_ ||
                          area >= Area(nearest + 0.5) - Height(nearest);
    if (is_taken) return static_cast<uint64_t>(nearest);
  }
}

uint64_t SkewedNumbers::Scatter(uint64_t rank) const {
  __extension__ using Wide = unsigned __int128;
  return static_cast<uint64_t>(static_cast<Wide>(rank) * stride_ % count_);
}

}  // namespace ROCKSDB_NAMESPACE::bench

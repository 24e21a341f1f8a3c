#include "tools/db_bench/access_model.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace ROCKSDB_NAMESPACE::bench {

KeyModel::KeyModel(uint64_t keys, uint64_t ranges)
    : key_count(keys), range_count(std::clamp<uint64_t>(ranges, 1, keys)) {}

void KeyModel::SetWeights(double a, double b, double c, double d,
                          Random* random) {
  double sum = 0;
  for (uint64_t i = 1; i <= range_count; ++i) {
    const auto rank = static_cast<double>(i);
    // A weight below 0, of an odd fit, is none.
    sum += std::max(0.0, a * std::exp(b * rank) + c * std::exp(d * rank));
    sums_.push_back(sum);
  }
  if (!(sum > 0) || !std::isfinite(sum)) {
    sums_.clear();
    return;
  }
  ranges_.resize(range_count);
  std::iota(ranges_.begin(), ranges_.end(), uint64_t{0});
  for (uint64_t i = range_count; i > 1; --i) {
    std::swap(ranges_[i - 1], ranges_[random->Below(i)]);
  }
}

uint64_t KeyModel::Draw(Random* random) const {
  if (range_count == 1) return DrawInRange(key_count, random);
  const uint64_t size = key_count / range_count;
  // The last keys, which fill no range, are those of the last one.
  const uint64_t range = DrawRange(random);
  const uint64_t keys =
      range + 1 == range_count ? key_count - range * size : size;
  return range * size + DrawInRange(keys, random);
}

uint64_t KeyModel::DrawRange(Random* random) const {
  if (sums_.empty()) return random->Below(range_count);
  const double at = random->Fraction() * sums_.back();
  const auto found = std::upper_bound(sums_.begin(), sums_.end(), at);
  const auto rank = std::min<size_t>(static_cast<size_t>(found - sums_.begin()),
                                     sums_.size() - 1);
  return ranges_[rank];
}

uint64_t KeyModel::DrawInRange(uint64_t size, Random* random) const {
  if (power_a == 0 || power_b == 0) return random->Below(size);
  const double seed =
      std::pow(std::abs(random->Fraction() / power_a), 1 / power_b);
  const auto limit = static_cast<double>(size);
  const double rank = std::isfinite(seed) ? std::fmod(seed, limit) : 0;
  // A prime apart, so that keys that are met often are no neighbours.
  constexpr uint64_t kPrime = 0x5bd1e995;
  __extension__ using Wide = unsigned __int128;
  return static_cast<uint64_t>(static_cast<Wide>(static_cast<uint64_t>(rank)) *
                               kPrime % size);
}

uint64_t SizeModel::Draw(Random* random) const {
  // Never 0, whose power has no bound.
  const double u = 1 - random->Fraction();
  const double x = k == 0 ? theta - sigma * std::log(u)
                          : theta + sigma * (std::pow(u, -k) - 1) / k;
  if (!(x > static_cast<double>(least))) return least;
  return x < static_cast<double>(most) ? static_cast<uint64_t>(x) : most;
}

}  // namespace ROCKSDB_NAMESPACE::bench

#include "table/key_spread.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "table/common_prefix.h"
#include "util/key/key_prefix.h"

namespace ROCKSDB_NAMESPACE {

bool AreEvenlySpread(const std::vector<Slice>& user_keys, double threshold) {
  if (user_keys.size() < kMinSpreadKeys) return false;
  const Slice& first = user_keys.front();
  const Slice& last = user_keys.back();
  const size_t common = CommonPrefix(first.data(), last.data(),
                                     std::min(first.size(), last.size()));
  std::vector<double> steps;
  steps.reserve(user_keys.size() - 1);
  uint64_t before = 0;
  double sum = 0;
  for (size_t i = 0; i < user_keys.size(); ++i) {
    const Slice& key = user_keys[i];
    if (key.size() < common) return false;
    const uint64_t number = KeyPrefix(key.data() + common, key.size() - common);
    if (i > 0) {
      if (number < before) return false;  // Not in bytewise order.
      steps.push_back(static_cast<double>(number - before));
      sum += steps.back();
    }
    before = number;
  }
  const double count = static_cast<double>(steps.size());
  const double mean = sum / count;
  if (!(mean > 0)) return false;
  double squares = 0;
  for (const double step : steps) squares += (step - mean) * (step - mean);
  return std::sqrt(squares / count) / mean < threshold;
}

size_t InterpolatedLowerBound(const uint64_t* numbers, size_t count,
                              uint64_t wanted) {
  // All before `low` are less, none from `high` on is.
  size_t low = 0;
  size_t high = count;
  while (low < high) {
    const uint64_t least = numbers[low];
    const uint64_t most = numbers[high - 1];
    if (least >= wanted) return low;
    if (most < wanted) return high;
    assert(least < most);
    const size_t span = high - 1 - low;
    const double share =
        static_cast<double>(wanted - least) / static_cast<double>(most - least);
    const size_t guess =
        low +
        std::min(span, static_cast<size_t>(static_cast<double>(span) * share));
    for (const size_t place : {guess, low + (high - low) / 2}) {
      if (place < low || place >= high) continue;
      if (numbers[place] < wanted) {
        low = place + 1;
      } else {
        high = place;
      }
    }
  }
  assert(low == high);
  return low;
}

}  // namespace ROCKSDB_NAMESPACE

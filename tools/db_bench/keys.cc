#include "tools/db_bench/keys.h"

#include <utility>

namespace ROCKSDB_NAMESPACE::bench {

KeyOrder::KeyOrder(Kind kind, uint64_t count, Random* random, double skew)
    : kind_(kind), count_(count), random_(random) {
  if (skew > 0) skewed_.emplace(count, skew);
  if (kind != Kind::kUniqueRandom) return;
  shuffled_.reserve(count);
  for (uint64_t number = 0; number < count; ++number) {
    shuffled_.push_back(number);
    std::swap(shuffled_[random->Below(number + 1)], shuffled_.back());
  }
}

}  // namespace ROCKSDB_NAMESPACE::bench

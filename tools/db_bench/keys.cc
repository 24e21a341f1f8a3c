#include "tools/db_bench/keys.h"

#include <algorithm>
#include <utility>

#include "tools/db_bench/flags.h"

DEFINE_int64(keys_per_prefix, 0,
             "Keys that have each prefix, of --prefix_size bytes, in common. "
             "0: the prefix is the beginning of the key's number.");

namespace ROCKSDB_NAMESPACE::bench {

KeyBuffer::KeyBuffer(size_t key_size, const std::vector<std::string>* existing)
    : existing_(existing), bytes_(key_size, '0') {
  if (FLAGS_keys_per_prefix <= 0) return;
  prefix_size_ = std::min(static_cast<size_t>(FLAGS_prefix_size), key_size);
  prefix_count_ = std::max<uint64_t>(
      static_cast<uint64_t>(FLAGS_num / FLAGS_keys_per_prefix), 1);
}

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

// The keys that benchmarks write and read.
//
// Key number n is n in big-endian order in the first eight bytes (all of them
// if the key is shorter), then '0' up to the key size: keys sort by number,
// and databases of the reference tool hold the same keys.
//
// Threads    Confined to one thread; the list of existing keys is shared and
//            immutable.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/slice.h"
#include "tools/db_bench/random.h"
#include "tools/db_bench/skewed_numbers.h"

namespace ROCKSDB_NAMESPACE::bench {

// Writes keys into one buffer.
class KeyBuffer {
 public:
  // With `existing`, which the caller keeps, number n is its n-th key.
  KeyBuffer(size_t key_size, const std::vector<std::string>* existing)
      : existing_(existing), bytes_(key_size, '0') {}

  // The key of `number`; valid until the next call.
  Slice Make(uint64_t number) {
    if (existing_ != nullptr) return (*existing_)[number];
    const size_t digits = bytes_.size() < 8 ? bytes_.size() : 8;
    for (size_t i = digits; i > 0; --i) {
      bytes_[i - 1] = static_cast<char>(number & 0xff);
      number >>= 8;
    }
    return bytes_;
  }

 private:
  const std::vector<std::string>* existing_;
  std::string bytes_;
};

// The order in which the numbers of a key space are used.
class KeyOrder {
 public:
  enum class Kind { kSequential, kRandom, kUniqueRandom };

  // Random numbers are drawn with that skew; 0: all alike.
  KeyOrder(Kind kind, uint64_t count, Random* random, double skew = 0);

  // Sequential and unique orders begin anew after `count` numbers.
  uint64_t Next() {
    if (kind_ == Kind::kRandom) {
      return skewed_ ? skewed_->Draw(random_) : random_->Below(count_);
    }
    const uint64_t index = next_;
    next_ = next_ + 1 == count_ ? 0 : next_ + 1;
    return kind_ == Kind::kSequential ? index : shuffled_[index];
  }

 private:
  const Kind kind_;
  const uint64_t count_;
  Random* const random_;
  std::optional<SkewedNumbers> skewed_;
  uint64_t next_ = 0;
  std::vector<uint64_t> shuffled_;
};

}  // namespace ROCKSDB_NAMESPACE::bench

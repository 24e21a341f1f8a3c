// The keys that benchmarks write and read.
//
// Key number n is n in big-endian order in the first eight bytes (all of them
// if the key is shorter), then '0' up to the key size: keys sort by number,
// and databases of the reference tool hold the same keys. With
// --keys_per_prefix, the number of one of the prefixes stands before it, filled
// up with '0' to the prefix size.
//
// Threads    Confined to one thread; the list of existing keys is shared and
//            immutable.

#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
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
  KeyBuffer(size_t key_size, const std::vector<std::string>* existing);

  // The key of `number`; valid until the next call.
  Slice Make(uint64_t number) {
    if (existing_ != nullptr) return (*existing_)[number];
    if (prefix_count_ != 0)
      WriteNumber(0, prefix_size_, number % prefix_count_);
    WriteNumber(prefix_size_, bytes_.size(), number);
    return bytes_;
  }

 private:
  // Into [begin, end), or the first eight bytes of it.
  void WriteNumber(size_t begin, size_t end, uint64_t number) {
    if (end - begin >= sizeof(number)) {
      // This stores the number as one word: eight stores of a byte would delay
      // the next reader of the key.
      if constexpr (std::endian::native == std::endian::little) {
        number = __builtin_bswap64(number);
      }
      std::memcpy(bytes_.data() + begin, &number, sizeof(number));
      return;
    }
    for (size_t i = end; i > begin; --i) {
      bytes_[i - 1] = static_cast<char>(number & 0xff);
      number >>= 8;
    }
  }

  const std::vector<std::string>* existing_;
  std::string bytes_;
  // How many prefixes there are, of that size; 0: keys have none of their own.
  uint64_t prefix_count_ = 0;
  size_t prefix_size_ = 0;
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

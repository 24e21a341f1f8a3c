// Keys and values of a database, as db_bench makes them: a key is its number in
// eight bytes, the highest first, and '0' up to its size.
//
// Threads    Confined to one thread.

#pragma once

#include <cstdint>
#include <string>

#include "tools/c_bench/random.h"

namespace c_bench {

inline void SetKey(uint64_t number, std::string* key) {
  for (int i = 0; i < 8; ++i) {
    (*key)[i] = static_cast<char>(number >> (8 * (7 - i)));
  }
}

// Values that differ: each is a part of one buffer.
class Values {
 public:
  Values(size_t size, uint64_t seed) : size_(size) {
    Random random(seed);
    buffer_.resize(size + kExtra);
    for (char& c : buffer_) c = static_cast<char>(random.Next());
  }

  const char* Next() {
    offset_ = (offset_ + 61) % kExtra;
    return buffer_.data() + offset_;
  }
  size_t size() const { return size_; }

 private:
  static constexpr size_t kExtra = 64 << 10;

  const size_t size_;
  size_t offset_ = 0;
  std::string buffer_;
};

}  // namespace c_bench

#pragma once

// XXH32 and XXH64, which differ in the size of a word and in how they end.
//
// Four sums take in one word each of every stripe of four words. What is left
// behind the last whole stripe is taken in when the sums have become one.

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "util/xxhash/xxh_basics.h"

namespace own_xxhash {

namespace {

struct Rules32 {
  using Word = uint32_t;
  static constexpr Word kPrime1 = kPrime32_1;
  static constexpr Word kPrime2 = kPrime32_2;
  static constexpr Word kPrime5 = kPrime32_5;

  static Word Read(const char* p) { return Read32(p); }

  static Word Round(Word sum, Word word) {
    return RotateLeft(sum + word * kPrime2, 13) * kPrime1;
  }

  // XXH64 takes each sum into the joined ones once more; XXH32 does not.
  static Word Merge(Word hash, Word /*sum*/) { return hash; }

  static Word AddRest(Word hash, const char* p, size_t n) {
    for (; n >= 4; p += 4, n -= 4) {
      hash = RotateLeft(hash + Read32(p) * kPrime32_3, 17) * kPrime32_4;
    }
    for (; n > 0; ++p, --n) {
      hash += static_cast<uint8_t>(*p) * kPrime32_5;
      hash = RotateLeft(hash, 11) * kPrime32_1;
    }
    return hash;
  }

  static Word Avalanche(Word hash) {
    hash = (hash ^ (hash >> 15)) * kPrime32_2;
    hash = (hash ^ (hash >> 13)) * kPrime32_3;
    return hash ^ (hash >> 16);
  }
};

struct Rules64 {
  using Word = uint64_t;
  static constexpr Word kPrime1 = kPrime64_1;
  static constexpr Word kPrime2 = kPrime64_2;
  static constexpr Word kPrime5 = kPrime64_5;

  static Word Read(const char* p) { return Read64(p); }

  static Word Round(Word sum, Word word) {
    return RotateLeft(sum + word * kPrime64_2, 31) * kPrime64_1;
  }

  static Word Merge(Word hash, Word sum) {
    return (hash ^ Round(0, sum)) * kPrime64_1 + kPrime64_4;
  }

  static Word AddRest(Word hash, const char* p, size_t n) {
    for (; n >= 8; p += 8, n -= 8) {
      hash ^= Round(0, Read64(p));
      hash = RotateLeft(hash, 27) * kPrime64_1 + kPrime64_4;
    }
    if (n >= 4) {
      hash ^= Read32(p) * kPrime64_1;
      hash = RotateLeft(hash, 23) * kPrime64_2 + kPrime64_3;
      p += 4;
      n -= 4;
    }
    for (; n > 0; ++p, --n) {
      hash ^= static_cast<uint8_t>(*p) * kPrime64_5;
      hash = RotateLeft(hash, 11) * kPrime64_1;
    }
    return hash;
  }

  static Word Avalanche(Word hash) {
    hash = (hash ^ (hash >> 33)) * kPrime64_2;
    hash = (hash ^ (hash >> 29)) * kPrime64_3;
    return hash ^ (hash >> 32);
  }
};

// The hash of bytes that come in pieces.
//
// Threads  Confined to one thread.
template <typename Rules>
class Stream {
 public:
  using Word = typename Rules::Word;

  explicit Stream(Word seed = 0) { Reset(seed); }

  void Reset(Word seed) {
    seed_ = seed;
    sums_[0] = seed + Rules::kPrime1 + Rules::kPrime2;
    sums_[1] = seed + Rules::kPrime2;
    sums_[2] = seed;
    sums_[3] = seed - Rules::kPrime1;
    length_ = 0;
  }

  void Update(const void* data, size_t n) {
    if (n == 0) return;  // `data` may be nullptr.
    const char* p = static_cast<const char*>(data);
    const size_t kept = length_ % kStripeSize;
    length_ += n;
    if (kept + n < kStripeSize) {
      memcpy(rest_ + kept, p, n);
      return;
    }
    if (kept > 0) {
      const size_t missing = kStripeSize - kept;
      memcpy(rest_ + kept, p, missing);
      AddStripes(rest_, 1);
      p += missing;
      n -= missing;
    }
    const size_t stripes = n / kStripeSize;
    AddStripes(p, stripes);
    memcpy(rest_, p + stripes * kStripeSize, n % kStripeSize);
  }

  // The hash of what came so far; more may come.
  Word Digest() const {
    Word hash = seed_ + Rules::kPrime5;
    if (length_ >= kStripeSize) {
      hash = RotateLeft(sums_[0], 1) + RotateLeft(sums_[1], 7) +
             RotateLeft(sums_[2], 12) + RotateLeft(sums_[3], 18);
      for (const Word sum : sums_) hash = Rules::Merge(hash, sum);
    }
    hash += static_cast<Word>(length_);
    hash = Rules::AddRest(hash, rest_, length_ % kStripeSize);
    return Rules::Avalanche(hash);
  }

 private:
  static constexpr size_t kStripeSize = 4 * sizeof(Word);

  void AddStripes(const char* p, size_t count) {
    // Copies, which the compiler can keep in registers.
    Word a = sums_[0];
    Word b = sums_[1];
    Word c = sums_[2];
    Word d = sums_[3];
    for (; count > 0; --count, p += kStripeSize) {
      a = Rules::Round(a, Rules::Read(p));
      b = Rules::Round(b, Rules::Read(p + sizeof(Word)));
      c = Rules::Round(c, Rules::Read(p + 2 * sizeof(Word)));
      d = Rules::Round(d, Rules::Read(p + 3 * sizeof(Word)));
    }
    sums_[0] = a;
    sums_[1] = b;
    sums_[2] = c;
    sums_[3] = d;
  }

  Word seed_;
  Word sums_[4];
  uint64_t length_;
  char rest_[kStripeSize] = {};  // length_ % kStripeSize bytes
};

using Xxh32Stream = Stream<Rules32>;
using Xxh64Stream = Stream<Rules64>;

inline uint32_t Xxh32(const void* data, size_t n, uint32_t seed) {
  Xxh32Stream stream(seed);
  stream.Update(data, n);
  return stream.Digest();
}

inline uint64_t Xxh64(const void* data, size_t n, uint64_t seed) {
  Xxh64Stream stream(seed);
  stream.Update(data, n);
  return stream.Digest();
}

}  // namespace

}  // namespace own_xxhash

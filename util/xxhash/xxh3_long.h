#pragma once

// XXH3 of more than 240 bytes: eight sums over stripes of eight words.
//
// Every stripe is taken in with another part of the secret, until a block of
// stripes has used up all of it; then the sums are scrambled. The last 64 bytes
// are taken in once more at the end, with a part of the secret of their own.

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "util/xxhash/xxh3_lanes.h"
#include "util/xxhash/xxh3_short.h"
#include "util/xxhash/xxh_basics.h"

namespace own_xxhash {

namespace {

constexpr size_t kStripeSize = 64;
constexpr size_t kStripesPerBlock = 16;

// Whole stripes that are taken in before the last 64 bytes, of which at least
// one is in none of them.
inline size_t StripesIn(size_t n) { return (n - 1) / kStripeSize; }

// The secret that long input uses: with a seed, one made of it.
class LongSecret {
 public:
  explicit LongSecret(uint64_t seed) {
    for (size_t i = 0; i < kSecretSize; i += 16) {
      Write64(bytes_ + i, Secret64(i) + seed);
      Write64(bytes_ + i + 8, Secret64(i + 8) - seed);
    }
  }

  const unsigned char* bytes() const { return bytes_; }

 private:
  alignas(64) unsigned char bytes_[kSecretSize];
};

// The eight sums. `secret` is the same in all calls.
//
// Threads  Confined to one thread.
class LongSums {
 public:
  // Takes in the stripes that follow.
  void Add(const char* p, size_t stripes, const unsigned char* secret) {
    while (stripes > 0) {
      const size_t room = kStripesPerBlock - stripe_in_block_;
      const size_t count = stripes < room ? stripes : room;
      AddInBlock(p, count, secret + 8 * stripe_in_block_);
      p += count * kStripeSize;
      stripes -= count;
      stripe_in_block_ += count;
      if (stripe_in_block_ < kStripesPerBlock) continue;
      Scramble(secret + kSecretSize - kStripeSize);
      stripe_in_block_ = 0;
    }
  }

  // The last 64 bytes, after which nothing may come.
  void AddLast(const char* p, const unsigned char* secret) {
    AddInBlock(p, 1, secret + kSecretSize - kStripeSize - 7);
  }

  uint64_t Digest64(size_t n, const unsigned char* secret) const {
    return Join(secret + 11, n * kPrime64_1);
  }
  Halves Digest128(size_t n, const unsigned char* secret) const {
    return {Digest64(n, secret),
            Join(secret + kSecretSize - kStripeSize - 11, ~(n * kPrime64_2))};
  }

 private:
  static constexpr size_t kCount = 8;

  // The hot loop. A word is added to the sum beside its own only at the end,
  // which changes nothing: it is all addition until the sums are scrambled.
  // Without the pragma gcc keeps the sums in memory where a vector has two
  // lanes, and needs more than twice the time.
  void AddInBlock(const char* p, size_t stripes, const unsigned char* secret) {
    constexpr size_t kGroups = kStripeSize / sizeof(Lanes);
    Lanes words[kGroups] = {};
    Lanes products[kGroups] = {};
    for (; stripes > 0; --stripes, p += kStripeSize, secret += 8) {
#pragma GCC unroll 4
      for (size_t i = 0; i < kGroups; ++i) {
        const Lanes word = ReadLanes(p + sizeof(Lanes) * i);
        const Lanes keyed = word ^ ReadLanes(secret + sizeof(Lanes) * i);
        words[i] += word;
        products[i] += MultiplyLow(keyed, keyed >> 32);
      }
    }
    uint64_t word_sums[kCount];
    uint64_t product_sums[kCount];
    memcpy(word_sums, words, sizeof(words));
    memcpy(product_sums, products, sizeof(products));
    for (size_t i = 0; i < kCount; ++i) {
      sums_[i] += product_sums[i] + word_sums[i ^ 1];
    }
  }

  void Scramble(const unsigned char* secret) {
    for (size_t i = 0; i < kCount; ++i) {
      const uint64_t sum = sums_[i] ^ (sums_[i] >> 47);
      sums_[i] = (sum ^ Read64(secret + 8 * i)) * kPrime32_1;
    }
  }

  uint64_t Join(const unsigned char* secret, uint64_t start) const {
    uint64_t result = start;
    for (size_t i = 0; i < kCount; i += 2) {
      result += Fold(sums_[i] ^ Read64(secret + 8 * i),
                     sums_[i + 1] ^ Read64(secret + 8 * i + 8));
    }
    return Avalanche(result);
  }

  uint64_t sums_[kCount] = {kPrime32_3, kPrime64_1, kPrime64_2, kPrime64_3,
                            kPrime64_4, kPrime32_2, kPrime64_5, kPrime32_1};
  size_t stripe_in_block_ = 0;
};

inline LongSums SumsOf(const char* p, size_t n, const unsigned char* secret) {
  LongSums sums;
  sums.Add(p, StripesIn(n), secret);
  sums.AddLast(p + n - kStripeSize, secret);
  return sums;
}

inline uint64_t HashLong(const char* p, size_t n, uint64_t seed) {
  if (seed == 0) return SumsOf(p, n, kSecret).Digest64(n, kSecret);
  const LongSecret secret(seed);
  return SumsOf(p, n, secret.bytes()).Digest64(n, secret.bytes());
}

inline Halves WideHashLong(const char* p, size_t n, uint64_t seed) {
  const LongSecret secret(seed);
  return SumsOf(p, n, secret.bytes()).Digest128(n, secret.bytes());
}

}  // namespace

}  // namespace own_xxhash

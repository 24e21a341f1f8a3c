#pragma once

// XXH3 of up to 240 bytes, with 64 and with 128 bits.
//
// Each range of lengths has a way of its own, which reads every byte at least
// once without a loop over single bytes. The seed goes into the secret's words.

#include <cstddef>
#include <cstdint>

#include "util/xxhash/xxh32_xxh64.h"
#include "util/xxhash/xxh_basics.h"

namespace own_xxhash {

namespace {

// The longest input that is short: what is longer is hashed by xxh3_long.h.
constexpr size_t kMaxShort = 240;

constexpr uint64_t kPrimeMx2 = 0x9FB21C651E98DF25ULL;

inline uint32_t Secret32(size_t offset) { return Read32(kSecret + offset); }
inline uint64_t Secret64(size_t offset) { return Read64(kSecret + offset); }

inline uint64_t Avalanche(uint64_t h) {
  h = (h ^ (h >> 37)) * 0x165667919E3779F9ULL;
  return h ^ (h >> 32);
}

// 16 bytes with 16 bytes of the secret.
inline uint64_t Mix(const char* p, size_t secret, uint64_t seed) {
  return Fold(Read64(p) ^ (Secret64(secret) + seed),
              Read64(p + 8) ^ (Secret64(secret + 8) - seed));
}

// All of one to three bytes, and how many they are.
inline uint32_t Pack1To3(const char* p, size_t n) {
  const auto byte = [p](size_t i) {
    return uint32_t{static_cast<uint8_t>(p[i])};
  };
  return byte(n - 1) | static_cast<uint32_t>(n) << 8 | byte(0) << 16 |
         byte(n >> 1) << 24;
}

inline uint64_t SeedOf4To8(uint64_t seed) {
  return seed ^
         (uint64_t{__builtin_bswap32(static_cast<uint32_t>(seed))} << 32);
}

// 64 bits.

inline uint64_t Hash4To8(const char* p, size_t n, uint64_t seed) {
  const uint64_t input = Read32(p + n - 4) | (uint64_t{Read32(p)} << 32);
  uint64_t h = input ^ ((Secret64(8) ^ Secret64(16)) - SeedOf4To8(seed));
  h ^= RotateLeft(h, 49) ^ RotateLeft(h, 24);
  h *= kPrimeMx2;
  h ^= (h >> 35) + n;
  h *= kPrimeMx2;
  return h ^ (h >> 28);
}

inline uint64_t HashUpTo16(const char* p, size_t n, uint64_t seed) {
  if (n > 8) {
    const uint64_t low = Read64(p) ^ ((Secret64(24) ^ Secret64(32)) + seed);
    const uint64_t high =
        Read64(p + n - 8) ^ ((Secret64(40) ^ Secret64(48)) - seed);
    return Avalanche(n + __builtin_bswap64(low) + high + Fold(low, high));
  }
  if (n >= 4) return Hash4To8(p, n, seed);
  if (n == 0) return Rules64::Avalanche(seed ^ Secret64(56) ^ Secret64(64));
  const uint64_t key = (Secret32(0) ^ Secret32(4)) + seed;
  return Rules64::Avalanche(Pack1To3(p, n) ^ key);
}

inline uint64_t Hash17To128(const char* p, size_t n, uint64_t seed) {
  uint64_t sum = n * kPrime64_1;
  // Pairs of 16 bytes, one from the front and one from the end.
  for (size_t i = 0; i <= (n - 1) / 32; ++i) {
    sum += Mix(p + 16 * i, 32 * i, seed);
    sum += Mix(p + n - 16 * (i + 1), 32 * i + 16, seed);
  }
  return Avalanche(sum);
}

inline uint64_t Hash129To240(const char* p, size_t n, uint64_t seed) {
  uint64_t sum = n * kPrime64_1;
  for (size_t i = 0; i < 8; ++i) sum += Mix(p + 16 * i, 16 * i, seed);
  sum = Avalanche(sum);
  for (size_t i = 8; i < n / 16; ++i) {
    sum += Mix(p + 16 * i, 16 * (i - 8) + 3, seed);
  }
  sum += Mix(p + n - 16, 119, seed);
  return Avalanche(sum);
}

inline uint64_t HashShort(const char* p, size_t n, uint64_t seed) {
  if (n <= 16) return HashUpTo16(p, n, seed);
  if (n <= 128) return Hash17To128(p, n, seed);
  return Hash129To240(p, n, seed);
}

// 128 bits.

inline Halves WideHash1To3(const char* p, size_t n, uint64_t seed) {
  const uint32_t low = Pack1To3(p, n);
  const uint32_t high = RotateLeft(__builtin_bswap32(low), 13);
  return {Rules64::Avalanche(low ^ ((Secret32(0) ^ Secret32(4)) + seed)),
          Rules64::Avalanche(high ^ ((Secret32(8) ^ Secret32(12)) - seed))};
}

inline Halves WideHash4To8(const char* p, size_t n, uint64_t seed) {
  const uint64_t input = Read32(p) | (uint64_t{Read32(p + n - 4)} << 32);
  const uint64_t keyed =
      input ^ ((Secret64(16) ^ Secret64(24)) + SeedOf4To8(seed));
  Halves h = Multiply(keyed, kPrime64_1 + (n << 2));
  h.high64 += h.low64 << 1;
  h.low64 ^= h.high64 >> 3;
  h.low64 = (h.low64 ^ (h.low64 >> 35)) * kPrimeMx2;
  h.low64 ^= h.low64 >> 28;
  h.high64 = Avalanche(h.high64);
  return h;
}

inline Halves WideHash9To16(const char* p, size_t n, uint64_t seed) {
  const uint64_t first = Read64(p);
  const uint64_t last = Read64(p + n - 8);
  const uint64_t low_key = (Secret64(32) ^ Secret64(40)) - seed;
  const uint64_t high_key = (Secret64(48) ^ Secret64(56)) + seed;
  Halves m = Multiply(first ^ last ^ low_key, kPrime64_1);
  m.low64 += uint64_t{n - 1} << 54;
  const uint64_t high = last ^ high_key;
  m.high64 += high + (high & 0xffffffffU) * (kPrime32_2 - 1);
  m.low64 ^= __builtin_bswap64(m.high64);
  Halves h = Multiply(m.low64, kPrime64_2);
  h.high64 += m.high64 * kPrime64_2;
  return {Avalanche(h.low64), Avalanche(h.high64)};
}

inline Halves WideHashUpTo16(const char* p, size_t n, uint64_t seed) {
  if (n > 8) return WideHash9To16(p, n, seed);
  if (n >= 4) return WideHash4To8(p, n, seed);
  if (n > 0) return WideHash1To3(p, n, seed);
  return {Rules64::Avalanche(seed ^ Secret64(64) ^ Secret64(72)),
          Rules64::Avalanche(seed ^ Secret64(80) ^ Secret64(88))};
}

// The two sums over pairs of 16 bytes: each mixes one of a pair and is changed
// by the other.
class PairSums {
 public:
  explicit PairSums(size_t n) : low_(n * kPrime64_1) {}

  void Add(const char* a, const char* b, size_t secret, uint64_t seed) {
    low_ += Mix(a, secret, seed);
    low_ ^= Read64(b) + Read64(b + 8);
    high_ += Mix(b, secret + 16, seed);
    high_ ^= Read64(a) + Read64(a + 8);
  }

  void AvalancheBoth() {
    low_ = Avalanche(low_);
    high_ = Avalanche(high_);
  }

  Halves Digest(size_t n, uint64_t seed) const {
    const uint64_t high =
        low_ * kPrime64_1 + high_ * kPrime64_4 + (n - seed) * kPrime64_2;
    return {Avalanche(low_ + high_), 0 - Avalanche(high)};
  }

 private:
  uint64_t low_;
  uint64_t high_ = 0;
};

inline Halves WideHash17To128(const char* p, size_t n, uint64_t seed) {
  PairSums sums(n);
  // From the middle outward: unlike with 64 bits, the order counts.
  for (size_t i = (n - 1) / 32 + 1; i > 0; --i) {
    sums.Add(p + 16 * (i - 1), p + n - 16 * i, 32 * (i - 1), seed);
  }
  return sums.Digest(n, seed);
}

inline Halves WideHash129To240(const char* p, size_t n, uint64_t seed) {
  PairSums sums(n);
  for (size_t i = 0; i < 4; ++i) {
    sums.Add(p + 32 * i, p + 32 * i + 16, 32 * i, seed);
  }
  sums.AvalancheBoth();
  for (size_t i = 4; i < n / 32; ++i) {
    sums.Add(p + 32 * i, p + 32 * i + 16, 32 * (i - 4) + 3, seed);
  }
  sums.Add(p + n - 16, p + n - 32, 103, 0 - seed);
  return sums.Digest(n, seed);
}

inline Halves WideHashShort(const char* p, size_t n, uint64_t seed) {
  if (n <= 16) return WideHashUpTo16(p, n, seed);
  if (n <= 128) return WideHash17To128(p, n, seed);
  return WideHash129To240(p, n, seed);
}

}  // namespace

}  // namespace own_xxhash

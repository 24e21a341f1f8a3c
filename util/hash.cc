#include "util/hash.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <array>

#include "util/coding.h"
#include "util/xxhash/xxh_basics.h"

namespace ROCKSDB_NAMESPACE {

uint32_t Hash32(const char* data, size_t n, uint32_t seed) {
  constexpr uint32_t kMultiplier = 0xc6a4a793U;
  const char* const limit = data + n;
  uint32_t h = seed ^ (static_cast<uint32_t>(n) * kMultiplier);
  for (; limit - data >= 4; data += 4) {
    h = (h + DecodeFixed32(data)) * kMultiplier;
    h ^= h >> 16;
  }
  const auto tail = static_cast<size_t>(limit - data);
  if (tail == 0) return h;
  // The format sign-extends the bytes of the tail.
  const auto byte = [data](size_t i) {
    return static_cast<uint32_t>(static_cast<int8_t>(data[i]));
  };
  if (tail >= 3) h += byte(2) << 16;
  if (tail >= 2) h += byte(1) << 8;
  h = (h + byte(0)) * kMultiplier;
  return h ^ (h >> 24);
}

uint64_t Hash64(const char* data, size_t n) { return XXH3_64bits(data, n); }

uint64_t Hash64(const char* data, size_t n, uint64_t seed) {
  return XXH3_64bits_withSeed(data, n, seed);
}

// The preview XXH3, with seed 0.
namespace preview {

namespace {

// The final XXH3 has the same ones.
using own_xxhash::Fold;
using own_xxhash::kPrime32_1;
using own_xxhash::kPrime32_2;
using own_xxhash::kPrime32_3;
using own_xxhash::kPrime64_1;
using own_xxhash::kPrime64_2;
using own_xxhash::kPrime64_3;
using own_xxhash::kPrime64_4;
using own_xxhash::kPrime64_5;
using own_xxhash::kSecret;

uint64_t Secret(size_t offset) {
  return DecodeFixed64(reinterpret_cast<const char*>(kSecret) + offset);
}

uint64_t Avalanche(uint64_t h) {
  h ^= h >> 37;
  h *= kPrime64_3;
  return h ^ (h >> 32);
}

uint64_t Mix(const char* p, size_t secret) {
  return Fold(DecodeFixed64(p) ^ Secret(secret),
              DecodeFixed64(p + 8) ^ Secret(secret + 8));
}

uint64_t HashUpTo16(const char* p, size_t n) {
  if (n > 8) {
    const uint64_t low = DecodeFixed64(p) ^ Secret(0);
    const uint64_t high = DecodeFixed64(p + n - 8) ^ Secret(8);
    return Avalanche(n + low + high + Fold(low, high));
  }
  if (n >= 4) {
    const uint64_t x =
        DecodeFixed32(p) | (uint64_t{DecodeFixed32(p + n - 4)} << 32);
    const uint64_t keyed = x ^ Secret(0);
    const uint64_t mixed = n + (keyed ^ (keyed >> 51)) * kPrime32_1;
    return Avalanche((mixed ^ (mixed >> 47)) * kPrime64_2);
  }
  if (n == 0) return Fold(Secret(0), kPrime64_2);
  const auto byte = [p](size_t i) {
    return uint64_t{static_cast<uint8_t>(p[i])};
  };
  const uint64_t combined =
      byte(0) | byte(n >> 1) << 8 | byte(n - 1) << 16 | uint64_t{n} << 24;
  return Avalanche((combined ^ static_cast<uint32_t>(Secret(0))) * kPrime64_1);
}

uint64_t Hash17To128(const char* p, size_t n) {
  uint64_t sum = n * kPrime64_1;
  const char* const end = p + n;
  if (n > 96) sum += Mix(p + 48, 96) + Mix(end - 64, 112);
  if (n > 64) sum += Mix(p + 32, 64) + Mix(end - 48, 80);
  if (n > 32) sum += Mix(p + 16, 32) + Mix(end - 32, 48);
  sum += Mix(p, 0) + Mix(end - 16, 16);
  return Avalanche(sum);
}

uint64_t Hash129To240(const char* p, size_t n) {
  uint64_t sum = n * kPrime64_1;
  for (size_t i = 0; i < 8; ++i) sum += Mix(p + 16 * i, 16 * i);
  sum = Avalanche(sum);
  for (size_t i = 8; i < n / 16; ++i) {
    sum += Mix(p + 16 * i, 16 * (i - 8) + 3);
  }
  sum += Mix(p + n - 16, 119);
  return Avalanche(sum);
}

constexpr size_t kStripeBytes = 64;
constexpr size_t kStripesPerBlock = 16;
using Accumulators = std::array<uint64_t, 8>;

void Accumulate(const char* p, size_t secret, Accumulators* sums) {
  for (size_t i = 0; i < sums->size(); ++i) {
    const uint64_t value = DecodeFixed64(p + 8 * i);
    const uint64_t keyed = value ^ Secret(secret + 8 * i);
    (*sums)[i] += value + (keyed & 0xffffffffU) * (keyed >> 32);
  }
}

void Scramble(Accumulators* sums) {
  for (size_t i = 0; i < sums->size(); ++i) {
    uint64_t& sum = (*sums)[i];
    sum = ((sum ^ (sum >> 47)) ^ Secret(128 + 8 * i)) * kPrime32_1;
  }
}

uint64_t HashLong(const char* p, size_t n) {
  Accumulators sums = {kPrime32_3, kPrime64_1, kPrime64_2, kPrime64_3,
                       kPrime64_4, kPrime32_2, kPrime64_5, kPrime32_1};
  const char* const end = p + n;
  const size_t stripes = n / kStripeBytes;
  for (size_t stripe = 0; stripe < stripes; ++stripe, p += kStripeBytes) {
    const size_t in_block = stripe % kStripesPerBlock;
    Accumulate(p, 8 * in_block, &sums);
    if (in_block == kStripesPerBlock - 1) Scramble(&sums);
  }
  if (n % kStripeBytes != 0) Accumulate(end - kStripeBytes, 121, &sums);
  uint64_t result = n * kPrime64_1;
  for (size_t i = 0; i < 4; ++i) {
    result += Fold(sums[2 * i] ^ Secret(11 + 16 * i),
                   sums[2 * i + 1] ^ Secret(19 + 16 * i));
  }
  return Avalanche(result);
}

}  // namespace

}  // namespace preview

uint64_t FilterHash64(const Slice& key) {
  const size_t n = key.size();
  if (n <= 16) return preview::HashUpTo16(key.data(), n);
  if (n <= 128) return preview::Hash17To128(key.data(), n);
  if (n <= 240) return preview::Hash129To240(key.data(), n);
  return preview::HashLong(key.data(), n);
}

}  // namespace ROCKSDB_NAMESPACE

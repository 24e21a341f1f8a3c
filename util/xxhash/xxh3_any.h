#pragma once

// XXH3 of any number of bytes: of all at once, and as they come.

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "util/xxhash/xxh3_long.h"
#include "util/xxhash/xxh3_short.h"
#include "util/xxhash/xxh_basics.h"

namespace own_xxhash {

namespace {

inline uint64_t Xxh3Hash64(const void* data, size_t n, uint64_t seed) {
  const char* const p = static_cast<const char*>(data);
  return n <= kMaxShort ? HashShort(p, n, seed) : HashLong(p, n, seed);
}

inline Halves Xxh3Hash128(const void* data, size_t n, uint64_t seed) {
  const char* const p = static_cast<const char*>(data);
  return n <= kMaxShort ? WideHashShort(p, n, seed) : WideHashLong(p, n, seed);
}

// XXH3 with 64 bits and seed 0 of bytes that come in pieces.
//
// Threads  Confined to one thread.
class Xxh3Stream {
 public:
  void Update(const void* data, size_t n) {
    const char* p = static_cast<const char*>(data);
    while (n > 0) {
      if (kept_ == kCapacity) TakeIn();
      const size_t room = kCapacity - kept_;
      const size_t count = n < room ? n : room;
      memcpy(rest_ + kept_, p, count);
      kept_ += count;
      p += count;
      n -= count;
    }
  }

  // The hash of what came so far; more may come.
  uint64_t Digest() const {
    if (taken_in_ == 0) return Xxh3Hash64(rest_, kept_, 0);
    LongSums sums = sums_;
    sums.Add(rest_, StripesIn(kept_), kSecret);
    sums.AddLast(rest_ + kept_ - kStripeSize, kSecret);
    return sums.Digest64(taken_in_ + kept_, kSecret);
  }

 private:
  // More than what is short, so that only long input is ever taken in.
  static constexpr size_t kCapacity = 5 * kStripeSize;
  static_assert(kCapacity > kMaxShort);

  // Makes room, and keeps the last stripe: it may end up among the last 64
  // bytes. Called only if more bytes follow, so that a digest always finds more
  // than a stripe.
  void TakeIn() {
    constexpr size_t kTaken = kCapacity - kStripeSize;
    sums_.Add(rest_, kTaken / kStripeSize, kSecret);
    memcpy(rest_, rest_ + kTaken, kStripeSize);
    taken_in_ += kTaken;
    kept_ = kStripeSize;
  }

  LongSums sums_;
  size_t taken_in_ = 0;
  size_t kept_ = 0;
  char rest_[kCapacity] = {};
};

}  // namespace

}  // namespace own_xxhash

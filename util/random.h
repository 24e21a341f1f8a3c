#pragma once

// Pseudo-random numbers that a seed repeats exactly.
//
// Threads  One at a time; ThreadLocal() gives each thread its own.

#include <bit>
#include <cstdint>
#include <string>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE {

// xoshiro256**, seeded through splitmix64.
class Random64 {
 public:
  explicit Random64(uint64_t seed) {
    for (uint64_t& word : state_) {
      seed += 0x9e3779b97f4a7c15ULL;
      uint64_t z = seed;
      z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
      z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
      word = z ^ (z >> 31);
    }
  }

  uint64_t Next() {
    const uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
    const uint64_t t = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= t;
    state_[3] = std::rotl(state_[3], 45);
    return result;
  }

  // In [0, n). REQUIRES: n > 0.
  uint64_t Uniform(uint64_t n) { return Next() % n; }
  // True once in `n` calls on average. REQUIRES: n > 0.
  bool OneIn(uint64_t n) { return Uniform(n) == 0; }
  // Below 2^max_log, small numbers favoured: the number of bits is uniform.
  uint64_t Skewed(int max_log) {
    const uint64_t bits = Uniform(static_cast<uint64_t>(max_log) + 1);
    return bits == 0 ? 0 : Uniform(uint64_t{1} << bits);
  }
  // In [0, 1).
  double NextDouble() { return static_cast<double>(Next() >> 11) * 0x1.0p-53; }
  // Printable characters.
  std::string RandomString(size_t length) {
    std::string s(length, ' ');
    for (char& c : s) c = static_cast<char>(' ' + Uniform(95));
    return s;
  }
  // Any bytes.
  std::string RandomBytes(size_t length) {
    std::string s(length, '\0');
    for (char& c : s) c = static_cast<char>(Next() >> 56);
    return s;
  }

  // Seeded differently in every thread.
  static Random64& ThreadLocal();

 private:
  uint64_t state_[4];
};

}  // namespace ROCKSDB_NAMESPACE

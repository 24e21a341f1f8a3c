// How the caches hash their keys: by a seed of their own, so that no two of
// them crowd the same places.
//
// Threads  Any.
#pragma once

#include <atomic>
#include <cstdint>
#include <cstring>
#include <string>

#include "rocksdb/cache.h"
#include "rocksdb/slice.h"
#include "rocksdb/status.h"
#include "util/hash.h"

namespace ROCKSDB_NAMESPACE {

class KeyHash {
 public:
  explicit KeyHash(int32_t hash_seed) : seed_(SeedOf(hash_seed)) {}

  // Most keys are two words (cache_key.h).
  uint64_t operator()(const Slice& key) const {
    uint64_t words[2];
    if (key.size() != sizeof(words)) [[unlikely]] {
      return Hash64(key.data(), key.size(), seed_);
    }
    memcpy(words, key.data(), sizeof(words));
    const uint64_t first = Mix(words[0] ^ 0xA0761D6478BD642Fu ^ seed_,
                               words[1] ^ 0xE7037ED1A0B428DBu);
    return Mix(first ^ words[1], 0x8EBC6AF09C88C6E3u);
  }

  uint32_t seed32() const { return static_cast<uint32_t>(seed_); }

 private:
  static uint64_t SeedOf(int32_t hash_seed) {
    static std::atomic<uint64_t> next_seed{1};
    if (hash_seed == ShardedCacheOptions::kQuasiRandomHashSeed) {
      return next_seed.fetch_add(1) * 0x9E3779B97F4A7C15u;
    }
    return static_cast<uint64_t>(static_cast<int64_t>(hash_seed));
  }

  // Two words to one, every bit of which depends on every bit of both.
  static uint64_t Mix(uint64_t a, uint64_t b) {
    using Wide = unsigned __int128;
    const Wide product = Wide{a} * b;
    return static_cast<uint64_t>(product) ^
           static_cast<uint64_t>(product >> 64);
  }

  const uint64_t seed_;
};

// Whether a cache can have so many shards; says why not.
inline Status ValidateSharding(const ShardedCacheOptions& options) {
  constexpr int kMostShardBits = 19;
  if (options.num_shard_bits <= kMostShardBits) return Status::OK();
  return Status::InvalidArgument(
      "num_shard_bits", std::to_string(options.num_shard_bits) + " > " +
                            std::to_string(kMostShardBits));
}

}  // namespace ROCKSDB_NAMESPACE

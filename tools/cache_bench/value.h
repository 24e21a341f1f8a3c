// The keys and values that cache_bench puts into a cache: a value begins with
// the number of its key, so that a wrong one is found out.
//
// Threads  Free functions; any thread.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "rocksdb/advanced_cache.h"
#include "tools/db_bench/random.h"

namespace ROCKSDB_NAMESPACE::cache_bench {

// A key of 16 bytes, like the keys of blocks, for which caches are made.
class Key {
 public:
  // Each salt gives the number another key.
  explicit Key(uint64_t number, uint32_t salt = 0);
  Slice slice() const { return Slice(bytes_.data(), bytes_.size()); }

 private:
  std::array<char, 16> bytes_;
};

// Which key each number has. Those of caches with degenerate hashes are sought
// once, ahead of what is measured.
//
// Threads  Immutable; any.
class KeySet {
 public:
  // Keys of `count` numbers whose hash with kFixedHashSeed ends with
  // `degenerate_bits` zeros.
  KeySet(uint64_t count, uint32_t degenerate_bits);
  Key Of(uint64_t number) const {
    return salts_.empty() ? Key(number) : Key(number, salts_[number]);
  }

  static constexpr int32_t kFixedHashSeed = 0;
  // More would take too long to find.
  static constexpr uint32_t kMostDegenerateBits = 12;

 private:
  std::vector<uint32_t> salts_;  // empty: none has one
};

struct ValueForm {
  size_t size_bytes = 0;
  // So many of them are random, the others zero.
  size_t random_bytes = 0;
};

// Makes a std::string on the heap, which the deleter of ValueHelper() frees.
Cache::ObjectPtr NewValue(uint64_t key_number, const ValueForm& form,
                          bench::Random* random);
// Is it a value of this key, as NewValue() made it?
bool IsValueOf(Cache::ObjectPtr value, uint64_t key_number,
               const ValueForm& form);
size_t ChargeOf(Cache::ObjectPtr value);

// The helper of values; it has the callbacks that a secondary cache needs.
const Cache::CacheItemHelper* ValueHelper();

}  // namespace ROCKSDB_NAMESPACE::cache_bench

// The keys and values that cache_bench puts into a cache: a value begins with
// the number of its key, so that a wrong one is found out.
//
// Threads  Free functions; any thread.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "rocksdb/advanced_cache.h"
#include "tools/db_bench/random.h"

namespace ROCKSDB_NAMESPACE::cache_bench {

// As long as those of blocks, which is what caches are made for.
class Key {
 public:
  explicit Key(uint64_t number);
  Slice slice() const { return Slice(bytes_.data(), bytes_.size()); }

 private:
  std::array<char, 16> bytes_;
};

struct ValueForm {
  size_t size_bytes = 0;
  // So many of them are random, the others zero.
  size_t random_bytes = 0;
};

// Of a std::string on the heap, which the helper's deleter frees.
Cache::ObjectPtr NewValue(uint64_t key_number, const ValueForm& form,
                          bench::Random* random);
// Is it a value of this key, as NewValue() made it?
bool IsValueOf(Cache::ObjectPtr value, uint64_t key_number,
               const ValueForm& form);
size_t ChargeOf(Cache::ObjectPtr value);

// With all that a secondary cache needs.
const Cache::CacheItemHelper* ValueHelper();

}  // namespace ROCKSDB_NAMESPACE::cache_bench

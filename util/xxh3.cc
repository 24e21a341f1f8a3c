#include "util/xxh3.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <atomic>

namespace ROCKSDB_NAMESPACE {
namespace xxh3 {

namespace {

using ValueFunction = uint64_t (*)(const char*, size_t);

uint64_t ChooseAndHash(const char* data, size_t n);

// Relaxed: every value it may have gives the same results.
constinit std::atomic<ValueFunction> value{&ChooseAndHash};

uint64_t ChooseAndHash(const char* data, size_t n) {
  const ValueFunction best = WideIsSupported() ? &ValueWide : &ValuePortable;
  value.store(best, std::memory_order_relaxed);
  return best(data, n);
}

}  // namespace

uint64_t ValuePortable(const char* data, size_t n) {
  return XXH3_64bits(data, n);
}

#if defined(__x86_64__)
// Not beside ValueWide(): nothing that is compiled for AVX2 may run before.
bool WideIsSupported() { return __builtin_cpu_supports("avx2") != 0; }
#else
bool WideIsSupported() { return false; }
uint64_t ValueWide(const char* data, size_t n) {
  return ValuePortable(data, n);
}
#endif

uint64_t Value(const char* data, size_t n) {
  return value.load(std::memory_order_relaxed)(data, n);
}

}  // namespace xxh3
}  // namespace ROCKSDB_NAMESPACE

// XXH3 by 32 bytes at a time. The library's own choice at run time is not
// taken: its code for 64 bytes leaves the upper halves of the registers in use,
// which makes all SSE code after it three times as slow.

#define XXH_INLINE_ALL
#define XXH_VECTOR XXH_AVX2
#include <xxhash.h>

#include "util/xxh3.h"

namespace ROCKSDB_NAMESPACE {
namespace xxh3 {

uint64_t ValueWide(const char* data, size_t n) { return XXH3_64bits(data, n); }

}  // namespace xxh3
}  // namespace ROCKSDB_NAMESPACE

#include "util/block_checksum.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "util/crc32c.h"
#include "util/invariant.h"
#include "util/xxh3.h"

namespace ROCKSDB_NAMESPACE {

namespace {

uint32_t Crc32cWithType(const char* payload, size_t n, char type_byte) {
  return crc32c::Mask(crc32c::Extend(crc32c::Value(payload, n), &type_byte, 1));
}

uint32_t Xxh32WithType(const char* payload, size_t n, char type_byte) {
  XXH32_state_t state;
  XXH32_reset(&state, 0);
  XXH32_update(&state, payload, n);
  XXH32_update(&state, &type_byte, 1);
  return XXH32_digest(&state);
}

uint32_t Xxh64WithType(const char* payload, size_t n, char type_byte) {
  XXH64_state_t state;
  XXH64_reset(&state, 0);
  XXH64_update(&state, payload, n);
  XXH64_update(&state, &type_byte, 1);
  return static_cast<uint32_t>(XXH64_digest(&state));
}

uint32_t Xxh3WithType(const char* payload, size_t n, char type_byte) {
  constexpr uint32_t kTypeFactor = 0x6b9083d9U;
  return static_cast<uint32_t>(xxh3::Value(payload, n)) ^
         (static_cast<uint8_t>(type_byte) * kTypeFactor);
}

}  // namespace

uint32_t BlockChecksum(ChecksumType type, const char* payload, size_t n,
                       char type_byte) {
  switch (type) {
    case kNoChecksum:
      return 0;
    case kCRC32c:
      return Crc32cWithType(payload, n, type_byte);
    case kxxHash:
      return Xxh32WithType(payload, n, type_byte);
    case kxxHash64:
      return Xxh64WithType(payload, n, type_byte);
    case kXXH3:
      return Xxh3WithType(payload, n, type_byte);
  }
  INVARIANT(!"a known checksum type");
  return 0;
}

bool IsKnownChecksumType(uint8_t value) { return value <= kXXH3; }

}  // namespace ROCKSDB_NAMESPACE

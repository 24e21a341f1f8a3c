// CRC-32C with the instructions of x86: three independent chains, because the
// crc32 instruction takes three cycles but one can start in each, joined by
// carry-less multiplication.

#include <nmmintrin.h>
#include <wmmintrin.h>

#include <cstring>

#include "util/crc32c.h"
#include "util/crc32c_tables.h"

namespace ROCKSDB_NAMESPACE {
namespace crc32c {

namespace {

uint64_t Load64(const char* p) {
  uint64_t word;
  memcpy(&word, p, sizeof(word));
  return word;
}

// The factor that moves a register `bytes` bytes on. The multiplication and
// the final reduction by _mm_crc32_u64 together add x^33.
constexpr uint32_t ShiftFactor(uint64_t bytes) {
  return PowerOfX(bytes * 8 - 33);
}

uint64_t CarrylessMultiply(uint64_t a, uint32_t b) {
  const __m128i product =
      _mm_clmulepi64_si128(_mm_cvtsi64_si128(static_cast<int64_t>(a)),
                           _mm_cvtsi32_si128(static_cast<int>(b)), 0x00);
  return static_cast<uint64_t>(_mm_cvtsi128_si64(product));
}

// Consumes as many groups of three segments of kSegment bytes as there are.
template <size_t kSegment>
uint64_t ThreeWay(uint64_t crc, const char** data, size_t* n) {
  static_assert(kSegment % 8 == 0);
  constexpr uint32_t kTwoSegments = ShiftFactor(2 * kSegment);
  constexpr uint32_t kOneSegment = ShiftFactor(kSegment);
  const char* p = *data;
  for (; *n >= 3 * kSegment; *n -= 3 * kSegment, p += 3 * kSegment) {
    uint64_t a = crc;
    uint64_t b = 0;
    uint64_t c = 0;
    for (size_t i = 0; i < kSegment; i += 8) {
      a = _mm_crc32_u64(a, Load64(p + i));
      b = _mm_crc32_u64(b, Load64(p + kSegment + i));
      c = _mm_crc32_u64(c, Load64(p + 2 * kSegment + i));
    }
    const uint64_t moved =
        CarrylessMultiply(a, kTwoSegments) ^ CarrylessMultiply(b, kOneSegment);
    crc = c ^ _mm_crc32_u64(0, moved);
  }
  *data = p;
  return crc;
}

}  // namespace

bool HardwareIsSupported() {
  return __builtin_cpu_supports("sse4.2") && __builtin_cpu_supports("pclmul");
}

const char* HardwareSupport() {
  return HardwareIsSupported() ? "Supported on x86" : "Not supported on x86";
}

uint32_t ExtendHardware(uint32_t init_crc, const char* data, size_t n) {
  uint64_t crc = static_cast<uint32_t>(~init_crc);
  crc = ThreeWay<1360>(crc, &data, &n);
  crc = ThreeWay<336>(crc, &data, &n);
  crc = ThreeWay<80>(crc, &data, &n);
  for (; n >= 8; n -= 8, data += 8) crc = _mm_crc32_u64(crc, Load64(data));
  auto narrow = static_cast<uint32_t>(crc);
  for (; n > 0; --n, ++data) {
    narrow = _mm_crc32_u8(narrow, static_cast<uint8_t>(*data));
  }
  return ~narrow;
}

}  // namespace crc32c
}  // namespace ROCKSDB_NAMESPACE

#pragma once

// Words of 64 bits side by side, as many as the processor has in one register.
//
// What the compiler does well by itself with its vector types is left to it. It
// is told of the one instruction that gcc does not find: the product of the
// lower halves of words.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__AVX2__)
#include <immintrin.h>
#elif defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace own_xxhash {

namespace {

#if defined(__AVX2__)

using Lanes = uint64_t __attribute__((vector_size(32)));

inline Lanes MultiplyLow(Lanes a, Lanes b) {
  return reinterpret_cast<Lanes>(_mm256_mul_epu32(
      reinterpret_cast<__m256i>(a), reinterpret_cast<__m256i>(b)));
}

#elif defined(__SSE2__)

using Lanes = uint64_t __attribute__((vector_size(16)));

inline Lanes MultiplyLow(Lanes a, Lanes b) {
  return reinterpret_cast<Lanes>(_mm_mul_epu32(reinterpret_cast<__m128i>(a),
                                               reinterpret_cast<__m128i>(b)));
}

#else

using Lanes = uint64_t __attribute__((vector_size(16)));

inline Lanes MultiplyLow(Lanes a, Lanes b) {
  return (a & 0xffffffffU) * (b & 0xffffffffU);
}

#endif

inline Lanes ReadLanes(const void* p) {
  Lanes lanes;
  memcpy(&lanes, p, sizeof(lanes));
  if constexpr (std::endian::native == std::endian::big) {
    for (size_t i = 0; i < sizeof(lanes) / 8; ++i) {
      lanes[i] = __builtin_bswap64(lanes[i]);
    }
  }
  return lanes;
}

}  // namespace

}  // namespace own_xxhash

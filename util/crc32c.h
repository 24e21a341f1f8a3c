#pragma once

// CRC-32C (Castagnoli), the checksum of logs, manifests and older tables.
//
// The instruction set is chosen once, at the first call. All variants give the
// same numbers; a test compares them on random input.
//
// Threads  Any.

#include <cstddef>
#include <cstdint>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE {
namespace crc32c {

// The checksum of A followed by data[0, n), where `init_crc` is that of A.
uint32_t Extend(uint32_t init_crc, const char* data, size_t n);

inline uint32_t Value(const char* data, size_t n) { return Extend(0, data, n); }

// The checksum of A followed by B, from those of A and of B and the length of
// B. Cost: O(log length).
uint32_t Combine(uint32_t crc1, uint32_t crc2, size_t crc2_length);

inline constexpr uint32_t kMaskDelta = 0xa282ead8U;

// The stored form of a checksum: a checksum over bytes that hold checksums is
// weak, hence the detour.
inline uint32_t Mask(uint32_t crc) {
  return ((crc >> 15) | (crc << 17)) + kMaskDelta;
}
inline uint32_t Unmask(uint32_t masked_crc) {
  const uint32_t rotated = masked_crc - kMaskDelta;
  return (rotated >> 17) | (rotated << 15);
}

// The twins behind Extend(), for tests.
uint32_t ExtendPortable(uint32_t init_crc, const char* data, size_t n);
bool HardwareIsSupported();
// The same as LOG says it: "Supported on x86".
const char* HardwareSupport();
// REQUIRES: HardwareIsSupported().
uint32_t ExtendHardware(uint32_t init_crc, const char* data, size_t n);

}  // namespace crc32c
}  // namespace ROCKSDB_NAMESPACE

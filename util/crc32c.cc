#include "util/crc32c.h"

#include <atomic>

#include "util/coding.h"
#include "util/crc32c_tables.h"

namespace ROCKSDB_NAMESPACE {
namespace crc32c {

namespace {

using Tables = std::array<std::array<uint32_t, 256>, 8>;

// tables[k][b]: what byte `b` adds to the register once k more bytes are in.
constexpr Tables MakeTables() {
  Tables tables{};
  for (uint32_t b = 0; b < 256; ++b) {
    uint32_t crc = b;
    for (int i = 0; i < 8; ++i) crc = TimesX(crc);
    tables[0][b] = crc;
  }
  for (size_t k = 1; k < tables.size(); ++k) {
    for (size_t b = 0; b < 256; ++b) {
      const uint32_t before = tables[k - 1][b];
      tables[k][b] = tables[0][before & 0xff] ^ (before >> 8);
    }
  }
  return tables;
}
constexpr Tables kTables = MakeTables();

using ExtendFunction = uint32_t (*)(uint32_t, const char*, size_t);

uint32_t ChooseAndExtend(uint32_t init_crc, const char* data, size_t n);

// Relaxed: every value it may have gives the same results.
constinit std::atomic<ExtendFunction> extend{&ChooseAndExtend};

uint32_t ChooseAndExtend(uint32_t init_crc, const char* data, size_t n) {
  const ExtendFunction best =
      HardwareIsSupported() ? &ExtendHardware : &ExtendPortable;
  extend.store(best, std::memory_order_relaxed);
  return best(init_crc, data, n);
}

}  // namespace

uint32_t ExtendPortable(uint32_t init_crc, const char* data, size_t n) {
  uint32_t crc = ~init_crc;
  for (; n >= 8; n -= 8, data += 8) {
    const uint64_t word = DecodeFixed64(data) ^ crc;
    crc = 0;
    for (size_t i = 0; i < 8; ++i) {
      crc ^= kTables[7 - i][(word >> (8 * i)) & 0xff];
    }
  }
  for (; n > 0; --n, ++data) {
    crc = kTables[0][(crc ^ static_cast<uint8_t>(*data)) & 0xff] ^ (crc >> 8);
  }
  return ~crc;
}

#if !defined(__x86_64__)
bool HardwareIsSupported() { return false; }

const char* HardwareSupport() { return "Not supported on this processor"; }
uint32_t ExtendHardware(uint32_t init_crc, const char* data, size_t n) {
  return ExtendPortable(init_crc, data, n);
}
#endif

uint32_t Extend(uint32_t init_crc, const char* data, size_t n) {
  return extend.load(std::memory_order_relaxed)(init_crc, data, n);
}

uint32_t Combine(uint32_t crc1, uint32_t crc2, size_t crc2_length) {
  return Multiply(crc1, PowerOfX(uint64_t{crc2_length} * 8)) ^ crc2;
}

}  // namespace crc32c
}  // namespace ROCKSDB_NAMESPACE

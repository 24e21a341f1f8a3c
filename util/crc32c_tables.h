#pragma once

// Arithmetic of polynomials modulo the Castagnoli polynomial, at compile time,
// and the tables made with it.
//
// Polynomials are reflected: bit 31 is the coefficient of x^0.

#include <array>
#include <cstddef>
#include <cstdint>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE {
namespace crc32c {

inline constexpr uint32_t kPolynomial = 0x82f63b78U;
inline constexpr uint32_t kOne = 0x80000000U;

constexpr uint32_t TimesX(uint32_t a) {
  return (a >> 1) ^ ((a & 1) != 0 ? kPolynomial : 0);
}

constexpr uint32_t Multiply(uint32_t a, uint32_t b) {
  uint32_t product = 0;
  for (uint32_t bit = kOne; bit != 0; bit >>= 1) {
    if ((a & bit) != 0) product ^= b;
    b = TimesX(b);
  }
  return product;
}

// powers[i] is x^(2^i).
constexpr std::array<uint32_t, 64> SquaredPowers() {
  std::array<uint32_t, 64> powers{};
  powers[0] = kOne >> 1;
  for (size_t i = 1; i < powers.size(); ++i) {
    powers[i] = Multiply(powers[i - 1], powers[i - 1]);
  }
  return powers;
}
inline constexpr std::array<uint32_t, 64> kSquaredPowers = SquaredPowers();

// x^exponent.
constexpr uint32_t PowerOfX(uint64_t exponent) {
  uint32_t result = kOne;
  for (size_t i = 0; exponent != 0; ++i, exponent >>= 1) {
    if ((exponent & 1) != 0) result = Multiply(result, kSquaredPowers[i]);
  }
  return result;
}

}  // namespace crc32c
}  // namespace ROCKSDB_NAMESPACE

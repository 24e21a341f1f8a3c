// How much of a test's random work is done: once in CI, more in `make soak`,
// which sets BASALT_TEST_SCALE. BASALT_TEST_SEED names a seed that failed:
// tests that print seeds then do that one alone. BASALT_TEST_SHARE=N, which is
// set where sanitizers make everything slow, does one of N of what a test
// lists.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE {

// The number that an environment variable has; 1 if it has none.
inline uint64_t TestNumber(const char* name) {
  const char* text = std::getenv(name);
  return text == nullptr ? 1 : std::max(1, std::atoi(text));
}

inline uint64_t TestScale() { return TestNumber("BASALT_TEST_SCALE"); }
inline uint64_t TestShare() { return TestNumber("BASALT_TEST_SHARE"); }

// `count` seeds from `first` on, or those of them that are asked for.
struct TestSeeds {
  TestSeeds(uint64_t first, uint64_t count) : begin(first), end(first + count) {
    const char* text = std::getenv("BASALT_TEST_SEED");
    if (text == nullptr) return;
    begin = std::strtoull(text, nullptr, 10);
    end = begin + 1;
  }
  uint64_t begin = 0;
  uint64_t end = 0;
};

}  // namespace ROCKSDB_NAMESPACE

// How much of a test's random work is done: once in CI, more in `make soak`,
// which sets BASALT_TEST_SCALE.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE {

inline uint64_t TestScale() {
  const char* text = std::getenv("BASALT_TEST_SCALE");
  return text == nullptr ? 1 : std::max(1, std::atoi(text));
}

}  // namespace ROCKSDB_NAMESPACE

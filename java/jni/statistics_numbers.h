// Java's own numbers of tickers and histograms, which stay as they are when
// the engine's change.
#pragma once

#include <cstdint>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE::jni {

// What Java knows and the engine does not count.
inline constexpr uint32_t kNoNumber = UINT32_MAX;

uint32_t TickerOf(int8_t number);
uint32_t HistogramOf(int8_t number);

}  // namespace ROCKSDB_NAMESPACE::jni

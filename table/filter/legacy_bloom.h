#pragma once

// The Bloom filter of format versions below 5.
//
//   data       lines of a power of two bytes, 64 as written here
//   metadata   <probes> <fixed32 number of lines>
//
// Threads  A builder is used by one thread, a reader by any number.

#include <cstdint>
#include <memory>

#include "table/filter/filter_bits.h"

namespace ROCKSDB_NAMESPACE {

std::unique_ptr<FilterBitsBuilder> NewLegacyBloomBuilder(
    uint64_t millibits_per_key);

// nullptr if the metadata is not that of such a filter.
std::unique_ptr<FilterBitsReader> NewLegacyBloomReader(const Slice& payload);

}  // namespace ROCKSDB_NAMESPACE

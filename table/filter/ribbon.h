#pragma once

// The Standard128 Ribbon filter: about 30 % smaller than a Bloom filter of the
// same quality. Read here; files with one are written in a later release.
//
//   data       16-byte little-endian segments; each block of 128 slots has one
//              segment for each column of its part of the solution
//   metadata   fe <seed> <24 bits: number of blocks>
//
// Threads  Any number for a reader.

#include <cstdint>
#include <memory>

#include "table/filter/filter_bits.h"

namespace ROCKSDB_NAMESPACE {

// nullptr if the metadata is not that of such a filter.
std::unique_ptr<FilterBitsReader> NewRibbonReader(const Slice& payload);

}  // namespace ROCKSDB_NAMESPACE

#pragma once

// The Standard128 Ribbon filter: about 30 % smaller than a Bloom filter of the
// same quality, and several times slower to build.
//
//   data       16-byte little-endian segments; each block of 128 slots has one
//              segment for each column of its part of the solution
//   metadata   fe <seed> <24 bits: number of blocks>
//
// To build one is to solve a system of linear equations over bits: each key
// gives, for each column, one equation over 128 neighbouring slots, and says
// what their sum is to be. A key that was not added meets its sums by chance
// only. Where few keys make the smaller filter a Bloom filter, or the equations
// have no solution under any seed, that is written instead.
//
// Threads  A builder is used by one thread, a reader by any number.

#include <cstdint>
#include <memory>

#include "table/filter/fast_local_bloom.h"
#include "table/filter/filter_bits.h"

namespace ROCKSDB_NAMESPACE {

// `shape` is that of the Bloom filter whose quality it is to have.
std::unique_ptr<FilterBitsBuilder> NewRibbonBuilder(const BloomShape& shape);

// nullptr if the metadata is not that of such a filter.
std::unique_ptr<FilterBitsReader> NewRibbonReader(const Slice& payload);

}  // namespace ROCKSDB_NAMESPACE

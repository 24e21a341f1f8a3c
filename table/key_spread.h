#pragma once

// Are the keys of an index block spread so evenly that where a key lies can be
// guessed from its bytes?
//
// Each user key counts as the eight bytes behind what the first and the last
// have in common, as a big-endian number. The spread is the population standard
// deviation of the differences between neighbours, divided by their mean.
//
// Threads    Pure functions.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "rocksdb/slice.h"

namespace ROCKSDB_NAMESPACE {

// Fewer keys have no spread to speak of.
inline constexpr size_t kMinSpreadKeys = 3;

// `user_keys` ascend in bytewise order. False for fewer than kMinSpreadKeys.
bool AreEvenlySpread(const std::vector<Slice>& user_keys, double threshold);

// The first of numbers[0, count), which ascend, that is not less than `wanted`:
// guessed from the values at both ends, and halved where guesses do not help.
size_t InterpolatedLowerBound(const uint64_t* numbers, size_t count,
                              uint64_t wanted);

}  // namespace ROCKSDB_NAMESPACE

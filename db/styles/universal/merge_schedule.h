// How many sorted runs a tree may have, and which of them to merge when it has
// as many, so that each byte is rewritten as seldom as that number allows.
//
// Merging as soon as sizes are alike rewrites a byte about log2(n) times while
// n write buffers arrive, however many runs are allowed. A near-binomial
// schedule uses all of them: with k runs beside the largest, C(d + k, k) write
// buffers arrive before a byte has been rewritten d times.
//
// Pure: numbers in, numbers out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE {

struct RunGeometry {
  uint64_t largest_run_bytes = 0;
  uint64_t write_buffer_bytes = 1;
  unsigned size_ratio_percent = 0;
};

// The smallest run is one write buffer, each older one the largest that does
// not call for a merge by the size ratio; so many runs until the present
// largest one is reached. At least 1.
int AutomaticRunLimit(const RunGeometry& geometry);

// How many of the newest runs to merge so that one more finds room.
// `newer_runs`: sizes in bytes of all runs but the oldest, newest first;
// `slots`: how many of these there may be; `unit_bytes`: what a flush writes.
// At least 2, or as many as there are.
size_t BinomialMergeWidth(const std::vector<uint64_t>& newer_runs, size_t slots,
                          uint64_t unit_bytes);

}  // namespace ROCKSDB_NAMESPACE

// Every decoder of bytes that are not ours, as a function of arbitrary bytes:
// it may find anything wrong, but must not crash, hang, read beyond its input
// or ask for memory without bound.
//
// The tests run each over mutated seeds; with -DWITH_FUZZERS=ON each becomes a
// program fuzz_<name> of libFuzzer.
//
// Threads    Pure functions.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "rocksdb/slice.h"

namespace ROCKSDB_NAMESPACE::fuzz {

struct Decoder {
  const char* name;
  // Returns how many things it made of the bytes, so that seeds can be seen to
  // be good.
  size_t (*run)(const Slice& bytes);
  // Good inputs to begin with.
  std::vector<std::string> (*seeds)();
};

std::span<const Decoder> Decoders();

}  // namespace ROCKSDB_NAMESPACE::fuzz

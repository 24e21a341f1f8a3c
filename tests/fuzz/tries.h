// The block of a trie index as a decoder of arbitrary bytes.
//
// Threads    Pure functions.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "rocksdb/slice.h"

namespace ROCKSDB_NAMESPACE::fuzz {

// How many blocks does a scan find? Scans both ways, and seeks.
size_t RunTrie(const Slice& bytes);
std::vector<std::string> TrieSeeds();

}  // namespace ROCKSDB_NAMESPACE::fuzz

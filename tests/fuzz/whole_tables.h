// Whole files of the formats without checksums, plain and cuckoo tables, as
// decoders of arbitrary bytes.
//
// Threads    Pure functions.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "rocksdb/slice.h"

namespace ROCKSDB_NAMESPACE::fuzz {

// How many entries does a scan find? Looks keys up, scans both ways and
// verifies, too.
size_t RunPlainTable(const Slice& bytes);
size_t RunCuckooTable(const Slice& bytes);
std::vector<std::string> PlainTableSeeds();
std::vector<std::string> CuckooTableSeeds();

}  // namespace ROCKSDB_NAMESPACE::fuzz

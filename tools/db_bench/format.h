// printf into a string, for the lines that scripts parse.
//
// Threads    Any.

#pragma once

#include <cstdint>
#include <string>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE::bench {

__attribute__((format(printf, 1, 2))) std::string Format(const char* pattern,
                                                         ...);

// An integer as %llu takes it, whatever type it has on this platform.
inline unsigned long long Printable(uint64_t value) { return value; }

}  // namespace ROCKSDB_NAMESPACE::bench

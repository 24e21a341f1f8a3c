#pragma once

// XXH3 with 64 bits and seed 0, by the widest instructions of this processor:
// for bytes that are many, such as blocks. For keys, Hash64() is as fast.
//
// Threads  Any.

#include <cstddef>
#include <cstdint>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE {
namespace xxh3 {

uint64_t Value(const char* data, size_t n);

// The twins behind Value(), for tests. The wide one only where it is
// supported.
uint64_t ValuePortable(const char* data, size_t n);
uint64_t ValueWide(const char* data, size_t n);
bool WideIsSupported();

}  // namespace xxh3
}  // namespace ROCKSDB_NAMESPACE

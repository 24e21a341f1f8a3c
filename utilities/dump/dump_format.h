// A dumped database, as bytes:
//
//   "ROCKDUMP" | 8 bytes, big-endian: version, 1 | chunk: about the dump, JSON
//   | (chunk: key | chunk: value) ...  to the end of the file chunk = fixed32
//   length | bytes
//
// There is no checksum and no mark at the end.
#pragma once

#include <string_view>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE {

inline constexpr std::string_view kDumpHeader("ROCKDUMP\0\0\0\0\0\0\0\1", 16);
inline constexpr size_t kDumpMagicBytes = 8;

}  // namespace ROCKSDB_NAMESPACE

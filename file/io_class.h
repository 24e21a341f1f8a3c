// Whom a background request is made for, and by which calls.
#pragma once

#include <cstddef>
#include <cstdint>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE {

// High to low.
enum class IoClass : uint8_t { kFlush, kLevel0, kDeep, kMaintenance };
inline constexpr size_t kIoClassCount = 4;

const char* IoClassName(IoClass io_class);

// What each does: io_lane.h.
enum class IoBackend : uint8_t { kFileSystem, kHelpers, kInline };

}  // namespace ROCKSDB_NAMESPACE

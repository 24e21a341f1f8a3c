// What the allocator of the C library says of itself.
#pragma once

#include <string>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE {

// The allocator's own report; empty where it has none. From any thread.
std::string MallocStatsText();

}  // namespace ROCKSDB_NAMESPACE

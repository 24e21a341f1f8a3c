// Flags of the reference tool that are not there, and what they would need.
//
// They are taken where they ask for nothing: with their default, or 0.
//
// Threads    Immutable; any thread.

#pragma once

#include <string>

#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE::stress {

bool IsAbsentFlag(const std::string& name);

// OK if `value` asks for nothing, else NotSupported with what is missing.
Status CheckAbsentFlag(const std::string& name, const std::string& value);

}  // namespace ROCKSDB_NAMESPACE::stress

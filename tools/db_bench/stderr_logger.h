// A log of the engine that goes to stderr.
//
// Threads    Any.

#pragma once

#include <memory>

#include "rocksdb/env.h"
#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE::bench {

std::shared_ptr<Logger> NewStderrLogger();

}  // namespace ROCKSDB_NAMESPACE::bench

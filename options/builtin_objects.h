// The objects of the floors below options, which cannot register themselves.
//
// Threads  Called once, by the registry.
#pragma once

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE {

void RegisterBuiltinObjects();

}  // namespace ROCKSDB_NAMESPACE

#pragma once

// A ConfigOptions for calls that do not look at it. The struct belongs to a
// floor above util, so that its constructor is not there to be linked.

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE {

struct ConfigOptions;

inline const ConfigOptions& NoConfig() {
  alignas(16) static const char nothing[16] = {};
  return reinterpret_cast<const ConfigOptions&>(nothing);
}

}  // namespace ROCKSDB_NAMESPACE

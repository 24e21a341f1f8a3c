// The version of the interface, and of the engine behind it.
//
// ROCKSDB_* is the RocksDB release whose interface these headers follow:
// programs compare it to know which calls exist. BASALT_VERSION_* counts the
// engine's own releases.
//
// Threads    Every call may be made from any thread.

#pragma once

#include <string>
#include <unordered_map>

#include "rocksdb/rocksdb_namespace.h"

#define ROCKSDB_MAJOR 11
#define ROCKSDB_MINOR 9
#define ROCKSDB_PATCH 0

#define BASALT_VERSION_MAJOR 0
#define BASALT_VERSION_MINOR 1
#define BASALT_VERSION_PATCH 0

// Whether this header is of the given interface version or a later one; for use
// in #if, behind a look whether the macro is there.
#define ROCKSDB_VERSION_GE(major, minor, patch)             \
  (ROCKSDB_MAJOR > (major) ||                               \
   (ROCKSDB_MAJOR == (major) && ROCKSDB_MINOR > (minor)) || \
   (ROCKSDB_MAJOR == (major) && ROCKSDB_MINOR == (minor) && \
    ROCKSDB_PATCH >= (patch)))

namespace ROCKSDB_NAMESPACE {

// The version of the interface that the *library* was built with, as
// "11.9.0", or "11.9" if `with_patch` is false.
std::string GetRocksVersionAsString(bool with_patch = true);

// What the library was built from: names such as "basalt_version",
// "rocksdb_version", "compiler" and "codecs", each with its value.
const std::unordered_map<std::string, std::string>& GetRocksBuildProperties();

// "<program> (RocksDB) 11.9.0", and if `verbose` a line for each build
// property after it.
std::string GetRocksBuildInfoAsString(const std::string& program,
                                      bool verbose = false);

}  // namespace ROCKSDB_NAMESPACE

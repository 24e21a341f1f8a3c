// How much memory this process may use.
#pragma once

#include <cstdint>
#include <string>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE {

// Bytes: the limit of the process's memory group (cgroup version 2 or 1) or of
// one around it, else the machine's memory. Read once.
uint64_t MemoryLimitOfProcess();

// The smallest limit that `cgroup_file` (as /proc/self/cgroup) and the groups
// under `root` (as /sys/fs/cgroup) name; UINT64_MAX: none.
uint64_t MemoryLimitOfGroups(const std::string& cgroup_file,
                             const std::string& root);

// Bytes that may still be taken, for the page cache too, before something else
// has to make room: of the machine, and of the process's groups. Read anew at
// each call, which takes some small files.
uint64_t FreeMemoryOfProcess();

// The least that the groups have left, likewise; UINT64_MAX: no limits.
uint64_t FreeMemoryOfGroups(const std::string& cgroup_file,
                            const std::string& root);

}  // namespace ROCKSDB_NAMESPACE

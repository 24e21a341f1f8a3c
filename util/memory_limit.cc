#include "util/memory_limit.h"

#include <unistd.h>

#include <algorithm>
#include <fstream>

namespace ROCKSDB_NAMESPACE {

namespace {

// What the file says in digits; UINT64_MAX if it is not there or says "max".
uint64_t NumberIn(const std::string& path) {
  std::ifstream file(path);
  uint64_t value = 0;
  return file >> value ? value : UINT64_MAX;
}

// Of a group and those around it, up to `root`.
uint64_t SmallestUpwards(const std::string& root, std::string group,
                         const char* name) {
  uint64_t limit = UINT64_MAX;
  while (true) {
    std::string path = root;
    path.append(group).append("/").append(name);
    limit = std::min(limit, NumberIn(path));
    const size_t slash = group.rfind('/');
    if (slash == std::string::npos) return limit;
    group.resize(slash);
  }
}

}  // namespace

uint64_t MemoryLimitOfGroups(const std::string& cgroup_file,
                             const std::string& root) {
  uint64_t limit = UINT64_MAX;
  std::ifstream groups(cgroup_file);
  std::string line;
  // Lines are "number:controllers:/path"; version 2 has no controllers.
  while (std::getline(groups, line)) {
    const size_t first = line.find(':');
    const size_t second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    std::string group = line.substr(second + 1);
    if (group == "/") group.clear();
    if (controllers.empty()) {
      limit = std::min(limit, SmallestUpwards(root, group, "memory.max"));
    } else if (controllers.find("memory") != std::string::npos) {
      limit = std::min(limit, SmallestUpwards(root + "/memory", group,
                                              "memory.limit_in_bytes"));
    }
  }
  return limit;
}

uint64_t MemoryLimitOfProcess() {
  static const uint64_t limit = [] {
    const long pages = sysconf(_SC_PHYS_PAGES);
    const long page_bytes = sysconf(_SC_PAGESIZE);
    const uint64_t machine =
        pages > 0 && page_bytes > 0
            ? static_cast<uint64_t>(pages) * static_cast<uint64_t>(page_bytes)
            : UINT64_MAX;
    return std::min(machine,
                    MemoryLimitOfGroups("/proc/self/cgroup", "/sys/fs/cgroup"));
  }();
  return limit;
}

}  // namespace ROCKSDB_NAMESPACE

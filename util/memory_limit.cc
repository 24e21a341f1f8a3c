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

// The files that tell a control group's limit and usage; they have other names
// in version 2.
struct GroupFiles {
  const char* limit;
  const char* usage;
};
constexpr GroupFiles kVersion1{"memory.limit_in_bytes",
                               "memory.usage_in_bytes"};
constexpr GroupFiles kVersion2{"memory.max", "memory.current"};

struct GroupMemory {
  uint64_t limit = UINT64_MAX;
  uint64_t free = UINT64_MAX;
};

// Lowers *memory to the least limit and the least free bytes of the group and
// those around it, up to `root`.
void TakeUpwards(const std::string& root, std::string group,
                 const GroupFiles& files, GroupMemory* memory) {
  while (true) {
    const std::string folder = root + group + "/";
    const uint64_t limit = NumberIn(folder + files.limit);
    if (limit != UINT64_MAX) {
      memory->limit = std::min(memory->limit, limit);
      const uint64_t used = std::min(limit, NumberIn(folder + files.usage));
      memory->free = std::min(memory->free, limit - used);
    }
    const size_t slash = group.rfind('/');
    if (slash == std::string::npos) return;
    group.resize(slash);
  }
}

GroupMemory MemoryOfGroups(const std::string& cgroup_file,
                           const std::string& root) {
  GroupMemory memory;
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
      TakeUpwards(root, group, kVersion2, &memory);
    } else if (controllers.find("memory") != std::string::npos) {
      TakeUpwards(root + "/memory", group, kVersion1, &memory);
    }
  }
  return memory;
}

constexpr const char* kOwnGroups = "/proc/self/cgroup";
constexpr const char* kGroupRoot = "/sys/fs/cgroup";

// _SC_PHYS_PAGES or _SC_AVPHYS_PAGES in bytes.
uint64_t MachineBytes(int pages_name) {
  const long pages = sysconf(pages_name);
  const long page_bytes = sysconf(_SC_PAGESIZE);
  return pages >= 0 && page_bytes > 0
             ? static_cast<uint64_t>(pages) * static_cast<uint64_t>(page_bytes)
             : UINT64_MAX;
}

}  // namespace

uint64_t MemoryLimitOfGroups(const std::string& cgroup_file,
                             const std::string& root) {
  return MemoryOfGroups(cgroup_file, root).limit;
}

uint64_t FreeMemoryOfGroups(const std::string& cgroup_file,
                            const std::string& root) {
  return MemoryOfGroups(cgroup_file, root).free;
}

uint64_t MemoryLimitOfProcess() {
  static const uint64_t limit =
      std::min(MachineBytes(_SC_PHYS_PAGES),
               MemoryLimitOfGroups(kOwnGroups, kGroupRoot));
  return limit;
}

uint64_t FreeMemoryOfProcess() {
  return std::min(MachineBytes(_SC_AVPHYS_PAGES),
                  FreeMemoryOfGroups(kOwnGroups, kGroupRoot));
}

}  // namespace ROCKSDB_NAMESPACE

#include "tools/ldb/live/process_io.h"

#include <fcntl.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>

namespace ROCKSDB_NAMESPACE {

namespace {

std::string ProcPath(int process, const char* name) {
  return "/proc/" + std::to_string(process) + "/" + name;
}

// "<name> <number>" or "<name>: <number>" among the lines of a file.
std::optional<uint64_t> NumberIn(const std::string& path,
                                 const std::string& name) {
  std::ifstream lines(path);
  std::string word;
  uint64_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    if (!(words >> word >> number)) continue;
    if (word == name || word == name + ":") return number;
  }
  return std::nullopt;
}

// The flags that a descriptor was opened with, or changed to.
uint64_t FlagsOf(int process, const std::string& descriptor) {
  std::ifstream lines(ProcPath(process, "fdinfo/") + descriptor);
  std::string word, flags;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    if (words >> word >> flags && word == "flags:") {
      return std::strtoull(flags.c_str(), nullptr, 8);
    }
  }
  return 0;
}

// The directory of the process's control group, version 2; empty: it has none.
std::string GroupDirectoryOf(int process) {
  std::ifstream lines(ProcPath(process, "cgroup"));
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("0::", 0) == 0) return "/sys/fs/cgroup" + line.substr(3);
  }
  return "";
}

}  // namespace

std::map<std::string, OpenCounts> OpenFilesOf(int process,
                                              const std::string& directory) {
  std::map<std::string, OpenCounts> counts;
  std::error_code error;
  const std::filesystem::directory_iterator end;
  std::filesystem::directory_iterator it(ProcPath(process, "fd"), error);
  for (; !error && it != end; it.increment(error)) {
    // A descriptor may go while it is looked at.
    std::error_code gone;
    const std::string path = std::filesystem::read_symlink(it->path(), gone);
    if (gone || path.rfind(directory + "/", 0) != 0) continue;
    const uint64_t flags = FlagsOf(process, it->path().filename());
    OpenCounts& of_file = counts[path];
    ++((flags & O_DIRECT) != 0 ? of_file.direct : of_file.buffered);
  }
  return counts;
}

std::optional<ProcessIo> IoOf(int process) {
  const std::string path = ProcPath(process, "io");
  const auto read = NumberIn(path, "read_bytes");
  const auto written = NumberIn(path, "write_bytes");
  const auto called = NumberIn(path, "rchar");
  if (!read || !written || !called) return std::nullopt;
  return ProcessIo{*read, *written, *called};
}

std::optional<Refaults> RefaultsOf(int process) {
  static constexpr char kName[] = "workingset_refault_file";
  if (process != 0) {
    const std::string group = GroupDirectoryOf(process);
    if (!group.empty()) {
      if (const auto pages = NumberIn(group + "/memory.stat", kName)) {
        return Refaults{*pages, true};
      }
    }
  }
  if (const auto pages = NumberIn("/proc/vmstat", kName)) {
    return Refaults{*pages, false};
  }
  return std::nullopt;
}

}  // namespace ROCKSDB_NAMESPACE

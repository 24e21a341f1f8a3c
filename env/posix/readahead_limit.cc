#include "env/posix/readahead_limit.h"

#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <algorithm>
#include <fstream>

namespace ROCKSDB_NAMESPACE {

namespace {

size_t ReadKilobytes(const std::string& path) {
  std::ifstream file(path);
  size_t kilobytes = 0;
  return file >> kilobytes ? kilobytes : 0;
}

}  // namespace

size_t ReadaheadLimit(const std::string& path) {
  struct stat info;
  if (stat(path.c_str(), &info) != 0) return 0;
  const std::string device = "/sys/dev/block/" +
                             std::to_string(major(info.st_dev)) + ":" +
                             std::to_string(minor(info.st_dev));
  // A partition has no queue of its own; its disk is one level up.
  for (const char* queue : {"/queue/", "/../queue/"}) {
    const size_t kilobytes =
        std::max(ReadKilobytes(device + queue + "read_ahead_kb"),
                 ReadKilobytes(device + queue + "max_sectors_kb"));
    if (kilobytes != 0) return kilobytes << 10;
  }
  return 0;
}

}  // namespace ROCKSDB_NAMESPACE

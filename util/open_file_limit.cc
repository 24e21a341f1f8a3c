#include "util/open_file_limit.h"

#include <sys/resource.h>

#include <limits>

namespace ROCKSDB_NAMESPACE {

uint64_t OpenFileLimitOfProcess() {
  struct rlimit limit = {};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0 ||
      limit.rlim_cur == RLIM_INFINITY) {
    return std::numeric_limits<uint64_t>::max();
  }
  return limit.rlim_cur;
}

}  // namespace ROCKSDB_NAMESPACE

#include "util/invariant.h"

#include <cstdio>
#include <cstdlib>

namespace ROCKSDB_NAMESPACE {

void InvariantFailed(const char* file, int line, const char* condition) {
  std::fprintf(stderr, "%s:%d: invariant broken: %s\n", file, line, condition);
  std::fflush(stderr);
  std::abort();
}

}  // namespace ROCKSDB_NAMESPACE

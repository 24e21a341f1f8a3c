#include "tools/ldb/live/screen.h"

#include <unistd.h>

#include <cstdio>

namespace ROCKSDB_NAMESPACE {

void BeginScreen() {
  // To the upper left, and clear.
  if (isatty(STDOUT_FILENO) != 0) std::fputs("\033[H\033[J", stdout);
}

bool FlushScreen() {
  return std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
}

}  // namespace ROCKSDB_NAMESPACE

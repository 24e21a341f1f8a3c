#include "tools/ldb/live/screen.h"

#include <unistd.h>

#include <cstdio>

#include "tools/common/exit_status.h"

namespace ROCKSDB_NAMESPACE {

void BeginScreen() {
  // To the upper left, and clear.
  if (isatty(STDOUT_FILENO) != 0) std::fputs("\033[H\033[J", stdout);
}

bool FlushScreen() { return tools::IsOutputWritten(); }

}  // namespace ROCKSDB_NAMESPACE

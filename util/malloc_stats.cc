#include "util/malloc_stats.h"

#if defined(__GLIBC__)
#include <malloc.h>

#include <cstdio>
#include <cstdlib>
#endif

namespace ROCKSDB_NAMESPACE {

#if defined(__GLIBC__)

std::string MallocStatsText() {
  char* text = nullptr;
  size_t size = 0;
  FILE* stream = open_memstream(&text, &size);
  if (stream == nullptr) return "";
  const bool is_told = malloc_info(0, stream) == 0;
  const bool is_written = fclose(stream) == 0;
  std::string result;
  if (is_told && is_written) result.assign(text, size);
  free(text);
  return result;
}

#else

std::string MallocStatsText() { return ""; }

#endif

}  // namespace ROCKSDB_NAMESPACE

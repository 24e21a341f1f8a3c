// cache_bench: measures a block cache by many threads that look up, insert and
// erase.

#include "rocksdb/cache_bench_tool.h"

int main(int argc, char** argv) {
  return ROCKSDB_NAMESPACE::cache_bench_tool(argc, argv);
}

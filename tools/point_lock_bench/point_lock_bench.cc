// point_lock_bench: measures the locks of transactions on single keys.

#include "rocksdb/point_lock_bench_tool.h"

int main(int argc, char** argv) {
  return ROCKSDB_NAMESPACE::point_lock_bench_tool(argc, argv);
}

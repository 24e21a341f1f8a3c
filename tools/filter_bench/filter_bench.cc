// filter_bench: how long filters take to be built and asked, how large they
// are, and how often they are wrong.

#include "tools/filter_bench/filter_bench_tool.h"

int main(int argc, char** argv) {
  return ROCKSDB_NAMESPACE::filter_bench::RunTool(argc, argv);
}

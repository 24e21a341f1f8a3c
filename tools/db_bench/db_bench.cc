// db_bench: measures an engine through RocksDB's public interface.
//
// It is compiled against Basalt or against a stock RocksDB, so that both are
// measured by the same program; docs/benchmarking.md says how to use it.

#include "tools/db_bench/bench_run.h"

int main(int argc, char** argv) {
  namespace bench = ROCKSDB_NAMESPACE::bench;
  return bench::RunDbBench(argc, argv, bench::Openings());
}

// Runs the steps of a plan, one after another, and prints what they measure.
//
// Threads    Confined to the main thread; each benchmark runs in threads of
//            its own, which start together.
// Errors     The first Status that is not OK ends the plan.

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/status.h"
#include "tools/db_bench/csv_reporter.h"
#include "tools/db_bench/database.h"
#include "tools/db_bench/numa_nodes.h"
#include "tools/db_bench/plan.h"
#include "tools/db_bench/stats.h"

namespace ROCKSDB_NAMESPACE::bench {

class Runner {
 public:
  // Borrows both; `reporter` may be null.
  Runner(Database* database, CsvReporter* reporter, uint64_t seed);

  Status Run(const std::vector<Step>& plan);

 private:
  Status RunStep(const Step& step);
  Status RunCommand(const Step& step);
  Status RunRepeatedly(const Step& step);
  Status RunOnce(const Benchmark& benchmark, Stats* total);

  Worker MakeWorker(const Benchmark& benchmark, int index);

  Database* const database_;
  CsvReporter* const reporter_;
  uint64_t next_seed_;
  NumaNodes nodes_;
  ReadOptions read_options_;
  WriteOptions write_options_;
};

}  // namespace ROCKSDB_NAMESPACE::bench

// The averages of a benchmark that is run several times, as in "[X5]".
//
// Threads    Confined to the main thread.

#pragma once

#include <string>
#include <vector>

#include "rocksdb/rocksdb_namespace.h"
#include "tools/db_bench/stats.h"

namespace ROCKSDB_NAMESPACE::bench {

class RepeatedRuns {
 public:
  // Adds a run, and from the second on prints the averages so far.
  void Add(const std::string& name, const Stats& run);

  // Average and median of all runs; nothing if there were none.
  void PrintFinal(const std::string& name) const;

 private:
  std::vector<double> operations_per_second_;
  std::vector<double> megabytes_per_second_;
  std::vector<double> milliseconds_per_operation_;
};

}  // namespace ROCKSDB_NAMESPACE::bench

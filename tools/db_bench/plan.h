// The list of --benchmarks, read and checked before anything is run.
//
// Threads    Confined to the main thread.
// Errors     InvalidArgument that quotes the name or the suffix.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/status.h"
#include "tools/db_bench/benchmarks.h"

namespace ROCKSDB_NAMESPACE::bench {

struct Step {
  std::string name;
  std::optional<Benchmark> benchmark;  // Either this
  std::optional<Command> command;      // or this.
  int warm_ups = 0;
  int runs = 1;
};

// All names that --benchmarks may have.
std::vector<std::string> BenchmarkNames();

// A name that this program does not have is an error if the command line
// gave the list; in the default list it is left out, and stderr says so.
Status MakePlan(std::vector<Step>* result);

}  // namespace ROCKSDB_NAMESPACE::bench

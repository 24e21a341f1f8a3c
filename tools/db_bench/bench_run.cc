#include "tools/db_bench/bench_run.h"

#include <gflags/gflags.h>

#include <chrono>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/statistics.h"
#include "tools/db_bench/csv_reporter.h"
#include "tools/db_bench/database.h"
#include "tools/db_bench/engine.h"
#include "tools/db_bench/engine_options.h"
#include "tools/db_bench/flag_names.h"
#include "tools/db_bench/flags.h"
#include "tools/db_bench/header.h"
#include "tools/db_bench/plan.h"
#include "tools/db_bench/runner.h"

namespace ROCKSDB_NAMESPACE::bench {

namespace {

uint64_t ChooseSeed() {
  if (FLAGS_seed != 0) return static_cast<uint64_t>(FLAGS_seed);
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const int64_t seed =
      std::chrono::duration_cast<std::chrono::microseconds>(now).count();
  printf("Set seed to %lld because --seed was 0\n",
         static_cast<long long>(seed));
  return static_cast<uint64_t>(seed);
}

Status RunPlan(const std::vector<Step>& plan, const Openings& openings) {
  Options options;
  if (Status s = MakeEngineOptions(&options); !s.ok()) return s;
  std::unique_ptr<CsvReporter> reporter;
  if (FLAGS_report_interval_seconds > 0) {
    Status s =
        CsvReporter::Open({.path = FLAGS_report_file,
                           .interval_seconds = FLAGS_report_interval_seconds,
                           .has_latencies = FLAGS_report_latencies},
                          &reporter);
    if (!s.ok()) return s;
  }
  const uint64_t seed = ChooseSeed();
  PrintHeader(options);
  Database database(options, openings);
  if (Status s = database.Open(); !s.ok()) return s;
  Status s = Runner(&database, reporter.get(), seed).Run(plan);
  if (!s.ok()) return s;
  if (options.statistics != nullptr) {
    printf("STATISTICS:\n%s\n", options.statistics->ToString().c_str());
  }
  return database.Close();
}

}  // namespace

int RunDbBench(int argc, char** argv, const Openings& openings) {
  gflags::SetUsageMessage(
      "\nUSAGE:\n" + std::string(argv[0]) +
      " [--benchmarks=<name>,...] [--<flag>=<value>]...\n"
      "Measures an engine with RocksDB's interface; --helpfull lists flags.");
  gflags::SetVersionString("\n" + EngineVersion());
  if (const std::string name = FirstUnknownFlag(argc, argv); !name.empty()) {
    const std::string nearest = NearestFlag(name);
    fprintf(stderr, "ERROR: unknown command line flag '%s'%s%s\n", name.c_str(),
            nearest.empty() ? "" : "; the nearest is --", nearest.c_str());
    return 1;
  }
  gflags::ParseCommandLineFlags(&argc, &argv, /*remove_flags=*/true);
  std::string error = CheckFlags();
  if (argc > 1) error = std::string(argv[1]) + ": not a flag";
  if (!error.empty()) {
    fprintf(stderr, "db_bench: %s\n", error.c_str());
    return 1;
  }
  std::vector<Step> plan;
  Status s = MakePlan(&plan);
  if (s.ok()) s = RunPlan(plan, openings);
  fflush(stdout);
  if (s.ok()) return 0;
  fprintf(stderr, "db_bench: %s\n", s.ToString().c_str());
  return 1;
}

}  // namespace ROCKSDB_NAMESPACE::bench

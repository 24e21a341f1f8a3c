#include "tools/db_bench/bench_run.h"

#include <gflags/gflags.h>

#include <chrono>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/statistics.h"
#include "rocksdb/version.h"
#include "tools/common/exit_status.h"
#include "tools/db_bench/caches.h"
#include "tools/db_bench/csv_reporter.h"
#include "tools/db_bench/database.h"
#include "tools/db_bench/engine_options.h"
#include "tools/db_bench/flag_names.h"
#include "tools/db_bench/flags.h"
#include "tools/db_bench/header.h"
#include "tools/db_bench/plan.h"
#include "tools/db_bench/runner.h"
#include "tools/db_bench/shutdown_watchdog.h"

#if __has_include(<malloc.h>)
#include <malloc.h>
#endif

DEFINE_bool(build_info, false, "Print how the engine was built; run nothing.");
DEFINE_bool(list_benchmarks, false,
            "Print the names of all benchmarks; run nothing.");
DEFINE_bool(print_malloc_stats, false,
            "Print the allocator's statistics after all benchmarks.");

namespace ROCKSDB_NAMESPACE::bench {

namespace {

constexpr char kProgram[] = "db_bench";

uint64_t ChooseSeed() {
  if (FLAGS_seed != 0) return static_cast<uint64_t>(FLAGS_seed);
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const int64_t seed =
      std::chrono::duration_cast<std::chrono::microseconds>(now).count();
  printf("Set seed to %lld because --seed was 0\n",
         static_cast<long long>(seed));
  return static_cast<uint64_t>(seed);
}

void PrintMallocStats() {
  if (!FLAGS_print_malloc_stats) return;
#if __has_include(<malloc.h>)
  malloc_info(/*options=*/0, stdout);
#else
  printf("--print_malloc_stats: this C library has none\n");
#endif
}

// What is wrong with the command line is told as RocksDB's db_bench does, bare.
std::string ErrorLine(const std::string& trouble, const Status& s) {
  const bool is_of_line = trouble == kProgram && s.IsInvalidArgument();
  return is_of_line && s.getState() != nullptr ? s.getState()
                                               : trouble + ": " + s.ToString();
}

// *trouble: what has failed, if it is known.
Status RunPlan(const std::vector<Step>& plan, const Openings& openings,
               const char** trouble) {
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
  // Outlives the database, which it watches.
  ShutdownWatchdog watchdog;
  Database database(options, openings);
  Status s = database.Open();
  const bool is_open = s.ok();
  if (s.ok()) s = Runner(&database, reporter.get(), seed).Run(plan);
  if (database.failed_to_open()) *trouble = "open error";
  if (!s.ok()) {
    if (is_open) watchdog.Watch(s);
    return s;
  }
  printf("%s", SimulatedCacheReport().c_str());
  if (options.statistics != nullptr) {
    printf("STATISTICS:\n%s\n", options.statistics->ToString().c_str());
  }
  PrintMallocStats();
  return database.Close();
}

int Run(int argc, char** argv, const Openings& openings) {
  gflags::SetUsageMessage(
      "\nUSAGE:\n" + std::string(argv[0]) +
      " [--benchmarks=<name>,...] [--<flag>=<value>]...\n"
      "Measures an engine with RocksDB's interface; --helpfull lists flags.");
  gflags::SetVersionString(GetRocksVersionAsString());
  if (const std::string name = FirstUnknownFlag(argc, argv); !name.empty()) {
    const std::string nearest = NearestFlag(name);
    fprintf(stderr, "ERROR: unknown command line flag '%s'%s%s\n", name.c_str(),
            nearest.empty() ? "" : "; the nearest is --", nearest.c_str());
    return 1;
  }
  gflags::ParseCommandLineFlags(&argc, &argv, /*remove_flags=*/true);
  if (FLAGS_build_info) {
    printf("%s\n", GetRocksBuildInfoAsString("", /*verbose=*/true).c_str());
    return 0;
  }
  if (FLAGS_list_benchmarks) {
    for (const std::string& name : BenchmarkNames())
      printf("%s\n", name.c_str());
    return 0;
  }
  std::string error = CheckFlags();
  if (argc > 1) error = std::string(argv[1]) + ": not a flag";
  if (!error.empty()) {
    fprintf(stderr, "%s\n", error.c_str());
    return 1;
  }
  std::vector<Step> plan;
  Status s = MakePlan(&plan);
  const char* trouble = kProgram;
  if (s.ok()) s = RunPlan(plan, openings, &trouble);
  fflush(stdout);  // Before what went wrong.
  if (s.ok()) return 0;
  fprintf(stderr, "%s\n", ErrorLine(trouble, s).c_str());
  return 1;
}

}  // namespace

int RunDbBench(int argc, char** argv, const Openings& openings) {
  return tools::ExitStatus(Run(argc, argv, openings));
}

}  // namespace ROCKSDB_NAMESPACE::bench

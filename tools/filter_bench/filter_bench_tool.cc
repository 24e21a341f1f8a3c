#include "tools/filter_bench/filter_bench_tool.h"

#include <cstdio>

#include "tools/common/exit_status.h"
#include "tools/filter_bench/filter_set.h"
#include "tools/filter_bench/queries.h"
#include "tools/filter_bench/settings.h"

namespace ROCKSDB_NAMESPACE::filter_bench {

namespace {

void PrintFilterRule() { std::printf("----------------------------\n"); }

bool RunOnce(const Settings& settings) {
  std::printf("Building...\n");
  FilterSet filters(settings);
  if (const Status s = filters.Build(); !s.ok()) {
    std::fprintf(stderr, "%s\n", s.ToString().c_str());
    return false;
  }
  filters.Print();
  Queries queries(settings, filters);
  PrintFilterRule();
  if (!queries.Run("Mixed inside/outside queries...", 50)) return false;
  if (!settings.quick) {
    PrintFilterRule();
    if (!queries.Run("Inside queries (mostly)...", 95)) return false;
    PrintFilterRule();
    if (!queries.Run("Outside queries (mostly)...", 5)) return false;
  }
  PrintFilterRule();
  return true;
}

int RunFilterBench(int argc, char** argv) {
  Settings settings;
  if (const auto status = ParseSettings(argc, argv, &settings)) return *status;
  if (settings.legend) {
    Queries::PrintLegend();
    return 0;
  }
#ifndef NDEBUG
  std::printf(
      "WARNING: Assertions are enabled; benchmarks unnecessarily slow\n");
#endif
  for (uint32_t i = 0; i < settings.runs; ++i) {
    if (!RunOnce(settings)) return 1;
  }
  std::printf("Done. (For what the lines mean: --legend.)\n");
  return 0;
}

}  // namespace

int RunTool(int argc, char** argv) {
  return tools::ExitStatus(RunFilterBench(argc, argv));
}

}  // namespace ROCKSDB_NAMESPACE::filter_bench

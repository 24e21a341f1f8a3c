#include "rocksdb/cache_bench_tool.h"

#include <cstdio>
#include <memory>
#include <random>

#include "rocksdb/advanced_cache.h"
#include "rocksdb/env.h"
#include "tools/cache_bench/instance_stress.h"
#include "tools/cache_bench/key_stress.h"
#include "tools/cache_bench/settings.h"
#include "tools/cache_bench/workload.h"
#include "tools/common/exit_status.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// What ReportProblems() has to say goes where the program's errors do.
class StderrProblems final : public Logger {
 public:
  using Logger::Logv;
  void Logv(const char* format, va_list arguments) override {
    std::vfprintf(stderr, format, arguments);
    std::fputc('\n', stderr);
  }
};

int RunCacheBench(int argc, char** argv) {
  cache_bench::Settings settings;
  if (const auto status = cache_bench::ParseSettings(argc, argv, &settings))
    return *status;
  if (settings.seed == 0) {
    settings.seed = 1 + std::random_device()();
    std::printf("Using seed = %llu\n",
                static_cast<unsigned long long>(settings.seed));
  }
  if (settings.stress_cache_key) {
    cache_bench::KeyStress(settings.keys, settings.seed).Run();
    return 0;
  }
  if (settings.stress_cache_instances > 0) {
    const Status s = cache_bench::StressInstances(settings);
    if (!s.ok()) std::fprintf(stderr, "%s\n", s.ToString().c_str());
    return s.ok() ? 0 : 1;
  }
  std::shared_ptr<Cache> cache;
  const Status s = cache_bench::MakeCache(settings, &cache);
  if (!s.ok()) {
    std::fprintf(stderr, "%s\n", s.ToString().c_str());
    return 1;
  }
  cache_bench::PrintSettings(settings, *cache);
  cache_bench::Workload workload(settings, cache);
  if (settings.populate_cache) workload.Populate();
  const bool is_right = workload.Run();
  if (settings.report_problems) {
    cache->ReportProblems(std::make_shared<StderrProblems>());
  }
  if (settings.early_exit) cache->DisownData();
  return is_right ? 0 : 1;
}

}  // namespace

int cache_bench_tool(int argc, char** argv) {
  return tools::ExitStatus(RunCacheBench(argc, argv));
}

}  // namespace ROCKSDB_NAMESPACE

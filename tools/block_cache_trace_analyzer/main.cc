// block_cache_trace_analyzer: which blocks are asked for, by whom, and what
// other caches would have made of it, from a trace of the block cache.

#include <cstdio>
#include <string>

#include "rocksdb/env.h"
#include "tools/block_cache_trace_analyzer/results.h"
#include "tools/common/exit_status.h"

namespace {

ROCKSDB_NAMESPACE::Status Run(
    const tools::BlockCacheAnalyzerSettings& settings) {
  tools::Accesses accesses;
  ROCKSDB_NAMESPACE::Status s =
      tools::ReadAccesses(settings.trace_path, settings.is_text, &accesses);
  if (s.ok() && !settings.text_path.empty()) {
    s = tools::WriteAccesses(accesses, settings.text_path);
  }
  if (s.ok() && !settings.result_dir.empty()) {
    s = ROCKSDB_NAMESPACE::Env::Default()->CreateDirIfMissing(
        settings.result_dir);
  }
  if (s.ok()) s = tools::WriteSimulation(accesses, settings);
  if (!s.ok() || settings.mrc_only) return s;
  tools::PrintSummary(accesses);
  tools::PrintBlocks(accesses, settings);
  return tools::WriteResults(accesses, settings);
}

}  // namespace

int main(int argc, char** argv) {
  tools::BlockCacheAnalyzerSettings settings;
  tools::Flags flags;
  settings.AddTo(&flags);
  if (!flags.Parse("analyses a trace of the block cache", argc, argv)) {
    return flags.exit_status();
  }
  if (const std::string problem = settings.Check(); !problem.empty()) {
    std::fprintf(stderr, "block_cache_trace_analyzer: %s\n", problem.c_str());
    return 1;
  }
  const ROCKSDB_NAMESPACE::Status s = Run(settings);
  if (s.ok()) return tools::ExitStatus(0);
  std::fprintf(stderr, "block_cache_trace_analyzer: %s: %s\n",
               settings.trace_path.c_str(), s.ToString().c_str());
  return 1;
}

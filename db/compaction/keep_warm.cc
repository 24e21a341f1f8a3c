#include "db/compaction/keep_warm.h"

#include "db/version/heat_keeper.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

void KeepWarmOutputs(const JobContext& job, const Compaction& compaction,
                     const std::vector<CompactionOutputFile>& outputs,
                     uint64_t start_micros) {
  INVARIANT(compaction.options != nullptr);
  HeatKeeper keeper(&job, compaction.options.get());
  for (const CompactionInputLevel& input : compaction.inputs) {
    for (const FileRef& file : input.files) keeper.AddSource(*file);
  }
  std::vector<HeatKeeper::Output> files;
  for (const CompactionOutputFile& file : outputs) {
    files.push_back({file.meta, file.level});
  }
  keeper.Keep(files, start_micros);
}

}  // namespace ROCKSDB_NAMESPACE

#include "db/compaction/keep_warm.h"

#include <cinttypes>

#include "db/family/column_family.h"
#include "db/outputs/heat_keeper.h"
#include "env/posix/page_cache.h"
#include "file/page_cache_room.h"
#include "rocksdb/info_log.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

bool HasPageCacheRoom(const JobContext& job, const Compaction& compaction) {
  if (job.page_cache == nullptr) return true;
  uint64_t needed = 0, found = 0;
  for (const CompactionInputLevel& input : compaction.inputs) {
    for (const FileRef& file : input.files) {
      if (!compaction.Reads(*file)) continue;
      needed += file->size_bytes;
      uint64_t resident = 0;
      const std::string path = job.cfd->tables()->FilePath(*file);
      // A file that the operating system does not know has no cached pages.
      if (ResidentBytes(path, &resident).ok()) found += resident;
    }
  }
  const bool has_room = job.page_cache->NoteJob(needed, found);
  if (has_room == job.leaves_page_cache) {
    Info(job.db->logger,
         "[JOB %d] new files %s the page cache: %" PRIu64
         " bytes of inputs, of which it has %" PRIu64,
         job.job_id, has_room ? "stay in" : "leave", needed, found);
  }
  return has_room;
}

void KeepWarmOutputs(const JobContext& job, const Compaction& compaction,
                     const std::vector<CompactionOutputFile>& outputs,
                     uint64_t start_micros) {
  INVARIANT(compaction.options != nullptr);
  HeatKeeper keeper(&job, compaction.options.get(), start_micros);
  for (const CompactionInputLevel& input : compaction.inputs) {
    for (const FileRef& file : input.files) {
      if (compaction.Reads(*file)) keeper.AddSource(*file);
    }
  }
  std::vector<HeatKeeper::Output> files;
  for (const CompactionOutputFile& file : outputs) {
    files.push_back({file.meta, file.level});
  }
  keeper.Keep(files);
}

}  // namespace ROCKSDB_NAMESPACE

#include "db/jobs/remote_worker.h"

#include <memory>
#include <utility>

#include "db/compaction/compaction.h"
#include "db/compaction/compaction_job.h"
#include "db/compaction/progress_file.h"
#include "db/compaction/remote_compaction.h"
#include "db/jobs/job_contexts.h"
#include "db/manifest/version_set.h"
#include "db/outputs/job_context.h"
#include "db/registry/family_registry.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

void RemoteWorker::Compact(const RemoteCompactionRequest& request,
                           const std::string& directory,
                           const OpenAndCompactOptions& options,
                           RemoteCompactionResult* result) {
  INVARIANT(result != nullptr);
  result->directory = directory;
  std::unique_ptr<FSDirectory> to_sync;
  result->status =
      context_.db->fs->NewDirectory(directory, IOOptions(), &to_sync, nullptr);
  if (result->status.ok() && !options.allow_resumption) {
    result->status =
        CompactionProgressFile::RemoveAll(context_.db->fs, directory);
  }
  if (!result->status.ok()) return;
  MutexLock lock(context_.mutex);
  if (context_.versions->db_id() != request.db_id) {
    result->status = Status::InvalidArgument("a compaction of another database",
                                             request.db_id);
    return;
  }
  ColumnFamilyData* cfd = context_.versions->families()->Find(request.family);
  INVARIANT(cfd != nullptr);
  std::unique_ptr<Compaction> compaction;
  result->status = request.Restore(cfd->current(), cfd->options(), &compaction);
  if (!result->status.ok()) return;
  INVARIANT(cfd->tables()->paths().back() == directory);
  compaction->output_path_id =
      static_cast<uint32_t>(cfd->tables()->paths().size() - 1);
  const FamilyRef family = context_.families->Find(cfd->id());
  JobContext context = context_.jobs->Make(family.get());
  context.snapshots.sequences = request.snapshots;
  context.stop.canceled = options.canceled;
  context.output_directory = [&to_sync](uint32_t) { return to_sync.get(); };
  CompactionProgressFile progress({context_.db->fs, context_.db->clock,
                                   context_.db->logger, to_sync.get(),
                                   directory, request.Encode()});
  CompactionJob job(std::move(context), std::move(compaction));
  job.Prepare();
  {
    MutexUnlock unlock(context_.mutex);
    if (options.allow_resumption) result->status = job.Resume(&progress);
    if (result->status.ok()) result->status = job.Run();
  }
  if (result->status.ok()) return job.HandOver(result);
  // Whatever was wrong, it may be in what was made of it.
  if (result->status.IsCorruption()) progress.Forget();
  result->status = job.Install(result->status);
}

}  // namespace ROCKSDB_NAMESPACE

// Carries out one Compaction: reads the inputs as one sorted stream per
// sub-compaction, applies the semantics, cuts output files, installs the edit.
//
// Contract   Prepare() (mutex), Run() (no mutex), Install() (mutex; released
//            around I/O). On any failure the old version stays in force and
//            every output of the job is deleted. Install() must be called
//            after Run() whatever Run() answered.
// Threads    One thread calls; sub-compactions run on threads of their own.
#pragma once

#include <memory>
#include <vector>

#include "db/compaction/compaction.h"
#include "db/outputs/job_context.h"
#include "db/outputs/level_work.h"
#include "rocksdb/listener.h"

namespace ROCKSDB_NAMESPACE {

class CompactionProgressFile;
struct RemoteCompactionResult;

class CompactionJob {
 public:
  CompactionJob(JobContext context, std::unique_ptr<Compaction> compaction);
  ~CompactionJob();

  void Prepare();  // (mutex)
  // Before Run(): puts outputs on record in `file`, which outlives the job, and
  // takes over those that an earlier run has there. Such a job has one part,
  // and what is on record stays when it fails.
  Status Resume(CompactionProgressFile* file);
  Status Run();  // without the mutex
  // In place of Run(): takes in what another process has made.
  Status Adopt(const RemoteCompactionResult& result);
  // In place of Install(): what Run() made, for the process that asked for
  // it. (mutex)
  void HandOver(RemoteCompactionResult* result);
  // Installs what Run() made, or cleans up after `run_status`. (mutex)
  Status Install(const Status& run_status);

  const JobContext& context() const;
  const Compaction& compaction() const;
  const LevelWork& work() const;
  // For listeners: what the job did.
  void FillInfo(const Status& status, CompactionJobInfo* info) const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

// A compaction that only moves files to another level, or drops them: one
// edit. (mutex)
Status InstallWithoutRewriting(const JobContext& context,
                               const Compaction& compaction, LevelWork* work);
// For listeners, and those who asked for it: what it is to do, and what it did.
// (mutex)
void DescribePlannedMove(const JobContext& context,
                         const Compaction& compaction, CompactionJobInfo* info);
void DescribeWithoutRewriting(const JobContext& context,
                              const Compaction& compaction,
                              const Status& status, CompactionJobInfo* info);

}  // namespace ROCKSDB_NAMESPACE

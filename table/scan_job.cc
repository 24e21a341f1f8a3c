#include "table/scan_job.h"

#include <utility>

#include "util/ignore_error.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

ScanJob::ScanJob(const TableParts& parts, ScanPlan& plan,
                 uint64_t cached_count) {
  table_.parts = &parts;
  table_.plan = &plan;
  table_.cached_count = cached_count;
}

ScanJob::~ScanJob() {
  if (reads_ != nullptr) ReadSetInternal::End(reads_.get());
}

std::unique_ptr<ScanJob> ScanJob::Submit(const TableParts& parts,
                                         const ReadOptions& read,
                                         ScanPlan& plan, ScanBlocks blocks) {
  auto scan = std::make_unique<ScanJob>(parts, plan, blocks.cached_count);
  auto job = std::make_shared<IOJob>();
  job->block_handles = std::move(blocks.missing);
  job->table = &scan->table_;
  job->job_options.io_coalesce_threshold = plan.coalesce_bytes;
  job->job_options.read_options = read;
  job->job_options.read_options.async_io = plan.is_async;
  job->job_options.block_handles_are_sorted = !plan.goes_down;
  if (plan.dispatcher == nullptr) {
    scan->reads_ = ReadSetInternal::Begin(*job, parts.file.statistics, nullptr);
    return scan;
  }
  std::shared_ptr<ReadSet> reads;
  Status s = plan.dispatcher->SubmitJob(job, &reads);
  // Whoever keeps the job longer than the scan finds no table in it.
  job->table = nullptr;
  if (s.ok()) {
    scan->reads_ = std::move(reads);
  } else {
    IgnoreError(s, "blocks are read one by one, and their errors told");
  }
  return scan;
}

std::shared_ptr<PlannedReads> ScanJob::planned() const {
  return reads_ != nullptr ? ReadSetInternal::Planned(*reads_) : nullptr;
}

}  // namespace ROCKSDB_NAMESPACE

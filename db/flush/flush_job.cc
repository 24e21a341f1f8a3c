#include "db/flush/flush_job.h"

#include "db/flush/level0_writer.h"
#include "db/version/heat_keeper.h"
#include "db/version/table_output.h"
#include "monitoring/statistics_impl.h"
#include "rocksdb/env.h"
#include "rocksdb/info_log.h"
#include "rocksdb/system_clock.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

class FlushJob::Impl {
 public:
  Impl(JobContext context, Request request)
      : context_(std::move(context)),
        request_(std::move(request)),
        options_(context_.cfd->options()) {
    context_.mutex->AssertHeld();
    INVARIANT(!request_.memtables.empty());
    version_ = context_.cfd->current();
  }

  Status Run();
  Status Install(const Status& run_status,
                 std::optional<uint64_t> min_log_to_keep);
  void FillInfo(FlushJobInfo* info) const;
  const FileRef& file() const { return result_.file; }
  uint64_t micros() const { return micros_; }

 private:
  Status Write();
  void KeepWarm() const;
  void Count() const;
  void Abandon();

  const JobContext context_;
  const Request request_;
  const std::shared_ptr<const MutableCFOptions> options_;
  VersionRef version_;  // when the job began; until it is installed
  Level0Result result_;
  uint64_t micros_ = 0;
  bool has_run_ = false;
  bool is_installed_ = false;
};

Status FlushJob::Impl::Run() {
  INVARIANT(!has_run_);
  has_run_ = true;
  Info(context_.db->logger, "[%s] [JOB %d] flushing %zu memtable(s)",
       context_.cfd->name().c_str(), context_.job_id,
       request_.memtables.size());
  const uint64_t start = context_.db->clock->NowMicros();
  Status s = Write();
  if (s.ok() && result_.file != nullptr) KeepWarm();
  micros_ = context_.db->clock->NowMicros() - start;
  if (s.ok()) Count();
  return s;
}

Status FlushJob::Impl::Write() {
  Level0Request request;
  request.job = &context_;
  request.options = options_.get();
  request.base_level = version_->storage().base_level();
  for (const MemTableRef& memtable : request_.memtables) {
    assert(request.memtables.empty() ||
           request.memtables.back()->id() < memtable->id());
    request.memtables.push_back(memtable.get());
  }
  {
    // One flush of a family runs at a time: epochs ascend in write order.
    MutexLock lock(context_.mutex);
    request.epoch_number = context_.cfd->NewEpoch();
  }
  return WriteLevel0(request, &result_);
}

// Users read in the older files what the new one replaces.
void FlushJob::Impl::KeepWarm() const {
  const VersionStorage& storage = version_->storage();
  HeatKeeper keeper(&context_, options_.get());
  for (int level = 0; level < storage.level_count(); ++level) {
    for (const FileRef& file : storage.files(level)) keeper.AddSource(*file);
  }
  keeper.Keep({{result_.file, 0}});
}

void FlushJob::Impl::Count() const {
  Statistics* statistics = context_.db->stats;
  RecordTimeToHistogram(statistics, FLUSH_TIME, micros_);
  RecordTick(statistics, MEMTABLE_PAYLOAD_BYTES_AT_FLUSH,
             result_.payload_bytes);
  const uint64_t garbage = result_.memtable_bytes > result_.payload_bytes
                               ? result_.memtable_bytes - result_.payload_bytes
                               : 0;
  RecordTick(statistics, MEMTABLE_GARBAGE_BYTES_AT_FLUSH, garbage);
  if (result_.file != nullptr) {
    RecordTick(statistics, FLUSH_WRITE_BYTES, result_.file->size_bytes);
  }
}

Status FlushJob::Impl::Install(const Status& run_status,
                               std::optional<uint64_t> min_log_to_keep) {
  context_.mutex->AssertHeld();
  INVARIANT(!is_installed_);
  is_installed_ = true;
  version_.reset();
  MemTableList* waiting = context_.cfd->imm();
  INVARIANT(waiting->IsFlushRunning());
  if (!run_status.ok()) {
    Abandon();
    waiting->RollbackFlush();
    return run_status;
  }
  INVARIANT(has_run_);
  VersionEdit edit;
  edit.log_number = request_.log_number;
  edit.min_log_number_to_keep = min_log_to_keep;
  if (result_.file != nullptr) edit.AddFile(0, result_.file);
  Status s = context_.versions->LogAndApply({{context_.cfd, &edit}},
                                            context_.db_directory);
  if (s.ok()) {
    waiting->CommitFlush(request_.memtables);
    return s;
  }
  Error(context_.db->logger, "[%s] [JOB %d] flush not installed: %s",
        context_.cfd->name().c_str(), context_.job_id, s.ToString().c_str());
  // Nobody knows how much of the edit the manifest holds, so the file stays:
  // the next open removes it if nothing names it. A dropped family's edit was
  // not written at all.
  if (s.IsColumnFamilyDropped()) Abandon();
  waiting->RollbackFlush();
  return s;
}

// The output, if any, belongs to no version.
void FlushJob::Impl::Abandon() {
  if (result_.file == nullptr) return;
  const FileRef file = std::move(result_.file);
  result_.file = nullptr;
  context_.mutex->AssertHeld();
  MutexUnlock unlock(context_.mutex);
  TableOutput::Discard(context_, *file);
}

void FlushJob::Impl::FillInfo(FlushJobInfo* info) const {
  INVARIANT(info != nullptr);
  *info = FlushJobInfo();
  info->cf_id = context_.cfd->id();
  info->cf_name = context_.cfd->name();
  info->thread_id = context_.db->env->GetThreadID();
  info->job_id = context_.job_id;
  info->flush_reason = request_.reason;
  info->triggered_writes_slowdown =
      context_.cfd->current()->storage().Level0StallCount() >=
      options_->level0_slowdown_writes_trigger;
  info->triggered_writes_stop =
      context_.cfd->current()->storage().Level0StallCount() >=
      options_->level0_stop_writes_trigger;
  if (result_.file == nullptr) return;
  const FileMeta& file = *result_.file;
  info->file_path = context_.cfd->tables()->FilePath(file);
  info->file_number = file.number;
  info->smallest_seqno = file.smallest_sequence;
  info->largest_seqno = file.largest_sequence;
  info->table_properties = *result_.properties;
}

FlushJob::FlushJob(JobContext context, Request request)
    : impl_(std::make_unique<Impl>(std::move(context), std::move(request))) {}

FlushJob::~FlushJob() = default;

Status FlushJob::Run() { return impl_->Run(); }

Status FlushJob::Install(const Status& run_status,
                         std::optional<uint64_t> min_log_to_keep) {
  return impl_->Install(run_status, min_log_to_keep);
}

const FileRef& FlushJob::file() const { return impl_->file(); }

uint64_t FlushJob::bytes_written() const {
  return file() != nullptr ? file()->size_bytes : 0;
}

uint64_t FlushJob::micros() const { return impl_->micros(); }

void FlushJob::FillInfo(FlushJobInfo* info) const { impl_->FillInfo(info); }

Status WriteRecoveredMemTable(const JobContext& context, MemTable* memtable,
                              VersionEdit* edit, uint64_t epoch) {
  INVARIANT(memtable != nullptr && edit != nullptr);
  Level0Request request;
  request.job = &context;
  request.options = context.cfd->options().get();
  request.memtables.push_back(memtable);
  request.reason = TableFileCreationReason::kRecovery;
  request.epoch_number = epoch;
  request.base_level = context.cfd->current()->storage().base_level();
  Level0Result result;
  Status s = WriteLevel0(request, &result);
  if (s.ok() && result.file != nullptr) edit->AddFile(0, result.file);
  return s;
}

}  // namespace ROCKSDB_NAMESPACE

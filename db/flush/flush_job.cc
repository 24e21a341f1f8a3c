#include "db/flush/flush_job.h"

#include <algorithm>

#include "db/blob/blob_file.h"
#include "db/blob/blob_flow.h"
#include "db/flush/level0_writer.h"
#include "db/manifest/version_set.h"
#include "db/outputs/heat_keeper.h"
#include "db/outputs/memtable_blobs.h"
#include "db/outputs/table_output.h"
#include "db/version/lsm_state.h"
#include "db/version/version_edit.h"
#include "memtable/memtable.h"
#include "monitoring/io_activity.h"
#include "monitoring/io_times.h"
#include "monitoring/statistics_impl.h"
#include "monitoring/thread_tracking.h"
#include "rocksdb/env.h"
#include "rocksdb/info_log.h"
#include "rocksdb/system_clock.h"
#include "util/event_text.h"
#include "util/ignore_error.h"
#include "util/invariant.h"
#include "util/key/timestamps.h"
#include "util/monotonic.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// What leaves the memtable may leave its timestamps there: reads as of any of
// them are over.
void EndHistory(const ColumnFamilyData& cfd, const MemTable& memtable,
                VersionEdit* edit) {
  INVARIANT(edit != nullptr);
  if (cfd.ioptions().left_out_timestamp_bytes() == 0) return;
  const std::string& newest = memtable.newest_timestamp();
  if (newest.empty()) return;
  const std::string low = TimestampAfter(newest);
  const Comparator& order = *cfd.user_comparator();
  std::optional<std::string>& now = edit->full_history_ts_low;
  if (!now || order.CompareTimestamp(low, *now) > 0) now = low;
}

}  // namespace

class FlushJob::Impl {
 public:
  Impl(JobContext context, Request request)
      : context_(std::move(context)),
        request_(std::move(request)),
        options_(context_.cfd->options()),
        file_number_(context_.versions->NewFileNumber()) {
    context_.mutex->AssertHeld();
    INVARIANT(!request_.memtables.empty());
    version_ = context_.cfd->current();
  }

  Status Run();
  Status Install(const Status& run_status,
                 std::optional<uint64_t> min_log_to_keep);
  // The parts of Install() beside the manifest.
  void BeginInstall();
  void FillEdit(VersionEdit* edit) const;
  Status EndInstall(const Status& s);
  Status GiveUp(const Status& s);
  void FillInfo(FlushJobInfo* info) const;
  ColumnFamilyData* cfd() const { return context_.cfd; }
  const JobContext& context() const { return context_; }
  const FileRef& file() const { return result_.file; }
  uint64_t micros() const { return micros_; }
  uint64_t cpu_micros() const { return cpu_micros_; }
  uint64_t payload_bytes() const { return result_.payload_bytes; }
  uint64_t entry_count() const;
  uint64_t log_number() const { return request_.log_number; }
  uint64_t newest_memtable_id() const {
    return request_.memtables.back()->id();
  }

 private:
  Status Write();
  void KeepWarm(uint64_t start_micros) const;
  void Count() const;
  void CountReason(Statistics* statistics) const;
  void FillBlobs(VersionEdit* edit) const;
  void Abandon();
  uint64_t MemoryBytes() const;
  void LogStarted() const;
  void LogFinished() const;

  const JobContext context_;
  const Request request_;
  const std::shared_ptr<const MutableCFOptions> options_;
  const uint64_t file_number_;  // the table's, if there will be one
  VersionRef version_;          // when the job began; until it is installed
  Level0Result result_;
  std::vector<BlobFileAddition> direct_blobs_;  // the memtables refer to them
  BlobFlow direct_flow_;                        // from memtables to the table
  std::optional<TrackedOperation> tracked_;     // from Run() on
  uint64_t micros_ = 0;
  uint64_t cpu_micros_ = 0;
  IoTimes io_times_;  // only with report_bg_io_stats
  bool has_run_ = false;
  bool is_installed_ = false;
};

Status FlushJob::Impl::Run() {
  INVARIANT(!has_run_);
  const IoActivityScope activity(Env::IOActivity::kFlush);
  has_run_ = true;
  tracked_.emplace(TrackedOperation::What{
      context_.db->enable_thread_tracking, ThreadStatus::OP_FLUSH,
      context_.db_name, context_.cfd->name()});
  tracked_->SetStage(ThreadStatus::STAGE_FLUSH_RUN);
  tracked_->SetProperty(ThreadStatus::FLUSH_JOB_ID,
                        static_cast<uint64_t>(context_.job_id));
  tracked_->SetProperty(ThreadStatus::FLUSH_BYTES_MEMTABLES, MemoryBytes());
  LogStarted();
  Info(context_.db->logger, "[%s] [JOB %d] flushing %zu memtable(s)",
       context_.cfd->name().c_str(), context_.job_id,
       request_.memtables.size());
  SystemClock* const clock = context_.db->clock;
  const uint64_t start = clock->NowMicros();
  const uint64_t start_cpu = clock->CPUMicros();
  tracked_->SetStage(ThreadStatus::STAGE_FLUSH_WRITE_L0);
  Status s;
  {
    const IoTimesScope times(options_->report_bg_io_stats, &io_times_);
    s = Write();
  }
  if (result_.file != nullptr) {
    tracked_->SetProperty(ThreadStatus::FLUSH_BYTES_WRITTEN,
                          result_.file->size_bytes);
  }
  if (s.ok() && result_.file != nullptr) KeepWarm(start);
  micros_ = MicrosSince(clock, start);
  cpu_micros_ = clock->CPUMicros() - start_cpu;
  Info(context_.db->logger,
       "[%s] [JOB %d] Flush lasted %llu microseconds, and %llu cpu "
       "microseconds.",
       context_.cfd->name().c_str(), context_.job_id,
       static_cast<unsigned long long>(micros_),
       static_cast<unsigned long long>(cpu_micros_));
  if (s.ok()) Count();
  return s;
}

Status FlushJob::Impl::Write() {
  Level0Request request;
  request.job = &context_;
  request.options = options_.get();
  request.file_number = file_number_;
  for (const MemTableRef& memtable : request_.memtables) {
    assert(request.memtables.empty() ||
           request.memtables.back()->id() < memtable->id());
    request.memtables.push_back(memtable.get());
    if (MemTableBlobs* const blobs = MemTableBlobs::Of(*memtable)) {
      if (Status s = blobs->Seal(&direct_blobs_); !s.ok()) return s;
    }
  }
  {
    // One flush of a family runs at a time: epochs ascend in write order.
    MutexLock lock(context_.mutex);
    request.epoch_number = context_.cfd->NewEpoch();
    // Changes with the options.
    request.base_level = version_->storage().base_level();
  }
  request.storage = &version_->storage();
  request.blob_flow = &direct_flow_;
  return WriteLevel0(request, &result_);
}

// Users read in the older files what the new one replaces.
void FlushJob::Impl::KeepWarm(uint64_t start_micros) const {
  const VersionStorage& storage = version_->storage();
  HeatKeeper keeper(&context_, options_.get(), start_micros);
  for (int level = 0; level < storage.level_count(); ++level) {
    for (const FileRef& file : storage.files(level)) keeper.AddSource(*file);
  }
  keeper.Keep({{result_.file, 0}});
}

void FlushJob::Impl::Count() const {
  Statistics* statistics = context_.db->stats;
  RecordTimeToHistogram(statistics, FLUSH_TIME, micros_);
  RecordTick(statistics, MEMTABLE_PAYLOAD_BYTES_AT_FLUSH,
             result_.memtable_bytes);
  // Merging may make more of it.
  const uint64_t live = std::min(result_.live_bytes, result_.memtable_bytes);
  RecordTick(statistics, MEMTABLE_GARBAGE_BYTES_AT_FLUSH,
             result_.memtable_bytes - live);
  CountReason(statistics);
  uint64_t written = 0;
  if (result_.file != nullptr) written += result_.file->size_bytes;
  for (const BlobFileAddition& blob : result_.blob_files) {
    written += blob.total_bytes + BlobFile::kFrameBytes;
  }
  RecordTick(statistics, FLUSH_WRITE_BYTES, written);
}

void FlushJob::Impl::CountReason(Statistics* statistics) const {
  if (statistics == nullptr) return;
  uint64_t memory_bytes = 0;
  for (const MemTableRef& memtable : request_.memtables) {
    memory_bytes += memtable->ApproximateMemoryUsage();
  }
  RecordInHistogram(statistics, FLUSH_MEMTABLE_MEMORY_BYTES, memory_bytes);
  RecordInHistogram(statistics, FLUSH_MEMTABLE_TOTAL_DATA_SIZE,
                    result_.memtable_bytes);
  switch (request_.reason) {
    case FlushReason::kWriteBufferFull:
      RecordTick(statistics, FLUSH_REASON_WRITE_BUFFER_FULL);
      RecordInHistogram(statistics,
                        FLUSH_WRITE_BUFFER_FULL_MEMTABLE_MEMORY_BYTES,
                        memory_bytes);
      break;
    case FlushReason::kWriteBufferManager:
      RecordTick(statistics, FLUSH_REASON_WRITE_BUFFER_MANAGER);
      RecordInHistogram(statistics,
                        FLUSH_WRITE_BUFFER_MANAGER_MEMTABLE_MEMORY_BYTES,
                        memory_bytes);
      break;
    case FlushReason::kMemtableMaxRangeDeletions:
      RecordTick(statistics, FLUSH_REASON_MEMTABLE_MAX_RANGE_DELETIONS);
      break;
    default:
      break;
  }
}

uint64_t FlushJob::Impl::entry_count() const {
  uint64_t entries = 0;
  for (const MemTableRef& memtable : request_.memtables) {
    entries += memtable->entry_count();
  }
  return entries;
}

uint64_t FlushJob::Impl::MemoryBytes() const {
  uint64_t bytes = 0;
  for (const MemTableRef& memtable : request_.memtables) {
    bytes += memtable->ApproximateMemoryUsage();
  }
  return bytes;
}

void FlushJob::Impl::LogStarted() const {
  uint64_t deletions = 0, range_deletions = 0, data_bytes = 0;
  for (const MemTableRef& memtable : request_.memtables) {
    deletions += memtable->counts().deletes();
    range_deletions += memtable->counts().range_deletes();
    data_bytes += memtable->counts().data_bytes();
  }
  EventText event("flush_started");
  event.Add("cf_name", context_.cfd->name())
      .Add("job", context_.job_id)
      .Add("num_memtables", uint64_t{request_.memtables.size()})
      .Add("total_num_input_entries", entry_count())
      .Add("num_deletes", deletions)
      .Add("total_data_size", data_bytes)
      .Add("memory_usage", MemoryBytes())
      .Add("num_range_deletes", range_deletions)
      .Add("flush_reason", GetFlushReasonString(request_.reason));
  Info(context_.db->logger, "%s", event.Finish().c_str());
}

void FlushJob::Impl::LogFinished() const {
  EventText event("flush_finished");
  event.Add("cf_name", context_.cfd->name())
      .Add("job", context_.job_id)
      .Add("flush_time_micros", micros_)
      .Add("flush_time_cpu_micros", cpu_micros_);
  if (options_->report_bg_io_stats) {
    event.Add("file_write_nanos", io_times_.write_nanos)
        .Add("file_range_sync_nanos", io_times_.range_sync_nanos)
        .Add("file_fsync_nanos", io_times_.fsync_nanos)
        .Add("file_prepare_write_nanos", io_times_.prepare_write_nanos);
  }
  event
      .Add("file_number",
           result_.file != nullptr ? result_.file->number : uint64_t{0})
      .Add("lsm_state", LsmState(context_.cfd->current()->storage()))
      .Add("immutable_memtables", uint64_t{context_.cfd->imm()->size()});
  Info(context_.db->logger, "%s", event.Finish().c_str());
}

void FlushJob::Impl::BeginInstall() {
  context_.mutex->AssertHeld();
  INVARIANT(!is_installed_);
  is_installed_ = true;
  version_.reset();
  if (tracked_) {
    tracked_->SetStage(ThreadStatus::STAGE_MEMTABLE_INSTALL_FLUSH_RESULTS);
  }
  INVARIANT(context_.cfd->imm()->IsFlushRunning());
}

void FlushJob::Impl::FillEdit(VersionEdit* edit) const {
  INVARIANT(edit != nullptr);
  INVARIANT(has_run_);
  edit->log_number = request_.log_number;
  if (result_.file != nullptr) edit->AddFile(0, result_.file);
  FillBlobs(edit);
  for (const MemTableRef& memtable : request_.memtables) {
    EndHistory(*context_.cfd, *memtable, edit);
  }
}

// Files that were there before the table, and those that were written with it.
void FlushJob::Impl::FillBlobs(VersionEdit* edit) const {
  edit->blob_additions = result_.blob_files;
  for (const BlobFileAddition& blob : direct_blobs_) {
    AddSealedBlobFile(blob, direct_flow_, edit);
  }
}

// The job itself has failed, or another one of its group has.
Status FlushJob::Impl::GiveUp(const Status& s) {
  INVARIANT(!s.ok());
  Abandon();
  context_.cfd->imm()->RollbackFlush();
  return s;
}

// `s`: what became of the edit.
Status FlushJob::Impl::EndInstall(const Status& s) {
  MemTableList* waiting = context_.cfd->imm();
  INVARIANT(waiting->IsFlushRunning());
  if (s.ok()) {
    const int64_t kept =
        context_.cfd->ioptions().max_write_buffer_size_to_maintain;
    for (const MemTableRef& memtable : request_.memtables) {
      if (MemTableBlobs* const blobs = MemTableBlobs::Of(*memtable)) {
        blobs->NoteListed();
      }
    }
    waiting->CommitFlush(request_.memtables,
                         static_cast<size_t>(std::max<int64_t>(kept, 0)));
    LogFinished();
    return s;
  }
  Error(context_.db->logger, "[%s] [JOB %d] flush not installed: %s",
        context_.cfd->name().c_str(), context_.job_id, s.ToString().c_str());
  // Nobody knows how much of the edit the manifest holds, so the file stays
  // until there is another one. A dropped family's edit was not written at all.
  if (s.IsColumnFamilyDropped()) Abandon();
  waiting->RollbackFlush();
  return s;
}

Status FlushJob::Impl::Install(const Status& run_status,
                               std::optional<uint64_t> min_log_to_keep) {
  BeginInstall();
  if (!run_status.ok()) return GiveUp(run_status);
  VersionEdit edit;
  FillEdit(&edit);
  edit.min_log_number_to_keep = min_log_to_keep;
  return EndInstall(context_.versions->LogAndApply({{context_.cfd, &edit}},
                                                   context_.db_directory));
}

// The output, if any, belongs to no version.
void FlushJob::Impl::Abandon() {
  const Level0Result made = std::move(result_);
  result_ = Level0Result();
  if (made.file == nullptr && made.blob_files.empty()) return;
  context_.mutex->AssertHeld();
  MutexUnlock unlock(context_.mutex);
  DiscardLevel0(context_, made);
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
  if (result_.file == nullptr) {
    // Whoever learns that a flush begins learns where its table will be.
    FileMeta file;
    file.number = info->file_number = file_number_;
    info->file_path = context_.cfd->tables()->FilePath(file);
    info->smallest_seqno = kMaxSequenceNumber;
    return;
  }
  const FileMeta& file = *result_.file;
  info->file_path = context_.cfd->tables()->FilePath(file);
  info->file_number = file.number;
  info->smallest_seqno = file.smallest_sequence;
  info->largest_seqno = file.largest_sequence;
  info->table_properties = *result_.properties;
  info->oldest_blob_file_number = file.oldest_blob_file;
  info->blob_compression_type = options_->blob_compression_type;
  VersionEdit edit;
  FillBlobs(&edit);
  for (const BlobFileAddition& blob : edit.blob_additions) {
    info->blob_file_addition_infos.emplace_back(
        BlobPathOf(context_.cfd, blob.number), blob.number, blob.total_count,
        blob.total_bytes);
  }
}

FlushJob::FlushJob(JobContext context, Request request)
    : impl_(std::make_unique<Impl>(std::move(context), std::move(request))) {}

FlushJob::~FlushJob() = default;

Status FlushJob::Run() { return impl_->Run(); }

Status FlushJob::Install(const Status& run_status,
                         std::optional<uint64_t> min_log_to_keep) {
  return impl_->Install(run_status, min_log_to_keep);
}

namespace {

// One attempt: the families that are still there, as one group of edits.
template <class Job>
Status LogTogether(const std::vector<Job*>& jobs,
                   const FlushJob::Group& group) {
  std::vector<VersionEdit> edits(jobs.size() + group.log_numbers.size());
  std::vector<VersionSet::Change> changes;
  for (const Job* job : jobs) {
    if (job->cfd()->is_dropped()) continue;
    VersionEdit* edit = &edits[changes.size()];
    job->FillEdit(edit);
    changes.push_back({job->cfd(), edit});
  }
  for (const auto& [cfd, log_number] : group.log_numbers) {
    if (cfd->is_dropped() || log_number <= cfd->log_number()) continue;
    VersionEdit* edit = &edits[changes.size()];
    edit->log_number = log_number;
    changes.push_back({cfd.get(), edit});
  }
  if (changes.empty()) return Status::OK();
  INVARIANT(changes.size() <= edits.size());
  changes.front().edit->min_log_number_to_keep = group.min_log_to_keep;
  const JobContext& context = jobs.front()->context();
  return context.versions->LogAndApply(changes, context.db_directory);
}

}  // namespace

Status FlushJob::InstallTogether(const std::vector<FlushJob*>& jobs,
                                 const Status& run_status, const Group& group) {
  INVARIANT(!jobs.empty());
  std::vector<Impl*> impls;
  for (FlushJob* job : jobs) impls.push_back(job->impl_.get());
  for (Impl* impl : impls) impl->BeginInstall();
  if (!run_status.ok()) {
    for (Impl* impl : impls) {
      IgnoreError(impl->GiveUp(run_status), "it is what was handed in");
    }
    return run_status;
  }
  Status s = LogTogether(impls, group);
  // A family went while the edits waited for their turn: nothing was written.
  while (s.IsColumnFamilyDropped()) s = LogTogether(impls, group);
  // Asked before the mutex is given back: what was not logged.
  std::vector<bool> is_gone;
  for (const Impl* impl : impls) is_gone.push_back(impl->cfd()->is_dropped());
  for (size_t i = 0; i < impls.size(); ++i) {
    const Status own = s.ok() && is_gone[i] ? Status::ColumnFamilyDropped() : s;
    IgnoreError(impls[i]->EndInstall(own), "one answer for all");
  }
  return s;
}

const FileRef& FlushJob::file() const { return impl_->file(); }

uint64_t FlushJob::bytes_written() const {
  return file() != nullptr ? file()->size_bytes : 0;
}

uint64_t FlushJob::log_number() const { return impl_->log_number(); }

uint64_t FlushJob::payload_bytes() const { return impl_->payload_bytes(); }
uint64_t FlushJob::entry_count() const { return impl_->entry_count(); }

uint64_t FlushJob::micros() const { return impl_->micros(); }
uint64_t FlushJob::cpu_micros() const { return impl_->cpu_micros(); }

uint64_t FlushJob::newest_memtable_id() const {
  return impl_->newest_memtable_id();
}
void FlushJob::FillInfo(FlushJobInfo* info) const { impl_->FillInfo(info); }

void AddSealedBlobFile(const BlobFileAddition& file, const BlobFlow& flow,
                       VersionEdit* edit) {
  INVARIANT(edit != nullptr);
  const BlobFileGarbage garbage = flow.GarbageOf(file);
  if (garbage.garbage_count == file.total_count) return;
  edit->blob_additions.push_back(file);
  if (garbage.garbage_count > 0) edit->blob_garbage.push_back(garbage);
}

Status WriteRecoveredMemTable(const JobContext& context, MemTable* memtable,
                              const RecoveredFlush& flush, VersionEdit* edit,
                              LevelWork* work) {
  INVARIANT(memtable != nullptr && edit != nullptr && work != nullptr);
  SystemClock* const clock = context.db->clock;
  const uint64_t start = clock->NowMicros();
  const uint64_t start_cpu = clock->CPUMicros();
  Level0Request request;
  request.job = &context;
  request.options = context.cfd->options().get();
  request.memtables.push_back(memtable);
  request.reason = TableFileCreationReason::kRecovery;
  request.epoch_number = flush.epoch;
  request.storage = &context.cfd->current()->storage();
  request.blob_flow = flush.blob_flow;
  request.base_level = context.cfd->current()->storage().base_level();
  Level0Result result;
  Status s = WriteLevel0(request, &result);
  if (!s.ok()) return s;
  EndHistory(*context.cfd, *memtable, edit);
  if (result.file != nullptr) {
    edit->AddFile(0, result.file);
    work->bytes_written = result.file->size_bytes;
    work->bytes_before_compression = result.payload_bytes;
    work->records_in = memtable->entry_count();
    work->micros = MicrosSince(clock, start);
    work->cpu_micros = clock->CPUMicros() - start_cpu;
    work->files_written = work->count = 1;
  }
  edit->blob_additions.insert(edit->blob_additions.end(),
                              result.blob_files.begin(),
                              result.blob_files.end());
  return s;
}

}  // namespace ROCKSDB_NAMESPACE

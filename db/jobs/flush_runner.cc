#include "db/jobs/flush_runner.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "db/background/background_scheduler.h"
#include "db/background/job_errors.h"
#include "db/files/file_room.h"
#include "db/files/log_keeper.h"
#include "db/flush/flush_job.h"
#include "db/flush/mempurge.h"
#include "db/jobs/compaction_queue.h"
#include "db/jobs/flush_desk.h"
#include "db/jobs/job_contexts.h"
#include "db/registry/change_signal.h"
#include "db/registry/family_registry.h"
#include "db/wal/wal_manager.h"
#include "db/write/family_publisher.h"
#include "db/write/write_memory.h"
#include "memtable/memtable.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

struct FlushRunner::Joint {
  struct Part {
    FamilyRef family;
    std::unique_ptr<FlushJob> job;
    FlushJobInfo info;
    uint64_t newest_id = 0;  // the id of its newest memtable
  };
  std::vector<Part> parts;
  FlushJob::Group group;
  uint64_t wants = 0;  // that it answers
  bool syncs_logs = false;
  Env::Priority pool = Env::Priority::HIGH;
};

FlushRunner::FlushRunner(const Context& context) : context_(context) {
  INVARIANT(context_.desk != nullptr);
  INVARIANT(context_.logs != nullptr);
  INVARIANT(context_.files != nullptr);
}

void FlushRunner::Run() {
  MutexLock lock(context_.mutex);
  INVARIANT(context_.scheduler->is_open());
  RunQueued(Env::Priority::HIGH);
  context_.scheduler->LeaveFlushes();
}

void FlushRunner::RunQueued(Env::Priority pool) {
  context_.mutex->AssertHeld();
  while (context_.scheduler->HasFlushes() && context_.scheduler->MayFlush()) {
    const bool is_joint = context_.desk->FlushesTogether();
    // Whoever runs goes on with this when it is done.
    if (is_joint && context_.scheduler->running_flushes() > 0) break;
    context_.scheduler->BeginFlush();
    const Status s = is_joint ? RunJoint(pool) : RunNext(pool);
    context_.scheduler->EndFlush();
    if (!s.ok()) break;
  }
}

Status FlushRunner::RunNext(Env::Priority pool) {
  const FamilyRef family =
      context_.families->Find(context_.scheduler->TakeFlush());
  if (family == nullptr) return Status::OK();
  // `family` stays whole even if it is dropped meanwhile.
  family->cfd->schedule.queued_for_flush = false;
  return RunOne(family.get(), pool);
}

// Where writes went past the log, a flush is the only copy.
BackgroundErrorReason FlushRunner::FailureReason() const {
  return context_.desk->HasUnlogged() ? BackgroundErrorReason::kFlushNoWAL
                                      : BackgroundErrorReason::kFlush;
}

// Before a table may hold data that a log holds too: what families have of one
// moment stays together.
bool FlushRunner::SyncsLogs() const {
  return context_.families->size() > 1 || context_.db->allow_2pc;
}

void FlushRunner::TellBegun(const FlushJobInfo& info) const {
  if (context_.db->listeners.empty()) return;
  for (const auto& listener : context_.db->listeners) {
    listener->OnFlushBegin(context_.handed_out, info);
  }
  context_.publisher->Tell();
}

void FlushRunner::TellCompleted(const FlushJobInfo& info) const {
  for (const auto& listener : context_.db->listeners) {
    listener->OnFlushCompleted(context_.handed_out, info);
  }
}

void FlushRunner::AfterFlush(FamilyEntry* family, const FlushJob& job,
                             Env::Priority pool) {
  INVARIANT(family != nullptr);
  ColumnFamilyData* cfd = family->cfd.get();
  if (job.file() != nullptr) {
    LevelWork work;
    work.bytes_written = job.bytes_written();
    work.bytes_before_compression = job.payload_bytes();
    work.records_in = job.entry_count();
    work.micros = job.micros();
    work.cpu_micros = job.cpu_micros();
    work.files_written = 1;
    work.count = 1;
    family->stats.AddFlush(pool, work);
  }
  if (cfd->is_dropped()) return;
  context_.publisher->Publish(cfd);
  // Whoever waits for memory wants that of this flush, too.
  if (context_.memory->manager()->ShouldStall()) context_.memory->DropSpare();
  context_.compactions->Add(cfd);
  if (!cfd->imm()->empty()) {
    context_.desk->Queue(cfd, FlushReason::kWriteBufferFull);
  }
}

void FlushRunner::AfterFlushes() {
  context_.files->CollectLogs();
  context_.scheduler->MaybeSchedule();
}

// Only where nothing but a full memtable asks for a flush. What a memtable
// knows of when its entries were written, or which of their timestamps is the
// newest, would be lost.
bool FlushRunner::MayPurge(const FamilyEntry& family,
                           const MemTableVector& taken) const {
  const ColumnFamilyData& cfd = *family.cfd;
  return cfd.options()->experimental_mempurge_threshold > 0 &&
         family.flush_reason == FlushReason::kWriteBufferFull &&
         cfd.order().timestamp_size() == 0 &&
         !taken.back()->options().keeps_write_times &&
         !taken.front()->options().keeps_write_times &&
         !family.cfd->imm()->NeedsFile(taken) && !cfd.is_dropped() &&
         !context_.memory->manager()->ShouldFlush();
}

bool FlushRunner::Purge(FamilyEntry* family, const MemTableVector& taken) {
  INVARIANT(family != nullptr && !taken.empty());
  ColumnFamilyData* const cfd = family->cfd.get();
  const JobContext job = context_.jobs->Make(family);
  // Logs that are to be bounded go by files alone.
  const uint64_t most_log_bytes = job.mutable_db->max_total_wal_size;
  if (most_log_bytes > 0 &&
      context_.logs->wal()->TotalBytes() > most_log_bytes) {
    return false;
  }
  const std::shared_ptr<const MutableCFOptions> options = cfd->options();
  MemTableRef purged = cfd->NewPurgedMemTable(taken);
  MempurgeRequest request;
  request.job = &job;
  request.options = options.get();
  request.target = purged.get();
  uint64_t bytes = 0;
  for (const MemTableRef& memtable : taken) {
    request.memtables.push_back(memtable.get());
    bytes += memtable->counts().data_bytes();
  }
  context_.mutex->Unlock();
  const Status s = Mempurge(request);
  ROCKSDB_NAMESPACE::Info(
      context_.db->logger,
      "[%s] [JOB %d] mempurge of %zu memtable(s): %s, %llu of %llu bytes left",
      cfd->name().c_str(), job.job_id, taken.size(), s.ToString().c_str(),
      static_cast<unsigned long long>(purged->counts().data_bytes()),
      static_cast<unsigned long long>(bytes));
  context_.mutex->Lock();
  // Somebody may have come who wants a file.
  if (!s.ok() || cfd->is_dropped() || cfd->imm()->NeedsFile(taken)) {
    return false;
  }
  purged->MarkImmutable();
  const int64_t kept = cfd->ioptions().max_write_buffer_size_to_maintain;
  cfd->imm()->CommitPurge(taken, std::move(purged),
                          static_cast<size_t>(std::max<int64_t>(kept, 0)));
  context_.publisher->Publish(cfd);
  if (context_.memory->manager()->ShouldStall()) context_.memory->DropSpare();
  context_.desk->Queue(cfd, FlushReason::kWriteBufferFull);
  context_.scheduler->MaybeSchedule();
  context_.changes->Note();
  context_.mutex->Unlock();
  context_.publisher->FreeAndTell();
  context_.mutex->Lock();
  return true;
}

Status FlushRunner::RunOne(FamilyEntry* family, Env::Priority pool) {
  INVARIANT(family != nullptr);
  ColumnFamilyData* cfd = family->cfd.get();
  FlushJob::Request request;
  if (cfd->imm()->AwaitsOthers()) return Status::OK();
  // Timestamps of memtables that nobody asked for stay in memory.
  const bool leaves_out = cfd->ioptions().left_out_timestamp_bytes() != 0;
  request.memtables = cfd->imm()->PickForFlush(
      leaves_out ? cfd->imm()->requested_id() : UINT64_MAX);
  if (request.memtables.empty()) return Status::OK();
  if (MayPurge(*family, request.memtables) &&
      Purge(family, request.memtables)) {
    return Status::OK();
  }
  request.reason = family->flush_reason;
  // The log that was current when the newest of them was sealed.
  request.log_number = request.memtables.back()->next_log_number();
  const uint64_t own_min = request.log_number;
  const uint64_t newest_id = request.memtables.back()->id();
  WalManager* const wal = context_.logs->wal();
  INVARIANT(own_min > 0);
  INVARIANT(own_min <= wal->current_number());
  const bool syncs_logs = SyncsLogs();
  FlushJob job(context_.jobs->Make(family), std::move(request));
  FlushJobInfo info;
  job.FillInfo(&info);
  context_.mutex->Unlock();
  TellBegun(info);
  Status s;
  if (syncs_logs) s = wal->SyncClosed();
  if (s.ok()) s = job.Run();
  context_.mutex->Lock();

  if (s.ok()) s = context_.logs->TrackSynced();
  uint64_t min_log = std::min(own_min, cfd->OldestLogBeside(newest_id));
  for (const auto& entry : *context_.families) {
    if (entry.second.get() == family) continue;
    min_log = std::min(min_log, entry.second->cfd->MinLogNumberNeeded());
  }
  s = job.Install(s, min_log);
  const bool has_news = s.ok() && job.file() != nullptr;
  if (has_news) context_.desk->BeginNotice(cfd, job.newest_memtable_id());
  if (s.ok()) {
    AfterFlush(family, job, pool);
    AfterFlushes();
  } else {
    context_.errors->OnBackgroundError(s, FailureReason());
  }
  context_.errors->CheckSpaceLimit();
  context_.changes->Note();
  job.FillInfo(&info);
  context_.mutex->Unlock();
  if (has_news) TellCompleted(info);
  context_.publisher->FreeAndTell();
  context_.mutex->Lock();
  if (has_news) context_.desk->EndNotice(cfd);
  return s;
}

// Takes all that is sealed. Memtables are sealed together, without giving the
// mutex back in between, so that this is all there is up to some moment.
void FlushRunner::BeginJoint(Joint* flush) {
  INVARIANT(flush != nullptr);
  INVARIANT(context_.scheduler->running_flushes() == 1);
  context_.scheduler->ForgetFlushes();
  flush->wants = context_.desk->joint_wants();
  uint64_t cut = context_.logs->wal()->current_number();
  for (const auto& [id, family] : *context_.families) {
    ColumnFamilyData* cfd = family->cfd.get();
    cfd->schedule.queued_for_flush = false;
    FlushJob::Request request;
    request.memtables = cfd->imm()->PickForFlush(UINT64_MAX);
    if (request.memtables.empty()) continue;
    request.reason = family->flush_reason;
    request.log_number = request.memtables.back()->next_log_number();
    INVARIANT(request.log_number > 0);
    cut = std::min(cut, request.log_number);
    Joint::Part& part = flush->parts.emplace_back();
    part.family = family;
    part.newest_id = request.memtables.back()->id();
    part.job =
        std::make_unique<FlushJob>(context_.jobs->Make(family.get()), request);
    part.job->FillInfo(&part.info);
  }
  // The others have nothing in older logs: were they left behind, a replay
  // would begin at a log that the tables have left behind.
  for (const auto& [id, family] : *context_.families) {
    const ColumnFamilyRef& cfd = family->cfd;
    if (!cfd->imm()->empty()) continue;
    const uint64_t own = cfd->mem()->empty() ? cut : cfd->mem()->log_number();
    flush->group.log_numbers.emplace_back(cfd, std::min(cut, own));
  }
  flush->syncs_logs = SyncsLogs();
}

Status FlushRunner::RunJoint(Env::Priority pool) {
  Joint flush;
  flush.pool = pool;
  BeginJoint(&flush);
  if (flush.parts.empty()) {
    context_.desk->NoteJointDone(flush.wants);
    return Status::OK();
  }
  context_.mutex->Unlock();
  for (const Joint::Part& part : flush.parts) TellBegun(part.info);
  Status s;
  if (flush.syncs_logs) s = context_.logs->wal()->SyncClosed();
  for (Joint::Part& part : flush.parts) {
    if (s.ok()) s = part.job->Run();
  }
  context_.mutex->Lock();
  if (s.ok()) s = context_.logs->TrackSynced();
  s = EndJoint(s, &flush);
  for (Joint::Part& part : flush.parts) part.job->FillInfo(&part.info);
  context_.mutex->Unlock();
  for (const Joint::Part& part : flush.parts) {
    if (s.ok() && part.job->file() != nullptr) TellCompleted(part.info);
  }
  context_.publisher->FreeAndTell();
  context_.mutex->Lock();
  for (const Joint::Part& part : flush.parts) {
    if (s.ok()) context_.desk->EndNotice(part.family->cfd.get());
  }
  return s;
}

Status FlushRunner::EndJoint(const Status& run_status, Joint* flush) {
  INVARIANT(flush != nullptr && !flush->parts.empty());
  std::vector<FlushJob*> jobs;
  uint64_t min_log = UINT64_MAX;
  for (const Joint::Part& part : flush->parts) {
    jobs.push_back(part.job.get());
    min_log = std::min(min_log, part.job->log_number());
    min_log =
        std::min(min_log, part.family->cfd->OldestLogBeside(part.newest_id));
  }
  for (const auto& [id, family] : *context_.families) {
    const bool is_flushed = std::any_of(
        flush->parts.begin(), flush->parts.end(),
        [&family](const auto& part) { return part.family == family; });
    if (is_flushed) continue;
    const ColumnFamilyData* cfd = family->cfd.get();
    // With a log number that moves along, what the memtables hold decides.
    min_log = std::min(min_log, cfd->MinLogNumberNeeded());
  }
  flush->group.min_log_to_keep = min_log;
  const Status s = FlushJob::InstallTogether(jobs, run_status, flush->group);
  if (!s.ok()) {
    context_.errors->OnBackgroundError(s, FailureReason());
    return s;
  }
  context_.desk->NoteJointDone(flush->wants);
  for (const Joint::Part& part : flush->parts) {
    context_.desk->BeginNotice(part.family->cfd.get(),
                               part.job->newest_memtable_id());
  }
  for (const Joint::Part& part : flush->parts) {
    AfterFlush(part.family.get(), *part.job, flush->pool);
  }
  AfterFlushes();
  context_.errors->CheckSpaceLimit();
  context_.changes->Note();
  return s;
}

}  // namespace ROCKSDB_NAMESPACE

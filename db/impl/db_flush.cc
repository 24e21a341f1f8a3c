// DBImpl: flushes, those of the background and those that users ask for.
#include <algorithm>

#include "db/background/background_scheduler.h"
#include "db/family/family_registry.h"
#include "db/files/file_room.h"
#include "db/files/log_keeper.h"
#include "db/flush/flush_job.h"
#include "db/impl/db_impl.h"
#include "db/jobs/compaction_queue.h"
#include "db/jobs/job_contexts.h"
#include "db/wal/wal_manager.h"
#include "db/write/family_publisher.h"
#include "db/write/write_memory.h"
#include "memtable/memtable.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

void DBImpl::BackgroundFlush() {
  MutexLock lock(&mutex_);
  INVARIANT(opened_);
  INVARIANT(mode_ == Mode::kReadWrite);
  RunQueuedFlushes();
  background_->LeaveFlushes();
}

// In this thread, which is one of those that are scheduled.
void DBImpl::RunQueuedFlushes() {
  while (background_->HasFlushes() && background_->MayFlush()) {
    const bool is_joint = FlushesTogether();
    // Whoever runs goes on with this when it is done.
    if (is_joint && background_->running_flushes() > 0) break;
    background_->BeginFlush();
    const Status s = is_joint ? RunJointFlush() : RunNextFlush();
    background_->EndFlush();
    if (!s.ok()) break;
  }
}

Status DBImpl::RunNextFlush() {
  const FamilyRef family = families_->Find(background_->TakeFlush());
  if (family == nullptr) return Status::OK();
  // `family` stays whole even if it is dropped meanwhile.
  family->cfd->queued_for_flush = false;
  return RunFlush(family.get());
}

// Where writes went past the log, a flush is the only copy.
BackgroundErrorReason DBImpl::FlushFailureReason() const {
  return has_unlogged_.load() ? BackgroundErrorReason::kFlushNoWAL
                              : BackgroundErrorReason::kFlush;
}

void DBImpl::AfterFlush(Family* family, const FlushJob& job) {
  INVARIANT(family != nullptr);
  ColumnFamilyData* cfd = family->cfd.get();
  if (job.file() != nullptr) {
    LevelWork work;
    work.bytes_written = job.bytes_written();
    work.bytes_before_compression = job.payload_bytes();
    work.micros = job.micros();
    work.cpu_micros = job.cpu_micros();
    work.files_written = 1;
    work.count = 1;
    family->stats.AddFlush(work);
  }
  if (cfd->is_dropped()) return;
  publisher_->Publish(cfd);
  // Whoever waits for memory wants that of this flush, too.
  if (memory_->manager()->ShouldStall()) memory_->DropSpare();
  compactions_->Add(cfd);
  if (!cfd->imm()->empty()) QueueFlush(cfd, FlushReason::kWriteBufferFull);
}

Status DBImpl::RunFlush(Family* family) {
  INVARIANT(family != nullptr);
  ColumnFamilyData* cfd = family->cfd.get();
  FlushJob::Request request;
  // Timestamps of memtables that nobody asked for stay in memory.
  const bool leaves_out = cfd->ioptions().left_out_timestamp_bytes() != 0;
  request.memtables = cfd->imm()->PickForFlush(
      leaves_out ? cfd->imm()->requested_id() : UINT64_MAX);
  if (request.memtables.empty()) return Status::OK();
  request.reason = family->flush_reason;
  // The log that was current when the newest of them was sealed.
  request.log_number = request.memtables.back()->next_log_number();
  const uint64_t own_min = request.log_number;
  const uint64_t newest_id = request.memtables.back()->id();
  INVARIANT(own_min > 0);
  INVARIANT(own_min <= logs_->wal()->current_number());
  const bool syncs_logs = families_->size() > 1 || options_.allow_2pc;
  FlushJob job(jobs_->Make(family), std::move(request));
  FlushJobInfo info;
  job.FillInfo(&info);
  mutex_.Unlock();
  NotifyListeners([&](EventListener* l) { l->OnFlushBegin(this, info); });
  Status s;
  if (syncs_logs) s = logs_->wal()->SyncClosed();
  if (s.ok()) s = job.Run();
  mutex_.Lock();

  if (s.ok()) s = logs_->TrackSynced();
  uint64_t min_log = std::min(own_min, cfd->OldestLogBeside(newest_id));
  for (const auto& entry : *families_) {
    if (entry.second.get() == family) continue;
    min_log = std::min(min_log, entry.second->cfd->MinLogNumberNeeded());
  }
  s = job.Install(s, min_log);
  const bool has_news = s.ok() && job.file() != nullptr;
  if (has_news) BeginNotice(cfd, job);
  if (s.ok()) {
    AfterFlush(family, job);
    file_room_->CollectLogs();
    background_->MaybeSchedule();
  } else {
    OnBackgroundError(s, FlushFailureReason());
  }
  CheckSpaceLimit();
  changes_.Note();
  job.FillInfo(&info);
  mutex_.Unlock();
  if (has_news) {
    NotifyListeners([&](EventListener* l) { l->OnFlushCompleted(this, info); });
  }
  publisher_->FreeAndTell();
  mutex_.Lock();
  if (has_news) EndNotice(cfd);
  return s;
}

bool DBImpl::IsBeingTold(const ColumnFamilyData* cfd,
                         uint64_t memtable_id) const {
  const auto is_awaited = [=](const FlushNotice& notice) {
    return notice.cfd == cfd && notice.memtable_id <= memtable_id &&
           notice.teller != std::this_thread::get_id();
  };
  return std::any_of(flush_notices_.begin(), flush_notices_.end(), is_awaited);
}

void DBImpl::BeginNotice(const ColumnFamilyData* cfd, const FlushJob& job) {
  INVARIANT(cfd != nullptr);
  flush_notices_.push_back(
      {cfd, job.newest_memtable_id(), std::this_thread::get_id()});
}

void DBImpl::EndNotice(const ColumnFamilyData* cfd) {
  const size_t ended =
      std::erase_if(flush_notices_, [cfd](const FlushNotice& notice) {
        return notice.cfd == cfd && notice.teller == std::this_thread::get_id();
      });
  INVARIANT(ended == 1);
  changes_.Note();
}

}  // namespace ROCKSDB_NAMESPACE

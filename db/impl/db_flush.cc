// DBImpl: flushes, those of the background and those that users ask for.
#include <algorithm>

#include "db/files/file_room.h"
#include "db/files/obsolete_files.h"
#include "db/flush/flush_job.h"
#include "db/impl/db_impl.h"
#include "db/jobs/compaction_queue.h"
#include "db/jobs/job_contexts.h"
#include "db/wal/wal_manager.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// The id of the newest memtable that waits for a flush; 0: none does.
uint64_t NewestSealed(ColumnFamilyData* cfd) {
  return cfd->imm()->empty() ? 0 : cfd->imm()->current()->front()->id();
}

bool HoldsUnlogged(ColumnFamilyData* cfd) {
  const auto sealed = cfd->imm()->current();
  return cfd->mem()->has_unlogged() ||
         std::any_of(sealed->begin(), sealed->end(),
                     [](const MemTableRef& m) { return m->has_unlogged(); });
}

}  // namespace

void DBImpl::BackgroundFlush() {
  MutexLock lock(&mutex_);
  INVARIANT(opened_);
  INVARIANT(mode_ == Mode::kReadWrite);
  RunQueuedFlushes();
  background_.LeaveFlushes();
}

// In this thread, which is one of those that are scheduled.
void DBImpl::RunQueuedFlushes() {
  while (background_.HasFlushes() && background_.MayFlush()) {
    const bool is_joint = FlushesTogether();
    // Whoever runs goes on with this when it is done.
    if (is_joint && background_.running_flushes() > 0) break;
    background_.BeginFlush();
    const Status s = is_joint ? RunJointFlush() : RunNextFlush();
    background_.EndFlush();
    if (!s.ok()) break;
  }
}

Status DBImpl::RunNextFlush() {
  const FamilyRef family = families_.Find(background_.TakeFlush());
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
  publisher_.Publish(cfd);
  // Whoever waits for memory wants that of this flush, too.
  if (write_buffer_manager_->ShouldStall()) DropSpareMemory();
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
  INVARIANT(wal_ != nullptr);
  INVARIANT(own_min > 0);
  INVARIANT(own_min <= wal_->current_number());
  const bool syncs_logs = families_.size() > 1 || options_.allow_2pc;
  FlushJob job(jobs_->Make(family), std::move(request));
  FlushJobInfo info;
  job.FillInfo(&info);
  mutex_.Unlock();
  NotifyListeners([&](EventListener* l) { l->OnFlushBegin(this, info); });
  Status s;
  if (syncs_logs) s = wal_->SyncClosed();
  if (s.ok()) s = job.Run();
  mutex_.Lock();

  if (s.ok()) s = TrackSyncedLogs();
  uint64_t min_log = std::min(own_min, OldestLogBeside(cfd, newest_id));
  for (const auto& entry : families_) {
    if (entry.second.get() == family) continue;
    min_log = std::min(min_log, entry.second->cfd->MinLogNumberNeeded());
  }
  s = job.Install(s, min_log);
  const bool has_news = s.ok() && job.file() != nullptr;
  if (has_news) BeginNotice(cfd, job);
  if (s.ok()) {
    AfterFlush(family, job);
    file_room_->CollectLogs();
    background_.MaybeSchedule();
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
  FreeGarbage();
  mutex_.Lock();
  if (has_news) EndNotice(cfd);
  return s;
}

Status DBImpl::Flush(const FlushOptions& options, ColumnFamilyHandle* family) {
  if (Status s = CheckHandle(family); !s.ok()) return s;
  return FlushFamilies(options, {FamilyOf(family)}, FlushReason::kManualFlush);
}

Status DBImpl::Flush(const FlushOptions& options,
                     const std::vector<ColumnFamilyHandle*>& families) {
  std::vector<ColumnFamilyData*> cfds;
  for (ColumnFamilyHandle* family : families) {
    if (Status s = CheckHandle(family); !s.ok()) return s;
    cfds.push_back(FamilyOf(family));
  }
  return FlushFamilies(options, cfds, FlushReason::kManualFlush);
}

// Until a flush stalls nobody, or what is active now is sealed by others, or
// nothing is under way that could make room. Writers go on meanwhile.
void DBImpl::AwaitRoomForFlush(const std::vector<ColumnFamilyData*>& families) {
  MutexLock lock(&mutex_);
  for (ColumnFamilyData* cfd : families) {
    const uint64_t active = cfd->mem()->id();
    while (StallControl::WouldStall(cfd) && cfd->mem()->id() == active &&
           background_.HasThreads() && errors_.error().ok() &&
           !stop_.IsShuttingDown()) {
      changes_.AwaitForUser();
    }
  }
}

Status DBImpl::FlushFamilies(const FlushOptions& options,
                             const std::vector<ColumnFamilyData*>& families,
                             FlushReason reason) {
  if (Status s = CheckWritable(); !s.ok()) return s;
  if (!options.allow_write_stall) AwaitRoomForFlush(families);
  const bool is_joint = options.force_atomic_flush && families.size() > 1;
  std::vector<uint64_t> newest_ids;
  Status s = WithLogAtRest([&] {
    MutexLock lock(&mutex_);
    for (const ColumnFamilyData* cfd : families) {
      if (cfd->is_dropped()) return Status::ColumnFamilyDropped(cfd->name());
    }
    const Status unlocked = CheckLogUnlocked(
        is_joint || FlushesTogether() ? families_.All() : families,
        options.wait);
    if (!unlocked.ok()) return unlocked;
    if (is_joint) joint_flush_wanted_ = true;
    const Status queued = SealAndQueue(families, reason);
    for (ColumnFamilyData* cfd : families) {
      newest_ids.push_back(NewestSealed(cfd));
    }
    return queued;
  });
  FreeGarbage();
  if (s.ok() && reason == FlushReason::kManualFlush) {
    TellManualFlush(families);
  }
  if (!s.ok() || !options.wait) return s;
  INVARIANT(newest_ids.size() == families.size());
  MutexLock lock(&mutex_);
  for (size_t i = 0; i < families.size() && s.ok(); ++i) {
    s = WaitForFlush(families[i], newest_ids[i]);
  }
  return s;
}

Status DBImpl::CheckLogUnlocked(const std::vector<ColumnFamilyData*>& families,
                                bool waits) const {
  const bool must_seal =
      std::any_of(families.begin(), families.end(), [](ColumnFamilyData* cfd) {
        return !cfd->mem()->empty() && !cfd->is_dropped();
      });
  if (wal_locks_ == 0 || !must_seal) return Status::OK();
  return waits ? Status::Aborted(
                     "a flush begins a new log, which LockWAL() forbids: "
                     "UnlockWAL() first")
               : Status::TryAgain(
                     "Writes have been stopped, thus unable to perform manual "
                     "flush. Please try again later after writes are resumed");
}

// By the caller itself, who holds everybody else up.
Status DBImpl::FlushOnlyUnlogged(FlushReason reason) {
  const ObsoleteFiles::PurgeAtEnd purge(obsolete_.get());
  std::vector<std::pair<ColumnFamilyRef, uint64_t>> sealed;
  const std::vector<ColumnFamilyRef> families = HoldFamilies();
  Status s = WithLogAtRest([&] {
    MutexLock lock(&mutex_);
    std::vector<ColumnFamilyData*> cfds;
    for (const ColumnFamilyRef& cfd : families) {
      if (!cfd->is_dropped() && HoldsUnlogged(cfd.get())) {
        cfds.push_back(cfd.get());
      }
    }
    if (cfds.empty()) return Status::OK();
    background_.JoinFlushes();
    const Status queued = SealAndQueue(cfds, reason);
    for (ColumnFamilyData* cfd : cfds) {
      sealed.emplace_back(cfd->shared_from_this(), NewestSealed(cfd));
    }
    return queued;
  });
  FreeGarbage();
  if (sealed.empty()) return s;
  MutexLock lock(&mutex_);
  if (s.ok()) RunQueuedFlushes();
  background_.LeaveJoinedFlushes();
  for (const auto& [cfd, newest_id] : sealed) {
    if (!s.ok()) break;
    s = WaitForFlush(cfd.get(), newest_id);
    if (s.IsColumnFamilyDropped()) s = Status::OK();
  }
  return s;
}

Status DBImpl::FlushAllFamilies(const FlushOptions& options,
                                FlushReason reason) {
  Status s;
  do {
    // Held while they are waited for: any may be dropped meanwhile, and then
    // has nothing to flush. The others are asked again.
    const std::vector<ColumnFamilyRef> families = HoldFamilies();
    std::vector<ColumnFamilyData*> cfds;
    for (const ColumnFamilyRef& cfd : families) cfds.push_back(cfd.get());
    INVARIANT(!cfds.empty());
    s = FlushFamilies(options, cfds, reason);
  } while (s.IsColumnFamilyDropped());
  return s;
}

void DBImpl::TellManualFlush(const std::vector<ColumnFamilyData*>& families) {
  if (options_.listeners.empty()) return;
  std::vector<ManualFlushInfo> infos;
  for (const ColumnFamilyData* cfd : families) {
    INVARIANT(cfd != nullptr);
    infos.emplace_back();
    infos.back().cf_id = cfd->id();
    infos.back().cf_name = cfd->name();
    infos.back().flush_reason = FlushReason::kManualFlush;
  }
  NotifyListeners(
      [&](EventListener* l) { l->OnManualFlushScheduled(this, infos); });
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

// Until no memtable up to `memtable_id` waits for a flush, and listeners have
// been told of those.
Status DBImpl::WaitForFlush(ColumnFamilyData* cfd, uint64_t memtable_id) {
  INVARIANT(cfd != nullptr);
  while (true) {
    const auto waiting = cfd->imm()->current();
    const bool is_done = std::none_of(
        waiting->begin(), waiting->end(),
        [memtable_id](const MemTableRef& m) { return m->id() <= memtable_id; });
    if (is_done && !IsBeingTold(cfd, memtable_id)) return Status::OK();
    // What comes after the flush is no fault of it.
    if (!is_done) {
      if (cfd->is_dropped()) return Status::ColumnFamilyDropped(cfd->name());
      if (stop_.IsShuttingDown()) return Status::ShutdownInProgress();
      if (errors_.BlocksWrites()) return errors_.error();
    }
    changes_.AwaitForUser();
  }
}

}  // namespace ROCKSDB_NAMESPACE

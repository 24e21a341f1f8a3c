// DBImpl: one flush of all families, installed as one step of the manifest
// (atomic_flush, FlushOptions::force_atomic_flush, and every flush while a log
// that failed is still needed).
#include <algorithm>

#include "db/background/background_scheduler.h"
#include "db/family/family_registry.h"
#include "db/files/file_room.h"
#include "db/files/log_keeper.h"
#include "db/flush/flush_job.h"
#include "db/impl/db_impl.h"
#include "db/jobs/job_contexts.h"
#include "db/wal/wal_manager.h"
#include "db/write/family_publisher.h"
#include "memtable/memtable.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

struct DBImpl::JointFlush {
  struct Part {
    FamilyRef family;
    std::unique_ptr<FlushJob> job;
    FlushJobInfo info;
    uint64_t newest_id = 0;  // of its memtables
  };
  std::vector<Part> parts;
  FlushJob::Group group;
  bool syncs_logs = false;
};

bool DBImpl::FlushesTogether() const {
  if (options_.atomic_flush || joint_flush_wanted_) return true;
  const uint64_t below = abandoned_below_;
  return std::any_of(families_->begin(), families_->end(),
                     [below](const auto& entry) {
                       return entry.second->cfd->log_number() < below;
                     });
}

// Takes all that is sealed. Memtables are sealed together, without giving the
// mutex back in between, so that this is all there is up to some moment.
void DBImpl::BeginJointFlush(JointFlush* flush) {
  INVARIANT(flush != nullptr);
  INVARIANT(background_->running_flushes() == 1);
  background_->ForgetFlushes();
  uint64_t cut = logs_->wal()->current_number();
  for (const auto& [id, family] : *families_) {
    ColumnFamilyData* cfd = family->cfd.get();
    cfd->queued_for_flush = false;
    FlushJob::Request request;
    request.memtables = cfd->imm()->PickForFlush(UINT64_MAX);
    if (request.memtables.empty()) continue;
    request.reason = family->flush_reason;
    request.log_number = request.memtables.back()->next_log_number();
    INVARIANT(request.log_number > 0);
    cut = std::min(cut, request.log_number);
    JointFlush::Part& part = flush->parts.emplace_back();
    part.family = family;
    part.newest_id = request.memtables.back()->id();
    part.job = std::make_unique<FlushJob>(jobs_->Make(family.get()), request);
    part.job->FillInfo(&part.info);
  }
  // The others have nothing in older logs: were they left behind, a replay
  // would begin at a log that the tables have left behind.
  for (const auto& [id, family] : *families_) {
    const ColumnFamilyRef& cfd = family->cfd;
    if (!cfd->imm()->empty()) continue;
    const uint64_t own = cfd->mem()->empty() ? cut : cfd->mem()->log_number();
    flush->group.log_numbers.emplace_back(cfd, std::min(cut, own));
  }
  flush->syncs_logs = families_->size() > 1 || options_.allow_2pc;
}

Status DBImpl::RunJointFlush() {
  JointFlush flush;
  BeginJointFlush(&flush);
  if (flush.parts.empty()) {
    joint_flush_wanted_ = false;
    return Status::OK();
  }
  mutex_.Unlock();
  for (const JointFlush::Part& part : flush.parts) {
    NotifyListeners(
        [&](EventListener* l) { l->OnFlushBegin(this, part.info); });
  }
  Status s;
  if (flush.syncs_logs) s = logs_->wal()->SyncClosed();
  for (JointFlush::Part& part : flush.parts) {
    if (s.ok()) s = part.job->Run();
  }
  mutex_.Lock();
  if (s.ok()) s = logs_->TrackSynced();
  s = EndJointFlush(s, &flush);
  for (JointFlush::Part& part : flush.parts) part.job->FillInfo(&part.info);
  mutex_.Unlock();
  for (const JointFlush::Part& part : flush.parts) {
    if (!s.ok() || part.job->file() == nullptr) continue;
    NotifyListeners(
        [&](EventListener* l) { l->OnFlushCompleted(this, part.info); });
  }
  publisher_->FreeAndTell();
  mutex_.Lock();
  for (const JointFlush::Part& part : flush.parts) {
    if (s.ok()) EndNotice(part.family->cfd.get());
  }
  return s;
}

Status DBImpl::EndJointFlush(const Status& run_status, JointFlush* flush) {
  INVARIANT(flush != nullptr && !flush->parts.empty());
  std::vector<FlushJob*> jobs;
  uint64_t min_log = UINT64_MAX;
  for (const JointFlush::Part& part : flush->parts) {
    jobs.push_back(part.job.get());
    min_log = std::min(min_log, part.job->log_number());
    min_log =
        std::min(min_log, part.family->cfd->OldestLogBeside(part.newest_id));
  }
  for (const auto& [id, family] : *families_) {
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
    OnBackgroundError(s, FlushFailureReason());
    return s;
  }
  joint_flush_wanted_ = false;
  for (const JointFlush::Part& part : flush->parts) {
    BeginNotice(part.family->cfd.get(), *part.job);
  }
  for (const JointFlush::Part& part : flush->parts) {
    AfterFlush(part.family.get(), *part.job);
  }
  file_room_->CollectLogs();
  background_->MaybeSchedule();
  CheckSpaceLimit();
  changes_.Note();
  return s;
}

}  // namespace ROCKSDB_NAMESPACE

#include "db/background/background_scheduler.h"

#include <algorithm>

#include "db/background/error_handler.h"
#include "db/background/manual_queue.h"
#include "db/background/stop_signals.h"
#include "db/compaction/deferred_compaction.h"
#include "db/registry/change_signal.h"
#include "db/registry/family_entry.h"
#include "db/write/write_controller.h"
#include "env/job_threads.h"
#include "options/sanitize.h"
#include "rocksdb/env.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

void BackgroundScheduler::SetLimits(const MutableDBOptions& now) {
  const BackgroundLimits calm =
      ComputeBackgroundLimits(now, /*compaction_speedup=*/false);
  const BackgroundLimits behind =
      ComputeBackgroundLimits(now, /*compaction_speedup=*/true);
  INVARIANT(calm.flushes > 0 && calm.flushes == behind.flushes);
  most_flushes_ = calm.flushes;
  calm_compactions_ = std::max(calm.compactions, 1);
  most_compactions_ = std::max(behind.compactions, 1);
}

// Schedules as many jobs as there is work for and as the thread limits allow.
// Each job chooses what to do when it runs.
void BackgroundScheduler::MaybeSchedule() {
  context_.mutex->AssertHeld();
  INVARIANT(scheduled_flushes_ >= running_flushes_);
  INVARIANT(scheduled_compactions_ >= RunningLow());
  if (!is_open_ || context_.stop->IsShuttingDown()) return;
  const bool is_behind =
      context_.writes->condition() != WriteStallCondition::kNormal;
  const int most = is_behind ? most_compactions_ : calm_compactions_;
  while (MayFlush() && scheduled_flushes_ < most_flushes_ &&
         scheduled_flushes_ <
             static_cast<int>(flushes_.size()) + running_flushes_) {
    ++scheduled_flushes_;
    context_.env->Schedule(&FlushEntry, this, Env::Priority::HIGH, this);
  }
  if (!MayCompact()) return;
  int wanted = RunningLow();
  if (!context_.manual->HasExclusive()) {
    wanted += static_cast<int>(compactions_.size());
  }
  wanted += context_.manual->CountToBegin();
  while (scheduled_compactions_ < most && scheduled_compactions_ < wanted) {
    ++scheduled_compactions_;
    context_.env->Schedule(&CompactionEntry, this, Env::Priority::LOW, this);
  }
}

bool BackgroundScheduler::Continue() {
  INVARIANT(pauses_ >= 0);
  if (pauses_ == 0) return false;
  --pauses_;
  return true;
}

bool BackgroundScheduler::MayFlush() const {
  return !context_.stop->IsShuttingDown() && !context_.errors->StopsFlush() &&
         (!IsPaused() || flushes_in_pauses_);
}

bool BackgroundScheduler::MayCompact() const {
  return !context_.stop->IsShuttingDown() &&
         !context_.errors->StopsCompaction() && !IsPaused() &&
         !context_.stop->IsAborting();
}

void BackgroundScheduler::QueueFlush(ColumnFamilyData* cfd) {
  INVARIANT(cfd != nullptr);
  if (cfd->schedule.queued_for_flush) return;
  cfd->schedule.queued_for_flush = true;
  flushes_.push_back(cfd->id());
}

uint32_t BackgroundScheduler::TakeFlush() {
  INVARIANT(HasFlushes());
  const uint32_t id = flushes_.front();
  flushes_.pop_front();
  return id;
}

void BackgroundScheduler::LeaveJoinedFlushes() {
  INVARIANT(scheduled_flushes_ > 0);
  --scheduled_flushes_;
  MaybeSchedule();
  context_.changes->Note();
}

void BackgroundScheduler::LeaveFlushes() {
  INVARIANT(scheduled_flushes_ > 0);
  --scheduled_flushes_;
  LeaveThread();
}

void BackgroundScheduler::EndFlush() {
  INVARIANT(running_flushes_ > 0);
  --running_flushes_;
}

void BackgroundScheduler::QueueCompaction(ColumnFamilyData* cfd) {
  INVARIANT(!cfd->schedule.queued_for_compaction);
  cfd->schedule.queued_for_compaction = true;
  compactions_.push_back(cfd->id());
}

std::optional<uint32_t> BackgroundScheduler::TakeCompaction() {
  if (compactions_.empty() || context_.manual->HasExclusive()) {
    return std::nullopt;
  }
  const uint32_t id = compactions_.front();
  compactions_.pop_front();
  return id;
}

void BackgroundScheduler::EndCompaction() {
  INVARIANT(running_compactions_ > 0);
  --running_compactions_;
}

void BackgroundScheduler::LeaveCompactions() {
  INVARIANT(scheduled_compactions_ > 0);
  EndCompaction();
  --scheduled_compactions_;
  LeaveThread();
}

void BackgroundScheduler::JoinCompactions() {
  context_.mutex->AssertHeld();
  ++joined_compactions_;
  BeginCompaction();
}

void BackgroundScheduler::LeaveJoinedCompactions() {
  INVARIANT(joined_compactions_ > 0);
  EndCompaction();
  --joined_compactions_;
  MaybeSchedule();
  context_.changes->Note();
}

bool BackgroundScheduler::HasBottomPool() const {
  return context_.env->GetBackgroundThreads(Env::Priority::BOTTOM) > 0;
}

bool BackgroundScheduler::IsBottomBusy() const {
  const auto jobs = static_cast<int>(bottom_.size()) + running_bottom_;
  return jobs >= context_.env->GetBackgroundThreads(Env::Priority::BOTTOM) ||
         context_.env->GetThreadPoolQueueLen(Env::Priority::BOTTOM) > 0;
}

void BackgroundScheduler::Defer(Deferred deferred) {
  context_.mutex->AssertHeld();
  INVARIANT(deferred.first != nullptr);
  INVARIANT(deferred.second != nullptr);
  bottom_.push_back(std::move(deferred));
  context_.env->Schedule(&BottomEntry, this, Env::Priority::BOTTOM, this,
                         &TakeBackEntry);
}

BackgroundScheduler::Deferred BackgroundScheduler::BeginBottom() {
  INVARIANT(!bottom_.empty());
  ++running_compactions_;
  ++running_bottom_;
  Deferred next = std::move(bottom_.front());
  bottom_.pop_front();
  return next;
}

void BackgroundScheduler::LeaveBottom() {
  INVARIANT(running_bottom_ > 0);
  EndCompaction();
  --running_bottom_;
  LeaveThread();
}

void BackgroundScheduler::CancelBottom() {
  context_.mutex->AssertHeld();
  MutexUnlock unlock(context_.mutex);
  context_.env->UnSchedule(this, Env::Priority::BOTTOM);
}

BackgroundScheduler::Counts BackgroundScheduler::counts() const {
  Counts counts;
  counts.flushes_scheduled = scheduled_flushes_;
  counts.flushes_running = running_flushes_;
  counts.low_running = running_compactions_ - running_bottom_;
  counts.low_scheduled = scheduled_compactions_ + joined_compactions_;
  counts.bottom_running = running_bottom_;
  counts.bottom_scheduled = static_cast<int>(bottom_.size()) + running_bottom_;
  return counts;
}

void BackgroundScheduler::Leave() {
  INVARIANT(finishing_ > 0);
  --finishing_;
  context_.changes->Note();
}

void BackgroundScheduler::LeaveThread() {
  ++finishing_;
  MaybeSchedule();
  context_.changes->Note();
}

bool BackgroundScheduler::IsBusy() const {
  if (HasThreads() || !bottom_.empty() || running_bottom_ > 0) return true;
  if (HasFlushes() && !context_.errors->StopsFlush()) return true;
  return (!compactions_.empty() || !context_.manual->empty()) &&
         !context_.errors->StopsCompaction();
}

bool BackgroundScheduler::IsIdle() const {
  const bool is_idle = !HasThreads() && !IsFinishing() && bottom_.empty() &&
                       running_bottom_ == 0;
  INVARIANT(!is_idle || running_flushes_ + running_compactions_ == 0);
  return is_idle;
}

void BackgroundScheduler::FlushEntry(void* self) {
  static_cast<BackgroundScheduler*>(self)->Run(
      &BackgroundWork::FlushInBackground);
}

void BackgroundScheduler::CompactionEntry(void* self) {
  static_cast<BackgroundScheduler*>(self)->Run(
      &BackgroundWork::CompactInBackground);
}

void BackgroundScheduler::BottomEntry(void* self) {
  static_cast<BackgroundScheduler*>(self)->Run(
      &BackgroundWork::CompactToBottomInBackground);
}

// A job that will not run; the database is being closed.
void BackgroundScheduler::TakeBackEntry(void* self) {
  auto* const scheduler = static_cast<BackgroundScheduler*>(self);
  MutexLock lock(scheduler->context_.mutex);
  INVARIANT(!scheduler->bottom_.empty());
  scheduler->bottom_.front().second->Take();
  scheduler->bottom_.pop_front();
  scheduler->context_.changes->Note();
}

void BackgroundScheduler::Run(void (BackgroundWork::*job)()) {
  {
    std::optional<JobThreads::Membership> membership;
    if (context_.threads != nullptr) membership.emplace(context_.threads);
    (context_.work->*job)();
  }
  MutexLock lock(context_.mutex);
  Leave();
}

}  // namespace ROCKSDB_NAMESPACE

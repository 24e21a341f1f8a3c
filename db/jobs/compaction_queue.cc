#include "db/jobs/compaction_queue.h"

#include <algorithm>

#include "db/background/background_scheduler.h"
#include "db/background/limiter_waiter.h"
#include "db/background/stop_signals.h"
#include "db/compaction/compaction_picker.h"
#include "db/manifest/version_set.h"
#include "db/registry/change_signal.h"
#include "db/registry/current_options.h"
#include "db/registry/family_registry.h"
#include "db/semantics/snapshot_list.h"
#include "rocksdb/system_clock.h"
#include "util/daily_window.h"
#include "util/delayed_task.h"
#include "util/invariant.h"
#include "util/periodic_task.h"
#include "util/task_limiter.h"

namespace ROCKSDB_NAMESPACE {

namespace {

bool CompactsByItself(const ColumnFamilyData& cfd) {
  return !cfd.is_dropped() && !cfd.options()->disable_auto_compactions;
}

uint64_t SecondsNow(const ImmutableDBOptions& db) {
  return db.clock->NowMicros() / 1'000'000;
}

ScoreTime ScoreNow(const ImmutableDBOptions& db,
                   const MutableDBOptions& options) {
  const uint64_t now = SecondsNow(db);
  DailyWindow window;
  const bool is_valid =
      DailyWindow::Parse(options.daily_offpeak_time_utc, &window);
  INVARIANT(is_valid);  // ValidateDBOptions() has seen to that.
  // What would be due before the next such time is done in this one.
  return {now, window.Contains(now) ? window.SecondsToBegin(now) : 0};
}

}  // namespace

CompactionQueue::CompactionQueue(const Context& context)
    : context_(context),
      limiter_waiter_(
          std::make_shared<LimiterWaiter>([this] { AddThoseWithRoom(); })),
      age_checks_(std::make_unique<PeriodicTask>([this] { CheckAges(); })) {
  INVARIANT(context_.versions != nullptr);
  INVARIANT(context_.options != nullptr);
  INVARIANT(context_.stop != nullptr);
}

CompactionQueue::~CompactionQueue() { LeaveLimiters(); }

void CompactionQueue::Add(ColumnFamilyData* cfd) {
  INVARIANT(cfd != nullptr);
  context_.mutex->AssertHeld();
  const FamilyRef family = context_.families->Find(cfd->id());
  if (family == nullptr || cfd->schedule.queued_for_compaction) return;
  INVARIANT(family->cfd.get() == cfd);
  if (cfd->options()->disable_auto_compactions) return;
  if (!family->picker->NeedsCompaction(cfd->current()->storage())) return;
  context_.scheduler->QueueCompaction(cfd);
}

void CompactionQueue::AddAll() {
  context_.mutex->AssertHeld();
  for (const auto& entry : *context_.families) Add(entry.second->cfd.get());
}

void CompactionQueue::Score(ColumnFamilyData* cfd) const {
  context_.mutex->AssertHeld();
  cfd->current()->mutable_storage()->ComputeScores(
      cfd->ioptions(), *cfd->options(),
      ScoreNow(*context_.db, **context_.options));
}

void CompactionQueue::NoteOldestSnapshot() {
  context_.mutex->AssertHeld();
  const SequenceNumber last = context_.versions->LastSequence();
  const SequenceNumber sequence = context_.snapshots->OldestToKeep(last);
  INVARIANT(sequence <= last);
  const uint64_t now_seconds = SecondsNow(*context_.db);
  for (const auto& entry : *context_.families) {
    ColumnFamilyData* cfd = entry.second->cfd.get();
    cfd->current()->mutable_storage()->NoteOldestSnapshot(
        sequence, *cfd->options(), now_seconds);
    Score(cfd);
    Add(cfd);
  }
  context_.scheduler->MaybeSchedule();
}

// The option says how long may pass at most. Looks are cheap, and find what
// waits for room on the device, too: they come each minute anyway.
void CompactionQueue::StartAgeChecks() {
  constexpr uint64_t kMostSeconds = 60;
  constexpr uint64_t kMicrosPerSecond = 1'000'000;
  const uint64_t seconds =
      context_.options->Get()->max_compaction_trigger_wakeup_seconds;
  age_checks_->SetPeriod(std::clamp<uint64_t>(seconds, 1, kMostSeconds) *
                         kMicrosPerSecond);
}

void CompactionQueue::CheckAges() {
  MutexLock lock(context_.mutex);
  if (!context_.scheduler->is_open() || context_.stop->IsShuttingDown()) return;
  for (const auto& entry : *context_.families) {
    ColumnFamilyData* cfd = entry.second->cfd.get();
    Score(cfd);
    Add(cfd);
  }
  context_.scheduler->MaybeSchedule();
}

// --- compactions that failed

void CompactionQueue::RetryLater(FamilyEntry* family) {
  INVARIANT(family != nullptr);
  context_.mutex->AssertHeld();
  if (retries_ == nullptr) {
    retries_ = std::make_unique<DelayedTask>([this] {
      MutexLock lock(context_.mutex);
      RetryDue(std::chrono::steady_clock::now());
    });
  }
  constexpr uint64_t kLeastMicros = 100'000;  // 0 would be over and over.
  constexpr uint64_t kMostMicros = 3'600'000'000;
  const uint64_t micros = std::clamp(context_.db->bgerror_resume_retry_interval,
                                     kLeastMicros, kMostMicros);
  family->retry_at =
      std::chrono::steady_clock::now() + std::chrono::microseconds(micros);
  retries_->RunIn(micros);
}

void CompactionQueue::RetryNow() {
  context_.mutex->AssertHeld();
  RetryDue(RetryTime::max());
}

void CompactionQueue::RetryDue(Time due_by) {
  if (context_.stop->IsShuttingDown()) return;
  for (const auto& entry : *context_.families) {
    FamilyEntry* const family = entry.second.get();
    if (!family->retry_at.has_value()) continue;
    if (const auto early = *family->retry_at - due_by; early.count() > 0) {
      const auto micros =
          std::chrono::ceil<std::chrono::microseconds>(early).count();
      retries_->RunIn(static_cast<uint64_t>(micros));
      continue;
    }
    family->retry_at.reset();
    Add(family->cfd.get());
  }
  context_.scheduler->MaybeSchedule();
  context_.changes->Note();
}

// --- compaction_thread_limiter

std::shared_ptr<TaskLimiter> CompactionQueue::LimiterOf(
    const ColumnFamilyData& cfd) {
  // ValidateColumnFamilyOptions() takes no other.
  return std::static_pointer_cast<TaskLimiter>(
      cfd.ioptions().compaction_thread_limiter);
}

bool CompactionQueue::TakeLimit(TaskLimiter* limiter, FamilyEntry* family) {
  context_.mutex->AssertHeld();
  family->awaits_limiter = !limiter->Take(limiter_waiter_);
  return !family->awaits_limiter;
}

void CompactionQueue::AddThoseWithRoom() {
  MutexLock lock(context_.mutex);
  if (!context_.scheduler->is_open() || context_.stop->IsShuttingDown()) return;
  for (const auto& entry : *context_.families) {
    FamilyEntry* family = entry.second.get();
    if (!family->awaits_limiter) continue;
    family->awaits_limiter = false;
    Add(family->cfd.get());
  }
  context_.scheduler->MaybeSchedule();
  context_.changes->Note();
}

void CompactionQueue::StopAgeChecks() { age_checks_->Stop(); }

void CompactionQueue::StopRetries() { retries_.reset(); }

void CompactionQueue::LeaveLimiters() { limiter_waiter_->Detach(); }

bool CompactionQueue::HasWaiting() const {
  context_.mutex->AssertHeld();
  return std::any_of(
      context_.families->begin(), context_.families->end(),
      [](const auto& entry) {
        const FamilyEntry& family = *entry.second;
        return (family.awaits_limiter || family.retry_at.has_value()) &&
               CompactsByItself(*family.cfd);
      });
}

}  // namespace ROCKSDB_NAMESPACE

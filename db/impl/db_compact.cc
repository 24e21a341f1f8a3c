// DBImpl: compactions that run in the background.
#include <algorithm>

#include "db/background/compaction_turn.h"
#include "db/background/manual_compaction.h"
#include "db/family/sequence_ages.h"
#include "db/impl/db_impl.h"
#include "db/jobs/compaction_queue.h"
#include "db/jobs/compaction_runner.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

void DBImpl::BackgroundCompaction() {
  MutexLock lock(&mutex_);
  background_.BeginCompaction();
  INVARIANT(opened_);
  INVARIANT(mode_ == Mode::kReadWrite);
  if (background_.MayCompact()) {
    // What a user waits for comes first.
    if (ManualCompaction* const manual = manual_.NextToBegin()) {
      RunManualInPlace(manual);
    } else if (const auto next = background_.TakeCompaction()) {
      const FamilyRef family = families_.Find(*next);
      if (family != nullptr) {
        family->cfd->queued_for_compaction = false;
        RunAutomatic(family.get(), {});
      }
    }
  }
  CheckSpaceLimit();
  background_.LeaveCompactions();
}

CompactionPicker::Input DBImpl::PickerInput(const Family& family) {
  INVARIANT(family.cfd != nullptr);
  CompactionPicker::Input input;
  input.version = family.cfd->current();
  input.family_name = family.cfd->name();
  input.cf = &family.cfd->ioptions();
  input.options = family.cfd->options();
  input.max_subcompactions = mutable_options_->max_subcompactions;
  input.cursors = family.cfd->compaction_cursors();
  ages_->Limit(*family.cfd, &input);
  return input;
}

void DBImpl::RunAutomatic(Family* family, CompactionTurn turn) {
  INVARIANT(family != nullptr);
  ColumnFamilyData* cfd = family->cfd.get();
  if (cfd->is_dropped() || cfd->options()->disable_auto_compactions) return;
  // MoveToLevel(), RunManual() and a retry queue the family again.
  if (family->level_changes > 0 || family->retry_at.has_value()) return;
  const bool must_wait =
      cfd->ioptions().compaction_style == kCompactionStyleUniversal &&
      manual_.IsBlocked(cfd);
  if (must_wait) return;
  RunLimited(family, std::move(turn));
}

void DBImpl::RunLimited(Family* family, CompactionTurn turn) {
  INVARIANT(family != nullptr);
  const std::shared_ptr<TaskLimiter> limiter =
      CompactionQueue::LimiterOf(*family->cfd);
  if (limiter == nullptr) return RunPicked(family, std::move(turn));
  if (!compactions_->TakeLimit(limiter.get(), family)) return;
  RunPicked(family, std::move(turn));
  // Whoever is told may look at this database too.
  mutex_.Unlock();
  limiter->GiveBack();
  mutex_.Lock();
}

// A user waits for it: it takes a place, but is not kept from running.
void DBImpl::RunManualInPlace(ManualCompaction* manual) {
  INVARIANT(manual != nullptr);
  const std::shared_ptr<TaskLimiter> limiter =
      CompactionQueue::LimiterOf(*manual->cfd);
  if (limiter != nullptr) limiter->TakeInAnyCase();
  RunManual(manual);
  if (limiter == nullptr) return;
  mutex_.Unlock();
  limiter->GiveBack();
  mutex_.Lock();
}

void DBImpl::RunPicked(Family* family, CompactionTurn turn) {
  INVARIANT(family != nullptr);
  ColumnFamilyData* cfd = family->cfd.get();
  std::unique_ptr<Compaction> compaction =
      turn.picked != nullptr ? std::move(turn.picked)
                             : family->picker->Pick(PickerInput(*family));
  if (compaction == nullptr) return;
  if (turn.pool == Env::Priority::LOW && BelongsToBottom(*compaction)) {
    Defer(family, std::move(compaction));
    return;
  }
  const uint64_t room = SpaceReserve::RoomFor(*compaction);
  // CheckAges() has it tried again.
  if (!space_.Reserve(room)) return;
  // More may be wanted beside this one.
  compactions_->Add(cfd);
  background_.MaybeSchedule();
  const Status s = runner_->Run(family, std::move(compaction), {});
  space_.Release(room);
  if (s.ok()) {
    compactions_->Add(cfd);
    return;
  }
  // Whoever learns of the error, and resumes, ends the wait.
  compactions_->RetryLater(family);
  OnBackgroundError(s, BackgroundErrorReason::kCompaction);
}

void DBImpl::OldestSnapshotGone() { compactions_->NoteOldestSnapshot(); }

}  // namespace ROCKSDB_NAMESPACE

#include "db/jobs/compaction_desk.h"

#include <optional>
#include <string>
#include <utility>

#include "db/background/background_scheduler.h"
#include "db/background/compaction_turn.h"
#include "db/background/job_errors.h"
#include "db/background/manual_queue.h"
#include "db/background/stop_signals.h"
#include "db/compaction/compaction_picker.h"
#include "db/compaction/deferred_compaction.h"
#include "db/files/space_reserve.h"
#include "db/jobs/compaction_queue.h"
#include "db/jobs/compaction_runner.h"
#include "db/jobs/picker_inputs.h"
#include "db/registry/change_signal.h"
#include "db/registry/family_registry.h"
#include "options/compaction_styles.h"
#include "util/invariant.h"
#include "util/task_limiter.h"

namespace ROCKSDB_NAMESPACE {

namespace {

bool ReducesFileLocking(const ColumnFamilyData& cfd) {
  return TraitsOf(cfd.ioptions().compaction_style).merges_runs &&
         cfd.options()->compaction_options_universal.reduce_file_locking;
}

}  // namespace

void CompactionDesk::Compact() {
  MutexLock lock(context_.mutex);
  context_.scheduler->BeginCompaction();
  if (context_.scheduler->MayCompact()) {
    // What a user waits for comes first.
    if (ManualCompaction* const manual = context_.manual->NextToBegin()) {
      RunManualInPlace(manual);
    } else if (const auto next = context_.scheduler->TakeCompaction()) {
      const FamilyRef family = context_.families->Find(*next);
      if (family != nullptr) {
        family->cfd->schedule.queued_for_compaction = false;
        RunAutomatic(family.get(), {});
      }
    }
  }
  context_.errors->CheckSpaceLimit();
  context_.scheduler->LeaveCompactions();
}

void CompactionDesk::RunAutomatic(FamilyEntry* family, CompactionTurn turn) {
  INVARIANT(family != nullptr);
  ColumnFamilyData* cfd = family->cfd.get();
  if (cfd->is_dropped() || cfd->options()->disable_auto_compactions) return;
  // MoveToLevel(), RunManual(), ResumeCompactions() and a retry queue the
  // family again.
  if (family->level_changes > 0 || family->retry_at.has_value() ||
      cfd->schedule.compaction_aborts.load() > 0) {
    return;
  }
  const bool must_wait =
      TraitsOf(cfd->ioptions().compaction_style).merges_runs &&
      context_.manual->IsBlocked(cfd);
  if (must_wait) return;
  RunLimited(family, std::move(turn));
}

void CompactionDesk::RunLimited(FamilyEntry* family, CompactionTurn turn) {
  INVARIANT(family != nullptr);
  const std::shared_ptr<TaskLimiter> limiter =
      CompactionQueue::LimiterOf(*family->cfd);
  if (limiter == nullptr) return RunPicked(family, std::move(turn));
  if (!context_.queue->TakeLimit(limiter.get(), family)) return;
  RunPicked(family, std::move(turn));
  // Whoever is told may look at this database too.
  MutexUnlock unlock(context_.mutex);
  limiter->GiveBack();
}

// A user waits for it: it takes a place, but is not kept from running.
void CompactionDesk::RunManualInPlace(ManualCompaction* manual) {
  INVARIANT(manual != nullptr);
  const std::shared_ptr<TaskLimiter> limiter =
      CompactionQueue::LimiterOf(*manual->cfd);
  if (limiter != nullptr) limiter->TakeInAnyCase();
  RunManual(manual);
  if (limiter == nullptr) return;
  MutexUnlock unlock(context_.mutex);
  limiter->GiveBack();
}

void CompactionDesk::RunPicked(FamilyEntry* family, CompactionTurn turn) {
  INVARIANT(family != nullptr);
  ColumnFamilyData* cfd = family->cfd.get();
  std::unique_ptr<Compaction> compaction =
      turn.picked != nullptr
          ? std::move(turn.picked)
          : family->picker->Pick(context_.inputs->Make(*family));
  if (compaction == nullptr) return;
  if (turn.pool == Env::Priority::LOW && BelongsToBottom(*compaction)) {
    Defer(family, std::move(compaction));
    return;
  }
  const uint64_t room = SpaceReserve::RoomFor(*compaction);
  // CheckAges() has it tried again.
  if (!context_.space->Reserve(room)) return;
  // More may be wanted beside this one.
  context_.queue->Add(cfd);
  context_.scheduler->MaybeSchedule();
  const Status s =
      context_.runner->Run(family, std::move(compaction), {.pool = turn.pool});
  context_.space->Release(room);
  if (s.ok()) {
    context_.queue->Add(cfd);
    return;
  }
  // Whoever learns of the error, and resumes, ends the wait.
  context_.queue->RetryLater(family);
  context_.errors->OnBackgroundError(s, BackgroundErrorReason::kCompaction);
}

bool CompactionDesk::BelongsToBottom(const Compaction& compaction) const {
  return compaction.is_bottommost && compaction.output_level > 0 &&
         !compaction.is_trivial_move && !compaction.drops_inputs &&
         context_.scheduler->HasBottomPool();
}

void CompactionDesk::Defer(FamilyEntry* family,
                           std::unique_ptr<Compaction> compaction) {
  INVARIANT(family != nullptr);
  ColumnFamilyData* const cfd = family->cfd.get();
  const FamilyRef ref = context_.families->Find(cfd->id());
  if (ref == nullptr) return;  // It is being dropped.
  INVARIANT(ref.get() == family);
  // What begins at once leaves nothing for others to merge meanwhile.
  using Hold = DeferredCompaction::Hold;
  const Hold hold =
      ReducesFileLocking(*cfd) && context_.scheduler->IsBottomBusy()
          ? Hold::kOldestRun
          : Hold::kAllInputs;
  context_.scheduler->Defer(
      {ref, std::make_shared<DeferredCompaction>(family->picker.get(),
                                                 std::move(compaction), hold)});
  // What is held must not be counted by the next pick.
  context_.queue->Score(cfd);
  context_.queue->Add(cfd);
  context_.scheduler->MaybeSchedule();
}

void CompactionDesk::CompactToBottom() {
  MutexLock lock(context_.mutex);
  const auto [family, deferred] = context_.scheduler->BeginBottom();
  std::unique_ptr<Compaction> picked = deferred->Take();
  ColumnFamilyData* const cfd = family->cfd.get();
  if (!cfd->is_dropped()) {
    context_.queue->Score(cfd);
  }
  if (context_.scheduler->MayCompact() && !context_.manual->HasExclusive()) {
    RunAutomatic(family.get(), {Env::Priority::BOTTOM, std::move(picked)});
  } else {
    context_.queue->Add(cfd);
  }
  context_.errors->CheckSpaceLimit();
  context_.scheduler->LeaveBottom();
}

void CompactionDesk::RunManual(ManualCompaction* manual) {
  INVARIANT(manual != nullptr);
  INVARIANT(manual->cfd != nullptr);
  const FamilyRef family = context_.families->Find(manual->cfd->id());
  if (family == nullptr) {
    manual->status = Status::ColumnFamilyDropped();
    manual->done = true;
    return;
  }
  INVARIANT(!manual->running);
  INVARIANT(!manual->done);
  manual->running = true;
  CompactionPicker::Range range = manual->range;
  std::string rest_key;
  Slice rest_slice;
  while (manual->status.ok()) {
    manual->status = CheckManual(*context_.stop, *manual);
    if (!manual->status.ok()) break;
    if (family->level_changes > 0) {
      context_.changes->AwaitForUser(manual->canceled);
      continue;
    }
    bool conflict = false;
    std::optional<InternalKey> rest;
    std::unique_ptr<Compaction> compaction = family->picker->PickRange(
        context_.inputs->Make(*family), range, &conflict, &rest);
    manual->is_blocked = compaction == nullptr && conflict;
    if (manual->is_blocked) {
      context_.changes->AwaitForUser(manual->canceled);
      continue;
    }
    if (compaction == nullptr) break;
    manual->status = RunPart(manual, family.get(), std::move(compaction));
    if (!rest) break;
    rest_key = rest->user_key().ToString();
    rest_slice = rest_key;
    range.begin = &rest_slice;
  }
  if (manual->status.ok() && context_.stop->IsShuttingDown()) {
    manual->status = Status::ShutdownInProgress();
  }
  manual->is_blocked = false;
  context_.queue->Add(manual->cfd);
  manual->running = false;
  manual->done = true;
  context_.changes->Note();
}

Status CompactionDesk::RunPart(ManualCompaction* manual, FamilyEntry* family,
                               std::unique_ptr<Compaction> compaction) {
  compaction->OverrideBlobCollection(manual->blob_policy,
                                     manual->blob_age_cutoff);
  compaction->trim_ts = manual->trim_ts;
  if (!manual->trim_ts.empty()) compaction->is_trivial_move = false;
  const uint64_t room = SpaceReserve::RoomFor(*compaction);
  if (!context_.space->Reserve(room)) {
    return Status::CompactionTooLarge("no room for its outputs");
  }
  const Status s = context_.runner->Run(family, std::move(compaction),
                                        {.pool = Env::Priority::LOW,
                                         .is_manual = true,
                                         .canceled = manual->canceled});
  context_.space->Release(room);
  if (!s.ok()) {
    manual->status = s;
    context_.errors->OnBackgroundError(s, BackgroundErrorReason::kCompaction);
  }
  return s;
}

}  // namespace ROCKSDB_NAMESPACE

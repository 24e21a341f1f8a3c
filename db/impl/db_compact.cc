// DBImpl: compactions that run in the background.
#include <algorithm>

#include "db/background/compaction_turn.h"
#include "db/background/manual_compaction.h"
#include "db/compaction/covered_inputs.h"
#include "db/compaction/partitioning.h"
#include "db/family/sequence_ages.h"
#include "db/impl/db_impl.h"
#include "db/jobs/compaction_queue.h"
#include "monitoring/io_activity.h"
#include "monitoring/statistics_impl.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// That are merged: each file of level 0 is one.
int SortedRuns(const Compaction& compaction) {
  size_t runs = 0;
  for (const CompactionInputLevel& input : compaction.inputs) {
    runs += input.level == 0 ? input.files.size() : !input.files.empty();
  }
  return static_cast<int>(runs);
}

// What could move is rewritten where the user's partitioner wants that.
Status DecideMove(const ColumnFamilyData& cfd, Mutex* mutex,
                  Compaction* compaction) {
  INVARIANT(mutex != nullptr);
  INVARIANT(compaction != nullptr);
  if (!compaction->is_trivial_move || !compaction->asks_for_move) {
    return Status::OK();
  }
  mutex->AssertHeld();
  bool may_move = false;
  Status s;
  {
    MutexUnlock unlock(mutex);
    s = AskForMove(cfd.ioptions(), *compaction, &may_move);
  }
  compaction->is_trivial_move = s.ok() && may_move;
  return s;
}

}  // namespace

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
  const Status s = RunCompaction(family, std::move(compaction), {});
  space_.Release(room);
  if (s.ok()) {
    compactions_->Add(cfd);
    return;
  }
  // Whoever learns of the error, and resumes, ends the wait.
  compactions_->RetryLater(family);
  OnBackgroundError(s, BackgroundErrorReason::kCompaction);
}

Status DBImpl::RunCompaction(Family* family,
                             std::unique_ptr<Compaction> compaction,
                             const CompactionWatch& watch) {
  INVARIANT(family != nullptr);
  INVARIANT(compaction != nullptr);
  ColumnFamilyData* cfd = family->cfd.get();
  const Compaction* plan = compaction.get();
  INVARIANT(!plan->inputs.empty());
  INVARIANT(plan->output_level < cfd->ioptions().num_levels);
  INVARIANT(plan->start_level() <= plan->output_level || plan->moves_up());
  INVARIANT(plan->start_level() >= 0);
  plan->MarkInputs(true);
  family->picker->Register(plan);
  ++cfd->running_compactions;
  const int sorted_runs = SortedRuns(*plan);
  background_.AddSortedRuns(sorted_runs);
  if (!cfd->is_dropped()) {
    // The next pick must not count what is being compacted already.
    compactions_->Score(cfd);
  }
  const int output_level = plan->output_level;
  const CompactionReason reason = plan->reason;
  LevelWork work;
  Status s = DecideMove(*cfd, &mutex_, compaction.get());
  if (!s.ok()) {
    family->picker->Unregister(plan);
    plan->MarkInputs(false);
  } else if (plan->is_trivial_move || plan->drops_inputs) {
    s = RunWithoutRewriting(family, *plan, watch, &work);
  } else {
    s = RunRewritingCompaction(family, std::move(compaction), watch, &work);
  }
  INVARIANT(cfd->running_compactions > 0);
  --cfd->running_compactions;
  background_.AddSortedRuns(-sorted_runs);
  if (s.ok()) family->stats.AddCompaction(output_level, work);
  if (s.ok() && cfd->ioptions().compaction_style == kCompactionStyleFIFO) {
    CountFifo(reason);
  }
  if (!cfd->is_dropped()) {
    // Scores change with the version, and with inputs that are free again.
    compactions_->Score(cfd);
    publisher_.Publish(cfd);
  }
  changes_.Note();
  return s;
}

void DBImpl::CountFifo(CompactionReason reason) const {
  switch (reason) {
    case CompactionReason::kFIFOMaxSize:
      RecordTick(options_.stats, FIFO_MAX_SIZE_COMPACTIONS);
      break;
    case CompactionReason::kFIFOTtl:
      RecordTick(options_.stats, FIFO_TTL_COMPACTIONS);
      break;
    case CompactionReason::kChangeTemperature:
      RecordTick(options_.stats, FIFO_CHANGE_TEMPERATURE_COMPACTIONS);
      break;
    default:
      break;
  }
}

Status DBImpl::RunWithoutRewriting(Family* family, const Compaction& plan,
                                   const CompactionWatch& watch,
                                   LevelWork* work) {
  INVARIANT(family != nullptr && work != nullptr);
  const JobContext context = MakeJobContext(family);
  CompactionJobInfo info;
  // What nobody reads costs nothing.
  const bool has_listeners = !options_.listeners.empty();
  if (has_listeners) {
    DescribePlannedMove(context, plan, &info);
    mutex_.Unlock();
    NotifyListeners(
        [&](EventListener* l) { l->OnCompactionBegin(this, info); });
    mutex_.Lock();
  }
  const Status s = InstallWithoutRewriting(context, plan, work);
  family->picker->Unregister(&plan);
  plan.MarkInputs(false);
  if (has_listeners || watch.info != nullptr) {
    DescribeWithoutRewriting(context, plan, s, &info);
  }
  if (watch.info != nullptr) *watch.info = info;
  if (has_listeners) {
    mutex_.Unlock();
    NotifyListeners(
        [&](EventListener* l) { l->OnCompactionCompleted(this, info); });
    mutex_.Lock();
  }
  return s;
}

Status DBImpl::RunRewritingCompaction(Family* family,
                                      std::unique_ptr<Compaction> compaction,
                                      const CompactionWatch& watch,
                                      LevelWork* work) {
  INVARIANT(family != nullptr);
  INVARIANT(work != nullptr);
  INVARIANT(compaction != nullptr);
  INVARIANT(!compaction->is_trivial_move);
  const Compaction* plan = compaction.get();
  JobContext context = MakeJobContext(family);
  LeaveOutCovered(context, compaction.get());
  context.canceled = watch.canceled;
  if (watch.is_manual) context.disablers = stop_.disablers();
  context.aborts = stop_.aborts();
  CompactionJob job(std::move(context), std::move(compaction));
  job.Prepare();
  CompactionJobInfo info;
  // What nobody reads costs nothing.
  const bool has_reader = watch.info != nullptr || !options_.listeners.empty();
  if (has_reader) job.FillInfo(Status::OK(), &info);
  mutex_.Unlock();
  NotifyListeners([&](EventListener* l) { l->OnCompactionBegin(this, info); });
  const IoActivityScope activity(Env::IOActivity::kCompaction);
  const RemoteRun remote = RunElsewhere(&job);
  const Status run = remote.is_done ? remote.status : job.Run();
  mutex_.Lock();
  if (run.ok() && !options_.listeners.empty()) {
    job.FillInfo(run, &info);
    mutex_.Unlock();
    NotifyListeners(
        [&](EventListener* l) { l->OnCompactionPreCommit(this, info); });
    mutex_.Lock();
  }
  const Status s = job.Install(run);
  *work = job.work();
  family->picker->Unregister(plan);
  plan->MarkInputs(false);
  if (has_reader) job.FillInfo(s, &info);
  if (watch.info != nullptr) *watch.info = info;
  mutex_.Unlock();
  if (remote.is_done) TellService(remote, s);
  NotifyListeners(
      [&](EventListener* l) { l->OnCompactionCompleted(this, info); });
  mutex_.Lock();
  return s;
}

void DBImpl::OldestSnapshotGone() { compactions_->NoteOldestSnapshot(); }

}  // namespace ROCKSDB_NAMESPACE

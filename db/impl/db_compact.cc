// DBImpl: compactions that run in the background.
#include <algorithm>

#include "db/background/compaction_turn.h"
#include "db/background/manual_compaction.h"
#include "db/compaction/covered_inputs.h"
#include "db/compaction/partitioning.h"
#include "db/family/sequence_ages.h"
#include "db/impl/db_impl.h"
#include "monitoring/io_activity.h"
#include "monitoring/statistics_impl.h"
#include "rocksdb/system_clock.h"
#include "util/daily_window.h"
#include "util/invariant.h"
#include "util/periodic_task.h"

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
  // MoveToLevel(), RunManual() and RetryCompactions() queue the family again.
  if (family->level_changes > 0 || family->retry_at.has_value()) return;
  const bool must_wait =
      cfd->ioptions().compaction_style == kCompactionStyleUniversal &&
      manual_.IsBlocked(cfd);
  if (must_wait) return;
  RunLimited(family, std::move(turn));
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
  QueueCompaction(cfd);
  background_.MaybeSchedule();
  const Status s = RunCompaction(family, std::move(compaction), {});
  space_.Release(room);
  if (s.ok()) {
    QueueCompaction(cfd);
    return;
  }
  // Whoever learns of the error, and resumes, ends the wait.
  RetryLater(family);
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
    cfd->current()->mutable_storage()->ComputeScores(
        cfd->ioptions(), *cfd->options(), ScoreNow());
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
    cfd->current()->mutable_storage()->ComputeScores(
        cfd->ioptions(), *cfd->options(), ScoreNow());
    PublishFamily(cfd);
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

uint64_t DBImpl::NowSeconds() const {
  return options_.clock->NowMicros() / 1000000;
}

VersionStorage::ScoreTime DBImpl::ScoreNow() const {
  const uint64_t now = NowSeconds();
  DailyWindow window;
  const bool is_valid =
      DailyWindow::Parse(mutable_options_->daily_offpeak_time_utc, &window);
  INVARIANT(is_valid);  // ValidateDBOptions() has seen to that.
  // What would be due before the next such time is done in this one.
  return {now, window.Contains(now) ? window.SecondsToBegin(now) : 0};
}

// The option says how long may pass at most. Looks are cheap, and find what
// waits for room on the device, too: they come each minute anyway.
void DBImpl::StartAgeChecks() {
  constexpr uint64_t kMostSeconds = 60;
  constexpr uint64_t kMicrosPerSecond = 1'000'000;
  INVARIANT(mode_ == Mode::kReadWrite);
  const uint64_t seconds =
      mutable_options_.Get()->max_compaction_trigger_wakeup_seconds;
  age_checks_->SetPeriod(std::clamp<uint64_t>(seconds, 1, kMostSeconds) *
                         kMicrosPerSecond);
}

void DBImpl::CheckAges() {
  MutexLock lock(&mutex_);
  INVARIANT(mode_ == Mode::kReadWrite);
  if (!opened_ || stop_.IsShuttingDown()) return;
  for (const auto& entry : families_) {
    ColumnFamilyData* cfd = entry.second->cfd.get();
    cfd->current()->mutable_storage()->ComputeScores(
        cfd->ioptions(), *cfd->options(), ScoreNow());
    QueueCompaction(cfd);
  }
  background_.MaybeSchedule();
}

void DBImpl::OldestSnapshotGone() {
  mutex_.AssertHeld();
  const SnapshotImpl* oldest = reads_->snapshots().oldest();
  const SequenceNumber sequence = oldest == nullptr
                                      ? versions_->LastSequence()
                                      : oldest->GetSequenceNumber();
  INVARIANT(mode_ == Mode::kReadWrite);
  INVARIANT(sequence <= versions_->LastSequence());
  for (const auto& entry : families_) {
    ColumnFamilyData* cfd = entry.second->cfd.get();
    VersionStorage* storage = cfd->current()->mutable_storage();
    storage->NoteOldestSnapshot(sequence, *cfd->options(), NowSeconds());
    storage->ComputeScores(cfd->ioptions(), *cfd->options(), ScoreNow());
    QueueCompaction(cfd);
  }
  background_.MaybeSchedule();
}

}  // namespace ROCKSDB_NAMESPACE

#include "db/jobs/compaction_runner.h"

#include <utility>

#include "db/background/background_scheduler.h"
#include "db/background/stop_signals.h"
#include "db/compaction/compaction_job.h"
#include "db/compaction/compaction_picker.h"
#include "db/compaction/covered_inputs.h"
#include "db/compaction/partitioning.h"
#include "db/jobs/compaction_queue.h"
#include "db/jobs/job_contexts.h"
#include "db/jobs/remote_runs.h"
#include "db/registry/change_signal.h"
#include "db/registry/family_entry.h"
#include "db/write/family_publisher.h"
#include "monitoring/io_activity.h"
#include "monitoring/statistics_impl.h"
#include "rocksdb/listener.h"
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

template <class Call>
void CompactionRunner::TellListeners(const Call& call) {
  if (context_.db->listeners.empty()) return;
  MutexUnlock unlock(context_.mutex);
  for (const auto& listener : context_.db->listeners) call(listener.get());
}

void CompactionRunner::TellBegun(const CompactionJobInfo& info) {
  if (context_.db->listeners.empty()) return;
  MutexUnlock unlock(context_.mutex);
  for (const auto& listener : context_.db->listeners) {
    listener->OnCompactionBegin(context_.handed_out, info);
  }
  context_.publisher->Tell();
}

Status CompactionRunner::Run(FamilyEntry* family,
                             std::unique_ptr<Compaction> compaction,
                             const CompactionWatch& watch) {
  INVARIANT(family != nullptr);
  INVARIANT(compaction != nullptr);
  context_.mutex->AssertHeld();
  ColumnFamilyData* cfd = family->cfd.get();
  const Compaction* plan = compaction.get();
  INVARIANT(!plan->inputs.empty());
  INVARIANT(plan->output_level < cfd->ioptions().num_levels);
  INVARIANT(plan->start_level() <= plan->output_level || plan->moves_up());
  INVARIANT(plan->start_level() >= 0);
  plan->MarkInputs(true);
  family->picker->Register(plan);
  ++cfd->schedule.running_compactions;
  const int sorted_runs = SortedRuns(*plan);
  context_.scheduler->AddSortedRuns(sorted_runs);
  // The next pick must not count what is being compacted already.
  if (!cfd->is_dropped()) context_.queue->Score(cfd);
  const int output_level = plan->output_level;
  const CompactionReason reason = plan->reason;
  LevelWork work;
  const Status s = RunPlan(family, std::move(compaction), watch, &work);
  INVARIANT(cfd->schedule.running_compactions > 0);
  --cfd->schedule.running_compactions;
  context_.scheduler->AddSortedRuns(-sorted_runs);
  if (s.ok()) family->stats.AddCompaction(output_level, watch.pool, work);
  if (s.ok()) CountFifo(reason);
  if (!cfd->is_dropped()) {
    context_.queue->Score(cfd);
    context_.publisher->Publish(cfd);
  }
  context_.changes->Note();
  return s;
}

Status CompactionRunner::RunPlan(FamilyEntry* family,
                                 std::unique_ptr<Compaction> compaction,
                                 const CompactionWatch& watch,
                                 LevelWork* work) {
  const Compaction* plan = compaction.get();
  const Status s = DecideMove(*family->cfd, context_.mutex, compaction.get());
  if (!s.ok()) {
    family->picker->Unregister(plan);
    plan->MarkInputs(false);
    return s;
  }
  if (plan->is_trivial_move || plan->drops_inputs) {
    return RunWithoutRewriting(family, *plan, watch, work);
  }
  return RunRewriting(family, std::move(compaction), watch, work);
}

void CompactionRunner::CountFifo(CompactionReason reason) const {
  switch (reason) {
    case CompactionReason::kFIFOMaxSize:
      RecordTick(context_.db->stats, FIFO_MAX_SIZE_COMPACTIONS);
      break;
    case CompactionReason::kFIFOTtl:
      RecordTick(context_.db->stats, FIFO_TTL_COMPACTIONS);
      break;
    case CompactionReason::kChangeTemperature:
      RecordTick(context_.db->stats, FIFO_CHANGE_TEMPERATURE_COMPACTIONS);
      break;
    default:
      break;
  }
}

Status CompactionRunner::RunWithoutRewriting(FamilyEntry* family,
                                             const Compaction& plan,
                                             const CompactionWatch& watch,
                                             LevelWork* work) {
  INVARIANT(family != nullptr && work != nullptr);
  const JobContext job = context_.jobs->Make(family);
  CompactionJobInfo info;
  // What nobody reads costs nothing.
  const bool has_listeners = !context_.db->listeners.empty();
  if (has_listeners) DescribePlannedMove(job, plan, &info);
  TellBegun(info);
  const Status s = InstallWithoutRewriting(job, plan, work);
  family->picker->Unregister(&plan);
  plan.MarkInputs(false);
  if (has_listeners || watch.info != nullptr) {
    DescribeWithoutRewriting(job, plan, s, &info);
  }
  if (watch.info != nullptr) *watch.info = info;
  TellListeners([&](EventListener* l) {
    l->OnCompactionCompleted(context_.handed_out, info);
  });
  return s;
}

Status CompactionRunner::RunRewriting(FamilyEntry* family,
                                      std::unique_ptr<Compaction> compaction,
                                      const CompactionWatch& watch,
                                      LevelWork* work) {
  INVARIANT(family != nullptr);
  INVARIANT(work != nullptr);
  INVARIANT(compaction != nullptr);
  INVARIANT(!compaction->is_trivial_move);
  const Compaction* plan = compaction.get();
  JobContext context = context_.jobs->Make(family);
  LeaveOutCovered(context, compaction.get());
  context.stop.canceled = watch.canceled;
  if (watch.is_manual) context.stop.disablers = context_.stop->disablers();
  context.stop.aborts = context_.stop->aborts();
  context.stop.family_aborts = &family->cfd->schedule.compaction_aborts;
  CompactionJob job(std::move(context), std::move(compaction));
  job.Prepare();
  CompactionJobInfo info;
  // What nobody reads costs nothing.
  const bool has_reader =
      watch.info != nullptr || !context_.db->listeners.empty();
  if (has_reader) job.FillInfo(Status::OK(), &info);
  TellBegun(info);
  const IoActivityScope activity(Env::IOActivity::kCompaction);
  RemoteRuns::Outcome remote;
  Status run;
  {
    MutexUnlock unlock(context_.mutex);
    remote = context_.remote->Run(&job);
    run = remote.is_done ? remote.status : job.Run();
  }
  if (run.ok() && !context_.db->listeners.empty()) {
    job.FillInfo(run, &info);
    TellListeners([&](EventListener* l) {
      l->OnCompactionPreCommit(context_.handed_out, info);
    });
  }
  const Status s = job.Install(run);
  *work = job.work();
  family->picker->Unregister(plan);
  plan->MarkInputs(false);
  if (has_reader) job.FillInfo(s, &info);
  if (watch.info != nullptr) *watch.info = info;
  if (remote.is_done) {
    MutexUnlock unlock(context_.mutex);
    context_.remote->Tell(remote, s);
  }
  TellListeners([&](EventListener* l) {
    l->OnCompactionCompleted(context_.handed_out, info);
  });
  return s;
}

}  // namespace ROCKSDB_NAMESPACE

// Which threads are asked for, and what they do. Runs
// tests/testdata/background/scheduler.txt:
//
//   scheduler OPTIONS     flushes:N, compactions:N (the most at once)
//   STEPS                 one line of state for each line
//
// STEPs: flush:N, compact:N (one after the other, that many more families wait;
// they are numbered in that order), again (the latest waits for a flush once
// more); run:POOL (all that comes), run_one:POOL, where the pools are high, low
// and bottom; pause, continue, close (flushes go on in pauses); join, leave (of
// a caller's thread that flushes), join_compaction, leave_compaction (of one
// that compacts); delay, free (writers); fail:compaction, fail:flush (hard),
// abort, end_abort, shut_down; manual (a user waits), exclusive, shared; take
// (of the compactions); threads:N (of the bottom pool), queue:N (of others'
// jobs there), defer (one more family's compaction), cancel; schedule; count
// (threads that are asked for and not done yet).
//
// The state: threads that are asked for, what was done by family, and whether
// anything is busy, idle, or must not begin.
#include "db/background/background_scheduler.h"

#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "db/background/error_handler.h"
#include "db/background/manual_queue.h"
#include "db/background/stop_signals.h"
#include "db/compaction/compaction_picker.h"
#include "db/compaction/deferred_compaction.h"
#include "db/registry/change_signal.h"
#include "db/write/write_controller.h"
#include "options/db_options.h"
#include "rocksdb/env.h"
#include "tests/db/registry/family_world.h"
#include "tests/testing/script.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// Keeps what it is asked to run, until the test has it run.
class PoolsEnv : public EnvWrapper {
 public:
  PoolsEnv() : EnvWrapper(Env::Default()) {}
  struct Job {
    void (*run)(void*);
    void* argument;
    void (*cancel)(void*);
  };
  void Schedule(void (*run)(void*), void* argument, Priority priority,
                void* /*tag*/, void (*cancel)(void*)) override {
    jobs[priority].push_back({run, argument, cancel});
  }
  int UnSchedule(void* /*tag*/, Priority priority) override {
    const std::deque<Job> gone = std::exchange(jobs[priority], {});
    for (const Job& job : gone) job.cancel(job.argument);
    return static_cast<int>(gone.size());
  }
  int GetBackgroundThreads(Priority priority) override {
    return priority == Priority::BOTTOM ? bottom_threads : 2;
  }
  unsigned int GetThreadPoolQueueLen(Priority /*priority*/) const override {
    return bottom_queue;
  }
  size_t Count(Priority priority) { return jobs[priority].size(); }
  void RunOne(Priority priority) {
    ASSERT_FALSE(jobs[priority].empty());
    const Job job = jobs[priority].front();
    jobs[priority].pop_front();
    job.run(job.argument);
  }

  std::map<Priority, std::deque<Job>> jobs;
  int bottom_threads = 0;
  unsigned int bottom_queue = 0;
};

class SchedulerScript : private BackgroundWork {
 public:
  explicit SchedulerScript(const ScriptWords& command) {
    EXPECT_EQ(command.verb(), "scheduler");
    MutableDBOptions options;
    options.max_background_flushes =
        static_cast<int>(command.Number("flushes", 2));
    options.max_background_compactions =
        static_cast<int>(command.Number("compactions", 3));
    MutexLock lock(&world_.mutex);
    scheduler_.SetLimits(options);
    scheduler_.Open();
  }

  std::string Run(const std::string& line) {
    std::istringstream steps(line);
    for (std::string step; steps >> step;) {
      const size_t colon = step.find(':');
      const std::string argument =
          colon == std::string::npos ? "" : step.substr(colon + 1);
      Step(step.substr(0, colon), argument);
    }
    return State();
  }

 private:
  static Env::Priority PoolOf(const std::string& name) {
    if (name == "high") return Env::Priority::HIGH;
    if (name == "low") return Env::Priority::LOW;
    EXPECT_EQ(name, "bottom");
    return Env::Priority::BOTTOM;
  }
  FamilyRef AddFamily() {
    return world_.Add(static_cast<uint32_t>(family_count_++), "f");
  }

  void Step(const std::string& verb, const std::string& argument) {
    if (verb == "flush" || verb == "compact") {
      for (int i = std::stoi(argument); i > 0; --i) Queue(verb);
    } else if (verb == "run_one") {
      env_.RunOne(PoolOf(argument));
    } else if (verb == "run") {
      while (env_.Count(PoolOf(argument)) > 0) env_.RunOne(PoolOf(argument));
    } else if (verb == "threads") {
      env_.bottom_threads = std::stoi(argument);
    } else if (verb == "queue") {
      env_.bottom_queue = static_cast<unsigned int>(std::stoi(argument));
    } else if (verb == "defer") {
      const FamilyRef family = AddFamily();
      MutexLock lock(&world_.mutex);
      scheduler_.Defer(MakeDeferred(family));
      deferred_.push_back(family);
    } else {
      MutexLock lock(&world_.mutex);
      StepLocked(verb, argument);
    }
  }
  void Queue(const std::string& verb) {
    latest_ = AddFamily();
    MutexLock lock(&world_.mutex);
    ColumnFamilyData* const cfd = latest_->cfd.get();
    if (verb == "flush") {
      scheduler_.QueueFlush(cfd);
    } else {
      scheduler_.QueueCompaction(cfd);
    }
    scheduler_.MaybeSchedule();
  }
  void StepLocked(const std::string& verb, const std::string& argument)
      REQUIRES(world_.mutex) {
    if (verb == "pause") return scheduler_.Pause();
    if (verb == "close") return scheduler_.FlushInPauses();
    if (verb == "join") return scheduler_.JoinFlushes();
    if (verb == "leave") return scheduler_.LeaveJoinedFlushes();
    if (verb == "join_compaction") {
      ++joined_;
      return scheduler_.JoinCompactions();
    }
    if (verb == "leave_compaction") {
      --joined_;
      return scheduler_.LeaveJoinedCompactions();
    }
    if (verb == "abort") return stop_.BeginAbort();
    if (verb == "shut_down") return stop_.ShutDown();
    if (verb == "manual") return manual_.Add(&waiting_);
    if (verb == "exclusive") return manual_.SetExclusive(&waiting_);
    if (verb == "cancel") return scheduler_.CancelBottom();
    if (verb == "again") return scheduler_.QueueFlush(latest_->cfd.get());
    if (verb == "fail") {
      const bool in_flush = argument == "flush";
      errors_.Set(
          in_flush ? Status::Corruption("block") : Status::IOError("device"),
          in_flush ? BackgroundErrorReason::kFlush
                   : BackgroundErrorReason::kCompaction);
      return;
    }
    if (verb == "count") {
      const BackgroundScheduler::Counts now = scheduler_.counts();
      done_ += " count (flushes " + std::to_string(now.flushes_scheduled) +
               ", low " + std::to_string(now.low_scheduled) + ", bottom " +
               std::to_string(now.bottom_scheduled) + ")";
      EXPECT_EQ(now.flushes_running, 0);
      EXPECT_EQ(now.low_running, joined_);
      EXPECT_EQ(now.bottom_running, 0);
      return;
    }
    if (verb == "take") {
      const auto id = scheduler_.TakeCompaction();
      done_ += id ? " c" + std::to_string(*id) : " none";
      return;
    }
    if (verb == "continue") {
      if (!scheduler_.Continue()) done_ += " not paused";
    } else if (verb == "delay" || verb == "free") {
      writes_.Update(verb == "delay" ? WriteStallCondition::kDelayed
                                     : WriteStallCondition::kNormal,
                     1);
    } else if (verb == "end_abort") {
      EXPECT_TRUE(stop_.EndAbort());
    } else if (verb == "shared") {
      manual_.EndExclusive();
    } else {
      EXPECT_EQ(verb, "schedule");
    }
    scheduler_.MaybeSchedule();
  }

  std::string State() {
    std::string text = "high:" + std::to_string(env_.Count(PoolOf("high"))) +
                       " low:" + std::to_string(env_.Count(PoolOf("low")));
    MutexLock lock(&world_.mutex);
    if (scheduler_.HasBottomPool()) {
      text += " bottom:" + std::to_string(env_.Count(PoolOf("bottom")));
      if (scheduler_.IsBottomBusy()) text += " (busy)";
    }
    if (scheduler_.queued_compactions() > 0) {
      text += " queued:" + std::to_string(scheduler_.queued_compactions());
    }
    text += done_.empty() ? "" : "; did" + std::exchange(done_, "");
    if (!scheduler_.MayFlush()) text += "; no flush";
    if (!scheduler_.MayCompact()) text += "; no compaction";
    if (scheduler_.IsIdle()) text += "; idle";
    if (scheduler_.IsBusy()) text += "; busy";
    for (const FamilyRef& family : deferred_) {
      if (family->picker->HasRunning()) {
        text += "; held:" + std::to_string(family->cfd->id());
      }
    }
    return text + "\n";
  }

  // One flush each.
  void FlushInBackground() override {
    MutexLock lock(&world_.mutex);
    if (scheduler_.HasFlushes() && scheduler_.MayFlush()) {
      scheduler_.BeginFlush();
      EXPECT_EQ(scheduler_.running_flushes(), 1);
      done_ += " f" + std::to_string(scheduler_.TakeFlush());
      scheduler_.EndFlush();
    }
    scheduler_.LeaveFlushes();
    // The thread has yet to leave.
    EXPECT_TRUE(scheduler_.IsFinishing() && !scheduler_.IsIdle());
  }
  void CompactInBackground() override {
    MutexLock lock(&world_.mutex);
    scheduler_.BeginCompaction();
    EXPECT_EQ(scheduler_.counts().low_running, 1 + joined_);
    EXPECT_GE(scheduler_.counts().low_scheduled, 1 + joined_);
    EXPECT_EQ(scheduler_.counts().bottom_running, 0);
    if (scheduler_.MayCompact()) {
      if (ManualCompaction* const next = manual_.NextToBegin()) {
        next->done = true;
        manual_.Remove(next);  // Its caller would.
        done_ += " m";
      } else if (const auto id = scheduler_.TakeCompaction()) {
        done_ += " c" + std::to_string(*id);
      }
    }
    scheduler_.LeaveCompactions();
    EXPECT_TRUE(scheduler_.IsFinishing() && !scheduler_.IsIdle());
  }
  void CompactToBottomInBackground() override {
    MutexLock lock(&world_.mutex);
    const auto [family, deferred] = scheduler_.BeginBottom();
    EXPECT_EQ(scheduler_.running_compactions(), 1);
    EXPECT_EQ(scheduler_.counts().bottom_running, 1);
    EXPECT_GE(scheduler_.counts().bottom_scheduled, 1);
    EXPECT_EQ(scheduler_.counts().low_running, 0);
    deferred->Take();
    done_ += " b" + std::to_string(family->cfd->id());
    if (scheduler_.IsBottomBusy()) done_ += " (busy)";
    scheduler_.LeaveBottom();
  }
  BackgroundScheduler::Deferred MakeDeferred(const FamilyRef& family) {
    auto compaction = std::make_unique<Compaction>();
    compaction->version = family->cfd->current();
    return {family, std::make_shared<DeferredCompaction>(
                        family->picker.get(), std::move(compaction),
                        DeferredCompaction::Hold::kAllInputs)};
  }

  FamilyWorld world_;
  PoolsEnv env_;
  ChangeSignal changes_{&world_.mutex};
  StopSignals stop_;
  ErrorHandler errors_{/*paranoid_checks=*/true};
  ManualQueue manual_;
  ManualCompaction waiting_;
  WriteController writes_;
  BackgroundScheduler scheduler_{{.env = &env_,
                                  .mutex = &world_.mutex,
                                  .changes = &changes_,
                                  .stop = &stop_,
                                  .errors = &errors_,
                                  .manual = &manual_,
                                  .writes = &writes_,
                                  .work = this}};
  int family_count_ = 0;
  int joined_ = 0;  // threads of callers that compact
  FamilyRef latest_;
  std::vector<FamilyRef> deferred_;
  std::string done_;
};

TEST(BackgroundSchedulerTest, EveryCaseOfTheScript) {
  const auto run = [](const ScriptCase& c) {
    SchedulerScript script{ScriptWords(c.command)};
    std::string text;
    for (const std::string& line : LinesOf(c.body)) text += script.Run(line);
    return text;
  };
  EXPECT_GE(RunScript("background/scheduler.txt", run), 20u)
      << "cases went missing";
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

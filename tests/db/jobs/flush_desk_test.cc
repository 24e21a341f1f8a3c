// When sealed memtables are queued for a flush, and who waits for it. Runs
// tests/testdata/jobs/flush_desk.txt:
//
//   desk OPTIONS          of a family: merge:N (memtables to a file, 2 if
//   absent),
//                         most:N (4 if absent)
//   STEPS                 one line of state for each line
//
// STEPs: seal; queue:REASON, retained:REASON (what waits for others); purge
// (a memtable takes the place of those that are sealed); take (the queue's);
// joint, joint_done; abandon:N (a log that failed, from the log N on none
// does), log:N (the family needs none before it); fail (writes stop),
// shut_down; wait:N (for the N-th memtable that was sealed, counted from 1).
// REASONs: full, manager, wal, manual.
#include "db/jobs/flush_desk.h"

#include <gtest/gtest.h>

#include <memory>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "db/background/background_scheduler.h"
#include "db/background/error_handler.h"
#include "db/background/manual_queue.h"
#include "db/background/stop_signals.h"
#include "db/registry/change_signal.h"
#include "db/write/write_controller.h"
#include "memtable/memtable.h"
#include "rocksdb/env.h"
#include "tests/db/registry/family_world.h"
#include "tests/testing/script.h"

namespace ROCKSDB_NAMESPACE {
namespace {

FlushReason FlushReasonOf(const std::string& name) {
  if (name == "full") return FlushReason::kWriteBufferFull;
  if (name == "manager") return FlushReason::kWriteBufferManager;
  if (name == "wal") return FlushReason::kWalFull;
  EXPECT_EQ(name, "manual");
  return FlushReason::kManualFlush;
}

struct FlushDeskWorld {
  FlushDeskWorld(int merged, int most) {
    world_.f.family.min_write_buffer_number_to_merge = merged;
    world_.f.family.max_write_buffer_number = most;
    family_ = world_.Add(0, "default");
    cfd_ = family_->cfd.get();
  }

  FamilyWorld world_;
  FamilyRef family_;
  ColumnFamilyData* cfd_ = nullptr;
  ChangeSignal changes_{&world_.mutex};
  StopSignals stop_;
  ErrorHandler errors_{/*paranoid_checks=*/true};
  ManualQueue manual_;
  WriteController writes_;
  BackgroundScheduler scheduler_{{.env = Env::Default(),
                                  .mutex = &world_.mutex,
                                  .changes = &changes_,
                                  .stop = &stop_,
                                  .errors = &errors_,
                                  .manual = &manual_,
                                  .writes = &writes_,
                                  .work = nullptr}};
  FlushDesk desk_{{.db = world_.f.db.get(),
                   .mutex = &world_.mutex,
                   .families = &world_.families,
                   .scheduler = &scheduler_,
                   .errors = &errors_,
                   .stop = &stop_,
                   .changes = &changes_}};
};

class FlushDeskScript {
 public:
  explicit FlushDeskScript(const ScriptWords& command)
      : w_(static_cast<int>(command.Number("merge", 2)),
           static_cast<int>(command.Number("most", 4))) {
    EXPECT_EQ(command.verb(), "desk");
  }

  std::string Run(const std::string& line) {
    MutexLock lock(&w_.world_.mutex);
    std::istringstream steps(line);
    std::string text;
    for (std::string step; steps >> step;) {
      const size_t colon = step.find(':');
      text += Step(step.substr(0, colon),
                   colon == std::string::npos ? "" : step.substr(colon + 1));
    }
    text += w_.scheduler_.HasFlushes() ? "queued" : "nothing queued";
    if (w_.scheduler_.HasFlushes()) {
      const char* const reason = GetFlushReasonString(w_.family_->flush_reason);
      text += std::string(" (") + reason + ")";
    }
    const MemTableVector waiting = *w_.cfd_->imm()->current();
    if (!waiting.empty() && w_.cfd_->imm()->NeedsFile(waiting)) {
      EXPECT_TRUE(w_.cfd_->imm()->NeedsFile({waiting.back()}));
      text += ", a file is needed";
    }
    return text + (w_.desk_.FlushesTogether() ? ", together\n" : "\n");
  }

 private:
  // Empty, but where the step has an answer.
  std::string Step(const std::string& verb, const std::string& argument) {
    FlushDesk& desk = w_.desk_;
    ColumnFamilyData* const cfd = w_.cfd_;
    if (verb == "seal") {
      Seal();
    } else if (verb == "queue") {
      desk.Queue(cfd, FlushReasonOf(argument));
    } else if (verb == "retained") {
      desk.QueueRetained(cfd, FlushReasonOf(argument));
    } else if (verb == "purge") {
      Purge();
    } else if (verb == "take") {
      EXPECT_EQ(w_.scheduler_.TakeFlush(), cfd->id());
      cfd->schedule.queued_for_flush = false;
    } else if (verb == "joint") {
      desk.WantJoint();
    } else if (verb == "joint_done") {
      desk.NoteJointDone(desk.joint_wants());
    } else if (verb == "abandon") {
      desk.NoteAbandoned(cfd->log_number() + std::stoull(argument));
    } else if (verb == "log") {
      cfd->set_log_number(cfd->log_number() + std::stoull(argument));
    } else if (verb == "fail") {
      w_.errors_.Set(Status::IOError("no room"), BackgroundErrorReason::kFlush);
      EXPECT_TRUE(w_.errors_.BlocksWrites());
    } else if (verb == "shut_down") {
      w_.stop_.ShutDown();
    } else {
      EXPECT_EQ(verb, "wait");
      const size_t index = std::stoul(argument);
      // The one before the first has been flushed long ago.
      const uint64_t id = index == 0 ? ids_.at(0) - 1 : ids_.at(index - 1);
      return desk.Wait(cfd, id).ToString() + "; ";
    }
    return "";
  }
  void Seal() {
    ColumnFamilyData* const cfd = w_.cfd_;
    MemTableRef sealed = cfd->SwitchMemTable(cfd->NewMemTable(0));
    ids_.push_back(sealed->id());
    sealed->MarkImmutable();
    cfd->imm()->Add(std::move(sealed));
  }
  void Purge() {
    ColumnFamilyData* const cfd = w_.cfd_;
    const MemTableVector taken = cfd->imm()->PickForFlush(UINT64_MAX);
    MemTableRef purged = cfd->NewPurgedMemTable(taken);
    purged->MarkImmutable();
    cfd->imm()->CommitPurge(taken, std::move(purged), 0);
  }

  FlushDeskWorld w_;
  std::vector<uint64_t> ids_;  // the memtables that were sealed, in order
};

TEST(FlushDeskTest, EveryCaseOfTheScript) {
  const auto run = [](const ScriptCase& c) {
    FlushDeskScript script{ScriptWords(c.command)};
    std::string text;
    for (const std::string& line : LinesOf(c.body)) text += script.Run(line);
    return text;
  };
  EXPECT_GE(RunScript("jobs/flush_desk.txt", run), 14u) << "cases went missing";
}

TEST(FlushDeskTest, WhoeverWaitsGoesOnWhenListenersHaveBeenTold) {
  FlushDeskWorld w(2, 4);
  const uint64_t id = w.cfd_->mem()->id();
  std::thread teller([&] {
    MutexLock lock(&w.world_.mutex);
    w.desk_.BeginNotice(w.cfd_, id);
    // It does not wait for itself.
    EXPECT_TRUE(w.desk_.Wait(w.cfd_, id).ok());
  });
  teller.join();
  bool has_ended = false;
  std::thread waiter([&] {
    MutexLock lock(&w.world_.mutex);
    EXPECT_TRUE(
        w.desk_.Wait(w.cfd_, id - 1).ok());  // The notice is of newer ones.
    has_ended = true;
  });
  waiter.join();
  EXPECT_TRUE(has_ended);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

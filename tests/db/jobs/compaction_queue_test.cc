// Which families have a compaction due. Runs
// tests/testdata/jobs/compaction_queue.txt:
//
//   queue                 of families whose pickers say what they are told to
//   STEPS                 one line of state for each line, at a step each
//
// STEPs: due NAME, idle NAME, lazy NAME (a family more: its picker has
// something, has nothing, or it does not compact by itself); add NAME, add_all,
// take (of the scheduler's queue); later NAME, now (it failed, and is tried
// again); limit NAME (of one compaction at a time), give_back; check_ages; gone
// NAME; shut_down.
//
// The state: the families that are queued, those that wait for another try, and
// whether any waits.
#include "db/jobs/compaction_queue.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "db/background/background_scheduler.h"
#include "db/background/error_handler.h"
#include "db/background/manual_queue.h"
#include "db/background/stop_signals.h"
#include "db/compaction/compaction_picker.h"
#include "db/manifest/version_set.h"
#include "db/registry/change_signal.h"
#include "db/registry/current_options.h"
#include "db/semantics/snapshot_list.h"
#include "db/write/write_controller.h"
#include "tests/db/registry/family_world.h"
#include "tests/testing/script.h"
#include "util/task_limiter.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// Says what a test wants it to.
class ToldPicker final : public CompactionPicker {
 public:
  bool NeedsCompaction(const VersionStorage& /*storage*/) const override {
    return needs;
  }
  std::unique_ptr<Compaction> Pick(const Input& /*input*/) override {
    return nullptr;
  }

  bool needs = true;
};

// Nothing is run: the scheduler is in a pause.
class QueueScript : private BackgroundWork {
 public:
  QueueScript() {
    VersionSet::Context context;
    context.db_path = "/db";
    context.db = world_.f.db.get();
    context.families = world_.context;
    context.mutex = &world_.mutex;
    versions_ = std::make_unique<VersionSet>(std::move(context));
    queue_ = std::make_unique<CompactionQueue>(
        CompactionQueue::Context{.db = world_.f.db.get(),
                                 .mutex = &world_.mutex,
                                 .options = &options_,
                                 .families = &world_.families,
                                 .scheduler = &scheduler_,
                                 .snapshots = &snapshots_,
                                 .changes = &changes_,
                                 .stop = &stop_,
                                 .versions = versions_.get()});
    MutexLock lock(&world_.mutex);
    scheduler_.SetLimits(*options_);
    scheduler_.Pause();
    scheduler_.Open();
    // No retry comes by itself.
    world_.f.db->bgerror_resume_retry_interval = 3'600'000'000;
  }
  ~QueueScript() override { queue_->StopRetries(); }

  std::string Run(const std::string& line) {
    const ScriptWords words(line);
    const std::string& verb = words.verb();
    const std::string name = words.words().empty() ? "" : words.words()[0];
    std::string answer;
    if (verb == "due" || verb == "idle" || verb == "lazy") {
      AddFamily(verb, name);
    } else if (verb == "give_back") {
      limiter_->GiveBack();
    } else if (verb == "check_ages") {
      queue_->CheckAges();
    } else {
      MutexLock lock(&world_.mutex);
      answer = StepLocked(verb, name);
    }
    return line + ": " + answer + State();
  }

 private:
  void FlushInBackground() override {}
  void CompactInBackground() override {}
  void CompactToBottomInBackground() override {}

  void AddFamily(const std::string& kind, const std::string& name) {
    world_.f.family.disable_auto_compactions = kind == "lazy";
    const FamilyRef family =
        world_.Add(static_cast<uint32_t>(families_.size()), name);
    auto picker = std::make_unique<ToldPicker>();
    picker->needs = kind != "idle";
    MutexLock lock(&world_.mutex);
    family->picker = std::move(picker);
    families_[name] = family;
  }
  std::string StepLocked(const std::string& verb, const std::string& name)
      REQUIRES(world_.mutex) {
    if (verb == "add_all") {
      queue_->AddAll();
    } else if (verb == "now") {
      queue_->RetryNow();
    } else if (verb == "shut_down") {
      stop_.ShutDown();
    } else if (verb == "take") {
      const auto id = scheduler_.TakeCompaction();
      if (!id) return "none; ";
      for (const auto& [taken, family] : families_) {
        if (family->cfd->id() != *id) continue;
        family->cfd->schedule.queued_for_compaction = false;
        return taken + "; ";
      }
    } else if (verb == "add") {
      queue_->Add(families_.at(name)->cfd.get());
    } else if (verb == "gone") {
      world_.families.Remove(families_.at(name)->cfd->id());
    } else if (verb == "later") {
      queue_->RetryLater(families_.at(name).get());
    } else {
      EXPECT_EQ(verb, "limit");
      const bool has_room =
          queue_->TakeLimit(limiter_.get(), families_.at(name).get());
      return has_room ? "has room; " : "no room; ";
    }
    return "";
  }
  std::string State() {
    MutexLock lock(&world_.mutex);
    std::string text;
    size_t queued = 0;
    for (const auto& [name, family] : families_) {
      if (!family->cfd->schedule.queued_for_compaction) continue;
      text += text.empty() ? "queued " : ",";
      text += name;
      ++queued;
    }
    EXPECT_EQ(scheduler_.queued_compactions(), queued);
    if (text.empty()) text = "nothing queued";
    for (const auto& [name, family] : families_) {
      if (family->retry_at) text += ", later " + name;
    }
    return text + (queue_->HasWaiting() ? ", some wait" : "");
  }

  FamilyWorld world_;
  CurrentOptions options_{&world_.mutex, DBOptions()};
  ChangeSignal changes_{&world_.mutex};
  StopSignals stop_;
  ErrorHandler errors_{/*paranoid_checks=*/true};
  ManualQueue manual_;
  WriteController writes_;
  SnapshotList snapshots_;
  BackgroundScheduler scheduler_{{.env = Env::Default(),
                                  .mutex = &world_.mutex,
                                  .changes = &changes_,
                                  .stop = &stop_,
                                  .errors = &errors_,
                                  .manual = &manual_,
                                  .writes = &writes_,
                                  .work = this}};
  std::unique_ptr<VersionSet> versions_;
  std::unique_ptr<CompactionQueue> queue_;
  std::map<std::string, FamilyRef> families_;
  const std::shared_ptr<TaskLimiter> limiter_ =
      std::make_shared<TaskLimiter>("one", 1);
};

TEST(CompactionQueueTest, EveryCaseOfTheScript) {
  const auto run = [](const ScriptCase& c) {
    EXPECT_EQ(c.command, "queue");
    QueueScript script;
    std::string text;
    for (const std::string& line : LinesOf(c.body)) {
      text += script.Run(line) + "\n";
    }
    return text;
  };
  EXPECT_GE(RunScript("jobs/compaction_queue.txt", run), 11u)
      << "cases went missing";
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

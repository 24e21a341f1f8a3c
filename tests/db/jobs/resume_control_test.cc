// What becomes of errors in the background. Runs
// tests/testdata/jobs/resume.txt:
//
//   control OPTIONS       forgiving (a listener takes errors back)
//   STEPS                 a line each
//
// STEPs: fail JOB CODE, where a JOB is flush, compaction, write_path or
// memtable and a CODE is io, corruption, invalid, passing, dropped or closing;
// meanwhile JOB CODE (while the listener is told of the next error, which it
// may take back, there is this one, which it does not); beside JOB CODE (the
// same, and it may take this one back, too); pass JOB (an error that
// may pass, until none is left and the thread that saw to it has gone); edit
// CODE (of the manifest); resume; outcome CODE (of the next resumptions; ok is
// one, too); shut_down; forgive, hold (of the listener); counted (errors, by
// the statistics).
//
// A step shows the error that is in force, and what has happened since the one
// before: what listeners and leaders of writes were told, resumptions, and jobs
// that are tried again.
#include "db/jobs/resume_control.h"

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "db/background/error_handler.h"
#include "db/background/resume_work.h"
#include "db/background/stop_signals.h"
#include "db/files/space_reserve.h"
#include "db/registry/change_signal.h"
#include "db/registry/state_publisher.h"
#include "db/write/family_publisher.h"
#include "db/write/leader_attention.h"
#include "db/write/write_memory.h"
#include "rocksdb/io_status.h"
#include "rocksdb/statistics.h"
#include "tests/db/registry/family_world.h"
#include "tests/testing/script.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// Takes errors back, if asked to, and counts what it is told.
class ResumeListener final : public EventListener {
 public:
  void OnBackgroundError(BackgroundErrorReason, Status* error) override {
    ++errors;
    if (takes_back) *error = Status::OK();
    if (const auto call = std::exchange(meanwhile, nullptr)) call();
  }
  void OnErrorRecoveryCompleted(Status) override { ++recoveries; }

  std::function<void()> meanwhile;  // once
  bool takes_back = false;
  int errors = 0;
  int recoveries = 0;
};

class ResumeScript : private ResumeWork {
 public:
  ResumeScript() {
    world_.f.db->stats = statistics_.get();
    world_.f.db->listeners.push_back(listener_);
    control_ = std::make_unique<ResumeControl>(
        ResumeControl::Context{.db = world_.f.db.get(),
                               .mutex = &world_.mutex,
                               .errors = &errors_,
                               .attention = &attention_,
                               .space = &space_,
                               .memory = &memory_,
                               .changes = &changes_,
                               .stop = &stop_});
    control_->SetWork(this);
  }
  ~ResumeScript() override { control_->Stop(); }

  std::string Run(const std::string& line) {
    const ScriptWords words(line);
    const std::string answer = Step(words);
    return line + ": " + (answer.empty() ? "" : answer + "; ") + State() + "\n";
  }
  void SetForgiving(bool takes_back) { listener_->takes_back = takes_back; }

 private:
  static Status StatusOf(const std::string& code) {
    if (code == "ok") return Status::OK();
    if (code == "io") return Status::IOError("device");
    if (code == "corruption") return Status::Corruption("a block");
    if (code == "invalid") return Status::InvalidArgument("a name");
    if (code == "dropped") return Status::ColumnFamilyDropped("a family");
    if (code == "closing") return Status::ShutdownInProgress();
    EXPECT_EQ(code, "passing");
    IOStatus passing = IOStatus::IOError("a moment");
    passing.SetRetryable(true);
    return passing;
  }
  static BackgroundErrorReason ReasonOf(const std::string& job) {
    if (job == "flush") return BackgroundErrorReason::kFlush;
    if (job == "compaction") return BackgroundErrorReason::kCompaction;
    if (job == "write_path") return BackgroundErrorReason::kWriteCallback;
    EXPECT_EQ(job, "memtable");
    return BackgroundErrorReason::kMemTable;
  }

  void Fail(const Status& s, BackgroundErrorReason reason) {
    MutexLock lock(&world_.mutex);
    control_->OnBackgroundError(s, reason);
  }
  std::string Step(const ScriptWords& words) {
    const std::string& verb = words.verb();
    const auto word = [&words](size_t i) { return words.Word(i); };
    if (verb == "resume") {
      // It takes the mutex itself.
      return control_->Resume().ToString();
    }
    if (verb == "pass") {
      Fail(StatusOf("passing"), ReasonOf(word(0)));
      {
        MutexLock lock(&world_.mutex);
        while (!errors_.error().ok()) changes_.Await();
      }
      control_->Stop();  // Joins the thread of the tries.
      return "";
    }
    if (verb == "forgive" || verb == "hold") {
      SetForgiving(verb == "forgive");
      return "";
    }
    if (verb == "fail") {
      Fail(StatusOf(word(1)), ReasonOf(word(0)));
      return "";
    }
    if (verb == "meanwhile" || verb == "beside") {
      listener_->meanwhile = [this, s = StatusOf(word(1)),
                              reason = ReasonOf(word(0)),
                              is_kept = verb == "meanwhile"] {
        if (is_kept) listener_->takes_back = false;
        Fail(s, reason);
      };
      return "";
    }
    if (verb == "counted") {
      return std::to_string(
          statistics_->getTickerCount(ERROR_HANDLER_BG_ERROR_COUNT));
    }
    MutexLock lock(&world_.mutex);
    if (verb == "edit") {
      const bool is_error = control_->OnManifestError(StatusOf(word(0)));
      return is_error ? "an error" : "refused";
    } else if (verb == "outcome") {
      outcome_ = StatusOf(word(0));
    } else {
      EXPECT_EQ(verb, "shut_down");
      stop_.ShutDown();
    }
    return "";
  }
  std::string State() {
    MutexLock lock(&world_.mutex);
    std::string text = errors_.error().ToString();
    const auto add = [&text](const char* what, int* count) {
      if (*count == 0) return;
      text += std::string(", ") + what;
      if (*count > 1) text += " (" + std::to_string(*count) + ")";
      *count = 0;
    };
    add("told of an error", &listener_->errors);
    add("told of an end", &listener_->recoveries);
    add("resumed", &resumptions_);
    add("flushes again", &flush_retries_);
    add("compactions again", &compaction_retries_);
    if (attention_.IsAsked()) text += ", leaders are asked";
    return text;
  }

  void RetryFlushes() override { ++flush_retries_; }
  void RetryCompactions() override { ++compaction_retries_; }
  Status ResumeOnce() override {
    MutexLock lock(&world_.mutex);
    ++resumptions_;
    if (outcome_.ok()) errors_.Clear();
    return outcome_;
  }

  const std::shared_ptr<Statistics> statistics_ = CreateDBStatistics();
  FamilyWorld world_;
  const std::shared_ptr<ResumeListener> listener_ =
      std::make_shared<ResumeListener>();
  ChangeSignal changes_{&world_.mutex};
  StopSignals stop_;
  ErrorHandler errors_{/*paranoid_checks=*/true};
  LeaderAttention attention_;
  SpaceReserve space_{{.db = world_.f.db.get(),
                       .db_name = "/db",
                       .mutex = &world_.mutex,
                       .families = &world_.families}};
  StatePublisher states_{&world_.mutex, nullptr};
  FamilyPublisher publisher_{{.db = world_.f.db.get(),
                              .mutex = &world_.mutex,
                              .families = &world_.families,
                              .states = &states_,
                              .stalls = nullptr,
                              .attention = &attention_}};
  WriteMemory memory_{{.db = world_.f.db.get(),
                       .families = &world_.families,
                       .publisher = &publisher_}};
  std::unique_ptr<ResumeControl> control_;
  Status outcome_;
  int flush_retries_ = 0;
  int compaction_retries_ = 0;
  int resumptions_ = 0;
};

TEST(ResumeControlTest, EveryCaseOfTheScript) {
  const auto run = [](const ScriptCase& c) {
    ResumeScript script;
    script.SetForgiving(c.command == "control forgiving");
    std::string text;
    for (const std::string& line : LinesOf(c.body)) text += script.Run(line);
    return text;
  };
  EXPECT_GE(RunScript("jobs/resume.txt", run), 10u) << "cases went missing";
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

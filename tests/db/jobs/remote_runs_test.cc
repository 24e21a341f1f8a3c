// A compaction in another process is asked for, taken in, refused, aborted and
// cancelled correctly, whatever its service answers or throws.
#include "db/jobs/remote_runs.h"

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "db/compaction/remote_compaction.h"
#include "rocksdb/compaction_service.h"
#include "tests/db/jobs/jobs_world.h"

namespace ROCKSDB_NAMESPACE {
namespace {

using JobStatus = CompactionServiceJobStatus;

// Does what a test says.
class ScriptedService final : public CompactionService {
 public:
  const char* Name() const override { return "Service"; }
  CompactionServiceScheduleResponse Schedule(
      const CompactionServiceJobInfo& info, const std::string& input) override {
    ++scheduled;
    ThrowAt("schedule");
    told = info;
    EXPECT_TRUE(request.Decode(input).ok());
    return CompactionServiceScheduleResponse("the job", at_schedule);
  }
  JobStatus Wait(const std::string& id, std::string* result) override {
    EXPECT_EQ(id, "the job");
    ++waited;
    ThrowAt("wait");
    if (meanwhile != nullptr) meanwhile();
    *result = bytes;
    return at_wait;
  }
  void CancelAwaitingJobs() override {
    ++canceled;
    ThrowAt("cancel");
  }
  void OnInstallation(const std::string& id, JobStatus status) override {
    installed.emplace_back(id, status);
    ThrowAt("installation");
  }

  JobStatus at_schedule = JobStatus::kSuccess;
  JobStatus at_wait = JobStatus::kSuccess;
  std::string bytes;                // the result
  std::function<void()> meanwhile;  // while it is waited for
  std::string throws_at;

  int scheduled = 0;
  int waited = 0;
  int canceled = 0;
  CompactionServiceJobInfo told;
  RemoteCompactionRequest request;
  std::vector<std::pair<std::string, JobStatus>> installed;

 private:
  void ThrowAt(const std::string& place) const {
    if (throws_at == place) throw std::runtime_error("not today");
  }
};

// Two files of level 0, which another process merges.
class RemoteRunsTest : public ::testing::Test {
 protected:
  static constexpr char kBefore[] = "L0 [a@3=y c@4=x] [a@1=x b@2=x]";
  // The tree after this process has compacted, and after the other one has.
  static constexpr char kLocal[] = "L1 [a@0=y b@0=x c@0=x]";
  static constexpr char kRemote[] = "L1 [a@3=y b@2=x c@4=x]";

  RemoteRunsTest() {
    EXPECT_TRUE(parts.world.Flush("a@1=x b@2=x").ok());
    EXPECT_TRUE(parts.world.Flush("a@3=y c@4=x").ok());
    EXPECT_EQ(parts.world.Dump(), kBefore);
    auto* const fs = parts.world.f.fs.get();
    EXPECT_TRUE(fs->CreateDirIfMissing("/worker", IOOptions(), nullptr).ok());
    result.directory = "/worker";
    result.records.records_in = 4;
    result.files.AddFile(1, MakeOutput());
    EXPECT_TRUE(result.Encode(&service->bytes).ok());
  }
  // What a worker makes of them.
  FileRef MakeOutput() {
    FileRef file =
        parts.world.f.Write(77, {{"a", 3, "y"}, {"b", 2, "x"}, {"c", 4, "x"}});
    EXPECT_TRUE(parts.world.f.fs
                    ->RenameFile(TableFileName("/db", 77),
                                 TableFileName("/worker", 77), IOOptions(),
                                 nullptr)
                    .ok());
    return file;
  }
  bool HasOutput() const {
    return parts.world.f.fs
        ->FileExists(TableFileName("/worker", 77), IOOptions(), nullptr)
        .ok();
  }
  // *installed: OK if the job's result, wherever it was made, is in a version.
  RemoteRuns::Outcome Run(Status* installed,
                          const std::function<void(Compaction*)>& change = {}) {
    MutexLock lock(&parts.world.mutex);
    auto picked = parts.Pick(0, 1, "a", "z");
    if (change != nullptr) change(picked.get());
    CompactionJob job(parts.contexts->Make(parts.family.get()),
                      std::move(picked));
    job.Prepare();
    RemoteRuns::Outcome outcome;
    Status run;
    {
      MutexUnlock unlock(&parts.world.mutex);
      outcome = parts.remote->Run(&job);
      run = outcome.is_done ? outcome.status : job.Run();
    }
    *installed = job.Install(run);
    return outcome;
  }
  // The error of a remote run that is done and has failed.
  Status RunInVain() {
    Status installed;
    const RemoteRuns::Outcome outcome = Run(&installed);
    EXPECT_TRUE(outcome.is_done);
    EXPECT_FALSE(outcome.status.ok());
    EXPECT_EQ(installed.ToString(), outcome.status.ToString());
    EXPECT_EQ(parts.world.Dump(), kBefore);
    EXPECT_EQ(parts.world.FilesOnDisk(), parts.world.FilesInVersion());
    return outcome.status;
  }
  void ExpectLocal(const std::function<void(Compaction*)>& change = {}) {
    Status installed;
    const RemoteRuns::Outcome outcome = Run(&installed, change);
    EXPECT_FALSE(outcome.is_done);
    EXPECT_TRUE(outcome.status.ok());
    EXPECT_TRUE(installed.ok()) << installed.ToString();
    EXPECT_EQ(parts.world.Dump(), kLocal);
    EXPECT_TRUE(HasOutput());
  }

  const std::shared_ptr<ScriptedService> service =
      std::make_shared<ScriptedService>();
  RemoteCompactionResult result;
  JobsWorld parts{[this](JobWorld* world) {
    world->f.db_options.compaction_service = service;
  }};
};

TEST_F(RemoteRunsTest, WhatAnotherProcessMadeIsTakenIn) {
  Status installed;
  const RemoteRuns::Outcome outcome = Run(&installed);
  EXPECT_TRUE(outcome.is_done);
  EXPECT_TRUE(outcome.status.ok()) << outcome.status.ToString();
  EXPECT_EQ(outcome.job_id, "the job");
  EXPECT_TRUE(installed.ok()) << installed.ToString();
  EXPECT_EQ(parts.world.Dump(), kRemote);
  EXPECT_FALSE(HasOutput());  // It has moved.
  EXPECT_EQ(service->told.db_name, "/db");
  EXPECT_EQ(service->told.cf_name, "default");
  EXPECT_EQ(service->told.output_level, 1);
  ASSERT_EQ(service->request.inputs.size(), 1u);
  EXPECT_EQ(service->request.inputs[0].second.size(), 2u);
}

// --- what this process does itself

TEST_F(RemoteRunsTest, WithoutAServiceNothingIsAsked) {
  parts.world.f.db->compaction_service = nullptr;
  ExpectLocal();
  EXPECT_EQ(service->scheduled, 0);
  parts.remote->Cancel();
  EXPECT_EQ(service->canceled, 0);
}

TEST_F(RemoteRunsTest, WhatNoOtherProcessCanDoIsNotAsked) {
  ExpectLocal([](Compaction* c) { c->zeroes_up_to = 1'000; });
  EXPECT_EQ(service->scheduled, 0);
}

TEST_F(RemoteRunsTest, AServiceMayLeaveAJobToThisProcess) {
  service->at_schedule = JobStatus::kUseLocal;
  ExpectLocal();
  EXPECT_EQ(service->scheduled, 1);
  EXPECT_EQ(service->waited, 0);
}

// Even while compactions are being aborted: the job sees to that itself.
TEST_F(RemoteRunsTest, AServiceMayLeaveItLater) {
  service->at_wait = JobStatus::kUseLocal;
  service->meanwhile = [this] { parts.stop.BeginAbort(); };
  ExpectLocal();
  EXPECT_EQ(service->waited, 1);
}

// --- failures: the database goes on with its inputs

TEST_F(RemoteRunsTest, AServiceMayFail) {
  service->at_schedule = JobStatus::kFailure;
  EXPECT_EQ(RunInVain().ToString(), "Result incomplete: Service: failed");
  service->at_schedule = JobStatus::kAborted;
  EXPECT_EQ(RunInVain().ToString(), "Result incomplete: Service: was aborted");
  EXPECT_EQ(service->waited, 0);
  service->at_schedule = JobStatus::kSuccess;
  service->at_wait = JobStatus::kAborted;
  EXPECT_EQ(RunInVain().ToString(), "Result incomplete: Service: was aborted");
  service->at_wait = JobStatus::kFailure;
  service->bytes.clear();
  EXPECT_EQ(RunInVain().ToString(), "Result incomplete: Service: failed");
}

TEST_F(RemoteRunsTest, AWorkerMaySayWhyItFailed) {
  result.status = Status::NoSpace("the worker's disk");
  ASSERT_TRUE(result.Encode(&service->bytes).ok());
  for (const JobStatus status : {JobStatus::kFailure, JobStatus::kSuccess}) {
    service->at_wait = status;
    const Status s = RunInVain();
    EXPECT_TRUE(s.IsNoSpace()) << s.ToString();
  }
  // A failure is one, whatever the worker says.
  result.status = Status::OK();
  ASSERT_TRUE(result.Encode(&service->bytes).ok());
  service->at_wait = JobStatus::kFailure;
  EXPECT_TRUE(RunInVain().IsIncomplete());
  EXPECT_TRUE(HasOutput());
}

TEST_F(RemoteRunsTest, AServiceMayThrow) {
  for (const char* const place : {"schedule", "wait"}) {
    service->throws_at = place;
    EXPECT_TRUE(RunInVain().IsIncomplete()) << place;
  }
  service->throws_at = "cancel";
  parts.remote->Cancel();
  EXPECT_EQ(service->canceled, 1);
}

TEST_F(RemoteRunsTest, WhatIsNoResultIsNotCorruption) {
  service->bytes.pop_back();
  EXPECT_TRUE(RunInVain().IsIncomplete());
  service->bytes = "nonsense";
  EXPECT_TRUE(RunInVain().IsIncomplete());
}

TEST_F(RemoteRunsTest, AResultThatCannotBeTakenInLeavesNothing) {
  result.directory = "/elsewhere";
  ASSERT_TRUE(result.Encode(&service->bytes).ok());
  EXPECT_FALSE(RunInVain().IsCorruption());
  result.directory = "/worker";
  ASSERT_TRUE(result.Encode(&service->bytes).ok());
  parts.world.f.fs->FailCall({.call = 1, .path_contains = "/worker"});
  EXPECT_TRUE(RunInVain().IsIOError());
  EXPECT_TRUE(HasOutput());
  // It has moved by the time that its directory is synced.
  parts.world.f.fs->FailCall(
      {.call = 1, .kind = FaultKind::kSyncFailure, .path_contains = "/db"});
  EXPECT_TRUE(RunInVain().IsIOError());
  EXPECT_FALSE(HasOutput());
}

// The other process is not told, but what it brings is not taken.
TEST_F(RemoteRunsTest, WhatIsAbortedMeanwhileIsNotTakenIn) {
  service->meanwhile = [this] { parts.stop.BeginAbort(); };
  EXPECT_TRUE(RunInVain().IsCompactionAborted());
  ASSERT_TRUE(parts.stop.EndAbort());
  service->meanwhile = [this] {
    parts.world.cfd->schedule.compaction_aborts = 1;
  };
  EXPECT_TRUE(RunInVain().IsCompactionAborted());
  EXPECT_TRUE(HasOutput());
}

// --- the rest

TEST_F(RemoteRunsTest, AServiceIsToldWhatBecameOfIt) {
  RemoteRuns::Outcome outcome;
  outcome.is_done = true;
  outcome.job_id = "some job";
  parts.remote->Tell(outcome, Status::OK());
  service->throws_at = "installation";
  parts.remote->Tell(outcome, Status::IOError("the manifest"));
  using Told = std::pair<std::string, JobStatus>;
  EXPECT_EQ(service->installed,
            (std::vector<Told>{{"some job", JobStatus::kSuccess},
                               {"some job", JobStatus::kFailure}}));
}

TEST_F(RemoteRunsTest, WhatHasNotBegunIsCanceled) {
  parts.remote->Cancel();
  EXPECT_EQ(service->canceled, 1);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

// Compactions that a CompactionService has another instance run: the same data
// as without it, whatever the service does.
#include "db/compaction/remote_compaction.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>

#include "rocksdb/convenience.h"
#include "rocksdb/env.h"
#include "rocksdb/listener.h"
#include "rocksdb/merge_operator.h"
#include "rocksdb/sst_file_manager.h"
#include "tests/db/impl/families_fixture.h"
#include "tests/db/impl/job_count.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {
namespace {

using JobStatus = CompactionServiceJobStatus;

// Runs what it is given at once, unless told otherwise.
class Service final : public CompactionService {
 public:
  explicit Service(std::string directory) : directory_(std::move(directory)) {}
  const char* Name() const override { return "Service"; }

  CompactionServiceScheduleResponse Schedule(
      const CompactionServiceJobInfo& info, const std::string& input) override {
    if (throws_) throw std::runtime_error("no service today");
    MutexLock lock(&mutex_);
    info_ = info;
    input_ = input;
    ++scheduled_;
    return CompactionServiceScheduleResponse("job" + std::to_string(scheduled_),
                                             at_schedule_);
  }
  JobStatus Wait(const std::string& id, std::string* result) override {
    MutexLock lock(&mutex_);
    is_waiting_ = true;
    changed_.SignalAll();
    while (blocks_ && !canceled_) changed_.Wait();
    if (canceled_) return JobStatus::kAborted;
    if (aborts_left_ > 0) {
      --aborts_left_;
      return JobStatus::kAborted;
    }
    if (at_wait_ != JobStatus::kSuccess) return at_wait_;
    if (meanwhile_) meanwhile_();
    const Status s = DB::OpenAndCompact(info_.db_name, directory_ + "/" + id,
                                        input_, result, override_);
    if (change_) change_(result);
    return s.ok() ? JobStatus::kSuccess : JobStatus::kFailure;
  }
  void CancelAwaitingJobs() override {
    MutexLock lock(&mutex_);
    canceled_ = true;
    changed_.SignalAll();
  }
  void OnInstallation(const std::string& id, JobStatus status) override {
    MutexLock lock(&mutex_);
    installed_ += id + (status == JobStatus::kSuccess ? "+ " : "- ");
  }

  // Lets those go that `blocks_` holds.
  void Unblock() {
    MutexLock lock(&mutex_);
    blocks_ = false;
    changed_.SignalAll();
  }
  void AwaitWaiting() {
    MutexLock lock(&mutex_);
    while (!is_waiting_) changed_.Wait();
  }

  CompactionServiceOptionsOverride override_;
  JobStatus at_schedule_ = JobStatus::kSuccess;
  JobStatus at_wait_ = JobStatus::kSuccess;
  std::function<void()> meanwhile_;  // before the worker begins
  std::function<void(std::string*)> change_;
  bool throws_ = false;
  bool blocks_ = false;
  int aborts_left_ = 0;
  int scheduled_ = 0;
  std::string installed_;
  CompactionServiceJobInfo info_;
  std::string input_;

 private:
  const std::string directory_;
  Mutex mutex_;
  CondVar changed_{&mutex_};
  bool canceled_ = false;
  bool is_waiting_ = false;
};

class RemoteListener final : public EventListener {
 public:
  void OnCompactionCompleted(DB* /*db*/,
                             const CompactionJobInfo& info) override {
    ++(info.stats.is_remote_compaction ? remote_ : local_);
    left_out_ += info.stats.num_filtered_input_files;
    records_in_ += info.stats.num_input_records;
  }
  std::atomic<int> remote_{0}, local_{0};
  std::atomic<uint64_t> left_out_{0}, records_in_{0};
};

class RemoteCompactionTest : public FamiliesFixture {
 protected:
  RemoteCompactionTest() {
    listener_ = std::make_shared<RemoteListener>();
    std::filesystem::create_directories(path_ + "_worker");
    options_.listeners = {listener_};
    options_.disable_auto_compactions = true;
    options_.statistics = CreateDBStatistics();
    EXPECT_OK(MergeOperator::CreateFromString(ConfigOptions(), "stringappend",
                                              &options_.merge_operator));
    RenewService();
  }
  ~RemoteCompactionTest() override { CloseFamilies(); }
  // One that a database has closed takes no more jobs.
  void RenewService() {
    service_ = std::make_shared<Service>(path_ + "_worker");
    service_->override_.merge_operator = options_.merge_operator;
    options_.compaction_service = service_;
  }
  // Three generations of keys, some of which delete, merge and hide others.
  void Fill() {
    for (int round = 0; round < 3; ++round) {
      for (int i = 0; i < 100; ++i) {
        const std::string key = "key" + std::to_string(1000 + i);
        if ((i + round) % 7 == 0) {
          ASSERT_OK(Delete(key));
        } else if ((i + round) % 5 == 0) {
          ASSERT_OK(db_->Merge(WriteOptions(), key, std::to_string(round)));
        } else {
          ASSERT_OK(Put(key, "value" + std::to_string(round)));
        }
      }
      ASSERT_OK(db_->DeleteRange(WriteOptions(), db_->DefaultColumnFamily(),
                                 "key103" + std::to_string(round), "key1045"));
      ASSERT_OK(Flush());
    }
  }

  JobCount jobs_;
  std::shared_ptr<Service> service_;
  std::shared_ptr<RemoteListener> listener_;
};

TEST_F(RemoteCompactionTest, TheDataAreTheSame) {
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_NO_FATAL_FAILURE(Fill());
  const std::string before = Scan();
  ASSERT_OK(CompactAll());
  EXPECT_EQ(service_->scheduled_, 1);
  EXPECT_EQ(service_->installed_, "job1+ ");
  EXPECT_EQ(FilesAt(0), 0);
  EXPECT_EQ(Scan(), before);
  EXPECT_EQ(listener_->remote_.load(), 1);
  EXPECT_EQ(listener_->local_.load(), 0);
  EXPECT_GT(Ticker(REMOTE_COMPACT_READ_BYTES), 0u);
  EXPECT_GT(Ticker(REMOTE_COMPACT_WRITE_BYTES), 0u);
  EXPECT_EQ(Ticker(COMPACT_WRITE_BYTES), 0u);
  EXPECT_EQ(service_->info_.db_name, path_);
  EXPECT_EQ(service_->info_.cf_name, kDefaultColumnFamilyName);
  EXPECT_TRUE(service_->info_.is_manual_compaction);
  EXPECT_TRUE(service_->info_.is_full_compaction);
  EXPECT_TRUE(service_->info_.bottommost_level);
  EXPECT_EQ(service_->info_.base_input_level, 0);
  ASSERT_OK(db_->VerifyChecksum());
  ASSERT_NO_FATAL_FAILURE(Fill());
  const std::string then = Scan();
  ASSERT_OK(CompactAll(/*force=*/true));
  EXPECT_EQ(Scan(), then);
  ASSERT_NO_FATAL_FAILURE(Reopen());
  EXPECT_EQ(Scan(), then);
}

TEST_F(RemoteCompactionTest, TheFileManagerKnowsWhatCame) {
  options_.sst_file_manager.reset(NewSstFileManager(options_.env));
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_NO_FATAL_FAILURE(Fill());
  ASSERT_OK(CompactAll());
  ASSERT_EQ(listener_->remote_.load(), 1);
  std::vector<LiveFileMetaData> files;
  db_->GetLiveFilesMetaData(&files);
  ASSERT_FALSE(files.empty());
  const auto known = options_.sst_file_manager->GetTrackedFiles();
  for (const LiveFileMetaData& file : files) {
    const auto found = known.find(path_ + file.name);
    ASSERT_NE(found, known.end()) << file.name;
    EXPECT_EQ(found->second, file.size);
  }
}

TEST_F(RemoteCompactionTest, SnapshotsKeepWhatTheySee) {
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_OK(Put("a", "old"));
  const Snapshot* snapshot = db_->GetSnapshot();
  ASSERT_OK(Put("a", "new"));
  ASSERT_OK(Put("b", "new"));
  ASSERT_OK(Flush());
  ASSERT_OK(CompactAll(/*force=*/true));
  EXPECT_GE(service_->scheduled_, 1);
  EXPECT_EQ(Get("a", snapshot), "old");
  EXPECT_EQ(Get("b", snapshot), "NOT_FOUND");
  EXPECT_EQ(Get("a"), "new");
  db_->ReleaseSnapshot(snapshot);
}

// Both leave out, and count, the same.
TEST_F(RemoteCompactionTest, CoveredInputsAreReadByNeither) {
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_NO_FATAL_FAILURE(Fill());
  ASSERT_OK(db_->DeleteRange(WriteOptions(), "key", "kez"));
  ASSERT_OK(Flush());
  ASSERT_OK(Put("key1050", "back"));
  ASSERT_OK(Flush());
  ASSERT_OK(CompactAll());
  EXPECT_EQ(listener_->remote_.load(), 1);
  EXPECT_EQ(service_->installed_, "job1+ ");
  EXPECT_EQ(listener_->left_out_.load(), 3u);
  EXPECT_EQ(listener_->records_in_.load(), 1u);
  EXPECT_EQ(Scan(), "key1050=back ");
  RemoteCompactionRequest request;
  ASSERT_OK(request.Decode(service_->input_));
  ASSERT_EQ(request.unread.size(), 3u);
  EXPECT_EQ(request.Encode(), service_->input_);
  const auto refused = [](const RemoteCompactionRequest& bad) {
    RemoteCompactionRequest decoded;
    return decoded.Decode(bad.Encode()).IsCorruption();
  };
  RemoteCompactionRequest other = request;
  other.unread.push_back(1000000);  // no input
  EXPECT_TRUE(refused(other));
  other = request;
  std::swap(other.unread[0], other.unread[1]);
  EXPECT_TRUE(refused(other));
  other.unread.clear();
  for (const auto& [level, numbers] : request.inputs) {
    other.unread.insert(other.unread.end(), numbers.begin(), numbers.end());
  }
  std::sort(other.unread.begin(), other.unread.end());
  EXPECT_TRUE(refused(other)) << "the tombstone itself";
}

TEST_F(RemoteCompactionTest, AutomaticOnesOfFamiliesToo) {
  options_.disable_auto_compactions = false;
  options_.create_missing_column_families = true;
  options_.level0_file_num_compaction_trigger = 2;
  options_.max_subcompactions = 2;
  ASSERT_NO_FATAL_FAILURE(OpenFamilies({"default", "one"}));
  for (int i = 0; i < 4; ++i) {
    ASSERT_OK(PutIn(1, "a" + std::to_string(i), "1"));
    ASSERT_OK(PutIn(1, "z", std::to_string(i)));
    ASSERT_OK(db_->Flush(FlushOptions(), handles_[1]));
    ASSERT_OK(db_->WaitForCompact(WaitForCompactOptions()));
  }
  EXPECT_GE(service_->scheduled_, 2);
  EXPECT_EQ(service_->info_.cf_name, "one");
  EXPECT_EQ(listener_->local_.load(), 0);
  std::string value;
  ASSERT_OK(db_->Get(ReadOptions(), handles_[1], "z", &value));
  EXPECT_EQ(value, "3");
}

TEST_F(RemoteCompactionTest, AServiceMayLeaveItToTheProcess) {
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_NO_FATAL_FAILURE(Fill());
  const std::string before = Scan();
  service_->at_schedule_ = JobStatus::kUseLocal;
  ASSERT_OK(CompactAll());
  EXPECT_EQ(FilesAt(0), 0);
  service_->at_schedule_ = JobStatus::kSuccess;
  service_->at_wait_ = JobStatus::kUseLocal;
  ASSERT_OK(CompactAll(/*force=*/true));
  EXPECT_EQ(service_->scheduled_, 2);
  EXPECT_EQ(service_->installed_, "");
  EXPECT_EQ(listener_->local_.load(), 2);
  EXPECT_EQ(Scan(), before);
}

TEST_F(RemoteCompactionTest, AFailureLeavesEverythingAsItWas) {
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_NO_FATAL_FAILURE(Fill());
  const std::string before = Scan();
  const auto fails = [&](const std::string& how) {
    SCOPED_TRACE(how);
    const Status s = CompactAll();
    EXPECT_TRUE(s.IsIncomplete()) << s.ToString();
    EXPECT_GE(FilesAt(0), 3);
    EXPECT_EQ(Scan(), before);
    EXPECT_OK(Put("more", how));
    EXPECT_OK(Delete("more"));
  };
  service_->at_schedule_ = JobStatus::kFailure;
  fails("refused");
  service_->at_schedule_ = JobStatus::kSuccess;
  service_->at_wait_ = JobStatus::kAborted;
  fails("aborted");
  service_->at_wait_ = JobStatus::kSuccess;
  service_->throws_ = true;
  fails("threw");
  service_->throws_ = false;
  service_->change_ = [](std::string* result) { *result = "nonsense"; };
  fails("nonsense");
  service_->change_ = [](std::string* result) { result->pop_back(); };
  fails("cut short");
  service_->change_ = nullptr;
  ASSERT_OK(CompactAll());
  EXPECT_EQ(Scan(), before);
}

// A byte of a data block changes on the way: seen where one looks.
TEST_F(RemoteCompactionTest,
       DamagedFilesAreNotInstalledWhereOutputsAreChecked) {
  const auto damage = [](std::string* bytes) {
    RemoteCompactionResult result;
    EXPECT_OK(result.Decode(*bytes));
    for (const auto& entry :
         std::filesystem::directory_iterator(result.directory)) {
      if (entry.path().extension() != ".sst") continue;
      std::fstream file(entry.path(),
                        std::ios::in | std::ios::out | std::ios::binary);
      file.seekp(20);
      file.put('\xff');
    }
  };
  using Flags = VerifyOutputFlags;
  for (const Flags what :
       {Flags::kVerifyBlockChecksum, Flags::kVerifyIteration}) {
    db_.reset();
    ASSERT_OK(DestroyDB(path_, options_));
    RenewService();
    service_->change_ = damage;
    options_.verify_output_flags = what | Flags::kEnableForRemoteCompaction;
    ASSERT_NO_FATAL_FAILURE(Open());
    ASSERT_NO_FATAL_FAILURE(Fill());
    const std::string before = Scan();
    const Status s = CompactAll();
    EXPECT_TRUE(s.IsIncomplete()) << s.ToString();
    EXPECT_EQ(FilesAt(0), 3);
    EXPECT_EQ(Scan(), before);
    // Nobody looks at what other processes make.
    ASSERT_OK(db_->SetOptions({{"verify_output_flags", "1031"}}));
    EXPECT_OK(CompactAll());
  }
}

TEST_F(RemoteCompactionTest, ResultsThatAreWrongAreNotInstalled) {
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_NO_FATAL_FAILURE(Fill());
  const std::string before = Scan();
  const auto change =
      [&](const std::function<void(RemoteCompactionResult*)>& f) {
        service_->change_ = [f](std::string* bytes) {
          RemoteCompactionResult result;
          EXPECT_OK(result.Decode(*bytes));
          f(&result);
          EXPECT_OK(result.Encode(bytes));
        };
        const Status s = CompactAll();
        EXPECT_FALSE(s.ok());
        EXPECT_EQ(FilesAt(0), 3);
        EXPECT_EQ(Scan(), before);
        return s;
      };
  EXPECT_TRUE(change([](RemoteCompactionResult* r) {
                r->status = Status::IOError("the disk", "is full");
              }).IsIOError());
  ASSERT_OK(db_->Resume());
  EXPECT_FALSE(change([](RemoteCompactionResult* r) {
                 r->directory += "/elsewhere";
               }).ok());
  ASSERT_OK(db_->Resume());
  EXPECT_TRUE(change([](RemoteCompactionResult* r) {
                --r->records.records_in;
              }).IsCorruption());
}

TEST_F(RemoteCompactionTest, ClosingCancelsWhatIsWaitedFor) {
  service_->blocks_ = true;
  options_.disable_auto_compactions = false;
  options_.level0_file_num_compaction_trigger = 3;
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_NO_FATAL_FAILURE(Fill());
  service_->AwaitWaiting();
  const std::string before = Scan();
  ASSERT_OK(db_->Close());
  db_.reset();
  options_.compaction_service = nullptr;
  ASSERT_NO_FATAL_FAILURE(Open());
  EXPECT_EQ(Scan(), before);
}

// Another thread looks meanwhile, and finds nothing to do: then nothing else
// happens that would have it tried again.
TEST_F(RemoteCompactionTest, WhatFailedIsTriedAgain) {
  options_.env = &jobs_;
  options_.disable_auto_compactions = false;
  options_.level0_file_num_compaction_trigger = 3;
  // Where writers are behind there may be several.
  options_.level0_slowdown_writes_trigger = 3;
  options_.max_background_jobs = 8;
  options_.bgerror_resume_retry_interval = 1;
  service_->blocks_ = true;
  service_->aborts_left_ = 2;
  Open();
  ASSERT_NO_FATAL_FAILURE(Fill());
  service_->AwaitWaiting();
  jobs_.AwaitEnded(Env::Priority::LOW, 1);
  service_->Unblock();
  ASSERT_OK(db_->WaitForCompact(WaitForCompactOptions()));
  EXPECT_EQ(FilesAt(0), 0);
  EXPECT_EQ(service_->scheduled_, 3);
  EXPECT_EQ(Get("key1001"), "value2");
}

// Where it is not to be tried again for an hour, those who want something else
// are not kept waiting.
class AwaitedRetryTest : public RemoteCompactionTest {
 protected:
  void FailOnce() {
    options_.env = &jobs_;
    options_.disable_auto_compactions = false;
    options_.level0_file_num_compaction_trigger = 3;
    options_.bgerror_resume_retry_interval = 3'600'000'000;
    service_->blocks_ = true;
    service_->aborts_left_ = 1;
    Open();
    ASSERT_NO_FATAL_FAILURE(Fill());
    service_->AwaitWaiting();
    service_->Unblock();
    jobs_.AwaitNone();  // No thread waits for the hour to pass.
    EXPECT_EQ(service_->scheduled_, 1);
    EXPECT_EQ(FilesAt(0), 3);
  }
  void ExpectDone() {
    EXPECT_EQ(service_->scheduled_, 2);
    EXPECT_EQ(FilesAt(0), 0);
    EXPECT_EQ(Get("key1001"), "value2");
  }
};

TEST_F(AwaitedRetryTest, APauseEndsIt) {
  ASSERT_NO_FATAL_FAILURE(FailOnce());
  ASSERT_OK(db_->PauseBackgroundWork());
  EXPECT_EQ(service_->scheduled_, 1);
  ASSERT_OK(db_->ContinueBackgroundWork());
  ASSERT_OK(db_->WaitForCompact(WaitForCompactOptions()));
  ExpectDone();
}

TEST_F(AwaitedRetryTest, ACompactionThatAUserWantsRuns) {
  ASSERT_NO_FATAL_FAILURE(FailOnce());
  ASSERT_OK(CompactAll());
  ExpectDone();
}

// There is one thread for compactions.
TEST_F(AwaitedRetryTest, OtherFamiliesGoOn) {
  ASSERT_NO_FATAL_FAILURE(FailOnce());
  CreateFamily("b");
  for (int i = 0; i < 3; ++i) {
    ASSERT_OK(PutIn(0, "key", std::to_string(i)));
    ASSERT_OK(db_->Flush(FlushOptions(), handles_[0]));
  }
  jobs_.AwaitNone();
  std::string files;
  ASSERT_TRUE(
      db_->GetProperty(handles_[0], "rocksdb.num-files-at-level0", &files));
  EXPECT_EQ(files, "0");
  EXPECT_EQ(service_->scheduled_, 2);
  EXPECT_EQ(FilesAt(0), 3);
  // It counts as what is still to be done.
  WaitForCompactOptions briefly;
  briefly.timeout = std::chrono::microseconds(1);
  EXPECT_TRUE(db_->WaitForCompact(briefly).IsTimedOut());
}

TEST_F(AwaitedRetryTest, AResumeEndsIt) {
  ASSERT_NO_FATAL_FAILURE(FailOnce());
  ASSERT_OK(db_->Resume());
  ASSERT_OK(db_->WaitForCompact(WaitForCompactOptions()));
  ExpectDone();
}

TEST_F(AwaitedRetryTest, AnAbortEndsIt) {
  ASSERT_NO_FATAL_FAILURE(FailOnce());
  db_->AbortAllCompactions();
  db_->ResumeAllCompactions();
  ASSERT_OK(db_->WaitForCompact(WaitForCompactOptions()));
  ExpectDone();
}

TEST_F(AwaitedRetryTest, AClosedDatabaseEndsIt) {
  ASSERT_NO_FATAL_FAILURE(FailOnce());
  ASSERT_OK(db_->Close());
  RenewService();
  Open();
  ASSERT_OK(db_->WaitForCompact(WaitForCompactOptions()));
  EXPECT_EQ(FilesAt(0), 0);
}

// Neither an open that fails nor a reader has jobs that it could cancel.
TEST_F(RemoteCompactionTest, OthersDoNotCancelWhatTheyDidNotSchedule) {
  Options missing = options_;
  missing.create_if_missing = false;
  std::unique_ptr<DB> other;
  EXPECT_FALSE(DB::Open(missing, path_ + "_missing", &other).ok());
  Open();
  ASSERT_NO_FATAL_FAILURE(Fill());
  ASSERT_OK(DB::OpenForReadOnly(options_, path_, &other));
  other.reset();
  ASSERT_OK(CompactAll());
  EXPECT_EQ(listener_->remote_, 1);
  EXPECT_EQ(service_->scheduled_, 1);
}

TEST_F(RemoteCompactionTest, WhatAnAbortedOneBringsIsNotTaken) {
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_NO_FATAL_FAILURE(Fill());
  const std::string before = Scan();
  std::thread aborter;
  service_->change_ = [&](std::string*) {
    aborter = std::thread([this] { db_->AbortAllCompactions(); });
    uint64_t count = 0;
    while (count == 0) {
      db_->GetIntProperty("rocksdb.compaction-abort-count", &count);
    }
  };
  const Status s = CompactAll();
  ASSERT_TRUE(aborter.joinable());
  aborter.join();
  EXPECT_TRUE(s.IsCompactionAborted()) << s.ToString();
  EXPECT_EQ(service_->installed_, "job1- ");
  EXPECT_EQ(FilesAt(0), 3);
  EXPECT_EQ(Scan(), before);
  service_->change_ = nullptr;
  db_->ResumeAllCompactions();
  ASSERT_OK(CompactAll());
  EXPECT_EQ(FilesAt(0), 0);
  EXPECT_EQ(Scan(), before);
}

TEST_F(RemoteCompactionTest, BlobFilesStayInTheProcess) {
  options_.enable_blob_files = true;
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_NO_FATAL_FAILURE(Fill());
  ASSERT_OK(CompactAll());
  EXPECT_EQ(service_->scheduled_, 0);
  EXPECT_EQ(listener_->local_.load(), 1);
}

// The worker reads the options that the database has by then.
TEST_F(RemoteCompactionTest, BlobFilesEnabledMeanwhileAreNotTheWorkers) {
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_NO_FATAL_FAILURE(Fill());
  const std::string before = Scan();
  service_->meanwhile_ = [this] {
    EXPECT_OK(db_->SetOptions({{"enable_blob_files", "true"}}));
  };
  ASSERT_OK(CompactAll());
  EXPECT_EQ(listener_->remote_.load(), 1);
  uint64_t blob_files = 0;
  EXPECT_TRUE(db_->GetIntProperty(DB::Properties::kNumBlobFiles, &blob_files));
  EXPECT_EQ(blob_files, 0u);
  EXPECT_EQ(Scan(), before);
}

TEST_F(RemoteCompactionTest, AWorkerIsNotToWriteBlobFiles) {
  service_->override_.options_map["enable_blob_files"] = "true";
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_NO_FATAL_FAILURE(Fill());
  const std::string before = Scan();
  EXPECT_TRUE(CompactAll().IsIncomplete());
  EXPECT_EQ(Scan(), before);
}

TEST_F(RemoteCompactionTest, AWorkerRefusesWhatItCannotDo) {
  service_->at_wait_ = JobStatus::kUseLocal;
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_NO_FATAL_FAILURE(Fill());
  ASSERT_OK(CompactAll());
  const std::string input = service_->input_;
  const std::string directory = path_ + "_worker/out";
  std::string output;
  const CompactionServiceOptionsOverride& with = service_->override_;
  const auto run = [&](const std::string& bytes) {
    return DB::OpenAndCompact(path_, directory, bytes, &output, with);
  };
  EXPECT_TRUE(run(input).IsNotFound()) << "the inputs are gone";
  EXPECT_FALSE(output.empty()) << "the primary is told";
  for (size_t size = 0; size < input.size(); ++size) {
    EXPECT_TRUE(run(input.substr(0, size)).IsCorruption()) << size;
  }
  RemoteCompactionRequest request;
  ASSERT_OK(request.Decode(input));
  EXPECT_EQ(request.Encode(), input);
  RemoteCompactionRequest other = request;
  other.db_id = "of another database";
  EXPECT_TRUE(run(other.Encode()).IsInvalidArgument());
  other = request;
  other.family = "of another name";
  EXPECT_TRUE(run(other.Encode()).IsInvalidArgument());
  other = request;
  other.output_level = 100;
  EXPECT_TRUE(run(other.Encode()).IsInvalidArgument());
  EXPECT_TRUE(DB::OpenAndCompact(path_, directory, input, nullptr, with)
                  .IsInvalidArgument());
  EXPECT_FALSE(
      DB::OpenAndCompact(path_ + "_none", directory, input, &output, with)
          .ok());
}

TEST_F(RemoteCompactionTest, AWorkerStopsWhenCanceled) {
  service_->at_wait_ = JobStatus::kAborted;
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_NO_FATAL_FAILURE(Fill());
  EXPECT_TRUE(CompactAll().IsIncomplete());
  std::atomic<bool> canceled{true};
  OpenAndCompactOptions options;
  options.canceled = &canceled;
  std::string output;
  const std::string directory = path_ + "_worker/canceled";
  EXPECT_TRUE(DB::OpenAndCompact(options, path_, directory, service_->input_,
                                 &output, service_->override_)
                  .IsIncomplete());
  for (const auto& entry : std::filesystem::directory_iterator(directory)) {
    EXPECT_NE(entry.path().extension(), ".sst") << entry.path();
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

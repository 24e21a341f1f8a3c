// Remote compactions that are stopped and gone on with
// (OpenAndCompactOptions::allow_resumption): whatever stops them, wherever, the
// outputs are those of one that ran through.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "db/compaction/remote_compaction.h"
#include "env/mem_file_system.h"
#include "file/file_util.h"
#include "rocksdb/convenience.h"
#include "rocksdb/env.h"
#include "rocksdb/listener.h"
#include "rocksdb/merge_operator.h"
#include "rocksdb/statistics.h"
#include "tests/db/impl/db_fixture.h"
#include "tests/db/impl/timestamp_text.h"
#include "tests/testing/scale.h"
#include "util/ignore_error.h"
#include "utilities/fault_injection/fault_injection_fs.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// Keeps what it is given, and answers what it is told.
class ResumedService final : public CompactionService {
 public:
  const char* Name() const override { return "ResumedService"; }
  CompactionServiceScheduleResponse Schedule(
      const CompactionServiceJobInfo& /*info*/,
      const std::string& input) override {
    input_ = input;
    return CompactionServiceScheduleResponse(
        "job", CompactionServiceJobStatus::kSuccess);
  }
  CompactionServiceJobStatus Wait(const std::string& /*id*/,
                                  std::string* result) override {
    *result = result_;
    return result_.empty() ? CompactionServiceJobStatus::kAborted
                           : CompactionServiceJobStatus::kSuccess;
  }

  std::string input_, result_;
};

// Stops the worker once it has made so many files.
class Stopper final : public EventListener {
 public:
  void OnTableFileCreated(const TableFileCreationInfo& info) override {
    if (info.status.ok() && ++made_ == stop_at_) canceled_ = true;
  }
  void Reset(int stop_at) {
    made_ = 0;
    stop_at_ = stop_at;
    canceled_ = false;
  }

  int made_ = 0;
  int stop_at_ = 0;  // 0: never
  std::atomic<bool> canceled_{false};
};

class ResumedWorld {
 public:
  explicit ResumedWorld(bool has_timestamps, uint64_t seed = 1)
      : has_timestamps_(has_timestamps),
        fs_(std::make_shared<FaultInjectionFileSystem>(
            std::make_shared<MemFileSystem>(), seed)),
        env_(NewCompositeEnv(fs_)),
        service_(std::make_shared<ResumedService>()),
        stopper_(std::make_shared<Stopper>()) {
    options_.env = env_.get();
    options_.create_if_missing = true;
    options_.compression = kNoCompression;
    options_.disable_auto_compactions = true;
    options_.target_file_size_base = 4 << 10;
    options_.info_log_level = InfoLogLevel::FATAL_LEVEL;
    options_.compaction_service = service_;
    options_.cf_paths = {
        {"/db/1", 0}, {"/db/2", 0}, {"/db/3", 0}, {"/db/4", 0}};
    if (has_timestamps) options_.comparator = BytewiseComparatorWithU64Ts();
    EXPECT_OK(MergeOperator::CreateFromString(ConfigOptions(), "stringappend",
                                              &options_.merge_operator));
    with_.env = env_.get();
    with_.comparator = options_.comparator;
    with_.merge_operator = options_.merge_operator;
    with_.listeners = {stopper_};
    with_.statistics = statistics_ = CreateDBStatistics();
    EXPECT_OK(fs_->CreateDir("/worker", IOOptions(), nullptr));
  }
  ~ResumedWorld() { IgnoreError(Close(), "the world ends"); }

  Status Close() {
    if (snapshot_ != nullptr) db_->ReleaseSnapshot(snapshot_);
    snapshot_ = nullptr;
    Status s;
    if (db_ != nullptr) s = db_->Close();
    db_.reset();
    return s;
  }

  void Fill() {
    ASSERT_OK(DB::Open(options_, "/db", &db_));
    for (int round = 0; round < 3; ++round) {
      for (int i = 0; i < kKeys; ++i) Write(i, round);
      if (!has_timestamps_) {
        ASSERT_OK(db_->DeleteRange(WriteOptions(), db_->DefaultColumnFamily(),
                                   Key(50 + round), Key(400)));
        ASSERT_OK(db_->DeleteRange(WriteOptions(), db_->DefaultColumnFamily(),
                                   Key(600), Key(601 + round)));
      }
      if (round == 1) snapshot_ = db_->GetSnapshot();
      ASSERT_OK(db_->Flush(FlushOptions()));
    }
    before_ = Scan();
    EXPECT_TRUE(Compact().IsIncomplete());
    ASSERT_FALSE(service_->input_.empty());
  }
  Status Compact() {
    return db_->CompactRange(CompactRangeOptions(), nullptr, nullptr);
  }

  // The worker, stopped after `stop_at` files; 0: never.
  Status Run(const std::string& directory, int stop_at, bool resumes = true) {
    stopper_->Reset(stop_at);
    OpenAndCompactOptions options;
    options.allow_resumption = resumes;
    options.canceled = &stopper_->canceled_;
    return DB::OpenAndCompact(options, "/db", directory, service_->input_,
                              &result_, with_);
  }
  // What the worker answered, without what differs from run to run.
  std::string Outcome() const {
    RemoteCompactionResult result;
    EXPECT_OK(result.Decode(result_));
    std::string text;
    for (const VersionEdit::NewFile& added : result.files.new_files) {
      const FileMeta& file = *added.file;
      text += file.smallest.DebugString(true) + ".." +
              file.largest.DebugString(true) + " ";
    }
    const CompactionIteratorStats& r = result.records;
    for (const uint64_t count :
         {r.records_in, r.deletions_in, r.dropped_hidden, r.dropped_obsolete,
          r.dropped_by_range, result.dropped_tombstones}) {
      text += std::to_string(count) + " ";
    }
    return text;
  }
  size_t OutputCount() const {
    RemoteCompactionResult result;
    EXPECT_OK(result.Decode(result_));
    return result.files.new_files.size();
  }
  std::string OutcomeUndisturbed() {
    EXPECT_OK(Run("/worker/undisturbed", 0, /*resumes=*/false));
    EXPECT_GE(stopper_->made_, 10);
    return Outcome();
  }
  // The database takes the result, and holds what it held.
  void Adopt() {
    service_->result_ = result_;
    ASSERT_OK(Compact());
    EXPECT_EQ(Scan(), before_);
    ASSERT_OK(db_->VerifyChecksum());
    service_->result_.clear();
  }
  uint64_t ResumedBytes() const {
    return statistics_->getTickerCount(REMOTE_COMPACT_RESUMED_BYTES);
  }

  std::vector<std::string> Files(const std::string& part) {
    std::vector<std::string> names, found;
    EXPECT_OK(fs_->GetChildren("/worker/out", IOOptions(), &names, nullptr));
    std::sort(names.begin(), names.end());
    for (const std::string& name : names) {
      if (name.find(part) != std::string::npos) {
        found.push_back("/worker/out/" + name);
      }
    }
    return found;
  }

  const bool has_timestamps_;
  std::shared_ptr<FaultInjectionFileSystem> fs_;
  std::unique_ptr<Env> env_;
  std::shared_ptr<ResumedService> service_;
  std::shared_ptr<Stopper> stopper_;
  std::shared_ptr<Statistics> statistics_;
  Options options_;
  CompactionServiceOptionsOverride with_;
  std::unique_ptr<DB> db_;
  std::string result_;

 private:
  static constexpr int kKeys = 1800;

  std::string Key(int i) const { return "key" + std::to_string(1000 + i); }
  void Write(int i, int round) {
    const std::string value(60, static_cast<char>('a' + round));
    const std::string key = Key(i);
    Status s;
    if (has_timestamps_) {
      const std::string timestamp = Ts(static_cast<uint64_t>(round + 1));
      s = (i + round) % 7 == 0
              ? db_->Delete(WriteOptions(), key, timestamp)
              : db_->Put(WriteOptions(), key, timestamp, value);
    } else if ((i + round) % 7 == 0) {
      s = db_->Delete(WriteOptions(), key);
    } else if ((i + round) % 5 == 0) {
      s = db_->Merge(WriteOptions(), key, value);
    } else {
      s = db_->Put(WriteOptions(), key, value);
    }
    EXPECT_OK(s);
  }
  // What the snapshot from before the last round sees, and what is there now.
  std::string Scan() {
    std::string text;
    for (const Snapshot* snapshot :
         {snapshot_, static_cast<const Snapshot*>(nullptr)}) {
      for (uint64_t timestamp = has_timestamps_ ? 1 : 3; timestamp <= 3;
           ++timestamp) {
        AsOf as_of(timestamp, snapshot);
        if (!has_timestamps_) as_of.options.timestamp = nullptr;
        const std::unique_ptr<Iterator> it(db_->NewIterator(as_of.options));
        for (it->SeekToFirst(); it->Valid(); it->Next()) {
          text += it->key().ToString() + "=" + it->value().ToString() + " ";
        }
        EXPECT_OK(it->status());
      }
    }
    return text;
  }

  const Snapshot* snapshot_ = nullptr;
  std::string before_;
};

class ResumedCompaction : public ::testing::TestWithParam<bool> {
 protected:
  ResumedCompaction() : world_(GetParam()) {}
  ResumedWorld world_;
};

TEST_P(ResumedCompaction, GoesOnWhereItWasStopped) {
  ASSERT_NO_FATAL_FAILURE(world_.Fill());
  const std::string undisturbed = world_.OutcomeUndisturbed();
  for (const int step : {1, 3, 7}) {
    ASSERT_OK(world_.Run("/worker/out", 0, /*resumes=*/false));
    int runs = 0;
    uint64_t resumed = world_.ResumedBytes();
    Status s = Status::Incomplete();
    while (!s.ok()) {
      ASSERT_LT(++runs, 100);
      s = world_.Run("/worker/out", step);
      ASSERT_TRUE(s.ok() || s.IsIncomplete()) << s.ToString();
      if (runs > 1) {
        EXPECT_GT(world_.ResumedBytes(), resumed) << runs;
      }
      resumed = world_.ResumedBytes();
    }
    EXPECT_GT(runs, 1) << step;
    EXPECT_EQ(world_.Outcome(), undisturbed) << step;
  }
  EXPECT_EQ(world_.Files("COMPACTION_PROGRESS").size(), 1u);
  ASSERT_NO_FATAL_FAILURE(world_.Adopt());
}

TEST_P(ResumedCompaction, WhatIsDoneIsNotDoneAgain) {
  ASSERT_NO_FATAL_FAILURE(world_.Fill());
  ASSERT_OK(world_.Run("/worker/out", 0));
  const std::string outcome = world_.Outcome();
  const int made = world_.stopper_->made_;
  ASSERT_OK(world_.Run("/worker/out", 0));
  EXPECT_EQ(world_.stopper_->made_, 0);
  EXPECT_EQ(world_.Outcome(), outcome);
  // One table is gone: it and those behind it are made again.
  const std::vector<std::string> tables = world_.Files(".sst");
  ASSERT_EQ(tables.size(), static_cast<size_t>(made));
  ASSERT_OK(world_.fs_->DeleteFile(tables[3], IOOptions(), nullptr));
  ASSERT_OK(world_.Run("/worker/out", 0));
  EXPECT_EQ(world_.stopper_->made_, made - 3);
  EXPECT_EQ(world_.Outcome(), outcome);
  // Nor is one believed that is shorter than it was.
  ASSERT_OK(CreateFile(world_.fs_.get(), world_.Files(".sst")[5], "short",
                       FileDurability::kSynced));
  ASSERT_OK(world_.Run("/worker/out", 0));
  EXPECT_GE(world_.stopper_->made_, made - 5);
  EXPECT_EQ(world_.Outcome(), outcome);
  ASSERT_NO_FATAL_FAILURE(world_.Adopt());
}

// A worker that cannot begin its own record leaves what was done.
TEST_P(ResumedCompaction, ARecordThatCannotBeBegunLosesNothing) {
  ASSERT_NO_FATAL_FAILURE(world_.Fill());
  EXPECT_TRUE(world_.Run("/worker/out", 2).IsIncomplete());
  const size_t tables = world_.Files(".sst").size();
  ASSERT_GT(tables, 0u);
  world_.fs_->FailCall({.call = 1, .path_contains = "COMPACTION_PROGRESS"});
  EXPECT_TRUE(world_.Run("/worker/out", 0).IsIOError());
  EXPECT_TRUE(world_.fs_->failed());
  world_.fs_->Heal();
  EXPECT_EQ(world_.Files(".sst").size(), tables);
  const uint64_t resumed = world_.ResumedBytes();
  ASSERT_OK(world_.Run("/worker/out", 0));
  EXPECT_GT(world_.ResumedBytes(), resumed);
  ASSERT_NO_FATAL_FAILURE(world_.Adopt());
}

TEST_P(ResumedCompaction, OneThatDoesNotResumeForgetsWhatWasDone) {
  ASSERT_NO_FATAL_FAILURE(world_.Fill());
  EXPECT_TRUE(world_.Run("/worker/out", 2).IsIncomplete());
  EXPECT_FALSE(world_.Files("COMPACTION_PROGRESS").empty());
  EXPECT_FALSE(world_.Files(".sst").empty());
  EXPECT_TRUE(world_.Run("/worker/out", 2, /*resumes=*/false).IsIncomplete());
  EXPECT_TRUE(world_.Files("COMPACTION_PROGRESS").empty());
  ASSERT_OK(world_.Run("/worker/out", 0));
  EXPECT_EQ(world_.ResumedBytes(), 0u);
  ASSERT_NO_FATAL_FAILURE(world_.Adopt());
}

TEST_P(ResumedCompaction, AnotherRequestBeginsAnew) {
  ASSERT_NO_FATAL_FAILURE(world_.Fill());
  EXPECT_TRUE(world_.Run("/worker/out", 2).IsIncomplete());
  RemoteCompactionRequest other;
  ASSERT_OK(other.Decode(world_.service_->input_));
  other.snapshots.clear();
  const std::string input = world_.service_->input_;
  world_.service_->input_ = other.Encode();
  ASSERT_OK(world_.Run("/worker/out", 0));
  EXPECT_EQ(world_.ResumedBytes(), 0u);
  EXPECT_EQ(world_.Files(".sst").size(),
            static_cast<size_t>(world_.stopper_->made_));
  world_.service_->input_ = input;
  ASSERT_OK(world_.Run("/worker/out", 0));
  EXPECT_EQ(world_.ResumedBytes(), 0u);
  ASSERT_NO_FATAL_FAILURE(world_.Adopt());
}

INSTANTIATE_TEST_SUITE_P(Keys, ResumedCompaction, ::testing::Bool(),
                         [](const auto& info) {
                           return info.param ? "Timestamps" : "Plain";
                         });

// An input that is damaged: what was made of it so far is not kept.
TEST(ResumedCompactionDamage, CorruptionIsNotBuiltUpon) {
  ResumedWorld world(false);
  ASSERT_NO_FATAL_FAILURE(world.Fill());
  EXPECT_TRUE(world.Run("/worker/out", 2).IsIncomplete());
  std::vector<LiveFileMetaData> live;
  world.db_->GetLiveFilesMetaData(&live);
  ASSERT_FALSE(live.empty());
  const std::string path = live[0].db_path + live[0].name;
  std::string whole;
  ASSERT_OK(ReadFileToString(world.fs_.get(), path, &whole));
  std::string damaged = whole;
  damaged[whole.size() / 2] ^= 1;
  const auto write = [&](const std::string& bytes) {
    ASSERT_OK(
        CreateFile(world.fs_.get(), path, bytes, FileDurability::kSynced));
  };
  write(damaged);
  EXPECT_TRUE(world.Run("/worker/out", 0).IsCorruption());
  EXPECT_TRUE(world.Files("COMPACTION_PROGRESS").empty());
  EXPECT_TRUE(world.Files(".sst").empty());
  write(whole);
  const uint64_t resumed = world.ResumedBytes();
  ASSERT_OK(world.Run("/worker/out", 0));
  EXPECT_EQ(world.ResumedBytes(), resumed);
  ASSERT_NO_FATAL_FAILURE(world.Adopt());
}

class ResumedCompactionFaults : public ::testing::TestWithParam<bool> {};

// Every call of the worker fails once, some with a crash behind; then another
// worker goes on.
TEST_P(ResumedCompactionFaults, EveryCallFailsOnce) {
  const bool crashes = GetParam();
  ResumedWorld world(false);
  ASSERT_NO_FATAL_FAILURE(world.Fill());
  const std::string undisturbed = world.OutcomeUndisturbed();
  ASSERT_OK(world.Close());
  bool has_resumed = false;
  for (uint64_t k = 1;; k += TestShare()) {
    ASSERT_LT(k, 5000u) << "the compaction never runs through";
    ASSERT_OK(world.Run("/worker/out", 0, /*resumes=*/false));
    world.fs_->FailCall({.call = k,
                         .scope = FaultScope::kMutatingCalls,
                         .path_contains = "/worker/out"});
    const Status s = world.Run("/worker/out", 0);
    const std::string where = world.fs_->failed_call() + ": " + s.ToString();
    const bool struck = world.fs_->failed();
    if (crashes) {
      ASSERT_OK(world.fs_->CrashAndHeal());
    } else {
      world.fs_->Heal();
    }
    if (s.ok()) {
      EXPECT_EQ(world.Outcome(), undisturbed) << where;
    }
    const uint64_t resumed = world.ResumedBytes();
    ASSERT_OK(world.Run("/worker/out", 0));
    has_resumed = has_resumed || (struck && world.ResumedBytes() > resumed);
    EXPECT_EQ(world.Outcome(), undisturbed) << where;
    EXPECT_EQ(world.Files(".sst").size(), world.OutputCount()) << where;
    EXPECT_EQ(world.fs_->open_handles(), 0u) << where;
    if (!struck) break;
  }
  EXPECT_TRUE(has_resumed);
}

INSTANTIATE_TEST_SUITE_P(Ends, ResumedCompactionFaults, ::testing::Bool(),
                         [](const auto& info) {
                           return info.param ? "WithACrash" : "Plain";
                         });

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

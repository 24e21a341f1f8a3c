// A follower whose calls fail: opening it and catching up say so or are right,
// show no half of anything, leave the leader's files alone, and work when they
// are tried again; whatever happened, nothing is left behind.
#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "env/mem_file_system.h"
#include "tests/db/impl/families_fixture.h"
#include "utilities/fault_injection/fault_injection_fs.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class FollowerFaultLoop : public FamiliesFixture,
                          public ::testing::WithParamInterface<FaultKind> {
 protected:
  FollowerFaultLoop()
      : env_(NewCompositeEnv(base_)), failing_env_(NewCompositeEnv(failing_)) {
    options_.env = env_.get();
    options_.create_missing_column_families = true;
    options_.disable_auto_compactions = true;
    options_.enable_blob_files = true;
    options_.min_blob_size = 50;
    options_.info_log_level = InfoLogLevel::FATAL_LEVEL;
    options_.follower_refresh_catchup_period_ms = 0;
    options_.follower_catchup_retry_count = 2;
    options_.follower_catchup_retry_wait_ms = 0;
    path_ = "/db";
  }
  ~FollowerFaultLoop() override {
    CloseFollower();
    CloseFamilies();
  }
  void SetUp() override {
    ASSERT_NO_FATAL_FAILURE(OpenFamilies({"default", "one"}));
    ASSERT_NO_FATAL_FAILURE(Advance());
  }

  // What is flushed goes on, in both families at once.
  void Advance() {
    before_ = ScanOf(0) + "| " + ScanOf(1);
    const std::string value = std::to_string(++round_);
    ASSERT_OK(PutIn(0, "a", value));
    ASSERT_OK(PutIn(1, "b", std::string(60, 'b') + value));
    ASSERT_OK(db_->Delete(WriteOptions(), handles_[0], "c" + value));
    flushed_ = ScanOf(0) + "| " + ScanOf(1);
    for (ColumnFamilyHandle* family : handles_) {
      half_flushed_.insert(ScanOf(0) + "| " + ScanOf(1));
      ASSERT_OK(db_->Flush(FlushOptions(), family));
      if (round_ % 3 == 0) {
        ASSERT_OK(
            db_->CompactRange(CompactRangeOptions(), family, nullptr, nullptr));
      }
    }
    ASSERT_NO_FATAL_FAILURE(AwaitPurge());
  }

  Status OpenFollower() {
    CloseFollower();
    Options own = options_;
    own.env = failing_env_.get();
    return DB::OpenAsFollower(DBOptions(own), own_, path_,
                              {{"default", ColumnFamilyOptions(own)},
                               {"one", ColumnFamilyOptions(own)}},
                              &seen_, &follower_);
  }
  void CloseFollower() {
    for (ColumnFamilyHandle* handle : seen_) {
      EXPECT_OK(follower_->DestroyColumnFamilyHandle(handle));
    }
    seen_.clear();
    follower_.reset();
  }
  std::string Seen() {
    std::string text;
    for (ColumnFamilyHandle* handle : seen_) {
      const std::unique_ptr<Iterator> it(
          follower_->NewIterator(ReadOptions(), handle));
      if (!text.empty() || handle != seen_[0]) text += "| ";
      for (it->SeekToFirst(); it->Valid(); it->Next()) {
        text += it->key().ToString() + "=" + it->value().ToString() + " ";
      }
      if (!it->status().ok()) return it->status().ToString();
    }
    return text;
  }
  std::set<std::string> NamesIn(const std::string& path) {
    std::vector<std::string> names;
    EXPECT_OK(options_.env->GetChildren(path, &names));
    return {names.begin(), names.end()};
  }
  size_t Links() {
    size_t count = 0;
    for (const std::string& name : NamesIn(own_)) {
      count += name.ends_with(".sst") || name.ends_with(".blob") ||
               name.ends_with(".dbtmp");
    }
    return count;
  }
  void FailCall(uint64_t call) {
    failing_->FailCall(
        {.call = call, .kind = GetParam(), .scope = FaultScope::kAllCalls});
  }
  static void ExpectClear(const Status& s) {
    EXPECT_TRUE(s.IsIOError() || s.IsCorruption() || s.IsTryAgain())
        << s.ToString();
  }

  static MemFileSystemOptions InMemory() {
    MemFileSystemOptions options;
    options.implicit_directories = true;
    return options;
  }
  const std::string own_ = "/follower";
  const std::shared_ptr<FileSystem> base_ =
      std::make_shared<MemFileSystem>(SystemClock::Default(), InMemory());
  const std::shared_ptr<FaultInjectionFileSystem> failing_ =
      std::make_shared<FaultInjectionFileSystem>(base_);
  const std::unique_ptr<Env> env_, failing_env_;
  std::unique_ptr<DB> follower_;
  std::vector<ColumnFamilyHandle*> seen_;
  std::string before_, flushed_;
  std::set<std::string> half_flushed_;
  int round_ = 0;
};

TEST_P(FollowerFaultLoop, EveryCallOfAnOpenFailsOnce) {
  const std::set<std::string> leaders = NamesIn(path_);
  int errors = 0;
  bool struck = true;
  for (uint64_t k = 1; struck; ++k) {
    ASSERT_LT(k, 2000u) << "the open never runs through";
    FailCall(k);
    const Status s = OpenFollower();
    struck = failing_->failed();
    SCOPED_TRACE("call " + std::to_string(k) + ": " + failing_->failed_call() +
                 ": " + s.ToString());
    failing_->ClearFault();
    if (!s.ok()) {
      ++errors;
      ExpectClear(s);
      ASSERT_EQ(follower_, nullptr);
      ASSERT_TRUE(seen_.empty());
      ASSERT_EQ(failing_->open_handles(), 0u);
      ASSERT_OK(OpenFollower());
    }
    ASSERT_EQ(Seen(), flushed_);
    ASSERT_OK(follower_->TryCatchUpWithPrimary());
    ASSERT_EQ(Seen(), flushed_);
    CloseFollower();
    ASSERT_EQ(failing_->open_handles(), 0u);
    ASSERT_EQ(Links(), 0u);
    ASSERT_EQ(NamesIn(path_), leaders);
  }
  EXPECT_GT(errors, 5);
}

TEST_P(FollowerFaultLoop, EveryCallOfACatchUpFailsOnce) {
  ASSERT_OK(OpenFollower());
  int errors = 0;
  int clean = 0;  // In a row: how many calls there are changes.
  for (uint64_t k = 1; clean < 10; ++k) {
    ASSERT_LT(k, 2000u) << "the catching up never runs through";
    // Now and then there is another manifest.
    if (k % 5 == 0) {
      ASSERT_NO_FATAL_FAILURE(OpenFamilies({"default", "one"}));
    }
    ASSERT_NO_FATAL_FAILURE(Advance());
    const std::set<std::string> leaders = NamesIn(path_);
    FailCall(k);
    const Status s = follower_->TryCatchUpWithPrimary();
    clean = failing_->failed() ? 0 : clean + 1;
    SCOPED_TRACE("call " + std::to_string(k) + ": " + failing_->failed_call() +
                 ": " + s.ToString());
    failing_->ClearFault();
    const std::string all = Seen();
    if (s.ok()) {
      // What is read short may be what the leader had come to before.
      ASSERT_TRUE(all == flushed_ ||
                  (GetParam() == FaultKind::kShort &&
                   (all == before_ || half_flushed_.count(all) > 0)))
          << all;
    } else {
      ++errors;
      ExpectClear(s);
      ASSERT_EQ(all, before_);
    }
    ASSERT_OK(follower_->TryCatchUpWithPrimary());
    ASSERT_EQ(Seen(), flushed_);
    ASSERT_EQ(NamesIn(path_), leaders);
    // One that could not be removed goes the next time.
    ASSERT_OK(follower_->TryCatchUpWithPrimary());
    size_t live = 0;
    for (const std::string& name : leaders) {
      live += name.ends_with(".sst") || name.ends_with(".blob");
    }
    ASSERT_EQ(Links(), live);
  }
  EXPECT_GT(errors, 5);
  CloseFollower();
  EXPECT_EQ(failing_->open_handles(), 0u);
  EXPECT_EQ(Links(), 0u);
}

INSTANTIATE_TEST_SUITE_P(Kinds, FollowerFaultLoop,
                         ::testing::Values(FaultKind::kIOError,
                                           FaultKind::kShort),
                         [](const auto& info) {
                           return info.param == FaultKind::kShort ? "Short"
                                                                  : "IOError";
                         });

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

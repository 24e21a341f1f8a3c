// A secondary instance whose reads of its primary's files fail: opening it and
// catching up say so or are right, and work when they are tried again.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "env/mem_file_system.h"
#include "tests/db/impl/damage.h"
#include "tests/db/impl/families_fixture.h"
#include "util/builtin_merge_operators.h"
#include "utilities/fault_injection/fault_injection_fs.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// key=value pairs of all families, or the error.
std::string AllOf(DB* db, const std::vector<ColumnFamilyHandle*>& handles) {
  std::string text;
  for (ColumnFamilyHandle* handle : handles) {
    const std::unique_ptr<Iterator> it(db->NewIterator(ReadOptions(), handle));
    for (it->SeekToFirst(); it->Valid(); it->Next()) {
      text += it->key().ToString() + "=" + it->value().ToString() + " ";
    }
    if (!it->status().ok()) return it->status().ToString();
    text += "| ";
  }
  return text;
}

class Follower {
 public:
  ~Follower() { Close(); }

  Status Open(const Options& options, const std::string& path) {
    Close();
    return DB::OpenAsSecondary(DBOptions(options), path, path + "-second",
                               {{"default", ColumnFamilyOptions(options)},
                                {"one", ColumnFamilyOptions(options)}},
                               &handles_, &db_);
  }
  void Close() {
    for (ColumnFamilyHandle* handle : handles_) {
      EXPECT_OK(db_->DestroyColumnFamilyHandle(handle));
    }
    handles_.clear();
    db_.reset();
  }
  // That nothing is left of an instance that did not open.
  bool is_open() const { return db_ != nullptr || !handles_.empty(); }
  DB* db() { return db_.get(); }
  std::string All() { return AllOf(db_.get(), handles_); }

 private:
  std::unique_ptr<DB> db_;
  std::vector<ColumnFamilyHandle*> handles_;
};

class SecondaryFaults : public FamiliesFixture {
 protected:
  SecondaryFaults() {
    options_.merge_operator = NewStringAppendOperator(",");
    options_.create_missing_column_families = true;
    options_.disable_auto_compactions = true;
    options_.enable_blob_files = true;
    options_.min_blob_size = 50;
    options_.info_log_level = InfoLogLevel::FATAL_LEVEL;
  }
  // The families go through `states_`, of which the last is what there is.
  void Advance() {
    states_ = {AllOf(db_.get(), handles_)};
    const std::string value = std::to_string(++round_);
    const auto note = [&](const Status& s) {
      ASSERT_OK(s);
      states_.push_back(AllOf(db_.get(), handles_));
    };
    ASSERT_NO_FATAL_FAILURE(note(PutIn(0, "a", value)));
    ASSERT_NO_FATAL_FAILURE(note(PutIn(1, "b", std::string(60, 'b') + value)));
    ASSERT_OK(db_->Flush(FlushOptions(), handles_));
    if (round_ % 3 == 0) {
      for (ColumnFamilyHandle* family : handles_) {
        ASSERT_OK(
            db_->CompactRange(CompactRangeOptions(), family, nullptr, nullptr));
      }
    }
    ASSERT_NO_FATAL_FAILURE(note(PutIn(1, "c", value)));
    ASSERT_NO_FATAL_FAILURE(
        note(db_->Merge(WriteOptions(), handles_[0], "d", value)));
    ASSERT_NO_FATAL_FAILURE(note(db_->Delete(WriteOptions(), "e" + value)));
    if (round_ % 10 == 0) {
      ASSERT_NO_FATAL_FAILURE(note(db_->Delete(WriteOptions(), "d")));
    }
  }
  bool IsState(const std::string& text) const {
    return std::count(states_.begin(), states_.end(), text) > 0;
  }

  std::vector<std::string> states_;
  int round_ = 0;
};

// The primary's files in memory, and the follower's view of them.
class SecondaryFaultLoop : public SecondaryFaults,
                           public ::testing::WithParamInterface<FaultKind> {
 protected:
  SecondaryFaultLoop()
      : env_(NewCompositeEnv(base_)), failing_env_(NewCompositeEnv(failing_)) {
    options_.env = env_.get();
    path_ = "/db";
  }
  ~SecondaryFaultLoop() override {
    follower_.Close();
    CloseFamilies();
  }
  void SetUp() override {
    ASSERT_NO_FATAL_FAILURE(OpenFamilies({"default", "one"}));
    ASSERT_NO_FATAL_FAILURE(Advance());
  }
  Status OpenFollower() {
    Options own = options_;
    own.env = failing_env_.get();
    own.max_open_files = -1;
    return follower_.Open(own, path_);
  }
  void FailCall(uint64_t call) {
    failing_->FailCall(
        {.call = call, .kind = GetParam(), .scope = FaultScope::kAllCalls});
  }
  // What is read short may be what the primary has come to so far.
  bool IsRight(const std::string& text) const {
    return text == states_.back() ||
           (GetParam() == FaultKind::kShort && IsState(text));
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
  const std::shared_ptr<FileSystem> base_ =
      std::make_shared<MemFileSystem>(SystemClock::Default(), InMemory());
  const std::shared_ptr<FaultInjectionFileSystem> failing_ =
      std::make_shared<FaultInjectionFileSystem>(base_);
  const std::unique_ptr<Env> env_, failing_env_;
  Follower follower_;
};

TEST_P(SecondaryFaultLoop, EveryCallOfAnOpenFailsOnce) {
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
    if (s.ok()) {
      const std::string all = follower_.All();
      ASSERT_TRUE(IsRight(all)) << all;
      ASSERT_OK(follower_.db()->TryCatchUpWithPrimary());
    } else {
      ++errors;
      ExpectClear(s);
      ASSERT_FALSE(follower_.is_open());
      ASSERT_EQ(failing_->open_handles(), 0u);
      ASSERT_OK(OpenFollower());
    }
    ASSERT_EQ(follower_.All(), states_.back());
    follower_.Close();
    ASSERT_EQ(failing_->open_handles(), 0u);
  }
  EXPECT_GT(errors, 5);
}

TEST_P(SecondaryFaultLoop, EveryCallOfACatchUpFailsOnce) {
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
    FailCall(k);
    const Status s = follower_.db()->TryCatchUpWithPrimary();
    clean = failing_->failed() ? 0 : clean + 1;
    SCOPED_TRACE("call " + std::to_string(k) + ": " + failing_->failed_call() +
                 ": " + s.ToString());
    failing_->ClearFault();
    const std::string all = follower_.All();
    if (s.ok()) {
      ASSERT_TRUE(IsRight(all)) << all;
    } else {
      ++errors;
      ExpectClear(s);
      ASSERT_EQ(all, states_.front());
    }
    ASSERT_OK(follower_.db()->TryCatchUpWithPrimary());
    ASSERT_EQ(follower_.All(), states_.back());
  }
  EXPECT_GT(errors, 5);
  follower_.Close();
  EXPECT_EQ(failing_->open_handles(), 0u);
}

INSTANTIATE_TEST_SUITE_P(Kinds, SecondaryFaultLoop,
                         ::testing::Values(FaultKind::kIOError,
                                           FaultKind::kShort),
                         [](const auto& info) {
                           return info.param == FaultKind::kShort ? "Short"
                                                                  : "IOError";
                         });

// What is wrong with the primary's files is said, or is no part of what is
// read; when they are mended, all is right.
TEST_F(SecondaryFaults, DamageIsSaidAndOutlived) {
  ASSERT_NO_FATAL_FAILURE(OpenFamilies({"default", "one"}));
  ASSERT_NO_FATAL_FAILURE(Advance());
  options_.max_open_files = -1;
  Follower old, fresh;
  ASSERT_OK(old.Open(options_, path_));
  const std::string before = old.All();
  ASSERT_NO_FATAL_FAILURE(Advance());
  CloseFamilies();
  int errors = 0;
  for (const FileType type :
       {kCurrentFile, kDescriptorFile, kWalFile, kTableFile, kBlobFile}) {
    for (const std::string& path : FilesOf(path_, type)) {
      const std::string bytes = ReadBytes(path);
      const auto size = static_cast<int64_t>(bytes.size());
      if (size < 2) continue;
      for (const int64_t at : {int64_t{-1}, -size / 2, int64_t{1}}) {
        SCOPED_TRACE(path + " at " + std::to_string(at));
        WriteBytes(path, Damaged(bytes, {Harm::kFlip, at}));
        Status s = fresh.Open(options_, path_);
        if (s.ok()) {
          const std::string all = fresh.All();
          // Of a table's data block, when it is read.
          EXPECT_TRUE(IsState(all) || all.starts_with("Corruption")) << all;
          if (all.starts_with("Corruption")) ++errors;
        } else {
          ++errors;
          EXPECT_FALSE(fresh.is_open());
        }
        s = old.db()->TryCatchUpWithPrimary();
        const std::string all = old.All();
        EXPECT_TRUE(all == before || IsState(all) ||
                    all.starts_with("Corruption"))
            << all;
        WriteBytes(path, bytes);
        ASSERT_OK(fresh.Open(options_, path_));
        EXPECT_EQ(fresh.All(), states_.back());
      }
    }
  }
  EXPECT_GT(errors, 5);
  ASSERT_OK(old.db()->TryCatchUpWithPrimary());
  EXPECT_EQ(old.All(), states_.back());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

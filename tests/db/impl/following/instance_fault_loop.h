// An instance that follows a database, where each call of its open and of its
// catching up fails once: it says so or is right, and works when it is tried
// again; whatever happened, nothing is left behind.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "env/mem_file_system.h"
#include "tests/db/impl/families_fixture.h"
#include "utilities/fault_injection/fault_injection_fs.h"

namespace ROCKSDB_NAMESPACE {

// The instance, with the families "default" and "one" open.
class FollowingInstance {
 public:
  FollowingInstance() = default;
  FollowingInstance(const FollowingInstance&) = delete;
  FollowingInstance& operator=(const FollowingInstance&) = delete;
  ~FollowingInstance() { Close(); }

  Status OpenSecondary(const Options& options, const std::string& path) {
    Close();
    return DB::OpenAsSecondary(DBOptions(options), path, path + "-second",
                               Families(options), &handles_, &db_);
  }
  Status OpenFollower(const Options& options, const std::string& own,
                      const std::string& path) {
    Close();
    return DB::OpenAsFollower(DBOptions(options), own, path, Families(options),
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

  // key=value pairs of all families, or the error.
  static std::string AllOf(DB* db,
                           const std::vector<ColumnFamilyHandle*>& handles) {
    std::string text;
    for (ColumnFamilyHandle* handle : handles) {
      const std::unique_ptr<Iterator> it(
          db->NewIterator(ReadOptions(), handle));
      for (it->SeekToFirst(); it->Valid(); it->Next()) {
        text += it->key().ToString() + "=" + it->value().ToString() + " ";
      }
      if (!it->status().ok()) return it->status().ToString();
      text += "| ";
    }
    return text;
  }

 private:
  static std::vector<ColumnFamilyDescriptor> Families(const Options& options) {
    return {{"default", ColumnFamilyOptions(options)},
            {"one", ColumnFamilyOptions(options)}};
  }

  std::unique_ptr<DB> db_;
  std::vector<ColumnFamilyHandle*> handles_;
};

// The database is in memory; of the instance's calls each fails.
class InstanceFaultLoop : public FamiliesFixture,
                          public ::testing::WithParamInterface<FaultKind> {
 protected:
  InstanceFaultLoop()
      : env_(NewCompositeEnv(base_)), failing_env_(NewCompositeEnv(failing_)) {
    options_.env = env_.get();
    options_.create_missing_column_families = true;
    options_.disable_auto_compactions = true;
    options_.enable_blob_files = true;
    options_.min_blob_size = 50;
    options_.info_log_level = InfoLogLevel::FATAL_LEVEL;
    path_ = "/db";
  }
  ~InstanceFaultLoop() override {
    instance_.Close();
    CloseFamilies();
  }
  void SetUp() override {
    ASSERT_NO_FATAL_FAILURE(OpenFamilies({"default", "one"}));
    ASSERT_NO_FATAL_FAILURE(Advance());
  }

  // instance_, with these options.
  virtual Status OpenInstance(const Options& own) = 0;
  // The database goes on, from Before() to Newest(), as an instance sees them.
  virtual void Advance() = 0;
  virtual const std::string& Before() const = 0;
  virtual const std::string& Newest() const = 0;
  // What else it may show that read a file short, and found no error.
  virtual bool IsBetween(const std::string& text) const = 0;
  // The files that an instance may have, when it has just caught up.
  virtual void CheckFilesOfOpen() {}
  virtual void CheckFilesOfClosed() {}

  Status OpenFailing() {
    Options own = options_;
    own.env = failing_env_.get();
    return OpenInstance(own);
  }
  // Runs `attempt`, in which call `k` fails; whether it came to that.
  template <typename Attempt>
  bool Fails(uint64_t k, const Attempt& attempt, Status* s) {
    failing_->FailCall(
        {.call = k, .kind = GetParam(), .scope = FaultScope::kAllCalls});
    *s = attempt();
    const bool struck = failing_->failed();
    failed_ = "call " + std::to_string(k) + ": " + failing_->failed_call() +
              ": " + s->ToString();
    failing_->ClearFault();
    return struck;
  }
  // What is read short may be what the database had come to before.
  bool IsRight(const std::string& text) const {
    return text == Newest() ||
           (GetParam() == FaultKind::kShort && IsBetween(text));
  }
  static void ExpectClear(const Status& s) {
    EXPECT_TRUE(s.IsIOError() || s.IsCorruption() || s.IsTryAgain())
        << s.ToString();
  }

  void FailEveryCallOfAnOpen() {
    int errors = 0;
    bool struck = true;
    for (uint64_t k = 1; struck; ++k) {
      ASSERT_LT(k, 2000u) << "the open never runs through";
      Status s;
      struck = Fails(
          k, [this] { return OpenFailing(); }, &s);
      SCOPED_TRACE(failed_);
      if (s.ok()) {
        const std::string all = instance_.All();
        ASSERT_TRUE(IsRight(all)) << all;
        ASSERT_OK(instance_.db()->TryCatchUpWithPrimary());
      } else {
        ++errors;
        ExpectClear(s);
        ASSERT_FALSE(instance_.is_open());
        ASSERT_EQ(failing_->open_handles(), 0u);
        ASSERT_OK(OpenFailing());
      }
      ASSERT_EQ(instance_.All(), Newest());
      instance_.Close();
      ASSERT_EQ(failing_->open_handles(), 0u);
      ASSERT_NO_FATAL_FAILURE(CheckFilesOfClosed());
    }
    EXPECT_GT(errors, 5);
  }

  void FailEveryCallOfACatchUp() {
    ASSERT_OK(OpenFailing());
    const auto catch_up = [this] {
      return instance_.db()->TryCatchUpWithPrimary();
    };
    int errors = 0;
    int clean = 0;  // In a row: how many calls there are changes.
    for (uint64_t k = 1; clean < 10; ++k) {
      ASSERT_LT(k, 2000u) << "the catching up never runs through";
      // Now and then there is another manifest.
      if (k % 5 == 0) {
        ASSERT_NO_FATAL_FAILURE(OpenFamilies({"default", "one"}));
      }
      ASSERT_NO_FATAL_FAILURE(Advance());
      Status s;
      clean = Fails(k, catch_up, &s) ? 0 : clean + 1;
      SCOPED_TRACE(failed_);
      const std::string all = instance_.All();
      if (s.ok()) {
        ASSERT_TRUE(IsRight(all)) << all;
      } else {
        ++errors;
        ExpectClear(s);
        ASSERT_EQ(all, Before());
      }
      ASSERT_OK(catch_up());
      ASSERT_EQ(instance_.All(), Newest());
      // What could not be removed goes the next time.
      ASSERT_OK(catch_up());
      ASSERT_NO_FATAL_FAILURE(CheckFilesOfOpen());
    }
    EXPECT_GT(errors, 5);
    instance_.Close();
    EXPECT_EQ(failing_->open_handles(), 0u);
    ASSERT_NO_FATAL_FAILURE(CheckFilesOfClosed());
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
  FollowingInstance instance_;
  std::string failed_;  // The call that failed last, and what came of it.
};

inline const auto kInstanceFaults =
    ::testing::Values(FaultKind::kIOError, FaultKind::kShort);
inline std::string NameOfInstanceFault(
    const ::testing::TestParamInfo<FaultKind>& info) {
  return info.param == FaultKind::kShort ? "Short" : "IOError";
}

}  // namespace ROCKSDB_NAMESPACE

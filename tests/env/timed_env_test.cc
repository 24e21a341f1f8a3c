// Each file-system call is timed in its own field of the perf context, and
// passes its result on unchanged.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "rocksdb/env.h"
#include "rocksdb/file_system.h"
#include "rocksdb/perf_level.h"
#include "rocksdb/thread_status.h"
#include "tests/env/timed_calls.h"
#include "tests/testing/temp_dir.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class TimedEnvTest : public ::testing::Test {
 protected:
  TimedEnvTest() : directory_("timed_env"), env_(NewTimedEnv(Env::Default())) {
    get_perf_context()->Reset();
  }
  ~TimedEnvTest() override {
    SetPerfLevel(kDisable);
    get_perf_context()->Reset();
  }
  // The fields of the perf context that are not 0.
  static std::string Counted() { return get_perf_context()->ToString(true); }

  TempDir directory_;
  const std::unique_ptr<Env> env_;
};

TEST_F(TimedEnvTest, EachCallCountsInItsOwnField) {
  SetPerfLevel(kEnableTimeExceptForMutex);
  size_t calls = 0;
  MakeTimedCalls(env_.get(), directory_.path(),
                 [&](EnvTime time, const Status& s) {
                   SCOPED_TRACE(calls);
                   EXPECT_TRUE(s.ok()) << s.ToString();
                   EXPECT_GT(get_perf_context()->*time, 0u) << Counted();
                   get_perf_context()->*time = 0;
                   EXPECT_EQ(Counted(), "") << "and in no other";
                   ++calls;
                 });
  EXPECT_EQ(calls, 20u);
}

TEST_F(TimedEnvTest, NothingCountsWhereNoTimesAreWanted) {
  SetPerfLevel(kEnableCount);
  MakeTimedCalls(env_.get(), directory_.path(),
                 [](EnvTime time, const Status& s) {
                   EXPECT_TRUE(s.ok()) << s.ToString();
                   EXPECT_EQ(get_perf_context()->*time, 0u);
                 });
}

TEST_F(TimedEnvTest, NothingCountsWithoutIt) {
  SetPerfLevel(kEnableTime);
  MakeTimedCalls(Env::Default(), directory_.path(),
                 [](EnvTime time, const Status& s) {
                   EXPECT_TRUE(s.ok()) << s.ToString();
                   EXPECT_EQ(get_perf_context()->*time, 0u);
                 });
}

TEST_F(TimedEnvTest, AnErrorIsTimedAndPassedOn) {
  SetPerfLevel(kEnableTime);
  const std::string path = directory_.path() + "/missing/file";
  std::unique_ptr<WritableFile> file;
  const Status expected =
      Env::Default()->NewWritableFile(path, &file, EnvOptions());
  ASSERT_FALSE(expected.ok());
  const Status s = env_->NewWritableFile(path, &file, EnvOptions());
  EXPECT_EQ(s.ToString(), expected.ToString());
  EXPECT_EQ(file, nullptr);
  EXPECT_GT(get_perf_context()->env_new_writable_file_nanos, 0u);
  // It finds no file that the base does not find.
  EXPECT_TRUE(env_->FileExists(path).IsNotFound());
}

TEST_F(TimedEnvTest, TheRestIsTheBases) {
  std::vector<ThreadStatus> threads;
  EXPECT_TRUE(env_->GetThreadList(&threads).ok());
  EXPECT_EQ(env_->GetSystemClock(), Env::Default()->GetSystemClock());
  EXPECT_EQ(env_->GetThreadID(), Env::Default()->GetThreadID());
  int64_t base = 0, timed = 0;
  Env::Default()->GetFileSystem()->SupportedOps(base);
  env_->GetFileSystem()->SupportedOps(timed);
  EXPECT_EQ(timed, base);
}

// Files come as the file system has them, and go through unnoticed.
TEST_F(TimedEnvTest, BytesGoThrough) {
  SetPerfLevel(kEnableTime);
  const std::string path = directory_.path() + "/file";
  ASSERT_TRUE(WriteStringToFile(env_.get(), "content", path, true).ok());
  std::string content;
  ASSERT_TRUE(ReadFileToString(env_.get(), path, &content).ok());
  EXPECT_EQ(content, "content");
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

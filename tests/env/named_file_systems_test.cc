// File systems and environments that text makes; what the read-only and the
// counting ones do stands in testdata/env/wrappers.txt.
#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "env/counted_file_system.h"
#include "rocksdb/convenience.h"
#include "rocksdb/env.h"
#include "rocksdb/file_system.h"
#include "rocksdb/perf_context.h"
#include "rocksdb/perf_level.h"
#include "rocksdb/system_clock.h"
#include "rocksdb/utilities/object_registry.h"
#include "tests/env/file_steps.h"
#include "tests/testing/temp_dir.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class NamedFileSystemsTest : public ::testing::Test {
 protected:
  NamedFileSystemsTest() : directory_("named_fs") {
    config_.ignore_unsupported_options = false;
  }
  std::shared_ptr<FileSystem> Make(const std::string& text) {
    std::shared_ptr<FileSystem> fs;
    const Status s = FileSystem::CreateFromString(config_, text, &fs);
    EXPECT_TRUE(s.ok()) << text << ": " << s.ToString();
    return fs;
  }
  static std::string Read(FileSystem* fs, const std::string& name) {
    std::string data;
    const IOStatus s = ReadFileToString(fs, name, &data);
    return s.ok() ? data : s.ToString();
  }

  const TempDir directory_;
  ConfigOptions config_;
  const IOOptions io_;
};

TEST_F(NamedFileSystemsTest, Names) {
  for (const char* name : {"PosixFileSystem", "posix", "posix://anything"}) {
    EXPECT_EQ(FileSystem::Default(), Make(name)) << name;
  }
  for (const char* name : {"TimedFS", "ReadOnlyFileSystem", "CountedFileSystem",
                           "MemoryFileSystem"}) {
    EXPECT_STREQ(name, Make(name)->Name());
  }
  std::shared_ptr<FileSystem> fs;
  EXPECT_TRUE(
      FileSystem::CreateFromString(config_, "NoSuchFS", &fs).IsNotSupported());
}

TEST_F(NamedFileSystemsTest, Targets) {
  const auto fs = Make("{id=TimedFS;target={id=CountedFileSystem}}");
  EXPECT_EQ("{id=TimedFS;target=CountedFileSystem;}",
            "{id=TimedFS;" + fs->ToString(config_) + "}");
  ASSERT_TRUE(WriteStringToFile(fs.get(), "data", directory_.File("f")).ok());
  EXPECT_EQ("data", Read(fs.get(), directory_.File("f")));
  // Found through the one around it.
  const auto* counted = fs->CheckedCast<CountedFileSystem>();
  ASSERT_NE(nullptr, counted);
  const auto* counters = counted->GetOptions<FileOpCounters>();
  ASSERT_NE(nullptr, counters);
  EXPECT_EQ(2u, counters->opens);
  EXPECT_EQ(2u, counters->closes);
  EXPECT_EQ(1u, counters->writes.ops);
  EXPECT_EQ(4u, counters->writes.bytes);
  EXPECT_EQ(2u, counters->reads.ops);
  EXPECT_EQ(4u, counters->reads.bytes);
  // What a thing is asked for is its own, and no target's.
  EXPECT_TRUE(fs->ConfigureOption(config_, "nothing", "1").IsNotFound());
}

TEST_F(NamedFileSystemsTest, AReadOnlyOneTakesNoLogs) {
  const std::string name = directory_.File("f");
  ASSERT_TRUE(
      WriteStringToFile(FileSystem::Default().get(), "data", name).ok());
  const auto fs = Make("ReadOnlyFileSystem");
  EXPECT_EQ("data", Read(fs.get(), name));
  std::shared_ptr<Logger> logger;
  EXPECT_EQ("IO error: Attempted write to ReadOnlyFileSystem",
            fs->NewLogger(name + "2", io_, &logger, nullptr).ToString());
}

TEST(FileWrappersTest, Script) {
  EXPECT_GE(RunFileScript("env/wrappers.txt"), 4u) << "cases went missing";
}

TEST_F(NamedFileSystemsTest, ADirectoryAsTheRoot) {
  const auto posix = FileSystem::Default();
  const std::string root = directory_.File("root");
  ASSERT_TRUE(posix->CreateDir(root, io_, nullptr).ok());
  ASSERT_TRUE(posix->CreateDir(root + "X", io_, nullptr).ok());
  ASSERT_TRUE(WriteStringToFile(posix.get(), "out", root + "X/f").ok());
  const auto fs = Make("{id=ChrootFS;chroot_dir=" + root + "}");
  ASSERT_NE(nullptr, fs);
  EXPECT_TRUE(fs->CreateDir("/a", io_, nullptr).ok());
  ASSERT_TRUE(WriteStringToFile(fs.get(), "data", "/a/f").ok());
  EXPECT_EQ("data", Read(fs.get(), "/a/f"));
  EXPECT_EQ("data", Read(posix.get(), root + "/a/f"));
  EXPECT_TRUE(fs->RenameFile("/a/f", "/g", io_, nullptr).ok());
  EXPECT_EQ("data", Read(fs.get(), "/g"));
  EXPECT_EQ("data", Read(fs.get(), "/a/../g"));
  std::vector<std::string> names;
  ASSERT_TRUE(fs->GetChildren("/", io_, &names, nullptr).ok());
  EXPECT_EQ(2u, names.size());
  std::string tests;
  ASSERT_TRUE(fs->GetTestDirectory(io_, &tests, nullptr).ok());
  EXPECT_TRUE(tests.starts_with("/rocksdbtest-"));
  EXPECT_TRUE(fs->FileExists(tests, io_, nullptr).ok());

  EXPECT_TRUE(fs->FileExists("a/f", io_, nullptr).IsInvalidArgument());
  EXPECT_TRUE(fs->FileExists("/absent", io_, nullptr).IsNotFound());
  EXPECT_TRUE(fs->CreateDir("/absent/b", io_, nullptr).IsNotFound());
  // Ways out: up, a link, and a directory whose name begins alike.
  std::filesystem::create_symlink(root + "X/f", root + "/link");
  std::filesystem::create_symlink(root + "X/new", root + "/dangling");
  for (const char* path : {"/..", "/../rootX/f", "/link", "/a/../../rootX/f"}) {
    const std::string text = Read(fs.get(), path);
    EXPECT_NE(std::string::npos,
              text.find("Attempted to access path outside chroot"))
        << path << ": " << text;
    EXPECT_FALSE(WriteStringToFile(fs.get(), "bad", path).ok()) << path;
  }
  EXPECT_FALSE(WriteStringToFile(fs.get(), "bad", "/../new").ok());
  EXPECT_FALSE(WriteStringToFile(fs.get(), "bad", "/dangling").ok());
  EXPECT_FALSE(std::filesystem::exists(root + "X/new"));
  EXPECT_FALSE(std::filesystem::exists(directory_.File("new")));
  EXPECT_EQ("out", Read(posix.get(), root + "X/f"));

  std::shared_ptr<FileSystem> none;
  for (const std::string& text :
       {std::string("ChrootFS"),
        "{id=ChrootFS;chroot_dir=" + directory_.File("absent") + "}"}) {
    const Status s = FileSystem::CreateFromString(config_, text, &none);
    EXPECT_TRUE(s.IsInvalidArgument()) << s.ToString();
    EXPECT_EQ(nullptr, none);
  }
}

TEST_F(NamedFileSystemsTest, Environments) {
  Env* env = nullptr;
  std::shared_ptr<Env> guard;
  Status s = Env::CreateFromUri(config_, "MockEnv", "TimedFS", &env, &guard);
  EXPECT_TRUE(s.IsInvalidArgument()) << s.ToString();
  ASSERT_TRUE(Env::CreateFromUri(config_, "", "TimedFS", &env, &guard).ok());
  EXPECT_STREQ("CompositeEnv", env->Name());
  EXPECT_STREQ("TimedFS", env->GetFileSystem()->Name());
  ASSERT_TRUE(Env::CreateFromUri(config_, "", "", &env, &guard).ok());
  EXPECT_EQ(Env::Default(), env);
  ASSERT_TRUE(Env::CreateFromUri(config_, "MockEnv", "", &env, &guard).ok());
  EXPECT_TRUE(WriteStringToFile(env, "data", "/dir/f").ok());
  EXPECT_FALSE(std::filesystem::exists("/dir/f"));
  s = Env::CreateFromString(
      config_, "{id=CompositeEnv;file_system=MemoryFileSystem}", &env, &guard);
  ASSERT_TRUE(s.ok()) << s.ToString();
  EXPECT_STREQ("MemoryFileSystem", env->GetFileSystem()->Name());
  // Nobody would own them.
  for (const char* name : {"MockEnv", "CompositeEnv"}) {
    EXPECT_TRUE(Env::CreateFromString(config_, name, &env).IsInvalidArgument());
  }
  EnvWrapper wrapper(Env::Default());
  ASSERT_TRUE(wrapper.PrepareOptions(config_).ok());
  EXPECT_EQ(Env::Default(), wrapper.Inner());
}

TEST_F(NamedFileSystemsTest, AClockThatNeedNotSleep) {
  const std::string name = "TimeEmulatedSystemClock";
  std::shared_ptr<SystemClock> clock;
  Status s = SystemClock::CreateFromString(
      config_, "{id=" + name + ";time_elapse_only_sleep=true}", &clock);
  ASSERT_TRUE(s.ok()) << s.ToString();
  EXPECT_STREQ(name.c_str(), clock->Name());
  const uint64_t begin = clock->NowMicros();
  EXPECT_EQ(begin, clock->NowMicros());
  clock->SleepForMicroseconds(1'000'000'000);
  EXPECT_EQ(begin + 1'000'000'000, clock->NowMicros());
  EXPECT_EQ((begin + 1'000'000'000) * 1000, clock->NowNanos());
  int64_t seconds = 0;
  ASSERT_TRUE(clock->GetCurrentTime(&seconds).ok());
  EXPECT_EQ((begin + 1'000'000'000) / 1'000'000,
            static_cast<uint64_t>(seconds));
  s = SystemClock::CreateFromString(config_, "{id=" + name + ";mock_sleep=x}",
                                    &clock);
  EXPECT_TRUE(s.IsInvalidArgument()) << s.ToString();
  // An environment in memory has it.
  Env* env = nullptr;
  std::shared_ptr<Env> guard;
  s = Env::CreateFromString(config_, "{id=MockEnv;time_elapse_only_sleep=1}",
                            &env, &guard);
  ASSERT_TRUE(s.ok()) << s.ToString();
  const uint64_t before = env->NowMicros();
  env->SleepForMicroseconds(1000);
  EXPECT_EQ(before + 1000, env->NowMicros());
}

TEST_F(NamedFileSystemsTest, TimesOfCalls) {
  const auto fs = Make("TimedFS");
  get_perf_context()->Reset();
  SetPerfLevel(kEnableTimeExceptForMutex);
  EXPECT_TRUE(fs->FileExists(directory_.path(), io_, nullptr).ok());
  EXPECT_GT(get_perf_context()->env_file_exists_nanos, 0u);
  SetPerfLevel(kEnableCount);
}

TEST_F(NamedFileSystemsTest, FilesSyncedByName) {
  const std::string name = directory_.File("f");
  ASSERT_TRUE(WriteStringToFile(Env::Default(), "data", name).ok());
  const IOOptions options;
  ASSERT_TRUE(
      WriteStringToFile(Env::Default(), "more", name, true, &options).ok());
  EXPECT_TRUE(Env::Default()->SyncFile(name, EnvOptions(), true).ok());
  EXPECT_EQ("more", Read(FileSystem::Default().get(), name));
  EXPECT_TRUE(Env::Default()->LoadLibrary("x", "", nullptr).IsNotSupported());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

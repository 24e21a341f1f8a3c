// Env and FileSystem serve each other with overridden calls, options and errors
// intact; objects are found by name, ids are random, clocks never run backward.
#include "rocksdb/env.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "rocksdb/convenience.h"
#include "rocksdb/file_system.h"
#include "rocksdb/iostats_context.h"
#include "rocksdb/options.h"
#include "rocksdb/system_clock.h"
#include "tests/file/fake_files.h"
#include "tests/testing/mock_clock.h"
#include "tests/testing/set_back_clock.h"
#include "util/monotonic.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// An application's Env as Ceph has one: file calls of the older interface,
// names without directories, no hard links.
class OldEnv : public EnvWrapper {
 public:
  explicit OldEnv(Env* target) : EnvWrapper(target) {}

  Status NewSequentialFile(const std::string& fname,
                           std::unique_ptr<SequentialFile>* result,
                           const EnvOptions& options) override;
  Status NewRandomAccessFile(const std::string& fname,
                             std::unique_ptr<RandomAccessFile>* result,
                             const EnvOptions& options) override;
  Status NewWritableFile(const std::string& fname,
                         std::unique_ptr<WritableFile>* result,
                         const EnvOptions& options) override;
  Status FileExists(const std::string& fname) override {
    return files_.count(fname) != 0 ? Status::OK() : Status::NotFound(fname);
  }
  Status GetFileSize(const std::string& fname, uint64_t* size) override {
    *size = files_[fname].size();
    return Status::OK();
  }
  Status DeleteFile(const std::string& fname) override {
    return files_.erase(fname) != 0 ? Status::OK()
                                    : Status::PathNotFound(fname);
  }
  Status LinkFile(const std::string& src, const std::string&) override {
    return Status::NotSupported(src);
  }
  uint64_t NowMicros() override { return 12'345; }

  std::map<std::string, std::string> files_;
  bool is_last_open_direct_ = false;
};

class OldSequentialFile : public SequentialFile {
 public:
  explicit OldSequentialFile(const std::string& bytes) : bytes_(bytes) {}
  Status Read(size_t n, Slice* result, char*) override {
    *result = Slice(bytes_.data() + at_, std::min(n, bytes_.size() - at_));
    at_ += result->size();
    return Status::OK();
  }
  Status Skip(uint64_t n) override {
    at_ += n;
    return Status::OK();
  }

 private:
  const std::string bytes_;
  size_t at_ = 0;
};

class OldRandomAccessFile : public RandomAccessFile {
 public:
  explicit OldRandomAccessFile(const std::string& bytes) : bytes_(bytes) {}
  Status Read(uint64_t offset, size_t n, Slice* result, char*) const override {
    if (offset == 13) return Status::IOError("unlucky");
    *result = Slice(bytes_.data() + offset,
                    std::min(n, bytes_.size() - static_cast<size_t>(offset)));
    return Status::OK();
  }

 private:
  const std::string bytes_;
};

class OldWritableFile : public WritableFile {
 public:
  explicit OldWritableFile(std::string* bytes) : bytes_(bytes) {
    bytes->clear();
  }
  using WritableFile::Append;
  Status Append(const Slice& data) override {
    bytes_->append(data.data(), data.size());
    return Status::OK();
  }
  Status Close() override { return Status::OK(); }
  Status Flush() override { return Status::OK(); }
  Status Sync() override { return Status::OK(); }
  Status RangeSync(uint64_t, uint64_t) override { return Status::OK(); }
  uint64_t GetFileSize() override { return bytes_->size(); }

 private:
  std::string* const bytes_;
};

Status OldEnv::NewSequentialFile(const std::string& fname,
                                 std::unique_ptr<SequentialFile>* result,
                                 const EnvOptions&) {
  if (files_.count(fname) == 0) return Status::PathNotFound(fname);
  *result = std::make_unique<OldSequentialFile>(files_[fname]);
  return Status::OK();
}

Status OldEnv::NewRandomAccessFile(const std::string& fname,
                                   std::unique_ptr<RandomAccessFile>* result,
                                   const EnvOptions& options) {
  if (files_.count(fname) == 0) return Status::PathNotFound(fname);
  is_last_open_direct_ = options.use_direct_reads;
  *result = std::make_unique<OldRandomAccessFile>(files_[fname]);
  return Status::OK();
}

Status OldEnv::NewWritableFile(const std::string& fname,
                               std::unique_ptr<WritableFile>* result,
                               const EnvOptions&) {
  *result = std::make_unique<OldWritableFile>(&files_[fname]);
  return Status::OK();
}

TEST(MonotonicTest, ATimeOfDayThatIsSetBackTakesNoTime) {
  SetBackClock clock;
  const uint64_t start = clock.NowMicros();
  clock.Advance(7);
  EXPECT_EQ(MicrosSince(&clock, start), 7u);
  clock.SetBack(1'000'000);
  EXPECT_EQ(MicrosSince(&clock, start), 0u);
}

TEST(EnvOptionsTest, DefaultsAreThoseOfADatabase) {
  const EnvOptions options;
  const EnvOptions of_database{DBOptions()};
  EXPECT_EQ(options.compaction_readahead_size, size_t{2} << 20);
  EXPECT_EQ(options.compaction_readahead_size,
            of_database.compaction_readahead_size);
  EXPECT_EQ(options.use_mmap_writes, of_database.use_mmap_writes);
}

TEST(LegacyEnvTest, OverriddenFileCallsServeTheFileSystem) {
  OldEnv env(Env::Default());
  FileSystem* fs = env.GetFileSystem().get();
  ASSERT_TRUE(WriteStringToFile(fs, "0123456789", "db/000001.sst").ok());
  EXPECT_EQ(env.files_.at("db/000001.sst"), "0123456789");
  std::string bytes;
  ASSERT_TRUE(ReadFileToString(fs, "db/000001.sst", &bytes).ok());
  EXPECT_EQ(bytes, "0123456789");
  // Both ways in reach the same files.
  ASSERT_TRUE(ReadFileToString(&env, "db/000001.sst", &bytes).ok());
  const IOOptions io;
  EXPECT_TRUE(fs->LinkFile("db/000001.sst", "x", io, nullptr).IsNotSupported());
  EXPECT_TRUE(fs->FileExists("x", io, nullptr).IsNotFound());
  EXPECT_TRUE(fs->DeleteFile("x", io, nullptr).IsPathNotFound());
  EXPECT_EQ(env.GetSystemClock()->NowMicros(), 12'345u);
}

TEST(LegacyEnvTest, OptionsAndErrorsPassThrough) {
  OldEnv env(Env::Default());
  env.files_["a"] = std::string(100, 'x');
  FileOptions options;
  options.use_direct_reads = true;
  std::unique_ptr<FSRandomAccessFile> file;
  ASSERT_TRUE(env.GetFileSystem()
                  ->NewRandomAccessFile("a", options, &file, nullptr)
                  .ok());
  EXPECT_TRUE(env.is_last_open_direct_);
  char scratch[10];
  std::vector<FSReadRequest> requests(2);
  requests[0].offset = 13;
  requests[1].offset = 95;
  for (FSReadRequest& request : requests) {
    request.len = 10;
    request.scratch = scratch;
  }
  ASSERT_TRUE(file->MultiRead(requests.data(), 2, IOOptions(), nullptr).ok());
  EXPECT_TRUE(requests[0].status.IsIOError());
  ASSERT_TRUE(requests[1].status.ok());
  EXPECT_EQ(requests[1].result.size(), 5u);
}

TEST(CompositeEnvTest, ForwardsToItsFileSystemAndBack) {
  const std::unique_ptr<Env> mem(NewMemEnv(Env::Default()));
  const std::unique_ptr<Env> env = NewCompositeEnv(mem->GetFileSystem());
  EXPECT_EQ(env->GetFileSystem(), mem->GetFileSystem());
  std::unique_ptr<WritableFile> file;
  ASSERT_TRUE(env->NewWritableFile("/a", &file, EnvOptions()).ok());
  ASSERT_TRUE(file->Append("abc").ok());
  EXPECT_EQ(file->GetFileSize(), 3u);
  ASSERT_TRUE(file->Close().ok());
  std::unique_ptr<RandomAccessFile> reader;
  ASSERT_TRUE(env->NewRandomAccessFile("/a", &reader, EnvOptions()).ok());
  char scratch[3];
  ReadRequest request;
  request.offset = 1;
  request.len = 2;
  request.scratch = scratch;
  ASSERT_TRUE(reader->MultiRead(&request, 1).ok());
  ASSERT_TRUE(request.status.ok());
  EXPECT_EQ(request.result, "bc");
  std::vector<Env::FileAttributes> attributes;
  ASSERT_TRUE(env->GetChildrenFileAttributes("/", &attributes).ok());
  ASSERT_EQ(attributes.size(), 1u);
  EXPECT_EQ(attributes[0].name, "a");
  EXPECT_EQ(attributes[0].size_bytes, 3u);
}

class LendingFileSystem : public FileSystemWrapper {
 public:
  explicit LendingFileSystem(ReadLog* log)
      : FileSystemWrapper(FileSystem::Default()), log_(log) {}
  const char* Name() const override { return "LendingFileSystem"; }
  IOStatus NewRandomAccessFile(const std::string&, const FileOptions&,
                               std::unique_ptr<FSRandomAccessFile>* result,
                               IODebugContext*) override {
    *result = std::make_unique<LendingFile>(log_);
    return IOStatus::OK();
  }

 private:
  ReadLog* const log_;
};

TEST(CompositeEnvTest, BytesOutliveMemoryOfTheFileSystem) {
  ReadLog log;
  log.content = "0123456789";
  const std::unique_ptr<Env> env =
      NewCompositeEnv(std::make_shared<LendingFileSystem>(&log));
  std::unique_ptr<RandomAccessFile> reader;
  ASSERT_TRUE(env->NewRandomAccessFile("/a", &reader, EnvOptions()).ok());
  char scratch[3];
  ReadRequest request;
  request.offset = 1;
  request.len = 3;
  request.scratch = scratch;
  ASSERT_TRUE(reader->MultiRead(&request, 1).ok());
  ASSERT_TRUE(request.status.ok());
  EXPECT_EQ(request.result, "123");
}

TEST(EnvTest, OptionsOfFilesComeFromThoseOfTheDatabase) {
  DBOptions options;
  options.use_direct_reads = true;
  options.allow_fallocate = false;
  options.is_fd_close_on_exec = false;
  options.bytes_per_sync = 11;
  options.strict_bytes_per_sync = true;
  options.compaction_readahead_size = 22;
  options.writable_file_max_buffer_size = 33;
  options.wal_bytes_per_sync = 44;
  const FileOptions files(options);
  EXPECT_TRUE(files.use_direct_reads);
  EXPECT_FALSE(files.use_mmap_reads);
  EXPECT_FALSE(files.allow_fallocate);
  EXPECT_FALSE(files.set_fd_cloexec);
  EXPECT_EQ(files.bytes_per_sync, 11u);
  EXPECT_TRUE(files.strict_bytes_per_sync);
  EXPECT_EQ(files.compaction_readahead_size, 22u);
  EXPECT_EQ(files.writable_file_max_buffer_size, 33u);
  FileSystem* fs = Env::Default()->GetFileSystem().get();
  const FileOptions wal = fs->OptimizeForLogWrite(files, options);
  EXPECT_EQ(wal.bytes_per_sync, 44u);
  EXPECT_TRUE(wal.use_direct_reads);
  EXPECT_FALSE(fs->OptimizeForLogRead(files).use_direct_reads);
  EXPECT_FALSE(fs->OptimizeForManifestRead(files).use_direct_reads);
  EXPECT_FALSE(EnvOptions().use_mmap_writes);
}

TEST(EnvTest, JobsKnowTheirPool) {
  struct Seen {
    Mutex mutex;
    CondVar changed{&mutex};
    uint64_t pool = 99;
  };
  Env* env = Env::Default();
  env->IncBackgroundThreadsIfNeeded(1, Env::Priority::HIGH);
  for (const Env::Priority pool : {Env::Priority::LOW, Env::Priority::HIGH}) {
    Seen seen;
    env->Schedule(
        [](void* argument) {
          auto* to = static_cast<Seen*>(argument);
          MutexLock lock(&to->mutex);
          to->pool = get_iostats_context()->thread_pool_id;
          to->changed.Signal();
        },
        &seen, pool);
    MutexLock lock(&seen.mutex);
    while (seen.pool == 99) seen.changed.Wait();
    EXPECT_EQ(seen.pool, static_cast<uint64_t>(pool));
  }
  EXPECT_EQ(get_iostats_context()->thread_pool_id,
            static_cast<uint64_t>(Env::Priority::TOTAL));
}

TEST(EnvTest, UniqueIdsAreRandomUuids) {
  std::set<std::string> ids;
  for (int i = 0; i < 100; ++i) {
    const std::string id = Env::Default()->GenerateUniqueId();
    ASSERT_EQ(id.size(), 36u);
    EXPECT_EQ(id[14], '4');
    EXPECT_NE(std::string("89ab").find(id[19]), std::string::npos);
    EXPECT_TRUE(ids.insert(id).second);
  }
}

TEST(EnvTest, ObjectsAreFoundByName) {
  const ConfigOptions config;
  Env* env = nullptr;
  ASSERT_TRUE(Env::CreateFromString(config, "", &env).ok());
  EXPECT_EQ(env, Env::Default());
  EXPECT_TRUE(Env::CreateFromString(config, "no such", &env).IsNotSupported());
  std::shared_ptr<Env> guard;
  EXPECT_TRUE(
      Env::CreateFromUri(config, "a", "b", &env, &guard).IsInvalidArgument());
  std::shared_ptr<FileSystem> fs;
  ASSERT_TRUE(
      FileSystem::CreateFromString(config, "PosixFileSystem", &fs).ok());
  EXPECT_EQ(fs, FileSystem::Default());
  EXPECT_TRUE(
      FileSystem::CreateFromString(config, "no such", &fs).IsNotSupported());
}

TEST(EnvTest, ClockNeverRunsBackward) {
  SystemClock* clock = SystemClock::Default().get();
  uint64_t last = clock->NowNanos();
  for (int i = 0; i < 1000; ++i) {
    const uint64_t now = clock->NowNanos();
    EXPECT_GE(now, last);
    last = now;
  }
  const auto now_seconds = [clock] {
    return static_cast<int64_t>(clock->NowMicros() / 1'000'000);
  };
  const int64_t before = now_seconds();
  int64_t seconds = 0;
  ASSERT_TRUE(clock->GetCurrentTime(&seconds).ok());
  // Seconds may come from a clock that ticks less often.
  EXPECT_GE(seconds, before - 1);
  EXPECT_LE(seconds, now_seconds());
  EXPECT_EQ(clock->TimeToString(0).size(), 20u);
}

#if defined(__has_feature)
#define HAS_FEATURE(name) __has_feature(name)
#else
#define HAS_FEATURE(name) 0
#endif

// Sanitizers miss what the threads held that the process does not have.
#if !HAS_FEATURE(address_sanitizer) && !HAS_FEATURE(thread_sanitizer)
TEST(EnvTest, AForkedProcessMayExit) {
  Env* const env = Env::Default();
  std::atomic<bool> has_run{false};
  env->Schedule([](void* arg) { *static_cast<std::atomic<bool>*>(arg) = true; },
                &has_run);
  while (!has_run) std::this_thread::yield();
  EXPECT_EXIT(std::exit(3), ::testing::ExitedWithCode(3), "");
}
#endif

TEST(MockClockTest, SleepingMovesIt) {
  MockClock clock(1'000'000);
  clock.SleepForMicroseconds(500);
  EXPECT_EQ(clock.NowMicros(), 1'000'500u);
  EXPECT_EQ(clock.slept_micros(), 500u);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

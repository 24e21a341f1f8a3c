// What a read may take: ReadOptions::io_timeout and deadline, as the file
// system is told of them, and as the clock ends them.
#include <atomic>
#include <chrono>

#include "rocksdb/file_system.h"
#include "rocksdb/system_clock.h"
#include "tests/db/impl/db_fixture.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {
namespace {

using std::chrono::microseconds;

// Notes what each read of a table or blob file is told, and lets time pass.
class ReadWatch {
 public:
  void Note(const IOOptions& io) {
    MutexLock lock(&mutex_);
    timeouts_.push_back(io.timeout);
    // relaxed: a clock for a test.
    ahead_micros.fetch_add(micros_each.load(), std::memory_order_relaxed);
  }
  std::vector<microseconds> Take() {
    MutexLock lock(&mutex_);
    return std::exchange(timeouts_, {});
  }

  std::atomic<uint64_t> micros_each{0};
  std::atomic<uint64_t> ahead_micros{0};

 private:
  Mutex mutex_;
  std::vector<microseconds> timeouts_ GUARDED_BY(mutex_);
};

class WatchedFile final : public FSRandomAccessFileOwnerWrapper {
 public:
  WatchedFile(std::unique_ptr<FSRandomAccessFile> file, ReadWatch* watch)
      : FSRandomAccessFileOwnerWrapper(std::move(file)), watch_(watch) {}

  IOStatus Read(uint64_t offset, size_t n, const IOOptions& io, Slice* result,
                char* scratch, IODebugContext* debug) const override {
    watch_->Note(io);
    return target()->Read(offset, n, io, result, scratch, debug);
  }
  IOStatus MultiRead(FSReadRequest* requests, size_t count, const IOOptions& io,
                     IODebugContext* debug) override {
    watch_->Note(io);
    return target()->MultiRead(requests, count, io, debug);
  }
  IOStatus ReadAsync(FSReadRequest& request, const IOOptions& io,
                     std::function<void(FSReadRequest&, void*)> done,
                     void* argument, void** handle, IOHandleDeleter* deleter,
                     IODebugContext* debug) override {
    watch_->Note(io);
    return target()->ReadAsync(request, io, std::move(done), argument, handle,
                               deleter, debug);
  }

 private:
  ReadWatch* const watch_;
};

class WatchedFs final : public FileSystemWrapper {
 public:
  explicit WatchedFs(ReadWatch* watch)
      : FileSystemWrapper(FileSystem::Default()), watch_(watch) {}
  const char* Name() const override { return "WatchedFs"; }

  IOStatus NewRandomAccessFile(const std::string& name,
                               const FileOptions& options,
                               std::unique_ptr<FSRandomAccessFile>* result,
                               IODebugContext* debug) override {
    IOStatus s = target()->NewRandomAccessFile(name, options, result, debug);
    if (s.ok()) {
      *result = std::make_unique<WatchedFile>(std::move(*result), watch_);
    }
    return s;
  }

 private:
  ReadWatch* const watch_;
};

// The time of the system, and what reads have let pass.
class WatchedClock final : public SystemClockWrapper {
 public:
  explicit WatchedClock(ReadWatch* watch)
      : SystemClockWrapper(SystemClock::Default()), watch_(watch) {}
  const char* Name() const override { return "WatchedClock"; }
  uint64_t NowMicros() override {
    return SystemClockWrapper::NowMicros() + watch_->ahead_micros.load();
  }

 private:
  ReadWatch* const watch_;
};

class WatchedEnv final : public EnvWrapper {
 public:
  explicit WatchedEnv(ReadWatch* watch) : EnvWrapper(Env::Default()) {
    file_system_ = std::make_shared<WatchedFs>(watch);
    system_clock_ = std::make_shared<WatchedClock>(watch);
  }
  const std::shared_ptr<FileSystem>& GetFileSystem() const override {
    return file_system_;
  }
  const std::shared_ptr<SystemClock>& GetSystemClock() const override {
    return system_clock_;
  }
};

// Whether reads are asynchronous.
class ReadLimitsTest : public DbFixture,
                       public ::testing::WithParamInterface<bool> {
 protected:
  static constexpr int kKeys = 2000;

  ReadLimitsTest() : env_(&watch_) {
    options_.env = &env_;
    options_.disable_auto_compactions = true;
    options_.enable_blob_files = true;
    options_.min_blob_size = 1000;
    BlockBasedTableOptions table;
    table.block_size = 1024;
    table.no_block_cache = true;
    options_.table_factory.reset(NewBlockBasedTableFactory(table));
    read_.async_io = GetParam();
  }
  ~ReadLimitsTest() override { db_.reset(); }

  // Every key is looked for in level 0 first, and found in the last level.
  void Fill() {
    ASSERT_NO_FATAL_FAILURE(Open());
    for (int i = 0; i < kKeys; ++i) {
      ASSERT_OK(Put(KeyOf(i), std::string(100, 'v')));
    }
    ASSERT_OK(Put("blob", std::string(2000, 'b')));
    ASSERT_OK(CompactAll());
    for (int i = 0; i < kKeys; i += 2) ASSERT_OK(Put(KeyOf(i) + "x", "v"));
    ASSERT_OK(Put("a", "v"));
    ASSERT_OK(Flush());
    // Files are opened without a limit, once.
    ASSERT_OK(GetValue("blob"));
    watch_.Take();
  }
  static std::string KeyOf(int i) { return "key" + std::to_string(10000 + i); }

  Status MultiGet() {
    std::vector<std::string> names;
    for (int i = 1; i < kKeys; i += 200) names.push_back(KeyOf(i));
    const std::vector<Slice> keys(names.begin(), names.end());
    std::vector<std::string> values;
    for (const Status& s : db_->MultiGet(read_, keys, &values)) {
      if (!s.ok()) return s;
    }
    return Status::OK();
  }
  Status GetValue(const std::string& key) {
    std::string value;
    return db_->Get(read_, key, &value);
  }
  Status ScanAll() {
    const std::unique_ptr<Iterator> it(db_->NewIterator(read_));
    for (it->SeekToFirst(); it->Valid(); it->Next()) {
    }
    return it->status();
  }

  ReadWatch watch_;
  WatchedEnv env_;
  ReadOptions read_;
};

TEST_P(ReadLimitsTest, EveryReadIsToldOfItsTimeout) {
  ASSERT_NO_FATAL_FAILURE(Fill());
  read_.io_timeout = std::chrono::seconds(77);
  const auto expect_told = [&](const char* what) {
    const std::vector<microseconds> timeouts = watch_.Take();
    EXPECT_GE(timeouts.size(), 2u) << what;
    for (const microseconds timeout : timeouts) {
      ASSERT_EQ(timeout, read_.io_timeout) << what;
    }
  };
  ASSERT_OK(GetValue(KeyOf(501)));
  expect_told("Get");
  ASSERT_OK(GetValue("blob"));
  expect_told("Get of a blob");
  ASSERT_OK(MultiGet());
  expect_told("MultiGet");
  ASSERT_OK(ScanAll());
  expect_told("a scan");
}

TEST_P(ReadLimitsTest, ADeadlineLimitsWhatAReadMayWait) {
  ASSERT_NO_FATAL_FAILURE(Fill());
  read_.deadline =
      microseconds(env_.GetSystemClock()->NowMicros()) + std::chrono::hours(1);
  read_.io_timeout = std::chrono::hours(2);
  ASSERT_OK(GetValue("blob"));
  ASSERT_OK(MultiGet());
  ASSERT_OK(ScanAll());
  for (const microseconds timeout : watch_.Take()) {
    EXPECT_GT(timeout.count(), 0);
    EXPECT_LE(timeout, std::chrono::hours(1));
  }
}

TEST_P(ReadLimitsTest, ADeadlineThatPassesBetweenReadsEndsTheCall) {
  ASSERT_NO_FATAL_FAILURE(Fill());
  watch_.micros_each = 10'000'000;
  const auto set_deadline = [&] {
    watch_.Take();
    read_.deadline = microseconds(env_.GetSystemClock()->NowMicros()) +
                     std::chrono::seconds(5);
  };
  set_deadline();
  EXPECT_TRUE(GetValue(KeyOf(501)).IsTimedOut());
  EXPECT_EQ(watch_.Take().size(), 1u);
  set_deadline();
  EXPECT_TRUE(GetValue("blob").IsTimedOut());
  set_deadline();
  EXPECT_TRUE(MultiGet().IsTimedOut());
  set_deadline();
  EXPECT_TRUE(ScanAll().IsTimedOut());
  EXPECT_LE(watch_.Take().size(), 4u);
  watch_.micros_each = 0;
  set_deadline();
  EXPECT_OK(GetValue(KeyOf(501)));
}

INSTANTIATE_TEST_SUITE_P(Ways, ReadLimitsTest, ::testing::Bool());

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

// What databases do when something is in their way: limits, stalls, age,
// damage, faults, others that write or compact at the same time.
#pragma once

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "file/sst_file_manager_impl.h"
#include "rocksdb/cache.h"
#include "rocksdb/rate_limiter.h"
#include "rocksdb/sst_file_manager.h"
#include "rocksdb/user_write_callback.h"
#include "rocksdb/utilities/table_properties_collectors.h"
#include "tests/db/impl/observe/counter_lives.h"
#include "tests/db/impl/recovery_listener.h"
#include "util/ignore_error.h"
#include "utilities/fault_injection/fault_injection_fs.h"

namespace ROCKSDB_NAMESPACE {

// Memtables that are full for each reason, flushed one by one and together.
inline void FillMemtables(const CounterWorld& world) {
  for (const bool is_atomic : {false, true}) {
    const std::string name = is_atomic ? "atomic" : "full";
    Options options = world.Base();
    options.atomic_flush = is_atomic;
    options.write_buffer_size = 64 << 10;
    options.memtable_max_range_deletions = 2;
    std::unique_ptr<DB> db = world.Open(name, options);
    PutAll(db.get(), 0, 200, std::string(1000, 'f'));
    // A flush that takes several memtables along has but one reason.
    AwaitCompactions(db.get());
    for (int i = 0; i < 4; ++i) {
      EXPECT_OK(db->DeleteRange(WriteOptions(), db->DefaultColumnFamily(),
                                NumberKey(i), NumberKey(i + 1)));
    }
    // Seals what the range deletions have filled.
    PutAll(db.get(), 0, 1, "v");
    AwaitCompactions(db.get());
    FlushNow(db.get());
    db.reset();
    options.write_buffer_size = 64 << 20;
    options.db_write_buffer_size = 64 << 10;
    db = world.Open(name, options);
    PutAll(db.get(), 0, 5, std::string(100 << 10, 'f'));
    FlushNow(db.get());
  }
}

// Level 0 is too long for writers while nothing may compact it.
inline void SlowWritersDown(const CounterWorld& world) {
  Options options = world.Base();
  options.level0_file_num_compaction_trigger = 2;
  options.level0_slowdown_writes_trigger = 2;
  options.level0_stop_writes_trigger = 100;
  options.delayed_write_rate = 1 << 20;
  const std::unique_ptr<DB> db = world.Open("slow", options);
  for (int i = 0; i < 3; ++i) PutAndFlush(db.get(), 0, 10, "v");
  EXPECT_OK(db->PauseBackgroundWork());
  EXPECT_OK(db->SetOptions({{"disable_auto_compactions", "false"}}));
  PutAll(db.get(), 0, 8, std::string(8 << 10, 's'));
  EXPECT_OK(db->ContinueBackgroundWork());
  AwaitCompactions(db.get());
}

// Counts up, and lets others wait for a count.
class Turns {
 public:
  void Take() {
    MutexLock lock(&mutex_);
    ++taken_;
    changed_.SignalAll();
  }
  void Await(int count) {
    MutexLock lock(&mutex_);
    while (taken_ < count) changed_.Wait();
  }

 private:
  Mutex mutex_;
  CondVar changed_{&mutex_};
  int taken_ = 0;
};

class WriterInTurn : public UserWriteCallback {
 public:
  Turns* enqueued = nullptr;  // is told of this write
  Turns* logged = nullptr;    // is told when it is in the log,
  Turns* awaited = nullptr;   // which then waits for two of these
  void OnWriteEnqueued() override {
    if (enqueued != nullptr) enqueued->Take();
  }
  void OnWalWriteFinish() override {
    if (logged != nullptr) logged->Take();
    if (awaited != nullptr) awaited->Await(2);
  }
};

// While one write is in the log, two more come: one of them writes for both.
inline void WriteForEachOther(const CounterWorld& world) {
  const std::unique_ptr<DB> db = world.Open("group", world.Base());
  Turns in_log, waiting;
  const auto write = [&](WriterInTurn* writer, const std::string& key) {
    WriteBatch batch;
    EXPECT_OK(batch.Put(key, "v"));
    EXPECT_OK(db->WriteWithCallback(WriteOptions(), &batch, writer));
  };
  WriterInTurn first, second, third;
  first.logged = &in_log;
  first.awaited = &waiting;
  second.enqueued = third.enqueued = &waiting;
  std::thread one([&] { write(&first, "1"); });
  in_log.Await(1);
  std::thread two([&] { write(&second, "2"); });
  write(&third, "3");
  one.join();
  two.join();
}

inline void LimitTheRate(const CounterWorld& world) {
  Options options = world.Base();
  options.rate_limiter.reset(
      NewGenericRateLimiter(4 << 20, 1000, 10, RateLimiter::Mode::kAllIo));
  BlockBasedTableOptions table;
  table.no_block_cache = true;
  options.table_factory.reset(NewBlockBasedTableFactory(table));
  const std::unique_ptr<DB> db = world.Open("limited", options);
  PutAndFlush(db.get(), 0, 200, std::string(1000, 'r'));
  ReadOptions read;
  read.rate_limiter_priority = Env::IO_USER;
  EXPECT_EQ(ScanAll(db.get(), read), 200);
}

inline void EmptyTheTrash(const CounterWorld& world) {
  Options options = world.Base();
  options.sst_file_manager.reset(NewSstFileManager(
      world.Base().env, nullptr, "", 64 << 20, true, nullptr, 1.0));
  const std::unique_ptr<DB> db = world.Open("trash", options);
  for (int i = 0; i < 2; ++i) {
    PutAndFlush(db.get(), 0, 20, std::string(1000, 't'));
  }
  CompactWhole(db.get());
  WaitForCompactOptions purge;
  purge.wait_for_purge = true;
  EXPECT_OK(db->WaitForCompact(purge));
  ImplOf(options.sst_file_manager.get())->WaitForEmptyTrash();
}

// A cache that has no room for anything.
inline void ReadPastTheCache(const CounterWorld& world) {
  Options options = world.Base();
  BlockBasedTableOptions table;
  table.block_cache = NewLRUCache(64, 0, /*strict_capacity_limit=*/true);
  options.table_factory.reset(NewBlockBasedTableFactory(table));
  const std::unique_ptr<DB> db = world.Open("nocache", options);
  PutAndFlush(db.get(), 0, 10, std::string(1000, 'n'));
  EXPECT_OK(GetInto(db.get(), NumberKey(3)));
}

// Stops the compaction that asks it.
class Stopper : public CompactionFilter {
 public:
  const char* Name() const override { return "Stopper"; }
  DB* aborts = nullptr;
  std::atomic<bool>* cancels = nullptr;
  // Waits for the compaction, so that it needs a thread.
  mutable std::thread aborter;
  bool Filter(int, const Slice&, const Slice&, std::string*,
              bool*) const override {
    if (cancels != nullptr) cancels->store(true);
    if (aborts == nullptr || aborter.joinable()) return false;
    aborter = std::thread([this] { aborts->AbortAllCompactions(); });
    uint64_t count = 0;
    while (count == 0) {
      std::this_thread::yield();
      EXPECT_TRUE(
          aborts->GetIntProperty("rocksdb.compaction-abort-count", &count));
    }
    return false;
  }
};

inline void StopCompactions(const CounterWorld& world) {
  for (const bool by_user : {true, false}) {
    std::atomic<bool> canceled{false};
    Stopper stopper;
    Options options = world.Base();
    options.compaction_filter = &stopper;
    const std::unique_ptr<DB> db =
        world.Open(by_user ? "canceled" : "aborted", options);
    for (int i = 0; i < 2; ++i) PutAndFlush(db.get(), 0, 3000, "v");
    CompactRangeOptions range;
    range.canceled = &canceled;
    if (by_user) {
      stopper.cancels = &canceled;
    } else {
      stopper.aborts = db.get();
    }
    EXPECT_FALSE(db->CompactRange(range, nullptr, nullptr).ok());
    if (stopper.aborter.joinable()) stopper.aborter.join();
  }
}

inline void GrowOld(CounterWorld* world) {
  Options options = world->Base();
  options.disable_auto_compactions = false;
  options.ttl = 1000;
  std::unique_ptr<DB> db = world->Open("ttl", options);
  PutAndFlush(db.get(), 0, 10, "v");
  CompactFilesTo(db.get(), 0, 2);
  PutAndFlush(db.get(), 0, 10, "w");
  CompactFilesTo(db.get(), 0, 1);
  world->clock()->Age(5000);
  PutAndFlush(db.get(), 50, 51, "v");
  AwaitCompactions(db.get());
  db.reset();
  options.ttl = 0;
  options.periodic_compaction_seconds = 1000;
  db = world->Open("periodic", options);
  PutAndFlush(db.get(), 0, 10, "v");
  world->clock()->Age(5000);
  PutAndFlush(db.get(), 50, 51, "v");
  AwaitCompactions(db.get());
  db.reset();
  options.periodic_compaction_seconds = 0;
  options.table_properties_collector_factories = {
      NewCompactOnDeletionCollectorFactory(8, 4)};
  db = world->Open("marked", options);
  PutAndFlush(db.get(), 0, 20, "v");
  CompactFilesTo(db.get(), 0, 1);
  for (int i = 0; i < 15; ++i) {
    EXPECT_OK(db->Delete(WriteOptions(), NumberKey(i)));
  }
  FlushNow(db.get());
  AwaitCompactions(db.get());
}

inline void DropTheOldest(CounterWorld* world) {
  Options options = world->Base();
  options.disable_auto_compactions = false;
  options.compaction_style = kCompactionStyleFIFO;
  options.num_levels = 1;
  options.compaction_options_fifo.max_table_files_size = 30000;
  std::unique_ptr<DB> db = world->Open("fifo", options);
  for (int i = 0; i < 3; ++i) {
    PutAndFlush(db.get(), 0, 1, std::string(20000, 'f'));
    AwaitCompactions(db.get());
  }
  db.reset();
  options.compaction_options_fifo.max_table_files_size = 1 << 30;
  for (const bool by_ttl : {true, false}) {
    Options aging = options;
    if (by_ttl) {
      aging.ttl = 1000;
    } else {
      aging.compaction_options_fifo.file_temperature_age_thresholds = {
          {Temperature::kCold, 1000}};
    }
    db = world->Open(by_ttl ? "fifottl" : "fifocold", aging);
    for (int i = 0; i < 3; ++i) {
      PutAndFlush(db.get(), i, i + 1, "v");
      world->clock()->Age(5000);
    }
    PutAndFlush(db.get(), 9, 10, "v");
    AwaitCompactions(db.get());
    db.reset();
  }
}

inline void Overwrite(const std::string& file, int64_t at_or_from_end) {
  std::fstream bytes(file, std::ios::in | std::ios::out | std::ios::binary);
  ASSERT_TRUE(bytes.is_open());
  bytes.seekp(at_or_from_end,
              at_or_from_end < 0 ? std::ios::end : std::ios::beg);
  bytes.write("\x5a\x5a\x5a", 3);
}

inline void BeDamaged(const CounterWorld& world) {
  Options options = world.Base();
  options.max_open_files = 100;
  options.paranoid_checks = false;
  BlockBasedTableOptions table;
  table.format_version = 6;
  options.table_factory.reset(NewBlockBasedTableFactory(table));
  // In the first data block; in the size of the metaindex, which the footer's
  // checksum covers.
  for (const int64_t at : {int64_t{20}, int64_t{-53 + 14}}) {
    const std::string name = "damaged" + std::to_string(at);
    std::unique_ptr<DB> db = world.Open(name, options);
    PutAndFlush(db.get(), 0, 100, std::string(100, 'd'));
    const std::string file = world.Path(name) + TablesAt(db.get(), 0).at(0);
    db.reset();
    Overwrite(file, at);
    db = world.Open(name, options);
    if (db == nullptr) continue;
    EXPECT_TRUE(GetInto(db.get(), NumberKey(0)).IsCorruption());
  }
}

inline void LoseTheManifest(const CounterWorld& world) {
  Options options = world.Base();
  options.verify_manifest_content_on_close = true;
  std::unique_ptr<DB> db = world.Open("lost", options);
  std::vector<std::string> names;
  uint64_t bytes = 0;
  ASSERT_OK(db->GetLiveFiles(names, &bytes, false));
  for (const std::string& name : names) {
    if (name.find("MANIFEST") == std::string::npos) continue;
    Overwrite(world.Path("lost") + name, 20);
  }
  EXPECT_OK(db->Close());
}

inline void RecoverFromAFault(const CounterWorld& world) {
  const auto fs = std::make_shared<FaultInjectionFileSystem>(InMemoryFiles());
  const std::unique_ptr<Env> env = world.EnvOver(fs);
  const auto listener = std::make_shared<RecoveryListener>();
  Options options = world.Base();
  options.env = env.get();
  options.listeners = {listener};
  options.bgerror_resume_retry_interval = 0;
  std::unique_ptr<DB> db;
  ASSERT_OK(DB::Open(options, "/db", &db));
  PutAll(db.get(), 0, 10, "v");
  fs->FailCall({.call = 1, .is_retryable = true, .path_contains = ".sst"});
  IgnoreError(db->Flush(FlushOptions()),
              "it may see the error or the recovery");
  EXPECT_OK(listener->WaitForEnd(1).new_bg_error);
  listener->WaitForCompletion(1);
  EXPECT_OK(db->Close());
}

// Makes logs ahead that somebody waits for, then none.
class LateLogs : public FileSystemWrapper {
 public:
  LateLogs(const std::shared_ptr<FileSystem>& base, Statistics* statistics)
      : FileSystemWrapper(base), statistics_(statistics) {}
  const char* Name() const override { return "LateLogs"; }
  IOStatus NewWritableFile(const std::string& path, const FileOptions& options,
                           std::unique_ptr<FSWritableFile>* result,
                           IODebugContext* dbg) override {
    if (path.ends_with(".log") && std::this_thread::get_id() != own_thread_) {
      // Before anybody is told of it, who might wait for it at once.
      const bool is_first = !has_begun_.exchange(true);
      begun.Take();
      if (!is_first) return IOStatus::IOError(path, "is not made ahead");
      while (statistics_->getTickerCount(WAL_PRECREATE_WAITED) == 0) {
        std::this_thread::yield();
      }
    }
    return target()->NewWritableFile(path, options, result, dbg);
  }

  Turns begun;

 private:
  Statistics* const statistics_;
  const std::thread::id own_thread_ = std::this_thread::get_id();
  std::atomic<bool> has_begun_{false};
};

inline void MakeLogsAhead(const CounterWorld& world) {
  const auto fs =
      std::make_shared<LateLogs>(InMemoryFiles(), world.statistics().get());
  const std::unique_ptr<Env> env = world.EnvOver(fs);
  Options options = world.Base();
  options.env = env.get();
  options.async_wal_precreate = true;
  std::unique_ptr<DB> db;
  ASSERT_OK(DB::Open(options, "/db", &db));
  for (int i = 1; i <= 2; ++i) {
    fs->begun.Await(i);
    PutAndFlush(db.get(), 0, 10, "v");
  }
  EXPECT_OK(db->Close());
}

// Offers asynchronous reads and refuses each.
class RefusingFiles : public FileSystemWrapper {
 public:
  using FileSystemWrapper::FileSystemWrapper;
  const char* Name() const override { return "RefusingFiles"; }
  void SupportedOps(int64_t& supported) override {
    target()->SupportedOps(supported);
    supported |= int64_t{1} << FSSupportedOps::kAsyncIO;
  }
  IOStatus NewRandomAccessFile(const std::string& name,
                               const FileOptions& options,
                               std::unique_ptr<FSRandomAccessFile>* result,
                               IODebugContext* dbg) override {
    IOStatus s = target()->NewRandomAccessFile(name, options, result, dbg);
    if (s.ok()) *result = std::make_unique<File>(std::move(*result));
    return s;
  }

 private:
  class File : public FSRandomAccessFileOwnerWrapper {
   public:
    using FSRandomAccessFileOwnerWrapper::FSRandomAccessFileOwnerWrapper;
    IOStatus ReadAsync(FSReadRequest&, const IOOptions&,
                       std::function<void(FSReadRequest&, void*)>, void*,
                       void**, IOHandleDeleter*, IODebugContext*) override {
      return IOStatus::IOError("not now");
    }
  };
};

inline void ReadWithoutHelp(const CounterWorld& world) {
  const std::unique_ptr<Env> env =
      world.EnvOver(std::make_shared<RefusingFiles>(InMemoryFiles()));
  Options options = world.Base();
  options.env = env.get();
  std::unique_ptr<DB> db;
  ASSERT_OK(DB::Open(options, "/db", &db));
  PutAndFlush(db.get(), 0, 3000, std::string(100, 'a'));
  ReadOptions read;
  read.async_io = true;
  read.readahead_size = 16 << 10;
  EXPECT_EQ(ScanAll(db.get(), read), 3000);
  EXPECT_OK(db->Close());
}

class InPlaceService final : public CompactionService {
 public:
  explicit InPlaceService(std::string directory)
      : directory_(std::move(directory)) {}
  const char* Name() const override { return "InPlaceService"; }
  CompactionServiceOptionsOverride with;

  CompactionServiceScheduleResponse Schedule(
      const CompactionServiceJobInfo& info, const std::string& input) override {
    name_ = info.db_name;
    input_ = input;
    return CompactionServiceScheduleResponse(
        "job", CompactionServiceJobStatus::kSuccess);
  }
  CompactionServiceJobStatus Wait(const std::string& id,
                                  std::string* result) override {
    // The second one finds that the first has done everything.
    OpenAndCompactOptions options;
    options.allow_resumption = true;
    Status s;
    for (int i = 0; i < 2 && s.ok(); ++i) {
      s = DB::OpenAndCompact(options, name_, directory_ + "/" + id, input_,
                             result, with);
    }
    return s.ok() ? CompactionServiceJobStatus::kSuccess
                  : CompactionServiceJobStatus::kFailure;
  }

 private:
  const std::string directory_;
  std::string name_, input_;
};

inline void CompactElsewhere(const CounterWorld& world) {
  std::filesystem::create_directories(world.Path("worker"));
  const auto service = std::make_shared<InPlaceService>(world.Path("worker"));
  Options options = world.Base();
  options.compaction_service = service;
  service->with.env = options.env;
  service->with.statistics = world.statistics();
  const std::unique_ptr<DB> db = world.Open("remote", options);
  for (int i = 0; i < 2; ++i) PutAndFlush(db.get(), 0, 50, "v");
  CompactWhole(db.get());
}

}  // namespace ROCKSDB_NAMESPACE

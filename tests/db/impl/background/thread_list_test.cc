// What Env::GetThreadList() shows of users' calls: each is held in the middle,
// at a read of a file, while another thread looks.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "db/observe/mutex_times.h"
#include "monitoring/thread_tracking.h"
#include "rocksdb/attribute_groups.h"
#include "rocksdb/env.h"
#include "rocksdb/experimental.h"
#include "rocksdb/file_checksum.h"
#include "rocksdb/file_system.h"
#include "rocksdb/system_clock.h"
#include "rocksdb/thread_status.h"
#include "tests/db/impl/db_fixture.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// Holds every read that comes to it, while it is closed.
class ReadGate {
 public:
  void Pass() {
    MutexLock lock(&mutex_);
    if (is_open_) return;
    has_come_ = true;
    changed_.SignalAll();
    while (!is_open_) changed_.Wait();
  }
  void Await() {
    MutexLock lock(&mutex_);
    while (!has_come_) changed_.Wait();
  }
  void Close() {
    MutexLock lock(&mutex_);
    is_open_ = has_come_ = false;
  }
  void Open() {
    MutexLock lock(&mutex_);
    is_open_ = true;
    changed_.SignalAll();
  }

 private:
  Mutex mutex_;
  CondVar changed_{&mutex_};
  bool is_open_ GUARDED_BY(mutex_) = true;
  bool has_come_ GUARDED_BY(mutex_) = false;
};

class HeldFile final : public FSRandomAccessFileOwnerWrapper {
 public:
  HeldFile(std::unique_ptr<FSRandomAccessFile> file, ReadGate* gate)
      : FSRandomAccessFileOwnerWrapper(std::move(file)), gate_(gate) {}

  IOStatus Read(uint64_t offset, size_t n, const IOOptions& io, Slice* result,
                char* scratch, IODebugContext* debug) const override {
    gate_->Pass();
    return target()->Read(offset, n, io, result, scratch, debug);
  }
  IOStatus MultiRead(FSReadRequest* requests, size_t count, const IOOptions& io,
                     IODebugContext* debug) override {
    gate_->Pass();
    return target()->MultiRead(requests, count, io, debug);
  }
  IOStatus ReadAsync(FSReadRequest& request, const IOOptions& io,
                     std::function<void(FSReadRequest&, void*)> done,
                     void* argument, void** handle, IOHandleDeleter* deleter,
                     IODebugContext* debug) override {
    gate_->Pass();
    return target()->ReadAsync(request, io, std::move(done), argument, handle,
                               deleter, debug);
  }

 private:
  ReadGate* const gate_;
};

class HeldFs final : public FileSystemWrapper {
 public:
  explicit HeldFs(ReadGate* gate)
      : FileSystemWrapper(FileSystem::Default()), gate_(gate) {}
  const char* Name() const override { return "HeldFs"; }

  IOStatus NewRandomAccessFile(const std::string& name,
                               const FileOptions& options,
                               std::unique_ptr<FSRandomAccessFile>* result,
                               IODebugContext* debug) override {
    IOStatus s = target()->NewRandomAccessFile(name, options, result, debug);
    if (s.ok()) *result = std::make_unique<HeldFile>(std::move(*result), gate_);
    return s;
  }
  // Logs and manifests.
  IOStatus NewSequentialFile(const std::string& name,
                             const FileOptions& options,
                             std::unique_ptr<FSSequentialFile>* result,
                             IODebugContext* debug) override {
    gate_->Pass();
    return target()->NewSequentialFile(name, options, result, debug);
  }

 private:
  ReadGate* const gate_;
};

class ThreadListTest : public DbFixture {
 protected:
  static constexpr int kKeys = 400;

  ThreadListTest() : env_(NewCompositeEnv(std::make_shared<HeldFs>(&gate_))) {
    options_.env = env_.get();
    options_.enable_thread_tracking = true;
    options_.file_checksum_gen_factory = GetFileChecksumGenCrc32cFactory();
    options_.disable_auto_compactions = true;
    options_.create_missing_column_families = true;
    BlockBasedTableOptions table;
    table.block_size = 1024;
    table.no_block_cache = true;
    options_.table_factory.reset(NewBlockBasedTableFactory(table));
  }
  ~ThreadListTest() override {
    gate_.Open();
    Close();
  }

  Status OpenFamilies() {
    return DB::Open(DBOptions(options_), path_,
                    {{kDefaultColumnFamilyName, options_}, {"more", options_}},
                    &handles_, &db_);
  }
  void Fill() {
    ASSERT_OK(OpenFamilies());
    for (ColumnFamilyHandle* family : handles_) {
      for (int i = 0; i < kKeys; ++i) {
        ASSERT_OK(
            db_->Put(WriteOptions(), family, KeyOf(i), std::string(100, 'v')));
      }
      ASSERT_OK(db_->Flush(FlushOptions(), family));
    }
  }
  void Close() {
    for (ColumnFamilyHandle* handle : handles_) {
      const std::unique_ptr<ColumnFamilyHandle> owned(handle);
    }
    handles_.clear();
    db_.reset();
  }
  static std::string KeyOf(int i) { return "key" + std::to_string(1000 + i); }

  std::vector<ThreadStatus> List() {
    std::vector<ThreadStatus> threads;
    EXPECT_OK(env_->GetThreadList(&threads));
    return threads;
  }
  // The threads that are in some operation.
  std::vector<ThreadStatus> Busy() {
    std::vector<ThreadStatus> busy;
    for (const ThreadStatus& thread : List()) {
      if (thread.operation_type != ThreadStatus::OP_UNKNOWN) {
        busy.push_back(thread);
      }
    }
    return busy;
  }
  // The busy threads while `call`, in a thread of its own, is held at its first
  // read.
  std::vector<ThreadStatus> Hold(const std::function<void()>& call) {
    gate_.Close();
    std::thread user(call);
    gate_.Await();
    std::vector<ThreadStatus> busy = Busy();
    gate_.Open();
    user.join();
    return busy;
  }

  struct Expected {
    ThreadStatus::OperationType operation = ThreadStatus::OP_UNKNOWN;
    std::string family;
  };
  void Check(const char* what, const Expected& expected,
             const std::function<void()>& call) {
    SCOPED_TRACE(what);
    const auto before = std::chrono::steady_clock::now();
    const std::vector<ThreadStatus> busy = Hold(call);
    const auto passed = std::chrono::duration_cast<std::chrono::microseconds>(
        std::chrono::steady_clock::now() - before);
    ASSERT_EQ(busy.size(), 1u);
    const ThreadStatus& user = busy[0];
    EXPECT_EQ(ThreadStatus::GetOperationName(user.operation_type),
              ThreadStatus::GetOperationName(expected.operation));
    EXPECT_EQ(user.thread_type, ThreadStatus::USER);
    EXPECT_EQ(user.operation_stage, ThreadStatus::STAGE_UNKNOWN);
    EXPECT_EQ(user.state_type, ThreadStatus::STATE_UNKNOWN);
    EXPECT_EQ(user.db_name, path_);
    EXPECT_EQ(user.cf_name, expected.family);
    EXPECT_LE(user.op_elapsed_micros, static_cast<uint64_t>(passed.count()));
    // The thread has ended.
    for (const ThreadStatus& thread : List()) {
      EXPECT_NE(thread.thread_id, user.thread_id);
    }
    EXPECT_EQ(Busy().size(), 0u);
  }
  ColumnFamilyHandle* More() { return handles_[1]; }

  // What the calling thread is in the list, if it is there.
  std::optional<ThreadStatus> Mine() {
    const auto id = std::hash<std::thread::id>()(std::this_thread::get_id());
    for (const ThreadStatus& thread : List()) {
      if (thread.thread_id == id) return thread;
    }
    return std::nullopt;
  }

  ReadGate gate_;
  std::unique_ptr<Env> env_;
  std::vector<ColumnFamilyHandle*> handles_;
};

TEST_F(ThreadListTest, LookupsAreTold) {
  ASSERT_NO_FATAL_FAILURE(Fill());
  const ReadOptions read;
  Check("Get", {ThreadStatus::OP_GET, "more"}, [&] {
    std::string value;
    EXPECT_OK(db_->Get(read, More(), KeyOf(7), &value));
  });
  Check("GetMergeOperands", {ThreadStatus::OP_GET, "more"}, [&] {
    PinnableSlice operand;
    GetMergeOperandsOptions limit;
    limit.expected_max_number_of_operands = 1;
    int count = 0;
    EXPECT_OK(db_->GetMergeOperands(read, More(), KeyOf(7), &operand, &limit,
                                    &count));
  });
  Check("GetEntity", {ThreadStatus::OP_GETENTITY, "more"}, [&] {
    PinnableWideColumns columns;
    EXPECT_OK(db_->GetEntity(read, More(), KeyOf(7), &columns));
  });
  Check("GetEntity of groups", {ThreadStatus::OP_GETENTITY, ""}, [&] {
    PinnableAttributeGroups groups;
    groups.emplace_back(More());
    EXPECT_OK(db_->GetEntity(read, KeyOf(7), &groups));
  });
}

TEST_F(ThreadListTest, LookupsOfManyKeysAreTold) {
  ASSERT_NO_FATAL_FAILURE(Fill());
  const ReadOptions read;
  const std::string names[] = {KeyOf(7), KeyOf(300)};
  const Slice keys[] = {names[0], names[1]};
  std::vector<Status> statuses(2);
  Check("MultiGet", {ThreadStatus::OP_MULTIGET, "more"}, [&] {
    std::vector<PinnableSlice> values(2);
    db_->MultiGet(read, More(), 2, keys, values.data(), statuses.data());
  });
  EXPECT_OK(statuses[1]);
  Check("MultiGet of families", {ThreadStatus::OP_MULTIGET, ""}, [&] {
    std::vector<PinnableSlice> values(2);
    db_->MultiGet(read, 2, handles_.data(), keys, values.data(),
                  statuses.data());
  });
  EXPECT_OK(statuses[1]);
  Check("MultiGetEntity", {ThreadStatus::OP_MULTIGETENTITY, "more"}, [&] {
    std::vector<PinnableWideColumns> columns(2);
    db_->MultiGetEntity(read, More(), 2, keys, columns.data(), statuses.data());
  });
  EXPECT_OK(statuses[1]);
}

TEST_F(ThreadListTest, CursorsAreTold) {
  ASSERT_NO_FATAL_FAILURE(Fill());
  const Expected expected{ThreadStatus::OP_DBITERATOR, "more"};
  using Step = std::function<void(Iterator*)>;
  const std::vector<std::pair<const char*, Step>> steps = {
      {"SeekToFirst", [](Iterator* it) { it->SeekToFirst(); }},
      {"SeekToLast", [](Iterator* it) { it->SeekToLast(); }},
      {"Seek", [](Iterator* it) { it->Seek(KeyOf(200)); }},
      {"SeekForPrev", [](Iterator* it) { it->SeekForPrev(KeyOf(200)); }}};
  for (const auto& step : steps) {
    const std::unique_ptr<Iterator> it(db_->NewIterator(ReadOptions(), More()));
    Check(step.first, expected, [&] { step.second(it.get()); });
    ASSERT_TRUE(it->Valid());
    EXPECT_EQ(it->value().size(), 100u);
  }
  // Into the next block, as these go on.
  const std::unique_ptr<Iterator> it(db_->NewIterator(ReadOptions(), More()));
  it->Seek(KeyOf(200));
  Check("Next", expected, [&] {
    for (int i = 0; i < 50; ++i) it->Next();
  });
  EXPECT_EQ(it->key().ToString(), KeyOf(250));
  Check("Prev", expected, [&] {
    for (int i = 0; i < 150; ++i) it->Prev();
  });
  EXPECT_EQ(it->key().ToString(), KeyOf(100));
  EXPECT_OK(it->Refresh());
  EXPECT_FALSE(it->Valid());
  const std::unique_ptr<Iterator> both =
      db_->NewCoalescingIterator(ReadOptions(), {More()});
  Check("a coalescing cursor", expected, [&] { both->SeekToFirst(); });
  EXPECT_TRUE(both->Valid());
}

// With thread tracking, a cursor has the properties, columns and cleanups that
// it has without.
TEST_F(ThreadListTest, ACursorThatIsToldKeepsItsProperties) {
  ASSERT_NO_FATAL_FAILURE(Fill());
  ReadOptions read;
  read.allow_unprepared_value = true;
  int cleaned = 0;
  std::unique_ptr<Iterator> it(db_->NewIterator(read, More()));
  it->RegisterCleanup([](void* arg, void*) { ++*static_cast<int*>(arg); },
                      &cleaned, nullptr);
  it->Seek(KeyOf(3));
  ASSERT_TRUE(it->Valid());
  EXPECT_TRUE(it->PrepareValue());
  ASSERT_EQ(it->columns().size(), 1u);
  EXPECT_EQ(it->columns()[0].value(), it->value());
  EXPECT_TRUE(it->timestamp().empty());
  std::string number;
  EXPECT_OK(it->GetProperty("rocksdb.iterator.super-version-number", &number));
  EXPECT_NE(number, "");
  EXPECT_EQ(cleaned, 0);
  it.reset();
  EXPECT_EQ(cleaned, 1);
}

TEST_F(ThreadListTest, ChecksOfFilesAreTold) {
  ASSERT_NO_FATAL_FAILURE(Fill());
  Check("VerifyChecksum", {ThreadStatus::OP_VERIFY_DB_CHECKSUM, ""},
        [&] { EXPECT_OK(db_->VerifyChecksum(ReadOptions())); });
  Check("VerifyFileChecksums", {ThreadStatus::OP_VERIFY_FILE_CHECKSUMS, ""},
        [&] { EXPECT_OK(db_->VerifyFileChecksums(ReadOptions())); });
  const std::unique_ptr<FileChecksumList> list(NewFileChecksumList());
  Check("GetFileChecksumsFromCurrentManifest",
        {ThreadStatus::OP_GET_FILE_CHECKSUMS_FROM_CURRENT_MANIFEST, ""}, [&] {
          EXPECT_OK(experimental::GetFileChecksumsFromCurrentManifest(
              env_->GetFileSystem().get(), path_, list.get()));
        });
  EXPECT_EQ(list->size(), 2u);
}

TEST_F(ThreadListTest, OpeningIsTold) {
  ASSERT_NO_FATAL_FAILURE(Fill());
  Close();
  Check("Open", {ThreadStatus::OP_DBOPEN, ""},
        [&] { EXPECT_OK(OpenFamilies()); });
  Close();
  Check("OpenForReadOnly", {ThreadStatus::OP_DBOPEN, ""}, [&] {
    std::unique_ptr<DB> db;
    EXPECT_OK(DB::OpenForReadOnly(options_, path_, &db));
  });
  Check("Open that fails", {ThreadStatus::OP_DBOPEN, ""}, [&] {
    std::unique_ptr<DB> db;
    EXPECT_TRUE(DB::Open(options_, path_, &db).IsInvalidArgument());
  });
}

TEST_F(ThreadListTest, AThreadThatDoesNothingHasNoNames) {
  ASSERT_NO_FATAL_FAILURE(Fill());
  std::string value;
  EXPECT_OK(db_->Get(ReadOptions(), KeyOf(1), &value));
  const std::unique_ptr<Iterator> it(db_->NewIterator(ReadOptions()));
  it->SeekToFirst();
  const std::optional<ThreadStatus> mine = Mine();
  ASSERT_TRUE(mine.has_value());
  EXPECT_EQ(mine->operation_type, ThreadStatus::OP_UNKNOWN);
  EXPECT_EQ(mine->db_name, "");
  EXPECT_EQ(mine->cf_name, "");
}

TEST_F(ThreadListTest, NothingIsToldWithoutTheOption) {
  options_.enable_thread_tracking = false;
  ASSERT_NO_FATAL_FAILURE(Fill());
  EXPECT_EQ(Hold([&] {
              std::string value;
              EXPECT_OK(db_->Get(ReadOptions(), KeyOf(7), &value));
              EXPECT_OK(db_->VerifyChecksum(ReadOptions()));
              EXPECT_FALSE(Mine().has_value());
            }).size(),
            0u);
}

TEST_F(ThreadListTest, AWaitForTheMutexIsTold) {
  MutexTimes times(SystemClock::Default().get(), nullptr,
                   MutexTimes::Tracking::kOn);
  Mutex mutex(&times);
  const auto waits = [this] {
    const std::vector<ThreadStatus> all = List();
    return std::any_of(all.begin(), all.end(), [](const ThreadStatus& thread) {
      return thread.state_type == ThreadStatus::STATE_MUTEX_WAIT;
    });
  };
  std::thread user;
  {
    const MutexLock held(&mutex);
    user = std::thread([&] {
      const MutexLock lock(&mutex);
      EXPECT_FALSE(waits());
    });
    while (!waits()) std::this_thread::yield();
  }
  user.join();
  MutexTimes silent(SystemClock::Default().get(), nullptr,
                    MutexTimes::Tracking::kOff);
  EXPECT_EQ(silent.BeforeWait(), 0u);
  EXPECT_FALSE(waits());
}

// Databases come and go, and users read, while someone looks.
TEST_F(ThreadListTest, TheListIsSafeBesideEverything) {
  ASSERT_NO_FATAL_FAILURE(Fill());
  for (int round = 0; round < 3; ++round) {
    Close();
    std::atomic<bool> is_over{false};
    std::thread watcher([&] {
      while (!is_over.load()) {
        for (const ThreadStatus& thread : Busy()) {
          if (thread.operation_type != ThreadStatus::OP_GET) continue;
          EXPECT_EQ(thread.db_name, path_);
          EXPECT_EQ(thread.cf_name, "more");
        }
      }
    });
    const Status opened = OpenFamilies();
    std::vector<std::thread> users;
    for (int i = 0; opened.ok() && i < 2; ++i) {
      users.emplace_back([this] {
        std::string value;
        for (int key = 0; key < kKeys; ++key) {
          EXPECT_OK(db_->Get(ReadOptions(), More(), KeyOf(key), &value));
        }
        const std::unique_ptr<Iterator> it(db_->NewIterator(ReadOptions()));
        for (it->SeekToFirst(); it->Valid(); it->Next()) {
        }
      });
    }
    for (std::thread& user : users) user.join();
    Close();
    is_over = true;
    watcher.join();
    ASSERT_OK(opened);
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

// read_io_executor_threads: reads with async_io on a file system without
// asynchronous reads go on side by side, and give what others give.

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "rocksdb/file_system.h"
#include "tests/db/impl/db_fixture.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// Counts the reads of tables that are under way.
struct HandedMeeting {
  Mutex mutex;
  CondVar changed{&mutex};
  int here GUARDED_BY(mutex) = 0;
  // Reads wait until so many have been there together.
  int wanted GUARDED_BY(mutex) = 0;
  std::thread::id own GUARDED_BY(mutex);
  int by_others GUARDED_BY(mutex) = 0;

  void Come() {
    MutexLock lock(&mutex);
    if (std::this_thread::get_id() != own) {
      ++by_others;
      changed.SignalAll();
    }
    ++here;
    if (here >= wanted) {
      wanted = 0;
      changed.SignalAll();
    }
    while (wanted > 0) changed.Wait();
    --here;
  }
  // By threads other than the one that forgets.
  void ForgetReads() {
    MutexLock lock(&mutex);
    by_others = 0;
    own = std::this_thread::get_id();
  }
  void AwaitReadByOthers() {
    MutexLock lock(&mutex);
    while (by_others == 0) changed.Wait();
  }
  void Want(int count) {
    MutexLock lock(&mutex);
    wanted = count;
  }
};

class MeetingFile final : public FSRandomAccessFileOwnerWrapper {
 public:
  MeetingFile(std::unique_ptr<FSRandomAccessFile>&& file,
              HandedMeeting* meeting)
      : FSRandomAccessFileOwnerWrapper(std::move(file)), meeting_(meeting) {}
  IOStatus Read(uint64_t offset, size_t n, const IOOptions& options,
                Slice* result, char* scratch,
                IODebugContext* dbg) const override {
    meeting_->Come();
    return FSRandomAccessFileOwnerWrapper::Read(offset, n, options, result,
                                                scratch, dbg);
  }

 private:
  HandedMeeting* const meeting_;
};

class PlainReads final : public FileSystemWrapper {
 public:
  explicit PlainReads(HandedMeeting* meeting)
      : FileSystemWrapper(FileSystem::Default()), meeting_(meeting) {}
  const char* Name() const override { return "PlainReads"; }
  void SupportedOps(int64_t& ops) override { ops = 0; }
  IOStatus NewRandomAccessFile(const std::string& name,
                               const FileOptions& options,
                               std::unique_ptr<FSRandomAccessFile>* result,
                               IODebugContext* dbg) override {
    IOStatus s = target()->NewRandomAccessFile(name, options, result, dbg);
    if (s.ok() && name.ends_with(".sst")) {
      *result = std::make_unique<MeetingFile>(std::move(*result), meeting_);
    }
    return s;
  }

 private:
  HandedMeeting* const meeting_;
};

class HandedReadsTest : public DbFixture {
 protected:
  HandedReadsTest()
      : env_(NewCompositeEnv(std::make_shared<PlainReads>(&meeting_))) {
    options_.env = env_.get();
    BlockBasedTableOptions table;
    table.no_block_cache = true;
    options_.table_factory.reset(NewBlockBasedTableFactory(table));
    async_.async_io = true;
  }
  ~HandedReadsTest() override { db_.reset(); }

  static std::string Key(int i) { return "key" + std::to_string(10000 + i); }
  static std::string Value(int i) {
    return std::to_string(i) + std::string(1000, 'v');
  }
  void Fill() {
    Open();
    for (int i = 0; i < kCount; ++i) ASSERT_OK(Put(Key(i), Value(i)));
    ASSERT_OK(Flush());
  }
  // Keys far from each other, in blocks that lie apart.
  void ExpectMultiGet() {
    std::vector<std::string> keys;
    for (int i = 0; i < kCount; i += 100) keys.push_back(Key(i));
    const std::vector<Slice> slices(keys.begin(), keys.end());
    std::vector<PinnableSlice> values(keys.size());
    std::vector<Status> statuses(keys.size());
    db_->MultiGet(async_, db_->DefaultColumnFamily(), keys.size(),
                  slices.data(), values.data(), statuses.data());
    for (size_t i = 0; i < keys.size(); ++i) {
      ASSERT_OK(statuses[i]);
      EXPECT_EQ(values[i], Value(static_cast<int>(i) * 100));
    }
  }
  void ExpectScan() {
    const std::unique_ptr<Iterator> it(db_->NewIterator(async_));
    int count = 0;
    for (it->SeekToFirst(); it->Valid(); it->Next()) {
      ASSERT_EQ(it->key(), Key(count));
      ASSERT_EQ(it->value(), Value(count));
      ++count;
    }
    EXPECT_OK(it->status());
    EXPECT_EQ(count, kCount);
  }

  static constexpr int kCount = 3000;
  HandedMeeting meeting_;
  const std::unique_ptr<Env> env_;
  ReadOptions async_;
};

TEST_F(HandedReadsTest, EveryReadGivesWhatItShould) {
  for (const int threads : {1, 2, 4}) {
    path_ += "-next";
    options_.read_io_executor_threads = threads;
    Fill();
    ExpectMultiGet();
    ExpectScan();
    async_.readahead_size = 64 << 10;
    ExpectScan();
  }
}

// It would hang if one read came after the other.
TEST_F(HandedReadsTest, ReadsOfOneMultiGetGoOnSideBySide) {
  options_.read_io_executor_threads = 3;
  Fill();
  ExpectMultiGet();  // Opens the table.
  meeting_.Want(3);
  ExpectMultiGet();
}

// Read-ahead goes on while the scan waits for something else.
TEST_F(HandedReadsTest, AScanIsReadAhead) {
  options_.read_io_executor_threads = 2;
  Fill();
  ExpectScan();
  async_.readahead_size = 64 << 10;
  const std::unique_ptr<Iterator> it(db_->NewIterator(async_));
  meeting_.ForgetReads();
  it->SeekToFirst();
  // Nobody waits for what is read now.
  meeting_.AwaitReadByOthers();
  int count = 0;
  for (; it->Valid(); it->Next()) ++count;
  EXPECT_OK(it->status());
  EXPECT_EQ(count, kCount);
}

TEST_F(HandedReadsTest, NoThreadAtAllIsRefused) {
  options_.read_io_executor_threads = 0;
  EXPECT_TRUE(TryOpen().IsInvalidArgument());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

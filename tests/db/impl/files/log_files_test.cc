// What the file system is asked to do for logs: room to reserve, and
// write-back to start.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "rocksdb/env.h"
#include "tests/db/impl/db_fixture.h"
#include "utilities/fault_injection/fault_injection_fs.h"

namespace ROCKSDB_NAMESPACE {
namespace {

struct Noted {
  std::vector<size_t> rooms;  // bytes to reserve at a time, for each log
  int range_syncs = 0;
};

class NotingFile : public FSWritableFileOwnerWrapper {
 public:
  NotingFile(std::unique_ptr<FSWritableFile> file, Noted* noted)
      : FSWritableFileOwnerWrapper(std::move(file)), noted_(*noted) {}
  void SetPreallocationBlockSize(size_t size) override {
    noted_.rooms.push_back(size);
    FSWritableFileOwnerWrapper::SetPreallocationBlockSize(size);
  }
  IOStatus RangeSync(uint64_t offset, uint64_t bytes, const IOOptions& options,
                     IODebugContext* debug) override {
    ++noted_.range_syncs;
    return FSWritableFileOwnerWrapper::RangeSync(offset, bytes, options, debug);
  }

 private:
  Noted& noted_;
};

// Notes calls for logs only. Logs are made one at a time.
class NotingFileSystem : public FileSystemWrapper {
 public:
  using FileSystemWrapper::FileSystemWrapper;
  const char* Name() const override { return "NotingFileSystem"; }
  IOStatus NewWritableFile(const std::string& path, const FileOptions& options,
                           std::unique_ptr<FSWritableFile>* result,
                           IODebugContext* debug) override {
    IOStatus s = target()->NewWritableFile(path, options, result, debug);
    if (s.ok() && path.ends_with(".log")) {
      *result = std::make_unique<NotingFile>(std::move(*result), &noted_);
    }
    return s;
  }
  const Noted& noted() const { return noted_; }

 private:
  Noted noted_;
};

class LogFilesTest : public DbFixture {
 protected:
  static constexpr size_t kMemTableBytes = 1 << 20;
  static constexpr size_t kExpected = kMemTableBytes + kMemTableBytes / 10;

  LogFilesTest() {
    options_.env = env_.get();
    options_.write_buffer_size = kMemTableBytes;
    options_.manifest_preallocation_size = 12345;
    options_.max_bgerror_resume_count = 0;
  }
  ~LogFilesTest() override { db_.reset(); }

  const std::vector<size_t>& Rooms() const { return noting_->noted().rooms; }
  // Range syncs that they cause.
  int Write(int mebibytes) {
    const int before = noting_->noted().range_syncs;
    for (int i = 0; i < mebibytes * 1024; ++i) {
      EXPECT_OK(Put("key" + std::to_string(i), std::string(1024, 'v')));
    }
    return noting_->noted().range_syncs - before;
  }

  const std::shared_ptr<NotingFileSystem> noting_ =
      std::make_shared<NotingFileSystem>(FileSystem::Default());
  const std::shared_ptr<FaultInjectionFileSystem> faults_ =
      std::make_shared<FaultInjectionFileSystem>(noting_);
  const std::unique_ptr<Env> env_ = NewCompositeEnv(faults_);
};

TEST_F(LogFilesTest, EveryLogIsToHoldAMemtable) {
  Open();
  EXPECT_EQ(Rooms(), std::vector<size_t>({kExpected}));
  ASSERT_OK(Put("a", "1"));
  ASSERT_OK(Flush());
  EXPECT_EQ(Rooms(), std::vector<size_t>(2, kExpected));
  ASSERT_OK(Put("a", "2"));
  Reopen();
  EXPECT_EQ(Rooms(), std::vector<size_t>(3, kExpected));
  EXPECT_EQ(Get("a"), "2");
}

// A write buffer as large as a number can be (a program that sets -1) must not
// take the disk from everybody else.
TEST_F(LogFilesTest, NoMoreThanAGibibyteAtATime) {
  Open();
  ASSERT_OK(Put("a", "1"));
  ASSERT_OK(db_->SetOptions({{"write_buffer_size", "-1"}}));
  ASSERT_OK(Flush());
  EXPECT_LE(Rooms().back(), size_t{11} << 27);
}

TEST_F(LogFilesTest, TheLogOfAResumedDatabaseToo) {
  Open();
  ASSERT_OK(Put("a", "1"));
  faults_->Deactivate();
  EXPECT_FALSE(Put("b", "2").ok());
  faults_->Heal();
  ASSERT_OK(db_->Resume());
  ASSERT_GE(Rooms().size(), 2u);
  for (const size_t bytes : Rooms()) EXPECT_EQ(bytes, kExpected);
  ASSERT_OK(Put("c", "3"));
  EXPECT_EQ(Get("a"), "1");
}

// A size that is changed meanwhile counts for the log that comes next.
TEST_F(LogFilesTest, TheSizeOfTheMoment) {
  Open();
  ASSERT_OK(db_->SetOptions({{"write_buffer_size", "2097152"}}));
  ASSERT_OK(Put("a", "1"));
  ASSERT_OK(Flush());
  ASSERT_FALSE(Rooms().empty());
  EXPECT_EQ(Rooms().back(), 2 * kMemTableBytes + kMemTableBytes / 5);
}

TEST_F(LogFilesTest, BytesPerSyncReachTheCurrentLog) {
  options_.write_buffer_size = 64 << 20;
  Open();
  EXPECT_EQ(Write(3), 0);
  ASSERT_OK(db_->SetDBOptions({{"wal_bytes_per_sync", "65536"}}));
  EXPECT_GE(Write(2), 8);
  ASSERT_OK(db_->SetDBOptions({{"wal_bytes_per_sync", "1048576"}}));
  const int seldom = Write(4);
  EXPECT_GE(seldom, 2);
  EXPECT_LE(seldom, 6);
  ASSERT_OK(db_->SetDBOptions({{"wal_bytes_per_sync", "0"}}));
  EXPECT_EQ(Write(2), 0);
  EXPECT_EQ(Rooms().size(), 1u) << "all that was in one log";
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

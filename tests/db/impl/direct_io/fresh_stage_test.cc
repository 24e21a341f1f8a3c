// Level-0 files that a compaction takes from memory.
#include <filesystem>
#include <fstream>

#include "rocksdb/env.h"
#include "rocksdb/write_buffer_manager.h"
#include "tests/db/impl/db_fixture.h"
#include "utilities/fault_injection/fault_injection_fs.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class FreshLevel0Test : public DbFixture {
 protected:
  FreshLevel0Test() {
    options_.disable_auto_compactions = true;
    options_.statistics = CreateDBStatistics();
    options_.fresh_level0_bytes = 16 << 20;
  }
  uint64_t HeldBytes() {
    uint64_t bytes = 0;
    EXPECT_TRUE(db_->GetIntProperty(DB::Properties::kFreshLevel0Bytes, &bytes));
    return bytes;
  }
  void FillFile(char value) {
    for (int i = 0; i < 1000; ++i) {
      ASSERT_OK(Put("key" + std::to_string(i * 7919 % 10007),
                    std::string(400, value)));
    }
    ASSERT_OK(Flush());
  }
  std::vector<LiveFileMetaData> Files() {
    std::vector<LiveFileMetaData> files;
    db_->GetLiveFilesMetaData(&files);
    return files;
  }
  // In the middle of the data.
  void DamageFiles() {
    for (const LiveFileMetaData& file : Files()) {
      std::fstream bytes(file.db_path + file.name,
                         std::ios::in | std::ios::out | std::ios::binary);
      bytes.seekp(static_cast<std::streamoff>(file.size / 2));
      bytes.write("damage", 6);
    }
  }
};

TEST_F(FreshLevel0Test, CompactionAsksNothingOfTheDevice) {
  Open();
  FillFile('a');
  FillFile('b');
  EXPECT_GT(HeldBytes(), 800u << 10);
  EXPECT_EQ(Ticker(FRESH_FILES_KEPT), 2u);
  const std::string before = Scan();
  // So it would be noticed.
  DamageFiles();
  ASSERT_OK(CompactAll());
  EXPECT_EQ(FilesAt(0), 0);
  EXPECT_EQ(Ticker(FRESH_FILES_READ), 2u);
  EXPECT_GT(Ticker(FRESH_BYTES_READ), 800u << 10);
  EXPECT_EQ(HeldBytes(), 0u);
  EXPECT_EQ(Scan(), before);
  EXPECT_OK(db_->VerifyChecksum());
}

TEST_F(FreshLevel0Test, NoDirectHandleIsOpenedForIt) {
  options_.use_direct_io_for_compaction_reads = true;
  const std::unique_ptr<Env> env(NewMemEnv(Env::Default()));
  options_.env = env.get();
  Open();
  FillFile('a');
  FillFile('b');
  ASSERT_OK(CompactAll());
  EXPECT_EQ(Ticker(COMPACTION_DIRECT_READ_OPENS), 0u);
  EXPECT_EQ(Ticker(COMPACTION_EPHEMERAL_READERS_OPENED), 0u);
  // What a compaction wrote is on the device alone.
  FillFile('c');
  ASSERT_OK(CompactAll());
  EXPECT_EQ(Ticker(COMPACTION_DIRECT_READ_OPENS), 1u);
  EXPECT_EQ(Ticker(FRESH_FILES_READ), 3u);
  db_.reset();
}

TEST_F(FreshLevel0Test, VerificationReadsTheDevice) {
  Open();
  FillFile('a');
  DamageFiles();
  const Status s = db_->VerifyChecksum();
  EXPECT_TRUE(s.IsCorruption()) << s.ToString();
}

TEST_F(FreshLevel0Test, OffByDefault) {
  options_.fresh_level0_bytes = Options().fresh_level0_bytes;
  Open();
  FillFile('a');
  FillFile('b');
  EXPECT_EQ(HeldBytes(), 0u);
  ASSERT_OK(CompactAll());
  EXPECT_EQ(Ticker(FRESH_FILES_KEPT), 0u);
  EXPECT_EQ(Ticker(FRESH_FILES_READ), 0u);
}

TEST_F(FreshLevel0Test, TheOldestGoWhenItIsFull) {
  options_.fresh_level0_bytes = 1 << 20;
  Open();
  for (char value = 'a'; value < 'f'; ++value) {
    FillFile(value);
    EXPECT_LE(HeldBytes(), 1u << 20);
  }
  EXPECT_EQ(Ticker(FRESH_FILES_KEPT), 5u);
  ASSERT_OK(CompactAll());
  EXPECT_EQ(Ticker(FRESH_FILES_READ), 2u);
  EXPECT_EQ(Get("key0"), std::string(400, 'e'));
}

TEST_F(FreshLevel0Test, MemtablesComeFirst) {
  auto manager = std::make_shared<WriteBufferManager>(2 << 20);
  options_.write_buffer_manager = manager;
  options_.arena_block_size = 64 << 10;
  Open();
  FillFile('a');
  // The flush's own thread frees the memtable.
  ASSERT_NO_FATAL_FAILURE(AwaitPurge());
  EXPECT_GT(HeldBytes(), 0u);
  EXPECT_GE(manager->memory_usage(), HeldBytes());
  // Memtables take the memory back before any of them is flushed for it.
  int written = 0;
  for (; written < 3000 && HeldBytes() > 0; ++written) {
    ASSERT_OK(Put("other" + std::to_string(written), std::string(1000, 'o')));
  }
  EXPECT_EQ(HeldBytes(), 0u);
  EXPECT_EQ(FilesAt(0), 1);
  EXPECT_GT(written, 1000);
  ASSERT_OK(Flush());
  ASSERT_OK(CompactAll());
  EXPECT_EQ(Get("key0"), std::string(400, 'a'));
  EXPECT_EQ(Get("other1000"), std::string(1000, 'o'));
  db_.reset();
  EXPECT_EQ(manager->memory_usage(), 0u);
}

TEST_F(FreshLevel0Test, AFlushThatFailsLeavesNothing) {
  auto fs = std::make_shared<FaultInjectionFileSystem>(FileSystem::Default());
  const std::unique_ptr<Env> env = NewCompositeEnv(fs);
  options_.env = env.get();
  Open();
  FillFile('a');
  const uint64_t held = HeldBytes();
  ASSERT_OK(Put("key", std::string(400, 'z')));
  fs->FailCall({.call = 1, .is_permanent = true, .path_contains = ".sst"});
  EXPECT_FALSE(Flush().ok());
  EXPECT_EQ(HeldBytes(), held);
  fs->ClearFault();
  db_.reset();
}

TEST_F(FreshLevel0Test, NothingIsThereAfterAReopen) {
  Open();
  FillFile('a');
  ASSERT_OK(Put("key0", "new"));
  Reopen();
  // What recovery flushed is kept, what was there before is not.
  EXPECT_LT(HeldBytes(), 100u << 10);
  ASSERT_OK(CompactAll());
  EXPECT_EQ(Get("key0"), "new");
  EXPECT_EQ(HeldBytes(), 0u);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

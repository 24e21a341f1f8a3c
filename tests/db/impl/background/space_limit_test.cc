// A database and its SstFileManager: space that is counted and limited, paced
// deletion, and a full device that gets room again.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "env/mem_file_system.h"
#include "file/sst_file_manager_impl.h"
#include "rocksdb/env.h"
#include "rocksdb/sst_file_manager.h"
#include "tests/db/impl/db_fixture.h"
#include "tests/db/impl/recovery_listener.h"
#include "utilities/fault_injection/fault_injection_fs.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class SpaceLimitTest : public DbFixture {
 protected:
  SpaceLimitTest() {
    options_.disable_auto_compactions = true;
    options_.statistics = CreateDBStatistics();
    UseManager(0);
  }
  void UseManager(int64_t rate) {
    options_.sst_file_manager.reset(
        NewSstFileManager(options_.env, nullptr, "", rate, true, nullptr, 1.0));
  }
  SstFileManagerImpl* manager() {
    return ImplOf(options_.sst_file_manager.get());
  }
  uint64_t LiveBytes() {
    std::vector<LiveFileMetaData> files;
    db_->GetLiveFilesMetaData(&files);
    uint64_t bytes = 0;
    for (const LiveFileMetaData& file : files) bytes += file.size;
    return bytes;
  }
  void WriteTable(const std::string& value) {
    for (int i = 0; i < 20; ++i) {
      ASSERT_OK(Put("k" + std::to_string(i), value + std::string(500, 'x')));
    }
    ASSERT_OK(Flush());
  }
  size_t CountEndingIn(const std::string& suffix) {
    std::vector<std::string> names;
    EXPECT_OK(options_.env->GetChildren(path_, &names));
    size_t count = 0;
    for (const std::string& name : names) {
      count +=
          name.size() >= suffix.size() &&
          name.compare(name.size() - suffix.size(), suffix.size(), suffix) == 0;
    }
    return count;
  }
};

TEST_F(SpaceLimitTest, CountsTheTables) {
  Open();
  WriteTable("a");
  WriteTable("b");
  EXPECT_GT(LiveBytes(), 0u);
  EXPECT_EQ(manager()->GetTotalSize(), LiveBytes());
  ASSERT_OK(CompactAll(true));
  AwaitPurge();
  EXPECT_EQ(manager()->GetTotalSize(), LiveBytes());
  EXPECT_EQ(manager()->GetTrackedFiles().size(), 1u);
  db_.reset();
  UseManager(0);
  Open();
  EXPECT_EQ(manager()->GetTotalSize(), LiveBytes());
}

TEST_F(SpaceLimitTest, CountsBlobFilesToo) {
  options_.enable_blob_files = true;
  Open();
  WriteTable("a");
  WriteTable("b");
  ColumnFamilyMetaData family;
  db_->GetColumnFamilyMetaData(&family);
  EXPECT_EQ(family.blob_file_count, 2u);
  EXPECT_EQ(manager()->GetTotalSize(), family.size + family.blob_file_size);
  EXPECT_EQ(manager()->GetTrackedFiles().size(), 4u);
  db_.reset();
  UseManager(0);
  Open();
  EXPECT_EQ(manager()->GetTotalSize(), family.size + family.blob_file_size);
  db_.reset();
  ASSERT_OK(DestroyDB(path_, options_));
  EXPECT_EQ(manager()->GetTotalSize(), 0u);
}

TEST_F(SpaceLimitTest, WritesStopAtTheLimit) {
  Open();
  WriteTable("a");
  manager()->SetMaxAllowedSpaceUsage(LiveBytes() + 1);
  for (int i = 0; i < 20; ++i) {
    ASSERT_OK(Put("k" + std::to_string(i), std::string(500, 'x')));
  }
  EXPECT_OK(db_->Flush(FlushOptions()));
  const Status s = Put("more", "v");
  EXPECT_TRUE(s.IsSpaceLimit()) << s.ToString();
  EXPECT_EQ(Get("k1"), std::string(500, 'x'));
  manager()->SetMaxAllowedSpaceUsage(0);
  ASSERT_OK(db_->Resume());
  EXPECT_OK(Put("more", "v"));
}

TEST_F(SpaceLimitTest, CompactionsThatWouldNotFitAreRefused) {
  Open();
  WriteTable("a");
  WriteTable("b");
  manager()->SetMaxAllowedSpaceUsage(LiveBytes() + 1);
  const Status s = CompactAll();
  EXPECT_TRUE(s.IsCompactionTooLarge()) << s.ToString();
  EXPECT_EQ(options_.statistics->getTickerCount(COMPACTION_CANCELLED), 1u);
  EXPECT_EQ(FilesAt(0), 2);
  EXPECT_OK(Put("more", "v"));  // Nothing is broken.
  manager()->SetMaxAllowedSpaceUsage(LiveBytes() * 3);
  EXPECT_OK(CompactAll());
  EXPECT_EQ(FilesAt(0), 0);
}

TEST_F(SpaceLimitTest, AutomaticOnesToo) {
  options_.disable_auto_compactions = false;
  options_.level0_file_num_compaction_trigger = 2;
  manager()->SetMaxAllowedSpaceUsage(1 << 20);
  manager()->SetCompactionBufferSize(1 << 20);
  Open();
  WriteTable("a");
  WriteTable("b");
  ASSERT_OK(db_->WaitForCompact(WaitForCompactOptions()));
  EXPECT_EQ(FilesAt(0), 2);
  EXPECT_GE(options_.statistics->getTickerCount(COMPACTION_CANCELLED), 1u);
  manager()->SetCompactionBufferSize(0);
  WriteTable("c");
  ASSERT_OK(db_->WaitForCompact(WaitForCompactOptions()));
  EXPECT_EQ(FilesAt(0), 0);
}

TEST_F(SpaceLimitTest, ObsoleteTablesWaitInTheTrash) {
  UseManager(1);
  Open();
  WriteTable("a");
  WriteTable("b");
  WriteTable("c");
  ASSERT_OK(CompactAll(true));
  AwaitPurge();
  EXPECT_EQ(CountEndingIn(".sst"), 1u);
  EXPECT_GE(CountEndingIn(".trash"), 1u);
  EXPECT_GT(manager()->GetTotalTrashSize(), 0u);
  db_.reset();
  UseManager(0);
  Open();
  manager()->WaitForEmptyTrash();
  EXPECT_EQ(CountEndingIn(".trash"), 0u);
  EXPECT_EQ(Get("k1"), "c" + std::string(500, 'x'));
}

// A flush for which the device had no room is tried again until it has.
TEST(FullDevice, TheDatabaseGoesOnOnceThereIsRoom) {
  const auto fs = std::make_shared<FaultInjectionFileSystem>(
      std::make_shared<MemFileSystem>());
  const auto env = NewCompositeEnv(fs);
  const auto listener = std::make_shared<RecoveryListener>();
  Options options;
  options.env = env.get();
  options.create_if_missing = true;
  options.compression = kNoCompression;
  options.bgerror_resume_retry_interval = 1000;
  options.listeners = {listener};
  options.sst_file_manager.reset(NewSstFileManager(env.get()));
  std::unique_ptr<DB> db;
  ASSERT_OK(DB::Open(options, "/db", &db));
  ASSERT_OK(db->Put(WriteOptions(), "a", "1"));
  fs->FailCall({.call = 1,
                .kind = FaultKind::kNoSpace,
                .is_permanent = true,
                .path_contains = ".sst"});
  EXPECT_TRUE(db->Flush(FlushOptions()).IsNoSpace());
  EXPECT_TRUE(db->Put(WriteOptions(), "b", "2").IsNoSpace());
  fs->Heal();
  listener->WaitForCompletion(1);
  EXPECT_GE(listener->begins(), 1);
  EXPECT_OK(db->Put(WriteOptions(), "b", "2"));
  EXPECT_OK(db->Flush(FlushOptions()));
  std::string value;
  EXPECT_OK(db->Get(ReadOptions(), "a", &value));
}

class OtherManager : public SstFileManager {
 public:
  void SetMaxAllowedSpaceUsage(uint64_t) override {}
  void SetCompactionBufferSize(uint64_t) override {}
  bool IsMaxAllowedSpaceReached() override { return false; }
  bool IsMaxAllowedSpaceReachedIncludingCompactions() override { return false; }
  uint64_t GetTotalSize() override { return 0; }
  std::unordered_map<std::string, uint64_t> GetTrackedFiles() override {
    return {};
  }
  int64_t GetDeleteRateBytesPerSecond() override { return 0; }
  void SetDeleteRateBytesPerSecond(int64_t) override {}
  double GetMaxTrashDBRatio() override { return 0; }
  void SetMaxTrashDBRatio(double) override {}
  uint64_t GetTotalTrashSize() override { return 0; }
  void SetStatisticsPtr(const std::shared_ptr<Statistics>&) override {}
};

TEST_F(SpaceLimitTest, AManagerOfAnotherKindIsRefused) {
  options_.sst_file_manager = std::make_shared<OtherManager>();
  EXPECT_TRUE(TryOpen().IsNotSupported());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

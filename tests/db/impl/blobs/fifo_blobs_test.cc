// FIFO compaction of databases whose values lie in blob files: what the limit
// counts, and merges by the ratio of keys to values.
#include "env/mem_file_system.h"
#include "rocksdb/env.h"
#include "tests/db/impl/db_fixture.h"
#include "utilities/fault_injection/fault_injection_fs.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class FifoBlobsTest : public DbFixture {
 protected:
  static constexpr uint64_t kValueBytes = 20'000;

  FifoBlobsTest() {
    options_.compaction_style = kCompactionStyleFIFO;
    options_.num_levels = 1;
    options_.ttl = 0;
    options_.write_buffer_size = 64 << 10;
    options_.level0_file_num_compaction_trigger = 4;
    options_.enable_blob_files = true;
    options_.min_blob_size = 1000;
    options_.compaction_options_fifo.max_data_files_size = 10 * kValueBytes;
    NewWorld();
  }
  ~FifoBlobsTest() override { db_.reset(); }

  // An empty device.
  void NewWorld() {
    db_.reset();
    fs_ = std::make_shared<FaultInjectionFileSystem>(
        std::make_shared<MemFileSystem>());
    env_ = NewCompositeEnv(fs_);
    options_.env = env_.get();
    path_ = "/db";
    written_ = 0;
  }
  std::string Key(int n) const {
    return std::to_string(100000 + n) + std::string(key_padding_, 'k');
  }
  static std::string Value(int n) {
    return std::string(kValueBytes, static_cast<char>('a' + n % 26));
  }
  // One key each.
  void FlushFiles(int count) {
    for (int i = 0; i < count; ++i, ++written_) {
      ASSERT_OK(Put(Key(written_), Value(written_)));
      ASSERT_OK(Flush());
      ASSERT_OK(db_->WaitForCompact(WaitForCompactOptions()));
    }
  }
  uint64_t IntProperty(const std::string& name) {
    uint64_t value = 0;
    EXPECT_TRUE(db_->GetIntProperty("rocksdb." + name, &value)) << name;
    return value;
  }
  uint64_t DataBytes() {
    return IntProperty("live-sst-files-size") +
           IntProperty("live-blob-file-size");
  }
  // How many keys are there; fails unless they are the newest.
  int Kept() {
    const std::unique_ptr<Iterator> it(db_->NewIterator(ReadOptions()));
    int n = written_;
    for (it->SeekToLast(); it->Valid(); it->Prev()) {
      --n;
      EXPECT_EQ(it->key().ToString(), Key(n));
      EXPECT_TRUE(it->value() == Value(n)) << n;
    }
    EXPECT_OK(it->status());
    return written_ - n;
  }
  // The least and the most that was kept after each of `count` flushes.
  std::pair<int, int> KeptOver(int count) {
    std::pair<int, int> kept = {INT_MAX, 0};
    for (int i = 0; i < count; ++i) {
      FlushFiles(1);
      const int now = Kept();
      kept = {std::min(kept.first, now), std::max(kept.second, now)};
      EXPECT_LE(DataBytes(),
                options_.compaction_options_fifo.max_data_files_size);
    }
    return kept;
  }

  std::shared_ptr<FaultInjectionFileSystem> fs_;
  std::unique_ptr<Env> env_;
  int written_ = 0;
  size_t key_padding_ = 0;
};

TEST_F(FifoBlobsTest, TablesGoWithTheirBlobFiles) {
  options_.compaction_options_fifo.max_table_files_size = 1;  // not asked
  Open();
  FlushFiles(20);
  EXPECT_EQ(Kept(), 9);
  EXPECT_EQ(IntProperty("num-blob-files"), 9u);
  EXPECT_EQ(FilesAt(0), 9);
  ASSERT_OK(db_->SetOptions(
      {{"compaction_options_fifo", "{max_data_files_size=50000}"}}));
  ASSERT_OK(db_->WaitForCompact(WaitForCompactOptions()));
  EXPECT_EQ(Kept(), 2);
  Reopen();
  ASSERT_OK(db_->WaitForCompact(WaitForCompactOptions()));
  EXPECT_EQ(Kept(), 2);
}

TEST_F(FifoBlobsTest, WithoutItsLimitBlobFilesDoNotCount) {
  options_.compaction_options_fifo.max_data_files_size = 0;
  options_.compaction_options_fifo.max_table_files_size = kValueBytes;
  Open();
  FlushFiles(12);
  EXPECT_EQ(Kept(), 12);
  EXPECT_GT(DataBytes(), 12 * kValueBytes);
}

// Tables of one key each are small beside what a flush may write: by the number
// of files all become one table, with which all goes at once.
TEST_F(FifoBlobsTest, MergesByTheRatioKeepTheDataEven) {
  CompactionOptionsFIFO& fifo = options_.compaction_options_fifo;
  // Some 34 keys: blob files have the keys too.
  fifo.max_data_files_size = 1'000'000;
  key_padding_ = 4000;
  fifo.allow_compaction = true;
  Open();
  FlushFiles(40);
  EXPECT_LE(KeptOver(60).first, 4);

  fifo.use_kv_ratio_compaction = true;
  NewWorld();
  Open();
  FlushFiles(40);
  const auto [least, most] = KeptOver(150);
  EXPECT_GE(least, 17) << "at most half of it goes at once";
  EXPECT_GE(most, 33);
  EXPECT_LE(FilesAt(0), 10);
  Reopen();
  ASSERT_OK(db_->WaitForCompact(WaitForCompactOptions()));
  EXPECT_GE(Kept(), 17);
}

TEST_F(FifoBlobsTest, TheRuleChangesWhileTheDatabaseIsOpen) {
  CompactionOptionsFIFO& fifo = options_.compaction_options_fifo;
  fifo.max_data_files_size = 40 * kValueBytes;
  Open();
  FlushFiles(30);
  EXPECT_EQ(FilesAt(0), 30);
  ASSERT_OK(db_->SetOptions(
      {{"compaction_options_fifo",
        "{allow_compaction=true;use_kv_ratio_compaction=true}"}}));
  ASSERT_OK(db_->WaitForCompact(WaitForCompactOptions()));
  EXPECT_GE(FilesAt(0), 2);
  EXPECT_LE(FilesAt(0), 8);
  EXPECT_EQ(Kept(), 30);
}

// Every call of a merge, and of what is logged of it and of a drop, fails once:
// what is left are the newest keys in any case.
TEST_F(FifoBlobsTest, AFailureLosesNothingNew) {
  CompactionOptionsFIFO& fifo = options_.compaction_options_fifo;
  fifo.allow_compaction = true;
  fifo.use_kv_ratio_compaction = true;
  options_.disable_auto_compactions = true;
  for (const char* path : {".sst", "MANIFEST"}) {
    for (uint64_t k = 1;; ++k) {
      SCOPED_TRACE(std::string(path) + ", call " + std::to_string(k));
      ASSERT_LT(k, 200u);
      NewWorld();
      Open();
      FlushFiles(12);
      fs_->FailCall({.call = k, .path_contains = path});
      Status s = CompactAll();       // drops
      if (s.ok()) s = CompactAll();  // merges
      const bool has_struck = fs_->failed();
      fs_->ClearFault();
      EXPECT_TRUE(s.ok() || has_struck) << s.ToString();
      EXPECT_GE(Kept(), 9);
      Reopen();
      EXPECT_GE(Kept(), 9);
      ASSERT_OK(CompactAll());
      ASSERT_OK(CompactAll());
      EXPECT_EQ(Kept(), 9);
      EXPECT_LT(FilesAt(0), 9);
      if (!has_struck) break;
    }
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

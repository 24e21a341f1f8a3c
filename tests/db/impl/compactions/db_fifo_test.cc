// FIFO compaction as users see it, and databases that change their style.
#include "rocksdb/utilities/option_change_migration.h"
#include "tests/db/impl/db_fixture.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class DbFifoTest : public DbFixture {
 protected:
  DbFifoTest() {
    options_.compaction_style = kCompactionStyleFIFO;
    options_.num_levels = 1;
    options_.write_buffer_size = 64 << 10;
    options_.ttl = 0;
  }
  void FlushOne(const std::string& key, const std::string& value) {
    ASSERT_OK(Put(key, value));
    ASSERT_OK(Flush());
    ASSERT_OK(db_->WaitForCompact(WaitForCompactOptions()));
  }
  std::string Value(char c) { return std::string(20000, c); }
};

TEST_F(DbFifoTest, TheOldestFilesGoWhenAllAreTooLarge) {
  options_.compaction_options_fifo.max_table_files_size = 70000;
  Open();
  for (char c = 'a'; c < 'g'; ++c) FlushOne(std::string(1, c), Value(c));
  EXPECT_EQ(FilesAt(0), 3);
  EXPECT_EQ(Get("c"), "NOT_FOUND");
  EXPECT_EQ(Get("d"), Value('d'));
  ASSERT_OK(db_->SetOptions(
      {{"compaction_options_fifo", "{max_table_files_size=30000}"}}));
  ASSERT_OK(db_->WaitForCompact(WaitForCompactOptions()));
  EXPECT_EQ(FilesAt(0), 1);
  Reopen();
  EXPECT_EQ(Get("e"), "NOT_FOUND");
  EXPECT_EQ(Get("f"), Value('f'));
  ASSERT_OK(CompactAll());
  EXPECT_EQ(Get("f"), Value('f'));
}

TEST_F(DbFifoTest, SmallFilesAreMergedInOrder) {
  options_.compaction_options_fifo.allow_compaction = true;
  options_.level0_file_num_compaction_trigger = 4;
  Open();
  for (char c = 'a'; c < 'i'; ++c) FlushOne("key", std::string(1, c));
  EXPECT_LT(FilesAt(0), 4);
  EXPECT_EQ(Get("key"), "h");
  Reopen();
  EXPECT_EQ(Get("key"), "h");
}

// Fault class 12: dropping goes on beside merges; nothing that is newer than
// what is dropped disappears, nothing is picked twice.
TEST_F(DbFifoTest, MergingAndDroppingSideBySideLosesNothingNew) {
  options_.compaction_options_fifo.allow_compaction = true;
  options_.compaction_options_fifo.max_table_files_size = 200000;
  options_.max_background_jobs = 4;
  Open();
  for (int i = 0; i < 200; ++i) {
    const std::string key = "key" + std::to_string(i % 10);
    ASSERT_OK(Put(key, std::to_string(i) + std::string(3000, 'v')));
    if (i % 3 == 0) ASSERT_OK(Flush());
  }
  ASSERT_OK(Flush());
  ASSERT_OK(db_->WaitForCompact(WaitForCompactOptions()));
  for (int i = 190; i < 200; ++i) {
    EXPECT_EQ(Get("key" + std::to_string(i % 10)),
              std::to_string(i) + std::string(3000, 'v'));
  }
}

TEST_F(DbFifoTest, CompactFilesStaysInLevel0) {
  Open();
  FlushOne("a", "1");
  std::vector<LiveFileMetaData> files;
  db_->GetLiveFilesMetaData(&files);
  EXPECT_TRUE(db_->CompactFiles(CompactionOptions(), db_->DefaultColumnFamily(),
                                {files[0].name}, 1)
                  .IsInvalidArgument());
}

class StyleChangeTest : public DbFixture {
 protected:
  Options Shape(CompactionStyle style, int levels) {
    Options options = options_;
    options.compaction_style = style;
    options.num_levels = levels;
    options.write_buffer_size = 64 << 10;
    options.target_file_size_base = 20 << 10;
    options.level0_file_num_compaction_trigger = 2;
    options.ttl = 0;
    return options;
  }
  void Fill(const Options& options) {
    db_.reset();
    ASSERT_OK(DestroyDB(path_, options));
    options_ = options;
    Open();
    for (int i = 0; i < 3000; ++i) {
      ASSERT_OK(Put("key" + std::to_string(i % 1000),
                    std::to_string(i) + std::string(80, 'v')));
    }
    ASSERT_OK(Flush());
    ASSERT_OK(db_->WaitForCompact(WaitForCompactOptions()));
    seen_ = Scan();
    db_.reset();
  }
  std::string seen_;
};

TEST_F(StyleChangeTest, EveryStyleOpensWhatEveryOtherLeft) {
  for (const CompactionStyle from :
       {kCompactionStyleLevel, kCompactionStyleUniversal,
        kCompactionStyleFIFO}) {
    for (const CompactionStyle to :
         {kCompactionStyleLevel, kCompactionStyleUniversal,
          kCompactionStyleFIFO, kCompactionStyleNone}) {
      SCOPED_TRACE(std::to_string(from) + " to " + std::to_string(to));
      Fill(Shape(from, 4));
      options_ = Shape(to, 6);
      Open();
      EXPECT_EQ(Scan(), seen_);
      ASSERT_OK(CompactAll(true));
      EXPECT_EQ(Scan(), seen_);
    }
  }
}

TEST_F(StyleChangeTest, MigrationMakesFewerLevelsFit) {
  const Options shapes[] = {
      Shape(kCompactionStyleLevel, 7), Shape(kCompactionStyleLevel, 3),
      Shape(kCompactionStyleUniversal, 6), Shape(kCompactionStyleUniversal, 1),
      Shape(kCompactionStyleFIFO, 1)};
  for (const Options& from : shapes) {
    for (const Options& to : shapes) {
      SCOPED_TRACE(std::to_string(from.compaction_style) + "/" +
                   std::to_string(from.num_levels) + " to " +
                   std::to_string(to.compaction_style) + "/" +
                   std::to_string(to.num_levels));
      Fill(from);
      ASSERT_OK(OptionChangeMigration(path_, from, to));
      options_ = to;
      Open();
      EXPECT_EQ(Scan(), seen_);
    }
  }
}

TEST_F(StyleChangeTest, WithoutMigrationFewerLevelsAreRefused) {
  const Options many = Shape(kCompactionStyleLevel, 7);
  Fill(many);
  options_ = many;
  Open();
  ASSERT_OK(CompactAll());
  db_.reset();
  options_ = Shape(kCompactionStyleUniversal, 1);
  EXPECT_FALSE(TryOpen().ok());
  ASSERT_OK(OptionChangeMigration(path_, many, options_));
  Open();
  EXPECT_EQ(Scan(), seen_);
  EXPECT_EQ(FilesAt(0), 1);
}

TEST_F(StyleChangeTest, MigrationOfNothingFails) {
  Options from = Shape(kCompactionStyleLevel, 7);
  from.create_if_missing = false;
  EXPECT_FALSE(OptionChangeMigration(path_ + ".none", from,
                                     Shape(kCompactionStyleFIFO, 1))
                   .ok());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

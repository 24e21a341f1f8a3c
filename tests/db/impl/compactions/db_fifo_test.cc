// FIFO compaction as users see it, and databases that change their style:
// tests/testdata/databases/compactions/fifo.txt, in the language of
// database_script.h, where databases are FIFO, of one level, without a TTL.
#include "rocksdb/utilities/option_change_migration.h"
#include "tests/db/impl/database_script.h"
#include "tests/db/impl/db_fixture.h"

namespace ROCKSDB_NAMESPACE {
namespace {

TEST(DbFifoScript, EveryCase) {
  Options options = ScriptDatabase::Defaults();
  options.compaction_style = kCompactionStyleFIFO;
  options.num_levels = 1;
  options.ttl = 0;
  options.level_compaction_dynamic_level_bytes = false;
  EXPECT_GE(RunDatabases("databases/compactions/fifo.txt", options), 10u);
}

class DbFifoTest : public DbFixture {
 protected:
  DbFifoTest() {
    options_.compaction_style = kCompactionStyleFIFO;
    options_.num_levels = 1;
    options_.write_buffer_size = 64 << 10;
    options_.ttl = 0;
  }
};

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

// The leveled style in a database: whose turn it is, the codec of each level,
// deletions that snapshots held, and files that an open takes down.
#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "rocksdb/listener.h"
#include "rocksdb/metadata.h"
#include "rocksdb/options.h"
#include "rocksdb/table_properties.h"
#include "tests/db/impl/db_fixture.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class ReasonListener final : public EventListener {
 public:
  void OnCompactionCompleted(DB*, const CompactionJobInfo& info) override {
    reasons.push_back(info.compaction_reason);
  }
  std::vector<CompactionReason> reasons;
};

// Files are put where they are wanted; nothing moves by itself.
class LeveledDbTest : public DbFixture {
 protected:
  LeveledDbTest() {
    options_.num_levels = 4;
    options_.level_compaction_dynamic_level_bytes = false;
    options_.disable_auto_compactions = true;
    options_.bottommost_file_compaction_delay = 0;
    options_.listeners = {listener_};
  }

  std::vector<LiveFileMetaData> FilesOfLevel(int level) {
    std::vector<LiveFileMetaData> files;
    db_->GetLiveFilesMetaData(&files);
    std::erase_if(files,
                  [level](const auto& file) { return file.level != level; });
    return files;
  }
  // What is in memory, as a file of `level`.
  void FlushTo(int level) {
    ASSERT_OK(Flush());
    const std::vector<LiveFileMetaData> files = FilesOfLevel(0);
    ASSERT_EQ(files.size(), 1u);
    if (level == 0) return;
    ASSERT_OK(db_->CompactFiles(CompactionOptions(), {files[0].name}, level));
  }
  void SetAuto(bool is_on) {
    ASSERT_OK(db_->SetOptions(
        {{"disable_auto_compactions", is_on ? "false" : "true"}}));
  }

  const std::shared_ptr<ReasonListener> listener_ =
      std::make_shared<ReasonListener>();
};

class RoundRobinTest : public LeveledDbTest {
 protected:
  RoundRobinTest() { options_.compaction_pri = kRoundRobin; }

  void AddFile(const std::string& key) {
    ASSERT_OK(Put(key, std::string(20'000, 'v')));
    ASSERT_NO_FATAL_FAILURE(FlushTo(1));
  }
  // The keys of a level, in order: each is a file of its own.
  std::string Keys(int level) {
    std::set<std::string> keys;
    for (const auto& file : FilesOfLevel(level)) keys.insert(file.smallestkey);
    std::string text;
    for (const std::string& key : keys) text += key;
    return text;
  }
  // Level 1 gets too large by half a file: one goes down.
  void LetOneGo() {
    uint64_t bytes = 0;
    for (const LiveFileMetaData& file : FilesOfLevel(1)) bytes += file.size;
    ASSERT_OK(db_->SetOptions(
        {{"max_bytes_for_level_base", std::to_string(bytes - 10'000)}}));
    ASSERT_NO_FATAL_FAILURE(SetAuto(true));
    ASSERT_OK(db_->WaitForCompact(WaitForCompactOptions()));
    ASSERT_NO_FATAL_FAILURE(SetAuto(false));
  }
};

TEST_F(RoundRobinTest, FilesGoInTurnAlsoAfterAReopen) {
  Open();
  for (const char* key : {"a", "b", "c", "d"}) {
    ASSERT_NO_FATAL_FAILURE(AddFile(key));
  }
  ASSERT_NO_FATAL_FAILURE(LetOneGo());
  EXPECT_EQ(Keys(2), "a");
  // Only its turn is over.
  ASSERT_NO_FATAL_FAILURE(AddFile("a"));
  ASSERT_NO_FATAL_FAILURE(LetOneGo());
  EXPECT_EQ(Keys(1), "acd");
  EXPECT_EQ(Keys(2), "ab");
  Reopen();
  ASSERT_NO_FATAL_FAILURE(LetOneGo());
  EXPECT_EQ(Keys(1), "ad");
  EXPECT_EQ(Keys(2), "abc");
  Reopen();
  ASSERT_NO_FATAL_FAILURE(AddFile("b"));
  ASSERT_NO_FATAL_FAILURE(LetOneGo());
  EXPECT_EQ(Keys(1), "ab") << "behind the last comes the first";
  ASSERT_NO_FATAL_FAILURE(LetOneGo());
  EXPECT_EQ(Keys(1), "b");
  EXPECT_EQ(Keys(2), "abcd");
}

class LevelCodecTest : public LeveledDbTest {
 protected:
  LevelCodecTest() {
    options_.compression_per_level = {kNoCompression, kNoCompression,
                                      kSnappyCompression, kZlibCompression};
    options_.compression_opts.level = 3;
    options_.bottommost_compression = kZSTD;
    options_.bottommost_compression_opts.level = 7;
    options_.bottommost_compression_opts.enabled = true;
    // Its tables have the name of one codec.
    BlockBasedTableOptions table;
    table.format_version = 6;
    options_.table_factory.reset(NewBlockBasedTableFactory(table));
  }
  void Add(const std::string& key, int level) {
    ASSERT_OK(Put(key, std::string(1000, 'v')));
    ASSERT_NO_FATAL_FAILURE(FlushTo(level));
  }
  // The properties of the one file in `level`.
  TableProperties PropertiesOf(int level) {
    const std::vector<LiveFileMetaData> files = FilesOfLevel(level);
    TablePropertiesCollection all;
    EXPECT_OK(db_->GetPropertiesOfAllTables(&all));
    EXPECT_EQ(files.size(), 1u);
    for (const auto& [path, properties] : all) {
      if (!files.empty() && path.ends_with(files[0].name)) return *properties;
    }
    ADD_FAILURE() << "level " << level;
    return {};
  }
  std::string CodecOf(int level) {
    return PropertiesOf(level).compression_name;
  }
  bool HasCompressionLevel(int level, int wanted) {
    const std::string text = PropertiesOf(level).compression_options;
    return text.find("level=" + std::to_string(wanted) + ";") !=
           std::string::npos;
  }
};

TEST_F(LevelCodecTest, TablesCarryTheCodecOfTheirLevel) {
  Open();
  // Each but the first has older data below.
  for (const int level : {3, 2, 1, 0}) {
    ASSERT_NO_FATAL_FAILURE(Add("key", level));
  }
  EXPECT_EQ(CodecOf(0), "NoCompression");
  EXPECT_EQ(CodecOf(1), "NoCompression");
  EXPECT_EQ(CodecOf(2), "Snappy");
  EXPECT_EQ(CodecOf(3), "ZSTD");
  EXPECT_TRUE(HasCompressionLevel(2, 3));
  EXPECT_TRUE(HasCompressionLevel(3, 7));
}

TEST_F(LevelCodecTest, TheBottommostCodecIsForWhatHasNothingBelow) {
  Open();
  ASSERT_NO_FATAL_FAILURE(Add("key", 3));
  ASSERT_NO_FATAL_FAILURE(Add("other", 1));
  EXPECT_EQ(CodecOf(1), "ZSTD") << "at whatever level";
  EXPECT_TRUE(HasCompressionLevel(1, 7));
}

TEST_F(LevelCodecTest, WithoutOneTheBottomHasThatOfItsLevel) {
  options_.bottommost_compression = kDisableCompressionOption;
  options_.bottommost_compression_opts.enabled = false;
  Open();
  ASSERT_NO_FATAL_FAILURE(Add("key", 3));
  EXPECT_EQ(CodecOf(3), "Zlib");
  EXPECT_TRUE(HasCompressionLevel(3, 3));
}

// A file of one block is the smallest that there is.
TEST_F(LeveledDbTest, ALimitOfNoBytesMakesAFileOfEachBlock) {
  Open();
  for (const char value : {'1', '2'}) {
    for (const char* key : {"a", "b"}) {
      ASSERT_OK(Put(key, std::string(10000, value)));
    }
    ASSERT_OK(Flush());
  }
  CompactionOptions options;
  options.output_file_size_limit = 0;
  ASSERT_OK(db_->CompactFiles(options, TableNames(), 1));
  EXPECT_EQ(FilesAt(0), 0);
  EXPECT_EQ(FilesAt(1), 2);
  EXPECT_EQ(Get("a") + Get("b"), std::string(20000, '2'));
}

// A file with nothing below it is bottommost, though not of the last level.
TEST_F(LeveledDbTest, DeletionsGoWhenTheirSnapshotDoes) {
  Open();
  ASSERT_OK(Put("m", "1"));
  ASSERT_NO_FATAL_FAILURE(FlushTo(3));
  for (const char* key : {"a", "b", "c"}) ASSERT_OK(Put(key, "1"));
  const Snapshot* const snapshot = db_->GetSnapshot();
  ASSERT_OK(Delete("a"));
  ASSERT_OK(Delete("b"));
  ASSERT_NO_FATAL_FAILURE(FlushTo(2));
  // One that covers what lies below keeps its deletions.
  ASSERT_OK(Delete("m"));
  ASSERT_OK(Delete("n"));
  ASSERT_NO_FATAL_FAILURE(FlushTo(1));
  ASSERT_OK(Put("z", "1"));
  ASSERT_NO_FATAL_FAILURE(SetAuto(true));
  ASSERT_OK(db_->WaitForCompact(WaitForCompactOptions()));
  const auto deletions = [this](int level) {
    uint64_t count = 0;
    for (const auto& file : FilesOfLevel(level)) count += file.num_deletions;
    return count;
  };
  EXPECT_EQ(deletions(2), 2u);
  EXPECT_EQ(Get("a", snapshot), "1");
  listener_->reasons.clear();
  db_->ReleaseSnapshot(snapshot);
  ASSERT_OK(db_->WaitForCompact(WaitForCompactOptions()));
  EXPECT_EQ(listener_->reasons,
            std::vector<CompactionReason>{CompactionReason::kBottommostFiles});
  EXPECT_EQ(deletions(2), 0u);
  EXPECT_EQ(FilesAt(2), 1) << "in place";
  EXPECT_EQ(deletions(1), 2u);
  EXPECT_EQ(Scan(), "c=1 z=1 ");
}

// Files that lie above free levels, as another shape has left them, go down
// when the database is opened to be written, with what its log holds or before.
TEST_F(LeveledDbTest, DynamicLevelsAreFilledFromTheLastOneAtOpen) {
  const auto levels = [this] {
    std::string text;
    for (int level = 0; level < 4; ++level) {
      text += std::to_string(FilesAt(level));
    }
    return text;
  };
  for (const bool keeps_log : {false, true}) {
    options_.level_compaction_dynamic_level_bytes = false;
    options_.avoid_flush_during_recovery = keeps_log;
    Open();
    for (const int level : {2, 1}) {
      ASSERT_OK(Put("j", std::to_string(level)));
      ASSERT_OK(Put("k", std::to_string(level)));
      ASSERT_NO_FATAL_FAILURE(FlushTo(level));
    }
    ASSERT_OK(Put("k", "0"));
    ASSERT_NO_FATAL_FAILURE(FlushTo(0));
    ASSERT_EQ(levels(), "1110");
    ASSERT_OK(Put("m", "in the log"));
    options_.level_compaction_dynamic_level_bytes = true;
    db_.reset();
    ASSERT_OK(DB::OpenForReadOnly(options_, path_, &db_));
    EXPECT_EQ(levels(), "1110") << "a reader changes nothing";
    Reopen();
    const std::string down = keeps_log ? "1011" : "2011";
    EXPECT_EQ(levels(), down);
    EXPECT_EQ(Scan(), "j=1 k=0 m=in the log ");
    // The manifest has it.
    options_.level_compaction_dynamic_level_bytes = false;
    Reopen();
    EXPECT_EQ(levels(), down);
    EXPECT_EQ(Scan(), "j=1 k=0 m=in the log ");
    EXPECT_OK(db_->VerifyChecksum());
    db_.reset();
    ASSERT_OK(DestroyDB(path_, options_));
  }
}

// What is too young for the last level is not moved there by an open.
TEST_F(LeveledDbTest, AnOpenLeavesTheLastLevelToOldData) {
  Open();
  for (const int level : {2, 1}) {
    ASSERT_OK(Put("k", std::to_string(level)));
    ASSERT_NO_FATAL_FAILURE(FlushTo(level));
  }
  options_.level_compaction_dynamic_level_bytes = true;
  options_.preclude_last_level_data_seconds = 1'000'000;
  Reopen();
  EXPECT_EQ(FilesAt(1), 1);
  EXPECT_EQ(FilesAt(2), 1);
  EXPECT_EQ(FilesAt(3), 0);
  // A free level above the last one is filled all the same.
  db_.reset();
  ASSERT_OK(DestroyDB(path_, options_));
  options_.level_compaction_dynamic_level_bytes = false;
  options_.preclude_last_level_data_seconds = 0;
  Open();
  ASSERT_OK(Put("k", "1"));
  ASSERT_NO_FATAL_FAILURE(FlushTo(1));
  options_.level_compaction_dynamic_level_bytes = true;
  options_.preclude_last_level_data_seconds = 1'000'000;
  Reopen();
  EXPECT_EQ(FilesAt(1), 0);
  EXPECT_EQ(FilesAt(2), 1);
  EXPECT_EQ(Get("k"), "1");
}

TEST_F(LeveledDbTest, AGapBetweenDynamicLevelsIsClosedAtOpen) {
  Open();
  for (const int level : {3, 1}) {
    ASSERT_OK(Put("k", std::to_string(level)));
    ASSERT_NO_FATAL_FAILURE(FlushTo(level));
  }
  options_.level_compaction_dynamic_level_bytes = true;
  Reopen();
  EXPECT_EQ(FilesAt(1), 0);
  EXPECT_EQ(FilesAt(2), 1);
  EXPECT_EQ(FilesAt(3), 1);
  EXPECT_EQ(Get("k"), "1");
}

// Tables of nothing but deletions are small, and free much.
class FreedSpaceTest : public LeveledDbTest {
 protected:
  static constexpr int kKeys = 1000;

  FreedSpaceTest() {
    options_.num_levels = 3;
    options_.compression = kNoCompression;
    options_.max_bytes_for_level_base = 200'000;
  }
  static std::string KeyAt(int i) { return "key" + std::to_string(1000 + i); }
  // 400 000 bytes in the last level, and one table of level 0 that deletes
  // `deleted` keys from the first on, or a range of as many.
  void Make(int deleted, bool is_range) {
    Open();
    for (int i = 0; i < kKeys; ++i) {
      ASSERT_OK(Put(KeyAt(i), std::string(400, 'v')));
    }
    ASSERT_NO_FATAL_FAILURE(FlushTo(2));
    if (is_range) {
      ASSERT_OK(db_->DeleteRange(WriteOptions(), KeyAt(0), KeyAt(deleted)));
    }
    for (int i = 0; i < deleted && !is_range; ++i) ASSERT_OK(Delete(KeyAt(i)));
    ASSERT_NO_FATAL_FAILURE(FlushTo(0));
  }
  uint64_t BytesAfterCompactions() {
    SetAuto(true);
    EXPECT_OK(db_->WaitForCompact(WaitForCompactOptions()));
    uint64_t bytes = UINT64_MAX;
    EXPECT_TRUE(db_->GetIntProperty("rocksdb.live-sst-files-size", &bytes));
    return bytes;
  }
};

TEST_F(FreedSpaceTest, DeletionsOfKeysAreCompacted) {
  ASSERT_NO_FATAL_FAILURE(Make(kKeys, /*is_range=*/false));
  EXPECT_EQ(BytesAfterCompactions(), 0u);
}

TEST_F(FreedSpaceTest, DeletionsOfRangesAreCompactedAlsoAfterAReopen) {
  ASSERT_NO_FATAL_FAILURE(Make(kKeys * 3 / 4, /*is_range=*/true));
  Reopen();
  EXPECT_LT(BytesAfterCompactions(), 150'000u);
  EXPECT_EQ(Get(KeyAt(0)), "NOT_FOUND");
  EXPECT_EQ(Get(KeyAt(kKeys - 1)), std::string(400, 'v'));
}

TEST_F(FreedSpaceTest, AFewDeletionsWait) {
  for (const bool is_range : {false, true}) {
    SCOPED_TRACE(is_range);
    ASSERT_NO_FATAL_FAILURE(Make(kKeys / 5, is_range));
    EXPECT_GT(BytesAfterCompactions(), 400'000u);
    EXPECT_EQ(FilesOfLevel(0).size(), 1u);
    db_.reset();
    std::filesystem::remove_all(path_);
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

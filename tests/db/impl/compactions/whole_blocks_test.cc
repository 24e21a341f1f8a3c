// Blocks that one entry fills keep their compressed form in a compaction that
// does not change the entry, and only where the new file would store the same.
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "rocksdb/compaction_filter.h"
#include "tests/db/impl/db_fixture.h"
#include "util/compression.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {
namespace {

constexpr int kWholeBlockKeys = 100;
constexpr int kChanged = 10;

std::string WholeBlockKey(int i) { return "key" + std::to_string(10000 + i); }

// Half of it compresses.
std::string ValueOf(uint64_t seed, size_t bytes = 1500) {
  Random64 random(seed);
  std::string value;
  while (value.size() < bytes) {
    value += std::to_string(random.Next()) + std::string(20, 'x');
  }
  value.resize(bytes);
  return value;
}

class WholeBlocksTest : public DbFixture {
 protected:
  WholeBlocksTest() {
    table_.block_size = 1024;
    options_.compression =
        CompressionTypeSupported(kZSTD) ? kZSTD : kSnappyCompression;
    options_.disable_auto_compactions = true;
    options_.statistics = CreateDBStatistics();
  }

  void OpenWithTable() {
    options_.table_factory.reset(NewBlockBasedTableFactory(table_));
    Open();
  }
  // All keys in the last level, and some of them anew in level 0.
  void Prepare() {
    for (int i = 0; i < kWholeBlockKeys; ++i) {
      model_[WholeBlockKey(i)] = ValueOf(static_cast<uint64_t>(i));
      ASSERT_OK(Put(WholeBlockKey(i), model_[WholeBlockKey(i)]));
    }
    ASSERT_OK(Flush());
    ASSERT_OK(CompactAll(/*force=*/true));  // Not moved: sequences become zero.
    for (int i = 0; i < kChanged; ++i) {
      const int key = i * kWholeBlockKeys / kChanged;
      model_[WholeBlockKey(key)] = ValueOf(static_cast<uint64_t>(1000 + i));
      ASSERT_OK(Put(WholeBlockKey(key), model_[WholeBlockKey(key)]));
    }
    ASSERT_OK(Flush());
  }
  // What the compaction of both takes over, in blocks.
  uint64_t CompactAndCount() {
    EXPECT_OK(options_.statistics->Reset());
    EXPECT_OK(CompactAll());
    EXPECT_EQ(Ticker(BYTES_COMPRESSION_REUSED) > 0,
              Ticker(NUMBER_BLOCK_COMPRESSION_REUSED) > 0);
    return Ticker(NUMBER_BLOCK_COMPRESSION_REUSED);
  }
  void Check() {
    for (const auto& [key, value] : model_) ASSERT_EQ(Get(key), value) << key;
    ASSERT_OK(db_->VerifyChecksum());
    const std::unique_ptr<Iterator> it(db_->NewIterator(ReadOptions()));
    auto expected = model_.begin();
    for (it->SeekToFirst(); it->Valid(); it->Next(), ++expected) {
      ASSERT_NE(expected, model_.end());
      ASSERT_EQ(it->key(), Slice(expected->first));
      ASSERT_EQ(it->value(), Slice(expected->second));
    }
    ASSERT_OK(it->status());
    ASSERT_EQ(expected, model_.end());
  }

  BlockBasedTableOptions table_;
  std::map<std::string, std::string> model_;
};

TEST_F(WholeBlocksTest, BlocksThatStayTheSame) {
  for (const uint32_t version : {2u, 5u, 6u, 7u}) {
    for (const uint32_t threads : {1u, 3u}) {
      SCOPED_TRACE(std::to_string(version) + ", " + std::to_string(threads));
      db_.reset();
      ASSERT_OK(DestroyDB(path_, options_));
      table_.format_version = version;
      options_.compression_opts.parallel_threads = threads;
      OpenWithTable();
      Prepare();
      EXPECT_EQ(CompactAndCount(), uint64_t{kWholeBlockKeys - kChanged});
      // They and the index.
      EXPECT_EQ(Ticker(NUMBER_BLOCK_COMPRESSED), uint64_t{kChanged} + 1);
      Check();
      // Once more, where all stays.
      CompactRangeOptions force;
      force.bottommost_level_compaction = BottommostLevelCompaction::kForce;
      ASSERT_OK(options_.statistics->Reset());
      ASSERT_OK(db_->CompactRange(force, nullptr, nullptr));
      EXPECT_EQ(Ticker(NUMBER_BLOCK_COMPRESSION_REUSED),
                uint64_t{kWholeBlockKeys});
      Check();
    }
  }
}

// The same bytes as of a compaction that compresses all of them.
TEST_F(WholeBlocksTest, TheFileIsTheSame) {
  OpenWithTable();
  Prepare();
  EXPECT_GT(CompactAndCount(), 0u);
  std::vector<LiveFileMetaData> files;
  db_->GetLiveFilesMetaData(&files);
  ASSERT_EQ(files.size(), 1u);
  const uint64_t size = files[0].size;
  // Every entry is new to this one.
  db_.reset();
  ASSERT_OK(DestroyDB(path_, options_));
  OpenWithTable();
  for (const auto& [key, value] : model_) ASSERT_OK(Put(key, value));
  ASSERT_OK(Flush());
  ASSERT_OK(options_.statistics->Reset());
  ASSERT_OK(CompactAll(/*force=*/true));
  EXPECT_EQ(Ticker(NUMBER_BLOCK_COMPRESSION_REUSED), 0u);
  files.clear();
  db_->GetLiveFilesMetaData(&files);
  ASSERT_EQ(files.size(), 1u);
  EXPECT_EQ(files[0].size, size);
}

TEST_F(WholeBlocksTest, WhereTheNewFileWouldStoreOthers) {
  class ChangeAll : public CompactionFilter {
   public:
    bool Filter(int, const Slice&, const Slice& value, std::string* changed,
                bool* is_changed) const override {
      *changed = value.ToString() + "!";
      return !(*is_changed = true);
    }
    const char* Name() const override { return "change-all"; }
  };
  static const ChangeAll change_all;
  const std::vector<std::pair<const char*, std::function<void()>>> changes = {
      {"level", [&] { options_.compression_opts.level = 1; }},
      {"codec", [&] { options_.compression = kSnappyCompression; }},
      {"none", [&] { options_.compression = kNoCompression; }},
      {"dictionary",
       [&] { options_.compression_opts.max_dict_bytes = 4 << 10; }},
      {"block size", [&] { table_.block_size = 64 << 10; }},
      {"restarts",
       [&] {
         table_.data_block_index_type =
             BlockBasedTableOptions::kDataBlockBinaryAndHash;
       }},
      {"size limit",
       [&] { options_.compression_opts.max_compressed_bytes_per_kb = 10; }},
      {"filter", [&] { options_.compaction_filter = &change_all; }},
  };
  const Options before = options_;
  const BlockBasedTableOptions table_before = table_;
  for (const auto& [name, change] : changes) {
    SCOPED_TRACE(name);
    db_.reset();
    ASSERT_OK(DestroyDB(path_, options_));
    options_ = before;
    table_ = table_before;
    table_.format_version = 5;
    OpenWithTable();
    Prepare();
    change();
    OpenWithTable();
    EXPECT_EQ(CompactAndCount(), 0u);
    if (options_.compaction_filter != nullptr) {
      for (auto& entry : model_) entry.second += "!";
    }
    Check();
  }
}

// Values of all sizes around that of a block, snapshots, deletions and
// compactions of some levels, against a map.
TEST_F(WholeBlocksTest, RandomOperations) {
  for (uint64_t seed = 1; seed <= 6; ++seed) {
    SCOPED_TRACE(seed);
    db_.reset();
    ASSERT_OK(DestroyDB(path_, options_));
    model_.clear();
    Random64 random(seed);
    options_.disable_auto_compactions = false;
    options_.level0_file_num_compaction_trigger = 2;
    options_.write_buffer_size = 64 << 10;
    options_.target_file_size_base = 32 << 10;
    options_.max_bytes_for_level_base = 128 << 10;
    table_.format_version = seed % 2 == 0 ? 5 : 7;
    OpenWithTable();
    for (int i = 0; i < 1500; ++i) {
      const std::string key =
          WholeBlockKey(static_cast<int>(random.Uniform(300)));
      if (random.OneIn(10)) {
        model_.erase(key);
        ASSERT_OK(Delete(key));
      } else if (random.OneIn(200)) {
        const std::string end = key + "~";
        model_.erase(model_.lower_bound(key), model_.lower_bound(end));
        ASSERT_OK(db_->DeleteRange(WriteOptions(), key, end));
      } else {
        model_[key] = ValueOf(random.Next(), 1 + random.Uniform(3000));
        ASSERT_OK(Put(key, model_[key]));
      }
      if (random.OneIn(300)) ASSERT_OK(CompactAll());
    }
    ASSERT_OK(db_->WaitForCompact(WaitForCompactOptions()));
    Check();
    Reopen();
    Check();
    EXPECT_GT(Ticker(NUMBER_BLOCK_COMPRESSION_REUSED), 0u);
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

// Universal compaction as users see it.
#include <algorithm>
#include <map>

#include "rocksdb/utilities/options_util.h"
#include "tests/db/impl/db_fixture.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class DbUniversalTest : public DbFixture {
 protected:
  DbUniversalTest() {
    options_.compaction_style = kCompactionStyleUniversal;
    options_.num_levels = 5;
    options_.write_buffer_size = 64 << 10;
    options_.target_file_size_base = 32 << 10;
    options_.level0_file_num_compaction_trigger = 4;
  }

  static std::string Key(uint64_t n) {
    std::string text = std::to_string(n);
    return "key" + std::string(6 - text.size(), '0') + text;
  }
  void WaitForCompactions() {
    ASSERT_OK(db_->WaitForCompact(WaitForCompactOptions()));
  }
  int Runs() {
    int runs = FilesAt(0);
    for (int level = 1; level < options_.num_levels; ++level) {
      if (FilesAt(level) > 0) ++runs;
    }
    return runs;
  }
  // A flush of `count` keys from `first` on.
  void FlushRange(uint64_t first, uint64_t count, const std::string& value) {
    for (uint64_t i = 0; i < count; ++i) {
      ASSERT_OK(Put(Key(first + i), value));
    }
    ASSERT_OK(Flush());
  }
};

// The model is an ordered map; everything that compaction may get wrong shows.
TEST_F(DbUniversalTest, AgreesWithAnOrderedMap) {
  struct Shape {
    int levels;
    const char* universal;
    uint32_t subcompactions;
  };
  const Shape shapes[] = {
      {1, "{}", 1},
      {5, "{}", 3},
      {7, "{max_read_amp=0}", 1},
      {3, "{max_read_amp=9;stop_style=kCompactionStopStyleSimilarSize}", 1},
      {5, "{incremental=true;max_size_amplification_percent=30}", 2},
      {4, "{allow_trivial_move=true;compression_size_percent=50}", 1},
  };
  for (const Shape& shape : shapes) {
    SCOPED_TRACE(shape.universal);
    db_.reset();
    ASSERT_OK(DestroyDB(path_, options_));
    options_.num_levels = shape.levels;
    options_.max_subcompactions = shape.subcompactions;
    options_.max_background_jobs = 4;
    Options changed;
    ASSERT_OK(GetOptionsFromString(
        ConfigOptions(), options_,
        std::string("compaction_options_universal=") + shape.universal,
        &changed));
    options_ = changed;
    Open();
    Random64 random(7);
    std::map<std::string, std::string> model;
    for (int i = 0; i < 12000; ++i) {
      const std::string key = Key(random.Uniform(3000));
      if (random.Uniform(5) == 0) {
        ASSERT_OK(Delete(key));
        model.erase(key);
      } else if (random.Uniform(400) == 0) {
        const std::string end = Key(random.Uniform(3000));
        if (key < end) {
          ASSERT_OK(db_->DeleteRange(WriteOptions(), key, end));
          model.erase(model.lower_bound(key), model.lower_bound(end));
        }
      } else {
        model[key] = std::to_string(i) + std::string(80, 'v');
        ASSERT_OK(Put(key, model[key]));
      }
      if (i == 6000) Reopen();
    }
    WaitForCompactions();
    for (const char* moment : {"as written", "compacted"}) {
      SCOPED_TRACE(moment);
      std::string expected;
      for (const auto& [key, value] : model)
        expected += key + "=" + value + " ";
      ASSERT_EQ(Scan(), expected);
      for (uint64_t n = 0; n < 3000; n += 7) {
        const auto found = model.find(Key(n));
        ASSERT_EQ(Get(Key(n)),
                  found == model.end() ? "NOT_FOUND" : found->second);
      }
      ASSERT_OK(CompactAll(/*force=*/true));
      EXPECT_EQ(Runs(), 1);
      EXPECT_GT(FilesAt(shape.levels - 1), 0);
    }
  }
}

TEST_F(DbUniversalTest, RunsStayWithinTheLimit) {
  options_.level0_file_num_compaction_trigger = 3;
  Open();
  for (int i = 0; i < 30; ++i) {
    FlushRange(static_cast<uint64_t>(i) * 7 % 50, 50, std::string(100, 'v'));
    WaitForCompactions();
    EXPECT_LE(Runs(), 3) << i;
  }
}

TEST_F(DbUniversalTest, MaxReadAmpIsCheckedKeptAndChanged) {
  auto* universal = &options_.compaction_options_universal;
  for (const int wrong : {-2, -100, 1, 3}) {
    universal->max_read_amp = wrong;
    const Status s = TryOpen();
    EXPECT_TRUE(s.IsNotSupported()) << s.ToString();
    const std::string shown = "max_read_amp=" + std::to_string(wrong);
    EXPECT_NE(s.ToString().find(shown), std::string::npos) << s.ToString();
  }
  universal->max_read_amp = 4;
  Open();
  const auto set = [this](const std::string& value) {
    return db_->SetOptions(
        {{"compaction_options_universal", "{max_read_amp=" + value + "}"}});
  };
  EXPECT_TRUE(set("3").IsNotSupported());
  EXPECT_TRUE(set("-2").IsNotSupported());
  EXPECT_TRUE(db_->SetOptions({{"level0_file_num_compaction_trigger", "5"}})
                  .IsNotSupported());
  EXPECT_EQ(db_->GetOptions().compaction_options_universal.max_read_amp, 4);
  for (const int right : {-1, 0, 9}) {
    ASSERT_OK(set(std::to_string(right)));
    EXPECT_EQ(db_->GetOptions().compaction_options_universal.max_read_amp,
              right);
    DBOptions db_options;
    std::vector<ColumnFamilyDescriptor> families;
    ASSERT_OK(
        LoadLatestOptions(ConfigOptions(), path_, &db_options, &families));
    EXPECT_EQ(families[0].options.compaction_options_universal.max_read_amp,
              right);
  }
}

// More runs stay while the limit allows it, and go when it is lowered.
TEST_F(DbUniversalTest, TheLimitCanBeLoweredOnAnOpenDatabase) {
  options_.compaction_options_universal.max_read_amp = 8;
  options_.compaction_options_universal.size_ratio = 0;
  options_.compaction_options_universal.max_size_amplification_percent = 9000;
  Open();
  // Each run is larger than all newer ones: nothing is alike.
  for (int count = 256; count >= 4; count /= 4) {
    FlushRange(0, static_cast<uint64_t>(count), std::string(100, 'v'));
    FlushRange(0, static_cast<uint64_t>(count / 2), std::string(90, 'w'));
    WaitForCompactions();
  }
  EXPECT_GT(Runs(), 4);
  ASSERT_OK(
      db_->SetOptions({{"compaction_options_universal", "{max_read_amp=-1}"}}));
  WaitForCompactions();
  EXPECT_LE(Runs(), 4);
}

// Fault class 13: a limit that writers wait for is always worked down to.
TEST_F(DbUniversalTest, WritersNeverWaitForRunsThatNobodyMerges) {
  options_.level0_slowdown_writes_trigger = 4;
  options_.level0_stop_writes_trigger = 4;
  options_.compaction_options_universal.max_read_amp = 30;
  options_.compaction_options_universal.min_merge_width = 9;
  options_.compaction_options_universal.max_size_amplification_percent = 9000;
  Open();
  for (int i = 0; i < 12; ++i) {
    FlushRange(0, 20, std::string(100, static_cast<char>('a' + i)));
  }
  WaitForCompactions();
  EXPECT_LT(Runs(), 4);
}

TEST_F(DbUniversalTest, ATombstoneGoesOnlyWithWhatItHides) {
  options_.disable_auto_compactions = true;
  Open();
  FlushRange(0, 100, "old");
  ASSERT_OK(CompactAll());
  ASSERT_OK(Delete(Key(5)));
  ASSERT_OK(Flush());
  FlushRange(200, 10, "new");
  // The two newest runs become one; the oldest stays out of it.
  ASSERT_OK(db_->SetOptions({{"disable_auto_compactions", "false"},
                             {"level0_file_num_compaction_trigger", "2"}}));
  WaitForCompactions();
  EXPECT_EQ(Get(Key(5)), "NOT_FOUND");
  ASSERT_OK(CompactAll(true));
  EXPECT_EQ(Get(Key(5)), "NOT_FOUND");
  EXPECT_EQ(Get(Key(6)), "old");
}

TEST_F(DbUniversalTest, CompactRangeGoesToTheLevelThatIsAskedFor) {
  Open();
  FlushRange(0, 10, "v");
  CompactRangeOptions options;
  options.change_level = true;
  options.target_level = 2;
  ASSERT_OK(db_->CompactRange(options, nullptr, nullptr));
  EXPECT_EQ(FilesAt(2), 1);
  EXPECT_EQ(Runs(), 1);
  EXPECT_EQ(Get(Key(3)), "v");
}

TEST_F(DbUniversalTest, CompactFilesTellsWhatItMade) {
  options_.disable_auto_compactions = true;
  Open();
  FlushRange(0, 10, "a");
  FlushRange(5, 10, "b");
  FlushRange(7, 10, "c");
  std::vector<LiveFileMetaData> files;
  db_->GetLiveFilesMetaData(&files);
  std::sort(files.begin(), files.end(), [](const auto& a, const auto& b) {
    return a.file_number > b.file_number;
  });
  ASSERT_EQ(files.size(), 3u);
  std::vector<std::string> made;
  CompactionJobInfo info;
  ASSERT_OK(db_->CompactFiles(CompactionOptions(), db_->DefaultColumnFamily(),
                              {files[0].name, files[1].name}, 0, -1, &made,
                              &info));
  EXPECT_EQ(FilesAt(0), 2);
  ASSERT_EQ(made.size(), 1u);
  EXPECT_EQ(info.output_files, made);
  EXPECT_EQ(info.input_files.size(), 2u);
  EXPECT_EQ(info.output_level, 0);
  EXPECT_EQ(info.stats.num_input_files, 2u);
  EXPECT_TRUE(info.status.ok());
  files.clear();
  db_->GetLiveFilesMetaData(&files);
  EXPECT_TRUE(std::any_of(files.begin(), files.end(), [&](const auto& file) {
    return made[0].ends_with(file.relative_filename);
  }));
  EXPECT_EQ(Get(Key(8)), "c");
  // What fails tells nothing new.
  std::vector<std::string> untouched = {"as before"};
  EXPECT_TRUE(db_->CompactFiles(CompactionOptions(), db_->DefaultColumnFamily(),
                                {"999999.sst"}, 0, -1, &untouched, nullptr)
                  .IsInvalidArgument());
  EXPECT_EQ(untouched, std::vector<std::string>{"as before"});
  EXPECT_TRUE(db_->CompactFiles(CompactionOptions(), db_->DefaultColumnFamily(),
                                {made[0]}, 1, 7)
                  .IsInvalidArgument());
}

TEST_F(DbUniversalTest, FilesThatDoNotOverlapAreMoved) {
  options_.compaction_options_universal.allow_trivial_move = true;
  options_.statistics = CreateDBStatistics();
  Open();
  for (uint64_t i = 0; i < 4; ++i) FlushRange(i * 100, 10, "v");
  WaitForCompactions();
  EXPECT_EQ(FilesAt(4), 4);
  EXPECT_EQ(options_.statistics->getTickerCount(COMPACT_WRITE_BYTES), 0u);
  for (uint64_t i = 0; i < 4; ++i) EXPECT_EQ(Get(Key(i * 100 + 3)), "v");
  Reopen();
  EXPECT_EQ(Get(Key(103)), "v");
}

TEST_F(DbUniversalTest, SubcompactionsShareALargeMerge) {
  options_.max_subcompactions = 4;
  options_.disable_auto_compactions = true;
  Open();
  for (int i = 0; i < 5; ++i) {
    FlushRange(0, 1000, std::string(100, static_cast<char>('a' + i)));
  }
  ASSERT_OK(CompactAll());
  EXPECT_GT(FilesAt(4), 2);
  EXPECT_EQ(Get(Key(777)), std::string(100, 'e'));
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

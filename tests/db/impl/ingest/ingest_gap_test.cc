// Ingested files that fall between two keys of the tables that are there.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "db/ingest/gap_survey.h"
#include "tests/db/impl/damage.h"
#include "tests/db/impl/ingest_fixture.h"
#include "utilities/fault_injection/fault_injection_fs.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class IngestGapTest : public IngestFixture {
 protected:
  // A table of level 0 with keys on both sides of the gap from 10 to 79.
  void MakeTable(const std::string& value = "old") {
    for (int i = 0; i < 90; ++i) {
      if (i < 10 || i >= 80) ASSERT_OK(Put(Key(i), value));
    }
    ASSERT_OK(Flush());
  }
  static IngestExternalFileOptions Strict() {
    IngestExternalFileOptions options;
    options.allow_global_seqno = false;
    options.fail_if_not_bottommost_level = true;
    return options;
  }
  // "level@largest sequence" of the tables that hold `key` in their range.
  std::string PlaceOf(const std::string& key, size_t entry_count) {
    std::string text;
    for (const LiveFileMetaData& file : Tables()) {
      if (file.num_entries != entry_count || file.smallestkey > key ||
          file.largestkey < key) {
        continue;
      }
      text += std::to_string(file.level) + "@" +
              std::to_string(file.largest_seqno) + " ";
    }
    return text;
  }
  size_t Count() {
    const std::unique_ptr<Iterator> it(db_->NewIterator(ReadOptions()));
    size_t count = 0;
    for (it->SeekToFirst(); it->Valid(); it->Next()) ++count;
    EXPECT_OK(it->status());
    return count;
  }
};

TEST_F(IngestGapTest, GoesBelowTheTable) {
  Open();
  MakeTable();
  const SequenceNumber before = db_->GetLatestSequenceNumber();
  ASSERT_OK(Ingest({MakeKeys(20, 24, "new")}, Strict()));
  EXPECT_EQ(PlaceOf(Key(22), 5), "3@0 ");
  EXPECT_EQ(db_->GetLatestSequenceNumber(), before);
  EXPECT_EQ(Get(Key(22)), "new");
  EXPECT_EQ(Get(Key(85)), "old");
  EXPECT_EQ(Count(), 25u);
  // Newer data, above it.
  ASSERT_OK(Put(Key(22), "newer"));
  ASSERT_OK(Flush());
  EXPECT_EQ(Get(Key(22)), "newer");
  ASSERT_OK(CompactAll(/*force=*/true));
  EXPECT_EQ(Get(Key(22)), "newer");
  EXPECT_EQ(Get(Key(23)), "new");
  EXPECT_EQ(Count(), 25u);
  Reopen();
  EXPECT_EQ(Count(), 25u);
}

TEST_F(IngestGapTest, NotIntoTheLevelItself) {
  Open();
  MakeTable();
  CompactRangeOptions down;
  down.change_level = true;
  down.target_level = 3;
  ASSERT_OK(db_->CompactRange(down, nullptr, nullptr));
  ASSERT_EQ(Levels(), "0,0,0,1");
  EXPECT_TRUE(Ingest({MakeKeys(20, 24, "new")}, Strict()).IsTryAgain());
  IngestExternalFileOptions options;
  options.allow_global_seqno = false;
  ASSERT_OK(Ingest({MakeKeys(20, 24, "new")}, options));
  EXPECT_EQ(PlaceOf(Key(22), 5), "2@0 ");
  EXPECT_EQ(Count(), 25u);
  // Into the gap of two levels: only one more level is free.
  ASSERT_OK(Ingest({MakeKeys(30, 34, "new")}, options));
  EXPECT_EQ(PlaceOf(Key(32), 5), "2@0 ");
  ASSERT_OK(Ingest({MakeKeys(26, 28, "new")}, options));
  EXPECT_EQ(PlaceOf(Key(27), 3), "2@0 ");
  EXPECT_EQ(Count(), 33u);
  ASSERT_OK(CompactAll(/*force=*/true));
  EXPECT_EQ(Count(), 33u);
}

TEST_F(IngestGapTest, OneKeyInTheGapIsInTheWay) {
  Open();
  MakeTable();
  ASSERT_OK(Put(Key(0), "v"));
  ASSERT_OK(Put(Key(24), "v"));
  ASSERT_OK(Put(Key(89), "v"));
  ASSERT_OK(Flush());
  EXPECT_TRUE(Ingest({MakeKeys(20, 24, "new")}, Strict()).IsTryAgain());
  ASSERT_OK(Ingest({MakeKeys(25, 30, "new")}, Strict()));
  EXPECT_EQ(PlaceOf(Key(25), 6), "3@0 ");
  ASSERT_OK(Ingest({MakeKeys(20, 24, "new")}));
  EXPECT_EQ(PlaceOf(Key(24), 5),
            "0@" + std::to_string(db_->GetLatestSequenceNumber()) + " ");
  EXPECT_EQ(Get(Key(24)), "new");
}

TEST_F(IngestGapTest, ADeletionIsInTheWay) {
  Open();
  MakeTable();
  ASSERT_OK(Put(Key(0), "v"));
  ASSERT_OK(Delete(Key(22)));
  ASSERT_OK(Put(Key(89), "v"));
  ASSERT_OK(Flush());
  EXPECT_TRUE(Ingest({MakeKeys(20, 24, "new")}, Strict()).IsTryAgain());
  ASSERT_OK(Ingest({MakeKeys(20, 24, "new")}));
  EXPECT_EQ(Get(Key(22)), "new");
}

// It deletes what the file brings, unless the file is newer.
TEST_F(IngestGapTest, ARangeTombstoneIsInTheWay) {
  Open();
  MakeTable();
  ASSERT_OK(db_->DeleteRange(WriteOptions(), db_->DefaultColumnFamily(), Key(5),
                             Key(23)));
  ASSERT_OK(Put(Key(89), "v"));
  ASSERT_OK(Flush());
  EXPECT_TRUE(Ingest({MakeKeys(20, 24, "new")}, Strict()).IsTryAgain());
  ASSERT_OK(Ingest({MakeKeys(23, 24, "new")}, Strict()));
  ASSERT_OK(Ingest({MakeKeys(20, 22, "new")}));
  for (int i = 20; i <= 24; ++i) EXPECT_EQ(Get(Key(i)), "new") << i;
  // Its own tombstones stand in other keys' way.
  const std::string path = Make([](SstFileWriter* writer) {
    EXPECT_OK(writer->DeleteRange(Key(60), Key(85)));
  });
  EXPECT_TRUE(Ingest({path}, Strict()).IsTryAgain());
}

TEST_F(IngestGapTest, EachFileByItself) {
  Open();
  MakeTable();
  ASSERT_OK(Ingest({MakeKeys(20, 24, "new"), MakeKeys(30, 31, "new"),
                    MakeKeys(80, 83, "new")}));
  EXPECT_EQ(PlaceOf(Key(22), 5), "3@0 ");
  EXPECT_EQ(PlaceOf(Key(30), 2), "3@0 ");
  EXPECT_EQ(PlaceOf(Key(80), 4)[0], '0');
  EXPECT_EQ(Get(Key(80)), "new");
  EXPECT_EQ(Count(), 27u);
}

TEST_F(IngestGapTest, MemtablesByTheirKeys) {
  Open();
  ASSERT_OK(Put(Key(0), "v"));
  ASSERT_OK(Put(Key(89), "v"));
  IngestExternalFileOptions options = Strict();
  options.allow_blocking_flush = false;
  ASSERT_OK(Ingest({MakeKeys(20, 24, "new")}, options));
  ASSERT_OK(Flush());
  EXPECT_EQ(PlaceOf(Key(22), 5), "3@0 ");
  EXPECT_EQ(Count(), 7u);
}

TEST_F(IngestGapTest, WithTimestamps) {
  options_.comparator = BytewiseComparatorWithU64Ts();
  options_.merge_operator = nullptr;
  Open();
  const std::string ts(8, '\1');
  for (int i : {0, 30, 89}) {
    ASSERT_OK(db_->Put(WriteOptions(), Key(i), ts, "old"));
  }
  ASSERT_OK(Flush());
  const auto make = [&](int key) {
    return Make([&](SstFileWriter* writer) {
      EXPECT_OK(writer->Put(Key(key), ts, "new"));
    });
  };
  EXPECT_FALSE(Ingest({make(30)}).ok());
  ASSERT_OK(Ingest({make(31)}, Strict()));
  EXPECT_EQ(Levels(), "1,0,0,1");
}

// A table that cannot be read may hold keys: the file goes above it.
TEST_F(IngestGapTest, WhatCannotBeReadIsInTheWay) {
  BlockBasedTableOptions table;
  table.no_block_cache = true;
  options_.table_factory.reset(NewBlockBasedTableFactory(table));
  Open();
  for (int i : {0, 30, 89}) {
    ASSERT_OK(Put(Key(i), std::string(5000, 'v')));
  }
  ASSERT_OK(Flush());
  const std::string path = path_ + Tables()[0].name;
  std::string bytes = ReadBytes(path);
  for (size_t at = 0; at < 15000; ++at) bytes[at] = '!';
  WriteBytes(path, bytes);
  ASSERT_OK(Ingest({MakeKeys(20, 24, "new")}));
  EXPECT_EQ(PlaceOf(Key(22), 5)[0], '0');
  EXPECT_EQ(Get(Key(22)), "new");
}

// What comes between the look and the choice counts as in the way.
TEST_F(IngestGapTest, OnlyWhatWasLookedInto) {
  Open();
  MakeTable();
  const InternalKeyComparator order(BytewiseComparator());
  VersionStorage storage(&order, 2);
  auto file = std::make_shared<FileMeta>();
  file->number = 7;
  file->smallest = InternalKey("a", 1, kTypeValue);
  file->largest = InternalKey("z", 1, kTypeValue);
  std::vector<std::vector<FileRef>> levels(2);
  levels[1].push_back(file);
  ASSERT_OK(storage.Build(std::move(levels), true));
  const GapSurvey survey(nullptr, false);
  EXPECT_TRUE(survey.HoldsKeys(storage, 1, 0, {"c", "d"}));
  EXPECT_FALSE(survey.HoldsKeys(storage, 0, 0, {"c", "d"}));
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

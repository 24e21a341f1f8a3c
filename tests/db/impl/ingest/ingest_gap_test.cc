// Ingested files that fall between two keys of the tables that are there. The
// cases are tests/testdata/databases/ingest/gap.txt, in the language of
// database_script.h, of databases with four levels, no compaction that nobody
// asks for, and operands that are joined by commas.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "db/ingest/gap_survey.h"
#include "tests/db/impl/damage.h"
#include "tests/db/impl/database_script.h"
#include "tests/db/impl/ingest_fixture.h"
#include "utilities/fault_injection/fault_injection_fs.h"

namespace ROCKSDB_NAMESPACE {
namespace {

TEST(IngestGapScript, EveryCase) {
  Options options = ScriptDatabase::Defaults();
  options.merge_operator = NewStringAppendOperator(",");
  options.level_compaction_dynamic_level_bytes = false;
  options.num_levels = 4;
  options.disable_auto_compactions = true;
  EXPECT_GE(RunDatabases("databases/ingest/gap.txt", options), 13u);
}

class IngestGapTest : public IngestFixture {
 protected:
  // A table of level 0 with keys on both sides of the gap from 10 to 79.
  void MakeTable(const std::string& value = "old") {
    for (int i = 0; i < 90; ++i) {
      if (i < 10 || i >= 80) ASSERT_OK(Put(Key(i), value));
    }
    ASSERT_OK(Flush());
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
};

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

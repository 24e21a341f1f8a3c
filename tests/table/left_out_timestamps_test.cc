// Files that leave out the timestamps of their keys: every kind of index and
// filter, and which files go with which family.
//
// Runs tests/testdata/sst/left_out_timestamps.txt, in the words of
// table_script.h, in every form of block-based tables.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "rocksdb/comparator.h"
#include "rocksdb/filter_policy.h"
#include "rocksdb/slice_transform.h"
#include "tests/table/table_fixture.h"
#include "tests/table/table_formats.h"
#include "tests/table/table_script.h"
#include "tests/testing/script.h"

namespace ROCKSDB_NAMESPACE {
namespace {

const std::string kOldest(8, '\0');
const std::string kNewest(8, '\xff');

void LeaveOut(TableFixture* fixture) {
  fixture->family.comparator = BytewiseComparatorWithU64Ts();
  fixture->family.persist_user_defined_timestamps = false;
}

std::vector<TableEntry> Stamped(std::vector<TableEntry> entries) {
  for (TableEntry& entry : entries) entry.user_key += kOldest;
  return entries;
}

class LeftOut : public ::testing::TestWithParam<TableFormat> {
 protected:
  LeftOut() {
    fixture_.table.block_size = 256;
    fixture_.table.filter_policy.reset(NewBloomFilterPolicy(10));
    GetParam().prepare(&fixture_);
    LeaveOut(&fixture_);
  }
  void CheckReads(const std::vector<TableEntry>& entries) {
    const std::string bytes = fixture_.Build(entries);
    std::unique_ptr<TableReader> reader;
    const Status s = fixture_.Open(bytes, &reader);
    ASSERT_TRUE(s.ok()) << s.ToString();
    EXPECT_EQ(reader->properties()->user_defined_timestamps_persisted, 0u);
    const ReadOptions read;
    const KeyValues expected = ToKeyValues(entries);
    const auto iterator = reader->NewIterator({.read_options = &read});
    ASSERT_EQ(ScanForward(iterator.get()), expected);
    ASSERT_EQ(ScanBackward(iterator.get()), expected);
    for (size_t i = 0; i < entries.size(); ++i) {
      const TableEntry& e = entries[i];
      const std::string given = e.user_key.substr(0, e.user_key.size() - 8);
      for (const std::string& ts : {kOldest, kNewest}) {
        const InternalKey target(given + ts, e.sequence, e.type);
        iterator->Seek(target.Encode());
        ASSERT_TRUE(iterator->Valid());
        const bool is_first = i == 0 || entries[i - 1].user_key != e.user_key;
        if (ts == kOldest || is_first) {
          ASSERT_EQ(iterator->key(), Slice(expected[i].first));
        }
      }
      ASSERT_EQ(fixture_.Get(*reader, given + kOldest, e.sequence),
                "=" + e.value);
    }
    EXPECT_EQ(fixture_.Get(*reader, "key" + kNewest), "none");
    ASSERT_TRUE(reader->VerifyChecksum(read, nullptr).ok());
  }

  TableFixture fixture_;
};

TEST_P(LeftOut, ManyKeys) { CheckReads(Stamped(NumberedEntries(700))); }

TEST_P(LeftOut, VersionsOfOneKeyOverManyBlocks) {
  fixture_.table.block_size = fixture_.table.block_align ? 32 : 16;
  std::vector<TableEntry> entries = {{"a0000000", "first", 500}};
  for (SequenceNumber s = 400; s > 300; --s) {
    entries.push_back({"k0000000", "v" + std::to_string(s), s});
  }
  entries.push_back({"z0000000", "last", 5});
  CheckReads(Stamped(entries));
  EXPECT_EQ(fixture_.built_properties.index_key_is_user_key, 0u);
}

INSTANTIATE_TEST_SUITE_P(Formats, LeftOut, ::testing::ValuesIn(TableFormats()),
                         [](const auto& info) {
                           return std::string(info.param.name);
                         });

TEST(LeftOutTimestamps, NoByteOfThemIsInTheFile) {
  TableFixture with, without;
  LeaveOut(&with);
  const std::vector<TableEntry> entries = NumberedEntries(300);
  with.tombstones = {{"x" + kOldest, "z" + kOldest, 9}};
  without.tombstones = {{"x", "z", 9}};
  for (TableFixture* f : {&with, &without}) {
    f->table.block_size = 256;
    f->table.index_shortening =
        BlockBasedTableOptions::IndexShorteningMode::kNoShortening;
  }
  with.Build(Stamped(entries));
  without.Build(entries);
  const TableProperties& p = with.built_properties;
  const TableProperties& q = without.built_properties;
  EXPECT_EQ(p.raw_key_size, q.raw_key_size);
  EXPECT_EQ(p.raw_value_size, q.raw_value_size);
  EXPECT_EQ(p.data_size, q.data_size);
  EXPECT_EQ(p.index_size, q.index_size);
  EXPECT_EQ(p.user_collected_properties.count("rocksdb.timestamp_min"), 0u);
}

TEST(LeftOutTimestamps, EveryCaseOfTheScript) {
  std::vector<TableForm> forms = {{"Default", [](TableFixture*) {}}};
  for (const TableFormat& format : TableFormats()) {
    forms.push_back({format.name, format.prepare});
  }
  const auto run = [&forms](const ScriptCase& c) {
    return TableScript::Answers(c, forms);
  };
  EXPECT_GE(RunScript("sst/left_out_timestamps.txt", run), 16u)
      << "cases went missing";
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

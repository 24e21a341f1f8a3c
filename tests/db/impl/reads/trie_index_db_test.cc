// Databases whose tables have a trie beside the built-in index: every form of
// read by it, over flushes, compactions and openings.
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/convenience.h"
#include "rocksdb/multi_scan.h"
#include "rocksdb/table.h"
#include "rocksdb/user_defined_index.h"
#include "tests/db/impl/families_fixture.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class TrieIndexDbTest : public FamiliesFixture,
                        public testing::WithParamInterface<bool> {
 protected:
  TrieIndexDbTest() {
    ConfigOptions config;
    config.ignore_unsupported_options = false;
    EXPECT_OK(UserDefinedIndexFactory::CreateFromString(config, "trie_index",
                                                        &factory_));
    BlockBasedTableOptions table;
    table.block_size = 256;
    table.user_defined_index_factory = factory_;
    table.use_udi_as_primary_index = GetParam();
    options_.table_factory.reset(NewBlockBasedTableFactory(table));
    options_.disable_auto_compactions = true;
    if (!GetParam()) read_.table_index_factory = factory_.get();
  }

  void CheckAll(const std::map<std::string, std::string>& model) {
    const std::unique_ptr<Iterator> it(db_->NewIterator(read_));
    auto expected = model.begin();
    for (it->SeekToFirst(); it->Valid(); it->Next(), ++expected) {
      ASSERT_NE(expected, model.end());
      ASSERT_EQ(expected->first, it->key());
      ASSERT_EQ(expected->second, it->value());
    }
    ASSERT_OK(it->status());
    ASSERT_EQ(expected, model.end());
    auto back = model.rbegin();
    for (it->SeekToLast(); it->Valid(); it->Prev(), ++back) {
      ASSERT_NE(back, model.rend());
      ASSERT_EQ(back->first, it->key());
    }
    ASSERT_OK(it->status());
    ASSERT_EQ(back, model.rend());
    std::vector<std::string> keys;
    for (int i = 0; i < 400; i += 7) keys.push_back(NumberedKey(i));
    const std::vector<Slice> slices(keys.begin(), keys.end());
    std::vector<std::string> values;
    const std::vector<Status> statuses = db_->MultiGet(read_, slices, &values);
    for (size_t i = 0; i < keys.size(); ++i) {
      const auto found = model.find(keys[i]);
      ASSERT_EQ(found == model.end(), statuses[i].IsNotFound()) << keys[i];
      std::string value;
      const Status s = db_->Get(read_, keys[i], &value);
      ASSERT_EQ(found == model.end(), s.IsNotFound()) << keys[i];
      if (found == model.end()) continue;
      ASSERT_EQ(found->second, values[i]);
      ASSERT_EQ(found->second, value);
    }
  }
  void CheckScan(const std::map<std::string, std::string>& model) {
    MultiScanArgs ranges;
    ranges.insert(Slice("key00010"), Slice("key00040"));
    ranges.insert(Slice("key00100"), Slice("key00101"));
    const std::unique_ptr<MultiScan> scan =
        db_->NewMultiScan(read_, db_->DefaultColumnFamily(), ranges);
    auto expected = model.lower_bound("key00010");
    size_t number = 0;
    for (auto range : *scan) {
      for (auto entry : range) {
        ASSERT_EQ(expected->first, entry.first);
        ASSERT_EQ(expected->second, entry.second);
        ++expected;
      }
      if (number++ == 0) {
        ASSERT_EQ(expected, model.lower_bound("key00040"));
        expected = model.lower_bound("key00100");
      }
    }
    ASSERT_EQ(expected, model.lower_bound("key00101"));
  }
  static std::string NumberedKey(int i) {
    const std::string digits = std::to_string(100000 + i);
    return "key" + digits.substr(1);
  }

  std::shared_ptr<UserDefinedIndexFactory> factory_;
  ReadOptions read_;
};

TEST_P(TrieIndexDbTest, EveryReadFindsWhatWasWritten) {
  OpenFamilies({"default"});
  Random64 random(GetParam() ? 1 : 2);
  std::map<std::string, std::string> model;
  std::vector<const Snapshot*> snapshots;
  for (int round = 0; round < 6; ++round) {
    for (int i = 0; i < 300; ++i) {
      const std::string key =
          NumberedKey(static_cast<int>(random.Uniform(400)));
      if (random.OneIn(4)) {
        ASSERT_OK(db_->Delete(WriteOptions(), key));
        model.erase(key);
      } else {
        model[key] = "value " + std::to_string(random.Next());
        ASSERT_OK(Put(key, model[key]));
      }
      // Many versions of one key, in several blocks.
      if (i % 3 == 0) snapshots.push_back(db_->GetSnapshot());
    }
    ASSERT_OK(Flush());
    ASSERT_NO_FATAL_FAILURE(CheckAll(model));
    ASSERT_NO_FATAL_FAILURE(CheckScan(model));
    if (round % 2 == 1) {
      ASSERT_OK(db_->CompactRange(CompactRangeOptions(), nullptr, nullptr));
      ASSERT_NO_FATAL_FAILURE(CheckAll(model));
    }
  }
  for (const Snapshot* snapshot : snapshots) db_->ReleaseSnapshot(snapshot);
  OpenFamilies({"default"});
  ASSERT_NO_FATAL_FAILURE(CheckAll(model));
}

INSTANTIATE_TEST_SUITE_P(SecondOrPrimary, TrieIndexDbTest, testing::Bool());

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

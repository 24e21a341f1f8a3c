// Filters of table files for scans of a range: never over a key of the range,
// by random keys and bounds; over files without one; what is refused.
//
// testdata/utilities/query_filters.txt has, for keys that are cut into
// segments:
//
//   filter segments:LENGTH,.. select:SEGMENTS [reverse] [categories]
//   KEY..                 the keys of a file
//   ? LOWER UPPER         whether it may hold keys from one to the other, which
//                         is left out; with "categories", c.. is of another
//                         category, and e.. cannot be cut
//
//   ends LENGTH,.. KEY    where the segments of a key end
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/comparator.h"
#include "rocksdb/db.h"
#include "rocksdb/experimental.h"
#include "tests/testing/script.h"
#include "tests/testing/script_calls.h"
#include "tests/testing/temp_dir.h"
#include "util/random.h"
#include "util/string_util.h"

namespace ROCKSDB_NAMESPACE {
namespace experimental {
namespace {

using Manager = SstQueryFilterConfigsManager;
using Categories = KeySegmentsExtractor::KeyCategorySet;

// Capped segments, with a category by the first letter.
class CategoryExtractor final : public KeySegmentsExtractor {
 public:
  const char* Name() const override { return "CategoryExtractor"; }
  void Extract(const Slice& key, KeyKind kind, Result* result) const override {
    capped_->Extract(key, kind, result);
    if (key.starts_with("c")) result->category = static_cast<KeyCategory>(1);
    if (key.starts_with("e")) result->category = kErrorCategoryFileScope;
  }

 private:
  const std::shared_ptr<const KeySegmentsExtractor> capped_ =
      MakeSharedCappedKeySegmentsExtractor({1, 2});
};

std::shared_ptr<Manager::Factory> MakeFilterFactory(
    const SstQueryFilterConfigs& configs) {
  std::shared_ptr<Manager> manager;
  Status s = Manager::MakeShared({{1, {{"f", configs}}}}, &manager);
  EXPECT_TRUE(s.ok()) << s.ToString();
  std::shared_ptr<Manager::Factory> factory;
  EXPECT_TRUE(manager->MakeSharedFactory("f", 1, &factory).ok());
  return factory;
}

// The properties of a file with these keys.
TableProperties FileWith(Manager::Factory* factory,
                         const std::vector<std::string>& keys,
                         const Comparator* order = BytewiseComparator()) {
  TableProperties file;
  file.comparator_name = order->Name();
  const std::unique_ptr<TablePropertiesCollector> collector(
      factory->CreateTablePropertiesCollector({}));
  if (collector == nullptr) return file;
  for (const std::string& key : keys) {
    EXPECT_TRUE(collector->AddUserKey(key, "", kEntryPut, 1, 1).ok());
  }
  EXPECT_TRUE(collector->Finish(&file.user_collected_properties).ok());
  return file;
}

bool MayHold(const Manager::Factory& factory, const TableProperties& file,
             const std::string& lower, const std::string& upper) {
  return factory.GetTableFilterForRangeQuery(lower, upper)(file);
}

SstQueryFilterConfigs SegmentConfigs(uint16_t segment) {
  SstQueryFilterConfigs configs;
  configs.extractor = MakeSharedCappedKeySegmentsExtractor({1, 2});
  configs.filters = {MakeSharedBytewiseMinMaxSQFC(SelectKeySegment(segment))};
  return configs;
}

std::vector<size_t> LengthsIn(const std::string& text) {
  std::vector<size_t> lengths;
  for (const std::string& one : SplitString(text, ',')) {
    lengths.push_back(std::stoull(one));
  }
  return lengths;
}
// whole, N or FIRST-LAST
FilterInput SelectionOf(const std::string& text) {
  if (text == "whole") return SelectWholeKey();
  const auto first = static_cast<uint8_t>(std::stoi(text));
  const size_t dash = text.find('-');
  if (dash == std::string::npos) return SelectKeySegment(first);
  return SelectKeySegmentRange(
      first, static_cast<uint8_t>(std::stoi(text.substr(dash + 1))));
}

std::string RunFilterCase(const ScriptCase& c) {
  const ScriptWords command(c.command);
  if (command.verb() == "ends") {
    return AnswerCalls(
        c, {{"ends", [](const CallArguments& a) {
               const auto extractor =
                   MakeSharedCappedKeySegmentsExtractor(LengthsIn(a[0]));
               KeySegmentsExtractor::Result result;
               extractor->Extract(a[1], KeySegmentsExtractor::kFullUserKey,
                                  &result);
               std::string text = extractor->GetId() + " ends";
               for (const uint32_t end : result.segment_ends) {
                 text += " " + std::to_string(end);
               }
               return text;
             }}});
  }
  const FilterInput select = SelectionOf(command.Text("select", "whole"));
  const bool is_reverse = command.HasWord("reverse");
  const bool has_categories = command.HasWord("categories");
  SstQueryFilterConfigs configs;
  configs.extractor = MakeSharedCappedKeySegmentsExtractor(
      LengthsIn(command.Text("segments", "")));
  if (has_categories) configs.extractor = std::make_shared<CategoryExtractor>();
  const Categories all = Categories::All();
  const Categories plain(KeySegmentsExtractor::kDefaultCategory);
  const Categories& categories = has_categories ? plain : all;
  configs.filters = {
      is_reverse ? MakeSharedReverseBytewiseMinMaxSQFC(select, categories)
                 : MakeSharedBytewiseMinMaxSQFC(select, categories)};
  const auto factory = MakeFilterFactory(configs);
  const Comparator* const order =
      is_reverse ? ReverseBytewiseComparator() : BytewiseComparator();
  TableProperties file;
  std::string text;
  for (const std::string& line : LinesOf(c.body)) {
    CallArguments words;
    words.Append(line);
    if (words.size() == 0 || words[0] != "?") {
      file = FileWith(factory.get(), words.all(), order);
    } else {
      text += MayHold(*factory, file, words[1], words[2]) ? "may\n" : "no\n";
    }
  }
  return text;
}

TEST(QueryFiltersTest, CasesOfTheScript) {
  EXPECT_GE(RunScript("utilities/query_filters.txt", RunFilterCase), 11u)
      << "cases went missing";
}

TEST(QueryFiltersTest, NoKeyOfTheRangeIsPassedOver) {
  Random64 random(4711);
  const auto random_key = [&random] {
    std::string key;
    for (uint64_t n = random.Uniform(6); n > 0; --n) {
      key.push_back(static_cast<char>('a' + random.Uniform(3)));
    }
    return key;
  };
  int passed_over = 0;
  for (int round = 0; round < 4000; ++round) {
    SCOPED_TRACE(round);
    const bool is_reverse = random.OneIn(2);
    const Comparator* const order =
        is_reverse ? ReverseBytewiseComparator() : BytewiseComparator();
    SstQueryFilterConfigs configs;
    std::vector<size_t> widths;
    for (uint64_t n = 1 + random.Uniform(3); n > 0; --n) {
      widths.push_back(1 + random.Uniform(3));
    }
    configs.extractor = MakeSharedCappedKeySegmentsExtractor(widths);
    const auto first = static_cast<uint8_t>(random.Uniform(3));
    const FilterInput selects[] = {
        SelectWholeKey(), SelectKeySegment(first),
        SelectKeySegmentRange(first,
                              static_cast<uint8_t>(first + random.Uniform(2)))};
    const FilterInput& select = selects[random.Uniform(3)];
    configs.filters = {is_reverse ? MakeSharedReverseBytewiseMinMaxSQFC(select)
                                  : MakeSharedBytewiseMinMaxSQFC(select)};
    const auto factory = MakeFilterFactory(configs);
    std::vector<std::string> keys;
    for (uint64_t n = random.Uniform(4); n > 0; --n) {
      keys.push_back(random_key());
    }
    const TableProperties file = FileWith(factory.get(), keys, order);
    for (int i = 0; i < 10; ++i) {
      const std::string lower = random_key(), upper = random_key();
      const bool holds =
          std::any_of(keys.begin(), keys.end(), [&](const std::string& key) {
            return order->Compare(lower, key) <= 0 &&
                   order->Compare(key, upper) < 0;
          });
      const bool may_hold = MayHold(*factory, file, lower, upper);
      ASSERT_TRUE(may_hold || !holds) << lower << " " << upper;
      if (!may_hold) ++passed_over;
    }
  }
  EXPECT_GT(passed_over, 4000);
}

TEST(QueryFiltersTest, WhatIsNotKnownIsNotPassedOver) {
  const auto factory = MakeFilterFactory(SegmentConfigs(0));
  const TableProperties good = FileWith(factory.get(), {"b"});
  ASSERT_FALSE(MayHold(*factory, good, "c", "d"));
  EXPECT_TRUE(MayHold(*factory, TableProperties(), "c", "d"));
  TableProperties file = good;
  file.num_range_deletions = 1;
  EXPECT_TRUE(MayHold(*factory, file, "c", "d"));
  for (const char* name : {"leveldb.BytewiseComparator.u64ts",
                           "rocksdb.ReverseBytewiseComparator", "mine"}) {
    file = good;
    file.comparator_name = name;
    EXPECT_TRUE(MayHold(*factory, file, "c", "d")) << name;
  }
  std::string& stored = file.user_collected_properties["basalt.sqfc"];
  file.comparator_name = good.comparator_name;
  const std::string whole = stored;
  ASSERT_FALSE(MayHold(*factory, file, "c", "d"));
  for (size_t length = 0; length < whole.size(); ++length) {
    stored = whole.substr(0, length);
    EXPECT_TRUE(MayHold(*factory, file, "c", "d")) << length;
  }
  // Another manager does not know the name of the file's configs.
  std::shared_ptr<Manager> other;
  ASSERT_TRUE(
      Manager::MakeShared({{1, {{"g", SegmentConfigs(0)}}}}, &other).ok());
  std::shared_ptr<Manager::Factory> reader;
  ASSERT_TRUE(other->MakeSharedFactory("g", 1, &reader).ok());
  EXPECT_TRUE(MayHold(*reader, good, "c", "d"));
}

TEST(QueryFiltersTest, VersionsOfConfigs) {
  const SstQueryFilterConfigs one = SegmentConfigs(0), two = SegmentConfigs(1);
  std::shared_ptr<Manager> manager;
  ASSERT_TRUE(
      Manager::MakeShared(
          {{3, {{"a", one}, {"b", one}}}, {5, {{"a", two}}}, {8, {}}}, &manager)
          .ok());
  std::shared_ptr<Manager::Factory> factory;
  EXPECT_TRUE(manager->MakeSharedFactory("a", 2, &factory).IsInvalidArgument());
  EXPECT_TRUE(manager->MakeSharedFactory("a", 9, &factory).IsInvalidArgument());
  EXPECT_EQ(nullptr, factory);
  ASSERT_TRUE(manager->MakeSharedFactory("a", 4, &factory).ok());
  EXPECT_EQ("a", factory->GetConfigsName());
  EXPECT_EQ(one.filters, factory->GetConfigs().filters);
  const TableProperties old_file = FileWith(factory.get(), {"b50"});
  ASSERT_TRUE(factory->SetFilteringVersion(8).ok());
  EXPECT_EQ(8u, factory->GetFilteringVersion());
  EXPECT_EQ(two.filters, factory->GetConfigs().filters);
  EXPECT_TRUE(factory->SetFilteringVersion(9).IsInvalidArgument());
  EXPECT_EQ(8u, factory->GetFilteringVersion());
  // Files of before are read as they were written.
  EXPECT_FALSE(MayHold(*factory, old_file, "c", "d"));
  EXPECT_TRUE(MayHold(*factory, old_file, "b10", "b20"));
  const TableProperties new_file = FileWith(factory.get(), {"b50"});
  EXPECT_FALSE(MayHold(*factory, new_file, "b10", "b20"));

  ASSERT_TRUE(manager->MakeSharedFactory("none", 5, &factory).ok());
  EXPECT_TRUE(factory->GetConfigs().IsEmptyNotFound());
  EXPECT_EQ(nullptr, factory->CreateTablePropertiesCollector({}));
}

TEST(QueryFiltersTest, ConfigsThatAreRefused) {
  std::shared_ptr<Manager> manager;
  const SstQueryFilterConfigs good = SegmentConfigs(0);
  EXPECT_TRUE(
      Manager::MakeShared({{2, {}}, {2, {}}}, &manager).IsInvalidArgument());
  EXPECT_TRUE(Manager::MakeShared({{1, {{"a", good}, {"a", good}}}}, &manager)
                  .IsInvalidArgument());
  SstQueryFilterConfigs bad = good;
  bad.filters.push_back(nullptr);
  EXPECT_TRUE(
      Manager::MakeShared({{1, {{"a", bad}}}}, &manager).IsInvalidArgument());
  bad = good;
  bad.extractor = nullptr;
  EXPECT_TRUE(
      Manager::MakeShared({{1, {{"a", bad}}}}, &manager).IsInvalidArgument());
  bad = good;
  bad.filters = {MakeSharedBytewiseMinMaxSQFC(SelectKeySegmentRange(2, 1))};
  EXPECT_TRUE(
      Manager::MakeShared({{1, {{"a", bad}}}}, &manager).IsInvalidArgument());
  for (const FilterInput& select :
       {FilterInput(SelectLegacyKeyPrefix()), FilterInput(SelectColumnName()),
        FilterInput(SelectUserTimestamp())}) {
    bad.filters = {MakeSharedBytewiseMinMaxSQFC(select)};
    EXPECT_TRUE(
        Manager::MakeShared({{1, {{"a", bad}}}}, &manager).IsNotSupported());
  }
  EXPECT_EQ(nullptr, manager);
  EXPECT_TRUE(
      UpdateManifestForFilesState(DBOptions(), "db", {}).IsNotSupported());
}

// Scans of a database read the tables that may have something, and no others.
TEST(QueryFiltersTest, ScansPassTablesOver) {
  const TempDir directory("query_filters");
  const auto factory = MakeFilterFactory(SegmentConfigs(1));
  Options options;
  options.create_if_missing = true;
  options.disable_auto_compactions = true;
  options.table_properties_collector_factories = {factory};
  std::unique_ptr<DB> db;
  ASSERT_TRUE(DB::Open(options, directory.path() + "/db", &db).ok());
  // Each table has all first segments, and some of the second ones.
  for (int table = 0; table < 5; ++table) {
    for (const char first : {'a', 'b', 'c'}) {
      for (int i = 0; i < 10; ++i) {
        const std::string key = first + std::to_string(10 + table * 10 + i);
        ASSERT_TRUE(db->Put(WriteOptions(), key, "v").ok());
      }
    }
    ASSERT_TRUE(db->Flush(FlushOptions()).ok());
  }
  const auto scan = [&](const Slice& lower, const Slice& upper, int* read) {
    const auto filter = factory->GetTableFilterForRangeQuery(lower, upper);
    ReadOptions options_of_scan;
    const std::function<bool(const TableProperties&)> counted =
        [&](const TableProperties& file) {
          const bool may_hold = filter(file);
          if (may_hold) ++*read;
          return may_hold;
        };
    options_of_scan.table_filter = &counted;
    options_of_scan.iterate_lower_bound = &lower;
    options_of_scan.iterate_upper_bound = &upper;
    const std::unique_ptr<Iterator> it(db->NewIterator(options_of_scan));
    int count = 0;
    for (it->SeekToFirst(); it->Valid(); it->Next()) ++count;
    EXPECT_TRUE(it->status().ok());
    return count;
  };
  int read = 0;
  EXPECT_EQ(10, scan("b25", "b35", &read));
  EXPECT_EQ(2, read);
  read = 0;
  EXPECT_EQ(0, scan("b80", "b90", &read));
  EXPECT_EQ(0, read);
  read = 0;
  EXPECT_EQ(50 + 5, scan("b10", "c15", &read));
  EXPECT_EQ(5, read);
}

}  // namespace
}  // namespace experimental
}  // namespace ROCKSDB_NAMESPACE

// Collectors that mark files with data for the last level.
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "rocksdb/convenience.h"
#include "rocksdb/utilities/table_properties_collectors.h"
#include "util/coding.h"

namespace ROCKSDB_NAMESPACE {
namespace {

using Factory = CompactForTieringCollectorFactory;

TablePropertiesCollectorFactory::Context TieringContext(
    SequenceNumber threshold, int level = 2) {
  TablePropertiesCollectorFactory::Context context;
  context.level_at_creation = level;
  context.num_levels = 7;
  context.last_level_inclusive_max_seqno_threshold = threshold;
  return context;
}

struct TieringOutcome {
  bool is_marked = false;
  std::string old_entries = "none";
};

TieringOutcome TieringOf(double ratio, SequenceNumber threshold) {
  Factory factory(ratio);
  const std::unique_ptr<TablePropertiesCollector> collector(
      factory.CreateTablePropertiesCollector(TieringContext(threshold)));
  if (collector == nullptr) return {false, "no collector"};
  for (SequenceNumber sequence = 1; sequence <= 10; ++sequence) {
    EXPECT_TRUE(collector->AddUserKey("k", "v", kEntryPut, sequence, 100).ok());
  }
  UserCollectedProperties properties;
  EXPECT_TRUE(collector->Finish(&properties).ok());
  TieringOutcome outcome;
  outcome.is_marked = collector->NeedCompact();
  for (const auto& [name, value] : properties) {
    EXPECT_EQ("rocksdb.eligible.last.level.entries", name);
    outcome.old_entries = value;
  }
  return outcome;
}

TEST(CompactForTieringTest, AShareOfOldEntriesMarksAFile) {
  EXPECT_EQ("5", TieringOf(0.5, 6).old_entries);
  EXPECT_TRUE(TieringOf(0.5, 6).is_marked);
  EXPECT_EQ("4", TieringOf(0.5, 5).old_entries);
  EXPECT_FALSE(TieringOf(0.5, 5).is_marked);
  EXPECT_EQ("none", TieringOf(0.5, 1).old_entries);
  EXPECT_FALSE(TieringOf(0.5, 1).is_marked);
  // The property alone.
  EXPECT_EQ("10", TieringOf(1.1, 100).old_entries);
  EXPECT_FALSE(TieringOf(1.1, 100).is_marked);
}

TEST(CompactForTieringTest, WhereNothingIsToBeMarked) {
  EXPECT_EQ("no collector", TieringOf(0, 6).old_entries);
  EXPECT_EQ("no collector", TieringOf(-1, 6).old_entries);
  Factory factory(0.5);
  EXPECT_EQ(nullptr, factory.CreateTablePropertiesCollector({}));
  EXPECT_EQ(nullptr, factory.CreateTablePropertiesCollector(
                         TieringContext(6, /*level=*/6)));
}

// A value with a time counts by that.
TEST(CompactForTieringTest, TimedValuesCountByTheirTime) {
  Factory factory(0.5);
  const std::unique_ptr<TablePropertiesCollector> collector(
      factory.CreateTablePropertiesCollector(TieringContext(6)));
  ASSERT_NE(nullptr, collector);
  std::string value = "v";
  PutFixed64(&value, 3);
  ASSERT_TRUE(collector->AddUserKey("k", value, kEntryTimedPut, 9, 1).ok());
  ASSERT_TRUE(collector->AddUserKey("k", value, kEntryPut, 9, 1).ok());
  ASSERT_TRUE(collector->AddUserKey("k", "short", kEntryTimedPut, 9, 1).ok());
  UserCollectedProperties properties;
  ASSERT_TRUE(collector->Finish(&properties).ok());
  EXPECT_EQ("1", properties["rocksdb.eligible.last.level.entries"]);
}

TEST(CompactForTieringTest, InText) {
  ConfigOptions config;
  config.ignore_unsupported_options = false;
  std::shared_ptr<TablePropertiesCollectorFactory> factory;
  const auto make = [&](const std::string& text) {
    return TablePropertiesCollectorFactory::CreateFromString(config, text,
                                                             &factory);
  };
  ASSERT_TRUE(make("CompactForTieringCollector").ok());
  EXPECT_EQ(nullptr,
            factory->CreateTablePropertiesCollector(TieringContext(6)));
  ASSERT_TRUE(
      make("{id=CompactForTieringCollector;compaction_trigger_ratio=0.25}")
          .ok());
  EXPECT_EQ(0.25, static_cast<Factory&>(*factory).GetCompactionTriggerRatio());
  std::string text;
  ASSERT_TRUE(factory->GetOptionString(config, &text).ok());
  EXPECT_NE(std::string::npos, text.find("compaction_trigger_ratio=0.25"));
  EXPECT_FALSE(
      make("{id=CompactForTieringCollector;compaction_trigger_ratio=x}").ok());
  EXPECT_FALSE(make("{id=CompactForTieringCollector;ratio=1}").ok());

  ASSERT_TRUE(make("{id=CompactOnDeletionCollector;window_size=8;"
                   "deletion_trigger=3;deletion_ratio=0.5;min_file_size=9}")
                  .ok());
  const auto& deletions =
      static_cast<CompactOnDeletionCollectorFactory&>(*factory);
  EXPECT_EQ(8u, deletions.GetWindowSize());
  EXPECT_EQ(3u, deletions.GetDeletionTrigger());
  EXPECT_EQ(0.5, deletions.GetDeletionRatio());
  EXPECT_EQ(9u, deletions.GetMinFileSize());
  ASSERT_TRUE(factory->GetOptionString(config, &text).ok());
  EXPECT_NE(std::string::npos, text.find("window_size=8;deletion_trigger=3;"));
  EXPECT_FALSE(make("{id=CompactOnDeletionCollector;window_size=x}").ok());
}

TEST(CompactForTieringTest, WriteTimesAreNotSupported) {
  std::unique_ptr<DataCollectionUnixWriteTimeInfo> info;
  EXPECT_TRUE(GetDataCollectionUnixWriteTimeInfoForFile(nullptr, &info)
                  .IsNotSupported());
  DataCollectionUnixWriteTimeInfo some(1, 5, 3, 2, 4, 2);
  EXPECT_FALSE(some.DataCollectionIsEmpty());
  EXPECT_TRUE(some.HasInfinitelyOldData());
  EXPECT_EQ(0.75, some.TrackedDataRatio());
  EXPECT_TRUE(DataCollectionUnixWriteTimeInfo().DataCollectionIsEmpty());
  EXPECT_EQ(0, DataCollectionUnixWriteTimeInfo().TrackedDataRatio());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

// persist_stats_to_disk: snapshots of the statistics outlive the process.
#include "db/observe/persistent_stats.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "tests/db/impl/db_fixture.h"

namespace ROCKSDB_NAMESPACE {
namespace {

TEST(PersistentStatsKeys, SortByTime) {
  EXPECT_EQ(PersistentStats::KeyOf(1234567890, "a.b"), "1234567890#a.b");
  EXPECT_EQ(PersistentStats::KeyOf(7, "a"), "0000000007#a");
  EXPECT_LT(PersistentStats::KeyOf(999, "z"), PersistentStats::KeyOf(1000, ""));
  uint64_t seconds = 0;
  Slice ticker;
  ASSERT_TRUE(PersistentStats::ParseKey("0000000007#a#b", &seconds, &ticker));
  EXPECT_EQ(seconds, 7u);
  EXPECT_EQ(ticker.ToString(), "a#b");
  for (const char* bad :
       {"", "#", "7#a", "0000000007", "000000000x#a",
        PersistentStats::kFormatKey, "99999999999999999999999#a"}) {
    EXPECT_FALSE(PersistentStats::ParseKey(bad, &seconds, &ticker)) << bad;
  }
}

class PersistentStatsTest : public DbFixture {
 protected:
  PersistentStatsTest() {
    options_.statistics = CreateDBStatistics();
    options_.persist_stats_to_disk = true;
    options_.stats_persist_period_sec = 0;
  }
  static constexpr char kWritten[] = "rocksdb.number.keys.written";

  // "seconds=keys written" of each snapshot.
  std::string Kept(uint64_t from = 0, uint64_t to = UINT64_MAX) {
    std::unique_ptr<StatsHistoryIterator> it;
    EXPECT_OK(db_->GetStatsHistory(from, to, &it));
    std::string text;
    for (; it->Valid(); it->Next()) {
      EXPECT_EQ(it->GetFormatVersion(), PersistentStats::kFormatVersion);
      const auto& map = it->GetStatsMap();
      const auto found = map.find(kWritten);
      text += std::to_string(it->GetStatsTime()) + "=" +
              (found == map.end() ? "?" : std::to_string(found->second)) + " ";
    }
    return it->status().ok() ? text : it->status().ToString();
  }
  std::vector<std::string> Families() {
    std::vector<std::string> names;
    EXPECT_OK(DB::ListColumnFamilies(options_, path_, &names));
    std::sort(names.begin(), names.end());
    return names;
  }
  // With a handle to the hidden family.
  void OpenBoth(std::vector<ColumnFamilyHandle*>* handles) {
    db_.reset();
    ASSERT_OK(DB::Open(DBOptions(options_), path_,
                       {{kDefaultColumnFamilyName, options_},
                        {PersistentStats::kFamily, ColumnFamilyOptions()}},
                       handles, &db_));
  }
  // Writes entries of the hidden family by hand.
  void PutHidden(
      const std::vector<std::pair<std::string, std::string>>& entries) {
    std::vector<ColumnFamilyHandle*> handles;
    OpenBoth(&handles);
    for (const auto& [key, value] : entries) {
      ASSERT_OK(db_->Put(WriteOptions(), handles[1], key, value));
    }
    for (ColumnFamilyHandle* handle : handles) {
      ASSERT_OK(db_->DestroyColumnFamilyHandle(handle));
    }
  }
};

TEST_F(PersistentStatsTest, TheFamilyIsThereAndHidden) {
  Open();
  EXPECT_EQ(Kept(), "");
  ASSERT_OK(Put("key", "value"));
  ASSERT_OK(Flush());
  db_.reset();
  const std::vector<std::string> both{PersistentStats::kFamily, "default"};
  EXPECT_EQ(Families(), both);
  std::vector<ColumnFamilyHandle*> handles;
  OpenBoth(&handles);
  std::string value;
  for (const char* key :
       {PersistentStats::kFormatKey, PersistentStats::kCompatibleKey}) {
    ASSERT_OK(db_->Get(ReadOptions(), handles[1], key, &value));
    EXPECT_EQ(value, "1");
  }
  for (ColumnFamilyHandle* handle : handles) {
    ASSERT_OK(db_->DestroyColumnFamilyHandle(handle));
  }
  // Without the option, a caller need not open the family of the statistics.
  options_.persist_stats_to_disk = false;
  Reopen();
  EXPECT_EQ(Get("key"), "value");
  EXPECT_EQ(Scan(), "key=value ");
}

TEST_F(PersistentStatsTest, SnapshotsComeBackAfterReopening) {
  options_.stats_persist_period_sec = 1;
  Open();
  ASSERT_OK(Put("a", "1"));
  // The first snapshot is on disk once it can be read.
  while (Kept().empty()) std::this_thread::yield();
  ASSERT_OK(db_->SetDBOptions({{"stats_persist_period_sec", "0"}}));
  const std::string kept = Kept();
  EXPECT_NE(kept, "");
  EXPECT_EQ(kept.find('?'), std::string::npos) << kept;
  Reopen();
  EXPECT_EQ(Kept(), kept);
  db_.reset();
  ASSERT_OK(DB::OpenForReadOnly(options_, path_, &db_));
  EXPECT_EQ(Kept(), kept);
}

TEST_F(PersistentStatsTest, WritesWhatWasCountedSinceTheSnapshotBefore) {
  options_.persist_stats_to_disk = false;
  Open();
  ColumnFamilyHandle* family = nullptr;
  ASSERT_OK(db_->CreateColumnFamily(PersistentStats::FamilyOptions(),
                                    PersistentStats::kFamily, &family));
  {
    PersistentStats stats(db_.get(),
                          std::unique_ptr<ColumnFamilyHandle>(family));
    ASSERT_OK(stats.Prepare());
    ASSERT_OK(stats.Prepare());
    ASSERT_OK(stats.Write(5, {{kWritten, 7}, {"b", 1}}));  // begins here
    ASSERT_OK(stats.Write(10, {{kWritten, 8}, {"b", 1}}));
    ASSERT_OK(stats.Write(20, {{kWritten, 3}, {"b", 4}}));  // was set back
    ASSERT_OK(stats.Write(20, {{kWritten, 5}, {"b", 4}}));
    const auto it = stats.NewIterator(0, UINT64_MAX);
    ASSERT_TRUE(it->Valid());
    EXPECT_EQ(it->GetStatsMap().at("b"), 0u);
    it->Next();
    ASSERT_TRUE(it->Valid());
    EXPECT_EQ(it->GetStatsMap().at("b"), 3u);
    it->Next();
    ASSERT_TRUE(it->Valid());
    EXPECT_EQ(it->GetStatsTime(), 21u) << "a second of its own";
    it->Next();
    EXPECT_FALSE(it->Valid());
    EXPECT_OK(it->status());
  }
  options_.persist_stats_to_disk = true;
  Reopen();
  EXPECT_EQ(Kept(), "10=1 20=3 21=2 ");
  EXPECT_EQ(Kept(10, 20), "10=1 ");
  EXPECT_EQ(Kept(11), "20=3 21=2 ");
  EXPECT_EQ(Kept(22), "");
}

TEST_F(PersistentStatsTest, WhatALaterReleaseWroteStays) {
  Open();
  PutHidden({{PersistentStats::kCompatibleKey, "2"}, {"0000000010#x", "1"}});
  Reopen();
  EXPECT_EQ(Kept(), "") << "in memory, where nothing is";
  ASSERT_OK(Put("key", "value"));
  PutHidden({{PersistentStats::kCompatibleKey, "1"}});
  Reopen();
  EXPECT_EQ(Kept(), "10=? ");
}

TEST_F(PersistentStatsTest, BadEntriesAreCorruption) {
  Open();
  PutHidden({{PersistentStats::KeyOf(10, kWritten), "5"},
             {PersistentStats::KeyOf(20, kWritten), "five"}});
  Reopen();
  const std::string text = Kept();
  EXPECT_NE(text.find("Corruption"), std::string::npos) << text;
  EXPECT_EQ(Kept(0, 20), "10=5 ");
  ASSERT_OK(Put("key", "value"));
}

TEST_F(PersistentStatsTest, ADatabaseWithoutStatisticsKeepsWhatThereIs) {
  Open();
  PutHidden({{PersistentStats::KeyOf(10, kWritten), "5"}});
  options_.statistics = nullptr;
  Reopen();
  EXPECT_EQ(Kept(), "10=5 ");
  ASSERT_OK(db_->Close());
  std::unique_ptr<StatsHistoryIterator> it;
  EXPECT_TRUE(db_->GetStatsHistory(0, 100, &it).IsShutdownInProgress());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

// The record of logs that the next open needs only moves forward and forgets
// those that nobody will miss.
#include "db/manifest/needed_logs.h"

#include <gtest/gtest.h>

#include "db/manifest/database_counters.h"

namespace ROCKSDB_NAMESPACE {
namespace {

TrackedWals Tracked(const std::vector<uint64_t>& numbers) {
  VersionEdit edit;
  for (const uint64_t number : numbers) {
    edit.wal_additions.push_back({number, 100 + number});
  }
  TrackedWals wals;
  EXPECT_TRUE(wals.Apply(edit).ok());
  return wals;
}

TEST(NeededLogsTest, WhatIsHeldStays) {
  NeededLogs logs;
  VersionEdit edit;
  logs.KeepHeld(&edit);
  EXPECT_FALSE(edit.min_log_number_to_keep.has_value());
  edit.min_log_number_to_keep = 9;
  logs.KeepHeld(&edit);
  EXPECT_EQ(edit.min_log_number_to_keep, 9u);
  logs.Hold(5);
  logs.KeepHeld(&edit);
  EXPECT_EQ(edit.min_log_number_to_keep, 5u);
  EXPECT_EQ(logs.MinNeeded(ColumnFamilySet()), 5u);
}

TEST(NeededLogsTest, WhatCountsOnlyAscends) {
  NeededLogs logs;
  VersionEdit edit;
  edit.min_log_number_to_keep = 7;
  logs.NoteWritten(edit);
  EXPECT_EQ(logs.min_to_keep(), 7u);
  edit.min_log_number_to_keep = 4;
  logs.NoteWritten(edit);
  EXPECT_EQ(logs.min_to_keep(), 7u);
  logs.TakeOver(3, Tracked({3}));
  EXPECT_EQ(logs.min_to_keep(), 3u);
  EXPECT_EQ(logs.synced_sizes(), (std::map<uint64_t, uint64_t>{{3, 103}}));
}

TEST(NeededLogsTest, ForgetsWhatNobodyMisses) {
  NeededLogs logs;
  VersionEdit change, forgotten;
  change.min_log_number_to_keep = 5;
  EXPECT_FALSE(logs.Forget({{nullptr, &change}}, &forgotten)) << "none known";
  logs.SetTracked(Tracked({5, 6}));
  EXPECT_FALSE(logs.Forget({{nullptr, &change}}, &forgotten));
  EXPECT_FALSE(forgotten.wals_deleted_before.has_value());
  change.min_log_number_to_keep = 6;
  EXPECT_TRUE(logs.Forget({{nullptr, &change}}, &forgotten));
  EXPECT_EQ(forgotten.wals_deleted_before, 6u);
  // The change says so itself.
  change.wals_deleted_before = 6;
  EXPECT_FALSE(logs.Forget({{nullptr, &change}}, &forgotten));
}

TEST(NeededLogsTest, ALogThatIsSyncedLateIsLeftOut) {
  NeededLogs logs;
  VersionEdit kept;
  kept.min_log_number_to_keep = 6;
  logs.NoteWritten(kept);
  VersionEdit late;
  late.wal_additions = {{5, 105}, {6, 106}, {7, 107}};
  logs.LeaveOutUnneeded(&late);
  std::vector<uint64_t> named;
  for (const WalAddition& wal : late.wal_additions) named.push_back(wal.number);
  EXPECT_EQ(named, (std::vector<uint64_t>{6, 7}));
}

TEST(DatabaseCountersTest, NoNumberIsGivenTwice) {
  DatabaseCounters numbers;
  EXPECT_EQ(numbers.NewFileNumber(), 2u);
  numbers.MarkFileNumberUsed(1);
  EXPECT_EQ(numbers.NewFileNumber(), 3u);
  numbers.MarkFileNumberUsed(10);
  EXPECT_EQ(numbers.next_file_number(), 11u);
  EXPECT_EQ(numbers.NewFileNumber(), 11u);
  EXPECT_EQ(numbers.LastSequence(), 0u);
  numbers.SetLastSequence(8);
  EXPECT_EQ(numbers.LastSequence(), 8u);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

// The parts that the semantics of a compaction are made of, each by itself.
#include <gtest/gtest.h>

#include "db/semantics/compaction_input.h"
#include "db/semantics/operand_run.h"
#include "db/semantics/pending_entries.h"
#include "db/semantics/seen_versions.h"
#include "db/semantics/survival_rules.h"
#include "db/semantics/surviving_entry.h"
#include "db/semantics/timed_values.h"
#include "tests/db/semantics/compaction_entries.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// ---------------------------------------------------------------------- rules

TEST(SurvivalRulesTest, SequencesGoAtTheBottomWhereAllSeeTheVersion) {
  const InternalKeyComparator order;
  const SnapshotStripes stripes({5});
  RangesBelow below;
  const SurvivalRules rules({.stripes = &stripes,
                             .older = &below,
                             .is_bottommost = true,
                             .zeroes_up_to = 4},
                            order);
  EXPECT_TRUE(rules.LosesSequence(4, kTypeValue));
  EXPECT_TRUE(rules.LosesSequence(4, kTypeWideColumnEntity));
  EXPECT_TRUE(rules.LosesSequence(4, kTypeBlobIndex));
  EXPECT_FALSE(rules.LosesSequence(4, kTypeMerge));
  EXPECT_FALSE(rules.LosesSequence(4, kTypeDeletion));
  EXPECT_FALSE(rules.LosesSequence(5, kTypeValue)) << "it tells the age";
  EXPECT_FALSE(rules.LosesSequence(6, kTypeValue)) << "the snapshot misses it";
  EXPECT_TRUE(rules.IsLast(5));
  EXPECT_FALSE(rules.IsLast(6));

  const SurvivalRules above({.stripes = &stripes, .older = &below}, order);
  EXPECT_FALSE(above.LosesSequence(4, kTypeValue));
  EXPECT_FALSE(above.IsLast(4));
}

TEST(SurvivalRulesTest, TombstonesGoWhereNothingIsLeftToDelete) {
  const InternalKeyComparator order;
  const SnapshotStripes stripes({5});
  RangesBelow below(
      std::vector<std::pair<std::string, std::string>>{{"b", "c"}});
  const SurvivalRules rules({.stripes = &stripes, .older = &below}, order);
  EXPECT_TRUE(rules.HasNothingToDelete(0, "a"));
  EXPECT_FALSE(rules.HasNothingToDelete(1, "a")) << "the snapshot needs it";
  EXPECT_FALSE(rules.HasNothingToDelete(0, "b"));
  const SurvivalRules flush({.stripes = &stripes}, order);
  EXPECT_FALSE(flush.HasNothingToDelete(0, "a"));
}

TEST(SurvivalRulesTest, TimestampsAreHistoryOrTrimmed) {
  const InternalKeyComparator order(BytewiseComparatorWithU64Ts());
  const SnapshotStripes stripes;
  const auto at = [](uint64_t time) {
    std::string timestamp;
    PutFixed64(&timestamp, time);
    return timestamp;
  };
  const std::string low = at(10), trim = at(20);
  const SurvivalRules rules(
      {.stripes = &stripes, .full_history_ts_low = low, .trim_ts = trim},
      order);
  EXPECT_TRUE(rules.IsHistory(at(9)));
  EXPECT_FALSE(rules.IsHistory(at(10)));
  EXPECT_FALSE(rules.IsTrimmed(at(20)));
  EXPECT_TRUE(rules.IsTrimmed(at(21)));
  const SurvivalRules all({.stripes = &stripes}, order);
  EXPECT_FALSE(all.IsHistory(at(0)));
  EXPECT_FALSE(all.HasTrimming());
}

// ------------------------------------------------------- what was seen of a
// key

TEST(SeenVersionsTest, HidesWhatIsOlderInTheStripe) {
  SeenVersions seen;
  seen.Begin(SeenVersions::Next::kKey);
  EXPECT_TRUE(seen.is_first());
  EXPECT_FALSE(seen.Meet(2));
  seen.Hide(2);
  seen.PassFirst();
  EXPECT_FALSE(seen.is_first());
  EXPECT_TRUE(seen.Meet(2));
  EXPECT_TRUE(seen.is_hidden());
  EXPECT_TRUE(seen.Meet(3)) << "behind with timestamps, written later";
  EXPECT_FALSE(seen.Meet(1));
  seen.Hide(1);
  EXPECT_TRUE(seen.Meet(1));
  seen.Reopen();
  EXPECT_FALSE(seen.Meet(1));
}

TEST(SeenVersionsTest, KnowsWhatIsShownOverTimestamps) {
  SeenVersions seen;
  seen.Begin(SeenVersions::Next::kKey);
  seen.NoteShown();
  EXPECT_TRUE(seen.is_first_shown());
  seen.NoteShown();
  EXPECT_FALSE(seen.is_first_shown());
  seen.Begin(SeenVersions::Next::kTimestamp);
  EXPECT_TRUE(seen.is_first());
  EXPECT_TRUE(seen.has_shown());
  seen.NoteShown();
  EXPECT_FALSE(seen.is_first_shown());
  seen.Begin(SeenVersions::Next::kKey);
  EXPECT_FALSE(seen.has_shown());
  seen.NoteShown();
  EXPECT_TRUE(seen.is_first_shown());
}

// -------------------------------------------------------------------- entries

TEST(SurvivingEntryTest, ChangesItsKeyInPlace) {
  SurvivingEntry entry;
  EXPECT_FALSE(entry.has_key());
  EXPECT_FALSE(entry.Valid());
  entry.SetKey(InternalKey("keyTT", 7, kTypeMerge).Encode());
  EXPECT_FALSE(entry.Valid());
  entry.SetTrailer(PackSequenceAndType(3, kTypeValue));
  entry.SetTimestamp("uu");
  entry.Show("value");
  EXPECT_TRUE(entry.Valid());
  EXPECT_EQ(entry.key(), InternalKey("keyuu", 3, kTypeValue).Encode());
  EXPECT_EQ(entry.user_key(), "keyuu");
  EXPECT_EQ(entry.value(), "value");
  entry.Hide();
  EXPECT_FALSE(entry.Valid());
  EXPECT_TRUE(entry.has_key());
}

TEST(OperandRunTest, IsShownOneByOneOrOldestFirst) {
  OperandRun run;
  run.Add(9, "", "new");
  run.Add(4, "", "old");
  EXPECT_EQ(run.newest().sequence, 9u);
  EXPECT_EQ(run.OldestFirst(), (std::vector<Slice>{"old", "new"}));
  PendingEntries pending;
  run.MoveTo(&pending);
  EXPECT_TRUE(run.empty());
  EXPECT_EQ(pending.current().trailer, PackSequenceAndType(9, kTypeMerge));
  EXPECT_EQ(pending.current().value, "new");
  ASSERT_TRUE(pending.MoveOn());
  EXPECT_EQ(pending.current().trailer, PackSequenceAndType(4, kTypeMerge));
  EXPECT_EQ(pending.current().value, "old");
  EXPECT_FALSE(pending.MoveOn());
  EXPECT_TRUE(pending.empty());
  // What was there before does not show.
  run.Add(3, "ts", "x");
  EXPECT_EQ(run.size(), 1u);
  run.MoveTo(&pending);
  EXPECT_EQ(pending.current().value, "x");
  EXPECT_EQ(pending.current().timestamp, "ts");
  EXPECT_FALSE(pending.MoveOn());
}

TEST(TimedValuesTest, NothingPassesForOlderThanItIsSaidToBe) {
  TimedValues values;
  EXPECT_EQ(values.PreferredBy(7), 7u);
  values.suffix = TimedValues::Suffix::kWritten;
  EXPECT_EQ(values.PreferredBy(7), kMaxSequenceNumber) << "nobody knows";
  SequenceTimes times;
  values.sequence_times = &times;
  values.old_by_seconds = 10;
  EXPECT_EQ(values.PreferredBy(10), 0u) << "older than anybody asks";
  EXPECT_EQ(values.PreferredBy(11), times.CoveringAllBy(11));
}

// ---------------------------------------------------------------------- input

class CompactionInputTest : public ::testing::Test {
 protected:
  // The keys that it yields, and how it ends.
  std::string Read(const std::string& entries, CompactionInput::Context context,
                   size_t error_at = SIZE_MAX) {
    EntriesIterator stream(ParseEntries(entries));
    stream.FailAt(error_at, Status::IOError("disk"));
    context.stream = &stream;
    stats_ = {};
    CompactionInput input(context, order_, &stats_);
    std::string text;
    for (input.SeekToFirst(); input.Valid(); input.Next()) {
      text += input.user_key().ToString() + "@" +
              std::to_string(input.sequence()) + " ";
      if (input.user_key() == skips_at_) input.SkipTo("d");
      if (!input.Valid()) break;
    }
    return text + input.status().ToString();
  }

  const InternalKeyComparator order_;
  CompactionIteratorStats stats_;
  std::string skips_at_;
};

TEST_F(CompactionInputTest, KeepsToItsRange) {
  EXPECT_EQ(Read("a@1=1 b@2=2 b@1=3", {}), "a@1 b@2 b@1 OK");
  EXPECT_EQ(stats_.records_in, 3u);
  CompactionInput::Context context;
  context.begin = "b";
  context.end = "c";
  EXPECT_EQ(Read("a@1=1 b@2=2 b@1=3 c@1=4", context), "b@2 b@1 OK");
  EXPECT_EQ(stats_.records_in, 2u);
  EXPECT_EQ(Read("", {}), "OK");
}

TEST_F(CompactionInputTest, SkipsAhead) {
  skips_at_ = "a";
  EXPECT_EQ(Read("a@2=1 a@1=1 b@2=2 d@1=3 e@1=4", {}), "a@2 e@1 OK");
  EXPECT_TRUE(stats_.has_skipped);
}

TEST_F(CompactionInputTest, AnErrorIsNotAnEnd) {
  EXPECT_EQ(Read("a@1=1 b@2=2", {}, 0), "IO error: disk");
  EXPECT_EQ(Read("a@1=1 b@2=2", {}, 1), "a@1 IO error: disk");
  EXPECT_FALSE(stats_.has_skipped);
}

TEST_F(CompactionInputTest, RefersToBlobsThatNobodyHas) {
  const std::vector<TextEntry> entries = {{"a", 1, kTypeBlobIndex, "x"}};
  EntriesIterator stream(entries);
  CompactionInput::Context context;
  context.stream = &stream;
  CompactionInput input(context, order_, &stats_);
  input.SeekToFirst();
  ASSERT_TRUE(input.Valid());
  Slice blob = "untouched";
  EXPECT_FALSE(input.FetchBlob(&blob));
  EXPECT_EQ(blob, "untouched");
  EXPECT_FALSE(input.Valid());
  EXPECT_TRUE(input.status().IsNotSupported());
}

TEST_F(CompactionInputTest, TheFirstFailureCounts) {
  EntriesIterator stream(ParseEntries("a@1=1 b@1=1"));
  CompactionInput::Context context;
  context.stream = &stream;
  std::atomic<bool> canceled{false};
  context.stop.canceled = &canceled;
  CompactionInput input(context, order_, &stats_);
  input.SeekToFirst();
  EXPECT_FALSE(input.MustStop());
  canceled = true;
  EXPECT_TRUE(input.MustStop());
  EXPECT_FALSE(input.Valid());
  input.Fail(Status::IOError("later"));
  EXPECT_TRUE(input.status().IsManualCompactionPaused());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

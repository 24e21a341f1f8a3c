// Logs of the write-prepared policies, whose sub-batches share one sequence,
// are folded into what this engine applies.
#include "db/wal/sub_batches.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "db/wal/write_batch_internal.h"

namespace ROCKSDB_NAMESPACE {
namespace {

int BytewiseOf(uint32_t, const Slice& a, const Slice& b) {
  return a.compare(b);
}

Numbering NumberingIn(const WriteBatch& record, Numbering in_doubt) {
  Numbering numbering = Numbering::kByEntry;
  EXPECT_TRUE(NumberingOf(record, in_doubt, &numbering).ok());
  return numbering;
}

WriteBatch SectionOf(ValueType begin) {
  WriteBatch batch;
  WriteBatchInternal::AddMarker(&batch, kTypeNoop);
  EXPECT_TRUE(batch.Put("a", "1").ok());
  EXPECT_TRUE(batch.Put("a", "2").ok());
  EXPECT_TRUE(WriteBatchInternal::MarkEndPrepare(&batch, "x", begin).ok());
  return batch;
}

TEST(SubBatchesTest, TheEndOfARecordSaysHowItCounts) {
  WriteBatch plain;
  ASSERT_TRUE(plain.Put("a", "1").ok());
  EXPECT_EQ(NumberingIn(plain, Numbering::kBySubBatch), Numbering::kByEntry);
  WriteBatch theirs = plain;
  WriteBatchInternal::AddMarker(&theirs, kTypeNoop);
  EXPECT_EQ(NumberingIn(theirs, Numbering::kByEntry), Numbering::kBySubBatch);
  WriteBatch ours = plain;
  EndCountedBatch(&ours);
  EXPECT_EQ(NumberingIn(ours, Numbering::kBySubBatch), Numbering::kByEntry);
  WriteBatch section = SectionOf(kTypeBeginPersistedPrepareXID);
  EXPECT_EQ(NumberingIn(section, Numbering::kByEntry), Numbering::kBySubBatch);
  EndCountedBatch(&section);
  EXPECT_EQ(NumberingIn(section, Numbering::kBySubBatch), Numbering::kByEntry);
  WriteBatch commit;
  WriteBatchInternal::AddTransactionMarker(&commit, kTypeCommitXID, "x");
  for (const Numbering doubt : {Numbering::kByEntry, Numbering::kBySubBatch}) {
    EXPECT_EQ(NumberingIn(commit, doubt), doubt);
  }
}

TEST(SubBatchesTest, AKeyThatComesAgainBeginsOne) {
  WriteBatch record = SectionOf(kTypeBeginPersistedPrepareXID);
  ASSERT_TRUE(record.Put("b", "1").ok());
  ASSERT_TRUE(record.Put("c", "1").ok());
  WriteBatchInternal::AddMarker(&record, kTypeNoop);
  WriteBatchInternal::SetSequence(&record, 7);
  std::vector<SubBatch> parts;
  SequenceNumber next = 0;
  ASSERT_TRUE(CutIntoSubBatches(record, BytewiseOf, &parts, &next).ok());
  EXPECT_EQ(next, 10u);
  std::string all;
  for (const SubBatch& part : parts) {
    all += std::to_string(static_cast<int>(part.kind)) + ":" +
           std::to_string(WriteBatchInternal::Sequence(part.updates)) + "x" +
           std::to_string(part.updates.Count()) + " ";
  }
  EXPECT_EQ(all, "1:7x1 1:8x1 3:0x0 0:9x2 ");
}

TEST(SubBatchesTest, MarkersThatDoNotPairUpAreCorruption) {
  WriteBatch open, end;
  WriteBatchInternal::AddMarker(&open, kTypeBeginUnprepareXID);
  WriteBatchInternal::AddTransactionMarker(&end, kTypeEndPrepareXID, "x");
  for (const WriteBatch* record : {&open, &end}) {
    std::vector<SubBatch> parts;
    SequenceNumber next = 0;
    EXPECT_TRUE(
        CutIntoSubBatches(*record, BytewiseOf, &parts, &next).IsCorruption());
  }
}

TEST(SubBatchesTest, WhatIsReplacedIsFoldedAway) {
  WriteBatch updates, folded;
  ASSERT_TRUE(updates.Put("a", "1").ok());
  ASSERT_TRUE(updates.Merge("b", "1").ok());
  ASSERT_TRUE(updates.Delete("a").ok());
  ASSERT_TRUE(updates.Merge("b", "2").ok());
  ASSERT_TRUE(updates.Merge("a", "3").ok());
  ASSERT_TRUE(FoldUpdates(updates, &folded).ok());
  WriteBatch expected;
  ASSERT_TRUE(expected.Merge("b", "1").ok());
  ASSERT_TRUE(expected.Delete("a").ok());
  ASSERT_TRUE(expected.Merge("b", "2").ok());
  ASSERT_TRUE(expected.Merge("a", "3").ok());
  EXPECT_EQ(folded.Data(), expected.Data());
}

TEST(SubBatchesTest, AKeyWithASingleDeletionKeepsAll) {
  WriteBatch updates, folded;
  ASSERT_TRUE(updates.Put("a", "1").ok());
  ASSERT_TRUE(updates.SingleDelete("a").ok());
  ASSERT_TRUE(updates.Put("a", "2").ok());
  ASSERT_TRUE(FoldUpdates(updates, &folded).ok());
  EXPECT_EQ(folded.Data(), updates.Data());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

// What a log says of the one before it. The cases of
// tests/testdata/logs/predecessor.txt are
//
//   told log:N next:N end:N sequence:N   what is read of the record that says
//   so record                               what is read of this batch BATCH as
//   in batch_text.h
#include "db/wal/predecessor_record.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/db/wal/batch_text.h"

namespace ROCKSDB_NAMESPACE {
namespace {

std::string TextOfPredecessor(const std::string& record) {
  LogPredecessor decoded{.log_number = 5, .next_sequence = 5, .end = 5};
  if (!DecodePredecessor(record, &decoded)) return "no such record\n";
  return "log " + std::to_string(decoded.log_number) + " next " +
         std::to_string(decoded.next_sequence) + " end " +
         std::to_string(decoded.end) + "\n";
}

std::string RunPredecessor(const ScriptCase& c) {
  const ScriptWords command(c.command);
  if (command.verb() == "record") {
    return TextOfPredecessor(BatchOfText(c.body).Data());
  }
  EXPECT_EQ(command.verb(), "told");
  const std::string record =
      EncodePredecessor({.log_number = command.Number("log", 0),
                         .next_sequence = command.Number("next", 0),
                         .end = command.Number("end", 0)},
                        command.Number("sequence", 0));
  // To whoever does not know it, it is a batch that does nothing.
  WriteBatch batch;
  const Status s = WriteBatchInternal::SetContents(&batch, record);
  EXPECT_TRUE(s.ok()) << s.ToString();
  return TextOfPredecessor(record) + "a batch of " +
         std::to_string(batch.Count()) + " at " +
         std::to_string(WriteBatchInternal::Sequence(batch)) + ": " +
         TextOfBatch(batch) + "\n";
}

TEST(PredecessorRecordTest, EveryCaseOfTheScript) {
  EXPECT_GE(RunScript("logs/predecessor.txt", RunPredecessor), 15u)
      << "cases went missing";
}

TEST(PredecessorRecordTest, NoPartOfOneIsTakenForOne) {
  LogPredecessor decoded;
  const std::string record = EncodePredecessor({1, 2}, 3);
  for (size_t n = 12; n < record.size(); ++n) {
    EXPECT_FALSE(DecodePredecessor(Slice(record.data(), n), &decoded)) << n;
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

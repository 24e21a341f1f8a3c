// Records whose entries share sequences: how a record counts, where it is cut,
// and what of a transaction's updates counts in the end. The cases of
// tests/testdata/logs/sub_batches.txt are
//
//   numbering     entries or sub-batches; "in doubt": whatever else is known
//   cut           the parts, with the sequence that each has
//   fold          the updates that are left
//   BATCH         as in batch_text.h
//
// where "tail:BYTES" is garbage behind the batch.
// Keys are ordered by their bytes, in each family.
#include "db/wal/sub_batches.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/db/wal/batch_text.h"

namespace ROCKSDB_NAMESPACE {
namespace {

std::string NumberingText(const WriteBatch& record) {
  Numbering otherwise[2] = {};
  for (const Numbering doubt : {Numbering::kByEntry, Numbering::kBySubBatch}) {
    const int i = doubt == Numbering::kByEntry ? 0 : 1;
    const Status s = NumberingOf(record, doubt, &otherwise[i]);
    if (!s.ok()) return s.ToString();
  }
  if (otherwise[0] != otherwise[1]) {
    EXPECT_EQ(otherwise[0], Numbering::kByEntry);
    return "in doubt";
  }
  return otherwise[0] == Numbering::kByEntry ? "entries" : "sub-batches";
}

std::string PartText(const SubBatch& part) {
  using Kind = SubBatch::Kind;
  const std::string name = " " + part.name.ToString();
  switch (part.kind) {
    case Kind::kEnd:
      return (part.is_prepared ? "prepared" : "end") + name;
    case Kind::kCommit:
      return "commit" + name;
    case Kind::kRollback:
      return "rollback" + name;
    default:
      break;
  }
  const std::string kind = part.kind == Kind::kSection      ? "section "
                           : part.kind == Kind::kUnprepared ? "unprepared "
                                                            : "";
  return kind + std::to_string(WriteBatchInternal::Sequence(part.updates)) +
         ": " + TextOfBatch(part.updates);
}

std::string PartsText(const WriteBatch& record) {
  std::vector<SubBatch> parts;
  SequenceNumber next = 0;
  const Status s = CutIntoSubBatches(
      record,
      [](uint32_t, const Slice& a, const Slice& b) { return a.compare(b); },
      &parts, &next);
  if (!s.ok()) return s.ToString();
  std::string text;
  for (const SubBatch& part : parts) text += PartText(part) + "\n";
  return text + "next " + std::to_string(next);
}

std::string RunSubBatches(const ScriptCase& c) {
  const ScriptWords command(c.command);
  const WriteBatch record(BatchOfText(c.body).Data() +
                          BytesOfText(command.Text("tail", "")));
  if (command.verb() == "numbering") return NumberingText(record) + "\n";
  if (command.verb() == "cut") return PartsText(record) + "\n";
  EXPECT_EQ(command.verb(), "fold");
  WriteBatch folded;
  const Status s = FoldUpdates(record, &folded);
  return (s.ok() ? TextOfBatch(folded) : s.ToString()) + "\n";
}

TEST(SubBatchesTest, EveryCaseOfTheScript) {
  EXPECT_GE(RunScript("logs/sub_batches.txt", RunSubBatches), 44u)
      << "cases went missing";
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

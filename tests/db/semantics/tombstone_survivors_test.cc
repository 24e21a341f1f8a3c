// Which range tombstones a flush or compaction writes again, and what lies
// between snapshots. Runs tests/testdata/tombstones/survivors.txt:
//
//   keep OPTIONS        those of the ENTRIES that still delete something, and
//   ENTRIES             how many are gone; as in text_entries.h
//   stripes OPTIONS     of each SEQUENCE its stripe and what that ends with
//   SEQUENCES
//
// OPTIONs: snapshots:N,N; flush; below:A-C (older runs hold keys there);
// from:KEY and to:KEY, the range that is compacted.
#include "db/semantics/tombstone_survivors.h"

#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "tests/db/semantics/compaction_entries.h"
#include "tests/testing/script.h"

namespace ROCKSDB_NAMESPACE {
namespace {

SnapshotStripes StripesOf(const ScriptWords& command) {
  std::vector<SequenceNumber> snapshots;
  std::istringstream numbers(command.Text("snapshots", ""));
  for (std::string number; std::getline(numbers, number, ',');) {
    snapshots.push_back(std::stoull(number));
  }
  return SnapshotStripes(snapshots);
}

std::string KeptTombstones(const ScriptWords& command,
                           const std::string& entries) {
  RangesBelow older;
  const std::string below = command.Text("below", "");
  const size_t dash = below.find('-');
  if (!below.empty()) {
    older = RangesBelow({{below.substr(0, dash), below.substr(dash + 1)}});
  }
  const std::string lower = command.Text("from", "");
  const std::string upper = command.Text("to", "");
  TombstoneRange range;
  if (!lower.empty()) range.lower = lower;
  if (!upper.empty()) range.upper = upper;
  const auto tombstones = TombstonesOf(ParseEntries(entries));
  std::vector<RangeTombstone> survivors;
  const uint64_t gone =
      AppendSurvivors(*tombstones, range, StripesOf(command),
                      command.HasWord("flush") ? nullptr : &older, &survivors);
  std::string text;
  for (const RangeTombstone& t : survivors) {
    text += (text.empty() ? "" : " ") + t.begin.ToString() + "-" +
            t.end.ToString() + "@" + std::to_string(t.sequence);
  }
  if (text.empty()) text = "none";
  if (gone > 0) text += "\n" + std::to_string(gone) + " gone";
  return text;
}

std::string StripesOfSequences(const ScriptWords& command,
                               const std::string& sequences) {
  const SnapshotStripes stripes = StripesOf(command);
  std::istringstream numbers(sequences);
  std::string text;
  for (SequenceNumber sequence = 0; numbers >> sequence;) {
    const size_t stripe = stripes.Of(sequence);
    const SequenceNumber upper = stripes.UpperOf(stripe);
    text += std::to_string(sequence) + " in " + std::to_string(stripe) +
            " up to " +
            (upper == kMaxSequenceNumber ? "the end" : std::to_string(upper));
    if (SnapshotStripes::IsSeenByAll(stripe)) text += ", seen by all";
    if (!stripes.IsSeenBySnapshots(stripe)) text += ", by no snapshot";
    text += "\n";
  }
  return text;
}

TEST(TombstoneSurvivorsTest, EveryCaseOfTheScript) {
  const auto run = [](const ScriptCase& c) {
    const ScriptWords command(c.command);
    if (command.verb() == "stripes") return StripesOfSequences(command, c.body);
    EXPECT_EQ(command.verb(), "keep");
    return KeptTombstones(command, c.body);
  };
  EXPECT_GE(RunScript("tombstones/survivors.txt", run), 28u)
      << "cases went missing";
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

// The parts that the semantics of a compaction are made of, each by itself:
// tests/testdata/compaction_parts/*.txt.
//
//   rules OPTIONS       what must still be there: snapshots:N,N, bottom, flush,
//                       below:A-C (older runs hold keys there), zeroes:N
//                       (larger sequences stay), stamps, low:TIME, trim:TIME
//   zero TYPE@SEQUENCE, last SEQUENCE, delete STRIPE KEY, time TIME
//   seen                what was seen of the versions of a key: one line each
//   key, stamp (another one of the same key), meet STRIPE, hide STRIPE, reopen,
//   pass (the first version), show
//   entry               what is to be shown, with stamps of two letters
//   key KEY@N, trailer =@N, stamp XX, show VALUE, hide
//   operands            a run of them, and what is pending of it
//   add N VALUE [STAMP], move (all to what is pending), next
//   prefer OPTIONS      the sequence that each NUMBER stands for: written (the
//                       numbers are times), old_by:TIME, times:N@TIME,..
//   input OPTIONS       what is read of ENTRIES: from:KEY, to:KEY, fails_at:N,
//                       skip:KEY (from there to d)
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "db/semantics/compaction_input.h"
#include "db/semantics/operand_run.h"
#include "db/semantics/pending_entries.h"
#include "db/semantics/seen_versions.h"
#include "db/semantics/survival_rules.h"
#include "db/semantics/surviving_entry.h"
#include "db/semantics/timed_values.h"
#include "tests/db/semantics/compaction_entries.h"
#include "tests/testing/script.h"

namespace ROCKSDB_NAMESPACE {
namespace {

const char* SaidOfRule(bool answer) { return answer ? "yes" : "no"; }

// ---------------------------------------------------------------------- rules

class RulesScript {
 public:
  explicit RulesScript(const ScriptWords& command)
      : order_(command.HasWord("stamps") ? BytewiseComparatorWithU64Ts()
                                         : BytewiseComparator()),
        stripes_(Snapshots(command)),
        below_(Below(command)) {
    SurvivalRules::Context context;
    context.stripes = &stripes_;
    if (!command.HasWord("flush")) context.older = &below_;
    context.is_bottommost = command.HasWord("bottom");
    context.zeroes_up_to = command.Number("zeroes", kMaxSequenceNumber);
    if (command.Has("low")) {
      context.full_history_ts_low = low_ = Stamp(command.Number("low", 0));
    }
    if (command.Has("trim")) {
      context.trim_ts = trim_ = Stamp(command.Number("trim", 0));
    }
    rules_.emplace(context, order_);
  }

  std::string Answer(const std::string& line) {
    const ScriptWords words(line);
    const std::string& first = words.Word(0);
    if (words.verb() == "zero") {
      const size_t at = first.find('@');
      return SaidOfRule(rules_->LosesSequence(std::stoull(first.substr(at + 1)),
                                              TypeOf(first.substr(0, at))));
    }
    if (words.verb() == "last") {
      return SaidOfRule(rules_->IsLast(std::stoull(first)));
    }
    if (words.verb() == "delete") {
      const bool is_over =
          rules_->HasNothingToDelete(std::stoull(first), words.Word(1));
      return is_over ? "goes" : "stays";
    }
    EXPECT_EQ(words.verb(), "time");
    const std::string stamp = Stamp(std::stoull(first));
    std::string text = rules_->IsHistory(stamp) ? "history" : "read";
    if (rules_->HasTrimming() && rules_->IsTrimmed(stamp)) text += ", trimmed";
    return text;
  }

 private:
  static std::vector<SequenceNumber> Snapshots(const ScriptWords& command) {
    std::vector<SequenceNumber> snapshots;
    std::istringstream numbers(command.Text("snapshots", ""));
    for (std::string number; std::getline(numbers, number, ',');) {
      snapshots.push_back(std::stoull(number));
    }
    return snapshots;
  }
  static RangesBelow Below(const ScriptWords& command) {
    const std::string below = command.Text("below", "");
    const size_t dash = below.find('-');
    if (below.empty()) return RangesBelow();
    return RangesBelow({{below.substr(0, dash), below.substr(dash + 1)}});
  }
  static std::string Stamp(uint64_t time) {
    std::string stamp;
    PutFixed64(&stamp, time);
    return stamp;
  }
  static ValueType TypeOf(const std::string& name) {
    if (name == "value") return kTypeValue;
    if (name == "entity") return kTypeWideColumnEntity;
    if (name == "blob") return kTypeBlobIndex;
    if (name == "operand") return kTypeMerge;
    if (name == "single") return kTypeSingleDeletion;
    EXPECT_EQ(name, "deletion");
    return kTypeDeletion;
  }

  const InternalKeyComparator order_;
  const SnapshotStripes stripes_;
  RangesBelow below_;
  std::string low_, trim_;
  std::optional<SurvivalRules> rules_;
};

// ----------------------------------------------------- what was seen of a key

class SeenScript {
 public:
  std::string Answer(const std::string& line) {
    const ScriptWords words(line);
    const auto stripe = [&words] { return std::stoull(words.Word(0)); };
    if (words.verb() == "key") {
      seen_.Begin(SeenVersions::Next::kKey);
    } else if (words.verb() == "stamp") {
      seen_.Begin(SeenVersions::Next::kTimestamp);
    } else if (words.verb() == "meet") {
      const bool is_hidden = seen_.Meet(stripe());
      EXPECT_EQ(seen_.is_hidden(), is_hidden);
      return is_hidden ? "hidden" : "seen";
    } else if (words.verb() == "hide") {
      seen_.Hide(stripe());
    } else if (words.verb() == "reopen") {
      seen_.Reopen();
    } else if (words.verb() == "pass") {
      seen_.PassFirst();
    } else {
      EXPECT_EQ(words.verb(), "show");
      seen_.NoteShown();
      EXPECT_TRUE(seen_.has_shown());
      return seen_.is_first_shown() ? "the first shown" : "another one shown";
    }
    return std::string(seen_.is_first() ? "at the first" : "behind it") +
           (seen_.has_shown() ? ", some shown" : "");
  }

 private:
  SeenVersions seen_;
};

// -------------------------------------------------------------------- entries

class EntryScript {
 public:
  std::string Answer(const std::string& line) {
    const ScriptWords words(line);
    if (words.verb() == "hide") {
      entry_.Hide();
    } else if (words.verb() == "show") {
      value_ = words.Word(0);
      entry_.Show(value_);
    } else if (words.verb() == "stamp") {
      entry_.SetTimestamp(words.Word(0));
    } else if (words.verb() == "trailer") {
      const TextEntry e = ParseEntry("k" + words.Word(0));
      entry_.SetTrailer(PackSequenceAndType(e.sequence, e.type));
    } else if (words.verb() == "key") {
      const TextEntry e = ParseEntry(words.Word(0));
      entry_.SetKey(InternalKey(e.user_key, e.sequence, e.type).Encode());
    }
    if (!entry_.has_key()) return "no key";
    TextEntry now{entry_.user_key().ToString(), ExtractSequence(entry_.key()),
                  ExtractType(entry_.key()), ""};
    if (!entry_.Valid()) return "(" + now.Text() + ")";
    now.value = entry_.value().ToString();
    return now.Text();
  }

 private:
  SurvivingEntry entry_;
  std::string value_;
};

class OperandScript {
 public:
  std::string Answer(const std::string& line) {
    const ScriptWords words(line);
    if (words.verb() == "add") {
      const std::vector<std::string>& w = words.words();
      run_.Add(std::stoull(w.at(0)), w.size() > 2 ? w[2] : "", w.at(1));
    } else if (words.verb() == "move") {
      run_.MoveTo(&pending_);
    } else {
      EXPECT_EQ(words.verb(), "next");
      const bool is_more = pending_.MoveOn();
      EXPECT_EQ(is_more, !pending_.empty());
    }
    std::string text = "run:";
    for (const Slice& value : run_.OldestFirst()) {
      text += " " + value.ToString();
    }
    EXPECT_EQ(run_.OldestFirst().size(), run_.size());
    if (!run_.empty()) {
      text += " (newest " + std::to_string(run_.newest().sequence) + ")";
    }
    if (pending_.empty()) return text;
    const PendingEntries::Entry& now = pending_.current();
    const SequenceNumber sequence = now.trailer >> 8;
    const ValueType type = static_cast<ValueType>(now.trailer & 0xff);
    return text +
           "; pending: " + TextEntry{"", sequence, type, now.value}.Text() +
           (now.timestamp.empty() ? "" : " of " + now.timestamp);
  }

 private:
  OperandRun run_;
  PendingEntries pending_;
};

// "N@TIME,N@TIME"
SequenceTimes ParseSequenceTimes(const std::string& text) {
  SequenceTimes times;
  std::istringstream pairs(text);
  for (std::string pair; std::getline(pairs, pair, ',');) {
    const size_t at = pair.find('@');
    times.Note(std::stoull(pair), std::stoull(pair.substr(at + 1)), 0);
  }
  return times;
}

std::string PreferredSequences(const ScriptWords& command,
                               const std::string& body) {
  const SequenceTimes times = ParseSequenceTimes(command.Text("times", ""));
  TimedValues values;
  if (command.HasWord("written")) values.suffix = TimedValues::Suffix::kWritten;
  if (command.Has("times")) values.sequence_times = &times;
  values.old_by_seconds = command.Number("old_by", 0);
  std::istringstream numbers(body);
  std::string text;
  for (uint64_t number = 0; numbers >> number;) {
    const SequenceNumber preferred = values.PreferredBy(number);
    text += std::to_string(number) + ": " +
            (preferred == kMaxSequenceNumber ? "the newest"
                                             : std::to_string(preferred)) +
            "\n";
  }
  return text;
}

// ---------------------------------------------------------------------- input

// The keys that it yields, how it ends, and what it has counted.
std::string ReadCompactionInput(const ScriptWords& command,
                                const std::string& entries) {
  EntriesIterator stream(ParseEntries(entries));
  if (command.Has("fails_at")) {
    stream.FailAt(command.Number("fails_at", 0), Status::IOError("disk"));
  }
  const std::string begin = command.Text("from", "");
  const std::string end = command.Text("to", "");
  CompactionInput::Context context;
  context.stream = &stream;
  if (!begin.empty()) context.begin = begin;
  if (!end.empty()) context.end = end;
  const InternalKeyComparator order;
  CompactionIteratorStats stats;
  CompactionInput input(context, order, &stats);
  std::string text;
  for (input.SeekToFirst(); input.Valid(); input.Next()) {
    text += input.user_key().ToString() + "@" +
            std::to_string(input.sequence()) + " ";
    if (input.user_key() == command.Text("skip", "none")) input.SkipTo("d");
    if (!input.Valid()) break;
  }
  text +=
      input.status().ToString() + "\nread:" + std::to_string(stats.records_in);
  return text + (stats.has_skipped ? " skipped" : "");
}

// -------------------------------------------------------------------- scripts

template <class Script>
std::string AnswersOfPart(Script* script, const std::string& body) {
  std::string text;
  for (const std::string& line : LinesOf(body)) {
    text += line + ": " + script->Answer(line) + "\n";
  }
  return text;
}

std::string RunPartsCase(const ScriptCase& c) {
  const ScriptWords command(c.command);
  const std::string& verb = command.verb();
  if (verb == "rules") {
    RulesScript rules(command);
    return AnswersOfPart(&rules, c.body);
  }
  SeenScript seen;
  EntryScript entry;
  OperandScript operands;
  if (verb == "seen") return AnswersOfPart(&seen, c.body);
  if (verb == "entry") return AnswersOfPart(&entry, c.body);
  if (verb == "operands") return AnswersOfPart(&operands, c.body);
  if (verb == "prefer") return PreferredSequences(command, c.body);
  EXPECT_EQ(verb, "input");
  return ReadCompactionInput(command, c.body);
}

TEST(CompactionPartsTest, EveryCaseOfTheScripts) {
  EXPECT_GE(RunScripts("compaction_parts", RunPartsCase), 44u)
      << "cases went missing";
}

TEST(CompactionInputTest, RefersToBlobsThatNobodyHas) {
  const std::vector<TextEntry> entries = {{"a", 1, kTypeBlobIndex, "x"}};
  EntriesIterator stream(entries);
  const InternalKeyComparator order;
  CompactionIteratorStats stats;
  CompactionInput::Context context;
  context.stream = &stream;
  CompactionInput input(context, order, &stats);
  input.SeekToFirst();
  ASSERT_TRUE(input.Valid());
  Slice blob = "untouched";
  EXPECT_FALSE(input.FetchBlob(&blob));
  EXPECT_EQ(blob, "untouched");
  EXPECT_FALSE(input.Valid());
  EXPECT_TRUE(input.status().IsNotSupported());
}

TEST(CompactionInputTest, TheFirstFailureCounts) {
  EntriesIterator stream(ParseEntries("a@1=1 b@1=1"));
  const InternalKeyComparator order;
  CompactionIteratorStats stats;
  CompactionInput::Context context;
  context.stream = &stream;
  std::atomic<bool> canceled{false};
  context.stop.canceled = &canceled;
  CompactionInput input(context, order, &stats);
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

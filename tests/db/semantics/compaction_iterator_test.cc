// What a flush or compaction keeps of versions: tests/testdata/survivors/*.txt,
// and random histories whose readers must see no difference.
//
//   compact OPTIONS       what is written of these ENTRIES
//   ENTRIES               as in text_entries.h
//
// OPTIONs: snapshots:N,N; flush; bottom (nothing at all is below); below:A-C
// (older runs hold keys there); from:KEY, to:KEY (the range that is compacted);
// merge, merge:fails, merge:must (fails, but may wait); filter (see
// TextFilter), filter:sees (it does not ignore snapshots); lax (single deletes
// are not enforced); fails_at:N (the input, before its entry N); raw:BYTES (a
// key at the end of the input that is none).
//
// The answer is what survives, then the error if there is one, then what became
// of the others, and the values that the filter was asked about.
#include "db/semantics/compaction_iterator.h"

#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "db/semantics/tombstone_survivors.h"
#include "tests/db/semantics/compaction_entries.h"
#include "tests/testing/script.h"
#include "util/builtin_merge_operators.h"
#include "util/value/wide_columns_coding.h"

namespace ROCKSDB_NAMESPACE {
namespace {

struct Result {
  std::string text;
  Status status;
  CompactionIteratorStats stats;
};

// How one run is set up.
struct Conditions {
  std::vector<SequenceNumber> snapshots;
  RangesBelow below;
  bool is_flush = false;
  bool is_bottommost = false;
  bool enforces = true;
  std::shared_ptr<MergeOperator> merge;
  const CompactionFilter* filter = nullptr;
  std::optional<Slice> begin, end;
  StopToken stop;
};

// An entity by its columns, and no bytes that cannot be read.
std::string TextOfSurvivor(const TextEntry& e) {
  if (e.type != kTypeWideColumnEntity) return e.Text();
  WideColumns columns;
  const Status s = DecodeWideColumns(e.value, &columns);
  EXPECT_TRUE(s.ok()) << s.ToString();
  std::string text;
  for (const WideColumn& column : columns) {
    text += text.empty() ? "{" : ",";
    text += column.name().ToString() + ":" + column.value().ToString();
  }
  return e.user_key + "@" + std::to_string(e.sequence) + text + "}";
}

Result Compact(const std::vector<TextEntry>& entries, EntriesIterator* input,
               Conditions* setup) {
  const InternalKeyComparator order;
  const SnapshotStripes stripes(setup->snapshots);
  CompactionIteratorRequest request;
  request.order = &order;
  request.input.stream = input;
  request.rules.stripes = &stripes;
  request.tombstones = TombstonesOf(entries);
  request.merge.merge_operator = setup->merge.get();
  request.filter = setup->filter;
  request.rules.older = setup->is_flush ? nullptr : &setup->below;
  request.rules.is_bottommost = setup->is_bottommost;
  request.enforce_single_delete_contracts = setup->enforces;
  request.input.begin = setup->begin;
  request.input.end = setup->end;
  request.input.stop = setup->stop;
  CompactionIterator it(request);
  Result result;
  std::string key_before, user_key_before;
  for (it.SeekToFirst(); it.Valid(); it.Next()) {
    const std::string key = it.key().ToString();
    EXPECT_TRUE(key_before.empty() || order.Compare(key_before, key) < 0);
    EXPECT_EQ(it.IsFirstOfUserKey(),
              key_before.empty() || it.user_key() != Slice(user_key_before));
    key_before = key;
    user_key_before = it.user_key().ToString();
    const TextEntry e{it.user_key().ToString(), ExtractSequence(key),
                      ExtractType(key), it.value().ToString()};
    if (!result.text.empty()) result.text += ' ';
    result.text += TextOfSurvivor(e);
  }
  result.status = it.status();
  result.stats = it.stats();
  return result;
}

Result Compact(const std::string& input, Conditions* setup) {
  const std::vector<TextEntry> entries = ParseEntries(input);
  EntriesIterator iterator(entries);
  return Compact(entries, &iterator, setup);
}

// A merge operator that fails, with the scope that it is told.
class FailingMerge : public MergeOperator {
 public:
  explicit FailingMerge(OpFailureScope scope) : scope_(scope) {}
  const char* Name() const override { return "FailingMerge"; }
  bool FullMergeV2(const MergeOperationInput&,
                   MergeOperationOutput* out) const override {
    out->op_failure_scope = scope_;
    return false;
  }

 private:
  OpFailureScope scope_;
};

// Decides by the value: "drop", "purge", "change", "skip:KEY", "io", "throw",
// "columns", "nonsense"; the rest stays.
class TextFilter : public CompactionFilter {
 public:
  const char* Name() const override { return "TextFilter"; }
  Decision FilterV3(
      int level, const Slice&, ValueType type, const Slice* value,
      const WideColumns* columns, std::string* new_value,
      std::vector<std::pair<std::string, std::string>>* new_columns,
      std::string* skip_until) const override {
    EXPECT_EQ(level, 0);
    EXPECT_EQ(columns != nullptr, type == ValueType::kWideColumnEntity);
    if (value == nullptr) return Decision::kRemove;
    const std::string text = value->ToString();
    seen.push_back(text);
    if (text == "drop") return Decision::kRemove;
    if (text == "purge") return Decision::kPurge;
    if (text == "io") return Decision::kIOError;
    if (text == "throw") throw std::runtime_error("no");
    if (text == "nonsense") return Decision::kUndetermined;
    if (text == "change") {
      *new_value = "new";
      return Decision::kChangeValue;
    }
    if (text == "columns") {
      *new_columns = {{"b", "2"}, {"a", "1"}};
      return Decision::kChangeWideColumnEntity;
    }
    if (text.rfind("skip:", 0) == 0) {
      *skip_until = text.substr(5);
      return Decision::kRemoveAndSkipUntil;
    }
    return Decision::kKeep;
  }
  bool IgnoreSnapshots() const override { return ignores; }

  bool ignores = true;
  mutable std::vector<std::string> seen;
};

// -------------------------------------------------------------------- scripts

class SurvivorScript {
 public:
  explicit SurvivorScript(const ScriptCase& c)
      : command_(c.command), entries_(ParseEntries(c.body)) {
    EXPECT_EQ(command_.verb(), "compact");
    std::istringstream snapshots(command_.Text("snapshots", ""));
    for (std::string number; std::getline(snapshots, number, ',');) {
      setup_.snapshots.push_back(std::stoull(number));
    }
    setup_.is_flush = command_.HasWord("flush");
    setup_.is_bottommost = command_.HasWord("bottom");
    setup_.enforces = !command_.HasWord("lax");
    const std::string below = command_.Text("below", "");
    const size_t dash = below.find('-');
    if (!below.empty()) {
      setup_.below =
          RangesBelow({{below.substr(0, dash), below.substr(dash + 1)}});
    }
    begin_ = command_.Text("from", "");
    end_ = command_.Text("to", "");
    if (!begin_.empty()) setup_.begin = begin_;
    if (!end_.empty()) setup_.end = end_;
    SetMerge();
    filter_.ignores = command_.HasWord("filter");
    const bool filters = filter_.ignores || command_.Has("filter");
    if (filters) setup_.filter = &filter_;
  }

  std::string Run() {
    EntriesIterator input(entries_);
    if (command_.Has("fails_at")) {
      input.FailAt(command_.Number("fails_at", 0), Status::IOError("disk"));
    }
    if (command_.Has("raw")) {
      input.AppendRaw(BytesOfText(command_.Text("raw", "")));
    }
    const Result result = Compact(entries_, &input, &setup_);
    std::string text = (result.text.empty() ? "none" : result.text) + "\n";
    if (!result.status.ok()) text += result.status.ToString() + "\n";
    const std::string counts = Counts(result.stats);
    if (!counts.empty()) text += counts + "\n";
    if (setup_.filter != nullptr) {
      text += "asked:";
      for (const std::string& value : filter_.seen) text += " " + value;
      text += "\n";
    }
    return text;
  }

 private:
  void SetMerge() {
    using Scope = MergeOperator::OpFailureScope;
    if (command_.HasWord("merge")) setup_.merge = NewStringAppendOperator();
    if (!command_.Has("merge")) return;
    const bool may_wait = command_.Text("merge", "") == "must";
    setup_.merge = std::make_shared<FailingMerge>(may_wait ? Scope::kMustMerge
                                                           : Scope::kDefault);
  }
  // Those that are not zero, but all that is read.
  std::string Counts(const CompactionIteratorStats& stats) const {
    std::string text;
    const auto add = [&text](const std::string& name, uint64_t count) {
      if (count == 0) return;
      text += (text.empty() ? "" : " ") + name + ":" + std::to_string(count);
    };
    const uint64_t points = static_cast<uint64_t>(std::count_if(
        entries_.begin(), entries_.end(),
        [](const auto& e) { return e.type != kTypeRangeDeletion; }));
    if (stats.records_in != points) add("read", stats.records_in);
    add("hidden", stats.dropped_hidden);
    add("obsolete", stats.dropped_obsolete);
    add("by_range", stats.dropped_by_range);
    add("filtered", stats.dropped_by_filter);
    add("lone_single", stats.single_delete_fallthrough);
    add("mismatch", stats.single_delete_mismatch);
    add("corrupt", stats.corrupt_keys);
    add("skipped", stats.has_skipped ? 1 : 0);
    return text;
  }

  const ScriptWords command_;
  const std::vector<TextEntry> entries_;
  std::string begin_, end_;
  TextFilter filter_;
  Conditions setup_;
};

TEST(CompactionIteratorTest, EveryCaseOfTheScripts) {
  const size_t count = RunScripts(
      "survivors", [](const ScriptCase& c) { return SurvivorScript(c).Run(); });
  EXPECT_GE(count, 125u) << "cases went missing";
}

// ------------------------------------------------------ against a simple model

// What a reader at `sequence` sees of `key`, from all versions; "" = nothing.
std::string ReadAt(const std::vector<TextEntry>& versions,
                   const std::string& key, SequenceNumber sequence) {
  std::vector<const TextEntry*> own;
  SequenceNumber deleted_to = 0;
  for (const TextEntry& e : versions) {
    if (e.sequence > sequence) continue;
    if (e.type == kTypeRangeDeletion) {
      if (e.user_key <= key && key < e.value) {
        deleted_to = std::max(deleted_to, e.sequence);
      }
    } else if (e.user_key == key) {
      own.push_back(&e);
    }
  }
  std::stable_sort(own.begin(), own.end(), [](const auto* a, const auto* b) {
    return a->sequence > b->sequence;
  });
  std::vector<std::string> operands;
  std::string base;
  for (const TextEntry* e : own) {
    if (e->sequence < deleted_to) break;
    if (e->type == kTypeMerge) {
      operands.push_back(e->value);
      continue;
    }
    if (e->type == kTypeValue) base = "=" + e->value;
    break;
  }
  for (auto it = operands.rbegin(); it != operands.rend(); ++it) {
    base += (base.empty() ? "=" : ",") + *it;
  }
  return base;
}

class WrittenHistory {
 public:
  explicit WrittenHistory(uint64_t seed) : random_(seed) {}

  // Single deletions follow exactly one value, as their contract wants.
  std::vector<TextEntry> Make(int count, SequenceNumber first) {
    std::vector<TextEntry> all;
    std::map<std::string, ValueType> newest;
    for (int i = 0; i < count; ++i) {
      TextEntry e;
      e.sequence = first + i;
      e.user_key = std::string(1, static_cast<char>('a' + random_() % 5));
      const uint64_t dice = random_() % 10;
      // Keys d and e are for single deletions.
      const bool is_single = e.user_key >= "d";
      if (is_single) {
        const bool has_value = newest[e.user_key] == kTypeValue;
        e.type = has_value ? kTypeSingleDeletion : kTypeValue;
      } else if (dice < 4) {
        e.type = kTypeValue;
      } else if (dice < 7) {
        e.type = kTypeMerge;
      } else if (dice < 9) {
        e.type = kTypeDeletion;
      } else {
        e.type = kTypeRangeDeletion;
        e.value = std::string(1, "bcd"[random_() % 3]);
        if (e.value <= e.user_key) continue;
      }
      if (e.type == kTypeValue || e.type == kTypeMerge) {
        e.value = std::to_string(e.sequence);
      }
      newest[e.user_key] = e.type;
      all.push_back(e);
    }
    return all;
  }
  uint64_t Next(uint64_t limit) { return random_() % limit; }

 private:
  std::mt19937_64 random_;
};

// What a job with these inputs writes: surviving versions and tombstones.
std::vector<TextEntry> Rewrite(const std::vector<TextEntry>& input,
                               Conditions* conditions) {
  EntriesIterator iterator(input);
  const Result result = Compact(input, &iterator, conditions);
  EXPECT_TRUE(result.status.ok()) << result.status.ToString();
  std::vector<TextEntry> output = ParseEntries(result.text);
  std::vector<RangeTombstone> survivors;
  // The survivors point into it.
  const auto tombstones = TombstonesOf(input);
  AppendSurvivors(
      *tombstones, TombstoneRange(), SnapshotStripes(conditions->snapshots),
      conditions->is_flush ? nullptr : &conditions->below, &survivors);
  for (const RangeTombstone& t : survivors) {
    output.push_back(
        {t.begin.ToString(), t.sequence, kTypeRangeDeletion, t.end.ToString()});
  }
  return output;
}

std::vector<TextEntry> Joined(std::vector<TextEntry> a,
                              const std::vector<TextEntry>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

void ExpectSameReads(const std::vector<TextEntry>& after,
                     const std::vector<TextEntry>& before,
                     std::vector<SequenceNumber> readers) {
  readers.push_back(kMaxSequenceNumber);
  for (SequenceNumber reader : readers) {
    for (const char* key : {"a", "b", "c", "d", "e"}) {
      ASSERT_EQ(ReadAt(after, key, reader), ReadAt(before, key, reader))
          << "key " << key << " at " << reader;
    }
  }
}

// Whatever a flush or compaction drops and changes, every snapshot and the
// present read as before; also when snapshots go and what was written is
// compacted again, with older data and at last without any below.
TEST(CompactionIteratorTest, ReadersSeeNoDifference) {
  for (uint64_t seed = 1; seed <= 4000; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    WrittenHistory history(seed);
    const std::vector<TextEntry> all = history.Make(18, 1);
    const size_t cut = history.Next(2) * history.Next(all.size());
    const std::vector<TextEntry> old(all.begin(), all.begin() + cut);
    const std::vector<TextEntry> recent(all.begin() + cut, all.end());
    std::vector<std::pair<std::string, std::string>> ranges;
    for (const TextEntry& e : old) {
      ranges.emplace_back(e.user_key, e.user_key);
    }
    Conditions conditions;
    conditions.merge = NewStringAppendOperator();
    for (SequenceNumber s = cut + 1; s < 19; ++s) {
      if (history.Next(5) == 0) conditions.snapshots.push_back(s);
    }

    conditions.below = RangesBelow(ranges);
    conditions.is_flush = history.Next(3) == 0;
    conditions.is_bottommost = !conditions.is_flush && old.empty();
    std::vector<TextEntry> now = Rewrite(recent, &conditions);
    ExpectSameReads(Joined(now, old), all, conditions.snapshots);

    std::erase_if(conditions.snapshots,
                  [&](SequenceNumber) { return history.Next(2) == 0; });
    if (!conditions.is_bottommost) {
      conditions.below = RangesBelow(ranges);
      conditions.is_flush = false;
      now = Rewrite(now, &conditions);
      ExpectSameReads(Joined(now, old), all, conditions.snapshots);
    }

    conditions.below = RangesBelow();
    conditions.is_bottommost = true;
    now = Rewrite(Joined(now, old), &conditions);
    ExpectSameReads(now, all, conditions.snapshots);
    if (HasFatalFailure()) return;
  }
}

TEST(CompactionIteratorTest, StopsWhenAsked) {
  std::string text;
  for (int i = 0; i < 3000; ++i) {
    text += " k" + std::to_string(10000 + i) + "@1=v";
  }
  std::atomic<bool> stop{true};
  Conditions setup;
  setup.stop.shutting_down = &stop;
  EXPECT_TRUE(Compact(text, &setup).status.IsShutdownInProgress());
  setup = Conditions();
  setup.stop.canceled = &stop;
  EXPECT_TRUE(Compact(text, &setup).status.IsManualCompactionPaused());
  stop = false;
  EXPECT_TRUE(Compact(text, &setup).status.ok());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

// What a flush or compaction drops or changes makes no difference to any
// snapshot or present read, and errors, merges and filters end as they should.
#include "db/semantics/compaction_iterator.h"

#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "db/semantics/tombstone_survivors.h"
#include "tests/db/semantics/compaction_entries.h"
#include "util/builtin_merge_operators.h"
#include "util/value/wide_columns_coding.h"

namespace ROCKSDB_NAMESPACE {
namespace {

struct Result {
  std::string text;
  Status status;
  CompactionIteratorStats stats;
};

// How one run is set up; the fields of a IteratorCase below, parsed.
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
    result.text += e.Text();
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

// `options`: "5,9" are snapshots, "flush", "bottom", "below:a-c", "merge",
// "lax" (single deletes are not enforced).
struct IteratorCase {
  const char* options;
  const char* input;
  const char* output;
};

std::vector<SequenceNumber> ParseNumbers(const std::string& text) {
  std::vector<SequenceNumber> numbers;
  std::istringstream parts(text);
  for (std::string part; std::getline(parts, part, ',');) {
    numbers.push_back(std::stoull(part));
  }
  return numbers;
}

Conditions ParseOptions(const std::string& text) {
  Conditions setup;
  std::vector<std::pair<std::string, std::string>> below;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    if (word == "flush") {
      setup.is_flush = true;
    } else if (word == "bottom") {
      setup.is_bottommost = true;
    } else if (word == "merge") {
      setup.merge = NewStringAppendOperator();
    } else if (word == "lax") {
      setup.enforces = false;
    } else if (word.rfind("below:", 0) == 0) {
      const size_t dash = word.find('-');
      below.emplace_back(word.substr(6, dash - 6), word.substr(dash + 1));
    } else {
      setup.snapshots = ParseNumbers(word);
    }
  }
  setup.below = RangesBelow(below);
  return setup;
}

const IteratorCase kIteratorCases[] = {
    // Hidden versions (9.1).
    {"", "", ""},
    {"", "a@3=x b@2=y", "a@3=x b@2=y"},
    {"", "a@3=x a@2=y a@1=z", "a@3=x"},
    {"flush", "a@3=x a@2=y b@1!", "a@3=x b@1!"},
    {"2", "a@3=x a@2=y a@1=z", "a@3=x a@2=y"},
    {"1,2", "a@3=x a@2=y a@1=z", "a@3=x a@2=y a@1=z"},
    {"2,2", "a@3=x a@2=y a@1=z", "a@3=x a@2=y"},
    {"9", "a@3=x a@2=y a@1=z", "a@3=x"},
    // Deletions (9.2).
    {"", "a@3! a@1=x b@2=y", "b@2=y"},
    {"below:a-a", "a@3! a@1=x b@2=y", "a@3! b@2=y"},
    {"below:b-c", "a@3! b@2! c@2! d@2!", "b@2! c@2!"},
    {"flush", "a@3! a@1=x", "a@3!"},
    {"2", "a@3! a@1=x", "a@3! a@1=x"},
    {"bottom", "a@3! a@1=x", ""},
    {"2 bottom", "a@3! a@1=x", "a@3! a@0=x"},
    {"2 bottom", "a@5! a@4=y b@5! b@4=z b@2=w c@1=v", "b@5! b@0=w c@0=v"},
    {"2 below:b-c", "a@5! b@1! d@1!", "a@5! b@1!"},
    {"5", "a@9=x a@4! a@3=y", "a@9=x"},
    // Sequence zeroing (9.5).
    {"bottom", "a@3=x b@2=y", "a@0=x b@0=y"},
    {"2 bottom", "a@3=x b@2=y", "a@3=x b@0=y"},
    {"2 bottom", "a@3=x a@1=y", "a@3=x a@0=y"},
    {"bottom", "a@3+x", "a@3+x"},
    // Single deletions (9.3).
    {"", "a@3!! a@1=x b@1=y", "b@1=y"},
    {"below:a-z", "a@3!! a@1=x", ""},
    {"below:a-z", "a@3!!", "a@3!!"},
    {"", "a@3!! b@2=x", "b@2=x"},
    {"flush", "a@3!!", "a@3!!"},
    {"flush", "a@3!! a@2=x", ""},
    {"2", "a@3!! a@1=x", "a@3!! a@1=x"},
    {"2", "a@5!! a@4=x", "a@5!! a@4="},
    {"2,6", "a@7=y a@5!! a@4=x", "a@7=y"},
    {"", "a@5!! a@4!! a@3=x", ""},
    {"lax below:a-a", "a@5!! a@4! a@3=x", "a@4!"},
    {"", "a@5=y a@4!! a@3=x", "a@5=y"},
    {"below:a-a", "a@5=y a@4!!", "a@5=y a@4!!"},
    {"flush", "a@5=y a@4!!", "a@5=y a@4!!"},
    {"3", "a@5=y a@4!! a@3=x", "a@5=y a@4!! a@3=x"},
    {"3,7", "a@9=z a@6!! a@5=y a@4!! a@3=x", "a@9=z a@4!! a@3=x"},
    {"3", "a@6!! a@5=y a@4!! a@3=x", "a@6!! a@5= a@4!! a@3=x"},
    {"", "a@6!! a@5=y a@4=w", ""},
    {"below:a-a lax", "a@6=z a@5!! a@4!", "a@6=z"},
    {"merge below:a-a", "a@5+y a@4!!", "a@5=y a@4!!"},
    {"bottom 2", "a@5!! b@1=x", "b@0=x"},
    {"", "a@5!! a@4+x a@3=y", ""},
    // Merges (9.4).
    {"merge", "a@3+y a@2+x a@1=w", "a@3=w,x,y"},
    {"merge bottom", "a@3+y a@2+x", "a@0=x,y"},
    {"merge bottom 1", "a@3+y a@2+x", "a@3=x,y"},
    {"merge", "a@3+y a@2+x", "a@3+x,y"},
    {"merge", "a@3+y", "a@3+y"},
    {"merge", "a@3+y a@2!", "a@3=y"},
    {"merge", "a@3+y a@2! a@1=z", "a@3=y"},
    {"merge 2", "a@4+y a@3+x a@2=w a@1=v", "a@4+x,y a@2=w"},
    {"merge 2", "a@4+y a@3+x a@2+w a@1=v", "a@4+x,y a@2=v,w"},
    {"merge bottom 2", "a@4+y a@2=w", "a@4+y a@0=w"},
    {"merge flush", "a@3+y a@2=x a@1=w b@1+q", "a@3=x,y b@1+q"},
    {"merge", "a@5=z a@3+y a@2=x", "a@5=z"},
    {"", "a@3+y a@2+x a@1=w", "a@3+y a@2+x a@1=w"},
    {"bottom", "a@3+y a@2+x a@1=w", "a@3+y a@2+x a@0=w"},
    // Range tombstones.
    {"", "a-c@5 a@6=x b@4=y c@3=z", "a@6=x c@3=z"},
    {"", "a-c@5 a@6=x a@4=y", "a@6=x"},
    {"4", "a-c@5 b@4=y", "b@4=y"},
    {"4", "a-c@5 b@6=z b@4=y b@3=x", "b@6=z b@4=y"},
    {"4,6", "a-c@5 b@7=z b@4=y", "b@7=z b@4=y"},
    {"4", "a-c@4 a-c@9 b@6=z b@3=y", ""},
    {"4", "a-c@9 b@6=z b@3=y", "b@3=y"},
    {"merge", "a-c@2 a@3+y a@1=x", "a@3=y"},
    {"merge", "a-c@5 a@4+y a@3=x", ""},
    {"merge 1", "a-c@2 a@3+y a@1=x", "a@3+y a@1=x"},
    {"below:a-z", "a-b@9 a@3! b@3!", "b@3!"},
    {"", "b-d@5 d-f@3 a@1=1 b@1=2 d@1=3 e@4=4 f@1=5", "a@1=1 e@4=4 f@1=5"},
    {"below:a-z", "a-c@2 a@3!! a@1=x", ""},
};

TEST(CompactionIteratorTest, Cases) {
  for (const IteratorCase& c : kIteratorCases) {
    SCOPED_TRACE(std::string(c.options) + " | " + c.input);
    Conditions setup = ParseOptions(c.options);
    const Result result = Compact(c.input, &setup);
    EXPECT_TRUE(result.status.ok()) << result.status.ToString();
    EXPECT_EQ(result.text, c.output);
    uint64_t points = 0;
    for (const TextEntry& e : ParseEntries(c.input)) {
      points += e.type != kTypeRangeDeletion;
    }
    EXPECT_EQ(result.stats.records_in, points);
  }
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

// --------------------------------------------------------------------- errors

TEST(CompactionIteratorTest, InputErrorIsNotAnEnd) {
  const std::vector<TextEntry> entries =
      ParseEntries("a@5=1 a@4=2 b@3+x b@2+y c@1!! d@9=1");
  for (size_t at = 0; at <= 5; ++at) {
    EntriesIterator input(entries);
    input.FailAt(at, Status::IOError("disk"));
    Conditions setup = ParseOptions("merge");
    const Result result = Compact(entries, &input, &setup);
    EXPECT_TRUE(result.status.IsIOError()) << "at " << at;
  }
}

TEST(CompactionIteratorTest, KeyThatIsNoneIsCorruption) {
  for (const std::string& raw :
       {std::string("short"), std::string("z\x7f\0\0\0\0\0\0\0", 9),
        std::string("z\x0f\0\0\0\0\0\0\0", 9)}) {
    EntriesIterator input(ParseEntries("a@5=1"));
    input.AppendRaw(raw);
    Conditions setup;
    const Result result = Compact({}, &input, &setup);
    EXPECT_TRUE(result.status.IsCorruption()) << result.status.ToString();
    EXPECT_EQ(result.stats.corrupt_keys, 1);
  }
}

TEST(CompactionIteratorTest, SingleDeleteOverDeleteIsCorruptionIfEnforced) {
  Conditions setup;
  const Result result = Compact("a@5!! a@4! a@3=x", &setup);
  EXPECT_TRUE(result.status.IsCorruption());
  EXPECT_EQ(result.stats.single_delete_mismatch, 1);
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

TEST(CompactionIteratorTest, KeepsToItsRange) {
  Conditions setup;
  setup.begin = "b";
  setup.end = "d";
  const Result result = Compact("a@1=1 b@2=2 b@1=3 c@1=4 d@1=5", &setup);
  EXPECT_EQ(result.text, "b@2=2 c@1=4");
  EXPECT_EQ(result.stats.records_in, 3);
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

TEST(CompactionIteratorTest, FailedMergeFailsUnlessItMayWait) {
  using Scope = MergeOperator::OpFailureScope;
  Conditions setup;
  setup.merge = std::make_shared<FailingMerge>(Scope::kDefault);
  EXPECT_TRUE(Compact("a@3+y a@1=x", &setup).status.IsCorruption());
  setup.merge = std::make_shared<FailingMerge>(Scope::kMustMerge);
  const Result kept = Compact("a@3+y a@2+z a@1=x a@0=w b@1=v", &setup);
  EXPECT_TRUE(kept.status.ok());
  EXPECT_EQ(kept.text, "a@3+y a@2+z a@1=x b@1=v");
  const Result on_tombstone = Compact("a@3+y a@2! a@1=x", &setup);
  EXPECT_EQ(on_tombstone.text, "a@3+y");
}

// --------------------------------------------------------------------- filter

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

TEST(CompactionIteratorTest, FilterDecides) {
  const IteratorCase cases[] = {
      {"", "a@2=keep a@1=drop b@1=drop", "a@2=keep"},
      {"below:a-z", "a@2=drop a@1=old", "a@2!"},
      {"below:a-z", "a@2=purge a@1=old b@1=x", "a@2!! b@1=x"},
      {"bottom", "a@2=change", "a@0=new"},
      {"5", "a@2=change a@1=x", "a@2=new"},
      {"1", "a@2=keep a@1=change", "a@2=keep a@1=change"},
      {"", "a@2=skip:c a@1=x b@1=x c@2=y d@1=z", "c@2=y d@1=z"},
      {"", "a@2=skip:a b@1=x", "a@2=skip:a b@1=x"},
      {"merge", "a@3+drop a@2+x a@1=w", "a@2=w,x"},
      {"merge", "a@3+drop a@1=w a@0=v", "a@1=w"},
      {"merge", "a@3+change a@2+x", "a@3+x,new"},
      {"merge", "a@3+skip:c a@2=x b@1=y c@1=z", "c@1=z"},
      {"merge below:a-a", "a@3+drop a@2! a@1=x b@1=y", "a@2! b@1=y"},
  };
  for (const IteratorCase& c : cases) {
    SCOPED_TRACE(std::string(c.options) + " | " + c.input);
    const TextFilter filter;
    Conditions setup = ParseOptions(c.options);
    setup.filter = &filter;
    const Result result = Compact(c.input, &setup);
    EXPECT_TRUE(result.status.ok()) << result.status.ToString();
    EXPECT_EQ(result.text, c.output);
  }
}

TEST(CompactionIteratorTest, FilterSeesTheFirstVersionOnly) {
  const TextFilter filter;
  Conditions setup = ParseOptions("2");
  setup.filter = &filter;
  EXPECT_TRUE(Compact("a@3=1 a@2=2 b@3! b@1=3 c@1=4", &setup).status.ok());
  EXPECT_EQ(filter.seen, (std::vector<std::string>{"1", "4"}));
}

TEST(CompactionIteratorTest, FilterMakesAnEntity) {
  const TextFilter filter;
  Conditions setup;
  setup.filter = &filter;
  std::string columns;
  ASSERT_TRUE(EncodeWideColumns({{"a", "1"}, {"b", "2"}}, &columns).ok());
  EXPECT_EQ(Compact("k@1=columns", &setup).text, "k@1?22" + columns);
}

TEST(CompactionIteratorTest, FilterFailures) {
  TextFilter filter;
  Conditions setup;
  setup.filter = &filter;
  EXPECT_TRUE(Compact("a@1=io", &setup).status.IsIOError());
  EXPECT_TRUE(Compact("a@1=throw", &setup).status.IsAborted());
  EXPECT_TRUE(Compact("a@1=nonsense", &setup).status.IsNotSupported());
  filter.ignores = false;
  EXPECT_TRUE(Compact("a@1=x", &setup).status.IsNotSupported());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

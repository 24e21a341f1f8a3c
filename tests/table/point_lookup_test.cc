// One point lookup, fed with versions of a key from the newest on.
//
// Runs tests/testdata/sst/point_lookup.txt:
//
//   lookup [WANTED] [OPTION ..]
//   WORDS     what the lookup of "k" is fed: entries as in text_entries.h, with
//             \xHH, and covered@SEQUENCE for a range tombstone over the key
//
// WANTED is the value, or: exists, columns, operands (unmerged). OPTIONs are
// operator:none, snapshot:SEQUENCE, enough:OPERAND (older ones are not wanted),
// most:N (operands that are not worth a report).
// The answers: whether it wants more after each entry; what it knows before the
// end, and of which sequence; the result. The merge operator joins with commas,
// fails at the operand "fail", and has enough with three.
#include "table/point_lookup.h"

#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "rocksdb/comparator.h"
#include "rocksdb/wide_columns.h"
#include "tests/db/semantics/text_entries.h"
#include "tests/testing/script.h"
#include "tests/testing/script_lines.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// Joins operands with commas; enough with three of them.
class JoinFound : public MergeOperator {
 public:
  const char* Name() const override { return "JoinFound"; }
  bool FullMergeV2(const MergeOperationInput& in,
                   MergeOperationOutput* out) const override {
    if (in.existing_value != nullptr) {
      out->new_value = in.existing_value->ToString();
    }
    for (const Slice& operand : in.operand_list) {
      if (operand == "fail") return false;
      out->new_value += "," + operand.ToString();
    }
    return true;
  }
  bool ShouldMerge(const std::vector<Slice>& operands) const override {
    return operands.size() >= 3;
  }
};

TEST(PointLookupTest, PinsWhatCanBePinned) {
  const InternalKeyComparator order(BytewiseComparator());
  const PointLookup::Context context{.order = &order};
  PinnableSlice value;
  int unpinned = 0;
  const auto count = [](void* counter, void*) {
    ++*static_cast<int*>(counter);
  };
  const std::string bytes = "pinned";
  Cleanable pin;
  pin.RegisterCleanup(count, &unpinned, nullptr);
  PointLookup pins(context, "key", &value, nullptr);
  EXPECT_FALSE(pins.Add({"key", 5, kTypeValue}, bytes, &pin));
  EXPECT_EQ(value.data(), bytes.data());
  EXPECT_FALSE(pin.HasCleanups());
  EXPECT_EQ(unpinned, 0);
  value.Reset();
  EXPECT_EQ(unpinned, 1);

  Cleanable nothing;
  PointLookup copies(context, "key", &value, nullptr);
  EXPECT_FALSE(copies.Add({"key", 5, kTypeValue}, bytes, &nothing));
  EXPECT_EQ(value, bytes);
  EXPECT_NE(value.data(), bytes.data());
}

class LookupScript {
 public:
  explicit LookupScript(const ScriptCase& c) : command_(c.command) {
    EXPECT_EQ(command_.verb(), "lookup");
    context_.order = &order_;
    if (!command_.Has("operator")) context_.merge_operator = &join_;
    if (command_.HasWord("operands")) context_.gather = &operands_;
    context_.snapshot = command_.Number("snapshot", kMaxSequenceNumber);
    if (command_.Has("most")) {
      context_.merge_operand_count_threshold = command_.Number("most", 0);
    }
    if (command_.Has("enough")) {
      operands_.continue_after = [this](const Slice& operand) {
        return operand != Slice(command_.Text("enough", ""));
      };
    }
    std::istringstream words(c.body);
    for (std::string word; words >> word;) words_.push_back(word);
  }

  std::string Answers() {
    const bool wants_value =
        !command_.HasWord("exists") && !command_.HasWord("columns");
    PointLookup lookup(context_, "k", wants_value ? &value_ : nullptr,
                       command_.HasWord("columns") ? &columns_ : nullptr);
    std::string text;
    for (const std::string& word : words_) Feed(word, &lookup, &text);
    text = TextOr(text, "nothing") + "\n" + Known(lookup) + "\n";
    const Status s = lookup.Finish();
    EXPECT_TRUE(lookup.state() != PointLookup::State::kMerge);
    if (s.IsNotFound()) return text + "not found";
    if (!s.ok()) return text + s.ToString();
    if (s.IsOkMergeOperandThresholdExceeded()) text += "(many operands) ";
    return text + Result();
  }

 private:
  static void Feed(const std::string& word, PointLookup* lookup,
                   std::string* text) {
    if (word.starts_with("covered@")) {
      lookup->NoteTombstone(std::stoull(word.substr(word.find('@') + 1)));
      return;
    }
    const TextEntry entry = ParseEntry(BytesOfText(word));
    const ParsedInternalKey key{entry.user_key, entry.sequence, entry.type};
    JoinItem(text, lookup->Add(key, entry.value, nullptr) ? "more" : "stop");
  }
  static std::string Known(const PointLookup& lookup) {
    static const char* const kNames[] = {"nothing yet", "found", "deleted",
                                         "operands", "corrupt"};
    std::string text = kNames[static_cast<size_t>(lookup.state())];
    if (lookup.found_sequence() != kMaxSequenceNumber) {
      text += "@" + std::to_string(lookup.found_sequence());
    }
    const bool is_open = lookup.state() == PointLookup::State::kNotFound ||
                         lookup.state() == PointLookup::State::kMerge;
    EXPECT_EQ(lookup.IsDecided(), !is_open);
    if (lookup.tombstone() > 0) {
      text += ", covered@" + std::to_string(lookup.tombstone());
    }
    return text;
  }
  std::string Result() const {
    std::string text;
    if (command_.HasWord("exists")) return "it is there";
    if (command_.HasWord("operands")) {
      for (const std::string& one : operands_.values) JoinItem(&text, one);
      return "[" + text + "]";
    }
    if (!command_.HasWord("columns")) return "=" + value_.ToString();
    for (const WideColumn& column : columns_.columns()) {
      JoinItem(&text,
               column.name().ToString() + ":" + column.value().ToString(), ",");
    }
    return "{" + text + "}";
  }

  const ScriptWords command_;
  std::vector<std::string> words_;
  const InternalKeyComparator order_{BytewiseComparator()};
  const JoinFound join_;
  MergeOperandList operands_;
  PointLookup::Context context_;
  PinnableSlice value_;
  PinnableWideColumns columns_;
};

TEST(LookupScriptTest, EveryCaseOfTheScript) {
  const size_t count =
      RunScript("sst/point_lookup.txt",
                [](const ScriptCase& c) { return LookupScript(c).Answers(); });
  EXPECT_GE(count, 61u) << "cases went missing";
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

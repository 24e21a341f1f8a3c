// Runs tests/testdata/scans/*.txt: iterators over memtables, without a
// database.
//
//   scan OPTIONS          what the steps of an iterator show
//   meaning OPTIONS       what each entry means as of the moment
//   sealed ENTRIES        a sealed memtable; the oldest comes first
//   active ENTRIES        the active one
//   > STEPS               one line of answers each
//
// ENTRIES are as in text_entries.h; keys may have a timestamp: k^5@7=v.
// OPTIONs of the read: at:SEQUENCE, as_of:TIMESTAMP, from:TIMESTAMP (each
// version is shown), lower:KEY, upper:KEY, most:N hidden entries in a call,
// same_prefix, lazy, pin, tail, follow. Of the family: reseek:N versions,
// prefix:BYTES, runs:N deletions, hidden:N (in a call: flush).
// STEPs: first, last, to:KEY, back:KEY, next, prev, load, refresh, refresh:SEQ,
// add:ENTRY, seal, reseeks (how many there were so far), property:NAME.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "db/read/entry_rules.h"
#include "db/read/history_iterator.h"
#include "db/read/user_iterator.h"
#include "db/semantics/snapshot_list.h"
#include "memtable/memtable.h"
#include "rocksdb/slice_transform.h"
#include "rocksdb/statistics.h"
#include "tests/db/registry/family_world.h"
#include "tests/db/semantics/text_entries.h"
#include "tests/testing/script.h"
#include "util/builtin_merge_operators.h"

namespace ROCKSDB_NAMESPACE {
namespace {

std::string TimestampText(const Slice& timestamp) {
  return std::to_string(DecodeFixed64(timestamp.data()));
}

// Asks for everything of the database that an iterator may ask for, and notes
// what.
class NotingHost final : public IteratorHost {
 public:
  NotingHost(ColumnFamilyData* cfd, const SequenceNumber* last,
             std::string* notes)
      : IteratorHost(
            {.renews = true, .flushes = true, .takes_dead_ranges = true}),
        cfd_(cfd),
        last_(last),
        notes_(notes) {}

  void Release(SuperVersion* state) override {
    ColumnFamilyData::Release(state);
  }
  SuperVersion* Acquire(SequenceNumber* snapshot) override {
    *snapshot = *last_;
    return cfd_->AcquireReferenced();
  }
  SequenceNumber Newest(uint64_t* super_version_number) override {
    *super_version_number = cfd_->super_version_number();
    return *last_;
  }
  void FlushSoon(const SuperVersion&) override { *notes_ += "(flush)"; }
  void HideRange(const SuperVersion&, const RangeTombstone& dead) override {
    *notes_ += "(hide " + dead.begin.ToString() + "-" + dead.end.ToString() +
               "@" + std::to_string(dead.sequence) + ")";
  }

 private:
  ColumnFamilyData* const cfd_;
  const SequenceNumber* const last_;
  std::string* const notes_;
};

class ScanScript {
 public:
  explicit ScanScript(const ScriptCase& c) : command_(c.command) {
    has_timestamps_ = Has("as_of");
    MakeFamily();
    for (const std::string& line : LinesOf(c.body)) {
      const size_t space = line.find(' ');
      const std::string kind = line.substr(0, space);
      const std::string rest =
          space == std::string::npos ? "" : line.substr(space + 1);
      if (kind == ">") {
        steps_.push_back(rest);
        continue;
      }
      EXPECT_TRUE(kind == "sealed" || kind == "active") << line;
      Add(rest);
      if (kind == "sealed") Seal();
    }
    Install();
    SetReadOptions();
  }
  ScanScript(const ScanScript&) = delete;
  ScanScript& operator=(const ScanScript&) = delete;

  std::string Run() {
    if (command_.verb() == "meaning") return Meanings();
    EXPECT_EQ(command_.verb(), "scan");
    MakeIterator();
    std::string text;
    for (const std::string& line : steps_) {
      std::istringstream words(line);
      std::string answers;
      for (std::string step; words >> step;) {
        std::string answer = Step(step);
        answer += std::exchange(notes_, "");  // What the step has noted.
        if (answer.empty()) continue;
        if (!answers.empty()) answers += "  ";
        answers += answer;
      }
      text += answers + "\n";
    }
    return text;
  }

 private:
  bool Has(const std::string& name) const {
    return command_.Has(name) || command_.HasWord(name);
  }
  uint64_t Number(const std::string& name, uint64_t otherwise) const {
    return command_.Number(name, otherwise);
  }

  void MakeFamily() {
    ColumnFamilyOptions& cf = world_.f.family;
    if (has_timestamps_) cf.comparator = BytewiseComparatorWithU64Ts();
    cf.merge_operator = NewStringAppendOperator();
    cf.max_sequential_skip_in_iterations = Number("reseek", 8);
    cf.min_tombstones_for_range_conversion =
        static_cast<uint32_t>(Number("runs", 0));
    cf.memtable_op_scan_flush_trigger =
        static_cast<uint32_t>(Number("hidden", 0));
    if (Has("prefix")) {
      cf.prefix_extractor.reset(NewFixedPrefixTransform(Number("prefix", 1)));
      cf.memtable_prefix_bloom_size_ratio = 0.1;
    }
    family_ = world_.Add(0, "default");
  }
  ColumnFamilyData* cfd() { return family_->cfd.get(); }

  // `key^5`, as it is stored.
  std::string Stored(const std::string& text) const {
    const size_t hat = text.find('^');
    std::string key = text.substr(0, hat);
    if (has_timestamps_) {
      PutFixed64(&key, hat == std::string::npos
                           ? 0
                           : std::stoull(text.substr(hat + 1)));
    }
    return key;
  }
  TextEntry EntryOf(const std::string& text) const {
    TextEntry entry = ParseEntry(text);
    if (entry.type == kTypeRangeDeletion && has_timestamps_) {
      // The timestamp stands behind the end.
      const size_t hat = entry.value.find('^');
      entry.user_key += entry.value.substr(hat);
      entry.value = Stored(entry.value);
    }
    entry.user_key = Stored(entry.user_key);
    if (entry.type == kTypeDeletion && has_timestamps_) {
      entry.type = kTypeDeletionWithTimestamp;
    }
    return entry;
  }
  void Add(const std::string& entries) {
    MutexLock lock(&world_.mutex);
    std::istringstream words(entries);
    for (std::string word; words >> word;) {
      const TextEntry entry = EntryOf(word);
      entries_.emplace_back(word, entry);
      const Status s = cfd()->mem()->Add(entry.sequence, entry.type,
                                         entry.user_key, entry.value);
      EXPECT_TRUE(s.ok()) << s.ToString();
      last_ = std::max(last_, entry.sequence);
    }
  }
  void Seal() {
    MutexLock lock(&world_.mutex);
    const MemTableRef sealed = cfd()->SwitchMemTable(cfd()->NewMemTable(last_));
    cfd()->imm()->Add(sealed);
  }
  void Install() {
    std::vector<SuperVersion*> garbage;
    {
      MutexLock lock(&world_.mutex);
      cfd()->InstallSuperVersion(WriteStallCondition::kNormal, &garbage);
    }
    for (SuperVersion* state : garbage) {
      const std::unique_ptr<SuperVersion> last(state);
    }
  }

  void SetReadOptions() {
    if (has_timestamps_) {
      PutFixed64(&as_of_bytes_, Number("as_of", 0));
      as_of_ = as_of_bytes_;
      read_.timestamp = &as_of_;
    }
    if (Has("from")) {
      PutFixed64(&from_bytes_, Number("from", 0));
      from_ = from_bytes_;
      read_.iter_start_ts = &from_;
    }
    lower_bytes_ = command_.Text("lower", "");
    upper_bytes_ = command_.Text("upper", "");
    lower_ = lower_bytes_;
    upper_ = upper_bytes_;
    if (!lower_.empty()) read_.iterate_lower_bound = &lower_;
    if (!upper_.empty()) read_.iterate_upper_bound = &upper_;
    read_.max_skippable_internal_keys = Number("most", 0);
    read_.prefix_same_as_start = Has("same_prefix");
    read_.allow_unprepared_value = Has("lazy");
    read_.pin_data = Has("pin");
    read_.tailing = Has("tail");
    read_.auto_refresh_iterator_with_snapshot = Has("follow");
    if (Has("follow")) read_.snapshot = &snapshot_.emplace(Moment(), 0);
  }
  SequenceNumber Moment() const { return Number("at", last_); }

  void MakeIterator() {
    UserIteratorRequest request;
    request.options = read_;
    request.super_version = cfd()->AcquireReferenced();
    request.snapshot = Moment();
    request.key_text = KeyText::kShown;
    request.host = std::make_unique<NotingHost>(cfd(), &last_, &notes_);
    iterator_ = Has("from") ? NewHistoryIterator(std::move(request))
                            : NewUserIterator(std::move(request));
  }

  // Empty: the step has no answer.
  std::string Step(const std::string& step) {
    const size_t colon = step.find(':');
    const std::string verb = step.substr(0, colon);
    const std::string argument =
        colon == std::string::npos ? "" : step.substr(colon + 1);
    if (verb == "add") return Add(argument), "";
    if (verb == "seal") return Seal(), Install(), "";
    if (verb == "reseeks") {
      return std::to_string(
          cfd()->statistics()->getTickerCount(NUMBER_OF_RESEEKS_IN_ITERATION));
    }
    if (verb == "property") {
      std::string value;
      const Status s = iterator_->GetProperty(argument, &value);
      return s.ok() ? value : s.ToString();
    }
    if (verb == "refresh") return Refresh(argument);
    if (verb == "load") {
      if (!iterator_->PrepareValue()) return iterator_->status().ToString();
    } else {
      Move(verb, argument);
    }
    return Shown();
  }
  void Move(const std::string& verb, const std::string& argument) {
    if (verb == "first") return iterator_->SeekToFirst();
    if (verb == "last") return iterator_->SeekToLast();
    if (verb == "to") return iterator_->Seek(argument);
    if (verb == "back") return iterator_->SeekForPrev(argument);
    if (!iterator_->Valid()) {
      ADD_FAILURE() << verb << " from nowhere";
    } else if (verb == "next") {
      iterator_->Next();
    } else if (verb == "prev") {
      iterator_->Prev();
    } else {
      ADD_FAILURE() << "what is " << verb << "?";
    }
  }
  std::string Refresh(const std::string& sequence) {
    Status s;
    if (sequence.empty()) {
      s = iterator_->Refresh();
    } else {
      snapshot_.emplace(std::stoull(sequence), 0);
      s = iterator_->Refresh(&*snapshot_);
    }
    return s.ok() ? "" : s.ToString();
  }
  std::string Shown() const {
    if (!iterator_->Valid()) {
      const Status s = iterator_->status();
      return s.ok() ? "end" : s.ToString();
    }
    if (Has("from")) return ShownVersion();
    std::string text = iterator_->key().ToString();
    if (has_timestamps_) text += "^" + TimestampText(iterator_->timestamp());
    return text + ShownValue();
  }
  std::string ShownValue() const {
    const WideColumns& columns = iterator_->columns();
    const bool is_plain =
        columns.size() == 1 && columns[0].name() == kDefaultWideColumnName;
    if (is_plain) {
      EXPECT_EQ(columns[0].value(), iterator_->value());
      return "=" + iterator_->value().ToString();
    }
    std::string text;
    for (const WideColumn& column : columns) {
      text += text.empty() ? "{" : ",";
      text += column.name().ToString() + ":" + column.value().ToString();
    }
    return (text.empty() ? "{" : text) + "}";
  }
  // The key is a stored one.
  std::string ShownVersion() const {
    ParsedInternalKey entry;
    EXPECT_TRUE(ParseInternalKey(iterator_->key(), &entry));
    const size_t size = sizeof(uint64_t);
    std::string text = WithoutTimestamp(entry.user_key, size).ToString() + "^" +
                       TimestampText(iterator_->timestamp()) + "@" +
                       std::to_string(entry.sequence);
    if (IsPointDeletion(entry.type)) return text + "!";
    if (entry.type != kTypeMerge) return text + ShownValue();
    return text + "+" + iterator_->value().ToString();
  }

  std::string Meanings() {
    SuperVersion* const state = cfd()->AcquireReferenced();
    EntryRules rules;
    Status s = rules.Begin(*state, read_, cfd()->order(), Moment());
    EXPECT_TRUE(s.ok()) << s.ToString();
    std::string text;
    for (const auto& [word, entry] : entries_) {
      if (entry.type == kTypeRangeDeletion) continue;
      const ParsedInternalKey key{entry.user_key, entry.sequence, entry.type};
      text += word + " ";
      text += rules.IsVisible(key) ? MeaningText(rules.MeaningOf(key, &s))
                                   : "not seen";
      text += "\n";
    }
    EXPECT_TRUE(s.ok()) << s.ToString();
    rules.End();
    ColumnFamilyData::Release(state);
    return text;
  }
  static const char* MeaningText(EntryMeaning meaning) {
    switch (meaning) {
      case EntryMeaning::kCovered:
        return "covered";
      case EntryMeaning::kDeletion:
        return "deletion";
      case EntryMeaning::kOperand:
        return "operand";
      case EntryMeaning::kValue:
        return "value";
      case EntryMeaning::kUnknown:
        break;
    }
    return "unknown";
  }

  const ScriptWords command_;
  bool has_timestamps_ = false;
  FamilyWorld world_;
  FamilyRef family_;
  SequenceNumber last_ = 0;
  std::vector<std::pair<std::string, TextEntry>> entries_;
  std::vector<std::string> steps_;
  std::string notes_;
  ReadOptions read_;
  std::string as_of_bytes_, from_bytes_, lower_bytes_, upper_bytes_;
  Slice as_of_, from_, lower_, upper_;
  std::optional<SnapshotImpl> snapshot_;
  std::unique_ptr<Iterator> iterator_;
};

TEST(ScanScriptTest, EveryCaseOfTheScripts) {
  const size_t count = RunScripts(
      "scans", [](const ScriptCase& c) { return ScanScript(c).Run(); });
  EXPECT_GE(count, 80u) << "cases went missing";
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

// A memtable in text: what is put into it, step by step, and what reads find.
//
//   memtable [OPTION ..]
//   add ENTRY ..            as in text_entries.h; keys may end with ^TIMESTAMP.
//                           An answer comes where one is not taken
//   get KEY[@SEQUENCE] ..  [versions:N]    the newest ones as of the sequence;
//                           one by one, and together
//   overwrite [checksum:WHICH] ENTRY ..    is it written over the newest one?
//                           The checksum is right or wrong; by default none
//   cursor [prefix:BYTES] [upper:KEY] [auto]    opens one for `steps`
//   steps STEP ..           first, last, next, prev, to:KEY, back:KEY, in:KEY
//                           (a seek in the prefix of KEY), here (once more)
//   walk                    every entry, forward; then backward, compared
//   walk_back               every entry, backward
//   damage KEY[@SEQUENCE] PART:INDEX    turns the lowest bit of a byte, of the
//                           key, the value, or the checksum; "mask:" more bits
//   tombstones, counts, full, filter    what there is of each
//
// Every line that asks is answered by one line. OPTIONs: rep:NAME (one kind,
// not all; tree is the engine's own), reverse, timestamps, prefix:BYTES (of the
// family; 2), most_ranges:N, filter:BYTES, whole_keys, locks:N (of values that
// are overwritten), checksums:BYTES, order, searches.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "memtable/memtable.h"
#include "rocksdb/comparator.h"
#include "rocksdb/convenience.h"
#include "rocksdb/memtablerep.h"
#include "rocksdb/perf_context.h"
#include "rocksdb/slice_transform.h"
#include "tests/db/semantics/text_entries.h"
#include "tests/testing/script.h"
#include "tests/testing/script_lines.h"
#include "util/coding.h"
#include "util/key/entry_checksum.h"

namespace ROCKSDB_NAMESPACE {

class MemTableScript {
 public:
  // The same in every kind of memtable, unless the case names one.
  static std::string Answers(const ScriptCase& c) {
    const ScriptWords command(c.command);
    if (command.Has("rep")) {
      const std::string rep = command.Text("rep", "");
      return MemTableScript(command, rep == "tree" ? "" : rep).Run(c.body);
    }
    const std::string answers = MemTableScript(command, "").Run(c.body);
    for (const char* rep :
         {"skip_list", "vector", "prefix_hash:100", "hash_linkedlist:3"}) {
      EXPECT_EQ(MemTableScript(command, rep).Run(c.body), answers) << rep;
    }
    return answers;
  }

  // `rep` is empty: the engine's own tree.
  MemTableScript(const ScriptWords& command, const std::string& rep) {
    EXPECT_EQ(command.verb(), "memtable");
    has_timestamps_ = command.HasWord("timestamps");
    MemTableOptions options;
    if (command.HasWord("reverse")) {
      options.order = InternalKeyComparator(ReverseBytewiseComparator());
    }
    if (has_timestamps_) {
      options.order = InternalKeyComparator(BytewiseComparatorWithU64Ts());
    }
    if (!rep.empty()) {
      const Status s =
          MemTableRepFactory::CreateFromString(ConfigOptions(), rep, &factory_);
      EXPECT_TRUE(s.ok()) << s.ToString();
    }
    options.rep_factory = factory_.get();
    options.prefix_extractor.reset(
        NewFixedPrefixTransform(command.Number("prefix", 2)));
    options.max_range_deletions =
        static_cast<uint32_t>(command.Number("most_ranges", 0));
    options.filter.bytes = command.Number("filter", 0);
    options.filter.has_whole_keys = command.HasWord("whole_keys");
    options.in_place_locks = command.Number("locks", 0);
    options.checks.checksum_bytes =
        static_cast<uint32_t>(command.Number("checksums", 0));
    options.checks.order = command.HasWord("order");
    options.checks.searches = command.HasWord("searches");
    memtable_ = std::make_unique<MemTable>(options);
    EXPECT_GE(memtable_->ApproximateMemoryUsage(), options.filter.bytes);
    get_perf_context()->Reset();
    SetPerfLevel(kEnableCount);
  }
  ~MemTableScript() { SetPerfLevel(kDisable); }
  MemTableScript(const MemTableScript&) = delete;
  MemTableScript& operator=(const MemTableScript&) = delete;

  std::string Run(const std::string& body) {
    std::string text;
    for (const std::string& line : LinesOf(body)) {
      const std::string answer = Answer(line);
      if (!answer.empty()) text += answer + "\n";
    }
    return text;
  }

 private:
  // What a lookup is fed until it has `wanted` versions of its key.
  struct Sink {
    Sink(const MemTableScript& of, std::string user_key, size_t versions)
        : script(of), key(std::move(user_key)), wanted(versions) {}

    const MemTableScript& script;
    const std::string key;
    const size_t wanted;
    SequenceNumber tombstone = 0;
    std::vector<std::string> versions;
    Status corruption;

    void NoteTombstone(SequenceNumber sequence) { tombstone = sequence; }
    void NoteCorruption(const Status& s) { corruption = s; }
    bool Add(const ParsedInternalKey& version, const Slice& value, void*) {
      const InternalKeyComparator& order = script.memtable_->order();
      if (!order.EqualUserKeys(version.user_key, key)) return false;
      versions.push_back(script.Shown(version, value));
      return !IsDecided();
    }
    bool IsDecided() const {
      return versions.size() >= wanted || !corruption.ok();
    }
    std::string Text() const {
      std::string text;
      if (tombstone > 0) text = "covered@" + std::to_string(tombstone);
      if (!corruption.ok()) JoinItem(&text, corruption.ToString());
      for (const std::string& version : versions) JoinItem(&text, version, ",");
      return TextOr(text, "none");
    }
  };

  // `key^5`, as it is stored.
  std::string Stored(const std::string& text) const {
    const size_t hat = text.find('^');
    std::string key = text.substr(0, hat);
    if (has_timestamps_) {
      PutFixed64(&key,
                 hat == text.npos ? 0 : std::stoull(text.substr(hat + 1)));
    }
    return key;
  }
  TextEntry EntryOf(const std::string& text) const {
    TextEntry entry = ParseEntry(text);
    entry.user_key = Stored(entry.user_key);
    return entry;
  }
  std::string Shown(const ParsedInternalKey& key, const Slice& value) const {
    std::string user_key = key.user_key.ToString();
    if (has_timestamps_) {
      const size_t size = user_key.size() - sizeof(uint64_t);
      const uint64_t stamp = DecodeFixed64(user_key.data() + size);
      user_key.resize(size);
      user_key += "^" + std::to_string(stamp);
    }
    return TextOfBytes(
        TextEntry{user_key, key.sequence, key.type, value.ToString()}.Text());
  }
  // The parts of `key@7`; without "@", the sequence of the newest version.
  std::pair<std::string, SequenceNumber> KeyAndMoment(
      const std::string& text) const {
    const size_t at = text.find('@');
    return {Stored(text.substr(0, at)), at == text.npos
                                            ? kMaxSequenceNumber
                                            : std::stoull(text.substr(at + 1))};
  }
  std::string Target(const std::string& text) const {
    const auto [key, moment] = KeyAndMoment(text);
    return InternalKey(key, moment, kValueTypeForSeek).Encode().ToString();
  }

  std::string Answer(const std::string& line) {
    const std::string verb = line.substr(0, line.find(' '));
    if (verb == "add") return Add(line.substr(verb.size()));
    if (verb == "overwrite") return Overwrite(line.substr(verb.size()));
    if (verb == "steps") return Steps(line.substr(verb.size()));
    const ScriptWords words(line);
    if (verb == "get") return Get(words);
    if (verb == "cursor") return OpenCursor(words), "";
    if (verb == "walk") return Walk();
    if (verb == "walk_back") return WalkBack();
    if (verb == "damage") return Damage(words), "";
    if (verb == "counts") return Counts();
    if (verb == "full") return memtable_->ShouldFlush() ? "yes" : "no";
    if (verb == "tombstones") return Tombstones();
    EXPECT_EQ(verb, "filter");
    return std::to_string(get_perf_context()->bloom_memtable_hit_count) +
           " passed, " +
           std::to_string(get_perf_context()->bloom_memtable_miss_count) +
           " stopped";
  }
  // Cuts the line at blanks alone: entities, and types given by number, contain
  // colons, and ScriptWords would take them for named words.
  std::string Add(const std::string& entries) {
    std::string text;
    std::istringstream words(entries);
    for (std::string word; words >> word;) {
      const TextEntry entry = EntryOf(word);
      const Status s = memtable_->Add(entry.sequence, entry.type,
                                      entry.user_key, entry.value);
      if (!s.ok()) JoinItem(&text, word + " " + s.ToString(), "; ");
    }
    return text;
  }
  std::string Get(const ScriptWords& words) {
    const size_t versions = words.Number("versions", 1);
    std::vector<Sink> sinks;
    std::vector<std::unique_ptr<LookupKey>> keys;
    SequenceNumber moment = kMaxSequenceNumber;
    std::string text;
    for (const std::string& word : words.words()) {
      const auto [key, at] = KeyAndMoment(word);
      moment = at;
      keys.push_back(std::make_unique<LookupKey>(key, at));
      sinks.emplace_back(*this, key, versions);
      Sink sink(*this, key, versions);
      const bool is_decided = memtable_->Get(*keys.back(), at, &sink);
      EXPECT_EQ(is_decided, sink.IsDecided());
      JoinItem(&text, sink.Text(), "  ");
    }
    // Those that are asked together are asked as of one moment.
    std::vector<MemTable::Wanted<Sink>> wanted;
    for (size_t i = 0; i < sinks.size(); ++i) {
      keys[i] = std::make_unique<LookupKey>(sinks[i].key, moment);
      wanted.push_back({keys[i].get(), &sinks[i]});
    }
    SetPerfLevel(kDisable);
    memtable_->GetTogether(wanted, moment);
    for (size_t i = 0; i < sinks.size(); ++i) {
      Sink sink(*this, sinks[i].key, versions);
      memtable_->Get(*keys[i], moment, &sink);
      EXPECT_EQ(sinks[i].Text(), sink.Text()) << "together";
    }
    SetPerfLevel(kEnableCount);
    return text;
  }
  std::string Overwrite(const std::string& entries) {
    std::string text, which;
    std::istringstream words(entries);
    for (std::string word; words >> word;) {
      if (word.starts_with("checksum:")) {
        which = word.substr(word.find(':') + 1);
        continue;
      }
      const TextEntry entry = EntryOf(word);
      const uint64_t checksum = KeyValueChecksum(entry.user_key, entry.value) +
                                (which == "wrong" ? 1 : 0);
      const bool is_done = memtable_->Overwrite(
          {.sequence = entry.sequence,
           .type = entry.type,
           .key = entry.user_key,
           .value = entry.value,
           .checksum = which.empty() ? nullptr : &checksum});
      JoinItem(&text, is_done ? "yes" : "no");
    }
    return text;
  }

  void OpenCursor(const ScriptWords& words) {
    upper_bytes_ = words.Text("upper", "");
    upper_ = upper_bytes_;
    read_ = ReadOptions();
    if (words.Has("upper")) read_.iterate_upper_bound = &upper_;
    read_.auto_prefix_mode = words.HasWord("auto");
    cursor_prefix_.reset(
        words.Has("prefix") ? NewFixedPrefixTransform(words.Number("prefix", 2))
                            : nullptr);
    cursor_ = memtable_->NewIterator(
        {.read_options = &read_, .prefix_extractor = cursor_prefix_.get()});
  }
  std::string Steps(const std::string& steps) {
    if (cursor_ == nullptr) OpenCursor(ScriptWords("cursor"));
    std::string text;
    std::istringstream words(steps);
    for (std::string step; words >> step;) {
      Step(step);
      JoinItem(&text, Shown(*cursor_), "  ");
    }
    return text;
  }
  void Step(const std::string& step) {
    const size_t colon = step.find(':');
    const std::string verb = step.substr(0, colon);
    const std::string target =
        colon == step.npos ? "" : Target(step.substr(colon + 1));
    if (verb == "first") return cursor_->SeekToFirst();
    if (verb == "last") return cursor_->SeekToLast();
    if (verb == "to") return cursor_->Seek(target);
    if (verb == "in") return cursor_->SeekInPrefix(target);
    if (verb == "back") return cursor_->SeekForPrev(target);
    if (verb == "here") return;
    if (!cursor_->Valid()) {
      ADD_FAILURE() << step << " from nowhere";
    } else if (verb == "next") {
      cursor_->Next();
    } else {
      EXPECT_EQ(verb, "prev");
      cursor_->Prev();
    }
  }
  std::string Shown(const InternalIterator& it) const {
    if (!it.Valid()) return it.status().ok() ? "end" : it.status().ToString();
    EXPECT_EQ(it.IsValuePinned(), memtable_->options().in_place_locks == 0);
    ParsedInternalKey key;
    EXPECT_TRUE(ParseInternalKey(it.key(), &key));
    return Shown(key, it.value());
  }
  std::string Walk() const {
    std::string text;
    const auto it = memtable_->NewIterator();
    for (it->SeekToFirst(); it->Valid(); it->Next())
      JoinItem(&text, Shown(*it));
    if (!it->status().ok()) {
      JoinItem(&text, it->status().ToString(), "; ");
    } else if (!is_damaged_) {  // That may go round in circles.
      std::string backward;
      for (it->SeekToLast(); it->Valid(); it->Prev()) {
        backward = Shown(*it) + (backward.empty() ? "" : " ") + backward;
      }
      EXPECT_EQ(backward, text);
    }
    return TextOr(text, "nothing");
  }
  std::string WalkBack() const {
    std::string text;
    const auto it = memtable_->NewIterator();
    for (it->SeekToLast(); it->Valid(); it->Prev()) JoinItem(&text, Shown(*it));
    if (!it->status().ok()) JoinItem(&text, it->status().ToString(), "; ");
    return TextOr(text, "nothing");
  }

  void Damage(const ScriptWords& words) {
    is_damaged_ = true;
    const auto it = memtable_->NewIterator();
    it->Seek(Target(words.Word(0)));
    ASSERT_TRUE(it->Valid()) << words.Word(0);
    const Slice key = it->key(), value = it->value();
    const char* byte = nullptr;
    if (words.Has("key")) byte = key.data() + words.Number("key", 0);
    if (words.Has("value")) byte = value.data() + words.Number("value", 0);
    if (words.Has("checksum")) {
      byte = value.data() + value.size() + words.Number("checksum", 0);
    }
    ASSERT_NE(byte, nullptr);
    *const_cast<char*>(byte) =
        static_cast<char>(*byte ^ static_cast<char>(words.Number("mask", 1)));
  }
  std::string Counts() const {
    const MemTableCounts& counts = memtable_->counts();
    EXPECT_EQ(counts.entries(), memtable_->entry_count());
    EXPECT_EQ(memtable_->empty(), counts.entries() == 0);
    return std::to_string(counts.entries()) + " entries, " +
           std::to_string(counts.deletes()) + " deletions, " +
           std::to_string(counts.range_deletes()) + " of ranges, " +
           std::to_string(counts.data_bytes()) + " bytes, from " +
           std::to_string(counts.first_sequence());
  }
  std::string Tombstones() {
    const auto all = memtable_->tombstones().All();
    EXPECT_EQ(all, memtable_->tombstones().All()) << "cut after a change only";
    EXPECT_TRUE(all->empty() || memtable_->tombstones().IsAny());
    if (cut_before_ != nullptr) {
      EXPECT_EQ(TextOf(*cut_before_), text_before_) << "others are other ones";
    }
    cut_before_ = all;
    text_before_ = TextOf(*all);
    return TextOr(text_before_, "none");
  }
  static std::string TextOf(const FragmentedTombstones& tombstones) {
    std::string text;
    for (size_t i = 0; i < tombstones.size(); ++i) {
      const FragmentedTombstones::Fragment f = tombstones.at(i);
      std::string sequences;
      for (const SequenceNumber sequence : f.sequences) {
        JoinItem(&sequences, std::to_string(sequence), ",");
      }
      JoinItem(&text, "[" + f.begin.ToString() + "-" + f.end.ToString() + ")" +
                          sequences);
    }
    return text;
  }

  bool has_timestamps_ = false;
  bool is_damaged_ = false;
  std::shared_ptr<MemTableRepFactory> factory_;
  std::unique_ptr<MemTable> memtable_;
  std::shared_ptr<const FragmentedTombstones> cut_before_;
  std::string text_before_;  // what it was then
  ReadOptions read_;
  std::string upper_bytes_;
  Slice upper_;
  std::shared_ptr<const SliceTransform> cursor_prefix_;
  std::unique_ptr<InternalIterator> cursor_;
};

}  // namespace ROCKSDB_NAMESPACE

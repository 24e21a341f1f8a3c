// A table file in text: what is written into it, and what a reader finds.
//
//   table [form:NAME] [OPTION ..]    in each form that the test has, with the
//                         same answers, or in one of them
//   ENTRY ..              as in text_entries.h, in order, values and range
//                         tombstones; keys may end with ^TIMESTAMP. many:COUNT
//                         are so many numbered ones, key00000 and on
//   reader [form:NAME] [OPTION ..]    opens it with other options than it was
//                         written with
//   damage TEXT AT BYTE   in the file: the byte AT behind the begin of the text
//   > get KEY[@SEQUENCE] ..    what a lookup finds, as of the sequence
//   > steps STEP ..       first, last, next, prev, to:KEY[@SEQUENCE],
//                         back:KEY[@SEQUENCE]
//   > walk                every entry, both ways
//   > tombstones, properties, verify
//
// If the file cannot be written or opened, that is the answer. OPTIONs:
// reverse, timestamps:keep, timestamps:leave_out, prefix:BYTES, no_mmap,
// id:NUMBER (of another file than it is).
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "rocksdb/comparator.h"
#include "rocksdb/slice_transform.h"
#include "tests/db/semantics/text_entries.h"
#include "tests/table/table_fixture.h"
#include "tests/testing/script.h"
#include "tests/testing/script_lines.h"
#include "util/coding.h"

namespace ROCKSDB_NAMESPACE {

struct TableForm {
  std::string name;
  std::function<void(TableFixture*)> prepare;
  // False: only for cases that name it.
  bool is_for_all = true;
};

class TableScript {
 public:
  static std::string Answers(const ScriptCase& c,
                             const std::vector<TableForm>& forms) {
    const ScriptWords command(c.command);
    EXPECT_EQ(command.verb(), "table");
    if (command.Has("form")) {
      return TableScript(c, forms, FormNamed(command, forms)).Run();
    }
    std::string answers, first;
    for (const TableForm& form : forms) {
      if (!form.is_for_all) continue;
      const std::string now = TableScript(c, forms, form).Run();
      if (first.empty()) {
        first = form.name;
        answers = now;
      }
      EXPECT_EQ(now, answers) << "in " << form.name << " and " << first;
    }
    return answers;
  }

 private:
  TableScript(const ScriptCase& c, const std::vector<TableForm>& forms,
              const TableForm& form)
      : command_(c.command), steps_(c.body), forms_(forms), form_(form) {
    form_.prepare(&fixture_);
    SetOptions(command_);
  }
  static const TableForm& FormNamed(const ScriptWords& words,
                                    const std::vector<TableForm>& forms) {
    for (const TableForm& form : forms) {
      if (form.name == words.Text("form", "")) return form;
    }
    ADD_FAILURE() << "no form " << words.Text("form", "");
    return forms.front();
  }
  void SetOptions(const ScriptWords& words) {
    ColumnFamilyOptions& family = fixture_.family;
    const std::string timestamps = words.Text("timestamps", "");
    if (!timestamps.empty()) {
      family.comparator = words.HasWord("reverse")
                              ? ReverseBytewiseComparatorWithU64Ts()
                              : BytewiseComparatorWithU64Ts();
      family.persist_user_defined_timestamps = timestamps == "keep";
    } else if (words.HasWord("reverse")) {
      family.comparator = ReverseBytewiseComparator();
    }
    if (words.Has("prefix")) {
      family.prefix_extractor.reset(
          NewFixedPrefixTransform(words.Number("prefix", 0)));
    }
    if (words.HasWord("no_mmap")) fixture_.db.allow_mmap_reads = false;
    if (words.Has("id")) fixture_.expected_unique_id[0] = words.Number("id", 0);
  }
  bool HasTimestamps() const {
    return fixture_.family.comparator->timestamp_size() > 0;
  }

  std::string Run() {
    std::vector<TableEntry> entries;
    std::vector<std::string> later;
    for (const std::string& line : steps_.given) {
      if (line.starts_with("reader") || line.starts_with("damage ")) {
        later.push_back(line);
      } else {
        AddEntries(line, &entries);
      }
    }
    Status s;
    bytes_ = fixture_.Build(entries, &s);
    if (!s.ok()) return s.ToString();
    for (const std::string& line : later) {
      const ScriptWords words(line);
      words.verb() == "damage" ? Damage(words) : SetReader(words);
    }
    s = fixture_.Open(bytes_, &reader_);
    if (!s.ok()) return s.ToString();
    read_.total_order_seek = true;
    iterator_ = reader_->NewIterator({.read_options = &read_});
    std::string text;
    for (const std::string& line : steps_.asked) text += Answer(line) + "\n";
    return TextOr(text, "a table");
  }
  // The reader's options are those of the words alone.
  void SetReader(const ScriptWords& words) {
    fixture_.family = ColumnFamilyOptions();
    fixture_.factory = nullptr;
    const TableForm& form =
        words.Has("form") ? FormNamed(words, forms_) : form_;
    form.prepare(&fixture_);
    SetOptions(words);
  }
  void Damage(const ScriptWords& words) {
    const size_t begin = bytes_.find(words.Word(0));
    ASSERT_NE(begin, std::string::npos) << words.Word(0);
    const auto at = static_cast<size_t>(static_cast<int64_t>(begin) +
                                        std::stoll(words.Word(1)));
    bytes_.at(at) = BytesOfText(words.Word(2)).at(0);
  }
  void AddEntries(const std::string& line, std::vector<TableEntry>* entries) {
    std::istringstream words(line);
    for (std::string word; words >> word;) {
      if (word.starts_with("many:")) {
        for (TableEntry& entry : NumberedEntries(std::stoull(word.substr(5)))) {
          entries->push_back(std::move(entry));
        }
        continue;
      }
      TextEntry entry = ParseEntry(word);
      if (entry.type == kTypeRangeDeletion) {
        fixture_.tombstones.push_back(
            {Stored(entry.user_key), Stored(entry.value), entry.sequence});
        continue;
      }
      entries->push_back({.user_key = Stored(entry.user_key),
                          .value = entry.value,
                          .sequence = entry.sequence,
                          .type = entry.type});
    }
  }
  // `key^5`, as it is stored; a letter with *COUNT is a long key.
  std::string Stored(const std::string& text) const {
    const size_t hat = text.find('^');
    std::string key = BytesOfText(text.substr(0, hat));
    const size_t star = key.find('*');
    if (star != key.npos) {
      size_t digits = 0;
      const size_t count = std::stoull(key.substr(star + 1), &digits);
      key = std::string(count, key[star - 1]) + key.substr(star + 1 + digits);
    }
    if (HasTimestamps()) {
      const std::string stamp = hat == text.npos ? "0" : text.substr(hat + 1);
      PutFixed64(&key, stamp == "max" ? UINT64_MAX : std::stoull(stamp));
    }
    return key;
  }
  std::string Shown(const Slice& user_key) const {
    if (!HasTimestamps()) return ShownKey(user_key.ToString());
    const size_t size = user_key.size() - sizeof(uint64_t);
    const uint64_t stamp = DecodeFixed64(user_key.data() + size);
    return ShownKey(std::string(user_key.data(), size)) + "^" +
           (stamp == UINT64_MAX ? "max" : std::to_string(stamp));
  }
  static std::string ShownKey(const std::string& key) {
    const size_t equal = std::min(key.find_first_not_of(key[0]), key.size());
    if (equal < 40) return TextOfBytes(key);
    return std::string(1, key[0]) + "*" + std::to_string(equal) +
           key.substr(equal);
  }

  std::string Answer(const std::string& line) {
    const std::string verb = line.substr(0, line.find(' '));
    std::istringstream words(line.substr(verb.size()));
    std::string text;
    if (verb == "get") {
      for (std::string word; words >> word;) JoinItem(&text, Get(word), "  ");
    } else if (verb == "steps") {
      for (std::string word; words >> word;) {
        Step(word);
        JoinItem(&text, Here(), "  ");
      }
    } else if (verb == "walk") {
      text = Walk();
    } else if (verb == "tombstones") {
      text = Tombstones();
    } else if (verb == "properties") {
      const TableProperties& p = *reader_->properties();
      text = std::to_string(p.num_entries) + " entries, " +
             std::to_string(p.num_deletions) + " deletions, " +
             std::to_string(p.num_range_deletions) + " of ranges";
    } else {
      EXPECT_EQ(verb, "verify");
      text = reader_->VerifyChecksum(read_, nullptr).ToString();
    }
    return text;
  }
  static std::pair<std::string, SequenceNumber> KeyAndSequence(
      const std::string& word, SequenceNumber otherwise) {
    const size_t at = word.find('@');
    return {word.substr(0, at),
            at == word.npos ? otherwise : std::stoull(word.substr(at + 1))};
  }
  std::string Get(const std::string& word) {
    const auto [key, sequence] = KeyAndSequence(word, kMaxSequenceNumber);
    return fixture_.Get(*reader_, Stored(key), sequence);
  }
  void Step(const std::string& step) {
    const size_t colon = step.find(':');
    const std::string verb = step.substr(0, colon);
    if (verb == "first") return iterator_->SeekToFirst();
    if (verb == "last") return iterator_->SeekToLast();
    if (verb == "to") {
      const auto [key, sequence] =
          KeyAndSequence(step.substr(colon + 1), kMaxSequenceNumber);
      const InternalKey target(Stored(key), sequence, kValueTypeForSeek);
      return iterator_->Seek(target.Encode());
    }
    if (verb == "back") {
      const auto [key, sequence] = KeyAndSequence(step.substr(colon + 1), 0);
      const InternalKey target(Stored(key), sequence, kValueTypeForSeekForPrev);
      return iterator_->SeekForPrev(target.Encode());
    }
    if (!iterator_->Valid()) {
      ADD_FAILURE() << step << " from nowhere";
    } else if (verb == "next") {
      iterator_->Next();
    } else {
      EXPECT_EQ(verb, "prev");
      iterator_->Prev();
    }
  }
  std::string Here() const {
    const Status s = iterator_->status();
    if (!iterator_->Valid()) return s.ok() ? "end" : s.ToString();
    ParsedInternalKey key;
    EXPECT_TRUE(ParseInternalKey(iterator_->key(), &key));
    return TextEntry{Shown(key.user_key), key.sequence, key.type,
                     TextOfBytes(iterator_->value().ToStringView())}
        .Text();
  }
  std::string Walk() {
    std::vector<std::string> all, backward;
    for (iterator_->SeekToFirst(); iterator_->Valid(); iterator_->Next()) {
      all.push_back(Here());
    }
    const Status s = iterator_->status();
    for (iterator_->SeekToLast(); iterator_->Valid(); iterator_->Prev()) {
      backward.insert(backward.begin(), Here());
    }
    EXPECT_TRUE(!s.ok() || backward == all);
    std::string text;
    for (const std::string& one : all) JoinItem(&text, one);
    if (all.size() > 20) {
      text =
          all.front() + " to " + all.back() + ", " + std::to_string(all.size());
    }
    if (!s.ok()) JoinItem(&text, s.ToString(), "; ");
    return TextOr(text, "nothing");
  }
  std::string Tombstones() const {
    const FragmentedTombstones& all = *reader_->range_tombstones();
    std::string text;
    for (size_t i = 0; i < all.size(); ++i) {
      const FragmentedTombstones::Fragment f = all.at(i);
      std::string sequences;
      for (size_t k = 0; k < f.sequences.size(); ++k) {
        std::string one = std::to_string(f.sequences[k]);
        if (HasTimestamps()) {
          one += "^" + std::to_string(DecodeFixed64(f.timestamp(k).data()));
        }
        JoinItem(&sequences, one, ",");
      }
      JoinItem(&text,
               "[" + Shown(f.begin) + "-" + Shown(f.end) + ")" + sequences);
    }
    return TextOr(text, "none");
  }

  const ScriptWords command_;
  const ScriptSteps steps_;
  const std::vector<TableForm>& forms_;
  const TableForm& form_;
  TableFixture fixture_;
  std::string bytes_;
  ReadOptions read_;
  std::unique_ptr<TableReader> reader_;
  std::unique_ptr<InternalIterator> iterator_;
};

}  // namespace ROCKSDB_NAMESPACE

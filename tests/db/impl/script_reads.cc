#include "tests/db/impl/script_reads.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <sstream>
#include <unordered_map>
#include <utility>

#include "rocksdb/convenience.h"
#include "rocksdb/metadata.h"
#include "rocksdb/statistics.h"
#include "tests/db/impl/script_updates.h"
#include "tests/db/impl/timestamp_text.h"
#include "util/key/internal_key.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// ReadOptions, and what they point to.
class LineReadOptions {
 public:
  LineReadOptions(ScriptDatabase& database, const ScriptWords& words) {
    if (words.Has("at")) {
      options.snapshot = database.snapshots().at(words.Text("at", ""));
    }
    Point(words, "as_of", &as_of_, &options.timestamp);
    Point(words, "from", &from_, &options.iter_start_ts);
    Point(words, "lower", &lower_, &options.iterate_lower_bound);
    Point(words, "upper", &upper_, &options.iterate_upper_bound);
    options.max_skippable_internal_keys = words.Number("most", 0);
    if (words.Has("over")) {
      options.merge_operand_count_threshold = words.Number("over", 0);
    }
    options.value_size_soft_limit =
        words.Number("limit", options.value_size_soft_limit);
    const std::string tier = words.Text("tier", "");
    if (tier == "cache") options.read_tier = kBlockCacheTier;
    if (tier == "memtable") options.read_tier = kMemtableTier;
    if (tier == "persisted") options.read_tier = kPersistedTier;
    options.tailing = words.HasWord("tail");
    options.prefix_same_as_start = words.HasWord("same_prefix");
    options.total_order_seek = words.HasWord("total_order");
    options.auto_prefix_mode = words.HasWord("auto_prefix");
    options.ignore_range_deletions = words.HasWord("ignore_ranges");
    options.verify_checksums = !words.HasWord("unchecked");
  }
  LineReadOptions(const LineReadOptions&) = delete;
  LineReadOptions& operator=(const LineReadOptions&) = delete;

  ReadOptions options;

 private:
  struct Held {
    std::string bytes;
    Slice slice;
  };
  static void Point(const ScriptWords& words, const std::string& name,
                    Held* held, const Slice** place) {
    if (!words.Has(name)) return;
    const std::string text = words.Text(name, "");
    const bool is_time = name == "as_of" || name == "from";
    held->bytes = is_time ? TimestampBytes(text) : BytesOfValue(text);
    held->slice = held->bytes;
    *place = &held->slice;
  }

  Held as_of_, from_, lower_, upper_;
};

bool IsOption(const std::string& word) {
  static const char* const kWords[] = {
      "tail",          "same_prefix", "total_order", "auto_prefix",
      "ignore_ranges", "unchecked",   "back",        "alone"};
  return std::find(std::begin(kWords), std::end(kWords), word) !=
         std::end(kWords);
}

struct FamilyAndKey {
  std::string text;
  ColumnFamilyHandle* family;
  std::string key;
};

std::vector<FamilyAndKey> KeysOf(ScriptDatabase& database,
                                 const ScriptLine& line) {
  std::vector<FamilyAndKey> keys;
  for (const std::string& word : line.words.words()) {
    if (IsOption(word)) continue;
    for (const std::string& text : ExpandNumbers(word)) {
      const size_t slash = text.find('/');
      const std::string family = slash == std::string::npos
                                     ? kDefaultColumnFamilyName
                                     : text.substr(0, slash);
      const std::string key =
          slash == std::string::npos ? text : text.substr(slash + 1);
      keys.push_back({text, database.Family(family), BytesOfValue(key)});
    }
  }
  return keys;
}

ColumnFamilyHandle* FamilyOf(ScriptDatabase& database, const ScriptLine& line) {
  return database.Family(line.words.Text("family", kDefaultColumnFamilyName));
}

std::string JoinedBy(const std::string& text, const std::string& more) {
  return text.empty() ? more : text + "  " + more;
}

std::string TextOfColumns(const WideColumns& columns) {
  std::string text = "{";
  for (const WideColumn& column : columns) {
    if (text.size() > 1) text += ",";
    text += TextOfBytes(column.name().ToString()) + ":" +
            TextOfValue(column.value().ToString());
  }
  return text + "}";
}

std::string AfterKey(const Status& s, const std::string& timestamp,
                     const Slice& value) {
  if (s.IsNotFound()) return " none";
  if (!s.ok()) return ": " + s.ToString();
  std::string text =
      timestamp.empty() ? "" : "^" + std::to_string(TsOf(timestamp));
  text += "=" + TextOfValue(value.ToString());
  if (s.IsOkMergeOperandThresholdExceeded()) text += " (many operands)";
  return text;
}

std::vector<std::string> GetOneByOne(ScriptDatabase& database,
                                     const ReadOptions& read,
                                     const std::vector<FamilyAndKey>& keys) {
  std::vector<std::string> answers;
  for (const FamilyAndKey& key : keys) {
    PinnableSlice value;
    std::string timestamp;
    const Status s =
        read.timestamp != nullptr
            ? database.db()->Get(read, key.family, key.key, &value, &timestamp)
            : database.db()->Get(read, key.family, key.key, &value);
    answers.push_back(AfterKey(s, timestamp, value));
  }
  return answers;
}

std::vector<std::string> GetTogether(ScriptDatabase& database,
                                     const ReadOptions& read,
                                     const std::vector<FamilyAndKey>& keys) {
  std::vector<ColumnFamilyHandle*> families;
  std::vector<Slice> slices;
  for (const FamilyAndKey& key : keys) {
    families.push_back(key.family);
    slices.emplace_back(key.key);
  }
  std::vector<PinnableSlice> values(keys.size());
  std::vector<Status> statuses(keys.size());
  std::vector<std::string> timestamps(keys.size());
  database.db()->MultiGet(
      read, keys.size(), families.data(), slices.data(), values.data(),
      read.timestamp != nullptr ? timestamps.data() : nullptr, statuses.data());
  std::vector<std::string> answers;
  for (size_t i = 0; i < keys.size(); ++i) {
    if (!statuses[i].ok()) timestamps[i].clear();
    answers.push_back(AfterKey(statuses[i], timestamps[i], values[i]));
  }
  return answers;
}

// Where an iterator stands.
class IteratorText {
 public:
  IteratorText(const Iterator& it, bool shows_versions, bool has_timestamps)
      : it_(it),
        shows_versions_(shows_versions),
        has_timestamps_(has_timestamps) {}

  std::string Text() const {
    if (!it_.Valid()) {
      return it_.status().ok() ? "end" : it_.status().ToString();
    }
    if (shows_versions_) return VersionText();
    std::string text = TextOfValue(it_.key().ToString());
    if (has_timestamps_) text += "^" + std::to_string(TsOf(it_.timestamp()));
    return text + ValueText();
  }

 private:
  std::string ValueText() const {
    const WideColumns& columns = it_.columns();
    const bool is_plain =
        columns.size() == 1 && columns[0].name() == kDefaultWideColumnName;
    if (!is_plain) return TextOfColumns(columns);
    EXPECT_EQ(columns[0].value(), it_.value());
    return "=" + TextOfValue(it_.value().ToString());
  }
  // The version that the iterator is at; its key is an internal key.
  std::string VersionText() const {
    ParsedInternalKey entry;
    EXPECT_TRUE(ParseInternalKey(it_.key(), &entry));
    std::string text = WithoutTimestamp(entry.user_key, 8).ToString() + "^" +
                       std::to_string(TsOf(it_.timestamp()));
    if (IsPointDeletion(entry.type)) return text + "!";
    if (entry.type == kTypeMerge) return text + "+" + it_.value().ToString();
    return text + ValueText();
  }

  const Iterator& it_;
  const bool shows_versions_;
  const bool has_timestamps_;
};

std::string ShownAt(const Iterator& it, const ReadOptions& read) {
  return IteratorText(it, read.iter_start_ts != nullptr,
                      read.timestamp != nullptr)
      .Text();
}

using Texts = std::vector<std::string>;

Texts ScanOneWay(Iterator* it, const ReadOptions& read,
                 const ScriptWords& words, bool is_back) {
  Texts texts;
  const std::string to = BytesOfValue(words.Text("to", ""));
  if (words.Has("to")) {
    is_back ? it->SeekForPrev(to) : it->Seek(to);
  } else {
    is_back ? it->SeekToLast() : it->SeekToFirst();
  }
  while (it->Valid()) {
    texts.push_back(ShownAt(*it, read));
    is_back ? it->Prev() : it->Next();
  }
  if (!it->status().ok()) texts.push_back(it->status().ToString());
  return texts;
}

// Both ways where that is one answer.
Texts ScanLine(ScriptDatabase& database, const ScriptLine& line) {
  const LineReadOptions read(database, line.words);
  const std::unique_ptr<Iterator> it(
      database.db()->NewIterator(read.options, FamilyOf(database, line)));
  const bool is_back = line.words.HasWord("back");
  Texts texts = ScanOneWay(it.get(), read.options, line.words, is_back);
  const bool is_whole = !is_back && line.words.words().empty() &&
                        !line.words.Has("to") && !line.words.Has("most");
  if (is_whole && it->status().ok()) {
    Texts other = ScanOneWay(it.get(), read.options, line.words, true);
    std::reverse(other.begin(), other.end());
    EXPECT_EQ(other, texts) << "backward, as text";
  }
  return texts;
}

// One step of an iterator; an empty answer for what shows nothing.
std::string OneStep(ScriptDatabase& database, const std::string& step) {
  const ReadOptions& read = database.iterator().read;
  Iterator* const it = database.iterator().it.get();
  const size_t colon = step.find(':');
  const std::string verb = step.substr(0, colon);
  const std::string key =
      colon == std::string::npos ? "" : BytesOfValue(step.substr(colon + 1));
  if (verb == "refresh") {
    const Status s =
        key.empty() ? it->Refresh() : it->Refresh(database.snapshots().at(key));
    return s.ok() ? "" : s.ToString();
  }
  if (verb == "here") return ShownAt(*it, read);
  if (verb == "first") {
    it->SeekToFirst();
  } else if (verb == "last") {
    it->SeekToLast();
  } else if (verb == "to") {
    it->Seek(key);
  } else if (verb == "back") {
    it->SeekForPrev(key);
  } else if (!it->Valid()) {
    ADD_FAILURE() << step << " from nowhere";
  } else if (verb == "next") {
    it->Next();
  } else if (verb == "prev") {
    it->Prev();
  } else {
    ADD_FAILURE() << "what is " << step << "?";
  }
  return ShownAt(*it, read);
}

// key^5, of a key as a table has it.
std::string TextOfStored(const std::string& key, size_t timestamp_size) {
  if (timestamp_size == 0) return TextOfValue(key);
  return TextOfValue(WithoutTimestamp(key, timestamp_size).ToString()) + "^" +
         std::to_string(TsOf(TimestampOf(key, timestamp_size)));
}

}  // namespace

std::string GetKeys(ScriptDatabase& database, const ScriptLine& line) {
  const LineReadOptions read(database, line.words);
  const std::vector<FamilyAndKey> keys = KeysOf(database, line);
  const Texts alone = GetOneByOne(database, read.options, keys);
  const Texts together = line.words.HasWord("alone")
                             ? alone
                             : GetTogether(database, read.options, keys);
  std::string text;
  for (size_t i = 0; i < keys.size(); ++i) {
    std::string one = keys[i].text + alone[i];
    if (together[i] != alone[i]) one += " (together" + together[i] + ")";
    text = JoinedBy(text, one);
  }
  return text;
}

std::string GetEntities(ScriptDatabase& database, const ScriptLine& line) {
  const LineReadOptions read(database, line.words);
  std::string text;
  for (const FamilyAndKey& key : KeysOf(database, line)) {
    PinnableWideColumns columns;
    const Status s =
        database.db()->GetEntity(read.options, key.family, key.key, &columns);
    text = JoinedBy(text, key.text + (s.ok() ? TextOfColumns(columns.columns())
                                             : AfterKey(s, "", "")));
  }
  return text;
}

std::string AskWhetherKeysMayExist(ScriptDatabase& database,
                                   const ScriptLine& line) {
  const LineReadOptions read(database, line.words);
  std::string text;
  for (const FamilyAndKey& key : KeysOf(database, line)) {
    std::string value;
    bool is_found = false, is_found_alone = false;
    DB* const db = database.db();
    const bool may =
        db->KeyMayExist(read.options, key.family, key.key, &value, &is_found);
    EXPECT_EQ(may, db->KeyMayExist(read.options, key.family, key.key, nullptr,
                                   &is_found_alone));
    EXPECT_EQ(is_found, is_found_alone);
    text = JoinedBy(text, key.text + (may ? " may" : " not") +
                              (is_found ? "=" + TextOfValue(value) : "?"));
  }
  return text;
}

std::string GetOperands(ScriptDatabase& database, const ScriptLine& line) {
  const LineReadOptions read(database, line.words);
  std::string text;
  for (const FamilyAndKey& key : KeysOf(database, line)) {
    const auto room = static_cast<int>(line.words.Number("room", 50));
    std::vector<PinnableSlice> values(static_cast<size_t>(room) + 1);
    GetMergeOperandsOptions options;
    options.expected_max_number_of_operands = room;
    int count = 0;
    const Status s = database.db()->GetMergeOperands(
        read.options, key.family, key.key, values.data(), &options, &count);
    std::string one;
    for (int i = 0; s.ok() && i < count; ++i) {
      one += "[" + TextOfValue(values[static_cast<size_t>(i)].ToString()) + "]";
    }
    text =
        JoinedBy(text, key.text + (s.ok() ? " " + one : AfterKey(s, "", "")));
  }
  return text;
}

std::string ScanFamily(ScriptDatabase& database, const ScriptLine& line) {
  std::string text;
  for (const std::string& one : ScanLine(database, line)) {
    text = JoinedBy(text, one);
  }
  return text.empty() ? "nothing" : text;
}

std::string CountKeys(ScriptDatabase& database, const ScriptLine& line) {
  const Texts texts = ScanLine(database, line);
  if (texts.empty()) return "no key";
  const auto key_of = [](const std::string& text) {
    return text.substr(0, text.find_first_of("={"));
  };
  for (const std::string& text : texts) {
    const std::string key = key_of(text);
    std::string value = line.words.Text("each", "#");
    if (!line.words.Has("each")) break;
    value.replace(value.find('#'), 1,
                  key.substr(key.find_first_of("0123456789")));
    const std::string wanted = key + "=" + TextOfValue(BytesOfValue(value));
    if (text != wanted) return "not as written: " + text;
  }
  return std::to_string(texts.size()) + " keys, " + key_of(texts.front()) +
         " to " + key_of(texts.back());
}

std::string MakeIterator(ScriptDatabase& database, const ScriptLine& line) {
  const auto read = std::make_shared<LineReadOptions>(database, line.words);
  ScriptIterator& place = database.iterator();
  if (line.words.Has("families")) {
    place.it = database.db()->NewCoalescingIterator(
        read->options,
        database.Families(ListOf(line.words.Text("families", ""))));
  } else {
    place.it.reset(
        database.db()->NewIterator(read->options, FamilyOf(database, line)));
  }
  place.read = read->options;
  place.read_to = read;
  return AnswerOf(line, place.it->status());
}

std::string StepIterator(ScriptDatabase& database, const ScriptLine& line) {
  if (database.iterator().it == nullptr) return "no iterator";
  std::istringstream steps(line.rest);
  std::string text;
  for (std::string step; steps >> step;) {
    const std::string answer = OneStep(database, step);
    if (!answer.empty()) text = JoinedBy(text, answer);
  }
  return text;
}

std::string ShowLevels(ScriptDatabase& database, const ScriptLine& line) {
  ColumnFamilyMetaData family;
  database.db()->GetColumnFamilyMetaData(FamilyOf(database, line), &family);
  const size_t timestamp_size =
      FamilyOf(database, line)->GetComparator()->timestamp_size();
  std::string text;
  for (const LevelMetaData& level : family.levels) {
    if (level.files.empty()) continue;
    text = JoinedBy(text, "L" + std::to_string(level.level));
    for (const SstFileMetaData& file : level.files) {
      text += " [" + TextOfStored(file.smallestkey, timestamp_size) + "-" +
              TextOfStored(file.largestkey, timestamp_size) + "]";
      if (line.words.HasWord("entries")) {
        text += "x" + std::to_string(file.num_entries);
      }
      if (line.words.HasWord("sequences")) {
        text += "@" + std::to_string(file.largest_seqno);
      }
    }
  }
  return text.empty() ? "no tables" : text;
}

std::string ShowProperty(ScriptDatabase& database, const ScriptLine& line) {
  std::string text;
  for (const std::string& name : line.words.words()) {
    std::string value;
    if (!database.db()->GetProperty(FamilyOf(database, line), "rocksdb." + name,
                                    &value)) {
      value = "unknown";
    }
    text = JoinedBy(text, name + "=" + value);
  }
  return text;
}

std::string ShowOption(ScriptDatabase& database, const ScriptLine& line) {
  const ConfigOptions config;
  const DBOptions of_database = database.db()->GetDBOptions();
  const ColumnFamilyOptions of_family =
      database.db()->GetOptions(FamilyOf(database, line));
  std::string both, more;
  EXPECT_TRUE(GetStringFromDBOptions(config, of_database, &both).ok());
  EXPECT_TRUE(GetStringFromColumnFamilyOptions(config, of_family, &more).ok());
  std::unordered_map<std::string, std::string> values;
  EXPECT_TRUE(StringToMap(both + ";" + more, &values).ok());
  std::string text;
  for (const std::string& name : line.words.words()) {
    EXPECT_TRUE(values.contains(name)) << name;
    text = JoinedBy(text, name + "=" + values[name]);
  }
  return text;
}

std::string ShowTicker(ScriptDatabase& database, const ScriptLine& line) {
  std::string text;
  for (const std::string& wanted : line.words.words()) {
    const std::string name = "rocksdb." + wanted;
    uint64_t count = 0;
    bool is_known = false;
    for (const auto& [ticker, its_name] : TickersNameMap) {
      if (its_name != name) continue;
      is_known = true;
      count = database.options().statistics->getTickerCount(ticker);
    }
    EXPECT_TRUE(is_known) << name;
    text = JoinedBy(text, wanted + "=" + std::to_string(count));
  }
  return text;
}

}  // namespace ROCKSDB_NAMESPACE

#include "tests/db/impl/script_updates.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <sstream>

#include "rocksdb/sst_file_writer.h"
#include "rocksdb/write_batch.h"
#include "util/coding.h"

namespace ROCKSDB_NAMESPACE {
namespace {

constexpr size_t kShortestRun = 20;  // that is told as v*20

// Where the key ends.
size_t EndOfKey(const std::string& word) {
  return word.find_first_of("=+!{-^");
}

bool IsEntry(const std::string& word) {
  return EndOfKey(word) != std::string::npos;
}

std::vector<std::pair<std::string, std::string>> ColumnsOf(
    const std::string& text) {
  std::vector<std::pair<std::string, std::string>> columns;
  for (const std::string& part : ListOf(text)) {
    const size_t colon = part.find(':');
    EXPECT_NE(colon, std::string::npos) << part;
    columns.emplace_back(BytesOfText(part.substr(0, colon)),
                         BytesOfValue(part.substr(colon + 1)));
  }
  return columns;
}

void ParseChange(const std::string& change, ScriptEntry* entry) {
  const std::string rest = change.empty() ? "" : change.substr(1);
  switch (change.empty() ? ' ' : change[0]) {
    case '=':
      entry->value = BytesOfValue(rest);
      return;
    case '+':
      entry->kind = ScriptEntry::kMerge;
      entry->value = BytesOfValue(rest);
      return;
    case '!':
      entry->kind =
          rest == "!" ? ScriptEntry::kSingleDelete : ScriptEntry::kDelete;
      return;
    case '-':
      entry->kind = ScriptEntry::kDeleteRange;
      entry->end = BytesOfValue(rest);
      return;
    case '{':
      EXPECT_TRUE(rest.ends_with("}")) << change;
      entry->kind = ScriptEntry::kEntity;
      entry->columns = ColumnsOf(rest.substr(0, rest.size() - 1));
      return;
    default:
      ADD_FAILURE() << "no entry ends in " << change;
  }
}

ScriptEntry EntryOf(const std::string& word) {
  ScriptEntry entry;
  const size_t end = EndOfKey(word);
  std::string key = word.substr(0, end);
  if (const size_t slash = key.find('/'); slash != std::string::npos) {
    entry.family = key.substr(0, slash);
    key = key.substr(slash + 1);
  }
  entry.key = BytesOfValue(key);
  std::string change = word.substr(end);
  if (change[0] == '^') {
    const size_t behind = change.find_first_not_of("0123456789", 1);
    EXPECT_NE(behind, std::string::npos) << word;
    entry.timestamp = TimestampBytes(change.substr(1, behind - 1));
    change = change.substr(behind);
  }
  ParseChange(change, &entry);
  // A range has its timestamp behind its end: a-c^5.
  const size_t hat = entry.end.find('^');
  if (hat != std::string::npos) {
    entry.timestamp = TimestampBytes(entry.end.substr(hat + 1));
    entry.end.resize(hat);
  }
  return entry;
}

WideColumns WideColumnsOf(const ScriptEntry& entry) {
  WideColumns columns;
  for (const auto& [name, value] : entry.columns) {
    columns.emplace_back(name, value);
  }
  return columns;
}

// To one that has functions as DB has, by `write`, or as WriteBatch has.
Status WriteOne(DB* db, const WriteOptions& write, ColumnFamilyHandle* family,
                const ScriptEntry& e) {
  const bool has_time = !e.timestamp.empty();
  switch (e.kind) {
    case ScriptEntry::kPut:
      return has_time ? db->Put(write, family, e.key, e.timestamp, e.value)
                      : db->Put(write, family, e.key, e.value);
    case ScriptEntry::kDelete:
      return has_time ? db->Delete(write, family, e.key, e.timestamp)
                      : db->Delete(write, family, e.key);
    case ScriptEntry::kSingleDelete:
      return has_time ? db->SingleDelete(write, family, e.key, e.timestamp)
                      : db->SingleDelete(write, family, e.key);
    case ScriptEntry::kMerge:
      return has_time ? db->Merge(write, family, e.key, e.timestamp, e.value)
                      : db->Merge(write, family, e.key, e.value);
    case ScriptEntry::kDeleteRange:
      return has_time
                 ? db->DeleteRange(write, family, e.key, e.end, e.timestamp)
                 : db->DeleteRange(write, family, e.key, e.end);
    case ScriptEntry::kEntity:
      break;
  }
  return db->PutEntity(write, family, e.key, WideColumnsOf(e));
}

Status AddToBatch(ColumnFamilyHandle* family, const ScriptEntry& e,
                  WriteBatch* batch) {
  const bool has_time = !e.timestamp.empty();
  switch (e.kind) {
    case ScriptEntry::kPut:
      return has_time ? batch->Put(family, e.key, e.timestamp, e.value)
                      : batch->Put(family, e.key, e.value);
    case ScriptEntry::kDelete:
      return has_time ? batch->Delete(family, e.key, e.timestamp)
                      : batch->Delete(family, e.key);
    case ScriptEntry::kSingleDelete:
      return has_time ? batch->SingleDelete(family, e.key, e.timestamp)
                      : batch->SingleDelete(family, e.key);
    case ScriptEntry::kMerge:
      return has_time ? batch->Merge(family, e.key, e.timestamp, e.value)
                      : batch->Merge(family, e.key, e.value);
    case ScriptEntry::kDeleteRange:
      return has_time ? batch->DeleteRange(family, e.key, e.end, e.timestamp)
                      : batch->DeleteRange(family, e.key, e.end);
    case ScriptEntry::kEntity:
      break;
  }
  return batch->PutEntity(family, e.key, WideColumnsOf(e));
}

WriteOptions WriteOptionsOf(const ScriptLine& line) {
  WriteOptions options;
  options.disableWAL = line.words.HasWord("no_log");
  options.sync = line.words.HasWord("sync");
  return options;
}

}  // namespace

std::vector<std::string> ExpandNumbers(const std::string& word) {
  const size_t open = word.find('{');
  const size_t dots = word.find("..", open);
  const size_t close = word.find('}', open);
  if (open == std::string::npos || dots == std::string::npos || close < dots) {
    return {word};
  }
  const std::string first = word.substr(open + 1, dots - open - 1);
  const int last = std::stoi(word.substr(dots + 2, close - dots - 2));
  std::vector<std::string> words;
  for (int i = std::stoi(first); i <= last; ++i) {
    char number[16];
    std::snprintf(number, sizeof(number), "%0*d",
                  static_cast<int>(first.size()), i);
    std::string rest = word.substr(close + 1);
    if (const size_t mark = rest.find('#'); mark != std::string::npos) {
      rest.replace(mark, 1, number);
    }
    words.push_back(word.substr(0, open) + number + rest);
  }
  return words;
}

std::string BytesOfValue(const std::string& text) {
  const size_t star = text.rfind('*');
  const bool is_run =
      star != std::string::npos && star > 0 && star + 1 < text.size() &&
      text.find_first_not_of("0123456789", star + 1) == std::string::npos;
  if (!is_run) return BytesOfText(text);
  const size_t count = std::stoull(text.substr(star + 1));
  return BytesOfText(text.substr(0, star - 1)) +
         std::string(count, text[star - 1]);
}

std::string TextOfValue(const std::string& bytes) {
  std::string text;
  for (size_t at = 0; at < bytes.size();) {
    size_t end = bytes.find_first_not_of(bytes[at], at);
    if (end == std::string::npos) end = bytes.size();
    if (end - at >= kShortestRun) {
      text += TextOfBytes(bytes.substr(at, 1)) + "*" + std::to_string(end - at);
    } else {
      text += TextOfBytes(bytes.substr(at, end - at));
    }
    at = end;
  }
  return text;
}

std::string TimestampBytes(const std::string& number) {
  std::string bytes;
  PutFixed64(&bytes, std::stoull(number));
  return bytes;
}

std::vector<ScriptEntry> EntriesOf(const std::string& words) {
  std::vector<ScriptEntry> entries;
  std::istringstream input(words);
  for (std::string word; input >> word;) {
    for (const std::string& one : ExpandNumbers(word)) {
      if (IsEntry(one)) entries.push_back(EntryOf(one));
    }
  }
  return entries;
}

std::string WriteEach(ScriptDatabase& database, const ScriptLine& line) {
  const std::vector<ScriptEntry> entries = EntriesOf(line.rest);
  EXPECT_FALSE(entries.empty()) << line.rest;
  const WriteOptions options = WriteOptionsOf(line);
  for (const ScriptEntry& entry : entries) {
    const Status s =
        WriteOne(database.db(), options, database.Family(entry.family), entry);
    if (!s.ok()) return AnswerOf(line, s);
  }
  return "";
}

std::string WriteBatchOf(ScriptDatabase& database, const ScriptLine& line) {
  WriteBatch batch;
  for (const ScriptEntry& entry : EntriesOf(line.rest)) {
    const Status s = AddToBatch(database.Family(entry.family), entry, &batch);
    if (!s.ok()) return AnswerOf(line, s);
  }
  return AnswerOf(line, database.db()->Write(WriteOptionsOf(line), &batch));
}

Status AddToFile(const ScriptEntry& e, SstFileWriter* writer) {
  const bool has_time = !e.timestamp.empty();
  switch (e.kind) {
    case ScriptEntry::kPut:
      return has_time ? writer->Put(e.key, e.timestamp, e.value)
                      : writer->Put(e.key, e.value);
    case ScriptEntry::kDelete:
      return has_time ? writer->Delete(e.key, e.timestamp)
                      : writer->Delete(e.key);
    case ScriptEntry::kMerge:
      return writer->Merge(e.key, e.value);
    case ScriptEntry::kDeleteRange:
      return has_time ? writer->DeleteRange(e.key, e.end, e.timestamp)
                      : writer->DeleteRange(e.key, e.end);
    case ScriptEntry::kEntity:
      return writer->PutEntity(e.key, WideColumnsOf(e));
    case ScriptEntry::kSingleDelete:
      break;
  }
  return Status::NotSupported("no single deletion of a file");
}

}  // namespace ROCKSDB_NAMESPACE

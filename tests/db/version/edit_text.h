// Version edits as text, and back.
//
//   log:2 next:10 sequence:50 +0:7:[a-c]=20 -1:5 blob:9=10/1000
//
// "+LEVEL:FILE" adds a table, where FILE is as in level_text.h; what a manifest
// says of it beyond that stands behind it in braces, as NAME=VALUE, in any
// number and with commas between: epoch (its number if absent; 0: unknown),
// path, ancestor, created (times), checksum, function, temperature, id0, id1,
// compensated, tail, timestamps (0: it leaves them out), low, high (its
// timestamps), metadata, first, last (sequences of its bounds).
// "-LEVEL:NUMBER" deletes one.
//
// "blob:NUMBER=COUNT/BYTES" adds a blob file, and with "/METHOD/CHECKSUM" one
// that has a checksum; "garbage:NUMBER=COUNT/BYTES" adds to its garbage.
// "wal:4" says that a log was begun, "wal:4=100" that 100 bytes of it are
// synced, "walsbelow:5" that the older ones are gone.
// Others: db, comparator, log, previous, next, maxfamily, minlog, sequence,
// family (the edit is about), name (it is new, and called so), dropped, group
// (how many more edits belong to it), tslow, keepstimestamps, compacted,
// cursor:LEVEL=KEY@SEQUENCE. Bytes that cannot be seen are written as \xHH.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "db/version/version_edit.h"
#include "tests/db/compaction/level_text.h"
#include "tests/testing/script.h"

namespace ROCKSDB_NAMESPACE {

inline InternalKey WithKeySequence(const InternalKey& key,
                                   SequenceNumber sequence) {
  return InternalKey(key.user_key(), sequence, key.type());
}

inline void SetFileField(const std::string& name, const std::string& value,
                         FileMeta* file) {
  const auto number = [&value] { return std::stoull(value); };
  const std::map<std::string, std::function<void()>> setters = {
      {"epoch", [&] { file->epoch_number = number(); }},
      {"path", [&] { file->path_id = static_cast<uint32_t>(number()); }},
      {"ancestor", [&] { file->oldest_ancestor_time = number(); }},
      {"created", [&] { file->file_creation_time = number(); }},
      {"checksum", [&] { file->checksum = BytesOfText(value); }},
      {"function", [&] { file->checksum_function = value; }},
      {"temperature",
       [&] { file->temperature = static_cast<Temperature>(number()); }},
      {"id0", [&] { file->unique_id.id0 = number(); }},
      {"id1", [&] { file->unique_id.id1 = number(); }},
      {"compensated",
       [&] { file->compensated_range_deletion_bytes = number(); }},
      {"tail", [&] { file->tail_size_bytes = number(); }},
      {"timestamps", [&] { file->has_persisted_timestamps = number() != 0; }},
      {"low", [&] { file->smallest_timestamp = BytesOfText(value); }},
      {"high", [&] { file->largest_timestamp = BytesOfText(value); }},
      {"metadata", [&] { file->open_metadata = BytesOfText(value); }},
      {"first",
       [&] { file->smallest = WithKeySequence(file->smallest, number()); }},
      {"last",
       [&] { file->largest = WithKeySequence(file->largest, number()); }},
  };
  const auto found = setters.find(name);
  if (found == setters.end()) {
    ADD_FAILURE() << "what is " << name << "?";
  } else {
    found->second();
  }
}

inline FileRef ParseEditFile(const std::string& text) {
  const size_t brace = text.find('{');
  FileRef file = ParseFile(text.substr(0, brace));
  if (brace == std::string::npos) return file;
  EXPECT_EQ(text.back(), '}') << text;
  std::istringstream fields(text.substr(brace + 1, text.size() - brace - 2));
  for (std::string field; std::getline(fields, field, ',');) {
    const size_t equals = field.find('=');
    SetFileField(field.substr(0, equals), field.substr(equals + 1), file.get());
  }
  return file;
}

// "L0 7:[a-c] 6:[a-b]; L1 ..", and blob files: "B 5=300/120".
inline ParsedLevels ParseTree(const std::string& text, int level_count) {
  std::string plain;
  std::vector<std::pair<uint64_t, FileRef>> with_fields;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    const bool ends = word.back() == ';';
    const size_t brace = word.find('{');
    if (brace != std::string::npos) {
      if (ends) word.pop_back();
      const FileRef file = ParseEditFile(word);
      with_fields.emplace_back(file->number, file);
      word = word.substr(0, brace) + (ends ? ";" : "");
    }
    plain += word + " ";
  }
  ParsedLevels parsed = ParseLevels(plain, level_count);
  for (const auto& [number, file] : with_fields) {
    for (auto& level : parsed.tables) {
      for (FileRef& one : level) {
        if (one->number == number) one = file;
      }
    }
  }
  return parsed;
}

// The numbers of "9=10/1000".
inline std::vector<uint64_t> NumbersOfText(const std::string& text) {
  std::vector<uint64_t> numbers;
  size_t at = 0;
  do {
    numbers.push_back(NumberAt(text, &at));
  } while (at++ < text.size());
  return numbers;
}

inline BlobFileAddition ParseBlobAddition(const std::string& text) {
  std::vector<std::string> parts;
  std::istringstream input(text);
  for (std::string part; std::getline(input, part, '/');) {
    parts.push_back(part);
  }
  EXPECT_TRUE(parts.size() == 2 || parts.size() == 4) << text;
  const std::vector<uint64_t> numbers =
      NumbersOfText(parts.at(0) + "/" + parts.at(1));
  BlobFileAddition blob{numbers.at(0), numbers.at(1), numbers.at(2), "", ""};
  if (parts.size() == 4) {
    blob.checksum_method = parts[2];
    blob.checksum_value = BytesOfText(parts[3]);
  }
  return blob;
}

inline bool SetEditNumber(const std::string& name, uint64_t number,
                          VersionEdit* edit) {
  const std::map<std::string, std::optional<uint64_t>*> fields = {
      {"log", &edit->log_number},
      {"previous", &edit->previous_log_number},
      {"next", &edit->next_file_number},
      {"minlog", &edit->min_log_number_to_keep},
      {"sequence", &edit->last_sequence},
      {"walsbelow", &edit->wals_deleted_before},
      {"compacted", &edit->manifest_compacted_size},
  };
  const std::map<std::string, std::optional<uint32_t>*> small = {
      {"maxfamily", &edit->max_column_family},
      {"group", &edit->remaining_in_group},
  };
  if (const auto found = fields.find(name); found != fields.end()) {
    *found->second = number;
    return true;
  }
  if (const auto found = small.find(name); found != small.end()) {
    *found->second = static_cast<uint32_t>(number);
    return true;
  }
  return false;
}

inline bool SetEditText(const std::string& name, const std::string& value,
                        VersionEdit* edit) {
  const std::map<std::string, std::optional<std::string>*> fields = {
      {"db", &edit->db_id},
      {"comparator", &edit->comparator_name},
      {"name", &edit->column_family_added},
      {"tslow", &edit->full_history_ts_low},
  };
  const auto found = fields.find(name);
  if (found == fields.end()) return false;
  *found->second = BytesOfText(value);
  return true;
}

inline void SetEditField(const std::string& name, const std::string& value,
                         VersionEdit* edit) {
  if (SetEditText(name, value, edit)) return;
  if (name == "dropped") {
    edit->column_family_dropped = true;
  } else if (name == "family") {
    edit->column_family = static_cast<uint32_t>(std::stoul(value));
  } else if (name == "keepstimestamps") {
    edit->persist_user_defined_timestamps = value != "0";
  } else if (name == "cursor") {
    size_t at = 0;
    const int level = static_cast<int>(NumberAt(value, &at));
    const size_t sign = value.find('@');
    edit->compaction_cursors.emplace_back(
        level, InternalKey(value.substr(at + 1, sign - at - 1),
                           std::stoull(value.substr(sign + 1)), kTypeValue));
  } else if (name == "blob") {
    edit->blob_additions.push_back(ParseBlobAddition(value));
  } else if (name == "garbage") {
    const std::vector<uint64_t> n = NumbersOfText(value);
    edit->blob_garbage.push_back({n.at(0), n.at(1), n.at(2)});
  } else if (name == "wal") {
    const std::vector<uint64_t> n = NumbersOfText(value);
    edit->wal_additions.push_back(
        {n.at(0), n.size() > 1 ? std::optional(n[1]) : std::nullopt});
  } else if (!SetEditNumber(name, std::stoull(value), edit)) {
    ADD_FAILURE() << "what is " << name << "?";
  }
}

inline VersionEdit ParseEdit(const std::string& line) {
  VersionEdit edit;
  std::istringstream words(line);
  for (std::string word; words >> word;) {
    size_t at = 1;
    if (word[0] == '+') {
      const int level = static_cast<int>(NumberAt(word, &at));
      edit.AddFile(level, ParseEditFile(word.substr(at + 1)));
    } else if (word[0] == '-') {
      const int level = static_cast<int>(NumberAt(word, &at));
      edit.DeleteFile(level, std::stoull(word.substr(at + 1)));
    } else {
      const size_t colon = word.find(':');
      SetEditField(word.substr(0, colon),
                   colon == std::string::npos ? "" : word.substr(colon + 1),
                   &edit);
    }
  }
  return edit;
}

// --- and back

inline std::string TextOfBound(const InternalKey& key) {
  const std::string user_key = TextOfBytes(key.user_key().ToString());
  if (key.IsTombstoneSentinel()) return user_key + "@end";
  std::string text = user_key + "@" + std::to_string(key.sequence());
  if (key.type() != kTypeValue) text += ":" + std::to_string(key.type());
  return text;
}

// Each field that is not as in a new object.
inline std::string TextOfFileFields(const FileMeta& file) {
  std::string text;
  const auto number = [&text](const char* name, uint64_t value) {
    if (value != 0)
      text += std::string(" ") + name + "=" + std::to_string(value);
  };
  const auto bytes = [&text](const char* name, const std::string& value) {
    if (!value.empty())
      text += std::string(" ") + name + "=" + TextOfBytes(value);
  };
  number("epoch", file.epoch_number);
  number("path", file.path_id);
  number("marked", file.is_marked_for_compaction ? 1 : 0);
  number("blob", file.oldest_blob_file);
  number("ancestor", file.oldest_ancestor_time);
  number("created", file.file_creation_time);
  bytes("checksum", file.checksum);
  bytes("function", file.checksum_function);
  number("temperature", static_cast<uint64_t>(file.temperature));
  number("id0", file.unique_id.id0);
  number("id1", file.unique_id.id1);
  number("compensated", file.compensated_range_deletion_bytes);
  number("tail", file.tail_size_bytes);
  if (!file.has_persisted_timestamps) text += " timestamps=0";
  bytes("low", file.smallest_timestamp);
  bytes("high", file.largest_timestamp);
  bytes("metadata", file.open_metadata);
  return text;
}

inline std::string TextOfFile(const FileMeta& file) {
  const std::string sequences =
      file.smallest_sequence == kMaxSequenceNumber
          ? " no sequences"
          : " " + std::to_string(file.smallest_sequence) + "-" +
                std::to_string(file.largest_sequence);
  return std::to_string(file.number) + " [" + TextOfBound(file.smallest) +
         ".." + TextOfBound(file.largest) + "] " +
         std::to_string(file.size_bytes) + " bytes" + sequences +
         TextOfFileFields(file);
}

// The tables, blob files and logs of an edit.
inline std::string TextOfEditFiles(const VersionEdit& edit) {
  std::string text;
  for (const auto& [level, key] : edit.compaction_cursors) {
    text += "cursor L" + std::to_string(level) + " " + TextOfBound(key) + "\n";
  }
  for (const auto& [level, number] : edit.deleted_files) {
    text += "- L" + std::to_string(level) + " " + std::to_string(number) + "\n";
  }
  for (const VersionEdit::NewFile& entry : edit.new_files) {
    text += "+ L" + std::to_string(entry.level) + " " +
            TextOfFile(*entry.file) + "\n";
  }
  for (const BlobFileAddition& blob : edit.blob_additions) {
    text += "blob " + std::to_string(blob.number) + " " +
            std::to_string(blob.total_count) + "/" +
            std::to_string(blob.total_bytes);
    if (!blob.checksum_method.empty() || !blob.checksum_value.empty()) {
      text +=
          " " + blob.checksum_method + " " + TextOfBytes(blob.checksum_value);
    }
    text += "\n";
  }
  for (const BlobFileGarbage& garbage : edit.blob_garbage) {
    text += "garbage " + std::to_string(garbage.number) + " " +
            std::to_string(garbage.garbage_count) + "/" +
            std::to_string(garbage.garbage_bytes) + "\n";
  }
  for (const WalAddition& wal : edit.wal_additions) {
    text += "wal " + std::to_string(wal.number) +
            (wal.synced_size ? " " + std::to_string(*wal.synced_size) : "") +
            "\n";
  }
  return text;
}

// A line for each field that is set.
inline std::string TextOfEdit(const VersionEdit& edit) {
  std::string text;
  const auto line = [&text](const std::string& name, const auto& field) {
    if (!field) return;
    if constexpr (std::is_same_v<std::decay_t<decltype(*field)>, std::string>) {
      text += name + " " + TextOfBytes(*field) + "\n";
    } else {
      text += name + " " + std::to_string(*field) + "\n";
    }
  };
  line("db", edit.db_id);
  line("comparator", edit.comparator_name);
  line("log", edit.log_number);
  line("previous", edit.previous_log_number);
  line("next", edit.next_file_number);
  line("maxfamily", edit.max_column_family);
  line("minlog", edit.min_log_number_to_keep);
  line("sequence", edit.last_sequence);
  text += TextOfEditFiles(edit);
  line("walsbelow", edit.wals_deleted_before);
  if (edit.column_family != 0) {
    text += "family " + std::to_string(edit.column_family) + "\n";
  }
  line("name", edit.column_family_added);
  if (edit.column_family_dropped) text += "dropped\n";
  line("group", edit.remaining_in_group);
  line("tslow", edit.full_history_ts_low);
  line("keepstimestamps", edit.persist_user_defined_timestamps);
  line("compacted", edit.manifest_compacted_size);
  return text;
}

}  // namespace ROCKSDB_NAMESPACE

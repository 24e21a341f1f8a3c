// Write batches as text, and back: a word for each entry.
//
//   put:K=V  merge:K=V  delete:K  single:K  range:FIRST-END  timed:K=V@TIME
//   entity:K={NAME:V,..}  index:K=V (a reference to a blob)  note:TEXT
//   noop  commit:X  rollback:X  end:X (of a prepared section)
//   prepare:X  persist:X  unprepare:X   end a section, and make the noop in
//                                       front of it its begin
//   begin:KIND   a begin alone; KIND is prepare, persist or unprepare
//   counted      the end of a batch that counts entry by entry
//   sequence:N  count:N   of the header
//
// A key has the id of its family in front: 1/K. What a batch holds is told in
// the same words, and a begin of a section as "begin" or "begin:unprepare".
// Bytes that cannot be seen are written as \xHH.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "db/wal/sub_batches.h"
#include "db/wal/write_batch_format.h"
#include "db/wal/write_batch_internal.h"
#include "rocksdb/write_batch.h"
#include "tests/db/semantics/text_entries.h"
#include "tests/testing/script.h"
#include "util/ignore_error.h"
#include "util/value/wide_columns_coding.h"

namespace ROCKSDB_NAMESPACE {

// "put:1/K=V" in pieces.
struct BatchWord {
  explicit BatchWord(const std::string& word) {
    const size_t colon = word.find(':');
    verb = word.substr(0, colon);
    if (colon == std::string::npos) return;
    rest = word.substr(colon + 1);
    std::string text = rest;
    const size_t slash = text.find('/');
    if (slash != std::string::npos && slash > 0 &&
        text.find_first_not_of("0123456789") == slash) {
      has_family = true;
      family = static_cast<uint32_t>(std::stoul(text));
      text = text.substr(slash + 1);
    }
    const size_t cut = text.find(verb == "range" ? '-' : '=');
    key = BytesOfText(text.substr(0, cut));
    if (cut != std::string::npos) value = BytesOfText(text.substr(cut + 1));
  }

  std::string verb;
  std::string rest;  // all of it
  bool has_family = false;
  uint32_t family = 0;
  std::string key, value;
};

inline std::string ColumnsOfText(const std::string& text) {
  return EntityOf(text.substr(1, text.size() - 2));
}

inline Status AddEntryOfWord(const BatchWord& word, WriteBatch* batch) {
  static const std::map<std::string, ValueType> kTypes = {
      {"put", kTypeValue},           {"merge", kTypeMerge},
      {"delete", kTypeDeletion},     {"single", kTypeSingleDeletion},
      {"range", kTypeRangeDeletion}, {"entity", kTypeWideColumnEntity},
      {"index", kTypeBlobIndex}};
  const ValueType type = kTypes.at(word.verb);
  const std::string bytes =
      word.verb == "entity" ? ColumnsOfText(word.value) : word.value;
  const Slice key(word.key), value(bytes);
  const SliceParts key_parts(&key, 1), value_parts(&value, 1);
  const bool has_value = word.verb != "delete" && word.verb != "single";
  return WriteBatchInternal::Add(batch, type, word.family, key_parts,
                                 has_value ? &value_parts : nullptr);
}

inline Status AddMarkerOfWord(const BatchWord& word, WriteBatch* batch) {
  static const std::map<std::string, ValueType> kBegins = {
      {"prepare", kTypeBeginPrepareXID},
      {"persist", kTypeBeginPersistedPrepareXID},
      {"unprepare", kTypeBeginUnprepareXID}};
  static const std::map<std::string, ValueType> kNamed = {
      {"commit", kTypeCommitXID},
      {"rollback", kTypeRollbackXID},
      {"end", kTypeEndPrepareXID}};
  if (kBegins.contains(word.verb)) {
    return WriteBatchInternal::MarkEndPrepare(batch, word.rest,
                                              kBegins.at(word.verb));
  }
  if (kNamed.contains(word.verb)) {
    WriteBatchInternal::AddTransactionMarker(batch, kNamed.at(word.verb),
                                             word.rest);
  } else if (word.verb == "begin") {
    WriteBatchInternal::AddMarker(batch, kBegins.at(word.rest));
  } else if (word.verb == "noop") {
    WriteBatchInternal::AddMarker(batch, kTypeNoop);
  } else if (word.verb == "counted") {
    EndCountedBatch(batch);
  } else if (word.verb == "sequence") {
    WriteBatchInternal::SetSequence(batch, std::stoull(word.rest));
  } else if (word.verb == "count") {
    WriteBatchInternal::SetCount(batch,
                                 static_cast<uint32_t>(std::stoul(word.rest)));
  } else {
    ADD_FAILURE() << "what is " << word.verb << "?";
  }
  return Status::OK();
}

inline Status AddWord(const std::string& text, WriteBatch* batch) {
  static const std::vector<std::string> kEntries = {
      "put", "merge", "delete", "single", "range", "entity", "index"};
  const BatchWord word(text);
  for (const std::string& verb : kEntries) {
    if (verb == word.verb) return AddEntryOfWord(word, batch);
  }
  if (word.verb == "note") return batch->PutLogData(BytesOfText(word.rest));
  if (word.verb != "timed") return AddMarkerOfWord(word, batch);
  const size_t sign = word.value.find('@');
  return batch->TimedPut(nullptr, word.key, word.value.substr(0, sign),
                         std::stoull(word.value.substr(sign + 1)));
}

inline WriteBatch BatchOfText(const std::string& line) {
  WriteBatch batch;
  std::istringstream words(line);
  for (std::string word; words >> word;) {
    const Status s = AddWord(word, &batch);
    EXPECT_TRUE(s.ok()) << word << ": " << s.ToString();
  }
  return batch;
}

// --- and back

class BatchTeller : public WriteBatch::Handler {
 public:
  std::string text;
  size_t call_count = 0;
  // After so many calls it wants no more.
  size_t limit = SIZE_MAX;
  // At that one it fails.
  std::string fails_at;

  Status PutCF(uint32_t id, const Slice& key, const Slice& value) override {
    return Tell("put:" + Name(id, key) + "=" + Text(value));
  }
  Status TimedPutCF(uint32_t id, const Slice& key, const Slice& value,
                    uint64_t time) override {
    return Tell("timed:" + Name(id, key) + "=" + Text(value) + "@" +
                std::to_string(time));
  }
  Status PutEntityCF(uint32_t id, const Slice& key,
                     const Slice& entity) override {
    Slice input(entity);
    WideColumns columns;
    const Status s = DecodeWideColumns(input, &columns);
    std::string names;
    for (const WideColumn& column : columns) {
      names += (names.empty() ? "" : ",") + Text(column.name()) + ":" +
               Text(column.value());
    }
    if (!s.ok()) names = Text(entity);
    return Tell("entity:" + Name(id, key) + "={" + names + "}");
  }
  Status DeleteCF(uint32_t id, const Slice& key) override {
    return Tell("delete:" + Name(id, key));
  }
  Status SingleDeleteCF(uint32_t id, const Slice& key) override {
    return Tell("single:" + Name(id, key));
  }
  Status DeleteRangeCF(uint32_t id, const Slice& begin,
                       const Slice& end) override {
    return Tell("range:" + Name(id, begin) + "-" + Text(end));
  }
  Status MergeCF(uint32_t id, const Slice& key, const Slice& value) override {
    return Tell("merge:" + Name(id, key) + "=" + Text(value));
  }
  Status PutBlobIndexCF(uint32_t id, const Slice& key,
                        const Slice& value) override {
    return Tell("index:" + Name(id, key) + "=" + Text(value));
  }
  void LogData(const Slice& blob) override {
    IgnoreError(Tell("note:" + Text(blob)), "notes cannot fail");
  }
  Status MarkBeginPrepare(bool is_unprepared) override {
    return Tell(is_unprepared ? "begin:unprepare" : "begin");
  }
  Status MarkEndPrepare(const Slice& name) override {
    return Tell("end:" + Text(name));
  }
  Status MarkNoop(bool is_first) override {
    return Tell(is_first ? "noop(first)" : "noop");
  }
  Status MarkRollback(const Slice& name) override {
    return Tell("rollback:" + Text(name));
  }
  Status MarkCommit(const Slice& name) override {
    return Tell("commit:" + Text(name));
  }
  Status MarkCommitWithTimestamp(const Slice& name, const Slice& ts) override {
    return Tell("commit:" + Text(name) + "^" + Text(ts));
  }
  bool Continue() override { return call_count < limit; }

 private:
  static std::string Text(const Slice& bytes) {
    return TextOfBytes(bytes.ToString());
  }
  static std::string Name(uint32_t id, const Slice& key) {
    return (id == 0 ? "" : std::to_string(id) + "/") + Text(key);
  }
  Status Tell(const std::string& word) {
    ++call_count;
    text += (text.empty() ? "" : " ") + word;
    return word == fails_at ? Status::Aborted("told to") : Status::OK();
  }
};

// Its words, and why there are no more.
inline std::string TextOfBatch(const WriteBatch& batch) {
  BatchTeller teller;
  const Status s = batch.Iterate(&teller);
  if (s.ok()) return teller.text.empty() ? "empty" : teller.text;
  return teller.text + (teller.text.empty() ? "" : " ") + s.ToString();
}

}  // namespace ROCKSDB_NAMESPACE

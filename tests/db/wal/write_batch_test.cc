// Write batches: what is put into them, and what a reader is told. The cases of
// tests/testdata/logs/batches.txt are
//
//   batch timed:ID max:N   a new one, of at most N bytes; family ID has
//                          timestamps of 8 bytes
//   STEP ..                what is done; one that fails says why, and has
//                          changed nothing
//   > QUESTION ..          a line of answers
//
// A STEP is an entry as in batch_text.h. "0/K" is for a handle of family 0, "K"
// for none, "^TIMESTAMP" at its end gives the key that timestamp, and a bar in
// a key or value cuts it in pieces. Others: save, rollback, pop, clear, max:N,
// release (the bytes are given away), wal (its log ends here), on:NAME (another
// batch, by name), append:NAME, appendlog:NAME (up to where its log ends),
// bytes:BYTES (a batch of them), load:BYTES (a record of a log),
// stamp:TIMESTAMP[,ID] (of family ID, which has timestamps), track:on|off (the
// sizes of timestamps), tracked:ID=SIZE.
// QUESTIONs: show[:N] (a reader that stops after N calls), failing:WORD (one
// that fails there), old (one that knows no families), count, size, kinds,
// sizes, fits:N (a database whose default family has timestamps of that size).
//
// Those of stock_batches.txt are
//
//   stock FILE             the batches of a file of tests/testdata/wal
//   same FILE N            this batch has the bytes of its record N
//   STEP ..
#include "rocksdb/write_batch.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "db/wal/write_batch_format.h"
#include "db/wal/write_batch_internal.h"
#include "rocksdb/comparator.h"
#include "rocksdb/db.h"
#include "tests/db/wal/batch_text.h"
#include "tests/db/wal/log_file.h"
#include "tests/testing/untouched_bytes.h"
#include "util/key/entry_limit.h"
#include "util/key/internal_key.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class TestHandle : public ColumnFamilyHandle {
 public:
  TestHandle(uint32_t id, const Comparator* order) : id_(id), order_(order) {}
  const std::string& GetName() const override { return name_; }
  uint32_t GetID() const override { return id_; }
  Status GetDescriptor(ColumnFamilyDescriptor*) override {
    return Status::NotSupported();
  }
  const Comparator* GetComparator() const override { return order_; }

 private:
  const std::string name_ = "test";
  const uint32_t id_;
  const Comparator* const order_;
};

// Overrides what handlers had before there were families.
class OldHandler : public WriteBatch::Handler {
 public:
  std::string text;

 private:
  void Put(const Slice& key, const Slice&) override { Add("put", key); }
  void Delete(const Slice& key) override { Add("delete", key); }
  void Merge(const Slice& key, const Slice&) override { Add("merge", key); }
  void Add(const char* verb, const Slice& key) {
    text += std::string(verb) + ":" + key.ToString() + " ";
  }
};

// "ab||c" in its pieces.
struct Pieces {
  explicit Pieces(const std::string& text) {
    std::istringstream input(text + "|");
    for (std::string piece; std::getline(input, piece, '|');) {
      texts.push_back(piece);
    }
    slices.assign(texts.begin(), texts.end());
    parts = SliceParts(slices.data(), static_cast<int>(slices.size()));
  }
  std::vector<std::string> texts;
  std::vector<Slice> slices;
  SliceParts parts;
};

// Adds words by the public calls.
class BatchCaller {
 public:
  explicit BatchCaller(uint32_t timed_family) : timed_(timed_family) {}

  Status Call(const std::string& text, WriteBatch* batch) {
    const size_t hat = text.find('^');
    const BatchWord word(text.substr(0, hat));
    ColumnFamilyHandle* const family =
        word.has_family ? HandleOf(word.family) : nullptr;
    if (hat != std::string::npos) {
      return CallStamped(word, family, text.substr(hat + 1), batch);
    }
    if (text.find('|') != std::string::npos) {
      return CallInPieces(word, family, batch);
    }
    if (word.verb == "entity") {
      return batch->PutEntity(family, word.key, ColumnsOf(word.value));
    }
    if (word.verb == "timed") {
      const size_t sign = word.value.find('@');
      return batch->TimedPut(family, word.key, word.value.substr(0, sign),
                             std::stoull(word.value.substr(sign + 1)));
    }
    return family == nullptr ? CallPlain(word, text, batch)
                             : CallWith(word, family, text, batch);
  }

 private:
  ColumnFamilyHandle* HandleOf(uint32_t id) {
    std::unique_ptr<TestHandle>& handle = handles_[id];
    if (handle == nullptr) {
      handle = std::make_unique<TestHandle>(
          id,
          id == timed_ ? BytewiseComparatorWithU64Ts() : BytewiseComparator());
    }
    return handle.get();
  }
  // "{b:2,a:1}", in that order.
  WideColumns ColumnsOf(const std::string& text) {
    columns_.clear();
    std::istringstream input(text.substr(1, text.size() - 2));
    for (std::string part; std::getline(input, part, ',');) {
      const size_t colon = part.find(':');
      columns_.emplace_back(part.substr(0, colon), part.substr(colon + 1));
    }
    WideColumns columns;
    for (const auto& [name, value] : columns_)
      columns.emplace_back(name, value);
    return columns;
  }
  static Status CallPlain(const BatchWord& word, const std::string& text,
                          WriteBatch* batch) {
    if (word.verb == "put") return batch->Put(word.key, word.value);
    if (word.verb == "delete") return batch->Delete(word.key);
    if (word.verb == "single") return batch->SingleDelete(word.key);
    if (word.verb == "merge") return batch->Merge(word.key, word.value);
    if (word.verb == "range") return batch->DeleteRange(word.key, word.value);
    return AddWord(text, batch);
  }
  static Status CallWith(const BatchWord& word, ColumnFamilyHandle* family,
                         const std::string& text, WriteBatch* batch) {
    if (word.verb == "put") return batch->Put(family, word.key, word.value);
    if (word.verb == "delete") return batch->Delete(family, word.key);
    if (word.verb == "single") return batch->SingleDelete(family, word.key);
    if (word.verb == "merge") return batch->Merge(family, word.key, word.value);
    if (word.verb == "range") {
      return batch->DeleteRange(family, word.key, word.value);
    }
    return AddWord(text, batch);
  }
  static Status CallStamped(const BatchWord& word, ColumnFamilyHandle* family,
                            const std::string& ts, WriteBatch* batch) {
    if (word.verb == "put") return batch->Put(family, word.key, ts, word.value);
    if (word.verb == "delete") return batch->Delete(family, word.key, ts);
    if (word.verb == "single") return batch->SingleDelete(family, word.key, ts);
    if (word.verb == "merge") {
      return batch->Merge(family, word.key, ts, word.value);
    }
    EXPECT_EQ(word.verb, "range");
    return batch->DeleteRange(family, word.key, word.value, ts);
  }
  static Status CallInPieces(const BatchWord& word, ColumnFamilyHandle* family,
                             WriteBatch* batch) {
    const Pieces key(word.key), value(word.value);
    if (word.verb == "put") {
      return family == nullptr ? batch->Put(key.parts, value.parts)
                               : batch->Put(family, key.parts, value.parts);
    }
    if (word.verb == "merge") {
      return family == nullptr ? batch->Merge(key.parts, value.parts)
                               : batch->Merge(family, key.parts, value.parts);
    }
    EXPECT_EQ(family, nullptr);
    if (word.verb == "delete") return batch->Delete(key.parts);
    if (word.verb == "single") return batch->SingleDelete(key.parts);
    EXPECT_EQ(word.verb, "range");
    return batch->DeleteRange(key.parts, value.parts);
  }

  const uint32_t timed_;
  std::map<uint32_t, std::unique_ptr<TestHandle>> handles_;
  std::vector<std::pair<std::string, std::string>> columns_;
};

class BatchScript {
 public:
  explicit BatchScript(const ScriptWords& command)
      : caller_(static_cast<uint32_t>(command.Number("timed", UINT32_MAX))) {
    batches_[name_] = WriteBatch(0, command.Number("max", 0));
  }

  // A line of steps: those that fail say why.
  std::string Do(const std::string& line) {
    std::string text;
    std::istringstream words(line);
    for (std::string word; words >> word;) {
      if (Manage(word, &text)) continue;
      const std::string before = batch().Data();
      const Status s = Change(word);
      if (s.ok()) continue;
      EXPECT_EQ(batch().Data(), before) << word << " changed it and failed";
      const std::string why = s.ToString();
      text += word + ": " + why.substr(0, why.find_last_not_of(' ') + 1) + "\n";
    }
    return text;
  }
  std::string Answer(const std::string& line) {
    std::string text;
    std::istringstream words(line);
    for (std::string word; words >> word;) {
      text += (text.empty() ? "" : "; ") + Question(word);
    }
    CheckCopies();
    return text + "\n";
  }
  WriteBatch& batch() { return batches_[name_]; }

 private:
  static std::string After(const std::string& word) {
    const size_t colon = word.find(':');
    return colon == std::string::npos ? "" : word.substr(colon + 1);
  }

  // What cannot fail.
  bool Manage(const std::string& word, std::string* text) {
    const std::string rest = After(word);
    if (word == "save") return batch().SetSavePoint(), true;
    if (word == "clear") return batch().Clear(), true;
    if (word == "wal") return batch().MarkWalTerminationPoint(), true;
    if (word == "release") {
      *text += "released " + TextOfBatch(WriteBatch(batch().Release())) + "\n";
    } else if (word.starts_with("on:")) {
      name_ = rest;
    } else if (word.starts_with("max:")) {
      batch().SetMaxBytes(std::stoull(rest));
    } else if (word.starts_with("bytes:")) {
      batch() = WriteBatch(BytesOfText(rest));
    } else if (word.starts_with("track:")) {
      batch().SetTrackTimestampSize(rest == "on");
    } else if (word.starts_with("tracked:")) {
      batch().MaybeTrackTimestampSize(
          static_cast<uint32_t>(std::stoul(rest)),
          std::stoul(rest.substr(rest.find('=') + 1)));
    } else {
      return false;
    }
    return true;
  }
  Status Change(const std::string& word) {
    using Part = WriteBatchInternal::Part;
    const std::string rest = After(word);
    if (word == "rollback") return batch().RollbackToSavePoint();
    if (word == "pop") return batch().PopSavePoint();
    if (word.starts_with("load:")) {
      return WriteBatchInternal::SetContents(&batch(), BytesOfText(rest));
    }
    if (word.starts_with("append:")) {
      return WriteBatchInternal::Append(&batch(), batches_.at(rest),
                                        Part::kAll);
    }
    if (word.starts_with("appendlog:")) {
      return WriteBatchInternal::Append(&batch(), batches_.at(rest),
                                        Part::kUpToWalTermination);
    }
    if (word.starts_with("stamp:")) {
      const size_t comma = rest.find(',');
      if (comma == std::string::npos) {
        return batch().UpdateTimestamps(rest, nullptr);
      }
      const auto timed =
          static_cast<uint32_t>(std::stoul(rest.substr(comma + 1)));
      return batch().UpdateTimestamps(
          rest.substr(0, comma),
          [timed](uint32_t id) { return id == timed ? size_t{8} : 0; });
    }
    return caller_.Call(word, &batch());
  }

  std::string Question(const std::string& word) {
    const std::string rest = After(word);
    if (word == "show") return TextOfBatch(batch());
    if (word == "count") return "count " + std::to_string(batch().Count());
    if (word == "size") return std::to_string(batch().GetDataSize()) + " bytes";
    if (word == "kinds") return Kinds();
    if (word == "sizes") return Sizes();
    if (word == "old") {
      OldHandler handler;
      const Status s = batch().Iterate(&handler);
      return handler.text + s.ToString();
    }
    if (word.starts_with("fits:")) {
      return WriteBatchInternal::CheckTimestamps(batch(), std::stoul(rest))
          .ToString();
    }
    BatchTeller teller;
    if (word.starts_with("show:")) {
      teller.limit = std::stoul(rest);
    } else {
      EXPECT_TRUE(word.starts_with("failing:")) << word;
      teller.fails_at = rest;
    }
    const Status s = batch().Iterate(&teller);
    return teller.text + (teller.text.empty() ? "" : " ") + s.ToString();
  }
  std::string Kinds() {
    const WriteBatch& b = batch();
    const std::pair<const char*, bool> kinds[] = {
        {"put", b.HasPut()},
        {"delete", b.HasDelete()},
        {"single", b.HasSingleDelete()},
        {"range", b.HasDeleteRange()},
        {"merge", b.HasMerge()},
        {"timed", b.HasTimedPut()},
        {"entity", b.HasPutEntity()},
        {"begin", b.HasBeginPrepare()},
        {"end", b.HasEndPrepare()},
        {"commit", b.HasCommit()},
        {"rollback", b.HasRollback()}};
    std::string text = "has";
    for (const auto& [name, has] : kinds) {
      if (has) text += std::string(" ") + name;
    }
    return text == "has" ? "has nothing" : text;
  }
  std::string Sizes() {
    const auto& sizes = batch().GetColumnFamilyToTimestampSize();
    std::string text;
    for (const auto& [id, size] :
         std::map<uint32_t, size_t>(sizes.begin(), sizes.end())) {
      text += (text.empty() ? "" : " ") + std::to_string(id) + "=" +
              std::to_string(size);
    }
    return text.empty() ? "no sizes" : text;
  }

  // A batch is its bytes, and can be copied and moved.
  void CheckCopies() {
    if (batch().GetDataSize() < kBatchHeaderBytes) return;
    const std::string text = TextOfBatch(batch());
    const std::string kinds = Kinds();
    EXPECT_EQ(TextOfBatch(WriteBatch(batch().Data())), text);
    WriteBatch copy(batch());
    EXPECT_EQ(copy.Data(), batch().Data());
    WriteBatch moved(std::move(copy));
    EXPECT_EQ(moved.Data(), batch().Data());
    EXPECT_EQ(moved.GetColumnFamilyToTimestampSize(),
              batch().GetColumnFamilyToTimestampSize());
    batches_["bytes alone"] = WriteBatch(batch().Data());
    const std::string name = std::exchange(name_, "bytes alone");
    if (text.find("Corruption") == std::string::npos) {
      EXPECT_EQ(Kinds(), kinds);
    }
    name_ = name;
  }

  BatchCaller caller_;
  std::string name_ = "first";
  std::map<std::string, WriteBatch> batches_;
};

std::vector<std::string> RecordsOfLog(const std::string& name) {
  const LogContents log =
      ReadLog(TestLog(name), WALRecoveryMode::kAbsoluteConsistency, 4);
  EXPECT_TRUE(log.reports.empty()) << name;
  EXPECT_FALSE(log.records.empty()) << name;
  return log.records;
}

std::string RunStockBatches(const ScriptWords& command) {
  std::string text;
  for (const std::string& record : RecordsOfLog(command.Word(0))) {
    const WriteBatch batch(record);
    text += std::to_string(WriteBatchInternal::Sequence(batch)) + ", " +
            std::to_string(batch.Count()) + ": " + TextOfBatch(batch) + "\n";
  }
  return text;
}

std::string RunBatchCase(const ScriptCase& c) {
  const ScriptWords command(c.command);
  if (command.verb() == "stock") return RunStockBatches(command);
  BatchScript script(command);
  std::string text;
  for (const std::string& line : LinesOf(c.body)) {
    text += line.starts_with("> ") ? script.Answer(line.substr(2))
                                   : script.Do(line);
  }
  if (command.verb() == "batch") return text;
  EXPECT_EQ(command.verb(), "same");
  const std::string record =
      RecordsOfLog(command.Word(0)).at(std::stoul(command.Word(1)));
  EXPECT_EQ(script.batch().Data(), record);
  return text + std::to_string(record.size()) + " bytes\n";
}

TEST(WriteBatch, EveryCaseOfTheScripts) {
  EXPECT_GE(RunScript("logs/batches.txt", RunBatchCase), 37u)
      << "cases went missing";
  EXPECT_GE(RunScript("logs/stock_batches.txt", RunBatchCase), 16u)
      << "cases went missing";
}

// --- what is too large

TEST(WriteBatch, KeyAndValueTogetherHaveALimit) {
  const UntouchedBytes bytes;
  const size_t limit = kMaxEntryBytes - kInternalKeyTrailerBytes;
  const size_t gigabyte = size_t{1} << 30;
  struct {
    size_t key_size;
    size_t value_size;
    const char* said;
  } const cases[] = {
      {UntouchedBytes::kFourGigabytes, 1, "key is too large"},
      {1, UntouchedBytes::kFourGigabytes, "value is too large"},
      {1, UINT32_MAX, "key and value are too large"},
      {3 * gigabyte, 2 * gigabyte, "key and value are too large"},
      {1, limit, "key and value are too large"},
  };
  WriteBatch batch;
  const size_t empty_bytes = batch.GetDataSize();
  for (const auto& one : cases) {
    const Slice key = bytes.OfSize(one.key_size);
    const Slice value = bytes.OfSize(one.value_size);
    for (const Status& s : {batch.Put(key, value), batch.Merge(key, value),
                            batch.DeleteRange(key, value)}) {
      EXPECT_EQ(s.ToString(), std::string("Invalid argument: ") + one.said);
    }
  }
  EXPECT_EQ(batch.Count(), 0u);
  EXPECT_EQ(batch.GetDataSize(), empty_bytes);
  // At the limit the sizes are no objection.
  WriteBatch bounded(/*reserved_bytes=*/0, /*max_bytes=*/1000);
  EXPECT_TRUE(
      bounded.Put(bytes.OfSize(1), bytes.OfSize(limit - 1)).IsMemoryLimit());
}

// --- bytes that others wrote

TEST(WriteBatch, StockTransactionsAreThoseOfTheOtherRelease) {
  for (const std::string policy : {"committed", "prepared", "unprepared"}) {
    const std::string name = "_txn_write_" + policy + ".000004";
    const ScriptWords older("stock r783" + name);
    const ScriptWords newer("stock r119" + name);
    EXPECT_EQ(RunStockBatches(older), RunStockBatches(newer));
  }
}

TEST(WriteBatch, MalformedBytesAreCorruption) {
  BatchTeller teller;
  const std::string whole = RecordsOfLog("r119_two_cf.000004")[0];
  for (size_t size = 0; size < whole.size(); ++size) {
    EXPECT_TRUE(
        WriteBatch(whole.substr(0, size)).Iterate(&teller).IsCorruption());
  }
  for (int tag = 0; tag < 256; ++tag) {
    std::string bytes(12, '\0');
    bytes.push_back(static_cast<char>(tag));
    bytes.append("\x01\x01\x01");
    EXPECT_TRUE(WriteBatch(bytes).Iterate(&teller).IsCorruption()) << tag;
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

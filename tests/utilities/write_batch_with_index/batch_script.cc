#include "tests/utilities/write_batch_with_index/batch_script.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "env/mem_file_system.h"
#include "rocksdb/comparator.h"
#include "rocksdb/db.h"
#include "rocksdb/slice_transform.h"
#include "rocksdb/utilities/write_batch_with_index.h"
#include "tests/db/impl/timestamp_text.h"
#include "tests/testing/script.h"
#include "tests/testing/script_steps.h"
#include "util/builtin_merge_operators.h"

namespace ROCKSDB_NAMESPACE {
namespace {

std::string ReadText(const Status& s, const std::string& value) {
  if (s.ok()) return value.empty() ? "\"\"" : value;
  return s.IsNotFound() ? "-" : WithoutEmptyMessage(s.ToString());
}

std::string ColumnsText(const WideColumns& columns) {
  std::string text;
  for (const WideColumn& column : columns) {
    text += (text.empty() ? "" : " ") + column.name().ToString() + "=" +
            column.value().ToString();
  }
  return text;
}

// NAME=VALUE.. from the second word on; they point into the step.
WideColumns ColumnsIn(const ScriptWords& step) {
  WideColumns columns;
  for (size_t i = 1; i < step.words().size(); ++i) {
    const Slice word(step.words()[i]);
    const size_t at = step.words()[i].find('=');
    columns.emplace_back(Slice(word.data(), at),
                         Slice(word.data() + at + 1, word.size() - at - 1));
  }
  return columns;
}

// The options of a read, and what they point to.
class ReadOfStep {
 public:
  explicit ReadOfStep(const ScriptWords& step)
      : lower_(step.Text("lower", "")),
        upper_(step.Text("upper", "")),
        as_of_(Ts(step.Number("as_of", 0))),
        lower_slice_(lower_),
        upper_slice_(upper_),
        as_of_slice_(as_of_) {
    if (step.Has("lower")) options.iterate_lower_bound = &lower_slice_;
    if (step.Has("upper")) options.iterate_upper_bound = &upper_slice_;
    if (step.Has("as_of")) options.timestamp = &as_of_slice_;
    options.prefix_same_as_start = step.HasWord("prefix");
  }
  ReadOfStep(const ReadOfStep&) = delete;
  ReadOfStep& operator=(const ReadOfStep&) = delete;

  ReadOptions options;

 private:
  const std::string lower_, upper_, as_of_;
  const Slice lower_slice_, upper_slice_, as_of_slice_;
};

class BatchWorld {
 public:
  BatchWorld(const ScriptWords& command, bool overwrites) {
    options_.env = env_.get();
    options_.create_if_missing = true;
    if (!command.HasWord("no_operator")) {
      options_.merge_operator = NewStringAppendOperator("+");
    }
    if (command.HasWord("stamped")) {
      options_.comparator = BytewiseComparatorWithU64Ts();
    }
    if (command.Has("prefix")) {
      options_.prefix_extractor.reset(
          NewFixedPrefixTransform(command.Number("prefix", 0)));
    }
    batch_ = std::make_unique<WriteBatchWithIndex>(
        options_.comparator, 0, overwrites, command.Number("most", 0));
    const Status s = DB::Open(options_, "/db", &db_);
    EXPECT_TRUE(s.ok()) << s.ToString();
  }

  std::string Take(const std::string& who, const ScriptWords& step) {
    if (who == "walk") return Walk(step);
    if (who == "entries") return WalkEntries(step);
    if (IsUpdate(step)) {
      return (who == "db" ? Update(db_.get(), step)
                          : Update(batch_.get(), step))
          .ToString();
    }
    if (who == "db") return TakeOfDatabase(step);
    EXPECT_EQ(who, "batch");
    if (const std::optional<std::string> answer = TakeOfReads(step)) {
      return *answer;
    }
    return TakeOfBatch(step).ToString();
  }

 private:
  ColumnFamilyHandle* family() const { return db_->DefaultColumnFamily(); }
  static bool IsUpdate(const ScriptWords& step) {
    const std::string& verb = step.verb();
    return verb == "put" || verb == "merge" || verb == "delete" ||
           verb == "single_delete" || verb == "entity";
  }
  Status Update(WriteBatchWithIndex* batch, const ScriptWords& step) {
    const std::string ts =
        step.Text("at", "") == "bad" ? "ts" : Ts(step.Number("at", 0));
    const bool has_ts = step.Has("at");
    const std::string& key = step.Word(0);
    const std::string& verb = step.verb();
    if (verb == "put") {
      const std::string& value = step.Word(1);
      return has_ts ? batch->Put(family(), key, ts, value)
                    : batch->Put(family(), key, value);
    }
    if (verb == "merge") {
      const std::string& value = step.Word(1);
      return has_ts ? batch->Merge(family(), key, ts, value)
                    : batch->Merge(family(), key, value);
    }
    if (verb == "delete") {
      return has_ts ? batch->Delete(family(), key, ts)
                    : batch->Delete(family(), key);
    }
    if (verb == "single_delete") {
      return has_ts ? batch->SingleDelete(family(), key, ts)
                    : batch->SingleDelete(family(), key);
    }
    return batch->PutEntity(family(), key, ColumnsIn(step));
  }
  Status Update(DB* db, const ScriptWords& step) {
    const WriteOptions write;
    const std::string ts = Ts(step.Number("at", 0));
    const bool has_ts = step.Has("at");
    const std::string& key = step.Word(0);
    const std::string& verb = step.verb();
    if (verb == "put") {
      const std::string& value = step.Word(1);
      return has_ts ? db->Put(write, family(), key, ts, value)
                    : db->Put(write, key, value);
    }
    if (verb == "merge") return db->Merge(write, key, step.Word(1));
    if (verb == "delete") {
      return has_ts ? db->Delete(write, family(), key, ts)
                    : db->Delete(write, key);
    }
    if (verb == "single_delete") return db->SingleDelete(write, key);
    return db->PutEntity(write, family(), key, ColumnsIn(step));
  }

  std::string TakeOfDatabase(const ScriptWords& step) {
    const ReadOfStep read(step);
    if (step.verb() == "flush") return db_->Flush(FlushOptions()).ToString();
    if (step.verb() == "get") {
      std::string value;
      const Status s = db_->Get(read.options, step.Word(0), &value);
      return ReadText(s, value);
    }
    EXPECT_EQ(step.verb(), "scan");
    return ScanText(db_->NewIterator(read.options));
  }
  Status TakeOfBatch(const ScriptWords& step) {
    const std::string& verb = step.verb();
    if (verb == "data") return batch_->PutLogData(step.Word(0));
    if (verb == "delete_range") {
      return batch_->DeleteRange(step.Word(0), step.Word(1));
    }
    if (verb == "timed") {
      return batch_->TimedPut(nullptr, step.Word(0), step.Word(1), 7);
    }
    if (verb == "past_index") {
      return batch_->GetWriteBatch()->Put(step.Word(0), step.Word(1));
    }
    if (verb == "back") return batch_->RollbackToSavePoint();
    if (verb == "pop") return batch_->PopSavePoint();
    if (verb == "write") {
      return db_->Write(WriteOptions(), batch_->GetWriteBatch());
    }
    if (verb == "set_stamps") {
      return batch_->GetWriteBatch()->UpdateTimestamps(
          Ts(std::stoull(step.Word(0))),
          [](uint32_t) { return sizeof(uint64_t); });
    }
    if (verb == "savepoint") return batch_->SetSavePoint(), Status::OK();
    if (verb == "clear") return batch_->Clear(), Status::OK();
    EXPECT_EQ(verb, "most");
    batch_->SetMaxBytes(std::stoull(step.Word(0)));
    return Status::OK();
  }

  // Nothing: it is no such step.
  std::optional<std::string> TakeOfReads(const ScriptWords& step) {
    const std::string& verb = step.verb();
    std::string value;
    if (verb == "list") return List();
    if (verb == "counts") return Counts();
    if (verb == "read_all") return ReadAll(step);
    if (verb == "get") {
      const std::string& key = step.Word(0);
      const Status s =
          step.HasWord("no_family")
              ? batch_->GetFromBatch(DBOptions(), key, &value)
              : batch_->GetFromBatch(family(), DBOptions(), key, &value);
      return ReadText(s, value);
    }
    if (verb == "get_entity") {
      PinnableWideColumns columns;
      const Status s =
          batch_->GetEntityFromBatch(family(), step.Word(0), &columns);
      return ReadText(s, ColumnsText(columns.columns()));
    }
    const ReadOfStep read(step);
    if (verb == "read") {
      const Status s = batch_->GetFromBatchAndDB(db_.get(), read.options,
                                                 step.Word(0), &value);
      return ReadText(s, value);
    }
    if (verb == "scan") return ScanText(Over(read.options));
    return std::nullopt;
  }

  std::string List() {
    const std::unique_ptr<WBWIIterator> it(batch_->NewIterator(family()));
    std::string text;
    for (it->SeekToFirst(); it->Valid(); it->Next()) {
      text += (text.empty() ? "" : " ") + EntryText(*it);
    }
    EXPECT_TRUE(it->status().ok());
    return text.empty() ? "-" : text;
  }
  // An entity's value is for nobody's eyes.
  static std::string EntryText(const WBWIIterator& it) {
    const WriteEntry entry = it.Entry();
    const std::string text =
        std::string(1, "PMDSRLXE?"[entry.type]) + entry.key.ToString();
    const bool has_value =
        entry.type == kPutRecord || entry.type == kMergeRecord;
    return has_value ? text + "=" + entry.value.ToString() : text;
  }
  std::string Counts() {
    std::string text =
        "updates:" + std::to_string(batch_->GetWriteBatch()->Count()) +
        " indexed:" + std::to_string(batch_->GetWBWIOpCount());
    for (const auto& [id, stats] : batch_->GetCFStats()) {
      text += " entries:" + std::to_string(stats.entry_count) +
              " single_deleted:" + std::to_string(stats.overwritten_sd_count);
    }
    EXPECT_EQ(batch_->GetDataSize(), batch_->GetWriteBatch()->GetDataSize());
    return text;
  }
  // Sorted keys, as values and as entities.
  std::string ReadAll(const ScriptWords& step) {
    const ReadOfStep read(step);
    const std::vector<Slice> keys(step.words().begin(), step.words().end());
    std::vector<PinnableSlice> values(keys.size());
    std::vector<Status> statuses(keys.size());
    batch_->MultiGetFromBatchAndDB(db_.get(), read.options, family(),
                                   keys.size(), keys.data(), values.data(),
                                   statuses.data(), /*sorted_input=*/true);
    std::vector<PinnableWideColumns> entities(keys.size());
    std::vector<Status> entity_statuses(keys.size());
    batch_->MultiGetEntityFromBatchAndDB(
        db_.get(), read.options, family(), keys.size(), keys.data(),
        entities.data(), entity_statuses.data(), /*sorted_input=*/true);
    std::string text;
    for (size_t i = 0; i < keys.size(); ++i) {
      EXPECT_EQ(entity_statuses[i].code(), statuses[i].code());
      if (!text.empty()) text += ", ";
      text += ReadText(statuses[i], values[i].ToString());
      const WideColumns& columns = entities[i].columns();
      if (columns.size() > 1) text += " of " + ColumnsText(columns);
      if (columns.size() != 1) continue;
      EXPECT_EQ(columns[0].value().ToString(), values[i].ToString());
    }
    return text;
  }

  Iterator* Over(const ReadOptions& read) {
    return batch_->NewIteratorWithBase(family(),
                                       db_->NewIterator(read, family()), &read);
  }
  static std::string ScanText(Iterator* made) {
    const std::unique_ptr<Iterator> it(made);
    std::vector<std::string> forward, backward;
    for (it->SeekToFirst(); it->Valid(); it->Next()) {
      forward.push_back(At(*it));
    }
    if (!it->status().ok()) return it->status().ToString();
    for (it->SeekToLast(); it->Valid(); it->Prev()) {
      backward.push_back(At(*it));
    }
    std::reverse(backward.begin(), backward.end());
    EXPECT_EQ(forward, backward);
    std::string text;
    for (const std::string& entry : forward) {
      text += (text.empty() ? "" : " ") + entry;
    }
    return text.empty() ? "-" : text;
  }
  static std::string At(const Iterator& it) {
    if (!it.Valid()) return it.status().ok() ? "-" : it.status().ToString();
    return it.key().ToString() + "=" + it.value().ToString();
  }

  std::string Walk(const ScriptWords& step) {
    if (step.verb() == "new") {
      walk_.reset();
      walk_read_ = std::make_unique<ReadOfStep>(step);
      walk_.reset(Over(walk_read_->options));
      return "OK";
    }
    Move(walk_.get(), step);
    return At(*walk_);
  }
  std::string WalkEntries(const ScriptWords& step) {
    if (step.verb() == "new") {
      entries_.reset(batch_->NewIterator(family()));
      return "OK";
    }
    if (step.verb() == "updates") {
      return std::to_string(entries_->GetUpdateCount());
    }
    if (step.verb() == "single_deleted") {
      return entries_->HasOverWrittenSingleDel() ? "yes" : "no";
    }
    Move(entries_.get(), step);
    if (entries_->Valid()) return EntryText(*entries_);
    EXPECT_EQ(entries_->Entry().type, kUnknownRecord);
    return entries_->status().ok() ? "-" : entries_->status().ToString();
  }
  template <typename Cursor>
  static void Move(Cursor* it, const ScriptWords& step) {
    const std::string& verb = step.verb();
    if (verb == "first") return it->SeekToFirst();
    if (verb == "last") return it->SeekToLast();
    if (verb == "to") return it->Seek(step.Word(0));
    if (verb == "back") return it->SeekForPrev(step.Word(0));
    if (verb == "next") return it->Next();
    if (verb == "prev") return it->Prev();
    EXPECT_EQ(verb, "stay");
  }

  const std::unique_ptr<Env> env_ =
      NewCompositeEnv(std::make_shared<MemFileSystem>());
  Options options_;
  std::unique_ptr<DB> db_;
  std::unique_ptr<WriteBatchWithIndex> batch_;
  std::unique_ptr<ReadOfStep> walk_read_;
  std::unique_ptr<Iterator> walk_;
  std::unique_ptr<WBWIIterator> entries_;
};

std::string RunBatchCase(const ScriptCase& c) {
  const ScriptWords command(c.command);
  std::vector<std::string> ways = {"keeping", "overwriting"};
  if (command.verb() != "batch") ways = {command.verb()};
  return AnswersOfWays(ways, [&](size_t i) {
    EXPECT_TRUE(ways[i] == "keeping" || ways[i] == "overwriting");
    BatchWorld world(command, ways[i] == "overwriting");
    return AnswersOfSteps(c,
                          [&](const std::string& who, const ScriptWords& step) {
                            return world.Take(who, step);
                          });
  });
}

}  // namespace

size_t RunBatchScript(const std::string& file) {
  return RunScript(file, RunBatchCase);
}

}  // namespace ROCKSDB_NAMESPACE

// What batches put into memtables, and which they are refused. The cases of
// tests/testdata/logs/inserts.txt are
//
//   insert OPTIONS     ignore (families that are not there), shares (a
//   sequence),
//                      replay:N (of log N)
//   family ID log:N    a memtable; what is older than log N is in tables
//   BATCH              as in batch_text.h; "top:N ..": the first byte of its
//                      sequence is N
//   stock FILE [N]     all records of a file of tests/testdata/wal, or one of
//                      them, with cut:N bytes and tail:BYTES
//   covers ID KEY      the newest tombstone over that key
//
// and answer with what each batch did, and with the memtables in the end, whose
// entries are told as KEY@SEQUENCE/TYPE=VALUE.
#include "db/wal/memtable_inserter.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "db/wal/write_batch_internal.h"
#include "memtable/memtable.h"
#include "tests/db/wal/batch_text.h"
#include "tests/db/wal/log_file.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class Families : public ColumnFamilyMemTables {
 public:
  MemTable* Create(uint32_t id, uint64_t log_number = 0,
                   size_t write_buffer_size = 1 << 20) {
    MemTableOptions options;
    options.write_buffer_size = write_buffer_size;
    memtables_[id] = std::make_unique<MemTable>(options);
    targets_[id] = {.memtable = memtables_[id].get(), .log_number = log_number};
    return memtables_[id].get();
  }
  bool Find(uint32_t id, Target* target) override {
    const auto it = targets_.find(id);
    if (it == targets_.end()) return false;
    *target = it->second;
    return true;
  }
  void OnFull(uint32_t id, MemTable* memtable) override {
    EXPECT_EQ(memtable, memtables_[id].get());
    full.push_back(id);
  }

  std::vector<uint32_t> full;

 private:
  std::map<uint32_t, std::unique_ptr<MemTable>> memtables_;
  std::map<uint32_t, Target> targets_;
};

// Every entry as key@sequence/type=value.
std::vector<std::string> MemtableEntries(const MemTable& memtable) {
  std::vector<std::string> entries;
  const auto iter = memtable.NewIterator();
  for (iter->SeekToFirst(); iter->Valid(); iter->Next()) {
    const Slice key = iter->key();
    entries.push_back(ExtractUserKey(key).ToString() + "@" +
                      std::to_string(ExtractSequence(key)) + "/" +
                      std::to_string(ExtractType(key)) + "=" +
                      iter->value().ToString());
  }
  return entries;
}

using Strings = std::vector<std::string>;

class MemTableInserterTest : public testing::Test {
 protected:
  Status Insert(const std::string& record, const InsertOptions& options = {}) {
    WriteBatch batch;
    Status s = WriteBatchInternal::SetContents(&batch, record);
    if (!s.ok()) return s;
    return InsertBatch(batch, options, &families_, &result_);
  }

  Families families_;
  InsertResult result_;
};

std::vector<std::string> StockRecords(const std::string& name) {
  return ReadLog(TestLog(name), WALRecoveryMode::kAbsoluteConsistency, 4)
      .records;
}

TEST_F(MemTableInserterTest, MalformedBatches) {
  families_.Create(0);
  families_.Create(1);
  const std::string whole = StockRecords("r119_two_cf.000004")[0];
  for (size_t size = 0; size < whole.size(); ++size) {
    families_.Create(0);
    families_.Create(1);
    EXPECT_TRUE(Insert(whole.substr(0, size)).IsCorruption()) << size;
  }
  for (int count : {0, 1, 13, 15, 255}) {
    families_.Create(0);
    families_.Create(1);
    std::string wrong = whole;
    wrong[8] = static_cast<char>(count);
    EXPECT_TRUE(Insert(wrong).IsCorruption()) << count;
  }
  std::string sequence = whole;
  sequence[7] = '\x01';
  EXPECT_TRUE(Insert(sequence).IsCorruption());
}

// An update that has changed since its checksum was taken gets no further;
// those before it are there.
TEST_F(MemTableInserterTest, ChecksumsOfUpdates) {
  const MemTable* zero = families_.Create(0);
  WriteBatch batch(0, 0, /*protection_bytes_per_key=*/8, 0);
  ASSERT_TRUE(batch.Put("a", "1").ok());
  ASSERT_TRUE(batch.PutLogData("x").ok());
  ASSERT_TRUE(batch.Put("b", "2").ok());
  WriteBatchInternal::SetSequence(&batch, 1);
  WriteBatch broken = batch;
  const_cast<std::string&>(broken.Data()).back() ^= 4;
  ASSERT_TRUE(InsertBatch(batch, {}, &families_, &result_).ok());
  EXPECT_EQ(MemtableEntries(*zero), (Strings{"a@1/1=1", "b@2/1=2"}));
  const MemTable* again = families_.Create(0);
  EXPECT_TRUE(InsertBatch(broken, {}, &families_, &result_).IsCorruption());
  EXPECT_EQ(MemtableEntries(*again), (Strings{"a@1/1=1"}));
}

// A hint is of one family's memtable, and of a place that may be wrong.
TEST_F(MemTableInserterTest, HintsChangeNothing) {
  Strings entries[2][2];
  for (const bool keeps_hint : {false, true}) {
    for (const uint32_t id : {0, 1}) families_.Create(id);
    WriteBatch batch;
    for (int i = 0; i < 3000; ++i) {
      const uint32_t family = i / 7 % 2;
      const std::string key = std::to_string(i % 5 == 0 ? i * 7919 % 3000 : i);
      const Slice bytes(key);
      const SliceParts parts(&bytes, 1);
      ASSERT_TRUE(
          WriteBatchInternal::Add(&batch, kTypeValue, family, parts, &parts)
              .ok());
    }
    ASSERT_TRUE(
        InsertBatch(batch, {.keeps_hint = keeps_hint}, &families_, &result_)
            .ok());
    for (const uint32_t id : {0, 1}) {
      ColumnFamilyMemTables::Target target;
      ASSERT_TRUE(families_.Find(id, &target));
      entries[keeps_hint][id] = MemtableEntries(*target.memtable);
    }
  }
  for (const int id : {0, 1}) {
    EXPECT_GT(entries[0][id].size(), 1000u);
    EXPECT_EQ(entries[0][id], entries[1][id]);
  }
}

TEST_F(MemTableInserterTest, SaysOnceThatAMemTableIsFull) {
  families_.Create(0, 0, 16 << 10);
  families_.Create(1, 0, 1 << 20);
  for (int i = 0; i < 40; ++i) {
    WriteBatch batch;
    WriteBatchInternal::SetSequence(&batch, 1 + 2 * i);
    ASSERT_TRUE(batch.Put("k", std::string(1000, 'v')).ok());
    ASSERT_TRUE(InsertBatch(batch, {}, &families_, &result_).ok());
  }
  EXPECT_EQ(families_.full, std::vector<uint32_t>{0});
}

// --- the script

class InsertScript {
 public:
  explicit InsertScript(const ScriptWords& command) {
    options_.ignore_missing_column_families = command.HasWord("ignore");
    options_.shares_sequence = command.HasWord("shares");
    options_.replayed_log_number = command.Number("replay", 0);
  }

  std::string Step(const std::string& line) {
    const std::string verb = line.substr(0, line.find_first_of(" :"));
    if (verb == "top") {
      // A byte of the sequence that is the type of an internal key.
      std::string record = BatchOfText(line.substr(line.find(' '))).Data();
      record[7] = static_cast<char>(std::stoi(line.substr(4)));
      return Insert(record);
    }
    if (verb != "family" && verb != "covers" && verb != "stock") {
      return Insert(BatchOfText(line).Data());
    }
    const ScriptWords words(line);
    if (verb == "family") {
      const auto id = static_cast<uint32_t>(std::stoul(words.Word(0)));
      memtables_[id] = families_.Create(id, words.Number("log", 0));
      return "";
    }
    if (verb == "covers") {
      const MemTable* const memtable =
          memtables_.at(static_cast<uint32_t>(std::stoul(words.Word(0))));
      return line + ": " +
             std::to_string(memtable->tombstones().All()->MaxCovering(
                 words.Word(1), kMaxSequenceNumber)) +
             "\n";
    }
    const std::vector<std::string> records = StockRecords(words.Word(0));
    if (words.words().size() == 1) {
      std::string text;
      for (const std::string& record : records) text += Insert(record);
      return text;
    }
    std::string record = records.at(std::stoul(words.Word(1)));
    record.resize(record.size() - words.Number("cut", 0));
    return Insert(record + BytesOfText(words.Text("tail", "")));
  }

  // What is in the memtables.
  std::string Contents() const {
    std::string text;
    for (const auto& [id, memtable] : memtables_) {
      text += std::to_string(id) + ":";
      for (const std::string& entry : MemtableEntries(*memtable)) {
        text += " " + TextOfBytes(entry);
      }
      const auto& counts = memtable->counts();
      text += "; " + std::to_string(memtable->entry_count()) + " entries, " +
              std::to_string(counts.deletes()) + " deletions, " +
              std::to_string(counts.range_deletes()) + " ranges";
      if (!memtable->empty()) {
        text += ", from " + std::to_string(counts.first_sequence());
      }
      text += "\n";
    }
    return text;
  }

 private:
  std::string Insert(const std::string& record) {
    WriteBatch batch;
    Status s = WriteBatchInternal::SetContents(&batch, record);
    InsertResult result;
    if (s.ok()) s = InsertBatch(batch, options_, &families_, &result);
    if (!s.ok()) return s.ToString() + "\n";
    return "inserted " + std::to_string(result.inserted_count) + ", next " +
           std::to_string(result.next_sequence) + "\n";
  }

  Families families_;
  InsertOptions options_;
  std::map<uint32_t, const MemTable*> memtables_;
};

std::string RunInsertCase(const ScriptCase& c) {
  const ScriptWords command(c.command);
  EXPECT_EQ(command.verb(), "insert");
  InsertScript script(command);
  std::string text;
  for (const std::string& line : LinesOf(c.body)) text += script.Step(line);
  return text + script.Contents();
}

TEST(MemTableInserterScriptTest, EveryCaseOfTheScript) {
  EXPECT_GE(RunScript("logs/inserts.txt", RunInsertCase), 32u)
      << "cases went missing";
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

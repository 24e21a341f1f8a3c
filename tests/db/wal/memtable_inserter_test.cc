// Batches are applied to memtables as logged, at replay without what tables
// have already, and malformed or changed updates get no further.
#include "db/wal/memtable_inserter.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "db/wal/write_batch_internal.h"
#include "memtable/memtable.h"
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

TEST_F(MemTableInserterTest, AppliesAStockLog) {
  const MemTable* zero = families_.Create(0);
  const MemTable* one = families_.Create(1);
  SequenceNumber next = 1;
  for (const std::string& record : StockRecords("r119_two_cf.000004")) {
    ASSERT_TRUE(Insert(record).ok());
    EXPECT_EQ(WriteBatchInternal::Sequence(WriteBatch(record)), next);
    next = result_.next_sequence;
  }
  EXPECT_EQ(next, 17u);
  const Strings entries = MemtableEntries(*zero);
  ASSERT_EQ(entries.size(), 7u);
  EXPECT_EQ(entries[0], "apple@15/1=green");
  EXPECT_EQ(entries[1], "apple@1/1=red");
  EXPECT_EQ(entries[2], "cherry@3/0=");
  EXPECT_EQ(entries[3], "eel@5/7=");
  EXPECT_EQ(entries[5], "grape@7/2=1");
  EXPECT_EQ(entries[6], "timed@13/1=tv");
  EXPECT_EQ(zero->tombstones().All()->MaxCovering("j", 99), 9u);
  EXPECT_EQ(zero->entry_count(), 8u);
  EXPECT_EQ(zero->counts().deletes(), 3u);
  EXPECT_EQ(zero->counts().range_deletes(), 1u);
  EXPECT_EQ(zero->counts().first_sequence(), 1u);
  EXPECT_EQ(MemtableEntries(*one).front(), "@16/1=");
  EXPECT_EQ(one->tombstones().All()->MaxCovering("l", 99), 10u);
}

TEST_F(MemTableInserterTest, FamiliesThatAreNotThere) {
  const MemTable* zero = families_.Create(0);
  const std::string record = StockRecords("r119_two_cf.000004")[0];
  Status s = Insert(record);
  EXPECT_TRUE(s.IsInvalidArgument());
  EXPECT_EQ(MemtableEntries(*zero), Strings{"apple@1/1=red"});
  // What was inserted before the error is counted.
  EXPECT_EQ(zero->entry_count(), 1u);

  const MemTable* again = families_.Create(0);
  InsertOptions ignore;
  ignore.ignore_missing_column_families = true;
  ASSERT_TRUE(Insert(record, ignore).ok());
  // The entries of the others took their sequences.
  EXPECT_EQ(result_.next_sequence, 15u);
  EXPECT_EQ(result_.inserted_count, 7u);
  EXPECT_EQ(again->tombstones().All()->MaxCovering("j", 99), 9u);
}

TEST_F(MemTableInserterTest, ReplayLeavesOutWhatIsInTables) {
  const MemTable* zero = families_.Create(0, /*log_number=*/4);
  const MemTable* one = families_.Create(1, /*log_number=*/5);
  InsertOptions replay;
  replay.replayed_log_number = 4;
  ASSERT_TRUE(Insert(StockRecords("r119_two_cf.000004")[0], replay).ok());
  EXPECT_EQ(zero->entry_count(), 7u);
  EXPECT_TRUE(one->empty());
  EXPECT_EQ(result_.next_sequence, 15u);
}

TEST_F(MemTableInserterTest, EmptyRangesTakeNoSequence) {
  const MemTable* zero = families_.Create(0);
  WriteBatch batch;
  WriteBatchInternal::SetSequence(&batch, 10);
  ASSERT_TRUE(batch.DeleteRange("a", "a").ok());
  ASSERT_TRUE(batch.Put("k", "v").ok());
  ASSERT_TRUE(InsertBatch(batch, {}, &families_, &result_).ok());
  EXPECT_EQ(MemtableEntries(*zero), Strings{"k@10/1=v"});
  EXPECT_EQ(result_.next_sequence, 11u);
  EXPECT_FALSE(zero->tombstones().IsAny());

  WriteBatch backward;
  ASSERT_TRUE(backward.DeleteRange("b", "a").ok());
  EXPECT_TRUE(
      InsertBatch(backward, {}, &families_, &result_).IsInvalidArgument());
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

TEST_F(MemTableInserterTest, PreparedTransactionsAreRefused) {
  families_.Create(0);
  int refused = 0;
  for (const std::string& record :
       StockRecords("r119_txn_write_committed.000004")) {
    const Status s = Insert(record);
    EXPECT_TRUE(s.ok() || s.IsNotSupported());
    if (s.IsNotSupported()) ++refused;
  }
  EXPECT_EQ(refused, 2);
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

TEST_F(MemTableInserterTest, TheSameKeyAndSequenceTwice) {
  families_.Create(0);
  WriteBatch batch;
  WriteBatchInternal::SetSequence(&batch, 5);
  ASSERT_TRUE(batch.Put("k", "v").ok());
  ASSERT_TRUE(InsertBatch(batch, {}, &families_, &result_).ok());
  EXPECT_TRUE(InsertBatch(batch, {}, &families_, &result_).IsTryAgain());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

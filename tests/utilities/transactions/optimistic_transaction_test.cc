// Optimistic transactions: which writes of others are conflicts, with both
// ways to look for them.
//
// testdata/transactions/optimistic.txt says which, in the language of
// transaction_script.h. Here is what takes threads, or looks at more.
#include <gtest/gtest.h>

#include <atomic>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "rocksdb/sst_file_writer.h"
#include "rocksdb/statistics.h"
#include "rocksdb/utilities/optimistic_transaction_db.h"
#include "rocksdb/utilities/transaction.h"
#include "tests/testing/temp_dir.h"
#include "tests/utilities/transactions/transaction_script.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {
namespace {

using Policy = OccValidationPolicy;

class OptimisticTransactionTest : public ::testing::TestWithParam<Policy> {
 protected:
  void SetUp() override { Open(); }
  void TearDown() override { Close(); }

  void Open() {
    OptimisticTransactionDBOptions occ;
    occ.validate_policy = GetParam();
    options_.create_if_missing = true;
    options_.create_missing_column_families = true;
    OptimisticTransactionDB* db = nullptr;
    const Status s = OptimisticTransactionDB::Open(
        options_, occ, dir_.path() + "/db",
        {{kDefaultColumnFamilyName, options_}, {"other", options_}}, &handles_,
        &db);
    ASSERT_TRUE(s.ok()) << s.ToString();
    db_.reset(db);
  }
  void Close() {
    for (ColumnFamilyHandle* handle : handles_) {
      if (db_ != nullptr) {
        // Both are ours.
        const std::unique_ptr<ColumnFamilyHandle> owned(handle);
      }
    }
    handles_.clear();
    db_.reset();
  }

  std::unique_ptr<Transaction> Begin(bool set_snapshot = false) {
    OptimisticTransactionOptions options;
    options.set_snapshot = set_snapshot;
    return std::unique_ptr<Transaction>(
        db_->BeginTransaction(WriteOptions(), options));
  }
  void PutPlain(const std::string& key, const std::string& value) {
    ASSERT_TRUE(db_->Put(WriteOptions(), key, value).ok());
  }
  std::string Get(const std::string& key) {
    std::string value;
    const Status s = db_->Get(ReadOptions(), key, &value);
    return s.ok() ? value : s.IsNotFound() ? "-" : s.ToString();
  }

  TempDir dir_{"optimistic"};
  Options options_;
  std::vector<ColumnFamilyHandle*> handles_;
  std::unique_ptr<OptimisticTransactionDB> db_;
};

TEST(OptimisticConflictsTest, Script) {
  EXPECT_GE(RunTransactionScript("transactions/optimistic.txt"), 27u)
      << "cases went missing";
}

TEST_P(OptimisticTransactionTest, HasNoIdAndNoRanges) {
  const auto txn = Begin();
  EXPECT_TRUE(txn->GetRangeLock(handles_[0], Endpoint("a"), Endpoint("b"))
                  .IsNotSupported());
  EXPECT_EQ(txn->GetID(), 0u);
}

TEST_P(OptimisticTransactionTest, ACommitTimeBatchIsLeftOutAndThatIsSaid) {
  {
    const auto txn = Begin();
    ASSERT_TRUE(txn->GetCommitTimeWriteBatch()->Put("at", "1").ok());
    ASSERT_TRUE(txn->Put("k", "1").ok());
    EXPECT_TRUE(txn->Commit().ok());
  }
  EXPECT_EQ(Get("k") + Get("at"), "1-");
  Close();
  std::ifstream file(dir_.path() + "/db/LOG");
  const std::string log((std::istreambuf_iterator<char>(file)),
                        std::istreambuf_iterator<char>());
  EXPECT_NE(log.find("leaves out 1 updates of its commit-time batch"),
            std::string::npos);
}

TEST_P(OptimisticTransactionTest, OpenRefusesWhatKeepsNoSequences) {
  Options options = options_;
  options.inplace_update_support = true;
  options.allow_concurrent_memtable_write = false;
  OptimisticTransactionDB* db = nullptr;
  EXPECT_TRUE(OptimisticTransactionDB::Open(options, dir_.path() + "/no", &db)
                  .IsInvalidArgument());
  EXPECT_EQ(db, nullptr);
}

TEST_P(OptimisticTransactionTest, RefusesSuchFamiliesLaterToo) {
  Close();
  options_.allow_concurrent_memtable_write = false;
  Open();
  ColumnFamilyOptions family;
  family.inplace_update_support = true;
  ColumnFamilyHandle* handle = nullptr;
  std::vector<ColumnFamilyHandle*> handles;
  const std::vector<std::string> names{"later"};
  const std::vector<ColumnFamilyDescriptor> families{
      {"good", ColumnFamilyOptions()}, {"later", family}};
  const std::vector<const ExportImportFilesMetaData*> nothing;
  for (const Status& s :
       {db_->CreateColumnFamily(family, "later", &handle),
        db_->CreateColumnFamilies(family, names, &handles),
        db_->CreateColumnFamilies(families, &handles),
        db_->CreateColumnFamilyWithImport(
            family, "later", ImportColumnFamilyOptions(), nothing, &handle)}) {
    EXPECT_TRUE(s.IsInvalidArgument()) << s.ToString();
    EXPECT_NE(s.ToString().find("for transactions"), std::string::npos);
  }
  EXPECT_EQ(handle, nullptr);
  EXPECT_TRUE(handles.empty());
}

TEST_P(OptimisticTransactionTest, SharedBucketsWork) {
  Close();
  OptimisticTransactionDBOptions occ;
  occ.validate_policy = GetParam();
  occ.shared_lock_buckets = MakeSharedOccLockBuckets(16);
  EXPECT_LT(occ.shared_lock_buckets->ApproximateMemoryUsage(), 1024u);
  OptimisticTransactionDB* db = nullptr;
  ASSERT_TRUE(OptimisticTransactionDB::Open(
                  options_, occ, dir_.path() + "/shared",
                  {{kDefaultColumnFamilyName, options_}}, &handles_, &db)
                  .ok());
  db_.reset(db);
  const auto txn = Begin();
  ASSERT_TRUE(txn->Put("k", "1").ok());
  EXPECT_TRUE(txn->Commit().ok());
}

// The values that the log has for a key, in the order of their sequences.
class ValuesOf final : public WriteBatch::Handler {
 public:
  explicit ValuesOf(std::string key) : key_(std::move(key)) {}
  Status PutCF(uint32_t /*id*/, const Slice& key, const Slice& value) override {
    if (key == key_) values.push_back(value.ToString());
    return Status::OK();
  }
  Status MarkNoop(bool /*empty*/) override { return Status::OK(); }

  std::vector<std::string> values;

 private:
  const std::string key_;
};

// A transaction writes "name<what it has read", a plain write "name". In the
// log each transaction must stand right behind what it has read.
TEST_P(OptimisticTransactionTest, NoCommitReplacesAWriteThatItHasNotRead) {
  PutPlain("k", "first");
  std::atomic<bool> is_writing{true};
  std::thread writer([&] {
    for (int i = 1; i <= 3000; ++i) {
      ASSERT_TRUE(
          db_->Put(WriteOptions(), "k", "plain" + std::to_string(i)).ok());
    }
    is_writing = false;
  });
  std::atomic<int> commits{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t) {
    threads.emplace_back([&, t] {
      bool has_committed = false;
      // No more than one log holds, however long the writer takes.
      constexpr int kMostTries = 20'000;
      for (int i = 0; (is_writing && i < kMostTries) || !has_committed; ++i) {
        const auto txn = Begin();
        std::string read;
        ASSERT_TRUE(txn->GetForUpdate(ReadOptions(), "k", &read).ok());
        const std::string name =
            "txn" + std::to_string(t) + "." + std::to_string(i);
        ASSERT_TRUE(
            txn->Put("k", name + "<" + read.substr(0, read.find('<'))).ok());
        if (!txn->Commit().ok()) continue;
        has_committed = true;
        ++commits;
      }
    });
  }
  writer.join();
  for (std::thread& thread : threads) thread.join();
  EXPECT_GE(commits, 3);

  ValuesOf seen("k");
  std::unique_ptr<TransactionLogIterator> log;
  ASSERT_TRUE(db_->GetUpdatesSince(1, &log).ok());
  for (; log->Valid(); log->Next()) {
    ASSERT_TRUE(log->GetBatch().writeBatchPtr->Iterate(&seen).ok());
  }
  ASSERT_GT(seen.values.size(), 3000u);
  for (size_t i = 1; i < seen.values.size(); ++i) {
    const std::string& value = seen.values[i];
    const size_t at = value.find('<');
    if (at == std::string::npos) continue;
    const std::string& before = seen.values[i - 1];
    EXPECT_EQ(value.substr(at + 1), before.substr(0, before.find('<')));
  }
}

TEST_P(OptimisticTransactionTest, TransfersKeepTheSum) {
  constexpr int kAccounts = 4, kThreads = 8, kTransfers = 100;
  for (int i = 0; i < kAccounts; ++i) PutPlain(std::to_string(i), "100");
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      Random64 random(t + 1);
      for (int done = 0; done < kTransfers;) {
        const std::string from = std::to_string(random.Uniform(kAccounts));
        const std::string to = std::to_string(random.Uniform(kAccounts));
        if (from == to) continue;
        const auto txn = Begin(random.OneIn(2));
        std::string a, b;
        ASSERT_TRUE(txn->GetForUpdate(ReadOptions(), from, &a).ok());
        ASSERT_TRUE(txn->GetForUpdate(ReadOptions(), to, &b).ok());
        ASSERT_TRUE(txn->Put(from, std::to_string(std::stoi(a) - 1)).ok());
        ASSERT_TRUE(txn->Put(to, std::to_string(std::stoi(b) + 1)).ok());
        const Status s = txn->Commit();
        ASSERT_TRUE(s.ok() || s.IsBusy()) << s.ToString();
        if (s.ok()) ++done;
        if (random.OneIn(200)) {
          ASSERT_TRUE(db_->Flush(FlushOptions()).ok());
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  int sum = 0;
  for (int i = 0; i < kAccounts; ++i) sum += std::stoi(Get(std::to_string(i)));
  EXPECT_EQ(sum, kAccounts * 100);
}

// A tombstone that an iterator has made of deletions is nobody's write.
TEST_P(OptimisticTransactionTest, WhatAScanLeavesIsNoConflict) {
  Close();
  options_.min_tombstones_for_range_conversion = 2;
  options_.statistics = CreateDBStatistics();
  Open();
  for (const char* key : {"a", "b", "c", "d", "e"}) PutPlain(key, "1");
  for (const char* key : {"b", "c", "d"}) {
    ASSERT_TRUE(db_->Delete(WriteOptions(), key).ok());
  }
  const std::unique_ptr<Transaction> missing = Begin(), there = Begin();
  std::string value;
  EXPECT_TRUE(missing->GetForUpdate(ReadOptions(), "c", &value).IsNotFound());
  EXPECT_TRUE(there->GetForUpdate(ReadOptions(), "e", &value).ok());
  // The scan reads as of something that comes later.
  PutPlain("z", "1");
  {
    const std::unique_ptr<Iterator> scan(db_->NewIterator(ReadOptions()));
    for (scan->SeekToFirst(); scan->Valid(); scan->Next()) {
    }
    ASSERT_TRUE(scan->status().ok());
  }
  ASSERT_GT(
      options_.statistics->getTickerCount(READ_PATH_RANGE_TOMBSTONES_INSERTED),
      0u);
  ASSERT_TRUE(missing->Put("c", "2").ok());
  EXPECT_TRUE(missing->Commit().ok());
  EXPECT_TRUE(there->Commit().ok());
}

INSTANTIATE_TEST_SUITE_P(Policies, OptimisticTransactionTest,
                         ::testing::Values(Policy::kValidateSerial,
                                           Policy::kValidateParallel),
                         [](const auto& param) {
                           return param.param == Policy::kValidateSerial
                                      ? "Serial"
                                      : "Parallel";
                         });

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

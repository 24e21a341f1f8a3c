// Optimistic transactions: which writes of others are conflicts, with both
// ways to look for them.
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
  std::string Get(Transaction* txn, const std::string& key) {
    std::string value;
    const Status s = txn->Get(ReadOptions(), key, &value);
    return s.ok() ? value : s.IsNotFound() ? "-" : s.ToString();
  }

  TempDir dir_{"optimistic"};
  Options options_;
  std::vector<ColumnFamilyHandle*> handles_;
  std::unique_ptr<OptimisticTransactionDB> db_;
};

TEST_P(OptimisticTransactionTest, WhatIsLookedAtByExample) {
  const auto txn = Begin();
  ASSERT_TRUE(txn->Put("k", "1").ok());
  PutPlain("k", "other");
  EXPECT_TRUE(txn->Commit().IsBusy());
  EXPECT_EQ(Get("k"), "other");
  ASSERT_TRUE(txn->Rollback().ok());

  PutPlain("k", "before");
  ASSERT_TRUE(txn->Put("k", "2").ok());
  EXPECT_TRUE(txn->Commit().ok());
  EXPECT_EQ(Get("k"), "2");

  txn->SetSnapshot();
  PutPlain("k", "after the snapshot");
  ASSERT_TRUE(txn->Put("k", "3").ok());
  EXPECT_TRUE(txn->Commit().IsBusy());
  ASSERT_TRUE(txn->Rollback().ok());
  txn->ClearSnapshot();

  std::string value;
  ASSERT_TRUE(txn->GetForUpdate(ReadOptions(), "k", &value).ok());
  PutPlain("k", "after the read");
  EXPECT_TRUE(txn->Commit().IsBusy());
  ASSERT_TRUE(txn->Rollback().ok());

  ASSERT_TRUE(txn->Get(ReadOptions(), "k", &value).ok());
  PutPlain("k", "after a plain read");
  EXPECT_TRUE(txn->Commit().ok());

  ASSERT_TRUE(txn->PutUntracked("k", "4").ok());
  PutPlain("k", "is overwritten");
  EXPECT_TRUE(txn->Commit().ok());
  EXPECT_EQ(Get("k"), "4");

  ASSERT_TRUE(txn->GetForUpdate(ReadOptions(), "k", &value).ok());
  txn->UndoGetForUpdate("k");
  PutPlain("k", "5");
  EXPECT_TRUE(txn->Commit().ok());

  txn->SetSavePoint();
  ASSERT_TRUE(txn->Put("k", "6").ok());
  PutPlain("k", "7");
  ASSERT_TRUE(txn->RollbackToSavePoint().ok());
  EXPECT_TRUE(txn->Commit().ok());
  EXPECT_EQ(Get("k"), "7");
}

TEST_P(OptimisticTransactionTest, OfTwoThatWriteAKeyTheSecondFails) {
  const auto a = Begin(), b = Begin();
  ASSERT_TRUE(a->Put("k", "a").ok());
  ASSERT_TRUE(b->Put("k", "b").ok());
  EXPECT_EQ(Get("k"), "-");
  EXPECT_EQ(Get(a.get(), "k"), "a");
  EXPECT_TRUE(a->Commit().ok());
  EXPECT_TRUE(b->Commit().IsBusy());
  EXPECT_TRUE(b->Commit().IsBusy()) << "it stays as it was";
  EXPECT_EQ(Get(b.get(), "k"), "b");
  EXPECT_EQ(b->GetNumKeys(), 1u);
  ASSERT_TRUE(b->Rollback().ok());
  EXPECT_EQ(b->GetNumKeys(), 0u);
  ASSERT_TRUE(b->Put("k", "again").ok());
  EXPECT_TRUE(b->Commit().ok());
  EXPECT_EQ(Get("k"), "again");
}

TEST_P(OptimisticTransactionTest, AKeyThatIsNotThereIsLookedAtToo) {
  const auto txn = Begin();
  std::string value;
  EXPECT_TRUE(txn->GetForUpdate(ReadOptions(), "missing", &value).IsNotFound());
  PutPlain("missing", "no longer");
  EXPECT_TRUE(txn->Commit().IsBusy());
}

TEST_P(OptimisticTransactionTest, OldSnapshotsFailUntilTheyAreCleared) {
  const auto txn = Begin(/*set_snapshot=*/true);
  PutPlain("k", "newer");
  ASSERT_TRUE(txn->Put("k", "1").ok());
  EXPECT_TRUE(txn->Commit().IsBusy());
  ASSERT_TRUE(txn->Rollback().ok());
  ASSERT_TRUE(txn->Put("k", "1").ok());
  EXPECT_TRUE(txn->Commit().IsBusy());
  ASSERT_TRUE(txn->Rollback().ok());
  txn->ClearSnapshot();
  ASSERT_TRUE(txn->Put("k", "1").ok());
  EXPECT_TRUE(txn->Commit().ok());
}

TEST_P(OptimisticTransactionTest, ItStaysAsItBeganAndHasNoName) {
  const auto txn = Begin();
  EXPECT_TRUE(txn->SetName("name").IsInvalidArgument());
  EXPECT_TRUE(txn->Prepare().IsInvalidArgument());
  EXPECT_TRUE(txn->CollapseKey(ReadOptions(), "k", nullptr).IsNotSupported());
  EXPECT_TRUE(txn->SetCommitTimestamp(1).IsNotSupported());
  EXPECT_TRUE(txn->GetRangeLock(handles_[0], Endpoint("a"), Endpoint("b"))
                  .IsNotSupported());
  EXPECT_EQ(txn->GetID(), 0u);
  EXPECT_EQ(txn->GetState(), Transaction::STARTED);
  ASSERT_TRUE(txn->Put("k", "1").ok());
  ASSERT_TRUE(txn->Commit().ok());
  EXPECT_EQ(txn->GetState(), Transaction::STARTED);
  const SequenceNumber last = db_->GetLatestSequenceNumber();
  ASSERT_TRUE(txn->Commit().ok());
  EXPECT_EQ(db_->GetLatestSequenceNumber(), last);
}

// The reads of a file and the sequences in it must outlast flushes and
// compactions to the last level, which take sequences away.
TEST_P(OptimisticTransactionTest, FlushesAndCompactionsMakeNoDifference) {
  PutPlain("kept", "1");
  PutPlain("written", "1");
  PutPlain("deleted", "1");
  const auto kept = Begin(), written = Begin(), deleted = Begin();
  std::string value;
  ASSERT_TRUE(kept->GetForUpdate(ReadOptions(), "kept", &value).ok());
  ASSERT_TRUE(written->GetForUpdate(ReadOptions(), "written", &value).ok());
  ASSERT_TRUE(deleted->GetForUpdate(ReadOptions(), "deleted", &value).ok());
  for (int i = 0; i < 10; ++i) {
    PutPlain("written", std::to_string(i));
    PutPlain("more" + std::to_string(i), "1");
    if (i == 3) {
      ASSERT_TRUE(db_->Delete(WriteOptions(), "deleted").ok());
    }
    ASSERT_TRUE(db_->Flush(FlushOptions()).ok());
  }
  CompactRangeOptions all;
  all.bottommost_level_compaction = BottommostLevelCompaction::kForce;
  ASSERT_TRUE(db_->CompactRange(all, nullptr, nullptr).ok());
  ASSERT_TRUE(kept->Put("result", "1").ok());
  EXPECT_TRUE(kept->Commit().ok());
  EXPECT_TRUE(written->Commit().IsBusy());
  EXPECT_TRUE(deleted->Commit().IsBusy());
}

TEST_P(OptimisticTransactionTest, RangesAndFilesAreWritesOfTheirKeys) {
  for (const char* key : {"a", "b", "c"}) PutPlain(key, "1");
  const auto range = Begin(), beside = Begin(), ingested = Begin();
  ASSERT_TRUE(range->Put("b", "2").ok());
  ASSERT_TRUE(beside->Put("c", "2").ok());
  ASSERT_TRUE(ingested->Put("x", "2").ok());
  ASSERT_TRUE(db_->GetBaseDB()->DeleteRange(WriteOptions(), "a", "c").ok());
  EXPECT_TRUE(range->Commit().IsBusy());

  SstFileWriter writer{EnvOptions(), options_};
  const std::string file = dir_.path() + "/x.sst";
  ASSERT_TRUE(writer.Open(file).ok());
  ASSERT_TRUE(writer.Put("x", "from a file").ok());
  ASSERT_TRUE(writer.Finish().ok());
  ASSERT_TRUE(db_->IngestExternalFile({file}, {}).ok());
  EXPECT_TRUE(ingested->Commit().IsBusy());
  EXPECT_EQ(Get("x"), "from a file");
  EXPECT_TRUE(beside->Commit().ok());
}

TEST_P(OptimisticTransactionTest, RefusesRangeDeletions) {
  EXPECT_TRUE(db_->DeleteRange(WriteOptions(), "a", "b").IsNotSupported());
  WriteBatch batch;
  ASSERT_TRUE(batch.DeleteRange("a", "b").ok());
  EXPECT_TRUE(db_->Write(WriteOptions(), &batch).IsNotSupported());
}

TEST_P(OptimisticTransactionTest, ADroppedFamilyFailsItsTransactionAlone) {
  const auto tracked = Begin(), untracked = Begin(), passes = Begin();
  ASSERT_TRUE(tracked->Put(handles_[1], "k", "1").ok());
  ASSERT_TRUE(untracked->PutUntracked(handles_[1], "k", "1").ok());
  ASSERT_TRUE(passes->PutUntracked(handles_[1], "k", "1").ok());
  ASSERT_TRUE(passes->Put("own", "1").ok());
  ASSERT_TRUE(db_->DropColumnFamily(handles_[1]).ok());
  ASSERT_TRUE(tracked->Put("a", "1").ok());
  ASSERT_TRUE(untracked->Put("a", "1").ok());
  EXPECT_TRUE(tracked->Commit().IsInvalidArgument());
  EXPECT_TRUE(untracked->Commit().IsInvalidArgument());
  EXPECT_EQ(Get("a"), "-") << "all or nothing";
  passes->GetWriteOptions()->ignore_missing_column_families = true;
  EXPECT_TRUE(passes->Commit().ok());
  EXPECT_EQ(Get("own"), "1");
  PutPlain("open", "still");
}

TEST_P(OptimisticTransactionTest, AMergeWithoutOperatorFailsAlone) {
  const auto txn = Begin();
  ASSERT_TRUE(txn->Put("a", "1").ok());
  ASSERT_TRUE(txn->Merge("m", "1").ok());
  EXPECT_TRUE(txn->Commit().IsInvalidArgument());
  EXPECT_EQ(Get("a"), "-");
  PutPlain("open", "still");
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

TEST_P(OptimisticTransactionTest, OldObjectsBeginAnew) {
  auto txn = Begin(/*set_snapshot=*/true);
  ASSERT_TRUE(txn->Put("k", "1").ok());
  txn->DisableIndexing();
  Transaction* const again = db_->BeginTransaction(
      WriteOptions(), OptimisticTransactionOptions(), txn.get());
  EXPECT_EQ(again, txn.get());
  EXPECT_EQ(again->GetSnapshot(), nullptr);
  EXPECT_EQ(again->GetNumKeys(), 0u);
  EXPECT_EQ(Get(again, "k"), "-");
  ASSERT_TRUE(again->Put("k", "2").ok());
  EXPECT_EQ(Get(again, "k"), "2") << "it indexes again";
}

TEST_P(OptimisticTransactionTest, OpenRefusesWhatKeepsNoSequences) {
  Options options = options_;
  options.inplace_update_support = true;
  OptimisticTransactionDB* db = nullptr;
  EXPECT_TRUE(OptimisticTransactionDB::Open(options, dir_.path() + "/no", &db)
                  .IsInvalidArgument());
  EXPECT_EQ(db, nullptr);
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
      for (int i = 0; is_writing || !has_committed; ++i) {
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

// A deletion of a range counts for the keys that were there, wherever their
// versions have got to since.
TEST_P(OptimisticTransactionTest, ADeletedRangeCountsWhereSomethingWas) {
  PutPlain("a", "1");
  ASSERT_TRUE(db_->Flush(FlushOptions()).ok());
  for (const bool compacts : {false, true}) {
    const std::unique_ptr<Transaction> there = Begin(), missing = Begin();
    std::string value;
    EXPECT_TRUE(there->GetForUpdate(ReadOptions(), "a", &value).ok());
    EXPECT_TRUE(missing->GetForUpdate(ReadOptions(), "b", &value).IsNotFound());
    ASSERT_TRUE(db_->GetBaseDB()->DeleteRange(WriteOptions(), "a", "c").ok());
    if (compacts) {
      ASSERT_TRUE(db_->Flush(FlushOptions()).ok());
      CompactRangeOptions options;
      options.bottommost_level_compaction = BottommostLevelCompaction::kForce;
      ASSERT_TRUE(db_->CompactRange(options, nullptr, nullptr).ok());
    }
    EXPECT_TRUE(there->Commit().IsBusy()) << compacts;
    EXPECT_TRUE(missing->Commit().ok()) << compacts;
    PutPlain("a", "2");
  }
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

// Histories of concurrent transactions, checked for serialisability.
//
// Every value that is written is unique, and whoever writes a key has read it
// for update before: from what each transaction has read and written it follows
// which came before which. If these orders go round in a circle, no serial
// order explains the history.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "rocksdb/utilities/optimistic_transaction_db.h"
#include "rocksdb/utilities/transaction.h"
#include "rocksdb/utilities/transaction_db.h"
#include "tests/testing/temp_dir.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// What a committed transaction has seen and done, by key.
struct Committed {
  std::map<std::string, std::string> read;
  std::map<std::string, std::string> written;
};

// The orders that follow from a history; true if there is a circle.
bool HasCircle(const std::vector<Committed>& history) {
  std::map<std::string, size_t> writer_of;  // by value
  std::map<std::pair<std::string, std::string>, size_t> replaced_by;
  for (size_t i = 0; i < history.size(); ++i) {
    for (const auto& [key, value] : history[i].written) {
      writer_of[value] = i;
      // Two that replace one value have both read it: one's write is lost.
      const auto before = std::pair(key, history[i].read.at(key));
      if (!replaced_by.emplace(before, i).second) return true;
    }
  }
  std::vector<std::set<size_t>> after(history.size());
  for (size_t i = 0; i < history.size(); ++i) {
    for (const auto& [key, value] : history[i].read) {
      const auto writer = writer_of.find(value);
      if (writer != writer_of.end() && writer->second != i) {
        after[writer->second].insert(i);
      }
      const auto replaced = replaced_by.find({key, value});
      if (replaced != replaced_by.end() && replaced->second != i) {
        after[i].insert(replaced->second);
      }
    }
  }
  std::vector<int> state(history.size(), 0);  // 1: on the way, 2: done
  std::function<bool(size_t)> visit = [&](size_t i) {
    if (state[i] != 0) return state[i] == 1;
    state[i] = 1;
    for (const size_t next : after[i]) {
      if (visit(next)) return true;
    }
    state[i] = 2;
    return false;
  };
  for (size_t i = 0; i < history.size(); ++i) {
    if (visit(i)) return true;
  }
  return false;
}

TEST(HistoryCheckTest, SeesWhatCannotBeSerial) {
  const Committed a{{{"x", ""}, {"y", ""}}, {{"x", "1"}}};
  const Committed skewed{{{"x", ""}, {"y", ""}}, {{"y", "2"}}};
  EXPECT_TRUE(HasCircle({a, skewed}));
  const Committed later{{{"x", "1"}, {"y", ""}}, {{"y", "2"}}};
  EXPECT_FALSE(HasCircle({a, later}));
  const Committed lost{{{"x", ""}}, {{"x", "3"}}};
  EXPECT_TRUE(HasCircle({a, lost}));
}

enum class Kind { kLocking, kSerial, kParallel };

class HistoriesTest : public ::testing::TestWithParam<Kind> {
 protected:
  void SetUp() override {
    Options options;
    options.create_if_missing = true;
    options.write_buffer_size = 64 << 10;
    Status s;
    if (GetParam() == Kind::kLocking) {
      s = TransactionDB::Open(options, {}, dir_.path() + "/db", &locking_);
      db_.reset(locking_);
    } else {
      OptimisticTransactionDBOptions occ;
      occ.validate_policy = GetParam() == Kind::kSerial
                                ? OccValidationPolicy::kValidateSerial
                                : OccValidationPolicy::kValidateParallel;
      std::vector<ColumnFamilyHandle*> handles;
      s = OptimisticTransactionDB::Open(options, occ, dir_.path() + "/db",
                                        {{kDefaultColumnFamilyName, options}},
                                        &handles, &optimistic_);
      for (ColumnFamilyHandle* handle : handles) {
        const std::unique_ptr<ColumnFamilyHandle> owned(handle);
      }
      db_.reset(optimistic_);
    }
    ASSERT_TRUE(s.ok()) << s.ToString();
  }

  std::unique_ptr<Transaction> Begin(Random64* random) {
    if (locking_ != nullptr) {
      TransactionOptions options;
      options.deadlock_detect = true;
      options.lock_timeout = 10000;
      options.set_snapshot = random->OneIn(3);
      return std::unique_ptr<Transaction>(
          locking_->BeginTransaction(WriteOptions(), options));
    }
    OptimisticTransactionOptions options;
    options.set_snapshot = random->OneIn(3);
    return std::unique_ptr<Transaction>(
        optimistic_->BeginTransaction(WriteOptions(), options));
  }

  // One transaction; false if it was not committed.
  bool Run(Random64* random, std::atomic<uint64_t>* next_value,
           Committed* done) {
    const std::unique_ptr<Transaction> txn = Begin(random);
    Committed at_save_point;
    bool has_save_point = false;
    for (uint64_t step = 0, steps = 2 + random->Uniform(4); step < steps;
         ++step) {
      const std::string key = "k" + std::to_string(random->Uniform(kKeys));
      std::string value;
      // Whoever only reads may share.
      const bool writes = random->OneIn(2);
      const Status s = txn->GetForUpdate(ReadOptions(), key, &value, writes);
      if (!s.ok() && !s.IsNotFound()) return false;
      // Own writes are seen; what was there before them is what counts.
      const auto own = done->written.find(key);
      if (own != done->written.end()) {
        EXPECT_EQ(value, own->second);
      } else {
        const auto before = done->read.emplace(key, value);
        if (before.first->second != value) {
          // Others have written it since: only who locks nothing may see that,
          // and must not commit.
          EXPECT_EQ(locking_, nullptr);
          EXPECT_TRUE(txn->Commit().IsBusy());
          return false;
        }
      }
      if (writes) {
        const std::string fresh = "v" + std::to_string(++*next_value);
        if (!txn->Put(key, fresh).ok()) return false;
        done->written[key] = fresh;
      }
      if (random->OneIn(5)) {
        txn->SetSavePoint();
        at_save_point = *done;
        has_save_point = true;
      } else if (has_save_point && random->OneIn(4)) {
        EXPECT_TRUE(txn->RollbackToSavePoint().ok());
        *done = at_save_point;
        has_save_point = false;
      }
    }
    if (random->OneIn(10)) return !txn->Rollback().ok();
    return txn->Commit().ok();
  }

  static constexpr uint64_t kKeys = 4;
  TempDir dir_{"histories"};
  TransactionDB* locking_ = nullptr;
  OptimisticTransactionDB* optimistic_ = nullptr;
  std::unique_ptr<DB> db_;
};

TEST_P(HistoriesTest, AreSerialisable) {
  constexpr int kThreads = 3, kHistories = 150, kTransactions = 6;
  size_t committed = 0;
  std::atomic<uint64_t> next_value{0};
  for (uint64_t seed = 1; seed <= kHistories; ++seed) {
    std::vector<std::vector<Committed>> parts(kThreads);
    std::vector<std::thread> threads;
    for (int t = 0; t < kThreads; ++t) {
      threads.emplace_back([&, t] {
        Random64 random(seed * 100 + t);
        for (int i = 0; i < kTransactions; ++i) {
          Committed done;
          if (Run(&random, &next_value, &done)) parts[t].push_back(done);
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    std::vector<Committed> history;
    for (const auto& part : parts) {
      history.insert(history.end(), part.begin(), part.end());
    }
    ASSERT_FALSE(HasCircle(history)) << "seed " << seed;
    committed += history.size();
    if (seed % 20 == 0) {
      ASSERT_TRUE(db_->Flush(FlushOptions()).ok());
      ASSERT_TRUE(
          db_->CompactRange(CompactRangeOptions(), nullptr, nullptr).ok());
    }
  }
  EXPECT_GT(committed, size_t{kHistories});
}

INSTANTIATE_TEST_SUITE_P(Kinds, HistoriesTest,
                         ::testing::Values(Kind::kLocking, Kind::kSerial,
                                           Kind::kParallel),
                         [](const auto& param) {
                           switch (param.param) {
                             case Kind::kLocking:
                               return "Locking";
                             case Kind::kSerial:
                               return "Serial";
                             default:
                               return "Parallel";
                           }
                         });

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

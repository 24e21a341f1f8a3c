// Writes that are asked, once their turn has come, whether they happen.
#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "db/write/transaction_port.h"
#include "db/write/write_hooks.h"
#include "tests/db/impl/db_fixture.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class Condition : public WriteCondition {
 public:
  explicit Condition(std::function<Status()> check, bool may_share = true)
      : check_(std::move(check)), may_share_(may_share) {}
  Status Check() override { return check_(); }
  bool MayShareGroup() const override { return may_share_; }

 private:
  const std::function<Status()> check_;
  const bool may_share_;
};

struct ConditionMode {
  const char* name;
  bool is_pipelined;
  bool is_unordered;
  bool is_concurrent;
};

class WriteConditionTest : public DbFixture,
                           public ::testing::WithParamInterface<ConditionMode> {
 protected:
  WriteConditionTest() {
    options_.enable_pipelined_write = GetParam().is_pipelined;
    options_.unordered_write = GetParam().is_unordered;
    options_.allow_concurrent_memtable_write = GetParam().is_concurrent;
  }
  Status WriteIf(const std::string& key, const std::string& value,
                 WriteCondition* condition) {
    WriteBatch batch;
    if (Status s = batch.Put(key, value); !s.ok()) return s;
    return TransactionPort::Of(db_.get())->WriteIf(WriteOptions(), &batch,
                                                   condition);
  }
};

TEST_P(WriteConditionTest, ARefusedWriteLeavesNothing) {
  Open();
  ASSERT_OK(Put("a", "1"));
  Condition refuses([] { return Status::Busy("not now"); });
  Condition allows([] { return Status::OK(); });
  const Status s = WriteIf("a", "2", &refuses);
  EXPECT_TRUE(s.IsBusy()) << s.ToString();
  EXPECT_EQ(db_->GetLatestSequenceNumber(), 1u);
  EXPECT_EQ(Scan(), "a=1 ");
  ASSERT_OK(WriteIf("b", "2", &allows));
  EXPECT_EQ(db_->GetLatestSequenceNumber(), 2u);
  // Not an error of the database, whatever its kind.
  Condition breaks([] { return Status::Corruption("mine"); });
  EXPECT_TRUE(WriteIf("a", "3", &breaks).IsCorruption());
  ASSERT_OK(Put("c", "3"));
  Reopen();
  // Also where no write has come before.
  EXPECT_TRUE(WriteIf("a", "2", &refuses).IsBusy());
  EXPECT_EQ(Scan(), "a=1 b=2 c=3 ");
  EXPECT_EQ(db_->GetLatestSequenceNumber(), 3u);
  ASSERT_OK(Put("d", "4"));
  EXPECT_EQ(db_->GetLatestSequenceNumber(), 4u);
}

// Groups in which some are refused: the others are as if these had not come.
TEST_P(WriteConditionTest, GroupsOfBothKinds) {
  Open();
  constexpr int kThreads = 6;
  constexpr int kWrites = 200;
  std::vector<std::thread> writers;
  for (int t = 0; t < kThreads; ++t) {
    writers.emplace_back([this, t] {
      for (int i = 0; i < kWrites; ++i) {
        const bool is_refused = (i + t) % 3 == 0;
        Condition condition([is_refused] {
          return is_refused ? Status::Aborted() : Status::OK();
        });
        const std::string key = std::to_string(t) + "." + std::to_string(i);
        const Status s =
            i % 5 == 0 ? Put(key, "plain") : WriteIf(key, "asked", &condition);
        ASSERT_EQ(s.ok(), i % 5 == 0 || !is_refused) << s.ToString();
        ASSERT_TRUE(s.ok() || s.IsAborted());
      }
    });
  }
  for (std::thread& writer : writers) writer.join();
  uint64_t there = 0;
  for (const bool is_reopened : {false, true}) {
    if (is_reopened) Reopen();
    there = 0;
    for (int t = 0; t < kThreads; ++t) {
      for (int i = 0; i < kWrites; ++i) {
        const bool is_refused = i % 5 != 0 && (i + t) % 3 == 0;
        const std::string key = std::to_string(t) + "." + std::to_string(i);
        ASSERT_EQ(Get(key), is_refused   ? "NOT_FOUND"
                            : i % 5 == 0 ? "plain"
                                         : "asked");
        there += is_refused ? 0 : 1;
      }
    }
    EXPECT_EQ(db_->GetLatestSequenceNumber(), there);
  }
}

// Compare and set: whoever shares no group sees every write before its own.
TEST_P(WriteConditionTest, NoUpdateIsLost) {
  Open();
  ASSERT_OK(Put("sum", "0"));
  constexpr int kThreads = 4;
  constexpr int kAdditions = 100;
  std::atomic<int> refused{0};
  std::vector<std::thread> writers;
  for (int t = 0; t < kThreads; ++t) {
    writers.emplace_back([this, &refused] {
      for (int done = 0; done < kAdditions;) {
        const std::string before = Get("sum");
        Condition unchanged(
            [&] {
              return Get("sum") == before ? Status::OK() : Status::Busy();
            },
            /*may_share=*/false);
        const Status s =
            WriteIf("sum", std::to_string(std::stoi(before) + 1), &unchanged);
        ASSERT_TRUE(s.ok() || s.IsBusy()) << s.ToString();
        done += s.ok() ? 1 : 0;
        refused += s.ok() ? 0 : 1;
      }
    });
  }
  for (std::thread& writer : writers) writer.join();
  EXPECT_EQ(Get("sum"), std::to_string(kThreads * kAdditions));
  EXPECT_EQ(db_->GetLatestSequenceNumber(), 1u + kThreads * kAdditions);
}

INSTANTIATE_TEST_SUITE_P(
    Modes, WriteConditionTest,
    ::testing::Values(ConditionMode{"Plain", false, false, true},
                      ConditionMode{"OneInserter", false, false, false},
                      ConditionMode{"Pipelined", true, false, true},
                      ConditionMode{"Unordered", false, true, true}),
    [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

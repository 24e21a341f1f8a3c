// Statistics every so often: into the log, and as snapshots; and the host that
// tables name.
#include <gtest/gtest.h>

#include <cstdarg>
#include <cstdio>
#include <map>
#include <set>
#include <string>
#include <thread>

#include "rocksdb/env.h"
#include "rocksdb/statistics.h"
#include "rocksdb/stats_history.h"
#include "rocksdb/table_properties.h"
#include "tests/db/impl/db_fixture.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// Keeps what is logged, and lets a test wait for it.
class DumpLogger : public Logger {
 public:
  using Logger::Logv;
  void Logv(const char* format, va_list arguments) override {
    char line[4096];
    (void)vsnprintf(line, sizeof(line), format, arguments);
    MutexLock lock(&mutex_);
    text_.append(line).push_back('\n');
    changed_.SignalAll();
  }
  // Once `what` has been logged after byte `from`: where it ends.
  size_t WaitFor(const std::string& what, size_t from) {
    MutexLock lock(&mutex_);
    while (text_.find(what, from) == std::string::npos) changed_.Wait();
    return text_.find(what, from) + what.size();
  }

 private:
  Mutex mutex_;
  CondVar changed_{&mutex_};
  std::string text_;
};

class StatsDumpTest : public DbFixture {};

TEST_F(StatsDumpTest, ComesEveryPeriodAndFollowsTheOption) {
  const auto logger = std::make_shared<DumpLogger>();
  options_.info_log = logger;
  options_.statistics = CreateDBStatistics();
  options_.stats_dump_period_sec = 0;
  Open();
  ASSERT_OK(db_->Put({}, "key", "value"));
  ASSERT_OK(db_->SetDBOptions({{"stats_dump_period_sec", "1"}}));
  size_t at = logger->WaitFor("DUMPING STATS", 0);
  logger->WaitFor("Compaction Stats [default]", at);
  logger->WaitFor("rocksdb.number.keys.written COUNT : 1", at);
  at = logger->WaitFor("DUMPING STATS", at);
  ASSERT_OK(db_->SetDBOptions({{"stats_dump_period_sec", "0"}}));
  ASSERT_OK(db_->Close());
}

TEST_F(StatsDumpTest, TellsOfTheAllocatorWhenAsked) {
  const auto logger = std::make_shared<DumpLogger>();
  options_.info_log = logger;
  options_.dump_malloc_stats = true;
  options_.stats_dump_period_sec = 1;
  Open();
  logger->WaitFor("<malloc version", logger->WaitFor("DUMPING STATS", 0));
  ASSERT_OK(db_->Close());
}

// What the next snapshot of [from, ...) shows of a ticker.
uint64_t AwaitCount(DB* db, const std::string& ticker, uint64_t* from) {
  std::unique_ptr<StatsHistoryIterator> it;
  do {
    EXPECT_OK(db->GetStatsHistory(*from, UINT64_MAX, &it));
    std::this_thread::yield();
  } while (!it->Valid());
  *from = it->GetStatsTime() + 1;
  EXPECT_EQ(it->GetFormatVersion(), -1);
  const auto found = it->GetStatsMap().find(ticker);
  EXPECT_NE(found, it->GetStatsMap().end());
  return found == it->GetStatsMap().end() ? 0 : found->second;
}

TEST_F(StatsDumpTest, SnapshotsKeepWhatEachPeriodCounted) {
  const std::string written = "rocksdb.number.keys.written";
  options_.statistics = CreateDBStatistics();
  options_.stats_persist_period_sec = 1;
  Open();
  ASSERT_OK(db_->Put({}, "a", "1"));
  ASSERT_OK(db_->Put({}, "b", "2"));
  // A period may end between the two.
  uint64_t from = 0, sum = 0;
  while (sum < 2) sum += AwaitCount(db_.get(), written, &from);
  EXPECT_EQ(sum, 2u);
  ASSERT_OK(db_->Put({}, "c", "3"));
  sum = 0;
  while (sum == 0) sum = AwaitCount(db_.get(), written, &from);
  EXPECT_EQ(sum, 1u);
  EXPECT_TRUE(db_->GetStatsHistory(0, 1, nullptr).IsInvalidArgument());
  std::unique_ptr<StatsHistoryIterator> none;
  ASSERT_OK(db_->GetStatsHistory(0, 1, &none));
  EXPECT_FALSE(none->Valid());
  EXPECT_OK(none->status());
  ASSERT_OK(db_->GetStatsHistory(0, UINT64_MAX, &none));
  ASSERT_OK(db_->Close());
  db_.reset();
  EXPECT_TRUE(none->Valid()) << "an iterator keeps what it walks";
}

// The time of the first snapshot of [from, ...), which is waited for.
uint64_t AwaitTime(DB* db, uint64_t from) {
  std::unique_ptr<StatsHistoryIterator> it;
  do {
    EXPECT_OK(db->GetStatsHistory(from, UINT64_MAX, &it));
    std::this_thread::yield();
  } while (!it->Valid());
  return it->GetStatsTime();
}

TEST_F(StatsDumpTest, SnapshotsStayWithinTheirBuffer) {
  options_.statistics = CreateDBStatistics();
  std::map<std::string, uint64_t> counts;
  ASSERT_TRUE(options_.statistics->getTickerMap(&counts));
  const size_t snapshot_bytes = counts.size() * sizeof(uint64_t);
  options_.stats_persist_period_sec = 1;
  // Room for one.
  options_.stats_history_buffer_size = snapshot_bytes * 3 / 2;
  Open();
  const auto is_there = [this](uint64_t time) {
    std::unique_ptr<StatsHistoryIterator> it;
    EXPECT_OK(db_->GetStatsHistory(time, time + 1, &it));
    return it->Valid();
  };
  const uint64_t first = AwaitTime(db_.get(), 0);
  const uint64_t second = AwaitTime(db_.get(), first + 1);
  EXPECT_FALSE(is_there(first)) << "it made room for the second";
  ASSERT_OK(db_->SetDBOptions({{"stats_history_buffer_size", "10000000"}}));
  EXPECT_EQ(db_->GetDBOptions().stats_history_buffer_size, 10'000'000u);
  // One that was taken meanwhile may have pushed the second out.
  const uint64_t third = AwaitTime(db_.get(), second + 1);
  const uint64_t fourth = AwaitTime(db_.get(), third + 1);
  AwaitTime(db_.get(), fourth + 1);
  EXPECT_TRUE(is_there(third));
  EXPECT_TRUE(is_there(fourth));
  ASSERT_OK(db_->SetDBOptions({{"stats_history_buffer_size", "0"}}));
  while (is_there(third)) std::this_thread::yield();
  std::unique_ptr<StatsHistoryIterator> none;
  ASSERT_OK(db_->GetStatsHistory(0, UINT64_MAX, &none));
  EXPECT_FALSE(none->Valid());
  ASSERT_OK(db_->Close());
}

TEST_F(StatsDumpTest, TablesNameTheirHost) {
  char name[256] = "";
  ASSERT_OK(Env::Default()->GetHostName(name, sizeof(name)));
  for (const std::string& id : {std::string(kHostnameForDbHostId),
                                std::string("chosen"), std::string()}) {
    options_.db_host_id = id;
    Open();
    ASSERT_OK(db_->Put({}, "key" + id, "value"));
    ASSERT_OK(db_->Flush({}));
    TablePropertiesCollection all;
    ASSERT_OK(db_->GetPropertiesOfAllTables(&all));
    std::set<std::string> hosts;
    for (const auto& table : all) hosts.insert(table.second->db_host_id);
    EXPECT_EQ(hosts.count(id == kHostnameForDbHostId ? name : id), 1u) << id;
    ASSERT_OK(db_->Close());
    db_.reset();
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

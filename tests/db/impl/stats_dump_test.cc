// stats_dump_period_sec: the statistics go to the log every so often.
#include <gtest/gtest.h>

#include <cstdarg>
#include <cstdio>
#include <string>

#include "rocksdb/env.h"
#include "rocksdb/statistics.h"
#include "tests/db/impl/db_fixture.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// Keeps what is logged, and lets a test wait for it.
class MemoryLogger : public Logger {
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
  const auto logger = std::make_shared<MemoryLogger>();
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

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

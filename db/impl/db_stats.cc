// DBImpl: statistics that go into the log, or into memory, every so often.
#include "db/impl/background_io_stats.h"
#include "db/impl/database_stats.h"
#include "db/impl/db_impl.h"
#include "monitoring/stats_history.h"
#include "rocksdb/statistics.h"
#include "util/invariant.h"
#include "util/malloc_stats.h"
#include "util/periodic_task.h"

namespace ROCKSDB_NAMESPACE {

void DBImpl::StartStatsTasks() {
  uint64_t dump_seconds = 0, history_seconds = 0;
  {
    MutexLock lock(&mutex_);
    dump_seconds = mutable_options_->stats_dump_period_sec;
    history_seconds = mutable_options_->stats_persist_period_sec;
  }
  constexpr uint64_t kMicrosPerSecond = 1'000'000;
  stats_dumps_->SetPeriod(dump_seconds * kMicrosPerSecond);
  const bool counts = options_.stats != nullptr;
  stats_snapshots_->SetPeriod(counts ? history_seconds * kMicrosPerSecond : 0);
}

void DBImpl::DumpStats() {
  std::vector<std::string> texts;
  {
    MutexLock lock(&mutex_);
    texts.push_back(DatabaseStatsText());
    if (io_governor_.governor() != nullptr) {
      texts.push_back(BackgroundIoText(io_governor_));
    }
    for (const auto& entry : families_) {
      const Family& family = *entry.second;
      texts.push_back(
          family.stats.LevelTable(family.cfd->name(),
                                  family.cfd->current()->storage()) +
          family.stats.StallText());
    }
  }
  if (options_.stats != nullptr) texts.push_back(options_.stats->ToString());
  if (options_.dump_malloc_stats) texts.push_back(MallocStatsText());
  Info(options_.logger, "------- DUMPING STATS -------");
  for (const std::string& text : texts) {
    Info(options_.logger, "\n%s", text.c_str());
  }
}

// The first snapshot of a database that opens is where its counts begin.
void DBImpl::TakeStatsSnapshot() {
  INVARIANT(options_.stats != nullptr);
  size_t budget = 0;
  {
    MutexLock lock(&mutex_);
    budget = mutable_options_->stats_history_buffer_size;
  }
  StatsHistory::Counts counts;
  if (!options_.stats->getTickerMap(&counts)) return;
  stats_history_->Add(NowSeconds(), counts, budget);
}

Status DBImpl::GetStatsHistory(
    uint64_t start_time, uint64_t end_time,
    std::unique_ptr<StatsHistoryIterator>* stats_iterator) {
  if (stats_iterator == nullptr) {
    return Status::InvalidArgument("stats_iterator is null");
  }
  *stats_iterator =
      NewStatsHistoryIterator(stats_history_, start_time, end_time);
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE

// DBImpl: statistics that go into the log, or into memory, every so often.
#include "db/impl/db_impl.h"
#include "db/observe/background_io_stats.h"
#include "db/observe/cache_entry_stats.h"
#include "db/observe/database_stats.h"
#include "db/observe/persistent_stats.h"
#include "file/io_governor.h"
#include "monitoring/stats_history.h"
#include "rocksdb/statistics.h"
#include "util/invariant.h"
#include "util/malloc_stats.h"
#include "util/periodic_task.h"

namespace ROCKSDB_NAMESPACE {

void DBImpl::SetUpStats() {
  database_stats_ =
      std::make_shared<DatabaseStats>(options_.clock->NowMicros());
  cache_stats_ = std::make_shared<CacheEntryStats>();
}

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
    if (io_governor_->governor() != nullptr) {
      texts.push_back(BackgroundIoText(*io_governor_));
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
  if (persistent_stats_ == nullptr || mode_ != Mode::kReadWrite) {
    stats_history_->Add(NowSeconds(), counts, budget);
    return;
  }
  const Status s = persistent_stats_->Write(NowSeconds(), counts);
  if (!s.ok()) {
    Warn(options_.logger, "a snapshot of the statistics is put off: %s",
         s.ToString().c_str());
  }
}

// The handle is no user's: nobody counts it, nobody is told when it goes.
Status DBImpl::SetUpPersistentStats() {
  INVARIANT(persistent_stats_ == nullptr);
  const auto use = [this](ColumnFamilyRef cfd) {
    persistent_stats_ = std::make_shared<PersistentStats>(
        this, std::make_unique<ColumnFamilyHandleImpl>(this, std::move(cfd),
                                                       nullptr));
  };
  ColumnFamilyRef cfd;
  {
    MutexLock lock(&mutex_);
    ColumnFamilyData* found =
        versions_->families()->Find(PersistentStats::kFamily);
    if (found != nullptr) cfd = found->shared_from_this();
  }
  const bool may_write = mode_ == Mode::kReadWrite;
  if (cfd == nullptr && !may_write) return Status::OK();
  if (cfd == nullptr) {
    Status s = AddFamily(PersistentStats::FamilyOptions(),
                         PersistentStats::kFamily, &cfd);
    if (s.ok()) s = NoteFamilies();
    if (!s.ok()) return s;
  }
  use(std::move(cfd));
  Status s =
      may_write ? persistent_stats_->Prepare() : persistent_stats_->Check();
  if (!s.IsNotSupported() && !s.IsCorruption()) return s;
  // A database does not stay closed for the sake of its statistics.
  Warn(options_.logger, "statistics go into memory instead: %s",
       s.ToString().c_str());
  persistent_stats_.reset();
  return Status::OK();
}

Status DBImpl::GetStatsHistory(
    uint64_t start_time, uint64_t end_time,
    std::unique_ptr<StatsHistoryIterator>* stats_iterator) {
  if (stats_iterator == nullptr) {
    return Status::InvalidArgument("stats_iterator not preallocated.");
  }
  if (persistent_stats_ != nullptr) {
    if (Status s = CheckOpen(); !s.ok()) return s;
    *stats_iterator = persistent_stats_->NewIterator(start_time, end_time);
    return (*stats_iterator)->status();
  }
  *stats_iterator =
      NewStatsHistoryIterator(stats_history_, start_time, end_time);
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE

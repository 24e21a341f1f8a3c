#include "db/observe/observatory.h"

#include <set>
#include <utility>

#include "db/observe/background_io_stats.h"
#include "db/observe/database_stats.h"
#include "db/observe/family_texts.h"
#include "db/observe/int_properties.h"
#include "db/observe/memory_report.h"
#include "db/observe/observed.h"
#include "db/observe/persistent_stats.h"
#include "db/observe/prometheus.h"
#include "db/observe/state_properties.h"
#include "db/registry/family_registry.h"
#include "file/io_governor.h"
#include "monitoring/stats_history.h"
#include "options/db_options.h"
#include "rocksdb/cache.h"
#include "rocksdb/db.h"
#include "rocksdb/info_log.h"
#include "rocksdb/statistics.h"
#include "rocksdb/system_clock.h"
#include "util/invariant.h"
#include "util/malloc_stats.h"
#include "util/periodic_task.h"

namespace ROCKSDB_NAMESPACE {

namespace {

using P = DB::Properties;

constexpr uint64_t kTaskMicrosPerSecond = 1'000'000;

}  // namespace

Observatory::Observatory(const Observed& observed, DatabaseStats* counts)
    : here_(std::make_unique<const Observed>(observed)),
      observed_(*here_),
      counts_(counts),
      state_properties_(std::make_unique<StateProperties>()),
      history_(std::make_shared<StatsHistory>()),
      dumps_(std::make_unique<PeriodicTask>([this] { Dump(); })),
      snapshots_(std::make_unique<PeriodicTask>([this] { TakeSnapshot(); })) {
  INVARIANT(counts_ != nullptr);
}

Observatory::~Observatory() { Stop(); }

void Observatory::KeepIn(std::shared_ptr<PersistentStats> history,
                         Snapshots snapshots) {
  persistent_ = std::move(history);
  snapshots_kept_ = snapshots;
}

void Observatory::Start(const MutableDBOptions& now) {
  history_budget_bytes_.store(now.stats_history_buffer_size);
  if (observed_.db->stats != nullptr) TakeSnapshot();
  Apply(now);
}

void Observatory::Apply(const MutableDBOptions& now) {
  history_budget_bytes_.store(now.stats_history_buffer_size);
  dumps_->SetPeriod(now.stats_dump_period_sec * kTaskMicrosPerSecond);
  const bool counts = observed_.db->stats != nullptr;
  snapshots_->SetPeriod(
      counts ? now.stats_persist_period_sec * kTaskMicrosPerSecond : 0);
}

void Observatory::Stop() {
  dumps_->Stop();
  snapshots_->Stop();
}

std::vector<ColumnFamilyRef> Observatory::HoldFamilies() const {
  MutexLock lock(observed_.mutex);
  return observed_.families->Hold();
}

// --- properties

bool Observatory::GetInt(ColumnFamilyData* cfd, const Slice& property,
                         uint64_t* value) {
  INVARIANT(value != nullptr);
  const IntProperty* const found = FindIntProperty(property.ToString());
  if (found == nullptr) return false;
  if (found->of_state == nullptr) return GetOfFamily(*found, cfd, value);
  if (is_closed_) return false;
  SuperVersion* const state = cfd->TryAcquireReferenced();
  if (state == nullptr) return false;
  *value = found->of_state(*state);
  ColumnFamilyData::Release(state);
  return true;
}

bool Observatory::GetOfFamily(const IntProperty& property,
                              ColumnFamilyData* cfd, uint64_t* value) const {
  MutexLock lock(observed_.mutex);
  const FamilyRef family = observed_.families->Find(cfd->id());
  if (family == nullptr) return false;
  std::optional<uint64_t> number;
  if (property.of_family != nullptr) {
    number = property.of_family(observed_, *family);
  } else if (property.of_database != nullptr) {
    number = property.of_database(observed_);
  } else {
    const Cache* const cache = property.cache(*family->cfd);
    if (cache != nullptr) number = property.of_cache(*cache);
  }
  if (number.has_value()) *value = *number;
  return number.has_value();
}

bool Observatory::SumOfCaches(const IntProperty& property,
                              uint64_t* value) const {
  std::set<const Cache*> caches;
  uint64_t sum = 0;
  MutexLock lock(observed_.mutex);
  for (const auto& entry : *observed_.families) {
    const Cache* const cache = property.cache(*entry.second->cfd);
    if (cache == nullptr || !caches.insert(cache).second) continue;
    sum += property.of_cache(*cache);
  }
  if (!caches.empty()) *value = sum;
  return !caches.empty();
}

bool Observatory::GetAggregatedInt(const Slice& property, uint64_t* value) {
  INVARIANT(value != nullptr);
  const IntProperty* const found = FindIntProperty(property.ToString());
  if (found == nullptr) return false;
  if (found->cache != nullptr) return SumOfCaches(*found, value);
  const std::vector<ColumnFamilyRef> families = HoldFamilies();
  if (found->of_database != nullptr) {
    return !families.empty() && GetInt(families.front().get(), property, value);
  }
  uint64_t sum = 0;
  for (const ColumnFamilyRef& cfd : families) {
    uint64_t one = 0;
    if (GetInt(cfd.get(), property, &one)) {
      sum += one;
    } else if (!cfd->is_dropped()) {  // else it has gone since it was held
      return false;
    }
  }
  *value = sum;
  return true;
}

bool Observatory::GetText(ColumnFamilyData* cfd, const Slice& property,
                          std::string* value) {
  INVARIANT(value != nullptr);
  uint64_t number = 0;
  if (GetInt(cfd, property, &number)) {
    *value = std::to_string(number);
    return true;
  }
  if (property == P::kOptionsStatistics) {
    if (observed_.db->stats == nullptr) return false;
    *value = observed_.db->stats->ToString();
    return true;
  }
  if (property == P::kBackgroundIo) {
    if (observed_.io_governor->governor() == nullptr) return false;
    *value = BackgroundIoText(*observed_.io_governor);
    return true;
  }
  if (!is_closed_ &&
      state_properties_->Get(observed_, cfd, property, {.text = value})) {
    return true;
  }
  MutexLock lock(observed_.mutex);
  const FamilyRef family = observed_.families->Find(cfd->id());
  return family != nullptr &&
         WriteFamilyText({observed_, counts_, *family}, property, value);
}

bool Observatory::GetMap(ColumnFamilyData* cfd, const Slice& property,
                         std::map<std::string, std::string>* value) {
  INVARIANT(value != nullptr);
  if (property == P::kBackgroundIo) {
    if (observed_.io_governor->governor() == nullptr) return false;
    *value = BackgroundIoMap(*observed_.io_governor);
    return true;
  }
  if (property == P::kDBStats) {
    *value = counts_->Map(observed_.db->clock->NowMicros());
    return true;
  }
  if (property == P::kDBWriteStallStats) {
    *value = counts_->StallMap();
    return true;
  }
  if (!is_closed_ &&
      state_properties_->Get(observed_, cfd, property, {.map = value})) {
    return true;
  }
  MutexLock lock(observed_.mutex);
  const FamilyRef family = observed_.families->Find(cfd->id());
  if (family == nullptr) return false;
  if (property == P::kCFStats) {
    *value = family->stats.Map(family->cfd->current()->storage());
    return true;
  }
  if (property == P::kCFWriteStallStats) {
    *value = family->stats.StallMap();
    return true;
  }
  return false;
}

void Observatory::WritePrometheus(std::string* text) {
  INVARIANT(text != nullptr);
  PrometheusWriter writer(observed_.db_name, text);
  if (observed_.db->stats != nullptr) {
    writer.WriteStatistics(*observed_.db->stats);
  }
  const std::vector<ColumnFamilyRef> families = HoldFamilies();
  for (const auto& [name, property] : IntProperties()) {
    std::vector<PrometheusWriter::Gauge> gauges;
    for (const ColumnFamilyRef& cfd : families) {
      uint64_t value = 0;
      if (!GetInt(cfd.get(), name, &value)) continue;
      gauges.push_back({cfd->name(), value});
    }
    writer.WriteGauges(name, gauges);
  }
}

MemoryReport Observatory::Memory() const { return ReportMemory(observed_); }

void Observatory::ResetCounts() {
  MutexLock lock(observed_.mutex);
  for (const auto& entry : *observed_.families) entry.second->stats.Reset();
  counts_->Reset(observed_.db->clock->NowMicros());
}

// --- every so often

void Observatory::Dump() {
  const ImmutableDBOptions& db = *observed_.db;
  std::vector<std::string> texts;
  {
    MutexLock lock(observed_.mutex);
    texts.push_back(DatabaseText(observed_, counts_));
    if (observed_.io_governor->governor() != nullptr) {
      texts.push_back(BackgroundIoText(*observed_.io_governor));
    }
    for (const auto& entry : *observed_.families) {
      const FamilyEntry& family = *entry.second;
      texts.push_back(
          family.stats.LevelTable(family.cfd->name(),
                                  family.cfd->current()->storage()) +
          family.stats.StallText());
    }
  }
  if (db.stats != nullptr) texts.push_back(db.stats->ToString());
  if (db.dump_malloc_stats) texts.push_back(MallocStatsText());
  Info(db.logger, "------- DUMPING STATS -------");
  for (const std::string& text : texts) {
    Info(db.logger, "\n%s", text.c_str());
  }
}

void Observatory::TakeSnapshot() {
  const ImmutableDBOptions& db = *observed_.db;
  INVARIANT(db.stats != nullptr);
  StatsHistory::Counts counts;
  if (!db.stats->getTickerMap(&counts)) return;
  const uint64_t now_seconds = db.clock->NowMicros() / kTaskMicrosPerSecond;
  if (persistent_ == nullptr || snapshots_kept_ == Snapshots::kOnlyRead) {
    history_->Add(now_seconds, counts, history_budget_bytes_.load());
    return;
  }
  const Status s = persistent_->Write(now_seconds, counts);
  if (!s.ok()) {
    Warn(db.logger, "a snapshot of the statistics is put off: %s",
         s.ToString().c_str());
  }
}

Status Observatory::NewHistoryIterator(
    uint64_t from, uint64_t to,
    std::unique_ptr<StatsHistoryIterator>* iterator) const {
  INVARIANT(iterator != nullptr);
  if (persistent_ == nullptr) {
    *iterator = NewStatsHistoryIterator(history_, from, to);
    return Status::OK();
  }
  if (is_closed_) return Status::ShutdownInProgress("the database is closed");
  *iterator = persistent_->NewIterator(from, to);
  return (*iterator)->status();
}

}  // namespace ROCKSDB_NAMESPACE

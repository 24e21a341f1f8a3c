// DBImpl: what operators ask the observatory.
#include "db/family/family_entry.h"
#include "db/family/family_handle.h"
#include "db/files/log_keeper.h"
#include "db/files/open_tables.h"
#include "db/impl/db_impl.h"
#include "db/intake/changes.h"
#include "db/intake/family_changes.h"
#include "db/lookup/read_port.h"
#include "db/observe/memory_report.h"
#include "db/observe/observatory.h"
#include "db/observe/observed.h"
#include "db/observe/persistent_stats.h"
#include "db/version/version_set.h"
#include "db/write/write_memory.h"
#include "rocksdb/observation.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

void DBImpl::SetUpObservatory() {
  INVARIANT(observatory_ == nullptr);
  MutexLock lock(&base_.mutex);
  Observed observed;
  observed.db_name = base_.name;
  observed.db = &base_.options;
  observed.mutex = &base_.mutex;
  observed.families = families_.get();
  observed.background = background_.get();
  observed.errors = &base_.errors;
  observed.versions = versions_.get();
  observed.snapshots = &reads_->snapshots();
  observed.stop = &base_.stop;
  observed.obsolete = obsolete_.get();
  observed.writes = &write_controller_;
  observed.wal = logs_ != nullptr ? logs_->wal() : nullptr;
  observed.fresh = memory_->fresh();
  observed.io_governor = base_.io_governor.get();
  observed.ephemeral = ephemeral_.get();
  observed.table_cache = open_tables_->cache().get();
  observatory_ = std::make_shared<Observatory>(observed, base_.counts.get());
}

bool DBImpl::GetIntProperty(ColumnFamilyHandle* handle, const Slice& property,
                            uint64_t* value) {
  if (value == nullptr || !CheckHandle(handle).ok()) return false;
  return observatory_->GetInt(FamilyOf(handle), property, value);
}

bool DBImpl::GetAggregatedIntProperty(const Slice& property, uint64_t* value) {
  return value != nullptr && observatory_->GetAggregatedInt(property, value);
}

bool DBImpl::GetProperty(ColumnFamilyHandle* handle, const Slice& property,
                         std::string* value) {
  if (value == nullptr || !CheckHandle(handle).ok()) return false;
  value->clear();
  return observatory_->GetText(FamilyOf(handle), property, value);
}

bool DBImpl::GetMapProperty(ColumnFamilyHandle* handle, const Slice& property,
                            std::map<std::string, std::string>* value) {
  if (value == nullptr || !CheckHandle(handle).ok()) return false;
  value->clear();
  return observatory_->GetMap(FamilyOf(handle), property, value);
}

Status DBImpl::ResetStats() {
  observatory_->ResetCounts();
  return Status::OK();
}

Status DBImpl::GetStatsHistory(
    uint64_t start_time, uint64_t end_time,
    std::unique_ptr<StatsHistoryIterator>* stats_iterator) {
  if (stats_iterator == nullptr) {
    return Status::InvalidArgument("stats_iterator not preallocated.");
  }
  return observatory_->NewHistoryIterator(start_time, end_time, stats_iterator);
}

// The handle is no user's: nobody counts it, nobody is told when it goes.
Status DBImpl::SetUpPersistentStats() {
  ColumnFamilyRef cfd;
  {
    MutexLock lock(&base_.mutex);
    ColumnFamilyData* found =
        versions_->families()->Find(PersistentStats::kFamily);
    if (found != nullptr) cfd = found->shared_from_this();
  }
  const bool may_write = mode_ == Mode::kReadWrite;
  if (cfd == nullptr && !may_write) return Status::OK();
  if (cfd == nullptr) {
    Status s = AddFamily(PersistentStats::FamilyOptions(),
                         PersistentStats::kFamily, &cfd);
    if (s.ok()) s = on_demand_->families()->Note();
    if (!s.ok()) return s;
  }
  auto history = std::make_shared<PersistentStats>(
      this,
      std::make_unique<ColumnFamilyHandleImpl>(this, std::move(cfd), nullptr));
  const Status s = may_write ? history->Prepare() : history->Check();
  if (!s.IsNotSupported() && !s.IsCorruption()) {
    observatory_->KeepIn(std::move(history),
                         may_write ? Observatory::Snapshots::kWritten
                                   : Observatory::Snapshots::kOnlyRead);
    return s;
  }
  // A database does not stay closed for the sake of its statistics.
  Warn(base_.options.logger, "statistics go into memory instead: %s",
       s.ToString().c_str());
  return Status::OK();
}

MemoryReport DBImpl::ReportMemory() { return observatory_->Memory(); }

Status DBImpl::WritePrometheus(std::string* text) {
  INVARIANT(text != nullptr);
  if (Status s = CheckOpen(); !s.ok()) return s;
  observatory_->WritePrometheus(text);
  return Status::OK();
}

Status GetPrometheusText(DB* db, std::string* text) {
  INVARIANT(db != nullptr);
  INVARIANT(text != nullptr);
  text->clear();
  return static_cast<DBImpl*>(db->GetRootDB())->WritePrometheus(text);
}

Status GetMemoryReport(DB* db, MemoryReport* report) {
  INVARIANT(db != nullptr);
  INVARIANT(report != nullptr);
  auto* impl = static_cast<DBImpl*>(db->GetRootDB());
  if (Status s = impl->CheckOpen(); !s.ok()) return s;
  *report = impl->ReportMemory();
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE

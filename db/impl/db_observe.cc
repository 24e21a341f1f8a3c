// ObservedDB: what operators ask the observatory.
#include "db/impl/observed_db.h"
#include "db/manifest/version_set.h"
#include "db/observe/memory_report.h"
#include "db/observe/observatory.h"
#include "db/registry/family_handle.h"
#include "rocksdb/observation.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

ObservedDB::ObservedDB(const DBOptions& sanitized, const std::string& name,
                       const std::string& manifest_directory)
    : ReadingDB(sanitized, name, manifest_directory) {}

ObservedDB::~ObservedDB() = default;

bool ObservedDB::GetIntProperty(ColumnFamilyHandle* handle,
                                const Slice& property, uint64_t* value) {
  if (value == nullptr || !CheckHandle(handle).ok()) return false;
  return observatory_->GetInt(FamilyOf(handle), property, value);
}

bool ObservedDB::GetAggregatedIntProperty(const Slice& property,
                                          uint64_t* value) {
  return value != nullptr && observatory_->GetAggregatedInt(property, value);
}

bool ObservedDB::GetProperty(ColumnFamilyHandle* handle, const Slice& property,
                             std::string* value) {
  if (value == nullptr || !CheckHandle(handle).ok()) return false;
  value->clear();
  return observatory_->GetText(FamilyOf(handle), property, value);
}

bool ObservedDB::GetMapProperty(ColumnFamilyHandle* handle,
                                const Slice& property,
                                std::map<std::string, std::string>* value) {
  if (value == nullptr || !CheckHandle(handle).ok()) return false;
  value->clear();
  return observatory_->GetMap(FamilyOf(handle), property, value);
}

Status ObservedDB::ResetStats() {
  observatory_->ResetCounts();
  return Status::OK();
}

Status ObservedDB::GetStatsHistory(
    uint64_t start_time, uint64_t end_time,
    std::unique_ptr<StatsHistoryIterator>* stats_iterator) {
  if (stats_iterator == nullptr) {
    return Status::InvalidArgument("stats_iterator not preallocated.");
  }
  return observatory_->NewHistoryIterator(start_time, end_time, stats_iterator);
}

MemoryReport ObservedDB::ReportMemory() { return observatory_->Memory(); }

Status ObservedDB::WritePrometheus(std::string* text) {
  INVARIANT(text != nullptr);
  if (Status s = CheckOpen(); !s.ok()) return s;
  observatory_->WritePrometheus(text);
  return Status::OK();
}

Status GetPrometheusText(DB* db, std::string* text) {
  INVARIANT(db != nullptr);
  INVARIANT(text != nullptr);
  text->clear();
  return static_cast<ObservedDB*>(db->GetRootDB())->WritePrometheus(text);
}

Status GetMemoryReport(DB* db, MemoryReport* report) {
  INVARIANT(db != nullptr);
  INVARIANT(report != nullptr);
  auto* impl = static_cast<ObservedDB*>(db->GetRootDB());
  if (Status s = impl->CheckOpen(); !s.ok()) return s;
  *report = impl->ReportMemory();
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE

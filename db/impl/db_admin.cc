// ObservedDB: what operators ask for: files, sizes, options, identity.
#include "db/files/obsolete_files.h"
#include "db/files/table_catalog.h"
#include "db/impl/observed_db.h"
#include "db/manifest/version_set.h"
#include "db/read/read_timestamp.h"
#include "db/registry/family_handle.h"
#include "table/properties_block.h"
#include "util/coding.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// The last of those timestamps of 8 bytes that TimestampAfter() knows before
// this one; the oldest is its own.
std::string TimestampBefore(const Slice& timestamp) {
  INVARIANT(timestamp.size() == sizeof(uint64_t));
  const uint64_t value = DecodeFixed64(timestamp.data());
  std::string before;
  PutFixed64(&before, value == 0 ? value : value - 1);
  return before;
}

}  // namespace

void ObservedDB::GetLiveFilesMetaData(std::vector<LiveFileMetaData>* metadata) {
  if (metadata != nullptr) files_->catalog()->ListAll(metadata);
}

void ObservedDB::GetColumnFamilyMetaData(ColumnFamilyHandle* family,
                                         ColumnFamilyMetaData* metadata) {
  if (metadata == nullptr || !CheckHandle(family).ok()) return;
  files_->catalog()->Describe(FamilyOf(family), metadata);
}

void ObservedDB::GetAllColumnFamilyMetaData(
    std::vector<ColumnFamilyMetaData>* metadata) {
  if (metadata != nullptr) files_->catalog()->DescribeAll(metadata);
}

Status ObservedDB::GetCreationTimeOfOldestFile(uint64_t* creation_time) {
  return files_->catalog()->OldestCreation(*base_.current.Get(), creation_time);
}

Status ObservedDB::GetPropertiesOfAllTables(ColumnFamilyHandle* family,
                                            TablePropertiesCollection* props) {
  if (Status s = CheckHandle(family); !s.ok()) return s;
  if (Status s = CheckOpen(); !s.ok()) return s;
  if (props == nullptr) return Status::InvalidArgument("props is null");
  return TableCatalog::GetProperties(FamilyOf(family), props);
}

Status ObservedDB::GetPropertiesOfEveryFamily(
    TablePropertiesCollection* props) const {
  INVARIANT(props != nullptr);
  if (Status s = CheckOpen(); !s.ok()) return s;
  return files_->catalog()->GetAllProperties(props);
}

Status ObservedDB::GetPropertiesOfTablesInRange(
    ColumnFamilyHandle* family, const Range* ranges, std::size_t n,
    TablePropertiesCollection* props) {
  if (Status s = CheckHandle(family); !s.ok()) return s;
  if (Status s = CheckOpen(); !s.ok()) return s;
  if (props == nullptr || (n > 0 && ranges == nullptr)) {
    return Status::InvalidArgument("ranges or props is null");
  }
  return TableCatalog::GetProperties(FamilyOf(family), ranges, n, props);
}

Status ObservedDB::GetPropertiesOfTablesByLevel(
    ColumnFamilyHandle* family,
    std::vector<std::unique_ptr<TablePropertiesCollection>>* props_by_level) {
  if (Status s = CheckHandle(family); !s.ok()) return s;
  if (Status s = CheckOpen(); !s.ok()) return s;
  if (props_by_level == nullptr) {
    return Status::InvalidArgument("props_by_level is null");
  }
  return TableCatalog::GetProperties(FamilyOf(family), props_by_level);
}

Status ObservedDB::GetApproximateSizes(const SizeApproximationOptions& options,
                                       ColumnFamilyHandle* family,
                                       const Range* ranges, int n,
                                       uint64_t* sizes) {
  if (Status s = CheckHandle(family); !s.ok()) return s;
  if (Status s = CheckOpen(); !s.ok()) return s;
  return TableCatalog::EstimateSizes(options, FamilyOf(family), ranges, n,
                                     sizes);
}

void ObservedDB::GetApproximateMemTableStats(ColumnFamilyHandle* family,
                                             const Range& range,
                                             uint64_t* count, uint64_t* size) {
  if (count == nullptr || size == nullptr || !CheckHandle(family).ok() ||
      !CheckOpen().ok()) {
    return;
  }
  TableCatalog::EstimateInMemory(FamilyOf(family), range, count, size);
}

Status ObservedDB::VerifyFileChecksums(const ReadOptions& options) {
  return files_->catalog()->VerifyFiles(options, *base_.current.Get());
}

Status ObservedDB::VerifyChecksum(const ReadOptions& options) {
  return files_->catalog()->VerifyBlocks(options, *base_.current.Get());
}

Options ObservedDB::GetOptions(ColumnFamilyHandle* family) const {
  if (!CheckHandle(family).ok()) return Options(GetDBOptions(), {});
  return Options(GetDBOptions(), FamilyOf(family)->CopyOptions());
}

DBOptions ObservedDB::GetDBOptions() const { return base_.AllOptions(); }

SequenceNumber ObservedDB::GetLatestSequenceNumber() const {
  return versions_->LastSequence();
}

Status ObservedDB::GetDbIdentity(std::string& identity) const {
  MutexLock lock(&base_.mutex);
  identity = versions_->db_id();
  return Status::OK();
}

Status ObservedDB::GetDbSessionId(std::string& session_id) const {
  session_id = base_.session_id;
  return Status::OK();
}

Status ObservedDB::GetFullHistoryTsLow(ColumnFamilyHandle* family,
                                       std::string* ts_low) {
  if (family == nullptr) family = DefaultColumnFamily();
  if (Status s = CheckHandle(family); !s.ok()) return s;
  if (ts_low == nullptr) return Status::InvalidArgument("ts_low is nullptr");
  if (Status s = CheckOpen(); !s.ok()) return s;
  ColumnFamilyData* cfd = FamilyOf(family);
  if (cfd->order().timestamp_size() == 0) {
    return Status::InvalidArgument(
        "Timestamp is not enabled in this column family", cfd->name());
  }
  MutexLock lock(&base_.mutex);
  *ts_low = cfd->full_history_ts_low();
  return Status::OK();
}

Status ObservedDB::GetNewestUserDefinedTimestamp(ColumnFamilyHandle* family,
                                                 std::string* newest) {
  if (newest == nullptr) {
    return Status::InvalidArgument("newest_timestamp is nullptr");
  }
  std::string low;
  Status s = GetFullHistoryTsLow(family, &low);
  if (!s.ok()) return s;
  ColumnFamilyData* cfd =
      FamilyOf(family != nullptr ? family : DefaultColumnFamily());
  // Memory first: what is flushed meanwhile is then seen twice, not never.
  SuperVersion* const state = cfd->AcquireReferenced();
  std::string found;
  s = NewestTimestampInMemory(*state, &found);
  ColumnFamilyData::Release(state);
  TablePropertiesCollection tables;
  if (s.ok()) s = TableCatalog::GetProperties(cfd, &tables);
  if (!s.ok()) return s;
  const Comparator& order = *cfd->user_comparator();
  const auto note = [&](const std::string& timestamp) {
    if (timestamp.size() != order.timestamp_size()) return;
    if (found.empty() || order.CompareTimestamp(timestamp, found) > 0) {
      found = timestamp;
    }
  };
  for (const auto& [name, properties] : tables) {
    const auto largest =
        properties->user_collected_properties.find(kTimestampMaxProperty);
    if (largest != properties->user_collected_properties.end()) {
      note(largest->second);
    }
  }
  // Files that leave timestamps out end the history behind the newest of them.
  if (found.empty() && !low.empty() &&
      cfd->ioptions().left_out_timestamp_bytes() != 0) {
    found = TimestampBefore(low);
  }
  *newest = std::move(found);
  return Status::OK();
}

int ObservedDB::NumberLevels(ColumnFamilyHandle* family) {
  if (!CheckHandle(family).ok()) return 0;
  return FamilyOf(family)->ioptions().num_levels;
}

int ObservedDB::Level0StopWriteTrigger(ColumnFamilyHandle* family) {
  if (!CheckHandle(family).ok()) return 0;
  return GetOptions(family).level0_stop_writes_trigger;
}

Status ObservedDB::DisableFileDeletions() {
  files_->obsolete()->DisableDeletions();
  return Status::OK();
}

Status ObservedDB::EnableFileDeletions() {
  if (files_->obsolete()->EnableDeletions()) files_->obsolete()->Purge();
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE

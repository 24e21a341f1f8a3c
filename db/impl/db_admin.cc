// DBImpl: what operators ask for: files, sizes, identity.
#include "db/family/family_handle.h"
#include "db/files/obsolete_files.h"
#include "db/files/table_catalog.h"
#include "db/impl/db_impl.h"
#include "db/version/version_set.h"

namespace ROCKSDB_NAMESPACE {

void DBImpl::GetLiveFilesMetaData(std::vector<LiveFileMetaData>* metadata) {
  if (metadata != nullptr) catalog_->ListAll(metadata);
}

void DBImpl::GetColumnFamilyMetaData(ColumnFamilyHandle* family,
                                     ColumnFamilyMetaData* metadata) {
  if (metadata == nullptr || !CheckHandle(family).ok()) return;
  catalog_->Describe(FamilyOf(family), metadata);
}

void DBImpl::GetAllColumnFamilyMetaData(
    std::vector<ColumnFamilyMetaData>* metadata) {
  if (metadata != nullptr) catalog_->DescribeAll(metadata);
}

Status DBImpl::GetCreationTimeOfOldestFile(uint64_t* creation_time) {
  return catalog_->OldestCreation(*base_.current.Get(), creation_time);
}

Status DBImpl::GetPropertiesOfAllTables(ColumnFamilyHandle* family,
                                        TablePropertiesCollection* props) {
  if (Status s = CheckHandle(family); !s.ok()) return s;
  if (Status s = CheckOpen(); !s.ok()) return s;
  if (props == nullptr) return Status::InvalidArgument("props is null");
  return TableCatalog::GetProperties(FamilyOf(family), props);
}

Status DBImpl::GetPropertiesOfTablesInRange(ColumnFamilyHandle* family,
                                            const Range* ranges, std::size_t n,
                                            TablePropertiesCollection* props) {
  if (Status s = CheckHandle(family); !s.ok()) return s;
  if (Status s = CheckOpen(); !s.ok()) return s;
  if (props == nullptr || (n > 0 && ranges == nullptr)) {
    return Status::InvalidArgument("ranges or props is null");
  }
  return TableCatalog::GetProperties(FamilyOf(family), ranges, n, props);
}

Status DBImpl::GetPropertiesOfTablesByLevel(
    ColumnFamilyHandle* family,
    std::vector<std::unique_ptr<TablePropertiesCollection>>* props_by_level) {
  if (Status s = CheckHandle(family); !s.ok()) return s;
  if (Status s = CheckOpen(); !s.ok()) return s;
  if (props_by_level == nullptr) {
    return Status::InvalidArgument("props_by_level is null");
  }
  return TableCatalog::GetProperties(FamilyOf(family), props_by_level);
}

Status DBImpl::GetApproximateSizes(const SizeApproximationOptions& options,
                                   ColumnFamilyHandle* family,
                                   const Range* ranges, int n,
                                   uint64_t* sizes) {
  if (Status s = CheckHandle(family); !s.ok()) return s;
  if (Status s = CheckOpen(); !s.ok()) return s;
  return TableCatalog::EstimateSizes(options, FamilyOf(family), ranges, n,
                                     sizes);
}

void DBImpl::GetApproximateMemTableStats(ColumnFamilyHandle* family,
                                         const Range& range, uint64_t* count,
                                         uint64_t* size) {
  if (count == nullptr || size == nullptr || !CheckHandle(family).ok() ||
      !CheckOpen().ok()) {
    return;
  }
  TableCatalog::EstimateInMemory(FamilyOf(family), range, count, size);
}

Status DBImpl::VerifyFileChecksums(const ReadOptions& options) {
  return catalog_->VerifyFiles(options, *base_.current.Get());
}

Status DBImpl::VerifyChecksum(const ReadOptions& options) {
  return catalog_->VerifyBlocks(options, *base_.current.Get());
}

SequenceNumber DBImpl::GetLatestSequenceNumber() const {
  return versions_->LastSequence();
}

Status DBImpl::GetDbIdentity(std::string& identity) const {
  MutexLock lock(&base_.mutex);
  identity = versions_->db_id();
  return Status::OK();
}

Status DBImpl::GetDbSessionId(std::string& session_id) const {
  session_id = base_.session_id;
  return Status::OK();
}

int DBImpl::NumberLevels(ColumnFamilyHandle* family) {
  if (!CheckHandle(family).ok()) return 0;
  return FamilyOf(family)->ioptions().num_levels;
}

int DBImpl::Level0StopWriteTrigger(ColumnFamilyHandle* family) {
  if (!CheckHandle(family).ok()) return 0;
  return GetOptions(family).level0_stop_writes_trigger;
}

Status DBImpl::DisableFileDeletions() {
  obsolete_->DisableDeletions();
  return Status::OK();
}

Status DBImpl::EnableFileDeletions() {
  if (obsolete_->EnableDeletions()) obsolete_->Purge();
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE

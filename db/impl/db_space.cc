// DBImpl: room on the device, as an SstFileManager sees it.
#include "db/impl/db_impl.h"
#include "file/sst_file_manager_impl.h"
#include "monitoring/statistics_impl.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

Status DBImpl::CheckSpaceManager() const {
  if (options_.sst_file_manager == nullptr || SpaceManager() != nullptr) {
    return Status::OK();
  }
  return Status::NotSupported(
      "DBOptions::sst_file_manager: only of NewSstFileManager()");
}

SstFileManagerImpl* DBImpl::SpaceManager() const {
  return ImplOf(options_.sst_file_manager.get());
}

// Once, when the database opens: what is there.
void DBImpl::TrackFiles() {
  INVARIANT(mode_ == Mode::kReadWrite);
  SstFileManagerImpl* manager = SpaceManager();
  if (manager == nullptr) return;
  if (options_.statistics != nullptr) {
    manager->SetStatisticsPtr(options_.statistics);
  }
  for (const LiveTable& table : LiveTables()) {
    manager->OnAddFile(table.cfd->tables()->FilePath(*table.file),
                       table.file->size_bytes);
  }
  MutexLock lock(&mutex_);
  for (const auto& entry : families_) {
    const ColumnFamilyData* cfd = entry.second->cfd.get();
    for (const BlobFileState& blob : cfd->current()->storage().blobs()) {
      manager->OnAddFile(blob.file->path, blob.file->size_bytes());
    }
  }
}

void DBImpl::CheckSpaceLimit() {
  SstFileManagerImpl* manager = SpaceManager();
  if (manager == nullptr || !manager->IsMaxAllowedSpaceReached()) return;
  if (errors_.BlocksWrites()) return;
  OnBackgroundError(Status::SpaceLimit("Max allowed space was reached"),
                    BackgroundErrorReason::kFlush);
}

bool DBImpl::ReserveRoom(uint64_t bytes) {
  SstFileManagerImpl* manager = SpaceManager();
  if (manager == nullptr || bytes == 0) return true;
  if (manager->ReserveForCompaction(bytes)) return true;
  RecordTick(options_.stats, COMPACTION_CANCELLED);
  ROCKSDB_NAMESPACE::Warn(options_.logger,
                          "no room for a compaction of %llu bytes",
                          static_cast<unsigned long long>(bytes));
  return false;
}

uint64_t DBImpl::RoomFor(const Compaction& compaction) {
  const bool moves = compaction.is_trivial_move && !compaction.asks_for_move;
  return moves ? 0 : compaction.InputBytes();
}

void DBImpl::ReleaseRoom(uint64_t bytes) {
  SstFileManagerImpl* manager = SpaceManager();
  if (manager != nullptr && bytes > 0) manager->ReleaseReserved(bytes);
}

// A full device may get room again, and the manager can tell how much would
// do.
bool DBImpl::MayGetRoom(const Status& status) const {
  return status.IsNoSpace() && SpaceManager() != nullptr;
}

bool DBImpl::LacksRoom() const {
  SstFileManagerImpl* manager = SpaceManager();
  if (manager == nullptr) return false;
  uint64_t free_bytes = 0;
  const Status s =
      options_.fs->GetFreeSpace(name_, IOOptions(), &free_bytes, nullptr);
  return s.ok() && free_bytes <= manager->NeededFreeBytes();
}

}  // namespace ROCKSDB_NAMESPACE

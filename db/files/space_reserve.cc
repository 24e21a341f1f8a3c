#include "db/files/space_reserve.h"

#include <utility>
#include <vector>

#include "db/compaction/compaction.h"
#include "db/registry/family_registry.h"
#include "file/sst_file_manager_impl.h"
#include "monitoring/statistics_impl.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

SpaceReserve::SpaceReserve(Context context) : context_(std::move(context)) {
  INVARIANT(context_.db != nullptr);
}

Status SpaceReserve::Check() const {
  if (context_.db->sst_file_manager == nullptr || Manager() != nullptr) {
    return Status::OK();
  }
  return Status::NotSupported(
      "DBOptions::sst_file_manager: only of NewSstFileManager()");
}

SstFileManagerImpl* SpaceReserve::Manager() const {
  return ImplOf(context_.db->sst_file_manager.get());
}

void SpaceReserve::Track() const {
  SstFileManagerImpl* manager = Manager();
  if (manager == nullptr) return;
  if (context_.db->statistics != nullptr)
    manager->SetStatisticsPtr(context_.db->statistics);
  std::vector<LiveTable> tables;
  {
    MutexLock lock(context_.mutex);
    tables = context_.families->LiveTables();
  }
  for (const LiveTable& table : tables) {
    manager->OnAddFile(table.cfd->tables()->FilePath(*table.file),
                       table.file->size_bytes);
  }
  MutexLock lock(context_.mutex);
  for (const auto& entry : *context_.families) {
    const ColumnFamilyData* cfd = entry.second->cfd.get();
    for (const BlobFileState& blob : cfd->current()->storage().blobs()) {
      manager->OnAddFile(blob.file->path, blob.file->size_bytes());
    }
  }
}

bool SpaceReserve::IsLimitReached() const {
  SstFileManagerImpl* manager = Manager();
  return manager != nullptr && manager->IsMaxAllowedSpaceReached();
}

bool SpaceReserve::Reserve(uint64_t bytes) const {
  SstFileManagerImpl* manager = Manager();
  if (manager == nullptr || bytes == 0) return true;
  if (manager->ReserveForCompaction(bytes)) return true;
  RecordTick(context_.db->stats, COMPACTION_CANCELLED);
  ROCKSDB_NAMESPACE::Warn(context_.db->logger,
                          "no room for a compaction of %llu bytes",
                          static_cast<unsigned long long>(bytes));
  return false;
}

uint64_t SpaceReserve::RoomFor(const Compaction& compaction) {
  const bool moves = compaction.is_trivial_move && !compaction.asks_for_move;
  return moves ? 0 : compaction.InputBytes();
}

void SpaceReserve::Release(uint64_t bytes) const {
  SstFileManagerImpl* manager = Manager();
  if (manager != nullptr && bytes > 0) manager->ReleaseReserved(bytes);
}

// A full device may get room again, and the manager can tell how much would
// do.
bool SpaceReserve::MayGetRoom(const Status& status) const {
  return status.IsNoSpace() && Manager() != nullptr;
}

bool SpaceReserve::LacksRoom() const {
  SstFileManagerImpl* manager = Manager();
  if (manager == nullptr) return false;
  uint64_t free_bytes = 0;
  const Status s = context_.db->fs->GetFreeSpace(context_.db_name, IOOptions(),
                                                 &free_bytes, nullptr);
  return s.ok() && free_bytes <= manager->NeededFreeBytes();
}

}  // namespace ROCKSDB_NAMESPACE

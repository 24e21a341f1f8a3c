// DBImpl: what transactions ask of it but for prepared sections, which are in
// db_sections.cc.
#include <algorithm>

#include "db/impl/db_impl.h"
#include "db/read/newer_version.h"
#include "db/wal/write_batch_format.h"
#include "db/wal/write_batch_internal.h"
#include "db/write/write_hooks.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

TransactionPort* TransactionPort::Of(DB* db) {
  INVARIANT(db != nullptr);
  return static_cast<DBImpl*>(db->GetRootDB());
}

std::unique_ptr<ColumnFamilyHandle> DBImpl::HandleOf(uint32_t family_id) {
  MutexLock lock(&mutex_);
  const FamilyRef family = families_.Find(family_id);
  if (family == nullptr) return nullptr;
  return std::unique_ptr<ColumnFamilyHandle>(NewHandle(family->cfd));
}

Status DBImpl::WriteIf(const WriteOptions& options, WriteBatch* updates,
                       WriteCondition* condition) {
  if (updates == nullptr) return Status::InvalidArgument("Batch is nullptr!");
  INVARIANT(condition != nullptr);
  const WriteHooks hooks{.condition = condition};
  return WriteImpl(options, updates, &hooks);
}

Status DBImpl::CheckApplicable(const WriteBatch& updates,
                               MissingFamilies missing) {
  uint32_t id = 0;
  const ColumnFamilyData* cfd = default_cfd_;
  for (BatchReader reader(updates.Data()); !reader.AtEnd();) {
    BatchEntry entry;
    if (Status s = reader.Next(&entry); !s.ok()) return s;
    if (!IsDataEntry(entry.type)) continue;
    if (entry.column_family_id != id) {
      id = entry.column_family_id;
      // The families change only in the turn of a write.
      cfd = id == 0 ? default_cfd_ : versions_->families()->Find(id);
    }
    if (cfd == nullptr) {
      if (missing == MissingFamilies::kPassOver) continue;
      return Status::InvalidArgument(
          "Invalid column family specified in write batch",
          "there is none with id " + std::to_string(id));
    }
    if (entry.type == kTypeMerge && cfd->ioptions().merge_operator == nullptr) {
      return Status::InvalidArgument(
          "merge_operator is not properly initialized",
          "column family " + cfd->name());
    }
  }
  return Status::OK();
}

Status DBImpl::FindNewer(const KeySince& since, Turn turn,
                         NewerVersion* found) {
  ColumnFamilyRef holder;
  ColumnFamilyData* cfd = nullptr;
  if (since.family != nullptr) {
    if (Status s = CheckHandle(since.family); !s.ok()) return s;
    cfd = FamilyOf(since.family);
  } else if (since.family_id == 0) {
    cfd = default_cfd_;
  } else if (turn == Turn::kOfWrite) {
    cfd = versions_->families()->Find(since.family_id);
  } else {
    MutexLock lock(&mutex_);
    const FamilyRef family = families_.Find(since.family_id);
    if (family != nullptr) holder = family->cfd;
    cfd = holder.get();
  }
  if (cfd == nullptr) {
    return Status::InvalidArgument(
        "Could not access column family",
        "there is none with id " + std::to_string(since.family_id));
  }
  const ReadOptions options;
  PointRead read = reads_->MakePointRead(options);
  read.statistics = nullptr;  // It is no read of a user's.
  SuperVersion* const state = cfd->Acquire();
  read.super_version = state;
  Status s = FindNewerVersion(read, since.key, since.sequence, found);
  cfd->Return(state);
  return s;
}

void DBImpl::HoldFloor(ConflictFloor* floor) {
  reads_->conflict_floors()->Hold(
      floor, [this] { return versions_->LastSequence(); });
}

void DBImpl::ReleaseFloor(ConflictFloor* floor) {
  reads_->conflict_floors()->Release(floor);
}

const Snapshot* DBImpl::GetStampedSnapshot(uint64_t timestamp) {
  return reads_->GetSnapshot(timestamp);
}

}  // namespace ROCKSDB_NAMESPACE

// DBImpl: what transactions ask of it but for prepared sections, which are in
// db_sections.cc.
#include <algorithm>

#include "db/family/family_handle.h"
#include "db/family/family_registry.h"
#include "db/impl/db_transaction_port.h"
#include "db/lookup/read_port.h"
#include "db/read/newer_version.h"
#include "db/read/point_read.h"
#include "db/version/version_set.h"
#include "db/wal/prepared_sections.h"
#include "db/wal/write_batch_format.h"
#include "db/wal/write_batch_internal.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

TransactionPort* TransactionPort::Of(DB* db) {
  INVARIANT(db != nullptr);
  return static_cast<DBImpl*>(db->GetRootDB())->transactions()->port();
}

std::unique_ptr<ColumnFamilyHandle> DBImpl::Transactions::Port::HandleOf(
    uint32_t family_id) {
  MutexLock lock(&db_.mutex_);
  const FamilyRef family = db_.families_->Find(family_id);
  if (family == nullptr) return nullptr;
  return std::unique_ptr<ColumnFamilyHandle>(db_.NewHandle(family->cfd));
}

Status DBImpl::Transactions::Port::CheckApplicable(const WriteBatch& updates,
                                                   MissingFamilies missing) {
  uint32_t id = 0;
  const ColumnFamilyData* cfd = db_.default_cfd_;
  for (BatchReader reader(updates.Data()); !reader.AtEnd();) {
    BatchEntry entry;
    if (Status s = reader.Next(&entry); !s.ok()) return s;
    if (!IsDataEntry(entry.type)) continue;
    if (entry.column_family_id != id) {
      id = entry.column_family_id;
      // The families change only in the turn of a write.
      cfd = id == 0 ? db_.default_cfd_ : db_.versions_->families()->Find(id);
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

Status DBImpl::Transactions::Port::FindNewer(const KeySince& since, Turn turn,
                                             NewerVersion* found) {
  ColumnFamilyRef holder;
  ColumnFamilyData* cfd = nullptr;
  if (since.family != nullptr) {
    if (Status s = db_.CheckHandle(since.family); !s.ok()) return s;
    cfd = FamilyOf(since.family);
  } else if (since.family_id == 0) {
    cfd = db_.default_cfd_;
  } else if (turn == Turn::kOfWrite) {
    cfd = db_.versions_->families()->Find(since.family_id);
  } else {
    MutexLock lock(&db_.mutex_);
    const FamilyRef family = db_.families_->Find(since.family_id);
    if (family != nullptr) holder = family->cfd;
    cfd = holder.get();
  }
  if (cfd == nullptr) {
    return Status::InvalidArgument(
        "Could not access column family",
        "there is none with id " + std::to_string(since.family_id));
  }
  const ReadOptions options;
  PointRead read = db_.reads_->MakePointRead(options);
  read.statistics = nullptr;  // It is no read of a user's.
  SuperVersion* const state = cfd->Acquire();
  read.super_version = state;
  Status s = FindNewerVersion(read, since.key, since.sequence, found);
  cfd->Return(state);
  return s;
}

void DBImpl::Transactions::Port::HoldFloor(ConflictFloor* floor) {
  db_.reads_->conflict_floors()->Hold(
      floor, [this] { return db_.versions_->LastSequence(); });
}

void DBImpl::Transactions::Port::ReleaseFloor(ConflictFloor* floor) {
  db_.reads_->conflict_floors()->Release(floor);
}

const Snapshot* DBImpl::Transactions::Port::GetStampedSnapshot(
    uint64_t timestamp) {
  return db_.reads_->GetSnapshot(timestamp);
}

DBImpl::Transactions::Transactions(DBImpl* db)
    : db_(*db),
      sections_(std::make_unique<PreparedSections>()),
      port_(std::make_unique<Port>(this)) {}

DBImpl::Transactions::~Transactions() = default;

TransactionPort* DBImpl::Transactions::port() { return port_.get(); }

void DBImpl::EndTransactions::operator()(Transactions* part) const {
  const std::unique_ptr<Transactions> last(part);
}

DBImpl::TransactionsPtr DBImpl::MakeTransactions(DBImpl* db) {
  return TransactionsPtr(std::make_unique<Transactions>(db).release());
}

}  // namespace ROCKSDB_NAMESPACE

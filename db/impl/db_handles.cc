// DBImpl: handles of column families.
#include <optional>

#include "db/family/family_entry.h"
#include "db/family/family_handle.h"
#include "db/family/state_publisher.h"
#include "db/files/obsolete_files.h"
#include "db/impl/db_impl.h"
#include "db/read/read_timestamp.h"
#include "db/write/family_publisher.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

Status DBImpl::CheckHandle(ColumnFamilyHandle* family) const {
  return CheckFamilyHandle(this, family);
}

Status DBImpl::CheckWriteHandle(ColumnFamilyHandle* family,
                                const Slice* ts) const {
  // None is the default family, as in a batch.
  if (family == nullptr) family = DefaultColumnFamily();
  if (Status s = CheckHandle(family); !s.ok()) return s;
  const ColumnFamilyData& cfd = *FamilyOf(family);
  return CheckTimestampSize(cfd.name(), cfd.order().timestamp_size(), ts);
}

ColumnFamilyHandle* DBImpl::DefaultColumnFamily() const {
  return default_handle_.get();
}

ColumnFamilyHandle* DBImpl::NewHandle(ColumnFamilyRef cfd) {
  INVARIANT(cfd != nullptr);
  ++cfd->handle_count;
  return std::make_unique<ColumnFamilyHandleImpl>(
             this, std::move(cfd),
             [this](ColumnFamilyHandleImpl* released) {
               NotifyListeners([released](EventListener* l) {
                 l->OnColumnFamilyHandleDeletionStarted(released);
               });
               ForgetHandle(released->TakeFamily());
             })
      .release();
}

// The last handle of a dropped family frees its data, as far as no iterator
// holds them.
void DBImpl::ForgetHandle(ColumnFamilyRef cfd) {
  INVARIANT(cfd != nullptr);
  std::optional<ObsoleteFiles::PurgeAtEnd> purge;
  if (!base_.options.avoid_unnecessary_blocking_io)
    purge.emplace(obsolete_.get());
  {
    MutexLock lock(&base_.mutex);
    INVARIANT(cfd->handle_count > 0);
    if (--cfd->handle_count == 0 && cfd->is_dropped()) {
      states_->Withdraw(cfd.get());
    }
  }
  publisher_->FreeAndTell();
  cfd.reset();
}

}  // namespace ROCKSDB_NAMESPACE

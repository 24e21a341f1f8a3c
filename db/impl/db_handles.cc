// EngineDB: handles of column families.
#include <optional>

#include "db/files/obsolete_files.h"
#include "db/impl/engine_db.h"
#include "db/registry/family_entry.h"
#include "db/registry/family_handle.h"
#include "db/registry/state_publisher.h"
#include "db/write/family_publisher.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

ColumnFamilyHandle* EngineDB::DefaultColumnFamily() const {
  return default_handle_.get();
}

ColumnFamilyHandle* EngineDB::NewHandle(ColumnFamilyRef cfd) {
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
void EngineDB::ForgetHandle(ColumnFamilyRef cfd) {
  INVARIANT(cfd != nullptr);
  std::optional<ObsoleteFiles::PurgeAtEnd> purge;
  if (!base_.options.avoid_unnecessary_blocking_io)
    purge.emplace(files_->obsolete());
  {
    MutexLock lock(&base_.mutex);
    INVARIANT(cfd->handle_count > 0);
    if (--cfd->handle_count == 0 && cfd->is_dropped()) {
      families_->states()->Withdraw(cfd.get());
    }
  }
  families_->publisher()->FreeAndTell();
  cfd.reset();
}

}  // namespace ROCKSDB_NAMESPACE

#include "db/registry/state_publisher.h"

#include <memory>

#include "monitoring/statistics_impl.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

StatePublisher::~StatePublisher() {
  MutexLock lock(mutex_);
  INVARIANT(unreferenced_.empty());
}

void StatePublisher::Publish(ColumnFamilyData* cfd, WriteStallCondition stall) {
  mutex_->AssertHeld();
  cfd->InstallSuperVersion(stall, &unreferenced_);
}

void StatePublisher::Withdraw(ColumnFamilyData* cfd) {
  mutex_->AssertHeld();
  cfd->DropReferences(&unreferenced_);
}

void StatePublisher::Free() {
  std::vector<SuperVersion*> garbage;
  {
    MutexLock lock(mutex_);
    garbage.swap(unreferenced_);
  }
  for (SuperVersion* super_version : garbage) {
    INVARIANT(super_version != nullptr);
    RecordTick(statistics_, NUMBER_SUPERVERSION_CLEANUPS);
    const std::unique_ptr<SuperVersion> last(super_version);
  }
}

}  // namespace ROCKSDB_NAMESPACE

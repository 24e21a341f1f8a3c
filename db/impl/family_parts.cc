#include "db/impl/family_parts.h"

#include "db/impl/foundation.h"
#include "db/registry/family_registry.h"
#include "db/registry/state_publisher.h"
#include "db/write/family_publisher.h"
#include "db/write/stall_control.h"
#include "db/write/write_memory.h"
#include "util/invariant.h"
#include "util/thread_local.h"

namespace ROCKSDB_NAMESPACE {

FamilyParts::FamilyParts(Foundation* base, const Writers* writers)
    : base_(base),
      registry_(std::make_unique<FamilyRegistry>()),
      states_(
          std::make_unique<StatePublisher>(&base->mutex, base->options.stats)) {
  const ImmutableDBOptions& options = base->options;
  if (writers != nullptr) {
    stalls_ = std::make_unique<StallControl>(
        StallControl::Context{.db = &options,
                              .families = registry_.get(),
                              .writes = writers->controller,
                              .changes = &base->changes,
                              .io_governor = base->io_governor.get()});
    stalls_->SetDelayedRate(base->current.Get()->delayed_write_rate);
  }
  publisher_ = std::make_unique<FamilyPublisher>(FamilyPublisher::Context{
      .db = &options,
      .mutex = &base->mutex,
      .families = registry_.get(),
      .states = states_.get(),
      .stalls = stalls_.get(),
      .attention = writers != nullptr ? writers->attention : nullptr});
  memory_ = std::make_unique<WriteMemory>(
      WriteMemory::Context{.db = &options,
                           .families = registry_.get(),
                           .publisher = publisher_.get()});
}

FamilyParts::~FamilyParts() = default;

void FamilyParts::Release() {
  FamilyRegistry::Map families;
  {
    MutexLock lock(&base_->mutex);
    for (const auto& entry : *registry_) {
      states_->Withdraw(entry.second->cfd.get());
    }
    families = registry_->TakeAll();
  }
  publisher_->FreeAndTell();
  // A thread that ends may just be giving back the state that it had kept, and
  // with it a family that is whole as long as this database is.
  ThreadLocalPtr::AwaitEndingThreads();
  families.clear();
}

}  // namespace ROCKSDB_NAMESPACE

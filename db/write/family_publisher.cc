#include "db/write/family_publisher.h"

#include <vector>

#include "db/registry/family_registry.h"
#include "db/registry/stall_change.h"
#include "db/registry/state_publisher.h"
#include "db/write/leader_attention.h"
#include "db/write/pressure_notice.h"
#include "db/write/stall_control.h"
#include "options/db_options.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

void FamilyPublisher::Publish(ColumnFamilyData* cfd) {
  INVARIANT(cfd != nullptr);
  const FamilyRef family = context_.families->Find(cfd->id());
  INVARIANT(family != nullptr);
  INVARIANT(family->cfd.get() == cfd);
  if (context_.stalls != nullptr) {
    const WriteStallCondition worst = context_.stalls->Update(family.get());
    if (worst != WriteStallCondition::kNormal) context_.attention->Ask();
  }
  context_.states->Publish(cfd, family->stall);
}

void FamilyPublisher::NoteRemoved() {
  INVARIANT(context_.stalls != nullptr);
  // Nothing that is done for it would ever end its stall.
  context_.stalls->UpdateWorst();
  context_.attention->Ask();
}

void FamilyPublisher::FreeAndTell() {
  context_.states->Free();
  Tell();
}

void FamilyPublisher::Tell() {
  if (context_.stalls == nullptr) return;
  TellStalls();
  if (pressure_ != nullptr) pressure_->TellIfChanged();
}

void FamilyPublisher::TellStalls() {
  MutexLock lock(context_.mutex);
  if (is_telling_) return;
  is_telling_ = true;
  for (std::vector<StallChange> changes = context_.stalls->TakeChanges();
       !changes.empty(); changes = context_.stalls->TakeChanges()) {
    MutexUnlock unlock(context_.mutex);
    for (const StallChange& change : changes) {
      INVARIANT(change.conditions.first != change.conditions.second);
      WriteStallInfo info;
      info.cf_name = change.family;
      info.condition.cur = change.conditions.first;
      info.condition.prev = change.conditions.second;
      for (const auto& listener : context_.db->listeners) {
        listener->OnStallConditionsChanged(info);
      }
    }
  }
  is_telling_ = false;
}

}  // namespace ROCKSDB_NAMESPACE

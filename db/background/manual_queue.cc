#include "db/background/manual_queue.h"

#include <algorithm>

#include "db/family/column_family.h"

namespace ROCKSDB_NAMESPACE {

void ManualQueue::Add(ManualCompaction* manual) {
  INVARIANT(manual != nullptr);
  INVARIANT(!manual->running);
  waiting_.push_back(manual);
}

void ManualQueue::Remove(ManualCompaction* manual) {
  INVARIANT(!manual->running);
  const size_t removed = waiting_.remove(manual);
  INVARIANT(removed == 1);
}

int ManualQueue::CountToBegin() const {
  return static_cast<int>(
      std::count_if(waiting_.begin(), waiting_.end(),
                    [this](const auto* manual) { return MayBegin(*manual); }));
}

ManualCompaction* ManualQueue::NextToBegin() const {
  const auto next =
      std::find_if(waiting_.begin(), waiting_.end(),
                   [this](const auto* manual) { return MayBegin(*manual); });
  return next == waiting_.end() ? nullptr : *next;
}

bool ManualQueue::IsAborted(const ManualCompaction& manual) {
  return manual.cfd != nullptr &&
         manual.cfd->schedule.compaction_aborts.load() > 0;
}

bool ManualQueue::HasOf(const ColumnFamilyData* cfd) const {
  return std::any_of(waiting_.begin(), waiting_.end(),
                     [cfd](const auto* manual) { return manual->cfd == cfd; });
}

bool ManualQueue::IsBlocked(const ColumnFamilyData* cfd) const {
  return std::any_of(waiting_.begin(), waiting_.end(),
                     [cfd](const auto* manual) {
                       return manual->cfd == cfd && manual->is_blocked;
                     });
}

}  // namespace ROCKSDB_NAMESPACE

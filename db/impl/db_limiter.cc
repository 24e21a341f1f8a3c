// DBImpl: compactions that a compaction_thread_limiter lets run, or wait.
#include "db/background/compaction_turn.h"
#include "db/background/limiter_waiter.h"
#include "db/background/manual_compaction.h"
#include "db/impl/db_impl.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

std::shared_ptr<TaskLimiter> DBImpl::LimiterOf(const ColumnFamilyData& cfd) {
  // ValidateColumnFamilyOptions() takes no other.
  return std::static_pointer_cast<TaskLimiter>(
      cfd.ioptions().compaction_thread_limiter);
}

void DBImpl::SetUpLimiterWaiter() {
  INVARIANT(limiter_waiter_ == nullptr);
  limiter_waiter_ = std::make_shared<LimiterWaiter>([this] {
    MutexLock lock(&mutex_);
    if (!opened_ || stop_.IsShuttingDown()) return;
    for (const auto& entry : families_) {
      Family* family = entry.second.get();
      if (!family->awaits_limiter) continue;
      family->awaits_limiter = false;
      QueueCompaction(family->cfd.get());
    }
    background_.MaybeSchedule();
    changes_.Note();
  });
}

void DBImpl::LeaveLimiter() { limiter_waiter_->Detach(); }

void DBImpl::RunLimited(Family* family, CompactionTurn turn) {
  INVARIANT(family != nullptr);
  const std::shared_ptr<TaskLimiter> limiter = LimiterOf(*family->cfd);
  if (limiter == nullptr) return RunPicked(family, std::move(turn));
  if (!limiter->Take(limiter_waiter_)) {
    family->awaits_limiter = true;
    return;
  }
  family->awaits_limiter = false;
  RunPicked(family, std::move(turn));
  // Whoever is told may look at this database too.
  mutex_.Unlock();
  limiter->GiveBack();
  mutex_.Lock();
}

// A user waits for it: it takes a place, but is not kept from running.
void DBImpl::RunManualInPlace(ManualCompaction* manual) {
  INVARIANT(manual != nullptr);
  const std::shared_ptr<TaskLimiter> limiter = LimiterOf(*manual->cfd);
  if (limiter != nullptr) limiter->TakeInAnyCase();
  RunManual(manual);
  if (limiter == nullptr) return;
  mutex_.Unlock();
  limiter->GiveBack();
  mutex_.Lock();
}

bool DBImpl::AwaitsLimiter() const {
  for (const auto& entry : families_) {
    const ColumnFamilyData& cfd = *entry.second->cfd;
    if (entry.second->awaits_limiter && !cfd.is_dropped() &&
        !cfd.options()->disable_auto_compactions) {
      return true;
    }
  }
  return false;
}

}  // namespace ROCKSDB_NAMESPACE

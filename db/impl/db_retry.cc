// DBImpl: compactions that failed are tried again once some time has passed,
// for which no thread waits.
#include <algorithm>

#include "db/impl/db_impl.h"
#include "util/delayed_task.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

// What failed, as in another process, would be begun again at once, over and
// over.
void DBImpl::RetryLater(Family* family) {
  INVARIANT(family != nullptr);
  INVARIANT(compaction_retries_ != nullptr);
  constexpr uint64_t kLeastMicros = 100'000;  // 0 would be over and over.
  constexpr uint64_t kMostMicros = 3'600'000'000;
  const uint64_t micros = std::clamp(options_.bgerror_resume_retry_interval,
                                     kLeastMicros, kMostMicros);
  family->retry_at =
      std::chrono::steady_clock::now() + std::chrono::microseconds(micros);
  compaction_retries_->RunIn(micros);
}

void DBImpl::RetryCompactions(RetryTime due_by) {
  if (stop_.IsShuttingDown()) return;
  for (const auto& entry : families_) {
    Family* const family = entry.second.get();
    if (!family->retry_at.has_value()) continue;
    if (const auto early = *family->retry_at - due_by; early.count() > 0) {
      const auto micros =
          std::chrono::ceil<std::chrono::microseconds>(early).count();
      compaction_retries_->RunIn(static_cast<uint64_t>(micros));
      continue;
    }
    family->retry_at.reset();
    QueueCompaction(family->cfd.get());
  }
  background_.MaybeSchedule();
  changes_.Note();
}

bool DBImpl::AwaitsRetry() const {
  return std::any_of(families_.begin(), families_.end(), [](const auto& entry) {
    const ColumnFamilyData& cfd = *entry.second->cfd;
    return entry.second->retry_at.has_value() && !cfd.is_dropped() &&
           !cfd.options()->disable_auto_compactions;
  });
}

}  // namespace ROCKSDB_NAMESPACE

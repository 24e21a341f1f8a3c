#include "db/observe/mutex_times.h"

#include "monitoring/perf_context_imp.h"
#include "monitoring/statistics_impl.h"
#include "monitoring/thread_tracking.h"
#include "rocksdb/system_clock.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

constexpr uint64_t kNanosPerMicro = 1000;

bool PerfContextAsks() { return perf_internal::level >= kEnableTime; }

}  // namespace

MutexTimes::MutexTimes(SystemClock* clock, Statistics* statistics,
                       Tracking tracking)
    : clock_(clock), statistics_(statistics), tracking_(tracking) {
  INVARIANT(clock_ != nullptr);
}

bool MutexTimes::AreAskedFor() const {
  return statistics_ != nullptr &&
         statistics_->get_stats_level() > StatsLevel::kExceptTimeForMutex;
}

uint64_t MutexTimes::BeforeWait() {
  if (tracking_ == Tracking::kOn) {
    SetTrackedState(ThreadStatus::STATE_MUTEX_WAIT);
  }
  return AreAskedFor() || PerfContextAsks() ? clock_->NowNanos() : 0;
}

void MutexTimes::AfterWait(uint64_t before) {
  if (tracking_ == Tracking::kOn) SetTrackedState(ThreadStatus::STATE_UNKNOWN);
  if (before == 0) return;
  const uint64_t now = clock_->NowNanos();
  const uint64_t nanos = now > before ? now - before : 0;
  if (PerfContextAsks()) {
    perf_internal::Context().db_mutex_lock_nanos += nanos;
  }
  if (!AreAskedFor()) return;
  uncounted_nanos_ += nanos;
  RecordTick(statistics_, DB_MUTEX_WAIT_MICROS,
             uncounted_nanos_ / kNanosPerMicro);
  uncounted_nanos_ %= kNanosPerMicro;
}

}  // namespace ROCKSDB_NAMESPACE

#include "db/background/job_pressure.h"

#include "db/background/background_scheduler.h"
#include "db/background/stop_signals.h"
#include "db/write/stall_control.h"
#include "db/write/write_controller.h"
#include "options/db_options.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

void JobPressure::TellIfChanged() {
  if (context_.db->listeners.empty()) return;
  MutexLock lock(context_.mutex);
  if (is_telling_ || !context_.scheduler->is_open()) return;
  is_telling_ = true;
  while (!context_.stop->IsShuttingDown()) {
    const BackgroundJobPressure now = Now();
    if (now == told_) break;
    told_ = now;
    MutexUnlock unlock(context_.mutex);
    for (const auto& listener : context_.db->listeners) {
      listener->OnBackgroundJobPressureChanged(context_.handed_out, now);
    }
  }
  is_telling_ = false;
}

BackgroundJobPressure JobPressure::Now() const {
  const BackgroundScheduler::Counts counts = context_.scheduler->counts();
  INVARIANT(counts.low_running >= 0);
  INVARIANT(counts.low_scheduled >= counts.low_running);
  BackgroundJobPressure now;
  now.compaction_low_scheduled = counts.low_scheduled;
  now.compaction_low_running = counts.low_running;
  now.compaction_bottom_scheduled = counts.bottom_scheduled;
  now.compaction_bottom_running = counts.bottom_running;
  now.compaction_scheduled = counts.low_scheduled + counts.bottom_scheduled;
  now.compaction_running = counts.low_running + counts.bottom_running;
  now.flush_scheduled = counts.flushes_scheduled;
  now.flush_running = counts.flushes_running;
  now.write_stall_proximity_pct = context_.stalls->ProximityPercent();
  now.compaction_speedup_active =
      context_.writes->condition() != WriteStallCondition::kNormal;
  return now;
}

}  // namespace ROCKSDB_NAMESPACE

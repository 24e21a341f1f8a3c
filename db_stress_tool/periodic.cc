#include "db_stress_tool/periodic.h"

#include <algorithm>

#include "db_stress_tool/caches.h"
#include "db_stress_tool/database_copies.h"
#include "rocksdb/env.h"

namespace ROCKSDB_NAMESPACE::stress {

PeriodicTasks::PeriodicTasks(const Context& context, Workload* workload)
    : c_(context),
      workload_(workload),
      thread_count_(
          c_.database->options().env->GetBackgroundThreads(Env::LOW)) {
  using std::chrono::microseconds;
  if (IsTiered(c_.flags) && c_.flags.cache_size > 0) {
    Add(microseconds(c_.flags.secondary_cache_update_interval),
        &PeriodicTasks::ChangeCache);
  }
  Add(std::chrono::milliseconds(c_.flags.continuous_verification_interval),
      &PeriodicTasks::VerifySome);
  Add(std::chrono::milliseconds(
          c_.flags.compaction_thread_pool_adjust_interval),
      &PeriodicTasks::ChangePool);
}

void PeriodicTasks::Add(std::chrono::microseconds interval,
                        void (PeriodicTasks::*run)(Worker* worker)) {
  if (interval.count() <= 0) return;
  tasks_.push_back({interval, run, Clock::now()});
}

void PeriodicTasks::RunDue(Worker* worker) {
  if (tasks_.empty()) return;
  const Clock::time_point now = Clock::now();
  for (Task& task : tasks_) {
    if (now < task.due) continue;
    (this->*task.run)(worker);
    task.due = Clock::now() + task.interval;
  }
}

void PeriodicTasks::ChangeCache(Worker* worker) {
  const auto* table = c_.database->options()
                          .table_factory->GetOptions<BlockBasedTableOptions>();
  c_.report->Check(
      ChangeTieredCache(c_.flags, &worker->random, table->block_cache),
      "UpdateTieredCache");
}

void PeriodicTasks::VerifySome(Worker* worker) {
  workload_->VerifySome(worker);
  CheckInstances(c_, workload_, worker);
}

void PeriodicTasks::ChangePool(Worker* worker) {
  const auto most =
      static_cast<int>(c_.flags.compaction_thread_pool_variations);
  const int change = static_cast<int>(worker->random.Uniform(
                         2 * static_cast<uint64_t>(most) + 1)) -
                     most;
  c_.database->options().env->SetBackgroundThreads(
      std::max(1, thread_count_ + change), Env::LOW);
  c_.report->Count("resized pools");
}

}  // namespace ROCKSDB_NAMESPACE::stress

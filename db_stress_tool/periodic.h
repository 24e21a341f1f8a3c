// What is done to the database at once and then every so often, by time instead
// of by count of operations.
//
// Threads    Confined to one, which is inside the database's gate in RunDue().
// Ownership  Borrows everything.
// Errors     To the Report.

#pragma once

#include <chrono>
#include <vector>

#include "db_stress_tool/workload.h"

namespace ROCKSDB_NAMESPACE::stress {

class PeriodicTasks {
 public:
  PeriodicTasks(const Context& context, Workload* workload);

  // What is due by now; whatever was missed is done once.
  void RunDue(Worker* worker);

 private:
  using Clock = std::chrono::steady_clock;
  struct Task {
    std::chrono::microseconds interval;
    void (PeriodicTasks::*run)(Worker* worker);
    Clock::time_point due;
  };

  void Add(std::chrono::microseconds interval,
           void (PeriodicTasks::*run)(Worker* worker));
  void ChangeCache(Worker* worker);
  void VerifySome(Worker* worker);
  void ChangePool(Worker* worker);

  const Context c_;
  Workload* const workload_;
  // The threads of the LOW pool at the start.
  const int thread_count_;
  std::vector<Task> tasks_;
};

}  // namespace ROCKSDB_NAMESPACE::stress

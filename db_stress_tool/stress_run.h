// A whole run of db_stress: open, judge, work in threads, verify, close.
//
// Threads    Run() is called once, by the main thread.

#pragma once

#include <memory>
#include <vector>

#include "db_stress_tool/held_snapshots.h"
#include "db_stress_tool/periodic.h"
#include "db_stress_tool/timings.h"
#include "db_stress_tool/workload.h"

namespace ROCKSDB_NAMESPACE::stress {

// What the process ends with.
enum class Outcome : int {
  kGood = 0,
  kWrong = 1,
  // The engine refused the options; nothing was done.
  kRefused = 2,
};

class StressRun {
 public:
  explicit StressRun(const Flags& flags);
  ~StressRun();

  Outcome Run();

 private:
  Context context() { return {flags_, &database_, &report_, format_}; }
  Outcome DeleteDirectory();
  Outcome Open();
  void VerifyAtEnd();
  void Work();
  void WorkOf(Worker* worker);
  void Step(Worker* worker);
  void Maintain(Worker* worker);
  void StepAlone(Worker* worker);
  void Reopen();
  void ClearAFamily(Worker* worker);
  // What is left of flags_.duration; negative once it is over.
  int64_t SecondsLeft() const;
  bool IsTimeUp() const;

  const Flags& flags_;
  const KeyFormat format_;
  const int64_t started_seconds_;
  Report report_;
  Timings timings_;
  Database database_;
  std::unique_ptr<Workload> workload_;
  std::unique_ptr<HeldSnapshots> snapshots_;
  // Run by the first worker.
  std::unique_ptr<PeriodicTasks> periodic_;
};

}  // namespace ROCKSDB_NAMESPACE::stress

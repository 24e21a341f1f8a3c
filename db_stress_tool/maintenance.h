// What operators do to a database while it works: flushes, compactions,
// changed options, paused jobs, questions.
//
// Each operation is a row: name, how often, what it does. A call that the
// engine does not have is counted as such.
//
// Threads    Any, inside the database's gate.
// Errors     To the Report.

#pragma once

#include <cstdint>
#include <vector>

#include "db_stress_tool/workload.h"

namespace ROCKSDB_NAMESPACE::stress {

struct MaintenanceOp {
  const char* name;
  int64_t Flags::*one_in;
  void (*run)(const Context& context, Workload* workload, Worker* worker);
};

const std::vector<MaintenanceOp>& MaintenanceOps();

}  // namespace ROCKSDB_NAMESPACE::stress

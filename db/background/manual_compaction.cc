#include "db/background/manual_compaction.h"

#include "db/background/stop_signals.h"
#include "db/family/column_family.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

Status CheckManualOf(const StopSignals& stop, const ColumnFamilyData& cfd) {
  if (stop.IsShuttingDown()) return Status::ShutdownInProgress();
  if (cfd.schedule.compaction_aborts.load() > 0) {
    return Status::Incomplete(Status::SubCode::kCompactionAborted);
  }
  return stop.CheckManual();
}

Status CheckManual(const StopSignals& stop, const ManualCompaction& manual) {
  INVARIANT(manual.cfd != nullptr);
  if (Status s = CheckManualOf(stop, *manual.cfd); !s.ok()) return s;
  return manual.canceled != nullptr && manual.canceled->load()
             ? Status::Incomplete(Status::SubCode::kManualCompactionPaused)
             : Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE

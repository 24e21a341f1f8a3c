// EngineDB: what is asked of background work as a whole.
#include "db/impl/engine_db.h"
#include "db/jobs/background_control.h"
#include "db/registry/family_handle.h"

namespace ROCKSDB_NAMESPACE {

Status EngineDB::WaitForCompact(const WaitForCompactOptions& options) {
  const WaitLimit limit = control_->LimitOf(options);
  Status s;
  if (options.flush) {
    // Writers whom a pause has stopped would be waited for.
    s = control_->CheckHeld(limit);
    if (s.ok()) s = BeginFlushAll(limit);
    if (!s.ok()) return s;
  }
  s = control_->WaitUntilIdle(limit);
  if (s.ok() && options.close_db) s = Close();
  return s;
}

Status EngineDB::PauseBackgroundWork() {
  control_->Pause();
  return Status::OK();
}

Status EngineDB::ContinueBackgroundWork() { return control_->Continue(); }

void EngineDB::DisableManualCompaction() { control_->DisableManual(); }

void EngineDB::EnableManualCompaction() { control_->EnableManual(); }

void EngineDB::AbortAllCompactions() { control_->AbortAll(); }

void EngineDB::ResumeAllCompactions() { control_->EndAbort(); }

void EngineDB::AbortCompactions(ColumnFamilyHandle* family) {
  if (CheckHandle(family).ok()) control_->Abort(FamilyOf(family));
}

void EngineDB::ResumeCompactions(ColumnFamilyHandle* family) {
  if (CheckHandle(family).ok()) control_->EndAbort(FamilyOf(family));
}

Status EngineDB::EnableAutoCompaction(
    const std::vector<ColumnFamilyHandle*>& families) {
  for (ColumnFamilyHandle* family : families) {
    Status s = SetOptions(family, {{"disable_auto_compactions", "false"}});
    if (!s.ok()) return s;
  }
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE

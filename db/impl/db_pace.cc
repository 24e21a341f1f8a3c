// DBImpl: how fast compactions below level 0 go.
#include <algorithm>

#include "db/compaction/compaction_pace.h"
#include "db/impl/db_impl.h"
#include "db/write/ingest_rate.h"
#include "file/io_governor.h"
#include "file/io_pace.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

// Compactions below level 0 go as fast as the debt asks, and no faster while
// users read from the device.
void DBImpl::SetDeepPace(WriteStallCondition worst) {
  const IoGovernor* governor = io_governor_->governor();
  if (governor == nullptr || stop_.IsShuttingDown()) return;
  CompactionPaceInput input;
  input.free_running_debt_bytes = UINT64_MAX;
  for (const auto& entry : families_) {
    const ColumnFamilyData& cfd = *entry.second->cfd;
    const VersionStorage& storage = cfd.current()->storage();
    const uint64_t free = DebtToRunFreely(*cfd.options());
    INVARIANT(free > 0);
    input.debt_bytes += storage.PendingCompactionBytes();
    input.free_running_debt_bytes =
        std::min(input.free_running_debt_bytes, free);
    input.deep_bytes_per_ingested_byte = std::max(
        input.deep_bytes_per_ingested_byte, DeepBytesPerIngestedByte(storage));
  }
  input.ingest_bytes_per_second = ingest_rate_->bytes_per_second();
  input.device_bytes_per_second = governor->Stats().bandwidth_bytes_per_second;
  const bool must_run_freely = worst != WriteStallCondition::kNormal;
  io_governor_->deep_pace()->SetRate(
      must_run_freely ? 0 : DeepCompactionRate(input));
}

}  // namespace ROCKSDB_NAMESPACE

#include "monitoring/io_times.h"

#include <algorithm>

#include "monitoring/iostats_context_imp.h"

namespace ROCKSDB_NAMESPACE {

namespace {

IoTimes Now() {
  const IOStatsContext& io = iostats_context;
  return {io.write_nanos, io.range_sync_nanos, io.fsync_nanos,
          io.prepare_write_nanos};
}

}  // namespace

IoTimesScope::IoTimesScope(bool is_wanted, IoTimes* times)
    : times_(is_wanted ? times : nullptr) {
  if (times_ == nullptr) return;
  level_ = GetPerfLevel();
  SetPerfLevel(std::max(level_, kEnableTimeExceptForMutex));
  before_ = Now();
}

IoTimesScope::~IoTimesScope() {
  if (times_ == nullptr) return;
  const IoTimes now = Now();
  times_->Add({now.write_nanos - before_.write_nanos,
               now.range_sync_nanos - before_.range_sync_nanos,
               now.fsync_nanos - before_.fsync_nanos,
               now.prepare_write_nanos - before_.prepare_write_nanos});
  SetPerfLevel(level_);
}

}  // namespace ROCKSDB_NAMESPACE

#include "db/impl/read_only_db.h"

#include "db/impl/open_request.h"
#include "db/manifest/linked_files.h"
#include "db/recovery/log_recovery.h"

namespace ROCKSDB_NAMESPACE {

ReadOnlyDB::ReadOnlyDB(const DBOptions& sanitized, const OpenRequest& request)
    : UnwritableDB(sanitized, request),
      found_logs_(request.error_if_wal_file_exists
                      ? CatchUp::FoundLogs::kRefused
                      : CatchUp::FoundLogs::kRead) {}

ReadOnlyDB::~ReadOnlyDB() { Leave(); }

Status ReadOnlyDB::ReadLogs() {
  if (!RecoversWithBestEfforts()) return catch_up_->Run(found_logs_);
  MutexLock lock(&base_.mutex);
  LogRecovery recovery(LogRecovery::Context{.db = &base_.options,
                                            .db_name = base_.name,
                                            .wal_dir = base_.wal_dir,
                                            .mutex = &base_.mutex,
                                            .options = &base_.current,
                                            .families = families_->registry(),
                                            .versions = versions_.get(),
                                            .publisher = families_->publisher(),
                                            .memory = families_->memory()});
  return recovery.LeaveLogs();
}

}  // namespace ROCKSDB_NAMESPACE

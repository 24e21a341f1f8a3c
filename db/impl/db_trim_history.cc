// DBImpl: opening a database as of an older timestamp.
#include "db/background/manual_compaction.h"
#include "db/family/family_registry.h"
#include "db/files/obsolete_files.h"
#include "db/impl/db_impl.h"
#include "db/impl/open_request.h"
#include "db/intake/flush_requests.h"
#include "db/intake/intake.h"
#include "db/jobs/manual_compactions.h"
#include "rocksdb/comparator.h"
#include "rocksdb/info_log.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

Status CheckTrim(const ColumnFamilyDescriptor& family,
                 const std::string& trim_ts) {
  const ColumnFamilyOptions& options = family.options;
  const Comparator* const order = options.comparator;
  if (order == nullptr || order->timestamp_size() == 0) return Status::OK();
  if (trim_ts.size() != order->timestamp_size()) {
    return Status::InvalidArgument(
        "trim_ts", "has " + std::to_string(trim_ts.size()) +
                       " bytes, the timestamps of column family " +
                       family.name + " have " +
                       std::to_string(order->timestamp_size()));
  }
  if (!options.persist_user_defined_timestamps) {
    return Status::NotSupported(
        "OpenAndTrimHistory",
        "persist_user_defined_timestamps = false: " + family.name);
  }
  if (options.compaction_style == kCompactionStyleFIFO) {
    return Status::NotSupported(
        "OpenAndTrimHistory",
        "kCompactionStyleFIFO rewrites no tables: " + family.name);
  }
  return Status::OK();
}

// (mutex)
Status CheckKnown(const ColumnFamilyData& cfd, const std::string& trim_ts) {
  const Comparator& order = *cfd.order().user_comparator();
  const std::string& low = cfd.full_history_ts_low();
  if (low.empty() || order.CompareTimestamp(trim_ts, low) >= 0) {
    return Status::OK();
  }
  return Status::InvalidArgument(
      "trim_ts is " + order.TimestampToString(trim_ts),
      "the history of column family " + cfd.name() + " begins at " +
          order.TimestampToString(low));
}

}  // namespace

Status DB::OpenAndTrimHistory(
    const DBOptions& db_options, const std::string& name,
    const std::vector<ColumnFamilyDescriptor>& column_families,
    std::vector<ColumnFamilyHandle*>* handles, std::unique_ptr<DB>* dbptr,
    std::string trim_ts) {
  INVARIANT(dbptr != nullptr);
  dbptr->reset();
  if (handles != nullptr) handles->clear();
  for (const ColumnFamilyDescriptor& family : column_families) {
    if (Status s = CheckTrim(family, trim_ts); !s.ok()) return s;
  }
  std::unique_ptr<DB> db;
  std::vector<ColumnFamilyHandle*> opened;
  Status s = OpenImpl({db_options, name, column_families}, &opened, &db);
  if (s.ok()) s = static_cast<DBImpl*>(db.get())->TrimHistory(trim_ts);
  if (!s.ok() || handles == nullptr) {
    for (ColumnFamilyHandle* handle : opened) {
      const std::unique_ptr<ColumnFamilyHandle> owned(handle);
    }
    opened.clear();
  }
  if (!s.ok()) return s;
  if (handles != nullptr) *handles = std::move(opened);
  *dbptr = std::move(db);
  return s;
}

// Every version goes through a compaction that leaves the newer ones out.
Status DBImpl::TrimHistory(const std::string& trim_ts) {
  std::vector<FamilyRef> families;
  {
    MutexLock lock(&mutex_);
    for (const auto& [id, family] : *families_) {
      if (family->cfd->order().timestamp_size() == 0) continue;
      if (Status s = CheckKnown(*family->cfd, trim_ts); !s.ok()) return s;
      families.push_back(family);
    }
  }
  CompactRangeOptions options;
  options.bottommost_level_compaction =
      BottommostLevelCompaction::kForceOptimized;
  // No other may take a version past, into a file that is not written again.
  options.exclusive_manual_compaction = true;
  for (const FamilyRef& family : families) {
    ColumnFamilyData* const cfd = family->cfd.get();
    const std::string shown =
        cfd->user_comparator()->TimestampToString(trim_ts);
    ROCKSDB_NAMESPACE::Info(options_.logger,
                            "[%s] leaves out what is newer than %s",
                            cfd->name().c_str(), shown.c_str());
    Status s = intake_->flush_requests()->Flush(FlushOptions(), {cfd},
                                                FlushReason::kManualCompaction);
    if (!s.ok()) return s;
    ManualCompaction manual;
    manual.cfd = cfd;
    manual.trim_ts = trim_ts;
    // The versions that are looked at may be the last to list the inputs.
    const ObsoleteFiles::PurgeAtEnd purge(obsolete_.get());
    s = on_request_->CompactRange(options, &manual);
    if (!s.ok()) return s;
  }
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE

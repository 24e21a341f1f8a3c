// ManagedDB: opening a database as of an older timestamp.
#include "db/impl/job_parts.h"
#include "db/impl/open_request.h"
#include "db/impl/primary_db.h"
#include "db/intake/history_trim.h"
#include "db/intake/intake.h"
#include "db/registry/family_registry.h"
#include "options/compaction_styles.h"
#include "options/enum_names.h"
#include "rocksdb/comparator.h"
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
  if (TraitsOf(options.compaction_style).drops_old_files) {
    return Status::NotSupported(
        "OpenAndTrimHistory",
        std::string(NameOfEnum(options.compaction_style)) +
            " rewrites no tables: " + family.name);
  }
  return Status::OK();
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
  Status s =
      OpenImpl<PrimaryDB>({db_options, name, column_families}, &opened, &db);
  if (s.ok()) s = static_cast<PrimaryDB*>(db.get())->TrimHistory(trim_ts);
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

Status ManagedDB::TrimHistory(const std::string& trim_ts) {
  HistoryTrim::Context context{.db = &base_.options,
                               .mutex = &base_.mutex,
                               .flush_requests = intake_->flush_requests(),
                               .compactions = jobs_->on_request(),
                               .obsolete = files_->obsolete()};
  {
    MutexLock lock(&base_.mutex);
    context.families = families_->registry();
  }
  return HistoryTrim(context).Trim(trim_ts);
}

}  // namespace ROCKSDB_NAMESPACE

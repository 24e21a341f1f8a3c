#include "db/intake/history_trim.h"

#include "db/background/manual_compaction.h"
#include "db/files/obsolete_files.h"
#include "db/intake/flush_requests.h"
#include "db/jobs/manual_compactions.h"
#include "db/registry/family_registry.h"
#include "rocksdb/comparator.h"
#include "rocksdb/info_log.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

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

Status HistoryTrim::FindFamilies(const std::string& trim_ts,
                                 std::vector<FamilyRef>* families) {
  INVARIANT(families != nullptr);
  MutexLock lock(context_.mutex);
  for (const auto& [id, family] : *context_.families) {
    if (family->cfd->order().timestamp_size() == 0) continue;
    if (Status s = CheckKnown(*family->cfd, trim_ts); !s.ok()) return s;
    families->push_back(family);
  }
  return Status::OK();
}

Status HistoryTrim::Trim(const std::string& trim_ts) {
  std::vector<FamilyRef> families;
  if (Status s = FindFamilies(trim_ts, &families); !s.ok()) return s;
  CompactRangeOptions options;
  options.bottommost_level_compaction =
      BottommostLevelCompaction::kForceOptimized;
  // No other may take a version past, into a file that is not written again.
  options.exclusive_manual_compaction = true;
  for (const FamilyRef& family : families) {
    ColumnFamilyData* const cfd = family->cfd.get();
    const std::string shown =
        cfd->user_comparator()->TimestampToString(trim_ts);
    ROCKSDB_NAMESPACE::Info(context_.db->logger,
                            "[%s] leaves out what is newer than %s",
                            cfd->name().c_str(), shown.c_str());
    Status s = context_.flush_requests->Flush(FlushOptions(), {cfd},
                                              FlushReason::kManualCompaction);
    if (!s.ok()) return s;
    ManualCompaction manual;
    manual.cfd = cfd;
    manual.trim_ts = trim_ts;
    // The versions that are looked at may be the last to list the inputs.
    const ObsoleteFiles::PurgeAtEnd purge(context_.obsolete);
    s = context_.compactions->CompactRange(options, &manual);
    if (!s.ok()) return s;
  }
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE

#include "db/recovery/clean_end.h"

#include <deque>
#include <vector>

#include "db/family/column_family.h"
#include "db/files/log_keeper.h"
#include "db/manifest/needed_logs.h"
#include "db/manifest/version_set.h"
#include "db/registry/family_registry.h"
#include "db/version/version_edit.h"
#include "db/wal/wal_manager.h"
#include "memtable/memtable.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

bool HasOnlyTables(ColumnFamilyData* cfd) {
  INVARIANT(cfd != nullptr);
  return cfd->mem()->empty() && cfd->imm()->empty();
}

}  // namespace

Status CleanEnd::Log() {
  VersionSet& versions = *context_.versions;
  std::deque<VersionEdit> edits;
  std::vector<VersionSet::Change> changes;
  bool needs_logs = context_.db->allow_2pc;  // A section may be in any of them.
  const uint64_t next_log = context_.logs->wal()->current_number() + 1;
  {
    MutexLock lock(context_.mutex);
    for (const auto& [id, family] : *context_.families) {
      ColumnFamilyData* const cfd = family->cfd.get();
      if (cfd->is_dropped()) continue;
      if (!HasOnlyTables(cfd)) {
        needs_logs = true;
        continue;
      }
      edits.emplace_back().log_number = next_log;
      changes.push_back({cfd, &edits.back()});
    }
  }
  if (changes.empty()) return Status::OK();
  if (needs_logs) {
    // By what is said here, tables are ahead of what a log lacks that ends too
    // early: that the next open would refuse.
    if (Status s = SyncLogs(); !s.ok()) return s;
  }
  MutexLock lock(context_.mutex);
  // The next log comes behind this one.
  versions.MarkFileNumberUsed(next_log);
  if (!needs_logs) edits.front().min_log_number_to_keep = next_log;
  return versions.LogAndApply(changes, context_.directory);
}

Status CleanEnd::SyncLogs() {
  if (Status s = context_.logs->FlushOrSync({.sync = true}); !s.ok()) return s;
  MutexLock lock(context_.mutex);
  return context_.logs->TrackSynced();
}

}  // namespace ROCKSDB_NAMESPACE

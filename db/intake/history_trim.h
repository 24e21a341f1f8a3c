// Takes a database back to an older timestamp: every version goes through a
// compaction that leaves the newer ones out.
//
// Threads    One, without the DB mutex, before users have the database.
// Ownership  Borrows what it is given.
// Errors     InvalidArgument: so old a state is not kept.
#pragma once

#include <string>
#include <vector>

#include "db/registry/family_entry.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

class FamilyRegistry;
class FlushRequests;
class ManualCompactions;
class ObsoleteFiles;

class HistoryTrim {
 public:
  struct Context {
    const ImmutableDBOptions* db = nullptr;
    Mutex* mutex = nullptr;
    const FamilyRegistry* families PT_GUARDED_BY(mutex) = nullptr;
    FlushRequests* flush_requests = nullptr;
    ManualCompactions* compactions = nullptr;
    ObsoleteFiles* obsolete = nullptr;
  };
  explicit HistoryTrim(const Context& context) : context_(context) {}
  HistoryTrim(const HistoryTrim&) = delete;
  HistoryTrim& operator=(const HistoryTrim&) = delete;

  // All families with timestamps.
  Status Trim(const std::string& trim_ts) EXCLUDES(context_.mutex);

 private:
  Status FindFamilies(const std::string& trim_ts,
                      std::vector<FamilyRef>* families)
      EXCLUDES(context_.mutex);

  const Context context_;
};

}  // namespace ROCKSDB_NAMESPACE

// Fills in what a flush, a compaction, an ingestion or a replay needs of the
// database as it is now (JobContext).
//
// Threads    Under the DB mutex.
// Ownership  Borrows what it is given. A context borrows from the family, which
//            the caller holds as long.
#pragma once

#include <string>

#include "db/outputs/job_context.h"

namespace ROCKSDB_NAMESPACE {

class BackgroundScheduler;
class CurrentOptions;
class GovernorMembership;
class ObsoleteFiles;
class SequenceAges;
class SnapshotList;
class StopSignals;
struct FamilyEntry;

class JobContexts {
 public:
  struct Context {
    const ImmutableDBOptions* db = nullptr;
    std::string db_name;
    std::string session_id;
    FileOptions file_options;  // the options of user reads
    Mutex* mutex = nullptr;
    const CurrentOptions* options = nullptr;
    VersionSet* versions = nullptr;
    FSDirectory* directory = nullptr;  // null: nothing is written there
    const GovernorMembership* io_governor = nullptr;
    PageCacheRoom* page_cache_room = nullptr;  // null: nothing is written
    ObsoleteFiles* obsolete = nullptr;
    BackgroundScheduler* scheduler PT_GUARDED_BY(mutex) = nullptr;
    const SnapshotList* snapshots PT_GUARDED_BY(mutex) = nullptr;
    const StopSignals* stop = nullptr;
    SequenceAges* ages = nullptr;
  };
  explicit JobContexts(Context context);
  JobContexts(const JobContexts&) = delete;
  JobContexts& operator=(const JobContexts&) = delete;

  JobContext Make(FamilyEntry* family) const;

 private:
  const Context context_;
};

}  // namespace ROCKSDB_NAMESPACE

// What a flush or compaction job needs of the database, as the narrowest set
// of things that serves; filled in by JobContexts (db/jobs).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "db/tables/stop_token.h"
#include "options/db_options.h"
#include "rocksdb/file_system.h"
#include "rocksdb/listener.h"
#include "rocksdb/types.h"
#include "util/key/internal_key.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

class ColumnFamilyData;
class IoPace;
class PageCacheRoom;
class SequenceTimes;
class VersionSet;

// Snapshots as a job sees them, taken under the DB mutex.
struct JobSnapshots {
  std::vector<SequenceNumber> sequences;  // ascending, live snapshots
  // No reader is older than this.
  SequenceNumber Earliest() const {
    return sequences.empty() ? kMaxSequenceNumber : sequences.front();
  }
};

struct JobContext {
  int job_id = 0;
  // While it lives, no file that was begun after the job counts as left over.
  // The job holds it until it has installed or dropped its outputs.
  std::shared_ptr<const void> pending_outputs;
  // The same for files that are begun from now on.
  std::function<std::shared_ptr<const void>()> hold_outputs;
  std::string db_name;
  std::string db_id;
  std::string db_session_id;
  const ImmutableDBOptions* db = nullptr;
  std::shared_ptr<const MutableDBOptions> mutable_db;
  FileOptions read_file_options;    // the options of user reads
  FileOptions output_file_options;  // OptimizeForCompactionTableWrite applied
  VersionSet* versions = nullptr;
  ColumnFamilyData* cfd = nullptr;
  Mutex* mutex = nullptr;
  FSDirectory* db_directory = nullptr;
  // The pace of compactions below level 0; null: their I/O is not spread over
  // time.
  IoPace* deep_pace = nullptr;
  // Where bulk reads spare the page cache and outputs go through it; else null.
  PageCacheRoom* page_cache = nullptr;
  // Is there no room in it for the files that the job writes? They leave it as
  // they are written. A compaction asks for itself when it runs.
  bool leaves_page_cache = false;
  // Deletes a file of the database's that counts for nothing, such as an
  // output of a failed job, as gently as obsolete ones; 0: size not known.
  std::function<Status(const std::string& path, uint64_t size_bytes)>
      delete_file;
  // The directory of the family's path `id`, to be synced after output.
  std::function<FSDirectory*(uint32_t path_id)> output_directory;
  StopToken stop;
  JobSnapshots snapshots;
  // When what the job reads was written; null: nobody keeps that.
  std::shared_ptr<const SequenceTimes> sequence_times;
  // What was written by then is older than anybody asks, in seconds since
  // 1970.
  uint64_t old_by_seconds = 0;
  // Versions that are older, and hidden by a newer one that is too, may go;
  // empty = none may.
  std::string full_history_ts_low;
};

// Outputs go through the page cache, of whose room `room` keeps account.
void UsePageCache(PageCacheRoom* room, JobContext* job);

// Deletes it, if it is there; what cannot be deleted is logged, and goes when
// the database is opened again.
void DiscardFile(const JobContext& job, const std::string& path,
                 uint64_t size_bytes);

}  // namespace ROCKSDB_NAMESPACE

// Reading what another process has written to a database: once, where it is
// opened read-only, and again and again where it is followed by a secondary or
// a follower. Itself it writes nothing there.
//
// A round reads the manifest, opens the files that are new, and replays the
// logs; only then all of it is shown, at once. The other process removes what
// it no longer needs at any time: what a manifest names may be gone by the time
// that it is opened. A newer manifest is there then, and the round is made
// anew.
//
// Threads    Any: one round at a time, under a lock of its own that comes
//            before the DB mutex.
// Ownership  Borrows what it is given.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "options/db_options.h"
#include "rocksdb/status.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

class FamilyRegistry;
class FollowerPart;
class LiveFileList;
class ObsoleteFiles;
class StatePublisher;
class VersionSet;
class WriteBatch;
struct LostBlob;

class CatchUp {
 public:
  struct Context {
    const ImmutableDBOptions* db = nullptr;
    std::string db_name;
    std::string source;  // where the manifest is
    std::string wal_dir;
    Mutex* mutex = nullptr;
    VersionSet* versions = nullptr;
    const FamilyRegistry* families = nullptr;  // (mutex)
    StatePublisher* states = nullptr;
    const ObsoleteFiles* obsolete = nullptr;
    bool reads_logs = false;
    bool goes_on = false;              // a round is not the last one
    FollowerPart* follower = nullptr;  // null: it keeps no links
  };
  explicit CatchUp(Context context) : context_(std::move(context)) {}
  CatchUp(const CatchUp&) = delete;
  CatchUp& operator=(const CatchUp&) = delete;

  // What becomes of logs that hold anything.
  enum class FoundLogs { kRead, kRefused };
  // Reads all that has been written, and then shows it.
  Status Run(FoundLogs found_logs) EXCLUDES(mutex_);
  // Lists what was read, and no more: who writes may have gone on. Of families
  // that are not open here, the manifest tells.
  Status List(LiveFileList* list) EXCLUDES(mutex_);
  // Held while what was read is shown: whoever needs one moment in several
  // families keeps it from that.
  Mutex* showing() { return &showing_; }

 private:
  struct Round;
  Status RunOnce(Round* found) REQUIRES(mutex_);
  Status ReadManifest(Round* found);
  Status ReplayLogs(Round* found) REQUIRES(mutex_);
  Status FindBlobs(Round* found, const WriteBatch& batch, uint64_t log_number,
                   LostBlob* lost) REQUIRES(mutex_);
  Status Show(Round* found) REQUIRES(mutex_) EXCLUDES(showing_);

  const Context context_;
  Mutex mutex_;
  Mutex showing_;
  // How much was read of which log.
  std::map<uint64_t, uint64_t> read_logs_ GUARDED_BY(mutex_);
  // How much of which blob file, by number, that logs refer to and no manifest
  // names.
  struct ReadBlob {
    std::string path;
    uint64_t size_bytes = 0;
  };
  std::map<uint64_t, ReadBlob> read_blobs_ GUARDED_BY(mutex_);
};

}  // namespace ROCKSDB_NAMESPACE

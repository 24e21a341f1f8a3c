// Changes of the version state, one group after the other: each is written to
// the manifest as one unit, and then takes effect.
//
// Threads    All under the DB mutex, which is released around I/O; but
//            size_bytes() from any thread. Who comes while another's change is
//            under way waits for its turn.
// Errors     A manifest that cannot be written leaves every version as it was.
//            What was written of it may count after a crash all the same, so
//            the files that a failed edit adds must not be deleted: the next
//            open removes those that nothing names.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "db/family/column_family.h"
#include "db/manifest/database_counters.h"
#include "db/manifest/manifest_limits.h"
#include "db/manifest/needed_logs.h"
#include "db/manifest/published_versions.h"
#include "db/manifest/version_change.h"
#include "rocksdb/file_system.h"
#include "rocksdb/status.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

struct LeftManifest;
class ManifestReplay;
class ManifestWriter;

class ManifestLog {
 public:
  struct Context {
    std::string db_path;
    const ImmutableDBOptions* db = nullptr;
    ManifestLimits limits;  // until SetLimits()
    FileOptions file_options;
    Mutex* mutex = nullptr;
    DatabaseCounters* numbers = nullptr;
    ColumnFamilySet* families = nullptr;
    PublishedVersions* published = nullptr;
  };
  explicit ManifestLog(Context context);
  ~ManifestLog();

  // --- opening (no other thread yet)
  // Of a database that does not exist: MANIFEST-000001, CURRENT.
  Status CreateNew(const std::string& db_id, FSDirectory* directory) const;
  // kGuessed: best efforts made the state of what was there.
  enum class Replayed : uint8_t { kAsWritten, kGuessed };
  void TakeOver(const ManifestReplay& replay, Replayed how);
  // reuse_manifest_on_open: the first change goes to the manifest that was
  // read, which says all that a new one would, unless it has a torn end.
  void GoOnWith(const ManifestReplay& replay);
  // No change is needed: makes durable what the last session has left. On a
  // failure there must be a change all the same, which writes all anew.
  Status Settle(FSDirectory* directory);

  // --- changing
  // Logs the edits as one unit and installs a new version of each family.
  // Fills in file number counter, sequence and family of each edit. On
  // failure nothing changes. ColumnFamilyDropped: nothing was written.
  Status Apply(const std::vector<VersionChange>& changes,
               FSDirectory* directory);
  // Until no change is under way.
  void AwaitTurn();
  // Reads the manifest back; where it is damaged, what it is to hold goes to a
  // new one. Nobody else may be in a call.
  Status Verify(FSDirectory* directory);
  Status Close();

  // --- state
  const std::string& db_id() const { return db_id_; }
  void set_db_id(std::string id) { db_id_ = std::move(id); }
  // Does the manifest that was read name the database's id?
  bool had_id() const { return had_id_; }
  NeededLogs* logs() { return &logs_; }
  const NeededLogs& logs() const { return logs_; }
  // Follows SetDBOptions().
  void SetLimits(const ManifestLimits& limits) { limits_ = limits; }
  uint64_t size_bytes() const;
  // Manifests below this may be deleted: the one in force and all that came
  // after it stay, since a failed start may have made one current.
  uint64_t MinNumberToKeep() const;
  // The manifest that is being started, whose MANIFEST and dbtmp files are in
  // use; 0 = none.
  uint64_t pending_number() const { return pending_number_; }
  // The manifest up to the edit that made the versions that are current: one
  // that is being written, or was written last, may not be installed yet. Of
  // a follower none before all is installed.
  struct Installed {
    uint64_t number = 0;  // 0: no manifest tells of just what is current
    uint64_t size_bytes = 0;
  };
  Installed installed() const;
  void SetInstalled(const Installed& manifest) { installed_ = manifest; }

 private:
  // What is written and installed without the mutex.
  struct Work;

  void MakeWriter(FSDirectory* directory);
  // Where it cannot, a new manifest says the same.
  void TryToGoOn();
  Status WriteAndInstall(const std::vector<VersionChange>& changes,
                         FSDirectory* directory);
  Status Prepare(const std::vector<VersionChange>& changes, Work* work);
  void CompleteEdits(const std::vector<VersionChange>& changes,
                     bool is_new_manifest) const;
  Status Write(const std::vector<VersionChange>& changes, const Work& work);

  const Context context_;
  // From the end of the open on, but in who does not write.
  std::unique_ptr<ManifestWriter> writer_;
  // To go on with; null: a new one is begun.
  std::unique_ptr<const LeftManifest> left_;
  ManifestLimits limits_;
  std::string db_id_;
  bool had_id_ = false;
  NeededLogs logs_;
  uint64_t pending_number_ = 0;
  uint64_t recovered_number_ = 0;
  Installed installed_;
  bool is_busy_ = false;
  const std::unique_ptr<CondVar> is_idle_;
};

}  // namespace ROCKSDB_NAMESPACE

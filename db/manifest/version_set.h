// The version state of a whole database: its families, and the parts that keep
// the rest of it.
//
// What they are: the counters (database_counters.h), the versions that
// something may read (published_versions.h), changes of them by way of the
// manifest (manifest_log.h), the logs that the next open needs (needed_logs.h),
// opening (version_recovery.h), and following another process
// (followed_versions.h).
//
// Threads    Marked (mutex): under the DB mutex. The counters are atomic.
// Errors     Those of the manifest, see there.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "db/family/column_family.h"
#include "db/manifest/database_counters.h"
#include "db/manifest/manifest_limits.h"
#include "db/manifest/published_versions.h"
#include "db/manifest/version_change.h"
#include "rocksdb/db.h"
#include "rocksdb/status.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

class FollowedVersions;
class LinkedFiles;
class ManifestLog;
class NeededLogs;
struct RecoverOptions;

class VersionSet {
 public:
  struct Context {
    std::string db_path;
    const ImmutableDBOptions* db = nullptr;
    ManifestLimits limits;  // until ManifestLog::SetLimits()
    FileOptions file_options;
    ColumnFamilyData::Context families;
    std::shared_ptr<ObsoleteFileSink> sink;
    LinkedFiles* links = nullptr;  // null: this is no follower
    Mutex* mutex = nullptr;
  };
  explicit VersionSet(Context context);
  ~VersionSet();
  VersionSet(const VersionSet&) = delete;
  VersionSet& operator=(const VersionSet&) = delete;

  // --- opening (mutex; no other thread yet)
  // A database that does not exist: MANIFEST-000001, CURRENT.
  Status CreateNew(const std::string& db_id, FSDirectory* directory) const;
  // Reads CURRENT and the manifest: families not in `descriptors` are
  // InvalidArgument (ignored when read_only).
  Status Recover(const std::vector<ColumnFamilyDescriptor>& descriptors,
                 const RecoverOptions& options);
  // Listed by the caller, absent in the manifest: to be created.
  const std::vector<ColumnFamilyDescriptor>& missing_families() const {
    return missing_families_;
  }

  // --- changing (mutex held at entry and exit, released around I/O)
  using Change = VersionChange;
  // See ManifestLog::Apply().
  Status LogAndApply(const std::vector<Change>& changes,
                     FSDirectory* directory);
  // Until no change is under way.
  void AwaitTurn();
  // See ManifestLog::Settle().
  Status Settle(FSDirectory* directory);
  // A new family, logged: in the set when OK.
  Status CreateFamily(const std::string& name,
                      const ColumnFamilyOptions& sanitized, uint64_t log_number,
                      FSDirectory* directory, ColumnFamilyData** result);
  Status DropFamily(ColumnFamilyData* cfd, FSDirectory* directory);

  // --- state
  ColumnFamilySet* families() { return &families_; }
  const PublishedVersions& published() const { return published_; }
  ManifestLog* manifest() { return manifest_.get(); }
  const ManifestLog& manifest() const { return *manifest_; }
  NeededLogs* logs();
  const NeededLogs& logs() const;
  const FollowedVersions& following() const { return *following_; }
  // The smallest WAL that any family needs, or that is held. (mutex)
  uint64_t MinLogNumberNeeded() const;
  const std::string& db_id() const;

  // --- counters, see DatabaseCounters
  uint64_t NewFileNumber() { return numbers_.NewFileNumber(); }
  // Where files go that nothing refers to any more.
  const std::shared_ptr<ObsoleteFileSink>& sink() const {
    return context_.sink;
  }
  uint64_t next_file_number() const { return numbers_.next_file_number(); }
  void MarkFileNumberUsed(uint64_t number) {
    numbers_.MarkFileNumberUsed(number);
  }
  // The last sequence that reads may see.
  SequenceNumber LastSequence() const { return numbers_.LastSequence(); }
  void SetLastSequence(SequenceNumber sequence) {
    numbers_.SetLastSequence(sequence);
  }

 private:
  ColumnFamilyRef NewFamily(uint32_t id, const std::string& name,
                            const ColumnFamilyOptions& sanitized);

  const Context context_;
  DatabaseCounters numbers_;
  ColumnFamilySet families_;
  PublishedVersions published_;
  const std::unique_ptr<ManifestLog> manifest_;
  const std::unique_ptr<const FollowedVersions> following_;
  std::vector<ColumnFamilyDescriptor> missing_families_;
};

}  // namespace ROCKSDB_NAMESPACE

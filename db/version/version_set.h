// The version state of a whole database: families, counters, the manifest.
//
// Threads    Marked (mutex): under the DB mutex. The counters are atomic.
// Errors     A manifest that cannot be written leaves every version as it was.
//            What was written of it may count after a crash all the same, so
//            the files that a failed edit adds must not be deleted: the next
//            open removes those that nothing names.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <unordered_set>
#include <vector>

#include "db/version/column_family.h"
#include "db/version/manifest_limits.h"
#include "db/version/tracked_wals.h"
#include "rocksdb/db.h"
#include "rocksdb/status.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

class ManifestReplay;
class VersionBuilder;
class VersionEdit;
struct FilesThere;
struct ReplayedFamily;
class LinkedFiles;
class ManifestWriter;

class VersionSet {
 public:
  struct Context {
    std::string db_path;
    const ImmutableDBOptions* db = nullptr;
    ManifestLimits limits;  // until SetManifestLimits()
    FileOptions file_options;
    ColumnFamilyData::Context families;
    std::shared_ptr<ObsoleteFileSink> sink;
    LinkedFiles* links = nullptr;  // of a follower
    Mutex* mutex = nullptr;
  };
  explicit VersionSet(Context context);
  ~VersionSet();

  // --- opening (mutex; no other thread yet)
  // A database that does not exist: MANIFEST-000001, CURRENT.
  Status CreateNew(const std::string& db_id, FSDirectory* directory);
  struct RecoverOptions {
    bool read_only = false;
    bool create_missing_families = false;  // see missing_families()
    // The newest state whose files are there, by any manifest.
    bool best_efforts = false;
  };
  // Reads CURRENT and the manifest (db-format.md 5.3): families not in
  // `descriptors` are InvalidArgument (ignored when read_only).
  Status Recover(const std::vector<ColumnFamilyDescriptor>& descriptors,
                 const RecoverOptions& options);
  // Listed by the caller, absent in the manifest: to be created.
  const std::vector<ColumnFamilyDescriptor>& missing_families() const {
    return missing_families_;
  }
  // Of a database that another process writes: what its manifest says now, for
  // the families that are open here. Families that it dropped are left out.
  struct Followed {
    ColumnFamilyData* cfd = nullptr;
    // Files that are open here already are the same objects.
    std::vector<std::vector<FileRef>> levels;
    BlobFileList blobs;
    uint64_t log_number = 0;
    std::shared_ptr<const MutableCFOptions> options;
    std::string full_history_ts_low;
    // The files of the version that is current, which are not opened anew.
    std::unordered_set<uint64_t> seen_to;
  };
  // Who goes on following keeps open all that it has: it may go.
  enum class FollowedFiles { kAreAllOpened, kAreOpenedIfNew };
  Status TakeFollowed(ManifestReplay* replay, FollowedFiles files,
                      std::vector<Followed>* result);
  // Opens its files; a follower takes its links to them first. Without (mutex).
  Status OpenFollowed(const Followed& followed) const;
  // Installs it, once the files are open. (mutex, as TakeFollowed().)
  Status InstallFollowed(Followed* followed);
  // The manifest that all of it is from, or none before all is installed.
  // (mutex)
  struct InstalledManifest {
    uint64_t number = 0;  // 0: no manifest tells of just what is current
    uint64_t size_bytes = 0;
  };
  void SetInstalledManifest(const InstalledManifest& manifest) {
    installed_ = manifest;
  }

  // Names in the manifest of a closed or open database.
  static Status ListColumnFamilies(const std::string& db_path, FileSystem* fs,
                                   std::vector<std::string>* names);

  // --- changing (mutex held at entry and exit, released around I/O)
  struct Change {
    ColumnFamilyData* cfd = nullptr;  // null: a database-wide edit
    VersionEdit* edit = nullptr;
  };
  // Logs the edits as one unit and installs a new version of each family.
  // Fills in file number counter, sequence and family of each edit. On
  // failure nothing changes. ColumnFamilyDropped: nothing was written.
  Status LogAndApply(const std::vector<Change>& changes,
                     FSDirectory* directory);
  // A new family, logged: in the set when OK.
  Status CreateFamily(const std::string& name,
                      const ColumnFamilyOptions& sanitized, uint64_t log_number,
                      FSDirectory* directory, ColumnFamilyData** result);
  Status DropFamily(ColumnFamilyData* cfd, FSDirectory* directory);

  // --- state
  ColumnFamilySet* families() { return &families_; }
  uint64_t NewFileNumber() { return next_file_number_.fetch_add(1); }
  uint64_t next_file_number() const { return next_file_number_.load(); }
  // The counter becomes greater than `number`.
  void MarkFileNumberUsed(uint64_t number);
  // The last sequence that reads may see. release/acquire: whoever sees it
  // sees the memtable entries up to it.
  SequenceNumber LastSequence() const {
    return last_sequence_.load(std::memory_order_acquire);
  }
  void SetLastSequence(SequenceNumber sequence) {
    last_sequence_.store(sequence, std::memory_order_release);
  }
  // Manifests below this may be deleted: the one in force and all that came
  // after it stay, since a failed start may have made one current. (mutex)
  uint64_t MinManifestToKeep() const;
  // The manifest that is being started, whose MANIFEST and dbtmp files are in
  // use; 0 = none. (mutex)
  uint64_t pending_manifest_number() const { return pending_manifest_; }
  // Follows SetDBOptions(). (mutex)
  void SetManifestLimits(const ManifestLimits& limits) { limits_ = limits; }
  uint64_t ManifestSizeBytes() const;
  // The manifest up to the edit that made the versions that are current: one
  // that is being written, or was written last, may not be installed yet.
  InstalledManifest installed_manifest() const;  // (mutex)
  uint64_t min_log_number_to_keep() const { return min_log_to_keep_; }
  // The smallest WAL that any family needs, or that is held (mutex).
  uint64_t MinLogNumberNeeded() const;
  // This WAL and newer ones are kept, whatever edits say (mutex).
  void HoldLogs(uint64_t min_log) { held_log_ = min_log; }
  // UINT64_MAX: none is held.
  uint64_t held_log() const { return held_log_; }
  const std::string& db_id() const { return db_id_; }
  void set_db_id(std::string id) { db_id_ = std::move(id); }
  size_t live_version_count() const;
  const std::map<uint64_t, uint64_t>& tracked_wals() const {
    return tracked_wals_.synced_sizes();
  }
  // Numbers of the files in any version that something still references.
  void AddLiveFiles(std::vector<uint64_t>* numbers) const;  // (mutex)

  // Bytes of the blob files in any version of the family that something still
  // references. (mutex)
  uint64_t TotalBlobBytes(const ColumnFamilyData& cfd) const;
  // The same of table files. (mutex)
  uint64_t TotalTableBytes(const ColumnFamilyData& cfd) const;

  // Reads the manifest back; where it is damaged, what it is to hold goes to a
  // new one. Nobody else may be in a call.
  Status VerifyManifest(FSDirectory* directory);
  Status Close();

 private:
  // A version in the making, and what it follows.
  struct NextVersion {
    ColumnFamilyData* cfd = nullptr;
    VersionRef base;
    VersionRef version;
    std::unique_ptr<VersionBuilder> builder;
  };
  // A file that the manifest has just taken in.
  struct AddedFile {
    ColumnFamilyData* cfd = nullptr;
    std::shared_ptr<const MutableCFOptions> options;
    int level = 0;
    FileRef file;
  };
  // What is written and installed without the mutex.
  struct Work {
    std::vector<NextVersion> versions;
    std::vector<AddedFile> added;
    uint64_t new_manifest = 0;      // 0: the one in force goes on
    std::vector<VersionEdit> head;  // of the new manifest
    size_t preallocation_bytes = 0;
    TrackedWals wals;  // as they are afterwards
  };

  ManifestWriter* manifest(FSDirectory* directory);
  VersionRef NewVersion(ColumnFamilyData* cfd);
  ColumnFamilyRef NewFamily(uint32_t id, const std::string& name,
                            const ColumnFamilyOptions& sanitized);
  void AdoptFiles(ColumnFamilyData* cfd, const VersionStorage& storage);
  void Install(ColumnFamilyData* cfd, VersionRef version);
  void KeepInDoubt(std::vector<NextVersion>* versions);
  uint64_t NowSeconds() const;
  std::vector<VersionEdit> HeadEdits() const;
  VersionEdit FamilyState(const ColumnFamilyData& cfd) const;
  // Logs that the edits make unneeded are not to be missed at the next open.
  bool ForgetLogs(const std::vector<Change>& changes, VersionEdit* edit) const;
  Status WriteAndInstall(const std::vector<Change>& changes,
                         FSDirectory* directory);
  Status Prepare(const std::vector<Change>& changes, Work* work);
  std::vector<NextVersion> NextVersions(const std::vector<Change>& changes);
  static Status BuildVersions(const std::vector<Change>& changes,
                              std::vector<NextVersion>* versions);
  Status Write(const std::vector<Change>& changes, const Work& work);
  void CompleteEdits(const std::vector<Change>& changes, bool is_new_manifest);
  static std::vector<AddedFile> AddedFiles(const std::vector<Change>& changes);
  static void LoadFigures(const std::vector<AddedFile>& added);
  static void KeepHistoryAscending(const std::vector<Change>& changes);
  void NoteInstalled(const Change& change);
  Status PassFilesThere(const std::vector<ColumnFamilyDescriptor>& descriptors);
  Status ReplayBestEfforts(
      const std::vector<ColumnFamilyDescriptor>& descriptors,
      ManifestReplay* replay);
  FilesThere WhatIsThere(
      const std::vector<ColumnFamilyDescriptor>& descriptors) const;
  Status RecoverFamily(uint32_t id, ReplayedFamily* replayed,
                       const ColumnFamilyDescriptor& descriptor);
  // Makes what the manifest says of a family fit its comparator; Corruption
  // where it cannot.
  static Status FitTimestamps(const ColumnFamilyData& cfd,
                              const std::vector<std::vector<FileRef>>& levels,
                              ReplayedFamily* replayed);
  static void ChangeTimestamps(const ColumnFamilyData& cfd,
                               const std::vector<std::vector<FileRef>>& levels,
                               ReplayedFamily* family);
  Status LoadRecoveredFiles(ColumnFamilyData* cfd);
  Status CheckRecoveredBlobs(ColumnFamilyData* cfd);

  Context context_;
  ColumnFamilySet families_;
  std::unique_ptr<ManifestWriter> manifest_;
  ManifestLimits limits_;
  uint64_t pending_manifest_ = 0;
  std::atomic<uint64_t> next_file_number_{2};
  std::atomic<SequenceNumber> last_sequence_{0};
  uint64_t min_log_to_keep_ = 0;
  uint64_t held_log_ = UINT64_MAX;  // UINT64_MAX: none is held
  uint64_t recovered_manifest_number_ = 0;
  std::string db_id_;
  TrackedWals tracked_wals_;
  std::vector<ColumnFamilyDescriptor> missing_families_;
  uint64_t next_version_number_ = 1;
  std::vector<std::weak_ptr<Version>> versions_;
  // Of edits whose write failed: no version of the database, but the manifest
  // may name their files.
  std::vector<std::pair<ColumnFamilyRef, VersionRef>> in_doubt_;
  bool manifest_busy_ = false;
  InstalledManifest installed_;
  std::unique_ptr<CondVar> manifest_idle_;
};

}  // namespace ROCKSDB_NAMESPACE

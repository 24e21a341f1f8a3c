// Reads a manifest from its first record to its last, and yields the state
// that it describes (db-format.md 5.3). Knows nothing of options or versions.
//
// Errors   Corruption with the manifest's path for a damaged record, an edit
//          that does not fit, or a missing counter. A truncated last record
//          and an incomplete last atomic group are dropped. Of the state that
//          a failed Run() leaves, nothing may be asked.
// Threads  One thread; a value afterwards.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "db/manifest/tracked_wals.h"
#include "db/version/version_builder.h"
#include "db/version/version_edit.h"
#include "rocksdb/file_system.h"

namespace ROCKSDB_NAMESPACE {

// Decodes a manifest, edit by edit, up to its end, `limit_bytes` or the first
// failure of `take`. A truncated last record is dropped; `*end_bytes` is where
// the one before ends.
Status ReadManifestEdits(FileSystem* fs, const std::string& path,
                         uint64_t limit_bytes, uint64_t* end_bytes,
                         const std::function<Status(VersionEdit)>& take);

// What a manifest says of a family.
struct ReplayedFamily {
  std::string name;
  std::string comparator_name;
  bool persists_timestamps = true;
  uint64_t log_number = 0;
  std::string full_history_ts_low;
  std::map<int, InternalKey> cursors;
  std::unique_ptr<VersionBuilder> builder;
  // Once it is taken over: a new manifest would say the same of it.
  bool is_as_written = false;
};

class ManifestReplay {
 public:
  using Family = ReplayedFamily;

  // Once, either of the two, or the three below. Follows CURRENT in `db_path`.
  Status Run(FileSystem* fs, const std::string& db_path);
  // Reads this one, or what it said when it was `limit_bytes` long.
  Status RunFile(FileSystem* fs, const std::string& path, uint64_t number,
                 uint64_t limit_bytes = UINT64_MAX);
  // Edits come from the caller.
  void Begin(uint64_t manifest_number);
  Status Take(VersionEdit edit);
  Status End(const std::string& path) const;
  // Like End(), for a caller that names the file itself.
  Status CheckComplete() const;

  uint64_t manifest_number() const { return manifest_number_; }
  // Bytes of the manifest that were read; 0: the caller gave the edits.
  uint64_t manifest_bytes() const { return manifest_bytes_; }
  // Counts the edits of an incomplete atomic group, too.
  uint64_t record_count() const { return record_count_; }
  // The manifest's size right after its head; 0: it does not say.
  uint64_t compacted_bytes() const { return compacted_bytes_; }
  // No atomic group is incomplete: another edit may follow.
  bool ends_with_whole_group() const { return group_.empty(); }
  // By id, ascending.
  std::map<uint32_t, Family>* families() { return &families_; }
  uint64_t next_file_number() const { return *next_file_number_; }
  SequenceNumber last_sequence() const { return *last_sequence_; }
  uint64_t min_log_number_to_keep() const { return min_log_to_keep_; }
  uint32_t max_column_family() const { return max_column_family_; }
  const std::string& db_id() const { return db_id_; }
  const TrackedWals& tracked_wals() const { return wals_; }

 private:
  Status Apply(const VersionEdit& edit);
  Status ApplyToFamily(const VersionEdit& edit);
  Status AddFamily(const VersionEdit& edit);
  void NoteCounters(const VersionEdit& edit);
  static Status InManifest(const Status& s, const std::string& path);

  uint64_t manifest_number_ = 0;
  uint64_t manifest_bytes_ = 0;
  uint64_t record_count_ = 0;
  uint64_t compacted_bytes_ = 0;
  std::map<uint32_t, Family> families_;
  std::optional<uint64_t> next_file_number_;
  std::optional<SequenceNumber> last_sequence_;
  bool has_log_number_ = false;
  uint64_t min_log_to_keep_ = 0;
  uint32_t max_column_family_ = 0;
  std::string db_id_;
  TrackedWals wals_;
  std::vector<VersionEdit> group_;  // edits of an incomplete atomic group
};

}  // namespace ROCKSDB_NAMESPACE

// A change of the version state: one record of the manifest.
//
// Contract   EncodeTo() writes what db-format.md 4.2 lists, in its order;
//            DecodeFrom() takes fields in any order, skips what the format
//            says to skip, and answers Corruption for anything else.
// Threads    A plain value.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "db/blob/blob_file.h"
#include "db/tables/file_meta.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {

struct WalAddition {
  uint64_t number = 0;
  std::optional<uint64_t> synced_size;
};

class VersionEdit {
 public:
  struct NewFile {
    int level = 0;
    FileRef file;
  };

  // Each field that is set is written. See db-format.md 4.2 for meanings.
  std::optional<std::string> db_id;
  std::optional<std::string> comparator_name;
  std::optional<uint64_t> log_number;
  std::optional<uint64_t> previous_log_number;
  std::optional<uint64_t> next_file_number;
  std::optional<uint32_t> max_column_family;
  std::optional<uint64_t> min_log_number_to_keep;
  std::optional<SequenceNumber> last_sequence;
  std::vector<std::pair<int, InternalKey>> compaction_cursors;
  std::set<std::pair<int, uint64_t>> deleted_files;  // (level, number)
  std::vector<NewFile> new_files;
  std::vector<BlobFileAddition> blob_additions;
  std::vector<BlobFileGarbage> blob_garbage;
  std::vector<WalAddition> wal_additions;
  std::optional<uint64_t> wals_deleted_before;
  uint32_t column_family = 0;
  std::optional<std::string> column_family_added;  // the name
  bool column_family_dropped = false;
  std::optional<uint32_t> remaining_in_group;  // atomic group
  std::optional<std::string> full_history_ts_low;
  std::optional<bool> persist_user_defined_timestamps;
  std::optional<uint64_t> manifest_compacted_size;

  void AddFile(int level, FileRef file) {
    new_files.push_back({level, std::move(file)});
  }
  void DeleteFile(int level, uint64_t number) {
    deleted_files.emplace(level, number);
  }
  bool IsColumnFamilyManipulation() const {
    return column_family_added.has_value() || column_family_dropped;
  }
  bool ChangesFiles() const {
    return !new_files.empty() || !deleted_files.empty() ||
           !blob_additions.empty() || !blob_garbage.empty();
  }
  // About logs and database-wide counters only (db-format.md 4.5).
  bool IsWalEdit() const {
    return !wal_additions.empty() || wals_deleted_before.has_value();
  }

  // Corruption if a file lacks what a reader needs (epoch, keys).
  Status EncodeTo(std::string* out) const;
  Status DecodeFrom(const Slice& record);

  std::string DebugString(bool hex) const;
};

}  // namespace ROCKSDB_NAMESPACE

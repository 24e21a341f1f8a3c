// What an examination of a database has found: its files, what is wrong with
// them, and what may be lost by a way out.
//
// Threads  Plain values.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "rocksdb/options.h"
#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/status.h"
#include "rocksdb/types.h"
#include "util/key/internal_key.h"

namespace ROCKSDB_NAMESPACE {

enum class Severity {
  kNote,    // good to know; nothing is to be done
  kDamage,  // the database does not open, or answers less than it should
};

// The part of a database that a finding is of: each part has its ways out.
enum class DamagedPart {
  kNone,
  kCurrent,
  kManifest,
  kOptions,
  kLog,
  kTable,
  kBlobFile,
  kBlobValue,  // a value that cannot be read, in a file without other trouble
};

struct Finding {
  Severity severity = Severity::kNote;
  DamagedPart part = DamagedPart::kNone;
  std::string path;
  std::string text;  // sentences
};

// Keys from `smallest` to `largest`, both included. Absent: all keys.
struct KeySpan {
  std::string smallest;
  std::string largest;
};

// A bound of what is lost: no write outside of it is lost.
struct Loss {
  std::string what;                   // a sentence for people
  std::optional<std::string> family;  // absent: any
  std::optional<KeySpan> keys;        // absent: any
  // The range of the lost writes. A table does not say which writes it holds:
  // for a table this is the whole range.
  SequenceNumber first_sequence = 0;
  SequenceNumber last_sequence = kMaxSequenceNumber;
};

struct WayOut {
  std::string name;
  std::vector<std::string> commands;  // in order, for a shell
  std::vector<Loss> losses;           // empty: nothing is lost
  std::string remark;
};

// The trouble of a file that is not there.
inline constexpr char kIsMissing[] = "It is missing";

// A file that the manifest lists.
struct ListedTable {
  uint64_t number = 0;
  std::string path;
  std::string family;
  int level = 0;
  uint64_t size_bytes = 0;
  uint64_t oldest_blob_file = 0;
  SequenceNumber largest_sequence = 0;
  KeySpan keys;
  std::string trouble;  // empty: none
};

struct ListedBlobFile {
  uint64_t number = 0;
  std::string path;
  std::string family;
  uint32_t family_id = 0;  // from the file's header
  uint64_t size_bytes = 0;
  uint64_t blob_count = 0;
  std::string trouble;
};

// An entry of a table whose value lies in a blob file and cannot be read.
struct BadValue {
  uint64_t file_number = 0;
  std::string family;
  std::string key;
  bool has_timestamp = false;
  SequenceNumber sequence = 0;
  // Empty: its blob file has trouble, which is told of the file.
  std::string reason;
};

// A place in a log where a record could not be read.
struct LogGap {
  uint64_t log_number = 0;
  std::string path;
  uint64_t offset = 0;  // the end of the last good record
  std::string reason;
  // The range of the writes that may be lost with the record.
  SequenceNumber first_sequence = 0;
  SequenceNumber last_sequence = kMaxSequenceNumber;
  // Nothing readable comes behind it, in this log or a later one: half a record
  // is what a crash leaves there.
  bool is_at_end = false;
  bool is_torn = false;  // half a record at the end of its log
};

struct LogHealth {
  std::vector<LogGap> gaps;
  // How many writes behind the first gap can be read.
  uint64_t writes_behind_first_gap = 0;
  uint64_t write_count = 0;
  // The sequence number of the first write, and the next one after the last
  // write; 0: there is no write.
  SequenceNumber first_sequence = 0;
  SequenceNumber next_sequence = 0;
  std::set<uint64_t> missing;  // that the manifest tracks
};

// A manifest that lies in the directory.
struct FoundManifest {
  uint64_t number = 0;
  std::string path;
  Status status;           // the result of reading it to its end
  uint64_t end_bytes = 0;  // the end of its last whole record
  uint64_t size_bytes = 0;
};

struct Health {
  std::string db_path;
  std::vector<Finding> findings;

  Status current;  // OK: CURRENT names a manifest that exists
  uint64_t current_manifest = 0;
  std::vector<FoundManifest> manifests;  // ascending
  // The lists below come from this one; 0: none can be read.
  uint64_t manifest_read = 0;

  std::vector<ListedTable> tables;
  std::vector<ListedBlobFile> blobs;
  // Some, and how many there are.
  std::vector<BadValue> bad_values;
  uint64_t bad_value_count = 0;
  // The one in force ends inside a record.
  bool has_cut_manifest = false;
  // Tables that no list has, and what is wrong with them.
  std::map<uint64_t, std::string> unlisted_tables;
  // One of those holds writes that neither the manifest nor a log has.
  bool has_newer_unlisted = false;
  SequenceNumber last_sequence = 0;
  // The first log that each family needs, by name.
  std::map<std::string, uint64_t> first_logs;

  Status options;
  std::string options_path;  // empty: there is none
  WALRecoveryMode recovery_mode = WALRecoveryMode::kPointInTimeRecovery;
  LogHealth logs;
  std::string lock_owner;  // empty: nobody has the lock

  bool IsDamaged() const {
    for (const Finding& finding : findings) {
      if (finding.severity == Severity::kDamage) return true;
    }
    return false;
  }
  bool IsDamaged(DamagedPart part) const {
    for (const Finding& finding : findings) {
      if (finding.severity == Severity::kDamage && finding.part == part) {
        return true;
      }
    }
    return false;
  }
};

// The key as text for messages: in quotes, or in hex if it is no ASCII text.
std::string ShownKey(const std::string& key);
std::string ShownSpan(const KeySpan& keys);

}  // namespace ROCKSDB_NAMESPACE

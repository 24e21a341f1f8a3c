// What a worker of a remote compaction has finished, on record in the directory
// of its outputs (COMPACTION_PROGRESS-T, db-format.md 4.4): one that was
// stopped is gone on with from there (OpenAndCompactOptions::allow_resumption).
//
// Beside the fields of the format a file says which request it is of and what
// was counted so far, in fields that other readers skip.
//
// Contract   Load(), Begin() with those records that are still good, then Add()
//            for what is finished later. A record counts only with all those
//            before it.
// Threads    One thread at a time.
// Ownership  Borrows what its context points to.
// Errors     A record that is damaged, or of another request, is as none. One
//            that cannot be written is logged: its outputs are made again.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "db/semantics/compaction_iterator_stats.h"
#include "db/tables/file_meta.h"
#include "rocksdb/file_system.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {

class Logger;
class SystemClock;

namespace log {
class Writer;
}

// What is counted of all that lies before a record's end.
struct CompactionCounts {
  CompactionIteratorStats records;
  uint64_t dropped_tombstones = 0;
  uint64_t cpu_micros = 0;

  void Add(const CompactionCounts& other);
};

struct CompactionProgressRecord {
  // Finished since the record before, in order of keys.
  std::vector<FileRef> files;
  // The rest begins before all versions of this key; none: nothing is left.
  std::optional<InternalKey> next;
  CompactionCounts counts;
  uint64_t output_records = 0;  // so far, too

  Status EncodeTo(std::string* out) const;
  // Corruption; NotSupported: by a later release.
  Status DecodeFrom(Slice bytes);
  // The same, also of another engine's, which has fewer fields, and may have
  // written to two levels: the files of the output level come first then.
  Status DecodeAnyFrom(Slice bytes);

 private:
  enum class Writer { kThisEngine, kAnyEngine };
  // *is_whole: it has all that this engine writes.
  Status DecodeFields(Slice bytes, Writer writer, bool* is_whole);
};

class CompactionProgressFile {
 public:
  struct Context {
    FileSystem* fs = nullptr;
    SystemClock* clock = nullptr;
    Logger* logger = nullptr;
    FSDirectory* directory = nullptr;  // the outputs' directory
    std::string path;                  // its path
    std::string request;               // the encoded request for the outputs
  };
  explicit CompactionProgressFile(Context context);
  ~CompactionProgressFile();
  CompactionProgressFile(const CompactionProgressFile&) = delete;
  CompactionProgressFile& operator=(const CompactionProgressFile&) = delete;

  // The records of the newest file.
  Status Load(std::vector<CompactionProgressRecord>* records);
  // Begins a file of `records`, and deletes what else earlier ones have left:
  // their files, and tables that none of `records` has.
  Status Begin(const std::vector<CompactionProgressRecord>& records);
  // Durable when it returns.
  void Add(const CompactionProgressRecord& record);
  // Is a table there that Add() or Begin() has put on record?
  bool Has(uint64_t number) const { return tables_.count(number) > 0; }
  // No record counts any more: what they have is not to be trusted.
  void Forget();

  // All records of a file, of whatever request, by whichever engine; on failure
  // those before it.
  static Status Inspect(FileSystem* fs, const std::string& path,
                        std::vector<CompactionProgressRecord>* records);

  // For a compaction that begins anew: what is on record is about to be
  // overwritten.
  static Status RemoveAll(FileSystem* fs, const std::string& path);

 private:
  struct Listing {
    std::vector<std::string> records;  // names of progress files
    std::vector<uint64_t> tables;
    uint64_t newest = 0;  // the time in the name of one; 0: there is none
  };
  static Status List(FileSystem* fs, const std::string& path, Listing* found);
  Status Read(const std::string& path,
              std::vector<CompactionProgressRecord>* records) const;
  Status Write(const std::vector<CompactionProgressRecord>& records,
               const std::string& temporary);
  Status Append(const CompactionProgressRecord& record);
  void Stop(const Status& why);

  const Context context_;
  Listing earlier_;
  std::string name_;                     // the current file's name; empty: none
  std::unique_ptr<log::Writer> writer_;  // null: nothing is recorded
  std::set<uint64_t> tables_;
};

}  // namespace ROCKSDB_NAMESPACE

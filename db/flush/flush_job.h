// Writes sealed memtables of one family to a level-0 table file.
//
// Contract   Run() is called without the mutex, Install() with it (released
//            around I/O). On failure the memtables wait again, the output is
//            deleted, and nothing is lost. An empty result (everything
//            deleted by itself) makes no file, and the memtables still go.
// Threads    One thread.
#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "db/family/column_family.h"
#include "db/family/memtable_list.h"
#include "db/outputs/job_context.h"
#include "db/outputs/level_work.h"
#include "db/version/version_edit.h"
#include "rocksdb/listener.h"

namespace ROCKSDB_NAMESPACE {

class BlobFlow;

class FlushJob {
 public:
  struct Request {
    MemTableVector memtables;  // oldest first, from MemTableList::PickForFlush
    FlushReason reason = FlushReason::kOthers;
    // For the edit: WALs below this hold nothing more of the family.
    uint64_t log_number = 0;
  };
  FlushJob(JobContext context, Request request);
  ~FlushJob();

  Status Run();
  // Logs the edit and drops the memtables, or rolls back. (mutex)
  // `min_log_to_keep`: the database-wide minimum that the edit records.
  Status Install(const Status& run_status,
                 std::optional<uint64_t> min_log_to_keep);

  // What the database-wide step records beside the files of the jobs.
  struct Group {
    std::optional<uint64_t> min_log_to_keep;
    // Families without data: WALs below the number hold nothing of them.
    std::vector<std::pair<ColumnFamilyRef, uint64_t>> log_numbers;
  };
  // Flushes of several families as one step of the manifest: all memtables go,
  // or all wait again, except that a family dropped meanwhile is left out.
  // Every job has run. (mutex)
  static Status InstallTogether(const std::vector<FlushJob*>& jobs,
                                const Status& run_status, const Group& group);

  // The file that was made; null if none.
  const FileRef& file() const;
  uint64_t log_number() const;  // the request's
  uint64_t newest_memtable_id() const;
  uint64_t bytes_written() const;
  // The bytes of keys and values in the file, before compression.
  uint64_t payload_bytes() const;
  // The entries of the memtables.
  uint64_t entry_count() const;
  uint64_t micros() const;
  uint64_t cpu_micros() const;
  void FillInfo(FlushJobInfo* info) const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

// The edit lists a blob file that memtables refer to, complete, and as its
// garbage what no table refers to any more. One that is all garbage is left
// over.
void AddSealedBlobFile(const BlobFileAddition& file, const BlobFlow& flow,
                       VersionEdit* edit);

struct RecoveredFlush {
  uint64_t epoch = 0;
  // Is told of the blobs that the memtable and its table refer to; may be null.
  BlobFlow* blob_flow = nullptr;
};

// Recovery's flush: one memtable to a level-0 file, recorded in *edit, which
// the caller logs; *work is what that took. Makes no file, and leaves *work as
// it is, if nothing is left. (no mutex)
Status WriteRecoveredMemTable(const JobContext& context, MemTable* memtable,
                              const RecoveredFlush& flush, VersionEdit* edit,
                              LevelWork* work);

}  // namespace ROCKSDB_NAMESPACE

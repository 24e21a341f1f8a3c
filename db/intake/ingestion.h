// Table files that others have made: they are checked and copied while writes
// go on, and get their places and sequences in the turn of a write.
//
// Threads    Any, without the DB mutex.
// Ownership  Borrows what it is given.
// Errors     On a failure nothing has come, and what was copied is deleted;
//            but where the manifest may name it, it stays.
#pragma once

#include <memory>
#include <vector>

#include "db/jobs/edit_context.h"
#include "rocksdb/db.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

class ColumnFamilyData;
class FlushRequests;
class IngestJob;
class JobContexts;
class LevelPlacing;
class LogKeeper;
class ReadPort;
class WalLock;
class WriteThread;
struct Compaction;
struct ImmutableDBOptions;
struct PreparedFileInfo;

class Ingestion {
 public:
  struct Context : EditContext {
    DB* handed_out = nullptr;  // what listeners are handed; owns the handles
    const ImmutableDBOptions* db = nullptr;
    LevelPlacing* placing PT_GUARDED_BY(mutex) = nullptr;
    WriteThread* writes = nullptr;
    WalLock* wal_lock = nullptr;
    LogKeeper* logs = nullptr;
    FlushRequests* flush_requests = nullptr;
    ReadPort* reads = nullptr;
    JobContexts* jobs = nullptr;
  };
  explicit Ingestion(const Context& context);
  Ingestion(const Ingestion&) = delete;
  Ingestion& operator=(const Ingestion&) = delete;

  Status Ingest(const std::vector<IngestExternalFileArg>& args)
      EXCLUDES(context_.mutex);

  // The same in two steps (prepared_ingestion.cc). Handles of one commit are of
  // this object and of different families.
  using Handle = std::unique_ptr<FileIngestionHandle>;
  Status PrepareHandle(const std::vector<IngestExternalFileArg>& args,
                       Handle* handle) EXCLUDES(context_.mutex);
  Status CommitHandles(const std::vector<Handle>& handles)
      EXCLUDES(context_.mutex);

  // Opens the file in the order of a family that it is in.
  Status Learn(const std::string& path,
               std::shared_ptr<const PreparedFileInfo>* result)
      EXCLUDES(context_.mutex);

 private:
  class Prepared;
  using Jobs = std::vector<std::unique_ptr<IngestJob>>;
  using Claims = std::vector<std::unique_ptr<Compaction>>;

  Status Prepare(const std::vector<IngestExternalFileArg>& args, Jobs* jobs)
      EXCLUDES(context_.mutex);
  Status Commit(const Jobs& jobs) EXCLUDES(context_.mutex);
  Status MakeJobs(const std::vector<IngestExternalFileArg>& args, Jobs* jobs)
      EXCLUDES(context_.mutex);
  // Before its turn, while writes go on.
  Status FlushEarly(const Jobs& jobs) EXCLUDES(context_.mutex);
  // The families whose memtables hold keys of the files. InvalidArgument if
  // such a one must not be flushed.
  Status FamiliesToFlush(const Jobs& jobs,
                         std::vector<ColumnFamilyData*>* families)
      REQUIRES(context_.mutex);
  // The leader of the write thread does this.
  Status Install(const Jobs& jobs, bool* is_unknown) EXCLUDES(context_.mutex);
  Status FlushInTurn(const Jobs& jobs) REQUIRES(context_.mutex);
  Status ClearRanges(const Jobs& jobs) REQUIRES(context_.mutex);
  Status Assign(const Jobs& jobs, Claims* claims) REQUIRES(context_.mutex);
  // Are there moments that somebody reads at, or looks back to?
  bool HasSnapshots() const REQUIRES(context_.mutex);
  Status Seal(const Jobs& jobs) REQUIRES(context_.mutex);
  Status SealFiles(const Jobs& jobs) REQUIRES(context_.mutex);
  Status HideFromSnapshots(const Jobs& jobs) REQUIRES(context_.mutex);
  Status Log(const Jobs& jobs, bool* is_unknown) REQUIRES(context_.mutex);
  void Tell(const Jobs& jobs) const;

  const Context context_;
};

}  // namespace ROCKSDB_NAMESPACE

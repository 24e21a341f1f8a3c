// The way of a write: one leader at a time sees to what is due, logs and
// inserts for its group, and makes it visible.
//
// Threads    Any; they line up. Marked (mutex): under the DB mutex. Marked
//            (turn): by the leader of all writes.
// Ownership  Borrows what it is given.
// Errors     What is logged and not inserted is told to JobErrors: nothing may
//            be written on top of it.
#pragma once

#include <utility>

#include "db/write/write_thread.h"
#include "rocksdb/options.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

class ColumnFamilyData;
class ColumnFamilyMemTables;
class DatabaseStats;
class DirectBlobs;
class ErrorHandler;
class GroupLog;
class JobErrors;
class LeaderAttention;
class MemtableSwitch;
class OperationWatch;
class QueryTracer;
class SectionKeeper;
class StopSignals;
class VersionSet;
class WalLock;
class WriteBufferManager;
class WriteChecks;
class WriterStalls;
struct ImmutableDBOptions;
struct RangeTombstone;
struct SuperVersion;
struct WriteHooks;

class WritePipeline {
 public:
  struct Context {
    const ImmutableDBOptions* db = nullptr;
    Mutex* mutex = nullptr;
    const ErrorHandler* error PT_GUARDED_BY(mutex) = nullptr;
    WriteThread* writes = nullptr;
    VersionSet* versions = nullptr;
    const WriteChecks* checks = nullptr;
    GroupLog* log = nullptr;
    DirectBlobs* direct_blobs = nullptr;
    ColumnFamilyMemTables* targets = nullptr;
    MemtableSwitch* memtables = nullptr;
    WriterStalls* waits = nullptr;
    WalLock* wal_lock = nullptr;
    SectionKeeper* sections = nullptr;
    WriteBufferManager* memory = nullptr;
    LeaderAttention* attention = nullptr;
    DatabaseStats* counts = nullptr;
    QueryTracer* tracer = nullptr;
    const StopSignals* stop = nullptr;
    JobErrors* errors = nullptr;
  };
  explicit WritePipeline(const Context& context) : context_(context) {}
  WritePipeline(const WritePipeline&) = delete;
  WritePipeline& operator=(const WritePipeline&) = delete;

  // Its form was checked (WriteChecks::CheckForm()). `hooks`: null: none.
  Status Write(const WriteOptions& options, WriteBatch* batch,
               const WriteHooks* hooks) EXCLUDES(context_.mutex);
  // A batch that is made here, and needs no checks.
  Status WriteOwn(const WriteOptions& options, WriteBatch* batch,
                  const WriteHooks& hooks) EXCLUDES(context_.mutex);
  // The number of the log that is written now. (turn)
  uint64_t current_log_number() const;
  // What a leader sees to before it writes. (turn)
  Status Prepare(const WriteOptions& options) EXCLUDES(context_.mutex);

  // Every key of the range is dead in `state` (db/read/deletion_run.h): a
  // tombstone says so, if nothing speaks against it.
  void HideRange(ColumnFamilyData* cfd, const SuperVersion& state,
                 const RangeTombstone& dead) EXCLUDES(context_.mutex);

 private:
  Status CheckPolicy() const;
  Status SeeToWork(const WriteOptions& options, bool* carries)
      EXCLUDES(context_.mutex);
  Status CarrySections() EXCLUDES(context_.mutex);
  bool NeedsAttention() const;
  Status Lead(WriteThread::Writer* leader, OperationWatch* watch);
  WriteThread::Writer* WriteGroup(WriteThread::Group* group, Status s,
                                  OperationWatch* watch);
  void AskConditions(WriteThread::Group* group);
  static void TellVisible(const WriteThread::Group& group);
  WriteThread::Writer* ApplyGroup(WriteThread::Group* group, bool may_go_on);
  void InsertTurnOf(WriteThread::Group* first);
  void InsertOne(WriteThread::Writer* writer);
  void InsertGroup(WriteThread::Group* group);
  bool ResolvesMerges(const WriteThread::Group& group) const;
  bool MayHide(const ColumnFamilyData& cfd) const REQUIRES(context_.mutex);

  const Context context_;
};

}  // namespace ROCKSDB_NAMESPACE

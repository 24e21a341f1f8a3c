// Groups of writes on their way into the log, and the sequence numbers that
// they take.
//
// With two_write_queues a batch without updates (blobs for the log, markers)
// has a queue of its own: it needs no memtable, and does not wait for writes
// that do. Both queues append to one log, in turns; what a turn covers is the
// sequence that a record begins with, and the record.
//
// Threads    Marked (turn): by the leader of all writes. WriteAlone() any.
// Ownership  Borrows what it is given.
// Errors     A log that has failed is told to JobErrors: nothing is written
//            any more until that is mended.
#pragma once

#include <cstdint>
#include <vector>

#include "db/write/write_thread.h"
#include "rocksdb/write_batch.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

class CleanUp;
class DatabaseStats;
class ErrorHandler;
class FlushDesk;
class JobErrors;
class LeaderAttention;
class LogKeeper;
class QueryTracer;
class SectionKeeper;
class StopSignals;
class VersionSet;
class WalLock;
class WalManager;
struct ImmutableDBOptions;

class GroupLog {
 public:
  struct Context {
    const ImmutableDBOptions* db = nullptr;
    Mutex* mutex = nullptr;
    const ErrorHandler* error PT_GUARDED_BY(mutex) = nullptr;
    WriteThread* log_only = nullptr;
    VersionSet* versions = nullptr;
    LogKeeper* logs = nullptr;
    WalLock* wal_lock = nullptr;
    FlushDesk* flushes = nullptr;
    SectionKeeper* sections = nullptr;
    CleanUp* clean_up = nullptr;
    LeaderAttention* attention = nullptr;
    DatabaseStats* counts = nullptr;
    QueryTracer* tracer = nullptr;
    const StopSignals* stop = nullptr;
    JobErrors* errors = nullptr;
  };
  explicit GroupLog(const Context& context);
  GroupLog(const GroupLog&) = delete;
  GroupLog& operator=(const GroupLog&) = delete;

  struct SequenceSpan {
    SequenceNumber first = 0;
    SequenceNumber next = 0;  // behind the last
  };

  // --- (turn)
  // The next group's first sequence: groups that are on their way have theirs.
  SequenceNumber NextSequence() const;
  // The number of the log that is written now. (turn)
  uint64_t current_number() const;
  // The last one given to a write.
  SequenceNumber allocated_sequence() const { return allocated_sequence_; }
  Status Append(WriteThread::Group* group, const SequenceSpan& sequences);
  // Without a log: what a batch takes that comes as memtables of its own.
  void Allocate(SequenceNumber last);
  // Records that take no sequences, synced.
  Status AppendCarried(std::vector<WriteBatch>* records)
      EXCLUDES(context_.mutex);

  // --- the queue for the log alone
  // Whether the write may use it: a condition is asked in the order of the
  // writes that it looks at, and a section is ended in that of the memtables.
  static bool IsForLogOnly(const WriteThread::Writer& writer);
  Status WriteAlone(WriteThread::Writer* writer) EXCLUDES(context_.mutex);

 private:
  Status AppendRecord(const WriteThread::Group& group,
                      const WriteBatch& record);
  void NoteLogged(const WriteThread::Group& group, const Status& s)
      EXCLUDES(context_.mutex);
  Status PrepareAlone(const WriteOptions& options) EXCLUDES(context_.mutex);
  Status AppendAlone(WriteThread::Group* group) EXCLUDES(context_.mutex);

  const Context context_;
  WalManager* const wal_;
  Mutex* const turn_;          // null: there is one queue
  WriteBatch group_batch_;     // the write leader's
  WriteBatch log_only_batch_;  // that of the other queue's leader
  // The write leader's, who changes it in its turn.
  SequenceNumber allocated_sequence_ = 0;
};

}  // namespace ROCKSDB_NAMESPACE

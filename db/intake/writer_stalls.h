// How long writers wait until memory or background work has made room.
//
// Threads    WaitAtLowPriority() any. The rest (mutex): by the write leader,
//            under the DB mutex, which is given back while it waits.
// Ownership  Borrows what it is given.
// Errors     Incomplete for writers that must not wait, ShutdownInProgress, and
//            the background error that stops writes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "db/write/write_thread.h"
#include "rocksdb/options.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

class ChangeSignal;
class DatabaseStats;
class ErrorHandler;
class FlushDesk;
class LeaderAttention;
class MemtableSwitch;
class RateLimiter;
class StopSignals;
class WriteController;
class WriteMemory;
struct ImmutableDBOptions;

class WriterStalls {
 public:
  struct Context {
    const ImmutableDBOptions* db = nullptr;
    Mutex* mutex = nullptr;
    const ErrorHandler* errors PT_GUARDED_BY(mutex) = nullptr;
    WriteThread* writes = nullptr;
    WriteController* controller = nullptr;
    WriteMemory* memory = nullptr;
    MemtableSwitch* memtables = nullptr;
    FlushDesk* flushes = nullptr;
    LeaderAttention* attention = nullptr;
    DatabaseStats* counts = nullptr;
    ChangeSignal* changes = nullptr;
    const StopSignals* stop = nullptr;
  };
  explicit WriterStalls(const Context& context);
  ~WriterStalls();
  WriterStalls(const WriterStalls&) = delete;
  WriterStalls& operator=(const WriterStalls&) = delete;

  // While compactions are behind, what can wait does: the rest of the writers
  // are to have what the device can take.
  Status WaitAtLowPriority(const WriteOptions& options, size_t bytes)
      EXCLUDES(context_.mutex);

  // --- (mutex)
  // Stopped: until background work has made room. Delayed: as long as what the
  // group before wrote costs at the delayed rate; who joins this one is not
  // known yet.
  Status WaitForWork(const WriteOptions& options);
  // What is above the limit is being flushed, here or in another database.
  Status WaitForMemory(const WriteOptions& options);

  // So much was written by a group; by its leader.
  void NoteWritten(size_t bytes) { uncharged_bytes_ = bytes; }

 private:
  // Why the leader must not wait, or not any longer, if anything.
  Status CheckWait(const WriteOptions& options) const REQUIRES(context_.mutex);
  void Count(uint64_t micros) const;

  const Context context_;
  // What the group before wrote, until it is charged; the write leader's.
  size_t uncharged_bytes_ = 0;
  std::shared_ptr<RateLimiter> low_priority_limiter_ GUARDED_BY(context_.mutex);
};

}  // namespace ROCKSDB_NAMESPACE

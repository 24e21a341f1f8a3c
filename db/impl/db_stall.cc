// DBImpl: writers that wait until memory or background work has made room.
#include <optional>
#include <utility>

#include "db/impl/db_impl.h"
#include "db/jobs/flush_desk.h"
#include "db/observe/database_stats.h"
#include "db/write/write_memory.h"
#include "monitoring/perf_context_imp.h"
#include "monitoring/statistics_impl.h"
#include "rocksdb/system_clock.h"
#include "util/invariant.h"
#include "util/monotonic.h"

namespace ROCKSDB_NAMESPACE {

// What is above the limit is being flushed, here or in another database.
Status DBImpl::WaitForWriteMemory(const WriteOptions& options) {
  std::optional<WriteThread::Stall> stall;
  const uint64_t begin = MonotonicMicros(options_.clock);
  while (memory_->manager()->ShouldStall()) {
    memory_->DropSpare();
    if (options.no_slowdown) return Status::Incomplete("Write stall");
    if (stop_.IsShuttingDown()) return Status::ShutdownInProgress();
    if (errors_.BlocksWrites()) return errors_.error();
    if (!stall) {
      stall.emplace(&write_thread_);
      database_stats_->AddBufferManagerStop();
    }
    // Flushes may have been put off while there were others to drop.
    MarkForBufferManager();
    if (Status s = SwitchMarkedMemTables(); !s.ok()) return s;
    flushes_->QueueAllRetained(FlushReason::kWriteBufferManager);
    mutex_.Unlock();
    memory_->PrepareToWait();
    // An error or a close from before the call above has signalled too early.
    mutex_.Lock();
    if (stop_.IsShuttingDown() || errors_.BlocksWrites()) memory_->EndWait();
    mutex_.Unlock();
    memory_->Wait();
    mutex_.Lock();
  }
  if (stall) CountStall(MonotonicMicros(options_.clock) - begin);
  return Status::OK();
}

void DBImpl::CountStall(uint64_t micros) const {
  RecordTick(options_.stats, STALL_MICROS, micros);
  database_stats_->AddStall(micros);
  PERF_COUNTER_ADD(write_delay_time, micros * 1000);
  RecordInHistogram(options_.stats, WRITE_STALL, micros);
}

// Stopped: until background work has made room. Delayed: as long as what the
// group before wrote costs at the delayed rate; who joins this one is not known
// yet.
Status DBImpl::WaitOutStall(const WriteOptions& options) {
  INVARIANT(options_.clock != nullptr);
  SystemClock* const clock = options_.clock;
  const uint64_t begin = MonotonicMicros(clock);
  uint64_t now = begin;
  const uint64_t until = begin + write_controller_.ChargeDelay(
                                     std::exchange(uncharged_bytes_, 0), begin);
  if (write_controller_.delayed_rate() > 0) attention_.Ask();
  std::optional<WriteThread::Stall> stall;
  // A slowdown that ends meanwhile ends the wait.
  while (write_controller_.IsStopped() ||
         (write_controller_.delayed_rate() > 0 && now < until)) {
    attention_.Ask();
    if (options.no_slowdown) return Status::Incomplete("Write stall");
    if (stop_.IsShuttingDown()) return Status::ShutdownInProgress();
    if (errors_.BlocksWrites()) return errors_.error();
    if (!stall) stall.emplace(&write_thread_);
    if (write_controller_.IsStopped()) {
      changes_.AwaitForUser();
    } else {
      changes_.AwaitFor(until - now);
    }
    now = MonotonicMicros(clock);
  }
  if (stall) CountStall(now - begin);
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE

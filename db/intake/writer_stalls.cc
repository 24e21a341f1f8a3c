#include "db/intake/writer_stalls.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "db/background/error_handler.h"
#include "db/background/stop_signals.h"
#include "db/intake/memtable_switch.h"
#include "db/jobs/flush_desk.h"
#include "db/observe/database_stats.h"
#include "db/registry/change_signal.h"
#include "db/write/leader_attention.h"
#include "db/write/write_controller.h"
#include "db/write/write_memory.h"
#include "monitoring/perf_context_imp.h"
#include "monitoring/statistics_impl.h"
#include "options/db_options.h"
#include "rocksdb/rate_limiter.h"
#include "rocksdb/system_clock.h"
#include "util/invariant.h"
#include "util/monotonic.h"

namespace ROCKSDB_NAMESPACE {

WriterStalls::WriterStalls(const Context& context) : context_(context) {
  INVARIANT(context_.controller != nullptr);
  INVARIANT(context_.memtables != nullptr);
}

WriterStalls::~WriterStalls() = default;

Status WriterStalls::WaitAtLowPriority(const WriteOptions& options,
                                       size_t bytes) {
  if (context_.controller->condition() == WriteStallCondition::kNormal) {
    return Status::OK();
  }
  if (options.no_slowdown) {
    return Status::Incomplete("Low priority write stall");
  }
  constexpr int64_t kBytesPerSecond = 1 << 20;
  std::shared_ptr<RateLimiter> limiter;
  {
    MutexLock lock(context_.mutex);
    if (low_priority_limiter_ == nullptr) {
      low_priority_limiter_.reset(NewGenericRateLimiter(kBytesPerSecond));
    }
    limiter = low_priority_limiter_;
  }
  const int64_t most = limiter->GetSingleBurstBytes();
  for (auto left = static_cast<int64_t>(bytes); left > 0; left -= most) {
    limiter->Request(std::min(left, most), Env::IO_HIGH, nullptr,
                     RateLimiter::OpType::kWrite);
  }
  return Status::OK();
}

Status WriterStalls::CheckWait(const WriteOptions& options) const {
  if (options.no_slowdown) return Status::Incomplete("Write stall");
  if (context_.stop->IsShuttingDown()) return Status::ShutdownInProgress();
  return context_.errors->BlocksWrites() ? context_.errors->error()
                                         : Status::OK();
}

Status WriterStalls::WaitForMemory(const WriteOptions& options) {
  context_.mutex->AssertHeld();
  WriteMemory& memory = *context_.memory;
  std::optional<WriteThread::Stall> stall;
  const uint64_t begin = MonotonicMicros(context_.db->clock);
  Status s;
  while (memory.manager()->ShouldStall()) {
    memory.DropSpare();
    if (s = CheckWait(options); !s.ok()) break;
    if (!stall) {
      stall.emplace(context_.writes);
      context_.counts->AddBufferManagerStop();
    }
    // Flushes may have been put off while there were others to drop.
    context_.memtables->MarkForMemory();
    if (s = context_.memtables->SealMarked(); !s.ok()) break;
    context_.flushes->QueueAllRetained(FlushReason::kWriteBufferManager);
    context_.mutex->Unlock();
    memory.PrepareToWait();
    // An error or a close from before the call above has signalled too early.
    context_.mutex->Lock();
    if (context_.stop->IsShuttingDown() || context_.errors->BlocksWrites()) {
      memory.EndWait();
    }
    context_.mutex->Unlock();
    memory.Wait();
    context_.mutex->Lock();
  }
  if (stall) Count(MonotonicMicros(context_.db->clock) - begin);
  return s;
}

void WriterStalls::Count(uint64_t micros) const {
  RecordTick(context_.db->stats, STALL_MICROS, micros);
  context_.counts->AddStall(micros);
  PERF_COUNTER_ADD(write_delay_time, micros * 1000);
  RecordInHistogram(context_.db->stats, WRITE_STALL, micros);
}

Status WriterStalls::WaitForWork(const WriteOptions& options) {
  context_.mutex->AssertHeld();
  SystemClock* const clock = context_.db->clock;
  INVARIANT(clock != nullptr);
  WriteController& controller = *context_.controller;
  const uint64_t begin = MonotonicMicros(clock);
  uint64_t now = begin;
  const uint64_t until =
      begin + controller.ChargeDelay(std::exchange(uncharged_bytes_, 0), begin);
  if (controller.delayed_rate() > 0) context_.attention->Ask();
  std::optional<WriteThread::Stall> stall;
  Status s;
  // A slowdown that ends meanwhile ends the wait.
  while (controller.IsStopped() ||
         (controller.delayed_rate() > 0 && now < until)) {
    context_.attention->Ask();
    if (s = CheckWait(options); !s.ok()) break;
    if (!stall) stall.emplace(context_.writes);
    if (controller.IsStopped()) {
      context_.changes->AwaitForUser();
    } else {
      context_.changes->AwaitFor(until - now);
    }
    now = MonotonicMicros(clock);
  }
  if (stall) Count(now - begin);
  return s;
}

}  // namespace ROCKSDB_NAMESPACE

// DBImpl: writers that wait until memory or background work has made room.
#include <optional>
#include <utility>

#include "db/family/write_stall.h"
#include "db/impl/db_impl.h"
#include "db/observe/database_stats.h"
#include "db/write/ingest_rate.h"
#include "db/write/write_memory_stall.h"
#include "file/io_governor.h"
#include "monitoring/perf_context_imp.h"
#include "monitoring/statistics_impl.h"
#include "rocksdb/system_clock.h"
#include "util/invariant.h"
#include "util/monotonic.h"

namespace ROCKSDB_NAMESPACE {

// What is above the limit is being flushed, here or in another database.
Status DBImpl::WaitForWriteMemory(const WriteOptions& options) {
  INVARIANT(memory_stall_ != nullptr);
  std::optional<WriteThread::Stall> stall;
  const uint64_t begin = MonotonicMicros(options_.clock);
  while (write_buffer_manager_->ShouldStall()) {
    DropSpareMemory();
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
    FlushAllRetained(FlushReason::kWriteBufferManager);
    memory_stall_->Prepare();
    mutex_.Unlock();
    // References that only wait to be freed may be all that is too much.
    FreeGarbage();
    write_buffer_manager_->BeginWriteStall(memory_stall_.get());
    // An error or a close from before the call above has signalled too early.
    mutex_.Lock();
    if (stop_.IsShuttingDown() || errors_.BlocksWrites()) EndMemoryStall();
    mutex_.Unlock();
    memory_stall_->Block();
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

void DBImpl::EndMemoryStall() {
  write_buffer_manager_->RemoveDBFromQueue(memory_stall_.get());
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
  if (write_controller_.delayed_rate() > 0) SetAttention();
  std::optional<WriteThread::Stall> stall;
  // A slowdown that ends meanwhile ends the wait.
  while (write_controller_.IsStopped() ||
         (write_controller_.delayed_rate() > 0 && now < until)) {
    SetAttention();
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

StallInput DBImpl::StallOf(ColumnFamilyData* cfd) const {
  INVARIANT(cfd != nullptr);
  StallInput input;
  input.immutable_memtable_count = static_cast<int>(cfd->imm()->size());
  input.memtables_to_merge = cfd->ioptions().min_write_buffer_number_to_merge;
  input.level0_file_count = cfd->current()->storage().Level0StallCount();
  input.pending_compaction_bytes =
      cfd->current()->storage().PendingCompactionBytes();
  INVARIANT(input.immutable_memtable_count >= 0);
  INVARIANT(input.level0_file_count >= 0);
  return input;
}

void DBImpl::UpdateStall(Family* family) {
  INVARIANT(family != nullptr);
  ColumnFamilyData* cfd = family->cfd.get();
  const StallDecision decision = DecideStall(StallOf(cfd), *cfd->options());
  const WriteStallCondition before = family->stall;
  family->stall = decision.condition;
  family->stall_debt = decision.debt;
  if (before != decision.condition) {
    if (decision.condition != WriteStallCondition::kNormal) {
      const auto& level0 = cfd->current()->storage().files(0);
      const bool compacts_level0 = std::any_of(
          level0.begin(), level0.end(),
          [](const FileRef& file) { return file->being_compacted; });
      family->stats.AddStall(decision.cause, decision.condition,
                             compacts_level0);
      ROCKSDB_NAMESPACE::Warn(
          options_.logger, "[%s] write stall: %s by %s", cfd->name().c_str(),
          decision.condition == WriteStallCondition::kStopped ? "stopped"
                                                              : "delayed",
          StallCauseName(decision.cause));
    }
    stall_changes_.push_back({cfd->name(), {decision.condition, before}});
  }
  UpdateWorstStall();
  INVARIANT(write_controller_.condition() != WriteStallCondition::kNormal ||
            family->stall == WriteStallCondition::kNormal);
}

// Writers wait for the family that is worst off.
void DBImpl::UpdateWorstStall() {
  INVARIANT(mode_ == Mode::kReadWrite);
  WriteStallCondition worst = WriteStallCondition::kNormal;
  double debt = 0;
  for (const auto& entry : families_) {
    const Family& other = *entry.second;
    if (other.stall == WriteStallCondition::kStopped) {
      worst = WriteStallCondition::kStopped;
    } else if (other.stall == WriteStallCondition::kDelayed &&
               worst == WriteStallCondition::kNormal) {
      worst = WriteStallCondition::kDelayed;
    }
    debt = std::max(debt, other.stall_debt);
  }
  INVARIANT(debt >= 0);
  const DelayRates rates{.before = ingest_rate_->bytes_per_second(),
                         .delayed_write_rate = std::max<uint64_t>(
                             1, mutable_options_->delayed_write_rate)};
  write_controller_.Update(worst, DelayedWriteRate(rates, debt));
  background_.SetBehind(worst != WriteStallCondition::kNormal);
  // Who is about to hold writers back goes first at the device.
  io_governor_->SetUrgent(worst != WriteStallCondition::kNormal);
  SetDeepPace(worst);
  if (worst != WriteStallCondition::kNormal) SetAttention();
  changes_.Note();
}

}  // namespace ROCKSDB_NAMESPACE

// DBImpl: what a write leader sees to under the mutex before it writes: full
// memtables, logs that grew too long, stalls, background errors.
#include <algorithm>
#include <optional>
#include <utility>

#include "db/impl/database_stats.h"
#include "db/impl/db_impl.h"
#include "db/impl/wal_manager.h"
#include "db/version/fresh_stage.h"
#include "db/write/write_memory_stall.h"
#include "db/write/write_stall.h"
#include "monitoring/perf_context_imp.h"
#include "monitoring/statistics_impl.h"
#include "rocksdb/system_clock.h"
#include "util/invariant.h"
#include "util/memory_limit.h"
#include "util/monotonic.h"

namespace ROCKSDB_NAMESPACE {

Status DBImpl::PrepareWrite(const WriteOptions& options) {
  MutexLock lock(&mutex_);
  attention_.store(false, std::memory_order_relaxed);
  if (closed_ || shutting_down_.load()) return Status::ShutdownInProgress();
  const bool may_wait = !options.no_slowdown;
  if (Status s = WaitForWalLock(&write_thread_, may_wait); !s.ok()) return s;
  if (errors_.BlocksWrites()) {
    SetAttention();
    return errors_.error();
  }
  if (Status s = WaitOutStall(options); !s.ok()) return s;
  MarkForLogSize();
  MarkForBufferManager();
  if (Status s = SwitchMarkedMemTables(); !s.ok()) return s;
  return WaitForWriteMemory(options);
}

// What is above the limit is being flushed, here or in another database.
Status DBImpl::WaitForWriteMemory(const WriteOptions& options) {
  INVARIANT(memory_stall_ != nullptr);
  std::optional<WriteThread::Stall> stall;
  const uint64_t begin = options_.clock->NowMicros();
  while (write_buffer_manager_->ShouldStall()) {
    DropSpareMemory();
    if (options.no_slowdown) return Status::Incomplete("Write stall");
    if (shutting_down_.load()) return Status::ShutdownInProgress();
    if (errors_.BlocksWrites()) return errors_.error();
    if (!stall) stall.emplace(&write_thread_);
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
    if (shutting_down_.load() || errors_.BlocksWrites()) EndMemoryStall();
    mutex_.Unlock();
    memory_stall_->Block();
    mutex_.Lock();
  }
  if (stall) {
    const uint64_t micros = options_.clock->NowMicros() - begin;
    RecordTick(options_.stats, STALL_MICROS, micros);
    RecordInHistogram(options_.stats, WRITE_STALL, micros);
  }
  return Status::OK();
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
    if (shutting_down_.load()) return Status::ShutdownInProgress();
    if (errors_.BlocksWrites()) return errors_.error();
    if (!stall) stall.emplace(&write_thread_);
    if (write_controller_.IsStopped()) {
      AwaitBackground();
    } else {
      background_done_.WaitFor(until - now);
    }
    now = MonotonicMicros(clock);
  }
  if (stall) {
    const uint64_t micros = now - begin;
    RecordTick(options_.stats, STALL_MICROS, micros);
    database_stats_->AddStall(micros);
    PERF_COUNTER_ADD(write_delay_time, micros * 1000);
    RecordInHistogram(options_.stats, WRITE_STALL, micros);
  }
  return Status::OK();
}

uint64_t DBImpl::MaxTotalLogBytes() const {
  if (mutable_options_->max_total_wal_size > 0) {
    return mutable_options_->max_total_wal_size;
  }
  INVARIANT(!families_.empty());
  uint64_t memory = 0;
  for (const auto& entry : families_) {
    const MutableCFOptions& options = *entry.second->cfd->options();
    memory += options.write_buffer_size *
              static_cast<uint64_t>(options.max_write_buffer_number);
  }
  constexpr uint64_t kLogBytesPerMemory = 4;
  return memory * kLogBytesPerMemory;
}

// The oldest log can go once the families with data in it are flushed. With
// one family its own flushes see to that.
void DBImpl::MarkForLogSize() {
  const uint64_t limit = MaxTotalLogBytes();
  max_log_bytes_.store(families_.size() > 1 ? limit : UINT64_MAX,
                       std::memory_order_relaxed);
  if (families_.size() < 2 || wal_->TotalBytes() <= limit) return;
  const std::vector<WalManager::Live> logs = wal_->live();
  INVARIANT(!logs.empty());
  if (logs.size() < 2 && logs.front().size_bytes <= limit) return;
  const uint64_t oldest = logs.front().number;
  MutexLock lock(&full_mutex_);
  for (const auto& [id, family] : families_) {
    ColumnFamilyData* cfd = family->cfd.get();
    if (!cfd->imm()->empty() && cfd->imm()->MinLogNumber() <= oldest) {
      FlushRetained(cfd, FlushReason::kWalFull);
    }
    if (cfd->mem()->empty() || cfd->mem()->log_number() > oldest) continue;
    if (cfd->mem()->MarkFlushScheduled()) {
      full_families_.push_back({id, FlushReason::kWalFull});
    }
  }
}

void DBImpl::SetUpWriteMemory() {
  INVARIANT(write_buffer_manager_ == nullptr && fresh_ == nullptr);
  memory_stall_ = std::make_shared<WriteMemoryStall>();
  write_buffer_manager_ = options_.write_buffer_manager;
  if (write_buffer_manager_ == nullptr) {
    write_buffer_manager_ =
        std::make_shared<WriteBufferManager>(options_.db_write_buffer_size);
  }
  // Of the memory that the process may use.
  constexpr uint64_t kFreshPart = 16;
  const uint64_t fresh_bytes = std::min<uint64_t>(
      options_.fresh_level0_bytes, MemoryLimitOfProcess() / kFreshPart);
  if (fresh_bytes > 0) {
    fresh_ = std::make_shared<FreshStage>(fresh_bytes, write_buffer_manager_);
  }
}

// Memory over all memtables is above the limit: the largest one is sealed.
void DBImpl::MarkForBufferManager() {
  if (!write_buffer_manager_->ShouldFlush()) return;
  if (DropHistories()) return;
  if (fresh_ != nullptr && fresh_->bytes() > 0) {
    fresh_->DropAll();
    if (!write_buffer_manager_->ShouldFlush()) return;
  }
  ColumnFamilyData* largest = nullptr;
  for (const auto& entry : families_) {
    ColumnFamilyData* cfd = entry.second->cfd.get();
    if (cfd->mem()->empty()) continue;
    if (largest == nullptr || cfd->mem()->ApproximateMemoryUsage() >
                                  largest->mem()->ApproximateMemoryUsage()) {
      largest = cfd;
    }
  }
  FlushAllRetained(FlushReason::kWriteBufferManager);
  if (largest == nullptr || !largest->mem()->MarkFlushScheduled()) return;
  MutexLock lock(&full_mutex_);
  full_families_.push_back({largest->id(), FlushReason::kWriteBufferManager});
}

void DBImpl::FlushAllRetained(FlushReason reason) {
  for (ColumnFamilyData* cfd : AllFamilies()) FlushRetained(cfd, reason);
  MaybeSchedule();
}

// No flush would ever make room of what is flushed.
void DBImpl::DropSpareMemory() {
  DropHistories();
  if (fresh_ != nullptr) fresh_->DropAll();
}

bool DBImpl::DropHistories() {
  bool has_dropped = false;
  for (ColumnFamilyData* cfd : AllFamilies()) {
    if (cfd->imm()->history()->empty()) continue;
    cfd->imm()->DropHistory();
    PublishFamily(cfd);
    has_dropped = true;
  }
  return has_dropped;
}

Status DBImpl::SwitchMarkedMemTables() {
  std::vector<FullFamily> full;
  {
    MutexLock lock(&full_mutex_);
    full.swap(full_families_);
  }
  std::vector<ColumnFamilyData*> marked;
  // Where several are full at once, the first one's stands for all.
  FlushReason reason = FlushReason::kWriteBufferFull;
  for (const FullFamily& one : full) {
    const FamilyRef family = FindFamily(one.id);
    if (family == nullptr || family->cfd->mem()->empty()) continue;
    const auto found =
        std::find(marked.begin(), marked.end(), family->cfd.get());
    if (found != marked.end()) continue;
    if (marked.empty()) reason = one.reason;
    marked.push_back(family->cfd.get());
  }
  if (marked.empty()) return Status::OK();
  Status s = SealAndQueue(marked, reason);
  if (!s.ok()) {
    // A memtable says only once that it is full: the next write tries again.
    MutexLock lock(&full_mutex_);
    full_families_.insert(full_families_.end(), full.begin(), full.end());
  }
  return s;
}

void DBImpl::CountJointFlush(FlushReason reason) const {
  switch (reason) {
    case FlushReason::kWriteBufferFull:
      RecordTick(options_.stats, ATOMIC_FLUSH_REQUEST_REASON_WRITE_BUFFER_FULL);
      break;
    case FlushReason::kWriteBufferManager:
      RecordTick(options_.stats,
                 ATOMIC_FLUSH_REQUEST_REASON_WRITE_BUFFER_MANAGER);
      break;
    case FlushReason::kMemtableMaxRangeDeletions:
      RecordTick(options_.stats,
                 ATOMIC_FLUSH_REQUEST_REASON_MEMTABLE_MAX_RANGE_DELETIONS);
      break;
    default:
      RecordTick(options_.stats, ATOMIC_FLUSH_REQUEST_REASON_OTHER);
      break;
  }
}

std::vector<ColumnFamilyData*> DBImpl::AllFamilies() const {
  std::vector<ColumnFamilyData*> all;
  for (const auto& entry : families_) all.push_back(entry.second->cfd.get());
  INVARIANT(!all.empty());
  return all;
}

// Where flushes go together, what is sealed is sealed together too: a flush
// then holds every write up to some moment, and none behind it.
Status DBImpl::SealAndQueue(const std::vector<ColumnFamilyData*>& wanted,
                            FlushReason reason) {
  const std::vector<ColumnFamilyData*> cfds =
      FlushesTogether() ? AllFamilies() : wanted;
  std::vector<ColumnFamilyData*> full;
  for (ColumnFamilyData* cfd : cfds) {
    if (!cfd->mem()->empty() && !cfd->is_dropped()) full.push_back(cfd);
  }
  if (!full.empty()) {
    if (Status s = SwitchMemTables(full); !s.ok()) return s;
    if (options_.atomic_flush) CountJointFlush(reason);
  }
  for (ColumnFamilyData* cfd : cfds) {
    if (!cfd->imm()->empty() && !cfd->is_dropped()) QueueFlush(cfd, reason);
  }
  MaybeSchedule();
  return Status::OK();
}

// A log holds about what fills a memtable.
uint64_t DBImpl::LogPreallocation(const ColumnFamilyData& cfd) {
  const uint64_t expected = cfd.options()->write_buffer_size;
  INVARIANT(expected > 0);
  return expected + expected / 10;
}

// Seals the active memtables. The log is changed along with them, so that a
// flush frees a whole log.
Status DBImpl::SwitchMemTables(const std::vector<ColumnFamilyData*>& cfds) {
  INVARIANT(!cfds.empty());
  INVARIANT(mode_ == Mode::kReadWrite);
  INVARIANT(wal_ != nullptr);
  if (Status s = WaitForWalLock(&write_thread_, /*may_wait=*/true); !s.ok()) {
    return s;
  }
  uint64_t log_number = wal_->current_number();
  if (wal_->current_bytes() > 0 || wal_->has_failed()) {
    log_number = versions_->NewFileNumber();
    Status s = SwitchLog(log_number, LogPreallocation(*cfds.front()));
    if (!s.ok()) {
      // The log and the memtables before are whole: this can be resumed.
      OnBackgroundError(s, BackgroundErrorReason::kWriteCallback);
      return s;
    }
  }
  INVARIANT(log_number > 0);
  // Without a pause: a flush that starts meanwhile finds all or none.
  std::vector<MemTableInfo> infos;
  for (ColumnFamilyData* cfd : cfds) infos.push_back(Seal(cfd, log_number));
  // Families without data need none of the older logs.
  for (const auto& entry : families_) {
    ColumnFamilyData* other = entry.second->cfd.get();
    if (other->mem()->empty() && other->imm()->empty()) {
      other->mem()->set_log_number(log_number);
    }
  }
  for (ColumnFamilyData* cfd : cfds) PublishFamily(cfd);
  mutex_.Unlock();
  for (const MemTableInfo& info : infos) {
    NotifyListeners([&](EventListener* l) { l->OnMemTableSealed(info); });
  }
  mutex_.Lock();
  return Status::OK();
}

MemTableInfo DBImpl::Seal(ColumnFamilyData* cfd, uint64_t log_number) {
  INVARIANT(cfd != nullptr);
  INVARIANT(!cfd->mem()->empty());
  MemTableRef fresh = cfd->NewMemTable(versions_->LastSequence());
  INVARIANT(fresh != nullptr);
  fresh->set_log_number(log_number);
  MemTableRef sealed = cfd->SwitchMemTable(std::move(fresh));
  INVARIANT(sealed != nullptr);
  INVARIANT(sealed->log_number() <= log_number);
  sealed->set_next_log_number(log_number);
  sealed->MarkImmutable();
  ingest_rate_.Note(sealed->data_bytes(), options_.clock->NowMicros(),
                    write_controller_.delayed_rate() == 0);
  MemTableInfo info;
  info.cf_name = cfd->name();
  info.first_seqno = sealed->first_sequence();
  info.earliest_seqno = sealed->earliest_sequence();
  info.num_entries = sealed->entry_count();
  info.num_deletes = sealed->deletion_count();
  info.newest_udt = sealed->newest_timestamp();
  cfd->imm()->Add(std::move(sealed));
  return info;
}

// Makes a family's state visible to reads, and its stall to writers.
void DBImpl::PublishFamily(ColumnFamilyData* cfd) {
  INVARIANT(cfd != nullptr);
  const FamilyRef family = FindFamily(cfd->id());
  INVARIANT(family != nullptr);
  INVARIANT(family->cfd.get() == cfd);
  if (mode_ == Mode::kReadWrite) UpdateStall(family.get());
  cfd->InstallSuperVersion(family->stall, &garbage_);
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
          options_.logger, "[%s] write stall: %s", cfd->name().c_str(),
          decision.condition == WriteStallCondition::kStopped ? "stopped"
                                                              : "delayed");
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
  const DelayRates rates{.before = ingest_rate_.bytes_per_second(),
                         .delayed_write_rate = std::max<uint64_t>(
                             1, mutable_options_->delayed_write_rate)};
  write_controller_.Update(worst, DelayedWriteRate(rates, debt));
  // Who is about to hold writers back goes first at the device.
  io_governor_.SetUrgent(worst != WriteStallCondition::kNormal);
  SetDeepPace(worst);
  if (worst != WriteStallCondition::kNormal) SetAttention();
  background_done_.SignalAll();
}

}  // namespace ROCKSDB_NAMESPACE

// DBImpl: what a write leader sees to under the mutex before it writes: full
// memtables, logs that grew too long, background errors.
#include <algorithm>
#include <utility>

#include "db/background/background_scheduler.h"
#include "db/family/family_registry.h"
#include "db/files/log_keeper.h"
#include "db/impl/db_impl.h"
#include "db/intake/wal_lock.h"
#include "db/jobs/flush_desk.h"
#include "db/version/version_set.h"
#include "db/wal/wal_manager.h"
#include "db/write/family_publisher.h"
#include "db/write/stall_control.h"
#include "db/write/write_memory.h"
#include "memtable/memtable.h"
#include "monitoring/statistics_impl.h"
#include "rocksdb/system_clock.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

Status DBImpl::PrepareWrite(const WriteOptions& options) {
  MutexLock lock(&mutex_);
  attention_.Clear();
  if (closed_ || stop_.IsShuttingDown()) return Status::ShutdownInProgress();
  const bool may_wait = !options.no_slowdown;
  if (Status s = wal_lock_->Await(&write_thread_, may_wait); !s.ok()) return s;
  if (errors_.BlocksWrites()) {
    attention_.Ask();
    return errors_.error();
  }
  if (Status s = WaitOutStall(options); !s.ok()) return s;
  MarkForLogSize();
  MarkForBufferManager();
  if (Status s = SwitchMarkedMemTables(); !s.ok()) return s;
  return WaitForWriteMemory(options);
}

uint64_t DBImpl::MaxTotalLogBytes() const {
  if (mutable_options_->max_total_wal_size > 0) {
    return mutable_options_->max_total_wal_size;
  }
  INVARIANT(!families_->empty());
  uint64_t memory = 0;
  for (const auto& entry : *families_) {
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
  logs_->SetLimit(families_->size() > 1 ? limit : UINT64_MAX);
  const WalManager& wal = *logs_->wal();
  if (families_->size() < 2 || wal.TotalBytes() <= limit) return;
  const std::vector<WalManager::Live> logs = wal.live();
  INVARIANT(!logs.empty());
  if (logs.size() < 2 && logs.front().size_bytes <= limit) return;
  const uint64_t oldest = logs.front().number;
  MutexLock lock(&full_mutex_);
  for (const auto& [id, family] : *families_) {
    ColumnFamilyData* cfd = family->cfd.get();
    if (!cfd->imm()->empty() && cfd->imm()->MinLogNumber() <= oldest) {
      flushes_->QueueRetained(cfd, FlushReason::kWalFull);
    }
    if (cfd->mem()->empty() || cfd->mem()->log_number() > oldest) continue;
    if (cfd->mem()->MarkFlushScheduled()) {
      full_families_.push_back({id, FlushReason::kWalFull});
    }
  }
}

// Memory over all memtables is above the limit: the largest one is sealed.
void DBImpl::MarkForBufferManager() {
  if (!memory_->MustFlush()) return;
  ColumnFamilyData* const largest = memory_->LargestActive();
  flushes_->QueueAllRetained(FlushReason::kWriteBufferManager);
  if (largest == nullptr || !largest->mem()->MarkFlushScheduled()) return;
  MutexLock lock(&full_mutex_);
  full_families_.push_back({largest->id(), FlushReason::kWriteBufferManager});
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
    const FamilyRef family = families_->Find(one.id);
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

// Where flushes go together, what is sealed is sealed together too: a flush
// then holds every write up to some moment, and none behind it.
Status DBImpl::SealAndQueue(const std::vector<ColumnFamilyData*>& wanted,
                            FlushReason reason) {
  const std::vector<ColumnFamilyData*> cfds =
      flushes_->FlushesTogether() ? families_->All() : wanted;
  std::vector<ColumnFamilyData*> full;
  for (ColumnFamilyData* cfd : cfds) {
    if (!cfd->mem()->empty() && !cfd->is_dropped()) full.push_back(cfd);
  }
  if (!full.empty()) {
    if (Status s = SwitchMemTables(full); !s.ok()) return s;
    if (options_.atomic_flush) CountJointFlush(reason);
  }
  for (ColumnFamilyData* cfd : cfds) {
    if (!cfd->imm()->empty() && !cfd->is_dropped())
      flushes_->Queue(cfd, reason);
  }
  background_->MaybeSchedule();
  return Status::OK();
}

// Seals the active memtables. The log is changed along with them, so that a
// flush frees a whole log.
Status DBImpl::SwitchMemTables(const std::vector<ColumnFamilyData*>& cfds) {
  INVARIANT(!cfds.empty());
  INVARIANT(mode_ == Mode::kReadWrite);
  const WalManager& wal = *logs_->wal();
  uint64_t log_number = wal.current_number();
  if (wal.current_bytes() > 0 || wal.has_failed()) {
    log_number = logs_->NextNumber();
    Status s =
        logs_->Switch(log_number, LogKeeper::Preallocation(*cfds.front()));
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
  for (const auto& entry : *families_) {
    ColumnFamilyData* other = entry.second->cfd.get();
    if (other->mem()->empty() && other->imm()->empty()) {
      other->mem()->set_log_number(log_number);
    }
  }
  for (ColumnFamilyData* cfd : cfds) publisher_->Publish(cfd);
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
  stalls_->NoteSealed(sealed->data_bytes());
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

}  // namespace ROCKSDB_NAMESPACE

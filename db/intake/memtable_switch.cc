#include "db/intake/memtable_switch.h"

#include <algorithm>
#include <utility>

#include "db/background/background_scheduler.h"
#include "db/background/job_errors.h"
#include "db/files/log_keeper.h"
#include "db/jobs/flush_desk.h"
#include "db/manifest/needed_logs.h"
#include "db/manifest/version_set.h"
#include "db/registry/current_options.h"
#include "db/registry/family_registry.h"
#include "db/wal/wal_manager.h"
#include "db/write/family_publisher.h"
#include "db/write/leader_attention.h"
#include "db/write/stall_control.h"
#include "db/write/write_memory.h"
#include "memtable/memtable.h"
#include "monitoring/statistics_impl.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

void MemtableSwitch::NoteFull(uint32_t family, MemTable* memtable) {
  INVARIANT(memtable != nullptr);
  const FlushReason reason = memtable->HasTooManyTombstones()
                                 ? FlushReason::kMemtableMaxRangeDeletions
                                 : FlushReason::kWriteBufferFull;
  {
    MutexLock lock(&full_mutex_);
    full_.push_back({family, reason});
  }
  context_.attention->Ask();
}

uint64_t MemtableSwitch::MaxTotalLogBytes() const {
  const MutableDBOptions& now = **context_.options;
  if (now.max_total_wal_size > 0) return now.max_total_wal_size;
  INVARIANT(!context_.families->empty());
  uint64_t memory = 0;
  for (const auto& entry : *context_.families) {
    const MutableCFOptions& options = *entry.second->cfd->options();
    memory += options.write_buffer_size *
              static_cast<uint64_t>(options.max_write_buffer_number);
  }
  constexpr uint64_t kLogBytesPerMemory = 4;
  return memory * kLogBytesPerMemory;
}

// The oldest log can go once the families with data in it are flushed. With
// one family its own flushes see to that.
void MemtableSwitch::MarkForLogSize() {
  context_.mutex->AssertHeld();
  const uint64_t limit = MaxTotalLogBytes();
  const size_t family_count = context_.families->size();
  context_.logs->SetLimit(family_count > 1 ? limit : UINT64_MAX);
  const WalManager& wal = *context_.logs->wal();
  if (family_count < 2 || wal.TotalBytes() <= limit) return;
  const std::vector<WalManager::Live> logs = wal.live();
  INVARIANT(!logs.empty());
  if (logs.size() < 2 && logs.front().size_bytes <= limit) return;
  const uint64_t oldest = logs.front().number;
  MutexLock lock(&full_mutex_);
  for (const auto& [id, family] : *context_.families) {
    ColumnFamilyData* cfd = family->cfd.get();
    if (!cfd->imm()->empty() && cfd->imm()->MinLogNumber() <= oldest) {
      context_.flushes->QueueRetained(cfd, FlushReason::kWalFull);
    }
    if (cfd->mem()->empty() || cfd->mem()->log_number() > oldest) continue;
    if (cfd->mem()->MarkFlushScheduled()) {
      full_.push_back({id, FlushReason::kWalFull});
    }
  }
}

// False if a memtable also needs the log: until that is flushed, the log stays
// even without the sections.
bool MemtableSwitch::AreLogsHeldBySections() const {
  context_.mutex->AssertHeld();
  const uint64_t held = context_.versions->logs()->held();
  const WalManager& wal = *context_.logs->wal();
  if (held >= wal.current_number() || wal.TotalBytes() <= MaxTotalLogBytes()) {
    return false;
  }
  const auto holds_it = [held](const auto& entry) {
    ColumnFamilyData& cfd = *entry.second->cfd;
    return (!cfd.mem()->empty() && cfd.mem()->log_number() <= held) ||
           (!cfd.imm()->empty() && cfd.imm()->MinLogNumber() <= held);
  };
  return std::none_of(context_.families->begin(), context_.families->end(),
                      holds_it);
}

// Memory over all memtables is above the limit: the largest one is sealed.
void MemtableSwitch::MarkForMemory() {
  context_.mutex->AssertHeld();
  if (!context_.memory->MustFlush()) return;
  ColumnFamilyData* const largest = context_.memory->LargestActive();
  context_.flushes->QueueAllRetained(FlushReason::kWriteBufferManager);
  if (largest == nullptr || !largest->mem()->MarkFlushScheduled()) return;
  MutexLock lock(&full_mutex_);
  full_.push_back({largest->id(), FlushReason::kWriteBufferManager});
}

Status MemtableSwitch::SealMarked() {
  context_.mutex->AssertHeld();
  std::vector<Full> full;
  {
    MutexLock lock(&full_mutex_);
    full.swap(full_);
  }
  Families marked;
  // Where several are full at once, the first one's stands for all.
  FlushReason reason = FlushReason::kWriteBufferFull;
  for (const Full& one : full) {
    const FamilyRef family = context_.families->Find(one.id);
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
    full_.insert(full_.end(), full.begin(), full.end());
  }
  return s;
}

void MemtableSwitch::CountJointFlush(FlushReason reason) const {
  Statistics* const statistics = context_.db->stats;
  switch (reason) {
    case FlushReason::kWriteBufferFull:
      RecordTick(statistics, ATOMIC_FLUSH_REQUEST_REASON_WRITE_BUFFER_FULL);
      break;
    case FlushReason::kWriteBufferManager:
      RecordTick(statistics, ATOMIC_FLUSH_REQUEST_REASON_WRITE_BUFFER_MANAGER);
      break;
    case FlushReason::kMemtableMaxRangeDeletions:
      RecordTick(statistics,
                 ATOMIC_FLUSH_REQUEST_REASON_MEMTABLE_MAX_RANGE_DELETIONS);
      break;
    default:
      RecordTick(statistics, ATOMIC_FLUSH_REQUEST_REASON_OTHER);
      break;
  }
}

// Where flushes go together, what is sealed is sealed together too: a flush
// then holds every write up to some moment, and none behind it.
Status MemtableSwitch::SealAndQueue(const Families& wanted,
                                    FlushReason reason) {
  context_.mutex->AssertHeld();
  const Families cfds =
      context_.flushes->FlushesTogether() ? context_.families->All() : wanted;
  Families full;
  for (ColumnFamilyData* cfd : cfds) {
    if (!cfd->mem()->empty() && !cfd->is_dropped()) full.push_back(cfd);
  }
  if (!full.empty()) {
    if (Status s = Seal(full); !s.ok()) return s;
    if (context_.db->atomic_flush) CountJointFlush(reason);
  }
  for (ColumnFamilyData* cfd : cfds) {
    if (!cfd->imm()->empty() && !cfd->is_dropped()) {
      context_.flushes->Queue(cfd, reason);
    }
  }
  context_.scheduler->MaybeSchedule();
  return Status::OK();
}

Status MemtableSwitch::Seal(const Families& families) {
  INVARIANT(!families.empty());
  const WalManager& wal = *context_.logs->wal();
  uint64_t log_number = wal.current_number();
  if (wal.current_bytes() > 0 || wal.has_failed()) {
    log_number = context_.logs->NextNumber();
    Status s = context_.logs->Switch(
        log_number, LogKeeper::Preallocation(*families.front()));
    if (!s.ok()) {
      // The log and the memtables before are whole: this can be resumed.
      context_.errors->OnBackgroundError(s,
                                         BackgroundErrorReason::kWriteCallback);
      return s;
    }
  }
  INVARIANT(log_number > 0);
  // Without a pause: a flush that starts meanwhile finds all or none.
  std::vector<MemTableInfo> infos;
  for (ColumnFamilyData* cfd : families) {
    infos.push_back(SealOne(cfd, log_number));
  }
  // Families without data need none of the older logs.
  for (const auto& entry : *context_.families) {
    ColumnFamilyData* other = entry.second->cfd.get();
    if (other->mem()->empty() && other->imm()->empty()) {
      other->mem()->set_log_number(log_number);
    }
  }
  for (ColumnFamilyData* cfd : families) context_.publisher->Publish(cfd);
  MutexUnlock unlock(context_.mutex);
  for (const MemTableInfo& info : infos) {
    for (const auto& listener : context_.db->listeners) {
      listener->OnMemTableSealed(info);
    }
  }
  return Status::OK();
}

MemTableInfo MemtableSwitch::SealOne(ColumnFamilyData* cfd,
                                     uint64_t log_number) {
  INVARIANT(cfd != nullptr);
  INVARIANT(!cfd->mem()->empty());
  MemTableRef fresh = cfd->NewMemTable(context_.versions->LastSequence());
  INVARIANT(fresh != nullptr);
  fresh->set_log_number(log_number);
  MemTableRef sealed = cfd->SwitchMemTable(std::move(fresh));
  INVARIANT(sealed != nullptr);
  INVARIANT(sealed->log_number() <= log_number);
  sealed->set_next_log_number(log_number);
  sealed->MarkImmutable();
  context_.stalls->NoteSealed(sealed->counts().data_bytes());
  MemTableInfo info;
  info.cf_name = cfd->name();
  info.first_seqno = sealed->counts().first_sequence();
  info.earliest_seqno = sealed->options().earliest_sequence;
  info.num_entries = sealed->entry_count();
  info.num_deletes = sealed->counts().deletes();
  info.newest_udt = sealed->newest_timestamp();
  cfd->imm()->Add(std::move(sealed));
  return info;
}

// Where flushes go together, so does what is sealed for them.
Status MemtableSwitch::SealOlder(const Families& families) {
  context_.mutex->AssertHeld();
  Families older;
  for (ColumnFamilyData* cfd : context_.flushes->FlushesTogether()
                                   ? context_.families->All()
                                   : families) {
    if (!cfd->mem()->empty()) older.push_back(cfd);
  }
  return older.empty() ? Status::OK() : Seal(older);
}

void MemtableSwitch::SealNew(const Families& families) {
  const Status s = SealAndQueue(families, FlushReason::kWriteBufferFull);
  MutexLock lock(&full_mutex_);
  for (const ColumnFamilyData* cfd : families) {
    std::erase_if(full_,
                  [cfd](const Full& full) { return full.id == cfd->id(); });
    // The batch is there all the same; the next write tries again.
    if (!s.ok()) {
      full_.push_back({cfd->id(), FlushReason::kWriteBufferFull});
    }
  }
  if (!s.ok()) context_.attention->Ask();
}

}  // namespace ROCKSDB_NAMESPACE

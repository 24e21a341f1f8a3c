// DBImpl: writing. One leader at a time logs and inserts for its group.
#include <algorithm>
#include <array>

#include "db/family/family_handle.h"
#include "db/impl/db_impl.h"
#include "db/impl/db_transactions.h"
#include "db/intake/memtable_switch.h"
#include "db/intake/wal_lock.h"
#include "db/intake/writer_stalls.h"
#include "db/lookup/read_port.h"
#include "db/observe/database_stats.h"
#include "db/read/early_merge.h"
#include "db/read/point_read.h"
#include "db/version/column_family.h"
#include "db/version/version_set.h"
#include "db/wal/write_batch_format.h"
#include "db/wal/write_batch_internal.h"
#include "db/write/batch_check.h"
#include "db/write/write_hooks.h"
#include "db/write/write_memory.h"
#include "memtable/memtable.h"
#include "monitoring/perf_context_imp.h"
#include "monitoring/statistics_impl.h"
#include "monitoring/stop_watch.h"
#include "rocksdb/rate_limiter.h"
#include "rocksdb/table.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// It takes no sequences, and nothing of it is inserted.
bool IsForLogAlone(const WriteThread::Writer& writer) {
  return writer.hooks != nullptr && writer.hooks->IsForLogAlone();
}

// Bytes of a batch with one record beside its key and value.
constexpr size_t kOneRecordOverhead = 24;

WriteBatch OneRecord(const WriteOptions& options, size_t bytes) {
  return WriteBatch(bytes + kOneRecordOverhead, /*max_bytes=*/0,
                    options.protection_bytes_per_key,
                    /*default_cf_ts_sz=*/0);
}

}  // namespace

Status DBImpl::Put(const WriteOptions& options, ColumnFamilyHandle* family,
                   const Slice& key, const Slice& value) {
  if (Status s = CheckWriteHandle(family); !s.ok()) return s;
  WriteBatch batch = OneRecord(options, key.size() + value.size());
  Status s = batch.Put(family, key, value);
  return s.ok() ? WriteImpl(options, &batch) : s;
}

Status DBImpl::PutEntity(const WriteOptions& options,
                         ColumnFamilyHandle* family, const Slice& key,
                         const WideColumns& columns) {
  if (Status s = CheckWriteHandle(family); !s.ok()) return s;
  WriteBatch batch = OneRecord(options, key.size());
  Status s = batch.PutEntity(family, key, columns);
  return s.ok() ? WriteImpl(options, &batch) : s;
}

Status DBImpl::Delete(const WriteOptions& options, ColumnFamilyHandle* family,
                      const Slice& key) {
  if (Status s = CheckWriteHandle(family); !s.ok()) return s;
  WriteBatch batch = OneRecord(options, key.size());
  Status s = batch.Delete(family, key);
  return s.ok() ? WriteImpl(options, &batch) : s;
}

Status DBImpl::SingleDelete(const WriteOptions& options,
                            ColumnFamilyHandle* family, const Slice& key) {
  if (Status s = CheckWriteHandle(family); !s.ok()) return s;
  WriteBatch batch = OneRecord(options, key.size());
  Status s = batch.SingleDelete(family, key);
  return s.ok() ? WriteImpl(options, &batch) : s;
}

Status DBImpl::DeleteRange(const WriteOptions& options,
                           ColumnFamilyHandle* family, const Slice& begin,
                           const Slice& end) {
  if (Status s = CheckWriteHandle(family); !s.ok()) return s;
  WriteBatch batch = OneRecord(options, begin.size() + end.size());
  Status s = batch.DeleteRange(family, begin, end);
  return s.ok() ? WriteImpl(options, &batch) : s;
}

Status DBImpl::Merge(const WriteOptions& options, ColumnFamilyHandle* family,
                     const Slice& key, const Slice& value) {
  if (Status s = CheckWriteHandle(family); !s.ok()) return s;
  if (family == nullptr) family = DefaultColumnFamily();
  if (FamilyOf(family)->ioptions().merge_operator == nullptr) {
    return Status::NotSupported("Provide a merge_operator when opening DB");
  }
  WriteBatch batch = OneRecord(options, key.size() + value.size());
  Status s = batch.Merge(family, key, value);
  return s.ok() ? WriteImpl(options, &batch) : s;
}

Status DBImpl::Write(const WriteOptions& options, WriteBatch* updates) {
  if (updates == nullptr) return Status::InvalidArgument("Batch is nullptr!");
  return WriteImpl(options, updates);
}

Status DBImpl::CheckWritePriority(const WriteOptions& options) const {
  if (options.rate_limiter_priority != Env::IO_USER) {
    return Status::InvalidArgument(
        "WriteOptions::rate_limiter_priority only allows Env::IO_TOTAL and "
        "Env::IO_USER due to implementation constraints");
  }
  if (options.disableWAL || options_.manual_wal_flush) {
    return Status::InvalidArgument(
        "WriteOptions::rate_limiter_priority currently only supports "
        "rate-limiting automatic WAL flush, which requires "
        "`WriteOptions::disableWAL` and `DBOptions::manual_wal_flush` both set "
        "to false");
  }
  return Status::OK();
}

Status DBImpl::CheckWrite(const WriteOptions& options,
                          const WriteBatch* batch) const {
  assert(batch != nullptr);
  if (Status s = WriteBatchInternal::Check(*batch); !s.ok()) return s;
  assert(batch->GetDataSize() >= kBatchHeaderBytes);
  if (options.sync && options.disableWAL) {
    return Status::InvalidArgument("Sync writes has to enable WAL.");
  }
  if (options.rate_limiter_priority != Env::IO_TOTAL) {
    Status s = CheckWritePriority(options);
    if (!s.ok()) return s;
  }
  if (Status s = CheckWritable(); !s.ok()) return s;
  if (options.protection_bytes_per_key != 0 &&
      options.protection_bytes_per_key != sizeof(uint64_t)) {
    return Status::InvalidArgument(
        "`WriteOptions::protection_bytes_per_key` must be zero or eight",
        std::to_string(options.protection_bytes_per_key));
  }
  Status s = WriteBatchInternal::CheckTimestamps(
      *batch, default_cfd_->order().timestamp_size());
  if (!s.ok()) return s;
  // acquire: pairs with the releases in AttachFamily().
  const bool has_rules =
      has_timestamps_.load(std::memory_order_acquire) ||
      batch->HasDeleteRange() ||
      (batch->HasMerge() && lacks_merges_.load(std::memory_order_acquire));
  if (!has_rules) return s;
  const bool has_ranges = batch->HasDeleteRange();
  return CheckEntries(
      *batch, [=, this](uint32_t id) { return RulesOf(id, has_ranges); });
}

// Of the default family all is fixed but its tables, which ranges alone ask
// for: writes with timestamps need no lock for it.
std::optional<FamilyRules> DBImpl::RulesOf(uint32_t family_id,
                                           bool has_ranges) const {
  if (family_id == 0 && !has_ranges) {
    return FamilyRules{.order = default_cfd_->order(),
                       .name = default_cfd_->name(),
                       .has_merge_operator =
                           default_cfd_->ioptions().merge_operator != nullptr,
                       .tables_without_ranges = ""};
  }
  MutexLock lock(&mutex_);
  const ColumnFamilyData* cfd = versions_->families()->Find(family_id);
  if (cfd == nullptr) return std::nullopt;
  const TableFactory& tables = *cfd->options()->table_factory;
  return FamilyRules{
      .order = cfd->order(),
      .name = cfd->name(),
      .has_merge_operator = cfd->ioptions().merge_operator != nullptr,
      .tables_without_ranges =
          tables.IsDeleteRangeSupported() ? "" : tables.Name()};
}

Status DBImpl::WriteWithCallback(const WriteOptions& options,
                                 WriteBatch* updates,
                                 UserWriteCallback* callback) {
  if (updates == nullptr) return Status::InvalidArgument("Batch is nullptr!");
  const WriteHooks hooks{.progress = callback};
  return WriteImpl(options, updates, callback != nullptr ? &hooks : nullptr);
}

Status DBImpl::WriteIf(const WriteOptions& options, WriteBatch* updates,
                       WriteCondition* condition) {
  if (updates == nullptr) return Status::InvalidArgument("Batch is nullptr!");
  INVARIANT(condition != nullptr);
  const WriteHooks hooks{.condition = condition};
  return WriteImpl(options, updates, &hooks);
}

// Checksums of each update, from here to the memtable. What the caller has
// changed by mistake since it was added is noticed before it harms others.
Status DBImpl::Protect(const WriteOptions& options, WriteBatch* batch) {
  if (options.protection_bytes_per_key != 0 &&
      batch->GetProtectionBytesPerKey() == 0) {
    return WriteBatchInternal::AddProtection(batch);
  }
  return batch->VerifyChecksum();
}

Status DBImpl::WriteImpl(const WriteOptions& options, WriteBatch* batch,
                         const WriteHooks* hooks) {
  INVARIANT(batch != nullptr);
  if (Status s = CheckWrite(options, batch); !s.ok()) return s;
  OperationWatch watch(options_.clock, options_.stats, DB_WRITE);
  if (options.protection_bytes_per_key != 0 ||
      batch->GetProtectionBytesPerKey() != 0) {
    if (Status s = Protect(options, batch); !s.ok()) return s;
  }
  if (options.low_pri) {
    Status s = waits_->WaitAtLowPriority(options, batch->GetDataSize());
    if (!s.ok()) return s;
  }
  WriteThread::Writer writer;
  writer.batch = batch;
  writer.options = &options;
  writer.hooks = hooks;
  if (options_.two_write_queues && IsForLogOnly(writer)) {
    return WriteLogOnly(&writer);
  }
  const WriteThread::State state = write_thread_.Join(&writer);
  switch (state) {
    case WriteThread::State::kLeader:
      return LeadWrite(&writer, &watch);
    case WriteThread::State::kInsert:
      InsertOne(&writer);
      write_thread_.FinishFollower(&writer);
      break;
    case WriteThread::State::kDone:
      break;
    default:
      INVARIANT(false);
  }
  if (writer.group != nullptr && writer.status.ok()) {
    RecordTick(options_.stats, WRITE_DONE_BY_OTHER);
  }
  return std::move(writer.status);
}

namespace {

// All that the statistics learn from a write, at once; each write pays for a
// call less. `watch`: of the leader, if its operation ends here.
[[gnu::flatten]] void RecordGroup(Statistics* statistics,
                                  const DatabaseStats::Group& written,
                                  const WriteThread::Group& group,
                                  OperationWatch* watch) {
  constexpr HistogramValue kNoValue{.source = HistogramValue::Source::kNone};
  const size_t logged_bytes = group.logged_bytes;
  RecordAll(statistics,
            std::to_array<TickerCount>(
                {{NUMBER_KEYS_WRITTEN, written.keys},
                 {BYTES_WRITTEN, written.bytes},
                 {WRITE_DONE_BY_SELF, group.is_led_for_it ? 0u : 1u},
                 {WAL_FILE_BYTES, logged_bytes},
                 {WRITE_WITH_WAL, logged_bytes > 0 ? written.writes : 0}}),
            std::to_array<HistogramValue>(
                {{BYTES_PER_WRITE, written.bytes},
                 watch != nullptr ? watch->Stop() : kNoValue}));
}

}  // namespace

// What must be seen to before the next group is written.
bool DBImpl::NeedsAttention() const {
  return attention_.IsAsked() || memory_->manager()->ShouldFlush() ||
         memory_->manager()->ShouldStall();
}

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
  if (Status s = waits_->WaitForWork(options); !s.ok()) return s;
  memtables_->MarkForLogSize();
  memtables_->MarkForMemory();
  if (Status s = memtables_->SealMarked(); !s.ok()) return s;
  return waits_->WaitForMemory(options);
}

Status DBImpl::LeadWrite(WriteThread::Writer* leader, OperationWatch* watch) {
  INVARIANT(leader != nullptr);
  INVARIANT(leader->batch != nullptr);
  INVARIANT(leader->options != nullptr);
  Status s;
  if (NeedsAttention()) {
    PERF_TIMER_GUARD(write_scheduling_flushes_compactions_time);
    write_thread_.inserts()->Drain();
    s = PrepareWrite(*leader->options);
  }
  WriteThread::Group group;
  write_thread_.FormGroup(leader, &group);
  INVARIANT(group.leader == leader);
  WriteThread::Writer* const next = WriteGroup(&group, std::move(s), watch);
  if (next != nullptr) {
    WriteThread::Group following;
    write_thread_.FormGroupFor(next, &following);
    WriteGroup(&following, Status::OK(), /*watch=*/nullptr);
  }
  return std::move(leader->status);
}

// Writes the group, unless `s` is an error already, and ends it. With `watch`,
// which is its leader's, a writer may be left over that is to be written for.
WriteThread::Writer* DBImpl::WriteGroup(WriteThread::Group* group, Status s,
                                        OperationWatch* watch) {
  INVARIANT(group != nullptr);
  INVARIANT(group->size >= 1);
  PERF_TIMER_GUARD(write_pre_and_post_process_time);
  // Groups that are on their way have theirs.
  const SequenceNumber first =
      std::max(allocated_sequence_, versions_->LastSequence()) + 1;
  SequenceNumber next = first;
  uint64_t bytes = 0;
  if (s.ok() && group->has_hooks) AskConditions(group);
  if (s.ok()) {
    group->ForEach([&next, &bytes](WriteThread::Writer* w) {
      if (w->is_refused) return;
      // As one record, which has one header.
      bytes += w->batch->GetDataSize() - (bytes > 0 ? kBatchHeaderBytes : 0);
      w->sequence = next;
      WriteBatchInternal::SetSequence(w->batch, next);
      if (IsForLogAlone(*w)) return;
      next += WriteBatchInternal::Count(*w->batch);
    });
    INVARIANT(next >= first);
    PERF_TIMER_STOP(write_pre_and_post_process_time);
    s = LogGroup(group, {.first = first, .next = next});
  }
  if (!s.ok()) {
    group->ForEach([&s](WriteThread::Writer* w) { w->status = s; });
    write_thread_.Leave(group);
    return nullptr;
  }
  INVARIANT(allocated_sequence_ == next - 1);
  waits_->NoteWritten(bytes);
  const DatabaseStats::Group written{
      .writes = group->size, .keys = next - first, .bytes = bytes};
  // As long as nobody else leads.
  database_stats_->AddGroup(written);
  WriteThread::Writer* const left_over =
      ApplyGroup(group, /*may_go_on=*/watch != nullptr);
  PERF_TIMER_START(write_pre_and_post_process_time);
  if (options_.stats != nullptr) {
    RecordGroup(options_.stats, written, *group,
                left_over == nullptr ? watch : nullptr);
  }
  return left_over;
}

// Who is refused stays in the group, for its leader to wake, with nothing to
// be written.
void DBImpl::AskConditions(WriteThread::Group* group) {
  INVARIANT(group->has_hooks);
  group->ForEach([this, group](WriteThread::Writer* w) {
    if (w->hooks == nullptr || w->hooks->condition == nullptr) return;
    // A condition may look at what the groups before have written.
    write_thread_.inserts()->Drain();
    w->status = w->hooks->condition->Check();
    for (const WriteThread::Writer* earlier = group->leader;
         earlier != w && w->status.ok(); earlier = earlier->newer) {
      if (earlier->is_refused) continue;
      w->status = w->hooks->condition->CheckBeside(*earlier->batch);
    }
    w->is_refused = !w->status.ok();
  });
}

void DBImpl::TellVisible(const WriteThread::Group& group) {
  group.ForEach([](const WriteThread::Writer* w) {
    if (!w->status.ok() || w->hooks == nullptr) return;
    if (w->hooks->condition != nullptr) w->hooks->condition->OnVisible();
  });
}

// Inserts what is logged, makes it visible, and ends the group. Not null: that
// writer is next, and waits to be written for.
WriteThread::Writer* DBImpl::ApplyGroup(WriteThread::Group* group,
                                        bool may_go_on) {
  INVARIANT(group != nullptr);
  const SequenceNumber last = allocated_sequence_;
  if (!options_.enable_pipelined_write && !options_.unordered_write) {
    InsertGroup(group);
    versions_->SetLastSequence(last);
    if (group->has_hooks) TellVisible(*group);
    if (may_go_on && !NeedsAttention()) {
      return write_thread_.LeaveOrKeep(group);
    }
    write_thread_.Leave(group);
    return nullptr;
  }
  InsertQueue* inserts = write_thread_.inserts();
  if (options_.unordered_write) {
    inserts->EnterUnordered();
    // Visible before it is there, so that nobody waits for another's
    // insertions.
    versions_->SetLastSequence(last);
    write_thread_.HandOver(group);
    InsertGroup(group);
    inserts->Leave(1);
    WriteThread::WakeFollowers(group);
    return nullptr;
  }
  group->last_sequence = last;
  group->is_small = WriteThread::IsSmall(*group);
  inserts->EnterLine(group);
  write_thread_.HandOver(group);
  if (inserts->AwaitTurn(group)) InsertTurnOf(group);
  return nullptr;
}

// Inserts the group, whose turn it is, and the small ones behind it.
void DBImpl::InsertTurnOf(WriteThread::Group* first) {
  INVARIANT(first != nullptr);
  InsertQueue* inserts = write_thread_.inserts();
  const auto group_of = [](InsertTurn* turn) {
    return static_cast<WriteThread::Group*>(turn);
  };
  WriteThread::Group* const last = group_of(inserts->LastOfTurn(first));
  uint64_t count = 1;
  for (WriteThread::Group* group = first; group != last; ++count) {
    InsertGroup(group);
    group = group_of(group->next);
  }
  InsertGroup(last);
  versions_->SetLastSequence(last->last_sequence);
  inserts->EndTurn(*last, count);
  WriteThread::WakeFollowers(first);
  // A group is gone as soon as its leader is told.
  InsertTurn* next = first == last ? nullptr : first->next;
  while (next != nullptr) {
    WriteThread::Group* const group = group_of(next);
    next = group == last ? nullptr : group->next;
    WriteThread::WakeFollowers(group);
    InsertQueue::Finish(group);
  }
}

void DBImpl::InsertOne(WriteThread::Writer* writer) {
  INVARIANT(writer != nullptr);
  if (writer->is_refused || IsForLogAlone(*writer)) return;
  PERF_TIMER_GUARD(write_memtable_time);
  InsertOptions options;
  options.ignore_missing_column_families =
      writer->options->ignore_missing_column_families;
  options.keeps_hint = writer->options->memtable_insert_hint_per_batch;
  const SectionWrite* const section =
      writer->hooks != nullptr ? writer->hooks->section : nullptr;
  // What a section has is in the log that has the section.
  options.is_unlogged = writer->options->disableWAL ||
                        (section == nullptr &&
                         WriteBatchInternal::HasWalTermination(*writer->batch));
  InsertResult result;
  writer->status = InsertBatch(*writer->batch, options, this, &result);
  if (section != nullptr && writer->status.ok()) {
    transactions_->EndSection(*writer);
  }
  if (result.overwritten_count > 0) {
    RecordTick(options_.stats, NUMBER_KEYS_UPDATED, result.overwritten_count);
  }
  // An entry takes one sequence at most.
  assert(!writer->status.ok() || result.next_sequence >= writer->sequence);
  assert(!writer->status.ok() ||
         result.next_sequence <=
             writer->sequence + WriteBatchInternal::Count(*writer->batch));
}

void DBImpl::InsertGroup(WriteThread::Group* group) {
  INVARIANT(group != nullptr);
  if (group->size == 1) {
    InsertOne(group->leader);
  } else if (options_.allow_concurrent_memtable_write &&
             !ResolvesMerges(*group)) {
    write_thread_.LaunchInsert(group);
    group->ForEach([this](WriteThread::Writer* w) {
      if (!w->is_inserting) InsertOne(w);
    });
    write_thread_.WaitForFollowers(group);
  } else {
    group->ForEach([this](WriteThread::Writer* w) { InsertOne(w); });
  }
  // What is in the log and not in the memtable would come back at the next
  // open: nothing may be written on top of it. A family that is gone is the
  // caller's mistake and harms nobody else.
  group->ForEach([this](WriteThread::Writer* w) {
    if (w->status.ok() || w->status.IsInvalidArgument() || w->is_refused) {
      return;
    }
    MutexLock lock(&mutex_);
    OnBackgroundError(w->status, BackgroundErrorReason::kMemTable);
  });
}

// A merge that is resolved at once needs every older write of the group in its
// place.
bool DBImpl::ResolvesMerges(const WriteThread::Group& group) const {
  bool has_merges = false;
  group.ForEach([&has_merges](const WriteThread::Writer* w) {
    has_merges = has_merges || w->batch->HasMerge();
  });
  if (!has_merges) return false;
  const auto& families = versions_->families()->all();
  return std::any_of(families.begin(), families.end(), [](const auto& cfd) {
    return cfd->mem()->max_successive_merges() > 0;
  });
}

bool DBImpl::Resolve(uint32_t id, const PendingMerge& merge, ValueType* type,
                     std::string* value) {
  ColumnFamilyData* cfd =
      id == 0 ? default_cfd_ : versions_->families()->Find(id);
  INVARIANT(cfd != nullptr);
  SuperVersion* super_version = cfd->Acquire();
  // Writers wait for it: files are read only where that is asked for.
  ReadOptions options;
  if (!super_version->options->strict_max_successive_merges) {
    options.read_tier = kBlockCacheTier;
  }
  PointRead read = reads_->MakePointRead(options);
  read.statistics = nullptr;  // It is no read of a user's.
  read.super_version = super_version;
  read.snapshot = merge.sequence;
  ResolvedMerge resolved;
  const Status s = ResolveMerge(read, merge.key, merge.operand, &resolved);
  cfd->Return(super_version);
  if (!s.ok()) return false;
  *type = resolved.type;
  *value = std::move(resolved.value);
  return true;
}

// The families and their memtables change only under the write leadership,
// which every caller has.
bool DBImpl::Find(uint32_t id, Target* target) {
  INVARIANT(target != nullptr);
  ColumnFamilyData* cfd =
      id == 0 ? default_cfd_ : versions_->families()->Find(id);
  if (cfd == nullptr) return false;
  target->memtable = cfd->mem().get();
  target->log_number = cfd->log_number();
  assert(cfd->id() == id);
  assert(target->memtable != nullptr);
  return true;
}

void DBImpl::FlushSoon(uint32_t family, MemTable* memtable) {
  OnFull(family, memtable);
}

void DBImpl::OnFull(uint32_t id, MemTable* memtable) {
  memtables_->NoteFull(id, memtable);
}

}  // namespace ROCKSDB_NAMESPACE

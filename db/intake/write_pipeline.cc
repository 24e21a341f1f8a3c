#include "db/intake/write_pipeline.h"

#include <algorithm>
#include <array>
#include <cassert>

#include "db/background/error_handler.h"
#include "db/background/job_errors.h"
#include "db/background/stop_signals.h"
#include "db/family/column_family.h"
#include "db/intake/direct_blobs.h"
#include "db/intake/group_log.h"
#include "db/intake/memtable_switch.h"
#include "db/intake/section_keeper.h"
#include "db/intake/wal_lock.h"
#include "db/intake/write_checks.h"
#include "db/intake/writer_stalls.h"
#include "db/manifest/version_set.h"
#include "db/observe/database_stats.h"
#include "db/wal/memtable_inserter.h"
#include "db/wal/sub_batches.h"
#include "db/wal/write_batch_format.h"
#include "db/wal/write_batch_internal.h"
#include "db/write/leader_attention.h"
#include "db/write/write_hooks.h"
#include "memtable/memtable.h"
#include "monitoring/perf_context_imp.h"
#include "monitoring/statistics_impl.h"
#include "monitoring/stop_watch.h"
#include "monitoring/trace/query_tracer.h"
#include "rocksdb/table.h"
#include "rocksdb/write_buffer_manager.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// Nothing of it is inserted.
bool IsForLogAlone(const WriteThread::Writer& writer) {
  return writer.hooks != nullptr && writer.hooks->IsForLogAlone();
}

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

Status WritePipeline::Write(const WriteOptions& options, WriteBatch* batch,
                            const WriteHooks* hooks) {
  INVARIANT(batch != nullptr);
  if (Status s = context_.checks->Check(options, *batch); !s.ok()) return s;
  if (context_.sections->policy() != SectionPolicy::kWriteCommitted)
      [[unlikely]] {
    if (Status s = CheckPolicy(); !s.ok()) return s;
    EndCountedBatch(batch);
  }
  if (context_.tracer->wants_writes_as_made()) [[unlikely]] {
    context_.tracer->Write(batch->Data());
  }
  OperationWatch watch(context_.db->clock, context_.db->stats, DB_WRITE);
  if (Status s = WriteChecks::Protect(options, batch); !s.ok()) return s;
  if (options.low_pri) {
    Status s = context_.waits->WaitAtLowPriority(options, batch->GetDataSize());
    if (!s.ok()) return s;
  }
  WriteThread::Writer writer;
  writer.batch = batch;
  writer.options = &options;
  writer.hooks = hooks;
  if (context_.db->two_write_queues && GroupLog::IsForLogOnly(writer)) {
    return context_.log->WriteAlone(&writer);
  }
  const WriteThread::State state = context_.writes->Join(&writer);
  switch (state) {
    case WriteThread::State::kLeader:
      return Lead(&writer, &watch);
    case WriteThread::State::kInsert:
      InsertOne(&writer);
      context_.writes->FinishFollower(&writer);
      break;
    case WriteThread::State::kDone:
      break;
    default:
      INVARIANT(false);
  }
  if (writer.group != nullptr && writer.status.ok()) {
    RecordTick(context_.db->stats, WRITE_DONE_BY_OTHER);
  }
  return std::move(writer.status);
}

Status WritePipeline::CheckPolicy() const {
  if (context_.sections->policy() != SectionPolicy::kWriteCommitted &&
      context_.db->enable_pipelined_write) {
    return Status::NotSupported(
        "enable_pipelined_write with the policies write-prepared and "
        "write-unprepared");
  }
  return Status::OK();
}

Status WritePipeline::WriteOwn(const WriteOptions& options, WriteBatch* batch,
                               const WriteHooks& hooks) {
  if (Status s = CheckPolicy(); !s.ok()) return s;
  WriteThread::Writer writer;
  writer.batch = batch;
  writer.options = &options;
  writer.hooks = &hooks;
  const WriteThread::State state = context_.writes->Join(&writer);
  if (state == WriteThread::State::kLeader) {
    OperationWatch watch(context_.db->clock, context_.db->stats, DB_WRITE);
    return Lead(&writer, &watch);
  }
  // Nobody else writes for it but to refuse it.
  INVARIANT(state == WriteThread::State::kDone);
  return std::move(writer.status);
}

uint64_t WritePipeline::current_log_number() const {
  return context_.log->current_number();
}

// What must be seen to before the next group is written.
bool WritePipeline::NeedsAttention() const {
  return context_.attention->IsAsked() || context_.memory->ShouldFlush() ||
         context_.memory->ShouldStall();
}

Status WritePipeline::Prepare(const WriteOptions& options) {
  bool carries = false;
  Status s = SeeToWork(options, &carries);
  return s.ok() && carries ? CarrySections() : s;
}

Status WritePipeline::SeeToWork(const WriteOptions& options, bool* carries) {
  MutexLock lock(context_.mutex);
  context_.attention->Clear();
  if (context_.stop->IsShuttingDown()) {
    // What was to be seen to never is: no later write goes on without it.
    context_.attention->Ask();
    return Status::ShutdownInProgress();
  }
  const bool may_wait = !options.no_slowdown;
  if (Status s = context_.wal_lock->Await(context_.writes, may_wait); !s.ok())
    return s;
  if (context_.error->BlocksWrites()) {
    context_.attention->Ask();
    return context_.error->error();
  }
  if (Status s = context_.waits->WaitForWork(options); !s.ok()) return s;
  context_.memtables->MarkForLogSize();
  context_.memtables->MarkForMemory();
  if (Status s = context_.memtables->SealMarked(); !s.ok()) return s;
  *carries = context_.memtables->AreLogsHeldBySections();
  return context_.waits->WaitForMemory(options);
}

// An old prepared transaction holds its log and all later ones: it goes to the
// log that is written now, and the next flush lets those before it go.
Status WritePipeline::CarrySections() {
  std::vector<WriteBatch> records;
  Status s = context_.sections->MakeRecords(&records);
  if (!s.ok()) return s;
  s = context_.log->AppendCarried(&records);
  MutexLock lock(context_.mutex);
  if (!s.ok()) {
    context_.errors->OnBackgroundError(s,
                                       BackgroundErrorReason::kWriteCallback);
    return s;
  }
  context_.sections->MoveAllTo(current_log_number());
  return s;
}

Status WritePipeline::Lead(WriteThread::Writer* leader, OperationWatch* watch) {
  INVARIANT(leader != nullptr);
  INVARIANT(leader->batch != nullptr);
  INVARIANT(leader->options != nullptr);
  Status s;
  if (NeedsAttention()) {
    PERF_TIMER_GUARD(write_scheduling_flushes_compactions_time);
    context_.writes->inserts()->Drain();
    s = Prepare(*leader->options);
  }
  WriteThread::Group group;
  context_.writes->FormGroup(leader, &group);
  INVARIANT(group.leader == leader);
  WriteThread::Writer* const next = WriteGroup(&group, std::move(s), watch);
  if (next != nullptr) {
    WriteThread::Group following;
    context_.writes->FormGroupFor(next, &following);
    WriteGroup(&following, Status::OK(), /*watch=*/nullptr);
  }
  return std::move(leader->status);
}

// Writes the group, unless `s` is an error already, and ends it. With `watch`,
// which is its leader's, a writer may be left over that is to be written for.
WriteThread::Writer* WritePipeline::WriteGroup(WriteThread::Group* group,
                                               Status s,
                                               OperationWatch* watch) {
  INVARIANT(group != nullptr);
  INVARIANT(group->size >= 1);
  PERF_TIMER_GUARD(write_pre_and_post_process_time);
  const SequenceNumber first = context_.log->NextSequence();
  SequenceNumber next = first;
  uint64_t bytes = 0;
  if (s.ok() && group->has_hooks) AskConditions(group);
  if (s.ok() && context_.direct_blobs->is_on()) [[unlikely]] {
    s = context_.direct_blobs->Store(group);
  }
  if (s.ok()) {
    group->ForEach([&next, &bytes](WriteThread::Writer* w) {
      if (w->is_refused) return;
      // The group counts as one record, which has one header.
      bytes += w->batch->GetDataSize() - (bytes > 0 ? kBatchHeaderBytes : 0);
      w->sequence = next;
      WriteBatchInternal::SetSequence(w->to_store(), next);
      if (w->stored != nullptr) [[unlikely]]
        WriteBatchInternal::SetSequence(w->batch, next);
      if (IsForLogAlone(*w)) {
        next += w->hooks->section->sequences;
        return;
      }
      next += WriteBatchInternal::Count(*w->batch);
    });
    INVARIANT(next >= first);
    PERF_TIMER_STOP(write_pre_and_post_process_time);
    s = context_.log->Append(group, {.first = first, .next = next});
  }
  if (!s.ok()) {
    group->ForEach([&s](WriteThread::Writer* w) { w->status = s; });
    context_.writes->Leave(group);
    return nullptr;
  }
  INVARIANT(context_.log->allocated_sequence() == next - 1);
  context_.waits->NoteWritten(bytes);
  const DatabaseStats::Group written{
      .writes = group->size, .keys = next - first, .bytes = bytes};
  // Only the leader may count, and ApplyGroup() lets others lead.
  context_.counts->AddGroup(written);
  WriteThread::Writer* const left_over =
      ApplyGroup(group, /*may_go_on=*/watch != nullptr);
  PERF_TIMER_START(write_pre_and_post_process_time);
  if (context_.db->stats != nullptr) {
    RecordGroup(context_.db->stats, written, *group,
                left_over == nullptr ? watch : nullptr);
  }
  return left_over;
}

// A writer that is refused stays in the group, so that the leader wakes it, but
// nothing of it is written.
void WritePipeline::AskConditions(WriteThread::Group* group) {
  INVARIANT(group->has_hooks);
  group->ForEach([this, group](WriteThread::Writer* w) {
    if (w->hooks == nullptr || w->hooks->condition == nullptr) return;
    // A condition may look at what the groups before have written.
    context_.writes->inserts()->Drain();
    w->status = w->hooks->condition->Check();
    for (const WriteThread::Writer* earlier = group->leader;
         earlier != w && w->status.ok(); earlier = earlier->newer) {
      if (earlier->is_refused) continue;
      w->status = w->hooks->condition->CheckBeside(*earlier->batch);
    }
    w->is_refused = !w->status.ok();
  });
}

void WritePipeline::TellVisible(const WriteThread::Group& group) {
  group.ForEach([](const WriteThread::Writer* w) {
    if (!w->status.ok() || w->hooks == nullptr) return;
    if (w->hooks->condition != nullptr) w->hooks->condition->OnVisible();
  });
}

// Inserts what is logged, makes it visible, and ends the group. Not null: that
// writer is next, and waits to be written for.
WriteThread::Writer* WritePipeline::ApplyGroup(WriteThread::Group* group,
                                               bool may_go_on) {
  INVARIANT(group != nullptr);
  const SequenceNumber last = context_.log->allocated_sequence();
  if (!context_.db->enable_pipelined_write && !context_.db->unordered_write) {
    InsertGroup(group);
    context_.versions->SetLastSequence(last);
    if (group->has_hooks) TellVisible(*group);
    if (may_go_on && !NeedsAttention()) {
      return context_.writes->LeaveOrKeep(group);
    }
    context_.writes->Leave(group);
    return nullptr;
  }
  InsertQueue* inserts = context_.writes->inserts();
  if (context_.db->unordered_write) {
    inserts->EnterUnordered();
    // Visible before it is there, so that nobody waits for another's
    // insertions.
    context_.versions->SetLastSequence(last);
    context_.writes->HandOver(group);
    InsertGroup(group);
    inserts->Leave(1);
    WriteThread::WakeFollowers(group);
    return nullptr;
  }
  group->last_sequence = last;
  group->is_small = WriteThread::IsSmall(*group);
  inserts->EnterLine(group);
  context_.writes->HandOver(group);
  if (inserts->AwaitTurn(group)) InsertTurnOf(group);
  return nullptr;
}

// Inserts the group, whose turn it is, and the small ones behind it.
void WritePipeline::InsertTurnOf(WriteThread::Group* first) {
  INVARIANT(first != nullptr);
  InsertQueue* inserts = context_.writes->inserts();
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
  context_.versions->SetLastSequence(last->last_sequence);
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

void WritePipeline::InsertOne(WriteThread::Writer* writer) {
  INVARIANT(writer != nullptr);
  const WriteHooks* const hooks = writer->hooks;
  if (hooks != nullptr) [[unlikely]] {
    if (writer->is_refused || IsForLogAlone(*writer)) return;
    if (hooks->InsertsNothing()) {
      context_.sections->End(*hooks->section);
      return;
    }
  }
  PERF_TIMER_GUARD(write_memtable_time);
  InsertOptions options;
  options.ignore_missing_column_families =
      writer->options->ignore_missing_column_families;
  options.keeps_hint = writer->options->memtable_insert_hint_per_batch;
  const SectionWrite* const section =
      hooks != nullptr ? hooks->section : nullptr;
  // What a section has is in the log that has the section.
  options.is_unlogged = writer->options->disableWAL ||
                        (section == nullptr &&
                         WriteBatchInternal::HasWalTermination(*writer->batch));
  InsertResult result;
  writer->status =
      InsertBatch(*writer->to_store(), options, context_.targets, &result);
  if (section != nullptr && writer->status.ok()) {
    context_.sections->End(*section);
  }
  if (result.overwritten_count > 0) {
    RecordTick(context_.db->stats, NUMBER_KEYS_UPDATED,
               result.overwritten_count);
  }
  // An entry takes one sequence at most.
  assert(!writer->status.ok() || result.next_sequence >= writer->sequence);
  assert(!writer->status.ok() ||
         result.next_sequence <=
             writer->sequence + WriteBatchInternal::Count(*writer->batch));
}

void WritePipeline::InsertGroup(WriteThread::Group* group) {
  INVARIANT(group != nullptr);
  if (group->size == 1) {
    InsertOne(group->leader);
  } else if (context_.db->allow_concurrent_memtable_write &&
             !ResolvesMerges(*group)) {
    context_.writes->LaunchInsert(group);
    group->ForEach([this](WriteThread::Writer* w) {
      if (!w->is_inserting) InsertOne(w);
    });
    context_.writes->WaitForFollowers(group);
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
    MutexLock lock(context_.mutex);
    context_.errors->OnBackgroundError(w->status,
                                       BackgroundErrorReason::kMemTable);
  });
}

// A merge that is resolved at once needs every older write of the group in its
// place.
bool WritePipeline::ResolvesMerges(const WriteThread::Group& group) const {
  bool has_merges = false;
  group.ForEach([&has_merges](const WriteThread::Writer* w) {
    has_merges = has_merges || w->batch->HasMerge();
  });
  if (!has_merges) return false;
  const auto& families = context_.versions->families()->all();
  return std::any_of(families.begin(), families.end(), [](const auto& cfd) {
    return cfd->mem()->options().max_successive_merges > 0;
  });
}

bool WritePipeline::MayHide(const ColumnFamilyData& cfd) const {
  return !context_.writes->HasExclusive() && !context_.error->BlocksWrites() &&
         !context_.stop->IsShuttingDown() && !cfd.is_dropped() &&
         cfd.options()->table_factory->IsDeleteRangeSupported();
}

// The tombstone is in no log: it is an optimisation, which a crash may undo.
// What deletion_run.h asks for holds because of three things, all of them under
// the DB mutex, under which the tombstone is added beside writers:
//  - `state` is the newest one, so that no file has come, no memtable has gone,
//    and the memtable that the scan saw as the active one can be added to. Its
//    sequence is not below that memtable's, or the scan had not asked.
//  - Nobody has the writes stopped. An ingestion has chosen its files' places
//    by what memtables hold, and a batch that comes as a memtable has sealed
//    what was before, and both give the mutex back in between.
//  - No error stops writes, and the family still takes some.
// A reader does not wait for the mutex: the next scan comes by again.
void WritePipeline::HideRange(ColumnFamilyData* cfd, const SuperVersion& state,
                              const RangeTombstone& dead) {
  assert(dead.sequence >= state.mem->options().earliest_sequence);
  assert(dead.sequence <= context_.versions->LastSequence());
  const auto is_newest = [&] {
    return state.number == cfd->super_version_number();
  };
  bool is_added = false;
  if (is_newest() && state.mem->HasRoomForTombstone() &&
      context_.mutex->TryLock()) {
    if (is_newest() && MayHide(*cfd)) {
      INVARIANT(cfd->mem() == state.mem);
      is_added =
          state.mem
              ->Add(dead.sequence, kTypeRangeDeletion, dead.begin, dead.end)
              .ok();
    }
    context_.mutex->Unlock();
  }
  RecordTick(context_.db->stats, is_added
                                     ? READ_PATH_RANGE_TOMBSTONES_INSERTED
                                     : READ_PATH_RANGE_TOMBSTONES_DISCARDED);
}

}  // namespace ROCKSDB_NAMESPACE

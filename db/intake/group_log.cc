#include "db/intake/group_log.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <utility>

#include "db/background/error_handler.h"
#include "db/background/job_errors.h"
#include "db/background/stop_signals.h"
#include "db/files/log_keeper.h"
#include "db/intake/section_keeper.h"
#include "db/intake/wal_lock.h"
#include "db/jobs/clean_up.h"
#include "db/jobs/flush_desk.h"
#include "db/manifest/version_set.h"
#include "db/observe/database_stats.h"
#include "db/wal/wal_manager.h"
#include "db/wal/write_batch_internal.h"
#include "db/write/leader_attention.h"
#include "db/write/log_turn.h"
#include "db/write/write_hooks.h"
#include "monitoring/perf_context_imp.h"
#include "monitoring/statistics_impl.h"
#include "monitoring/trace/query_tracer.h"
#include "rocksdb/user_write_callback.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

bool IsAllRefused(const WriteThread::Group& group) {
  bool is_all_refused = true;
  group.ForEach([&](const WriteThread::Writer* w) {
    is_all_refused = is_all_refused && w->is_refused;
  });
  return is_all_refused;
}

void TellLogged(const WriteThread::Group& group) {
  group.ForEach([](const WriteThread::Writer* w) {
    if (w->is_refused || w->hooks == nullptr) return;
    if (w->hooks->progress != nullptr) w->hooks->progress->OnWalWriteFinish();
  });
}

// A section that is logged is kept before anything could have its log go.
const WriteThread::Writer* PreparedBy(const WriteThread::Group& group) {
  const WriteThread::Writer* const leader = group.leader;
  return leader->hooks != nullptr && leader->hooks->IsForLogAlone() ? leader
                                                                    : nullptr;
}

// In the order of the log, if that is asked for.
void TraceGroup(const WriteThread::Group& group, QueryTracer* tracer) {
  if (!tracer->wants_writes_as_logged()) [[likely]]
    return;
  group.ForEach([tracer](const WriteThread::Writer* w) {
    if (!w->is_refused) tracer->Write(w->batch->Data());
  });
}

// A group of one is logged as it is; more are joined into one record.
Status MakeRecord(const WriteThread::Group& group, WriteBatch* joined,
                  WriteBatch** record) {
  *record = group.leader->to_store();
  if (group.size == 1 && !WriteBatchInternal::HasWalTermination(**record)) {
    return Status::OK();
  }
  *record = joined;
  joined->Clear();
  Status s;
  group.ForEach([&](WriteThread::Writer* w) {
    if (!s.ok() || w->is_refused) return;
    s = WriteBatchInternal::Append(
        joined, *w->to_store(), WriteBatchInternal::Part::kUpToWalTermination);
  });
  return s;
}

}  // namespace

GroupLog::GroupLog(const Context& context)
    : context_(context),
      wal_(context.logs->wal()),
      turn_(context.db->two_write_queues ? context.logs->turn() : nullptr) {
  INVARIANT(wal_ != nullptr);
}

uint64_t GroupLog::current_number() const { return wal_->current_number(); }

SequenceNumber GroupLog::NextSequence() const {
  return std::max(allocated_sequence_, context_.versions->LastSequence()) + 1;
}

void GroupLog::Allocate(SequenceNumber last) {
  const LogTurn turn(turn_);
  allocated_sequence_ = last;
}

Status GroupLog::Append(WriteThread::Group* group,
                        const SequenceSpan& sequences) {
  INVARIANT(group != nullptr);
  INVARIANT(sequences.next >= sequences.first);
  const bool is_unlogged = group->leader->options->disableWAL;
  const bool is_logged =
      !is_unlogged && !(group->has_hooks && IsAllRefused(*group));
  WriteBatch* record = nullptr;
  Status s;
  if (is_logged) {
    s = MakeRecord(*group, &group_batch_, &record);
    if (!s.ok()) return s;
  } else if (is_unlogged && !context_.flushes->HasUnlogged()) {
    context_.flushes->NoteUnlogged();
  }
  {
    const LogTurn turn(turn_);
    TraceGroup(*group, context_.tracer);
    if (is_logged) {
      WriteBatchInternal::SetSequence(record, sequences.first);
      s = AppendRecord(*group, *record);
    }
    if (s.ok()) allocated_sequence_ = sequences.next - 1;
  }
  if (is_logged) {
    group->logged_bytes = record->GetDataSize();
    if (!s.ok()) {
      // Else the leader records them, with the rest.
      RecordTick(context_.db->stats, WAL_FILE_BYTES, group->logged_bytes);
      RecordTick(context_.db->stats, WRITE_WITH_WAL, group->size);
    }
    NoteLogged(*group, s);
  }
  return s;
}

Status GroupLog::AppendRecord(const WriteThread::Group& group,
                              const WriteBatch& record) {
  assert(record.GetDataSize() > 0);
  PERF_TIMER_GUARD(write_wal_time);
  context_.logs->Charge(group.leader->options->rate_limiter_priority,
                        record.GetDataSize());
  Status s = wal_->Append(record.Data(), PreparedBy(group) != nullptr
                                             ? WalManager::Kind::kPrepared
                                             : WalManager::Kind::kUpdates);
  if (s.ok() && group.needs_sync) {
    s = wal_->Sync();
    context_.counts->AddWalSync();
  }
  context_.counts->AddLogged(group.size, record.GetDataSize());
  return s;
}

void GroupLog::NoteLogged(const WriteThread::Group& group, const Status& s) {
  if (s.ok() && group.has_hooks) {
    if (const WriteThread::Writer* const prepared = PreparedBy(group)) {
      context_.sections->Keep(*prepared->hooks->section, *prepared->batch,
                              wal_->current_number());
    }
    TellLogged(group);
  }
  if (s.ok() && group.needs_sync) context_.clean_up->CloseInactiveLogs();
  if (!s.ok()) {
    MutexLock lock(context_.mutex);
    context_.errors->OnBackgroundError(s,
                                       BackgroundErrorReason::kWriteCallback);
  } else if (wal_->TotalBytes() > context_.logs->limit()) {
    context_.attention->Ask();
  }
}

Status GroupLog::AppendCarried(std::vector<WriteBatch>* records) {
  INVARIANT(records != nullptr);
  MutexLock turn(context_.logs->turn());
  const bool takes_sequences =
      context_.sections->policy() != SectionPolicy::kWriteCommitted;
  for (WriteBatch& record : *records) {
    const SequenceNumber first = NextSequence();
    WriteBatchInternal::SetSequence(&record, first);
    Status s = wal_->Append(record.Data(), WalManager::Kind::kPrepared);
    if (!s.ok()) return s;
    if (!takes_sequences) continue;
    allocated_sequence_ = first - 1 + std::max<uint64_t>(1, record.Count());
  }
  return wal_->Sync();
}

bool GroupLog::IsForLogOnly(const WriteThread::Writer& writer) {
  return WriteBatchInternal::Count(*writer.batch) == 0 &&
         (writer.hooks == nullptr || (writer.hooks->condition == nullptr &&
                                      writer.hooks->section == nullptr)) &&
         !writer.options->disableWAL;
}

Status GroupLog::WriteAlone(WriteThread::Writer* writer) {
  INVARIANT(turn_ != nullptr);
  INVARIANT(writer != nullptr && IsForLogOnly(*writer));
  WriteThread& queue = *context_.log_only;
  if (queue.Join(writer) == WriteThread::State::kDone) {
    return std::move(writer->status);
  }
  Status s = PrepareAlone(*writer->options);
  WriteThread::Group group;
  queue.FormGroup(writer, &group);
  if (s.ok()) s = AppendAlone(&group);
  group.ForEach([&s](WriteThread::Writer* w) { w->status = s; });
  queue.Leave(&group);
  return s;
}

Status GroupLog::PrepareAlone(const WriteOptions& options) {
  MutexLock lock(context_.mutex);
  if (context_.stop->IsShuttingDown()) return Status::ShutdownInProgress();
  const bool may_wait = !options.no_slowdown;
  Status s = context_.wal_lock->Await(context_.log_only, may_wait);
  if (!s.ok()) return s;
  return context_.error->BlocksWrites() ? context_.error->error()
                                        : Status::OK();
}

Status GroupLog::AppendAlone(WriteThread::Group* group) {
  WriteBatch* record = nullptr;
  Status s = MakeRecord(*group, &log_only_batch_, &record);
  if (!s.ok()) return s;
  INVARIANT(WriteBatchInternal::Count(*record) == 0);
  {
    const LogTurn turn(turn_);
    TraceGroup(*group, context_.tracer);
    // It takes no sequence: it has that of the next update.
    WriteBatchInternal::SetSequence(record, NextSequence());
    s = AppendRecord(*group, *record);
  }
  const size_t bytes = record->GetDataSize();
  RecordAll(context_.db->stats,
            std::to_array<TickerCount>({{BYTES_WRITTEN, bytes},
                                        {WAL_FILE_BYTES, bytes},
                                        {WRITE_WITH_WAL, group->size}}),
            std::to_array<HistogramValue>({{BYTES_PER_WRITE, bytes}}));
  NoteLogged(*group, s);
  return s;
}

}  // namespace ROCKSDB_NAMESPACE

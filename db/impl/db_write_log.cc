// DBImpl: groups of writes on their way into the log.
//
// With two_write_queues a batch without updates (blobs for the log, markers)
// has a queue of its own: it needs no memtable, and does not wait for writes
// that do. Both queues append to one log, in turns; what a turn covers is the
// sequence that a record begins with, and the record.
#include <algorithm>
#include <array>

#include "db/files/log_keeper.h"
#include "db/impl/db_impl.h"
#include "db/impl/db_transactions.h"
#include "db/intake/wal_lock.h"
#include "db/jobs/clean_up.h"
#include "db/jobs/flush_desk.h"
#include "db/observe/database_stats.h"
#include "db/version/version_set.h"
#include "db/wal/wal_manager.h"
#include "db/wal/write_batch_internal.h"
#include "db/write/log_turn.h"
#include "db/write/write_hooks.h"
#include "monitoring/perf_context_imp.h"
#include "monitoring/statistics_impl.h"
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

// A group of one is logged as it is; more are joined into one record.
Status MakeRecord(const WriteThread::Group& group, WriteBatch* joined,
                  WriteBatch** record) {
  *record = group.leader->batch;
  if (group.size == 1 && !WriteBatchInternal::HasWalTermination(**record)) {
    return Status::OK();
  }
  *record = joined;
  joined->Clear();
  Status s;
  group.ForEach([&](WriteThread::Writer* w) {
    if (!s.ok() || w->is_refused) return;
    s = WriteBatchInternal::Append(
        joined, *w->batch, WriteBatchInternal::Part::kUpToWalTermination);
  });
  return s;
}

}  // namespace

Status DBImpl::LogGroup(WriteThread::Group* group,
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
    WriteBatchInternal::SetSequence(record, sequences.first);
  } else if (is_unlogged && !flushes_->HasUnlogged()) {
    flushes_->NoteUnlogged();
  }
  {
    const LogTurn turn(options_.two_write_queues ? logs_->turn() : nullptr);
    if (is_logged) s = AppendRecord(*group, *record);
    if (s.ok()) allocated_sequence_ = sequences.next - 1;
  }
  if (is_logged) {
    group->logged_bytes = record->GetDataSize();
    if (!s.ok()) {
      // Else the leader records them, with the rest.
      RecordTick(options_.stats, WAL_FILE_BYTES, group->logged_bytes);
      RecordTick(options_.stats, WRITE_WITH_WAL, group->size);
    }
    NoteLogged(*group, s);
  }
  return s;
}

Status DBImpl::AppendRecord(const WriteThread::Group& group,
                            const WriteBatch& record) {
  assert(record.GetDataSize() > 0);
  WalManager* const wal = logs_->wal();
  PERF_TIMER_GUARD(write_wal_time);
  logs_->Charge(group.leader->options->rate_limiter_priority,
                record.GetDataSize());
  Status s = wal->Append(record.Data());
  if (s.ok() && group.needs_sync) {
    s = wal->Sync();
    database_stats_->AddWalSync();
  }
  database_stats_->AddLogged(group.size, record.GetDataSize());
  return s;
}

void DBImpl::NoteLogged(const WriteThread::Group& group, const Status& s) {
  if (s.ok() && group.has_hooks) {
    if (PreparedBy(group) != nullptr)
      transactions_->KeepSection(*group.leader, logs_->wal()->current_number());
    TellLogged(group);
  }
  if (s.ok() && group.needs_sync) clean_up_->CloseInactiveLogs();
  if (!s.ok()) {
    MutexLock lock(&mutex_);
    OnBackgroundError(s, BackgroundErrorReason::kWriteCallback);
  } else if (logs_->wal()->TotalBytes() > logs_->limit()) {
    attention_.Ask();
  }
}

// A condition is asked in the order of the writes that it looks at, and a
// section is ended in that of the memtables.
bool DBImpl::IsForLogOnly(const WriteThread::Writer& writer) {
  return WriteBatchInternal::Count(*writer.batch) == 0 &&
         (writer.hooks == nullptr || (writer.hooks->condition == nullptr &&
                                      writer.hooks->section == nullptr)) &&
         !writer.options->disableWAL;
}

Status DBImpl::WriteLogOnly(WriteThread::Writer* writer) {
  INVARIANT(options_.two_write_queues);
  INVARIANT(writer != nullptr && IsForLogOnly(*writer));
  if (log_only_thread_.Join(writer) == WriteThread::State::kDone) {
    return std::move(writer->status);
  }
  Status s = PrepareLogOnly(*writer->options);
  WriteThread::Group group;
  log_only_thread_.FormGroup(writer, &group);
  if (s.ok()) s = LogOnly(&group);
  group.ForEach([&s](WriteThread::Writer* w) { w->status = s; });
  log_only_thread_.Leave(&group);
  return s;
}

Status DBImpl::PrepareLogOnly(const WriteOptions& options) {
  MutexLock lock(&mutex_);
  if (closed_ || stop_.IsShuttingDown()) return Status::ShutdownInProgress();
  const bool may_wait = !options.no_slowdown;
  if (Status s = wal_lock_->Await(&log_only_thread_, may_wait); !s.ok()) {
    return s;
  }
  return errors_.BlocksWrites() ? errors_.error() : Status::OK();
}

Status DBImpl::LogOnly(WriteThread::Group* group) {
  WriteBatch* record = nullptr;
  Status s = MakeRecord(*group, &log_only_batch_, &record);
  if (!s.ok()) return s;
  INVARIANT(WriteBatchInternal::Count(*record) == 0);
  {
    MutexLock turn(logs_->turn());
    // It takes no sequence: it has that of the next update.
    WriteBatchInternal::SetSequence(
        record, std::max(allocated_sequence_, versions_->LastSequence()) + 1);
    s = AppendRecord(*group, *record);
  }
  const size_t bytes = record->GetDataSize();
  RecordAll(options_.stats,
            std::to_array<TickerCount>({{BYTES_WRITTEN, bytes},
                                        {WAL_FILE_BYTES, bytes},
                                        {WRITE_WITH_WAL, group->size}}),
            std::to_array<HistogramValue>({{BYTES_PER_WRITE, bytes}}));
  NoteLogged(*group, s);
  return s;
}

}  // namespace ROCKSDB_NAMESPACE

#include "db/lookup/read_port.h"

#include <array>
#include <optional>

#include "db/files/obsolete_files.h"
#include "db/lookup/read_writers.h"
#include "db/manifest/version_set.h"
#include "db/read/lazy_entity.h"
#include "db/read/point_read.h"
#include "db/read/read_timestamp.h"
#include "db/registry/family_handle.h"
#include "file/file_io_context.h"
#include "monitoring/io_activity.h"
#include "monitoring/perf_context_imp.h"
#include "monitoring/statistics_impl.h"
#include "monitoring/stop_watch.h"
#include "monitoring/thread_tracking.h"
#include "monitoring/trace/query_tracer.h"
#include "rocksdb/lazy_wide_columns.h"
#include "rocksdb/system_clock.h"
#include "table/merge_operand_list.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// Counts a lookup of one key, and times it.
class CountedLookup {
 public:
  [[gnu::always_inline]] CountedLookup(SystemClock* clock,
                                       Statistics* statistics)
      : statistics_(statistics), watch_(clock, statistics, DB_GET) {
    cpu_.Start();
  }

  // What was found has that many bytes; a miss counts as one of none.
  [[gnu::always_inline]] void End(const Status& s, size_t found_bytes) {
    const size_t bytes = s.ok() ? found_bytes : 0;
    RecordAll(statistics_,
              std::to_array<TickerCount>(
                  {{NUMBER_KEYS_READ, 1}, {BYTES_READ, bytes}}),
              std::to_array<HistogramValue>(
                  {{BYTES_PER_READ, bytes}, watch_.Stop()}));
    PERF_COUNTER_ADD(get_read_bytes, bytes);
  }

 private:
  Statistics* const statistics_;
  OperationWatch watch_;
  PerfTimer cpu_{&perf_internal::Context().get_cpu_nanos,
                 kEnableTimeAndCPUTimeExceptForMutex,
                 PerfTimer::Clock::kThreadCpu};
};

}  // namespace

ReadPort::ReadPort(const Context& context)
    : context_(context),
      versions_(context.versions),
      db_(*context.db),
      mutex_(context.mutex),
      gate_(mutex_) {
  INVARIANT(versions_ != nullptr);
  INVARIANT(mutex_ != nullptr);
  INVARIANT(context_.obsolete != nullptr);
  INVARIANT(context_.tracer != nullptr);
}

Status ReadPort::CheckHandle(ColumnFamilyHandle* family) const {
  return CheckFamilyHandle(context_.owner, family);
}

Status ReadPort::CheckRead(const ReadOptions& options) const {
  // Its primary, or leader, keeps nothing for it.
  if (options.snapshot != nullptr && follows()) {
    return Status::NotSupported("a snapshot of a secondary or follower");
  }
  if (options.deadline.count() != 0 &&
      db_.clock->NowMicros() >=
          static_cast<uint64_t>(options.deadline.count())) {
    return Status::TimedOut("the deadline of the read has passed");
  }
  if (is_closed_) {
    return Status::ShutdownInProgress("the database is closed");
  }
  return Status::OK();
}

Status ReadPort::CheckTimestamps(const ReadOptions& options,
                                 const SuperVersion& state) {
  const Comparator* order = state.cfd->user_comparator();
  if (order->timestamp_size() == 0 && options.timestamp == nullptr) [[likely]] {
    return Status::OK();
  }
  Status s = CheckReadTimestamp(options, *state.cfd);
  return s.ok() ? CheckHistory(options, state) : s;
}

PointRead ReadPort::MakePointRead(const ReadOptions& options) const {
  PointRead read;
  read.options = &options;
  read.statistics = db_.stats;
  read.logger = db_.logger;
  read.clock = db_.clock;
  read.skips_memory = options.read_tier == kPersistedTier &&
                      context_.has_unlogged != nullptr &&
                      context_.has_unlogged->load(std::memory_order_relaxed);
  return read;
}

SequenceNumber ReadPort::ReadSequence(const ReadOptions& options) const {
  return options.snapshot != nullptr ? options.snapshot->GetSequenceNumber()
                                     : versions_->LastSequence();
}

Status ReadPort::ReadOne(const ReadOptions& options, ColumnFamilyHandle* family,
                         const Slice& key, const PointAnswer& answer) {
  if (Status s = CheckHandle(family); !s.ok()) return s;
  if (Status s = CheckRead(options); !s.ok()) return s;
  ColumnFamilyData* cfd = FamilyOf(family);
  if (context_.tracer->is_on()) [[unlikely]] {
    context_.tracer->Get(cfd->id(), key);
  }
  const TrackedCall tracked(cfd->tracked_work(),
                            answer.columns != nullptr || answer.lazy != nullptr
                                ? ThreadStatus::OP_GETENTITY
                                : ThreadStatus::OP_GET);
  PERF_TIMER_GUARD(get_snapshot_time);
  SuperVersion* super_version = cfd->Acquire();
  assert(super_version != nullptr);
  assert(super_version->cfd == cfd);
  PointRead read = MakePointRead(options);
  read.super_version = super_version;
  // After the super version: whatever it lacks is newer than the sequence.
  read.snapshot = ReadSequence(options);
  PERF_TIMER_STOP(get_snapshot_time);
  assert(read.snapshot <= kMaxSequenceNumber);
  Status s = CheckTimestamps(options, *super_version);
  if (s.ok()) s = GetOne(read, key, answer);
  if (answer.lazy != nullptr && s.ok()) [[unlikely]] {
    std::shared_ptr<const LazyBlobs> blobs;
    const Status attached = Attach(options, super_version, answer.lazy, &blobs);
    // An OK of the lookup may say more (merge_operand_count_threshold).
    if (!attached.ok()) s = attached;
  }
  PERF_TIMER_GUARD(get_post_process_time);
  cfd->Return(super_version);
  return s;
}

Status ReadPort::Get(const ReadOptions& options, ColumnFamilyHandle* family,
                     const Slice& key, PinnableSlice* value,
                     std::string* timestamp) {
  if (value == nullptr) return Status::InvalidArgument("value is null");
  CountedLookup counted(db_.clock, db_.stats);
  const IoActivityScope activity(Env::IOActivity::kGet);
  value->Reset();
  if (timestamp != nullptr) timestamp->clear();
  Status s =
      ReadOne(options, family, key, {.value = value, .timestamp = timestamp});
  counted.End(s, value->size());
  return s;
}

Status ReadPort::GetEntity(const ReadOptions& options,
                           ColumnFamilyHandle* family, const Slice& key,
                           PinnableWideColumns* columns) {
  if (columns == nullptr) return Status::InvalidArgument("columns is null");
  CountedLookup counted(db_.clock, db_.stats);
  columns->Reset();
  const IoActivityScope activity(Env::IOActivity::kGetEntity);
  Status s = ReadOne(options, family, key, {.columns = columns});
  counted.End(s, s.ok() ? columns->serialized_size() : 0);
  return s;
}

Status ReadPort::GetEntityLazy(const ReadOptions& options,
                               ColumnFamilyHandle* family, const Slice& key,
                               LazyWideColumns* columns) {
  if (columns == nullptr) return Status::InvalidArgument("result is null");
  CountedLookup counted(db_.clock, db_.stats);
  columns->Reset();
  const IoActivityScope activity(Env::IOActivity::kGetEntity);
  auto entity = std::make_unique<LazyEntity>();
  Status s = ReadOne(options, family, key, {.lazy = entity.get()});
  counted.End(s, entity->stored()->bytes.size());
  if (s.ok()) *columns = LazyWideColumns(std::move(entity));
  return s;
}

Status ReadPort::GetMergeOperands(const ReadOptions& options,
                                  ColumnFamilyHandle* family, const Slice& key,
                                  PinnableSlice* merge_operands,
                                  GetMergeOperandsOptions* operands_options,
                                  int* number_of_operands) {
  if (merge_operands == nullptr || number_of_operands == nullptr ||
      operands_options == nullptr) {
    return Status::InvalidArgument(
        "merge_operands, get_merge_operands_options or number_of_operands is "
        "null");
  }
  *number_of_operands = 0;
  CountedLookup counted(db_.clock, db_.stats);
  MergeOperandList list;
  list.continue_after = operands_options->continue_cb;
  Status s = ReadOne(options, family, key, {.operands = &list});
  size_t bytes = 0;
  for (const std::string& operand : list.values) bytes += operand.size();
  counted.End(s, bytes);
  if (!s.ok()) return s;
  const size_t count = list.values.size();
  *number_of_operands = static_cast<int>(count);
  if (*number_of_operands > operands_options->expected_max_number_of_operands) {
    return Status::Incomplete(Status::KMergeOperandsInsufficientCapacity);
  }
  for (size_t i = 0; i < count; ++i) {
    merge_operands[i].Reset();
    *merge_operands[i].GetSelf() = std::move(list.values[count - 1 - i]);
    merge_operands[i].PinSelf();
  }
  return s;
}

void ReadPort::GiveBack(SuperVersion* state, CleanUp where) const {
  std::optional<ObsoleteFiles::PurgeAtEnd> purge;
  if (where == CleanUp::kHere && !db_.avoid_unnecessary_blocking_io) {
    purge.emplace(context_.obsolete);
  }
  ColumnFamilyData::Release(state);
}

Status ReadPort::VisitEntries(ColumnFamilyHandle* family,
                              const EntryRange& range,
                              const VisitEntry& visit) const {
  if (Status s = CheckHandle(family); !s.ok()) return s;
  SuperVersion* const state = FamilyOf(family)->AcquireReferenced();
  const Status s = VisitStoredEntries(
      *state, range, KeyTextOf(db_.allow_data_in_errors), visit);
  GiveBack(state, CleanUp::kHere);
  return s;
}

const Snapshot* ReadPort::GetSnapshot(uint64_t timestamp) {
  if (is_closed_) return nullptr;
  int64_t now = 0;
  if (!db_.clock->GetCurrentTime(&now).ok()) now = 0;
  MutexLock lock(mutex_);
  if (!FileOperation::IsBeingTold()) gate_.Await();
  if (versions_->families()->changes_in_place()) return nullptr;
  return snapshots_.Add(versions_->LastSequence(), now, timestamp);
}

void ReadPort::ReleaseSnapshot(const Snapshot* snapshot) {
  if (snapshot == nullptr) return;
  MutexLock lock(mutex_);
  const bool was_oldest = snapshots_.oldest() == snapshot;
  snapshots_.Release(snapshot);
  if (was_oldest && context_.writers != nullptr && !is_closed_) {
    context_.writers->OldestSnapshotGone();
  }
}

}  // namespace ROCKSDB_NAMESPACE

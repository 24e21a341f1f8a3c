// DBImpl: reading.
#include <algorithm>
#include <numeric>

#include "db/impl/db_impl.h"
#include "db/impl/obsolete_files.h"
#include "db/read/point_read.h"
#include "db/read/user_iterator.h"
#include "monitoring/perf_context_imp.h"
#include "monitoring/statistics_impl.h"
#include "monitoring/stop_watch.h"
#include "rocksdb/system_clock.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// What a read may ask for that is not built yet.
Status CheckRead(const ReadOptions& options) {
  if (options.timestamp != nullptr) {
    return Status::NotSupported("ReadOptions::timestamp");
  }
  if (options.read_tier == kPersistedTier) {
    return Status::NotSupported("ReadOptions::read_tier = kPersistedTier");
  }
  if (options.deadline.count() != 0) {
    return Status::NotSupported("ReadOptions::deadline");
  }
  if (options.io_timeout.count() != 0) {
    return Status::NotSupported("ReadOptions::io_timeout");
  }
  return Status::OK();
}

void CountMultiGet(Statistics* statistics, size_t num_keys,
                   const PinnableSlice* values, const Status* statuses) {
  uint64_t found = 0, bytes = 0;
  for (size_t i = 0; i < num_keys; ++i) {
    if (!statuses[i].ok()) continue;
    ++found;
    bytes += values[i].size();
  }
  RecordTick(statistics, NUMBER_MULTIGET_CALLS);
  RecordTick(statistics, NUMBER_MULTIGET_KEYS_READ, num_keys);
  RecordTick(statistics, NUMBER_MULTIGET_KEYS_FOUND, found);
  RecordTick(statistics, NUMBER_MULTIGET_BYTES_READ, bytes);
  RecordInHistogram(statistics, BYTES_PER_MULTIGET, bytes);
  PERF_COUNTER_ADD(multiget_read_bytes, bytes);
}

}  // namespace

SequenceNumber DBImpl::ReadSequence(const ReadOptions& options) const {
  return options.snapshot != nullptr ? options.snapshot->GetSequenceNumber()
                                     : versions_->LastSequence();
}

Status DBImpl::ReadOne(const ReadOptions& options, ColumnFamilyHandle* family,
                       const Slice& key, PinnableSlice* value,
                       PinnableWideColumns* columns) {
  INVARIANT(family != nullptr);
  // One of the two is asked for.
  assert((value == nullptr) != (columns == nullptr));
  if (Status s = CheckRead(options); !s.ok()) return s;
  if (Status s = CheckOpen(); !s.ok()) return s;
  ColumnFamilyData* cfd = FamilyOf(family);
  SuperVersion* super_version = cfd->Acquire();
  assert(super_version != nullptr);
  assert(super_version->cfd == cfd);
  // After the super version: whatever it lacks is newer than the sequence.
  const SequenceNumber snapshot = ReadSequence(options);
  assert(snapshot <= kMaxSequenceNumber);
  PointRead read;
  read.options = &options;
  read.super_version = super_version;
  read.snapshot = snapshot;
  read.statistics = options_.stats;
  read.logger = options_.logger;
  read.clock = options_.clock;
  const Status s = GetOne(read, key, value, columns);
  cfd->Return(super_version);
  return s;
}

Status DBImpl::Get(const ReadOptions& options, ColumnFamilyHandle* family,
                   const Slice& key, PinnableSlice* value) {
  INVARIANT(family != nullptr);
  INVARIANT(value != nullptr);
  const StopWatch watch(options_.clock, options_.stats, DB_GET);
  PERF_CPU_TIMER_GUARD(get_cpu_nanos);
  value->Reset();
  Status s = ReadOne(options, family, key, value, nullptr);
  RecordTick(options_.stats, NUMBER_KEYS_READ);
  if (s.ok()) {
    RecordTick(options_.stats, BYTES_READ, value->size());
    RecordInHistogram(options_.stats, BYTES_PER_READ, value->size());
    PERF_COUNTER_ADD(get_read_bytes, value->size());
  }
  return s;
}

Status DBImpl::GetEntity(const ReadOptions& options, ColumnFamilyHandle* family,
                         const Slice& key, PinnableWideColumns* columns) {
  INVARIANT(family != nullptr);
  INVARIANT(columns != nullptr);
  columns->Reset();
  return ReadOne(options, family, key, nullptr, columns);
}

void DBImpl::MultiGet(const ReadOptions& options, ColumnFamilyHandle* family,
                      size_t num_keys, const Slice* keys, PinnableSlice* values,
                      Status* statuses, bool sorted_input) {
  std::vector<ColumnFamilyHandle*> families(num_keys, family);
  MultiGet(options, num_keys, families.data(), keys, values, statuses,
           sorted_input);
}

void DBImpl::MultiGet(const ReadOptions& options, size_t num_keys,
                      ColumnFamilyHandle** families, const Slice* keys,
                      PinnableSlice* values, Status* statuses,
                      bool /*sorted_input*/) {
  if (num_keys == 0) return;
  const StopWatch watch(options_.clock, options_.stats, DB_MULTIGET);
  assert(families != nullptr);
  assert(keys != nullptr);
  assert(values != nullptr);
  assert(statuses != nullptr);
  Status s = CheckRead(options);
  if (s.ok()) s = CheckOpen();
  if (!s.ok()) {
    std::fill(statuses, statuses + num_keys, s);
    return;
  }
  // By family, then by key.
  std::vector<size_t> order(num_keys);
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    const ColumnFamilyData* x = FamilyOf(families[a]);
    const ColumnFamilyData* y = FamilyOf(families[b]);
    if (x != y) return x->id() < y->id();
    return x->user_comparator()->Compare(keys[a], keys[b]) < 0;
  });
  // A batch may have written to several families: what is seen of it must be
  // the same in all, which only a moment fixed before the states gives.
  const bool has_many =
      FamilyOf(families[order.front()]) != FamilyOf(families[order.back()]);
  const Snapshot* own = nullptr;
  if (has_many && options.snapshot == nullptr) own = GetSnapshot();
  std::map<ColumnFamilyData*, SuperVersion*> states;
  for (size_t i = 0; i < num_keys; ++i) {
    ColumnFamilyData* cfd = FamilyOf(families[i]);
    if (states.count(cfd) == 0) states[cfd] = cfd->AcquireReferenced();
  }
  PointRead read;
  read.options = &options;
  read.snapshot =
      own != nullptr ? own->GetSequenceNumber() : ReadSequence(options);
  read.statistics = options_.stats;
  std::vector<BatchedKey> batch;
  for (size_t begin = 0; begin < num_keys;) {
    ColumnFamilyData* cfd = FamilyOf(families[order[begin]]);
    batch.clear();
    size_t end = begin;
    for (; end < num_keys && FamilyOf(families[order[end]]) == cfd; ++end) {
      const size_t at = order[end];
      values[at].Reset();
      batch.push_back({keys[at], &values[at], &statuses[at]});
    }
    INVARIANT(end > begin);
    INVARIANT(states.count(cfd) == 1);
    read.super_version = states[cfd];
    MultiGetFromSuperVersion(read, batch.data(), batch.size());
    begin = end;
  }
  for (const auto& entry : states) ColumnFamilyData::Release(entry.second);
  ReleaseSnapshot(own);
  CountMultiGet(options_.stats, num_keys, values, statuses);
}

Iterator* DBImpl::NewIterator(const ReadOptions& options,
                              ColumnFamilyHandle* family) {
  INVARIANT(family != nullptr);
  Status s = CheckRead(options);
  if (s.ok()) s = CheckOpen();
  if (s.ok() && options.tailing) {
    s = Status::NotSupported("ReadOptions::tailing");
  }
  if (s.ok() && options.iter_start_ts != nullptr) {
    s = Status::NotSupported("ReadOptions::iter_start_ts");
  }
  if (!s.ok()) return NewErrorIterator(s);
  const ColumnFamilyRef cfd =
      static_cast<ColumnFamilyHandleImpl*>(family)->cfd_ref();
  UserIteratorRequest request;
  request.options = options;
  request.super_version = cfd->AcquireReferenced();
  INVARIANT(request.super_version != nullptr);
  request.snapshot = ReadSequence(options);
  request.clock = options_.clock;
  // Holds the family as long as the iterator lives.
  request.release = [this, cfd](SuperVersion* super_version) {
    ColumnFamilyData::Release(super_version);
    if (obsolete_->HasWork()) obsolete_->Purge();
  };
  request.acquire = [this, cfd](SequenceNumber* snapshot) {
    SuperVersion* super_version = cfd->AcquireReferenced();
    *snapshot = versions_->LastSequence();
    return super_version;
  };
  RecordTick(options_.stats, NO_ITERATOR_CREATED);
  return NewUserIterator(std::move(request)).release();
}

Status DBImpl::NewIterators(const ReadOptions& options,
                            const std::vector<ColumnFamilyHandle*>& families,
                            std::vector<Iterator*>* iterators) {
  assert(iterators != nullptr);
  iterators->clear();
  if (Status s = CheckRead(options); !s.ok()) return s;
  if (Status s = CheckOpen(); !s.ok()) return s;
  // One sequence for all of them.
  ReadOptions pinned = options;
  const Snapshot* own = nullptr;
  if (options.snapshot == nullptr) pinned.snapshot = own = GetSnapshot();
  for (ColumnFamilyHandle* family : families) {
    iterators->push_back(NewIterator(pinned, family));
  }
  assert(iterators->size() == families.size());
  // The iterators keep what they need; the snapshot only fixed the moment.
  if (own != nullptr) ReleaseSnapshot(own);
  return Status::OK();
}

const Snapshot* DBImpl::GetSnapshot() {
  if (closed_) return nullptr;
  int64_t now = 0;
  if (!options_.clock->GetCurrentTime(&now).ok()) now = 0;
  MutexLock lock(&mutex_);
  INVARIANT(versions_ != nullptr);
  return snapshots_.Add(versions_->LastSequence(), now);
}

void DBImpl::ReleaseSnapshot(const Snapshot* snapshot) {
  if (snapshot == nullptr) return;
  MutexLock lock(&mutex_);
  INVARIANT(!snapshots_.empty());
  const bool was_oldest = snapshots_.oldest() == snapshot;
  snapshots_.Release(snapshot);
  if (was_oldest && mode_ == Mode::kReadWrite && !closed_) {
    NoteSnapshotsChanged();
  }
}

}  // namespace ROCKSDB_NAMESPACE

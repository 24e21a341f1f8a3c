// DBImpl: reading many keys at once.
#include <algorithm>
#include <functional>
#include <memory>
#include <numeric>
#include <utility>

#include "db/impl/db_impl.h"
#include "db/read/multi_get.h"
#include "monitoring/io_activity.h"
#include "monitoring/perf_context_imp.h"
#include "monitoring/stop_watch.h"
#include "monitoring/thread_tracking.h"
#include "rocksdb/attribute_groups.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

// The keys of one call; one of `values` and `columns` is there.
struct DBImpl::ManyKeys {
  size_t count = 0;
  ColumnFamilyHandle* const* families = nullptr;
  const Slice* keys = nullptr;
  PinnableSlice* values = nullptr;
  PinnableWideColumns* columns = nullptr;
  std::string* timestamps = nullptr;  // may be null
  Status* statuses = nullptr;
  bool is_sorted = false;

  BatchedKey At(size_t i) {
    BatchedKey key;
    key.user_key = keys[i];
    if (values != nullptr) {
      values[i].Reset();
      key.value = &values[i];
    } else {
      columns[i].Reset();
      key.columns = &columns[i];
    }
    if (timestamps != nullptr) {
      timestamps[i].clear();
      key.timestamp = &timestamps[i];
    }
    key.status = &statuses[i];
    return key;
  }
  ThreadStatus::OperationType Operation() const {
    return values != nullptr ? ThreadStatus::OP_MULTIGET
                             : ThreadStatus::OP_MULTIGETENTITY;
  }
  void CountAnswers(Statistics* statistics) const {
    PERF_TIMER_GUARD(get_post_process_time);
    uint64_t found = 0, bytes = 0;
    for (size_t i = 0; i < count; ++i) {
      if (!statuses[i].ok()) continue;
      ++found;
      bytes +=
          values != nullptr ? values[i].size() : columns[i].serialized_size();
    }
    RecordTick(statistics, NUMBER_MULTIGET_CALLS);
    RecordTick(statistics, NUMBER_MULTIGET_KEYS_READ, count);
    RecordTick(statistics, NUMBER_MULTIGET_KEYS_FOUND, found);
    RecordTick(statistics, NUMBER_MULTIGET_BYTES_READ, bytes);
    RecordInHistogram(statistics, BYTES_PER_MULTIGET, bytes);
    PERF_COUNTER_ADD(multiget_read_bytes, bytes);
  }
};

namespace {

// The families of one call, each with the state that it is read in.
class HeldStates {
 public:
  using GiveBack = std::function<void(SuperVersion*)>;
  explicit HeldStates(GiveBack give_back) : give_back_(std::move(give_back)) {}
  ~HeldStates() {
    for (const auto& entry : states_) give_back_(entry.second);
  }
  HeldStates(const HeldStates&) = delete;
  HeldStates& operator=(const HeldStates&) = delete;

  void Hold(ColumnFamilyData* cfd) {
    PERF_TIMER_GUARD(get_snapshot_time);
    SuperVersion*& state = states_[cfd];
    if (state == nullptr) state = cfd->AcquireReferenced();
    INVARIANT(state != nullptr);
  }
  const SuperVersion* Of(ColumnFamilyData* cfd) const {
    return states_.at(cfd);
  }
  bool has_one() const { return states_.size() == 1; }

 private:
  const GiveBack give_back_;
  std::map<ColumnFamilyData*, SuperVersion*> states_;
};

}  // namespace

Status DBImpl::CheckMany(const ReadOptions& options,
                         const ManyKeys& keys) const {
  if (keys.families == nullptr || keys.keys == nullptr ||
      (keys.values == nullptr && keys.columns == nullptr)) {
    return Status::InvalidArgument(
        "MultiGet needs column families, keys and values");
  }
  for (size_t i = 0; i < keys.count; ++i) {
    if (Status s = CheckHandle(keys.families[i]); !s.ok()) return s;
  }
  return CheckRead(options);
}

void DBImpl::ReadMany(const ReadOptions& options, ManyKeys* keys) {
  const size_t count = keys->count;
  if (count == 0) return;
  const StopWatch watch(options_.clock, options_.stats, DB_MULTIGET);
  PERF_CPU_TIMER_GUARD(get_cpu_nanos);
  const IoActivityScope activity(keys->values != nullptr
                                     ? Env::IOActivity::kMultiGet
                                     : Env::IOActivity::kMultiGetEntity);
  if (keys->statuses == nullptr) return;
  if (Status s = CheckMany(options, *keys); !s.ok()) {
    std::fill(keys->statuses, keys->statuses + count, s);
    return;
  }
  const auto family = [&](size_t i) { return FamilyOf(keys->families[i]); };
  const bool has_many =
      std::any_of(keys->families, keys->families + count,
                  [&](auto* handle) { return FamilyOf(handle) != family(0); });
  const TrackedWork work = family(0)->tracked_work();
  const TrackedCall tracked(has_many ? TrackedNames::DatabaseAlone(work) : work,
                            keys->Operation());
  // By family, then by key.
  std::vector<size_t> order(count);
  std::iota(order.begin(), order.end(), 0);
  if (has_many || !keys->is_sorted) {
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
      const ColumnFamilyData* x = family(a);
      if (x != family(b)) return x->id() < family(b)->id();
      return x->order().CompareGiven(keys->keys[a], keys->keys[b]) < 0;
    });
  }
  // A batch may have written to several families: what is seen of it must be
  // the same in all, which only a moment fixed before the states gives.
  std::unique_ptr<MutexLock> still;
  if (has_many && Follows()) {
    still = std::make_unique<MutexLock>(&follow_mutex_);
  }
  const Snapshot* own = nullptr;
  if (has_many && options.snapshot == nullptr) own = GetSnapshot();
  uint64_t value_bytes = 0;
  {
    HeldStates states([this](SuperVersion* state) { GiveBack(state); });
    for (size_t i = 0; i < count; ++i) states.Hold(family(i));
    still.reset();
    assert(states.has_one() == !has_many);
    PointRead read = MakePointRead(options);
    read.snapshot =
        own != nullptr ? own->GetSequenceNumber() : ReadSequence(options);
    std::vector<BatchedKey> batch;
    for (size_t begin = 0; begin < count;) {
      ColumnFamilyData* cfd = family(order[begin]);
      batch.clear();
      size_t end = begin;
      for (; end < count && family(order[end]) == cfd; ++end) {
        batch.push_back(keys->At(order[end]));
      }
      INVARIANT(end > begin);
      read.super_version = states.Of(cfd);
      begin = end;
      const Status s = CheckTimestamps(options, *read.super_version);
      if (!s.ok()) {
        for (BatchedKey& key : batch) *key.status = s;
        continue;
      }
      MultiGetFromSuperVersion(read, batch.data(), batch.size(), &value_bytes);
    }
  }
  ReleaseSnapshot(own);
  keys->CountAnswers(options_.stats);
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
                      bool sorted_input) {
  MultiGet(options, num_keys, families, keys, values, nullptr, statuses,
           sorted_input);
}

void DBImpl::MultiGet(const ReadOptions& options, size_t num_keys,
                      ColumnFamilyHandle** families, const Slice* keys,
                      PinnableSlice* values, std::string* timestamps,
                      Status* statuses, bool sorted_input) {
  ManyKeys many;
  many.count = num_keys;
  many.families = families;
  many.keys = keys;
  many.values = values;
  many.timestamps = timestamps;
  many.statuses = statuses;
  many.is_sorted = sorted_input;
  ReadMany(options, &many);
}

void DBImpl::MultiGetEntity(const ReadOptions& options,
                            ColumnFamilyHandle* family, size_t num_keys,
                            const Slice* keys, PinnableWideColumns* results,
                            Status* statuses, bool sorted_input) {
  std::vector<ColumnFamilyHandle*> families(num_keys, family);
  MultiGetEntity(options, num_keys, families.data(), keys, results, statuses,
                 sorted_input);
}

void DBImpl::MultiGetEntity(const ReadOptions& options, size_t num_keys,
                            ColumnFamilyHandle** families, const Slice* keys,
                            PinnableWideColumns* results, Status* statuses,
                            bool sorted_input) {
  ManyKeys many;
  many.count = num_keys;
  many.families = families;
  many.keys = keys;
  many.columns = results;
  many.statuses = statuses;
  many.is_sorted = sorted_input;
  assert(num_keys == 0 || results != nullptr);
  ReadMany(options, &many);
}

void DBImpl::MultiGetEntity(const ReadOptions& options, size_t num_keys,
                            const Slice* keys,
                            PinnableAttributeGroups* results) {
  assert(num_keys == 0 || (keys != nullptr && results != nullptr));
  std::vector<ColumnFamilyHandle*> families;
  std::vector<Slice> flat_keys;
  std::vector<PinnableAttributeGroup*> groups;
  for (size_t i = 0; i < num_keys; ++i) {
    for (PinnableAttributeGroup& group : results[i]) {
      group.Reset();
      if (group.column_family() == nullptr) {
        group.SetStatus(Status::InvalidArgument(
            "an attribute group needs a column family"));
        continue;
      }
      families.push_back(group.column_family());
      flat_keys.push_back(keys[i]);
      groups.push_back(&group);
    }
  }
  std::vector<PinnableWideColumns> columns(groups.size());
  std::vector<Status> statuses(groups.size());
  MultiGetEntity(options, groups.size(), families.data(), flat_keys.data(),
                 columns.data(), statuses.data(), false);
  for (size_t i = 0; i < groups.size(); ++i) {
    groups[i]->SetStatus(statuses[i]);
    if (statuses[i].ok()) groups[i]->SetColumns(std::move(columns[i]));
  }
}

Status DBImpl::GetEntity(const ReadOptions& options, const Slice& key,
                         PinnableAttributeGroups* result) {
  if (result == nullptr) {
    return Status::InvalidArgument("no attribute groups to read into");
  }
  if (Status s = CheckRead(options); !s.ok()) return s;
  for (const PinnableAttributeGroup& group : *result) {
    if (group.column_family() == nullptr) {
      return Status::InvalidArgument(
          "an attribute group needs a column family");
    }
  }
  const TrackedCall tracked(
      TrackedNames::DatabaseAlone(default_cfd_->tracked_work()),
      ThreadStatus::OP_GETENTITY);
  MultiGetEntity(options, 1, &key, result);
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE

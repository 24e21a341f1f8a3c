// ReadPort: many keys at once.
#include <algorithm>
#include <map>
#include <memory>
#include <numeric>
#include <utility>

#include "db/lookup/many_keys.h"
#include "db/manifest/version_set.h"
#include "db/read/multi_get.h"
#include "db/read/point_read.h"
#include "db/registry/family_handle.h"
#include "monitoring/io_activity.h"
#include "monitoring/perf_context_imp.h"
#include "monitoring/stop_watch.h"
#include "monitoring/thread_tracking.h"
#include "monitoring/trace/query_tracer.h"
#include "rocksdb/attribute_groups.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// The families of one call, each with the state that it is read in.
class HeldStates {
 public:
  HeldStates() = default;
  ~HeldStates() {
    for (const auto& entry : states_) ColumnFamilyData::Release(entry.second);
  }
  HeldStates(const HeldStates&) = delete;
  HeldStates& operator=(const HeldStates&) = delete;

  void Hold(ColumnFamilyData* cfd) {
    PERF_TIMER_GUARD(get_snapshot_time);
    SuperVersion*& state = states_[cfd];
    if (state == nullptr) state = cfd->AcquireReferenced();
    INVARIANT(state != nullptr);
  }
  SuperVersion* Of(ColumnFamilyData* cfd) const { return states_.at(cfd); }
  bool has_one() const { return states_.size() == 1; }

 private:
  std::map<ColumnFamilyData*, SuperVersion*> states_;
};

void TraceMany(QueryTracer* tracer, const ReadPort::ManyKeys& keys) {
  if (!tracer->is_on()) [[likely]]
    return;
  const auto id_of = [&keys](size_t i) {
    return FamilyOf(keys.families[i])->id();
  };
  tracer->MultiGet(keys.count, id_of, keys.keys);
}

}  // namespace

Status ReadPort::CheckMany(const ReadOptions& options,
                           const ManyKeys& keys) const {
  if (keys.families == nullptr || keys.keys == nullptr ||
      (keys.values == nullptr && keys.columns == nullptr &&
       keys.lazy == nullptr)) {
    return Status::InvalidArgument(
        "MultiGet needs column families, keys and values");
  }
  for (size_t i = 0; i < keys.count; ++i) {
    if (Status s = CheckHandle(keys.families[i]); !s.ok()) return s;
  }
  return CheckRead(options);
}

void ReadPort::GetMany(const ReadOptions& options, ManyKeys* keys) {
  const size_t count = keys->count;
  if (count == 0 || keys->statuses == nullptr) return;
  const StopWatch watch(db_.clock, db_.stats, DB_MULTIGET);
  PERF_CPU_TIMER_GUARD(get_cpu_nanos);
  const IoActivityScope activity(keys->values != nullptr
                                     ? Env::IOActivity::kMultiGet
                                     : Env::IOActivity::kMultiGetEntity);
  if (Status s = CheckMany(options, *keys); !s.ok()) {
    std::fill(keys->statuses, keys->statuses + count, s);
    return;
  }
  const auto family = [&](size_t i) { return FamilyOf(keys->families[i]); };
  TraceMany(context_.tracer, *keys);
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
  if (has_many && follows()) {
    still = std::make_unique<MutexLock>(context_.follow_mutex);
  }
  const Snapshot* own = nullptr;
  if (has_many && options.snapshot == nullptr) own = GetSnapshot();
  uint64_t value_bytes = 0;
  {
    HeldStates states;
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
    if (keys->lazy != nullptr) AttachAll(options, states.Of(family(0)), keys);
  }
  ReleaseSnapshot(own);
  keys->CountAnswers(db_.stats);
}

void ReadPort::GetMany(const ReadOptions& options, size_t count,
                       const Slice* keys, PinnableAttributeGroups* results) {
  assert(count == 0 || (keys != nullptr && results != nullptr));
  std::vector<ColumnFamilyHandle*> families;
  std::vector<Slice> flat_keys;
  std::vector<PinnableAttributeGroup*> groups;
  for (size_t i = 0; i < count; ++i) {
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
  ManyKeys many;
  many.count = groups.size();
  many.families = families.data();
  many.keys = flat_keys.data();
  many.columns = columns.data();
  many.statuses = statuses.data();
  GetMany(options, &many);
  for (size_t i = 0; i < groups.size(); ++i) {
    groups[i]->SetStatus(statuses[i]);
    if (statuses[i].ok()) groups[i]->SetColumns(std::move(columns[i]));
  }
}

Status ReadPort::GetEntity(const ReadOptions& options, const Slice& key,
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
      TrackedNames::DatabaseAlone(
          versions_->families()->default_family()->tracked_work()),
      ThreadStatus::OP_GETENTITY);
  GetMany(options, 1, &key, result);
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE

#include "db/read/point_read.h"

#include <algorithm>
#include <cassert>

#include "db/read/version_blobs.h"
#include "db/version/column_family.h"
#include "monitoring/perf_context_imp.h"
#include "monitoring/statistics_impl.h"
#include "table/point_lookup.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

void CountHit(const PointRead& read, int level) {
  assert(level >= 0);
  if (level == 0) {
    RecordTick(read.statistics, GET_HIT_L0);
  } else if (level == 1) {
    RecordTick(read.statistics, GET_HIT_L1);
  } else {
    RecordTick(read.statistics, GET_HIT_L2_AND_UP);
  }
}

// One lookup on its way down the files of a version.
class FileWalk {
 public:
  FileWalk(const PointRead& read, const LookupKey& key, PointLookup* lookup)
      : read_(read),
        key_(key),
        lookup_(lookup),
        storage_(read.super_version->current->storage()),
        tables_(read.super_version->cfd->tables()) {
    assert(lookup_ != nullptr);
    assert(tables_ != nullptr);
    assert(read_.options != nullptr);
    assert(!lookup_->IsDecided());
  }

  Status Run() {
    Status s = Level0();
    const int last = storage_.LastNonEmptyLevel();
    assert(last < storage_.level_count());
    for (int level = 1; level <= last && s.ok() && !lookup_->IsDecided();
         ++level) {
      s = Level(level);
    }
    return s;
  }

 private:
  Status Level0() {
    const InternalKeyComparator& order = storage_.order();
    const Slice user_key = key_.user_key();
    for (const FileRef& file : storage_.level0()) {
      if (order.CompareUserKeys(user_key, file->smallest.user_key()) < 0 ||
          order.CompareUserKeys(user_key, file->largest.user_key()) > 0) {
        continue;
      }
      if (Status s = File(*file, 0); !s.ok()) return s;
      if (lookup_->IsDecided()) return Status::OK();
    }
    return Status::OK();
  }

  // Two neighbours may share a user key: what the first has not decided, the
  // second may.
  Status Level(int level) {
    assert(level > 0);
    const LevelFiles& files = storage_.level(level);
    const InternalKeyComparator& order = storage_.order();
    const Slice user_key = key_.user_key();
    for (size_t i = files.FirstEndingAtOrAfter(key_.internal_key());
         i < files.size(); ++i) {
      const FileMeta& file = *files.at(i);
      assert(order.CompareUserKeys(file.largest.user_key(), user_key) >= 0);
      if (order.CompareUserKeys(file.smallest.user_key(), user_key) > 0) break;
      if (Status s = File(file, level); !s.ok()) return s;
      if (lookup_->IsDecided()) return Status::OK();
      if (order.CompareUserKeys(file.largest.user_key(), user_key) != 0) break;
    }
    return Status::OK();
  }

  Status File(const FileMeta& file, int level) {
    assert(!lookup_->IsDecided());
    Status s = tables_->Get(*read_.options, {&file, level},
                            *read_.super_version->options, key_.internal_key(),
                            lookup_);
    if (s.ok() && lookup_->IsDecided() &&
        lookup_->state() == PointLookup::State::kFound) {
      CountHit(read_, level);
      PERF_COUNTER_BY_LEVEL_ADD(user_key_return_count, 1, level);
    }
    return s;
  }

  const PointRead& read_;
  const LookupKey& key_;
  PointLookup* lookup_;
  const VersionStorage& storage_;
  TableCache* tables_;
};

// True if the memtables decide the lookup.
bool GetFromMemory(const PointRead& read, const LookupKey& key,
                   PointLookup* lookup) {
  assert(lookup != nullptr);
  const SuperVersion& state = *read.super_version;
  assert(state.mem != nullptr);
  assert(state.imm != nullptr);
  PERF_TIMER_GUARD(get_from_memtable_time);
  PERF_COUNTER_ADD(get_from_memtable_count, 1 + state.imm->size());
  bool decided = state.mem->Get(key, read.snapshot, lookup);
  for (size_t i = 0; i < state.imm->size() && !decided; ++i) {
    decided = (*state.imm)[i]->Get(key, read.snapshot, lookup);
  }
  assert(decided == lookup->IsDecided());
  RecordTick(read.statistics, decided ? MEMTABLE_HIT : MEMTABLE_MISS);
  return decided;
}

}  // namespace

Status GetFromSuperVersion(const PointRead& read, const LookupKey& key,
                           PointLookup* lookup) {
  assert(lookup != nullptr);
  assert(!lookup->IsDecided());
  assert(read.options != nullptr);
  assert(read.super_version != nullptr);
  assert(read.snapshot <= kMaxSequenceNumber);
  if (GetFromMemory(read, key, lookup)) return Status::OK();
  PERF_TIMER_GUARD(get_from_output_files_time);
  return FileWalk(read, key, lookup).Run();
}

Status GetOne(const PointRead& read, const Slice& user_key,
              PinnableSlice* value, PinnableWideColumns* columns) {
  INVARIANT(read.super_version != nullptr);
  assert((value == nullptr) != (columns == nullptr));
  ColumnFamilyData* cfd = read.super_version->cfd;
  const VersionBlobs blobs(
      read.options, &read.super_version->current->storage(), cfd->blobs());
  PointLookup::Context context;
  context.order = &cfd->order();
  context.merge_operator = cfd->ioptions().merge_operator.get();
  context.logger = read.logger;
  context.statistics = read.statistics;
  context.clock = read.clock;
  context.blobs = &blobs;
  const LookupKey key(user_key, read.snapshot);
  PointLookup lookup(context, key.user_key(), value, columns);
  Status s = GetFromSuperVersion(read, key, &lookup);
  return s.ok() ? lookup.Finish() : s;
}

void MultiGetFromSuperVersion(const PointRead& read, BatchedKey* keys,
                              size_t count) {
  INVARIANT(read.super_version != nullptr);
  INVARIANT(read.options != nullptr);
  INVARIANT(count == 0 || keys != nullptr);
  const ColumnFamilyData& cfd = *read.super_version->cfd;
  PointLookup::Context context;
  context.order = &cfd.order();
  context.merge_operator = cfd.ioptions().merge_operator.get();
  context.statistics = read.statistics;
  const VersionBlobs blobs(read.options,
                           &read.super_version->current->storage(),
                           read.super_version->cfd->blobs());
  context.blobs = &blobs;
  uint64_t value_bytes = 0;
  for (size_t i = 0; i < count; ++i) {
    BatchedKey& one = keys[i];
    assert(one.value != nullptr);
    assert(one.status != nullptr);
    assert(i == 0 || cfd.order().CompareUserKeys(keys[i - 1].user_key,
                                                 one.user_key) <= 0);
    if (value_bytes > read.options->value_size_soft_limit) {
      *one.status = Status::Aborted("value_size_soft_limit is reached");
      continue;
    }
    const LookupKey key(one.user_key, read.snapshot);
    PointLookup lookup(context, key.user_key(), one.value, nullptr);
    *one.status = GetFromSuperVersion(read, key, &lookup);
    if (one.status->ok()) *one.status = lookup.Finish();
    if (one.status->ok()) value_bytes += one.value->size();
  }
}

}  // namespace ROCKSDB_NAMESPACE

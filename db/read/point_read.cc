#include "db/read/point_read.h"

#include <algorithm>
#include <cassert>

#include "db/family/column_family.h"
#include "db/read/lazy_entity.h"
#include "db/read/level_read_timer.h"
#include "db/read/shared_by_lookups.h"
#include "memtable/memtable.h"
#include "monitoring/perf_context_imp.h"
#include "monitoring/statistics_impl.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

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
    Status s;
    {
      const LevelReadTimer timer(level);
      s = tables_->Get(*read_.options, {&file, level},
                       *read_.super_version->options, key_.internal_key(),
                       lookup_);
    }
    if (s.ok() && lookup_->IsDecided() &&
        lookup_->state() == PointLookup::State::kFound) {
      CountFileHit(read_, level);
    }
    return s;
  }

  const PointRead& read_;
  const LookupKey& key_;
  PointLookup* lookup_;
  const VersionStorage& storage_;
  TableCache* tables_;
};

bool GetFromMemTable(const PointRead& read, const MemTable& mem,
                     const LookupKey& key, PointLookup* lookup) {
  return read.options->ignore_range_deletions
             ? mem.GetEntries(key, lookup)
             : mem.Get(key, read.snapshot, lookup);
}

}  // namespace

void CountFileHit(const PointRead& read, int level) {
  assert(level >= 0);
  if (level == 0) {
    RecordTick(read.statistics, GET_HIT_L0);
  } else if (level == 1) {
    RecordTick(read.statistics, GET_HIT_L1);
  } else {
    RecordTick(read.statistics, GET_HIT_L2_AND_UP);
  }
  PERF_COUNTER_BY_LEVEL_ADD(user_key_return_count, 1, level);
}

bool GetFromMemory(const PointRead& read, const LookupKey& key,
                   PointLookup* lookup) {
  assert(lookup != nullptr);
  const SuperVersion& state = *read.super_version;
  assert(state.mem != nullptr);
  assert(state.imm != nullptr);
  PERF_TIMER_INIT(get_from_memtable_time);
  uint64_t looked_into = 0;
  const auto look_into = [&](const MemTable& mem) {
    if (!mem.empty() && looked_into++ == 0) {
      PERF_TIMER_START(get_from_memtable_time);
    }
    return GetFromMemTable(read, mem, key, lookup);
  };
  bool decided = look_into(*state.mem);
  for (size_t i = 0; i < state.imm->size() && !decided; ++i) {
    decided = look_into(*(*state.imm)[i]);
  }
  assert(decided == lookup->IsDecided());
  PERF_COUNTER_ADD(get_from_memtable_count, looked_into);
  CountMemoryRead(read, decided);
  return decided;
}

void GetFromMemoryTogether(const PointRead& read, LookupsOfMemory lookups) {
  const SuperVersion& state = *read.super_version;
  assert(state.mem != nullptr);
  assert(state.imm != nullptr);
  PERF_TIMER_GUARD(get_from_memtable_time);
  const auto look_into = [&](const MemTable& mem) {
    if (!mem.empty()) PERF_COUNTER_ADD(get_from_memtable_count, 1);
    if (read.options->ignore_range_deletions) {
      mem.GetEntriesTogether(lookups);
    } else {
      mem.GetTogether(lookups, read.snapshot);
    }
    std::erase_if(lookups,
                  [](const auto& one) { return one.lookup->IsDecided(); });
  };
  look_into(*state.mem);
  for (size_t i = 0; i < state.imm->size() && !lookups.empty(); ++i) {
    look_into(*(*state.imm)[i]);
  }
}

void CountMemoryRead(const PointRead& read, bool is_decided) {
  RecordTick(read.statistics, is_decided ? MEMTABLE_HIT : MEMTABLE_MISS);
}

SharedByLookups::SharedByLookups(const PointRead& read)
    : blobs_(read.options, &read.super_version->current->storage(),
             read.super_version->cfd->blobs()) {
  const ColumnFamilyData& cfd = *read.super_version->cfd;
  context_.order = &cfd.order();
  context_.merge_operator = cfd.ioptions().merge_operator.get();
  context_.logger = read.logger;
  context_.statistics = read.statistics;
  context_.clock = read.clock;
  context_.blobs = &blobs_;
  context_.snapshot = read.snapshot;
  context_.merge_operand_count_threshold =
      read.options->merge_operand_count_threshold;
}

Status GetOne(const PointRead& read, const Slice& user_key,
              const PointAnswer& answer) {
  INVARIANT(read.super_version != nullptr);
  assert((answer.value == nullptr) || (answer.columns == nullptr));
  SharedByLookups shared(read);
  shared.GatherInto(answer.operands);
  const LookupKey key(user_key, read.snapshot, ReadTimestamp(*read.options));
  StoredAnswer* const stored =
      answer.lazy != nullptr ? answer.lazy->stored() : nullptr;
  PointLookup lookup(shared.context(), key.user_key(),
                     stored != nullptr ? &stored->bytes : answer.value,
                     answer.columns);
  lookup.KeepStored(stored);
  lookup.ReportTimestamp(answer.timestamp);
  Status s = GetFromSuperVersion(read, key, &lookup);
  return s.ok() ? lookup.Finish() : s;
}

Status GetFromSuperVersion(const PointRead& read, const LookupKey& key,
                           PointLookup* lookup) {
  assert(lookup != nullptr);
  assert(!lookup->IsDecided());
  assert(read.options != nullptr);
  assert(read.super_version != nullptr);
  assert(read.snapshot <= kMaxSequenceNumber);
  if (!SkipsMemory(read) && GetFromMemory(read, key, lookup)) {
    return Status::OK();
  }
  PERF_TIMER_GUARD(get_from_output_files_time);
  return FileWalk(read, key, lookup).Run();
}

}  // namespace ROCKSDB_NAMESPACE

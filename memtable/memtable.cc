#include "memtable/memtable.h"

#include <algorithm>
#include <cassert>
#include <cstring>

#include "memtable/memtable_rep.h"
#include "monitoring/perf_context_imp.h"
#include "rocksdb/write_buffer_manager.h"
#include "util/coding.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

class MemTableIterator final : public InternalIterator {
 public:
  explicit MemTableIterator(const EntryTree* tree) : cursor_(tree) {}

  bool Valid() const override { return cursor_.Valid(); }
  void SeekToFirst() override { cursor_.SeekToFirst(); }
  void SeekToLast() override { cursor_.SeekToLast(); }
  void Seek(const Slice& target) override {
    PERF_TIMER_GUARD(seek_on_memtable_time);
    PERF_COUNTER_ADD(seek_on_memtable_count, 1);
    cursor_.Seek(target);
  }
  void SeekForPrev(const Slice& target) override {
    PERF_TIMER_GUARD(seek_on_memtable_time);
    PERF_COUNTER_ADD(seek_on_memtable_count, 1);
    cursor_.SeekForPrev(target);
  }
  void Next() override {
    PERF_COUNTER_ADD(next_on_memtable_count, 1);
    cursor_.Next();
  }
  void Prev() override {
    PERF_COUNTER_ADD(prev_on_memtable_count, 1);
    cursor_.Prev();
  }
  bool NextAndGetKey(Slice* new_key) override {
    PERF_COUNTER_ADD(next_on_memtable_count, 1);
    cursor_.Next();
    if (!cursor_.Valid()) return false;
    *new_key = EntryTree::KeyOf(cursor_.entry());
    return true;
  }
  Slice key() const override { return EntryTree::KeyOf(cursor_.entry()); }
  Slice value() const override { return EntryTree::ValueOf(cursor_.entry()); }
  Status status() const override { return Status::OK(); }
  bool IsKeyPinned() const override { return true; }
  bool IsValuePinned() const override { return true; }

 private:
  EntryTree::Cursor cursor_;
};

bool IsDeletion(ValueType type) {
  return type == kTypeDeletion || type == kTypeSingleDeletion ||
         type == kTypeDeletionWithTimestamp || type == kTypeRangeDeletion;
}

}  // namespace

MemTable::MemTable(const MemTableOptions& options)
    : options_(options),
      arena_(options.arena_block_size),
      tree_(&options_.order, &arena_),
      rep_(MakeMemTableRep(options_.rep_factory,
                           {.order = &options_.order,
                            .arena = &arena_,
                            .prefix_extractor = options_.prefix_extractor})) {
  Charge();
}

MemTable::~MemTable() {
  if (options_.write_buffer_manager == nullptr) return;
  const size_t charged = charged_.load(std::memory_order_relaxed);
  if (!immutable_) options_.write_buffer_manager->ScheduleFreeMem(charged);
  options_.write_buffer_manager->FreeMem(charged);
}

char* MemTable::Encode(SequenceNumber sequence, ValueType type,
                       const Slice& key, const Slice& value) {
  const auto key_size =
      static_cast<uint32_t>(key.size() + kInternalKeyTrailerBytes);
  const auto value_size = static_cast<uint32_t>(value.size());
  const size_t size =
      VarintLength(key_size) + key_size + VarintLength(value_size) + value_size;
  char* const entry = arena_.Allocate(size);
  char* out = EncodeVarint32(entry, key_size);
  std::memcpy(out, key.data(), key.size());
  out += key.size();
  EncodeFixed64(out, PackSequenceAndType(sequence, type));
  out = EncodeVarint32(out + kInternalKeyTrailerBytes, value_size);
  std::memcpy(out, value.data(), value.size());
  assert(out + value_size == entry + size);
  return entry;
}

Status MemTable::Add(SequenceNumber sequence, ValueType type, const Slice& key,
                     const Slice& value, Delta* delta) {
  assert(IsStoredType(type));
  assert(!immutable_);
  const char* const entry = Encode(sequence, type, key, value);
  if (type == kTypeRangeDeletion) {
    AddTombstone(sequence, entry);
    ++delta->range_deletes;
  } else if (!Insert(entry)) {
    return Status::TryAgain("key and sequence are in the memtable already");
  }
  if (IsDeletion(type)) ++delta->deletes;
  ++delta->entries;
  delta->data_bytes += key.size() + kInternalKeyTrailerBytes + value.size();
  NoteSequence(sequence);
  return Status::OK();
}

bool MemTable::Insert(const char* entry) {
  return rep_ == nullptr ? tree_.Insert(entry) : rep_->Insert(entry);
}

void MemTable::VisitRep(
    const Slice& internal_key,
    const std::function<bool(const char* entry)>& visit) const {
  assert(rep_ != nullptr);
  rep_->Visit(internal_key, visit);
}

void MemTable::Count(const Delta& delta) {
  const auto add = [](std::atomic<uint64_t>* counter, uint64_t n) {
    if (n > 0) counter->fetch_add(n, std::memory_order_relaxed);
  };
  add(&entries_, delta.entries);
  add(&deletes_, delta.deletes);
  add(&range_deletes_, delta.range_deletes);
  add(&data_bytes_, delta.data_bytes);
  Charge();
}

void MemTable::AddTombstone(SequenceNumber sequence, const char* entry) {
  const Slice begin = ExtractUserKey(EntryTree::KeyOf(entry));
  MutexLock lock(&tombstone_mutex_);
  tombstones_.push_back(
      {.begin = begin,
       .end = EntryTree::ValueOf(entry),
       .sequence = sequence,
       .timestamp = TimestampOf(begin, options_.order.timestamp_size())});
  fragments_.reset();
  // release: pairs with the acquire in HasRangeTombstones().
  tombstone_count_.store(tombstones_.size(), std::memory_order_release);
}

std::shared_ptr<const FragmentedTombstones> MemTable::RangeTombstones() const {
  MutexLock lock(&tombstone_mutex_);
  if (fragments_ == nullptr) {
    fragments_ = FragmentedTombstones::Build(tombstones_,
                                             options_.order.user_comparator());
  }
  return fragments_;
}

void MemTable::NoteSequence(SequenceNumber sequence) {
  SequenceNumber first = first_sequence_.load(std::memory_order_relaxed);
  while (sequence < first && !first_sequence_.compare_exchange_weak(
                                 first, sequence, std::memory_order_relaxed)) {
  }
}

SequenceNumber MemTable::first_sequence() const {
  const SequenceNumber first = first_sequence_.load(std::memory_order_relaxed);
  return first == kMaxSequenceNumber ? 0 : first;
}

std::unique_ptr<InternalIterator> MemTable::NewIterator() const {
  if (rep_ != nullptr) return NewRepIterator(rep_.get(), &options_.order);
  return std::make_unique<MemTableIterator>(&tree_);
}

bool MemTable::HasTooManyTombstones() const {
  return options_.max_range_deletions > 0 &&
         range_deletion_count() >= options_.max_range_deletions;
}

bool MemTable::ShouldFlush() const {
  if (HasTooManyTombstones()) return true;
  // Blocks come one by one: until the one is begun that could pass the limit,
  // there is nothing to look at closely.
  if (arena_.MemoryAllocatedBytes() < options_.write_buffer_size) return false;
  return arena_.ApproximateMemoryUsage() >= options_.write_buffer_size;
}

void MemTable::MarkImmutable() {
  INVARIANT(!immutable_);
  Charge();
  immutable_ = true;
  if (options_.write_buffer_manager != nullptr) {
    options_.write_buffer_manager->ScheduleFreeMem(
        charged_.load(std::memory_order_relaxed));
  }
}

// Tells the write buffer manager of what the arena has taken since.
void MemTable::Charge() {
  if (options_.write_buffer_manager == nullptr) return;
  const size_t allocated = arena_.MemoryAllocatedBytes();
  size_t charged = charged_.load(std::memory_order_relaxed);
  while (charged < allocated) {
    if (charged_.compare_exchange_weak(charged, allocated,
                                       std::memory_order_relaxed)) {
      options_.write_buffer_manager->ReserveMem(allocated - charged);
      return;
    }
  }
}

size_t MemTable::ApproximateMemoryUsage() const {
  size_t bytes = arena_.ApproximateMemoryUsage();
  if (rep_ != nullptr) bytes += rep_->memory_bytes();
  if (HasRangeTombstones()) {
    MutexLock lock(&tombstone_mutex_);
    bytes += tombstones_.capacity() * sizeof(RangeTombstone);
    if (fragments_ != nullptr) bytes += fragments_->memory_bytes();
  }
  return bytes;
}

MemTable::RangeStats MemTable::ApproximateStats(
    const Slice& begin_internal_key, const Slice& end_internal_key) const {
  const uint64_t count = entry_count() - range_deletion_count();
  if (count == 0) return {};
  uint64_t begin = 0;
  uint64_t end = 0;
  if (rep_ == nullptr) {
    begin = tree_.EstimateRank(begin_internal_key, count);
    end = tree_.EstimateRank(end_internal_key, count);
  } else {
    const SortedEntries entries = rep_->Sorted();
    begin = RankOf(*entries, options_.order, begin_internal_key);
    end = RankOf(*entries, options_.order, end_internal_key);
  }
  RangeStats stats;
  if (end > begin) stats.entry_count = end - begin;
  stats.bytes = stats.entry_count * (data_bytes() / count);
  return stats;
}

}  // namespace ROCKSDB_NAMESPACE

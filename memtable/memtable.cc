#include "memtable/memtable.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstring>
#include <optional>

#include "memtable/application_store.h"
#include "memtable/checked_iterator.h"
#include "memtable/entry_check.h"
#include "memtable/entry_store.h"
#include "memtable/filtered_iterator.h"
#include "memtable/memtable_filter.h"
#include "memtable/values_in_place.h"
#include "monitoring/perf_context_imp.h"
#include "rocksdb/slice_transform.h"
#include "rocksdb/system_clock.h"
#include "rocksdb/write_buffer_manager.h"
#include "util/coding.h"
#include "util/hash.h"
#include "util/ignore_error.h"
#include "util/invariant.h"
#include "util/key/entry_checksum.h"

namespace ROCKSDB_NAMESPACE {

namespace {

class MemTableIterator final : public InternalIterator {
 public:
  explicit MemTableIterator(const EntryTree* tree,
                            EntryTree::Observer* observer = nullptr)
      : cursor_(tree, observer) {}

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

// Enough for the prefixes that are written side by side.
constexpr size_t kHintCount = 256;

// A memtable that is smaller than a page would always be full.
size_t HugePageSizeOf(const MemTableOptions& options) {
  return options.huge_page_size <= options.write_buffer_size
             ? options.huge_page_size
             : 0;
}

std::unique_ptr<MemTableFilter> MakeFilter(const MemTableOptions& options) {
  const MemTableOptions::Filter& wanted = options.filter;
  return MemTableFilter::Make({.bytes = wanted.bytes,
                               .has_whole_keys = wanted.has_whole_keys,
                               .keeps_to_line = wanted.keeps_to_line,
                               .huge_page_size = options.huge_page_size,
                               .timestamp_size = options.order.timestamp_size(),
                               .prefix_extractor = options.prefix_extractor});
}

size_t EncodedBytes(const MemTable::Update& update, size_t checksum_bytes) {
  // Key and value have less than 4 GiB each; together they may have more.
  const size_t key_size = update.key.size() + kInternalKeyTrailerBytes;
  const size_t value_size = update.value.size();
  return static_cast<size_t>(VarintLength(key_size)) + key_size +
         static_cast<size_t>(VarintLength(value_size)) + value_size +
         checksum_bytes;
}

void Encode(const MemTable::Update& update, size_t checksum_bytes,
            char* entry) {
  const Slice& key = update.key;
  const Slice& value = update.value;
  char* out = EncodeVarint32(
      entry, static_cast<uint32_t>(key.size() + kInternalKeyTrailerBytes));
  std::memcpy(out, key.data(), key.size());
  out += key.size();
  EncodeFixed64(out, PackSequenceAndType(update.sequence, update.type));
  out = EncodeVarint32(out + kInternalKeyTrailerBytes,
                       static_cast<uint32_t>(value.size()));
  std::memcpy(out, value.data(), value.size());
  out += value.size();
  if (checksum_bytes > 0) {
    const uint64_t key_value = update.checksum != nullptr
                                   ? *update.checksum
                                   : KeyValueChecksum(key, value);
    StoreChecksum(StoredChecksum(key_value, update.sequence, update.type),
                  checksum_bytes, out);
  }
  assert(out + checksum_bytes == entry + EncodedBytes(update, checksum_bytes));
}

}  // namespace

MemTable::MemTable(const MemTableOptions& options)
    : options_(options),
      write_buffer_size_(options.write_buffer_size),
      arena_(options.arena_block_size, HugePageSizeOf(options)),
      tree_(&options_.order, &arena_),
      store_(MakeEntryStore(options_.rep_factory,
                            {.order = &options_.order,
                             .arena = &arena_,
                             .prefix_extractor = options_.prefix_extractor})),
      application_(
          IsOfApplication(options_.rep_factory)
              ? ApplicationStore::Make(
                    options_.rep_factory,
                    {.order = &options_.order,
                     .allocator = &arena_,
                     .prefix_extractor = options_.prefix_extractor.get(),
                     .hint_extractor = options_.hint_extractor.get(),
                     .logger = options_.logger,
                     .family_id = options_.family_id})
              : nullptr),
      is_tree_(store_ == nullptr && application_ == nullptr),
      lookups_can_fail_(options_.checks.IsAny() || application_ != nullptr),
      filter_(MakeFilter(options_)),
      values_in_place_(
          options.in_place_locks > 0
              ? std::make_unique<ValuesInPlace>(options.in_place_locks)
              : nullptr),
      hints_(options_.hint_extractor != nullptr ? kHintCount : 0),
      tombstones_(&options_.order, options_.checks.checksum_bytes,
                  options_.checks.key_text) {
  Charge();
}

bool MemTable::MayHold(const Slice& user_key) const {
  return filter_->MayHoldKey(user_key);
}

size_t MemTable::BytesBesideEntries() const {
  size_t bytes = filter_ != nullptr ? filter_->memory_bytes() : 0;
  if (values_in_place_ != nullptr) bytes += values_in_place_->memory_bytes();
  return bytes;
}

MemTable::~MemTable() {
  if (options_.write_buffer_manager == nullptr) return;
  const size_t charged = charged_.load(std::memory_order_relaxed);
  if (!immutable_) options_.write_buffer_manager->ScheduleFreeMem(charged);
  options_.write_buffer_manager->FreeMem(charged);
}

Status MemTable::Add(const Update& update, Delta* delta) {
  assert(IsStoredType(update.type));
  assert(!immutable_);
  const bool is_range = update.type == kTypeRangeDeletion;
  const size_t checksum_bytes = options_.checks.checksum_bytes;
  const size_t entry_bytes = EncodedBytes(update, checksum_bytes);
  void* handle = nullptr;  // the application's name for the entry
  char* entry = nullptr;
  if (application_ != nullptr && !is_range) [[unlikely]] {
    Status s = application_->Allocate(entry_bytes, &handle, &entry);
    if (!s.ok()) return s;
  } else {
    entry = arena_.Allocate(entry_bytes);
  }
  Encode(update, checksum_bytes, entry);
  if (update.checksum != nullptr) {
    // The last look before what the checksum was made from is let go.
    const Slice key = ExtractUserKey(EntryTree::KeyOf(entry));
    if (KeyValueChecksum(key, EntryTree::ValueOf(entry)) != *update.checksum) {
      return Status::Corruption(
          "checksum mismatch of an update",
          InternalKeyText(EntryTree::KeyOf(entry), options_.checks.key_text));
    }
  }
  if (is_range) {
    // No deletion of a key: what it hides is not known, so that an estimate of
    // the keys is better without it.
    tombstones_.Add(update.sequence, entry);
    ++delta->range_deletes;
  } else {
    // Before the entry: whoever can find it finds its bits.
    if (filter_ != nullptr) filter_->Add(update.key);
    if (application_ != nullptr) [[unlikely]] {
      Status s = application_->Insert(handle, update.key);
      if (!s.ok()) return s;
    } else {
      const bool is_new =
          is_tree_ ? tree_.Insert(
                         entry, hints_.empty() ? update.hint : HintFor(update))
                   : store_->Insert(entry);
      if (!is_new) {
        return Status::TryAgain("key and sequence are in the memtable already");
      }
    }
    if (IsPointDeletion(update.type)) ++delta->deletes;
  }
  ++delta->entries;
  delta->data_bytes +=
      update.key.size() + kInternalKeyTrailerBytes + update.value.size();
  counts_.NoteSequence(update.sequence);
  if (options_.keeps_newest_timestamp) [[unlikely]]
    NoteTimestamp(update.key);
  return Status::OK();
}

Slice MemTable::FindInPlace(const Update& update) const {
  assert(!immutable_);
  if (values_in_place_ == nullptr || update.type != kTypeValue) return {};
  if (filter_ != nullptr && !MayHold(update.key)) return {};
  const InternalKey from(update.key, update.sequence, kValueTypeForSeek);
  Slice found;
  VisitFrom(from.Encode(), [&](const char* entry) {
    const Slice newest = EntryTree::KeyOf(entry);
    if (ExtractType(newest) == kTypeValue &&
        ExtractUserKey(newest) == update.key && !IsUnderTombstone(newest)) {
      found = newest;
    }
    return false;
  });
  return found;
}

bool MemTable::Overwrite(const Update& update) {
  assert(values_in_place_ != nullptr);
  const Slice internal_key = FindInPlace(update);
  if (internal_key.empty()) return false;
  if (update.checksum != nullptr &&
      KeyValueChecksum(update.key, update.value) != *update.checksum) {
    return false;  // Add() says so.
  }
  return values_in_place_->Overwrite(internal_key, update.value);
}

Status MemTable::OverwriteByCallback(const Update& update, bool* is_found,
                                     CallbackAnswer* answer) {
  INVARIANT(options_.in_place_callback != nullptr);
  *is_found = false;
  if (update.checksum != nullptr &&
      KeyValueChecksum(update.key, update.value) != *update.checksum) {
    return Status::Corruption("checksum mismatch of an update");
  }
  const Slice internal_key = FindInPlace(update);
  if (internal_key.empty()) return Status::OK();
  *is_found = true;
  return values_in_place_->Update(internal_key, options_.in_place_callback,
                                  update.value, answer);
}

void MemTable::ReadInPlace(const Slice& internal_key,
                           std::string* value) const {
  values_in_place_->Read(internal_key, value);
}

bool MemTable::IsUnderTombstone(const Slice& internal_key) const {
  if (!tombstones_.IsAny()) return false;
  return tombstones_.Newest(ExtractUserKey(internal_key),
                            {kMaxSequenceNumber, Slice()}) >
         ExtractSequence(internal_key);
}

void MemTable::NoteTimestamp(const Slice& user_key) {
  const Comparator& order = *options_.order.user_comparator();
  const Slice timestamp = TimestampOf(user_key, order.timestamp_size());
  if (newest_timestamp_.empty() ||
      order.CompareTimestamp(timestamp, newest_timestamp_) > 0) {
    newest_timestamp_.assign(timestamp.data(), timestamp.size());
  }
}

EntryTree::Hint* MemTable::HintFor(const Update& update) {
  assert(!hints_.empty());
  const Slice given =
      WithoutTimestamp(update.key, options_.order.timestamp_size());
  const SliceTransform& extractor = *options_.hint_extractor;
  if (!extractor.InDomain(given)) return update.hint;
  return &hints_[Hash64(extractor.Transform(given)) % hints_.size()];
}

void MemTable::VisitStore(const Slice& internal_key,
                          const Visitor& visit) const {
  if (store_ != nullptr) return store_->Visit(internal_key, visit);
  IgnoreError(application_->Visit(internal_key, visit),
              "what asks so does without entries that it is not shown");
}

Status MemTable::VisitChecked(const Slice& internal_key,
                              const Visitor& visit) const {
  const MemTableChecks& checks = options_.checks;
  assert(lookups_can_fail_);
  Status s;
  Slice before = internal_key;
  const auto visit_checked = [&](const char* entry) {
    const Slice key = EntryTree::KeyOf(entry);
    if (checks.checksum_bytes > 0) {
      s = VerifyEntry(key, EntryTree::ValueOf(entry), checks.checksum_bytes,
                      checks.key_text);
    }
    if (s.ok() && checks.order)
      s = VerifyOrder(options_.order, before, key, checks.key_text);
    before = key;
    return s.ok() && visit(entry);
  };
  if (application_ != nullptr) {
    Status shown = application_->Visit(internal_key, visit_checked);
    return s.ok() ? shown : s;
  }
  if (!is_tree_) {
    VisitStore(internal_key, visit_checked);
    return s;
  }
  if (tree_.IsEmpty()) return s;
  std::optional<SearchCheck> search;
  if (checks.CheckSearches()) {
    search.emplace(checks.checksum_bytes, checks.key_text);
  }
  EntryTree::Cursor cursor(&tree_, search ? &*search : nullptr);
  // Where the way ends at another key, that one is checked, too.
  cursor.Seek(internal_key);
  if (search) s = search->Take();
  while (s.ok() && cursor.Valid() && visit_checked(cursor.entry())) {
    cursor.Next();
  }
  return s;
}

size_t MemTable::CountMerges(const Slice& user_key, SequenceNumber sequence,
                             size_t most) const {
  if (filter_ != nullptr && !MayHold(user_key)) return 0;
  const InternalKey from(user_key, sequence, kValueTypeForSeek);
  size_t count = 0;
  VisitFrom(from.Encode(), [&](const char* entry) {
    const Slice key = EntryTree::KeyOf(entry);
    if (count == most || ExtractType(key) != kTypeMerge ||
        !options_.order.EqualUserKeys(ExtractUserKey(key), user_key)) {
      return false;
    }
    ++count;
    return true;
  });
  return count;
}

void MemTable::Count(const Delta& delta) {
  counts_.Add(delta);
  counts_.NoteTime(options_.clock);
  if (application_ != nullptr) [[unlikely]]
    application_->EndBatch();
  Charge();
}

std::unique_ptr<InternalIterator> MemTable::NewEntryIterator() const {
  CheckedIteratorRequest request;
  request.checks = options_.checks;
  request.order = &options_.order;
  if (store_ != nullptr) {
    request.entries = NewStoreIterator(store_.get(), &options_.order);
  } else if (application_ != nullptr) {
    request.entries = application_->NewIterator();
  } else {
    if (options_.checks.CheckSearches()) {
      request.search = std::make_unique<SearchCheck>(
          options_.checks.checksum_bytes, options_.checks.key_text);
    }
    request.entries =
        std::make_unique<MemTableIterator>(&tree_, request.search.get());
  }
  if (values_in_place_ != nullptr) {
    request.entries =
        NewInPlaceIterator(std::move(request.entries), values_in_place_.get());
  }
  if (!options_.checks.IsAny()) return std::move(request.entries);
  return NewCheckedIterator(std::move(request));
}

std::unique_ptr<InternalIterator> MemTable::NewIterator(
    const MemTableScan& scan) const {
  std::unique_ptr<InternalIterator> entries = NewEntryIterator();
  // Prefixes of an extractor of before the last change tell nothing.
  const bool is_filtered = scan.read_options != nullptr && filter_ != nullptr &&
                           filter_->HasPrefixesOf(scan.prefix_extractor);
  if (!is_filtered) return entries;
  return NewFilteredIterator(std::move(entries), filter_.get(),
                             scan.read_options);
}

bool MemTable::HasTooManyTombstones() const {
  return options_.max_range_deletions > 0 &&
         counts_.range_deletes() >= options_.max_range_deletions;
}

bool MemTable::HasRoomForTombstone() const {
  constexpr uint64_t kMostUnasked = 1000;
  const uint64_t count = counts_.range_deletes() + 1;
  if (!options_.takes_entries) return false;
  const bool would_fill =
      options_.max_range_deletions > 0 && count >= options_.max_range_deletions;
  return count <= kMostUnasked && !would_fill && !ShouldFlush();
}

bool MemTable::ShouldFlush() const {
  if (HasTooManyTombstones()) return true;
  // Blocks come one by one: until the one is begun that could pass the limit,
  // there is nothing to look at closely.
  const size_t limit = write_buffer_size_.load(std::memory_order_relaxed);
  if (application_ != nullptr) [[unlikely]] {
    return arena_.ApproximateMemoryUsage() + application_->memory_bytes() >=
           limit;
  }
  return arena_.MemoryAllocatedBytes() >= limit &&
         arena_.ApproximateMemoryUsage() >= limit;
}

void MemTable::MarkImmutable() {
  INVARIANT(!immutable_);
  Charge();
  immutable_ = true;
  if (application_ != nullptr) application_->NoteImmutable();
  if (options_.write_buffer_manager != nullptr) {
    options_.write_buffer_manager->ScheduleFreeMem(
        charged_.load(std::memory_order_relaxed));
  }
}

void MemTable::MarkFlushed() {
  if (application_ != nullptr) application_->NoteFlushed();
}

// Tells the write buffer manager of what the arena has taken since.
void MemTable::Charge() {
  if (options_.write_buffer_manager == nullptr) return;
  size_t allocated = arena_.MemoryAllocatedBytes() + BytesBesideEntries();
  if (application_ != nullptr) allocated += application_->memory_bytes();
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
  bytes += BytesBesideEntries();
  if (store_ != nullptr) bytes += store_->memory_bytes();
  if (application_ != nullptr) bytes += application_->memory_bytes();
  bytes += tombstones_.memory_bytes();
  return bytes;
}

MemTable::RangeStats MemTable::ApproximateStats(
    const Slice& begin_internal_key, const Slice& end_internal_key) const {
  const uint64_t all = entry_count();
  const uint64_t count = all - counts_.range_deletes();
  if (count == 0) return {};
  RangeStats stats;
  if (is_tree_) {
    stats.entry_count =
        tree_.EstimateCount(begin_internal_key, end_internal_key, count);
  } else if (application_ != nullptr) {
    stats.entry_count = std::min(
        count,
        application_->EstimateCount(begin_internal_key, end_internal_key));
  } else {
    const SortedEntries entries = store_->Sorted();
    const uint64_t begin = RankOf(*entries, options_.order, begin_internal_key);
    const uint64_t end = RankOf(*entries, options_.order, end_internal_key);
    if (end > begin) stats.entry_count = end - begin;
  }
  const double share =
      static_cast<double>(stats.entry_count) / static_cast<double>(all);
  stats.bytes = static_cast<uint64_t>(
      std::llround(share * static_cast<double>(counts_.data_bytes())));
  return stats;
}

}  // namespace ROCKSDB_NAMESPACE

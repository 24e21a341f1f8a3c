// The newest data of a column family, in memory, until a flush writes them to
// a table file.
//
// Point entries are in an ordered tree (entry_tree.h), or in what the family's
// memtable_factory names (memtable_rep.h). Range tombstones are kept apart:
// they are few, and readers want them cut into fragments.
//
// Threads    Add() and all reads from any thread at the same time, without a
//            lock unless range tombstones are there. The fields for the flush
//            (log numbers) under the DB mutex.
// Ownership  Owns all its bytes. Iterators and slices must not outlive it.
// Errors     Only Add() can fail.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "memtable/entry_tree.h"
#include "rocksdb/slice.h"
#include "rocksdb/status.h"
#include "rocksdb/types.h"
#include "util/arena.h"
#include "util/key/internal_iterator.h"
#include "util/key/internal_key.h"
#include "util/key/range_tombstones.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

class MemTableRep;
class MemTableRepFactory;
class SliceTransform;
class WriteBufferManager;

struct MemTableOptions {
  InternalKeyComparator order = {};
  size_t write_buffer_size = 64 << 20;
  size_t arena_block_size = 1 << 20;
  uint32_t max_range_deletions = 0;  // 0 = no limit
  WriteBufferManager* write_buffer_manager = nullptr;
  uint64_t id = 0;  // of its family; ascending
  // Outside a replay of logs, every entry has at least this sequence.
  SequenceNumber earliest_sequence = 0;
  // Null: the tree. Only asked while the memtable is made.
  const MemTableRepFactory* rep_factory = nullptr;
  std::shared_ptr<const SliceTransform> prefix_extractor = nullptr;
};

class MemTable {
 public:
  explicit MemTable(const MemTableOptions& options);
  ~MemTable();
  MemTable(const MemTable&) = delete;
  MemTable& operator=(const MemTable&) = delete;

  // What some Add() calls did, counted apart, so that a group of writes pays
  // for one update of the shared counters: hand it to Count() at the end.
  struct Delta {
    uint64_t entries = 0;
    uint64_t deletes = 0;
    uint64_t range_deletes = 0;
    uint64_t data_bytes = 0;
  };

  // Adds a version of `key`, a stored user key. For kTypeRangeDeletion `key` is
  // the begin and `value` the end. TryAgain, with nothing changed, if that key,
  // sequence and type are there already.
  Status Add(SequenceNumber sequence, ValueType type, const Slice& key,
             const Slice& value, Delta* delta);
  // The same, counted at once.
  Status Add(SequenceNumber sequence, ValueType type, const Slice& key,
             const Slice& value) {
    Delta delta;
    Status s = Add(sequence, type, key, value, &delta);
    if (s.ok()) Count(delta);
    return s;
  }
  void Count(const Delta& delta);

  // Feeds the versions of key's user key that are visible at `read_sequence`
  // to `lookup` (a PointLookup, or whatever has its calls NoteTombstone(),
  // Add() and IsDecided()). True if the lookup is decided.
  template <class Lookup>
  bool Get(const LookupKey& key, SequenceNumber read_sequence,
           Lookup* lookup) const {
    if (HasRangeTombstones()) {
      const Slice user_key = key.user_key();
      lookup->NoteTombstone(RangeTombstones()->MaxCovering(
          user_key, {read_sequence,
                     TimestampOf(user_key, options_.order.timestamp_size())}));
    }
    if (rep_ != nullptr) {
      VisitRep(key.internal_key(),
               [lookup](const char* entry) { return Feed(entry, lookup); });
      return lookup->IsDecided();
    }
    EntryTree::Cursor cursor(&tree_);
    cursor.Seek(key.internal_key());
    while (cursor.Valid() && Feed(cursor.entry(), lookup)) cursor.Next();
    return lookup->IsDecided();
  }

  // Over the point entries. Keys and values are pinned for the memtable's life.
  std::unique_ptr<InternalIterator> NewIterator() const;

  bool HasRangeTombstones() const {
    // acquire: pairs with the release in AddTombstone().
    return tombstone_count_.load(std::memory_order_acquire) > 0;
  }
  // All range tombstones so far; never null. Cut anew after a change only.
  std::shared_ptr<const FragmentedTombstones> RangeTombstones() const;

  // True once the memtable should be sealed: it is full, or has too many range
  // tombstones.
  bool ShouldFlush() const;
  // True for one caller: the one that schedules the flush.
  bool MarkFlushScheduled() {
    return !flush_scheduled_.exchange(true, std::memory_order_relaxed);
  }
  // No Add() after this. Called once, under the DB mutex.
  void MarkImmutable();

  const InternalKeyComparator& order() const { return options_.order; }
  uint64_t id() const { return options_.id; }
  bool empty() const { return entry_count() == 0; }
  // Point entries and range tombstones.
  uint64_t entry_count() const { return Load(entries_); }
  // Point and single deletions, and range tombstones.
  uint64_t deletion_count() const { return Load(deletes_); }
  uint64_t range_deletion_count() const { return Load(range_deletes_); }
  // As many range tombstones as it may hold.
  bool HasTooManyTombstones() const;
  // Bytes of internal keys and values.
  uint64_t data_bytes() const { return Load(data_bytes_); }
  size_t ApproximateMemoryUsage() const;

  // The smallest sequence that was added; 0 = none.
  SequenceNumber first_sequence() const;
  SequenceNumber earliest_sequence() const {
    return options_.earliest_sequence;
  }

  // About how many point entries, and bytes of them, are in [begin, end).
  struct RangeStats {
    uint64_t entry_count = 0;
    uint64_t bytes = 0;
  };
  RangeStats ApproximateStats(const Slice& begin_internal_key,
                              const Slice& end_internal_key) const;

  // The WAL that was written when this memtable became active, and the one
  // after it was sealed: what a flush makes unneeded are the WALs before that.
  uint64_t log_number() const { return log_number_; }
  void set_log_number(uint64_t number) { log_number_ = number; }
  uint64_t next_log_number() const { return next_log_number_; }
  void set_next_log_number(uint64_t number) { next_log_number_ = number; }

 private:
  static uint64_t Load(const std::atomic<uint64_t>& counter) {
    return counter.load(std::memory_order_relaxed);
  }
  template <class Lookup>
  static bool Feed(const char* entry, Lookup* lookup) {
    ParsedInternalKey parsed;
    const Slice internal_key = EntryTree::KeyOf(entry);
    parsed.user_key = ExtractUserKey(internal_key);
    parsed.sequence = ExtractSequence(internal_key);
    parsed.type = ExtractType(internal_key);
    return lookup->Add(parsed, EntryTree::ValueOf(entry), nullptr);
  }
  bool Insert(const char* entry);
  void VisitRep(const Slice& internal_key,
                const std::function<bool(const char* entry)>& visit) const;
  char* Encode(SequenceNumber sequence, ValueType type, const Slice& key,
               const Slice& value);
  void AddTombstone(SequenceNumber sequence, const char* entry);
  void NoteSequence(SequenceNumber sequence);
  void Charge();

  const MemTableOptions options_;
  ConcurrentArena arena_;
  EntryTree tree_;  // empty if there is a rep_
  const std::unique_ptr<MemTableRep> rep_;

  std::atomic<uint64_t> entries_{0};
  std::atomic<uint64_t> deletes_{0};
  std::atomic<uint64_t> range_deletes_{0};
  std::atomic<uint64_t> data_bytes_{0};
  std::atomic<SequenceNumber> first_sequence_{kMaxSequenceNumber};
  std::atomic<bool> flush_scheduled_{false};
  // Bytes that the write buffer manager was told of.
  std::atomic<size_t> charged_{0};
  bool immutable_ = false;

  mutable Mutex tombstone_mutex_;
  std::vector<RangeTombstone> tombstones_ GUARDED_BY(tombstone_mutex_);
  mutable std::shared_ptr<const FragmentedTombstones> fragments_
      GUARDED_BY(tombstone_mutex_);
  std::atomic<size_t> tombstone_count_{0};

  uint64_t log_number_ = 0;
  uint64_t next_log_number_ = 0;
};

}  // namespace ROCKSDB_NAMESPACE

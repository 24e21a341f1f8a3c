// The newest data of a column family, in memory, until a flush writes them to
// a table file.
//
// Point entries are in an ordered tree (entry_tree.h), or in what the family's
// memtable_factory names (entry_store.h). Range tombstones are kept apart:
// they are few, and readers want them cut into fragments.
//
// Threads    Add() and all reads from any thread at the same time, without a
//            lock unless range tombstones are there. The fields for the flush
//            (log numbers) under the DB mutex.
// Ownership  Owns all its bytes. Iterators and slices must not outlive it.
// Errors     Only Add() can fail.
#pragma once

#include <atomic>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "memtable/entry_tree.h"
#include "memtable/memtable_counts.h"
#include "memtable/memtable_tombstones.h"
#include "rocksdb/advanced_options.h"
#include "rocksdb/slice.h"
#include "rocksdb/status.h"
#include "rocksdb/types.h"
#include "util/arena.h"
#include "util/key/internal_iterator.h"
#include "util/key/internal_key.h"
#include "util/key/range_tombstones.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

class ApplicationStore;
class EntryStore;
class Logger;
class MemTableAttachment;
class MemTableFilter;
class MemTableRepFactory;
class SliceTransform;
class SystemClock;
class ValuesInPlace;
class WriteBufferManager;
struct CallbackAnswer;
struct ReadOptions;

// The checks by which every read looks for damage that memory did to entries.
struct MemTableChecks {
  // The bytes of each entry's checksum: 0, 1, 2, 4 or 8.
  uint32_t checksum_bytes = 0;
  // Checks that entries ascend.
  bool order = false;
  // Checks the checksums of entries that a search in the tree compares, too.
  bool searches = false;
  // How error messages show keys.
  KeyText key_text = KeyText::kRedacted;

  bool IsAny() const { return checksum_bytes > 0 || order; }
  bool CheckSearches() const { return searches && checksum_bytes > 0; }
};

struct MemTableOptions {
  InternalKeyComparator order = {};
  size_t write_buffer_size = 64 << 20;
  size_t arena_block_size = 1 << 20;
  // The size of the pages for the arena and the filter; 0: ordinary pages.
  size_t huge_page_size = 0;
  uint32_t max_range_deletions = 0;  // 0 = no limit
  WriteBufferManager* write_buffer_manager = nullptr;
  uint64_t id = 0;  // ascends within the family
  // Outside a replay of logs, every entry has at least this sequence.
  SequenceNumber earliest_sequence = 0;
  // Null: the tree. Only asked while the memtable is made.
  MemTableRepFactory* rep_factory = nullptr;
  uint32_t family_id = 0;    // for rep_factory
  Logger* logger = nullptr;  // the same
  std::shared_ptr<const SliceTransform> prefix_extractor = nullptr;
  // Entries whose keys share its prefix tell each other where they went; null:
  // none do. The tree's.
  std::shared_ptr<const SliceTransform> hint_extractor = nullptr;
  // See MemTableFilter::Shape.
  struct Filter {
    size_t bytes = 0;
    bool has_whole_keys = false;
    bool keeps_to_line = false;
  };
  Filter filter = {};
  // Operands of a key on top of each other at which a further merge is
  // resolved when it is written; 0 = no limit.
  size_t max_successive_merges = 0;
  // No checksums where values are overwritten.
  MemTableChecks checks = {};
  // How many locks guard values that are overwritten in place; 0 = none is.
  size_t in_place_locks = 0;
  // Makes the new value from such a value and from what is put; null: what is
  // put is the new value.
  decltype(AdvancedColumnFamilyOptions::inplace_callback) in_place_callback =
      nullptr;
  // Keeps the newest of the keys' timestamps, for a flush that leaves them out.
  // Only one thread at a time adds entries then.
  bool keeps_newest_timestamp = false;
  // The flush wants to know when a value is said to have been written.
  bool keeps_write_times = false;
  // False: its family's data come as whole tables (disallow_memtable_writes).
  bool takes_entries = true;
  // For oldest_key_seconds(); null: nobody asks.
  SystemClock* clock = nullptr;
};

// What a cursor is for.
struct MemTableScan {
  // Looked at by each seek in a prefix; null: none asks the filter.
  const ReadOptions* read_options = nullptr;
  // What the read takes for prefixes; null: none.
  const SliceTransform* prefix_extractor = nullptr;
};

class MemTable {
 public:
  explicit MemTable(const MemTableOptions& options);
  ~MemTable();
  MemTable(const MemTable&) = delete;
  MemTable& operator=(const MemTable&) = delete;

  // What some Add() calls did: hand it to Count() at the end.
  using Delta = MemTableCounts::Delta;

  // A version of a key.
  struct Update {
    SequenceNumber sequence = 0;
    ValueType type = kTypeValue;
    Slice key;  // a stored user key
    Slice value;
    // The KeyValueChecksum() that they have had so far; null: none.
    const uint64_t* checksum = nullptr;
    // Shared by updates that are likely to be neighbours, such as those of a
    // batch; null: none are. For keys that hint_extractor knows, its own is
    // taken.
    EntryTree::Hint* hint = nullptr;
  };
  // For kTypeRangeDeletion the key is the begin and the value the end; it may
  // be there already. TryAgain if another key, sequence and type are;
  // Corruption if the copy does not match the checksum. Nothing has changed
  // then.
  Status Add(const Update& update, Delta* delta);
  // The same, counted at once.
  Status Add(SequenceNumber sequence, ValueType type, const Slice& key,
             const Slice& value) {
    Delta delta;
    Status s = Add({sequence, type, key, value}, &delta);
    if (s.ok()) Count(delta);
    return s;
  }
  void Count(const Delta& delta);
  // Puts a value in the place of the key's newest version: a plain value with
  // room for it, which no range tombstone hides. That version keeps its
  // sequence. False: nothing was done. One thread at a time, where
  // options().in_place_locks is not 0.
  bool Overwrite(const Update& update);
  // The same by in_place_callback(), for which the update's value is a delta.
  // *is_found: there is such a version, and it was asked. One thread at a time.
  Status OverwriteByCallback(const Update& update, bool* is_found,
                             CallbackAnswer* answer);

  // Feeds the versions of key's user key that are visible at `read_sequence`
  // to `lookup` (a PointLookup, or whatever has its calls NoteTombstone(),
  // Add(), NoteCorruption() and IsDecided()). True if the lookup is decided.
  template <class Lookup>
  bool Get(const LookupKey& key, SequenceNumber read_sequence,
           Lookup* lookup) const {
    if (tombstones_.IsAny()) NoteTombstone(key, read_sequence, lookup);
    return GetEntries(key, lookup);
  }
  // The same, as if there were no range tombstones.
  template <class Lookup>
  bool GetEntries(const LookupKey& key, Lookup* lookup) const {
    // An empty memtable does not ask its filter, which would count the answer.
    if (filter_ != nullptr && !empty() && !MayHold(key.user_key())) {
      return lookup->IsDecided();
    }
    const auto feed = [this, lookup](const char* entry) {
      return FeedEntry(entry, lookup);
    };
    if (lookups_can_fail_) [[unlikely]] {
      Status s = VisitChecked(key.internal_key(), feed);
      if (!s.ok()) lookup->NoteCorruption(std::move(s));
    } else {
      VisitFrom(key.internal_key(), feed);
    }
    return lookup->IsDecided();
  }

  // A lookup that is under way.
  template <class Lookup>
  struct Wanted {
    const LookupKey* key = nullptr;
    Lookup* lookup = nullptr;
  };
  // Does what Get() does for each of them, in their order. Searches the tree
  // for many at a time, so that their cache misses overlap, unless checks are
  // asked for.
  template <class Lookup>
  void GetTogether(const std::vector<Wanted<Lookup>>& wanted,
                   SequenceNumber read_sequence) const {
    if (tombstones_.IsAny()) {
      for (const Wanted<Lookup>& one : wanted) {
        NoteTombstone(*one.key, read_sequence, one.lookup);
      }
    }
    GetEntriesTogether(wanted);
  }
  // The same, as if there were no range tombstones.
  template <class Lookup>
  void GetEntriesTogether(const std::vector<Wanted<Lookup>>& wanted) const {
    if (!is_tree_ || lookups_can_fail_) {
      for (const Wanted<Lookup>& one : wanted) GetEntries(*one.key, one.lookup);
      return;
    }
    Slice keys[EntryTree::kSeeksTogether];
    Lookup* lookups[EntryTree::kSeeksTogether];
    size_t count = 0;
    for (const Wanted<Lookup>& one : wanted) {
      if (filter_ != nullptr && !MayHold(one.key->user_key())) continue;
      if (count == EntryTree::kSeeksTogether) {
        FeedTogether(keys, count, lookups);
        count = 0;
      }
      keys[count] = one.key->internal_key();
      lookups[count] = one.lookup;
      ++count;
    }
    FeedTogether(keys, count, lookups);
  }

  // The merge operands that are the newest versions of a stored user key, as
  // of `sequence`; at most `most` are counted.
  size_t CountMerges(const Slice& user_key, SequenceNumber sequence,
                     size_t most) const;

  // Over the point entries. Keys, and values that are not overwritten, are
  // pinned for the memtable's life.
  std::unique_ptr<InternalIterator> NewIterator(
      const MemTableScan& scan = MemTableScan()) const;
  // Does a cursor show what is added after it was first positioned?
  bool HasLiveCursors() const { return is_tree_; }

  const MemTableTombstones& tombstones() const { return tombstones_; }

  // True once the memtable should be sealed: it is full, or has too many range
  // tombstones.
  bool ShouldFlush() const;
  // What full means from now on.
  void SetWriteBufferSize(size_t bytes) {
    write_buffer_size_.store(bytes, std::memory_order_relaxed);
  }
  // True for one caller: the one that schedules the flush.
  bool MarkFlushScheduled() {
    return !flush_scheduled_.exchange(true, std::memory_order_relaxed);
  }
  // No Add() after this. Called once, under the DB mutex.
  void MarkImmutable();
  // Its entries are in a table file. Called once, after that.
  void MarkFlushed();
  // Keeps it as long as this lives. By whoever adds, once.
  void Attach(std::shared_ptr<MemTableAttachment> attachment) {
    assert(attachment_ == nullptr);
    attachment_ = std::move(attachment);
  }
  // Null: it has none.
  MemTableAttachment* attachment() const { return attachment_.get(); }
  // It holds something that no log has. By whoever adds.
  void MarkUnlogged() {
    if (!has_unlogged()) has_unlogged_.store(true, std::memory_order_relaxed);
  }
  bool has_unlogged() const {
    return has_unlogged_.load(std::memory_order_relaxed);
  }

  const MemTableOptions& options() const { return options_; }
  const InternalKeyComparator& order() const { return options_.order; }
  uint64_t id() const { return options_.id; }
  const MemTableCounts& counts() const { return counts_; }
  bool empty() const { return entry_count() == 0; }
  uint64_t entry_count() const { return counts_.entries(); }
  // Does it hold as many range tombstones as it may?
  bool HasTooManyTombstones() const;
  // May one more come that no write asks for? Not if that would fill it, nor
  // where they are so many that cutting them anew holds up readers.
  bool HasRoomForTombstone() const;
  size_t ApproximateMemoryUsage() const;

  // Once it is immutable, where it is kept; empty: no key was added.
  const std::string& newest_timestamp() const {
    assert(immutable_);
    return newest_timestamp_;
  }
  // MemTableCounts has it. For entries that are from another one.
  void InheritTime(const MemTable& other) {
    counts_.InheritTime(other.counts());
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
  // The versions of its user key from `internal_key` on, and perhaps entries
  // behind them, until `visit` answers false.
  template <class Visit>
  void VisitFrom(const Slice& internal_key, const Visit& visit) const {
    if (!is_tree_) return VisitStore(internal_key, visit);
    if (tree_.IsEmpty()) return;
    EntryTree::Cursor cursor(&tree_);
    cursor.SeekVersion(internal_key);
    while (cursor.Valid() && visit(cursor.entry())) cursor.Next();
  }
  template <class Lookup>
  void NoteTombstone(const LookupKey& key, SequenceNumber read_sequence,
                     Lookup* lookup) const {
    const Slice user_key = key.user_key();
    lookup->NoteTombstone(tombstones_.Newest(
        user_key, {read_sequence,
                   TimestampOf(user_key, options_.order.timestamp_size())}));
  }
  template <class Lookup>
  void FeedTogether(const Slice* internal_keys, size_t count,
                    Lookup* const* lookups) const {
    assert(count <= EntryTree::kSeeksTogether);
    EntryTree::Cursor cursors[EntryTree::kSeeksTogether];
    tree_.SeekTogether(internal_keys, count, cursors);
    for (size_t i = 0; i < count; ++i) {
      EntryTree::Cursor& cursor = cursors[i];
      while (cursor.Valid() && FeedEntry(cursor.entry(), lookups[i])) {
        cursor.Next();
      }
    }
  }
  template <class Lookup>
  bool FeedEntry(const char* entry, Lookup* lookup) const {
    if (values_in_place_ != nullptr) [[unlikely]] {
      return FeedCopy(entry, lookup);
    }
    return Feed(EntryTree::KeyOf(entry), EntryTree::ValueOf(entry), lookup);
  }
  template <class Lookup>
  bool FeedCopy(const char* entry, Lookup* lookup) const {
    const Slice internal_key = EntryTree::KeyOf(entry);
    std::string value;
    ReadInPlace(internal_key, &value);
    return Feed(internal_key, value, lookup);
  }
  template <class Lookup>
  static bool Feed(const Slice& internal_key, const Slice& value,
                   Lookup* lookup) {
    ParsedInternalKey parsed;
    parsed.user_key = ExtractUserKey(internal_key);
    parsed.sequence = ExtractSequence(internal_key);
    parsed.type = ExtractType(internal_key);
    return lookup->Add(parsed, value, nullptr);
  }
  bool MayHold(const Slice& user_key) const;
  void ReadInPlace(const Slice& internal_key, std::string* value) const;
  bool IsUnderTombstone(const Slice& internal_key) const;
  // The internal key of the version that Overwrite() is about; empty: none.
  Slice FindInPlace(const Update& update) const;
  EntryTree::Hint* HintFor(const Update& update);
  using Visitor = std::function<bool(const char* entry)>;
  void VisitStore(const Slice& internal_key, const Visitor& visit) const;
  // Like VisitFrom(), but fails at the first entry that the checks reject.
  Status VisitChecked(const Slice& internal_key, const Visitor& visit) const;
  std::unique_ptr<InternalIterator> NewEntryIterator() const;
  void NoteTimestamp(const Slice& user_key);
  size_t BytesBesideEntries() const;
  void Charge();

  const MemTableOptions options_;
  std::atomic<size_t> write_buffer_size_;
  ConcurrentArena arena_;
  EntryTree tree_;  // empty if there is a store
  // What rep_factory stands for: at most one of them is there.
  const std::unique_ptr<EntryStore> store_;
  const std::unique_ptr<ApplicationStore> application_;
  const bool is_tree_;
  const bool lookups_can_fail_;
  const std::unique_ptr<MemTableFilter> filter_;  // null: none
  // Null: entries stay as they were added.
  const std::unique_ptr<ValuesInPlace> values_in_place_;
  // Prefixes that share one disturb each other, no more. Empty: none.
  std::vector<EntryTree::Hint> hints_;

  MemTableCounts counts_;
  MemTableTombstones tombstones_;
  std::atomic<bool> flush_scheduled_{false};
  std::atomic<bool> has_unlogged_{false};
  // Bytes that the write buffer manager was told of.
  std::atomic<size_t> charged_{0};
  bool immutable_ = false;
  std::string newest_timestamp_;
  std::shared_ptr<MemTableAttachment> attachment_;

  uint64_t log_number_ = 0;
  uint64_t next_log_number_ = 0;
};

}  // namespace ROCKSDB_NAMESPACE

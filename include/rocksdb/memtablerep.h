#pragma once

// Which structure keeps the entries of a memtable in order, and what one of the
// application's own has to do.
//
// Each memtable asks the family's MemTableRepFactory for a MemTableRep, and
// keeps its point entries there. An entry is
//
//   varint32 length | internal key | varint32 length | value | checksum
//
// The internal key is the user key and eight bytes: sequence and type. Range
// tombstones are kept elsewhere. The database knows the factories of this
// header by their Name(), and has structures of its own for them; it asks all
// others for a MemTableRep.
//
// Threads  Factories are immutable. MemTableRep says which of its calls come
//          from several threads. Both may be called under locks of the
//          database, so they must not call the database.
// Errors   A factory that throws, or makes null: the memtable is that of
//          SkipListFactory, and LOG says so. A MemTableRep that throws: the
//          read or the write answers Aborted.

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <unordered_set>

#include "rocksdb/customizable.h"
#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/slice.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {

class Allocator;
class Arena;
class Logger;
class LookupKey;
class SliceTransform;

// What an entry is called between Allocate() and its insertion.
using KeyHandle = void*;

// What is at `data` behind its length, a varint32: of an entry, its internal
// key.
Slice GetLengthPrefixedSlice(const char* data);

// The point entries of one memtable, in ascending order of internal keys.
//
// Entries are added, and neither changed nor removed. All go with the memtable.
//
// Threads  Reads come from any threads, also while one is inserted. Inserts
//          come from one thread at a time, but for those called Concurrently,
//          which are used if the factory's IsInsertConcurrentlySupported().
class MemTableRep {
 public:
  // The order of entries.
  class KeyComparator {
   public:
    using DecodedType = Slice;

    virtual ~KeyComparator() = default;

    // The internal key of an entry.
    virtual DecodedType decode_key(const char* key) const;
    // Below, at or above 0 as the first is before, as or behind the second:
    // two entries; an entry and an internal key.
    virtual int operator()(const char* prefix_len_key1,
                           const char* prefix_len_key2) const = 0;
    virtual int operator()(const char* prefix_len_key,
                           const Slice& key) const = 0;
  };

  // `allocator` outlives this, and frees all at once.
  explicit MemTableRep(Allocator* allocator) : allocator_(allocator) {}
  virtual ~MemTableRep() = default;

  // Makes room for an entry of `len` bytes, which the caller writes to *buf and
  // then inserts, from the same thread. The default takes it from the
  // allocator. From several threads, if inserts are.
  virtual KeyHandle Allocate(const size_t len, char** buf);

  // Adds the entry that was written behind `handle`. Those that answer bool
  // answer false, with nothing added, for an internal key that is there
  // already, if the factory's CanHandleDuplicatedKey(); by default they pass on
  // to those that do not, and answer true.
  virtual void Insert(KeyHandle handle) = 0;
  virtual bool InsertKey(KeyHandle handle) {
    Insert(handle);
    return true;
  }
  // `hint` points to what this made of earlier entries whose keys have the
  // same prefix by memtable_insert_with_hint_prefix_extractor: null for the
  // first, and for this to change. What it points to is this's to free.
  virtual void InsertWithHint(KeyHandle handle, void** /*hint*/) {
    Insert(handle);
  }
  virtual bool InsertKeyWithHint(KeyHandle handle, void** hint) {
    InsertWithHint(handle, hint);
    return true;
  }
  virtual void InsertWithHintConcurrently(KeyHandle handle, void** /*hint*/) {
    InsertConcurrently(handle);
  }
  virtual bool InsertKeyWithHintConcurrently(KeyHandle handle, void** hint) {
    InsertWithHintConcurrently(handle, hint);
    return true;
  }
  // Many threads at once. The default throws std::logic_error.
  virtual void InsertConcurrently(KeyHandle handle);
  virtual bool InsertKeyConcurrently(KeyHandle handle) {
    InsertConcurrently(handle);
    return true;
  }
  // The thread has made its concurrent inserts of one batch. Before any read
  // is to see them.
  virtual void BatchPostProcess() {}

  // Is an entry there whose internal key is that of the entry `key`? The
  // database does not ask.
  virtual bool Contains(const char* key) const = 0;

  // Nothing is inserted from now on. Called once, before the first read after
  // that; other reads may be under way.
  virtual void MarkReadOnly() {}
  // The entries are in a table file. Called once, after MarkReadOnly(): before
  // the next read, or before this is destroyed.
  virtual void MarkFlushed() {}

  // Calls `callback_func` with `callback_args` and each entry from `k` on, in
  // order, until it answers false. Only the entries of k's user key need be
  // shown. The default steps through a GetDynamicPrefixIterator().
  virtual void Get(const LookupKey& k, void* callback_args,
                   bool (*callback_func)(void* arg, const char* entry));
  // Like Get(), with checks of what is passed. The default is NotSupported. The
  // database does not call it: it checks what Get() shows.
  virtual Status GetAndValidate(
      const LookupKey& lookup_key, void* callback_args,
      bool (*callback_func)(void* arg, const char* entry),
      bool allow_data_in_errors, bool detect_key_out_of_order,
      const std::function<Status(const char*, bool)>& key_validation_callback);
  // Like Get() for `num_keys` keys, each given as an entry that holds nothing
  // but a key; callback_args[i] belongs to keys[i]. The default looks up one
  // after another, and is NotSupported where checks are asked for. The database
  // does not call it.
  virtual Status MultiGet(
      size_t num_keys, const char* const* keys, void** callback_args,
      bool (*callback_func)(void* arg, const char* entry),
      bool allow_data_in_errors = false, bool detect_key_out_of_order = false,
      const std::function<Status(const char*, bool)>& key_validation_callback =
          nullptr);

  // About how many entries are in [start, end), internal keys. Default: 0.
  virtual uint64_t ApproximateNumEntries(const Slice& /*start_ikey*/,
                                         const Slice& /*end_ikey*/) {
    return 0;
  }
  // Puts about `target_sample_size` of the `num_entries` entries into *entries.
  // The default puts none. The database does not ask.
  virtual void UniqueRandomSample(
      const uint64_t /*num_entries*/, const uint64_t /*target_sample_size*/,
      std::unordered_set<const char*>* /*entries*/) {}

  // Bytes that this uses beside what it took from the allocator. Any thread.
  virtual size_t ApproximateMemoryUsage() = 0;

  // A position. One thread at a time; it stays good while entries are added,
  // which it may show or not.
  class Iterator {
   public:
    virtual ~Iterator() = default;

    virtual bool Valid() const = 0;
    // The entry. Needs Valid(), as do Next() and Prev().
    virtual const char* key() const = 0;
    virtual void Next() = 0;
    // The same, checked. The default, as of the other two, is NotSupported, and
    // the database does not ask.
    virtual Status NextAndValidate(bool allow_data_in_errors);
    virtual void Prev() = 0;
    virtual Status PrevAndValidate(bool allow_data_in_errors);
    // To the first entry at or behind `internal_key`. `memtable_key`, if it is
    // not null, is the same behind its length.
    virtual void Seek(const Slice& internal_key, const char* memtable_key) = 0;
    virtual Status SeekAndValidate(
        const Slice& internal_key, const char* memtable_key,
        bool allow_data_in_errors, bool detect_key_out_of_order,
        const std::function<Status(const char*, bool)>&
            key_validation_callback);
    // To the last entry at or before it.
    virtual void SeekForPrev(const Slice& internal_key,
                             const char* memtable_key) = 0;
    // To any entry. Does nothing by default.
    virtual void RandomSeek() {}
    virtual void SeekToFirst() = 0;
    virtual void SeekToLast() = 0;
  };

  // Over all entries in order, at first not Valid(). Without an arena the
  // caller deletes it, with one the caller calls its destructor alone. The
  // database gives none.
  virtual Iterator* GetIterator(Arena* arena = nullptr) = 0;
  // The same, but it need show no more than the entries whose keys have the
  // prefix of the key that is sought.
  virtual Iterator* GetDynamicPrefixIterator(Arena* arena = nullptr) {
    return GetIterator(arena);
  }

  // Can it hold merge operands? Does it keep all versions of a key? The
  // database needs both: a factory whose MemTableRep denies one is as one that
  // makes null.
  virtual bool IsMergeOperatorSupported() const { return true; }
  virtual bool IsSnapshotSupported() const { return true; }

 protected:
  // The user key of an entry.
  virtual Slice UserKey(const char* key) const;

  Allocator* allocator_;
};

class MemTableRepFactory : public Customizable {
 public:
  ~MemTableRepFactory() override = default;

  static const char* Type() { return "MemTableRepFactory"; }
  // Makes a factory from its name, with `:<parameter>` behind it if need be:
  // "SkipListFactory", "skip_list:16", "vector"; or a registered one. For an
  // unknown name null, or NotSupported without
  // ConfigOptions::ignore_unsupported_options.
  static Status CreateFromString(const ConfigOptions& config_options,
                                 const std::string& id,
                                 std::unique_ptr<MemTableRepFactory>* factory);
  static Status CreateFromString(const ConfigOptions& config_options,
                                 const std::string& id,
                                 std::shared_ptr<MemTableRepFactory>* factory);

  // A MemTableRep that nothing is in; the caller deletes it. The comparator and
  // `allocator` outlive it. `slice_transform` is the family's prefix_extractor,
  // or null. From any thread.
  virtual MemTableRep* CreateMemTableRep(const MemTableRep::KeyComparator&,
                                         Allocator*, const SliceTransform*,
                                         Logger* logger) = 0;
  // The same for the family of this id: what the database calls.
  virtual MemTableRep* CreateMemTableRep(
      const MemTableRep::KeyComparator& key_cmp, Allocator* allocator,
      const SliceTransform* slice_transform, Logger* logger,
      uint32_t /*column_family_id*/) {
    return CreateMemTableRep(key_cmp, allocator, slice_transform, logger);
  }

  const char* Name() const override = 0;

  // Many threads may insert at once. DB::Open answers InvalidArgument for
  // allow_concurrent_memtable_write with a factory of the application's that
  // does not.
  virtual bool IsInsertConcurrentlySupported() const { return false; }
  // An insert of a key and sequence that are there already is refused, rather
  // than stored twice.
  virtual bool CanHandleDuplicatedKey() const { return false; }
};

// An ordered structure with concurrent inserts and reads that take no lock.
// The default. `lookahead` (default 0) is a hint for seeks near the last
// position; our structure looks there first whatever it says.
class SkipListFactory : public MemTableRepFactory {
 public:
  explicit SkipListFactory(size_t lookahead = 0) : lookahead_(lookahead) {}

  static const char* kClassName() { return "SkipListFactory"; }
  static const char* kNickName() { return "skip_list"; }
  const char* Name() const override { return kClassName(); }
  const char* NickName() const override { return kNickName(); }
  std::string GetId() const override {
    std::string id = Name();
    if (lookahead_ > 0) id.append(":").append(std::to_string(lookahead_));
    return id;
  }
  // Takes `lookahead`.
  Status ConfigureOption(const ConfigOptions& config_options,
                         const std::string& name,
                         const std::string& value) override;
  using MemTableRepFactory::CreateMemTableRep;
  // For factories that pass on to this one: a skip list.
  MemTableRep* CreateMemTableRep(const MemTableRep::KeyComparator&, Allocator*,
                                 const SliceTransform*,
                                 Logger* logger) override;
  bool IsInsertConcurrentlySupported() const override { return true; }
  bool CanHandleDuplicatedKey() const override { return true; }
  size_t lookahead() const { return lookahead_; }

 private:
  size_t lookahead_;
};

// Entries in the order of writing, sorted when they are read: for bulk loads.
// `count` entries are reserved at first (default 0). In text "vector".
class VectorRepFactory : public MemTableRepFactory {
 public:
  explicit VectorRepFactory(size_t count = 0) : count_(count) {}

  static const char* kClassName() { return "VectorRepFactory"; }
  static const char* kNickName() { return "vector"; }
  const char* Name() const override { return kClassName(); }
  const char* NickName() const override { return kNickName(); }
  std::string GetId() const override {
    std::string id = Name();
    if (count_ > 0) id.append(":").append(std::to_string(count_));
    return id;
  }
  // Takes `count`.
  Status ConfigureOption(const ConfigOptions& config_options,
                         const std::string& name,
                         const std::string& value) override;
  using MemTableRepFactory::CreateMemTableRep;
  // For factories that pass on to this one: a vector.
  MemTableRep* CreateMemTableRep(const MemTableRep::KeyComparator&, Allocator*,
                                 const SliceTransform*,
                                 Logger* logger) override;
  bool IsInsertConcurrentlySupported() const override { return false; }
  size_t count() const { return count_; }

 private:
  size_t count_;
};

// Buckets by key prefix, each an ordered structure: for writes and reads of
// single keys whose cost does not grow with the memtable. Cursors, flushes
// included, sort all of it first. Without a prefix_extractor the memtable is
// that of SkipListFactory, and LOG says so. In text "prefix_hash", or
// "prefix_hash:<buckets>".
//
// `skiplist_height` and `skiplist_branching_factor` have no effect.
MemTableRepFactory* NewHashSkipListRepFactory(
    size_t bucket_count = 1000000, int32_t skiplist_height = 4,
    int32_t skiplist_branching_factor = 4);

// The same with buckets that are sorted lists of up to `threshold_use_skiplist`
// entries. In text "hash_linkedlist", or "hash_linkedlist:<buckets>".
//
// `huge_page_tlb_size`, `bucket_entries_logging_threshold` and
// `if_log_bucket_dist_when_flash` have no effect; memory is the memtable's, to
// which memtable_huge_page_size applies.
MemTableRepFactory* NewHashLinkListRepFactory(
    size_t bucket_count = 50000, size_t huge_page_tlb_size = 0,
    int bucket_entries_logging_threshold = 4096,
    bool if_log_bucket_dist_when_flash = true,
    uint32_t threshold_use_skiplist = 256);

}  // namespace ROCKSDB_NAMESPACE

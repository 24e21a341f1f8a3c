// A write batch that can be read before it is written: its updates are indexed
// by key, and shown over those of a database.
//
// A batch is written by DB::Write(options, batch.GetWriteBatch()).
//
// Threads    One thread at a time, the iterators of a batch included.
// Ownership  Owns copies of all keys and values. Iterators borrow the batch.
// Errors     A value that an update leaves to the merge operator needs the
//            column family handle: InvalidArgument without one.
//            NotSupported: ranges of keys.
//
// Families with user-defined timestamps: keys are given, listed and looked up
// without. Where an update was given no timestamp of its own,
// GetWriteBatch()->UpdateTimestamps() sets that of all before the batch is
// written. A batch is newer than all of the database, and its later updates
// than those before, whatever timestamps they have.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "rocksdb/comparator.h"
#include "rocksdb/iterator.h"
#include "rocksdb/slice.h"
#include "rocksdb/status.h"
#include "rocksdb/write_batch.h"
#include "rocksdb/write_batch_base.h"

namespace ROCKSDB_NAMESPACE {

class ColumnFamilyHandle;
class DB;
class PinnableSlice;
class PinnableWideColumns;
struct DBOptions;
struct ReadOptions;

enum WriteType : uint8_t {
  kPutRecord,
  kMergeRecord,
  kDeleteRecord,
  kSingleDeleteRecord,
  kDeleteRangeRecord,
  kLogDataRecord,
  kXIDRecord,
  kPutEntityRecord,
  kUnknownRecord,
};

// One update of an indexed batch; it borrows from the batch, until that
// changes.
struct WriteEntry {
  WriteType type = kUnknownRecord;
  Slice key;
  // The value: the stored form for an entity, empty for a deletion.
  Slice value;
};

// A cursor over the updates of one column family in a batch, by key.
//
// It sees updates that are added later. RollbackToSavePoint() and Clear() end
// its view: seek again.
class WBWIIterator {
 public:
  virtual ~WBWIIterator() = default;

  virtual bool Valid() const = 0;
  virtual void SeekToFirst() = 0;
  virtual void SeekToLast() = 0;
  // To the newest update of the first key at or after `key`.
  virtual void Seek(const Slice& key) = 0;
  // To the oldest update of the last key at or before `key`.
  virtual void SeekForPrev(const Slice& key) = 0;
  virtual void Next() = 0;
  virtual void Prev() = 0;
  // REQUIRES: Valid().
  virtual WriteEntry Entry() const = 0;
  virtual Status status() const = 0;

  // With overwrite_key: whether an update that the present one has replaced
  // was a single deletion.
  virtual bool HasOverWrittenSingleDel() const { return false; }
  // With overwrite_key: the present update is the n-th of its key, from 1.
  virtual uint32_t GetUpdateCount() const { return 0; }
};

class WriteBatchWithIndex : public WriteBatchBase {
 public:
  // `backup_index_comparator` orders the keys of families whose handle does
  // not say. `overwrite_key`: an update takes the place of those of the same
  // key before it in the index, except that merge operands are kept; else all
  // are listed. `max_bytes`: as in WriteBatch.
  explicit WriteBatchWithIndex(
      const Comparator* backup_index_comparator = BytewiseComparator(),
      size_t reserved_bytes = 0, bool overwrite_key = false,
      size_t max_bytes = 0, size_t protection_bytes_per_key = 0);
  ~WriteBatchWithIndex() override;
  WriteBatchWithIndex(WriteBatchWithIndex&&) noexcept;
  WriteBatchWithIndex& operator=(WriteBatchWithIndex&&) noexcept;

  using WriteBatchBase::Put;
  Status Put(ColumnFamilyHandle* column_family, const Slice& key,
             const Slice& value) override;
  Status Put(const Slice& key, const Slice& value) override;
  Status Put(ColumnFamilyHandle* column_family, const Slice& key,
             const Slice& ts, const Slice& value) override;
  // NotSupported.
  Status TimedPut(ColumnFamilyHandle* column_family, const Slice& key,
                  const Slice& value, uint64_t write_unix_time) override;

  Status PutEntity(ColumnFamilyHandle* column_family, const Slice& key,
                   const WideColumns& columns) override;
  Status PutEntity(const Slice& key,
                   const AttributeGroups& attribute_groups) override;

  using WriteBatchBase::Merge;
  Status Merge(ColumnFamilyHandle* column_family, const Slice& key,
               const Slice& value) override;
  Status Merge(const Slice& key, const Slice& value) override;
  Status Merge(ColumnFamilyHandle* column_family, const Slice& key,
               const Slice& ts, const Slice& value) override;

  using WriteBatchBase::Delete;
  Status Delete(ColumnFamilyHandle* column_family, const Slice& key) override;
  Status Delete(const Slice& key) override;
  Status Delete(ColumnFamilyHandle* column_family, const Slice& key,
                const Slice& ts) override;

  using WriteBatchBase::SingleDelete;
  Status SingleDelete(ColumnFamilyHandle* column_family,
                      const Slice& key) override;
  Status SingleDelete(const Slice& key) override;
  Status SingleDelete(ColumnFamilyHandle* column_family, const Slice& key,
                      const Slice& ts) override;

  // NotSupported.
  using WriteBatchBase::DeleteRange;
  Status DeleteRange(ColumnFamilyHandle* column_family, const Slice& begin_key,
                     const Slice& end_key) override;
  Status DeleteRange(const Slice& begin_key, const Slice& end_key) override;
  Status DeleteRange(ColumnFamilyHandle* column_family, const Slice& begin_key,
                     const Slice& end_key, const Slice& ts) override;

  using WriteBatchBase::PutLogData;
  Status PutLogData(const Slice& blob) override;

  using WriteBatchBase::Clear;
  void Clear() override;

  // What is added to it directly is written and not indexed.
  using WriteBatchBase::GetWriteBatch;
  WriteBatch* GetWriteBatch() override;

  // A cursor over the batch alone. Updates of one key come newest first. The
  // caller owns it.
  WBWIIterator* NewIterator(ColumnFamilyHandle* column_family);
  WBWIIterator* NewIterator();

  // A cursor over `base`, which it owns from now on, as if the batch had been
  // written. Bounds in `opts`, which need to outlive it, hold for the batch
  // too, and so does prefix_same_as_start where the family is given; `base` is
  // then better made without it, since after SeekToFirst() or SeekToLast() it
  // would stay in the prefix of its own first key, all of whose keys the batch
  // may delete. Changing the batch ends what key() and value() point to, until
  // the cursor moves. The caller owns it.
  Iterator* NewIteratorWithBase(ColumnFamilyHandle* column_family,
                                Iterator* base_iterator,
                                const ReadOptions* opts = nullptr);
  // The same for the default family.
  Iterator* NewIteratorWithBase(Iterator* base_iterator,
                                const ReadOptions* opts = nullptr);

  // What the batch alone says of a key: NotFound if it says nothing or that
  // the key is gone; MergeInProgress if it has operands for a value that it
  // does not know.
  Status GetFromBatch(ColumnFamilyHandle* column_family,
                      const DBOptions& options, const Slice& key,
                      std::string* value);
  Status GetFromBatch(const DBOptions& options, const Slice& key,
                      std::string* value) {
    return GetFromBatch(nullptr, options, key, value);
  }
  Status GetEntityFromBatch(ColumnFamilyHandle* column_family, const Slice& key,
                            PinnableWideColumns* columns);

  // What DB::Get() would answer if the batch had been written.
  Status GetFromBatchAndDB(DB* db, const ReadOptions& read_options,
                           const Slice& key, std::string* value);
  Status GetFromBatchAndDB(DB* db, const ReadOptions& read_options,
                           const Slice& key, PinnableSlice* value);
  Status GetFromBatchAndDB(DB* db, const ReadOptions& read_options,
                           ColumnFamilyHandle* column_family, const Slice& key,
                           std::string* value);
  Status GetFromBatchAndDB(DB* db, const ReadOptions& read_options,
                           ColumnFamilyHandle* column_family, const Slice& key,
                           PinnableSlice* value);
  Status GetEntityFromBatchAndDB(DB* db, const ReadOptions& read_options,
                                 ColumnFamilyHandle* column_family,
                                 const Slice& key,
                                 PinnableWideColumns* columns);
  // Key by key the same; what the batch does not answer is asked in one call.
  void MultiGetFromBatchAndDB(DB* db, const ReadOptions& read_options,
                              ColumnFamilyHandle* column_family,
                              size_t num_keys, const Slice* keys,
                              PinnableSlice* values, Status* statuses,
                              bool sorted_input);
  void MultiGetEntityFromBatchAndDB(DB* db, const ReadOptions& read_options,
                                    ColumnFamilyHandle* column_family,
                                    size_t num_keys, const Slice* keys,
                                    PinnableWideColumns* results,
                                    Status* statuses, bool sorted_input);

  void SetSavePoint() override;
  Status RollbackToSavePoint() override;
  Status PopSavePoint() override;

  void SetMaxBytes(size_t max_bytes) override;
  size_t GetDataSize() const;
  bool GetOverwriteKey() const;

  // What the index has of a family.
  struct CFStat {
    // Updates that a cursor over the batch finds.
    uint32_t entry_count = 0;
    // How many of these have taken the place of a SingleDelete() of their key.
    uint32_t overwritten_sd_count = 0;
  };
  // By the id of the family: those that the index has something of. Valid until
  // the next call, and not to be called by two threads at once.
  const std::unordered_map<uint32_t, CFStat>& GetCFStats() const;
  // Updates that came by way of the index, also those that later ones have
  // replaced. The batch has more if it was added to directly.
  size_t GetWBWIOpCount() const;

 private:
  struct Rep;

  std::unique_ptr<Rep> rep_;
};

}  // namespace ROCKSDB_NAMESPACE

#pragma once

// A list of updates that are applied together: all of them or, after a crash,
// none.
//
// The updates are kept in the form in which they go to the write-ahead log:
//
//   fixed64 sequence | fixed32 count | records
//
// Threads    Const calls from any thread; anything else needs one thread.
// Ownership  Owns copies of all keys and values.
// Errors     A batch made from bytes is checked when it is iterated or
//            written: Corruption if it is malformed.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/status.h"
#include "rocksdb/write_batch_base.h"

namespace ROCKSDB_NAMESPACE {

class ColumnFamilyHandle;
class Slice;
struct SliceParts;

// A state of a batch: how many bytes and updates it has, and of what kinds.
struct SavePoint {
  size_t size = 0;
  uint32_t count = 0;
  uint32_t content_flags = 0;

  SavePoint() = default;
  SavePoint(size_t size_in, uint32_t count_in, uint32_t content_flags_in)
      : size(size_in), count(count_in), content_flags(content_flags_in) {}

  void clear() { *this = SavePoint(); }
  bool is_cleared() const { return (size | content_flags) == 0; }
};

class WriteBatch : public WriteBatchBase {
 public:
  // Room for `reserved_bytes` is made at once. `max_bytes`: see SetMaxBytes().
  explicit WriteBatch(size_t reserved_bytes = 0, size_t max_bytes = 0)
      : WriteBatch(reserved_bytes, max_bytes, 0, 0) {}
  // `protection_bytes_per_key`: of a checksum that each update carries until
  // it is in a memtable; 0 is none, and anything else counts as 8.
  // `default_cf_ts_sz` is the timestamp size of the default column family.
  explicit WriteBatch(size_t reserved_bytes, size_t max_bytes,
                      size_t protection_bytes_per_key, size_t default_cf_ts_sz);
  // From the bytes of Data().
  explicit WriteBatch(const std::string& rep);
  explicit WriteBatch(std::string&& rep);
  WriteBatch(const WriteBatch& src);
  WriteBatch(WriteBatch&& src) noexcept;
  WriteBatch& operator=(const WriteBatch& src);
  WriteBatch& operator=(WriteBatch&& src) noexcept;
  ~WriteBatch() override;

  using WriteBatchBase::Put;
  Status Put(ColumnFamilyHandle* column_family, const Slice& key,
             const Slice& value) override;
  Status Put(const Slice& key, const Slice& value) override {
    return Put(nullptr, key, value);
  }
  Status Put(ColumnFamilyHandle* column_family, const Slice& key,
             const Slice& ts, const Slice& value) override;
  Status Put(ColumnFamilyHandle* column_family, const SliceParts& key,
             const SliceParts& value) override;
  Status Put(const SliceParts& key, const SliceParts& value) override {
    return Put(nullptr, key, value);
  }

  Status TimedPut(ColumnFamilyHandle* column_family, const Slice& key,
                  const Slice& value, uint64_t write_unix_time) override;

  Status PutEntity(ColumnFamilyHandle* column_family, const Slice& key,
                   const WideColumns& columns) override;
  Status PutEntity(const Slice& key,
                   const AttributeGroups& attribute_groups) override;

  using WriteBatchBase::Merge;
  Status Merge(ColumnFamilyHandle* column_family, const Slice& key,
               const Slice& value) override;
  Status Merge(const Slice& key, const Slice& value) override {
    return Merge(nullptr, key, value);
  }
  Status Merge(ColumnFamilyHandle* column_family, const Slice& key,
               const Slice& ts, const Slice& value) override;
  Status Merge(ColumnFamilyHandle* column_family, const SliceParts& key,
               const SliceParts& value) override;
  Status Merge(const SliceParts& key, const SliceParts& value) override {
    return Merge(nullptr, key, value);
  }

  using WriteBatchBase::Delete;
  Status Delete(ColumnFamilyHandle* column_family, const Slice& key) override;
  Status Delete(const Slice& key) override { return Delete(nullptr, key); }
  Status Delete(ColumnFamilyHandle* column_family, const Slice& key,
                const Slice& ts) override;
  Status Delete(ColumnFamilyHandle* column_family,
                const SliceParts& key) override;
  Status Delete(const SliceParts& key) override { return Delete(nullptr, key); }

  using WriteBatchBase::SingleDelete;
  Status SingleDelete(ColumnFamilyHandle* column_family,
                      const Slice& key) override;
  Status SingleDelete(const Slice& key) override {
    return SingleDelete(nullptr, key);
  }
  Status SingleDelete(ColumnFamilyHandle* column_family, const Slice& key,
                      const Slice& ts) override;
  Status SingleDelete(ColumnFamilyHandle* column_family,
                      const SliceParts& key) override;
  Status SingleDelete(const SliceParts& key) override {
    return SingleDelete(nullptr, key);
  }

  using WriteBatchBase::DeleteRange;
  Status DeleteRange(ColumnFamilyHandle* column_family, const Slice& begin_key,
                     const Slice& end_key) override;
  Status DeleteRange(const Slice& begin_key, const Slice& end_key) override {
    return DeleteRange(nullptr, begin_key, end_key);
  }
  Status DeleteRange(ColumnFamilyHandle* column_family, const Slice& begin_key,
                     const Slice& end_key, const Slice& ts) override;
  Status DeleteRange(ColumnFamilyHandle* column_family,
                     const SliceParts& begin_key,
                     const SliceParts& end_key) override;
  Status DeleteRange(const SliceParts& begin_key,
                     const SliceParts& end_key) override {
    return DeleteRange(nullptr, begin_key, end_key);
  }

  using WriteBatchBase::PutLogData;
  Status PutLogData(const Slice& blob) override;

  using WriteBatchBase::Clear;
  void Clear() override;

  void SetSavePoint() override;
  Status RollbackToSavePoint() override;
  Status PopSavePoint() override;

  // Takes the updates of a batch in order. The calls without "CF" get those of
  // the default column family, unless the one with "CF" is overridden.
  // A status other than OK ends the iteration and is its result.
  class Handler {
   public:
    virtual ~Handler() = default;

    virtual Status PutCF(uint32_t column_family_id, const Slice& key,
                         const Slice& value);
    virtual void Put(const Slice& /*key*/, const Slice& /*value*/) {}

    virtual Status TimedPutCF(uint32_t column_family_id, const Slice& key,
                              const Slice& value, uint64_t write_time);
    // `entity` is in the stored form.
    virtual Status PutEntityCF(uint32_t column_family_id, const Slice& key,
                               const Slice& entity);

    virtual Status DeleteCF(uint32_t column_family_id, const Slice& key);
    virtual void Delete(const Slice& /*key*/) {}

    virtual Status SingleDeleteCF(uint32_t column_family_id, const Slice& key);
    virtual void SingleDelete(const Slice& /*key*/) {}

    virtual Status DeleteRangeCF(uint32_t column_family_id,
                                 const Slice& begin_key, const Slice& end_key);

    virtual Status MergeCF(uint32_t column_family_id, const Slice& key,
                           const Slice& value);
    virtual void Merge(const Slice& /*key*/, const Slice& /*value*/) {}

    virtual Status PutBlobIndexCF(uint32_t column_family_id, const Slice& key,
                                  const Slice& value);

    virtual void LogData(const Slice& blob);

    // Markers of two-phase commit.
    virtual Status MarkBeginPrepare(bool unprepared = false);
    virtual Status MarkEndPrepare(const Slice& xid);
    virtual Status MarkNoop(bool empty_batch);
    virtual Status MarkRollback(const Slice& xid);
    virtual Status MarkCommit(const Slice& xid);
    virtual Status MarkCommitWithTimestamp(const Slice& xid,
                                           const Slice& commit_ts);

    // Asked before each update; false ends the iteration with OK.
    virtual bool Continue() { return true; }

   protected:
    // For handlers that had them overridden: nobody asks.
    enum class OptionState { kUnknown, kDisabled, kEnabled };
    virtual OptionState WriteAfterCommit() const {
      return OptionState::kUnknown;
    }
    virtual OptionState WriteBeforePrepare() const {
      return OptionState::kUnknown;
    }
  };
  Status Iterate(Handler* handler) const;

  // The bytes, and the same with the batch left empty.
  const std::string& Data() const { return rep_; }
  std::string Release();
  size_t GetDataSize() const { return rep_.size(); }

  // The number of updates; log data and markers do not count.
  uint32_t Count() const;

  // Whether there is at least one update of that kind.
  bool HasPut() const;
  bool HasTimedPut() const;
  bool HasPutEntity() const;
  bool HasDelete() const;
  bool HasSingleDelete() const;
  bool HasDeleteRange() const;
  bool HasMerge() const;
  bool HasBeginPrepare() const;
  bool HasEndPrepare() const;
  bool HasCommit() const;
  bool HasRollback() const;

  // Gives every key of a family with timestamps the timestamp `ts`: those that
  // were added without one, which must have it before the batch is written,
  // and those that have one. `ts_sz_func` gives a family's timestamp size; 0 =
  // none. InvalidArgument for another size than ts has; NotFound for the
  // largest size_t, which means that it is not known. Changes all or nothing.
  Status UpdateTimestamps(const Slice& ts,
                          std::function<size_t(uint32_t)> ts_sz_func);

  // From now on, or no longer, the timestamp size is kept of each family that
  // an update names; what was kept is forgotten if not. Default: false.
  void SetTrackTimestampSize(bool track_timestamp_size);
  // Keeps the size of a family that is not known yet, if sizes are kept. Calls
  // that add updates do so themselves.
  void MaybeTrackTimestampSize(uint32_t column_family_id, size_t ts_sz) {
    if (timestamp_sizes_ == nullptr) return;
    timestamp_sizes_->emplace(column_family_id, ts_sz);
  }
  // By the family's id, 0 if its keys have no timestamps. Empty unless sizes
  // are kept; of updates that a save point took away, too.
  const std::unordered_map<uint32_t, size_t>& GetColumnFamilyToTimestampSize();

  // Checks the checksums of the updates: Corruption. OK without any.
  Status VerifyChecksum() const;
  size_t GetProtectionBytesPerKey() const {
    return protection_ != nullptr ? sizeof(uint64_t) : 0;
  }

  using WriteBatchBase::GetWriteBatch;
  WriteBatch* GetWriteBatch() override { return this; }

  // Updates that are added after this call go to the memtable and not to the
  // write-ahead log.
  void MarkWalTerminationPoint();
  const SavePoint& GetWalTerminationPoint() const {
    return wal_termination_point_;
  }

  void SetMaxBytes(size_t max_bytes) override { max_bytes_ = max_bytes; }

 private:
  friend class WriteBatchInternal;

  // Save points are rare: they cost a pointer until the first is set.
  using SavePoints = std::vector<SavePoint>;

  std::unique_ptr<SavePoints> save_points_;
  SavePoint wal_termination_point_;
  // Which kinds of updates there are. Not known (see the .cc) for a batch from
  // bytes until it is asked for; then many readers may fill it in.
  mutable std::atomic<uint32_t> content_flags_{0};
  size_t max_bytes_ = 0;
  size_t default_cf_timestamp_size_ = 0;
  // The timestamp sizes of the families that updates name, by family id; null:
  // not kept.
  std::unique_ptr<std::unordered_map<uint32_t, size_t>> timestamp_sizes_;
  // A checksum for each update; null: none.
  std::unique_ptr<std::vector<uint64_t>> protection_;

 protected:
  // The bytes of Data().
  std::string rep_;
};

}  // namespace ROCKSDB_NAMESPACE

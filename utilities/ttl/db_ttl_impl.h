// DBWithTTL over a database whose families have the filters and operators that
// know of times.
//
// Threads  As DB; settings of families have a lock of their own.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/utilities/db_ttl.h"
#include "util/mutex.h"
#include "utilities/ttl/ttl_value.h"

namespace ROCKSDB_NAMESPACE {

// Wraps what families are given, and keeps what they borrow.
//
// Ownership  Must outlive the database.
class TtlFamilies {
 public:
  explicit TtlFamilies(SystemClock* clock) : clock_(clock) {}

  // Its filter and its operator from now on know of times.
  TtlSetting Wrap(int32_t ttl, ColumnFamilyOptions* options) EXCLUDES(mutex_);
  void Note(uint32_t family, TtlSetting setting) EXCLUDES(mutex_);
  // Null for a family that is not known.
  TtlSetting Find(uint32_t family) const EXCLUDES(mutex_);
  SystemClock* clock() const { return clock_; }

 private:
  SystemClock* const clock_;
  mutable Mutex mutex_;
  std::map<uint32_t, TtlSetting> settings_ GUARDED_BY(mutex_);
  // Filters that families have by a pointer only.
  std::vector<std::unique_ptr<const CompactionFilter>> filters_
      GUARDED_BY(mutex_);
};

class DBWithTTLImpl final : public DBWithTTL {
 public:
  DBWithTTLImpl(std::unique_ptr<DB> db, std::unique_ptr<TtlFamilies> families);
  ~DBWithTTLImpl() override;

  Status Close() override;

  Status CreateColumnFamilyWithTtl(const ColumnFamilyOptions& options,
                                   const std::string& name,
                                   ColumnFamilyHandle** handle,
                                   int ttl) override;
  Status CreateColumnFamily(const ColumnFamilyOptions& options,
                            const std::string& name,
                            ColumnFamilyHandle** handle) override;
  Status CreateColumnFamilies(
      const ColumnFamilyOptions& options, const std::vector<std::string>& names,
      std::vector<ColumnFamilyHandle*>* handles) override;
  Status CreateColumnFamilies(
      const std::vector<ColumnFamilyDescriptor>& families,
      std::vector<ColumnFamilyHandle*>* handles) override;
  Status CreateColumnFamilyWithImport(
      const ColumnFamilyOptions& options, const std::string& name,
      const ImportColumnFamilyOptions& import_options,
      const std::vector<const ExportImportFilesMetaData*>& metadatas,
      ColumnFamilyHandle** handle) override;

  void SetTtl(int32_t ttl) override { SetTtl(DefaultColumnFamily(), ttl); }
  void SetTtl(ColumnFamilyHandle* h, int32_t ttl) override;
  Status GetTtl(ColumnFamilyHandle* h, int32_t* ttl) override;

  using StackableDB::Put;
  Status Put(const WriteOptions& options, ColumnFamilyHandle* family,
             const Slice& key, const Slice& value) override;
  using StackableDB::Merge;
  Status Merge(const WriteOptions& options, ColumnFamilyHandle* family,
               const Slice& key, const Slice& value) override;
  using StackableDB::PutEntity;
  Status PutEntity(const WriteOptions& options, ColumnFamilyHandle* family,
                   const Slice& key, const WideColumns& columns) override;
  Status Write(const WriteOptions& options, WriteBatch* updates) override;
  // Their values would have no times.
  Status WriteWithCallback(const WriteOptions& /*options*/,
                           WriteBatch* /*updates*/,
                           UserWriteCallback* /*callback*/) override {
    return Status::NotSupported("WriteWithCallback");
  }
  Status IngestWriteBatchWithIndex(
      const WriteOptions& /*options*/,
      std::shared_ptr<WriteBatchWithIndex> /*wbwi*/) override {
    return Status::NotSupported("IngestWriteBatchWithIndex");
  }

  using StackableDB::Get;
  Status Get(const ReadOptions& options, ColumnFamilyHandle* family,
             const Slice& key, PinnableSlice* value,
             std::string* timestamp) override;
  using StackableDB::MultiGet;
  void MultiGet(const ReadOptions& options, size_t num_keys,
                ColumnFamilyHandle** families, const Slice* keys,
                PinnableSlice* values, std::string* timestamps,
                Status* statuses, bool sorted_input) override;
  Status GetMergeOperands(const ReadOptions& options,
                          ColumnFamilyHandle* family, const Slice& key,
                          PinnableSlice* operands,
                          GetMergeOperandsOptions* operands_options,
                          int* number_of_operands) override;
  using StackableDB::KeyMayExist;
  bool KeyMayExist(const ReadOptions& options, ColumnFamilyHandle* family,
                   const Slice& key, std::string* value,
                   bool* value_found) override;
  using StackableDB::NewIterator;
  Iterator* NewIterator(const ReadOptions& options,
                        ColumnFamilyHandle* family) override;
  Status NewIterators(const ReadOptions& options,
                      const std::vector<ColumnFamilyHandle*>& families,
                      std::vector<Iterator*>* iterators) override;

  // --- not supported
  Status GetEntity(const ReadOptions& options, ColumnFamilyHandle* family,
                   const Slice& key, PinnableWideColumns* columns) override;
  Status GetEntity(const ReadOptions& options, const Slice& key,
                   PinnableAttributeGroups* result) override;
  void MultiGetEntity(const ReadOptions& options, ColumnFamilyHandle* family,
                      size_t num_keys, const Slice* keys,
                      PinnableWideColumns* results, Status* statuses,
                      bool sorted_input) override;
  void MultiGetEntity(const ReadOptions& options, size_t num_keys,
                      ColumnFamilyHandle** families, const Slice* keys,
                      PinnableWideColumns* results, Status* statuses,
                      bool sorted_input) override;
  void MultiGetEntity(const ReadOptions& options, size_t num_keys,
                      const Slice* keys,
                      PinnableAttributeGroups* results) override;
  Status GetEntityLazy(const ReadOptions& options, ColumnFamilyHandle* family,
                       const Slice& key, LazyWideColumns* result) override;
  void MultiGetEntityLazy(const ReadOptions& options,
                          ColumnFamilyHandle* family, size_t num_keys,
                          const Slice* keys, LazyWideColumnsBatch* result,
                          Status* statuses, bool sorted_input) override;
  std::unique_ptr<Iterator> NewCoalescingIterator(
      const ReadOptions& options,
      const std::vector<ColumnFamilyHandle*>& families) override;
  std::unique_ptr<AttributeGroupIterator> NewAttributeGroupIterator(
      const ReadOptions& options,
      const std::vector<ColumnFamilyHandle*>& families) override;

 private:
  Status WithTime(const Slice& value, std::string* stored) const;

  const std::unique_ptr<TtlFamilies> families_;
};

}  // namespace ROCKSDB_NAMESPACE

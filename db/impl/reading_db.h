// The calls of DB that read: a database of any kind answers them, by its
// ReadPort.
//
// Threads    See README.md beside this file for the order of locks.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "db/impl/foundation.h"
#include "db/read/stored_entries.h"
#include "rocksdb/db.h"

namespace ROCKSDB_NAMESPACE {

class ReadPort;

class ReadingDB : public DB {
 public:
  ReadingDB(const DBOptions& sanitized, const std::string& name,
            const std::string& manifest_directory);
  ~ReadingDB() override;

  using DB::Get;
  // All entries, old versions too, in internal order; see stored_entries.h.
  Status VisitEntries(ColumnFamilyHandle* family, const EntryRange& range,
                      const VisitEntry& visit);

  Status Get(const ReadOptions& options, ColumnFamilyHandle* family,
             const Slice& key, PinnableSlice* value) override;
  Status Get(const ReadOptions& options, ColumnFamilyHandle* family,
             const Slice& key, PinnableSlice* value,
             std::string* timestamp) override;
  Status GetEntity(const ReadOptions& options, ColumnFamilyHandle* family,
                   const Slice& key, PinnableWideColumns* columns) override;
  Status GetEntity(const ReadOptions& options, const Slice& key,
                   PinnableAttributeGroups* result) override;
  Status GetEntityLazy(const ReadOptions& options, ColumnFamilyHandle* family,
                       const Slice& key, LazyWideColumns* result) override;
  void MultiGetEntityLazy(const ReadOptions& options,
                          ColumnFamilyHandle* family, size_t num_keys,
                          const Slice* keys, LazyWideColumnsBatch* result,
                          Status* statuses, bool sorted_input) override;
  Status GetMergeOperands(const ReadOptions& options,
                          ColumnFamilyHandle* family, const Slice& key,
                          PinnableSlice* merge_operands,
                          GetMergeOperandsOptions* operands_options,
                          int* number_of_operands) override;
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
  using DB::MultiGet;
  void MultiGet(const ReadOptions& options, ColumnFamilyHandle* family,
                size_t num_keys, const Slice* keys, PinnableSlice* values,
                Status* statuses, bool sorted_input) override;
  void MultiGet(const ReadOptions& options, size_t num_keys,
                ColumnFamilyHandle** families, const Slice* keys,
                PinnableSlice* values, Status* statuses,
                bool sorted_input) override;
  void MultiGet(const ReadOptions& options, size_t num_keys,
                ColumnFamilyHandle** families, const Slice* keys,
                PinnableSlice* values, std::string* timestamps,
                Status* statuses, bool sorted_input) override;
  using DB::NewIterator;
  Iterator* NewIterator(const ReadOptions& options,
                        ColumnFamilyHandle* family) override;
  Status NewIterators(const ReadOptions& options,
                      const std::vector<ColumnFamilyHandle*>& families,
                      std::vector<Iterator*>* iterators) override;
  std::unique_ptr<Iterator> NewCoalescingIterator(
      const ReadOptions& options,
      const std::vector<ColumnFamilyHandle*>& families) override;
  std::unique_ptr<AttributeGroupIterator> NewAttributeGroupIterator(
      const ReadOptions& options,
      const std::vector<ColumnFamilyHandle*>& families) override;
  const Snapshot* GetSnapshot() override;
  void ReleaseSnapshot(const Snapshot* snapshot) override;

  Status StartTrace(const TraceOptions& options,
                    std::unique_ptr<TraceWriter>&& writer) override;
  Status EndTrace() override;
  Status StartBlockCacheTrace(const TraceOptions& options,
                              std::unique_ptr<TraceWriter>&& writer) override;
  Status StartBlockCacheTrace(
      const BlockCacheTraceOptions& options,
      std::unique_ptr<BlockCacheTraceWriter>&& writer) override;
  Status EndBlockCacheTrace() override;
  Status StartIOTrace(const TraceOptions& options,
                      std::unique_ptr<TraceWriter>&& writer) override;
  Status EndIOTrace() override;
  Status NewDefaultReplayer(const std::vector<ColumnFamilyHandle*>& handles,
                            std::unique_ptr<TraceReader>&& reader,
                            std::unique_ptr<Replayer>* replayer) override;

  const std::string& GetName() const override { return base_.name; }
  Env* GetEnv() const override { return base_.options.env; }
  // The one that the database was given.
  FileSystem* GetFileSystem() const override {
    return GetEnv()->GetFileSystem().get();
  }
  Status CheckOpen() const {
    return closed_ ? Status::ShutdownInProgress("the database is closed")
                   : Status::OK();
  }

 protected:
  // A handle that is null or of another database is the caller's mistake.
  Status CheckHandle(ColumnFamilyHandle* family) const;

  Foundation base_;
  std::unique_ptr<ReadPort> reads_;  // null: not opened yet
  bool closed_ = false;
};

}  // namespace ROCKSDB_NAMESPACE

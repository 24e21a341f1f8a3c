// A table of an application's format, as the engine reads one: user keys become
// internal ones of sequence 0.
//
// Threads    As TableReader's, where the format's reader keeps its promise.
// Errors     The format's own, with the name of the file. NotSupported for a
//            file whose entries shall have a sequence number.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/external_table.h"
#include "table/table_reader.h"
#include "table/table_reader_options.h"

namespace ROCKSDB_NAMESPACE {

class RandomAccessFileReader;

class ExternalTableReaderAdapter final : public TableReader {
 public:
  // Takes `file` over on success.
  static Status Open(const ExternalTableFactory& factory,
                     const ReadOptions& read_options,
                     const TableReaderOptions& options,
                     std::unique_ptr<RandomAccessFileReader>&& file,
                     std::unique_ptr<TableReader>* result);
  // For Open().
  ExternalTableReaderAdapter(const TableReaderOptions& options,
                             std::unique_ptr<ExternalTableReader> inner);
  ~ExternalTableReaderAdapter() override;

  std::unique_ptr<InternalIterator> NewIterator(
      const TableIteratorOptions& options) const override;
  // The format reads by itself: `data` is not used.
  Status NewBulkIterator(
      const TableIteratorOptions& options, std::unique_ptr<InputStream> data,
      std::unique_ptr<InternalIterator>* result) const override;
  Status Get(const ReadOptions& options, const Slice& internal_key,
             const SliceTransform* prefix_extractor,
             PointLookup* lookup) const override;
  std::unique_ptr<TableBatch> NewBatch(const TableBatchOptions& options,
                                       TableLookup* lookups,
                                       size_t count) const override;
  const std::shared_ptr<const FragmentedTombstones>& range_tombstones()
      const override {
    return tombstones_;
  }
  std::shared_ptr<const TableProperties> properties() const override {
    return properties_;
  }
  // Nobody knows: 0.
  uint64_t ApproximateOffsetOf(const Slice& internal_key) const override;
  Status Anchors(const ReadOptions& options, size_t max_count,
                 std::vector<Anchor>* anchors) const override;
  Status CollectHeat(const KeyBounds& bounds, KeyHeat* heat) const override;
  Status InheritHeat(const KeyBounds& bounds, KeyHeat* heat,
                     std::vector<HotBlock>* blocks) const override;
  Status CacheBlock(const HotBlock& block, const Slice& stored) const override;
  void EraseCachedBlocks(uint32_t) const override {}  // It has none there.
  FSRandomAccessFile* file() const override;
  size_t ApproximateMemoryUsage() const override;
  Status VerifyChecksum(const ReadOptions& options,
                        InputStream* data) const override;

 private:
  class Batch;

  Status LoadProperties(const TableReaderOptions& options);
  Status Named(Status status) const;

  const InternalKeyComparator order_;
  std::unique_ptr<RandomAccessFileReader> file_;
  // Its calls are not const, and may come from any thread.
  const std::unique_ptr<ExternalTableReader> inner_;
  std::shared_ptr<const TableProperties> properties_;
  std::shared_ptr<const FragmentedTombstones> tombstones_;  // there are none
};

}  // namespace ROCKSDB_NAMESPACE

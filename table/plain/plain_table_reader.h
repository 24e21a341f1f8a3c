// An open plain table. Its rows are mapped into memory; where the file system
// maps nothing, they are read there whole.
//
// Threads    As TableReader's.
// Errors     Corruption names file and offset. There are no checksums: what is
//            damaged shows only where it is no row, or out of order
//            (VerifyChecksum()). NotSupported for all but scans from either
//            end with PlainTableOptions::full_scan_mode.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "table/memory_table.h"
#include "table/metaindex.h"
#include "table/plain/plain_index.h"
#include "table/table_reader.h"
#include "table/table_reader_options.h"

namespace ROCKSDB_NAMESPACE {

class RandomAccessFileReader;

class PlainTableReader final : public TableReader {
 public:
  // Takes `file` over on success.
  static Status Open(const PlainTableOptions& table,
                     const TableReaderOptions& options,
                     std::unique_ptr<RandomAccessFileReader>&& file,
                     uint64_t file_size, std::unique_ptr<TableReader>* result);
  // Empty; for Open().
  PlainTableReader(const PlainTableOptions& table,
                   const TableReaderOptions& options);
  ~PlainTableReader() override;

  std::unique_ptr<InternalIterator> NewIterator(
      const TableIteratorOptions& options) const override;
  // The rows are in memory, or mapped: `data` is not read.
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
  class Iterator;

  Status Load(const TableReaderOptions& options,
              const RandomAccessFileReader& file, uint64_t file_size);
  Status LoadIndex(const TableReaderOptions& options,
                   const RandomAccessFileReader& file, const Metaindex& blocks,
                   uint64_t blocks_end);
  Status CheckProperties(const TableReaderOptions& options,
                         const std::string& name);
  const Slice& rows() const { return data_.bytes(); }
  Status Corrupt(uint64_t offset, const std::string& what) const;
  // Which prefixes the file's own extractor makes.
  bool HasPrefixesOf(const SliceTransform* extractor) const;

  const PlainTableOptions table_;
  const InternalKeyComparator order_;
  const std::shared_ptr<const SliceTransform> prefix_extractor_;
  std::unique_ptr<RandomAccessFileReader> file_;
  std::shared_ptr<const TableProperties> properties_;
  std::shared_ptr<const FragmentedTombstones> tombstones_;  // there are none
  PlainRowShape shape_;
  MemoryData data_;
  PlainIndex index_;
};

}  // namespace ROCKSDB_NAMESPACE

// An open cuckoo table: a key is looked for in a few buckets of the mapped
// file. To scan, the buckets are sorted once.
//
// Threads    As TableReader's.
// Errors     InvalidArgument without DBOptions::allow_mmap_reads. Corruption
//            names file and offset. There are no checksums: what is damaged
//            shows only where it is no entry, or in no place where a lookup
//            finds it (VerifyChecksum()).
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "table/cuckoo/cuckoo_format.h"
#include "table/memory_table.h"
#include "table/table_reader.h"
#include "table/table_reader_options.h"

namespace ROCKSDB_NAMESPACE {

class CuckooTableReader final : public TableReader {
 public:
  // Takes `file` over on success.
  static Status Open(const TableReaderOptions& options,
                     std::unique_ptr<RandomAccessFileReader>&& file,
                     uint64_t file_size, std::unique_ptr<TableReader>* result);
  // Empty; for Open().
  explicit CuckooTableReader(const TableReaderOptions& options);
  ~CuckooTableReader() override;

  std::unique_ptr<InternalIterator> NewIterator(
      const TableIteratorOptions& options) const override;
  // The buckets are in memory, or mapped: `data` is not read.
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
  // 0: keys that are neighbours are not so in the file.
  uint64_t ApproximateOffsetOf(const Slice& /*internal_key*/) const override {
    return 0;
  }
  Status Anchors(const ReadOptions& options, size_t max_count,
                 std::vector<Anchor>* anchors) const override;
  // Pages of a mapping are the operating system's to count.
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

  // Buckets that have an entry, in the order of their keys.
  struct Order {
    std::vector<uint64_t> buckets;
    Status status;
  };

  Status Load(const TableReaderOptions& options,
              const RandomAccessFileReader& file, uint64_t file_size);
  Slice KeyIn(uint64_t bucket) const;  // the stored bytes
  Slice UserKeyIn(uint64_t bucket) const;
  Slice ValueIn(uint64_t bucket) const;
  bool IsEmpty(uint64_t bucket) const;
  // False: no key of such a kind can be stored.
  bool EntryIn(uint64_t bucket, ParsedInternalKey* entry) const;
  bool FindBucket(const Slice& user_key, uint64_t* bucket) const;
  // Sorts when it is first asked.
  const Order& InOrder() const;
  Status Sort(std::vector<uint64_t>* buckets) const;
  Status CorruptAt(uint64_t bucket, const std::string& what) const;

  const InternalKeyComparator order_;
  std::unique_ptr<RandomAccessFileReader> file_;
  std::shared_ptr<const TableProperties> properties_;
  std::shared_ptr<const FragmentedTombstones> tombstones_;  // there are none
  CuckooShape shape_;
  MemoryData data_;
  mutable std::once_flag sorts_once_;
  mutable Order in_order_;
};

}  // namespace ROCKSDB_NAMESPACE

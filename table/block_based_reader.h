#pragma once

// Reads a block-based table file: what the engine asks of it, on top of the
// open table's parts.
//
// Threads  Every call from any thread.
// Errors   Corruption names file and offset.

#include <memory>
#include <vector>

#include "cache/memory_charge.h"
#include "table/heat/key_heat.h"
#include "table/table_parts.h"
#include "table/table_reader.h"

namespace ROCKSDB_NAMESPACE {

class BlockBasedTableReader final : public TableReader {
 public:
  // `charge` is for what ApproximateMemoryUsage() says.
  explicit BlockBasedTableReader(std::unique_ptr<const TableParts> parts,
                                 MemoryCharge charge = MemoryCharge());

  const TableParts& parts() const { return *parts_; }

  // False: there is no room for the reader.
  bool ChargeMemory() { return charge_.Update(ApproximateMemoryUsage()); }

  std::unique_ptr<InternalIterator> NewIterator(
      const TableIteratorOptions& options) const override;
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
    return parts_->tombstones;
  }
  std::shared_ptr<const TableProperties> properties() const override {
    return parts_->properties;
  }
  uint64_t ApproximateOffsetOf(const Slice& internal_key) const override;
  Status Anchors(const ReadOptions& options, size_t max_count,
                 std::vector<Anchor>* anchors) const override;
  Status CollectHeat(const KeyBounds& bounds, KeyHeat* heat) const override;
  Status InheritHeat(const KeyBounds& bounds, KeyHeat* heat,
                     std::vector<HotBlock>* blocks) const override;
  Status CacheBlock(const HotBlock& block, const Slice& stored) const override;
  void EraseCachedBlocks(uint32_t aggressiveness) const override;
  FSRandomAccessFile* file() const override;
  size_t ApproximateMemoryUsage() const override;
  Status VerifyChecksum(const ReadOptions& options,
                        InputStream* data) const override;
  const BlockBasedTableReader* AsBlockBased() const override { return this; }

 private:
  // Get(), of which a trace knows already, or there is none.
  Status GetUntold(const ReadOptions& options, const Slice& internal_key,
                   const SliceTransform* prefix_extractor,
                   PointLookup* lookup) const;
  Status VerifyBlocks(const ReadOptions& options,
                      const std::vector<BlockHandle>& handles) const;
  Status VerifyStream(const ReadOptions& options,
                      const std::vector<BlockHandle>& handles,
                      InputStream* data) const;
  Status IndexPartitions(const ReadOptions& options,
                         std::vector<BlockHandle>* handles) const;
  // Can `next`, which follows, be one with `range`?
  bool Extends(const HeatRange& range, const HeatRange& next) const;
  // The bytes of [begin, end) that a bulk read inside the bounds needs.
  void BulkRange(const ReadOptions& options, const IndexBlock& index,
                 uint64_t* begin, uint64_t* end) const;

  const std::unique_ptr<const TableParts> parts_;
  MemoryCharge charge_;
};

}  // namespace ROCKSDB_NAMESPACE

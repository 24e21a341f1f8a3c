#pragma once

// Writes a block-based table file.
//
//   data blocks | filter, or partitions and index of it |
//   prefixes of a hash index | index, or partitions and top level of it |
//   dictionary | tombstones | properties | metaindex | footer
//
// Its parts: keys as the file has them (StoredKeys), what becomes of a data
// block that is full (DataBlockPipeline), and where blocks go (BlockPlacer).
//
// Embedded blobs come before the block that refers to them, or before those
// that are held back; their tables are written by one thread, and the index
// stores whole handles.
//
// A family that does not persist its timestamps adds keys with the oldest one,
// which is left out of the file.
//
// Threads    One thread, beside those of ParallelCompressor.
// Errors     The first one sticks, see TableBuilder.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "rocksdb/flush_block_policy.h"
#include "rocksdb/slice_transform.h"
#include "rocksdb/table.h"
#include "table/block_builder.h"
#include "table/block_compressor.h"
#include "table/block_placer.h"
#include "table/data_block_pipeline.h"
#include "table/embedded_blob_stats.h"
#include "table/flush_by_size.h"
#include "table/heat/cache_warmer.h"
#include "table/index_builder.h"
#include "table/prefix_index_builder.h"
#include "table/properties_gatherer.h"
#include "table/stored_keys.h"
#include "table/table_builder.h"
#include "table/table_charges.h"

namespace ROCKSDB_NAMESPACE {

class OwnIndexBuilder;
class TableFilterBuilder;

class BlockBasedTableBuilder final : public TableBuilder {
 public:
  // `file` must outlive the builder.
  BlockBasedTableBuilder(const BlockBasedTableOptions& table_options,
                         const TableBuilderOptions& options,
                         WritableFileWriter* file,
                         const TableCharges& charges = TableCharges());
  ~BlockBasedTableBuilder() override;

  void Add(const Slice& key, const Slice& value) override;
  void Reuse(const WholeBlock& source) override;
  void AddTombstone(const Slice& key, const Slice& end) override;
  Status AddBlob(const Slice& value, std::string* reference) override;

  Status status() const override { return status_; }
  Status Finish() override;
  void Abandon() override;

  uint64_t NumEntries() const override {
    return gatherer_.properties().num_entries;
  }
  uint64_t FileSize() const override { return file_.offset(); }
  uint64_t EstimatedFileSize() const override;
  uint64_t EstimatedTailSize() const override;
  uint64_t TailSize() const override;
  bool NeedCompact() const override { return gatherer_.NeedCompact(); }
  const TableProperties& properties() const override {
    return gatherer_.properties();
  }

 private:
  bool CheckEntry(const Slice& key, const Slice& value);
  void AddStored(const Slice& key, const Slice& value);
  bool ShouldEndBlock(const Slice& key, const Slice& value);
  // `source` may be null.
  void EndDataBlock(const WholeBlock* source);
  void EndBoundary(const Slice* next_key);
  void EndPartitions(const Slice* next_key, IndexBuilder::Block* block);
  // After each data block: charges what the filter has gathered. Without room
  // the file has no filter.
  void ChargeFilter();
  void AddToPrefixIndex(const Slice& key);

  void WriteFilter();
  void WriteIndex();
  void WritePrefixIndex();
  void WriteOwnIndex();
  // Stores a block of the index, compressed if the options say so.
  Status WriteIndexBlock(const Slice& payload, BlockHandle* handle);
  // One of the blocks of which index_ or filter_ consists.
  Status WriteIndexPart(const Slice& payload, BlockHandle* handle);
  Status WriteFilterPart(const Slice& payload, BlockHandle* handle);
  void WriteDictionary();
  void WriteTombstones();
  void WriteProperties();
  void WriteEnd();
  void Note(Status status) {
    if (status_.ok() && !status.ok()) status_ = std::move(status);
  }

  const BlockBasedTableOptions table_options_;
  Statistics* const statistics_;  // may be null
  const bool embeds_blobs_;
  const std::shared_ptr<const SliceTransform> prefix_extractor_;
  StoredKeys keys_;
  Status status_;
  bool is_closed_ = false;

  BlockPlacer file_;
  CacheWarmer warmer_;
  BlockCompressor compressor_;
  PropertiesGatherer gatherer_;

  FlushBySize flush_rule_;
  std::unique_ptr<FlushBlockPolicy> flush_policy_;  // instead of flush_rule_
  BlockBuilder data_block_;
  BlockBuilder tombstones_;
  IndexBuilder index_;
  std::unique_ptr<TableFilterBuilder> filter_;
  MemoryCharge filter_charge_;
  std::optional<PrefixIndexBuilder> prefix_index_;
  std::unique_ptr<OwnIndexBuilder> own_index_;  // null: no factory
  std::optional<DataBlockPipeline> blocks_;     // from the constructor on
  std::string first_key_;  // the data block's, if the index has first keys

  EmbeddedBlobStats blobs_;
  BlockHandle index_handle_;
  uint64_t tail_start_ = 0;
};

}  // namespace ROCKSDB_NAMESPACE

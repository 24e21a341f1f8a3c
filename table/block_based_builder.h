#pragma once

// Writes a block-based table file.
//
//   data blocks | filter, or partitions and index of it |
//   prefixes of a hash index | index, or partitions and top level of it |
//   dictionary | tombstones | properties | metaindex | footer
//
// With a compression dictionary, data blocks are held back until there is
// enough to make the dictionary from (DictionaryBuffer); then they are written
// in one go. With threads that compress, blocks and their boundaries wait in
// order until the oldest is done; the bytes are those of one thread.
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
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "rocksdb/flush_block_policy.h"
#include "rocksdb/slice_transform.h"
#include "rocksdb/table.h"
#include "table/block_builder.h"
#include "table/block_compressor.h"
#include "table/block_writer.h"
#include "table/cache_warmer.h"
#include "table/compression_sampler.h"
#include "table/embedded_blob_stats.h"
#include "table/flush_by_size.h"
#include "table/index_builder.h"
#include "table/metaindex.h"
#include "table/prefix_index_builder.h"
#include "table/properties_gatherer.h"
#include "table/table_builder.h"
#include "table/table_charges.h"
#include "util/key/given_order.h"

namespace ROCKSDB_NAMESPACE {

class OwnIndexBuilder;
class ParallelCompressor;
class TableFilterBuilder;

// Data blocks held back as long as there is no dictionary.
struct DictionaryBuffer {
  // What the index is to say of a block.
  struct Boundary {
    std::string separator;
    std::string first_key;
    bool starts_partition = false;
  };
  std::vector<std::string> blocks;
  std::vector<Boundary> boundaries;  // of the blocks that have one yet
  uint64_t bytes = 0;
  uint64_t max_bytes = 0;
};

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
  uint64_t FileSize() const override { return writer_.offset(); }
  uint64_t EstimatedFileSize() const override;
  uint64_t EstimatedTailSize() const override;
  uint64_t TailSize() const override;
  bool NeedCompact() const override { return gatherer_.NeedCompact(); }
  const TableProperties& properties() const override {
    return gatherer_.properties();
  }

 private:
  bool CheckKey(const Slice& key);
  // The key as the file has it.
  Slice Stored(const Slice& key);
  void AddStored(const Slice& key, const Slice& value);
  bool ShouldEndBlock(const Slice& key, const Slice& value);
  // `source` may be null.
  void EndDataBlock(const WholeBlock* source);
  void EndBoundary(const Slice* next_key);
  void EndPartitions(const Slice* next_key, IndexBuilder::Block* block);
  void WriteDataBlock(const Slice& raw, const WholeBlock* source);
  void WriteStored(const Slice& raw, const BlockCompressor::Stored& stored);
  // --- blocks that threads compress
  void SubmitDataBlock(const Slice& raw, const WholeBlock* source);
  void SubmitHeld(const DictionaryBuffer& held);
  uint64_t SubmittedBytes() const;
  enum class Which : uint8_t { kDone, kAll };
  void WriteSubmitted(Which which);
  // Zeros in front of or behind a data block that is to be aligned.
  size_t PaddingBefore(size_t payload_bytes) const;
  size_t PaddingAfter() const;
  // The stored form of `source`, if it is what CompressDataBlock() would make.
  bool TakeStored(const WholeBlock* source, const Slice& raw,
                  BlockCompressor::Stored* stored);
  void CompressDataBlock(const Slice& raw, BlockCompressor::Stored* stored);
  void CountCompression(size_t raw_size,
                        const BlockCompressor::Stored& stored) const;
  void StopBuffering();
  // After each data block: charges what the filter has gathered. Without room
  // the file has no filter.
  void ChargeFilter();
  void AddToFilter(const Slice& key);
  void AddToPrefixIndex(const Slice& key);
  // Tells the application's index of a block that was held back and is written
  // now.
  void IndexHeldBlock(const DictionaryBuffer& held, size_t number);

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
  void WriteMetaindexAndFooter();
  // Stores a block as it is and notes it in the metaindex under `name`.
  void WriteMetaBlock(const std::string& name, const Slice& payload);
  Status WriteBlock(const BlockCompressor::Stored& stored, BlockHandle* handle);
  void Note(Status status) {
    if (status_.ok() && !status.ok()) status_ = std::move(status);
  }

  const BlockBasedTableOptions table_options_;
  Statistics* const statistics_;  // may be null
  SystemClock* const clock_;      // may be null
  const size_t left_out_bytes_;   // of the timestamp of each key that is added
  const GivenOrder given_order_;
  const InternalKeyComparator order_;  // of keys as the file has them
  const size_t timestamp_bytes_;       // likewise
  const bool embeds_blobs_;
  const KeyText key_text_;
  const std::shared_ptr<const SliceTransform> prefix_extractor_;
  Status status_;
  bool is_closed_ = false;

  BlockWriter writer_;
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
  MemoryCharge dictionary_charge_;
  std::optional<PrefixIndexBuilder> prefix_index_;
  std::unique_ptr<OwnIndexBuilder> own_index_;  // null: no factory
  std::optional<CompressionSampler> sampler_;
  std::string first_key_;  // of the data block, for indexes that have it
  std::string stored_key_;
  std::optional<DictionaryBuffer> buffer_;       // while blocks are held back
  uint32_t thread_count_ = 0;                    // that compress
  std::unique_ptr<ParallelCompressor> threads_;  // null: this one does
  // Of submitted blocks, as far as the next key is known.
  std::deque<DictionaryBuffer::Boundary> submitted_;
  uint64_t raw_written_ = 0;  // what submitted blocks that are written were
  uint64_t stored_ = 0;       // and are now

  // A data block has ended and awaits the key that follows it.
  bool has_open_boundary_ = false;
  BlockHandle open_handle_;

  EmbeddedBlobStats blobs_;
  std::map<std::string, BlockHandle> metaindex_;
  BlockHandle index_handle_;
  uint64_t tail_start_ = 0;
};

}  // namespace ROCKSDB_NAMESPACE

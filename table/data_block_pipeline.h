#pragma once

// What becomes of the data blocks of a table file once they are full: each is
// compressed, written, and entered in the indexes, in order.
//
// With a compression dictionary, blocks are held back until there is enough to
// make it from; then they are written in one go. With threads that compress,
// blocks and their boundaries wait in order until the oldest is done; the bytes
// are those of one thread.
//
// Contract   Put() a block and Close() its boundary, which needs the key that
//            follows, in turn. Finish() when the last is closed.
// Threads    One thread, beside those of ParallelCompressor.
// Errors     Whoever got one makes no more calls but Stop().

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cache/memory_charge.h"
#include "rocksdb/status.h"
#include "table/block_compressor.h"
#include "table/compression_sampler.h"
#include "table/index_builder.h"
#include "util/key/whole_block.h"

namespace ROCKSDB_NAMESPACE {

class BlockPlacer;
class CacheWarmer;
class OwnIndexBuilder;
class ParallelCompressor;
class Statistics;
struct TableProperties;

// Blocks held back as long as there is no dictionary.
struct HeldDataBlocks {
  // What the index is to say of a block.
  struct Boundary {
    std::string separator;
    std::string first_key;
    bool starts_partition = false;
  };
  std::vector<std::string> blocks;
  std::vector<Boundary> boundaries;  // one for each block but an open last one
  uint64_t bytes = 0;
};

class DataBlockPipeline {
 public:
  // What is borrowed must outlive this.
  struct Context {
    BlockPlacer* file = nullptr;
    BlockCompressor* compressor = nullptr;
    IndexBuilder* index = nullptr;
    OwnIndexBuilder* own_index = nullptr;  // null: there is none
    CacheWarmer* warmer = nullptr;
    TableProperties* properties = nullptr;
    Statistics* statistics = nullptr;  // may be null
    // 0: the calling thread compresses.
    uint32_t thread_count = 0;
    // Blocks of so many bytes make a dictionary; 0: there is none.
    uint64_t dictionary_input_bytes = 0;
    std::shared_ptr<ChargedMemory> dictionary_memory;  // null: not charged
    // Every such block is tried with other codecs; 0: none is.
    uint64_t sample_every = 0;
  };
  explicit DataBlockPipeline(const Context& context);
  ~DataBlockPipeline();
  DataBlockPipeline(const DataBlockPipeline&) = delete;
  DataBlockPipeline& operator=(const DataBlockPipeline&) = delete;

  // `source`, which may be null, is a block of another file with these bytes.
  Status Put(const Slice& raw, const WholeBlock* source);
  // A block was put, and its boundary is still open.
  bool is_open() const { return is_open_; }
  // The handle of the open block, for one thread. While blocks are held back it
  // is a guess, with the raw bytes so far as offset and no size.
  BlockHandle OpenHandle() const;
  // `block` has all but the handle. The next key is null behind the last block.
  Status Close(const IndexBuilder::Block& block, const Slice& last_key,
               const Slice* next_key);
  Status Finish();
  // Ends the threads. The rest may still be asked.
  void Stop();

  // Are blocks held back? Then whoever else indexes entries hears of them as
  // they are written.
  bool holds_back() const { return held_.has_value(); }
  // An estimate of what is put and not yet written, as it will be stored.
  uint64_t WaitingBytes() const;
  // Blocks that the index does not know yet, the open one apart.
  size_t WaitingBlocks() const;
  // Stores what the sampled codecs would have made of the data.
  void StoreSamples(TableProperties* properties) const;

 private:
  using Boundary = HeldDataBlocks::Boundary;
  enum class Which : uint8_t { kDone, kAll };

  Status HoldBack(const Slice& raw);
  Status StopHolding();
  Status WriteHeld(const HeldDataBlocks& held);
  Status SubmitHeld(const HeldDataBlocks& held);
  Status IndexHeldBlock(const HeldDataBlocks& held, size_t number);
  void AddToIndex(const Boundary& boundary);

  Status Write(const Slice& raw, const WholeBlock* source);
  Status Submit(const Slice& raw, const WholeBlock* source);
  Status WriteSubmitted(Which which);
  // The stored form of `source`, if it is what compression would make of `raw`.
  bool TakeStored(const WholeBlock* source, const Slice& raw,
                  BlockCompressor::Stored* stored);
  Status WriteStored(const Slice& raw, const BlockCompressor::Stored& stored);
  uint64_t SubmittedBytes() const;

  const Context context_;
  std::optional<CompressionSampler> sampler_;
  std::optional<HeldDataBlocks> held_;
  MemoryCharge dictionary_charge_;
  std::unique_ptr<ParallelCompressor> threads_;  // null: none have begun
  // Boundaries of submitted blocks, oldest first; an open block has none yet.
  std::deque<Boundary> submitted_;
  uint64_t raw_written_ = 0;  // raw bytes of submitted blocks now written
  uint64_t stored_ = 0;       // and their bytes in the file
  // A block has been put and awaits the key that follows it.
  bool is_open_ = false;
  BlockHandle open_handle_;
};

}  // namespace ROCKSDB_NAMESPACE

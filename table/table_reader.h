// One open table file: what the engine asks of it, whatever its format.
//
// A reader holds the file's metadata (footer facts, properties, index, filter,
// range tombstones); data blocks come from the block cache or the file. It is
// shared by all users of the file through the table cache.
//
// Threads  Every call from any thread; iterators one thread each.
// Errors   Corruption names the file, the offset and what was expected.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/options.h"
#include "rocksdb/slice.h"
#include "rocksdb/status.h"
#include "rocksdb/table_properties.h"
#include "util/key/internal_iterator.h"
#include "util/key/internal_key.h"
#include "util/key/range_tombstones.h"

namespace ROCKSDB_NAMESPACE {

class BlockBasedTableReader;
class FSRandomAccessFile;
class InputStream;
class KeyHeat;
class PointLookup;
class SliceTransform;
struct HotBlock;
struct KeyBounds;

struct TableIteratorOptions {
  const ReadOptions* read_options = nullptr;  // must outlive the iterator
  const SliceTransform* prefix_extractor = nullptr;
  // The filter is never asked (compaction, total-order scans).
  bool skip_filters = false;
  // Where the index tells a block's first key, the block is read once its
  // value is asked for: the reader calls GetValue().
  bool puts_off_reads = false;
  // Entries are shown as the file stores them: a value that lies beside the
  // table's own blocks is a reference.
  bool keeps_references = false;
};

// One key of a batched lookup inside one file.
struct TableLookup {
  Slice internal_key;
  PointLookup* lookup = nullptr;
  Status status;
  // The lookup has been fed what the file has, or needs it no more: the batch
  // passes it over. May be set between its steps.
  bool is_fed = false;
};

// A lookup of several keys in one file, in steps, so that the reads of several
// files can be under way at once. Each key's status says how it fared.
class TableBatch {
 public:
  virtual ~TableBatch() = default;
  // Asks for the blocks that are not in memory, where that needs no waiting.
  virtual void Start() = 0;
  // Are there any such blocks?
  virtual bool ReadsFile() const = 0;
  // Waits for them, and feeds the lookups. Once.
  virtual void Finish() = 0;
};

struct TableBatchOptions {
  const ReadOptions* read_options = nullptr;  // outlives the batch
  const SliceTransform* prefix_extractor = nullptr;
};

class TableReader {
 public:
  virtual ~TableReader() = default;

  virtual std::unique_ptr<InternalIterator> NewIterator(
      const TableIteratorOptions& options) const = 0;

  // An iterator for a bulk read: metadata from this reader, data blocks from
  // `data` alone (a handle of its own, usually O_DIRECT). Reads and inserts
  // nothing in the block cache, asks no filter, and owns `data` from the
  // moment that this call returns OK. The reader must outlive the iterator.
  virtual Status NewBulkIterator(
      const TableIteratorOptions& options, std::unique_ptr<InputStream> data,
      std::unique_ptr<InternalIterator>* result) const = 0;

  // Feeds the entries of internal_key's user key, newest first from
  // internal_key on, to `lookup` until it is done or the key ends. A key that
  // the filter excludes feeds nothing.
  virtual Status Get(const ReadOptions& options, const Slice& internal_key,
                     const SliceTransform* prefix_extractor,
                     PointLookup* lookup) const = 0;

  // Get() for several keys in ascending order: one failing key does not spoil
  // another. The lookups and the reader must outlive the batch.
  virtual std::unique_ptr<TableBatch> NewBatch(const TableBatchOptions& options,
                                               TableLookup* lookups,
                                               size_t count) const = 0;

  // The file's range tombstones as stored: not clipped to any boundary.
  // Never null; owned jointly, so it outlives the reader.
  virtual const std::shared_ptr<const FragmentedTombstones>& range_tombstones()
      const = 0;

  virtual std::shared_ptr<const TableProperties> properties() const = 0;

  // The file offset at which `internal_key` is or would be.
  virtual uint64_t ApproximateOffsetOf(const Slice& internal_key) const = 0;

  // Up to `max_count` internal keys that split the file's data into parts of
  // about equal size, with the bytes up to each: for sub-compactions.
  struct Anchor {
    std::string user_key;
    uint64_t range_bytes = 0;  // data bytes since the anchor before
  };
  virtual Status Anchors(const ReadOptions& options, size_t max_count,
                         std::vector<Anchor>* anchors) const = 0;

  // Which keys of the file users read lately; `bounds` are its first and last
  // user key. Nothing if the reader keeps no count.
  virtual Status CollectHeat(const KeyBounds& bounds, KeyHeat* heat) const = 0;
  // Takes the heat of the keys over from the files that held them before, and
  // appends the blocks that have any, ascending.
  virtual Status InheritHeat(const KeyBounds& bounds, KeyHeat* heat,
                             std::vector<HotBlock>* blocks) const = 0;
  // Puts a block into the block cache, if there is one; `stored` is the block
  // with its trailer as it lies in the file.
  virtual Status CacheBlock(const HotBlock& block,
                            const Slice& stored) const = 0;

  // Nobody reads the file any more: takes what the block cache has of it out,
  // without reading, as uncache_aggressiveness (more than zero) says.
  virtual void EraseCachedBlocks(uint32_t aggressiveness) const = 0;

  // The open file; a bulk read may share it.
  virtual FSRandomAccessFile* file() const = 0;

  // Bytes of heap held outside the block cache.
  virtual size_t ApproximateMemoryUsage() const = 0;

  // Reads every block from `data`, the whole file, and verifies its checksum.
  // Null: from the reader's own handle.
  virtual Status VerifyChecksum(const ReadOptions& options,
                                InputStream* data) const = 0;

  // The reader of the file's blocks, for tools that show them. Null: the file
  // is of another format.
  virtual const BlockBasedTableReader* AsBlockBased() const { return nullptr; }
};

}  // namespace ROCKSDB_NAMESPACE

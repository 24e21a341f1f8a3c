// An index of block-based tables that the application makes, beside the one
// that they have.
//
// Tables are written with one where BlockBasedTableOptions has a
// user_defined_index_factory; the index that every table has is written as
// well. Reads go by the application's index if ReadOptions::table_index_factory
// names it, or, with use_udi_as_primary_index, always. The name `trie_index`
// makes a factory that the library has: an index in few bytes, for families in
// the order of bytes.
//
// The index is a meta block, which is not compressed, and stays in memory as
// long as its table is open.
//
// Threads   Factories and readers: any, at once. Builders and iterators: one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "rocksdb/comparator.h"
#include "rocksdb/customizable.h"
#include "rocksdb/options.h"
#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/scan_options.h"
#include "rocksdb/slice.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {

struct IterateResult;

// The metaindex names such a block by this and the factory's name.
inline const char* const kUserDefinedIndexPrefix =
    "rocksdb.user_defined_index.";

// Makes the index of one table.
class UserDefinedIndexBuilder {
 public:
  // What a key has.
  enum ValueType : uint8_t { kValue, kDelete, kMerge, kOther, kTypeMax };

  // Where a data block is in its file: its first byte, and how many it has
  // without its trailer.
  struct BlockHandle {
    uint64_t offset;
    uint64_t size;
  };
  // Sequence and type of the keys beside the border of two blocks: sequence
  // times 256, and the type.
  struct IndexEntryContext {
    uint64_t last_key_tag = 0;
    uint64_t first_key_tag = 0;
  };

  virtual ~UserDefinedIndexBuilder() = default;

  // A block is done. Keys are user keys; the second is null for the last block.
  // Returns what is to part the two, which may lie in *separator_scratch.
  virtual Slice AddIndexEntry(const Slice& last_key_in_current_block,
                              const Slice* first_key_in_next_block,
                              const BlockHandle& block_handle,
                              std::string* separator_scratch,
                              const IndexEntryContext& context) = 0;
  // A key has been added to the block that is being made.
  virtual void OnKeyAdded(const Slice& /*key*/, ValueType /*type*/,
                          const Slice& /*value*/) {}
  // The index, which this keeps until it goes.
  virtual Status Finish(Slice* index_contents) = 0;
  // About how many bytes that would be.
  virtual uint64_t EstimatedSize() const = 0;
};

// A position in such an index. What a step finds, or that it left the bounds,
// goes to *result.
class UserDefinedIndexIterator {
 public:
  virtual ~UserDefinedIndexIterator() = default;

  // The ranges that will be sought, in this order. Before any step.
  virtual void Prepare(const ScanOptions scan_opts[], size_t num_opts) = 0;

  // Sequence and type that are sought with a key, as in IndexEntryContext.
  struct SeekContext {
    uint64_t target_tag = 0;
  };

  // The default of these three is NotSupported.
  virtual Status SeekToFirstAndGetResult(IterateResult* result);
  virtual Status SeekToLastAndGetResult(IterateResult* result);
  virtual Status PrevAndGetResult(IterateResult* result);
  // To the first block that may have a key at or behind `target`.
  virtual Status SeekAndGetResult(const Slice& target, IterateResult* result,
                                  const SeekContext& context) = 0;
  virtual Status NextAndGetResult(IterateResult* result) = 0;
  // The block; needs a step that found one.
  virtual UserDefinedIndexBuilder::BlockHandle value() = 0;
};

// The index of an open table.
class UserDefinedIndexReader {
 public:
  virtual ~UserDefinedIndexReader() = default;

  virtual std::unique_ptr<UserDefinedIndexIterator> NewIterator(
      const ReadOptions& read_options) = 0;
  // Bytes beside the index block.
  virtual size_t ApproximateMemoryUsage() const = 0;
};

struct UserDefinedIndexOption {
  // The order of user keys.
  const Comparator* comparator = BytewiseComparator();
};

class UserDefinedIndexFactory : public Customizable {
 public:
  ~UserDefinedIndexFactory() override = default;

  static const char* Type() { return "UserDefinedIndexFactory"; }
  // A registered one, or `trie_index`.
  static Status CreateFromString(
      const ConfigOptions& config_options, const std::string& value,
      std::shared_ptr<UserDefinedIndexFactory>* factory);

  // The caller owns the builder. `index_block` outlives the reader.
  virtual UserDefinedIndexBuilder* NewBuilder() const = 0;
  virtual std::unique_ptr<UserDefinedIndexReader> NewReader(
      Slice& index_block) const = 0;
  // The same with what the table says. The default passes on to the two above,
  // which know bytewise order alone: NotSupported for another, and
  // InvalidArgument where they make nothing.
  virtual Status NewBuilder(
      const UserDefinedIndexOption& option,
      std::unique_ptr<UserDefinedIndexBuilder>& builder) const;
  virtual Status NewReader(
      const UserDefinedIndexOption& option, Slice& index_block,
      std::unique_ptr<UserDefinedIndexReader>& reader) const;
};

}  // namespace ROCKSDB_NAMESPACE

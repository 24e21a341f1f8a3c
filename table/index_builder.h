#pragma once

// Gathers the index of a table file that is being written.
//
// Whether index keys need the 8 bytes behind the user key is known only when
// the last block has ended, so entries are kept flat until then and encoded at
// once (encoding in table/index_block.h).
//
// Threads  One thread.

#include <cstdint>
#include <string>
#include <vector>

#include "rocksdb/slice.h"
#include "rocksdb/table.h"
#include "table/block_builder.h"
#include "table/format.h"
#include "util/key/internal_key.h"

namespace ROCKSDB_NAMESPACE {

class IndexBuilder {
 public:
  struct Options {
    const InternalKeyComparator* order = nullptr;
    uint32_t format_version = kLatestFormatVersion;
    int restart_interval = 1;
    BlockBasedTableOptions::IndexShorteningMode shortening =
        BlockBasedTableOptions::IndexShorteningMode::kShortenSeparators;
    bool has_delta_values = true;
  };
  explicit IndexBuilder(const Options& options);

  // A key S with last <= S < next, as short as the options allow; `next` is
  // null after the last block. The result is good until the next call.
  Slice Separator(const Slice& last, const Slice* next);

  // The data block at `handle` ends at `separator`, from Separator().
  void Add(const Slice& separator, const BlockHandle& handle);

  // The payload of the index block, good as long as the builder.
  Slice Finish();

  bool has_user_keys() const { return !needs_internal_keys_; }
  bool has_delta_values() const { return options_.has_delta_values; }
  size_t SizeEstimate() const {
    return separators_.size() + entries_.size() * 6;
  }

 private:
  struct Entry {
    size_t separator_end;
    BlockHandle handle;
  };

  void SetSeparator(const Slice& shortened);

  const Options options_;
  bool needs_internal_keys_;
  std::string separator_;  // of the last Separator() call
  std::string shortened_;
  std::string separators_;  // internal keys, one after another
  std::vector<Entry> entries_;
  BlockBuilder block_;
};

}  // namespace ROCKSDB_NAMESPACE

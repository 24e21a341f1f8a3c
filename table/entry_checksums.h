// Checksums of the entries of a block, for as long as it is in memory
// (block_protection_bytes_per_key): whoever reads an entry can tell whether its
// bytes, or those before it that its key is put together from, have changed.
//
// Threads  Immutable.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/slice.h"

namespace ROCKSDB_NAMESPACE {

class InternalKeyComparator;
struct BlockLayout;

class EntryChecksums {
 public:
  // Makes checksums of all entries of a block, `bytes` each. Answers nullptr,
  // with what is wrong in *problem, if the block cannot be read.
  static std::unique_ptr<const EntryChecksums> Make(
      const BlockLayout& layout, const InternalKeyComparator& order,
      size_t bytes, const char** problem);

  explicit EntryChecksums(size_t bytes);

  // Is this the entry that was at `offset`?
  bool Matches(uint32_t offset, const Slice& key, const Slice& value) const;
  size_t memory_bytes() const;

 private:
  void Add(uint32_t offset, const Slice& key, const Slice& value);
  void Shrink();

  const size_t bytes_;
  std::vector<uint32_t> offsets_;  // ascending
  std::string checksums_;          // bytes_ for each
};

}  // namespace ROCKSDB_NAMESPACE

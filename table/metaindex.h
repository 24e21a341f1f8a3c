#pragma once

// The metaindex block: where the other blocks of a table file are, by name.
//
// Threads  Immutable once decoded.

#include <map>
#include <string>

#include "rocksdb/slice.h"
#include "table/format.h"

namespace ROCKSDB_NAMESPACE {

inline constexpr char kPropertiesBlock[] = "rocksdb.properties";
inline constexpr char kOldPropertiesBlock[] = "rocksdb.stats";
inline constexpr char kIndexBlock[] = "rocksdb.index";
inline constexpr char kDictionaryBlock[] = "rocksdb.compression_dict";
inline constexpr char kTombstoneBlock[] = "rocksdb.range_del";
inline constexpr char kHashPrefixesBlock[] = "rocksdb.hashindex.prefixes";
inline constexpr char kHashMetadataBlock[] = "rocksdb.hashindex.metadata";
inline constexpr char kFullFilterPrefix[] = "fullfilter.";
inline constexpr char kLegacyFilterPrefix[] = "filter.";  // per block range
inline constexpr char kPartitionedFilterPrefix[] = "partitionedfilter.";

class Metaindex {
 public:
  // nullptr, or what is wrong. Names that nobody knows are kept, unless what
  // they stand for is no block.
  const char* Decode(const Slice& payload);

  // nullptr if the file has no such block.
  const BlockHandle* Find(const std::string& name) const;

  const std::map<std::string, BlockHandle>& blocks() const { return blocks_; }

  // The payload for `blocks`, which map sorts as the format wants it.
  static std::string Encode(const std::map<std::string, BlockHandle>& blocks);

 private:
  std::map<std::string, BlockHandle> blocks_;
};

}  // namespace ROCKSDB_NAMESPACE

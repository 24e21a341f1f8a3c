// The index and the filter that a plain table has in its file, as RocksDB has
// them.
//
//   index      varint32  buckets
//              varint32  prefixes
//              fixed32   for each bucket: 0x7fffffff: it is empty; the offset
//                        of its only row; or, with the highest bit set, where
//                        in the lists its rows stand
//              lists     varint32 count and a fixed32 offset for each row,
//                        ascending
//   filter     bits; without lines, six of all by one hash, else six of the
//              512 of one line
//
// A bucket has the first row of each prefix that hashes to it, and then every
// so many rows of that prefix one: rows with full keys. Without prefixes the
// user keys take their place in the filter, and there is one bucket of rows
// that belong to one prefix.
//
// Threads    Immutable once built.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rocksdb/slice.h"
#include "rocksdb/table.h"

namespace ROCKSDB_NAMESPACE {

inline constexpr char kPlainIndexBlock[] = "PlainTableIndexBlock";
inline constexpr char kPlainFilterBlock[] = "kBloomBlock";

class PlainFileIndexBuilder {
 public:
  // `has_prefixes`: Add() is given prefixes, else user keys.
  PlainFileIndexBuilder(const PlainTableOptions& table, bool has_prefixes,
                        uint32_t bloom_locality);

  // Called for each row, in order. False: the offset is more than an index can
  // hold.
  bool Add(const Slice& prefix, uint64_t offset);

  std::string Index() const;
  // Empty: the options want none.
  std::string Filter() const;
  // How many lines of 512 bits the filter has; 0: it has no lines.
  uint32_t filter_lines() const;

 private:
  struct Row {
    uint32_t bucket_hash = 0;
    uint32_t offset = 0;
  };

  uint64_t BucketCount() const;

  const PlainTableOptions table_;
  const bool has_prefixes_;
  const uint32_t bloom_locality_;
  std::vector<uint32_t> hashes_;  // one for each row
  std::vector<Row> indexed_;      // ascending by offset
  std::string last_prefix_;
  uint32_t prefix_count_ = 0;
  size_t rows_of_prefix_ = 0;
};

// The offsets of all rows that an index names, ascending. nullptr, or what is
// wrong: also an offset of `rows_bytes` or more, and one that is there twice.
const char* DecodePlainIndex(const Slice& block, uint64_t rows_bytes,
                             std::vector<uint64_t>* offsets);

// False: no row has the prefix, or the user key.
bool PlainFilterMayHold(const Slice& filter, uint32_t lines,
                        const Slice& prefix);

}  // namespace ROCKSDB_NAMESPACE

// A cuckoo table: buckets of one size, each with one entry or empty, then
// properties, metaindex and footer.
//
//   bucket     key       of the file's length: an internal key, or in a file of
//                        the last level the user key alone
//              value     of the file's length
//   footer     1 byte    0: no checksums
//              40 bytes  metaindex handle, a null handle, zeros
//              fixed32   1
//              fixed64   magic
//
// A key stands in one of a few buckets in a row that each of its hashes leads
// to, in front of the first empty one of them. What the buckets are like stands
// in the properties.
//
// Threads    Plain values and pure functions.
// Errors     Corruption names the file.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "rocksdb/slice.h"
#include "rocksdb/status.h"
#include "rocksdb/table_properties.h"

namespace ROCKSDB_NAMESPACE {

class RandomAccessFileReader;

struct CuckooShape {
  static constexpr uint32_t kMaxHashes = 64;

  uint32_t key_bytes = 0;
  uint32_t user_key_bytes = 0;
  uint32_t value_bytes = 0;
  uint32_t hash_count = 2;
  uint32_t block_buckets = 1;  // in a row that one hash leads to
  // First buckets of such rows; 0: the file has no entries.
  uint64_t home_count = 0;
  bool is_last_level = false;
  bool identity_is_first_hash = false;
  bool uses_modulo = true;
  std::string empty_key;

  uint64_t bucket_bytes() const { return uint64_t{key_bytes} + value_bytes; }
  uint64_t bucket_count() const {
    return home_count == 0 ? 0 : home_count + block_buckets - 1;
  }
  // The first bucket that the hash of this number leads to.
  uint64_t HomeOf(const Slice& user_key, uint32_t hash) const;

  void AddTo(TableProperties* properties) const;
  // nullptr, or what is wrong with the properties.
  const char* ReadFrom(const TableProperties& properties);
};

uint64_t MurmurHash64A(const Slice& key, uint32_t seed);

// Properties, metaindex and footer of a file whose buckets end at `offset`.
std::string EncodeCuckooTail(uint64_t offset,
                             const TableProperties& properties);

Status ReadCuckooProperties(const RandomAccessFileReader& file,
                            uint64_t file_size,
                            std::shared_ptr<TableProperties>* properties);

}  // namespace ROCKSDB_NAMESPACE

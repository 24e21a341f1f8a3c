// The bytes of a blob file (db-format.md 7.1).
//
//   header  30   magic, version, family, flags, compression, expiry range
//   record  32   key size, value size, expiry, crc of these, crc of the rest
//           ...  user key, value as stored
//   footer  32   magic, blob count, expiry range, crc
//
// A key whose timestamp files leave out has as many zeros in its place, as
// RocksDB 11.8 writes it.
//
// Flags and expiries are 0: the engine writes no blobs that expire, and
// rejects them when it reads.
//
// Threads  Plain values.
// Errors   Corruption says what is wrong; the caller adds file and offset.
#pragma once

#include <cstdint>
#include <string>

#include "db/blob/blob_file.h"
#include "rocksdb/compression_type.h"
#include "rocksdb/slice.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {

struct BlobFileHeader {
  static constexpr size_t kBytes = 30;

  uint32_t column_family = 0;
  CompressionType compression = kNoCompression;

  void EncodeTo(std::string* out) const;  // appends
  Status DecodeFrom(const Slice& bytes);
};

struct BlobFileFooter {
  static constexpr size_t kBytes = 32;

  uint64_t blob_count = 0;

  void EncodeTo(std::string* out) const;  // appends
  Status DecodeFrom(const Slice& bytes);
};

static_assert(BlobFileHeader::kBytes + BlobFileFooter::kBytes ==
                  BlobFile::kFrameBytes,
              "what is not records");

struct BlobRecordHeader {
  static constexpr size_t kBytes = 32;

  uint64_t key_size = 0;
  uint64_t value_size = 0;
  uint32_t blob_crc = 0;  // masked, over key and stored value

  // Appends the header of the record of `key` and `stored`.
  static void Encode(const Slice& key, const Slice& stored, std::string* out);
  Status DecodeFrom(const Slice& bytes);
};

// Where the value of a record lies behind the record's beginning.
inline constexpr uint64_t BlobValueOffset(uint64_t key_size) {
  return BlobRecordHeader::kBytes + key_size;
}

// Checks a whole record: its sums, its key, the size of its value.
Status CheckBlobRecord(const Slice& record, const Slice& user_key,
                       uint64_t value_size);

}  // namespace ROCKSDB_NAMESPACE

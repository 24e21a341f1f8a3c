// A reference to a blob: the value of an entry of type kTypeBlobIndex
// (db-format.md 7.4).
//
//   01 | varint64 file | varint64 offset | varint64 size | uint8 compression
//
// Threads  A plain value.
#pragma once

#include <cstdint>
#include <string>

#include "rocksdb/compression_type.h"
#include "rocksdb/slice.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {

struct BlobIndex {
  uint64_t file_number = 0;
  uint64_t offset = 0;  // where the value begins, not its record
  uint64_t size = 0;    // the value's bytes as they are stored
  CompressionType compression = kNoCompression;

  // Replaces *out.
  void EncodeTo(std::string* out) const;
  // Encodes a reference inside a table with embedded blobs: see
  // DecodeEmbedded().
  void EncodeEmbedded(std::string* out) const;
  // Corruption for anything that an integrated blob file cannot have: the
  // kinds with an expiry, and references without a file number.
  Status DecodeFrom(const Slice& bytes);
  // Decodes a reference inside a table with embedded blobs: it names no file,
  // and nothing is compressed.
  Status DecodeEmbedded(const Slice& bytes);

 private:
  void Encode(std::string* out) const;
  Status Decode(const Slice& bytes);
};

}  // namespace ROCKSDB_NAMESPACE

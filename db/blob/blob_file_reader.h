// Reads the blobs of one file.
//
// Open() checks header, footer and size. OpenGrowing() is for a file that is
// being written: it has no footer yet, and its owner tells how far it may be
// read. Every read is checked against the
// file's bounds before anything is allocated, and with `verify_checksums`
// against the sums and the key of its record.
//
// Threads    Any number, once open.
// Ownership  Owns the file.
// Errors     Corruption names file and offset. A reference to a file that a
//            read with kBlockCacheTier would have to ask for is Incomplete.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "file/random_access_file_reader.h"
#include "rocksdb/compression_type.h"
#include "rocksdb/status.h"
#include "util/value/blob_index.h"

namespace ROCKSDB_NAMESPACE {

class BlobContents;
class Decompressor;

// One value to read: whose it is, and where it lies.
struct BlobRead {
  Slice user_key;
  BlobIndex index;
  bool verify_checksums = true;
};

// One of several values that are read together.
struct WantedBlob {
  struct Part {
    uint64_t offset = 0;
    size_t size = 0;
  };

  BlobRead read;
  // The part of the value to read; none: the whole value. Only a value that is
  // not compressed may have a part, and its record's checksum is not verified.
  std::optional<Part> part;
  PinnableSlice* value = nullptr;  // fresh or reset
  Status status;
};

class BlobFileReader {
  struct PassKey {};  // Only Open() makes one.

 public:
  struct Expected {
    uint32_t column_family = 0;
    uint64_t size_bytes = 0;
    // The size of the timestamps that are not kept. Records have as many zeros
    // behind their keys; those without are from the time before the family had
    // timestamps.
    size_t left_out_timestamp_bytes = 0;
  };
  static Status Open(std::unique_ptr<RandomAccessFileReader> file,
                     const Expected& expected,
                     std::unique_ptr<BlobFileReader>* result);
  // The file has its header.
  static Status OpenGrowing(std::unique_ptr<RandomAccessFileReader> file,
                            CompressionType compression,
                            size_t left_out_timestamp_bytes,
                            std::unique_ptr<BlobFileReader>* result);
  BlobFileReader(PassKey, std::unique_ptr<RandomAccessFileReader> file,
                 uint64_t records_end);
  ~BlobFileReader();

  Status Read(const IOOptions& io, const BlobRead& read,
              std::unique_ptr<BlobContents>* result) const;

  // Sets status and, where that is OK, contents of each.
  struct Together {
    WantedBlob* blob = nullptr;
    std::unique_ptr<BlobContents> contents;
  };
  void ReadTogether(const IOOptions& io, std::vector<Together>* wanted) const;

  // The bytes of the file that Decode() needs for `read`; Corruption if they
  // are not within it.
  struct Range {
    uint64_t offset = 0;
    size_t size = 0;
  };
  Status RangeOf(const BlobRead& read, Range* range) const;
  // The value in `bytes`, which some other way read that range.
  Status Decode(const BlobRead& read, const Slice& bytes,
                std::unique_ptr<BlobContents>* result) const;

  // The offset where the records end; a finished file has its footer there.
  uint64_t records_end() const {
    // acquire: pairs with the release in SetRecordsEnd().
    return records_end_.load(std::memory_order_acquire);
  }
  // For a growing file: the operating system has all bytes before `end`, which
  // never decreases.
  void SetRecordsEnd(uint64_t end) const {
    // release: a thread that sees the end sees a reader that is set up.
    records_end_.store(end, std::memory_order_release);
  }
  CompressionType compression() const { return compression_; }
  FSRandomAccessFile* file() const { return file_->file(); }
  const std::string& file_name() const { return file_->file_name(); }

 private:
  Status Init(const Expected& expected);
  Status SetCompression(CompressionType type);
  Status ReadExactly(const IOOptions& io, const Range& range,
                     char* buffer) const;
  Status Name(const Status& status, uint64_t offset) const;
  Status EndsTooEarly(size_t bytes, const Range& range) const;
  // What `raw`, the bytes of one read, hold.
  Status Finish(const BlobRead& read, std::unique_ptr<BlobContents> raw,
                std::unique_ptr<BlobContents>* result) const;
  // Sets each request's status, and its result where the bytes are.
  void ReadAll(const IOOptions& io, std::vector<FSReadRequest>* requests) const;
  // Where a value, or the part that is wanted of it, lies.
  Status PlaceOf(const WantedBlob& blob, Range* range) const;
  // How many bytes before a value RangeOf() takes in.
  uint64_t BytesBefore(const BlobRead& read) const;
  // The record in `bytes`, whose key may have zeros behind it.
  Status CheckRecord(const BlobRead& read, Slice bytes) const;
  // The same, where `bytes` begin too late for a key with zeros.
  Status CheckFormerRecord(const BlobRead& read, Slice bytes) const;
  // The stored value within `bytes`, checked as far as `read` asks for it.
  Status Check(const BlobRead& read, const Slice& bytes, Slice* stored) const;
  Status Uncompress(const Slice& stored,
                    std::unique_ptr<BlobContents>* result) const;

  const std::unique_ptr<RandomAccessFileReader> file_;
  mutable std::atomic<uint64_t> records_end_;  // grows with the file
  size_t left_out_timestamp_bytes_ = 0;
  CompressionType compression_ = kNoCompression;
  std::shared_ptr<Decompressor> decompressor_;  // null: not compressed
};

}  // namespace ROCKSDB_NAMESPACE

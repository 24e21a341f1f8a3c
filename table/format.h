#pragma once

// The frame of a block-based table file: handles, block trailers, the footer.
//
// A file is a row of blocks, each with a trailer, and a footer at its end.
//
//   trailer    1 byte    compression type of the payload
//              fixed32   checksum of payload and type, plus the modifier
//
//   footer, versions 1 to 5 (53 bytes)
//     0  1 byte    checksum type
//     1  40 bytes  metaindex handle, index handle, zeros
//    41  fixed32   format version
//    45  fixed64   magic
//   footer, version 0 (48 bytes): without the first byte and the version
//
//   footer, versions 6 and 7 (53 bytes)
//     0  1 byte    checksum type
//     1  4 bytes   3e 00 7a 00
//     5  fixed32   checksum of the footer, this field as zero
//     9  fixed32   base context checksum, not zero
//    13  fixed32   size of the metaindex block, which ends before the footer
//    17  16 bytes  zeros, not looked at
//    33  8 bytes   zeros; anything else is a feature of a later release
//    41  fixed32   format version
//    45  fixed64   magic
//
// Threads  Plain values.
// Errors   Decoding answers Corruption, or NotSupported for another kind of
//          file, and leaves its result untouched.

#include <cstddef>
#include <cstdint>
#include <string>

#include "rocksdb/slice.h"
#include "rocksdb/status.h"
#include "rocksdb/table.h"
#include "util/coding.h"

namespace ROCKSDB_NAMESPACE {

inline constexpr uint64_t kBlockBasedTableMagic = 0x88e241b785f4cff7ull;
inline constexpr uint64_t kLegacyBlockBasedTableMagic = 0xdb4775248b80fb57ull;
inline constexpr uint64_t kPlainTableMagic = 0x8242229663bf9564ull;
inline constexpr uint64_t kLegacyPlainTableMagic = 0x4f3418eb7a8f13b8ull;
inline constexpr uint64_t kCuckooTableMagic = 0x926789d0c5f17873ull;

inline constexpr uint32_t kLatestFormatVersion = 7;
// The first version with context checksums and without an index handle.
inline constexpr uint32_t kFirstContextChecksumVersion = 6;
// The first version with a property that lists the codecs in use.
inline constexpr uint32_t kFirstListingVersion = 7;

inline constexpr size_t kBlockTrailerBytes = 5;
static_assert(kBlockTrailerBytes == 1 + sizeof(uint32_t));
static_assert(kFirstContextChecksumVersion <= kLatestFormatVersion);
static_assert(kFirstListingVersion <= kLatestFormatVersion);
// What files say; other values would be other formats.
static_assert(kNoChecksum == 0 && kCRC32c == 1 && kxxHash == 2);
static_assert(kxxHash64 == 3 && kXXH3 == 4);

// Where a block lies; the size is without the trailer.
struct BlockHandle {
  uint64_t offset = 0;
  uint64_t size = 0;

  static constexpr size_t kMaxEncodedBytes = 2 * kMaxVarint64Length;

  bool IsNull() const { return offset == 0 && size == 0; }
  // May wrap around for a handle that FitsBefore() refuses.
  uint64_t end_with_trailer() const {
    return offset + size + kBlockTrailerBytes;
  }
  void EncodeTo(std::string* out) const {
    PutVarint64(out, offset);
    PutVarint64(out, size);
  }
  size_t EncodedSize() const {
    return static_cast<size_t>(VarintLength(offset)) +
           static_cast<size_t>(VarintLength(size));
  }
  bool DecodeFrom(Slice* input) {
    Slice rest = *input;
    BlockHandle result;
    if (!GetVarint64(&rest, &result.offset)) return false;
    if (!GetVarint64(&rest, &result.size)) return false;
    *input = rest;
    *this = result;
    return true;
  }
  // True if block and trailer lie in front of `limit`.
  bool FitsBefore(uint64_t limit) const {
    return limit >= kBlockTrailerBytes && size <= limit - kBlockTrailerBytes &&
           offset <= limit - kBlockTrailerBytes - size;
  }
  std::string ToString() const;

  bool operator==(const BlockHandle&) const = default;
};

struct Footer {
  static constexpr size_t kBytes = 53;
  static constexpr size_t kLegacyBytes = 48;

  uint32_t format_version = kLatestFormatVersion;
  ChecksumType checksum = kXXH3;
  uint32_t base_context_checksum = 0;  // 0 before version 6
  BlockHandle metaindex;
  BlockHandle index;  // null from version 6 on

  // `tail` is the last min(kBytes, file_size) bytes of the file.
  Status DecodeFrom(const Slice& tail, uint64_t file_size,
                    const std::string& file_name);

  // Writes the footer that begins at `footer_offset`, which for versions from 6
  // on must be where the metaindex block's trailer ends.
  void EncodeTo(uint64_t footer_offset, std::string* out) const;

  // What a trailer at the end of `payload` must hold.
  uint32_t TrailerChecksum(const char* payload, size_t size, char type,
                           uint64_t offset) const;
};

// `what` in `file` at `offset`: expected and found.
Status CorruptTable(const std::string& file, uint64_t offset,
                    const std::string& what);

}  // namespace ROCKSDB_NAMESPACE

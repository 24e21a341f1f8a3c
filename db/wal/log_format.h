// The physical form of log files: write-ahead logs and manifests.
//
// A file is a sequence of blocks of 32 KiB, the last one maybe short. A record
// never crosses a block; what is longer is cut into first, middle and last
// pieces. A block's rest that is too short for a header is zero.
//
//   fixed32 crc | fixed16 length | uint8 type | payload          plain, 7 bytes
//   ... | uint8 type | fixed32 log number | payload        recyclable, 11 bytes
//
// crc is the masked crc32c of everything after the length. The log number is
// the low half of the file's number: it tells a record of this file from one
// that was left over when the file was used again.
#pragma once

#include <cstddef>
#include <cstdint>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE::log {

// On disk; the values never change meaning.
enum RecordType : uint8_t {
  kZeroType = 0,  // preallocated or padding
  kFullType = 1,
  kFirstType = 2,
  kMiddleType = 3,
  kLastType = 4,
  kRecyclableFullType = 5,
  kRecyclableFirstType = 6,
  kRecyclableMiddleType = 7,
  kRecyclableLastType = 8,
  kSetCompressionType = 9,
  kTimestampSizeType = 10,
  kRecyclableTimestampSizeType = 11,
  kPredecessorInfoType = 130,
  kRecyclablePredecessorInfoType = 131,
};
// An unknown type with this bit may be skipped.
inline constexpr uint8_t kIgnorableTypeMask = 0x80;

inline constexpr size_t kBlockSize = 32768;
inline constexpr size_t kHeaderSize = 4 + 2 + 1;
inline constexpr size_t kRecyclableHeaderSize = kHeaderSize + 4;
// Adding this turns a plain type (1..4) into the recyclable one.
inline constexpr uint8_t kRecyclableTypeOffset = 4;
// The one codec that a log may be compressed with (CompressionType kZSTD).
inline constexpr uint32_t kLogCompressionZstd = 7;

static_assert(kFullType + kRecyclableTypeOffset == kRecyclableFullType);
static_assert(kLastType + kRecyclableTypeOffset == kRecyclableLastType);
static_assert(kFirstType + kRecyclableTypeOffset == kRecyclableFirstType);
static_assert(kMiddleType + kRecyclableTypeOffset == kRecyclableMiddleType);
static_assert(kBlockSize - 1 <= 0xffff, "a length must fit 16 bits");
static_assert(kHeaderSize == 7);
static_assert(kRecyclableHeaderSize == 11);
static_assert(sizeof(RecordType) == 1, "a type is one byte of the header");
static_assert((kSetCompressionType & kIgnorableTypeMask) == 0,
              "who does not know it would misread the records");
static_assert((kPredecessorInfoType & kIgnorableTypeMask) != 0,
              "older readers must pass over it");
static_assert((kTimestampSizeType & kIgnorableTypeMask) == 0,
              "who does not know it would misread the keys");

// What a log says of the one before it (record types 130, 131).
struct PredecessorInfo {
  uint64_t log_number = 0;
  uint64_t size_bytes = 0;
  uint64_t last_sequence = 0;  // where its last batch begins; 0 = it has none

  bool operator==(const PredecessorInfo&) const = default;
};

// True if the header of such a record has a log number.
inline bool IsRecyclable(uint8_t type) {
  if (type >= kRecyclableFullType && type <= kRecyclableLastType) return true;
  return type == kRecyclableTimestampSizeType ||
         type == kRecyclablePredecessorInfoType;
}

}  // namespace ROCKSDB_NAMESPACE::log

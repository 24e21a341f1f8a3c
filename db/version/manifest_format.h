// The tags of manifest records (db-format.md 4.2, 4.3).
//
//   record := { varint32 tag, value }*
//
// These values are on disk and never change meaning.
#pragma once

#include <cstdint>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE {

enum class ManifestTag : uint32_t {
  kComparator = 1,
  kLogNumber = 2,
  kNextFileNumber = 3,
  kLastSequence = 4,
  kCompactionCursor = 5,
  kDeletedFile = 6,
  kNewFile = 7,  // read only
  kPreviousLogNumber = 9,
  kMinLogNumberToKeep = 10,
  kNewFile2 = 100,  // read only
  kNewFile3 = 102,  // read only
  kNewFile4 = 103,
  kColumnFamily = 200,
  kColumnFamilyAdd = 201,
  kColumnFamilyDrop = 202,
  kMaxColumnFamily = 203,
  kInAtomicGroup = 300,
  kBlobFileAddition = 400,
  kBlobFileGarbage = 401,
  kDbId = 8193,
  kBlobFileAdditionOld = 8194,  // read only
  kBlobFileGarbageOld = 8195,   // read only
  kWalAdditionOld = 8196,       // read only
  kWalDeletionOld = 8197,       // read only
  kFullHistoryTsLow = 8198,
  kWalAddition = 8199,
  kWalDeletion = 8200,
  kPersistUserDefinedTimestamps = 8201,
  kSubcompactionProgress = 8202,
  kManifestCompactedSize = 8203,
};

// A tag with this bit is followed by a length-prefixed value and may be
// skipped by a reader that does not know it.
inline constexpr uint32_t kIgnorableTagBit = 0x2000;

// Fields of a new file, form 4. Unknown ones without bit 6 may be skipped.
enum class NewFileTag : uint32_t {
  kEnd = 1,
  kMarkedForCompaction = 2,
  kMinLogNumberToKeep = 3,
  kOldestBlobFile = 4,
  kOldestAncestorTime = 5,
  kFileCreationTime = 6,
  kChecksum = 7,
  kChecksumFunction = 8,
  kTemperature = 9,
  kSmallestTimestamp = 10,
  kLargestTimestamp = 11,
  kUniqueId = 12,
  kEpochNumber = 13,
  kCompensatedRangeDeletionBytes = 14,
  kTailSize = 15,
  kTimestampsPersisted = 16,
  kOpenHint = 17,
  kPathId = 65,
};
inline constexpr uint32_t kNewFileMustUnderstandBit = 0x40;

inline constexpr uint32_t kMaxPathId = 3;
// Only the low 62 bits of a file number are usable (db-format.md 1.5).
inline constexpr uint64_t kMaxFileNumber = (uint64_t{1} << 62) - 1;
// More levels than any database has.
inline constexpr uint32_t kMaxManifestLevel = 1 << 10;

// Values that a reader of any release relies on.
static_assert(static_cast<uint32_t>(ManifestTag::kNewFile4) == 0x67);
static_assert(static_cast<uint32_t>(ManifestTag::kDbId) == 0x2001);
static_assert(static_cast<uint32_t>(ManifestTag::kManifestCompactedSize) ==
              0x200b);
static_assert((static_cast<uint32_t>(ManifestTag::kWalAddition) &
               kIgnorableTagBit) != 0);
static_assert((static_cast<uint32_t>(ManifestTag::kNewFile4) &
               kIgnorableTagBit) == 0);
static_assert((static_cast<uint32_t>(NewFileTag::kOpenHint) &
               kNewFileMustUnderstandBit) == 0);
static_assert((static_cast<uint32_t>(NewFileTag::kPathId) &
               kNewFileMustUnderstandBit) != 0);

}  // namespace ROCKSDB_NAMESPACE

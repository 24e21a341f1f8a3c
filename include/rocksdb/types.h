#pragma once

// Small types that many public headers share. The values of the enumerations
// are part of file formats and of the C interface.

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>

#include "rocksdb/data_structure.h"
#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/slice.h"

namespace ROCKSDB_NAMESPACE {

struct TableProperties;

// Properties of table files, by file name.
using TablePropertiesCollection =
    std::unordered_map<std::string, std::shared_ptr<const TableProperties>>;

using ColumnFamilyId = uint32_t;

// Every update has one; larger is newer.
using SequenceNumber = uint64_t;

// Sequence numbers below this one belong to no transaction that is still open.
inline constexpr SequenceNumber kMinUnCommittedSeq = 1;

enum class TableFileCreationReason {
  kFlush,
  kCompaction,
  kRecovery,
  kMisc,
};

enum class BlobFileCreationReason {
  kFlush,
  kCompaction,
  kRecovery,
};

// The kinds of file in a database directory.
enum FileType {
  kWalFile,
  kDBLockFile,
  kTableFile,
  kDescriptorFile,
  kCurrentFile,
  kTempFile,
  kInfoLogFile,
  kMetaDatabase,
  kIdentityFile,
  kOptionsFile,
  kBlobFile,
  kCompactionProgressFile,
};

// A set of the types that an option may name, such as
// DBOptions::checksum_handoff_file_types: all but kCompactionProgressFile.
using FileTypeSet = SmallEnumSet<FileType, FileType::kBlobFile>;

// What a key stands for in a table file.
enum EntryType {
  kEntryPut,
  kEntryDelete,
  kEntrySingleDelete,
  kEntryMerge,
  kEntryRangeDeletion,
  kEntryBlobIndex,
  kEntryDeleteWithTimestamp,
  kEntryWideColumnEntity,
  kEntryTimedPut,
  kEntryOther,
};

// An internal key taken apart.
struct ParsedEntryInfo {
  Slice user_key;
  Slice timestamp;
  SequenceNumber sequence = 0;
  EntryType type = kEntryOther;
};

// Why writes are slowed down or stopped.
enum class WriteStallCause {
  // The causes that concern one column family.
  kMemtableLimit,
  kL0FileCountLimit,
  kPendingCompactionBytes,
  kCFScopeWriteStallCauseEnumMax,
  // The causes that concern the whole database.
  kWriteBufferManagerLimit,
  kDBScopeWriteStallCauseEnumMax,
  // Not stalled.
  kNone,
};

enum class WriteStallCondition {
  kDelayed,
  kStopped,
  kNormal,
};

// A hint to the file system how often a file will be read.
enum class Temperature : uint8_t {
  kUnknown = 0,
  kHot = 0x04,
  kWarm = 0x08,
  kCool = 0x0A,
  kCold = 0x0C,
  kIce = 0x10,
  kLastTemperature,
};

}  // namespace ROCKSDB_NAMESPACE

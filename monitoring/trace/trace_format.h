// The files that traces are: records, one behind the other.
//
//   fixed64 time | type (TraceType) | fixed32 length of the payload | payload
//
// The first record tells what the rest is. Of operations it is kTraceBegin with
// a text, and the last one kTraceEnd, without a payload. An operation's payload
// is a map, fixed64, whose bit n says that field n follows, then the fields.
#pragma once

#include <cstdint>
#include <string>

#include "rocksdb/slice.h"
#include "rocksdb/status.h"
#include "rocksdb/trace_record.h"

namespace ROCKSDB_NAMESPACE {

inline constexpr char kTraceMagic[] = "feedcafedeadbeef";
inline constexpr char kTraceVersionName[] = "Trace Version: ";
inline constexpr size_t kTraceRecordHeadBytes = 8 + 1 + 4;

// Fields of an operation's payload.
enum class TraceField : int {
  kBatch = 1,     // length-prefixed, as are all keys and bounds
  kGetFamily,     // fixed32, as is kSeekFamily
  kGetKey,        //
  kSeekFamily,    //
  kSeekKey,       //
  kLowerBound,    //
  kUpperBound,    //
  kKeyCount,      // fixed32
  kKeyFamilies,   // length-prefixed: a fixed32 for each key
  kLookedUpKeys,  // length-prefixed: each key, length-prefixed
};

constexpr uint64_t TraceFieldBit(TraceField field) {
  return uint64_t{1} << static_cast<int>(field);
}

// The release that wrote a trace of the block cache or of I/O.
struct AccessTraceRelease {
  uint32_t major = 0;
  uint32_t minor = 0;
};

// One record of a file, taken apart; `payload` points into its bytes.
struct TraceRecordParts {
  uint64_t time = 0;
  TraceType type = kTraceNone;
  Slice payload = {};
};
// Corruption: these are not the bytes of one record.
Status SplitTraceRecord(const Slice& bytes, TraceRecordParts* parts);

// The payload of the first record of a trace of the block cache or of I/O.
std::string AccessTraceHeader();
Status DecodeAccessTraceHeader(const TraceRecordParts& record,
                               AccessTraceRelease* release);

// The text of the first record of a trace of operations.
std::string QueryTraceHeader();

// *version: the digits of the file's version, joined, so that 0.2 is 2.
// Corruption: the record is no header of a trace of operations.
Status DecodeQueryTraceHeader(const TraceRecordParts& record, int* version);

std::string EncodeTraceRecord(uint64_t time, TraceType type,
                              const Slice& payload);

}  // namespace ROCKSDB_NAMESPACE

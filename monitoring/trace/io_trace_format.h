// The files that traces of I/O are (trace_format.h). The first record is
// kTraceBegin, as in a trace of the block cache, at microseconds since 1970;
// each other one is kIOTracer, at nanoseconds of the monotonic clock.
//
//   fixed64 operands: bit 0 size of the file, 1 length, 2 offset
//   lps operation  fixed64 latency in nanoseconds  lps status  lps file
//   fixed64 for each operand, ascending
//   fixed64 more: bit 0 id of the request  lps id
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "rocksdb/slice.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {

// What an operation on a file was given or answers, where there is such a
// thing.
struct IoOperands {
  std::optional<uint64_t> file_size = std::nullopt;
  std::optional<uint64_t> length = std::nullopt;
  std::optional<uint64_t> offset = std::nullopt;
};

struct IoTraceRecord {
  uint64_t access_nanos = 0;  // when it was done
  std::string operation;
  uint64_t latency_nanos = 0;
  std::string status;     // the text of the Status
  std::string file_name;  // without its directory
  IoOperands operands;
  std::optional<std::string> request_id;
};

// The payload of a record; its time is not in it.
std::string EncodeIoTraceRecord(const IoTraceRecord& record);
// Corruption: the payload is cut off, or holds what no release has written.
Status DecodeIoTraceRecord(const Slice& payload, IoTraceRecord* record);

}  // namespace ROCKSDB_NAMESPACE

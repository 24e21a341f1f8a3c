#include "monitoring/trace/io_trace_format.h"

#include <utility>

#include "util/coding.h"

namespace ROCKSDB_NAMESPACE {

namespace {

constexpr uint64_t kRequestIdBit = 1;

// In the order of their bits.
constexpr std::optional<uint64_t> IoOperands::*kOperandsByBit[] = {
    &IoOperands::file_size, &IoOperands::length, &IoOperands::offset};

Status CorruptIoRecord(const char* what) {
  return Status::Corruption("I/O trace record", what);
}

}  // namespace

std::string EncodeIoTraceRecord(const IoTraceRecord& record) {
  uint64_t map = 0;
  std::string operands;
  uint64_t bit = 1;
  for (const auto field : kOperandsByBit) {
    if (const std::optional<uint64_t>& value = record.operands.*field) {
      map |= bit;
      PutFixed64(&operands, *value);
    }
    bit <<= 1;
  }
  std::string payload;
  PutFixed64(&payload, map);
  PutLengthPrefixedSlice(&payload, record.operation);
  PutFixed64(&payload, record.latency_nanos);
  PutLengthPrefixedSlice(&payload, record.status);
  PutLengthPrefixedSlice(&payload, record.file_name);
  payload += operands;
  PutFixed64(&payload, record.request_id ? kRequestIdBit : 0);
  if (record.request_id) {
    PutLengthPrefixedSlice(&payload, *record.request_id);
  }
  return payload;
}

Status DecodeIoTraceRecord(const Slice& payload, IoTraceRecord* record) {
  Slice input = payload;
  IoTraceRecord decoded;
  uint64_t map = 0;
  Slice operation;
  Slice status;
  Slice file;
  if (!GetFixed64(&input, &map) ||
      !GetLengthPrefixedSlice(&input, &operation) ||
      !GetFixed64(&input, &decoded.latency_nanos) ||
      !GetLengthPrefixedSlice(&input, &status) ||
      !GetLengthPrefixedSlice(&input, &file)) {
    return CorruptIoRecord("it is cut off");
  }
  for (const auto field : kOperandsByBit) {
    if ((map & 1) != 0 &&
        !GetFixed64(&input, &(decoded.operands.*field).emplace())) {
      return CorruptIoRecord("an operand is cut off");
    }
    map >>= 1;
  }
  if (map != 0) return CorruptIoRecord("it has an unknown operand");
  uint64_t more = 0;
  if (!GetFixed64(&input, &more)) return CorruptIoRecord("it is cut off");
  if ((more & kRequestIdBit) != 0) {
    Slice id;
    if (!GetLengthPrefixedSlice(&input, &id)) {
      return CorruptIoRecord("the id of its request is cut off");
    }
    decoded.request_id = id.ToString();
  }
  if ((more & ~kRequestIdBit) != 0) {
    return CorruptIoRecord("it has unknown data");
  }
  decoded.operation = operation.ToString();
  decoded.status = status.ToString();
  decoded.file_name = file.ToString();
  decoded.access_nanos = record->access_nanos;
  *record = std::move(decoded);
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE

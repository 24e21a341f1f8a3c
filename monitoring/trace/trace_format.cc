#include "monitoring/trace/trace_format.h"

#include <string_view>

#include "rocksdb/version.h"
#include "util/coding.h"

namespace ROCKSDB_NAMESPACE {

std::string QueryTraceHeader() {
  return std::string(kTraceMagic) + "\t" + kTraceVersionName +
         "0.2\tRocksDB Version: " + std::to_string(ROCKSDB_MAJOR) + "." +
         std::to_string(ROCKSDB_MINOR) + "\tFormat: Timestamp OpType Payload\n";
}

std::string EncodeTraceRecord(uint64_t time, TraceType type,
                              const Slice& payload) {
  std::string record;
  record.reserve(kTraceRecordHeadBytes + payload.size());
  PutFixed64(&record, time);
  record.push_back(type);
  PutFixed32(&record, static_cast<uint32_t>(payload.size()));
  record.append(payload.data(), payload.size());
  return record;
}

Status DecodeQueryTraceHeader(const TraceRecordParts& record, int* version) {
  if (record.type != kTraceBegin) {
    return Status::Corruption("Corrupted trace file. Incorrect header.");
  }
  const std::string_view text = record.payload.ToStringView();
  if (!text.starts_with(kTraceMagic)) {
    return Status::Corruption("Corrupted trace file. Incorrect magic.");
  }
  const std::string_view name = kTraceVersionName;
  const size_t at = text.find(name);
  int digits = 0;
  if (at != text.npos) {
    for (const char c : text.substr(at + name.size())) {
      if (c == '.') continue;
      if (c < '0' || c > '9' || digits > 1000) break;
      digits = digits * 10 + (c - '0');
    }
  }
  *version = digits;
  return Status::OK();
}

Status SplitTraceRecord(const Slice& bytes, TraceRecordParts* parts) {
  Slice input = bytes;
  TraceRecordParts result;
  uint32_t length = 0;
  if (!GetFixed64(&input, &result.time) || input.empty()) {
    return Status::Corruption("trace record", "its head is cut off");
  }
  result.type = static_cast<TraceType>(input[0]);
  input.remove_prefix(1);
  if (!GetFixed32(&input, &length) || length != input.size()) {
    return Status::Corruption("trace record",
                              "its payload has not the size that it says");
  }
  result.payload = input;
  *parts = result;
  return Status::OK();
}

std::string AccessTraceHeader() {
  std::string payload;
  PutLengthPrefixedSlice(&payload, kTraceMagic);
  PutFixed32(&payload, ROCKSDB_MAJOR);
  PutFixed32(&payload, ROCKSDB_MINOR);
  return payload;
}

Status DecodeAccessTraceHeader(const TraceRecordParts& record,
                               AccessTraceRelease* release) {
  if (record.type != kTraceBegin) {
    return Status::Corruption("Corrupted trace file. Incorrect header.");
  }
  Slice input = record.payload;
  Slice magic;
  AccessTraceRelease result;
  if (!GetLengthPrefixedSlice(&input, &magic) || magic != kTraceMagic) {
    return Status::Corruption("Corrupted trace file. Incorrect magic.");
  }
  if (!GetFixed32(&input, &result.major) ||
      !GetFixed32(&input, &result.minor)) {
    return Status::Corruption("Corrupted trace file. Incorrect header.");
  }
  *release = result;
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE

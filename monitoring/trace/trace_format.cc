#include "monitoring/trace/trace_format.h"

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

}  // namespace ROCKSDB_NAMESPACE

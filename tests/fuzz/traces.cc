#include "tests/fuzz/traces.h"

#include <memory>
#include <utility>

#include "db/observe/trace/trace_replayer.h"
#include "monitoring/trace/block_cache_trace_format.h"
#include "monitoring/trace/block_cache_trace_text.h"
#include "monitoring/trace/io_trace_format.h"
#include "monitoring/trace/trace_format.h"
#include "rocksdb/system_clock.h"
#include "rocksdb/trace_reader_writer.h"
#include "rocksdb/trace_record.h"
#include "util/coding.h"
#include "util/ignore_error.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE::fuzz {

namespace {

class KeptRecords final : public TraceWriter {
 public:
  explicit KeptRecords(std::vector<std::string>* records) : records_(records) {}
  Status Write(const Slice& data) override {
    records_->push_back(data.ToString());
    return Status::OK();
  }
  Status Close() override { return Status::OK(); }
  uint64_t GetFileSize() override { return 0; }

 private:
  std::vector<std::string>* const records_;
};

// Encoding and decoding again makes the same.
size_t RunIoRecord(const TraceRecordParts& parts) {
  IoTraceRecord record;
  if (!DecodeIoTraceRecord(parts.payload, &record).ok()) return 0;
  const std::string payload = EncodeIoTraceRecord(record);
  IoTraceRecord again;
  INVARIANT(DecodeIoTraceRecord(payload, &again).ok());
  INVARIANT(EncodeIoTraceRecord(again) == payload);
  return 1;
}

std::string AccessSeed(TableReaderCaller caller, TraceType type) {
  std::vector<std::string> records;
  const auto writer =
      NewBlockCacheTraceWriter(SystemClock::Default().get(), {},
                               std::make_unique<KeptRecords>(&records));
  const BlockCacheTraceRecord record(
      /*timestamp=*/1, /*key=*/"", type, /*size=*/500, /*family_id=*/1,
      /*family_name=*/"", /*level_number=*/2, /*file_number=*/9, caller,
      /*is_hit=*/true, /*is_not_inserted=*/false, /*look_up_id=*/4,
      /*has_user_snapshot=*/true, /*key_referred_to=*/"", /*data_size=*/20,
      /*key_count=*/30, /*key_exists=*/true);
  IgnoreError(writer->WriteBlockAccess(record, "a key of 16 byte", "family",
                                       "key of user12345678"),
              "it is kept in memory");
  return records.at(0);
}

}  // namespace

size_t RunTraceRecord(const Slice& bytes) {
  TraceRecordParts parts;
  if (!SplitTraceRecord(bytes, &parts).ok()) return 0;
  size_t count = 1;
  AccessTraceRelease release;
  if (DecodeAccessTraceHeader(parts, &release).ok()) ++count;
  BlockCacheTraceRecord access;
  if (DecodeBlockAccess(parts, &access).ok()) ++count;
  count += RunIoRecord(parts);
  for (const int version : {1, 2}) {
    std::unique_ptr<TraceRecord> operation;
    if (DecodeTraceRecord(bytes.ToString(), version, &operation).ok()) ++count;
  }
  return count;
}

std::vector<std::string> TraceRecordSeeds() {
  std::string get;
  PutFixed64(&get, TraceFieldBit(TraceField::kGetFamily) |
                       TraceFieldBit(TraceField::kGetKey));
  PutFixed32(&get, 1);
  PutLengthPrefixedSlice(&get, "key");
  IoTraceRecord read;
  read.operation = "Read";
  read.status = "OK";
  read.file_name = "000011.sst";
  read.operands = {.file_size = 3, .length = 2, .offset = 1};
  read.request_id = "request";
  return {EncodeTraceRecord(1, kTraceBegin, AccessTraceHeader()),
          EncodeTraceRecord(2, kTraceGet, get),
          EncodeTraceRecord(3, kIOTracer, EncodeIoTraceRecord(read)),
          AccessSeed(kUserGet, kBlockTraceDataBlock),
          AccessSeed(kUserMultiGet, kBlockTraceFilterBlock),
          AccessSeed(kUserIterator, kBlockTraceIndexBlock)};
}

size_t RunBlockAccessText(const Slice& bytes) {
  BlockAccessText access;
  if (!ParseBlockAccess(bytes.ToStringView(), &access).ok()) return 0;
  const std::string line = BlockAccessLine(access);
  BlockAccessText again;
  INVARIANT(ParseBlockAccess(line, &again).ok());
  INVARIANT(BlockAccessLine(again) == line);
  return 1;
}

std::vector<std::string> BlockAccessTextSeeds() {
  return {
      "1795703748814665,0,9,608,0,default,0,9,1,0,1,0,22,1,1,25,1802333488,"
      "8,16,16,5",
      "5,1,7,176,3,family,4294967295,7,3,1,0,0,0,0,0,0,0,0,16,0,0"};
}

}  // namespace ROCKSDB_NAMESPACE::fuzz

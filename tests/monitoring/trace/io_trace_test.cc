// Traces of I/O have RocksDB's bytes and are read as they were written; cuts
// and unknown records are Corruption.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "monitoring/trace/io_trace_format.h"
#include "monitoring/trace/trace_format.h"
#include "rocksdb/version.h"
#include "tests/testing/memory_trace.h"
#include "tests/testing/vectors.h"

namespace ROCKSDB_NAMESPACE {
namespace {

TEST(IoTraceFormatTest, IsAsRocksDbWritesIt) {
  for (const std::string release : {"r783", "r119"}) {
    const std::string path = VectorPath("utilities/" + release + "_io.trace");
    if (path.empty()) GTEST_SKIP() << "the vectors are absent";
    TraceInMemory trace;
    trace.bytes = BytesOfFile(path);
    const std::vector<TraceInMemory::Record> records = trace.Records();
    ASSERT_EQ(records.size(), 19u);
    TraceRecordParts header;
    ASSERT_TRUE(SplitTraceRecord(records[0].bytes, &header).ok());
    AccessTraceRelease written_by;
    ASSERT_TRUE(DecodeAccessTraceHeader(header, &written_by).ok());
    EXPECT_EQ(written_by.major, release == "r783" ? 7u : 11u);
    std::string before;
    for (size_t i = 1; i < records.size(); ++i) {
      EXPECT_EQ(records[i].type, kIOTracer);
      IoTraceRecord record;
      const Status s = DecodeIoTraceRecord(records[i].payload, &record);
      ASSERT_TRUE(s.ok()) << s.ToString();
      EXPECT_EQ(record.status, "OK");
      EXPECT_EQ(EncodeIoTraceRecord(record), records[i].payload);
      if (release == "r783" && before == "Append" &&
          record.operation == "Read") {
        EXPECT_EQ(record.operands.length, 53u);
        EXPECT_EQ(record.operands.offset, 1092u);
      }
      before = record.operation;
    }
  }
}

IoTraceRecord FullRecord() {
  IoTraceRecord record;
  record.operation = "Read";
  record.latency_nanos = 900;
  record.status = "OK";
  record.file_name = "000011.sst";
  record.operands = {.file_size = 3, .length = 2, .offset = 1};
  record.request_id = "request";
  return record;
}

TEST(IoTraceFormatTest, ARecordIsReadAsItWasWritten) {
  const std::string payload = EncodeIoTraceRecord(FullRecord());
  IoTraceRecord record;
  record.access_nanos = 17;  // not in the payload: it stays
  ASSERT_TRUE(DecodeIoTraceRecord(payload, &record).ok());
  EXPECT_EQ(record.access_nanos, 17u);
  EXPECT_EQ(record.operation, "Read");
  EXPECT_EQ(record.latency_nanos, 900u);
  EXPECT_EQ(record.file_name, "000011.sst");
  EXPECT_EQ(record.operands.file_size, 3u);
  EXPECT_EQ(record.operands.length, 2u);
  EXPECT_EQ(record.operands.offset, 1u);
  EXPECT_EQ(record.request_id, "request");
  EXPECT_EQ(EncodeIoTraceRecord(record), payload);
}

TEST(IoTraceFormatTest, EveryCutIsCorruption) {
  const std::string payload = EncodeIoTraceRecord(FullRecord());
  for (size_t n = 0; n < payload.size(); ++n) {
    IoTraceRecord record;
    EXPECT_TRUE(
        DecodeIoTraceRecord(Slice(payload.data(), n), &record).IsCorruption())
        << n;
    EXPECT_TRUE(record.operation.empty());
  }
}

TEST(IoTraceFormatTest, WhatNobodyKnowsIsCorruption) {
  std::string payload = EncodeIoTraceRecord(FullRecord());
  IoTraceRecord record;
  payload[0] |= 8;  // a fourth operand
  EXPECT_TRUE(DecodeIoTraceRecord(payload, &record).IsCorruption());
  payload = EncodeIoTraceRecord(FullRecord());
  const size_t data_map = payload.size() - 8 - 8;
  ASSERT_EQ(payload[data_map], 1);
  payload[data_map] = 3;
  EXPECT_TRUE(DecodeIoTraceRecord(payload, &record).IsCorruption());
}

TEST(IoTraceFormatTest, HeadersOfOtherTracesAreRefused) {
  AccessTraceRelease release;
  EXPECT_TRUE(
      DecodeAccessTraceHeader(
          {.time = 1, .type = kTraceBegin, .payload = AccessTraceHeader()},
          &release)
          .ok());
  EXPECT_EQ(release.major, uint32_t{ROCKSDB_MAJOR});
  EXPECT_EQ(release.minor, uint32_t{ROCKSDB_MINOR});
  EXPECT_TRUE(
      DecodeAccessTraceHeader(
          {.time = 1, .type = kIOTracer, .payload = AccessTraceHeader()},
          &release)
          .IsCorruption());
  EXPECT_TRUE(
      DecodeAccessTraceHeader(
          {.time = 1, .type = kTraceBegin, .payload = "feedcafe"}, &release)
          .IsCorruption());
  EXPECT_TRUE(
      DecodeAccessTraceHeader(
          {.time = 1, .type = kTraceBegin, .payload = QueryTraceHeader()},
          &release)
          .IsCorruption());
  int version = 0;
  EXPECT_TRUE(
      DecodeQueryTraceHeader(
          {.time = 1, .type = kTraceBegin, .payload = QueryTraceHeader()},
          &version)
          .ok());
  EXPECT_EQ(version, 2);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

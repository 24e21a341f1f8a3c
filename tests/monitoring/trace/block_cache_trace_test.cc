// Traces of the block cache have RocksDB's bytes and are read as they were
// written; every cut is Corruption.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>

#include "monitoring/trace/block_cache_trace_format.h"
#include "monitoring/trace/block_cache_trace_text.h"
#include "rocksdb/block_cache_trace_writer.h"
#include "rocksdb/system_clock.h"
#include "rocksdb/version.h"
#include "tests/testing/vectors.h"
#include "util/coding.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class StillClock final : public SystemClock {
 public:
  const char* Name() const override { return "StillClock"; }
  uint64_t NowMicros() override { return 5; }
  uint64_t NowNanos() override { return 5'000; }
  void SleepForMicroseconds(int /*micros*/) override {}
  Status GetCurrentTime(int64_t* now) override {
    *now = 0;
    return Status::OK();
  }
  std::string TimeToString(uint64_t /*time*/) override { return ""; }
};

class BytesWriter : public TraceWriter {
 public:
  BytesWriter(std::string* bytes, bool* closed)
      : bytes_(bytes), closed_(closed) {}
  Status Write(const Slice& data) override {
    bytes_->append(data.data(), data.size());
    return Status::OK();
  }
  Status Close() override {
    *closed_ = true;
    return Status::OK();
  }
  uint64_t GetFileSize() override { return bytes_->size(); }

 private:
  std::string* const bytes_;
  bool* const closed_;
};

TEST(BlockCacheTraceTest, IsAsRocksDbWritesIt) {
  for (const std::string release : {"r783", "r119"}) {
    const std::string path =
        VectorPath("utilities/" + release + "_block_cache.trace");
    if (path.empty()) GTEST_SKIP() << "the vectors are absent";
    const std::string example = BytesOfFile(path);
    std::string written;
    bool closed = false;
    StillClock clock;
    auto writer = NewBlockCacheTraceWriter(
        &clock, {}, std::make_unique<BytesWriter>(&written, &closed));
    Slice input(example);
    int accesses = 0;
    while (!input.empty()) {
      uint64_t time = 0;
      uint32_t length = 0;
      ASSERT_TRUE(GetFixed64(&input, &time));
      const char type = input[0];
      input.remove_prefix(1);
      ASSERT_TRUE(GetFixed32(&input, &length));
      ASSERT_LE(length, input.size());
      if (type == kTraceBegin) {
        ASSERT_TRUE(writer->WriteHeader().ok());
      } else {
        BlockCacheTraceRecord record;
        ASSERT_TRUE(DecodeBlockAccess({.time = time,
                                       .type = static_cast<TraceType>(type),
                                       .payload = Slice(input.data(), length)},
                                      &record)
                        .ok());
        ASSERT_TRUE(writer
                        ->WriteBlockAccess(record, record.block_key,
                                           record.cf_name,
                                           record.referenced_key)
                        .ok());
        ++accesses;
      }
      input.remove_prefix(length);
    }
    EXPECT_EQ(accesses, release == "r783" ? 19 : 17);
    // The header has its own time, and our release.
    constexpr size_t kHeader = 8 + 1 + 4 + 1 + 16 + 4 + 4;
    ASSERT_EQ(written.size(), example.size());
    EXPECT_EQ(written.substr(8, 22), example.substr(8, 22));
    EXPECT_EQ(DecodeFixed32(written.data() + 30), uint32_t{ROCKSDB_MAJOR});
    EXPECT_EQ(DecodeFixed32(written.data() + 34), uint32_t{ROCKSDB_MINOR});
    EXPECT_EQ(written.substr(kHeader), example.substr(kHeader));
    EXPECT_FALSE(closed);
    writer.reset();
    EXPECT_TRUE(closed);
  }
}

TEST(BlockCacheTraceTest, AFullTraceTakesNoMore) {
  std::string written;
  bool closed = false;
  StillClock clock;
  auto writer = NewBlockCacheTraceWriter(
      &clock, {.max_trace_file_size = 100},
      std::make_unique<BytesWriter>(&written, &closed));
  size_t size = 0;
  for (int i = 0; i < 10; ++i) {
    size = written.size();
    ASSERT_TRUE(
        writer->WriteBlockAccess(BlockCacheTraceRecord(), "key", "f", "").ok());
    EXPECT_EQ(written.size() > size, size <= 100);
  }
  EXPECT_GT(size, 100u);
}

// An access of a data block by Get(), as bytes.
std::string GetAccess() {
  std::string written;
  bool closed = false;
  StillClock clock;
  auto writer = NewBlockCacheTraceWriter(
      &clock, {}, std::make_unique<BytesWriter>(&written, &closed));
  BlockCacheTraceRecord record;
  record.access_timestamp = 5;
  record.block_type = kBlockTraceDataBlock;
  record.block_size = 608;
  record.cf_id = 3;
  record.level = 2;
  record.sst_fd_number = 9;
  record.caller = kUserGet;
  record.get_id = 7;
  record.referenced_data_size = 22;
  record.num_keys_in_block = 25;
  record.referenced_key_exist_in_block = true;
  EXPECT_TRUE(
      writer->WriteBlockAccess(record, "block", "family", "userkey12345678")
          .ok());
  return written;
}

TEST(BlockCacheTraceTest, AnAccessIsReadAsItWasWritten) {
  const std::string bytes = GetAccess();
  TraceRecordParts parts;
  ASSERT_TRUE(SplitTraceRecord(bytes, &parts).ok());
  BlockCacheTraceRecord record;
  ASSERT_TRUE(DecodeBlockAccess(parts, &record).ok());
  EXPECT_EQ(record.access_timestamp, 5u);
  EXPECT_EQ(record.block_key, "block");
  EXPECT_EQ(record.cf_name, "family");
  EXPECT_EQ(record.cf_id, 3u);
  EXPECT_EQ(record.referenced_key, "userkey12345678");
  EXPECT_EQ(record.get_id, 7u);
  EXPECT_EQ(record.num_keys_in_block, 25u);
  EXPECT_TRUE(record.referenced_key_exist_in_block);
}

TEST(BlockCacheTraceTest, EveryCutIsCorruption) {
  const std::string bytes = GetAccess();
  TraceRecordParts whole;
  ASSERT_TRUE(SplitTraceRecord(bytes, &whole).ok());
  for (size_t n = 0; n < whole.payload.size(); ++n) {
    BlockCacheTraceRecord record;
    const TraceRecordParts cut{.time = whole.time,
                               .type = whole.type,
                               .payload = Slice(whole.payload.data(), n)};
    EXPECT_TRUE(DecodeBlockAccess(cut, &record).IsCorruption()) << n;
  }
  for (size_t n = 0; n < bytes.size(); ++n) {
    TraceRecordParts parts;
    EXPECT_TRUE(SplitTraceRecord(Slice(bytes.data(), n), &parts).IsCorruption())
        << n;
  }
  // Neither a type nor a caller that nobody knows.
  BlockCacheTraceRecord record;
  TraceRecordParts other = whole;
  other.type = kIOTracer;
  EXPECT_TRUE(DecodeBlockAccess(other, &record).IsCorruption());
  for (const char caller : {0, 15, -1}) {
    std::string payload = whole.payload.ToString();
    const size_t at = payload.find("family") + 6 + 4 + 8;
    ASSERT_EQ(payload[at], kUserGet);
    payload[at] = caller;
    EXPECT_TRUE(
        DecodeBlockAccess({.time = 1, .type = whole.type, .payload = payload},
                          &record)
            .IsCorruption());
  }
}

TEST(BlockCacheTraceTest, AccessesAreNumberedAsTheyCome) {
  BlockCacheTraceRecord record;
  record.access_timestamp = 12;
  record.block_type = kBlockTraceDataBlock;
  record.block_key = std::string(16, 'b');
  record.block_size = 608;
  record.cf_name = "a,b";
  record.level = 1;
  record.sst_fd_number = 9;
  record.caller = kUserGet;
  record.get_id = 4;
  record.referenced_key = std::string("\0\0\1\2key", 7);
  PutFixed64(&record.referenced_key, uint64_t{77} << 8 | 1);
  record.referenced_data_size = 22;
  record.num_keys_in_block = 25;
  record.referenced_key_exist_in_block = true;
  BlockAccessNumbers numbers;
  EXPECT_EQ(BlockAccessLine(numbers.Number(record)),
            "12,1,9,608,0,a,b,1,9,1,0,4,1,22,0,1,25,258,77,16,15,0");
  record.block_key[0] = 'c';
  EXPECT_EQ(numbers.Number(record).block, 2u);
  record.block_key[0] = 'b';
  record.referenced_key[6] = 'x';
  const BlockAccessText other = numbers.Number(record);
  EXPECT_EQ(other.block, 1u);
  EXPECT_EQ(other.key, 2u);
  BlockAccessText again;
  ASSERT_TRUE(ParseBlockAccess(BlockAccessLine(other), &again).ok());
  EXPECT_EQ(again.family_name, "a,b");
  EXPECT_EQ(BlockAccessLine(again), BlockAccessLine(other));
  // Only look-ups of keys have a key.
  record.caller = kUserIterator;
  EXPECT_EQ(numbers.Number(record).key, 0u);
}

TEST(BlockCacheTraceTest, LinesThatAreNoneAreRefused) {
  const std::string good =
      "12,1,9,608,0,a,1,9,1,0,4,1,22,0,1,25,258,77,16,15,0";
  BlockAccessText access;
  ASSERT_TRUE(ParseBlockAccess(good, &access).ok());
  for (const std::string& bad :
       {std::string(), good.substr(0, good.size() - 2), good + "x", "x" + good,
        "12,1,6" + good.substr(6), "12,1,12" + good.substr(6),
        "99999999999999999999999" + good.substr(2)}) {
    EXPECT_TRUE(ParseBlockAccess(bad, &access).IsCorruption()) << bad;
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

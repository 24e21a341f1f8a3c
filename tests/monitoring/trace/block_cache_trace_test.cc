// Traces of the block cache: their bytes.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>

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

bool GetFlag(Slice* input) {
  const bool flag = (*input)[0] != 0;
  input->remove_prefix(1);
  return flag;
}

std::string GetName(Slice* input) {
  Slice name;
  EXPECT_TRUE(GetLengthPrefixedSlice(input, &name));
  return name.ToString();
}

// One access of an example file.
BlockCacheTraceRecord ParseAccess(uint64_t time, char type, Slice input) {
  BlockCacheTraceRecord record;
  record.access_timestamp = time;
  record.block_type = static_cast<TraceType>(type);
  record.block_key = GetName(&input);
  EXPECT_TRUE(GetFixed64(&input, &record.block_size));
  EXPECT_TRUE(GetFixed64(&input, &record.cf_id));
  record.cf_name = GetName(&input);
  EXPECT_TRUE(GetFixed32(&input, &record.level));
  EXPECT_TRUE(GetFixed64(&input, &record.sst_fd_number));
  record.caller = static_cast<TableReaderCaller>(input[0]);
  input.remove_prefix(1);
  record.is_cache_hit = GetFlag(&input);
  record.no_insert = GetFlag(&input);
  if (input.empty()) return record;
  EXPECT_TRUE(GetFixed64(&input, &record.get_id));
  record.get_from_user_specified_snapshot = GetFlag(&input);
  record.referenced_key = GetName(&input);
  if (input.empty()) return record;
  EXPECT_TRUE(GetFixed64(&input, &record.referenced_data_size));
  EXPECT_TRUE(GetFixed64(&input, &record.num_keys_in_block));
  record.referenced_key_exist_in_block = GetFlag(&input);
  EXPECT_TRUE(input.empty());
  return record;
}

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
        const BlockCacheTraceRecord record =
            ParseAccess(time, type, Slice(input.data(), length));
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

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

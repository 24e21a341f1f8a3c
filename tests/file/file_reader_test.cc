// The readers of files return what is there, by position, in sequence and line
// by line, and an error names its place and is never taken for the end.

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "env/mem_file_system.h"
#include "file/line_file_reader.h"
#include "file/random_access_file_reader.h"
#include "file/sequential_file_reader.h"
#include "monitoring/statistics_impl.h"
#include "rocksdb/iostats_context.h"
#include "tests/file/fake_files.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// ---- RandomAccessFileReader ----

class RandomReaderTest : public testing::TestWithParam<bool> {
 protected:
  RandomReaderTest() {
    log_.is_direct = GetParam();
    log_.content = PatternBytes(100001);
  }
  std::unique_ptr<RandomAccessFileReader> Open(FileIoContext context = {}) {
    return std::make_unique<RandomAccessFileReader>(
        std::make_unique<FakeReadableFile>(&log_), "a.sst", std::move(context));
  }

  ReadLog log_;
};

INSTANTIATE_TEST_SUITE_P(BufferedAndDirect, RandomReaderTest, testing::Bool());

TEST_P(RandomReaderTest, ReadsAnywhere) {
  for (const size_t alignment : {512, 4096, 16384}) {
    log_.alignment = alignment;
    const auto reader = Open();
    Random64 random(7);
    AlignedBuf aligned;
    std::string scratch(200000, '\0');
    for (int i = 0; i < 300; ++i) {
      const size_t at = random.Uniform(log_.content.size() + 5000);
      const size_t n = random.Uniform(40000);
      Slice result;
      ASSERT_TRUE(reader
                      ->Read(IOOptions(), at, n, &result, scratch.data(),
                             i % 2 == 0 ? &aligned : nullptr)
                      .ok());
      const std::string expected =
          at < log_.content.size() ? log_.content.substr(at, n) : "";
      ASSERT_TRUE(result == Slice(expected)) << at << "+" << n;
    }
  }
}

TEST_P(RandomReaderTest, ReadsManyAtOnce) {
  const auto reader = Open();
  Random64 random(3);
  for (int round = 0; round < 50; ++round) {
    log_.ForgetCalls();
    std::vector<FSReadRequest> requests(1 + random.Uniform(20));
    std::vector<std::string> scratch(requests.size());
    uint64_t at = random.Uniform(20000);
    for (size_t i = 0; i < requests.size(); ++i) {
      requests[i].offset = at;
      requests[i].len = 1 + random.Uniform(9000);
      scratch[i].resize(requests[i].len);
      requests[i].scratch = scratch[i].data();
      at += random.Uniform(12000);
    }
    AlignedBuf aligned;
    ASSERT_TRUE(
        reader
            ->MultiRead(IOOptions(), requests.data(), requests.size(), &aligned)
            .ok());
    for (const FSReadRequest& request : requests) {
      ASSERT_TRUE(request.status.ok());
      const std::string expected =
          request.offset < log_.content.size()
              ? log_.content.substr(request.offset, request.len)
              : "";
      ASSERT_TRUE(request.result == Slice(expected));
    }
    EXPECT_LE(log_.Calls().size(), requests.size());
  }
}

TEST_P(RandomReaderTest, AnErrorNamesFileAndOffset) {
  log_.fail_at = 0;
  const auto reader = Open();
  std::string scratch(100, '\0');
  Slice result("old");
  const Status s =
      reader->Read(IOOptions(), 4321, 100, &result, scratch.data(), nullptr);
  EXPECT_TRUE(s.IsIOError());
  EXPECT_NE(s.ToString().find("a.sst"), std::string::npos);
  EXPECT_NE(s.ToString().find("4321"), std::string::npos);
  EXPECT_TRUE(result.empty());
}

TEST_P(RandomReaderTest, OneBadRequestDoesNotSpoilTheOthers) {
  const auto reader = Open();
  log_.fail_at = 1;
  log_.fail_count = 1;
  std::vector<std::string> scratch(3, std::string(100, '\0'));
  std::vector<FSReadRequest> requests(3);
  for (size_t i = 0; i < 3; ++i) {
    requests[i].offset = i * 30000;
    requests[i].len = 100;
    requests[i].scratch = scratch[i].data();
  }
  AlignedBuf aligned;
  ASSERT_TRUE(
      reader->MultiRead(IOOptions(), requests.data(), 3, &aligned).ok());
  EXPECT_TRUE(requests[0].status.ok());
  EXPECT_TRUE(requests[1].status.IsIOError());
  EXPECT_NE(requests[1].status.ToString().find("a.sst"), std::string::npos);
  EXPECT_TRUE(requests[2].status.ok());
  EXPECT_TRUE(requests[2].result == Slice(log_.content.data() + 60000, 100));
}

TEST_P(RandomReaderTest, BytesOutliveMemoryOfTheFileSystem) {
  const RandomAccessFileReader reader(std::make_unique<LendingFile>(&log_),
                                      "a.sst");
  std::vector<std::string> scratch(3, std::string(100, '\0'));
  std::vector<Slice> results;
  AlignedBuf aligned;
  {
    std::vector<FSReadRequest> requests(3);
    for (size_t i = 0; i < 3; ++i) {
      requests[i].offset = i * 30000;
      requests[i].len = 100;
      requests[i].scratch = scratch[i].data();
    }
    ASSERT_TRUE(
        reader.MultiRead(IOOptions(), requests.data(), 3, &aligned).ok());
    for (const FSReadRequest& request : requests) {
      ASSERT_TRUE(request.status.ok());
      results.push_back(request.result);
    }
  }
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_TRUE(results[i] == Slice(log_.content.data() + i * 30000, 100)) << i;
  }
}

TEST_P(RandomReaderTest, Counts) {
  StatisticsImpl statistics;
  FileIoContext context;
  context.statistics = &statistics;
  context.histogram = SST_READ_MICROS;
  context.temperature = Temperature::kWarm;
  context.is_last_level = true;
  const auto reader = Open(context);
  get_iostats_context()->Reset();
  std::string scratch(100, '\0');
  Slice result;
  IOOptions options;
  options.io_activity = Env::IOActivity::kGet;
  ASSERT_TRUE(
      reader->Read(options, 5, 100, &result, scratch.data(), nullptr).ok());
  EXPECT_EQ(get_iostats_context()->bytes_read, 100u);
  EXPECT_EQ(statistics.getTickerCount(WARM_FILE_READ_BYTES), 100u);
  EXPECT_EQ(statistics.getTickerCount(WARM_FILE_READ_COUNT), 1u);
  EXPECT_EQ(statistics.getTickerCount(LAST_LEVEL_READ_BYTES), 100u);
  HistogramData data;
  statistics.histogramData(SST_READ_MICROS, &data);
  EXPECT_EQ(data.count, 1u);
  statistics.histogramData(FILE_READ_GET_MICROS, &data);
  EXPECT_EQ(data.count, 1u);
}

// ---- SequentialFileReader ----

struct SequentialCase {
  bool is_direct;
  size_t readahead;
};

class SequentialReaderTest : public testing::TestWithParam<SequentialCase> {
 protected:
  std::unique_ptr<SequentialFileReader> Open(const std::string& content) {
    EXPECT_TRUE(WriteStringToFile(&fs_, content, "/log").ok());
    FileOptions options;
    options.use_direct_reads = GetParam().is_direct;
    std::unique_ptr<SequentialFileReader> reader;
    EXPECT_TRUE(SequentialFileReader::Create(&fs_, "/log", options, &reader,
                                             GetParam().readahead)
                    .ok());
    return reader;
  }

  MemFileSystem fs_;
};

INSTANTIATE_TEST_SUITE_P(All, SequentialReaderTest,
                         testing::Values(SequentialCase{false, 0},
                                         SequentialCase{false, 50000},
                                         SequentialCase{true, 0},
                                         SequentialCase{true, 50000}));

TEST_P(SequentialReaderTest, ReadsAndSkips) {
  const std::string content = PatternBytes(400001);
  for (uint64_t seed = 1; seed <= 10; ++seed) {
    const auto reader = Open(content);
    ASSERT_NE(reader, nullptr);
    Random64 random(seed);
    std::string scratch(100000, '\0');
    size_t at = 0;
    while (at < content.size()) {
      const size_t n = 1 + random.Uniform(random.Uniform(2) == 0 ? 300 : 70000);
      if (random.Uniform(5) == 0 && at + n < content.size()) {
        ASSERT_TRUE(reader->Skip(n).ok());
        at += n;
        continue;
      }
      Slice result;
      ASSERT_TRUE(reader->Read(n, &result, scratch.data()).ok());
      ASSERT_TRUE(result == Slice(content.substr(at, n))) << at;
      at += result.size();
    }
    Slice result;
    ASSERT_TRUE(reader->Read(10, &result, scratch.data()).ok());
    EXPECT_TRUE(result.empty());
  }
}

TEST_P(SequentialReaderTest, AMissingFileIsAnError) {
  std::unique_ptr<SequentialFileReader> reader;
  EXPECT_FALSE(
      SequentialFileReader::Create(&fs_, "/missing", FileOptions(), &reader)
          .ok());
  EXPECT_EQ(reader, nullptr);
}

// ---- LineFileReader ----

std::vector<std::string> Lines(const std::string& content) {
  MemFileSystem fs;
  EXPECT_TRUE(WriteStringToFile(&fs, content, "/text").ok());
  std::unique_ptr<LineFileReader> reader;
  EXPECT_TRUE(
      LineFileReader::Create(&fs, "/text", FileOptions(), &reader).ok());
  std::vector<std::string> lines;
  std::string line;
  while (reader->ReadLine(&line)) lines.push_back(line);
  EXPECT_TRUE(reader->status().ok());
  EXPECT_EQ(reader->GetLineNumber(), lines.size());
  return lines;
}

TEST(LineFileReaderTest, CutsLines) {
  using Strings = std::vector<std::string>;
  EXPECT_EQ(Lines(""), Strings{});
  EXPECT_EQ(Lines("\n"), Strings{""});
  EXPECT_EQ(Lines("a\n\nb"), (Strings{"a", "", "b"}));
  EXPECT_EQ(Lines("a\nb\n"), (Strings{"a", "b"}));
  const std::string long_line(20000, 'x');
  EXPECT_EQ(Lines(long_line + "\n" + long_line),
            (Strings{long_line, long_line}));
  EXPECT_EQ(Lines(std::string(8191, 'x') + "\ny"),
            (Strings{std::string(8191, 'x'), "y"}));
  EXPECT_EQ(Lines(std::string(8192, 'x') + "\n"),
            Strings{std::string(8192, 'x')});
}

// Fails at the second read.
class BadSequentialFile : public FSSequentialFile {
 public:
  IOStatus Read(size_t n, const IOOptions&, Slice* result, char* scratch,
                IODebugContext*) override {
    if (reads_++ > 0) return IOStatus::IOError("bad", "told to fail");
    memset(scratch, 'x', n);
    *result = Slice(scratch, n);
    return IOStatus::OK();
  }
  IOStatus Skip(uint64_t) override { return IOStatus::OK(); }

 private:
  int reads_ = 0;
};

TEST(LineFileReaderTest, AnErrorIsNotTheEnd) {
  LineFileReader reader(std::make_unique<SequentialFileReader>(
      std::make_unique<BadSequentialFile>(), "text"));
  std::string line;
  EXPECT_FALSE(reader.ReadLine(&line));
  EXPECT_TRUE(reader.status().IsIOError());
  EXPECT_NE(reader.status().ToString().find("text"), std::string::npos);
}

}  // namespace

}  // namespace ROCKSDB_NAMESPACE

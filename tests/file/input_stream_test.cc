// A bulk read returns the right bytes in any order with few requests, whatever
// sizes, failures and page-cache contents there are.
#include "file/input_stream.h"

#include <dirent.h>
#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

#include "env/mem_file_system.h"
#include "file/io_governor.h"
#include "file/rate_limiter.h"
#include "monitoring/statistics_impl.h"
#include "tests/file/fake_device.h"
#include "tests/testing/temp_dir.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {

namespace {

constexpr size_t kStreamChunk = BufferPool::kChunkBytes;

constexpr IoBackend kBackends[] = {IoBackend::kInline, IoBackend::kHelpers,
                                   IoBackend::kFileSystem};

class InputStreamTest
    : public testing::TestWithParam<std::tuple<bool, IoBackend>> {
 protected:
  InputStreamTest() {
    log_.is_direct = IsDirect();
    options_.pool = &pool_;
    options_.backend = std::get<1>(GetParam());
    options_.fs = &device_;
    device_.nanos_per_byte = 1;
  }
  ~InputStreamTest() override {
    EXPECT_EQ(pool_.LeasedBytes(), 0u);
    EXPECT_EQ(IoLane::OfThisThread()->in_flight(), 0u);
    EXPECT_TRUE(device_.reads.empty());
    for (const auto& own : governor_.Stats().classes) {
      EXPECT_EQ(own.bytes_in_flight, 0u);
    }
    if (options_.governor != nullptr) governor_.Leave(limits_);
  }

  bool IsDirect() const { return std::get<0>(GetParam()); }
  void Govern() {
    governor_.Join(limits_);
    options_.governor = &governor_;
  }
  std::unique_ptr<InputStream> Open() {
    return std::make_unique<InputStream>(
        std::make_unique<DeviceReadableFile>(&log_, &device_), "in.sst",
        options_);
  }
  // Reads all of the file in blocks of `n` and compares.
  void ReadAll(InputStream* stream, size_t n) {
    const std::string& content = log_.content;
    for (size_t at = 0; at < content.size(); at += n) {
      const size_t length = std::min(n, content.size() - at);
      Slice result;
      Status s = stream->Read(at, length, &result);
      ASSERT_TRUE(s.ok()) << s.ToString();
      ASSERT_TRUE(result == Slice(content.data() + at, length)) << at;
    }
  }

  const IoLimits limits_{.max_bytes_in_flight = 192 << 10};
  IoGovernor governor_;
  BufferPool pool_;
  FakeDevice device_;
  ReadLog log_;
  InputStreamOptions options_;
};

INSTANTIATE_TEST_SUITE_P(BufferedAndDirect, InputStreamTest,
                         testing::Combine(testing::Bool(),
                                          testing::ValuesIn(kBackends)));

TEST_P(InputStreamTest, ReadsAllInFewRequests) {
  log_.content = PatternBytes((10 << 20) + 777);
  auto stream = Open();
  ReadAll(stream.get(), 4013);
  EXPECT_LE(log_.Calls().size(), 50u);
  for (const ReadLog::Call& call : log_.Calls())
    EXPECT_LE(call.length, kStreamChunk);
  EXPECT_EQ(stream->read_count(), log_.Calls().size());
  EXPECT_EQ(stream->use_direct_io(), IsDirect());
}

TEST_P(InputStreamTest, StartsWithOneChunkAndGrows) {
  log_.content = PatternBytes(8 << 20);
  options_.max_request_bytes = 8 << 20;
  auto stream = Open();
  const auto ahead = [&] {
    // Helper threads begin what was asked of them some time later.
    while (log_.Calls().size() + device_.reads.size() < stream->read_count()) {
      std::this_thread::yield();
    }
    uint64_t end = 0;
    for (const ReadLog::Call& call : log_.Calls()) {
      end = std::max(end, call.offset + call.length);
    }
    for (const FakeDevice::Read* read : device_.reads) {
      end = std::max(end, read->request.offset + read->request.len);
    }
    return end;
  };
  Slice result;
  ASSERT_TRUE(stream->Read(0, 4096, &result).ok());
  EXPECT_EQ(ahead(), kStreamChunk);
  uint64_t most = 0;
  for (uint64_t at = 4096; at < (6u << 20); at += 4096) {
    ASSERT_TRUE(stream->Read(at, 4096, &result).ok());
    most = std::max(most, ahead() - at);
  }
  EXPECT_GT(most, 6 * kStreamChunk);
  EXPECT_LE(most, options_.readahead_bytes + 4096);
}

TEST_P(InputStreamTest, NoReadaheadIsNotAReadPerBlock) {
  log_.content = PatternBytes(4 << 20);
  options_.readahead_bytes = 0;
  auto stream = Open();
  ReadAll(stream.get(), 4096);
  EXPECT_LE(log_.Calls().size(), 2 * (4u << 20) / kStreamChunk);
  for (const ReadLog::Call& call : log_.Calls())
    EXPECT_LE(call.length, kStreamChunk);
}

TEST_P(InputStreamTest, TheRangeIsExact) {
  log_.content = PatternBytes(2 << 20);
  auto stream = Open();
  const uint64_t begin = 300001;
  const uint64_t end = 700003;
  ASSERT_TRUE(stream->SetRange(begin, end).ok());
  Slice result;
  for (uint64_t at = begin; at < end; at += 1000) {
    const size_t n = std::min<uint64_t>(1000, end - at);
    ASSERT_TRUE(stream->Read(at, n, &result).ok());
    ASSERT_TRUE(result == Slice(log_.content.data() + at, n));
  }
  const uint64_t alignment = IsDirect() ? 4096 : 1;
  for (const ReadLog::Call& call : log_.Calls()) {
    EXPECT_GE(call.offset, AlignDown(begin, alignment));
    EXPECT_LE(call.offset + call.length, AlignUp(end, alignment));
  }
  EXPECT_LE(stream->bytes_read(), end - begin + 2 * alignment);
  const Status s = stream->Read(end - 1, 2, &result);
  EXPECT_TRUE(s.IsCorruption());
  EXPECT_NE(s.ToString().find("in.sst"), std::string::npos);
  EXPECT_FALSE(stream->Read(begin - 1, 2, &result).ok());
  EXPECT_FALSE(stream->Read(UINT64_MAX - 1, 5, &result).ok());
  EXPECT_TRUE(stream->SetRange(5, 4).IsInvalidArgument());
  EXPECT_TRUE(stream->SetRange(0, log_.content.size() + 1).IsInvalidArgument());
}

TEST_P(InputStreamTest, AnyOrderIsRight) {
  log_.content = PatternBytes((5 << 20) + 1234);
  for (const size_t alignment : {512, 4096, 16384}) {
    log_.alignment = alignment;
    auto stream = Open();
    Random64 random(alignment);
    uint64_t at = 0;
    for (int i = 0; i < 500; ++i) {
      if (random.Uniform(4) == 0) at = random.Uniform(log_.content.size());
      const size_t n = std::min<uint64_t>(1 + random.Uniform(60000),
                                          log_.content.size() - at);
      Slice result;
      ASSERT_TRUE(stream->Read(at, n, &result).ok());
      ASSERT_TRUE(result == Slice(log_.content.data() + at, n)) << at;
      at = at + n < log_.content.size() ? at + n : 0;
    }
  }
}

TEST_P(InputStreamTest, ABlockMayBeLargerThanASlab) {
  log_.content = PatternBytes(9 << 20);
  auto stream = Open();
  Slice result;
  ASSERT_TRUE(stream->Read(10, 100, &result).ok());
  ASSERT_TRUE(stream->Read(110, 5 << 20, &result).ok());
  EXPECT_TRUE(result == Slice(log_.content.data() + 110, 5 << 20));
  ReadAll(stream.get(), 300000);
}

TEST_P(InputStreamTest, AnExhaustedPoolOnlyMakesItSlower) {
  log_.content = PatternBytes(3 << 20);
  BufferPool tiny(0);
  options_.pool = &tiny;
  {
    auto stream = Open();
    ReadAll(stream.get(), 50000);
    EXPECT_GT(tiny.LeasedBytes(), 0u);
  }
  EXPECT_EQ(tiny.LeasedBytes(), 0u);
  EXPECT_EQ(tiny.SlabCount(), 0u);
}

TEST_P(InputStreamTest, ShortReadsAreNormal) {
  log_.content = PatternBytes((1 << 20) + 5);
  log_.max_bytes = IsDirect() ? 5000 : 777;
  auto stream = Open();
  ReadAll(stream.get(), 30000);
}

TEST_P(InputStreamTest, InterruptedReadsAreTriedAgain) {
  log_.content = PatternBytes(100000);
  log_.fail_at = 0;
  log_.fail_count = 3;
  log_.error = IOStatus::TryAgain("fake", "EAGAIN");
  auto stream = Open();
  ReadAll(stream.get(), 10000);
  EXPECT_EQ(log_.Calls().size(), 4u);
  // Not for ever.
  log_.fail_count = 1 << 30;
  log_.ForgetCalls();
  stream = Open();
  Slice result;
  EXPECT_TRUE(stream->Read(0, 10, &result).IsTryAgain());
  EXPECT_LE(log_.Calls().size(), 100u);
}

TEST_P(InputStreamTest, AnErrorNamesTheFileAndLeavesNothingBehind) {
  log_.content = PatternBytes(3 << 20);
  for (int k = 0; k < 6; ++k) {
    log_.ForgetCalls();
    log_.fail_at = k;
    log_.error = IOStatus::InvalidArgument("fake", "EINVAL");
    auto stream = Open();
    Status s;
    Slice result;
    for (size_t at = 0; at < log_.content.size() && s.ok(); at += 4096) {
      s = stream->Read(at, 4096, &result);
    }
    EXPECT_TRUE(s.IsInvalidArgument()) << s.ToString();
    EXPECT_NE(s.ToString().find("in.sst"), std::string::npos);
    // The stream can go on once the file can.
    log_.fail_at = -1;
    ReadAll(stream.get(), 9999);
  }
}

TEST_P(InputStreamTest, AFileThatEndsEarlyIsCorrupt) {
  log_.content = PatternBytes(100000);
  options_.file_size = 150000;
  auto stream = Open();
  Slice result;
  ASSERT_TRUE(stream->Read(0, 100000, &result).ok());
  const Status s = stream->Read(99990, 20, &result);
  EXPECT_TRUE(s.IsCorruption()) << s.ToString();
  EXPECT_NE(s.ToString().find("in.sst"), std::string::npos);
  EXPECT_NE(s.ToString().find("100000"), std::string::npos);
}

TEST_P(InputStreamTest, CountsDirectBytes) {
  log_.content = PatternBytes(1 << 20);
  StatisticsImpl statistics;
  options_.statistics = &statistics;
  auto stream = Open();
  ReadAll(stream.get(), 4096);
  EXPECT_EQ(statistics.getTickerCount(COMPACTION_DIRECT_READ_BYTES),
            IsDirect() ? 1u << 20 : 0u);
  EXPECT_EQ(statistics.getTickerCount(NON_LAST_LEVEL_READ_BYTES), 1u << 20);
}

// A page cache that has some pages of the file.
class SomePages : public ResidentPages {
 public:
  static constexpr size_t kPage = 4096;
  explicit SomePages(const std::string* content) : content_(content) {}
  void Add(size_t first, size_t end) {
    for (size_t page = first; page < end; ++page) pages_.insert(page);
  }
  bool ReadResident(uint64_t offset, size_t n, char* out) const override {
    EXPECT_LE(offset + n, content_->size());
    ++asked_;
    for (uint64_t page = offset / kPage; page * kPage < offset + n; ++page) {
      // What was begun says nothing.
      if (!pages_.contains(page)) return memset(out, '?', n) == nullptr;
    }
    memcpy(out, content_->data() + offset, n);
    return true;
  }
  PageSet FindResident() const override { return PageSet(); }
  int asked() const { return asked_; }

 private:
  const std::string* const content_;
  std::set<uint64_t> pages_;
  mutable int asked_ = 0;
};

TEST_P(InputStreamTest, WhatIsInThePageCacheIsNotAskedOfTheFile) {
  Govern();
  log_.content = PatternBytes((2 << 20) + 777);
  SomePages pages(&log_.content);
  pages.Add(0, 1000);
  StatisticsImpl statistics;
  options_.statistics = &statistics;
  options_.file_size = log_.content.size();
  options_.resident = &pages;
  auto stream = Open();
  stream->Start();
  ReadAll(stream.get(), 4099);
  EXPECT_EQ(stream->read_count(), 0u);
  EXPECT_EQ(stream->bytes_read(), 0u);
  EXPECT_TRUE(log_.Calls().empty());
  EXPECT_EQ(statistics.getTickerCount(COMPACTION_RESIDENT_READ_BYTES),
            log_.content.size());
  EXPECT_EQ(statistics.getTickerCount(COMPACTION_DIRECT_READ_BYTES), 0u);
}

TEST_P(InputStreamTest, PagesThatComeAndGoLeaveTheBytesAsTheyAre) {
  Govern();
  log_.content = PatternBytes((8 << 20) + 4321);
  options_.file_size = log_.content.size();
  for (uint64_t seed = 0; seed < 12; ++seed) {
    Random64 random(seed);
    SomePages pages(&log_.content);
    for (uint64_t at = 0; at * SomePages::kPage < log_.content.size();) {
      const uint64_t next = at + 1 + random.Uniform(seed % 2 == 0 ? 400 : 80);
      if (random.Uniform(2) == 0) pages.Add(at, next);
      at = next;
    }
    options_.resident = &pages;
    auto stream = Open();
    ReadAll(stream.get(), 1000 + random.Uniform(20000));
    EXPECT_GT(pages.asked(), 30);
    EXPECT_GT(stream->read_count(), 0u);
    EXPECT_LT(stream->bytes_read(), log_.content.size()) << seed;
  }
}

TEST_P(InputStreamTest, AFailedReadAmongResidentOnes) {
  log_.content = PatternBytes(4 << 20);
  options_.file_size = log_.content.size();
  SomePages pages(&log_.content);
  pages.Add(0, 300);
  pages.Add(500, 1024);
  options_.resident = &pages;
  log_.fail_at = 0;
  auto stream = Open();
  Slice result;
  uint64_t at = 0;
  Status s;
  for (; s.ok() && at < log_.content.size(); at += 4096) {
    s = stream->Read(at, 4096, &result);
  }
  EXPECT_TRUE(s.IsIOError()) << s.ToString();
  EXPECT_LE(at, 501u * 4096) << "what comes behind does not hide it";
  log_.fail_at = -1;
  ReadAll(stream.get(), 4096);
}

TEST_P(InputStreamTest, ReadsAFileSystem) {
  log_.content = PatternBytes(1000001);
  MemFileSystem fs;
  ASSERT_TRUE(WriteStringToFile(&fs, log_.content, "/in.sst").ok());
  FileOptions file_options;
  file_options.use_direct_reads = IsDirect();
  std::unique_ptr<FSRandomAccessFile> file;
  ASSERT_TRUE(
      fs.NewRandomAccessFile("/in.sst", file_options, &file, nullptr).ok());
  InputStream stream(std::move(file), "/in.sst", options_);
  EXPECT_EQ(stream.use_direct_io(), IsDirect());
  ReadAll(&stream, 12345);
}

// ---- In flight ----

// A model of a reader: blocks that follow each other, jumps, other ranges.
TEST_P(InputStreamTest, AnySequenceUnderAGovernor) {
  Govern();
  log_.content = PatternBytes((6 << 20) + 4321);
  const uint64_t size = log_.content.size();
  for (uint64_t seed = 0; seed < 8; ++seed) {
    Random64 random(seed);
    options_.readahead_bytes = seed % 3 == 0 ? 0 : size_t{100000} << seed;
    log_.max_bytes = seed % 2 == 0 ? SIZE_MAX : 70000;
    log_.alignment = size_t{512} << (seed % 5);
    auto stream = Open();
    if (random.Uniform(2) == 0) stream->Start();
    uint64_t begin = 0;
    uint64_t end = size;
    uint64_t at = 0;
    for (int i = 0; i < 400; ++i) {
      const uint64_t what = random.Uniform(60);
      if (what == 0) {
        begin = random.Uniform(size);
        end = begin + 1 + random.Uniform(size - begin);
        at = begin;
        ASSERT_TRUE(stream->SetRange(begin, end).ok());
        if (random.Uniform(2) == 0) stream->Start();
      } else if (what < 5 || at >= end) {
        at = begin + random.Uniform(end - begin);
      }
      const size_t most = size_t{1} << random.Uniform(20);
      const size_t n = std::min<uint64_t>(1 + random.Uniform(most), end - at);
      Slice result;
      const Status s = stream->Read(at, n, &result);
      ASSERT_TRUE(s.ok()) << s.ToString();
      ASSERT_TRUE(result == Slice(log_.content.data() + at, n)) << at;
      at += n;
      device_.Work(random.Uniform(300000));
    }
  }
  EXPECT_GT(governor_.Stats().classes[3].requests, 100u);
}

TEST_P(InputStreamTest, AllReadIsToldOnceAndTheFileIsClosed) {
  Govern();
  log_.content = PatternBytes((3 << 20) + 17);
  for (const uint64_t end : {uint64_t{1}, uint64_t{4096}, uint64_t{1000001},
                             uint64_t{log_.content.size()}}) {
    log_.close_count = 0;
    int told = 0;
    uint64_t last = 0;
    options_.on_all_read = [&] {
      ++told;
      EXPECT_EQ(log_.close_count, 1);
      EXPECT_EQ(IoLane::OfThisThread()->in_flight(), 0u);
    };
    auto stream = Open();
    ASSERT_TRUE(stream->SetRange(0, end).ok());
    Slice result;
    for (uint64_t at = 0; at < end; at += 1500) {
      EXPECT_LE(told, 1);
      last = std::min<uint64_t>(1500, end - at);
      ASSERT_TRUE(stream->Read(at, last, &result).ok());
      ASSERT_TRUE(result == Slice(log_.content.data() + at, last));
      device_.Work(1000);
    }
    EXPECT_EQ(told, 1);
    EXPECT_EQ(log_.close_count, 1);
    // The last block is still there, what is passed is not.
    EXPECT_TRUE(stream->Read(end - 1, 1, &result).ok());
    if (end > 2u << 20) {
      EXPECT_TRUE(stream->Read(0, 1, &result).IsNotSupported());
    }
    stream.reset();
    EXPECT_EQ(told, 1);
    EXPECT_EQ(log_.close_count, 1);
  }
}

TEST_P(InputStreamTest, AFileThatEndsEarlyIsToldAsAllRead) {
  log_.content = PatternBytes(100001);
  options_.file_size = 5 << 20;
  int told = 0;
  options_.on_all_read = [&told] { ++told; };
  auto stream = Open();
  Slice result;
  ASSERT_TRUE(stream->Read(0, 1000, &result).ok());
  // Also for a block that needs a larger ring.
  EXPECT_TRUE(stream->Read(1000, 3 << 20, &result).IsCorruption());
  EXPECT_TRUE(stream->Read(1000, 300000, &result).IsCorruption());
  ASSERT_TRUE(stream->Read(1000, 99001, &result).ok());
  EXPECT_TRUE(result == Slice(log_.content.data() + 1000, 99001));
  EXPECT_EQ(told, 1);
}

TEST_P(InputStreamTest, GoesBackInAFileThatEndsEarly) {
  log_.content = PatternBytes(700001);
  options_.file_size = 900000;
  auto stream = Open();
  Slice result;
  EXPECT_TRUE(stream->Read(650000, 60000, &result).IsCorruption());
  for (int i = 0; i < 2; ++i) {
    for (size_t at = 0; at < 700000; at += 7000) {
      ASSERT_TRUE(stream->Read(at, 7000, &result).ok());
      ASSERT_TRUE(result == Slice(log_.content.data() + at, 7000));
    }
    EXPECT_TRUE(stream->Read(700000, 2, &result).IsCorruption());
  }
}

TEST_P(InputStreamTest, UnknownSizes) {
  log_.content = PatternBytes(700001);
  log_.knows_size = false;
  auto stream = Open();
  ReadAll(stream.get(), 10000);
  Slice result;
  EXPECT_TRUE(stream->Read(700000, 2, &result).IsCorruption());
  EXPECT_TRUE(stream->Read(UINT64_MAX - 5, 5, &result).IsCorruption());
}

// A bad place in the middle concerns only who reads it.
TEST_P(InputStreamTest, AnErrorAheadWaitsForItsReader) {
  log_.content = PatternBytes(4 << 20);
  options_.readahead_bytes = 2 << 20;
  auto stream = Open();
  Slice result;
  ASSERT_TRUE(stream->Read(0, 4096, &result).ok());
  const int calls = static_cast<int>(log_.Calls().size());
  log_.fail_at = calls + 2;
  log_.fail_count = 1;
  int failures = 0;
  for (uint64_t at = 0; at < log_.content.size();) {
    const Status s = stream->Read(at, 4096, &result);
    if (s.ok()) {
      ASSERT_TRUE(result == Slice(log_.content.data() + at, 4096));
      at += 4096;
      device_.Work(4096);
      continue;
    }
    ++failures;
    EXPECT_TRUE(s.IsIOError());
    EXPECT_NE(s.ToString().find("in.sst"), std::string::npos);
  }
  EXPECT_EQ(failures, 1);
}

TEST_P(InputStreamTest, GoneInTheMiddleLeavesNothing) {
  Govern();
  log_.content = PatternBytes(4 << 20);
  for (uint64_t stop = 0; stop < (3u << 20); stop += 300001) {
    log_.close_count = 0;
    auto stream = Open();
    stream->Start();
    Slice result;
    for (uint64_t at = 0; at < stop; at += 50000) {
      ASSERT_TRUE(stream->Read(at, 50000, &result).ok());
    }
    stream.reset();
    EXPECT_EQ(log_.close_count, 1);
    EXPECT_EQ(pool_.LeasedBytes(), 0u);
    EXPECT_EQ(governor_.Stats().classes[3].bytes_in_flight, 0u);
  }
}

TEST_P(InputStreamTest, ManyStreamsOfOneThread) {
  Govern();
  log_.content = PatternBytes(2 << 20);
  std::vector<std::unique_ptr<InputStream>> streams;
  for (int i = 0; i < 12; ++i) {
    streams.push_back(Open());
    streams.back()->Start();
  }
  for (uint64_t at = 0; at < log_.content.size(); at += 8192) {
    for (auto& stream : streams) {
      Slice result;
      ASSERT_TRUE(stream->Read(at, 8192, &result).ok());
      ASSERT_TRUE(result == Slice(log_.content.data() + at, 8192));
    }
  }
}

TEST_P(InputStreamTest, TheRateLimiterIsChargedForWhatIsAsked) {
  Govern();
  log_.content = PatternBytes(1 << 20);
  const std::unique_ptr<RateLimiter> limiter(NewGenericRateLimiter(
      int64_t{1} << 40, 100'000, 10, RateLimiter::Mode::kReadsOnly));
  options_.rate_limiter = limiter.get();
  auto stream = Open();
  ReadAll(stream.get(), 10000);
  EXPECT_EQ(limiter->GetTotalBytesThrough(Env::IO_LOW), 1 << 20);
}

// ---- Real files ----

int OpenDescriptors() {
  DIR* const dir = opendir("/proc/self/fd");
  if (dir == nullptr) return -1;
  int count = 0;
  while (readdir(dir) != nullptr) ++count;
  closedir(dir);
  return count;
}

TEST_P(InputStreamTest, ReadsRealFilesAndLeavesNoDescriptor) {
  Govern();
  FileSystem* const fs = FileSystem::Default().get();
  options_.fs = fs;
  if (options_.backend == IoBackend::kFileSystem) {
    options_.backend = BestReadBackend(fs);
  }
  const TempDir dir;
  const std::string path = dir.File("in.sst");
  log_.content = PatternBytes((3 << 20) + 1001);
  ASSERT_TRUE(WriteStringToFile(fs, log_.content, path, true).ok());
  FileOptions file_options;
  file_options.use_direct_reads = IsDirect();
  // The ring and the helpers of this thread are there from now on.
  for (int round = -1, before = 0; round < 6; ++round) {
    if (round == 0) before = OpenDescriptors();
    std::unique_ptr<FSRandomAccessFile> file;
    const IOStatus opened =
        fs->NewRandomAccessFile(path, file_options, &file, nullptr);
    if (!opened.ok() && IsDirect()) GTEST_SKIP() << "direct I/O is refused";
    ASSERT_TRUE(opened.ok());
    InputStream stream(std::move(file), path, options_);
    stream.Start();
    Random64 random(static_cast<uint64_t>(round + 1));
    uint64_t at = 0;
    for (int i = 0; i < 200 + round * 50; ++i) {
      const uint64_t left = log_.content.size() - at;
      const size_t n = std::min<uint64_t>(1 + random.Uniform(70000), left);
      Slice result;
      ASSERT_TRUE(stream.Read(at, n, &result).ok());
      ASSERT_TRUE(result == Slice(log_.content.data() + at, n)) << at;
      at = random.Uniform(40) == 0 || n == left
               ? random.Uniform(log_.content.size())
               : at + n;
    }
    if (round > 0) {
      EXPECT_LE(OpenDescriptors(), before + 1);
    }
  }
}

// ---- Overlap ----

// A virtual device: the time a job takes is known exactly.
class ReadOverlapTest : public testing::TestWithParam<double> {};

INSTANTIATE_TEST_SUITE_P(ComputePerDevice, ReadOverlapTest,
                         testing::Values(0.25, 0.5, 0.9, 1.1, 2.0, 4.0));

TEST_P(ReadOverlapTest, TakesTheLongerOfComputingAndReading) {
  FakeDevice device;
  device.nanos_per_byte = 1;
  device.latency = 20'000;
  ReadLog log;
  log.content = PatternBytes(32 << 20);
  InputStreamOptions options;
  options.backend = IoBackend::kFileSystem;
  options.fs = &device;
  InputStream stream(std::make_unique<DeviceReadableFile>(&log, &device),
                     "in.sst", options);
  stream.Start();
  const auto per_block = static_cast<uint64_t>(GetParam() * 4096);
  uint64_t computed = 0;
  for (uint64_t at = 0; at < log.content.size(); at += 4096) {
    Slice result;
    ASSERT_TRUE(stream.Read(at, 4096, &result).ok());
    device.Work(per_block);
    computed += per_block;
  }
  const uint64_t longer = std::max(computed, device.busy);
  EXPECT_GE(device.now, longer);
  EXPECT_LE(device.now, longer + longer / 10);
}

}  // namespace

}  // namespace ROCKSDB_NAMESPACE

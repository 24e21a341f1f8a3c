// Records of every size are written as the format says, wherever blocks end,
// and after the first error nothing more is written.
#include "db/wal/log_writer.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "tests/db/wal/log_file.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {
namespace {

struct LogForm {
  const char* name;
  bool recyclable;
};

class LogWriterTest : public testing::TestWithParam<LogForm> {
 protected:
  log::WriterOptions options() const {
    log::WriterOptions options;
    options.log_number = 42;
    options.recyclable = GetParam().recyclable;
    return options;
  }
  size_t header_size() const { return GetParam().recyclable ? 11 : 7; }

  void ExpectReadsAs(const std::vector<std::string>& records) {
    for (WALRecoveryMode mode : kAllModes) {
      const LogContents log = ReadLog(contents_, mode, 42);
      EXPECT_EQ(log.records, records);
      EXPECT_TRUE(log.reports.empty());
      EXPECT_EQ(log.old_records, 0);
    }
  }

  std::string contents_;
};

TEST_P(LogWriterTest, RecordsOfEverySizeComeBack) {
  Random64 random(5);
  const auto writer = NewLogWriter(&contents_, options());
  std::vector<std::string> records;
  for (size_t size : {0, 1, 6, 7, 11, 1000, 32750, 32757, 32761, 32768, 98304,
                      200000, 0, 3}) {
    records.emplace_back(size, static_cast<char>('a' + records.size()));
    ASSERT_TRUE(writer->AddRecord(records.back()).ok());
    EXPECT_EQ(writer->size(), contents_.size());
  }
  for (int i = 0; i < 300; ++i) {
    records.emplace_back(random.Uniform(3000), 'r');
    ASSERT_TRUE(writer->AddRecord(records.back()).ok());
  }
  ExpectReadsAs(records);
}

// Said once in a log, in one piece, wherever the log is.
TEST_P(LogWriterTest, TimestampSizes) {
  for (size_t left = 0; left <= 2 * header_size() + 10; ++left) {
    SCOPED_TRACE(left);
    contents_.clear();
    const auto writer = NewLogWriter(&contents_, options());
    const std::string first(log::kBlockSize - header_size() - left, 'x');
    ASSERT_TRUE(writer->AddRecord(first).ok());
    std::map<uint32_t, uint16_t> sizes = {{3, 8}};
    ASSERT_TRUE(writer->AddTimestampSizes(sizes).ok());
    const uint64_t said = writer->size();
    ASSERT_TRUE(writer->AddTimestampSizes(sizes).ok());
    ASSERT_EQ(writer->size(), said);
    ASSERT_TRUE(writer->AddRecord("second").ok());
    sizes[7] = 16;
    ASSERT_TRUE(writer->AddTimestampSizes(sizes).ok());
    EXPECT_GT(writer->size(), said);
    ASSERT_TRUE(writer->AddRecord("third").ok());
    EXPECT_EQ(writer->size(), contents_.size());
    ExpectReadsAs({first, "second", "third"});
    const LogContents log =
        ReadLog(contents_, WALRecoveryMode::kAbsoluteConsistency, 42);
    EXPECT_EQ(log.timestamp_sizes, sizes);
  }
}

// Every way in which a record can end near the end of a block.
TEST_P(LogWriterTest, BlockEnds) {
  for (size_t left = 0; left <= 2 * header_size() + 2; ++left) {
    SCOPED_TRACE(left);
    contents_.clear();
    const auto writer = NewLogWriter(&contents_, options());
    const std::string first(log::kBlockSize - header_size() - left, 'x');
    ASSERT_TRUE(writer->AddRecord(first).ok());
    ASSERT_EQ(contents_.size(), log::kBlockSize - left);
    ASSERT_TRUE(writer->AddRecord("").ok());
    ASSERT_TRUE(writer->AddRecord("second").ok());
    ExpectReadsAs({first, "", "second"});
  }
}

TEST_P(LogWriterTest, ContinuesAFile) {
  std::vector<std::string> records;
  for (int i = 0; i < 60; ++i) {
    log::WriterOptions continued = options();
    continued.file_offset = contents_.size();
    const auto writer = NewLogWriter(&contents_, continued);
    EXPECT_EQ(writer->size(), contents_.size());
    records.emplace_back(static_cast<size_t>(i) * 97, 'c');
    ASSERT_TRUE(writer->AddRecord(records.back()).ok());
  }
  ExpectReadsAs(records);
}

TEST_P(LogWriterTest, ManualFlushHoldsRecordsBack) {
  log::WriterOptions manual = options();
  manual.manual_flush = true;
  const auto writer = NewLogWriter(&contents_, manual);
  ASSERT_TRUE(writer->AddRecord("one").ok());
  EXPECT_TRUE(contents_.empty());
  ASSERT_TRUE(writer->Flush().ok());
  ExpectReadsAs({"one"});
  ASSERT_TRUE(writer->AddRecord("two").ok());
  ASSERT_TRUE(writer->Close().ok());
  ExpectReadsAs({"one", "two"});
}

// After the first failure nothing more is written, and every call says so.
TEST_P(LogWriterTest, TheFirstErrorSticks) {
  for (int fail_at = 0; fail_at < 12; ++fail_at) {
    SCOPED_TRACE(fail_at);
    contents_.clear();
    const auto writer = NewLogWriter(&contents_, options(), fail_at);
    bool failed = false;
    for (int i = 0; i < 8; ++i) {
      IOStatus s = writer->AddRecord(std::string(10000, 'a' + i));
      if (s.ok() && i % 3 == 0) s = writer->Sync(/*use_fsync=*/false);
      EXPECT_TRUE(!failed || !s.ok());
      failed = failed || !s.ok();
      if (failed) {
        EXPECT_TRUE(writer->status().IsIOError());
        EXPECT_FALSE(writer->Sync(false).ok());
        EXPECT_FALSE(writer->Flush().ok());
      }
    }
    EXPECT_TRUE(failed);
    EXPECT_FALSE(writer->Close().ok());
  }
}

INSTANTIATE_TEST_SUITE_P(Forms, LogWriterTest,
                         testing::Values(LogForm{"Plain", false},
                                         LogForm{"Recyclable", true}),
                         [](const auto& info) {
                           return std::string(info.param.name);
                         });

TEST(LogWriter, WritesTheBytesOfTheFormat) {
  // The second record of r119_two_cf.000004.log, and of the recycled one.
  std::string contents;
  const std::string batch(
      "\x0f\0\0\0\0\0\0\0\x01\0\0\0\x01\x05"
      "apple\x05green",
      25);
  ASSERT_TRUE(NewLogWriter(&contents, {})->AddRecord(batch).ok());
  EXPECT_EQ(contents, TestLog("r119_two_cf.000004").substr(0xb5, 7 + 25));

  contents.clear();
  const std::string recycled(
      "\x04\0\0\0\0\0\0\0\x01\0\0\0\x01\x01"
      "c\x01"
      "3",
      17);
  ASSERT_TRUE(NewLogWriter(&contents, {.log_number = 10, .recyclable = true})
                  ->AddRecord(recycled)
                  .ok());
  const std::string stock = TestLog("r119_predecessor_info_recyclable.000010");
  EXPECT_EQ(contents, stock.substr(stock.size() - 28));
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

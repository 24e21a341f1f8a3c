// Logs that are compressed, that take over the file of an older one, and that
// say what the one before was: written by us, read back.
#include "db/wal/log_compression.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/db/wal/log_file.h"
#include "util/compression.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {
namespace {

struct Form {
  bool recyclable;
  bool is_compressed;
};

class LogFormsTest : public ::testing::TestWithParam<Form> {
 protected:
  void SetUp() override {
    if (GetParam().is_compressed && !CompressionTypeSupported(kZSTD)) {
      GTEST_SKIP() << "this build lacks the codec";
    }
  }
  static log::WriterOptions OptionsOf(uint64_t number) {
    log::WriterOptions options;
    options.log_number = number;
    options.recyclable = GetParam().recyclable;
    options.is_compressed = GetParam().is_compressed;
    return options;
  }
  static std::vector<std::string> Records(uint64_t seed, int count) {
    Random64 random(seed);
    std::vector<std::string> records;
    for (int i = 0; i < count; ++i) {
      std::string record(random.Uniform(i % 10 == 0 ? 100000 : 2000), 'r');
      // Half of it does not compress.
      for (size_t at = 0; at < record.size() / 2; ++at) {
        record[at] = static_cast<char>(random.Next());
      }
      records.push_back(std::move(record));
    }
    records.emplace_back();
    return records;
  }
  static std::string Write(uint64_t number,
                           const std::vector<std::string>& records) {
    std::string contents;
    const auto writer = NewLogWriter(&contents, OptionsOf(number));
    for (const std::string& record : records) {
      EXPECT_TRUE(writer->AddRecord(record).ok());
      EXPECT_EQ(writer->size(), contents.size());
    }
    return contents;
  }
};

TEST_P(LogFormsTest, RecordsComeBack) {
  const std::vector<std::string> records = Records(1, 200);
  const std::string contents = Write(42, records);
  for (const WALRecoveryMode mode : kAllModes) {
    const LogContents log = ReadLog(contents, mode, 42);
    EXPECT_EQ(log.records, records);
    EXPECT_TRUE(log.reports.empty());
  }
}

// Fault class 9: behind the last record is what the older log left there.
TEST_P(LogFormsTest, StaleTailsAreNeverRead) {
  const std::string old = Write(8, Records(2, 60));
  const std::vector<std::string> records = Records(3, 40);
  for (size_t count = 0; count <= records.size(); ++count) {
    const std::vector<std::string> some(records.begin(),
                                        records.begin() + count);
    const std::string fresh = Write(12, some);
    if (fresh.size() >= old.size() || !GetParam().recyclable) continue;
    const std::string file = fresh + old.substr(fresh.size());
    for (const WALRecoveryMode mode : kAllModes) {
      SCOPED_TRACE(std::to_string(count) + " records, mode " +
                   std::to_string(static_cast<int>(mode)));
      EXPECT_EQ(ReadLog(file, mode, 12).records, some);
    }
  }
}

// Reading that begins at a block passes over the record that is cut there.
TEST_P(LogFormsTest, ReadingFromTheMiddle) {
  const std::vector<std::string> records = Records(4, 60);
  const std::string contents = Write(42, records);
  for (size_t at = log::kBlockSize; at < contents.size();
       at += log::kBlockSize) {
    LogContents log;
    log::Reader::Options options;
    options.log_number = 42;
    options.start_offset = at;
    options.is_compressed = GetParam().is_compressed;
    log::Reader reader(
        std::make_unique<SequentialFileReader>(
            std::make_unique<StringSource>(contents.substr(at)), "test.log"),
        &log, options);
    Slice record;
    std::string scratch;
    while (reader.ReadRecord(&record, &scratch)) {
      log.records.push_back(record.ToString());
    }
    EXPECT_TRUE(log.reports.empty());
    EXPECT_EQ(reader.LastRecordEnd(), contents.size());
    ASSERT_LE(log.records.size(), records.size());
    EXPECT_TRUE(
        std::equal(log.records.rbegin(), log.records.rend(), records.rbegin()));
  }
}

TEST_P(LogFormsTest, ThePredecessorIsTold) {
  std::string contents;
  const auto writer = NewLogWriter(&contents, OptionsOf(42));
  const log::PredecessorInfo before{
      .log_number = 41, .size_bytes = 777, .last_sequence = 99};
  ASSERT_TRUE(writer->AddPredecessor(before).ok());
  ASSERT_TRUE(writer->AddRecord("record").ok());
  LogContents log;
  log::Reader::Options options;
  options.log_number = 42;
  log::Reader reader(std::make_unique<SequentialFileReader>(
                         std::make_unique<StringSource>(contents), "test.log"),
                     &log, options);
  Slice record;
  std::string scratch;
  ASSERT_TRUE(reader.ReadRecord(&record, &scratch));
  EXPECT_EQ(record, Slice("record"));
  ASSERT_TRUE(reader.predecessor().has_value());
  EXPECT_EQ(*reader.predecessor(), before);
  EXPECT_TRUE(log.reports.empty());
}

INSTANTIATE_TEST_SUITE_P(
    Forms, LogFormsTest,
    ::testing::Values(Form{false, false}, Form{false, true}, Form{true, false},
                      Form{true, true}),
    [](const auto& info) {
      return std::string(info.param.recyclable ? "Recyclable" : "Plain") +
             (info.param.is_compressed ? "Compressed" : "");
    });

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

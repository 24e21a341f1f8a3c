// Log lines carry time, thread and level, respect the chosen level, and are in
// the file when the call returns.
#include "env/env_logger.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "env/mem_file_system.h"
#include "rocksdb/file_checksum.h"
#include "tests/testing/mock_clock.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class EnvLoggerTest : public ::testing::Test {
 protected:
  std::shared_ptr<Logger> Open(InfoLogLevel level = INFO_LEVEL) {
    std::unique_ptr<FSWritableFile> file;
    EXPECT_TRUE(
        fs_->NewWritableFile("/LOG", FileOptions(), &file, nullptr).ok());
    return std::make_shared<EnvLogger>(std::move(file), clock_, level);
  }
  std::string Text() {
    std::string text;
    EXPECT_TRUE(ReadFileToString(fs_.get(), "/LOG", &text).ok());
    return text;
  }

  const std::shared_ptr<MockClock> clock_ =
      std::make_shared<MockClock>(1'000'000'123'456);
  std::shared_ptr<MemFileSystem> fs_ = std::make_shared<MemFileSystem>(clock_);
};

TEST_F(EnvLoggerTest, LinesHaveTimeThreadAndLevel) {
  const std::shared_ptr<Logger> logger = Open();
  Info(logger, "one %d", 1);
  Warn(logger, "two");
  ASSERT_TRUE(logger->Close().ok());
  const std::string text = Text();
  EXPECT_EQ(text.size(), logger->GetLogFileSize());
  EXPECT_NE(text.find(".123456 "), std::string::npos);
  EXPECT_NE(text.find(" one 1\n"), std::string::npos);
  EXPECT_NE(text.find(" [WARN] two\n"), std::string::npos);
}

TEST_F(EnvLoggerTest, LevelsBelowTheChosenOneAreDropped) {
  const std::shared_ptr<Logger> logger = Open(WARN_LEVEL);
  Debug(logger, "debug");
  Info(logger, "info");
  Log(logger, "log");
  Error(logger, "error");
  Header(logger, "header");
  Log(FATAL_LEVEL, logger, "fatal");
  ASSERT_TRUE(logger->Close().ok());
  const std::string text = Text();
  for (const char* word : {"debug", "info", "log"}) {
    EXPECT_EQ(text.find(word), std::string::npos) << word;
  }
  for (const char* word : {"[ERROR] error", "header", "[FATAL] fatal"}) {
    EXPECT_NE(text.find(word), std::string::npos) << word;
  }
}

// What leads to a crash is in the file, and so is the last line of a quiet
// database.
TEST_F(EnvLoggerTest, EachLineIsInTheFileWhenTheCallReturns) {
  const std::shared_ptr<Logger> logger = Open(DEBUG_LEVEL);
  for (const InfoLogLevel level : {DEBUG_LEVEL, INFO_LEVEL, WARN_LEVEL,
                                   ERROR_LEVEL, FATAL_LEVEL, HEADER_LEVEL}) {
    Log(level, logger, "line %d", static_cast<int>(level));
    const std::string line = "line " + std::to_string(level) + "\n";
    EXPECT_TRUE(Text().ends_with(line)) << level;
    EXPECT_EQ(Text().size(), logger->GetLogFileSize());
  }
}

TEST_F(EnvLoggerTest, LinesAfterCloseAreDropped) {
  const std::shared_ptr<Logger> logger = Open();
  Info(logger, "before");
  ASSERT_TRUE(logger->Close().ok());
  const std::string text = Text();
  Info(logger, "after");
  EXPECT_EQ(Text(), text);
}

TEST_F(EnvLoggerTest, LongLinesAreWhole) {
  const std::shared_ptr<Logger> logger = Open();
  const std::string longer(5'000, 'x');
  Info(logger, "%s|", longer.c_str());
  EXPECT_NE(Text().find(longer + "|\n"), std::string::npos);
}

TEST_F(EnvLoggerTest, CloseAnswersTheFirstError) {
  MemFileSystemOptions options;
  options.capacity_bytes = 10;
  fs_ = std::make_shared<MemFileSystem>(clock_, options);
  const std::shared_ptr<Logger> logger = Open();
  Error(logger, "more than ten bytes");
  EXPECT_TRUE(logger->Close().IsNoSpace());
}

TEST_F(EnvLoggerTest, NullLoggersSwallowLines) {
  Info(static_cast<Logger*>(nullptr), "x");
  Log(std::shared_ptr<Logger>(), "x");
  LogFlush(static_cast<Logger*>(nullptr));
}

TEST(FileChecksumTest, Crc32cIsBigEndian) {
  const auto factory = GetFileChecksumGenCrc32cFactory();
  FileChecksumGenContext context;
  const auto generator = factory->CreateFileChecksumGenerator(context);
  generator->Update("1234", 4);
  generator->Update("56789", 5);
  generator->Finalize();
  // The check value of CRC-32C.
  EXPECT_EQ(generator->GetChecksum(), std::string("\xe3\x06\x92\x83", 4));
  EXPECT_STREQ(generator->Name(), "FileChecksumCrc32c");
  context.requested_checksum_func_name = "other";
  EXPECT_EQ(factory->CreateFileChecksumGenerator(context), nullptr);
}

TEST(FileChecksumTest, ListFindsWhatWasInserted) {
  const std::unique_ptr<FileChecksumList> list(NewFileChecksumList());
  ASSERT_TRUE(list->InsertOneFileChecksum(7, "sum", "func").ok());
  std::string sum;
  std::string func;
  ASSERT_TRUE(list->SearchOneFileChecksum(7, &sum, &func).ok());
  EXPECT_EQ(sum, "sum");
  EXPECT_EQ(func, "func");
  EXPECT_TRUE(list->SearchOneFileChecksum(8, &sum, &func).IsNotFound());
  ASSERT_TRUE(list->RemoveOneFileChecksum(7).ok());
  EXPECT_TRUE(list->RemoveOneFileChecksum(7).IsNotFound());
  EXPECT_EQ(list->size(), 0u);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

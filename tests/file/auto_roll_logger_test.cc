// LOG files roll by size and age, keep a few old ones and their headers, and
// lose no line among many threads.
#include "file/auto_roll_logger.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "env/composite_env.h"
#include "env/mem_file_system.h"
#include "tests/testing/mock_clock.h"

namespace ROCKSDB_NAMESPACE {

namespace {

class AutoRollLoggerTest : public testing::Test {
 protected:
  AutoRollLoggerTest() {
    EXPECT_TRUE(fs_->CreateDir("/db", IOOptions(), nullptr).ok());
    options_.fs = fs_;
    options_.clock = clock_;
    options_.db_name = "/db";
    options_.db_path = "/db";
  }
  std::vector<std::string> Logs(const std::string& dir = "/db") {
    std::vector<std::string> names;
    EXPECT_TRUE(fs_->GetChildren(dir, IOOptions(), &names, nullptr).ok());
    std::sort(names.begin(), names.end());
    return names;
  }
  std::string Content(const std::string& name) {
    std::string text;
    EXPECT_TRUE(ReadFileToString(fs_.get(), name, &text).ok());
    return text;
  }

  const std::shared_ptr<MockClock> clock_ = std::make_shared<MockClock>();
  const std::shared_ptr<MemFileSystem> fs_ =
      std::make_shared<MemFileSystem>(clock_);
  RollingLogOptions options_;
};

TEST_F(AutoRollLoggerTest, RollsBySizeAndKeepsAFew) {
  options_.max_file_bytes = 2000;
  options_.keep_file_count = 3;
  AutoRollLogger logger(options_);
  ASSERT_TRUE(logger.GetStatus().ok());
  Header(&logger, "the header %d", 42);
  for (int i = 0; i < 200; ++i) {
    clock_->Advance(10);
    Info(&logger, "line %d %s", i, std::string(100, 'x').c_str());
  }
  ASSERT_TRUE(logger.Close().ok());
  EXPECT_EQ(Logs().size(), 3u);
  for (const std::string& name : Logs()) {
    EXPECT_NE(Content("/db/" + name).find("the header 42"), std::string::npos);
    EXPECT_LE(Content("/db/" + name).size(), 2600u);
  }
  EXPECT_NE(Content("/db/LOG").find("line 199"), std::string::npos);
}

TEST_F(AutoRollLoggerTest, RollsByAge) {
  options_.max_age_seconds = 10;
  AutoRollLogger logger(options_);
  Info(&logger, "first");
  clock_->Advance(9'000'000);
  Info(&logger, "second");
  EXPECT_EQ(Logs(), std::vector<std::string>{"LOG"});
  clock_->Advance(1'000'000);
  Info(&logger, "third");
  ASSERT_EQ(Logs().size(), 2u);
  EXPECT_NE(Content("/db/LOG").find("third"), std::string::npos);
  EXPECT_EQ(Content("/db/LOG").find("first"), std::string::npos);
}

// In microseconds that age would be 0.
TEST_F(AutoRollLoggerTest, AnAgeThatNeverComes) {
  options_.max_age_seconds = uint64_t{1} << 58;
  AutoRollLogger logger(options_);
  Info(&logger, "first");
  clock_->Advance(9'000'000);
  Info(&logger, "second");
  EXPECT_EQ(Logs(), std::vector<std::string>{"LOG"});
}

TEST_F(AutoRollLoggerTest, DropsLinesBelowTheLevel) {
  options_.level = InfoLogLevel::WARN_LEVEL;
  AutoRollLogger logger(options_);
  Info(&logger, "quiet");
  Warn(&logger, "loud");
  logger.SetInfoLogLevel(InfoLogLevel::INFO_LEVEL);
  Info(&logger, "now heard");
  ASSERT_TRUE(logger.Close().ok());
  const std::string text = Content("/db/LOG");
  EXPECT_EQ(text.find("quiet"), std::string::npos);
  EXPECT_NE(text.find("loud"), std::string::npos);
  EXPECT_NE(text.find("now heard"), std::string::npos);
}

// What leads to a crash is in the file.
TEST_F(AutoRollLoggerTest, NoLineIsKeptBack) {
  options_.max_file_bytes = 1 << 20;
  AutoRollLogger logger(options_);
  Header(&logger, "the header");
  EXPECT_TRUE(Content("/db/LOG").ends_with(" the header\n"));
  Info(&logger, "quiet");
  EXPECT_TRUE(Content("/db/LOG").ends_with(" quiet\n"));
  Warn(&logger, "loud");
  EXPECT_TRUE(Content("/db/LOG").ends_with(" [WARN] loud\n"));
}

// Else a file with more headers than the limit allows would be rolled at each
// line, and of all that was logged only headers would be kept.
TEST_F(AutoRollLoggerTest, HeadersDoNotCountForTheSize) {
  options_.max_file_bytes = 1000;
  AutoRollLogger logger(options_);
  for (int i = 0; i < 50; ++i) {
    Header(&logger, "header %d %s", i, std::string(100, 'h').c_str());
  }
  EXPECT_EQ(Logs().size(), 1u);
  for (int i = 0; i < 20; ++i) {
    clock_->Advance(10);
    Info(&logger, "line %d %s", i, std::string(200, 'x').c_str());
  }
  ASSERT_TRUE(logger.Close().ok());
  // Four or five lines a file.
  EXPECT_GE(Logs().size(), 4u);
  EXPECT_LE(Logs().size(), 6u);
  for (const std::string& name : Logs()) {
    EXPECT_NE(Content("/db/" + name).find("header 49"), std::string::npos);
  }
}

TEST_F(AutoRollLoggerTest, MovesTheLogOfBeforeAway) {
  ASSERT_TRUE(WriteStringToFile(fs_.get(), "before", "/db/LOG").ok());
  const uint64_t now = clock_->NowMicros();
  // A name that is taken is not overwritten.
  const std::string taken = "/db/LOG.old." + std::to_string(now);
  ASSERT_TRUE(WriteStringToFile(fs_.get(), "taken", taken).ok());
  std::shared_ptr<Logger> logger;
  ASSERT_TRUE(OpenNewInfoLog(options_, &logger).ok());
  EXPECT_EQ(Content(taken), "taken");
  EXPECT_EQ(Content("/db/LOG.old." + std::to_string(now + 1)), "before");
}

TEST_F(AutoRollLoggerTest, AFileThatCannotBeOpenedIsReported) {
  options_.db_name = "/missing";
  AutoRollLogger logger(options_);
  EXPECT_FALSE(logger.GetStatus().ok());
  Info(&logger, "goes nowhere");
  EXPECT_EQ(logger.GetLogFileSize(), 0u);
}

TEST_F(AutoRollLoggerTest, ThreadsMayLogWhileItRolls) {
  options_.max_file_bytes = 1000;
  options_.keep_file_count = 1000;
  AutoRollLogger logger(options_);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&logger, t] {
      for (int i = 0; i < 100; ++i) Info(&logger, "<%d-%d>", t, i);
    });
  }
  for (std::thread& thread : threads) thread.join();
  ASSERT_TRUE(logger.Close().ok());
  std::string all;
  for (const std::string& name : Logs()) all += Content("/db/" + name);
  for (int t = 0; t < 4; ++t) {
    for (int i = 0; i < 100; ++i) {
      const std::string line =
          "<" + std::to_string(t) + "-" + std::to_string(i) + ">";
      EXPECT_NE(all.find(line), std::string::npos) << line;
    }
  }
}

TEST_F(AutoRollLoggerTest, OptionsChooseTheKind) {
  CompositeEnvWrapper env(Env::Default(), fs_, clock_);
  DBOptions options;
  options.env = &env;
  options.info_log_level = InfoLogLevel::ERROR_LEVEL;
  std::shared_ptr<Logger> logger;
  ASSERT_TRUE(CreateLoggerFromOptions("/new", options, &logger).ok());
  EXPECT_EQ(logger->GetInfoLogLevel(), InfoLogLevel::ERROR_LEVEL);
  EXPECT_EQ(Logs("/new"), std::vector<std::string>{"LOG"});

  options.max_log_file_size = 100;
  options.db_log_dir = "/logs";
  ASSERT_TRUE(CreateLoggerFromOptions("/new", options, &logger).ok());
  EXPECT_NE(dynamic_cast<AutoRollLogger*>(logger.get()), nullptr);
  EXPECT_EQ(Logs("/logs"), std::vector<std::string>{"new_LOG"});

  options.info_log = logger;
  std::shared_ptr<Logger> given;
  ASSERT_TRUE(CreateLoggerFromOptions("/x", options, &given).ok());
  EXPECT_EQ(given, logger);
}

}  // namespace

}  // namespace ROCKSDB_NAMESPACE

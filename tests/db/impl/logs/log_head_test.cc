// LOG: what it begins with, what it tells at DEBUG level, and that its lines
// are there at once.
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "rocksdb/cache.h"
#include "rocksdb/convenience.h"
#include "rocksdb/utilities/table_properties_collectors.h"
#include "rocksdb/version.h"
#include "tests/db/impl/db_fixture.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class LogHeadTest : public DbFixture {
 protected:
  std::string Log(const std::string& path) {
    std::string text;
    EXPECT_OK(ReadFileToString(Env::Default(), path + "/LOG", &text));
    return text;
  }
  std::string Log() { return Log(path_); }
  // The messages, without date, time and thread.
  std::vector<std::string> Messages() {
    std::vector<std::string> messages;
    std::istringstream text(Log());
    for (std::string line; std::getline(text, line);) {
      const bool has_time = line.starts_with("20") && line.find('/') == 4;
      const size_t at = has_time ? line.find(' ', line.find(' ') + 1) + 1 : 0;
      messages.push_back(line.substr(at));
    }
    return messages;
  }
  size_t LineOf(const std::string& begin) {
    const std::vector<std::string> messages = Messages();
    for (size_t i = 0; i < messages.size(); ++i) {
      if (messages[i].starts_with(begin)) return i;
    }
    ADD_FAILURE() << begin;
    return messages.size();
  }
  size_t CountOf(const std::string& what) {
    const std::string log = Log();
    size_t count = 0;
    for (size_t at = 0; (at = log.find(what, at)) != log.npos; ++at) ++count;
    return count;
  }
};

// An open that does not get the lock must not make a LOG: it would rename the
// owner's.
TEST_F(LogHeadTest, AnOpenWithoutTheLockTouchesNothing) {
  Open();
  const auto names = [this] {
    std::vector<std::string> children;
    EXPECT_OK(Env::Default()->GetChildren(path_, &children));
    std::sort(children.begin(), children.end());
    return children;
  };
  const std::vector<std::string> before = names();
  const std::string log = Log();
  std::unique_ptr<DB> second;
  EXPECT_TRUE(DB::Open(options_, path_, &second).IsIOError());
  EXPECT_EQ(before, names());
  EXPECT_EQ(log, Log());
}

TEST_F(LogHeadTest, BeginsWithVersionsFilesOptionsAndAbilities) {
  Open();
  ASSERT_OK(Put("key", "value"));
  ASSERT_OK(Flush());
  ASSERT_OK(Put("key", "value"));
  Reopen();
  std::string session;
  ASSERT_OK(db_->GetDbSessionId(session));
  EXPECT_EQ(LineOf("RocksDB version: " + GetRocksVersionAsString()), 0u);
  size_t last = 0;
  for (const std::string& begin :
       {std::string("Git sha "),
        std::string("Basalt version: "),
        std::string("Compile date 2"),
        std::string("DB SUMMARY"),
        "DB Session ID:  " + session,
        std::string("CURRENT file:  CURRENT"),
        std::string("IDENTITY file:  IDENTITY"),
        std::string("MANIFEST file:  MANIFEST-0"),
        "SST files in " + path_ + " dir, Total Num: 1, files: 0",
        "Write Ahead Log file in " + path_ + ": 0",
        std::string("                      Options.error_if_exists: 0"),
        std::string("Compression algorithms supported:"),
        std::string("\tkZSTD supported: "),
        std::string("Fast CRC32 supported: "),
        std::string("DMutex implementation: pthread_mutex_t"),
        std::string("Jemalloc supported: "),
        std::string("--------------- Options for column family [default]:"),
        std::string("                           Options.comparator: "
                    "leveldb.BytewiseComparator"),
        std::string("           table_factory options:   flush_block_policy"),
        std::string("  cache_index_and_filter_blocks: 0")}) {
    const size_t line = LineOf(begin);
    EXPECT_GT(line, last) << begin;
    last = line;
  }
  EXPECT_EQ(CountOf(" Bytes\n"), 1u) << "of the manifest";
  EXPECT_NE(Log().find(".log size: "), std::string::npos);
}

TEST_F(LogHeadTest, TellsTheOptionsThatAreInForce) {
  BlockBasedTableOptions table;
  table.block_size = 12345;
  table.filter_policy.reset(NewBloomFilterPolicy(10));
  table.cache_index_and_filter_blocks = true;
  options_.table_factory.reset(NewBlockBasedTableFactory(table));
  options_.ttl = 4711;
  options_.max_total_wal_size = 987654;
  options_.experimental_mempurge_threshold = 0;
  Open();
  const std::string log = Log();
  for (const char* line :
       {" Options.ttl: 4711\n", " Options.max_total_wal_size: 987654\n",
        " Options.experimental_mempurge_threshold: 0.000000\n",
        "\n  block_size: 12345\n", "\n  filter_policy: bloomfilter\n",
        "\n  cache_index_and_filter_blocks: 1\n",
        "\n  block_cache_name: AutoHyperClockCache\n", "    capacity : "}) {
    EXPECT_NE(log.find(line), std::string::npos) << line;
  }
}

TEST_F(LogHeadTest, TellsWhatOptionsWereChangedTo) {
  Open();
  ASSERT_OK(db_->SetOptions({{"ttl", "100"}}));
  ASSERT_FALSE(db_->SetOptions({{"ttl", "many"}}).ok());
  ASSERT_OK(db_->SetDBOptions({{"bytes_per_sync", "77"}}));
  ASSERT_FALSE(db_->SetDBOptions({{"bytes_per_sync", "x"}}).ok());
  ASSERT_FALSE(db_->SetDBOptions({}).ok());
  for (const char* line :
       {"SetOptions() on column family [default], inputs:\n", " ttl: 100\n",
        "[default] SetOptions() succeeded\n", " ttl: many\n",
        "[WARN] [default] SetOptions() failed: Invalid argument: ",
        "SetDBOptions(), inputs:\n", " bytes_per_sync: 77\n",
        "SetDBOptions() succeeded\n", "[WARN] SetDBOptions() failed: ",
        "[WARN] SetDBOptions(), empty input.\n"}) {
    EXPECT_NE(Log().find(line), std::string::npos) << line;
  }
}

TEST_F(LogHeadTest, TellsWhatCollectorsAreSetTo) {
  options_.table_properties_collector_factories.push_back(
      NewCompactOnDeletionCollectorFactory(5, 10, 0.5));
  Open();
  EXPECT_NE(Log().find("Options.table_properties_collectors: "
                       "CompactOnDeletionCollector (Sliding window size = 5 "
                       "Deletion trigger = 10 Deletion ratio = 0.5)\n"),
            std::string::npos);
}

// A thousand families would make a LOG of nothing else.
TEST_F(LogHeadTest, TellsTheOptionsOfTenFamilies) {
  Open();
  EXPECT_EQ(CountOf("- Options for column family ["), 1u);
  std::vector<std::string> names;
  for (int i = 0; i < 12; ++i) names.push_back("f" + std::to_string(i));
  std::vector<ColumnFamilyHandle*> handles;
  ASSERT_OK(db_->CreateColumnFamilies(options_, names, &handles));
  for (ColumnFamilyHandle* handle : handles) {
    ASSERT_OK(db_->DestroyColumnFamilyHandle(handle));
  }
  EXPECT_EQ(CountOf("- Options for column family ["), 10u);
  EXPECT_EQ(CountOf("(skipping printing options)"), 3u);
  db_.reset();
  std::vector<ColumnFamilyDescriptor> families;
  names.push_back(kDefaultColumnFamilyName);
  names.push_back("missing");
  for (const std::string& name : names) families.emplace_back(name, options_);
  options_.create_missing_column_families = true;
  ASSERT_OK(DB::Open(options_, path_, families, &handles, &db_));
  EXPECT_EQ(CountOf("- Options for column family ["), 10u);
  EXPECT_EQ(CountOf("(skipping printing options)"), 4u);
  for (ColumnFamilyHandle* handle : handles) {
    ASSERT_OK(db_->DestroyColumnFamilyHandle(handle));
  }
}

TEST_F(LogHeadTest, FilesOfARolledLogBeginAlike) {
  options_.max_log_file_size = 4000;
  options_.keep_log_file_num = 1000;
  Open();
  for (int i = 0; i < 30; ++i) {
    ASSERT_OK(Put("key", "value"));
    ASSERT_OK(Flush());
  }
  // Background work logs, too, and LOG is not whole while it rolls.
  db_.reset();
  std::vector<std::string> names;
  ASSERT_OK(Env::Default()->GetChildren(path_, &names));
  const auto logs = std::count_if(
      names.begin(), names.end(),
      [](const std::string& name) { return name.starts_with("LOG.old"); });
  EXPECT_GT(logs, 0);
  // Headers do not fill files by themselves.
  EXPECT_LT(logs, 30);
  EXPECT_EQ(LineOf("RocksDB version: "), 0u);
  EXPECT_EQ(CountOf("- Options for column family [default]"), 1u);
}

TEST_F(LogHeadTest, TellsFilesAtDebugLevel) {
  options_.info_log_level = DEBUG_LEVEL;
  Open();
  EXPECT_GT(CountOf(" [DEBUG] New log file: "), 0u);
  EXPECT_GT(CountOf(" [DEBUG] Delete " + path_ + "/MANIFEST-000001 type=3"),
            0u);
  ASSERT_OK(Put("key", "value"));
  Reopen();
  EXPECT_GT(CountOf(" [DEBUG] [default] [WriteLevel0TableForRecovery]"), 0u);
  options_.info_log_level = INFO_LEVEL;
  Reopen();
  EXPECT_EQ(CountOf("[DEBUG]"), 0u);
}

// A database that cannot be opened says in LOG what it was opened with.
TEST_F(LogHeadTest, OptionsAreThereWhereOpeningFails) {
  Open();
  db_.reset();
  options_.error_if_exists = true;
  EXPECT_TRUE(TryOpen().IsInvalidArgument());
  EXPECT_GT(CountOf("Options.error_if_exists: 1\n"), 0u);
}

// What a process leaves that dies now: nothing is closed.
TEST_F(LogHeadTest, IsWholeWhileTheDatabaseIsOpen) {
  Open();
  EXPECT_EQ(LineOf("RocksDB version: "), 0u);
  EXPECT_TRUE(Log().ends_with(" opened " + path_ + "\n"));
  ASSERT_OK(Put("key", "value"));
  ASSERT_OK(Flush());
  EXPECT_EQ(CountOf("\"event\": \"flush_finished\""), 1u);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

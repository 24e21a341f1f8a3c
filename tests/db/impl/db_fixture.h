// A database in a fresh directory, for tests of the whole engine.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "rocksdb/db.h"
#include "rocksdb/env.h"
#include "rocksdb/filter_policy.h"
#include "rocksdb/statistics.h"
#include "rocksdb/table.h"
#include "tests/testing/temp_dir.h"

namespace ROCKSDB_NAMESPACE {

#define ASSERT_OK(expression)                              \
  do {                                                     \
    const ::ROCKSDB_NAMESPACE::Status s_ok = (expression); \
    ASSERT_TRUE(s_ok.ok()) << s_ok.ToString();             \
  } while (false)
#define EXPECT_OK(expression)                              \
  do {                                                     \
    const ::ROCKSDB_NAMESPACE::Status s_ok = (expression); \
    EXPECT_TRUE(s_ok.ok()) << s_ok.ToString();             \
  } while (false)

class DbFixture : public ::testing::Test {
 protected:
  DbFixture() : directory_("db"), path_(directory_.path() + "/db") {
    options_.create_if_missing = true;
    options_.compression = kNoCompression;
  }

  Status TryOpen() {
    db_.reset();
    return DB::Open(options_, path_, &db_);
  }
  void Open() { ASSERT_OK(TryOpen()); }
  void Reopen() {
    db_.reset();
    Open();
  }

  Status Put(const std::string& key, const std::string& value) {
    return db_->Put(WriteOptions(), key, value);
  }
  Status Delete(const std::string& key) {
    return db_->Delete(WriteOptions(), key);
  }
  // The value, or the status as text.
  std::string Get(const std::string& key, const Snapshot* snapshot = nullptr) {
    ReadOptions options;
    options.snapshot = snapshot;
    std::string value;
    const Status s = db_->Get(options, key, &value);
    if (s.IsNotFound()) return "NOT_FOUND";
    return s.ok() ? value : s.ToString();
  }
  Status Flush() { return db_->Flush(FlushOptions()); }
  Status CompactAll(bool force = false) {
    CompactRangeOptions options;
    if (force) {
      options.bottommost_level_compaction = BottommostLevelCompaction::kForce;
    }
    return db_->CompactRange(options, nullptr, nullptr);
  }
  // Until no thread of the database holds or deletes what is not needed.
  void AwaitPurge() {
    WaitForCompactOptions purge;
    purge.wait_for_purge = true;
    ASSERT_OK(db_->WaitForCompact(purge));
  }
  // A ticker's count in options_.statistics.
  uint64_t Ticker(uint32_t ticker) const {
    return options_.statistics->getTickerCount(ticker);
  }
  int FilesAt(int level) {
    std::string value;
    EXPECT_TRUE(db_->GetProperty(
        "rocksdb.num-files-at-level" + std::to_string(level), &value));
    return std::stoi(value);
  }
  std::vector<LiveFileMetaData> Tables() {
    std::vector<LiveFileMetaData> tables;
    db_->GetLiveFilesMetaData(&tables);
    return tables;
  }
  std::vector<std::string> TableNames() {
    std::vector<std::string> names;
    for (const LiveFileMetaData& file : Tables()) names.push_back(file.name);
    return names;
  }
  // Table files in the directory of the database, live or not.
  size_t TablesOnDisk() {
    std::vector<std::string> names;
    EXPECT_OK(options_.env->GetChildren(path_, &names));
    size_t count = 0;
    for (const std::string& name : names) count += name.ends_with(".sst");
    return count;
  }
  // key=value pairs of a whole scan, or the error.
  std::string Scan(const ReadOptions& options = ReadOptions()) {
    const std::unique_ptr<Iterator> it(db_->NewIterator(options));
    std::string text;
    for (it->SeekToFirst(); it->Valid(); it->Next()) {
      text += it->key().ToString() + "=" + it->value().ToString() + " ";
    }
    return it->status().ok() ? text : it->status().ToString();
  }
  std::string ScanBackward(const ReadOptions& options = ReadOptions()) {
    const std::unique_ptr<Iterator> it(db_->NewIterator(options));
    std::string text;
    for (it->SeekToLast(); it->Valid(); it->Prev()) {
      text += it->key().ToString() + "=" + it->value().ToString() + " ";
    }
    return it->status().ok() ? text : it->status().ToString();
  }

  TempDir directory_;
  std::string path_;
  Options options_;
  std::unique_ptr<DB> db_;
};

}  // namespace ROCKSDB_NAMESPACE

// Logs that are written through a mapping: longer than their data as long as
// they are open, and left so by a process that dies. A copy of the files of an
// open database is what such a process leaves.
#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <thread>
#include <vector>

#include "env/posix/append_window.h"
#include "rocksdb/transaction_log.h"
#include "tests/db/impl/db_fixture.h"
#include "tests/testing/shell.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {
namespace {

constexpr WALRecoveryMode kModes[] = {
    WALRecoveryMode::kTolerateCorruptedTailRecords,
    WALRecoveryMode::kAbsoluteConsistency,
    WALRecoveryMode::kPointInTimeRecovery,
    WALRecoveryMode::kSkipAnyCorruptedRecords};

std::string KeyOf(int i) { return "key" + std::to_string(1'000'000 + i); }

class MappedLogsTest : public DbFixture {
 protected:
  void SetUp() override {
    const int fd = open(directory_.path().c_str(), O_RDONLY | O_DIRECTORY);
    const bool is_sure = AppendWindow::IsSure(fd);
    close(fd);
    if (!is_sure) GTEST_SKIP() << "no file system for mapped appends";
  }
  uint64_t CurrentLogOnDisk() {
    std::unique_ptr<WalFile> log;
    EXPECT_OK(db_->GetCurrentWalFile(&log));
    return std::filesystem::file_size(path_ + log->PathName());
  }
  // What a dying process would leave, in a directory of its own.
  void CopyTo(const std::string& path) {
    ASSERT_OK(db_->DisableFileDeletions());
    std::filesystem::remove_all(path);
    std::filesystem::copy(path_, path);
    ASSERT_OK(db_->EnableFileDeletions());
  }
  // Keys 0.. in order, and their count.
  int CountOf(DB* db) {
    int count = 0;
    const std::unique_ptr<Iterator> it(db->NewIterator(ReadOptions()));
    for (it->SeekToFirst(); it->Valid(); it->Next()) {
      if (it->key() != KeyOf(count)) return -1;
      ++count;
    }
    return it->status().ok() ? count : -2;
  }
};

TEST_F(MappedLogsTest, SizesAreThoseOfTheData) {
  Open();
  std::string value(100, 'v');
  for (int i = 0; i < 1000; ++i) ASSERT_OK(Put(KeyOf(i), value));
  std::unique_ptr<WalFile> log;
  ASSERT_OK(db_->GetCurrentWalFile(&log));
  EXPECT_GT(log->SizeFileBytes(), 100'000u);
  EXPECT_LT(log->SizeFileBytes(), 200'000u);
  EXPECT_GE(CurrentLogOnDisk(), AppendWindow::kBytes) << "it is not mapped";
  VectorWalPtr logs;
  ASSERT_OK(db_->GetSortedWalFiles(logs));
  ASSERT_EQ(logs.size(), 1u);
  EXPECT_EQ(logs[0]->SizeFileBytes(), log->SizeFileBytes());
  const std::string path = path_ + log->PathName();
  options_.avoid_flush_during_shutdown = true;
  ASSERT_OK(db_->SetDBOptions({{"avoid_flush_during_shutdown", "true"}}));
  ASSERT_OK(db_->Close());
  EXPECT_EQ(std::filesystem::file_size(path), log->SizeFileBytes());
}

// Whatever mode it was written and is opened in, and once more after that.
TEST_F(MappedLogsTest, WhatADeadProcessLeftIsWhole) {
  const std::string copy = directory_.path() + "/copy";
  Random64 random(301);
  for (const WALRecoveryMode written : kModes) {
    for (const WALRecoveryMode opened : kModes) {
      for (const bool avoids_flush : {false, true}) {
        SCOPED_TRACE(std::to_string(static_cast<int>(written)) + " " +
                     std::to_string(static_cast<int>(opened)));
        db_.reset();
        ASSERT_OK(DestroyDB(path_, options_));
        options_.wal_recovery_mode = written;
        options_.avoid_flush_during_recovery = avoids_flush;
        options_.max_write_buffer_number = 10;
        options_.min_write_buffer_number_to_merge = 5;  // Several logs.
        options_.write_buffer_size = 64 << 10;
        Open();
        const int count = 1000 + static_cast<int>(random.Uniform(1000));
        for (int i = 0; i < count; ++i) {
          ASSERT_OK(Put(KeyOf(i), std::string(random.Uniform(200), 'v')));
        }
        ASSERT_NO_FATAL_FAILURE(CopyTo(copy));
        Options options = options_;
        options.wal_recovery_mode = opened;
        std::unique_ptr<DB> db;
        for (int i = 0; i < 2; ++i) {
          ASSERT_OK(DB::Open(options, copy, &db));
          ASSERT_EQ(CountOf(db.get()), count + i);
          ASSERT_OK(db->Put(WriteOptions(), KeyOf(count + i), "new"));
          db.reset();
        }
      }
    }
  }
}

TEST_F(MappedLogsTest, StockReadsWhatADeadProcessLeft) {
  if (!HasProgram("ldb")) GTEST_SKIP() << "stock ldb is not here";
  options_.max_write_buffer_number = 10;
  options_.min_write_buffer_number_to_merge = 5;
  options_.write_buffer_size = 64 << 10;
  BlockBasedTableOptions table;
  table.format_version = 5;
  options_.table_factory.reset(NewBlockBasedTableFactory(table));
  Open();
  for (int i = 0; i < 1500; ++i) ASSERT_OK(Put(KeyOf(i), "value"));
  const std::string copy = directory_.path() + "/copy";
  ASSERT_NO_FATAL_FAILURE(CopyTo(copy));
  int status = 0;
  const std::string text = RunShell(
      "ldb --ignore_unknown_options --db=" + copy + " scan | grep -c value",
      &status);
  EXPECT_EQ(text, "1500\n");
}

TEST_F(MappedLogsTest, UpdatesAreFollowedWhileTheyAreWritten) {
  constexpr int kWrites = 20'000;
  options_.WAL_ttl_seconds = 3600;  // No log goes.
  options_.write_buffer_size = 256 << 10;
  Open();
  ASSERT_OK(Put("first", "1"));
  std::thread writer([this] {
    Random64 random(1);
    for (int i = 0; i < kWrites; ++i) {
      const size_t size = random.OneIn(500) ? 100'000 : random.Uniform(100);
      EXPECT_OK(Put(KeyOf(i), std::string(size, 'v')));
    }
  });
  std::unique_ptr<TransactionLogIterator> updates;
  ASSERT_OK(db_->GetUpdatesSince(1, &updates));
  SequenceNumber next = 1;
  while (next <= kWrites + 1) {
    if (!updates->Valid()) {
      ASSERT_OK(updates->status());
      updates->Next();
      continue;
    }
    const BatchResult batch = updates->GetBatch();
    ASSERT_EQ(batch.sequence, next);
    next += batch.writeBatchPtr->Count();
    updates->Next();
  }
  writer.join();
}

TEST_F(MappedLogsTest, ASecondarySeesAPrefixAtEachTime) {
  constexpr int kWrites = 20'000;
  Open();
  for (const WALRecoveryMode mode : kModes) {
    SCOPED_TRACE(static_cast<int>(mode));
    db_.reset();
    ASSERT_OK(DestroyDB(path_, options_));
    Open();
    Options options;
    options.wal_recovery_mode = mode;
    options.max_open_files = -1;
    std::unique_ptr<DB> secondary;
    ASSERT_OK(DB::OpenAsSecondary(options, path_, directory_.path() + "/second",
                                  &secondary));
    std::thread writer([this] {
      for (int i = 0; i < kWrites; ++i) EXPECT_OK(Put(KeyOf(i), "value"));
    });
    int count = 0;
    while (count >= 0 && count < kWrites) {
      EXPECT_OK(secondary->TryCatchUpWithPrimary());
      const int now = CountOf(secondary.get());
      EXPECT_GE(now, count);
      count = now < count ? -1 : now;
    }
    writer.join();
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

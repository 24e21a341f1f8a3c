// Making, asking for, verifying and deleting backups.
#include "rocksdb/utilities/backup_engine.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <thread>

#include "rocksdb/rate_limiter.h"
#include "rocksdb/slice_transform.h"
#include "rocksdb/statistics.h"
#include "tests/utilities/backup/backup_fixture.h"

namespace ROCKSDB_NAMESPACE {
namespace {

using Names = std::vector<std::string>;
using Ids = std::vector<BackupID>;

class BackupEngineTest : public BackupFixture {};

TEST_F(BackupEngineTest, OpeningMakesTheDirectories) {
  OpenEngine();
  EXPECT_EQ(Below(""), (Names{"meta", "private", "shared_checksum"}));
  EXPECT_EQ(engine_->AsBackupEngine(), engine_.get());
  BackupInfo info;
  EXPECT_TRUE(engine_->GetLatestBackupInfo(&info).IsNotFound());
  EXPECT_EQ(engine_->GetBackupInfo(7, &info).ToString(),
            "NotFound: Backup not found");
}

TEST_F(BackupEngineTest, ItsParentMustExist) {
  backup_options_.backup_dir = directory_.path() + "/absent/backup";
  EXPECT_FALSE(TryOpenEngine().ok());
}

TEST_F(BackupEngineTest, TheFirstBackup) {
  Open();
  ASSERT_OK(Put("a", "1"));
  ASSERT_OK(Flush());
  ASSERT_OK(Put("b", "2"));
  OpenEngine();
  BackupID id = 0;
  ASSERT_OK(engine_->CreateNewBackup(CreateBackupOptions(), db_.get(), &id));
  EXPECT_EQ(id, 1u);
  EXPECT_EQ(Below("meta"), Names{"1"});
  const Names private_files = Below("private/1");
  ASSERT_EQ(private_files.size(), 4u);
  EXPECT_TRUE(private_files[0].ends_with(".log"));
  EXPECT_EQ(private_files[1], "CURRENT");
  EXPECT_TRUE(private_files[2].starts_with("MANIFEST-"));
  EXPECT_TRUE(private_files[3].starts_with("OPTIONS-"));
  std::string session;
  ASSERT_OK(db_->GetDbSessionId(session));
  const LiveFileMetaData table = Tables().at(0);
  const std::string number = table.relative_filename.substr(0, 6);
  EXPECT_EQ(Below("shared_checksum"),
            Names{number + "_s" + session + "_" + std::to_string(table.size) +
                  ".sst"});
  EXPECT_OK(engine_->VerifyBackup(1, true));
  EXPECT_EQ(ScanRestored(1), "a=1 b=2 ");
}

TEST_F(BackupEngineTest, TheSecondCopiesWhatIsNew) {
  Open();
  ASSERT_OK(Put("a", "1"));
  ASSERT_OK(Flush());
  OpenEngine();
  ASSERT_OK(Create());
  const Names shared = Below("shared_checksum");
  ASSERT_OK(Create());
  EXPECT_EQ(Below("shared_checksum"), shared);
  std::vector<BackupInfo> infos;
  engine_->GetBackupInfo(&infos);
  ASSERT_EQ(infos.size(), 2u);
  EXPECT_EQ(infos[1].backup_id, 2u);
  EXPECT_EQ(infos[1].number_files, infos[0].number_files);
  EXPECT_EQ(infos[1].size, infos[0].size);
  ASSERT_OK(Put("b", "2"));
  ASSERT_OK(Flush());
  ASSERT_OK(Create());
  EXPECT_EQ(Below("shared_checksum").size(), shared.size() + 1);
  EXPECT_EQ(ScanRestored(2), "a=1 ");
  EXPECT_EQ(ScanRestored(3), "a=1 b=2 ");
}

TEST_F(BackupEngineTest, MetadataOfTheApplication) {
  Open();
  OpenEngine();
  EXPECT_TRUE(engine_
                  ->CreateNewBackupWithMetadata(CreateBackupOptions(),
                                                db_.get(),
                                                std::string((1 << 20) + 1, 'x'))
                  .IsInvalidArgument());
  EXPECT_EQ(ValidIds(), Ids{});
  const std::string text("app\ndata\0\xff", 10);
  ASSERT_OK(engine_->CreateNewBackupWithMetadata(db_.get(), text));
  OpenEngine();
  BackupInfo info;
  ASSERT_OK(engine_->GetLatestBackupInfo(&info));
  EXPECT_EQ(info.backup_id, 1u);
  EXPECT_EQ(info.app_metadata, text);
}

TEST_F(BackupEngineTest, WhatIsNotFlushedIsInTheLogsOnly) {
  backup_options_.backup_log_files = false;
  Open();
  ASSERT_OK(Put("a", "1"));
  ASSERT_OK(Flush());
  ASSERT_OK(Put("b", "2"));
  OpenEngine();
  ASSERT_OK(Create());
  EXPECT_EQ(ScanRestored(1), "a=1 ");
  CreateBackupOptions flushing;
  flushing.flush_before_backup = true;
  ASSERT_OK(Create(flushing));
  EXPECT_EQ(ScanRestored(2), "a=1 b=2 ");
}

TEST_F(BackupEngineTest, AnEmptyLogIsLeftOut) {
  Open();
  ASSERT_OK(Put("a", "1"));
  OpenEngine();
  ASSERT_OK(engine_->CreateNewBackup(db_.get(), /*flush_before_backup=*/true));
  EXPECT_EQ(Below("private/1").size(), 3u) << "CURRENT, MANIFEST, OPTIONS";
  EXPECT_EQ(ScanRestored(1), "a=1 ");
}

// Where an opening takes it for a loss that there is no log.
TEST_F(BackupEngineTest, AnEmptyLogThatIsMissedIsKept) {
  options_.track_and_verify_wals = true;
  Open();
  WriteOptions unlogged;
  unlogged.disableWAL = true;
  ASSERT_OK(db_->Put(unlogged, "a", "1"));
  OpenEngine();
  CreateBackupOptions create;
  create.flush_before_backup = true;
  ASSERT_OK(Create(create));
  const Names private_files = Below("private/1");
  ASSERT_FALSE(private_files.empty());
  EXPECT_TRUE(private_files[0].ends_with(".log"));
  EXPECT_OK(engine_->VerifyBackup(1, true));
  EXPECT_EQ(ScanRestored(1), "a=1 ");
}

TEST_F(BackupEngineTest, UnloggedWritesNeedTheFlush) {
  Open();
  WriteOptions unlogged;
  unlogged.disableWAL = true;
  ASSERT_OK(db_->Put(unlogged, "a", "1"));
  OpenEngine();
  ASSERT_OK(engine_->CreateNewBackup(db_.get(), /*flush_before_backup=*/true));
  EXPECT_EQ(ScanRestored(1), "a=1 ");
}

TEST_F(BackupEngineTest, SeveralFamiliesWithTheirBlobs) {
  options_.enable_blob_files = true;
  options_.min_blob_size = 4;
  Open();
  CreateFamily("second");
  for (int i = 0; i < 3; ++i) {
    const std::string key(1, static_cast<char>('a' + i));
    ASSERT_OK(Put(key, "value of " + key));
    ASSERT_OK(PutIn(0, key, "other of " + key));
    ASSERT_OK(Flush());
  }
  OpenEngine();
  CreateBackupOptions atomic;
  atomic.flush_before_backup = true;
  atomic.atomic_flush = true;
  ASSERT_OK(Create(atomic));
  size_t blobs = 0;
  for (const std::string& name : Below("shared_checksum")) {
    if (!name.ends_with(".blob")) continue;
    ++blobs;
    EXPECT_EQ(name.find("_s"), std::string::npos) << name;
  }
  EXPECT_GE(blobs, 3u);
  const Names shared = Below("shared_checksum");
  ASSERT_OK(Create());
  EXPECT_EQ(Below("shared_checksum"), shared);
  ASSERT_OK(engine_->RestoreDBFromLatestBackup(restored_, restored_));
  CloseFamilies();
  path_ = restored_;
  OpenFamilies({"default", "second"});
  EXPECT_EQ(ScanOf(0), "a=value of a b=value of b c=value of c ");
  EXPECT_EQ(ScanOf(1), "a=other of a b=other of b c=other of c ");
}

TEST_F(BackupEngineTest, ChecksumsOfBlobsAreReadOnce) {
  options_.statistics = CreateDBStatistics();
  options_.enable_blob_files = true;
  Open();
  ASSERT_OK(Put("a", std::string(1 << 20, 'x')));
  ASSERT_OK(Flush());
  OpenEngine();
  ASSERT_OK(Create());
  const uint64_t first = Ticker(BACKUP_READ_BYTES);
  EXPECT_GE(first, uint64_t{2} << 20) << "once for the name, once for the copy";
  EXPECT_GE(Ticker(BACKUP_WRITE_BYTES), uint64_t{1} << 20);
  ASSERT_OK(Create());
  EXPECT_LT(Ticker(BACKUP_READ_BYTES) - first, uint64_t{1} << 20);
}

TEST_F(BackupEngineTest, OtherNamesOfSharedFiles) {
  Open();
  ASSERT_OK(Put("a", "1"));
  ASSERT_OK(Flush());
  const std::string number = Tables().at(0).relative_filename.substr(0, 6);
  backup_options_.share_files_with_checksum_naming =
      BackupEngineOptions::kLegacyCrc32cAndFileSize;
  OpenEngine();
  ASSERT_OK(Create());
  const std::string by_crc = Below("shared_checksum").at(0);
  EXPECT_TRUE(by_crc.starts_with(number + "_")) << by_crc;
  EXPECT_EQ(by_crc.find("_s"), std::string::npos) << by_crc;
  EXPECT_NE(ReadAll(root_ + "/meta/1").find(by_crc), std::string::npos);
  backup_options_.share_files_with_checksum_naming =
      BackupEngineOptions::kUseDbSessionId;
  OpenEngine();
  ASSERT_OK(Create());
  std::string session;
  ASSERT_OK(db_->GetDbSessionId(session));
  EXPECT_EQ(Below("shared_checksum"),
            (Names{by_crc, number + "_s" + session + ".sst"}));
  EXPECT_EQ(ScanRestored(1), "a=1 ");
  EXPECT_EQ(ScanRestored(2), "a=1 ");
}

// The session that a shared file is named by stands in its properties, whatever
// its format.
TEST_F(BackupEngineTest, TablesOfOtherFormats) {
  options_.allow_mmap_reads = true;
  for (const auto make : {+[] { return NewPlainTableFactory(); },
                          +[] { return NewCuckooTableFactory(); }}) {
    db_.reset();
    ASSERT_OK(DestroyDB(path_, options_));
    options_.table_factory.reset(make());
    Open();
    ASSERT_OK(Put("a", "1"));
    ASSERT_OK(Flush());
    const std::string number = Tables().at(0).relative_filename.substr(0, 6);
    std::string session;
    ASSERT_OK(db_->GetDbSessionId(session));
    OpenEngine();
    ASSERT_OK(Create());
    const Names names = Below("shared_checksum");
    EXPECT_EQ(std::count_if(names.begin(), names.end(),
                            [&](const std::string& name) {
                              return name.starts_with(number + "_s" + session);
                            }),
              1)
        << options_.table_factory->Name();
    std::vector<BackupInfo> backups;
    engine_->GetBackupInfo(&backups);
    ASSERT_FALSE(backups.empty());
    EXPECT_OK(engine_->VerifyBackup(backups.back().backup_id, true));
    EXPECT_EQ(ScanRestored(backups.back().backup_id), "a=1 ");
  }
}

TEST_F(BackupEngineTest, PlainAndPrivateNames) {
  Open();
  ASSERT_OK(Put("a", "1"));
  ASSERT_OK(Flush());
  const std::string table = Tables().at(0).relative_filename;
  backup_options_.share_files_with_checksum = false;
  OpenEngine();
  ASSERT_OK(Create());
  ASSERT_OK(Create());
  EXPECT_EQ(Below("shared"), Names{table});
  backup_options_.share_table_files = false;
  OpenEngine();
  ASSERT_OK(Create());
  EXPECT_EQ(Below("private/3").size(), 4u) << "the table, and no log";
  for (BackupID id = 1; id <= 3; ++id) {
    EXPECT_OK(engine_->VerifyBackup(id, true));
    EXPECT_EQ(ScanRestored(id), "a=1 ");
  }
}

TEST_F(BackupEngineTest, AnotherFileOfAPlainNameIsNoticed) {
  backup_options_.share_files_with_checksum = false;
  Open();
  ASSERT_OK(Put("a", "1"));
  ASSERT_OK(Flush());
  OpenEngine();
  ASSERT_OK(Create());
  db_.reset();
  ASSERT_OK(DestroyDB(path_, options_));
  Open();
  ASSERT_OK(Put("a", std::string(1000, 'x')));
  ASSERT_OK(Flush());
  const IOStatus s = Create();
  EXPECT_TRUE(s.IsCorruption()) << s.ToString();
  EXPECT_NE(s.ToString().find("Size mismatch for existing backup file"),
            std::string::npos);
  EXPECT_EQ(ScanRestored(1), "a=1 ");
}

TEST_F(BackupEngineTest, TwoDatabasesInOneDirectory) {
  OpenEngine();
  for (const char* value : {"one", "two"}) {
    path_ = directory_.path() + "/" + value;
    Open();
    ASSERT_OK(Put("a", value));
    ASSERT_OK(Flush());
    ASSERT_OK(Create());
  }
  EXPECT_EQ(Below("shared_checksum").size(), 2u);
  EXPECT_EQ(ScanRestored(1), "a=one ");
  EXPECT_EQ(ScanRestored(2), "a=two ");
}

TEST_F(BackupEngineTest, AFlippedByteInATable) {
  Open();
  ASSERT_OK(Put("a", "1"));
  ASSERT_OK(Flush());
  OpenEngine();
  ASSERT_OK(Create());
  const std::string table =
      root_ + "/shared_checksum/" + Below("shared_checksum").at(0);
  FlipByte(table, 3);
  EXPECT_OK(engine_->VerifyBackup(1));
  const IOStatus verified = engine_->VerifyBackup(1, true);
  EXPECT_TRUE(verified.IsCorruption()) << verified.ToString();
  EXPECT_NE(verified.ToString().find("File corruption! Checksum mismatch for " +
                                     table),
            std::string::npos)
      << verified.ToString();
  const IOStatus restored =
      engine_->RestoreDBFromLatestBackup(restored_, restored_);
  EXPECT_TRUE(restored.IsCorruption()) << restored.ToString();
  EXPECT_NE(restored.ToString().find("While restoring"), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(restored_ + "/CURRENT"));
  // Afterwards a good one can be restored there.
  FlipByte(table, 3);
  EXPECT_EQ(ScanRestored(1), "a=1 ");
}

TEST_F(BackupEngineTest, AFlippedByteInAnyFile) {
  options_.enable_blob_files = true;
  Open();
  ASSERT_OK(Put("a", "1"));
  ASSERT_OK(Flush());
  ASSERT_OK(Put("b", "2"));
  OpenEngine();
  ASSERT_OK(Create());
  size_t count = 0;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(root_)) {
    const std::string path = entry.path().string();
    if (!entry.is_regular_file() || path == root_ + "/meta/1") continue;
    ++count;
    for (const size_t at : {size_t{0}, ReadAll(path).size() - 1}) {
      FlipByte(path, at);
      EXPECT_TRUE(engine_->VerifyBackup(1, true).IsCorruption()) << path;
      EXPECT_TRUE(
          engine_->RestoreDBFromBackup(1, restored_, restored_).IsCorruption())
          << path;
      FlipByte(path, at);
    }
  }
  EXPECT_EQ(count, 6u) << "table, blob file, CURRENT, MANIFEST, OPTIONS, log";
  EXPECT_OK(engine_->VerifyBackup(1, true));
  // Wherever the description changes, the backup is another or none.
  const std::string meta = ReadAll(root_ + "/meta/1");
  for (size_t at = 0; at < meta.size(); ++at) {
    FlipByte(root_ + "/meta/1", at);
    OpenEngine();
    if (DamagedIds().empty()) {
      BackupInfo info;
      ASSERT_OK(engine_->GetBackupInfo(1, &info, true));
      const bool has_same_files = engine_->VerifyBackup(1, true).ok();
      // Times and sequence numbers are for people.
      EXPECT_TRUE(!has_same_files || at < meta.find("shared")) << at;
    }
    WriteAll(root_ + "/meta/1", meta);
  }
}

TEST_F(BackupEngineTest, AMissingFileAndItsReturn) {
  Open();
  ASSERT_OK(Put("a", "1"));
  ASSERT_OK(Flush());
  OpenEngine();
  ASSERT_OK(Create());
  ASSERT_OK(Create());
  const std::string table =
      root_ + "/shared_checksum/" + Below("shared_checksum").at(0);
  std::filesystem::rename(table, table + ".away");
  EXPECT_TRUE(engine_->VerifyBackup(1).IsNotFound());
  OpenEngine();
  EXPECT_EQ(DamagedIds(), (Ids{1, 2}));
  EXPECT_EQ(ValidIds(), Ids{});
  EXPECT_TRUE(engine_->VerifyBackup(1).IsCorruption());
  BackupInfo info;
  EXPECT_TRUE(engine_->GetBackupInfo(1, &info).IsCorruption());
  EXPECT_TRUE(
      engine_->RestoreDBFromBackup(1, restored_, restored_).IsCorruption());
  EXPECT_TRUE(
      engine_->RestoreDBFromLatestBackup(restored_, restored_).IsNotFound());
  // What a damaged backup needs stays.
  std::filesystem::rename(table + ".away", table);
  ASSERT_OK(engine_->GarbageCollect());
  EXPECT_TRUE(std::filesystem::exists(table));
  BackupID id = 0;
  ASSERT_OK(engine_->CreateNewBackup(CreateBackupOptions(), db_.get(), &id));
  EXPECT_EQ(id, 3u);
  OpenEngine();
  EXPECT_EQ(ValidIds(), (Ids{1, 2, 3}));
  EXPECT_EQ(ScanRestored(1), "a=1 ");
}

TEST_F(BackupEngineTest, AMissingFileIsCopiedAnew) {
  Open();
  ASSERT_OK(Put("a", "1"));
  ASSERT_OK(Flush());
  OpenEngine();
  ASSERT_OK(Create());
  const std::string table =
      root_ + "/shared_checksum/" + Below("shared_checksum").at(0);
  std::filesystem::remove(table);
  ASSERT_OK(Create());
  EXPECT_OK(engine_->VerifyBackup(1, true));
  EXPECT_EQ(ScanRestored(2), "a=1 ");
}

TEST_F(BackupEngineTest, Deleting) {
  Open();
  OpenEngine();
  for (const char* key : {"a", "b", "c"}) {
    ASSERT_OK(Put(key, key));
    ASSERT_OK(Flush());
    ASSERT_OK(Create());
  }
  EXPECT_OK(engine_->DeleteBackup(2));
  EXPECT_EQ(engine_->DeleteBackup(2).ToString(), "NotFound: Backup not found");
  EXPECT_EQ(ValidIds(), (Ids{1, 3}));
  EXPECT_EQ(Below("shared_checksum").size(), 3u);
  EXPECT_OK(engine_->DeleteBackup(3));
  EXPECT_EQ(Below("shared_checksum").size(), 1u);
  EXPECT_EQ(Below("private"), Names{"1"});
  EXPECT_EQ(ScanRestored(1), "a=a ");
  ASSERT_OK(Create());
  EXPECT_EQ(ValidIds(), (Ids{1, 4})) << "an id is given once";
  EXPECT_OK(engine_->PurgeOldBackups(1));
  EXPECT_EQ(ValidIds(), Ids{4});
  EXPECT_OK(engine_->PurgeOldBackups(0));
  EXPECT_EQ(ValidIds(), Ids{});
  EXPECT_EQ(Below("shared_checksum"), Names{});
  EXPECT_EQ(Below("private"), Names{});
}

TEST_F(BackupEngineTest, Garbage) {
  Open();
  ASSERT_OK(Put("a", "1"));
  ASSERT_OK(Flush());
  OpenEngine();
  ASSERT_OK(Create());
  Names shared = Below("shared_checksum");
  std::filesystem::create_directory(root_ + "/shared_checksum/lost+found");
  shared.push_back("lost+found");
  WriteAll(root_ + "/shared_checksum/000099_1_2.sst", "garbage");
  WriteAll(root_ + "/shared_checksum/.000098_1_2.sst.tmp", "garbage");
  WriteAll(root_ + "/meta/.7.tmp", "garbage");
  std::filesystem::create_directory(root_ + "/private/7");
  WriteAll(root_ + "/private/7/CURRENT", "garbage");
  std::filesystem::create_directory(root_ + "/private/8.tmp");
  std::filesystem::create_directory(root_ + "/private/mine");
  ASSERT_OK(engine_->GarbageCollect());
  EXPECT_EQ(Below("shared_checksum"), shared);
  EXPECT_EQ(Below("meta"), Names{"1"});
  EXPECT_EQ(Below("private"), (Names{"1", "mine"}));
}

TEST_F(BackupEngineTest, DestroyOldData) {
  Open();
  ASSERT_OK(Put("a", "1"));
  ASSERT_OK(Flush());
  OpenEngine();
  ASSERT_OK(Create());
  WriteAll(root_ + "/meta/2", "damaged");
  backup_options_.destroy_old_data = true;
  OpenEngine();
  EXPECT_EQ(ValidIds(), Ids{});
  EXPECT_EQ(DamagedIds(), Ids{});
  EXPECT_EQ(Below("meta"), Names{});
  EXPECT_EQ(Below("private"), Names{});
  EXPECT_EQ(Below("shared_checksum"), Names{});
}

TEST_F(BackupEngineTest, Stopping) {
  Open();
  ASSERT_OK(Put("a", "1"));
  OpenEngine();
  ASSERT_OK(Create());
  engine_->StopBackup();
  EXPECT_EQ(Create().ToString(), "Result incomplete: Backup stopped");
  EXPECT_TRUE(engine_->VerifyBackup(1, true).IsIncomplete());
  EXPECT_OK(engine_->VerifyBackup(1));
  EXPECT_TRUE(
      engine_->RestoreDBFromBackup(1, restored_, restored_).IsIncomplete());
  EXPECT_EQ(ValidIds(), Ids{1});
  OpenEngine();
  ASSERT_OK(Create());
  EXPECT_EQ(ScanRestored(2), "a=1 ");
}

TEST_F(BackupEngineTest, StoppingInTheMiddleAndGoingOn) {
  options_.statistics = CreateDBStatistics();
  Open();
  for (const char* key : {"a", "b", "c", "d"}) {
    ASSERT_OK(Put(key, std::string(1 << 20, *key)));
    ASSERT_OK(Flush());
  }
  backup_options_.callback_trigger_interval_size = 1 << 20;
  OpenEngine();
  CreateBackupOptions options;
  int calls = 0;
  options.progress_callback = [&] {
    if (++calls == 3) engine_->StopBackup();
  };
  EXPECT_TRUE(Create(options).IsIncomplete());
  EXPECT_EQ(ValidIds(), Ids{});
  EXPECT_EQ(Below("private"), Names{});
  const size_t copied = Below("shared_checksum").size();
  EXPECT_GE(copied, 1u);
  const uint64_t read = Ticker(BACKUP_READ_BYTES);
  OpenEngine();
  ASSERT_OK(Create());
  // Not those that were complete.
  EXPECT_LT(Ticker(BACKUP_READ_BYTES) - read, (uint64_t{4} - copied + 1) << 20);
  EXPECT_EQ(Below("meta"), Names{"1"});
  EXPECT_OK(engine_->VerifyBackup(1, true));
  EXPECT_EQ(ScanRestored(1), Scan());
}

TEST_F(BackupEngineTest, ProgressIsTold) {
  Open();
  for (int i = 0; i < 8; ++i) {
    ASSERT_OK(Put("key" + std::to_string(i), std::string(1 << 20, 'x')));
    ASSERT_OK(Flush());
  }
  backup_options_.callback_trigger_interval_size = 1 << 20;
  backup_options_.max_background_operations = 4;
  OpenEngine();
  int calls = 0;
  std::atomic<int> at_a_time{0};
  CreateBackupOptions options;
  options.progress_callback = [&] {
    EXPECT_EQ(at_a_time.fetch_add(1), 0);
    ++calls;
    at_a_time.fetch_sub(1);
  };
  ASSERT_OK(Create(options));
  EXPECT_EQ(calls, 8);
  EXPECT_OK(engine_->VerifyBackup(1, true));
  EXPECT_EQ(ScanRestored(1), Scan());
}

// A callback that is told nothing counts what is copied by its calls, though a
// whole file is copied in one piece.
TEST_F(BackupEngineTest, ProgressIsToldInEqualSteps) {
  options_.compression = kNoCompression;
  Open();
  ASSERT_OK(Put("key", std::string(100000, 'x')));
  ASSERT_OK(Flush());
  backup_options_.callback_trigger_interval_size = 1000;
  OpenEngine();
  int calls = 0;
  CreateBackupOptions options;
  options.progress_callback = [&] { ++calls; };
  ASSERT_OK(Create(options));
  EXPECT_GE(calls, 100);
  EXPECT_LT(calls, 200);
  // The first call that throws is the last.
  calls = 0;
  ASSERT_OK(Put("more", std::string(100000, 'x')));
  ASSERT_OK(Flush());
  options.progress_callback = [&] {
    ++calls;
    throw 7;
  };
  EXPECT_TRUE(Create(options).IsAborted());
  EXPECT_EQ(calls, 1);
}

TEST_F(BackupEngineTest, ACallbackThatThrows) {
  Open();
  ASSERT_OK(Put("a", "1"));
  backup_options_.callback_trigger_interval_size = 1;
  OpenEngine();
  CreateBackupOptions options;
  options.progress_callback = [] { throw std::runtime_error("no"); };
  EXPECT_EQ(Create(options).ToString(),
            "Operation aborted: Exception in progress_callback: no");
  options.progress_callback = [] { throw 7; };
  EXPECT_EQ(Create(options).ToString(),
            "Operation aborted: Unknown exception in progress_callback");
  EXPECT_EQ(ValidIds(), Ids{});
  ASSERT_OK(Create());
  EXPECT_EQ(ValidIds(), Ids{1});
}

TEST_F(BackupEngineTest, LimitersAreAsked) {
  Open();
  ASSERT_OK(Put("a", std::string(1 << 20, 'x')));
  ASSERT_OK(Flush());
  const auto limiter = [] {
    return std::shared_ptr<RateLimiter>(NewGenericRateLimiter(
        int64_t{1} << 40, 1000, 10, RateLimiter::Mode::kAllIo));
  };
  backup_options_.backup_rate_limiter = limiter();
  backup_options_.restore_rate_limiter = limiter();
  const RateLimiter& backup = *backup_options_.backup_rate_limiter;
  const RateLimiter& restore = *backup_options_.restore_rate_limiter;
  OpenEngine();
  ASSERT_OK(Create());
  EXPECT_GE(backup.GetTotalBytesThrough(Env::IO_LOW), 2 << 20)
      << "reads and writes";
  const int64_t before = backup.GetTotalBytesThrough();
  EXPECT_OK(engine_->VerifyBackup(1, true));
  EXPECT_GE(backup.GetTotalBytesThrough() - before, 1 << 20);
  EXPECT_EQ(restore.GetTotalBytesThrough(), 0);
  ASSERT_OK(engine_->RestoreDBFromBackup(1, restored_, restored_));
  EXPECT_GE(restore.GetTotalBytesThrough(), 2 << 20);
}

TEST_F(BackupEngineTest, RatesMakeLimiters) {
  Open();
  ASSERT_OK(Put("a", std::string(100 << 10, 'x')));
  for (const uint64_t bytes :
       {uint64_t{0}, uint64_t{1}, uint64_t{1} << 16, uint64_t{1} << 50}) {
    const uint64_t rate = bytes == 0 ? UINT64_MAX : uint64_t{1} << 40;
    backup_options_.backup_rate_limit = rate;
    backup_options_.restore_rate_limit = rate;
    backup_options_.io_buffer_size = bytes;
    OpenEngine();
    ASSERT_OK(engine_->CreateNewBackup(db_.get(), true));
    ASSERT_OK(engine_->RestoreDBFromLatestBackup(restored_, restored_));
    EXPECT_EQ(ScanAt(restored_), Scan());
    ASSERT_OK(engine_->PurgeOldBackups(0));
  }
}

TEST_F(BackupEngineTest, OptionsThatCannotBe) {
  backup_options_.schema_version = 0;
  EXPECT_TRUE(TryOpenEngine().IsInvalidArgument());
  backup_options_.schema_version = 3;
  EXPECT_TRUE(TryOpenEngine().IsNotSupported());
  backup_options_.schema_version = 1;
  backup_options_.share_files_with_checksum_naming =
      BackupEngineOptions::kFlagIncludeFileSize;
  EXPECT_TRUE(TryOpenEngine().IsInvalidArgument());
  backup_options_.backup_dir.clear();
  EXPECT_TRUE(TryOpenEngine().IsInvalidArgument());
}

TEST_F(BackupEngineTest, ReadOnlyEngines) {
  IOStatus s;
  EXPECT_EQ(OpenReader(&s), nullptr);
  EXPECT_EQ(s.ToString(), "NotFound: " + root_ + "/meta is missing");
  EXPECT_FALSE(std::filesystem::exists(root_));
  Open();
  OpenEngine();
  for (const char* value : {"1", "2", "3"}) {
    ASSERT_OK(Put("a", value));
    ASSERT_OK(Create());
  }
  const auto reader = OpenReader(&s);
  ASSERT_OK(s);
  EXPECT_EQ(reader->AsBackupEngine(), nullptr);
  ASSERT_OK(reader->RestoreDBFromBackup(2, restored_, restored_));
  EXPECT_EQ(ScanAt(restored_), "a=2 ");
  ASSERT_OK(reader->VerifyBackup(3, true));
  for (const int count : {2, 0}) {
    backup_options_.max_valid_backups_to_open = count;
    const auto limited = OpenReader(&s);
    ASSERT_OK(s);
    std::vector<BackupInfo> infos;
    limited->GetBackupInfo(&infos);
    ASSERT_EQ(infos.size(), static_cast<size_t>(count));
    if (count > 0) {
      EXPECT_EQ(infos[0].backup_id, 2u);
    }
  }
  OpenEngine();
  EXPECT_EQ(ValidIds().size(), 3u) << "who writes knows all";
  backup_options_.destroy_old_data = true;
  EXPECT_EQ(OpenReader(&s), nullptr);
  EXPECT_TRUE(s.IsInvalidArgument());
}

TEST_F(BackupEngineTest, OpeningADatabaseFromABackup) {
  options_.enable_blob_files = true;
  Open();
  ASSERT_OK(Put("a", "table"));
  ASSERT_OK(Flush());
  ASSERT_OK(Put("b", "log"));
  OpenEngine();
  ASSERT_OK(Create());
  BackupInfo info;
  ASSERT_OK(engine_->GetBackupInfo(1, &info, true));
  EXPECT_EQ(info.name_for_open, root_ + "/private/1");
  const Names before = Below("private/1");
  EXPECT_EQ(ScanAt(info.name_for_open, true, info.env_for_open.get()),
            "a=table b=log ");
  const std::string written =
      ScanAt(info.name_for_open, false, info.env_for_open.get());
  EXPECT_EQ(written, "IO error: Attempted write to ReadOnlyFileSystem");
  EXPECT_EQ(Below("private/1"), before);
}

TEST_F(BackupEngineTest, DetailsOfFiles) {
  Open();
  ASSERT_OK(Put("a", "1"));
  ASSERT_OK(Flush());
  OpenEngine();
  ASSERT_OK(Create());
  BackupInfo info;
  ASSERT_OK(engine_->GetBackupInfo(1, &info));
  EXPECT_TRUE(info.file_details.empty());
  ASSERT_OK(engine_->GetBackupInfo(1, &info, true));
  EXPECT_EQ(info.file_details.size(), info.number_files);
  uint64_t size = 0;
  size_t tables = 0;
  for (const BackupFileInfo& file : info.file_details) {
    EXPECT_EQ(file.directory, root_ + "/private/1");
    EXPECT_EQ(file.size,
              std::filesystem::file_size(root_ + "/" + file.relative_filename));
    size += file.size;
    if (file.file_type != kTableFile) continue;
    ++tables;
    EXPECT_EQ(file.file_number, Tables().at(0).file_number);
  }
  EXPECT_EQ(tables, 1u);
  EXPECT_EQ(info.size, size);
}

TEST_F(BackupEngineTest, CopiesAreComparedWithTheManifest) {
  options_.file_checksum_gen_factory = GetFileChecksumGenCrc32cFactory();
  options_.enable_blob_files = true;
  Open();
  ASSERT_OK(Put("a", std::string(1000, 'x')));
  ASSERT_OK(Flush());
  OpenEngine();
  ASSERT_OK(Create());
  const std::string table = path_ + "/" + Tables().at(0).relative_filename;
  std::string blob;
  for (const std::string& name : NamesIn(path_)) {
    if (name.ends_with(".blob")) blob = path_ + "/" + name;
  }
  ASSERT_OK(engine_->PurgeOldBackups(0));
  for (const std::string& path : {table, blob}) {
    FlipByte(path, 12);
    const IOStatus s = Create();
    EXPECT_TRUE(s.IsCorruption()) << s.ToString();
    EXPECT_NE(s.ToString().find("Checksum mismatch after copying to"),
              std::string::npos)
        << s.ToString();
    EXPECT_NE(s.ToString().find(path), std::string::npos) << s.ToString();
    FlipByte(path, 12);
  }
  ASSERT_OK(Create());
}

TEST_F(BackupEngineTest, ADatabaseThatIsReadOnly) {
  Open();
  ASSERT_OK(Put("a", "1"));
  ASSERT_OK(Flush());
  ASSERT_OK(Put("b", "2"));
  db_.reset();
  ASSERT_OK(DB::OpenForReadOnly(options_, path_, &db_));
  OpenEngine();
  CreateBackupOptions flushing;
  flushing.flush_before_backup = true;
  ASSERT_OK(Create(flushing));
  EXPECT_EQ(ScanRestored(1), "a=1 b=2 ");
}

TEST_F(BackupEngineTest, SeveralDataDirectories) {
  options_.db_paths = {{path_, 1}, {directory_.path() + "/second", 1 << 30}};
  options_.level_compaction_dynamic_level_bytes = false;
  Open();
  for (const char* value : {"1", "2"}) {
    ASSERT_OK(Put("a", value));
    ASSERT_OK(Put(value, value));
    ASSERT_OK(Flush());
    ASSERT_OK(CompactAll(true));
  }
  OpenEngine();
  ASSERT_OK(Create());
  options_.db_paths.clear();
  EXPECT_EQ(ScanRestored(1), "1=1 2=2 a=2 ");
}

TEST_F(BackupEngineTest, UnderALockOfTheLog) {
  Open();
  ASSERT_OK(Put("a", "1"));
  OpenEngine();
  ASSERT_OK(db_->LockWAL());
  EXPECT_OK(Create());
  ASSERT_OK(db_->UnlockWAL());
  EXPECT_EQ(ScanRestored(1), "a=1 ");
  // What is in no log is flushed where that is asked for.
  WriteOptions unlogged;
  unlogged.disableWAL = true;
  ASSERT_OK(db_->Put(unlogged, "b", "2"));
  ASSERT_OK(db_->LockWAL());
  EXPECT_OK(engine_->CreateNewBackup(db_.get(), /*flush_before_backup=*/true));
  ASSERT_OK(db_->UnlockWAL());
  EXPECT_EQ(ScanRestored(2), "a=1 b=2 ");
}

TEST_F(BackupEngineTest, BesideWritesAndCompactions) {
  options_.disable_auto_compactions = false;
  options_.write_buffer_size = 64 << 10;
  Open();
  std::atomic<bool> stops{false};
  std::atomic<int> written{0};
  std::thread writer([&] {
    for (int i = 0; !stops; ++i) {
      // Each value says how many there are.
      EXPECT_OK(Put("key" + std::to_string(i % 100),
                    std::to_string(i) + std::string(500, 'x')));
      written.store(i + 1);
    }
  });
  const StopAndJoin ends(&stops, &writer);
  backup_options_.max_background_operations = 2;
  OpenEngine();
  for (int i = 0; i < 5; ++i) {
    CreateBackupOptions options;
    options.flush_before_backup = i % 2 == 0;
    const int at_least = written.load();
    EXPECT_OK(Create(options));
    const int at_most = written.load() + 1;
    EXPECT_OK(engine_->RestoreDBFromLatestBackup(restored_, restored_));
    Options plain = options_;
    ASSERT_OK(DB::Open(plain, restored_, &other_));
    // A prefix of what was written: the newest key, and none is missing.
    std::vector<int> found;
    for (int k = 0; k < 100; ++k) {
      std::string value;
      const Status s =
          other_->Get(ReadOptions(), "key" + std::to_string(k), &value);
      if (s.ok()) found.push_back(std::stoi(value));
    }
    other_.reset();
    std::sort(found.begin(), found.end());
    const int count = found.empty() ? 0 : found.back() + 1;
    EXPECT_GE(count, at_least);
    EXPECT_LE(count, at_most);
    EXPECT_EQ(found.size(), static_cast<size_t>(std::min(count, 100)));
    for (size_t f = 0; f < found.size(); ++f) {
      EXPECT_EQ(found[f], count - static_cast<int>(found.size() - f));
    }
  }
}

TEST_F(BackupEngineTest, CallsFromManyThreads) {
  Open();
  ASSERT_OK(Put("a", "1"));
  ASSERT_OK(Flush());
  backup_options_.max_background_operations = 3;
  OpenEngine();
  ASSERT_OK(Create());
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 5; ++i) {
        if (t == 0) EXPECT_OK(Create());
        EXPECT_OK(engine_->VerifyBackup(1, true));
        const std::string to = restored_ + std::to_string(t);
        EXPECT_OK(engine_->RestoreDBFromLatestBackup(to, to));
        EXPECT_FALSE(ValidIds().empty());
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(ValidIds().size(), 6u);
}

TEST_F(BackupEngineTest, PlainTables) {
  options_.table_factory.reset(NewPlainTableFactory());
  options_.prefix_extractor.reset(NewFixedPrefixTransform(1));
  options_.allow_mmap_reads = true;
  Open();
  ASSERT_OK(Put("a", "1"));
  ASSERT_OK(Flush());
  OpenEngine();
  ASSERT_OK(Create());
  std::string session;
  ASSERT_OK(db_->GetDbSessionId(session));
  ASSERT_EQ(Below("shared_checksum").size(), 1u);
  EXPECT_NE(Below("shared_checksum")[0].find("_s" + session),
            std::string::npos);
  ASSERT_OK(engine_->RestoreDBFromLatestBackup(restored_, restored_));
  ASSERT_OK(DB::Open(options_, restored_, &other_));
  std::string value;
  EXPECT_OK(other_->Get(ReadOptions(), "a", &value));
  EXPECT_EQ(value, "1");
}

TEST_F(BackupEngineTest, ATableThatCannotBeReadIsNamed) {
  Open();
  ASSERT_OK(Put("a", "1"));
  ASSERT_OK(Flush());
  OpenEngine();
  const std::string table = path_ + "/" + Tables().at(0).relative_filename;
  FlipByte(table, ReadAll(table).size() - 1);
  const IOStatus s = Create();
  EXPECT_TRUE(s.IsCorruption()) << s.ToString();
  EXPECT_NE(s.ToString().find(table), std::string::npos) << s.ToString();
  FlipByte(table, ReadAll(table).size() - 1);
  EXPECT_OK(Create());
}

TEST_F(BackupEngineTest, LowerPriorities) {
  Open();
  ASSERT_OK(Put("a", "1"));
  OpenEngine();
  CreateBackupOptions options;
  options.decrease_background_thread_cpu_priority = true;
  options.background_thread_cpu_priority = CpuPriority::kIdle;
  ASSERT_OK(Create(options));
  EXPECT_EQ(ScanRestored(1), "a=1 ");
}

TEST_F(BackupEngineTest, ManyBackups) {
  Open();
  ASSERT_OK(Put("a", "1"));
  ASSERT_OK(Flush());
  backup_options_.sync = false;
  OpenEngine();
  const BackupID count = 80;
  for (BackupID id = 1; id <= count; ++id) ASSERT_OK(Create());
  WriteAll(root_ + "/meta/70", "damaged");
  OpenEngine();
  EXPECT_EQ(ValidIds().size(), count - 1);
  EXPECT_EQ(DamagedIds(), Ids{70});
  IOStatus s;
  backup_options_.max_valid_backups_to_open = 20;
  const auto reader = OpenReader(&s);
  ASSERT_OK(s);
  std::vector<BackupInfo> infos;
  reader->GetBackupInfo(&infos);
  ASSERT_EQ(infos.size(), 20u);
  EXPECT_EQ(infos.front().backup_id, 60u) << "70 is damaged";
  EXPECT_EQ(infos.back().backup_id, 80u);
  ASSERT_OK(engine_->PurgeOldBackups(1));
  EXPECT_EQ(Below("private"), (Names{"70", "80"}));
}

TEST_F(BackupEngineTest, StatisticsAsText) {
  BackupStatistics statistics(3, 4);
  statistics.IncrementNumberSuccessBackup();
  statistics.IncrementNumberFailBackup();
  EXPECT_EQ(statistics.ToString(), "# success backup: 4, # fail backup: 5");
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

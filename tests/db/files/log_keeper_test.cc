// Write-ahead logs get new numbers, are flushed, synced and charged as asked,
// are listed for copies, and are deleted or kept as the options say.
#include "db/files/log_keeper.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "db/files/live_file_list.h"
#include "db/files/obsolete_files.h"
#include "db/manifest/needed_logs.h"
#include "db/registry/current_options.h"
#include "db/wal/wal_manager.h"
#include "rocksdb/rate_limiter.h"
#include "rocksdb/write_batch.h"
#include "tests/db/compaction/job_world.h"
#include "util/coding.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// Grants a few bytes at a time, and counts them.
class StingyLimiter final : public RateLimiter {
 public:
  void SetBytesPerSecond(int64_t) override {}
  size_t RequestToken(size_t bytes, size_t /*alignment*/,
                      Env::IOPriority priority, Statistics*, OpType) override {
    const size_t some = std::min<size_t>(bytes, 40);
    granted[priority] += some;
    return some;
  }
  int64_t GetSingleBurstBytes() const override { return 40; }
  int64_t GetTotalBytesThrough(Env::IOPriority) const override { return 0; }
  int64_t GetTotalRequests(Env::IOPriority) const override { return 0; }
  int64_t GetBytesPerSecond() const override { return 1; }

  std::map<Env::IOPriority, size_t> granted;
};

class LogKeeperTest : public ::testing::Test {
 protected:
  LogKeeperTest() {
    world.f.family.write_buffer_size = 1 << 20;
    world.Create();
    const ImmutableDBOptions& db = *world.f.db;
    EXPECT_TRUE(db.fs->CreateDirIfMissing("/logs", IOOptions(), nullptr).ok());
    ObsoleteFiles::Callbacks none;
    none.on_deleted = [](const std::string&, FileType, uint64_t,
                         const Status& s) { EXPECT_TRUE(s.ok()); };
    none.forget = [](UnreferencedTable) {};
    none.on_unattended = [] {};
    obsolete = std::make_shared<ObsoleteFiles>(&db, nullptr, std::move(none));
    obsolete->Arm();
    keeper = Make("/logs");
  }
  std::unique_ptr<LogKeeper> Make(const std::string& directory) {
    return std::make_unique<LogKeeper>(
        LogKeeper::Context{.db = world.f.db.get(),
                           .wal_dir = directory,
                           .file_options = FileOptions(),
                           .page_cache = &page_cache,
                           .mutex = &world.mutex,
                           .options = &options,
                           .versions = world.versions.get(),
                           .manifest_directory = world.directory.get(),
                           .obsolete = obsolete.get()});
  }
  // After the options are set.
  void Open() { ASSERT_TRUE(keeper->Open().ok()); }
  Status Switch(uint64_t number) {
    MutexLock lock(&world.mutex);
    return keeper->Switch(number, 1 << 20);
  }
  Status Append() {
    WriteBatch batch;
    EXPECT_TRUE(batch.Put("key", "value").ok());
    std::string record = batch.Data();
    EncodeFixed64(record.data(), ++sequence);
    return keeper->wal()->Append(record);
  }
  // "number size", "+" behind what may grow.
  std::string Live(const Status& error = Status::OK()) {
    std::vector<LiveFileStorageInfo> files;
    LiveFileList list(LiveFileList::Checksums::kLeftOut, &files);
    MutexLock lock(&world.mutex);
    const Status s = keeper->ListLive(error, &list);
    if (!s.ok()) return s.ToString();
    std::string text;
    for (const LiveFileStorageInfo& file : files) {
      EXPECT_EQ(file.directory, "/logs");
      text += std::to_string(file.file_number) +
              (file.size > 0 ? "" : " empty") +
              (file.trim_to_size ? "+ " : " ");
    }
    return text;
  }
  void NeedLogs(uint64_t family, uint64_t manifest) {
    MutexLock lock(&world.mutex);
    world.cfd->set_log_number(family);
    world.versions->logs()->TakeOver(manifest, TrackedWals());
  }
  bool IsThere(const std::string& path) const {
    return world.f.fs->FileExists(path, IOOptions(), nullptr).ok();
  }

  JobWorld world;
  PageCacheRoom page_cache;
  CurrentOptions options{&world.mutex, DBOptions()};
  std::shared_ptr<ObsoleteFiles> obsolete;
  std::unique_ptr<LogKeeper> keeper;
  SequenceNumber sequence = 0;
};

TEST_F(LogKeeperTest, ADirectoryThatIsNotThereIsAnError) {
  const std::unique_ptr<LogKeeper> elsewhere = Make("/nowhere");
  EXPECT_FALSE(elsewhere->Open().ok());
  EXPECT_TRUE(elsewhere->Close().ok());
  elsewhere->StopArchive();
}

TEST_F(LogKeeperTest, TheNextNumberIsNewOrThatOfTheFileThatIsMadeAlready) {
  world.f.db->async_wal_precreate = true;
  Open();
  const uint64_t first = keeper->NextNumber();
  EXPECT_GT(keeper->NextNumber(), first);
  ASSERT_TRUE(Switch(first).ok());
  const uint64_t next = keeper->NextNumber();
  EXPECT_EQ(next, keeper->wal()->precreated_number());
  EXPECT_EQ(keeper->NextNumber(), next);
  ASSERT_TRUE(Switch(next).ok());
  EXPECT_EQ(keeper->wal()->current_number(), next);
  EXPECT_GT(keeper->NextNumber(), next);
}

TEST_F(LogKeeperTest, NoFileIsMadeWhereOldOnesAreUsedAgain) {
  world.f.db->async_wal_precreate = true;
  world.f.db->recycle_log_file_num = 1;
  Open();
  ASSERT_TRUE(Switch(10).ok());
  EXPECT_EQ(keeper->wal()->precreated_number(), 0u);
}

TEST_F(LogKeeperTest, ALogHoldsWhatFillsAMemtable) {
  EXPECT_EQ(LogKeeper::Preallocation(*world.cfd), (1u << 20) + (1u << 20) / 10);
  ColumnFamilyOptions large = world.f.family;
  large.write_buffer_size = size_t{5} << 30;
  MutexLock lock(&world.mutex);
  world.cfd->SetOptions(std::make_shared<MutableCFOptions>(large));
  constexpr uint64_t kMost = uint64_t{1} << 30;
  EXPECT_EQ(LogKeeper::Preallocation(*world.cfd), kMost + kMost / 10);
}

TEST_F(LogKeeperTest, ALogIsChargedForItsPriority) {
  const auto limiter = std::make_shared<StingyLimiter>();
  keeper->Charge(Env::IO_USER, 100);  // Nobody limits.
  world.f.db->rate_limiter = limiter;
  keeper->Charge(Env::IO_TOTAL, 100);
  EXPECT_TRUE(limiter->granted.empty());
  keeper->Charge(Env::IO_USER, 101);
  keeper->Charge(Env::IO_HIGH, 0);
  EXPECT_EQ(limiter->granted,
            (std::map<Env::IOPriority, size_t>{{Env::IO_USER, 101}}));
}

TEST_F(LogKeeperTest, WhatIsBufferedGoesToTheSystemOrToTheDevice) {
  const auto limiter = std::make_shared<StingyLimiter>();
  world.f.db->rate_limiter = limiter;
  world.f.db->manual_wal_flush = true;
  Open();
  ASSERT_TRUE(Switch(10).ok());
  ASSERT_TRUE(Append().ok());
  const uint64_t buffered = keeper->wal()->BufferedBytes();
  EXPECT_GT(buffered, 0u);
  FlushWALOptions flush;
  flush.rate_limiter_priority = Env::IO_HIGH;
  ASSERT_TRUE(keeper->FlushOrSync(flush).ok());
  EXPECT_EQ(keeper->wal()->BufferedBytes(), 0u);
  EXPECT_EQ(limiter->granted[Env::IO_HIGH], buffered);
  EXPECT_EQ(world.f.Ticker(WAL_FILE_SYNCED), 0u);
  flush.sync = true;
  ASSERT_TRUE(keeper->FlushOrSync(flush).ok());
  EXPECT_EQ(limiter->granted[Env::IO_HIGH], buffered);
  EXPECT_EQ(world.f.Ticker(WAL_FILE_SYNCED), 1u);
}

TEST_F(LogKeeperTest, TheDirectoryIsSynced) {
  Open();
  EXPECT_TRUE(keeper->SyncName().ok());
  world.f.fs->FailCall({.call = 1, .path_contains = "/logs"});
  EXPECT_TRUE(keeper->SyncName().IsIOError());
}

TEST_F(LogKeeperTest, TheManifestIsToldOfSyncedLogs) {
  world.f.db->track_and_verify_wals_in_manifest = true;
  Open();
  ASSERT_TRUE(Switch(10).ok());
  ASSERT_TRUE(Append().ok());
  const uint64_t size = keeper->wal()->current_bytes();
  ASSERT_TRUE(Switch(11).ok());
  ASSERT_TRUE(keeper->wal()->SyncClosed().ok());
  MutexLock lock(&world.mutex);
  ASSERT_TRUE(keeper->TrackSynced().ok());
  EXPECT_EQ(world.versions->logs()->synced_sizes(),
            (std::map<uint64_t, uint64_t>{{10, size}}));
  // Once is enough.
  const uint64_t manifest_bytes = world.versions->manifest()->size_bytes();
  ASSERT_TRUE(keeper->TrackSynced().ok());
  EXPECT_EQ(world.versions->manifest()->size_bytes(), manifest_bytes);
}

TEST_F(LogKeeperTest, LogsAreListedWithTheirFirstSequence) {
  Open();
  sequence = 6;
  ASSERT_TRUE(Switch(10).ok());
  ASSERT_TRUE(Append().ok());
  ASSERT_TRUE(Append().ok());
  const uint64_t older = keeper->wal()->current_bytes();
  ASSERT_TRUE(Switch(11).ok());
  ASSERT_TRUE(Append().ok());
  VectorWalPtr files;
  ASSERT_TRUE(keeper->List(&files).ok());
  ASSERT_EQ(files.size(), 2u);
  EXPECT_EQ(files[0]->LogNumber(), 10u);
  EXPECT_EQ(files[0]->StartSequence(), 7u);
  EXPECT_EQ(files[0]->SizeFileBytes(), older);
  EXPECT_EQ(files[1]->StartSequence(), 9u);
  std::unique_ptr<WalFile> current;
  ASSERT_TRUE(keeper->DescribeCurrent(&current).ok());
  EXPECT_EQ(current->LogNumber(), 11u);
  EXPECT_EQ(current->SizeFileBytes(), keeper->wal()->current_bytes());
}

TEST_F(LogKeeperTest, LogsThatAreUsedAgainAreNotListed) {
  world.f.db->recycle_log_file_num = 1;
  Open();
  ASSERT_TRUE(Switch(10).ok());
  ASSERT_TRUE(Append().ok());
  ASSERT_TRUE(Switch(11).ok());
  ASSERT_TRUE(Append().ok());
  EXPECT_TRUE(keeper->wal()->Remove(11, WalManager::Reuse::kAllowed).empty());
  ASSERT_TRUE(IsThere("/logs/000010.log"));
  VectorWalPtr files;
  ASSERT_TRUE(keeper->List(&files).ok());
  ASSERT_EQ(files.size(), 1u);
  EXPECT_EQ(files[0]->LogNumber(), 11u);
}

TEST_F(LogKeeperTest, ACopyNeedsTheLogsThatTheFamiliesNeed) {
  Open();
  ASSERT_TRUE(Switch(10).ok());
  // Nothing was ever logged.
  EXPECT_EQ(Live(), "");
  world.f.db->track_and_verify_wals = true;
  EXPECT_EQ(Live(), "10 empty+ ");
  world.f.db->track_and_verify_wals = false;
  ASSERT_TRUE(Append().ok());
  EXPECT_EQ(Live(), "10+ ");
  ASSERT_TRUE(Switch(11).ok());
  EXPECT_EQ(Live(), "10 11 empty+ ");
  NeedLogs(11, 10);
  EXPECT_EQ(Live(), "10 11 empty+ ");
  NeedLogs(11, 11);
  EXPECT_EQ(Live(), "11 empty+ ");
}

TEST_F(LogKeeperTest, ALogThatFailedIsCopiedOnceItsErrorIsMended) {
  Open();
  ASSERT_TRUE(Switch(10).ok());
  ASSERT_TRUE(Append().ok());
  world.f.fs->FailCall({.call = 1, .path_contains = "000010.log"});
  EXPECT_FALSE(Append().ok());
  ASSERT_TRUE(world.f.fs->failed());
  ASSERT_TRUE(Switch(11).ok());
  EXPECT_TRUE(keeper->wal()->AbandonFailed());
  EXPECT_EQ(Live(Status::IOError("the log")), "IO error: the log");
  EXPECT_EQ(Live(), "10+ 11 empty+ ");
  // It is of no interest any more.
  NeedLogs(11, 11);
  EXPECT_EQ(Live(Status::IOError("the log")), "11 empty+ ");
}

TEST_F(LogKeeperTest, ObsoleteLogsAreDeletedUnlessTheyAreToBeKept) {
  Open();
  keeper->StartArchive();
  ASSERT_TRUE(Switch(10).ok());
  ASSERT_TRUE(Switch(11).ok());
  obsolete->Add("/logs/000010.log", kWalFile, 10);
  obsolete->Purge();
  EXPECT_FALSE(IsThere("/logs/000010.log"));
  EXPECT_FALSE(IsThere("/logs/archive/000010.log"));
  keeper->StopArchive();
}

TEST_F(LogKeeperTest, ObsoleteLogsAreKeptWhileTheyAreOfUse) {
  world.f.db->WAL_size_limit_MB = 1000;
  Open();
  keeper->StartArchive();
  ASSERT_TRUE(Switch(10).ok());
  ASSERT_TRUE(Append().ok());
  ASSERT_TRUE(Switch(11).ok());  // Nothing goes there.
  ASSERT_TRUE(Switch(12).ok());
  obsolete->Add("/logs/000010.log", kWalFile, 10);
  obsolete->Add("/logs/000011.log", kWalFile, 11);
  obsolete->Purge();
  EXPECT_TRUE(IsThere("/logs/archive/000010.log"));
  EXPECT_TRUE(IsThere("/logs/archive/000011.log"));
  keeper->PruneArchive();
  EXPECT_TRUE(IsThere("/logs/archive/000010.log"));
  EXPECT_FALSE(IsThere("/logs/archive/000011.log"));
  keeper->StopArchive();
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

// The files of a database that is being written are listed such that a copy of
// them is complete: memtables are flushed or their logs listed and synced.
#include "db/intake/live_listing.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "db/files/live_file_list.h"
#include "db/intake/direct_blobs.h"
#include "db/intake/log_requests.h"
#include "tests/db/intake/changing_world.h"

namespace ROCKSDB_NAMESPACE {
namespace {

using Lines = std::vector<std::string>;

class LiveListingTest : public ::testing::Test {
 protected:
  using Files = std::map<FileType, std::vector<LiveFileStorageInfo>>;
  using MemTables = LiveListing::MemTables;

  void Open() {
    world_.Open();
    family_ = world_.default_family->shared_from_this();
    log_requests_ = std::make_unique<LogRequests>(
        LogRequests::Context{.mutex = world_.mutex,
                             .error = &world_.errors,
                             .logs = world_.logs.get(),
                             .wal_lock = &world_.wal_lock,
                             .clean_up = world_.clean_up.get(),
                             .counts = &world_.counts,
                             .errors = world_.job_errors()});
    listing_ = std::make_unique<LiveListing>(
        LiveListing::Context{.fs = world_.f.fs.get(),
                             .db_name = "/db",
                             .mutex = world_.mutex,
                             .families = &world_.families,
                             .error = &world_.errors,
                             .versions = world_.versions(),
                             .options_files = world_.options_files.get(),
                             .logs = world_.logs.get(),
                             .log_requests = log_requests_.get(),
                             .flush_requests = world_.intake->flush_requests(),
                             .wal_lock = &world_.wal_lock,
                             .direct_blobs = world_.intake->direct_blobs(),
                             .always_flushes = always_flushes_});
  }
  // Values from four bytes on go to blob files before the log.
  void OpenWithBlobs() {
    world_.f.db_options.allow_concurrent_memtable_write = false;
    world_.f.family.enable_blob_files = true;
    world_.f.family.enable_blob_direct_write = true;
    world_.f.family.min_blob_size = 4;
    Open();
  }
  // Into `files_`; logs that have so many bytes are flushed.
  Status List(uint64_t flushed_log_bytes) {
    options_.wal_size_for_flush = flushed_log_bytes;
    return Fill(
        [this](LiveFileList* list) { return listing_->List(options_, list); });
  }
  // A thread runs the flush that this asks for.
  Status ListWithFlush(uint64_t flushed_log_bytes) {
    std::thread job([this] { world_.env.AwaitAndRun(); });
    const Status s = List(flushed_log_bytes);
    job.join();
    return s;
  }
  Status ListWithoutLogs(MemTables memtables) {
    return Fill([this, memtables](LiveFileList* list) {
      return listing_->ListWithoutLogs(memtables, list);
    });
  }
  template <class Call>
  Status Fill(const Call& call) {
    std::vector<LiveFileStorageInfo> all;
    LiveFileList list(LiveFileList::Checksums::kLeftOut, &all);
    const Status s = call(&list);
    files_.clear();
    for (const auto& file : all) files_[file.file_type].push_back(file);
    return s;
  }
  std::set<uint64_t> Tables() {
    std::set<uint64_t> numbers;
    for (const auto& f : files_[kTableFile]) numbers.insert(f.file_number);
    return numbers;
  }
  uint64_t CurrentLog() const { return world_.logs->wal()->current_number(); }
  // The log that is listed is the current one, with all that it has.
  void ExpectCurrentLog() {
    ASSERT_EQ(files_[kWalFile].size(), 1u);
    EXPECT_EQ(files_[kWalFile][0].file_number, CurrentLog());
    EXPECT_EQ(files_[kWalFile][0].size, world_.logs->wal()->current_bytes());
    EXPECT_TRUE(files_[kWalFile][0].trim_to_size);
  }

  ChangingWorld world_;
  bool always_flushes_ = false;
  ColumnFamilyRef family_;
  std::unique_ptr<LogRequests> log_requests_;
  std::unique_ptr<LiveListing> listing_;
  LiveFilesStorageInfoOptions options_;
  Files files_;
};

TEST_F(LiveListingTest, EveryFileIsListedAndMemtablesAreInTheLog) {
  Open();
  ASSERT_TRUE(world_.stored.Flush("a@1=v").ok());
  ASSERT_TRUE(world_.family_changes->Note().ok());
  ASSERT_TRUE(world_.Put(family_, "b").ok());
  ASSERT_TRUE(List(UINT64_MAX).ok());
  EXPECT_EQ(Tables(), world_.stored.FilesOnDisk());
  EXPECT_EQ(Tables().size(), 1u);
  ExpectCurrentLog();
  ASSERT_EQ(files_[kOptionsFile].size(), 1u);
  EXPECT_EQ(files_[kOptionsFile][0].file_number, world_.CurrentOptionsFile());
  ASSERT_EQ(files_[kDescriptorFile].size(), 1u);
  const LiveFileStorageInfo& manifest = files_[kDescriptorFile][0];
  EXPECT_EQ(manifest.size, world_.versions()->manifest()->size_bytes());
  EXPECT_TRUE(manifest.trim_to_size);
  ASSERT_EQ(files_[kCurrentFile].size(), 1u);
  EXPECT_EQ(files_[kCurrentFile][0].replacement_contents,
            manifest.relative_filename + "\n");
  EXPECT_FALSE(family_->mem()->empty());
}

TEST_F(LiveListingTest, TablesOfAllFamiliesAreListed) {
  Open();
  const ColumnFamilyRef other = world_.Add("other")->shared_from_this();
  ASSERT_TRUE(world_.Put(family_, "a").ok());
  ASSERT_TRUE(world_.Put(other, "b").ok());
  const Status s = ListWithFlush(0);
  ASSERT_TRUE(s.ok()) << s.ToString();
  EXPECT_EQ(Tables().size(), 2u);
  EXPECT_EQ(Tables(), world_.stored.FilesOnDisk());
  EXPECT_EQ(files_[kOptionsFile].size(), 0u);  // There is none.
}

// --- what is flushed

TEST_F(LiveListingTest, LongLogsAreFlushedAndShortOnesCopied) {
  Open();
  ASSERT_TRUE(world_.Put(family_, "a").ok());
  const uint64_t bytes = world_.logs->wal()->TotalBytes();
  ASSERT_TRUE(List(bytes + 1).ok());
  EXPECT_EQ(Tables().size(), 0u);
  ExpectCurrentLog();
  const uint64_t log = CurrentLog();
  ASSERT_TRUE(ListWithFlush(bytes).ok());
  EXPECT_EQ(Tables().size(), 1u);
  EXPECT_EQ(world_.Tables(), "L0 [a@1=v]");
  EXPECT_GT(CurrentLog(), log);
  for (const auto& file : files_[kWalFile]) EXPECT_GT(file.file_number, log);
}

// Blob files that logs refer to are no obstacle then.
TEST_F(LiveListingTest, WithPreparedTransactionsShortLogsAreFlushedToo) {
  always_flushes_ = true;
  OpenWithBlobs();
  ASSERT_TRUE(world_.Put(family_, "a", "a large value").ok());
  const Status s = ListWithFlush(UINT64_MAX);
  ASSERT_TRUE(s.ok()) << s.ToString();
  EXPECT_EQ(Tables().size(), 1u);
  EXPECT_TRUE(family_->mem()->empty());
}

TEST_F(LiveListingTest, FamiliesAreFlushedInOneStepIfThatIsAskedFor) {
  Open();
  const ColumnFamilyRef other = world_.Add("other")->shared_from_this();
  ASSERT_TRUE(world_.Put(family_, "a").ok());
  ASSERT_TRUE(world_.Put(other, "b").ok());
  options_.atomic_flush = true;
  // One job for both; where the second table fails, the first does not count.
  world_.FailNext(
      TableFileName("/db", world_.versions()->next_file_number() + 2));
  EXPECT_TRUE(ListWithFlush(0).IsIOError());
  EXPECT_TRUE(files_.empty());
  EXPECT_EQ(world_.Tables(), "");
}

// Whoever has locked the log need not give it back: the log is copied as it is.
TEST_F(LiveListingTest, UnderALockOfTheLogOnlyWhatItLacksIsFlushed) {
  Open();
  const ColumnFamilyRef other = world_.Add("other")->shared_from_this();
  ASSERT_TRUE(world_.Put(family_, "logged").ok());
  WriteBatch batch;
  ASSERT_TRUE(
      batch.Put(ChangingWorld::HandleOf(other).get(), "unlogged", "v").ok());
  WriteOptions unlogged;
  unlogged.disableWAL = true;
  ASSERT_TRUE(world_.intake->pipeline()->Write(unlogged, &batch, nullptr).ok());
  world_.LockLog();
  const uint64_t log = CurrentLog();
  ASSERT_TRUE(List(0).ok());
  ASSERT_TRUE(world_.wal_lock.GiveBack().ok());
  EXPECT_EQ(Tables().size(), 1u);
  EXPECT_EQ(world_.Tables(), "");  // It is the other family's.
  std::set<uint64_t> logs;
  for (const auto& file : files_[kWalFile]) logs.insert(file.file_number);
  EXPECT_TRUE(logs.contains(log));
}

TEST_F(LiveListingTest, WithoutTheFlushThereIsNoList) {
  Open();
  ASSERT_TRUE(world_.Put(family_, "a").ok());
  world_.FailNext(".sst");
  EXPECT_TRUE(ListWithFlush(0).IsIOError());
  EXPECT_TRUE(files_.empty());
}

// --- logs

TEST_F(LiveListingTest, TheLogsThatAreListedAreOnTheDevice) {
  Open();
  ASSERT_TRUE(world_.Put(family_, "a").ok());
  ASSERT_TRUE(List(UINT64_MAX).ok());
  EXPECT_EQ(world_.counts.Map(0).at("db.wal_syncs"), "1");
  ASSERT_TRUE(world_.f.fs->CrashAndHeal().ok());
  EXPECT_EQ(world_.Records(), Lines{"1: a=v"});
}

TEST_F(LiveListingTest, ALogThatCannotBeSyncedIsToldAndNotListed) {
  Open();
  ASSERT_TRUE(world_.Put(family_, "a").ok());
  world_.FailNext(LogFileName("/db", CurrentLog()));
  EXPECT_TRUE(List(UINT64_MAX).IsIOError());
  EXPECT_TRUE(files_.empty());
  ASSERT_EQ(world_.told.size(), 1u);
  EXPECT_EQ(world_.told[0].reason, BackgroundErrorReason::kWriteCallback);
}

// It may lack what memtables have, as long as the error is in force.
TEST_F(LiveListingTest, ALogThatFailedIsNotCopiedBeforeAllIsWell) {
  Open();
  ASSERT_TRUE(world_.Put(family_, "a").ok());
  world_.FailNext(LogFileName("/db", CurrentLog()));
  EXPECT_FALSE(world_.Put(family_, "lost").ok());
  {
    MutexLock lock(world_.mutex);
    ASSERT_TRUE(world_.logs->Switch(world_.logs->NextNumber(), 4096).ok());
    ASSERT_TRUE(world_.logs->wal()->AbandonFailed());
    // One that lets logs be synced is the answer, too.
    world_.errors.Clear();
    world_.errors.Set(Status::NoSpace("here"),
                      BackgroundErrorReason::kCompaction);
  }
  EXPECT_TRUE(List(UINT64_MAX).IsNoSpace());
  {
    MutexLock lock(world_.mutex);
    world_.errors.Clear();
  }
  EXPECT_TRUE(List(UINT64_MAX).ok());
}

// --- values that went to blob files first

TEST_F(LiveListingTest, BlobFilesThatLogsReferToAreListedAsFarAsWritten) {
  OpenWithBlobs();
  ASSERT_TRUE(world_.Put(family_, "a", "a large value").ok());
  EXPECT_TRUE(List(UINT64_MAX).IsNotSupported());
  EXPECT_TRUE(files_.empty());
  ASSERT_TRUE(List(UINT64_MAX - 1).ok());
  ExpectCurrentLog();
  ASSERT_EQ(files_[kBlobFile].size(), 1u);
  const LiveFileStorageInfo& blob = files_[kBlobFile][0];
  EXPECT_TRUE(blob.trim_to_size);
  uint64_t size_bytes = 0;
  ASSERT_TRUE(world_.f.fs
                  ->GetFileSize(blob.directory + "/" + blob.relative_filename,
                                IOOptions(), &size_bytes, nullptr)
                  .ok());
  EXPECT_EQ(blob.size, size_bytes);
  ASSERT_TRUE(ListWithFlush(0).ok());
  ASSERT_EQ(files_[kBlobFile].size(), 1u);
  EXPECT_FALSE(files_[kBlobFile][0].trim_to_size);  // A version has it.
  EXPECT_TRUE(List(UINT64_MAX).ok());
}

// --- without logs

TEST_F(LiveListingTest, WithoutLogsMemtablesAreFlushedOrLeftOut) {
  Open();
  ASSERT_TRUE(world_.Put(family_, "a").ok());
  ASSERT_TRUE(ListWithoutLogs(MemTables::kLeftOut).ok());
  EXPECT_EQ(Tables().size(), 0u);
  EXPECT_EQ(files_[kWalFile].size(), 0u);
  EXPECT_EQ(files_[kDescriptorFile].size(), 1u);
  std::thread job([this] { world_.env.AwaitAndRun(); });
  const Status s = ListWithoutLogs(MemTables::kFlushed);
  job.join();
  ASSERT_TRUE(s.ok()) << s.ToString();
  EXPECT_EQ(Tables().size(), 1u);
  EXPECT_EQ(files_[kWalFile].size(), 0u);
}

TEST_F(LiveListingTest, WithoutLogsAFlushThatFailsLeavesNoList) {
  Open();
  ASSERT_TRUE(world_.Put(family_, "a").ok());
  world_.LockLog();
  EXPECT_TRUE(ListWithoutLogs(MemTables::kFlushed).IsAborted());
  EXPECT_TRUE(files_.empty());
  ASSERT_TRUE(world_.wal_lock.GiveBack().ok());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

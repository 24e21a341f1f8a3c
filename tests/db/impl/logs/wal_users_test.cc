// What users ask of the write-ahead logs: lists, updates since, archive, locks,
// filters, and the checks that a log is all there.
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "file/filename.h"
#include "rocksdb/env.h"
#include "rocksdb/rate_limiter.h"
#include "rocksdb/sst_file_writer.h"
#include "rocksdb/wal_filter.h"
#include "tests/db/impl/damage.h"
#include "tests/db/impl/families_fixture.h"
#include "tests/db/impl/fault_world.h"
#include "tests/testing/shell.h"

namespace ROCKSDB_NAMESPACE {
namespace {

std::string WalKey(int i) { return "key" + std::to_string(100000 + i); }

class WalUsersTest : public FamiliesFixture {
 protected:
  void PutSome(int from, int to) {
    for (int i = from; i < to; ++i) {
      ASSERT_OK(Put(WalKey(i), std::string(2000, 'a' + i % 26)));
    }
  }
  std::string LogPath(uint64_t number) const {
    return LogFileName(path_, number);
  }
  std::vector<uint64_t> LiveLogs() {
    VectorWalPtr files;
    EXPECT_OK(db_->GetSortedWalFiles(files));
    std::vector<uint64_t> numbers;
    for (const auto& file : files) numbers.push_back(file->LogNumber());
    return numbers;
  }
  // "first+count" of each batch from `sequence` on.
  std::string Updates(SequenceNumber sequence) {
    std::unique_ptr<TransactionLogIterator> it;
    Status s = db_->GetUpdatesSince(sequence, &it);
    if (!s.ok()) return s.ToString();
    std::string text;
    for (; it->Valid(); it->Next()) {
      const BatchResult batch = it->GetBatch();
      text += std::to_string(batch.sequence) + "+" +
              std::to_string(batch.writeBatchPtr->Count()) + " ";
    }
    return it->status().ok() ? text : text + it->status().ToString();
  }
  std::string Expected(int from, int to) {
    std::string text;
    for (int i = from; i <= to; ++i) text += std::to_string(i) + "+1 ";
    return text;
  }
};

TEST_F(WalUsersTest, SortedFilesAndTheCurrentOne) {
  Open();
  EXPECT_TRUE(LiveLogs().empty());  // It has no batch yet.
  ASSERT_OK(Put("a", "1"));
  ASSERT_OK(Put("b", "2"));
  VectorWalPtr files;
  ASSERT_OK(db_->GetSortedWalFiles(files));
  ASSERT_EQ(files.size(), 1u);
  EXPECT_EQ(files[0]->StartSequence(), 1u);
  EXPECT_EQ(files[0]->Type(), kAliveLogFile);
  EXPECT_EQ(path_ + files[0]->PathName(), LogPath(files[0]->LogNumber()));
  // The last batch ends with its value; behind that may be room for more.
  const std::string log = ReadBytes(LogPath(files[0]->LogNumber()));
  EXPECT_EQ(files[0]->SizeFileBytes(), log.find_last_not_of('\0') + 1);
  std::unique_ptr<WalFile> current;
  ASSERT_OK(db_->GetCurrentWalFile(&current));
  EXPECT_EQ(current->LogNumber(), files[0]->LogNumber());
  EXPECT_EQ(current->SizeFileBytes(), files[0]->SizeFileBytes());
}

TEST_F(WalUsersTest, UpdatesOverSeveralLogs) {
  for (const CompressionType codec : {kNoCompression, kZSTD}) {
    db_.reset();
    std::filesystem::remove_all(path_);
    options_.wal_compression = codec;
    options_.WAL_ttl_seconds = 3600;
    Open();
    PutSome(0, 40);
    ASSERT_OK(Flush());
    PutSome(40, 80);
    ASSERT_OK(Flush());
    PutSome(80, 90);
    EXPECT_EQ(Updates(0), Expected(1, 90));
    EXPECT_EQ(Updates(37), Expected(37, 90));
    EXPECT_EQ(Updates(41), Expected(41, 90));
    EXPECT_EQ(Updates(90), Expected(90, 90));
    EXPECT_NE(Updates(91).find("not yet written"), std::string::npos);
    // What is in the batches.
    std::unique_ptr<TransactionLogIterator> it;
    ASSERT_OK(db_->GetUpdatesSince(85, &it));
    ASSERT_TRUE(it->Valid());
    const BatchResult batch = it->GetBatch();
    struct Keys : WriteBatch::Handler {
      std::string keys;
      Status PutCF(uint32_t, const Slice& key, const Slice&) override {
        keys += key.ToString() + " ";
        return Status::OK();
      }
    } keys;
    ASSERT_OK(batch.writeBatchPtr->Iterate(&keys));
    EXPECT_EQ(keys.keys, WalKey(84) + " ");
  }
}

// A batch of blobs alone has no update, and is shown, once, with the next one.
TEST_F(WalUsersTest, BlobsAloneAreShown) {
  options_.WAL_ttl_seconds = 3600;
  Open();
  ASSERT_OK(Put("a", "1"));
  std::unique_ptr<TransactionLogIterator> it;
  ASSERT_OK(db_->GetUpdatesSince(1, &it));
  WriteBatch blob;
  ASSERT_OK(blob.PutLogData("of a replica"));
  ASSERT_OK(db_->Write(WriteOptions(), &blob));
  it->Next();
  EXPECT_FALSE(it->Valid());
  ASSERT_OK(it->status());
  ASSERT_OK(Put("b", "2"));
  it->Next();
  ASSERT_TRUE(it->Valid());
  const BatchResult found = it->GetBatch();
  EXPECT_EQ(found.sequence, 2u);
  EXPECT_EQ(found.writeBatchPtr->Count(), 0u);
  EXPECT_NE(found.writeBatchPtr->Data().find("of a replica"),
            std::string::npos);
  it->Next();
  ASSERT_TRUE(it->Valid());
  EXPECT_EQ(it->GetBatch().writeBatchPtr->Count(), 1u);
  // The engine's own mark at the beginning of the next log is not.
  ASSERT_OK(Flush());
  ASSERT_OK(Put("c", "3"));
  EXPECT_EQ(Updates(0), "1+1 2+0 2+1 3+1 ");
  EXPECT_EQ(Updates(2), "2+0 2+1 3+1 ");
  EXPECT_EQ(Updates(3), "3+1 ");
}

// The end of what is written is no end: the same iterator goes on.
TEST_F(WalUsersTest, UpdatesAreFollowed) {
  options_.WAL_ttl_seconds = 3600;
  Open();
  ASSERT_OK(Put("first", "x"));
  std::unique_ptr<TransactionLogIterator> it;
  ASSERT_OK(db_->GetUpdatesSince(1, &it));
  SequenceNumber next = 1;
  const auto follow = [&] {
    while (it->Valid()) {
      const BatchResult batch = it->GetBatch();
      EXPECT_EQ(batch.sequence, next);
      next += batch.writeBatchPtr->Count();
      it->Next();
    }
    EXPECT_OK(it->status());
  };
  follow();
  EXPECT_EQ(next, 2u);
  for (int round = 0; round < 6; ++round) {
    PutSome(round * 50, round * 50 + 20);
    // Longer than a block.
    ASSERT_OK(Put("long", std::string(100000, 'l')));
    if (round % 2 == 0) ASSERT_OK(Flush());
    PutSome(round * 50 + 20, round * 50 + 21);
    it->Next();
    follow();
    EXPECT_EQ(next, db_->GetLatestSequenceNumber() + 1);
  }
}

TEST_F(WalUsersTest, UpdatesPastTheLogAreAGap) {
  options_.WAL_ttl_seconds = 3600;
  Open();
  ASSERT_OK(Put("a", "1"));
  WriteOptions past;
  past.disableWAL = true;
  ASSERT_OK(db_->Put(past, "b", "2"));
  ASSERT_OK(Put("c", "3"));
  EXPECT_EQ(Updates(1),
            "1+1 3+1 NotFound: Gap in sequence numbers: sequence 2 is wanted, "
            "3 follows");
  EXPECT_EQ(Updates(2), "3+1 ");  // The first there is.
}

// The iterator goes on behind a gap, which its status tells of from there on,
// also if more is written once it has come to the end.
TEST_F(WalUsersTest, AnIngestionIsAGap) {
  options_.WAL_ttl_seconds = 3600;
  Open();
  ASSERT_OK(Put("a", "1"));
  ASSERT_OK(Put("b", "2"));
  const std::string file = directory_.path() + "/ingested.sst";
  SstFileWriter writer(EnvOptions(), options_);
  ASSERT_OK(writer.Open(file));
  ASSERT_OK(writer.Put("a", "3"));
  ASSERT_OK(writer.Finish());
  ASSERT_OK(db_->IngestExternalFile({file}, IngestExternalFileOptions()));
  ASSERT_EQ(db_->GetLatestSequenceNumber(), 3u);
  std::unique_ptr<TransactionLogIterator> it;
  ASSERT_OK(db_->GetUpdatesSince(1, &it));
  ASSERT_TRUE(it->Valid());
  it->Next();
  ASSERT_TRUE(it->Valid());
  EXPECT_EQ(it->GetBatch().sequence, 2u);
  EXPECT_OK(it->status());
  // Only a write behind it shows the gap.
  it->Next();
  EXPECT_FALSE(it->Valid());
  EXPECT_OK(it->status());
  ASSERT_OK(Put("c", "4"));
  it->Next();
  ASSERT_TRUE(it->Valid());
  EXPECT_TRUE(it->status().IsNotFound()) << it->status().ToString();
  EXPECT_EQ(it->GetBatch().sequence, 4u);
  it->Next();
  EXPECT_FALSE(it->Valid());
  ASSERT_OK(Put("d", "5"));
  ASSERT_OK(Flush());
  ASSERT_OK(Put("e", "6"));
  for (SequenceNumber sequence = 5; sequence <= 6; ++sequence) {
    it->Next();
    ASSERT_TRUE(it->Valid());
    EXPECT_EQ(it->GetBatch().sequence, sequence);
    EXPECT_TRUE(it->status().IsNotFound());
  }
  EXPECT_EQ(Updates(3), "4+1 5+1 6+1 ");
  EXPECT_EQ(Updates(4), "4+1 5+1 6+1 ");
}

// While others write.
TEST_F(WalUsersTest, UpdatesBesideWriters) {
  options_.WAL_ttl_seconds = 3600;
  options_.write_buffer_size = 64 << 10;
  Open();
  ASSERT_OK(Put("start", ""));
  constexpr int kWrites = 1000;
  std::vector<std::thread> writers;
  for (int t = 0; t < 2; ++t) {
    writers.emplace_back([&, t] {
      for (int i = 0; i < kWrites; ++i) {
        EXPECT_OK(Put(WalKey(i) + std::to_string(t), std::string(300, 'x')));
      }
    });
  }
  std::unique_ptr<TransactionLogIterator> it;
  ASSERT_OK(db_->GetUpdatesSince(1, &it));
  SequenceNumber next = 1;
  while (next <= 2 * kWrites + 1) {
    if (!it->Valid()) it->Next();
    if (!it->Valid()) {
      ASSERT_OK(it->status());
      std::this_thread::yield();
      continue;
    }
    const BatchResult batch = it->GetBatch();
    ASSERT_EQ(batch.sequence, next);
    next += batch.writeBatchPtr->Count();
    it->Next();
  }
  for (std::thread& writer : writers) writer.join();
}

TEST_F(WalUsersTest, ObsoleteLogsAreArchivedAndPruned) {
  options_.WAL_ttl_seconds = 1000;
  Open();
  for (int i = 0; i < 4; ++i) {
    ASSERT_OK(Put(WalKey(i), "v"));
    ASSERT_OK(Flush());
  }
  ASSERT_NO_FATAL_FAILURE(AwaitPurge());
  VectorWalPtr files;
  ASSERT_OK(db_->GetSortedWalFiles(files));
  ASSERT_EQ(files.size(), 4u);
  EXPECT_EQ(files[0]->Type(), kArchivedLogFile);
  EXPECT_EQ(files[0]->PathName(),
            "/archive/" + LogFileName("", files[0]->LogNumber()).substr(1));
  // Age counts, at the next open at the latest.
  const std::string oldest = path_ + files[0]->PathName();
  const auto long_ago =
      std::filesystem::file_time_type::clock::now() - std::chrono::hours(2);
  std::filesystem::last_write_time(oldest, long_ago);
  Reopen();
  EXPECT_FALSE(std::filesystem::exists(oldest));
  EXPECT_TRUE(std::filesystem::exists(path_ + files[1]->PathName()));
  // A clock that was set back makes nothing old.
  std::filesystem::last_write_time(
      path_ + files[1]->PathName(),
      std::filesystem::file_time_type::clock::now() + std::chrono::hours(2));
  Reopen();
  EXPECT_TRUE(std::filesystem::exists(path_ + files[1]->PathName()));
}

TEST_F(WalUsersTest, TheArchiveHasASizeLimit) {
  options_.WAL_size_limit_MB = 1;
  Open();
  for (int i = 0; i < 8; ++i) {
    ASSERT_OK(Put(WalKey(i), std::string(300000, 'v')));
    ASSERT_OK(Flush());
  }
  Reopen();
  size_t archived = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(path_ + "/archive")) {
    archived += entry.path().extension() == ".log";
  }
  EXPECT_EQ(archived, 3u);
}

// Not even one has room.
TEST_F(WalUsersTest, AnArchivedLogBeyondTheSizeLimitGoes) {
  options_.WAL_size_limit_MB = 1;
  Open();
  ASSERT_OK(Put(WalKey(0), std::string(2 << 20, 'v')));
  ASSERT_OK(Flush());
  Reopen();
  for (const auto& entry :
       std::filesystem::directory_iterator(path_ + "/archive")) {
    EXPECT_NE(entry.path().extension(), ".log") << entry.path();
  }
}

TEST_F(WalUsersTest, LockStopsWritersOnly) {
  Open();
  ASSERT_OK(Put("a", "1"));
  EXPECT_TRUE(db_->UnlockWAL().IsAborted());
  ASSERT_OK(db_->LockWAL());
  ASSERT_OK(db_->LockWAL());
  WriteOptions impatient;
  impatient.no_slowdown = true;
  EXPECT_TRUE(db_->Put(impatient, "b", "2").IsIncomplete());
  EXPECT_EQ(Get("a"), "1");
  EXPECT_EQ(db_->GetLatestSequenceNumber(), 1u);
  EXPECT_TRUE(db_->Close().IsAborted());
  std::thread writer([&] { EXPECT_OK(Put("c", "3")); });
  ASSERT_OK(db_->UnlockWAL());
  EXPECT_EQ(Get("c"), "NOT_FOUND");  // One lock is left.
  EXPECT_EQ(db_->GetLatestSequenceNumber(), 1u);
  ASSERT_OK(db_->UnlockWAL());
  writer.join();
  EXPECT_EQ(Get("c"), "3");
}

// In every mode of writing, with writers at work while it is taken.
TEST_F(WalUsersTest, NothingIsWrittenUnderALock) {
  for (int mode = 0; mode < 3; ++mode) {
    SCOPED_TRACE(mode);
    options_.enable_pipelined_write = mode == 1;
    options_.unordered_write = mode == 2;
    Open();
    std::atomic<bool> stop{false};
    std::atomic<int> locks{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < 3; ++t) {
      threads.emplace_back([&, t] {
        for (int i = 0; !stop.load(); ++i) {
          EXPECT_OK(Put(std::to_string(t), std::to_string(i)));
        }
      });
    }
    for (int t = 0; t < 2; ++t) {
      threads.emplace_back([&] {
        for (int i = 0; i < 20; ++i) {
          ASSERT_OK(db_->LockWAL());
          const SequenceNumber last = db_->GetLatestSequenceNumber();
          const std::string before = Scan();
          // The holder of a lock does not wait for those who wait for it.
          ASSERT_OK(db_->FlushWAL(/*sync=*/i % 2 == 0));
          ASSERT_OK(db_->SyncWAL());
          VectorWalPtr files;
          ASSERT_OK(db_->GetSortedWalFiles(files));
          EXPECT_EQ(Scan(), before);
          EXPECT_EQ(db_->GetLatestSequenceNumber(), last);
          ASSERT_OK(db_->UnlockWAL());
          ++locks;
        }
      });
    }
    threads[3].join();
    threads[4].join();
    stop.store(true);
    for (int t = 0; t < 3; ++t) threads[t].join();
    EXPECT_EQ(locks.load(), 40);
    EXPECT_TRUE(db_->UnlockWAL().IsAborted());
    ASSERT_OK(Put("z", "z"));
  }
}

TEST_F(WalUsersTest, ALockedDatabaseIsGivenUp) {
  Open();
  WriteOptions unlogged;
  unlogged.disableWAL = true;
  ASSERT_OK(db_->Put(unlogged, "b", "2"));
  ASSERT_OK(db_->LockWAL());
  Reopen();
  EXPECT_EQ(Scan(), "b=2 ");
}

// Files that come move the last sequence where they hide what is there.
TEST_F(WalUsersTest, NoFileComesUnderALock) {
  Open();
  ASSERT_OK(Put("a", "0"));
  const std::string source = path_ + "-source.sst";
  SstFileWriter writer(EnvOptions(), options_);
  ASSERT_OK(writer.Open(source));
  ASSERT_OK(writer.Put("a", "1"));
  ASSERT_OK(writer.Finish());
  std::atomic<bool> stop{false};
  std::thread ingester([&] {
    while (!stop.load()) EXPECT_OK(db_->IngestExternalFile({source}, {}));
  });
  std::thread families([&] {
    while (!stop.load()) {
      ColumnFamilyHandle* made = nullptr;
      EXPECT_OK(db_->CreateColumnFamily(options_, "made", &made));
      EXPECT_OK(db_->DropColumnFamily(made));
      EXPECT_OK(db_->DestroyColumnFamilyHandle(made));
    }
  });
  const SequenceNumber first = db_->GetLatestSequenceNumber();
  int locks = 0;
  while (locks < 40 || db_->GetLatestSequenceNumber() < first + 5) {
    EXPECT_OK(db_->LockWAL());
    const SequenceNumber last = db_->GetLatestSequenceNumber();
    std::vector<std::string> names;
    EXPECT_OK(DB::ListColumnFamilies(options_, path_, &names));
    for (int i = 0; i < 3; ++i) Scan();
    std::vector<std::string> later;
    EXPECT_OK(DB::ListColumnFamilies(options_, path_, &later));
    EXPECT_EQ(later, names);
    EXPECT_EQ(db_->GetLatestSequenceNumber(), last);
    EXPECT_OK(db_->UnlockWAL());
    ++locks;
  }
  stop.store(true);
  ingester.join();
  families.join();
  std::filesystem::remove(source);
}

TEST_F(WalUsersTest, ManualFlushOfTheLog) {
  options_.manual_wal_flush = true;
  Open();
  ASSERT_OK(Put("a", "1"));
  std::unique_ptr<WalFile> current;
  ASSERT_OK(db_->GetCurrentWalFile(&current));
  EXPECT_EQ(current->SizeFileBytes(), 0u);
  ASSERT_OK(db_->FlushWAL(FlushWALOptions{.sync = true}));
  ASSERT_OK(db_->GetCurrentWalFile(&current));
  EXPECT_GT(current->SizeFileBytes(), 0u);
  // Locking hands over what waits, too.
  ASSERT_OK(Put("b", "2"));
  ASSERT_OK(db_->LockWAL());
  EXPECT_EQ(Updates(1), "1+1 2+1 ");
  ASSERT_OK(db_->UnlockWAL());
}

// What a log loses as the next one begins is no more there for FlushWAL().
TEST(WalHandOverTest, ALossIsTold) {
  FaultWorld world(1, /*is_direct=*/false, 100);
  world.options_.manual_wal_flush = true;
  world.options_.max_bgerror_resume_count = 0;
  ASSERT_OK(world.Open());
  ASSERT_OK(world.db_->PauseBackgroundWork());
  ASSERT_OK(world.Write(kDefaultColumnFamilyName));
  world.fs_->FailCall({.call = 1, .path_contains = ".log"});
  FlushOptions flush;
  flush.wait = false;
  flush.allow_write_stall = true;
  ASSERT_OK(world.db_->Flush(flush));
  world.fs_->ClearFault();
  ASSERT_OK(world.Write(kDefaultColumnFamilyName));
  EXPECT_TRUE(world.db_->FlushWAL(/*sync=*/false).IsIOError());
  ASSERT_OK(world.db_->ContinueBackgroundWork());
  ASSERT_OK(world.db_->Resume());
  ASSERT_OK(world.Write(kDefaultColumnFamilyName));
  EXPECT_OK(world.db_->FlushWAL(/*sync=*/true));
  EXPECT_EQ(world.Check(true), "");
}

TEST_F(WalUsersTest, TheLogIsChargedToTheRateLimiterIfAsked) {
  options_.rate_limiter.reset(NewGenericRateLimiter(1 << 30));
  const RateLimiter& limiter = *options_.rate_limiter;
  Open();
  ASSERT_OK(Put("free", std::string(1000, 'v')));
  EXPECT_EQ(limiter.GetTotalBytesThrough(Env::IO_USER), 0);
  WriteOptions charged;
  charged.rate_limiter_priority = Env::IO_USER;
  ASSERT_OK(db_->Put(charged, "k", std::string(1000, 'v')));
  EXPECT_GE(limiter.GetTotalBytesThrough(Env::IO_USER), 1000);
  EXPECT_LE(limiter.GetTotalBytesThrough(Env::IO_USER), 1100);
  // What has no log that is written at once cannot be.
  charged.disableWAL = true;
  EXPECT_TRUE(db_->Put(charged, "k", "v").IsInvalidArgument());
  charged.disableWAL = false;
  charged.rate_limiter_priority = Env::IO_LOW;
  EXPECT_TRUE(db_->Put(charged, "k", "v").IsInvalidArgument());
  options_.manual_wal_flush = true;
  Reopen();
  charged.rate_limiter_priority = Env::IO_USER;
  EXPECT_TRUE(db_->Put(charged, "k", "v").IsInvalidArgument());
  ASSERT_OK(Put("buffered", std::string(5000, 'v')));
  const int64_t before = limiter.GetTotalBytesThrough(Env::IO_USER);
  FlushWALOptions flush;
  flush.rate_limiter_priority = Env::IO_USER;
  ASSERT_OK(db_->FlushWAL(flush));
  EXPECT_GE(limiter.GetTotalBytesThrough(Env::IO_USER), before + 5000);
  flush.rate_limiter_priority = Env::IO_HIGH;
  EXPECT_OK(db_->FlushWAL(flush));
}

class TestFilter : public WalFilter {
 public:
  const char* Name() const override { return "TestFilter"; }
  void ColumnFamilyLogNumberMap(
      const std::map<uint32_t, uint64_t>& numbers,
      const std::map<std::string, uint32_t>& ids) override {
    families = numbers.size() == ids.size() ? ids : families;
    if (throws_at == 0) throw std::runtime_error("no families");
  }
  WalProcessingOption LogRecordFound(unsigned long long, const std::string&,
                                     const WriteBatch& batch,
                                     WriteBatch* new_batch,
                                     bool* batch_changed) override {
    if (batch.Count() == 0) return WalProcessingOption::kContinueProcessing;
    if (++records == throws_at) throw std::runtime_error("no record");
    if (records != at) return WalProcessingOption::kContinueProcessing;
    if (replacement_count > 0) {
      *batch_changed = true;
      for (int i = 0; i < replacement_count; ++i) {
        EXPECT_OK(new_batch->Put("new" + std::to_string(i), "n"));
      }
    }
    return answer;
  }

  std::map<std::string, uint32_t> families;
  int records = 0;
  int at = 3;
  int replacement_count = 0;
  int throws_at = -1;  // 0: before any record
  WalProcessingOption answer = WalProcessingOption::kContinueProcessing;
};

class WalFilterTest : public WalUsersTest {
 protected:
  // Six keys in the log; what an open with the filter finds of them.
  std::string OpenWith(TestFilter* filter) {
    options_.wal_filter = nullptr;
    db_.reset();
    std::filesystem::remove_all(path_);
    options_.avoid_flush_during_recovery = true;
    Open();
    for (char c = 'a'; c < 'g'; ++c) EXPECT_OK(Put(std::string(1, c), "1"));
    db_.reset();
    options_.wal_filter = filter;
    if (Status s = TryOpen(); !s.ok()) return s.ToString();
    const std::string found = Scan();
    options_.wal_filter = nullptr;
    db_.reset();
    // It is so for good.
    if (Status s = TryOpen(); !s.ok()) return s.ToString();
    EXPECT_EQ(Scan(), found);
    EXPECT_OK(Put("later", "1"));
    EXPECT_EQ(Get("later"), "1");
    return found;
  }
};

TEST_F(WalFilterTest, EveryAnswer) {
  using Option = WalFilter::WalProcessingOption;
  TestFilter as_it_is;
  EXPECT_EQ(OpenWith(&as_it_is), "a=1 b=1 c=1 d=1 e=1 f=1 ");
  EXPECT_EQ(as_it_is.records, 6);
  EXPECT_EQ(as_it_is.families.count("default"), 1u);
  TestFilter passes;
  passes.answer = Option::kIgnoreCurrentRecord;
  EXPECT_EQ(OpenWith(&passes), "a=1 b=1 d=1 e=1 f=1 ");
  TestFilter stops;
  stops.answer = Option::kStopReplay;
  EXPECT_EQ(OpenWith(&stops), "a=1 b=1 ");
  TestFilter changes;
  changes.replacement_count = 1;
  EXPECT_EQ(OpenWith(&changes), "a=1 b=1 d=1 e=1 f=1 new0=n ");
  TestFilter grows;
  grows.replacement_count = 2;
  EXPECT_NE(OpenWith(&grows).find("more updates"), std::string::npos);
  TestFilter rejects;
  rejects.answer = Option::kCorruptedRecord;
  EXPECT_EQ(OpenWith(&rejects), "a=1 b=1 ");
  options_.wal_recovery_mode = WALRecoveryMode::kSkipAnyCorruptedRecords;
  rejects.records = 0;
  EXPECT_EQ(OpenWith(&rejects), "a=1 b=1 d=1 e=1 f=1 ");
  options_.wal_recovery_mode = WALRecoveryMode::kAbsoluteConsistency;
  rejects.records = 0;
  EXPECT_NE(OpenWith(&rejects).find("Corruption"), std::string::npos);
}

// Nothing is lost by it: an open without the filter finds all.
TEST_F(WalFilterTest, OneThatThrowsFailsTheOpen) {
  for (const int throws_at : {0, 2}) {
    TestFilter filter;
    filter.throws_at = throws_at;
    EXPECT_EQ(OpenWith(&filter),
              "Operation aborted: TestFilter threw: no " +
                  std::string(throws_at == 0 ? "families" : "record"));
    options_.wal_filter = nullptr;
    ASSERT_OK(TryOpen());
    EXPECT_EQ(Scan(), "a=1 b=1 c=1 d=1 e=1 f=1 ");
  }
}

// Each of two logs holds data that are needed.
class TrackedWalsTest : public WalUsersTest {
 protected:
  void Fill() {
    options_.create_missing_column_families = true;
    OpenFamilies({"default", "b"});
    ASSERT_OK(PutIn(0, "a", "1"));
    ASSERT_OK(PutIn(1, "a", "1"));
    ASSERT_OK(db_->Flush(FlushOptions(), handles_[1]));
    ASSERT_OK(PutIn(0, "b", "2"));
    ASSERT_OK(PutIn(1, "b", "2"));
    logs_ = LiveLogs();
    ASSERT_EQ(logs_.size(), 2u);
    CloseFamilies();
  }
  std::string Found() {
    const Status s = TryOpenFamilies({"default", "b"});
    if (!s.ok()) return s.ToString();
    return ScanOf(0) + "| " + ScanOf(1);
  }
  void Cut(uint64_t number, uint64_t bytes) {
    const std::string path = LogPath(number);
    std::filesystem::resize_file(path,
                                 std::filesystem::file_size(path) - bytes);
  }

  std::vector<uint64_t> logs_;
};

TEST_F(TrackedWalsTest, TheManifestKnowsTheClosedLogs) {
  options_.track_and_verify_wals_in_manifest = true;
  Fill();
  EXPECT_EQ(Found(), "a=1 b=2 | a=1 b=2 ");
  CloseFamilies();
  std::filesystem::remove_all(path_);
  Fill();
  Cut(logs_[0], 1);
  EXPECT_NE(Found().find("were synced"), std::string::npos);
  std::filesystem::remove(LogPath(logs_[0]));
  EXPECT_NE(Found().find("missing"), std::string::npos);
  // Without the option, and where holes are accepted, it is forgotten.
  options_.track_and_verify_wals_in_manifest = false;
  options_.wal_recovery_mode = WALRecoveryMode::kSkipAnyCorruptedRecords;
  EXPECT_EQ(Found(), "b=2 | a=1 b=2 ");
  CloseFamilies();
  options_.track_and_verify_wals_in_manifest = true;
  EXPECT_EQ(Found(), "b=2 | a=1 b=2 ");
}

// The last family that needed a log is gone: the next open removes it, though
// it goes on with the logs that came after.
TEST_F(TrackedWalsTest, ALogThatAnOpenRemovesIsForgotten) {
  options_.track_and_verify_wals_in_manifest = true;
  options_.avoid_flush_during_recovery = true;
  Fill();
  OpenFamilies({"default", "b"});
  ASSERT_OK(db_->Flush(FlushOptions(), handles_[0]));
  ASSERT_OK(db_->DropColumnFamily(handles_[1]));
  ASSERT_OK(PutIn(0, "c", "3"));
  for (int i = 0; i < 3; ++i) {
    SCOPED_TRACE(i);
    OpenFamilies({"default"});
    EXPECT_EQ(ScanOf(0), "a=1 b=2 c=3 ");
  }
}

TEST_F(TrackedWalsTest, ObsoleteLogsAreForgotten) {
  options_.track_and_verify_wals_in_manifest = true;
  Fill();
  for (int i = 0; i < 5; ++i) {
    OpenFamilies({"default", "b"});
    ASSERT_OK(PutIn(0, WalKey(i), "x"));
    ASSERT_OK(db_->Flush(FlushOptions(), handles_));
    ASSERT_OK(PutIn(1, WalKey(i), "y"));
    ASSERT_OK(db_->Flush(FlushOptions(), handles_[1]));
  }
  OpenFamilies({"default", "b"});
  EXPECT_EQ(GetFrom(1, WalKey(4)), "y");
}

TEST_F(TrackedWalsTest, ALogKnowsTheOneBefore) {
  options_.track_and_verify_wals = true;
  Fill();
  EXPECT_EQ(Found(), "a=1 b=2 | a=1 b=2 ");
  CloseFamilies();
  // Gone: what follows is not applied.
  std::filesystem::remove_all(path_);
  Fill();
  std::filesystem::remove(LogPath(logs_[0]));
  options_.wal_recovery_mode = WALRecoveryMode::kAbsoluteConsistency;
  EXPECT_NE(Found().find("is missing"), std::string::npos);
  // No log at all.
  for (uint64_t number : logs_) std::filesystem::remove(LogPath(number));
  for (const auto& entry : std::filesystem::directory_iterator(path_)) {
    if (entry.path().extension() == ".log") {
      std::filesystem::remove(entry.path());
    }
  }
  EXPECT_NE(Found().find("logs are missing"), std::string::npos);
  options_.track_and_verify_wals = false;
  EXPECT_EQ(Found(), "| a=1 ");
}

// Stock programs read our logs where they lie.
// Where logs have a directory of their own, a manifest makes no name durable.
TEST(WalDirectoryTest, ACrashBeforeAnySyncLeavesALog) {
  FaultWorld world(1, /*is_direct=*/false, /*value_bytes=*/100);
  world.options_.wal_dir = "/logs";
  world.options_.track_and_verify_wals = true;
  ASSERT_OK(world.Open());
  ASSERT_OK(world.Write(kDefaultColumnFamilyName));
  // The manifest says that something was written.
  ASSERT_OK(world.CreateFamily("b"));
  world.fs_->FailCall({.call = 1, .is_permanent = true});
  IgnoreError(world.Close(), "the device is gone");
  ASSERT_TRUE(world.fs_->CrashAndHeal().ok());
  ASSERT_OK(world.Open());
  EXPECT_EQ(world.Check(/*is_live=*/false), "");
}

TEST_F(WalUsersTest, StockToolsReadOurLogs) {
  if (!HasProgram("ldb")) GTEST_SKIP() << "ldb is not installed";
  for (const CompressionType codec : {kNoCompression, kZSTD}) {
    for (const size_t recycled : {0, 2}) {
      db_.reset();
      std::filesystem::remove_all(path_);
      BlockBasedTableOptions table;
      table.format_version = 5;
      options_.table_factory.reset(NewBlockBasedTableFactory(table));
      options_.wal_compression = codec;
      options_.recycle_log_file_num = recycled;
      options_.track_and_verify_wals_in_manifest = true;
      Open();
      for (int turn = 0; turn < 3; ++turn) {
        PutSome(turn * 40, turn * 40 + 40);
        ASSERT_OK(Flush());
      }
      PutSome(120, 130);
      ASSERT_NO_FATAL_FAILURE(AwaitPurge());
      const std::vector<uint64_t> logs = LiveLogs();
      ASSERT_EQ(logs.size(), 1u);
      db_.reset();
      int status = 0;
      const std::string log = RunShell(
          "ldb dump_wal --walfile=" + LogPath(logs[0]) + " --header", &status);
      EXPECT_EQ(status, 0) << log;
      EXPECT_NE(log.find("PUT(0) : 0x"), std::string::npos) << log;
      EXPECT_EQ(log.find("orruption"), std::string::npos) << log;
      const std::string scan = RunShell(
          "ldb --ignore_unknown_options --db=" + path_ + " scan", &status);
      EXPECT_EQ(status, 0) << scan;
      for (int i = 0; i < 130; ++i) {
        ASSERT_NE(scan.find(WalKey(i)), std::string::npos) << i << "\n" << scan;
      }
    }
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

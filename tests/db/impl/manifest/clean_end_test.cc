// optimize_manifest_for_recovery: a database that was closed replays no log
// that holds nothing new, and writes no manifest when it is opened.
#include <memory>
#include <string>
#include <vector>

#include "db/manifest/manifest_replay.h"
#include "file/filename.h"
#include "rocksdb/utilities/transaction_db.h"
#include "rocksdb/wal_filter.h"
#include "tests/db/impl/damage.h"
#include "tests/db/impl/families_fixture.h"
#include "tests/db/impl/fault_world.h"
#include "tests/db/manifest/manifest_fixture.h"
#include "tests/testing/shell.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// Counts the records that a replay reads.
class RecordCount final : public WalFilter {
 public:
  const char* Name() const override { return "RecordCount"; }
  WalProcessingOption LogRecordFound(unsigned long long /*log_number*/,
                                     const std::string& /*log_file_name*/,
                                     const WriteBatch& /*batch*/,
                                     WriteBatch* /*new_batch*/,
                                     bool* /*batch_changed*/) override {
    ++records;
    return WalProcessingOption::kContinueProcessing;
  }
  int records = 0;
};

class CleanEndTest : public FamiliesFixture {
 protected:
  CleanEndTest() {
    options_.optimize_manifest_for_recovery = true;
    options_.disable_auto_compactions = true;
    options_.create_missing_column_families = true;
    options_.statistics = CreateDBStatistics();
    options_.wal_filter = &filter_;
  }
  ~CleanEndTest() override { CloseFamilies(); }

  std::string Manifest() { return FilesOf(path_, kDescriptorFile).back(); }
  std::string LastLog() { return FilesOf(path_, kWalFile).back(); }
  uint64_t LastLogNumber() {
    uint64_t number = 0;
    FileType type = kTempFile;
    EXPECT_TRUE(ParseFileName(LastLog().substr(LastLog().rfind('/') + 1),
                              &number, &type));
    return number;
  }
  void OpenTwo() { OpenFamilies({"default", "one"}); }
  Status FlushOf(size_t family) {
    return db_->Flush(FlushOptions(), handles_[family]);
  }
  // One log has records of both families, all of which are in tables.
  void WriteTables() {
    ASSERT_NO_FATAL_FAILURE(OpenTwo());
    ASSERT_OK(PutIn(0, "a", "1"));
    ASSERT_OK(FlushOf(0));
    for (int i = 0; i < 10; ++i) ASSERT_OK(PutIn(1, "b", "2"));
    ASSERT_OK(FlushOf(1));
    CloseFamilies();
  }
  void ExpectTables() {
    EXPECT_EQ(ScanOf(0), "a=1 ");
    EXPECT_EQ(ScanOf(1), "b=2 ");
  }
  void Replay(ManifestReplay* replay) {
    ASSERT_OK(replay->Run(options_.env->GetFileSystem().get(), path_));
  }

  RecordCount filter_;
};

TEST_F(CleanEndTest, NothingIsReplayed) {
  ASSERT_NO_FATAL_FAILURE(WriteTables());
  const uint64_t next = LastLogNumber() + 1;
  {
    ManifestReplay replay;
    ASSERT_NO_FATAL_FAILURE(Replay(&replay));
    EXPECT_EQ(replay.min_log_number_to_keep(), next);
    EXPECT_GT(replay.next_file_number(), next);
    for (const auto& [id, family] : *replay.families()) {
      EXPECT_EQ(family.log_number, next);
    }
  }
  ASSERT_NO_FATAL_FAILURE(OpenTwo());
  EXPECT_EQ(filter_.records, 0);
  EXPECT_GE(LastLogNumber(), next);
  ExpectTables();
}

TEST_F(CleanEndTest, TheOpenLeavesTheManifestAlone) {
  ASSERT_NO_FATAL_FAILURE(WriteTables());
  const std::string manifest = Manifest();
  const std::string bytes = ReadBytes(manifest);
  ASSERT_NO_FATAL_FAILURE(OpenTwo());
  EXPECT_EQ(FilesOf(path_, kDescriptorFile),
            std::vector<std::string>{manifest});
  EXPECT_EQ(ReadBytes(manifest), bytes);
  ExpectTables();
  // What it then logs is in a new one, or in that one.
  ASSERT_OK(PutIn(0, "c", "3"));
  ASSERT_OK(FlushOf(0));
  EXPECT_NE(Manifest(), manifest);
  CloseFamilies();
  options_.reuse_manifest_on_open = true;
  const std::string next = Manifest();
  ASSERT_NO_FATAL_FAILURE(OpenTwo());
  ASSERT_OK(PutIn(0, "d", "4"));
  ASSERT_OK(FlushOf(0));
  EXPECT_EQ(Manifest(), next);
  ASSERT_NO_FATAL_FAILURE(OpenTwo());
  EXPECT_EQ(ScanOf(0), "a=1 c=3 d=4 ");
  EXPECT_EQ(ScanOf(1), "b=2 ");
}

TEST_F(CleanEndTest, WhatIsOnlyInLogsIsReplayed) {
  options_.avoid_flush_during_shutdown = true;
  for (const bool keeps_logs : {false, true}) {
    options_.avoid_flush_during_recovery = keeps_logs;
    options_.wal_filter = nullptr;
    ASSERT_NO_FATAL_FAILURE(OpenTwo());
    ASSERT_OK(PutIn(0, "a", "1"));
    ASSERT_OK(FlushOf(0));
    ASSERT_OK(PutIn(1, "b", "2"));
    CloseFamilies();
    ManifestReplay replay;
    ASSERT_NO_FATAL_FAILURE(Replay(&replay));
    EXPECT_EQ(replay.families()->at(0).log_number, LastLogNumber() + 1);
    EXPECT_LE(replay.families()->at(1).log_number, LastLogNumber());
    EXPECT_LE(replay.min_log_number_to_keep(), LastLogNumber());
    for (int i = 0; i < 3; ++i) {
      ASSERT_NO_FATAL_FAILURE(OpenTwo());
      ExpectTables();
    }
    CloseFamilies();
    ASSERT_OK(DestroyDB(
        path_, options_,
        {{"default", ColumnFamilyOptions()}, {"one", ColumnFamilyOptions()}}));
  }
}

// A session that was killed has said nothing: the next replays its logs.
TEST_F(CleanEndTest, AKilledSessionIsReplayed) {
  ASSERT_NO_FATAL_FAILURE(WriteTables());
  ASSERT_NO_FATAL_FAILURE(OpenTwo());
  ASSERT_OK(PutIn(0, "c", "3"));
  ASSERT_OK(PutIn(1, "d", "4"));
  const std::string copy = path_ + "-copy";
  CopyDatabase(path_, copy);
  CloseFamilies();
  path_ = copy;
  ASSERT_NO_FATAL_FAILURE(OpenTwo());
  EXPECT_EQ(filter_.records, 2);
  EXPECT_EQ(ScanOf(0), "a=1 c=3 ");
  EXPECT_EQ(ScanOf(1), "b=2 d=4 ");
}

TEST_F(CleanEndTest, ItCanBeTurnedOnAndOff) {
  ASSERT_NO_FATAL_FAILURE(OpenTwo());
  const std::string manifest = Manifest();
  ASSERT_OK(db_->SetDBOptions({{"optimize_manifest_for_recovery", "false"}}));
  const std::string bytes = ReadBytes(manifest);
  CloseFamilies();
  EXPECT_EQ(ReadBytes(manifest), bytes);
  options_.optimize_manifest_for_recovery = false;
  ASSERT_NO_FATAL_FAILURE(OpenTwo());
  EXPECT_NE(Manifest(), manifest);
  ASSERT_OK(db_->SetDBOptions({{"optimize_manifest_for_recovery", "true"}}));
  CloseFamilies();
  ManifestReplay replay;
  ASSERT_NO_FATAL_FAILURE(Replay(&replay));
  EXPECT_EQ(replay.families()->at(1).log_number, LastLogNumber() + 1);
}

TEST_F(CleanEndTest, BestEffortsIgnoreIt) {
  ASSERT_NO_FATAL_FAILURE(WriteTables());
  const std::string manifest = Manifest();
  options_.best_efforts_recovery = true;
  options_.wal_filter = nullptr;
  ASSERT_NO_FATAL_FAILURE(OpenTwo());
  EXPECT_NE(Manifest(), manifest);
  ExpectTables();
  const std::string next = Manifest();
  const std::string bytes = ReadBytes(next);
  CloseFamilies();
  EXPECT_EQ(ReadBytes(next), bytes);
}

TEST_F(CleanEndTest, TrackedLogsAreForgotten) {
  options_.track_and_verify_wals_in_manifest = true;
  ASSERT_NO_FATAL_FAILURE(OpenTwo());
  ASSERT_OK(PutIn(0, "a", "1"));
  ASSERT_OK(PutIn(1, "b", "2"));
  ASSERT_OK(FlushOf(0));
  ASSERT_OK(db_->SyncWAL());
  ASSERT_OK(FlushOf(1));
  CloseFamilies();
  ManifestReplay replay;
  ASSERT_NO_FATAL_FAILURE(Replay(&replay));
  EXPECT_TRUE(replay.tracked_wals().synced_sizes().empty());
  ASSERT_NO_FATAL_FAILURE(OpenTwo());
  ExpectTables();
}

// A section that is prepared is in no table.
TEST_F(CleanEndTest, PreparedTransactionsSurvive) {
  options_.wal_filter = nullptr;
  TransactionDB* db = nullptr;
  const auto open = [&] {
    return TransactionDB::Open(options_, TransactionDBOptions(), path_, &db);
  };
  ASSERT_OK(open());
  std::unique_ptr<Transaction> transaction(
      db->BeginTransaction(WriteOptions()));
  ASSERT_OK(transaction->SetName("t"));
  ASSERT_OK(transaction->Put("a", "1"));
  ASSERT_OK(transaction->Prepare());
  transaction.reset();
  delete db;
  for (int i = 0; i < 2; ++i) {
    ASSERT_OK(open());
    EXPECT_NE(db->GetTransactionByName("t"), nullptr);
    delete db;
  }
  ASSERT_OK(open());
  transaction.reset(db->GetTransactionByName("t"));
  ASSERT_NE(transaction, nullptr);
  ASSERT_OK(transaction->Commit());
  transaction.reset();
  delete db;
  ASSERT_OK(open());
  std::string value;
  EXPECT_OK(db->Get(ReadOptions(), "a", &value));
  EXPECT_EQ(value, "1");
  delete db;
}

TEST_F(CleanEndTest, StockToolsReadIt) {
  if (!HasProgram("ldb")) GTEST_SKIP() << "ldb is not installed";
  BlockBasedTableOptions table;
  table.format_version = 5;
  options_.table_factory.reset(NewBlockBasedTableFactory(table));
  ASSERT_NO_FATAL_FAILURE(WriteTables());
  int status = 0;
  const std::string output =
      RunShell("ldb --ignore_unknown_options --db=" + path_ +
                   " --column_family=one scan",
               &status);
  EXPECT_EQ(status, 0) << output;
  EXPECT_NE(output.find("b : 2"), std::string::npos) << output;
  ASSERT_NO_FATAL_FAILURE(OpenTwo());
  ExpectTables();
}

// --- on a file system that fails

class FailingEndTest : public ::testing::TestWithParam<bool> {
 protected:
  FailingEndTest() { MakeWorld(); }
  void MakeWorld() {
    world_ = std::make_unique<FaultWorld>(1, /*is_direct=*/false,
                                          /*value_bytes=*/200);
    world_->options_.optimize_manifest_for_recovery = true;
    world_->options_.reuse_manifest_on_open = GetParam();
    world_->options_.max_bgerror_resume_count = 0;
  }
  Status Write(const std::string& family) { return world_->Write(family); }
  // Tables of both families, and a log that holds records of them.
  void OpenAndWrite() {
    ASSERT_OK(world_->Open());
    if (world_->Handle("b") == nullptr) {
      ASSERT_OK(world_->CreateFamily("b"));
    }
    ASSERT_OK(Write(kDefaultColumnFamilyName));
    ASSERT_OK(Write("b"));
    ASSERT_OK(world_->db_->Flush(FlushOptions(), world_->Handle("b")));
    ASSERT_OK(world_->FlushAll());
  }
  void Crash() {
    ASSERT_OK(world_->fs_->CrashAndHeal());
    ASSERT_OK(world_->Open());
    ASSERT_EQ(world_->Check(/*is_live=*/false), "");
    world_->history_.TakeOver();
    ASSERT_OK(world_->Close());
  }

  std::unique_ptr<FaultWorld> world_;
};

// Each call of a close fails: that costs time at the next open, and no data. A
// device that is gone comes back without what it had not taken.
TEST_P(FailingEndTest, OfACloseThatFails) {
  const struct {
    bool is_permanent;
    bool crashes;
  } ways[] = {{false, false}, {false, true}, {true, true}};
  for (const auto& way : ways) {
    bool struck = true;
    for (uint64_t call = 1; struck; ++call) {
      ASSERT_LT(call, 200u);
      ASSERT_NO_FATAL_FAILURE(OpenAndWrite());
      ASSERT_OK(world_->Write("b", /*sync=*/true));
      world_->fs_->FailCall({.call = call, .is_permanent = way.is_permanent});
      IgnoreError(world_->Close(), "a call of it fails");
      struck = world_->fs_->failed();
      SCOPED_TRACE(world_->fs_->failed_call());
      world_->fs_->ClearFault();
      if (way.crashes) {
        ASSERT_NO_FATAL_FAILURE(Crash());
      }
      ASSERT_OK(world_->Open());
      ASSERT_EQ(world_->Check(/*is_live=*/!way.crashes), "");
      ASSERT_OK(world_->Close());
    }
  }
}

// Each call of an open fails.
TEST_P(FailingEndTest, OfAnOpenThatFails) {
  for (const bool is_permanent : {false, true}) {
    bool struck = true;
    for (uint64_t call = 1; struck; ++call) {
      ASSERT_LT(call, 500u);
      MakeWorld();
      ASSERT_NO_FATAL_FAILURE(OpenAndWrite());
      ASSERT_OK(world_->Close());
      world_->fs_->FailCall({.call = call,
                             .scope = FaultScope::kAllCalls,
                             .is_permanent = is_permanent});
      const Status s = world_->Open();
      struck = world_->fs_->failed();
      SCOPED_TRACE(world_->fs_->failed_call() + ": " + s.ToString());
      world_->fs_->ClearFault();
      if (s.ok()) {
        ASSERT_OK(Write(kDefaultColumnFamilyName));
      }
      IgnoreError(world_->Close(), "it may not be open");
      ASSERT_NO_FATAL_FAILURE(Crash());
      ASSERT_NO_FATAL_FAILURE(OpenAndWrite());
      ASSERT_OK(world_->Close());
    }
  }
}

// A session is killed before the last edits of the manifest are synced. The
// next goes by them, and logs none of its own: before it deletes what they take
// away, they are durable.
TEST_P(FailingEndTest, WhatAKilledSessionHasLeftIsMadeDurable) {
  FaultInjectionFileSystem* const fs = world_->fs_.get();
  ASSERT_NO_FATAL_FAILURE(OpenAndWrite());
  ASSERT_OK(world_->db_->DisableFileDeletions());
  ASSERT_OK(world_->CompactAll(world_->Handle("b")));
  ASSERT_OK(world_->Close());
  // Back to before the compaction, whose edit and those of the end follow as if
  // they had just been written.
  std::string path, bytes;
  uint64_t number = 0;
  ASSERT_OK(ReadCurrentFile(fs, FaultWorld::kPath, &path, &number));
  ASSERT_OK(ReadFileToString(fs, path, &bytes));
  std::vector<std::string> records = ManifestDirectory::RecordsOf(bytes);
  ASSERT_GT(records.size(), 3u);
  records.resize(records.size() - 3);
  const size_t before = ManifestDirectory::LogOf(records).size();
  ASSERT_LT(before, bytes.size());
  ASSERT_OK(fs->Truncate(path, before, IOOptions(), nullptr));
  std::unique_ptr<FSWritableFile> file;
  ASSERT_OK(fs->ReopenWritableFile(path, FileOptions(), &file, nullptr));
  ASSERT_OK(file->Append(bytes.substr(before), IOOptions(), nullptr));
  ASSERT_OK(file->Close(IOOptions(), nullptr));
  file.reset();
  ASSERT_OK(world_->Open());
  EXPECT_EQ(world_->Orphans(), std::vector<std::string>());
  // The deletions are durable.
  std::unique_ptr<FSDirectory> directory;
  ASSERT_OK(
      fs->NewDirectory(FaultWorld::kPath, IOOptions(), &directory, nullptr));
  ASSERT_OK(directory->Fsync(IOOptions(), nullptr));
  directory.reset();
  fs->Deactivate();
  IgnoreError(world_->Close(), "the device is gone");
  ASSERT_NO_FATAL_FAILURE(Crash());
}

INSTANTIATE_TEST_SUITE_P(Reuse, FailingEndTest, ::testing::Bool());

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

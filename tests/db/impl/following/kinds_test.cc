// Databases that nothing is written to refuse every write in the words of their
// kind, and wait for nothing.
//
// Refused    Every call that would write, in the words of the kind, whatever
//            its arguments; what it would have returned is empty. After Close()
//            a database of any kind is closed.
// At rest    Pauses, aborts, waits and Resume(), where nothing ever runs.
#include <functional>
#include <utility>

#include "rocksdb/convenience.h"
#include "rocksdb/metadata.h"
#include "rocksdb/utilities/write_batch_with_index.h"
#include "tests/db/impl/db_fixture.h"

namespace ROCKSDB_NAMESPACE {
namespace {

enum class Kind { kReadOnly, kSecondary, kFollower };

class KindsTest : public DbFixture, public ::testing::WithParamInterface<Kind> {
 protected:
  // A database of two files, which this one does not write.
  void OpenReader() {
    options_.disable_auto_compactions = true;
    options_.level0_file_num_compaction_trigger = 2;
    ASSERT_NO_FATAL_FAILURE(Open());
    for (const char* const key : {"a", "b"}) {
      ASSERT_OK(Put(key, "1"));
      ASSERT_OK(Flush());
    }
    db_.reset();
    options_.disable_auto_compactions = false;
    options_.max_open_files = -1;
    const std::string own = directory_.path() + "/own";
    switch (GetParam()) {
      case Kind::kReadOnly:
        ASSERT_OK(DB::OpenForReadOnly(options_, path_, &db_));
        break;
      case Kind::kSecondary:
        ASSERT_OK(DB::OpenAsSecondary(options_, path_, own, &db_));
        break;
      case Kind::kFollower:
        ASSERT_OK(DB::OpenAsFollower(options_, own, path_, &db_));
        break;
    }
  }
  static std::string Refusal() {
    switch (GetParam()) {
      case Kind::kReadOnly:
        return "Not implemented: Not supported operation in read only mode.";
      case Kind::kSecondary:
        return "Not implemented: Not supported operation in secondary mode.";
      case Kind::kFollower:
        break;
    }
    return "Not implemented: Not supported operation in follower mode.";
  }

  // Each call by its name.
  using Calls = std::vector<std::pair<std::string, std::function<Status()>>>;
  void AddWrites(Calls* calls) {
    ColumnFamilyHandle* const family = db_->DefaultColumnFamily();
    const WriteOptions options;
    const auto add = [calls](const char* name, std::function<Status()> call) {
      calls->emplace_back(name, std::move(call));
    };
    add("Put", [=, this] { return db_->Put(options, family, "k", "v"); });
    add("PutEntity", [=, this] {
      return db_->PutEntity(options, family, "k", WideColumns());
    });
    add("Delete", [=, this] { return db_->Delete(options, family, "k"); });
    add("SingleDelete",
        [=, this] { return db_->SingleDelete(options, family, "k"); });
    add("DeleteRange",
        [=, this] { return db_->DeleteRange(options, family, "a", "b"); });
    add("Merge", [=, this] { return db_->Merge(options, family, "k", "v"); });
    add("Write", [=, this] {
      WriteBatch batch;
      return db_->Write(options, &batch);
    });
    add("WriteWithCallback", [=, this] {
      WriteBatch batch;
      return db_->WriteWithCallback(options, &batch, nullptr);
    });
    add("IngestWriteBatchWithIndex", [=, this] {
      return db_->IngestWriteBatchWithIndex(
          options, std::make_shared<WriteBatchWithIndex>());
    });
    add("FlushWAL", [this] { return db_->FlushWAL(true); });
    add("SyncWAL", [this] { return db_->SyncWAL(); });
    add("LockWAL", [this] { return db_->LockWAL(); });
    add("UnlockWAL", [this] { return db_->UnlockWAL(); });
    add("GetCurrentWalFile", [this] {
      std::unique_ptr<WalFile> current;
      return db_->GetCurrentWalFile(&current);
    });
    add("Flush", [=, this] { return db_->Flush(FlushOptions(), family); });
    add("Flush of several",
        [=, this] { return db_->Flush(FlushOptions(), std::vector{family}); });
  }
  void AddFamilyCalls(Calls* calls) {
    ColumnFamilyHandle* const family = db_->DefaultColumnFamily();
    const auto add = [calls](const char* name, std::function<Status()> call) {
      calls->emplace_back(name, std::move(call));
    };
    add("CreateColumnFamily", [=, this] {
      ColumnFamilyHandle* made = family;
      Status s = db_->CreateColumnFamily(ColumnFamilyOptions(), "f", &made);
      EXPECT_EQ(made, nullptr);
      return s;
    });
    add("CreateColumnFamilies", [=, this] {
      std::vector<ColumnFamilyHandle*> made{family};
      const std::vector<std::string> names{"f"};
      Status s = db_->CreateColumnFamilies(ColumnFamilyOptions(), names, &made);
      EXPECT_TRUE(made.empty());
      return s;
    });
    add("CreateColumnFamilyWithImport", [=, this] {
      ColumnFamilyHandle* made = family;
      Status s = db_->CreateColumnFamilyWithImport(
          ColumnFamilyOptions(), "f", ImportColumnFamilyOptions(),
          ExportImportFilesMetaData(), &made);
      EXPECT_EQ(made, nullptr);
      return s;
    });
    add("DropColumnFamily",
        [=, this] { return db_->DropColumnFamily(family); });
    add("DropColumnFamilies",
        [=, this] { return db_->DropColumnFamilies({family}); });
    add("SetOptions", [=, this] {
      return db_->SetOptions(family, {{"write_buffer_size", "1000000"}});
    });
    add("EnableAutoCompaction",
        [=, this] { return db_->EnableAutoCompaction({family}); });
    add("SetDBOptions", [this] {
      return db_->SetDBOptions({{"max_background_jobs", "3"}});
    });
    add("IncreaseFullHistoryTsLow", [=, this] {
      return db_->IncreaseFullHistoryTsLow(family, "12345678");
    });
  }
  void AddTableCalls(Calls* calls) {
    ColumnFamilyHandle* const family = db_->DefaultColumnFamily();
    const auto add = [calls](const char* name, std::function<Status()> call) {
      calls->emplace_back(name, std::move(call));
    };
    add("CompactRange", [=, this] {
      return db_->CompactRange(CompactRangeOptions(), family, nullptr, nullptr);
    });
    add("CompactFiles", [=, this] {
      return db_->CompactFiles(CompactionOptions(), family, {"000001.sst"}, 1);
    });
    add("SuggestCompactRange", [=, this] {
      return db_->SuggestCompactRange(family, nullptr, nullptr);
    });
    add("PromoteL0", [=, this] { return db_->PromoteL0(family, 1); });
    add("ClipColumnFamily",
        [=, this] { return db_->ClipColumnFamily(family, "a", "b"); });
    add("IngestExternalFile", [=, this] {
      return db_->IngestExternalFile(family, {"nowhere"},
                                     IngestExternalFileOptions());
    });
    add("IngestExternalFiles", [this] { return db_->IngestExternalFiles({}); });
    add("PrepareFileIngestion", [this] {
      std::unique_ptr<FileIngestionHandle> handle;
      return db_->PrepareFileIngestion({}, &handle);
    });
    add("CommitFileIngestionHandles",
        [this] { return db_->CommitFileIngestionHandles({}); });
    add("DeleteFilesInRange", [=, this] {
      return DeleteFilesInRange(db_.get(), family, nullptr, nullptr);
    });
    add("WaitForCompact, which flushes", [this] {
      WaitForCompactOptions wait;
      wait.flush = true;
      return db_->WaitForCompact(wait);
    });
  }
  Calls AllCalls() {
    Calls calls;
    AddWrites(&calls);
    AddFamilyCalls(&calls);
    AddTableCalls(&calls);
    return calls;
  }
};

TEST_P(KindsTest, EveryWriteIsRefusedInItsWords) {
  ASSERT_NO_FATAL_FAILURE(OpenReader());
  for (const auto& [name, call] : AllCalls()) {
    EXPECT_EQ(call().ToString(), Refusal()) << name;
  }
  // What is refused has no other effect: it is read as it was.
  EXPECT_EQ(Get("a"), "1");
  EXPECT_EQ(Get("k"), "NOT_FOUND");
}

TEST_P(KindsTest, OnceItIsClosedThatIsTheAnswer) {
  ASSERT_NO_FATAL_FAILURE(OpenReader());
  const Calls calls = AllCalls();
  ASSERT_OK(db_->Close());
  for (const auto& [name, call] : calls) {
    EXPECT_TRUE(call().IsShutdownInProgress()) << name;
  }
  EXPECT_TRUE(db_->Resume().IsShutdownInProgress());
  EXPECT_TRUE(db_->TryCatchUpWithPrimary().IsShutdownInProgress());
  EXPECT_OK(db_->Close());
}

TEST_P(KindsTest, WhereNothingRunsNobodyWaits) {
  ASSERT_NO_FATAL_FAILURE(OpenReader());
  WaitForCompactOptions wait;
  wait.timeout = std::chrono::seconds(60);
  ASSERT_OK(db_->PauseBackgroundWork());
  EXPECT_OK(db_->WaitForCompact(wait));
  wait.abort_on_pause = true;
  EXPECT_TRUE(db_->WaitForCompact(wait).IsAborted());
  ASSERT_OK(db_->ContinueBackgroundWork());
  EXPECT_TRUE(db_->ContinueBackgroundWork().IsInvalidArgument());
  // Two files would be compacted by a database that writes.
  db_->AbortAllCompactions();
  db_->ResumeAllCompactions();
  db_->AbortCompactions(db_->DefaultColumnFamily());
  db_->ResumeCompactions(db_->DefaultColumnFamily());
  db_->DisableManualCompaction();
  db_->EnableManualCompaction();
  EXPECT_OK(db_->WaitForCompact(wait));
  EXPECT_OK(db_->Resume());
  wait.wait_for_purge = true;
  wait.close_db = true;
  EXPECT_OK(db_->WaitForCompact(wait));
  EXPECT_TRUE(db_->Resume().IsShutdownInProgress());
}

TEST_P(KindsTest, WritersAreSeenToBeNeitherSlowedNorStopped) {
  ASSERT_NO_FATAL_FAILURE(OpenReader());
  uint64_t value = 1;
  EXPECT_TRUE(
      db_->GetIntProperty(DB::Properties::kActualDelayedWriteRate, &value));
  EXPECT_EQ(value, 0u);
  value = 1;
  EXPECT_TRUE(db_->GetIntProperty(DB::Properties::kIsWriteStopped, &value));
  EXPECT_EQ(value, 0u);
  // All that there is is in files or logs.
  ReadOptions persisted;
  persisted.read_tier = kPersistedTier;
  std::string read;
  EXPECT_OK(db_->Get(persisted, "b", &read));
  EXPECT_EQ(read, "1");
}

INSTANTIATE_TEST_SUITE_P(Kinds, KindsTest,
                         ::testing::Values(Kind::kReadOnly, Kind::kSecondary,
                                           Kind::kFollower),
                         [](const auto& chosen) -> std::string {
                           switch (chosen.param) {
                             case Kind::kReadOnly:
                               return "ReadOnly";
                             case Kind::kSecondary:
                               return "Secondary";
                             case Kind::kFollower:
                               break;
                           }
                           return "Follower";
                         });

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

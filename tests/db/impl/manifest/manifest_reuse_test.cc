// reuse_manifest_on_open: what a session logs goes behind what the one before
// has logged, if that is whole; else there is a new manifest, as without it.
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "db/manifest/manifest_replay.h"
#include "db/version/version_edit.h"
#include "file/filename.h"
#include "rocksdb/comparator.h"
#include "tests/db/impl/damage.h"
#include "tests/db/impl/families_fixture.h"
#include "tests/db/impl/fault_world.h"
#include "tests/db/manifest/manifest_fixture.h"
#include "tests/testing/shell.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class ManifestReuseTest : public FamiliesFixture {
 protected:
  ManifestReuseTest() {
    options_.reuse_manifest_on_open = true;
    options_.disable_auto_compactions = true;
    options_.statistics = CreateDBStatistics();
  }
  std::string Manifest() { return FilesOf(path_, kDescriptorFile).back(); }
  // The database, closed, with a table of this key; its manifest.
  std::string WriteTable(const std::string& key) {
    EXPECT_OK(TryOpen());
    EXPECT_OK(Put(key, "1"));
    EXPECT_OK(Flush());
    db_.reset();
    return Manifest();
  }
  void ExpectAll(const std::string& all) {
    ASSERT_NO_FATAL_FAILURE(Open());
    EXPECT_EQ(Scan(), all);
    db_.reset();
  }
};

TEST_F(ManifestReuseTest, SessionsAppendToOneManifest) {
  const std::string manifest = WriteTable("a");
  const std::string first = ReadBytes(manifest);
  EXPECT_EQ(WriteTable("b"), manifest);
  const std::string second = ReadBytes(manifest);
  EXPECT_GT(second.size(), first.size());
  EXPECT_EQ(second.substr(0, first.size()), first);
  EXPECT_EQ(WriteTable("c"), manifest);
  EXPECT_EQ(FilesOf(path_, kDescriptorFile).size(), 1u);
  ExpectAll("a=1 b=1 c=1 ");
  // Without it there is a new one.
  options_.reuse_manifest_on_open = false;
  EXPECT_NE(WriteTable("d"), manifest);
  ExpectAll("a=1 b=1 c=1 d=1 ");
}

TEST_F(ManifestReuseTest, FamiliesComeAndGoInIt) {
  ASSERT_NO_FATAL_FAILURE(OpenFamilies({"default"}));
  ASSERT_NO_FATAL_FAILURE(CreateFamily("one"));
  const std::string manifest = Manifest();
  ASSERT_OK(PutIn(1, "a", "1"));
  ASSERT_NO_FATAL_FAILURE(OpenFamilies({"default", "one"}));
  ASSERT_OK(db_->DropColumnFamily(handles_[1]));
  ASSERT_NO_FATAL_FAILURE(OpenFamilies({"default"}));
  ASSERT_NO_FATAL_FAILURE(CreateFamily("two"));
  EXPECT_EQ(handles_[1]->GetID(), 2u);
  ASSERT_OK(PutIn(1, "b", "2"));
  ASSERT_NO_FATAL_FAILURE(OpenFamilies({"default", "two"}));
  EXPECT_EQ(ScanOf(1), "b=2 ");
  EXPECT_EQ(Manifest(), manifest);
}

TEST_F(ManifestReuseTest, ItsGrowthIsBounded) {
  options_.max_manifest_file_size = 1;
  options_.max_manifest_space_amp_pct = 500;
  std::vector<std::string> manifests;
  for (int i = 0; i < 30; ++i) {
    const std::string manifest = WriteTable(std::to_string(10 + i));
    if (manifests.empty() || manifests.back() != manifest) {
      manifests.push_back(manifest);
    }
  }
  // The size of the head is known in each session from the manifest.
  EXPECT_GT(manifests.size(), 1u);
  EXPECT_LT(manifests.size(), 10u);
  ASSERT_NO_FATAL_FAILURE(Open());
  EXPECT_EQ(Tables().size(), 30u);
}

TEST_F(ManifestReuseTest, ATornEndWantsANewOne) {
  for (const Damage& damage :
       {Damage{Harm::kCut, 3}, Damage{Harm::kAppend, 1},
        Damage{Harm::kAppend, 6}, Damage{Harm::kAppend, 5000}}) {
    const std::string manifest = WriteTable("a");
    EXPECT_EQ(WriteTable("b"), manifest);
    DamageFile(manifest, damage);
    const std::string damaged = ReadBytes(manifest);
    ASSERT_NO_FATAL_FAILURE(Open());
    EXPECT_NE(Manifest(), manifest);
    EXPECT_EQ(Get("a"), "1");
    ASSERT_OK(Put("b", "1"));
    const std::string next = WriteTable("c");
    ExpectAll("a=1 b=1 c=1 ");
    EXPECT_EQ(Manifest(), next);
    ASSERT_OK(DestroyDB(path_, options_));
  }
}

TEST_F(ManifestReuseTest, AnIncompleteGroupWantsANewOne) {
  const std::string manifest = WriteTable("a");
  VersionEdit edit;
  edit.remaining_in_group = 1;
  edit.last_sequence = 1000;
  std::vector<std::string> records =
      ManifestDirectory::RecordsOf(ReadBytes(manifest));
  records.push_back(Encode(edit));
  WriteBytes(manifest, ManifestDirectory::LogOf(records));
  ASSERT_NO_FATAL_FAILURE(Open());
  EXPECT_NE(Manifest(), manifest);
  EXPECT_LT(db_->GetLatestSequenceNumber(), 1000u);
  ExpectAll("a=1 ");
}

// The file ends with its block, or just before that.
TEST_F(ManifestReuseTest, ItGoesOnAtTheEndOfABlock) {
  for (size_t left = 0; left < 9; ++left) {
    const std::string manifest = WriteTable("a");
    std::vector<std::string> records =
        ManifestDirectory::RecordsOf(ReadBytes(manifest));
    // An id that a later record replaces fills it up.
    VersionEdit padding;
    padding.db_id = std::string(30000, 'x');
    size_t size = 0;
    for (int round = 0; round < 3; ++round) {
      std::vector<std::string> padded = records;
      padded.insert(padded.begin(), Encode(padding));
      size = ManifestDirectory::LogOf(padded).size();
      ASSERT_LE(size, 32768 - left);
      padding.db_id->append(32768 - left - size, 'x');
    }
    records.insert(records.begin(), Encode(padding));
    WriteBytes(manifest, ManifestDirectory::LogOf(records));
    ASSERT_EQ(std::filesystem::file_size(manifest), 32768 - left);
    EXPECT_EQ(WriteTable("b"), manifest);
    EXPECT_EQ(WriteTable("c"), manifest);
    ExpectAll("a=1 b=1 c=1 ");
    ASSERT_OK(DestroyDB(path_, options_));
  }
}

TEST_F(ManifestReuseTest, WhatANewOneWouldSayOtherwiseIsSaid) {
  options_.avoid_flush_during_shutdown = true;
  const std::string plain = WriteTable("a");
  // Keys get timestamps, which no table has.
  options_.comparator = BytewiseComparatorWithU64Ts();
  options_.persist_user_defined_timestamps = false;
  options_.allow_concurrent_memtable_write = false;
  ASSERT_NO_FATAL_FAILURE(Open());
  EXPECT_NE(Manifest(), plain);
  const std::string with_timestamps = Manifest();
  db_.reset();
  ASSERT_NO_FATAL_FAILURE(Open());
  EXPECT_EQ(Manifest(), with_timestamps);
  db_.reset();
  // And lose them.
  options_.comparator = BytewiseComparator();
  options_.persist_user_defined_timestamps = true;
  ASSERT_NO_FATAL_FAILURE(Open());
  EXPECT_NE(Manifest(), with_timestamps);
  EXPECT_EQ(Scan(), "a=1 ");
}

TEST_F(ManifestReuseTest, AnIdThatIsToBeThereIsThere) {
  options_.write_dbid_to_manifest = false;
  const std::string without = WriteTable("a");
  EXPECT_EQ(WriteTable("b"), without);
  options_.write_dbid_to_manifest = true;
  const std::string with = WriteTable("c");
  EXPECT_NE(with, without);
  EXPECT_EQ(WriteTable("d"), with);
}

TEST_F(ManifestReuseTest, CheckedOnCloseItIsWhole) {
  options_.verify_manifest_content_on_close = true;
  const std::string manifest = WriteTable("a");
  EXPECT_EQ(WriteTable("b"), manifest);
  EXPECT_EQ(Ticker(MANIFEST_VALIDATION_FAILURE_COUNT), 0u);
  // What was there before the session counts, too.
  ASSERT_NO_FATAL_FAILURE(Open());
  WriteBytes(manifest, Damaged(ReadBytes(manifest), {Harm::kCut, 60}));
  ASSERT_OK(db_->Close());
  db_.reset();
  EXPECT_EQ(Ticker(MANIFEST_VALIDATION_FAILURE_COUNT), 1u);
  EXPECT_NE(Manifest(), manifest);
  ExpectAll("a=1 b=1 ");
}

TEST_F(ManifestReuseTest, ASecondaryFollowsIt) {
  WriteTable("a");
  ASSERT_NO_FATAL_FAILURE(Open());
  std::unique_ptr<DB> secondary;
  ASSERT_OK(
      DB::OpenAsSecondary(options_, path_, path_ + "-second", &secondary));
  ASSERT_OK(Put("b", "1"));
  ASSERT_OK(Flush());
  ASSERT_OK(secondary->TryCatchUpWithPrimary());
  std::string value;
  EXPECT_OK(secondary->Get(ReadOptions(), "b", &value));
}

TEST_F(ManifestReuseTest, StockToolsReadIt) {
  if (!HasProgram("ldb")) GTEST_SKIP() << "ldb is not installed";
  BlockBasedTableOptions table;
  table.format_version = 5;
  options_.table_factory.reset(NewBlockBasedTableFactory(table));
  const std::string manifest = WriteTable("a");
  EXPECT_EQ(WriteTable("b"), manifest);
  EXPECT_EQ(WriteTable("c"), manifest);
  int status = 0;
  std::string output =
      RunShell("ldb --ignore_unknown_options --db=" + path_ + " scan", &status);
  EXPECT_EQ(status, 0) << output;
  for (const char* line : {"a : 1", "b : 1", "c : 1"}) {
    EXPECT_NE(output.find(line), std::string::npos) << output;
  }
}

// --- on a file system that fails

class FailingReuseTest : public ::testing::Test {
 protected:
  FailingReuseTest() : world_(1, /*is_direct=*/false, /*value_bytes=*/200) {
    world_.options_.reuse_manifest_on_open = true;
    world_.options_.max_bgerror_resume_count = 0;
  }
  Status Write() { return world_.Write(kDefaultColumnFamilyName); }
  std::string Manifest() {
    std::string path;
    uint64_t number = 0;
    EXPECT_OK(
        ReadCurrentFile(world_.fs_.get(), FaultWorld::kPath, &path, &number));
    return path;
  }
  void WriteTable() {
    ASSERT_OK(world_.Open());
    ASSERT_OK(Write());
    ASSERT_OK(world_.FlushAll());
    ASSERT_OK(world_.Close());
  }
  void ExpectWhole() {
    ASSERT_OK(world_.Open());
    EXPECT_EQ(world_.Check(/*is_live=*/false), "");
    ASSERT_OK(world_.Close());
  }

  FaultWorld world_;
};

TEST_F(FailingReuseTest, WhatCannotBeReopenedIsWrittenAnew) {
  ASSERT_NO_FATAL_FAILURE(WriteTable());
  const std::string manifest = Manifest();
  // Its size; its reopening.
  for (uint64_t call = 1; call <= 12; ++call) {
    world_.fs_->FailCall({.call = call,
                          .scope = FaultScope::kAllCalls,
                          .path_contains = Manifest()});
    const Status s = world_.Open();
    const bool struck = world_.fs_->failed();
    world_.fs_->ClearFault();
    if (!struck) break;
    if (s.ok()) {
      EXPECT_EQ(world_.Check(/*is_live=*/true), "");
    }
    ASSERT_NO_FATAL_FAILURE(ExpectWhole());
  }
}

// Once a sync of the manifest has failed, what is read of it may not be on the
// device, and another sync would not say so: the next session has its own.
TEST_F(FailingReuseTest, AfterAFailedSyncThereIsANewOne) {
  ASSERT_NO_FATAL_FAILURE(WriteTable());
  const std::string manifest = Manifest();
  ASSERT_OK(world_.Open());
  ASSERT_EQ(Manifest(), manifest);
  ASSERT_OK(Write());
  world_.fs_->FailCall({.call = 1,
                        .kind = FaultKind::kSyncFailure,
                        .path_contains = "MANIFEST"});
  EXPECT_FALSE(world_.FlushAll().ok());
  EXPECT_TRUE(world_.fs_->failed());
  world_.fs_->ClearFault();
  IgnoreError(world_.Close(), "it says what has failed");
  ASSERT_EQ(Manifest(), manifest);
  ASSERT_OK(world_.Open());
  EXPECT_NE(Manifest(), manifest);
  ASSERT_OK(world_.Close());
  ASSERT_OK(world_.fs_->CrashAndHeal());
  ASSERT_NO_FATAL_FAILURE(ExpectWhole());
}

// A crash loses all that is not synced, at each call of an open and of what
// follows it.
TEST_F(FailingReuseTest, ACrashAtAnyCallLosesNothing) {
  ASSERT_NO_FATAL_FAILURE(WriteTable());
  bool struck = true;
  for (uint64_t call = 1; struck; ++call) {
    ASSERT_LT(call, 1000u);
    world_.fs_->FailCall({.call = call, .is_permanent = true});
    Status s = world_.Open();
    if (s.ok()) s = world_.Write(kDefaultColumnFamilyName, /*sync=*/true);
    if (s.ok()) s = world_.FlushAll();
    struck = world_.fs_->failed();
    IgnoreError(world_.Close(), "the device is gone");
    ASSERT_OK(world_.fs_->CrashAndHeal());
    SCOPED_TRACE("call " + std::to_string(call) + ": " + s.ToString());
    ASSERT_OK(world_.Open());
    ASSERT_EQ(world_.Check(/*is_live=*/false), "");
    world_.history_.TakeOver();
    ASSERT_OK(world_.Close());
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

// best_efforts_recovery: the newest state whose files are there.
#include <algorithm>
#include <filesystem>

#include "rocksdb/env.h"
#include "tests/db/impl/damage.h"
#include "tests/db/impl/families_fixture.h"
#include "utilities/fault_injection/fault_injection_fs.h"

namespace ROCKSDB_NAMESPACE {
namespace {

namespace fs = std::filesystem;

class BestEffortsTest : public FamiliesFixture {
 protected:
  BestEffortsTest() {
    options_.disable_auto_compactions = true;
    options_.level_compaction_dynamic_level_bytes = false;
    options_.num_levels = 4;
  }
  // Four tables of level 0, each with a new value of "a" and a key of its own.
  void MakeTables() {
    Open();
    for (const char* value : {"1", "2", "3", "4"}) {
      ASSERT_OK(Put("a", value));
      ASSERT_OK(Put(std::string("k") + value, value));
      ASSERT_OK(Flush());
    }
    ASSERT_OK(Put("log", "1"));
    CloseFamilies();
  }
  std::string Table(size_t index) { return FilesOf(path_, kTableFile)[index]; }
  std::string OpenBest(std::vector<std::string> names = {"default"}) {
    options_.best_efforts_recovery = true;
    const Status s = TryOpenFamilies(names);
    options_.best_efforts_recovery = false;
    return s.ok() ? "OK" : s.ToString();
  }
};

TEST_F(BestEffortsTest, TheNewestTablesMayBeMissing) {
  MakeTables();
  fs::remove(Table(3));
  WriteBytes(Table(2), ReadBytes(Table(2)).substr(0, 300));
  EXPECT_TRUE(TryOpen().IsCorruption());
  ASSERT_EQ(OpenBest(), "OK");
  EXPECT_EQ(Scan(), "a=2 k1=1 k2=2 ");
  ASSERT_OK(Put("a", "new"));
  ASSERT_OK(Flush());
  CloseFamilies();
  Open();
  EXPECT_EQ(Get("a"), "new");
  EXPECT_EQ(Get("k2"), "2");
}

// What stands in the middle cannot be left out: older values would come back.
TEST_F(BestEffortsTest, AnOlderStateWhereAnOlderTableIsMissing) {
  MakeTables();
  fs::remove(Table(1));
  ASSERT_EQ(OpenBest(), "OK");
  EXPECT_EQ(Scan(), "a=1 k1=1 ");
}

TEST_F(BestEffortsTest, NothingIsLostWhereNothingIsMissing) {
  MakeTables();
  ASSERT_EQ(OpenBest(), "OK");
  EXPECT_EQ(Scan(), "a=4 k1=1 k2=2 k3=3 k4=4 ") << "logs are not replayed";
  CloseFamilies();
  Open();
  EXPECT_EQ(Get("log"), "1") << "they are left for the next open";
}

// What is written meanwhile is newer than what the logs hold.
TEST_F(BestEffortsTest, WritesComeBehindTheLogs) {
  MakeTables();
  Open();
  ASSERT_OK(Put("x", "log"));
  CloseFamilies();
  ASSERT_EQ(OpenBest(), "OK");
  EXPECT_EQ(Get("x"), "NOT_FOUND");
  ASSERT_OK(Put("x", "new"));
  CloseFamilies();
  Open();
  EXPECT_EQ(Get("x"), "new");
  EXPECT_EQ(Get("log"), "1");
}

// Old info logs are named by the time, which is no number of a file.
TEST_F(BestEffortsTest, NumbersGoOnFromThoseOfFiles) {
  MakeTables();
  WriteBytes(path_ + "/LOG.old.1795287853154929", "once");
  ASSERT_EQ(OpenBest(), "OK");
  ASSERT_OK(Put("a", "new"));
  ASSERT_OK(Flush());
  std::vector<LiveFileMetaData> files;
  db_->GetLiveFilesMetaData(&files);
  ASSERT_EQ(files.size(), 5u);
  for (const LiveFileMetaData& file : files) EXPECT_LT(file.file_number, 1000u);
}

TEST_F(BestEffortsTest, CurrentMayBeMissing) {
  MakeTables();
  fs::remove(path_ + "/CURRENT");
  EXPECT_FALSE(TryOpen().ok());
  ASSERT_EQ(OpenBest(), "OK");
  EXPECT_EQ(Get("a"), "4");
  CloseFamilies();
  Open();
  EXPECT_EQ(Get("a"), "4");
}

TEST_F(BestEffortsTest, AnOlderManifestWhereTheNewestIsDamaged) {
  MakeTables();
  const std::string manifest = FilesOf(path_, kDescriptorFile).back();
  const std::string newer = path_ + "/MANIFEST-000999";
  std::string bytes = ReadBytes(manifest);
  bytes[10] = static_cast<char>(~bytes[10]);
  WriteBytes(newer, bytes);
  ASSERT_EQ(OpenBest(), "OK");
  EXPECT_EQ(Get("a"), "4");
}

// A crash while a new manifest is written, before CURRENT names it.
TEST_F(BestEffortsTest, AManifestThatIsHalfWritten) {
  Open();
  CreateFamily("b");
  ASSERT_OK(db_->Put(WriteOptions(), "k", "1"));
  ASSERT_OK(PutIn(0, "k", "1"));
  ASSERT_OK(db_->Flush(FlushOptions()));
  ASSERT_OK(db_->Flush(FlushOptions(), handles_[0]));
  CloseFamilies();
  OpenFamilies({"default", "b"});  // A new manifest with all of it.
  CloseFamilies();
  const std::string bytes = ReadBytes(FilesOf(path_, kDescriptorFile).back());
  const std::string origin = directory_.path() + "/origin";
  fs::rename(path_, origin);
  options_.create_missing_column_families = true;
  // Every record is longer than this.
  constexpr size_t kStep = 9;
  for (size_t size = 0; size < bytes.size(); size += kStep) {
    SCOPED_TRACE(size);
    fs::remove_all(path_);
    fs::copy(origin, path_);
    WriteBytes(path_ + "/MANIFEST-000999", bytes.substr(0, size));
    ASSERT_EQ(OpenBest({"default", "b"}), "OK");
    EXPECT_EQ(Get("k"), "1");
    EXPECT_EQ(GetFrom(1, "k"), "1");
    CloseFamilies();
  }
}

TEST_F(BestEffortsTest, NothingIsLeftWhereNoStateIsWhole) {
  MakeTables();
  Open();
  ASSERT_OK(CompactAll(true));
  CloseFamilies();
  // The manifest begins with the compacted state.
  Open();
  ASSERT_OK(Put("log", "2"));
  CloseFamilies();
  fs::remove(Table(0));
  ASSERT_EQ(OpenBest(), "OK");
  EXPECT_EQ(Scan(), "");
  ASSERT_OK(Put("new", "1"));
  CloseFamilies();
  // What the old log holds has lost what it stood on.
  Open();
  EXPECT_EQ(Scan(), "new=1 ");
  ASSERT_OK(Flush());
  Reopen();
  EXPECT_EQ(Scan(), "new=1 ");
}

TEST_F(BestEffortsTest, WithoutAManifestItFails) {
  MakeTables();
  for (const std::string& path : FilesOf(path_, kDescriptorFile)) {
    fs::remove(path);
  }
  EXPECT_NE(OpenBest(), "OK");
}

// A manifest that begins with all the tables knows no older state of them but
// those of level 0 that are older than what is missing.
TEST_F(BestEffortsTest, AManifestThatBeginsWithAMissingTable) {
  const std::vector<std::string> left = {"", "a=1 k1=1 ", "a=2 k1=1 k2=2 ",
                                         "a=3 k1=1 k2=2 k3=3 "};
  for (size_t missing = 0; missing < left.size(); ++missing) {
    SCOPED_TRACE(missing);
    fs::remove_all(path_);
    MakeTables();
    OpenFamilies({"default"});
    CreateFamily("b");
    ASSERT_OK(PutIn(1, "k", "1"));
    ASSERT_OK(db_->Flush(FlushOptions(), handles_[1]));
    ASSERT_OK(PutIn(1, "k", "2"));
    CloseFamilies();
    OpenFamilies({"default", "b"});
    CloseFamilies();
    fs::remove(Table(missing));
    ASSERT_EQ(OpenBest({"default", "b"}), "OK");
    EXPECT_EQ(Scan(), left[missing]);
    EXPECT_EQ(GetFrom(1, "k"), "2") << "the other family has all it had";
    ASSERT_OK(Put("x", "new"));
    CloseFamilies();
    OpenFamilies({"default", "b"});
    EXPECT_EQ(Get("x"), "new");
    EXPECT_EQ(GetFrom(1, "k"), "2");
    CloseFamilies();
  }
}

TEST_F(BestEffortsTest, ReadOnlyTooAFamilyMayBeEmpty) {
  MakeTables();
  Open();
  CloseFamilies();
  fs::remove(Table(0));
  options_.best_efforts_recovery = true;
  ASSERT_OK(DB::OpenForReadOnly(options_, path_, &db_));
  EXPECT_EQ(Scan(), "");
}

// A family that has lost more than a group takes nobody along.
TEST_F(BestEffortsTest, WhatWasFlushedTogetherInPart) {
  for (const size_t missing : {0, 3, 4}) {
    SCOPED_TRACE(missing);
    fs::remove_all(path_);
    options_.atomic_flush = true;
    Open();
    CreateFamily("b");
    ASSERT_OK(Put("k", "1"));
    ASSERT_OK(PutIn(0, "k", "1"));
    ASSERT_OK(
        db_->Flush(FlushOptions(), {db_->DefaultColumnFamily(), handles_[0]}));
    CloseFamilies();
    OpenFamilies({"default", "b"});  // The manifest begins with the tables.
    for (const char* value : {"2", "3"}) {
      ASSERT_OK(Put("k", value));
      ASSERT_OK(PutIn(1, "k", value));
      ASSERT_OK(db_->Flush(FlushOptions(), handles_));
    }
    CloseFamilies();
    fs::remove(Table(missing));
    options_.atomic_flush = false;  // Not together with best efforts.
    ASSERT_EQ(OpenBest({"default", "b"}), "OK");
    const std::string both = ScanOf(0) + ScanOf(1);
    EXPECT_EQ(both, missing == 0   ? "k=3 "
                    : missing == 3 ? "k=1 k=1 "
                                   : "k=2 k=2 ");
    CloseFamilies();
  }
}

// An open writes what the logs held in one group.
TEST_F(BestEffortsTest, AGroupWithoutTablesTakesNobodyAlong) {
  Open();
  CreateFamily("b");
  ASSERT_OK(Put("k", "1"));
  ASSERT_OK(PutIn(0, "k", "1"));
  ASSERT_OK(Flush());
  ASSERT_OK(db_->Flush(FlushOptions(), handles_[0]));
  CloseFamilies();
  OpenFamilies({"default", "b"});
  CloseFamilies();
  fs::remove(Table(0));
  ASSERT_EQ(OpenBest({"default", "b"}), "OK");
  EXPECT_EQ(ScanOf(0), "");
  EXPECT_EQ(ScanOf(1), "k=1 ");
}

// What comes of a merge of level 0 that is missing is older than what was.
TEST_F(BestEffortsTest, TheNewestPointInTimeCounts) {
  options_.compaction_style = kCompactionStyleUniversal;
  MakeTables();
  Open();
  std::vector<std::string> names = TableNames();
  std::sort(names.begin(), names.end());
  ASSERT_OK(db_->DisableFileDeletions());
  std::vector<std::string> outputs;
  ASSERT_OK(db_->CompactFiles(CompactionOptions(),
                              {names[2], names[3], names[4]},
                              /*output_level=*/0, -1, &outputs));
  ASSERT_EQ(outputs.size(), 1u);
  const auto kept = directory_.path() + "/kept";
  fs::copy(path_, kept);
  CloseFamilies();
  for (const std::string& name : names) {
    const auto from = fs::path(kept + name);
    if (!fs::exists(path_ + name)) fs::copy(from, path_ + name);
  }
  for (const std::string& path : FilesOf(path_, kTableFile)) {
    if (fs::path(path).filename() == fs::path(outputs[0]).filename()) {
      fs::remove(path);
    }
  }
  ASSERT_EQ(OpenBest(), "OK");
  EXPECT_EQ(Scan(), "a=4 k1=1 k2=2 k3=3 k4=4 log=1 ");
}

// An older manifest tells of a state of all families, but not where a family
// has been made since.
TEST_F(BestEffortsTest, AnOlderManifestWhereAFamilyHasLostAll) {
  for (const bool is_added : {false, true}) {
    SCOPED_TRACE(is_added);
    fs::remove_all(path_);
    Open();
    ASSERT_OK(Put("a", "1"));
    ASSERT_OK(Flush());
    const std::string first = TableNames()[0];
    CloseFamilies();
    const std::string older = FilesOf(path_, kDescriptorFile).back();
    const std::string bytes = ReadBytes(older);
    const std::string kept = ReadBytes(path_ + first);
    Open();
    ASSERT_OK(CompactAll(true));
    if (is_added) CreateFamily("b");
    CloseFamilies();
    std::vector<std::string> names = {"default"};
    if (is_added) names.push_back("b");
    OpenFamilies(names);  // The manifest begins with the compacted state.
    if (is_added) ASSERT_OK(PutIn(1, "k", "1"));
    if (is_added) ASSERT_OK(db_->Flush(FlushOptions(), handles_[1]));
    const std::string compacted = TableNames()[0];
    CloseFamilies();
    fs::remove(path_ + compacted);
    WriteBytes(older, bytes);
    WriteBytes(path_ + first, kept);
    ASSERT_EQ(OpenBest(names), "OK");
    EXPECT_EQ(Scan(), is_added ? "" : "a=1 ");
    if (is_added) {
      EXPECT_EQ(GetFrom(1, "k"), "1");
    }
    CloseFamilies();
  }
}

TEST_F(BestEffortsTest, AFreshDatabase) {
  ASSERT_EQ(OpenBest(), "OK");
  ASSERT_OK(Put("a", "1"));
  EXPECT_EQ(Get("a"), "1");
}

TEST_F(BestEffortsTest, FamiliesAreCutOffOneByOne) {
  Open();
  CreateFamily("b");
  for (const char* value : {"1", "2"}) {
    ASSERT_OK(db_->Put(WriteOptions(), "k", value));
    ASSERT_OK(PutIn(0, "k", value));
    ASSERT_OK(db_->Flush(FlushOptions()));
    ASSERT_OK(db_->Flush(FlushOptions(), handles_[0]));
  }
  CloseFamilies();
  fs::remove(Table(3));  // The newest of "b".
  ASSERT_EQ(OpenBest({"default", "b"}), "OK");
  EXPECT_EQ(GetFrom(0, "k"), "2");
  EXPECT_EQ(GetFrom(1, "k"), "1");
}

TEST_F(BestEffortsTest, WhatWasFlushedTogetherIsCutOffTogether) {
  options_.atomic_flush = true;
  Open();
  CreateFamily("b");
  for (const char* value : {"1", "2"}) {
    ASSERT_OK(db_->Put(WriteOptions(), "k", value));
    ASSERT_OK(PutIn(0, "k", value));
    ASSERT_OK(
        db_->Flush(FlushOptions(), {db_->DefaultColumnFamily(), handles_[0]}));
  }
  CloseFamilies();
  fs::remove(Table(3));
  options_.atomic_flush = false;  // Not together with best efforts.
  ASSERT_EQ(OpenBest({"default", "b"}), "OK");
  EXPECT_EQ(GetFrom(0, "k"), "1");
  EXPECT_EQ(GetFrom(1, "k"), "1");
}

TEST_F(BestEffortsTest, BlobFiles) {
  options_.enable_blob_files = true;
  MakeTables();
  const std::vector<std::string> blobs = FilesOf(path_, kBlobFile);
  ASSERT_EQ(blobs.size(), 4u);
  fs::remove(blobs[3]);
  ASSERT_EQ(OpenBest(), "OK");
  EXPECT_EQ(Scan(), "a=3 k1=1 k2=2 k3=3 ");
  CloseFamilies();
  Open();
  EXPECT_EQ(Get("k3"), "3");
}

// A blob file that is all garbage goes, though a table is linked to an older
// one: it is not missing.
TEST_F(BestEffortsTest, BlobFilesThatAreAllGarbage) {
  options_.enable_blob_files = true;
  const auto put_and_compact = [this](const char* begin, const char* end) {
    for (const char* key : {begin, end}) {
      ASSERT_OK(Put(key, "value"));
      ASSERT_OK(Flush());
    }
    const Slice first(begin), last(end);
    ASSERT_OK(db_->CompactRange(CompactRangeOptions(), &first, &last));
  };
  Open();
  put_and_compact("c", "c");
  put_and_compact("a", "b");
  put_and_compact("d", "d");
  put_and_compact("a", "a");
  ASSERT_OK(Put("e", "newest"));
  ASSERT_OK(Flush());
  CloseFamilies();
  EXPECT_EQ(FilesOf(path_, kBlobFile).size(), 5u);
  ASSERT_EQ(OpenBest(), "OK");
  EXPECT_EQ(Scan(), "a=value b=value c=value d=value e=newest ");
  // Not even in the state that a manifest begins with.
  put_and_compact("e", "e");
  CloseFamilies();
  ASSERT_EQ(OpenBest(), "OK");
  EXPECT_EQ(Scan(), "a=value b=value c=value d=value e=value ");
}

// Each call of an open fails once: what is there is not taken for lost, neither
// by that open nor for good.
class BestEffortsFaultTest : public BestEffortsTest {
 protected:
  BestEffortsFaultTest()
      : origin_(directory_.path() + "/origin"),
        faulty_(
            std::make_shared<FaultInjectionFileSystem>(FileSystem::Default())),
        env_(NewCompositeEnv(faulty_)) {}
  ~BestEffortsFaultTest() override { CloseFamilies(); }

  // Two tables that the older manifest tells of, and two that only the newer
  // one does.
  void MakeOrigin() {
    Open();
    for (const char* key : {"a", "b"}) {
      ASSERT_OK(Put(key, "old"));
      ASSERT_OK(Flush());
    }
    CloseFamilies();
    const std::string older = FilesOf(path_, kDescriptorFile).back();
    const std::string bytes = ReadBytes(older);
    Open();
    for (const char* key : {"a", "c"}) {
      ASSERT_OK(Put(key, "new"));
      ASSERT_OK(Flush());
    }
    CloseFamilies();
    WriteBytes(older, bytes);
    ASSERT_EQ(FilesOf(path_, kDescriptorFile).size(), 2u);
    fs::rename(path_, origin_);
    options_.env = env_.get();
  }
  void ExpectAllIsThere() { EXPECT_EQ(Scan(), "a=new b=old c=new "); }

  // How many calls there were.
  uint64_t FailEachCall() {
    for (uint64_t call = 1;; ++call) {
      SCOPED_TRACE(call);
      fs::remove_all(path_);
      fs::copy(origin_, path_);
      faulty_->FailCall({.call = call, .scope = FaultScope::kAllCalls});
      const std::string opened = OpenBest();
      const bool has_failed = faulty_->failed();
      SCOPED_TRACE(faulty_->failed_call());
      faulty_->ClearFault();
      if (opened == "OK") ExpectAllIsThere();
      EXPECT_EQ(OpenBest(), "OK");
      ExpectAllIsThere();
      CloseFamilies();
      if (HasFailure() || !has_failed) return call;
    }
  }

  const std::string origin_;
  const std::shared_ptr<FaultInjectionFileSystem> faulty_;
  const std::unique_ptr<Env> env_;
};

TEST_F(BestEffortsFaultTest, NothingIsLost) {
  MakeOrigin();
  EXPECT_GT(FailEachCall(), 50u);
}

TEST_F(BestEffortsFaultTest, NorWithoutCurrent) {
  MakeOrigin();
  fs::remove(origin_ + "/CURRENT");
  EXPECT_GT(FailEachCall(), 50u);
}

TEST_F(BestEffortsFaultTest, NorOfBlobFiles) {
  options_.enable_blob_files = true;
  MakeOrigin();
  EXPECT_GT(FailEachCall(), 50u);
}

// Nor is a new database taken for a damaged one.
TEST_F(BestEffortsFaultTest, ANewDatabaseIsMadeOrTheFailureIsTold) {
  options_.env = env_.get();
  for (uint64_t call = 1;; ++call) {
    SCOPED_TRACE(call);
    fs::remove_all(path_);
    faulty_->FailCall({.call = call, .scope = FaultScope::kAllCalls});
    const std::string opened = OpenBest();
    const bool has_failed = faulty_->failed();
    SCOPED_TRACE(faulty_->failed_call());
    faulty_->ClearFault();
    EXPECT_EQ(opened.find("Corruption"), std::string::npos) << opened;
    ASSERT_EQ(OpenBest(), "OK");
    ASSERT_OK(Put("a", "1"));
    EXPECT_EQ(Get("a"), "1");
    CloseFamilies();
    if (!has_failed) break;
    ASSERT_LT(call, 1000u);
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

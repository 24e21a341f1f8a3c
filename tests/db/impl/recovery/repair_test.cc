// RepairDB(): what it saves, what it gives up, and where that goes.
#include <algorithm>
#include <filesystem>
#include <set>

#include "tests/db/impl/damage.h"
#include "tests/db/impl/families_fixture.h"
#include "tests/db/impl/fault_world.h"
#include "util/builtin_merge_operators.h"

namespace ROCKSDB_NAMESPACE {
namespace {

namespace fs = std::filesystem;

class RepairTest : public FamiliesFixture {
 protected:
  RepairTest() {
    options_.merge_operator = NewStringAppendOperator(",");
    options_.disable_auto_compactions = true;
    options_.level_compaction_dynamic_level_bytes = false;
    options_.num_levels = 4;
  }
  Status Repair() {
    CloseFamilies();
    return RepairDB(path_, options_);
  }
  void LoseManifest() {
    CloseFamilies();
    for (const std::string& path : FilesOf(path_, kDescriptorFile)) {
      fs::remove(path);
    }
  }
  void LoseCurrent() {
    CloseFamilies();
    fs::remove(path_ + "/CURRENT");
  }
  // In the middle of its data.
  void Break(const std::string& table) {
    std::string bytes = ReadBytes(table);
    ASSERT_GT(bytes.size(), 200u);
    bytes[20] = static_cast<char>(bytes[20] ^ 0x55);
    WriteBytes(table, bytes);
  }
  std::set<std::string> Lost() {
    std::set<std::string> names;
    if (!fs::exists(path_ + "/lost")) return names;
    for (const auto& entry : fs::directory_iterator(path_ + "/lost")) {
      names.insert(entry.path().extension().empty()
                       ? "MANIFEST"
                       : entry.path().filename().string());
    }
    return names;
  }
  // Tables at levels 0 and 1, and a log.
  void MakeDatabase() {
    Open();
    ASSERT_OK(Put("a", "1"));
    ASSERT_OK(Put("b", "1"));
    ASSERT_OK(Flush());
    ASSERT_OK(CompactAll());
    ASSERT_OK(Put("b", "2"));
    ASSERT_OK(Delete("a"));
    ASSERT_OK(Put("c", "2"));
    ASSERT_OK(Flush());
    ASSERT_OK(Put("c", "log"));
    ASSERT_OK(db_->Merge(WriteOptions(), "b", "3"));
    EXPECT_EQ(FilesAt(0), 1);
    EXPECT_EQ(FilesAt(1), 1);
  }
};

TEST_F(RepairTest, ByTheManifest) {
  MakeDatabase();
  LoseCurrent();
  EXPECT_FALSE(TryOpen().ok());
  ASSERT_OK(Repair());
  EXPECT_EQ(Lost(), std::set<std::string>{"MANIFEST"});
  Open();
  EXPECT_EQ(Scan(), "b=2,3 c=log ");
  EXPECT_EQ(FilesAt(1), 1) << "it knows the levels";
  ASSERT_OK(CompactAll(true));
  Reopen();
  EXPECT_EQ(Scan(), "b=2,3 c=log ");
}

TEST_F(RepairTest, BadOptionsAreRefusedBeforeAnythingIsChanged) {
  MakeDatabase();
  LoseCurrent();
  const std::vector<std::string> before = FilesOf(path_, kDescriptorFile);
  options_.listeners = {nullptr};
  const Status s = Repair();
  EXPECT_TRUE(s.IsInvalidArgument()) << s.ToString();
  EXPECT_EQ(FilesOf(path_, kDescriptorFile), before);
  EXPECT_TRUE(Lost().empty());
  options_.listeners.clear();
  ASSERT_OK(Repair());
}

// Tables go on referring to a blob file that was lost: what is not read of it
// may be deleted, and compacted away.
TEST_F(RepairTest, LostBlobFilesDoNotStopCompactions) {
  options_.enable_blob_files = true;
  Open();
  ASSERT_OK(Put("a", "lost"));
  ASSERT_OK(Put("b", "lost"));
  ASSERT_OK(Flush());
  ASSERT_OK(Put("c", "kept"));
  ASSERT_OK(Flush());
  CloseFamilies();
  const std::vector<std::string> blobs = FilesOf(path_, kBlobFile);
  ASSERT_EQ(blobs.size(), 2u);
  fs::remove(*std::min_element(blobs.begin(), blobs.end()));
  ASSERT_OK(Repair());
  Open();
  std::string value;
  EXPECT_FALSE(db_->Get(ReadOptions(), "a", &value).ok());
  ASSERT_OK(Delete("a"));
  ASSERT_OK(Delete("b"));
  ASSERT_OK(CompactAll(true));
  EXPECT_EQ(Scan(), "c=kept ");
  Reopen();
  EXPECT_EQ(Scan(), "c=kept ");
}

TEST_F(RepairTest, WhatIsWholeStaysAsItIs) {
  MakeDatabase();
  ASSERT_OK(Repair());
  Open();
  EXPECT_EQ(Scan(), "b=2,3 c=log ");
}

TEST_F(RepairTest, ByTheTables) {
  MakeDatabase();
  LoseManifest();
  EXPECT_FALSE(TryOpen().ok());
  ASSERT_OK(Repair());
  EXPECT_TRUE(Lost().empty());
  Open();
  EXPECT_EQ(Scan(), "b=2,3 c=log ");
  ASSERT_OK(Put("d", "new"));
  ASSERT_OK(CompactAll(true));
  Reopen();
  EXPECT_EQ(Scan(), "b=2,3 c=log d=new ");
}

// Old info logs are named by the time, which is no number of a file.
TEST_F(RepairTest, NumbersGoOnFromThoseOfFiles) {
  MakeDatabase();
  LoseManifest();
  WriteBytes(path_ + "/LOG.old.1795287853154929", "once");
  ASSERT_OK(Repair());
  ASSERT_OK(TryOpen());
  ASSERT_OK(Put("d", "new"));
  ASSERT_OK(Flush());
  std::vector<LiveFileMetaData> files;
  db_->GetLiveFilesMetaData(&files);
  ASSERT_FALSE(files.empty());
  for (const LiveFileMetaData& file : files) EXPECT_LT(file.file_number, 1000u);
}

TEST_F(RepairTest, ADamagedManifest) {
  MakeDatabase();
  CloseFamilies();
  const std::string manifest = FilesOf(path_, kDescriptorFile).back();
  std::string bytes = ReadBytes(manifest);
  bytes[bytes.size() / 2] = static_cast<char>(~bytes[bytes.size() / 2]);
  WriteBytes(manifest, bytes);
  EXPECT_FALSE(TryOpen().ok());
  ASSERT_OK(Repair());
  EXPECT_EQ(Lost(), std::set<std::string>{"MANIFEST"});
  Open();
  EXPECT_EQ(Scan(), "b=2,3 c=log ");
}

TEST_F(RepairTest, BrokenTablesAreGivenUp) {
  for (const bool has_manifest : {true, false}) {
    SCOPED_TRACE(has_manifest);
    ASSERT_OK(DestroyDB(path_, options_));
    fs::remove_all(path_);
    Open();
    for (const char* key : {"a", "b", "c"}) {
      ASSERT_OK(Put(key, std::string(1000, *key)));
      ASSERT_OK(Flush());
    }
    CloseFamilies();
    const std::vector<std::string> tables = FilesOf(path_, kTableFile);
    ASSERT_EQ(tables.size(), 3u);
    ASSERT_NO_FATAL_FAILURE(Break(tables[1]));
    if (!has_manifest) LoseManifest();
    ASSERT_OK(Repair());
    EXPECT_EQ(Lost().count(fs::path(tables[1]).filename().string()), 1u);
    Open();
    EXPECT_EQ(Get("a"), std::string(1000, 'a'));
    EXPECT_EQ(Get("b"), "NOT_FOUND");
    EXPECT_EQ(Get("c"), std::string(1000, 'c'));
    EXPECT_OK(db_->VerifyChecksum(ReadOptions()));
    db_.reset();
  }
}

TEST_F(RepairTest, FamiliesComeBackByTheirTables) {
  Open();
  CreateFamily("b");
  CreateFamily("gone");
  CreateFamily("c");
  ASSERT_OK(db_->Put(WriteOptions(), "k", "default"));
  ASSERT_OK(PutIn(0, "k", "b"));
  ASSERT_OK(PutIn(2, "k", "c"));
  ASSERT_OK(db_->DropColumnFamily(handles_[1]));
  ASSERT_OK(db_->Flush(FlushOptions(), {handles_[0], handles_[2]}));
  ASSERT_OK(db_->Flush(FlushOptions()));
  ASSERT_OK(PutIn(0, "log", "b"));
  LoseManifest();
  const ColumnFamilyOptions family(options_);
  EXPECT_TRUE(RepairDB(path_, options_, {{"default", family}, {"b", family}})
                  .IsInvalidArgument())
      << "a family that is there is not listed";
  EXPECT_TRUE(RepairDB(path_, options_, {{"b", family}}).IsInvalidArgument());
  ASSERT_OK(
      RepairDB(path_, options_, {{"default", family}, {"b", family}}, family));
  std::vector<std::string> names;
  ASSERT_OK(DB::ListColumnFamilies(options_, path_, &names));
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()),
            (std::set<std::string>{"default", "b", "c"}));
  OpenFamilies({"default", "b", "c"});
  EXPECT_EQ(ScanOf(0), "k=default ");
  EXPECT_EQ(ScanOf(1), "k=b log=b ");
  EXPECT_EQ(ScanOf(2), "k=c ");
  // Numbers of families go on.
  CreateFamily("d");
  ASSERT_OK(PutIn(3, "k", "d"));
  OpenFamilies({"default", "b", "c", "d"});
  EXPECT_EQ(ScanOf(3), "k=d ");
}

// A log tells ids, the OPTIONS file names.
class UnflushedFamiliesTest : public RepairTest {
 protected:
  // "f" has a table; "n" and "m" have a log alone, "e" has nothing.
  void MakeFamilies() {
    options_.create_missing_column_families = true;
    OpenFamilies({"default", "f", "n", "e", "m"});
    ASSERT_OK(PutIn(0, "k", "default"));
    ASSERT_OK(PutIn(1, "k", "f"));
    ASSERT_OK(db_->Flush(FlushOptions(), handles_[1]));
    ASSERT_OK(PutIn(1, "l", "f"));
    ASSERT_OK(PutIn(2, "k", "n"));
    ASSERT_OK(PutIn(4, "k", "m"));
    LoseManifest();
  }
  std::vector<ColumnFamilyDescriptor> Named(
      const std::vector<std::string>& names) {
    std::vector<ColumnFamilyDescriptor> families;
    for (const std::string& name : names) {
      families.emplace_back(name, ColumnFamilyOptions(options_));
    }
    return families;
  }
  std::string Families() {
    std::vector<std::string> names;
    EXPECT_OK(DB::ListColumnFamilies(options_, path_, &names));
    std::string text;
    for (const std::string& name : names) text += name + " ";
    return text;
  }
  void LoseOptions() {
    for (const std::string& path : FilesOf(path_, kOptionsFile)) {
      fs::remove(path);
    }
  }
};

TEST_F(UnflushedFamiliesTest, AreThereWhereTheyAreNamed) {
  MakeFamilies();
  ASSERT_OK(RepairDB(path_, options_, Named({"m", "default", "e", "f", "n"})));
  EXPECT_EQ(Families(), "default f n e m ");
  OpenFamilies({"default", "f", "n", "e", "m"});
  EXPECT_EQ(ScanOf(0), "k=default ");
  EXPECT_EQ(ScanOf(1), "k=f l=f ");
  EXPECT_EQ(ScanOf(2), "k=n ");
  EXPECT_EQ(ScanOf(3), "");
  EXPECT_EQ(ScanOf(4), "k=m ");
}

TEST_F(UnflushedFamiliesTest, AndWhereOptionsForOthersAreGiven) {
  MakeFamilies();
  ASSERT_OK(Repair());
  OpenFamilies({"default", "f", "n", "e", "m"});
  EXPECT_EQ(ScanOf(2), "k=n ");
  EXPECT_EQ(ScanOf(4), "k=m ");
}

// Their data stay in the logs that are kept.
TEST_F(UnflushedFamiliesTest, NotWhereNobodyWantsThem) {
  MakeFamilies();
  ASSERT_OK(RepairDB(path_, options_, Named({"default", "f", "n"})));
  EXPECT_EQ(Families(), "default f n ");
  OpenFamilies({"default", "f", "n"});
  EXPECT_EQ(ScanOf(2), "k=n ");
  EXPECT_EQ(Lost().size(), 1u);
}

TEST_F(UnflushedFamiliesTest, WithoutOptionsTheyAreEmpty) {
  MakeFamilies();
  LoseOptions();
  ASSERT_OK(RepairDB(path_, options_, Named({"default", "f", "n", "e", "m"})));
  OpenFamilies({"default", "f", "n", "e", "m"});
  EXPECT_EQ(ScanOf(1), "k=f l=f ");
  EXPECT_EQ(ScanOf(2) + ScanOf(3) + ScanOf(4), "");
  EXPECT_EQ(Lost().size(), 1u) << "the log";
  // They are families like others.
  ASSERT_OK(PutIn(3, "k", "new"));
  OpenFamilies({"default", "f", "n", "e", "m"});
  EXPECT_EQ(ScanOf(3), "k=new ");
}

TEST_F(UnflushedFamiliesTest, ADroppedFamilyIsNoneOfThem) {
  Open();
  for (const char* name : {"a", "b", "c"}) CreateFamily(name);
  for (size_t i = 0; i < 3; ++i) {
    ASSERT_OK(PutIn(i, "k", handles_[i]->GetName()));
  }
  ASSERT_OK(db_->DropColumnFamily(handles_[0]));
  LoseManifest();
  // The log holds something of three families, and two are named.
  ASSERT_OK(RepairDB(path_, options_, Named({"default", "b", "c"})));
  OpenFamilies({"default", "b", "c"});
  EXPECT_EQ(ScanOf(1) + ScanOf(2), "") << "nothing of another family";
  EXPECT_EQ(Lost().size(), 1u);
}

// A log that another family needs holds what this family's tables hold too.
TEST_F(RepairTest, OperandsCountOnce) {
  Open();
  CreateFamily("b");
  ASSERT_OK(PutIn(0, "has", "a table"));
  ASSERT_OK(db_->Flush(FlushOptions(), handles_[0]));
  ASSERT_OK(PutIn(0, "pins", "the log"));
  ASSERT_OK(db_->Merge(WriteOptions(), "k", "1"));
  ASSERT_OK(db_->Merge(WriteOptions(), "k", "2"));
  ASSERT_OK(db_->Flush(FlushOptions()));
  ASSERT_OK(db_->Merge(WriteOptions(), "k", "3"));
  LoseManifest();
  ASSERT_OK(Repair());
  OpenFamilies({"default", "b"});
  EXPECT_EQ(GetFrom(0, "k"), "1,2,3");
  EXPECT_EQ(GetFrom(1, "pins"), "the log");
}

// Nothing tells the name of a family that has only a log.
TEST_F(RepairTest, WhatNobodyKnowsIsKept) {
  Open();
  CreateFamily("b");
  ASSERT_OK(PutIn(0, "k", "b"));
  LoseManifest();
  for (const std::string& path : FilesOf(path_, kOptionsFile)) fs::remove(path);
  const std::string log = FilesOf(path_, kWalFile).back();
  ASSERT_OK(Repair());
  EXPECT_EQ(Lost().count(fs::path(log).filename().string()), 1u);
  Open();
  EXPECT_EQ(Scan(), "");
}

TEST_F(RepairTest, DamagedLogsGiveWhatTheyCan) {
  Open();
  for (int i = 0; i < 100; ++i) {
    ASSERT_OK(Put("k" + std::to_string(100 + i), std::string(1000, 'x')));
  }
  CloseFamilies();
  const std::string log = FilesOf(path_, kWalFile).back();
  std::string bytes = ReadBytes(log);
  bytes[bytes.size() / 2] = static_cast<char>(~bytes[bytes.size() / 2]);
  WriteBytes(log, bytes);
  LoseManifest();
  ASSERT_OK(Repair());
  EXPECT_EQ(Lost().count(fs::path(log).filename().string()), 1u);
  Open();
  EXPECT_EQ(Get("k100"), std::string(1000, 'x'));
  EXPECT_EQ(Get("k199"), std::string(1000, 'x'));
}

TEST_F(RepairTest, BlobFiles) {
  for (const bool has_manifest : {true, false}) {
    SCOPED_TRACE(has_manifest);
    fs::remove_all(path_);
    options_.enable_blob_files = true;
    Open();
    ASSERT_OK(Put("a", "1"));
    ASSERT_OK(Put("b", "1"));
    ASSERT_OK(Flush());
    ASSERT_OK(Put("a", "2"));
    ASSERT_OK(Flush());
    if (has_manifest) {
      LoseCurrent();
    } else {
      LoseManifest();
    }
    ASSERT_OK(Repair());
    Open();
    EXPECT_EQ(Scan(), "a=2 b=1 ");
    db_.reset();
    // One that is lost takes its values along, and nothing else.
    fs::remove(FilesOf(path_, kBlobFile).front());
    if (!has_manifest) LoseManifest();
    ASSERT_OK(Repair());
    Open();
    EXPECT_EQ(Get("a"), "2");
    EXPECT_NE(Get("b"), "1");
    db_.reset();
  }
}

TEST_F(RepairTest, WhatIsNoDatabase) {
  EXPECT_FALSE(Repair().ok());
  fs::create_directories(path_);
  EXPECT_TRUE(Repair().IsCorruption());
  Open();
  const std::unique_ptr<DB> open = std::move(db_);
  EXPECT_TRUE(RepairDB(path_, options_).IsIOError()) << "it is open";
}

TEST_F(RepairTest, AnotherComparatorChangesNothing) {
  for (const bool has_manifest : {true, false}) {
    fs::remove_all(path_);
    options_.comparator = BytewiseComparator();
    MakeDatabase();
    if (has_manifest) {
      CloseFamilies();
    } else {
      LoseManifest();
    }
    options_.comparator = ReverseBytewiseComparator();
    EXPECT_TRUE(Repair().IsInvalidArgument());
    EXPECT_TRUE(Lost().empty());
    options_.comparator = BytewiseComparator();
    ASSERT_OK(Repair());
    Open();
    EXPECT_EQ(Scan(), "b=2,3 c=log ");
    db_.reset();
  }
}

// A repair that fails half-way, at any call, can be run again.
TEST(RepairFaults, EveryCallFailsOnce) {
  for (uint64_t k = 1;; ++k) {
    ASSERT_LT(k, 2000u);
    FaultWorld world(k, /*is_direct=*/false, 100);
    ASSERT_OK(world.Open());
    ASSERT_OK(world.Write(kDefaultColumnFamilyName));
    ASSERT_OK(world.FlushAll());
    ASSERT_OK(world.Write(kDefaultColumnFamilyName, /*sync=*/true));
    world.history_.NoteAllDurable();
    ASSERT_OK(world.Close());
    const bool has_manifest = k % 2 == 0;
    ASSERT_TRUE(
        world.fs_->DeleteFile("/db/CURRENT", IOOptions(), nullptr).ok());
    std::vector<std::string> names;
    ASSERT_TRUE(
        world.fs_->GetChildren("/db", IOOptions(), &names, nullptr).ok());
    for (const std::string& name : names) {
      if (has_manifest || name.find("MANIFEST") == std::string::npos) continue;
      ASSERT_TRUE(
          world.fs_->DeleteFile("/db/" + name, IOOptions(), nullptr).ok());
    }
    world.fs_->FailCall({.call = k, .is_permanent = k % 3 == 0});
    const Status s = RepairDB("/db", world.options_);
    const bool has_failed = world.fs_->failed();
    const std::string where = world.fs_->failed_call();
    world.fs_->Heal();
    if (!s.ok()) {
      ASSERT_OK(RepairDB("/db", world.options_));
    }
    ASSERT_OK(world.Open());
    EXPECT_EQ(world.Check(/*is_live=*/true), "") << where;
    if (!has_failed) break;
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

// best_efforts_recovery: the newest state whose files are there. Its cases are
// tests/testdata/databases/recovery/best_efforts.txt, in the language of
// database_script.h, with four levels and no compaction that nobody asks for;
// beside them
//
//   newest_number        the largest number of a table
#include <algorithm>
#include <filesystem>

#include "rocksdb/env.h"
#include "tests/db/impl/damage.h"
#include "tests/db/impl/database_script.h"
#include "tests/db/impl/families_fixture.h"
#include "utilities/fault_injection/fault_injection_fs.h"

namespace ROCKSDB_NAMESPACE {
namespace {

namespace fs = std::filesystem;

std::string NewestNumber(ScriptDatabase& database, const ScriptLine& /*line*/) {
  std::vector<LiveFileMetaData> files;
  database.db()->GetLiveFilesMetaData(&files);
  uint64_t newest = 0;
  for (const LiveFileMetaData& file : files) {
    newest = std::max(newest, file.file_number);
  }
  return newest > 0 && newest < 1000 ? "a small one" : std::to_string(newest);
}

TEST(BestEffortsScript, EveryCase) {
  Options options = ScriptDatabase::Defaults();
  options.disable_auto_compactions = true;
  options.level_compaction_dynamic_level_bytes = false;
  options.num_levels = 4;
  EXPECT_GE(RunDatabases("databases/recovery/best_efforts.txt", options,
                         {{"newest_number", NewestNumber}}),
            22u);
}

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

// RepairDB(): what it saves, what it gives up, and where that goes. Its cases
// are tests/testdata/databases/recovery/repair.txt, in the language of
// database_script.h, with four levels, no compaction that nobody asks for, and
// operands that are appended; beside them
//
//   newest_number        the largest number of a table
//   verify               every checksum of the tables
//   repair_open          while the database is open
#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/db/impl/damage.h"
#include "tests/db/impl/database_script.h"
#include "tests/db/impl/db_fixture.h"
#include "tests/db/impl/families_fixture.h"
#include "tests/db/impl/fault_world.h"
#include "util/builtin_merge_operators.h"

namespace ROCKSDB_NAMESPACE {
namespace {

std::string NewestNumberOf(ScriptDatabase& database,
                           const ScriptLine& /*line*/) {
  std::vector<LiveFileMetaData> files;
  database.db()->GetLiveFilesMetaData(&files);
  uint64_t newest = 0;
  for (const LiveFileMetaData& file : files) {
    newest = std::max(newest, file.file_number);
  }
  return newest > 0 && newest < 1000 ? "a small one" : std::to_string(newest);
}

std::string VerifyTables(ScriptDatabase& database, const ScriptLine& line) {
  return AnswerOf(line, database.db()->VerifyChecksum(ReadOptions()));
}

std::string RepairWhatIsOpen(ScriptDatabase& database, const ScriptLine& line) {
  return AnswerOf(line, RepairDB(database.path(), database.options()));
}

TEST(RepairScript, EveryCase) {
  Options options = ScriptDatabase::Defaults();
  options.merge_operator = NewStringAppendOperator(",");
  options.disable_auto_compactions = true;
  options.level_compaction_dynamic_level_bytes = false;
  options.num_levels = 4;
  EXPECT_GE(RunDatabases("databases/recovery/repair.txt", options,
                         {{"newest_number", NewestNumberOf},
                          {"verify", VerifyTables},
                          {"repair_open", RepairWhatIsOpen}}),
            24u);
}

// A listener that is none.
TEST(RepairOptions, BadOnesAreRefusedBeforeAnythingIsChanged) {
  ScriptDatabase database(ScriptDatabase::Defaults());
  EXPECT_OK(database.Open(ScriptLine("open")));
  database.Close();
  const std::string& path = database.path();
  std::filesystem::remove(path + "/CURRENT");
  const std::vector<std::string> before = FilesOf(path, kDescriptorFile);
  Options options = database.options();
  options.listeners = {nullptr};
  const Status s = RepairDB(path, options);
  EXPECT_TRUE(s.IsInvalidArgument()) << s.ToString();
  EXPECT_EQ(FilesOf(path, kDescriptorFile), before);
  EXPECT_FALSE(std::filesystem::exists(path + "/lost"));
  options.listeners.clear();
  EXPECT_OK(RepairDB(path, options));
}

// One directory may be the second path of one family and the first of another.
class RepairPaths : public FamiliesFixture {
 protected:
  RepairPaths() {
    options_.disable_auto_compactions = true;
    options_.db_paths = {{path_ + ".fast", 1 << 30}, {path_ + ".slow", 0}};
  }
  // Leaves a table of the default family in the second path, and one of another
  // family there, too.
  void Make() {
    Open();
    ASSERT_OK(Put("k", "default"));
    CompactRangeOptions move;
    move.target_path_id = 1;
    ASSERT_OK(db_->CompactRange(move, nullptr, nullptr));
    ColumnFamilyHandle* handle = nullptr;
    ASSERT_OK(db_->CreateColumnFamily(Other(), "other", &handle));
    handles_.push_back(handle);
    ASSERT_OK(PutIn(0, "k", "other"));
    ASSERT_OK(db_->Flush(FlushOptions(), handle));
    CloseFamilies();
  }
  ColumnFamilyOptions Other() const {
    ColumnFamilyOptions other(options_);
    other.cf_paths = {{path_ + ".slow", 1 << 30}};
    return other;
  }
  std::vector<ColumnFamilyDescriptor> Families() const {
    return {{kDefaultColumnFamilyName, ColumnFamilyOptions(options_)},
            {"other", Other()}};
  }
  void RepairAndRead() {
    ASSERT_OK(RepairDB(path_, DBOptions(options_), Families()));
    ASSERT_OK(
        DB::Open(DBOptions(options_), path_, Families(), &handles_, &db_));
    EXPECT_EQ(Get("k"), "default");
    EXPECT_EQ(GetFrom(1, "k"), "other");
    std::vector<LiveFileMetaData> files;
    db_->GetLiveFilesMetaData(&files);
    ASSERT_EQ(files.size(), 2u);
    for (const LiveFileMetaData& file : files) {
      EXPECT_EQ(file.db_path, path_ + ".slow");
    }
    CloseFamilies();
  }
};

TEST_F(RepairPaths, AreThoseOfTheFamily) {
  ASSERT_NO_FATAL_FAILURE(Make());
  ASSERT_NO_FATAL_FAILURE(RepairAndRead());
  std::filesystem::remove(path_ + "/CURRENT");
  for (const std::string& manifest : FilesOf(path_, kDescriptorFile)) {
    std::filesystem::remove(manifest);
  }
  ASSERT_NO_FATAL_FAILURE(RepairAndRead());
}

TEST_F(RepairPaths, ATableInNoneOfThemIsTold) {
  ASSERT_NO_FATAL_FAILURE(Make());
  std::vector<ColumnFamilyDescriptor> families = Families();
  families[1].options.cf_paths = {{path_ + ".fast", 1 << 30}};
  const Status s = RepairDB(path_, DBOptions(options_), families);
  EXPECT_TRUE(s.IsInvalidArgument()) << s.ToString();
  ASSERT_NO_FATAL_FAILURE(RepairAndRead());
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

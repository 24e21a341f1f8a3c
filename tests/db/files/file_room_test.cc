// Logs, manifests and left-over files are deleted once nothing needs them, and
// never what is needed, being made, or not to be deleted yet.
#include "db/files/file_room.h"

#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "db/files/obsolete_files.h"
#include "db/files/options_files.h"
#include "db/files/pending_outputs.h"
#include "db/manifest/needed_logs.h"
#include "db/registry/family_registry.h"
#include "db/wal/wal_manager.h"
#include "tests/db/compaction/job_world.h"

namespace ROCKSDB_NAMESPACE {
namespace {

using NameSet = std::set<std::string>;

// Its logs are in /logs. What the room hands over goes in Purge().
class FileRoomTest : public ::testing::Test {
 protected:
  FileRoomTest() {
    world.Create();
    const ImmutableDBOptions& db = *world.f.db;
    world.f.db->db_paths = {{"/db", 1 << 20}, {"/slow", 1 << 20}};
    for (const char* const name : {"/logs", "/slow"}) {
      EXPECT_TRUE(db.fs->CreateDirIfMissing(name, IOOptions(), nullptr).ok());
    }
    ObsoleteFiles::Callbacks none;
    none.on_deleted = [](const std::string&, FileType, uint64_t,
                         const Status& s) { EXPECT_TRUE(s.ok()); };
    none.forget = [](UnreferencedTable) {};
    none.on_unattended = [] {};
    obsolete = std::make_shared<ObsoleteFiles>(&db, nullptr, std::move(none));
    obsolete->Arm();
    wal = std::make_unique<WalManager>(
        WalManager::Context{.db = &db,
                            .wal_dir = "/logs",
                            .file_options = FileOptions(),
                            .directory = nullptr,
                            .page_cache = &page_cache});
    options_files = std::make_unique<OptionsFiles>(
        OptionsFiles::Context{.db = &db,
                              .db_name = "/db",
                              .mutex = &world.mutex,
                              .versions = world.versions.get(),
                              .obsolete = obsolete.get(),
                              .directory = world.directory.get()});
    room = std::make_unique<FileRoom>(
        FileRoom::Context{.db = &db,
                          .db_name = "/db",
                          .wal_dir = "/logs",
                          .mutex = &world.mutex,
                          .families = &families,
                          .versions = world.versions.get(),
                          .wal = wal.get(),
                          .obsolete = obsolete.get(),
                          .options_files = options_files.get()});
    MutexLock lock(&world.mutex);
    families.Add(std::make_shared<FamilyEntry>(world.cfd->shared_from_this()));
  }
  ~FileRoomTest() override {
    FamilyRegistry::Map taken;
    MutexLock lock(&world.mutex);
    taken = families.TakeAll();
  }

  void StartLog(uint64_t number) {
    ASSERT_TRUE(
        wal->Switch(number, 1 << 20, MutableDBOptions(world.f.db_options))
            .ok());
  }
  // The family needs logs from `family` on, and the manifest keeps those from
  // `manifest` on.
  void NeedLogs(uint64_t family, uint64_t manifest) {
    MutexLock lock(&world.mutex);
    world.cfd->set_log_number(family);
    world.versions->logs()->TakeOver(manifest, TrackedWals());
  }
  void Collect() {
    {
      MutexLock lock(&world.mutex);
      room->CollectLogs();
    }
    obsolete->Purge();
  }
  void Put(const std::string& path) {
    ASSERT_TRUE(WriteStringToFile(world.f.fs.get(), "text", path).ok());
  }
  NameSet Names(const std::string& directory) const {
    std::vector<std::string> names;
    EXPECT_TRUE(
        world.f.fs->GetChildren(directory, IOOptions(), &names, nullptr).ok());
    return {names.begin(), names.end()};
  }
  bool IsThere(const std::string& path) const {
    return world.f.fs->FileExists(path, IOOptions(), nullptr).ok();
  }

  JobWorld world;
  PageCacheRoom page_cache;
  FamilyRegistry families;
  std::shared_ptr<ObsoleteFiles> obsolete;
  std::unique_ptr<WalManager> wal;
  std::unique_ptr<OptionsFiles> options_files;
  std::unique_ptr<FileRoom> room;
};

TEST_F(FileRoomTest, DirectoriesAreNamedOnce) {
  MutexLock lock(&world.mutex);
  EXPECT_EQ(room->DataPaths(), (std::vector<std::string>{"/db", "/slow"}));
}

TEST_F(FileRoomTest, LogsGoThatNeitherFamiliesNorTheManifestNeed) {
  for (const uint64_t number : {10, 11, 12, 13}) StartLog(number);
  NeedLogs(11, 12);
  Collect();
  EXPECT_EQ(Names("/logs"),
            (NameSet{"000011.log", "000012.log", "000013.log"}));
  NeedLogs(13, 12);
  Collect();
  EXPECT_EQ(Names("/logs"), (NameSet{"000012.log", "000013.log"}));
  NeedLogs(20, 20);  // The one that is written stays.
  Collect();
  EXPECT_EQ(Names("/logs"), NameSet{"000013.log"});
}

TEST_F(FileRoomTest, WhatMayNotBeDeletedIsNotOverwritten) {
  world.f.db->recycle_log_file_num = 1;
  StartLog(10);
  StartLog(11);
  NeedLogs(11, 11);
  obsolete->DisableDeletions();
  Collect();
  EXPECT_TRUE(wal->reusable().empty());
  EXPECT_TRUE(IsThere("/logs/000010.log"));
  EXPECT_TRUE(obsolete->EnableDeletions());
  obsolete->Purge();
  EXPECT_FALSE(IsThere("/logs/000010.log"));
  StartLog(12);
  NeedLogs(12, 12);
  Collect();
  EXPECT_EQ(wal->reusable(), std::vector<uint64_t>{11});
  // A scan leaves it where it is, too.
  room->MaybeScan(0);
  obsolete->Purge();
  EXPECT_TRUE(IsThere("/logs/000011.log"));
}

TEST_F(FileRoomTest, TheManifestBeforeGoes) {
  StartLog(10);
  Collect();
  EXPECT_TRUE(IsThere("/db/MANIFEST-000001"));
  {
    MutexLock lock(&world.mutex);
    VersionEdit edit;
    ASSERT_TRUE(
        world.versions->LogAndApply({{world.cfd, &edit}}, world.directory.get())
            .ok());
    ASSERT_GT(world.versions->manifest()->MinNumberToKeep(), 1u);
  }
  Collect();
  EXPECT_FALSE(IsThere("/db/MANIFEST-000001"));
  EXPECT_EQ(obsolete->HasWork(), false);
}

TEST_F(FileRoomTest, AtOpenAllIsLeftOverThatNobodyNeeds) {
  ASSERT_TRUE(world.Flush("a@1=x").ok());
  StartLog(50);
  NeedLogs(50, 50);
  // The first manifest is left over, too: a flush has begun another.
  NameSet kept = Names("/db");
  ASSERT_EQ(kept.erase("MANIFEST-000001"), 1u);
  for (const char* const name : {"notes.txt", "900.txt.sst", "LOG"}) {
    Put(std::string("/db/") + name);
    kept.insert(name);
  }
  for (const char* const name :
       {"/db/000900.sst", "/db/000901.blob", "/db/000902.dbtmp",
        "/slow/000903.sst", "/logs/000049.log"}) {
    Put(name);
  }
  Put("/logs/000051.log");
  room->ScanAtOpen();
  obsolete->Purge();
  EXPECT_EQ(Names("/db"), kept);
  EXPECT_EQ(Names("/slow"), NameSet());
  EXPECT_EQ(Names("/logs"), (NameSet{"000050.log", "000051.log"}));
  EXPECT_EQ(kept.count(MakeTableFileName(world.Files(0).front()->number)), 1u);
}

TEST_F(FileRoomTest, WhatIsBeingMadeIsNotLeftOver) {
  StartLog(50);
  const uint64_t early = world.versions->NewFileNumber();
  const uint64_t late = world.versions->NewFileNumber();
  PendingOutputs::Hold hold = obsolete->pending_outputs()->HoldFrom(late);
  const std::string early_path = TableFileName("/db", early);
  const std::string late_path = BlobFileName("/db", late);
  const std::string temporary = TempFileName("/db", late);
  const std::string next_path =
      TableFileName("/db", world.versions->next_file_number());
  for (const auto& path : {early_path, late_path, temporary, next_path}) {
    Put(path);
  }
  room->MaybeScan(UINT64_MAX);  // The last one is not that old.
  obsolete->Purge();
  EXPECT_TRUE(IsThere(early_path));
  obsolete->DisableDeletions();
  room->MaybeScan(0);
  EXPECT_TRUE(obsolete->EnableDeletions());
  EXPECT_FALSE(obsolete->HasWork());
  room->MaybeScan(0);
  obsolete->Purge();
  EXPECT_FALSE(IsThere(early_path));
  EXPECT_TRUE(IsThere(late_path));
  EXPECT_TRUE(IsThere(temporary));
  hold.reset();
  room->MaybeScan(0);
  obsolete->Purge();
  EXPECT_FALSE(IsThere(late_path));
  EXPECT_FALSE(IsThere(temporary));
  EXPECT_TRUE(IsThere(next_path));  // Its number is not given yet.
}

TEST_F(FileRoomTest, ADirectoryThatCannotBeReadHidesNoOther) {
  StartLog(50);
  NeedLogs(50, 50);
  Put("/db/000900.sst");
  Put("/logs/000049.log");
  world.f.fs->FailCall(
      {.call = 1, .scope = FaultScope::kAllCalls, .path_contains = "/slow"});
  room->ScanAtOpen();
  EXPECT_TRUE(world.f.fs->failed());
  obsolete->Purge();
  EXPECT_FALSE(IsThere("/db/000900.sst"));
  EXPECT_FALSE(IsThere("/logs/000049.log"));
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

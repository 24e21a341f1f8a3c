// A change of options writes a new OPTIONS file beside the one before, and a
// failure leaves the one before in force.
#include "db/files/options_files.h"

#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "db/files/obsolete_files.h"
#include "db/manifest/version_set.h"
#include "file/filename.h"
#include "tests/db/registry/family_world.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class OptionsFilesTest : public ::testing::Test {
 protected:
  OptionsFilesTest() {
    const ImmutableDBOptions& db = *world.f.db;
    VersionSet::Context context;
    context.db_path = "/db";
    context.db = &db;
    context.families = world.context;
    context.mutex = &world.mutex;
    versions = std::make_unique<VersionSet>(std::move(context));
    ObsoleteFiles::Callbacks none;
    none.on_deleted = [](const std::string&, FileType, uint64_t,
                         const Status&) {};
    none.forget = [](UnreferencedTable) {};
    none.on_unattended = [] {};
    obsolete = std::make_shared<ObsoleteFiles>(&db, nullptr, std::move(none));
    obsolete->Arm();
    EXPECT_TRUE(db.fs->CreateDirIfMissing("/db", IOOptions(), nullptr).ok());
    EXPECT_TRUE(
        db.fs->NewDirectory("/db", IOOptions(), &directory, nullptr).ok());
    const FamilyRef family = world.Add(0, "default");
    MutexLock lock(&world.mutex);
    versions->families()->Add(family->cfd);
    files = std::make_unique<OptionsFiles>(
        OptionsFiles::Context{.db = &db,
                              .db_name = "/db",
                              .mutex = &world.mutex,
                              .versions = versions.get(),
                              .obsolete = obsolete.get(),
                              .directory = directory.get()});
  }
  Status Write(OptionsFiles::Old old) {
    const MutableDBOptions now(world.f.db_options);
    MutexLock lock(&world.mutex);
    return files->Write(now, old);
  }
  uint64_t Current() {
    MutexLock lock(&world.mutex);
    return files->current();
  }
  std::set<uint64_t> OnDisk() {
    std::vector<std::string> names;
    EXPECT_TRUE(
        world.f.fs->GetChildren("/db", IOOptions(), &names, nullptr).ok());
    std::set<uint64_t> numbers;
    for (const std::string& name : names) {
      uint64_t number = 0;
      FileType type = kTempFile;
      if (!ParseFileName(name, &number, &type)) continue;
      EXPECT_NE(type, kTempFile) << name;
      if (type == kOptionsFile) numbers.insert(number);
    }
    return numbers;
  }

  FamilyWorld world;
  std::unique_ptr<VersionSet> versions;
  std::shared_ptr<ObsoleteFiles> obsolete;
  std::unique_ptr<FSDirectory> directory;
  std::unique_ptr<OptionsFiles> files;
};

TEST_F(OptionsFilesTest, TheNewestAndTheOneBeforeStay) {
  EXPECT_EQ(Current(), 0u);
  for (int i = 0; i < 4; ++i) {
    ASSERT_TRUE(Write(OptionsFiles::Old::kRemoved).ok());
    EXPECT_LE(OnDisk().size(), 2u);
    EXPECT_EQ(*OnDisk().rbegin(), Current());
  }
}

TEST_F(OptionsFilesTest, WhileItOpensAllStay) {
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(Write(OptionsFiles::Old::kKept).ok());
  }
  EXPECT_EQ(OnDisk().size(), 3u);
  files->RemoveOld(UINT64_MAX);
  EXPECT_EQ(OnDisk().size(), 2u);
}

TEST_F(OptionsFilesTest, WhatFailsLeavesTheOneBeforeInForce) {
  ASSERT_TRUE(Write(OptionsFiles::Old::kRemoved).ok());
  const uint64_t before = Current();
  world.f.fs->Deactivate();
  EXPECT_FALSE(Write(OptionsFiles::Old::kRemoved).ok());
  world.f.fs->Heal();
  EXPECT_EQ(Current(), before);
  EXPECT_EQ(OnDisk().count(before), 1u);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

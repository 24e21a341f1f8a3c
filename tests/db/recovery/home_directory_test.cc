// A database's directories are made and locked for one process, and it has one
// id that stays.
#include "db/recovery/home_directory.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>

#include "db/manifest/manifest_log.h"
#include "db/manifest/version_set.h"
#include "tests/db/tables/table_files.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class HomeDirectoryTest : public ::testing::Test {
 protected:
  HomeDirectoryTest() { f.Open(/*pins=*/true); }

  std::unique_ptr<HomeDirectory> Make() {
    return std::make_unique<HomeDirectory>(
        HomeDirectory::Context{.db = f.db.get(),
                               .db_name = "/base",
                               .wal_dir = "/logs",
                               .file_options = FileOptions(),
                               .mutex = &mutex});
  }
  // One whose lock is taken.
  std::unique_ptr<HomeDirectory> MakeLocked() {
    std::unique_ptr<HomeDirectory> home = Make();
    EXPECT_TRUE(home->MakeDirectories().ok());
    EXPECT_TRUE(home->Lock().ok());
    return home;
  }
  // A database is made, and closed.
  void Create() {
    f.db->create_if_missing = true;
    const std::unique_ptr<HomeDirectory> home = MakeLocked();
    ASSERT_TRUE(home->Open(HomeDirectory::ManifestAlone::kTooLittle).ok());
    ASSERT_TRUE(home->Close().ok());
    f.db->create_if_missing = false;
  }
  Status Open(HomeDirectory::ManifestAlone alone =
                  HomeDirectory::ManifestAlone::kTooLittle) {
    const std::unique_ptr<HomeDirectory> home = MakeLocked();
    const Status s = home->Open(alone);
    EXPECT_TRUE(home->Close().ok());
    return s;
  }
  std::unique_ptr<VersionSet> MakeVersions() {
    VersionSet::Context context;
    context.db_path = "/base";
    context.db = f.db.get();
    context.mutex = &mutex;
    return std::make_unique<VersionSet>(std::move(context));
  }
  void Put(const std::string& path, const std::string& text) {
    ASSERT_TRUE(WriteStringToFile(f.fs.get(), text, path).ok());
  }
  // "": there is none.
  std::string Text(const std::string& path) {
    std::string text;
    return ReadFileToString(f.fs.get(), path, &text).ok() ? text : "";
  }
  bool IsThere(const std::string& path) const {
    return f.fs->FileExists(path, IOOptions(), nullptr).ok();
  }

  TableFiles f;
  Mutex mutex;
};

TEST_F(HomeDirectoryTest, AllDirectoriesAreMade) {
  f.db->db_paths = {{"/base", 1 << 20}, {"/slow", 1 << 20}};
  ASSERT_TRUE(Make()->MakeDirectories().ok());
  for (const char* const path : {"/base", "/logs", "/slow"}) {
    EXPECT_TRUE(IsThere(path)) << path;
  }
  EXPECT_TRUE(Make()->MakeDirectories().ok());  // They are there.
  f.db->db_paths.push_back({"/more", 1});
  f.fs->FailCall({.call = 1, .path_contains = "/more"});
  EXPECT_TRUE(Make()->MakeDirectories().IsIOError());
}

TEST_F(HomeDirectoryTest, TwoDoNotHaveOneDirectory) {
  const std::unique_ptr<HomeDirectory> first = MakeLocked();
  EXPECT_NE(first->directory(), nullptr);
  const std::unique_ptr<HomeDirectory> second = Make();
  EXPECT_TRUE(second->Lock().IsIOError());
  EXPECT_TRUE(second->Close().ok());  // It has nothing to give back.
  EXPECT_FALSE(Make()->Lock().ok());
  ASSERT_TRUE(first->Close().ok());
  EXPECT_EQ(first->directory(), nullptr);
  const std::unique_ptr<HomeDirectory> third = Make();
  EXPECT_TRUE(third->Lock().ok());
  EXPECT_TRUE(third->Close().ok());
}

TEST_F(HomeDirectoryTest, ALockThatSomebodyElseTookIsGivenBack) {
  ASSERT_TRUE(Make()->MakeDirectories().ok());
  FileLock* lock = nullptr;
  ASSERT_TRUE(
      f.fs->LockFile(LockFileName("/base"), IOOptions(), &lock, nullptr).ok());
  const std::unique_ptr<HomeDirectory> home = Make();
  home->Keep(lock);
  ASSERT_TRUE(home->Close().ok());
  EXPECT_TRUE(Make()->Lock().ok());
}

TEST_F(HomeDirectoryTest, ADatabaseIsMadeWhereThatIsWanted) {
  EXPECT_TRUE(Open().IsInvalidArgument());
  EXPECT_FALSE(IsThere("/base/CURRENT"));
  f.db->create_if_missing = true;
  EXPECT_TRUE(Open().ok());
  EXPECT_EQ(Text("/base/CURRENT"), "MANIFEST-000001\n");
  EXPECT_TRUE(IsThere("/base/MANIFEST-000001"));
}

TEST_F(HomeDirectoryTest, OneThatIsThereIsNotMadeAgain) {
  Create();
  const std::string manifest = Text("/base/MANIFEST-000001");
  f.db->create_if_missing = true;
  EXPECT_TRUE(Open().ok());
  EXPECT_EQ(Text("/base/MANIFEST-000001"), manifest);
  f.db->error_if_exists = true;
  EXPECT_TRUE(Open().IsInvalidArgument());
}

TEST_F(HomeDirectoryTest, AManifestMayBeEnough) {
  Create();
  ASSERT_TRUE(f.fs->DeleteFile("/base/CURRENT", IOOptions(), nullptr).ok());
  using Alone = HomeDirectory::ManifestAlone;
  EXPECT_TRUE(Open(Alone::kTooLittle).IsInvalidArgument());
  EXPECT_TRUE(Open(Alone::kEnough).ok());
  EXPECT_FALSE(IsThere("/base/CURRENT"));
  ASSERT_TRUE(
      f.fs->DeleteFile("/base/MANIFEST-000001", IOOptions(), nullptr).ok());
  EXPECT_TRUE(Open(Alone::kEnough).IsInvalidArgument());
}

TEST_F(HomeDirectoryTest, WhatCannotBeLookedAtIsNotMadeAnew) {
  Create();
  f.db->create_if_missing = true;
  f.fs->FailCall(
      {.call = 1, .scope = FaultScope::kAllCalls, .path_contains = "CURRENT"});
  EXPECT_TRUE(Open().IsIOError());
  EXPECT_TRUE(f.fs->failed());
}

TEST_F(HomeDirectoryTest, ANewDatabaseTakesNoLogThatIsNotItsOwn) {
  ASSERT_TRUE(Make()->MakeDirectories().ok());
  Put("/logs/000007.log", "");
  f.db->create_if_missing = true;
  EXPECT_TRUE(Open().IsCorruption());
  EXPECT_FALSE(IsThere("/base/CURRENT"));
}

TEST_F(HomeDirectoryTest, ANewDatabaseGetsOneId) {
  f.db->create_if_missing = true;
  const std::unique_ptr<HomeDirectory> home = MakeLocked();
  ASSERT_TRUE(home->Open(HomeDirectory::ManifestAlone::kTooLittle).ok());
  const std::unique_ptr<VersionSet> versions = MakeVersions();
  ASSERT_TRUE(home->EnsureIdentity(versions.get()).ok());
  const std::string id = versions->db_id();
  EXPECT_FALSE(id.empty());
  EXPECT_EQ(Text("/base/IDENTITY"), id);
  // The manifest that was made has the same one.
  EXPECT_NE(Text("/base/MANIFEST-000001").find(id), std::string::npos);
  ASSERT_TRUE(home->Close().ok());
}

TEST_F(HomeDirectoryTest, TheManifestsIdWinsOverTheFiles) {
  const std::unique_ptr<HomeDirectory> home = MakeLocked();
  const std::unique_ptr<VersionSet> versions = MakeVersions();
  Put("/base/IDENTITY", "from-the-file\n");
  ASSERT_TRUE(home->EnsureIdentity(versions.get()).ok());
  EXPECT_EQ(versions->db_id(), "from-the-file");
  EXPECT_EQ(Text("/base/IDENTITY"), "from-the-file\n");  // It is left alone.
  versions->manifest()->set_db_id("from-the-manifest");
  ASSERT_TRUE(home->EnsureIdentity(versions.get()).ok());
  EXPECT_EQ(versions->db_id(), "from-the-manifest");
  EXPECT_EQ(Text("/base/IDENTITY"), "from-the-manifest");
  ASSERT_TRUE(home->Close().ok());
}

TEST_F(HomeDirectoryTest, WithNeitherThereIsANewId) {
  const std::unique_ptr<HomeDirectory> home = MakeLocked();
  const std::unique_ptr<VersionSet> first = MakeVersions();
  ASSERT_TRUE(home->EnsureIdentity(first.get()).ok());
  EXPECT_FALSE(first->db_id().empty());
  EXPECT_EQ(Text("/base/IDENTITY"), first->db_id());
  ASSERT_TRUE(f.fs->DeleteFile("/base/IDENTITY", IOOptions(), nullptr).ok());
  const std::unique_ptr<VersionSet> second = MakeVersions();
  ASSERT_TRUE(home->EnsureIdentity(second.get()).ok());
  EXPECT_NE(second->db_id(), first->db_id());
  ASSERT_TRUE(home->Close().ok());
}

TEST_F(HomeDirectoryTest, TheFileGoesWhereItIsNotWanted) {
  f.db->write_identity_file = false;
  const std::unique_ptr<HomeDirectory> home = MakeLocked();
  const std::unique_ptr<VersionSet> versions = MakeVersions();
  Put("/base/IDENTITY", "from-the-file");
  ASSERT_TRUE(home->EnsureIdentity(versions.get()).ok());
  EXPECT_EQ(versions->db_id(), "from-the-file");
  EXPECT_FALSE(IsThere("/base/IDENTITY"));
  ASSERT_TRUE(home->EnsureIdentity(versions.get()).ok());
  EXPECT_FALSE(IsThere("/base/IDENTITY"));
  ASSERT_TRUE(home->Close().ok());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

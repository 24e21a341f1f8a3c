// A family of the manifest becomes writable and readable with its directories,
// memtable, timestamps and blob settings in place.
#include "db/intake/family_attacher.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "db/intake/direct_blobs.h"
#include "rocksdb/comparator.h"
#include "rocksdb/table.h"
#include "tests/db/intake/changing_world.h"

namespace ROCKSDB_NAMESPACE {
namespace {

using Lines = std::vector<std::string>;

class FamilyAttacherTest : public ::testing::Test {
 protected:
  void SetUp() override {
    world_.Open();
    options_ = world_.f.family;
  }
  // The manifest has it, and nobody else knows of it.
  ColumnFamilyRef Create(const std::string& name) {
    MutexLock lock(world_.mutex);
    ColumnFamilyData* cfd = nullptr;
    const Status s = world_.versions()->CreateFamily(
        name, SanitizeColumnFamilyOptions(*world_.f.db, options_),
        world_.logs->wal()->current_number(), world_.stored.directory.get(),
        &cfd);
    EXPECT_TRUE(s.ok()) << s.ToString();
    return cfd->shared_from_this();
  }
  Status AttachBy(FamilyAttacher* attacher, const ColumnFamilyRef& cfd) {
    MutexLock lock(world_.mutex);
    return attacher->Attach(cfd);
  }
  Status Attach(const ColumnFamilyRef& cfd) {
    return AttachBy(world_.attacher.get(), cfd);
  }
  FamilyRef Find(const ColumnFamilyRef& cfd) const {
    MutexLock lock(world_.mutex);
    return world_.families.Find(cfd->id());
  }
  void SetPaths(const Lines& paths) {
    for (const std::string& path : paths) {
      options_.cf_paths.emplace_back(path, 1 << 20);
    }
  }
  // Nobody meets it.
  void ExpectNotThere(const ColumnFamilyRef& cfd) {
    EXPECT_EQ(Find(cfd), nullptr);
    EXPECT_EQ(cfd->super_version_number(), 0u);
  }

  ChangingWorld world_;
  ColumnFamilyOptions options_;
};

TEST_F(FamilyAttacherTest, AFamilyOfTheManifestTakesWritesAndReads) {
  const ColumnFamilyRef cfd = Create("other");
  ExpectNotThere(cfd);
  ASSERT_TRUE(Attach(cfd).ok());
  const FamilyRef family = Find(cfd);
  ASSERT_NE(family, nullptr);
  EXPECT_EQ(family->cfd, cfd);
  EXPECT_NE(family->picker, nullptr);
  ASSERT_TRUE(world_.Put(cfd, "a").ok());
  EXPECT_EQ(world_.Get(cfd, "a"), "v");
  EXPECT_EQ(world_.Get(world_.default_family->shared_from_this(), "a"), "none");
}

TEST_F(FamilyAttacherTest, ItsMemtableBeginsWithWhatComesNext) {
  world_.Insert(world_.default_family, "a");
  const ColumnFamilyRef cfd = Create("other");
  ASSERT_TRUE(Attach(cfd).ok());
  EXPECT_EQ(cfd->mem()->options().earliest_sequence, 1u);
}

TEST_F(FamilyAttacherTest, TheMemtableThatRecoveryMadeStays) {
  const ColumnFamilyRef cfd = Create("other");
  MemTableRef made;
  {
    MutexLock lock(world_.mutex);
    made = cfd->NewMemTable(0);
    ASSERT_TRUE(made->Add(1, kTypeValue, "a", "recovered").ok());
    world_.versions()->SetLastSequence(1);
    cfd->SwitchMemTable(made);
  }
  ASSERT_TRUE(Attach(cfd).ok());
  EXPECT_EQ(cfd->mem(), made);
  EXPECT_EQ(world_.Get(cfd, "a"), "recovered");
}

TEST_F(FamilyAttacherTest, OneThatIsThereIsABug) {
  const ColumnFamilyRef cfd = Create("other");
  ASSERT_TRUE(Attach(cfd).ok());
  EXPECT_DEATH(static_cast<void>(Attach(cfd)), "");
}

// --- directories

TEST_F(FamilyAttacherTest, ItsDirectoriesAreThereInTheOrderOfItsPaths) {
  SetPaths({"/fast", "/slow"});
  const ColumnFamilyRef cfd = Create("other");
  ASSERT_TRUE(Attach(cfd).ok());
  EXPECT_TRUE(world_.Exists("/fast"));
  EXPECT_TRUE(world_.Exists("/slow"));
  const auto& directories = Find(cfd)->directories;
  ASSERT_EQ(directories.size(), 2u);
  world_.FailNext("/slow");
  EXPECT_TRUE(directories[0]->Fsync(IOOptions(), nullptr).ok());
  EXPECT_FALSE(directories[1]->Fsync(IOOptions(), nullptr).ok());
}

TEST_F(FamilyAttacherTest, WithoutADirectoryItIsNotThere) {
  SetPaths({"/fast", "/slow"});
  const ColumnFamilyRef cfd = Create("other");
  world_.FailNext("/slow");
  EXPECT_TRUE(Attach(cfd).IsIOError());
  ExpectNotThere(cfd);
  // It is made, and cannot be opened.
  world_.f.fs->FailCall(
      {.call = 2, .scope = FaultScope::kAllCalls, .path_contains = "/slow"});
  EXPECT_TRUE(Attach(cfd).IsIOError());
  EXPECT_TRUE(world_.Exists("/slow"));
  ExpectNotThere(cfd);
  ASSERT_TRUE(Attach(cfd).ok());
  EXPECT_EQ(Find(cfd)->directories.size(), 2u);
}

TEST_F(FamilyAttacherTest, NothingIsMadeWhereNothingIsWritten) {
  SetPaths({"/fast", "/slow"});
  FamilyAttacher reader({.db = world_.f.db.get(),
                         .mutex = world_.mutex,
                         .families = &world_.families,
                         .versions = world_.versions(),
                         .publisher = world_.publisher.get(),
                         .logs = nullptr,
                         .intake = nullptr});
  const ColumnFamilyRef cfd = Create("other");
  ASSERT_TRUE(AttachBy(&reader, cfd).ok());
  EXPECT_FALSE(world_.Exists("/fast"));
  const auto& directories = Find(cfd)->directories;
  ASSERT_EQ(directories.size(), 2u);
  EXPECT_EQ(directories[0], nullptr);
  EXPECT_EQ(world_.Get(cfd, "a"), "none");
}

// --- who is told of it

TEST_F(FamilyAttacherTest, LogsSayHowLongItsTimestampsAre) {
  options_.comparator = BytewiseComparatorWithU64Ts();
  const ColumnFamilyRef cfd = Create("other");
  ASSERT_TRUE(Attach(cfd).ok());
  WriteBatch batch;
  ASSERT_TRUE(
      batch.Put(ChangingWorld::HandleOf(cfd).get(), "k", "12345678", "v").ok());
  ASSERT_TRUE(world_.Write(&batch).ok());
  const uint64_t log = world_.logs->wal()->current_number();
  EXPECT_EQ(world_.Contents(log).timestamp_sizes,
            (std::map<uint32_t, uint16_t>{{cfd->id(), 8}}));
}

TEST_F(FamilyAttacherTest, LogsSayNothingOfKeysWithoutTimestamps) {
  const ColumnFamilyRef cfd = Create("other");
  ASSERT_TRUE(Attach(cfd).ok());
  ASSERT_TRUE(world_.Put(cfd, "a").ok());
  const uint64_t log = world_.logs->wal()->current_number();
  EXPECT_TRUE(world_.Contents(log).timestamp_sizes.empty());
}

TEST_F(FamilyAttacherTest, WhatItDoesNotTakeIsRefusedBeforeTheLog) {
  options_.merge_operator = nullptr;
  const ColumnFamilyRef cfd = Create("other");
  ASSERT_TRUE(Attach(cfd).ok());
  WriteBatch batch;
  ASSERT_TRUE(
      batch.Merge(ChangingWorld::HandleOf(cfd).get(), "a", "more").ok());
  EXPECT_TRUE(world_.Write(&batch).IsInvalidArgument());
  EXPECT_EQ(world_.Records(), Lines());
}

TEST_F(FamilyAttacherTest, ItsLargeValuesGoToBlobFilesFirst) {
  options_.enable_blob_files = true;
  options_.enable_blob_direct_write = true;
  options_.min_blob_size = 4;
  const ColumnFamilyRef cfd = Create("other");
  EXPECT_FALSE(world_.intake->direct_blobs()->is_on());
  ASSERT_TRUE(Attach(cfd).ok());
  EXPECT_TRUE(world_.intake->direct_blobs()->is_on());
  ASSERT_TRUE(world_.Put(cfd, "a", "a large value").ok());
  EXPECT_TRUE(world_.intake->direct_blobs()->HasUnlisted());
  EXPECT_EQ(world_.Get(cfd, "a"), "a large value");
}

// --- what is kept for it

TEST_F(FamilyAttacherTest, FamiliesOfOneCacheShareWhatIsKeptOfIt) {
  const ColumnFamilyRef one = Create("one");
  const ColumnFamilyRef two = Create("two");
  BlockBasedTableOptions own;
  options_.table_factory.reset(NewBlockBasedTableFactory(own));
  const ColumnFamilyRef with_own = Create("with its own");
  ASSERT_TRUE(Attach(one).ok());
  ASSERT_TRUE(Attach(two).ok());
  ASSERT_TRUE(Attach(with_own).ok());
  EXPECT_NE(Find(one)->cache_stats, nullptr);
  EXPECT_EQ(Find(one)->cache_stats, Find(two)->cache_stats);
  EXPECT_EQ(Find(with_own)->cache_stats, nullptr);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

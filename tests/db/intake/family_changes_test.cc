// Families are made, dropped and changed at run time: bad names and options are
// refused, and a failed manifest leaves what there was.
#include "db/intake/family_changes.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include "tests/db/intake/changing_world.h"

namespace ROCKSDB_NAMESPACE {
namespace {

using Lines = std::vector<std::string>;

class FamilyChangesTest : public ::testing::Test {
 protected:
  void Open() {
    world_.Open();
    default_ = world_.default_family->shared_from_this();
    options_ = world_.f.family;
  }
  Status Add(const std::string& name, ColumnFamilyRef* cfd) {
    return world_.family_changes->Add(options_, name, cfd);
  }
  Status Add(const std::string& name) {
    ColumnFamilyRef cfd;
    const Status s = Add(name, &cfd);
    EXPECT_EQ(s.ok(), cfd != nullptr);
    return s;
  }
  ColumnFamilyRef Added(const std::string& name) {
    ColumnFamilyRef cfd;
    const Status s = Add(name, &cfd);
    EXPECT_TRUE(s.ok()) << s.ToString();
    return cfd;
  }
  // Removes the family, and withdraws its state as its last handle would.
  Status Remove(const ColumnFamilyRef& cfd) {
    const Status s = world_.family_changes->Remove(cfd.get());
    MutexLock lock(world_.mutex);
    if (s.ok()) world_.states->Withdraw(cfd.get());
    return s;
  }
  bool IsThere(const ColumnFamilyRef& cfd) const {
    MutexLock lock(world_.mutex);
    return world_.families.Has(cfd->id());
  }
  size_t FamilyCount() const {
    MutexLock lock(world_.mutex);
    return world_.families.size();
  }
  void ExpectManifestErrorTold() {
    ASSERT_EQ(world_.told.size(), 1u);
    EXPECT_EQ(world_.told[0].reason, BackgroundErrorReason::kManifestWrite);
  }
  // None but the default one, and nobody has been told of an error.
  void ExpectNothingAdded() {
    EXPECT_EQ(world_.FamilyNames(), Lines{"default"});
    EXPECT_EQ(FamilyCount(), 1u);
    EXPECT_TRUE(world_.told.empty());
    EXPECT_FALSE(world_.attention.IsAsked());
  }

  ChangingWorld world_;
  ColumnFamilyRef default_;
  ColumnFamilyOptions options_;
};

// --- families that come

TEST_F(FamilyChangesTest, AFamilyThatIsAddedBeginsWithTheCurrentLog) {
  Open();
  const ColumnFamilyRef cfd = Added("other");
  const uint64_t log = world_.logs->wal()->current_number();
  EXPECT_EQ(cfd->log_number(), log);
  EXPECT_EQ(cfd->mem()->log_number(), log);
  EXPECT_TRUE(world_.attention.IsAsked());
  EXPECT_EQ(world_.FamilyNames(), (Lines{"default", "other"}));
  ASSERT_TRUE(world_.Put(cfd, "a").ok());
  EXPECT_EQ(world_.Get(cfd, "a"), "v");
}

TEST_F(FamilyChangesTest, NamesAreNeitherEmptyNorTaken) {
  Open();
  EXPECT_TRUE(Add("").IsInvalidArgument());
  EXPECT_TRUE(Add("default").IsInvalidArgument());
  ExpectNothingAdded();
}

TEST_F(FamilyChangesTest, OptionsThatDoNotFitAreRefused) {
  Open();
  options_.block_protection_bytes_per_key = 3;
  EXPECT_TRUE(Add("other").IsNotSupported());
  ExpectNothingAdded();
}

TEST_F(FamilyChangesTest, PathsMustAllowTheAccessThatWasChosen) {
  world_.f.db_options.use_direct_io_for_compaction_reads = true;
  Open();
  world_.f.fs->RefuseDirectIo("/cold");
  options_.cf_paths.emplace_back("/cold", 1 << 20);
  EXPECT_TRUE(Add("other").IsInvalidArgument());
  ExpectNothingAdded();
}

TEST_F(FamilyChangesTest, AFamilyThatTheManifestLacksIsNotThere) {
  Open();
  world_.FailNext("MANIFEST");
  EXPECT_TRUE(Add("other").IsIOError());
  EXPECT_EQ(world_.FamilyNames(), Lines{"default"});
  EXPECT_EQ(FamilyCount(), 1u);
  ExpectManifestErrorTold();
}

// Else the manifest would name it, and nobody could write to it or drop it.
TEST_F(FamilyChangesTest, WithoutItsDirectoriesTheManifestDoesNotNameIt) {
  Open();
  options_.cf_paths.emplace_back("/cold", 1 << 20);
  world_.FailNext("/cold");
  EXPECT_TRUE(Add("other").IsIOError());
  ExpectNothingAdded();
  world_.f.fs->FailCall(
      {.call = 2, .scope = FaultScope::kAllCalls, .path_contains = "/cold"});
  EXPECT_TRUE(Add("other").IsIOError());
  ExpectNothingAdded();
  EXPECT_TRUE(Add("other").ok());
}

// --- families that go

TEST_F(FamilyChangesTest, AFamilyThatIsRemovedTakesNothingMore) {
  Open();
  const ColumnFamilyRef cfd = Added("other");
  world_.attention.Clear();
  ASSERT_TRUE(Remove(cfd).ok());
  EXPECT_TRUE(cfd->is_dropped());
  EXPECT_EQ(world_.FamilyNames(), Lines{"default"});
  EXPECT_FALSE(IsThere(cfd));
  EXPECT_TRUE(world_.attention.IsAsked());
  EXPECT_FALSE(world_.Put(cfd, "a").ok());
  EXPECT_TRUE(Remove(cfd).IsInvalidArgument());
  EXPECT_TRUE(world_.told.empty());
}

TEST_F(FamilyChangesTest, TheDefaultFamilyStays) {
  Open();
  EXPECT_TRUE(Remove(default_).IsInvalidArgument());
  EXPECT_FALSE(default_->is_dropped());
  ExpectNothingAdded();
}

TEST_F(FamilyChangesTest, AStallGoesWithItsFamily) {
  Open();
  const ColumnFamilyRef cfd = Added("other");
  {
    MutexLock lock(world_.mutex);
    world_.families.Find(cfd->id())->stall = WriteStallCondition::kStopped;
    world_.stalls->UpdateWorst();
  }
  ASSERT_TRUE(world_.controller.IsStopped());
  ASSERT_TRUE(Remove(cfd).ok());
  EXPECT_FALSE(world_.controller.IsStopped());
}

TEST_F(FamilyChangesTest, AFamilyStaysThatTheManifestDoesNotForget) {
  Open();
  const ColumnFamilyRef cfd = Added("other");
  world_.FailNext("MANIFEST");
  EXPECT_TRUE(Remove(cfd).IsIOError());
  EXPECT_FALSE(cfd->is_dropped());
  EXPECT_TRUE(IsThere(cfd));
  ExpectManifestErrorTold();
}

// --- a log that is locked

TEST_F(FamilyChangesTest, FamiliesComeAndGoWhenTheLogIsUnlocked) {
  Open();
  world_.LockLog();
  ColumnFamilyRef cfd;
  std::thread adder([&] { cfd = Added("other"); });
  ASSERT_TRUE(world_.wal_lock.GiveBack().ok());
  adder.join();
  ASSERT_NE(cfd, nullptr);
  world_.LockLog();
  std::thread remover([&] { EXPECT_TRUE(Remove(cfd).ok()); });
  ASSERT_TRUE(world_.wal_lock.GiveBack().ok());
  remover.join();
  EXPECT_TRUE(cfd->is_dropped());
}

TEST_F(FamilyChangesTest, WhoeverClosesIsNotWaitedFor) {
  Open();
  const ColumnFamilyRef cfd = Added("other");
  world_.LockLog();
  world_.stop.ShutDown();
  EXPECT_TRUE(Add("third").IsShutdownInProgress());
  EXPECT_TRUE(Remove(cfd).IsShutdownInProgress());
  EXPECT_EQ(world_.FamilyNames(), (Lines{"default", "other"}));
  EXPECT_TRUE(IsThere(cfd));
}

// --- what is noted for one or several

TEST_F(FamilyChangesTest, FamiliesAreNotedInTheOptionsFile) {
  Open();
  const ColumnFamilyRef cfd = Added("other");
  EXPECT_EQ(world_.CurrentOptionsFile(), 0u);
  world_.LockLog();  // Its owner does not wait.
  ASSERT_TRUE(world_.family_changes->Note().ok());
  EXPECT_TRUE(world_.OptionsFileSays("[CFOptions \"other\"]"));
  ASSERT_TRUE(world_.wal_lock.GiveBack().ok());
  ASSERT_TRUE(Remove(cfd).ok());
  const uint64_t before = world_.CurrentOptionsFile();
  world_.FailNext(".dbtmp");
  EXPECT_TRUE(world_.family_changes->Note().IsIOError());
  EXPECT_EQ(world_.CurrentOptionsFile(), before);
  ASSERT_TRUE(world_.family_changes->Note().ok());
  EXPECT_FALSE(world_.OptionsFileSays("[CFOptions \"other\"]"));
  // Beside the one in force one older is kept.
  ASSERT_TRUE(world_.family_changes->Note().ok());
  EXPECT_FALSE(world_.Exists(OptionsFileName("/db", before)));
}

TEST_F(FamilyChangesTest, AgesAreKeptFromTheNoteOfAFamilyThatAsksForThem) {
  Open();
  options_.preserve_internal_time_seconds = 1'000'000;
  const ColumnFamilyRef cfd = Added("other");
  EXPECT_FALSE(world_.KnowsAges());
  ASSERT_TRUE(world_.family_changes->Note().ok());
  EXPECT_TRUE(world_.KnowsAges());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

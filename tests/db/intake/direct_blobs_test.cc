// Large values go to blob files before the log refers to them, in the right
// partitions, verified and synced, and a group of writes is stored as a whole
// or not at all.
#include "db/intake/direct_blobs.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "db/outputs/memtable_blobs.h"
#include "db/write/write_hooks.h"
#include "rocksdb/blob_file_partition_strategy.h"
#include "tests/db/intake/stored_groups.h"

namespace ROCKSDB_NAMESPACE {
namespace {

using Lines = std::vector<std::string>;

// By the key's last digit; throws for keys that end with '!'.
class ByLastDigit final : public BlobFilePartitionStrategy {
 public:
  const char* Name() const override { return "ByLastDigit"; }
  uint32_t SelectPartition(uint32_t, uint32_t, const Slice& key,
                           const Slice&) override {
    const char last = key[key.size() - 1];
    if (last == '!') throw std::runtime_error("as asked");
    return static_cast<uint32_t>(last - '0');
  }
};

class BlobsBeforeLogTest : public ::testing::Test {
 protected:
  BlobsBeforeLog world_;
};

TEST_F(BlobsBeforeLogTest, LargeValuesAreInAFileAndReferencesInTheBatch) {
  world_.Open();
  LargeWrite& write = world_.AddPut("a", "large");
  write.Put("b", "s");
  ASSERT_TRUE(write.batch.Delete("c").ok());
  ASSERT_TRUE(write.batch.PutLogData("remark").ok());
  world_.AddPut("d", "abc");
  world_.AddPut("e", "four");
  ASSERT_TRUE(world_.Store().ok());
  EXPECT_EQ(world_.Stored(),
            (Lines{"a->1:large b=s c<0> remark<3>", "", "e->1:four"}));
  EXPECT_EQ(BatchText(write.batch.Data()), "a=large b=s del c blob:remark");
  EXPECT_NE(MemTableBlobs::Of(*world_.w.default_family->mem()), nullptr);
}

TEST_F(BlobsBeforeLogTest, AMemtableHasFilesOfItsOwn) {
  world_.Open();
  EXPECT_FALSE(world_.blobs->HasUnlisted());
  world_.AddPut("a", "large");
  ASSERT_TRUE(world_.Store().ok());
  EXPECT_EQ(world_.Stored(), Lines{"a->1:large"});
  const uint64_t bytes = world_.UnlistedBytes().at(0);
  world_.AddPut("b", "large");
  ASSERT_TRUE(world_.Store().ok());
  EXPECT_EQ(world_.Stored(), Lines{"b->1:large"});
  EXPECT_GT(world_.UnlistedBytes().at(0), bytes);
  MemTableRef before = world_.SwitchMemTable();
  world_.AddPut("c", "large");
  ASSERT_TRUE(world_.Store().ok());
  EXPECT_EQ(world_.Stored(), Lines{"c->2:large"});
  EXPECT_EQ(world_.UnlistedBytes().size(), 2u);
  // Flushed, or gone: a version lists them, or nobody refers to them.
  MemTableBlobs::Of(*world_.w.default_family->mem())->NoteListed();
  EXPECT_EQ(world_.UnlistedBytes().size(), 1u);
  EXPECT_TRUE(world_.blobs->HasUnlisted());
  before.reset();
  EXPECT_FALSE(world_.blobs->HasUnlisted());
}

TEST_F(BlobsBeforeLogTest, WhatIsNotReplacedStaysInItsBatch) {
  world_.w.f.family.min_blob_size = 0;
  world_.Open();
  ASSERT_TRUE(world_.AddPut("a", "large").batch.Merge("b", "m").ok());
  world_.AddPut("c", "large").writer.is_refused = true;
  const SectionWrite section{.name = "x"};
  const WriteHooks hooks{.section = &section};
  world_.AddPut("d", "large").writer.hooks = &hooks;
  world_.AddPut("e", "large").batch.MarkWalTerminationPoint();
  WriteBatchInternal::AddTransactionMarker(&world_.AddPut("f", "large").batch,
                                           kTypeCommitXID, "x");
  world_.Add().Add(kTypeValuePreferredSeqno, "g", "large and a time");
  world_.AddPut("h", "");
  ASSERT_TRUE(world_.Store().ok());
  EXPECT_EQ(world_.Stored(), Lines(7));
  EXPECT_FALSE(world_.blobs->HasUnlisted());
}

TEST_F(BlobsBeforeLogTest, EachFamilyHasItsWay) {
  world_.Open();
  ColumnFamilyOptions options = world_.w.f.family;
  options.blob_file_starting_level = 1;
  world_.w.Add("deeper", options);
  options = world_.w.f.family;
  options.enable_blob_direct_write = false;
  world_.w.Add("with flushes", options);
  options = world_.w.f.family;
  options.inplace_update_support = true;
  options.inplace_callback = [](char*, uint32_t*, Slice, std::string*) {
    return UpdateStatus::UPDATE_FAILED;
  };
  world_.w.Add("of deltas", options);
  world_.w.Add("as the first", world_.w.f.family);
  LargeWrite& write = world_.AddPut("a", "large");
  for (uint32_t id = 1; id <= 5; ++id) write.Put("a", "large", id);
  ASSERT_TRUE(world_.Store().ok());
  EXPECT_EQ(world_.Stored(),
            Lines{"a->1:large 1:a=large 2:a=large 3:a=large 4:a->2:large "
                  "5:a=large"});
}

TEST_F(BlobsBeforeLogTest, PartitionsTakeTurnsOrAreChosen) {
  world_.w.f.family.blob_direct_write_partitions = 2;
  world_.Open();
  ColumnFamilyOptions options = world_.w.f.family;
  options.blob_direct_write_partition_strategy =
      std::make_shared<ByLastDigit>();
  world_.w.Add("chosen", options);
  LargeWrite& write = world_.AddPut("a", "first");
  write.Put("b", "second");
  write.Put("c", "third");
  for (const char* key : {"k0", "k1", "k3", "k2"}) write.Put(key, "value", 1);
  ASSERT_TRUE(world_.Store().ok());
  EXPECT_EQ(world_.Stored(),
            Lines{"a->1:first b->2:second c->1:third 1:k0->3:value "
                  "1:k1->4:value 1:k3->4:value 1:k2->3:value"});
}

TEST_F(BlobsBeforeLogTest, LargeColumnsOfAnEntityGoToOnePartition) {
  world_.w.f.family.blob_direct_write_partitions = 2;
  world_.Open();
  world_.Add().Add(kTypeWideColumnEntity, "a",
                   EntityOf(":first,x:abc,y:second"));
  world_.Add().Add(kTypeWideColumnEntity, "b", EntityOf("x:abc,y:abc"));
  ASSERT_TRUE(world_.Store().ok());
  EXPECT_EQ(world_.Stored(), (Lines{"a{->1:first x=abc y->1:second}", ""}));
}

TEST_F(BlobsBeforeLogTest, ChecksumsAreVerifiedAndMadeAnew) {
  world_.Open();
  LargeWrite& whole = world_.Add(/*protection_bytes=*/8);
  whole.Put("a", "large");
  ASSERT_TRUE(world_.Store().ok());
  ASSERT_NE(whole.writer.stored, nullptr);
  EXPECT_EQ(whole.writer.stored->GetProtectionBytesPerKey(), 8u);
  EXPECT_TRUE(whole.writer.stored->VerifyChecksum().ok());
  LargeWrite& changed = world_.Add(/*protection_bytes=*/8);
  changed.Put("a", "large");
  const Slice bytes = changed.batch.Data();
  const_cast<char*>(bytes.data())[bytes.size() - 1] ^= 1;
  EXPECT_TRUE(world_.Store().IsCorruption());
  EXPECT_EQ(world_.Stored(), Lines{""});
}

// --- what is refused, for the whole group

TEST_F(BlobsBeforeLogTest, ABatchThatCannotBeReadFailsItsGroup) {
  world_.Open();
  for (const bool is_entity : {false, true}) {
    world_.AddPut("a", "large");
    LargeWrite& write = world_.Add();
    write.Add(is_entity ? kTypeWideColumnEntity : kTypeValue, "b", "xyzuvw");
    if (!is_entity) {
      write.batch = WriteBatch(
          write.batch.Data().substr(0, write.batch.GetDataSize() - 1));
    }
    EXPECT_TRUE(world_.Store().IsCorruption());
    EXPECT_EQ(world_.Stored(), Lines(2));
  }
  world_.AddPut("a", "large");
  ASSERT_TRUE(world_.Store().ok());
  EXPECT_EQ(world_.Stored(), Lines{"a->1:large"});
}

// However small it is.
TEST_F(BlobsBeforeLogTest, AnEntityMayNotBringReferences) {
  world_.w.f.family.min_blob_size = 100;
  world_.Open();
  StoredColumns columns;
  columns.columns = {{"x", "reference"}};
  columns.is_reference = {true};
  std::string entity;
  ASSERT_TRUE(EncodeStoredColumns(columns, &entity).ok());
  world_.AddPut("a", std::string(100, 'v'));
  world_.Add().Add(kTypeWideColumnEntity, "b", entity);
  EXPECT_TRUE(world_.Store().IsNotSupported());
  EXPECT_EQ(world_.Stored(), Lines(2));
}

TEST_F(BlobsBeforeLogTest, AStrategyThatThrowsFailsItsGroup) {
  world_.w.f.family.blob_direct_write_partition_strategy =
      std::make_shared<ByLastDigit>();
  world_.Open();
  world_.AddPut("k0", "large");
  world_.AddPut("k!", "large");
  EXPECT_TRUE(world_.Store().IsAborted());
  EXPECT_EQ(world_.Stored(), Lines(2));
}

// --- what outlives a crash

TEST_F(BlobsBeforeLogTest, ASyncedGroupSyncsWhatOlderOnesHaveLeft) {
  world_.Open();
  world_.AddPut("a", "older");
  ASSERT_TRUE(world_.Store().ok());
  const std::string older = world_.writes[0]->writer.stored->Data();
  const MemTableRef before = world_.SwitchMemTable();
  world_.needs_sync = true;
  world_.AddPut("b", "large");
  ASSERT_TRUE(world_.Store().ok());
  world_.needs_sync = false;
  const std::string synced = world_.writes[0]->writer.stored->Data();
  world_.AddPut("c", "newer");
  ASSERT_TRUE(world_.Store().ok());
  ASSERT_TRUE(world_.w.f.fs->CrashAndHeal().ok());
  EXPECT_EQ(world_.Text(older), "a->1:older");
  EXPECT_EQ(world_.Text(synced), "b->2:large");
  EXPECT_EQ(world_.Stored(), Lines{"c->2:lost"});
}

TEST_F(BlobsBeforeLogTest, ASyncBeforeTheLogsCoversAllFiles) {
  world_.Open();
  world_.AddPut("a", "large");
  ASSERT_TRUE(world_.Store().ok());
  world_.w.f.fs->FailCall({.call = 1, .is_permanent = true});
  EXPECT_TRUE(world_.blobs->Sync().IsIOError());
  world_.w.f.fs->ClearFault();
  ASSERT_TRUE(world_.blobs->Sync().ok());
  ASSERT_TRUE(world_.w.f.fs->CrashAndHeal().ok());
  EXPECT_EQ(world_.Stored(), Lines{"a->1:large"});
}

// --- what fails on the way

// A sync that fails once is made good.
TEST(BlobsBeforeLogFaultTest, AGroupIsStoredWholeOrNotAtAll) {
  int failures = 0;
  for (uint64_t k = 1;; ++k) {
    SCOPED_TRACE("call " + std::to_string(k));
    BlobsBeforeLog world;
    world.Open();
    world.needs_sync = true;
    world.AddPut("a", "large");
    world.AddPut("b", "other");
    world.w.f.fs->FailCall({.call = k});
    const Status s = world.Store();
    const bool has_failed = world.w.f.fs->failed();
    world.w.f.fs->ClearFault();
    if (!s.ok()) {
      ++failures;
      EXPECT_EQ(world.Stored(), Lines(2));
      world.AddPut("a", "large");
      world.AddPut("b", "other");
      ASSERT_TRUE(world.Store().ok());
    }
    ASSERT_TRUE(world.w.f.fs->CrashAndHeal().ok());
    EXPECT_EQ(world.Stored(), (Lines{"a->1:large", "b->1:other"}));
    if (!has_failed) break;
  }
  EXPECT_GT(failures, 0);
}

// --- threads

// Whoever syncs a log, or copies the database, does so beside the leader.
TEST_F(BlobsBeforeLogTest, FilesAreSyncedAndListedBesideTheLeader) {
  world_.Open();
  std::atomic<bool> is_over{false};
  std::thread beside([&] {
    while (!is_over.load()) {
      EXPECT_TRUE(world_.blobs->Sync().ok());
      for (const uint64_t bytes : world_.UnlistedBytes()) EXPECT_GT(bytes, 0u);
    }
  });
  for (int i = 0; i < 100; ++i) {
    world_.AddPut("a", "large");
    EXPECT_TRUE(world_.Store().ok());
    const std::string file = std::to_string(i / 10 + 1);
    EXPECT_EQ(world_.Stored(), Lines{"a->" + file + ":large"});
    if (i % 10 == 9) world_.SwitchMemTable();
  }
  is_over.store(true);
  beside.join();
  EXPECT_FALSE(world_.blobs->HasUnlisted());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

// Lookups, MultiGet and cursors answer as of their moment or snapshot, and what
// cannot be read is refused.
#include "db/lookup/read_port.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "db/files/obsolete_files.h"
#include "db/lookup/many_keys.h"
#include "db/lookup/read_writers.h"
#include "db/manifest/version_set.h"
#include "db/registry/family_handle.h"
#include "monitoring/trace/query_tracer.h"
#include "rocksdb/system_clock.h"
#include "tests/db/registry/family_world.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// Two families with memtables alone, and reads in them.
class ReadPortTest : public ::testing::Test, private ReadWriters {
 protected:
  ReadPortTest() {
    VersionSet::Context context;
    context.db_path = "/db";
    context.db = world.f.db.get();
    context.families = world.context;
    context.mutex = &world.mutex;
    versions = std::make_unique<VersionSet>(std::move(context));
    ObsoleteFiles::Callbacks none;
    none.on_deleted = [](const std::string&, FileType, uint64_t,
                         const Status&) {};
    none.forget = [](UnreferencedTable) {};
    none.on_unattended = [] {};
    obsolete = std::make_shared<ObsoleteFiles>(world.f.db.get(), nullptr,
                                               std::move(none));
    Make(this, /*follow_mutex=*/nullptr);
    AddFamily(0, "default");
    AddFamily(1, "other");
  }
  ~ReadPortTest() override { handles.clear(); }

  void Make(ReadWriters* writers, Mutex* follow_mutex) {
    port = std::make_unique<ReadPort>(
        ReadPort::Context{.owner = nullptr,
                          .db = world.f.db.get(),
                          .mutex = &world.mutex,
                          .versions = versions.get(),
                          .obsolete = obsolete.get(),
                          .has_unlogged = &has_unlogged,
                          .follow_mutex = follow_mutex,
                          .writers = writers,
                          .tracer = &tracer});
  }
  void AddFamily(uint32_t id, const std::string& name) {
    const FamilyRef family = world.Add(id, name);
    std::vector<SuperVersion*> garbage;
    MutexLock lock(&world.mutex);
    versions->families()->Add(family->cfd);
    family->cfd->InstallSuperVersion(WriteStallCondition::kNormal, &garbage);
    EXPECT_TRUE(garbage.empty());
    handles.push_back(std::make_unique<ColumnFamilyHandleImpl>(
        nullptr, family->cfd, nullptr));
  }
  void Put(size_t family, const std::string& key, const std::string& value) {
    const SequenceNumber sequence = versions->LastSequence() + 1;
    MutexLock lock(&world.mutex);
    ASSERT_TRUE(FamilyOf(Handle(family))
                    ->mem()
                    ->Add(sequence, kTypeValue, key, value)
                    .ok());
    versions->SetLastSequence(sequence);
  }
  ColumnFamilyHandle* Handle(size_t family) { return handles[family].get(); }
  std::string Get(const std::string& key, const Snapshot* snapshot = nullptr) {
    ReadOptions options;
    options.snapshot = snapshot;
    PinnableSlice value;
    const Status s = port->Get(options, Handle(0), key, &value, nullptr);
    return s.ok() ? value.ToString() : s.ToString();
  }

  void FlushSoon(uint32_t, MemTable*) override {}
  void HideRange(ColumnFamilyData*, const SuperVersion&,
                 const RangeTombstone&) override {}
  void OldestSnapshotGone() override {
    world.mutex.AssertHeld();
    ++oldest_gone;
  }

  FamilyWorld world;
  std::unique_ptr<VersionSet> versions;
  std::shared_ptr<ObsoleteFiles> obsolete;
  std::atomic<bool> has_unlogged{false};
  QueryTracer tracer{SystemClock::Default().get()};
  Mutex follow_mutex;
  std::unique_ptr<ReadPort> port;
  std::vector<std::unique_ptr<ColumnFamilyHandle>> handles;
  int oldest_gone = 0;
};

TEST_F(ReadPortTest, ALookupSeesWhatWasWrittenLast) {
  EXPECT_EQ(Get("a"), "NotFound: ");
  Put(0, "a", "1");
  EXPECT_EQ(Get("a"), "1");
  Put(0, "a", "2");
  EXPECT_EQ(Get("a"), "2");
}

TEST_F(ReadPortTest, ASnapshotHoldsItsMoment) {
  Put(0, "a", "1");
  const Snapshot* const snapshot = port->GetSnapshot();
  ASSERT_NE(snapshot, nullptr);
  Put(0, "a", "2");
  EXPECT_EQ(Get("a", snapshot), "1");
  EXPECT_EQ(Get("a"), "2");
  port->ReleaseSnapshot(snapshot);
}

TEST_F(ReadPortTest, ASnapshotWaitsAtTheGate) {
  std::optional<SnapshotGate::Closed> closed;
  {
    MutexLock lock(&world.mutex);
    closed.emplace(port->snapshot_gate());
  }
  // The thread that has closed it goes through.
  port->ReleaseSnapshot(port->GetSnapshot());
  const Snapshot* snapshot = nullptr;
  std::thread other([&] { snapshot = port->GetSnapshot(); });
  Put(0, "a", "1");
  {
    MutexLock lock(&world.mutex);
    closed.reset();
  }
  other.join();
  ASSERT_NE(snapshot, nullptr);
  EXPECT_EQ(Get("a", snapshot), "1");
  port->ReleaseSnapshot(snapshot);
}

TEST_F(ReadPortTest, WritersAreToldWhenTheOldestSnapshotGoes) {
  const Snapshot* const first = port->GetSnapshot();
  Put(0, "a", "1");
  const Snapshot* const second = port->GetSnapshot();
  {
    MutexLock lock(&world.mutex);
    EXPECT_EQ(port->snapshots().size(), 2u);
  }
  const Snapshot* const third = port->GetSnapshot();
  port->ReleaseSnapshot(second);
  EXPECT_EQ(oldest_gone, 0);
  port->ReleaseSnapshot(first);
  EXPECT_EQ(oldest_gone, 1);
  port->Close();
  port->ReleaseSnapshot(third);
  EXPECT_EQ(oldest_gone, 1);
  EXPECT_EQ(port->GetSnapshot(), nullptr);
}

TEST_F(ReadPortTest, ManyKeysOfSeveralFamiliesAreOfOneMoment) {
  Put(0, "a", "1");
  Put(1, "b", "2");
  ColumnFamilyHandle* families[] = {Handle(1), Handle(0), Handle(0)};
  const Slice keys[] = {"b", "a", "c"};
  PinnableSlice values[3];
  Status statuses[3];
  ReadPort::ManyKeys many;
  many.count = 3;
  many.families = families;
  many.keys = keys;
  many.values = values;
  many.statuses = statuses;
  port->GetMany(ReadOptions(), &many);
  EXPECT_EQ(values[0].ToString(), "2");
  EXPECT_EQ(values[1].ToString(), "1");
  EXPECT_TRUE(statuses[2].IsNotFound());
  MutexLock lock(&world.mutex);
  EXPECT_TRUE(port->snapshots().empty());  // Its own has gone.
}

TEST_F(ReadPortTest, ACursorWalksAndIsRenewed) {
  Put(0, "a", "1");
  const std::unique_ptr<Iterator> cursor(
      port->NewIterator(ReadOptions(), Handle(0)));
  cursor->SeekToFirst();
  ASSERT_TRUE(cursor->Valid());
  EXPECT_EQ(cursor->value(), "1");
  Put(0, "b", "2");
  cursor->Next();
  EXPECT_FALSE(cursor->Valid());
  ASSERT_TRUE(cursor->Refresh().ok());
  cursor->SeekToLast();
  ASSERT_TRUE(cursor->Valid());
  EXPECT_EQ(cursor->key(), "b");
}

TEST_F(ReadPortTest, WhatCannotBeReadIsRefused) {
  PinnableSlice value;
  EXPECT_TRUE(port->Get(ReadOptions(), nullptr, "a", &value, nullptr)
                  .IsInvalidArgument());
  const auto* const other = reinterpret_cast<const DB*>(&value);
  ColumnFamilyHandleImpl foreign(other, FamilyRefOf(Handle(0)), nullptr);
  EXPECT_TRUE(port->Get(ReadOptions(), &foreign, "a", &value, nullptr)
                  .IsInvalidArgument());
  ReadOptions late;
  late.deadline = std::chrono::microseconds(1);
  EXPECT_TRUE(port->Get(late, Handle(0), "a", &value, nullptr).IsTimedOut());
  port->Close();
  EXPECT_TRUE(port->Get(ReadOptions(), Handle(0), "a", &value, nullptr)
                  .IsShutdownInProgress());
}

TEST_F(ReadPortTest, WhereAnotherWritesSnapshotsHoldNothing) {
  Put(0, "a", "1");
  const Snapshot* const snapshot = port->GetSnapshot();
  const SequenceNumber sequence = snapshot->GetSequenceNumber();
  port->ReleaseSnapshot(snapshot);
  Make(nullptr, &follow_mutex);
  const SnapshotImpl own(sequence, 0);
  PinnableSlice value;
  ReadOptions options;
  options.snapshot = &own;
  EXPECT_TRUE(
      port->Get(options, Handle(0), "a", &value, nullptr).IsNotSupported());
  std::vector<Iterator*> cursors;
  ASSERT_TRUE(
      port->NewIterators(ReadOptions(), {Handle(0), Handle(1)}, &cursors).ok());
  const bool is_free = follow_mutex.TryLock();
  if (is_free) follow_mutex.Unlock();
  EXPECT_TRUE(is_free);
  for (Iterator* cursor : cursors) {
    const std::unique_ptr<Iterator> owned(cursor);
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

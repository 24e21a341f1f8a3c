// Every property has one way to its number, the numbers are right by family and
// in sum, and Prometheus can read them.
#include "db/observe/observatory.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "db/background/background_scheduler.h"
#include "db/background/background_work.h"
#include "db/background/error_handler.h"
#include "db/background/manual_queue.h"
#include "db/background/stop_signals.h"
#include "db/files/obsolete_files.h"
#include "db/manifest/version_set.h"
#include "db/observe/database_stats.h"
#include "db/observe/int_properties.h"
#include "db/observe/observed.h"
#include "db/registry/change_signal.h"
#include "db/registry/state_publisher.h"
#include "db/semantics/snapshot_list.h"
#include "db/write/write_controller.h"
#include "file/io_governor.h"
#include "memtable/memtable.h"
#include "rocksdb/cache.h"
#include "tests/db/registry/family_world.h"

namespace ROCKSDB_NAMESPACE {
namespace {

using P = DB::Properties;

// Two families with memtables alone, looked at.
class ObservatoryTest : public ::testing::Test, private BackgroundWork {
 protected:
  ObservatoryTest() {
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
    first = AddFamily(0, "default");
    second = AddFamily(1, "other");
    Observed observed;
    observed.db_name = "/db";
    observed.db = &db;
    observed.mutex = &world.mutex;
    observed.families = &world.families;
    observed.background = &scheduler;
    observed.errors = &errors;
    observed.snapshots = &snapshots;
    observed.versions = versions.get();
    observed.stop = &stop;
    observed.obsolete = obsolete.get();
    observed.writes = &writes;
    observed.io_governor = &governor;
    observed.ephemeral = &ephemeral;
    observed.table_cache = open_tables.get();
    observatory = std::make_unique<Observatory>(observed, &counts);
  }
  ~ObservatoryTest() override {
    observatory.reset();
    {
      MutexLock lock(&world.mutex);
      states.Withdraw(first->cfd.get());
      states.Withdraw(second->cfd.get());
    }
    states.Free();
  }
  void FlushInBackground() override {}
  void CompactInBackground() override {}
  void CompactToBottomInBackground() override {}

  FamilyRef AddFamily(uint32_t id, const std::string& name) {
    FamilyRef family = world.Add(id, name);
    MutexLock lock(&world.mutex);
    states.Publish(family->cfd.get(), WriteStallCondition::kNormal);
    return family;
  }
  void Put(const FamilyRef& family, const std::string& key) {
    MutexLock lock(&world.mutex);
    ASSERT_TRUE(
        family->cfd->mem()->Add(++sequence, kTypeValue, key, "value").ok());
  }
  std::string Text(const std::string& property) {
    std::string text;
    return observatory->GetText(first->cfd.get(), property, &text) ? text
                                                                   : "none";
  }
  uint64_t Sum(const std::string& property) {
    uint64_t value = 0;
    EXPECT_TRUE(observatory->GetAggregatedInt(property, &value)) << property;
    return value;
  }

  FamilyWorld world;
  StatePublisher states{&world.mutex, nullptr};
  ChangeSignal changes{&world.mutex};
  StopSignals stop;
  ErrorHandler errors{/*paranoid_checks=*/true};
  ManualQueue manual;
  WriteController writes;
  SnapshotList snapshots;
  BackgroundScheduler scheduler{{.env = Env::Default(),
                                 .mutex = &world.mutex,
                                 .changes = &changes,
                                 .stop = &stop,
                                 .errors = &errors,
                                 .manual = &manual,
                                 .writes = &writes,
                                 .work = this}};
  GovernorMembership governor{world.f.db->fs, IoLimits()};
  EphemeralReaders ephemeral;
  std::shared_ptr<Cache> open_tables = NewLRUCache(100);
  DatabaseStats counts{/*now_micros=*/0};
  std::unique_ptr<VersionSet> versions;
  std::shared_ptr<ObsoleteFiles> obsolete;
  std::unique_ptr<Observatory> observatory;
  FamilyRef first, second;
  SequenceNumber sequence = 0;
};

TEST_F(ObservatoryTest, EveryRowHasOneWayToItsNumber) {
  for (const auto& [name, row] : IntProperties()) {
    const int ways = (row.of_database != nullptr) + (row.of_family != nullptr) +
                     (row.of_state != nullptr) + (row.cache != nullptr);
    EXPECT_EQ(ways, 1) << name;
    EXPECT_EQ(row.cache != nullptr, row.of_cache != nullptr) << name;
    EXPECT_EQ(FindIntProperty(name), &row);
  }
  EXPECT_EQ(FindIntProperty("rocksdb.no-such-thing"), nullptr);
}

TEST_F(ObservatoryTest, ANumberIsOfItsFamilyAndSummedOverAll) {
  Put(first, "a");
  Put(second, "a");
  Put(second, "b");
  EXPECT_EQ(Text(P::kNumEntriesActiveMemTable), "1");
  EXPECT_EQ(Sum(P::kNumEntriesActiveMemTable), 3u);
}

TEST_F(ObservatoryTest, WhatFamiliesShareCountsOnce) {
  snapshots.Add(7, 1000);
  EXPECT_EQ(Text(P::kNumSnapshots), "1");
  EXPECT_EQ(Sum(P::kNumSnapshots), 1u);
  EXPECT_EQ(Sum(P::kOldestSnapshotSequence), 7u);
  uint64_t one = 0;
  ASSERT_TRUE(
      observatory->GetInt(first->cfd.get(), P::kBlockCacheCapacity, &one));
  EXPECT_EQ(Sum(P::kBlockCacheCapacity), one);
}

TEST_F(ObservatoryTest, NumbersInNamesAreLevelsThatThereAre) {
  EXPECT_EQ(Text(P::kNumFilesAtLevelPrefix + "0"), "0");
  EXPECT_EQ(Text(P::kNumFilesAtLevelPrefix + "99"), "none");
  EXPECT_EQ(Text(P::kNumFilesAtLevelPrefix), "none");
  EXPECT_EQ(Text(P::kNumFilesAtLevelPrefix + "0x"), "none");
  EXPECT_EQ(Text(P::kCompressionRatioAtLevelPrefix + "1"), "-1.0");
  EXPECT_EQ(Text("rocksdb.no-such-thing"), "none");
}

TEST_F(ObservatoryTest, JobsAndErrorsAreSeen) {
  EXPECT_EQ(Text(P::kBackgroundErrors), "0");
  errors.Set(Status::IOError("device"), BackgroundErrorReason::kFlush);
  EXPECT_EQ(Text(P::kBackgroundErrors), "1");
  stop.BeginAbort();
  EXPECT_EQ(Text(P::kCompactionAbortCount), "1");
  writes.Update(WriteStallCondition::kStopped, 1);
  EXPECT_EQ(Text(P::kIsWriteStopped), "1");
}

TEST_F(ObservatoryTest, AFamilyThatIsGoneHasNone) {
  {
    MutexLock lock(&world.mutex);
    world.families.Remove(0);
  }
  EXPECT_EQ(Text(P::kNumEntriesActiveMemTable), "none");
  EXPECT_EQ(Text(P::kCFStats), "none");
}

TEST_F(ObservatoryTest, OnceClosedNoStateIsLookedAt) {
  EXPECT_NE(Text(P::kEstimateLiveDataSize), "none");
  observatory->Close();
  EXPECT_EQ(Text(P::kEstimateLiveDataSize), "none");
  std::map<std::string, std::string> map;
  EXPECT_FALSE(observatory->GetMap(first->cfd.get(),
                                   P::kAggregatedTableProperties, &map));
}

TEST_F(ObservatoryTest, PrometheusReadsEachFamily) {
  Put(second, "a");
  std::string text;
  observatory->WritePrometheus(&text);
  EXPECT_NE(text.find("rocksdb_num_entries_active_mem_table"),
            std::string::npos);
  EXPECT_NE(text.find("other"), std::string::npos);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

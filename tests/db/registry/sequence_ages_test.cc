// The ages of sequence numbers are kept for as long as the most demanding
// family asks, and not at all where none does.
#include "db/registry/sequence_ages.h"

#include <gtest/gtest.h>

#include <memory>
#include <utility>

#include "db/compaction/compaction_picker.h"
#include "db/manifest/version_set.h"
#include "db/outputs/job_context.h"
#include "tests/db/registry/family_world.h"
#include "tests/testing/mock_clock.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class SequenceAgesTest : public ::testing::Test {
 protected:
  SequenceAgesTest() {
    world.f.db->clock = &clock;
    VersionSet::Context context;
    context.db_path = "/db";
    context.db = world.f.db.get();
    context.families = world.context;
    context.mutex = &world.mutex;
    versions = std::make_unique<VersionSet>(std::move(context));
    ages = std::make_unique<SequenceAges>(world.f.db.get(), &world.mutex,
                                          &world.families, versions.get());
  }

  FamilyRef AddFamily(uint64_t preserve_seconds) {
    world.f.family.preserve_internal_time_seconds = preserve_seconds;
    FamilyRef family = world.Add(next_id++, "f");
    MutexLock lock(&world.mutex);
    ages->Set();
    return family;
  }
  JobContext Told() {
    JobContext job;
    MutexLock lock(&world.mutex);
    ages->Tell(&job);
    return job;
  }
  SequenceNumber Zeroed(const FamilyRef& family) {
    MutexLock lock(&world.mutex);
    return ages->LimitsOf(*family->cfd, *family->cfd->options()).zeroed;
  }
  void Wait(int seconds) { clock.SleepForMicroseconds(seconds * 1'000'000); }

  FamilyWorld world;
  MockClock clock;
  std::unique_ptr<VersionSet> versions;
  std::unique_ptr<SequenceAges> ages;
  uint32_t next_id = 0;
};

TEST_F(SequenceAgesTest, WhereNobodyAsksNothingIsKept) {
  const FamilyRef family = AddFamily(/*preserve_seconds=*/0);
  versions->SetLastSequence(10);
  EXPECT_EQ(Told().sequence_times, nullptr);
  EXPECT_EQ(Zeroed(family), kMaxSequenceNumber);
}

TEST_F(SequenceAgesTest, WhatIsYoungerThanAskedForKeepsItsSequence) {
  const FamilyRef family = AddFamily(/*preserve_seconds=*/100);
  versions->SetLastSequence(10);
  EXPECT_NE(Told().sequence_times, nullptr);
  EXPECT_EQ(Zeroed(family), 0u);
  Wait(60);
  versions->SetLastSequence(50);
  Told();
  EXPECT_EQ(Zeroed(family), 0u);
  Wait(60);
  EXPECT_EQ(Zeroed(family), 10u);
  Wait(60);
  EXPECT_EQ(Zeroed(family), 50u);
}

TEST_F(SequenceAgesTest, JobsKeepTheLongestAgeThatAnyFamilyAsksFor) {
  AddFamily(/*preserve_seconds=*/100);
  const uint64_t now = clock.NowMicros() / 1'000'000;
  EXPECT_EQ(Told().old_by_seconds, now - 100);
  AddFamily(/*preserve_seconds=*/500);
  EXPECT_EQ(Told().old_by_seconds, now - 500);
  {
    MutexLock lock(&world.mutex);
    world.families.Remove(1);
    ages->Set();
  }
  EXPECT_EQ(Told().old_by_seconds, now - 100);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

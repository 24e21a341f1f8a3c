// A family's new state reaches reads, its stall the writers and listeners, each
// once and listeners without the mutex.
#include "db/write/family_publisher.h"

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "db/registry/change_signal.h"
#include "db/registry/state_publisher.h"
#include "db/write/leader_attention.h"
#include "db/write/pressure_notice.h"
#include "db/write/stall_control.h"
#include "db/write/write_controller.h"
#include "file/io_governor.h"
#include "memtable/memtable.h"
#include "tests/db/registry/family_world.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// Notes stalls, and that the mutex is free meanwhile.
class StallListener final : public EventListener {
 public:
  explicit StallListener(Mutex* mutex) : mutex_(mutex) {}
  void OnStallConditionsChanged(const WriteStallInfo& info) override {
    const MutexLock lock(mutex_);
    told.push_back(info.cf_name + " " + TextOf(info.condition.prev) + ">" +
                   TextOf(info.condition.cur));
  }
  std::vector<std::string> told;

 private:
  static std::string TextOf(WriteStallCondition condition) {
    switch (condition) {
      case WriteStallCondition::kNormal:
        return "normal";
      case WriteStallCondition::kDelayed:
        return "delayed";
      default:
        return "stopped";
    }
  }

  Mutex* const mutex_;
};

class FamilyPublisherTest : public ::testing::Test {
 protected:
  FamilyPublisherTest() {
    world.f.family.max_write_buffer_number = 3;
    world.f.db->listeners.push_back(listener);
    MutexLock lock(&world.mutex);
    stalls.SetDelayedRate(1 << 20);
  }
  ~FamilyPublisherTest() override { states.Free(); }

  void Publish(const FamilyRef& family) {
    MutexLock lock(&world.mutex);
    publisher.Publish(family->cfd.get());
  }
  // Three are too many.
  void Seal(const FamilyRef& family, int count) {
    MutexLock lock(&world.mutex);
    ColumnFamilyData* const cfd = family->cfd.get();
    for (int i = 0; i < count; ++i) {
      ASSERT_TRUE(cfd->mem()->Add(++sequence, kTypeValue, "k", "v").ok());
      MemTableRef sealed = cfd->SwitchMemTable(cfd->NewMemTable(sequence));
      sealed->MarkImmutable();
      cfd->imm()->Add(std::move(sealed));
    }
    publisher.Publish(cfd);
  }
  // What a read sees of it.
  static WriteStallCondition SeenStall(const FamilyRef& family) {
    SuperVersion* const state = family->cfd->AcquireReferenced();
    const WriteStallCondition stall = state->stall;
    ColumnFamilyData::Release(state);
    return stall;
  }

  FamilyWorld world;
  const std::shared_ptr<StallListener> listener =
      std::make_shared<StallListener>(&world.mutex);
  ChangeSignal changes{&world.mutex};
  WriteController writes;
  GovernorMembership governor{world.f.db->fs, IoLimits()};
  StallControl stalls{{.db = world.f.db.get(),
                       .families = &world.families,
                       .writes = &writes,
                       .changes = &changes,
                       .io_governor = &governor}};
  StatePublisher states{&world.mutex, world.f.db->stats};
  LeaderAttention attention;
  FamilyPublisher publisher{{.db = world.f.db.get(),
                             .mutex = &world.mutex,
                             .families = &world.families,
                             .states = &states,
                             .stalls = &stalls,
                             .attention = &attention}};
  SequenceNumber sequence = 0;
};

TEST_F(FamilyPublisherTest, ReadsSeeTheStateAndItsStall) {
  const FamilyRef family = world.Add(0, "a");
  Publish(family);
  EXPECT_EQ(SeenStall(family), WriteStallCondition::kNormal);
  EXPECT_FALSE(attention.IsAsked());
  Seal(family, 3);
  EXPECT_EQ(SeenStall(family), WriteStallCondition::kStopped);
  EXPECT_TRUE(writes.IsStopped());
  EXPECT_TRUE(attention.IsAsked());
}

TEST_F(FamilyPublisherTest, ThePressureIsToldWithTheRest) {
  class Notice : public PressureNotice {
   public:
    void TellIfChanged() override { ++count; }
    int count = 0;
  };
  Notice notice;
  publisher.FreeAndTell();
  publisher.SetPressure(&notice);
  publisher.FreeAndTell();
  EXPECT_EQ(notice.count, 1);
  publisher.Tell();
  EXPECT_EQ(notice.count, 2);
  publisher.SetPressure(nullptr);
  publisher.FreeAndTell();
  EXPECT_EQ(notice.count, 2);
}

TEST_F(FamilyPublisherTest, AnotherFamilysStallIsNotItsOwn) {
  const FamilyRef stalled = world.Add(0, "a");
  const FamilyRef family = world.Add(1, "b");
  Seal(stalled, 3);
  attention.Clear();
  Publish(family);
  EXPECT_EQ(SeenStall(family), WriteStallCondition::kNormal);
  EXPECT_TRUE(attention.IsAsked());  // Writers wait all the same.
}

TEST_F(FamilyPublisherTest, AStallGoesWithItsFamily) {
  const FamilyRef stalled = world.Add(0, "a");
  world.Add(1, "b");
  Seal(stalled, 3);
  attention.Clear();
  {
    MutexLock lock(&world.mutex);
    world.families.Remove(0);
    publisher.NoteRemoved();
  }
  EXPECT_FALSE(writes.IsStopped());
  EXPECT_TRUE(attention.IsAsked());
  MutexLock lock(&world.mutex);
  states.Withdraw(stalled->cfd.get());
}

TEST_F(FamilyPublisherTest, ListenersAreToldOnceAndWithoutTheMutex) {
  const FamilyRef first = world.Add(0, "a");
  const FamilyRef second = world.Add(1, "b");
  Publish(first);
  Publish(second);
  publisher.FreeAndTell();
  EXPECT_TRUE(listener->told.empty());
  Seal(second, 3);
  EXPECT_TRUE(listener->told.empty());
  publisher.FreeAndTell();
  EXPECT_EQ(listener->told, std::vector<std::string>{"b normal>stopped"});
  publisher.FreeAndTell();
  EXPECT_EQ(listener->told.size(), 1u);
}

TEST_F(FamilyPublisherTest, EveryListenerHearsOfChangesInTheirOrder) {
  // Causes another change when it hears of one, and has that told.
  class Causing final : public EventListener {
   public:
    void OnStallConditionsChanged(const WriteStallInfo& /*info*/) override {
      if (const auto call = std::exchange(cause, nullptr)) call();
    }
    std::function<void()> cause;
  };
  const FamilyRef first = world.Add(0, "a");
  const FamilyRef second = world.Add(1, "b");
  const auto causing = std::make_shared<Causing>();
  causing->cause = [&] {
    Seal(second, 3);
    publisher.Tell();
  };
  auto& listeners = world.f.db->listeners;
  listeners.insert(listeners.begin(), causing);
  Seal(first, 3);
  publisher.FreeAndTell();
  EXPECT_EQ(listener->told,
            (std::vector<std::string>{"a normal>stopped", "b normal>stopped"}));
}

TEST_F(FamilyPublisherTest, WhatNobodyReadsIsFreed) {
  const FamilyRef family = world.Add(0, "a");
  Publish(family);
  Publish(family);
  EXPECT_EQ(world.f.Ticker(NUMBER_SUPERVERSION_CLEANUPS), 0u);
  publisher.FreeAndTell();
  EXPECT_EQ(world.f.Ticker(NUMBER_SUPERVERSION_CLEANUPS), 1u);
}

TEST_F(FamilyPublisherTest, WhereNobodyWritesThereIsNoStall) {
  const FamilyRef family = world.Add(0, "a");
  FamilyPublisher reader{{.db = world.f.db.get(),
                          .mutex = &world.mutex,
                          .families = &world.families,
                          .states = &states,
                          .stalls = nullptr,
                          .attention = &attention}};
  {
    MutexLock lock(&world.mutex);
    family->stall = WriteStallCondition::kDelayed;
    reader.Publish(family->cfd.get());
    reader.Publish(family->cfd.get());
  }
  EXPECT_EQ(SeenStall(family), WriteStallCondition::kDelayed);
  EXPECT_FALSE(attention.IsAsked());
  reader.FreeAndTell();
  EXPECT_EQ(world.f.Ticker(NUMBER_SUPERVERSION_CLEANUPS), 1u);
  EXPECT_TRUE(listener->told.empty());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

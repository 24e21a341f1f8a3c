// Memtables are sealed when they are full, hold an old log, hold too much
// memory or are asked for, each once, together with their log.
#include "db/intake/memtable_switch.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "tests/db/intake/intake_world.h"

namespace ROCKSDB_NAMESPACE {
namespace {

using Families = MemtableSwitch::Families;

class SealedListener final : public EventListener {
 public:
  explicit SealedListener(Mutex* mutex) : mutex_(mutex) {}
  void OnMemTableSealed(const MemTableInfo& info) override {
    const MutexLock lock(mutex_);  // Nobody has it meanwhile.
    infos.push_back(info);
  }
  std::vector<MemTableInfo> infos;

 private:
  Mutex* const mutex_;
};

class MemtableSwitchTest : public ::testing::Test {
 protected:
  void Open() {
    world_.Open();
    family_ = world_.default_family;
    world_.attention.Clear();
  }
  MemtableSwitch* memtables() const { return world_.memtables.get(); }
  Status SealMarked() {
    MutexLock lock(world_.mutex);
    return memtables()->SealMarked();
  }
  Status SealAndQueue(const Families& families, FlushReason reason) {
    MutexLock lock(world_.mutex);
    return memtables()->SealAndQueue(families, reason);
  }
  void NoteFull(ColumnFamilyData* cfd) {
    memtables()->NoteFull(cfd->id(), cfd->mem().get());
  }
  uint64_t CurrentLog() const { return world_.logs->wal()->current_number(); }
  size_t SealedCount(ColumnFamilyData* cfd) const {
    MutexLock lock(world_.mutex);
    return cfd->imm()->size();
  }
  bool HasFlushes() const {
    MutexLock lock(world_.mutex);
    return world_.scheduler.HasFlushes();
  }
  FlushReason ReasonOf(ColumnFamilyData* cfd) const {
    MutexLock lock(world_.mutex);
    return world_.families.Find(cfd->id())->flush_reason;
  }
  // The next log, with something in it.
  void BeginLog() {
    MutexLock lock(world_.mutex);
    const Status s = world_.logs->Switch(world_.logs->NextNumber(), 4096);
    EXPECT_TRUE(s.ok()) << s.ToString();
    world_.Log("key");
  }

  IntakeWorld world_;
  ColumnFamilyData* family_ = nullptr;
};

// --- what is full

TEST_F(MemtableSwitchTest, AFullMemtableIsSealedByTheNextLeader) {
  Open();
  world_.Insert(family_, "k");
  world_.Log("k");
  NoteFull(family_);
  EXPECT_TRUE(world_.attention.IsAsked());
  EXPECT_EQ(SealedCount(family_), 0u);
  const uint64_t log_before = CurrentLog();
  ASSERT_TRUE(SealMarked().ok());
  EXPECT_TRUE(HasFlushes());
  EXPECT_EQ(ReasonOf(family_), FlushReason::kWriteBufferFull);
  EXPECT_GT(CurrentLog(), log_before);
  // Readers see both.
  SuperVersion* const state = family_->AcquireReferenced();
  EXPECT_EQ(state->mem, family_->mem());
  EXPECT_FALSE(ColumnFamilyData::Release(state));
  MutexLock lock(world_.mutex);
  ASSERT_EQ(family_->imm()->size(), 1u);
  // A flush of the one frees the whole log before the other's.
  const MemTableRef sealed = family_->imm()->current()->back();
  EXPECT_EQ(sealed->entry_count(), 1u);
  EXPECT_EQ(sealed->log_number(), log_before);
  EXPECT_EQ(sealed->next_log_number(), CurrentLog());
  EXPECT_TRUE(family_->mem()->empty());
  EXPECT_EQ(family_->mem()->log_number(), CurrentLog());
  EXPECT_EQ(family_->mem()->options().earliest_sequence, 1u);
}

TEST_F(MemtableSwitchTest, ALogIsLeftOnlyIfItHasSomething) {
  Open();
  const uint64_t log = CurrentLog();
  world_.Insert(family_, "k");
  NoteFull(family_);
  ASSERT_TRUE(SealMarked().ok());
  EXPECT_EQ(SealedCount(family_), 1u);
  EXPECT_EQ(CurrentLog(), log);
}

TEST_F(MemtableSwitchTest, TooManyTombstonesAreAReasonOfTheirOwn) {
  world_.f.family.memtable_max_range_deletions = 1;
  Open();
  {
    MutexLock lock(world_.mutex);
    ASSERT_TRUE(family_->mem()->Add(1, kTypeRangeDeletion, "a", "b").ok());
    world_.versions()->SetLastSequence(1);
  }
  NoteFull(family_);
  ASSERT_TRUE(SealMarked().ok());
  EXPECT_EQ(ReasonOf(family_), FlushReason::kMemtableMaxRangeDeletions);
}

// Since it was marked it has been sealed otherwise, or its family is gone.
TEST_F(MemtableSwitchTest, WhatIsEmptyOrGoneIsNotSealed) {
  Open();
  ColumnFamilyData* const other = world_.Add("other");
  NoteFull(family_);
  world_.Insert(other, "k");
  NoteFull(other);
  world_.Drop(other);
  ASSERT_TRUE(SealMarked().ok());
  EXPECT_EQ(SealedCount(family_), 0u);
  EXPECT_FALSE(HasFlushes());
}

TEST_F(MemtableSwitchTest, WhatIsFullTwiceIsSealedOnce) {
  Open();
  world_.Insert(family_, "k");
  NoteFull(family_);
  NoteFull(family_);
  ASSERT_TRUE(SealMarked().ok());
  world_.Insert(family_, "l");
  ASSERT_TRUE(SealMarked().ok());  // It is not full.
  EXPECT_EQ(SealedCount(family_), 1u);
}

// --- what fails

TEST_F(MemtableSwitchTest, WhatCouldNotBeSealedIsTriedAgain) {
  Open();
  world_.Insert(family_, "k");
  world_.Log("k");
  NoteFull(family_);
  const uint64_t log_before = CurrentLog();
  world_.FailNextLog();
  EXPECT_TRUE(SealMarked().IsIOError());
  EXPECT_TRUE(world_.f.fs->failed());
  ASSERT_EQ(world_.told.size(), 1u);
  EXPECT_TRUE(world_.told[0].status.IsIOError());
  EXPECT_EQ(world_.told[0].reason, BackgroundErrorReason::kWriteCallback);
  EXPECT_EQ(CurrentLog(), log_before);
  EXPECT_EQ(SealedCount(family_), 0u);
  EXPECT_FALSE(HasFlushes());
  world_.f.fs->ClearFault();
  ASSERT_TRUE(SealMarked().ok());
  EXPECT_EQ(SealedCount(family_), 1u);
  EXPECT_GT(CurrentLog(), log_before);
}

// --- together

TEST_F(MemtableSwitchTest, FamiliesThatFlushTogetherAreSealedTogether) {
  world_.f.db_options.atomic_flush = true;
  Open();
  ColumnFamilyData* const other = world_.Add("other");
  ColumnFamilyData* const empty = world_.Add("empty");
  world_.Insert(family_, "k");
  world_.Insert(other, "k");
  world_.Log("k");
  NoteFull(other);
  ASSERT_TRUE(SealMarked().ok());
  EXPECT_EQ(SealedCount(family_), 1u);
  EXPECT_EQ(SealedCount(other), 1u);
  EXPECT_EQ(SealedCount(empty), 0u);
  EXPECT_EQ(world_.f.Ticker(ATOMIC_FLUSH_REQUEST_REASON_WRITE_BUFFER_FULL), 1u);
  ASSERT_TRUE(SealAndQueue({family_}, FlushReason::kManualFlush).ok());
  EXPECT_EQ(world_.f.Ticker(ATOMIC_FLUSH_REQUEST_REASON_OTHER), 0u);
}

// What holds nothing holds no log, either.
TEST_F(MemtableSwitchTest, FamiliesWithoutDataNeedNoOlderLog) {
  Open();
  ColumnFamilyData* const other = world_.Add("other");
  ColumnFamilyData* const empty = world_.Add("empty");
  world_.Insert(family_, "k");
  world_.Insert(other, "k");
  world_.Log("k");
  const uint64_t log_before = CurrentLog();
  NoteFull(family_);
  ASSERT_TRUE(SealMarked().ok());
  EXPECT_EQ(SealedCount(other), 0u);
  MutexLock lock(world_.mutex);
  EXPECT_EQ(other->mem()->log_number(), log_before);
  EXPECT_EQ(empty->mem()->log_number(), CurrentLog());
  EXPECT_EQ(world_.f.Ticker(ATOMIC_FLUSH_REQUEST_REASON_WRITE_BUFFER_FULL), 0u);
}

// --- what was asked for

TEST_F(MemtableSwitchTest, WhatIsSealedAlreadyIsQueuedToo) {
  world_.f.family.min_write_buffer_number_to_merge = 2;
  Open();
  world_.Insert(family_, "k");
  NoteFull(family_);
  ASSERT_TRUE(SealMarked().ok());
  EXPECT_FALSE(HasFlushes());  // It waits for another one.
  ASSERT_TRUE(SealAndQueue({family_}, FlushReason::kManualFlush).ok());
  EXPECT_TRUE(HasFlushes());
  EXPECT_EQ(SealedCount(family_), 1u);
}

TEST_F(MemtableSwitchTest, AFamilyThatIsDroppedIsNotFlushed) {
  Open();
  world_.Insert(family_, "k");
  ColumnFamilyData* const other = world_.Add("other");
  world_.Insert(other, "k");
  {
    MutexLock lock(world_.mutex);
    other->MarkDropped();
  }
  ASSERT_TRUE(SealAndQueue({other}, FlushReason::kManualFlush).ok());
  EXPECT_EQ(SealedCount(other), 0u);
  EXPECT_FALSE(HasFlushes());
}

TEST_F(MemtableSwitchTest, ListenersAreToldWithoutTheMutex) {
  const auto listener = std::make_shared<SealedListener>(world_.mutex);
  world_.f.db_options.listeners.push_back(listener);
  Open();
  world_.Insert(family_, "k");
  {
    MutexLock lock(world_.mutex);
    ASSERT_TRUE(family_->mem()->Add(2, kTypeDeletion, "l", "").ok());
    ASSERT_TRUE(family_->mem()->Add(3, kTypeRangeDeletion, "m", "n").ok());
    world_.versions()->SetLastSequence(3);
  }
  ASSERT_TRUE(SealAndQueue({family_}, FlushReason::kManualFlush).ok());
  ASSERT_EQ(listener->infos.size(), 1u);
  const MemTableInfo& info = listener->infos[0];
  EXPECT_EQ(info.cf_name, "default");
  EXPECT_EQ(info.first_seqno, 1u);
  EXPECT_EQ(info.earliest_seqno, 0u);
  EXPECT_EQ(info.num_entries, 3u);
  EXPECT_EQ(info.num_deletes, 1u) << "that of a range is not one of a key";
}

// --- long logs

class LongLogsTest : public MemtableSwitchTest {
 protected:
  void SetUp() override {
    world_.f.db_options.max_total_wal_size = 10;
    Open();
  }
  void MarkForLogSize() {
    MutexLock lock(world_.mutex);
    memtables()->MarkForLogSize();
  }
};

TEST_F(LongLogsTest, OneFamilySeesToItsLogsItself) {
  world_.Insert(family_, "k");
  BeginLog();
  BeginLog();
  world_.logs->SetLimit(10);
  MarkForLogSize();
  ASSERT_TRUE(SealMarked().ok());
  EXPECT_EQ(SealedCount(family_), 0u);
  EXPECT_EQ(world_.logs->limit(), UINT64_MAX);
}

TEST_F(LongLogsTest, WhateverHoldsTheOldestLogIsSealed) {
  world_.Insert(family_, "k");
  world_.Log("k");
  BeginLog();
  ColumnFamilyData* const newer = world_.Add("newer");
  world_.Insert(newer, "k");
  MarkForLogSize();
  EXPECT_EQ(world_.logs->limit(), 10u);
  ASSERT_TRUE(SealMarked().ok());
  EXPECT_EQ(SealedCount(family_), 1u);
  EXPECT_EQ(SealedCount(newer), 0u);
  EXPECT_EQ(ReasonOf(family_), FlushReason::kWalFull);
}

TEST_F(LongLogsTest, WhateverWaitsWithTheOldestLogIsQueued) {
  ColumnFamilyOptions merging = world_.f.family;
  merging.min_write_buffer_number_to_merge = 2;
  ColumnFamilyData* const waiting = world_.Add("waiting", merging);
  world_.Insert(waiting, "k");
  world_.Log("k");
  NoteFull(waiting);
  ASSERT_TRUE(SealMarked().ok());
  ASSERT_FALSE(HasFlushes());
  world_.Log("l");
  MarkForLogSize();
  EXPECT_TRUE(HasFlushes());
  EXPECT_EQ(ReasonOf(waiting), FlushReason::kWalFull);
}

TEST_F(LongLogsTest, NothingIsSealedForLogsThatAreShort) {
  {
    MutexLock lock(world_.mutex);
    MutableDBOptions now = **world_.options;
    now.max_total_wal_size = 1 << 20;
    world_.options->Set(now);
  }
  world_.Add("other");
  world_.Insert(family_, "k");
  BeginLog();
  BeginLog();
  MarkForLogSize();
  EXPECT_EQ(world_.logs->limit(), uint64_t{1} << 20);
  ASSERT_TRUE(SealMarked().ok());
  EXPECT_EQ(SealedCount(family_), 0u);
}

// Four times what memtables may hold, where nothing is said.
TEST_F(LongLogsTest, TheLimitFollowsFromTheMemtables) {
  {
    MutexLock lock(world_.mutex);
    MutableDBOptions now = **world_.options;
    now.max_total_wal_size = 0;
    world_.options->Set(now);
  }
  ColumnFamilyOptions small = world_.f.family;
  small.write_buffer_size = 1 << 20;
  small.max_write_buffer_number = 2;
  world_.Add("small", small);
  const uint64_t of_default =
      uint64_t{world_.f.family.write_buffer_size} *
      static_cast<uint64_t>(world_.f.family.max_write_buffer_number);
  MarkForLogSize();
  EXPECT_EQ(world_.logs->limit(), 4 * (of_default + (uint64_t{2} << 20)));
}

TEST_F(LongLogsTest, SectionsHoldLogsThatNoMemtableHolds) {
  const auto are_held = [this] {
    MutexLock lock(world_.mutex);
    return memtables()->AreLogsHeldBySections();
  };
  const uint64_t held = CurrentLog();
  world_.Insert(family_, "k");
  world_.Log("k");
  BeginLog();
  EXPECT_FALSE(are_held());  // There is no section.
  {
    MutexLock lock(world_.mutex);
    world_.versions()->logs()->Hold(held);
  }
  EXPECT_FALSE(are_held());  // The memtable holds it, too.
  NoteFull(family_);
  ASSERT_TRUE(SealMarked().ok());
  EXPECT_FALSE(are_held());  // It waits for its flush.
  MutexLock lock(world_.mutex);
  const MemTableVector flushed = family_->imm()->PickForFlush(UINT64_MAX);
  family_->imm()->CommitFlush(flushed);
  EXPECT_TRUE(memtables()->AreLogsHeldBySections());
  world_.versions()->logs()->Hold(CurrentLog());
  EXPECT_FALSE(memtables()->AreLogsHeldBySections());
}

// --- memory

TEST_F(MemtableSwitchTest, TheLargestIsSealedWhenMemtablesHoldTooMuch) {
  world_.f.db_options.write_buffer_manager =
      std::make_shared<WriteBufferManager>(1000);
  Open();
  ColumnFamilyData* const large = world_.Add("large");
  world_.Insert(family_, "k");
  world_.Insert(large, "k", std::string(1 << 20, 'v'));
  WriteBufferManager* const manager = world_.memory->manager();
  const auto mark = [this] {
    MutexLock lock(world_.mutex);
    memtables()->MarkForMemory();
    memtables()->MarkForMemory();
  };
  mark();
  ASSERT_TRUE(SealMarked().ok());
  EXPECT_EQ(SealedCount(large), 0u);
  manager->ReserveMem(1000);
  mark();
  ASSERT_TRUE(SealMarked().ok());
  EXPECT_EQ(SealedCount(large), 1u);
  EXPECT_EQ(SealedCount(family_), 0u);
  EXPECT_EQ(ReasonOf(large), FlushReason::kWriteBufferManager);
  manager->ScheduleFreeMem(1000);
  manager->FreeMem(1000);
}

// --- batches that become memtables

TEST_F(MemtableSwitchTest, WhatIsOlderThanABatchIsSealedAndNotQueued) {
  Open();
  ColumnFamilyData* const other = world_.Add("other");
  world_.Insert(family_, "k");
  world_.Insert(other, "k");
  {
    MutexLock lock(world_.mutex);
    ASSERT_TRUE(memtables()->SealOlder({family_}).ok());
    ASSERT_TRUE(memtables()->SealOlder({family_}).ok());  // There is nothing.
  }
  EXPECT_EQ(SealedCount(family_), 1u);
  EXPECT_EQ(SealedCount(other), 0u);
  EXPECT_FALSE(HasFlushes());
}

TEST_F(MemtableSwitchTest, ABatchThatIsSealedIsFullNoMore) {
  Open();
  world_.Insert(family_, "batch");
  NoteFull(family_);
  {
    MutexLock lock(world_.mutex);
    memtables()->SealNew({family_});
  }
  EXPECT_EQ(SealedCount(family_), 1u);
  EXPECT_TRUE(HasFlushes());
  world_.Insert(family_, "next");
  ASSERT_TRUE(SealMarked().ok());
  EXPECT_EQ(SealedCount(family_), 1u);
}

TEST_F(MemtableSwitchTest, ABatchThatCouldNotBeSealedIsFull) {
  Open();
  world_.Insert(family_, "batch");
  world_.Log("before");
  world_.FailNextLog();
  {
    MutexLock lock(world_.mutex);
    memtables()->SealNew({family_});
  }
  EXPECT_EQ(SealedCount(family_), 0u);
  EXPECT_TRUE(world_.attention.IsAsked());
  world_.f.fs->ClearFault();
  ASSERT_TRUE(SealMarked().ok());
  EXPECT_EQ(SealedCount(family_), 1u);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

// Writers wait while memory or background work has no room, pay for what was
// written, are refused if they must not wait, and never wait in vain.
#include "db/intake/writer_stalls.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <string>
#include <thread>

#include "db/write/exclusive.h"
#include "tests/db/intake/intake_world.h"

namespace ROCKSDB_NAMESPACE {
namespace {

constexpr uint64_t kBytesPerSecond = 1'000'000;  // One a microsecond.
constexpr size_t kMemoryLimit = 1000;

class WriterStallsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    world_.f.db_options.write_buffer_manager =
        std::make_shared<WriteBufferManager>(kMemoryLimit, nullptr,
                                             /*allow_stall=*/true);
    world_.Open();
    stalls_ = world_.waits.get();
    impatient_.no_slowdown = true;
    world_.attention.Clear();
  }
  WriteBufferManager* manager() const { return world_.memory->manager(); }
  Status WaitForWork(const WriteOptions& options) {
    MutexLock lock(world_.mutex);
    return stalls_->WaitForWork(options);
  }
  Status WaitForMemory(const WriteOptions& options) {
    MutexLock lock(world_.mutex);
    return stalls_->WaitForMemory(options);
  }
  void StopWriters() {
    world_.controller.Update(WriteStallCondition::kStopped, 0);
  }
  void DelayWriters() {
    world_.controller.Update(WriteStallCondition::kDelayed, kBytesPerSecond);
  }
  void LetWritersGo() {
    MutexLock lock(world_.mutex);
    world_.controller.Update(WriteStallCondition::kNormal, 0);
    world_.changes.Note();
  }
  uint64_t CountedMicros() const { return world_.f.Ticker(STALL_MICROS); }
  std::string MemoryStops() const {
    return world_.counts.StallMap().begin()->second;
  }

  // A writer of that kind that comes while the leader waits.
  Status Join(const WriteOptions& options) {
    WriteBatch batch;
    WriteThread::Writer writer;
    writer.batch = &batch;
    writer.options = &options;
    EXPECT_EQ(world_.writes.Join(&writer), WriteThread::State::kDone);
    return writer.status;
  }

  // The leader of all writes, which waits in a thread of its own.
  class Leader {
   public:
    template <class Wait>
    Leader(WriterStallsTest* test, const Wait& wait)
        : test_(test), thread_([this, wait] {
            const Exclusive leads(&test_->world_.writes);
            MutexLock lock(test_->world_.mutex);
            has_begun_ = true;
            status_ = wait();
            has_ended_ = true;
          }) {}
    // Until it has given the mutex back, which it does to wait, or ends.
    void AwaitWait() const {
      while (!has_begun_) std::this_thread::yield();
      MutexLock lock(test_->world_.mutex);
    }
    bool has_ended() const { return has_ended_; }
    Status Join() {
      thread_.join();
      return status_;
    }

   private:
    WriterStallsTest* const test_;
    std::atomic<bool> has_begun_{false};
    std::atomic<bool> has_ended_{false};
    Status status_ = Status::Busy();
    std::thread thread_;
  };

  IntakeWorld world_;
  WriterStalls* stalls_ = nullptr;
  WriteOptions patient_;
  WriteOptions impatient_;
};

// --- for work

TEST_F(WriterStallsTest, NobodyWaitsWhileAllIsWell) {
  stalls_->NoteWritten(1 << 20);
  EXPECT_TRUE(WaitForWork(impatient_).ok());
  EXPECT_TRUE(WaitForMemory(impatient_).ok());
  EXPECT_TRUE(stalls_->WaitAtLowPriority(impatient_, 1 << 20).ok());
  EXPECT_EQ(CountedMicros(), 0u);
  EXPECT_FALSE(world_.attention.IsAsked());
}

// The next leader is to have a look as well.
TEST_F(WriterStallsTest, WhoeverMustNotWaitIsRefusedWhileWritersAreStopped) {
  StopWriters();
  EXPECT_TRUE(WaitForWork(impatient_).IsIncomplete());
  EXPECT_TRUE(world_.attention.IsAsked());
}

TEST_F(WriterStallsTest, WritersThatAreStoppedWaitForAChange) {
  StopWriters();
  Leader leader(this, [this] { return stalls_->WaitForWork(patient_); });
  leader.AwaitWait();
  EXPECT_FALSE(leader.has_ended());
  // Those behind it that must not wait do not.
  EXPECT_TRUE(Join(impatient_).IsIncomplete());
  world_.changes.Note();  // Something else changes.
  leader.AwaitWait();
  EXPECT_FALSE(leader.has_ended());
  world_.clock.Advance(250);
  LetWritersGo();
  EXPECT_TRUE(leader.Join().ok());
  EXPECT_EQ(CountedMicros(), 250u);
  EXPECT_EQ(world_.counts.Map(0).at("db.user_write_stall_micros"), "250");
}

TEST_F(WriterStallsTest, AnErrorIsWhatStoppedWritersGet) {
  StopWriters();
  world_.FailWrites();
  EXPECT_TRUE(WaitForWork(patient_).IsIOError());
}

TEST_F(WriterStallsTest, StoppedWritersEndWithTheDatabase) {
  StopWriters();
  Leader leader(this, [this] { return stalls_->WaitForWork(patient_); });
  leader.AwaitWait();
  world_.clock.Advance(40);
  {
    MutexLock lock(world_.mutex);
    world_.stop.ShutDown();
    world_.changes.Note();
  }
  EXPECT_TRUE(leader.Join().IsShutdownInProgress());
  // It has waited all the same.
  EXPECT_EQ(CountedMicros(), 40u);
}

TEST_F(WriterStallsTest, ADelayedGroupPaysForTheOneBefore) {
  DelayWriters();
  stalls_->NoteWritten(3000);
  // A millisecond is for the clock's grain.
  Leader leader(this, [this] { return stalls_->WaitForWork(patient_); });
  leader.AwaitWait();
  EXPECT_FALSE(leader.has_ended());
  world_.clock.Advance(2000);
  EXPECT_TRUE(leader.Join().ok());
  EXPECT_EQ(CountedMicros(), 2000u);
  EXPECT_TRUE(world_.attention.IsAsked());
  // It has paid: once.
  EXPECT_TRUE(WaitForWork(impatient_).ok());
}

TEST_F(WriterStallsTest, WhoeverMustNotWaitIsRefusedWhileAGroupIsPaidFor) {
  DelayWriters();
  stalls_->NoteWritten(3000);
  EXPECT_TRUE(WaitForWork(impatient_).IsIncomplete());
}

TEST_F(WriterStallsTest, ADelayEndsWithItsCause) {
  DelayWriters();
  stalls_->NoteWritten(uint64_t{3600} * kBytesPerSecond);
  Leader leader(this, [this] { return stalls_->WaitForWork(patient_); });
  leader.AwaitWait();
  EXPECT_FALSE(leader.has_ended());
  LetWritersGo();
  EXPECT_TRUE(leader.Join().ok());
}

// --- at low priority

TEST_F(WriterStallsTest, AtLowPriorityNobodyIsSlowedDownWhoMustNotBe) {
  DelayWriters();
  EXPECT_TRUE(stalls_->WaitAtLowPriority(impatient_, 1).IsIncomplete());
  EXPECT_TRUE(stalls_->WaitAtLowPriority(patient_, 1).ok());
  LetWritersGo();
  EXPECT_TRUE(stalls_->WaitAtLowPriority(impatient_, 1).ok());
}

// --- for memory

TEST_F(WriterStallsTest, WhoeverMustNotWaitForMemoryIsRefused) {
  manager()->ReserveMem(kMemoryLimit);
  EXPECT_TRUE(WaitForMemory(impatient_).IsIncomplete());
  EXPECT_EQ(MemoryStops(), "0");
  manager()->ScheduleFreeMem(kMemoryLimit);
  manager()->FreeMem(kMemoryLimit);
  EXPECT_TRUE(WaitForMemory(impatient_).ok());
}

TEST_F(WriterStallsTest, WhoeverWaitsForMemoryHasTheLargestMemtableFlushed) {
  ColumnFamilyData* const large = world_.Add("large");
  world_.Insert(world_.default_family, "k");
  world_.Insert(large, "k", std::string(1 << 20, 'v'));
  manager()->ReserveMem(kMemoryLimit);
  Leader leader(this, [this] { return stalls_->WaitForMemory(patient_); });
  // The stall of the manager begins when the leader is about to wait.
  while (!manager()->IsStallActive()) std::this_thread::yield();
  {
    MutexLock lock(world_.mutex);
    EXPECT_EQ(large->imm()->size(), 1u);
    EXPECT_TRUE(world_.default_family->imm()->empty());
    EXPECT_TRUE(world_.scheduler.HasFlushes());
    EXPECT_EQ(world_.families.Find(large->id())->flush_reason,
              FlushReason::kWriteBufferManager);
  }
  EXPECT_FALSE(leader.has_ended());
  EXPECT_TRUE(Join(impatient_).IsIncomplete());
  world_.clock.Advance(70);
  manager()->ScheduleFreeMem(kMemoryLimit);
  manager()->FreeMem(kMemoryLimit);
  EXPECT_TRUE(leader.Join().ok());
  EXPECT_EQ(CountedMicros(), 70u);
  EXPECT_EQ(MemoryStops(), "1");
}

TEST_F(WriterStallsTest, NobodyWaitsForMemoryOfADatabaseThatFailsOrCloses) {
  manager()->ReserveMem(kMemoryLimit);
  world_.FailWrites();
  EXPECT_TRUE(WaitForMemory(patient_).IsIOError());
  world_.stop.ShutDown();
  EXPECT_TRUE(WaitForMemory(patient_).IsShutdownInProgress());
}

// Whoever closes the database, or stops its writes, ends the wait.
TEST_F(WriterStallsTest, AWaitForMemoryThatIsEndedLooksAgain) {
  manager()->ReserveMem(kMemoryLimit);
  Leader leader(this, [this] { return stalls_->WaitForMemory(patient_); });
  while (!manager()->IsStallActive()) std::this_thread::yield();
  world_.clock.Advance(30);
  {
    MutexLock lock(world_.mutex);
    world_.stop.ShutDown();
    world_.memory->EndWait();
  }
  EXPECT_TRUE(leader.Join().IsShutdownInProgress());
  EXPECT_EQ(CountedMicros(), 30u);
}

// What could not be sealed is told to the writer, who does not wait for it.
TEST_F(WriterStallsTest, ALogThatCannotBeBegunEndsAWaitForMemory) {
  world_.Insert(world_.default_family, "k");
  world_.Log("k");
  manager()->ReserveMem(kMemoryLimit);
  world_.FailNextLog();
  Leader leader(this, [this] { return stalls_->WaitForMemory(patient_); });
  EXPECT_TRUE(leader.Join().IsIOError());
  EXPECT_FALSE(manager()->IsStallActive());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

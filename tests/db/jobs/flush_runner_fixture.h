// Flushes that a test asks for, one by one, and what listeners are told of
// them.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "db/manifest/needed_logs.h"
#include "tests/db/intake/flushing_world.h"

namespace ROCKSDB_NAMESPACE {

// Is told of flushes without the mutex, and may do something about them.
class FlushWatch final : public EventListener {
 public:
  void OnFlushBegin(DB* /*db*/, const FlushJobInfo& info) override {
    lines.push_back("begins " + info.cf_name);
    if (on_begin != nullptr) on_begin();
  }
  void OnFlushCompleted(DB* /*db*/, const FlushJobInfo& info) override {
    lines.push_back("made " + std::to_string(info.file_number) + " of " +
                    info.cf_name);
    if (on_completed != nullptr) on_completed();
  }

  std::vector<std::string> lines;
  std::function<void()> on_begin;
  std::function<void()> on_completed;
};

class FlushRunnerFixture : public ::testing::Test {
 protected:
  void Open() {
    world_.f.db_options.listeners.push_back(watch_);
    world_.Open();
    family_ = world_.default_family;
  }
  // Seals what they hold, and queues it.
  void Ask(const std::vector<ColumnFamilyData*>& families,
           FlushReason reason = FlushReason::kManualFlush) {
    MutexLock lock(world_.mutex);
    ASSERT_TRUE(world_.memtables->SealAndQueue(families, reason).ok());
  }
  // A memtable that nobody has asked a flush of.
  void Seal(ColumnFamilyData* cfd, const std::string& key) {
    world_.Insert(cfd, key);
    MutexLock lock(world_.mutex);
    ASSERT_TRUE(world_.memtables->SealOlder({cfd}).ok());
  }
  void AskForFull(ColumnFamilyData* cfd) {
    MutexLock lock(world_.mutex);
    world_.flushes->Queue(cfd, FlushReason::kWriteBufferFull);
    world_.scheduler.MaybeSchedule();
  }
  void RunJobs() {
    while (world_.env.job_count() > 0) world_.env.RunNext();
  }
  // Clears the error as recovery would, and flushes what has waited.
  void TryAgain() {
    {
      MutexLock lock(world_.mutex);
      world_.errors.Clear();
      for (ColumnFamilyData* cfd : world_.families.All()) {
        if (cfd->imm()->empty()) continue;
        world_.flushes->Queue(cfd, FlushReason::kErrorRecovery);
      }
      world_.scheduler.MaybeSchedule();
    }
    RunJobs();
  }
  void Put(const std::string& key) {
    WriteBatch batch;
    ASSERT_TRUE(batch.Put(key, "v").ok());
    ASSERT_TRUE(world_.pipeline->Write(WriteOptions(), &batch, nullptr).ok());
  }
  size_t WaitingCount(ColumnFamilyData* cfd) const {
    MutexLock lock(world_.mutex);
    return cfd->imm()->size();
  }
  size_t TableCount(ColumnFamilyData* cfd) const {
    MutexLock lock(world_.mutex);
    return cfd->current()->storage().FileCount();
  }
  uint64_t MinLogToKeep() const {
    MutexLock lock(world_.mutex);
    return world_.versions()->logs()->min_to_keep();
  }
  uint64_t CurrentLog() const { return world_.logs->wal()->current_number(); }

  const std::shared_ptr<FlushWatch> watch_ = std::make_shared<FlushWatch>();
  FlushingWorld world_;
  ColumnFamilyData* family_ = nullptr;
};

}  // namespace ROCKSDB_NAMESPACE

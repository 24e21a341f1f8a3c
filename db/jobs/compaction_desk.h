// What a background thread that has time for compactions does: takes what a
// user waits for, or what is due, picks, sees to room and limits, and has it
// run, here or later in the pool of compactions to the last level.
//
// Threads    The two jobs run without the DB mutex, in the scheduler's threads.
//            What is marked (mutex) is called under it.
// Ownership  Borrows what it is given.
#pragma once

#include <memory>

#include "rocksdb/status.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

class BackgroundScheduler;
class ChangeSignal;
class CompactionQueue;
class CompactionRunner;
class FamilyRegistry;
class JobErrors;
class ManualQueue;
class PickerInputs;
class SpaceReserve;
class StopSignals;
struct Compaction;
struct CompactionTurn;
struct FamilyEntry;
struct ManualCompaction;

class CompactionDesk {
 public:
  struct Context {
    Mutex* mutex = nullptr;
    const PickerInputs* inputs = nullptr;
    const FamilyRegistry* families PT_GUARDED_BY(mutex) = nullptr;
    BackgroundScheduler* scheduler PT_GUARDED_BY(mutex) = nullptr;
    ManualQueue* manual PT_GUARDED_BY(mutex) = nullptr;
    CompactionQueue* queue = nullptr;
    CompactionRunner* runner = nullptr;
    const SpaceReserve* space = nullptr;
    const StopSignals* stop = nullptr;
    ChangeSignal* changes = nullptr;
    JobErrors* errors = nullptr;
  };
  explicit CompactionDesk(const Context& context) : context_(context) {}
  CompactionDesk(const CompactionDesk&) = delete;
  CompactionDesk& operator=(const CompactionDesk&) = delete;

  // The scheduler's jobs.
  void Compact() EXCLUDES(context_.mutex);
  void CompactToBottom() EXCLUDES(context_.mutex);

 private:
  void RunAutomatic(FamilyEntry* family, CompactionTurn turn)
      REQUIRES(context_.mutex);
  void RunLimited(FamilyEntry* family, CompactionTurn turn)
      REQUIRES(context_.mutex);
  void RunPicked(FamilyEntry* family, CompactionTurn turn)
      REQUIRES(context_.mutex);
  bool BelongsToBottom(const Compaction& compaction) const
      REQUIRES(context_.mutex);
  void Defer(FamilyEntry* family, std::unique_ptr<Compaction> compaction)
      REQUIRES(context_.mutex);
  void RunManualInPlace(ManualCompaction* manual) REQUIRES(context_.mutex);
  void RunManual(ManualCompaction* manual) REQUIRES(context_.mutex);
  Status RunPart(ManualCompaction* manual, FamilyEntry* family,
                 std::unique_ptr<Compaction> compaction)
      REQUIRES(context_.mutex);

  const Context context_;
};

}  // namespace ROCKSDB_NAMESPACE

// The compactions that users wait for, and which of them may begin.
//
// Threads    Under the DB mutex: whoever has one guards it.
// Ownership  Borrows the compactions, which are their callers'.
#pragma once

#include <list>

#include "db/background/manual_compaction.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

class ManualQueue {
 public:
  void Add(ManualCompaction* manual);
  void Remove(ManualCompaction* manual);
  // Nobody waits, and no CompactFiles() runs.
  bool IsIdle() const { return waiting_.empty() && running_files_ == 0; }
  bool empty() const { return waiting_.empty(); }

  bool MayBegin(const ManualCompaction& manual) const {
    return !manual.running && !manual.done && !IsAborted(manual) &&
           (exclusive_ == nullptr || exclusive_ == &manual);
  }
  // How many may, and the first of them; null: none.
  int CountToBegin() const;
  ManualCompaction* NextToBegin() const;
  // Does one of the family's wait for running compactions to end?
  bool IsBlocked(const ColumnFamilyData* cfd) const;
  // Does one of the family's wait, or run?
  bool HasOf(const ColumnFamilyData* cfd) const;

  // Beside one that is exclusive no other compaction begins, whoever wants it.
  bool HasExclusive() const { return exclusive_ != nullptr; }
  bool IsExclusive(const ManualCompaction* manual) const {
    return exclusive_ == manual;
  }
  void SetExclusive(const ManualCompaction* manual) {
    INVARIANT(manual != nullptr && exclusive_ == nullptr);
    exclusive_ = manual;
  }
  void EndExclusive() { exclusive_ = nullptr; }

  // CompactFiles(), which runs in its caller's thread.
  void BeginFiles() { ++running_files_; }
  void EndFiles() {
    INVARIANT(running_files_ > 0);
    --running_files_;
  }

 private:
  // Those of its family are (FamilySchedule::compaction_aborts).
  static bool IsAborted(const ManualCompaction& manual);

  std::list<ManualCompaction*> waiting_;  // or running; the oldest first
  const ManualCompaction* exclusive_ = nullptr;
  int running_files_ = 0;
};

}  // namespace ROCKSDB_NAMESPACE

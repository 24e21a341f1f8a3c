// Prepared sections of the log that nothing has ended yet, while the database
// is open.
//
// A section is written to the log, and a copy of it kept here, until a later
// write commits it or rolls it back. As long as it is there its log is held;
// from then on the memtables that have its updates hold it, until they are
// flushed.
//
// Threads    Keep() and End() in the turn of a write. Recover() and MoveAllTo()
//            under the DB mutex. The others without it, by any.
// Ownership  Borrows what it is given.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "options/db_options.h"
#include "rocksdb/status.h"
#include "rocksdb/write_batch.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

class PreparedSections;
class VersionSet;
struct RecoveredSection;
struct SectionWrite;

class SectionKeeper {
 public:
  SectionKeeper(Mutex* mutex, VersionSet* versions, SectionPolicy policy);
  ~SectionKeeper();
  SectionKeeper(const SectionKeeper&) = delete;
  SectionKeeper& operator=(const SectionKeeper&) = delete;

  // The policy by which the log has transactions now.
  SectionPolicy policy() const {
    return policy_.load(std::memory_order_relaxed);
  }
  // Another one from now on. (mutex)
  //
  // Errors  NotSupported: sections may be in logs that are kept.
  Status Adopt(SectionPolicy policy);

  // What a section has between its markers.
  static Status UpdatesOf(const WriteBatch& section, WriteBatch* updates);

  // It is in log `log_number`, before anything could have that go.
  void Keep(const SectionWrite& write, const WriteBatch& section,
            uint64_t log_number) EXCLUDES(mutex_);
  // What ends it is in the memtables.
  void End(const SectionWrite& write) EXCLUDES(mutex_);

  bool Has(const std::string& name) EXCLUDES(mutex_);
  // Is there one that is prepared? Else, if there is one at all, it grows.
  bool HasPrepared(const std::string& name) EXCLUDES(mutex_);
  // The oldest log that has some of it; 0: there is none.
  uint64_t LogOf(const std::string& name) EXCLUDES(mutex_);
  bool IsEmpty() EXCLUDES(mutex_);

  // --- at open, and for a log that takes the place of others
  // Those that a replay has found. (mutex)
  void Recover(const PreparedSections& found);
  // The same, once.
  std::vector<RecoveredSection> TakeRecovered() EXCLUDES(mutex_);
  // Records that hold all sections.
  Status MakeRecords(std::vector<WriteBatch>* records) EXCLUDES(mutex_);
  // They were written to that log, which is held from now on. (mutex)
  void MoveAllTo(uint64_t log_number);

 private:
  Mutex* const mutex_;  // the DB mutex
  VersionSet* const versions_;
  // Under the mutex. A write that does not know yet is as one before.
  std::atomic<SectionPolicy> policy_;
  const std::unique_ptr<PreparedSections> sections_ PT_GUARDED_BY(mutex_);
  bool has_recovered_ GUARDED_BY(mutex_) = true;  // something to be taken
  bool has_had_some_ GUARDED_BY(mutex_) = false;
};

}  // namespace ROCKSDB_NAMESPACE

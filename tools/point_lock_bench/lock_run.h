// The threads of point_lock_bench: each begins a transaction, locks some keys,
// and lets them go, again and again. Beside the locks it counts who is inside,
// so that a lock that is given twice is found out.
//
// Threads  Run() from one thread, once.

#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/statistics.h"
#include "rocksdb/status.h"
#include "rocksdb/utilities/transaction_db.h"
#include "tools/point_lock_bench/settings.h"

namespace ROCKSDB_NAMESPACE::lock_bench {

struct Counts {
  uint64_t transactions = 0;
  uint64_t locks = 0;
  uint64_t timeouts = 0;
  uint64_t deadlocks = 0;
  // Locks that were given beside another one that excludes them.
  uint64_t violations = 0;
  Status failure;  // the first that is none of these

  void Add(const Counts& other);
};

class LockRun {
 public:
  // `db` outlives it.
  LockRun(const Settings& settings, TransactionDB* db);

  // Prints what it found. False: a call failed, or a lock was given twice.
  bool Run();

 private:
  class Thread;

  // How many hold a key: exclusively in the upper 32 bits, shared in the lower
  // ones.
  struct Holders {
    std::atomic<uint64_t> count{0};
  };

  void PrintResults(const Counts& all, double elapsed_seconds) const;

  const Settings settings_;
  TransactionDB* const db_;
  std::vector<Holders> holders_;
  // How long each try to lock took, in nanoseconds, in the histogram DB_GET.
  const std::shared_ptr<Statistics> latencies_;
  std::atomic<bool> is_over_{false};
};

}  // namespace ROCKSDB_NAMESPACE::lock_bench

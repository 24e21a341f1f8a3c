#include "tools/point_lock_bench/settings.h"

#include <cinttypes>
#include <cstdio>

#include "tools/common/flags.h"

namespace ROCKSDB_NAMESPACE::lock_bench {

namespace {

// Null: nothing is wrong.
const char* ProblemOf(const Settings& settings) {
  if (settings.threads == 0) return "--threads must be at least 1.";
  if (settings.keys_per_txn == 0) return "--keys_per_txn must be at least 1.";
  if (settings.keys_per_txn > settings.keys) {
    return "--keys must be at least --keys_per_txn.";
  }
  if (settings.shared_percent > 100) {
    return "--shared_percent must be at most 100.";
  }
  if (!(settings.seconds > 0.0)) return "--seconds must be greater than 0.";
  return nullptr;
}

}  // namespace

std::optional<int> ParseSettings(int argc, char** argv, Settings* settings) {
  tools::Flags flags;
  flags.Add("db", &settings->db,
            "the database, which is made and destroyed; empty: one in memory");
  flags.Add("threads", &settings->threads, "threads at a time");
  flags.Add("keys", &settings->keys, "different keys");
  flags.Add("keys_per_txn", &settings->keys_per_txn,
            "keys that a transaction locks, one after the other");
  flags.Add("seconds", &settings->seconds, "how long it runs");
  flags.Add("transactions_per_thread", &settings->transactions_per_thread,
            "ends the run earlier; 0: the time alone counts");
  flags.Add("stripes", &settings->stripes, "parts of the lock table");
  flags.Add("shared_percent", &settings->shared_percent,
            "locks that others may share");
  flags.Add("lock_timeout_ms", &settings->lock_timeout_ms,
            "milliseconds to wait for a lock; less than 0: no limit");
  flags.Add("expiration_ms", &settings->expiration_ms,
            "milliseconds after which others may take a lock; less than 0: "
            "never");
  flags.Add("deadlock_detect", &settings->deadlock_detect,
            "looks for deadlocks before it waits");
  flags.Add("sorted_keys", &settings->sorted_keys,
            "locks in the order of keys, so that no deadlock can be");
  flags.Add("hold_micros", &settings->hold_micros,
            "microseconds of rest while all locks are held");
  flags.Add("seed", &settings->seed, "of the random numbers");
  if (!flags.Parse("measures locks on keys", argc, argv))
    return flags.exit_status();
  const char* const problem = ProblemOf(*settings);
  if (problem == nullptr) return std::nullopt;
  std::fprintf(stderr, "%s\n", problem);
  return 1;
}

void PrintSettings(const Settings& settings) {
  std::printf("----------------------------\n");
  std::printf("%-20s: %" PRIu32 "\n", "Number of threads", settings.threads);
  std::printf("%-20s: %" PRIu64 "\n", "Keys", settings.keys);
  std::printf("%-20s: %" PRIu32 "\n", "Keys per transaction",
              settings.keys_per_txn);
  std::printf("%-20s: %" PRIu32 "%%\n", "Shared locks",
              settings.shared_percent);
  std::printf("%-20s: %" PRIu32 "\n", "Stripes", settings.stripes);
  std::printf("%-20s: %" PRId64 " ms\n", "Lock timeout",
              settings.lock_timeout_ms);
  std::printf("%-20s: %d\n", "Deadlock detection",
              settings.deadlock_detect ? 1 : 0);
  std::printf("----------------------------\n");
}

}  // namespace ROCKSDB_NAMESPACE::lock_bench

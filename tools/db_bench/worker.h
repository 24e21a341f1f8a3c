// What a benchmark thread is given to work with.
//
// Threads    A Worker is confined to its thread. SharedState is common to the
//            threads of one run.
// Ownership  Borrows the database and the shared state, which outlive it.

#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "rocksdb/db.h"
#include "rocksdb/options.h"
#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/status.h"
#include "tools/db_bench/keys.h"
#include "tools/db_bench/pacer.h"
#include "tools/db_bench/random.h"
#include "tools/db_bench/stats.h"
#include "tools/db_bench/values.h"

namespace ROCKSDB_NAMESPACE::bench {

struct SharedState {
  SharedState(uint64_t write_rate, uint64_t read_rate)
      : write_pacer(write_rate), read_pacer(read_rate) {}

  Pacer write_pacer;  // In bytes.
  Pacer read_pacer;   // In operations.

  // Threads that are measured and have not ended; the background writer goes
  // on until there are none.
  std::atomic<int> measured_threads{0};
};

struct Worker {
  DB* db = nullptr;  // Null in benchmarks that use no database.
  SharedState* shared = nullptr;
  const std::vector<std::string>* existing_keys = nullptr;  // May be null.
  ValueShape value_shape;
  ReadOptions read_options;
  WriteOptions write_options;
  Random random{0};
  Stats stats{Stats::Context()};

  // The numbers of the keys: [0, KeyCount()).
  uint64_t KeyCount() const;
  KeyBuffer MakeKeyBuffer() const;

  // Waits for the turn to read `count` more entries; the time of no operation.
  void WaitToRead(uint64_t count) {
    if (!shared->read_pacer.is_limited()) return;
    shared->read_pacer.Wait(count);
    stats.SkipWait();
  }
};

// Says when a benchmark has done enough: after a number of operations, or
// after --duration seconds if those are given and allowed.
class Budget {
 public:
  enum class Limit { kOperations, kOperationsOrDuration };

  Budget(uint64_t operations, Limit limit);

  // Whether `count` more operations are to be done; they count as done.
  bool Take(uint64_t count) {
    if (seconds_ == 0) {
      if (done_ >= operations_) return false;
      done_ += count;
      return true;
    }
    done_ += count;
    return done_ < next_look_ || StillHasTime();
  }

 private:
  bool StillHasTime();

  const uint64_t operations_;
  const int64_t seconds_;
  const std::chrono::steady_clock::time_point start_;
  uint64_t done_ = 0;
  uint64_t next_look_ = 0;
};

}  // namespace ROCKSDB_NAMESPACE::bench

// What point_lock_bench is told by its flags.
//
// Threads  A plain value.

#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE::lock_bench {

struct Settings {
  std::string db;  // empty: one in memory
  uint32_t threads = 8;
  uint64_t keys = 1000;
  uint32_t keys_per_txn = 3;
  double seconds = 5.0;
  // Ends the run earlier; 0: the time alone counts.
  uint64_t transactions_per_thread = 0;
  uint32_t stripes = 16;
  uint32_t shared_percent = 0;
  int64_t lock_timeout_ms = 1000;
  int64_t expiration_ms = -1;
  bool deadlock_detect = true;
  bool sorted_keys = false;
  uint32_t hold_micros = 0;
  uint64_t seed = 1;
};

// The status to end with, whose reason was told; none: the program goes on.
std::optional<int> ParseSettings(int argc, char** argv, Settings* settings);

void PrintSettings(const Settings& settings);

}  // namespace ROCKSDB_NAMESPACE::lock_bench

// What a process has in memory beside what its database says it has: looked at
// some times a second, the highest of each kept.

#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <thread>

#include "tools/c_bench/database.h"

namespace c_bench {

class MemoryWatch {
 public:
  // Begins to watch; what is resident now is the program's own.
  explicit MemoryWatch(const Database& database);
  // Ends it and prints what was found.
  ~MemoryWatch();
  MemoryWatch(const MemoryWatch&) = delete;
  MemoryWatch& operator=(const MemoryWatch&) = delete;

 private:
  // In bytes.
  struct Amounts {
    uint64_t resident = 0;
    uint64_t cache = 0;
    uint64_t pinned = 0;
    uint64_t memtables = 0;
    uint64_t readers = 0;
  };

  void Watch();

  const Database& database_;
  Amounts most_;
  // Our engine's own account when the most was resident.
  std::string account_;
  std::atomic<bool> is_over_ = false;
  std::thread thread_;
};

}  // namespace c_bench

// Whether what background jobs write through the page cache may stay there.
//
// A job leaves there no more than it found: its inputs' pages go with them, and
// what nobody uses is free. More would push out what users read. Where there is
// no room, outputs leave the page cache as they are written; what of them is
// hot is brought back (see HeatKeeper).
//
// Threads  Safe for concurrent use.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE {

class PageCacheRoom {
 public:
  // Asks how much memory is free for the process.
  PageCacheRoom();
  // `free_bytes` tells how much memory is free.
  explicit PageCacheRoom(std::function<uint64_t()> free_bytes);

  // A job begins that writes up to `needed` bytes, and whose inputs have
  // `found` bytes in the page cache. Has it room?
  bool NoteJob(uint64_t needed, uint64_t found);

  // Did the latest job find no room? False before the first job.
  bool is_short() const { return is_short_.load(std::memory_order_relaxed); }

 private:
  const std::function<uint64_t()> free_bytes_;
  std::atomic<bool> is_short_{false};
};

}  // namespace ROCKSDB_NAMESPACE

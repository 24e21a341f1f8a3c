// What a database counts of its write path for its own report, with or without
// a Statistics object: "dbstats" and the stalls that are nobody's family's.
//
// Threads  The leader of the writes calls AddGroup(), the thread that writes
//          the log AddLogged(): one at a time each. Any thread makes the other
//          calls, but TakeText() one at a time (DB mutex), since it remembers
//          what the call before has told.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <string>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE {

class DatabaseStats {
 public:
  explicit DatabaseStats(uint64_t now_micros) : start_micros_(now_micros) {}

  struct Group {
    uint64_t writes = 0;
    uint64_t keys = 0;
    uint64_t bytes = 0;
  };
  void AddGroup(const Group& group);
  // `writes` writes of one group were logged as one record.
  void AddLogged(uint64_t writes, uint64_t record_bytes);
  void AddWalSync() { Increase(&wal_syncs_, 1); }
  void AddStall(uint64_t micros) { Increase(&stall_micros_, micros); }
  // Writers have begun to wait for the write buffer manager.
  void AddBufferManagerStop() { Increase(&buffer_manager_stops_, 1); }
  void Reset(uint64_t now_micros);

  // Cumulative, and since the call before.
  std::string TakeText(uint64_t now_micros);
  std::map<std::string, std::string> Map(uint64_t now_micros) const;
  std::string StallText() const;
  std::map<std::string, std::string> StallMap() const;

 private:
  struct Numbers {
    uint64_t at_micros = 0;
    uint64_t writes = 0, groups = 0, keys = 0, bytes = 0;
    uint64_t logged_writes = 0, wal_bytes = 0, wal_syncs = 0;
    uint64_t stall_micros = 0;
  };

  static void Increase(std::atomic<uint64_t>* number, uint64_t by) {
    number->fetch_add(by, std::memory_order_relaxed);
  }
  Numbers Now(uint64_t now_micros) const;
  static std::string Lines(const char* what, const Numbers& from,
                           const Numbers& to);

  uint64_t start_micros_;
  Numbers told_;
  // Relaxed: numbers that are only ever summed up.
  std::atomic<uint64_t> writes_{0}, groups_{0}, keys_{0}, bytes_{0};
  std::atomic<uint64_t> logged_writes_{0}, wal_bytes_{0}, wal_syncs_{0};
  std::atomic<uint64_t> stall_micros_{0}, buffer_manager_stops_{0};
};

}  // namespace ROCKSDB_NAMESPACE

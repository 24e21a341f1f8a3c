// What goes on beside the reads that are measured: a writer at a rate, or a job
// that a user may ask for.

#pragma once

#include <atomic>
#include <string>
#include <thread>

#include "tools/c_bench/database.h"

namespace c_bench {

class OtherWork {
 public:
  // `kind` is a value of --beside. `is_over` is set once there is no more to
  // do, which ends the reads.
  OtherWork(const Database& database, const std::string& kind,
            std::atomic<bool>* is_over);

  void Begin();
  // Ends it, or what of it may be ended, and waits.
  void End();

  // How often its job was done, or its bytes were written; behind End() with
  // what it was at as the reads ended.
  uint64_t done() const { return done_.load(); }

 private:
  void Run();
  void WriteAtRate();
  void MakeCheckpoints();
  void MakeBackup();
  void Ingest();
  void CompactAll();
  bool IsStopped() const { return is_stopped_.load(); }

  const Database& database_;
  const std::string kind_;
  std::atomic<bool>* const is_over_;
  std::atomic<bool> is_stopped_ = false;
  std::atomic<uint64_t> done_ = 0;
  std::thread thread_;
};

}  // namespace c_bench

// What a run of db_stress found: the first thing that is wrong ends it.
//
// Threads    Any.

#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>

#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE::stress {

class Report {
 public:
  // Prints what is wrong; all threads end soon.
  void Fail(const std::string& what);
  bool failed() const { return failed_; }

  // Whether `status` is OK. An injected error, or a call that the engine does
  // not have, is counted; anything else fails the run.
  bool Check(const Status& status, const char* call);
  // The same for calls that may also be refused for what other threads do:
  // Busy, Aborted, Incomplete, TryAgain.
  bool CheckContended(const Status& status, const char* call);

  void Count(const char* what);
  // What was counted, one a line.
  std::string Counts() const;

 private:
  std::atomic<bool> failed_{false};
  mutable std::mutex mutex_;
  std::map<std::string, uint64_t> counts_;
};

}  // namespace ROCKSDB_NAMESPACE::stress

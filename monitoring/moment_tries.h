#pragma once

// The tries of a reader to see one moment of what another thread changes, which
// counts its changes: it adds one before each and one after it, so that the
// count is odd while a change is made.
//
// Threads  Confined to the reader.

#include <chrono>
#include <cstdint>
#include <thread>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE {

class MomentTries {
 public:
  // After a try that met a change; `changes` is the count at its end. Waits
  // where the other thread was stopped in the middle of the change. False: the
  // reader takes what it has.
  bool GoOn(uint64_t changes) {
    if (changes != last_changes_) {
      last_changes_ = changes;
      return ++met_ < kMostMet;
    }
    if (++pauses_ == kMostPauses) return false;
    std::this_thread::sleep_for(kPause);
    return true;
  }

 private:
  // A thread that never rests.
  static constexpr int kMostMet = 1000;
  // Ten seconds: where threads are many, a stopped one may wait long for its
  // turn.
  static constexpr std::chrono::microseconds kPause{100};
  static constexpr int kMostPauses = 100'000;

  uint64_t last_changes_ = 0;
  int met_ = 0;
  int pauses_ = 0;
};

}  // namespace ROCKSDB_NAMESPACE

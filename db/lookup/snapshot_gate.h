// Keeps snapshots from being taken while files come in that have no sequence
// number of their own: they are seen at every moment once they are there.
//
// Whether a snapshot is older than such a file must be known when the file is
// logged, and the DB mutex is given back while the manifest is written. A
// snapshot waits until the file is there.
//
// Threads    Every call under the DB mutex, which Await() may give back. It
//            does not stop the thread that has closed the gate, whose callbacks
//            may take snapshots, too: these see the files. Whoever may hold a
//            lock that this thread needs must not wait here at all.
#pragma once

#include <thread>

#include "util/invariant.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

class SnapshotGate {
 public:
  explicit SnapshotGate(Mutex* mutex) : mutex_(mutex), is_open_(mutex) {}
  SnapshotGate(const SnapshotGate&) = delete;
  SnapshotGate& operator=(const SnapshotGate&) = delete;
  ~SnapshotGate() { INVARIANT(!is_closed_); }

  // One at a time; both ends under the mutex.
  class Closed {
   public:
    explicit Closed(SnapshotGate* gate) : gate_(gate) {
      gate_->mutex_->AssertHeld();
      INVARIANT(!gate_->is_closed_);
      gate_->is_closed_ = true;
      gate_->closer_ = std::this_thread::get_id();
    }
    ~Closed() {
      gate_->mutex_->AssertHeld();
      gate_->is_closed_ = false;
      gate_->is_open_.SignalAll();
    }
    Closed(const Closed&) = delete;
    Closed& operator=(const Closed&) = delete;

   private:
    SnapshotGate* const gate_;
  };

  void Await() {
    mutex_->AssertHeld();
    while (is_closed_ && closer_ != std::this_thread::get_id()) {
      is_open_.Wait();
    }
  }

 private:
  Mutex* const mutex_;
  CondVar is_open_;
  bool is_closed_ = false;
  std::thread::id closer_;
};

}  // namespace ROCKSDB_NAMESPACE

// Snapshots that are held for a while and then read again: what they show must
// not have changed.
//
// Threads    Any, inside the database's gate. ReleaseAll(): alone.
// Ownership  Owns the snapshots; all are given back before the database closes.

#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "db_stress_tool/workload.h"

namespace ROCKSDB_NAMESPACE::stress {

class HeldSnapshots {
 public:
  explicit HeldSnapshots(const Context& context) : c_(context) {}

  void Acquire(Worker* worker);
  // Verifies and gives back those of the worker that were held long enough.
  void ReleaseDue(const Worker& worker);
  void ReleaseAll();

 private:
  // Keys, and hashes of their values.
  using Entries = std::vector<std::pair<std::string, size_t>>;
  struct Held {
    const Snapshot* snapshot;
    // That one, if it has a timestamp: others have it, too.
    std::shared_ptr<const Snapshot> shared;
    size_t worker;
    int64_t due_op;
    size_t family;
    std::string from;
    std::string to;
    Entries entries;
  };

  // What the snapshot shows; false after an error.
  bool Read(const Held& held, Entries* entries);
  void Verify(const Held& held);
  void Release(const Held& held);
  std::optional<Held> TakeDue(const Worker& worker);

  const Context c_;
  std::mutex mutex_;
  std::deque<Held> held_;
};

}  // namespace ROCKSDB_NAMESPACE::stress

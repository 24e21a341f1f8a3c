// Which files are being made, as far as a search for left-over ones must know:
// those with numbers from some point on, as long as somebody makes files.
//
// Numbers grow, and a job takes those of its files after it began: so whoever
// is to make a file holds the number that is next before it takes one.
//
// Threads    Any.
// Ownership  A hold may outlive this object.
#pragma once

#include <cstdint>
#include <memory>
#include <set>

#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

class PendingOutputs {
 public:
  // While a hold lives, files with numbers from `next` on may be being made.
  using Hold = std::shared_ptr<const void>;
  Hold HoldFrom(uint64_t next);

  // The smallest number that is held; UINT64_MAX: none is. Callers first read
  // the next file number: later holds begin there or above.
  uint64_t First() const;

 private:
  class One;
  struct Held {
    Mutex mutex;
    std::multiset<uint64_t> numbers GUARDED_BY(mutex);
  };

  const std::shared_ptr<Held> held_ = std::make_shared<Held>();
};

}  // namespace ROCKSDB_NAMESPACE

// The numbers of the keys that lookups draw: all alike, or with
// --read_random_exp_range some far more often than others.
//
// Threads    Confined to one thread, whose worker it borrows.

#pragma once

#include <cstdint>

#include "rocksdb/rocksdb_namespace.h"
#include "tools/db_bench/worker.h"

namespace ROCKSDB_NAMESPACE::bench {

class ReadNumbers {
 public:
  explicit ReadNumbers(Worker& worker);

  uint64_t Draw() {
    return exponent_ == 0 ? random_->Below(count_) : DrawSkewed();
  }

 private:
  uint64_t DrawSkewed();

  Random* const random_;
  const uint64_t count_;
  const double exponent_;
};

}  // namespace ROCKSDB_NAMESPACE::bench

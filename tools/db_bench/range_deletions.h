// Range tombstones among the writes of a fill, as the flags ask for them.
//
// Threads    Confined to one thread, whose worker it borrows.
// Errors     As the engine answers a deletion.

#pragma once

#include <cstdint>
#include <string>

#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/status.h"
#include "tools/db_bench/worker.h"

namespace ROCKSDB_NAMESPACE::bench {

class RangeDeletions {
 public:
  explicit RangeDeletions(Worker& worker);

  // `entries` more were written: deletes a range for each time that one was
  // due.
  Status After(uint64_t entries) {
    written_ += entries;
    return written_ < next_ ? Status::OK() : DeleteDue();
  }

 private:
  Status DeleteDue();
  Status DeleteOne();

  Worker& worker_;
  KeyBuffer begin_;
  KeyBuffer end_;
  uint64_t written_ = 0;
  uint64_t next_;
  uint64_t deleted_ = 0;
};

}  // namespace ROCKSDB_NAMESPACE::bench

// Makes the state of families visible to reads, and keeps what nobody
// references any more until it can be freed, which is not under the mutex.
//
// Threads    Marked (mutex): under the DB mutex. Free() without it, by any.
// Ownership  Owns what is kept. Free() comes before its end.
#pragma once

#include <vector>

#include "db/family/column_family.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

class Statistics;

class StatePublisher {
 public:
  // `statistics` may be null.
  StatePublisher(Mutex* mutex, Statistics* statistics)
      : mutex_(mutex), statistics_(statistics) {}
  ~StatePublisher();
  StatePublisher(const StatePublisher&) = delete;
  StatePublisher& operator=(const StatePublisher&) = delete;

  // (mutex)
  void Publish(ColumnFamilyData* cfd, WriteStallCondition stall);
  // The family holds no state any more. (mutex)
  void Withdraw(ColumnFamilyData* cfd);
  void Free() EXCLUDES(mutex_);

 private:
  Mutex* const mutex_;
  Statistics* const statistics_;
  std::vector<SuperVersion*> unreferenced_ GUARDED_BY(mutex_);
};

}  // namespace ROCKSDB_NAMESPACE

// What a database has the environment's threads do, each in its time. By its
// end a job has called the BackgroundScheduler's call that is named with it.
//
// Threads    Those of the environment's pools, without the DB mutex.
#pragma once

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE {

class BackgroundWork {
 public:
  virtual ~BackgroundWork() = default;
  virtual void FlushInBackground() = 0;            // LeaveFlushes()
  virtual void CompactInBackground() = 0;          // LeaveCompactions()
  virtual void CompactToBottomInBackground() = 0;  // LeaveBottom()
};

}  // namespace ROCKSDB_NAMESPACE

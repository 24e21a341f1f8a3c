// What a database does to work again after an error whose cause is gone. Who
// decides when, knows no more of it.
//
// Threads    Marked (mutex): under the DB mutex. The others without it.
#pragma once

#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {

class ResumeWork {
 public:
  virtual ~ResumeWork() = default;
  // What failed to be flushed is still in memory, what failed to be compacted
  // lies where it lay, and nothing keeps either from being tried again; flushes
  // once the cause has had some time to go. (mutex)
  virtual void RetryFlushes() = 0;
  virtual void RetryCompactions() = 0;
  // Whatever the error in force asks for; afterwards there is none.
  virtual Status ResumeOnce() = 0;
};

}  // namespace ROCKSDB_NAMESPACE

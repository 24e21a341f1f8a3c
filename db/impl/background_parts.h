// The threads that work for a database in the background, and the compactions
// that users wait for.
//
// Threads    Under the DB mutex, as each part says.
// Ownership  Owns the parts, which borrow from each other and from what is
//            given.
#pragma once

#include "db/background/background_scheduler.h"
#include "db/background/manual_queue.h"
#include "db/jobs/table_opener.h"

namespace ROCKSDB_NAMESPACE {

struct Foundation;

class BackgroundParts {
 public:
  // Null, both: nothing is written, and no job ever comes.
  struct Jobs {
    const WriteController* writes = nullptr;
    BackgroundWork* work = nullptr;
  };
  BackgroundParts(Foundation* base, const Jobs& jobs);
  BackgroundParts(const BackgroundParts&) = delete;
  BackgroundParts& operator=(const BackgroundParts&) = delete;

  ManualQueue* manual() { return &manual_; }
  BackgroundScheduler* scheduler() { return &scheduler_; }
  TableOpener* opener() { return &opener_; }

 private:
  ManualQueue manual_;
  BackgroundScheduler scheduler_;
  TableOpener opener_;
};

}  // namespace ROCKSDB_NAMESPACE

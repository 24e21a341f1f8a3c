// Compactions that a user's CompactionService has another process run.
//
// Threads    Any, without the DB mutex: the service may take its time.
// Ownership  Borrows what it is given.
#pragma once

#include <string>

#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {

class CompactionJob;
class StopSignals;
struct ImmutableDBOptions;

class RemoteRuns {
 public:
  RemoteRuns(const ImmutableDBOptions* db, const StopSignals* stop)
      : db_(db), stop_(stop) {}

  struct Outcome {
    bool is_done = false;  // else the job is for this process
    std::string job_id;    // the service's
    Status status;
  };
  Outcome Run(CompactionJob* job) const;
  // What became of an outcome that is done.
  void Tell(const Outcome& run, const Status& installed) const;
  // Those that have not begun will not. The service may be that of other
  // databases, too.
  void Cancel() const;

 private:
  const ImmutableDBOptions* const db_;
  const StopSignals* const stop_;
};

}  // namespace ROCKSDB_NAMESPACE

// What a compaction of the DB is run with.
#pragma once

#include <atomic>
#include <memory>

#include "db/compaction/compaction.h"
#include "rocksdb/env.h"

namespace ROCKSDB_NAMESPACE {

struct CompactionJobInfo;

// What the requester of a compaction gives: how it is stopped, and where it
// reports.
struct CompactionWatch {
  // The pool of the thread that runs the compaction; USER: the caller's thread.
  Env::Priority pool = Env::Priority::USER;
  bool is_manual = false;
  const std::atomic<bool>* canceled = nullptr;
  CompactionJobInfo* info = nullptr;
};

// A background thread has time for a family.
struct CompactionTurn {
  // The thread's pool.
  Env::Priority pool = Env::Priority::LOW;
  // What was picked for this thread; null: the thread picks.
  std::unique_ptr<Compaction> picked;
};

}  // namespace ROCKSDB_NAMESPACE

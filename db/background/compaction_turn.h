// What a compaction of the DB is run with.
#pragma once

#include <atomic>
#include <memory>

#include "db/compaction/compaction.h"
#include "rocksdb/env.h"

namespace ROCKSDB_NAMESPACE {

struct CompactionJobInfo;

// Who asked for a compaction: how they stop it, and what they want to know.
struct CompactionWatch {
  // Of the thread that runs it; USER: the caller's own.
  Env::Priority pool = Env::Priority::USER;
  bool is_manual = false;
  const std::atomic<bool>* canceled = nullptr;
  CompactionJobInfo* info = nullptr;
};

// A background thread has time for a family.
struct CompactionTurn {
  // The thread's.
  Env::Priority pool = Env::Priority::LOW;
  // What was picked for this thread; null: it picks.
  std::unique_ptr<Compaction> picked;
};

}  // namespace ROCKSDB_NAMESPACE

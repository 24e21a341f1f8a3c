// Compactions for real, over the parts of a FlushingWorld: as its flushes they
// run when a test says so, or beside what waits for them.
#pragma once

#include <atomic>
#include <functional>
#include <thread>

#include "db/background/level_placing.h"
#include "tests/db/intake/flushing_world.h"
#include "tests/db/jobs/compaction_parts.h"

namespace ROCKSDB_NAMESPACE {

class CompactingWorld : public FlushingWorld {
 public:
  ~CompactingWorld() override {
    if (queue != nullptr) queue->StopRetries();
  }

  // After the options in `f` are set.
  void Open() {
    FlushingWorld::Open();
    CompactionParts::Around around;
    static_cast<EditContext&>(around) = Edits();
    around.db = f.db.get();
    around.options = options.get();
    around.manual = &manual;
    around.placing = &placing;
    around.jobs = contexts.get();
    around.ages = ages.get();
    compactions.MakeCompactions(around);
  }
  // What `work` says, which waits for jobs: another thread runs them.
  Status WithJobs(const std::function<Status()>& work) {
    std::atomic<bool> is_over{false};
    std::thread jobs([&] {
      while (!is_over.load()) env.AwaitAndRun();
    });
    Status s = work();
    const auto end = [](void* flag) {
      static_cast<std::atomic<bool>*>(flag)->store(true);
    };
    env.Schedule(end, &is_over, Env::Priority::LOW, nullptr, nullptr);
    jobs.join();
    while (env.job_count() > 0) env.RunNext();
    return s;
  }

  LevelPlacing placing{&changes};
  CompactionParts compactions;

 private:
  void CompactInBackground() override { compactions.desk->Compact(); }
  void CompactToBottomInBackground() override {
    compactions.desk->CompactToBottom();
  }
};

}  // namespace ROCKSDB_NAMESPACE

#include "rocksdb/concurrent_task_limiter.h"

#include <atomic>
#include <memory>

namespace ROCKSDB_NAMESPACE {

namespace {

// Threads  The limit is one atomic. A database refuses limiters so far
//          (compaction_thread_limiter), so no task ever holds a place.
class TaskLimiter final : public ConcurrentTaskLimiter {
 public:
  TaskLimiter(const std::string& name, int32_t limit)
      : name_(name), limit_(limit) {}

  const std::string& GetName() const override { return name_; }
  void SetMaxOutstandingTask(int32_t limit) override { limit_ = limit; }
  void ResetMaxOutstandingTask() override { limit_ = -1; }
  int32_t GetOutstandingTask() const override { return 0; }

 private:
  const std::string name_;
  std::atomic<int32_t> limit_;
};

}  // namespace

ConcurrentTaskLimiter* NewConcurrentTaskLimiter(const std::string& name,
                                                int32_t limit) {
  return std::make_unique<TaskLimiter>(name, limit).release();
}

}  // namespace ROCKSDB_NAMESPACE

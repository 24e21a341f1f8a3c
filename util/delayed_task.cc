#include "util/delayed_task.h"

#include <utility>

#include "util/invariant.h"
#include "util/task_thread.h"

namespace ROCKSDB_NAMESPACE {

DelayedTask::DelayedTask(std::function<void()> task)
    : task_(std::move(task)),
      thread_(TaskThread::Get()),
      id_(thread_->Add(/*period_micros=*/0, &task_)) {
  INVARIANT(task_ != nullptr);
}

DelayedTask::~DelayedTask() { thread_->Remove(id_); }

void DelayedTask::RunIn(uint64_t micros) { thread_->RunIn(id_, micros); }

}  // namespace ROCKSDB_NAMESPACE

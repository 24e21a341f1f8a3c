#include "monitoring/thread_tracking.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <thread>

#include "util/invariant.h"
#include "util/mutex.h"
#include "util/no_destructor.h"

namespace ROCKSDB_NAMESPACE {

namespace {

using SteadyClock = std::chrono::steady_clock;

struct Slot {
  Mutex mutex;
  ThreadStatus status GUARDED_BY(mutex);
  SteadyClock::time_point start GUARDED_BY(mutex);
};

struct Registry {
  Mutex mutex;
  std::vector<Slot*> slots GUARDED_BY(mutex);
};

Registry* TheRegistry() {
  static NoDestructor<Registry> registry;
  return &*registry;
}

uint64_t ThisThreadId() {
  return std::hash<std::thread::id>()(std::this_thread::get_id());
}

// The calling thread's slot, in the registry as long as the thread lives.
class OwnSlot {
 public:
  OwnSlot() {
    Registry* registry = TheRegistry();
    {
      MutexLock lock(&slot_.mutex);
      slot_.status.thread_id = ThisThreadId();
    }
    MutexLock lock(&registry->mutex);
    registry->slots.push_back(&slot_);
  }
  OwnSlot(const OwnSlot&) = delete;
  OwnSlot& operator=(const OwnSlot&) = delete;
  ~OwnSlot() {
    Registry* registry = TheRegistry();
    MutexLock lock(&registry->mutex);
    std::erase(registry->slots, &slot_);
  }
  Slot* slot() { return &slot_; }

 private:
  Slot slot_;
};

Slot* ThisSlot() {
  static thread_local const auto own = std::make_unique<OwnSlot>();
  return own->slot();
}

}  // namespace

void RegisterTrackedThread(ThreadStatus::ThreadType type) {
  Slot* slot = ThisSlot();
  MutexLock lock(&slot->mutex);
  slot->status.thread_type = type;
}

std::vector<ThreadStatus> TrackedThreads() {
  const SteadyClock::time_point now = SteadyClock::now();
  std::vector<ThreadStatus> result;
  Registry* registry = TheRegistry();
  MutexLock lock(&registry->mutex);
  for (Slot* slot : registry->slots) {
    MutexLock slot_lock(&slot->mutex);
    result.push_back(slot->status);
    if (slot->status.operation_type == ThreadStatus::OP_UNKNOWN) continue;
    const auto elapsed = std::chrono::duration_cast<std::chrono::microseconds>(
        now - slot->start);
    result.back().op_elapsed_micros =
        static_cast<uint64_t>(std::max<int64_t>(0, elapsed.count()));
  }
  return result;
}

TrackedOperation::TrackedOperation(const What& what)
    : is_enabled_(what.is_enabled) {
  if (!is_enabled_) return;
  Slot* slot = ThisSlot();
  MutexLock lock(&slot->mutex);
  slot->status.db_name = what.db_name;
  slot->status.cf_name = what.cf_name;
  slot->status.operation_type = what.type;
  slot->start = SteadyClock::now();
}

TrackedOperation::~TrackedOperation() {
  if (!is_enabled_) return;
  Slot* slot = ThisSlot();
  MutexLock lock(&slot->mutex);
  ThreadStatus idle;
  idle.thread_id = slot->status.thread_id;
  idle.thread_type = slot->status.thread_type;
  slot->status = idle;
}

void TrackedOperation::SetStage(ThreadStatus::OperationStage stage) {
  if (!is_enabled_) return;
  Slot* slot = ThisSlot();
  MutexLock lock(&slot->mutex);
  slot->status.operation_stage = stage;
}

void TrackedOperation::SetProperty(int index, uint64_t value) {
  INVARIANT(index >= 0);
  INVARIANT(index < ThreadStatus::kNumOperationProperties);
  if (!is_enabled_) return;
  Slot* slot = ThisSlot();
  MutexLock lock(&slot->mutex);
  slot->status.op_properties[index] = value;
}

}  // namespace ROCKSDB_NAMESPACE

#include "monitoring/thread_tracking.h"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <chrono>
#include <functional>
#include <thread>
#include <unordered_map>

#include "monitoring/moment_tries.h"
#include "util/invariant.h"
#include "util/mutex.h"
#include "util/no_destructor.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// In the number of whom a thread works for: whatever the family.
constexpr uint64_t kDatabaseAlone = 1;

uint64_t NowNanos() {
  return static_cast<uint64_t>(
      std::chrono::duration_cast<std::chrono::nanoseconds>(
          std::chrono::steady_clock::now().time_since_epoch())
          .count());
}

uint64_t ThisThreadId() {
  return std::hash<std::thread::id>()(std::this_thread::get_id());
}

}  // namespace

// What one thread tells.
//
// Threads  The owner writes and looks at what it wrote; Read() from any thread.
class TrackedSlot {
 public:
  TrackedSlot() : thread_id_(ThisThreadId()) {}

  // --- by the owner
  bool is_idle() const {
    return operation_.load(kRelaxed) == ThreadStatus::OP_UNKNOWN;
  }
  void set_type(ThreadStatus::ThreadType type) { type_.store(type, kRelaxed); }
  void set_state(ThreadStatus::StateType state) {
    state_.store(state, kRelaxed);
  }
  // A call, told where nothing else was.
  void BeginCall(TrackedWork work, ThreadStatus::OperationType operation) {
    assert(is_idle());
    const uint64_t now = NowNanos();
    BeginChange();
    StoreCall(work, operation, now);
    EndChange();
  }
  void EndCall() {
    BeginChange();
    StoreCall(TrackedWork::kNone, ThreadStatus::OP_UNKNOWN, 0);
    EndChange();
  }
  void Tell(const TrackedDoing& doing) {
    BeginChange();
    StoreCall(doing.work, doing.operation, doing.start_nanos);
    stage_.store(doing.stage, kRelease);
    for (size_t i = 0; i < properties_.size(); ++i) {
      properties_[i].store(doing.properties[i], kRelease);
    }
    EndChange();
  }

  // --- by anyone
  void Read(TrackedDoing* doing) const {
    MomentTries tries;
    while (true) {
      // acquire: pairs with the release in EndChange().
      const uint64_t before = changes_.load(kAcquire);
      CopyTo(doing);
      const uint64_t after = changes_.load(kRelaxed);
      if (before % 2 == 0 && after == before) return;
      // The reader takes what it has: parts of two moments.
      if (!tries.GoOn(after)) return;
    }
  }
  uint64_t thread_id() const { return thread_id_; }
  ThreadStatus::ThreadType type() const { return type_.load(kRelaxed); }
  ThreadStatus::StateType state() const { return state_.load(kRelaxed); }

  // The jobs of the thread, the last one first; the owner's alone.
  TrackedOperation* jobs = nullptr;
  // What was told before the first of them.
  TrackedDoing before_jobs;

 private:
  static constexpr auto kRelaxed = std::memory_order_relaxed;
  static constexpr auto kAcquire = std::memory_order_acquire;
  static constexpr auto kRelease = std::memory_order_release;

  // Readers of what is written between the two begin again. Each store in
  // between is a release, and so behind the odd number; it pairs with the
  // acquire in CopyTo().
  void BeginChange() { changes_.store(changes_.load(kRelaxed) + 1, kRelaxed); }
  void EndChange() {
    // release: whoever sees the even number sees all that was written.
    changes_.store(changes_.load(kRelaxed) + 1, kRelease);
  }
  void StoreCall(TrackedWork work, ThreadStatus::OperationType operation,
                 uint64_t start_nanos) {
    work_.store(work, kRelease);
    operation_.store(operation, kRelease);
    start_nanos_.store(start_nanos, kRelease);
  }
  void CopyTo(TrackedDoing* doing) const {
    // acquire: the number of changes is looked at behind them.
    doing->work = work_.load(kAcquire);
    doing->operation = operation_.load(kAcquire);
    doing->start_nanos = start_nanos_.load(kAcquire);
    doing->stage = stage_.load(kAcquire);
    for (size_t i = 0; i < properties_.size(); ++i) {
      doing->properties[i] = properties_[i].load(kAcquire);
    }
  }

  const uint64_t thread_id_;
  std::atomic<ThreadStatus::ThreadType> type_{ThreadStatus::USER};
  std::atomic<ThreadStatus::StateType> state_{ThreadStatus::STATE_UNKNOWN};
  // Odd while a change is made.
  std::atomic<uint64_t> changes_{0};
  std::atomic<TrackedWork> work_{TrackedWork::kNone};
  std::atomic<ThreadStatus::OperationType> operation_{ThreadStatus::OP_UNKNOWN};
  std::atomic<ThreadStatus::OperationStage> stage_{ThreadStatus::STAGE_UNKNOWN};
  std::atomic<uint64_t> start_nanos_{0};
  std::array<std::atomic<uint64_t>, ThreadStatus::kNumOperationProperties>
      properties_{};
};

namespace {

struct WorkNames {
  std::string db;
  std::string cf;
};

struct Registry {
  Mutex mutex;
  std::vector<TrackedSlot*> slots GUARDED_BY(mutex);
  std::unordered_map<uint64_t, WorkNames> names GUARDED_BY(mutex);
  uint64_t last_work GUARDED_BY(mutex) = 0;  // even
};

Registry* TheRegistry() {
  static NoDestructor<Registry> registry;
  return &*registry;
}

// The calling thread's. Constant-initialised, so that reading them needs no
// guard, and also while the thread ends.
thread_local constinit TrackedSlot* this_slot = nullptr;
thread_local constinit bool has_ended = false;

// In the registry as long as the thread lives.
class OwnSlot {
 public:
  OwnSlot() {
    Registry* registry = TheRegistry();
    MutexLock lock(&registry->mutex);
    registry->slots.push_back(&slot_);
  }
  OwnSlot(const OwnSlot&) = delete;
  OwnSlot& operator=(const OwnSlot&) = delete;
  ~OwnSlot() {
    this_slot = nullptr;
    has_ended = true;
    Registry* registry = TheRegistry();
    MutexLock lock(&registry->mutex);
    std::erase(registry->slots, &slot_);
  }
  TrackedSlot* slot() { return &slot_; }

 private:
  TrackedSlot slot_;
};

TrackedSlot* MakeSlot() {
  if (has_ended) return nullptr;
  static thread_local const auto own = std::make_unique<OwnSlot>();
  this_slot = own->slot();
  return this_slot;
}

// Null once the thread is ending: what it still does is not told.
TrackedSlot* ThisSlot() {
  return this_slot != nullptr ? this_slot : MakeSlot();
}

TrackedWork NewWork(const std::string& db_name, const std::string& cf_name) {
  Registry* registry = TheRegistry();
  MutexLock lock(&registry->mutex);
  registry->last_work += 2;
  registry->names[registry->last_work] = {db_name, cf_name};
  return static_cast<TrackedWork>(registry->last_work);
}

ThreadStatus StatusOf(const TrackedSlot& slot, const TrackedDoing& doing,
                      uint64_t now, const std::string& db_name,
                      const std::string& cf_name) {
  const bool is_idle = doing.operation == ThreadStatus::OP_UNKNOWN;
  const uint64_t nanos = is_idle ? 0 : now - std::min(now, doing.start_nanos);
  return ThreadStatus(slot.thread_id(), slot.type(), db_name, cf_name,
                      doing.operation, nanos / 1000, doing.stage,
                      doing.properties.data(), slot.state());
}

}  // namespace

TrackedNames::TrackedNames(const std::string& db_name,
                           const std::string& cf_name)
    : work_(NewWork(db_name, cf_name)) {
  INVARIANT(work_ != TrackedWork::kNone);
}

TrackedNames::~TrackedNames() {
  Registry* registry = TheRegistry();
  MutexLock lock(&registry->mutex);
  registry->names.erase(static_cast<uint64_t>(work_));
}

TrackedWork TrackedNames::DatabaseAlone(TrackedWork work) {
  if (work == TrackedWork::kNone) return work;
  return static_cast<TrackedWork>(static_cast<uint64_t>(work) | kDatabaseAlone);
}

void RegisterTrackedThread(ThreadStatus::ThreadType type) {
  TrackedSlot* slot = ThisSlot();
  if (slot != nullptr) slot->set_type(type);
}

void SetTrackedState(ThreadStatus::StateType state) {
  TrackedSlot* slot = ThisSlot();
  if (slot != nullptr) slot->set_state(state);
}

std::vector<ThreadStatus> TrackedThreads() {
  std::vector<ThreadStatus> result;
  Registry* registry = TheRegistry();
  MutexLock lock(&registry->mutex);
  for (const TrackedSlot* slot : registry->slots) {
    TrackedDoing doing;
    slot->Read(&doing);
    const auto work = static_cast<uint64_t>(doing.work);
    const auto found = registry->names.find(work & ~kDatabaseAlone);
    const bool is_named = found != registry->names.end();
    const bool has_family = is_named && (work & kDatabaseAlone) == 0;
    result.push_back(StatusOf(*slot, doing, NowNanos(),
                              is_named ? found->second.db : "",
                              has_family ? found->second.cf : ""));
  }
  return result;
}

TrackedSlot* TrackedCall::Begin(TrackedWork work,
                                ThreadStatus::OperationType operation) {
  TrackedSlot* slot = ThisSlot();
  if (slot == nullptr || !slot->is_idle()) return nullptr;
  slot->BeginCall(work, operation);
  return slot;
}

void TrackedCall::End(TrackedSlot* slot) { slot->EndCall(); }

TrackedOperation::TrackedOperation(const What& what) {
  if (what.is_enabled) slot_ = ThisSlot();
  if (slot_ == nullptr) return;
  names_ = std::make_unique<TrackedNames>(what.db_name, what.cf_name);
  doing_.work = names_->work();
  doing_.operation = what.type;
  doing_.start_nanos = NowNanos();
  if (slot_->jobs == nullptr) slot_->Read(&slot_->before_jobs);
  below_ = slot_->jobs;
  slot_->jobs = this;
  Tell();
}

TrackedOperation::~TrackedOperation() {
  if (slot_ == nullptr) return;
  assert(slot_ == this_slot);
  TrackedOperation** link = &slot_->jobs;
  while (*link != this) link = &(*link)->below_;
  *link = below_;
  if (slot_->jobs == nullptr) {
    slot_->Tell(slot_->before_jobs);
  } else {
    slot_->jobs->Tell();
  }
}

void TrackedOperation::Tell() {
  if (slot_ != nullptr && slot_->jobs == this) slot_->Tell(doing_);
}

void TrackedOperation::SetStage(ThreadStatus::OperationStage stage) {
  doing_.stage = stage;
  Tell();
}

void TrackedOperation::SetProperty(int index, uint64_t value) {
  INVARIANT(index >= 0);
  INVARIANT(index < ThreadStatus::kNumOperationProperties);
  doing_.properties[static_cast<size_t>(index)] = value;
  Tell();
}

}  // namespace ROCKSDB_NAMESPACE

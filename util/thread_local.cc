#include "util/thread_local.h"

#include <algorithm>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <set>
#include <unordered_map>
#include <utility>

#include "util/invariant.h"
#include "util/no_destructor.h"

namespace ROCKSDB_NAMESPACE {

namespace thread_local_internal {

thread_local constinit ThreadSlots slots;

}  // namespace thread_local_internal

namespace {

using thread_local_internal::slots;
using Entries = std::unique_ptr<std::atomic<void*>[]>;

// Handlers may fill slots of the thread that ends again, so handlers run in
// rounds: as many as for pthread keys, so that no two keep a thread for ever.
constexpr int kMostEndRounds = 4;

constexpr uint64_t kNoEnding = UINT64_MAX;
// The calling thread's number in Registry::endings_, while it is there.
thread_local constinit uint64_t own_ending = kNoEnding;

// The slots of one thread, as the registry holds them.
struct ThreadRecord {
  Entries entries;
  uint32_t size = 0;
};

struct HeldValue {
  uint32_t id;
  UnrefHandler handler;
  void* ptr;
};

// All slots of all threads.
//
// Lock  mutex_ guards everything, but not the values themselves, which their
//       threads change at any time. Handlers run without it, so that they may
//       take locks under which others call Scrape().
class Registry {
 public:
  uint32_t NewId(UnrefHandler handler) {
    const std::lock_guard<std::mutex> lock(mutex_);
    uint32_t id = next_id_;
    if (free_ids_.empty()) {
      ++next_id_;
    } else {
      id = free_ids_.back();
      free_ids_.pop_back();
    }
    handlers_[id] = handler;
    return id;
  }

  void DropId(uint32_t id) {
    std::unique_lock<std::mutex> lock(mutex_);
    std::vector<HeldValue> held;
    for (const auto& record : threads_) Take(record.get(), id, &held);
    // Values that ending threads are giving back belong to this slot's owner.
    idle_.wait(lock, [&] { return running_[id] == 0; });
    handlers_.erase(id);
    running_.erase(id);
    lock.unlock();
    RunHandlers(held);
    lock.lock();
    free_ids_.push_back(id);
  }

  // Makes room for slot `id` in the calling thread.
  void Grow(uint32_t id) {
    const std::lock_guard<std::mutex> lock(mutex_);
    ThreadRecord* record = Find(slots.entries);
    if (record == nullptr) {
      threads_.push_back(std::make_unique<ThreadRecord>());
      record = threads_.back().get();
    }
    const uint32_t size = std::max({id + 1, 2 * record->size, 16u});
    auto entries = std::make_unique<std::atomic<void*>[]>(size);
    for (uint32_t i = 0; i < record->size; ++i) {
      entries[i].store(record->entries[i].load(std::memory_order_acquire),
                       std::memory_order_release);
    }
    record->entries = std::move(entries);
    record->size = size;
    slots = {record->entries.get(), size};
  }

  // Gives back the values of the calling thread, which ends.
  void EndThread() {
    for (int round = 0; round < kMostEndRounds; ++round) {
      if (slots.entries == nullptr) return;
      EndRecord();
    }
  }

  void AwaitEndingThreads() {
    std::unique_lock<std::mutex> lock(mutex_);
    // Those that begin later are not waited for, nor is the caller itself.
    const uint64_t next = next_ending_;
    idle_.wait(lock, [&] {
      auto oldest = endings_.begin();
      if (oldest != endings_.end() && *oldest == own_ending) ++oldest;
      return oldest == endings_.end() || *oldest >= next;
    });
  }

  void Scrape(uint32_t id, std::vector<void*>* ptrs, void* replacement) {
    const std::lock_guard<std::mutex> lock(mutex_);
    for (const auto& record : threads_) {
      if (id >= record->size) continue;
      void* ptr =
          record->entries[id].exchange(replacement, std::memory_order_acq_rel);
      if (ptr != nullptr) ptrs->push_back(ptr);
    }
  }

  void Fold(uint32_t id, const std::function<void(void*, void*)>& func,
            void* result) {
    const std::lock_guard<std::mutex> lock(mutex_);
    for (const auto& record : threads_) {
      if (id >= record->size) continue;
      void* ptr = record->entries[id].load(std::memory_order_acquire);
      if (ptr != nullptr) func(ptr, result);
    }
  }

 private:
  // Forgets the calling thread, and gives back what it held. A handler that
  // uses a slot makes the thread known again.
  void EndRecord() {
    std::unique_lock<std::mutex> lock(mutex_);
    ThreadRecord* const record = Find(slots.entries);
    INVARIANT(record != nullptr);
    slots = {};
    std::vector<HeldValue> held;
    for (uint32_t id = 0; id < record->size; ++id) Take(record, id, &held);
    std::erase_if(threads_, [&](const auto& r) { return r.get() == record; });
    for (const HeldValue& value : held) ++running_[value.id];
    const auto ending = endings_.insert(next_ending_++).first;
    own_ending = *ending;
    lock.unlock();
    RunHandlers(held);
    lock.lock();
    own_ending = kNoEnding;
    for (const HeldValue& value : held) --running_[value.id];
    endings_.erase(ending);
    idle_.notify_all();
  }

  ThreadRecord* Find(const std::atomic<void*>* entries) const {
    if (entries == nullptr) return nullptr;
    for (const auto& record : threads_) {
      if (record->entries.get() == entries) return record.get();
    }
    return nullptr;
  }

  void Take(ThreadRecord* record, uint32_t id, std::vector<HeldValue>* held) {
    if (id >= record->size) return;
    void* ptr =
        record->entries[id].exchange(nullptr, std::memory_order_acq_rel);
    const auto handler = handlers_.find(id);
    if (ptr == nullptr || handler == handlers_.end()) return;
    if (handler->second != nullptr) held->push_back({id, handler->second, ptr});
  }

  static void RunHandlers(const std::vector<HeldValue>& held) {
    for (const HeldValue& value : held) value.handler(value.ptr);
  }

  std::mutex mutex_;
  std::condition_variable idle_;
  uint32_t next_id_ = 0;
  std::vector<uint32_t> free_ids_;
  std::unordered_map<uint32_t, UnrefHandler> handlers_;
  // Handlers that ending threads are running, by slot.
  std::unordered_map<uint32_t, int> running_;
  // Threads that are running them, by when they began.
  std::set<uint64_t> endings_;
  uint64_t next_ending_ = 0;
  std::vector<std::unique_ptr<ThreadRecord>> threads_;
};

Registry& TheRegistry() {
  static NoDestructor<Registry> registry;
  return *registry;
}

// Its destructor tells the registry that the thread ends. What still uses
// slots after that, such as static objects of the main thread, gets a record
// that stays.
struct ThreadEnd {
  ~ThreadEnd() { TheRegistry().EndThread(); }
  void Touch() const {}
};

thread_local bool is_thread_end_armed = false;

void ArmThreadEnd() {
  if (is_thread_end_armed) return;
  is_thread_end_armed = true;
  static thread_local const ThreadEnd thread_end;
  thread_end.Touch();
}

}  // namespace

ThreadLocalPtr::ThreadLocalPtr(UnrefHandler unref_handler)
    : id_(TheRegistry().NewId(unref_handler)) {}

ThreadLocalPtr::~ThreadLocalPtr() { TheRegistry().DropId(id_); }

std::atomic<void*>* ThreadLocalPtr::Grow(uint32_t id) {
  ArmThreadEnd();
  TheRegistry().Grow(id);
  INVARIANT(id < slots.size);
  return &slots.entries[id];
}

void ThreadLocalPtr::Scrape(std::vector<void*>* ptrs, void* replacement) {
  TheRegistry().Scrape(id_, ptrs, replacement);
}

void ThreadLocalPtr::AwaitEndingThreads() {
  TheRegistry().AwaitEndingThreads();
}

void ThreadLocalPtr::Fold(
    const std::function<void(void* value, void* result)>& func, void* result) {
  TheRegistry().Fold(id_, func, result);
}

}  // namespace ROCKSDB_NAMESPACE

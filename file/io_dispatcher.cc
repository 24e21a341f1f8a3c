#include "rocksdb/io_dispatcher.h"

#include <atomic>
#include <memory>

#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

class MemoryLimit final : public IODispatcher {
 public:
  explicit MemoryLimit(const IODispatcherOptions& options)
      : most_(options.max_prefetch_memory_bytes) {}
  ~MemoryLimit() override { INVARIANT(held_.load() == 0); }

  bool TryAcquire(size_t bytes) override {
    // relaxed: a number, which orders nothing.
    size_t held = held_.load(std::memory_order_relaxed);
    do {
      const bool has_room = held <= most_ && bytes <= most_ - held;
      if (most_ != 0 && !has_room) return false;
    } while (!held_.compare_exchange_weak(held, held + bytes,
                                          std::memory_order_relaxed));
    return true;
  }
  void Acquire(size_t bytes) override {
    held_.fetch_add(bytes, std::memory_order_relaxed);
  }
  void Release(size_t bytes) override {
    const size_t held = held_.fetch_sub(bytes, std::memory_order_relaxed);
    INVARIANT(held >= bytes);
  }
  size_t GetPrefetchMemoryUsage() const override {
    return held_.load(std::memory_order_relaxed);
  }

 private:
  const size_t most_;  // 0: no limit
  std::atomic<size_t> held_{0};
};

}  // namespace

IODispatcher* NewIODispatcher(const IODispatcherOptions& options) {
  return std::make_unique<MemoryLimit>(options).release();
}

}  // namespace ROCKSDB_NAMESPACE

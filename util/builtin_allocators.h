// The memory allocators that every build knows by name.
//
//   DefaultMemoryAllocator    new and delete
//   CountedMemoryAllocator    another one, whose calls it counts
//
// Threads  Any.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "rocksdb/memory_allocator.h"

namespace ROCKSDB_NAMESPACE {

class DefaultMemoryAllocator final : public MemoryAllocator {
 public:
  static const char* kClassName() { return "DefaultMemoryAllocator"; }

  const char* Name() const override { return kClassName(); }
  std::string GetId() const override { return GenerateIndividualId(); }
  void* Allocate(size_t size) override;
  void Deallocate(void* p) override;
};

class CountedMemoryAllocator final : public MemoryAllocator {
 public:
  static const char* kClassName() { return "CountedMemoryAllocator"; }

  explicit CountedMemoryAllocator(std::shared_ptr<MemoryAllocator> target)
      : target_(std::move(target)) {}

  const char* Name() const override { return kClassName(); }
  const Customizable* Inner() const override { return target_.get(); }
  void* Allocate(size_t size) override;
  void Deallocate(void* p) override;
  size_t UsableSize(void* p, size_t allocation_size) const override {
    return target_->UsableSize(p, allocation_size);
  }

  uint64_t allocations() const { return allocations_.load(); }
  uint64_t deallocations() const { return deallocations_.load(); }

 private:
  const std::shared_ptr<MemoryAllocator> target_;
  std::atomic<uint64_t> allocations_{0};
  std::atomic<uint64_t> deallocations_{0};
};

}  // namespace ROCKSDB_NAMESPACE

// A provider of memory for data blocks that counts its leases, overwrites what
// comes back, and can be made to give bad ones.
//
// Threads  Any.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <utility>

#include "rocksdb/table.h"

namespace ROCKSDB_NAMESPACE {

class LentMemory : public ReadScopedBlockBufferProvider {
 public:
  enum class Fault {
    kNone,
    kNull,        // no memory
    kShort,       // one unit less than was asked for
    kOddSize,     // no multiple of the alignment
    kMisaligned,  // at no multiple of it
    kStatus,      // an error
    kThrow,
  };

  ~LentMemory() override = default;

  Status Allocate(size_t size, size_t alignment, Lease* out) override {
    const Fault fault = Note(size, alignment);
    if (fault == Fault::kStatus) return Status::MemoryLimit("as asked");
    if (fault == Fault::kThrow) throw std::runtime_error("as asked");
    const size_t memory_size = size + 2 * alignment;
    void* memory = nullptr;
    if (posix_memalign(&memory, alignment < 64 ? 64 : alignment, memory_size) !=
        0) {
      return Status::MemoryLimit("no memory");
    }
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      ++outstanding_;
    }
    out->data = static_cast<char*>(memory);
    out->size = size;
    out->cleanup.Allocate();
    auto lent = std::make_unique<Lent>();
    *lent = {this, memory, memory_size};
    out->cleanup->RegisterCleanup(&TakeBack, lent.release(), nullptr);
    if (fault == Fault::kNull) out->data = nullptr;
    if (fault == Fault::kShort) out->size -= alignment;
    if (fault == Fault::kOddSize) ++out->size;
    if (fault == Fault::kMisaligned) ++out->data;
    return Status::OK();
  }

  // The k-th lease from now on, and no other.
  void FailAt(uint64_t k, Fault fault) {
    const std::lock_guard<std::mutex> lock(mutex_);
    fails_in_ = k;
    fault_ = fault;
  }

  uint64_t outstanding() const { return Read(outstanding_); }
  uint64_t leases() const { return Read(leases_); }
  size_t last_size() const { return Read(last_size_); }
  size_t last_alignment() const { return Read(last_alignment_); }

 private:
  struct Lent {
    LentMemory* lender = nullptr;
    void* memory = nullptr;
    size_t size = 0;
  };
  static void TakeBack(void* arg, void*) {
    const std::unique_ptr<Lent> lent(static_cast<Lent*>(arg));
    std::memset(lent->memory, 0xa5, lent->size);
    std::free(lent->memory);
    const std::lock_guard<std::mutex> lock(lent->lender->mutex_);
    --lent->lender->outstanding_;
  }
  Fault Note(size_t size, size_t alignment) {
    const std::lock_guard<std::mutex> lock(mutex_);
    ++leases_;
    last_size_ = size;
    last_alignment_ = alignment;
    if (fails_in_ == 0 || --fails_in_ > 0) return Fault::kNone;
    return fault_;
  }
  template <class T>
  T Read(const T& value) const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return value;
  }

  mutable std::mutex mutex_;
  uint64_t outstanding_ = 0;
  uint64_t leases_ = 0;
  size_t last_size_ = 0;
  size_t last_alignment_ = 0;
  uint64_t fails_in_ = 0;
  Fault fault_ = Fault::kNone;
};

}  // namespace ROCKSDB_NAMESPACE

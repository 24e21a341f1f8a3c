#include "file/kept_pages.h"

#include <sys/mman.h>

#include <array>
#include <cstring>
#include <memory>

#include "util/invariant.h"
#include "util/mutex.h"
#include "util/thread_annotations.h"

namespace ROCKSDB_NAMESPACE {

namespace {

class Pieces {
 public:
  char* Take() EXCLUDES(mutex_) {
    {
      const MutexLock lock(&mutex_);
      if (kept_count_ > 0) {
        ++in_use_;
        return kept_[--kept_count_];
      }
    }
    void* const pages =
        mmap(nullptr, KeptPages::kBytes, PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS, /*fd=*/-1, /*offset=*/0);
    if (pages == MAP_FAILED) return nullptr;
    const MutexLock lock(&mutex_);
    ++in_use_;
    return static_cast<char*>(pages);
  }

  void Give(char* memory) EXCLUDES(mutex_) {
    INVARIANT(memory != nullptr);
    if constexpr (kDeepChecks) memset(memory, 0xdb, KeptPages::kBytes);
    {
      const MutexLock lock(&mutex_);
      INVARIANT(in_use_ > 0);
      --in_use_;
      if (kept_count_ < kept_.size()) {
        kept_[kept_count_++] = memory;
        return;
      }
    }
    const int failed = munmap(memory, KeptPages::kBytes);
    INVARIANT(failed == 0);
  }

  size_t HeldBytes() const EXCLUDES(mutex_) {
    const MutexLock lock(&mutex_);
    return (in_use_ + kept_count_) * KeptPages::kBytes;
  }

 private:
  mutable Mutex mutex_;
  size_t in_use_ GUARDED_BY(mutex_) = 0;
  size_t kept_count_ GUARDED_BY(mutex_) = 0;
  std::array<char*, KeptPages::kMostKept> kept_ GUARDED_BY(mutex_) = {};
};

// Never destroyed: an iterator may live until the process ends.
Pieces* AllPieces() {
  static Pieces* const pieces = std::make_unique<Pieces>().release();
  return pieces;
}

}  // namespace

char* KeptPages::Take() { return AllPieces()->Take(); }

void KeptPages::Give(char* memory) { AllPieces()->Give(memory); }

size_t KeptPages::HeldBytes() { return AllPieces()->HeldBytes(); }

}  // namespace ROCKSDB_NAMESPACE

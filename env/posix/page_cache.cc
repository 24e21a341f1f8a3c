#include "env/posix/page_cache.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <vector>

#include "env/posix/posix_error.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// Of linux/mman.h, which older systems lack.
struct CacheStatRange {
  uint64_t offset = 0;
  uint64_t length = 0;  // 0: to the end
};
struct CacheStat {
  uint64_t cached_pages = 0;
  uint64_t dirty_pages = 0;
  uint64_t written_pages = 0;
  uint64_t evicted_pages = 0;
  uint64_t recently_evicted_pages = 0;
};
constexpr long kCacheStatCall = 451;  // The same on every architecture.

class OpenFile {
 public:
  explicit OpenFile(const std::string& path)
      : descriptor_(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  ~OpenFile() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  int descriptor() const { return descriptor_; }

 private:
  const int descriptor_;
};

// False where mincore(2) has to do.
bool AskCacheStat(int descriptor, uint64_t page_bytes, uint64_t* bytes) {
  CacheStatRange range;
  CacheStat found;
  if (syscall(kCacheStatCall, descriptor, &range, &found, 0) != 0) return false;
  *bytes = found.cached_pages * page_bytes;
  return true;
}

int AskMincore(int descriptor, uint64_t size, uint64_t page_bytes,
               uint64_t* bytes) {
  void* const memory =
      mmap(nullptr, size, PROT_READ, MAP_SHARED, descriptor, 0);
  if (memory == MAP_FAILED) return errno;
  std::vector<unsigned char> pages((size + page_bytes - 1) / page_bytes);
  const int error = mincore(memory, size, pages.data()) == 0 ? 0 : errno;
  munmap(memory, size);
  if (error != 0) return error;
  // The lowest bit; the others are reserved.
  *bytes = page_bytes * static_cast<uint64_t>(std::count_if(
                            pages.begin(), pages.end(),
                            [](unsigned char page) { return page & 1; }));
  return 0;
}

}  // namespace

IOStatus ResidentBytes(const std::string& path, uint64_t* bytes) {
  INVARIANT(bytes != nullptr);
  const OpenFile file(path);
  struct stat attributes = {};
  if (file.descriptor() < 0 || fstat(file.descriptor(), &attributes) != 0) {
    return PosixError("look at the cached pages of", path, errno);
  }
  const auto size = static_cast<uint64_t>(attributes.st_size);
  const auto page_bytes = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  uint64_t resident = 0;
  if (size > 0 && !AskCacheStat(file.descriptor(), page_bytes, &resident)) {
    const int error =
        AskMincore(file.descriptor(), size, page_bytes, &resident);
    if (error != 0) {
      return PosixError("look at the cached pages of", path, error);
    }
  }
  // The last page is counted whole.
  *bytes = std::min(resident, size);
  return IOStatus::OK();
}

}  // namespace ROCKSDB_NAMESPACE

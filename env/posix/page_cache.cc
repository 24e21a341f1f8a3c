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
constexpr long kCacheStatCall = 451;  // The same on every architecture.

class OpenedFile {
 public:
  explicit OpenedFile(const std::string& path)
      : descriptor_(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
  OpenedFile(const OpenedFile&) = delete;
  OpenedFile& operator=(const OpenedFile&) = delete;
  ~OpenedFile() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  int descriptor() const { return descriptor_; }

 private:
  const int descriptor_;
};

int AskMincore(int descriptor, uint64_t size, uint64_t* cached_pages) {
  void* const memory =
      mmap(nullptr, size, PROT_READ, MAP_SHARED, descriptor, 0);
  if (memory == MAP_FAILED) return errno;
  std::vector<unsigned char> pages((size + PageBytes() - 1) / PageBytes());
  const int error = mincore(memory, size, pages.data()) == 0 ? 0 : errno;
  munmap(memory, size);
  if (error != 0) return error;
  // The lowest bit; the others are reserved.
  *cached_pages = static_cast<uint64_t>(std::count_if(
      pages.begin(), pages.end(), [](unsigned char page) { return page & 1; }));
  return 0;
}

}  // namespace

uint64_t PageBytes() {
  static const auto bytes = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  return bytes;
}

bool CountPages(int descriptor, uint64_t offset, uint64_t n,
                PageCounts* counts) {
  INVARIANT(counts != nullptr);
  const CacheStatRange range{offset, n};
  return syscall(kCacheStatCall, descriptor, &range, counts, 0) == 0;
}

IOStatus ResidentBytes(const std::string& path, uint64_t* bytes) {
  INVARIANT(bytes != nullptr);
  const OpenedFile file(path);
  struct stat attributes = {};
  if (file.descriptor() < 0 || fstat(file.descriptor(), &attributes) != 0) {
    return PosixError("While looking at the cached pages of", path, errno);
  }
  const auto size = static_cast<uint64_t>(attributes.st_size);
  PageCounts pages;
  if (size > 0 && !CountPages(file.descriptor(), 0, 0, &pages)) {
    const int error = AskMincore(file.descriptor(), size, &pages.cached);
    if (error != 0) {
      return PosixError("While looking at the cached pages of", path, error);
    }
  }
  // The last page is counted whole.
  *bytes = std::min(pages.cached * PageBytes(), size);
  return IOStatus::OK();
}

bool IsResident(int descriptor, uint64_t offset, size_t n) {
  INVARIANT(n > 0);
  const uint64_t first = offset / PageBytes();
  const uint64_t last = (offset + n - 1) / PageBytes();
  PageCounts pages;
  return CountPages(descriptor, offset, n, &pages) &&
         pages.cached == last - first + 1;
}

}  // namespace ROCKSDB_NAMESPACE

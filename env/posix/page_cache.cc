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

// The struct cachestat_range of linux/mman.h, which older systems lack.
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

uint64_t PagesOf(uint64_t size) {
  return (size + PageBytes() - 1) / PageBytes();
}

int AskMincore(int descriptor, uint64_t size, std::vector<bool>* has) {
  void* const memory =
      mmap(nullptr, size, PROT_READ, MAP_SHARED, descriptor, 0);
  if (memory == MAP_FAILED) return errno;
  std::vector<unsigned char> pages(PagesOf(size));
  const int error = mincore(memory, size, pages.data()) == 0 ? 0 : errno;
  munmap(memory, size);
  if (error != 0) return error;
  // The lowest bit; the others are reserved.
  has->resize(pages.size());
  std::transform(pages.begin(), pages.end(), has->begin(),
                 [](unsigned char page) { return (page & 1) != 0; });
  return 0;
}

uint64_t CountOf(const std::vector<bool>& has) {
  return static_cast<uint64_t>(std::count(has.begin(), has.end(), true));
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
    std::vector<bool> has;
    const int error = AskMincore(file.descriptor(), size, &has);
    if (error != 0) {
      return PosixError("While looking at the cached pages of", path, error);
    }
    pages.cached = CountOf(has);
  }
  // The last page is counted whole.
  *bytes = std::min(pages.cached * PageBytes(), size);
  return IOStatus::OK();
}

bool FindResidentPages(int descriptor, std::vector<bool>* has) {
  INVARIANT(has != nullptr);
  has->clear();
  struct stat attributes = {};
  if (fstat(descriptor, &attributes) != 0) return false;
  const auto size = static_cast<uint64_t>(attributes.st_size);
  PageCounts pages;
  // Most files have no cached pages, and it costs less to ask for the count.
  const bool is_counted = CountPages(descriptor, 0, 0, &pages);
  if (size == 0 || (is_counted && pages.cached == 0)) return true;
  if (AskMincore(descriptor, size, has) != 0) return false;
  // mincore(2) tells a process that does not own the file that all pages are
  // there.
  if (is_counted && pages.cached < has->size() / 2 &&
      CountOf(*has) == has->size()) {
    has->clear();
    return false;
  }
  return true;
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

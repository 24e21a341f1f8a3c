// What the page cache holds of a file, for tests on real files.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "rocksdb/rocksdb_namespace.h"
#include "tests/testing/temp_dir.h"

namespace ROCKSDB_NAMESPACE {

// A file that is mapped, so that the kernel can be asked for its pages; it may
// be removed meanwhile.
class MappedFile {
 public:
  explicit MappedFile(const std::string& path)
      : fd_(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    struct stat info = {};
    EXPECT_EQ(fstat(fd_, &info), 0) << path;
    size_ = static_cast<size_t>(info.st_size);
    memory_ = mmap(nullptr, size_, PROT_READ, MAP_SHARED, fd_, 0);
    EXPECT_NE(memory_, MAP_FAILED);
  }
  ~MappedFile() {
    munmap(memory_, size_);
    close(fd_);
  }
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  size_t page_count() const { return (size_ + kPage - 1) / kPage; }
  size_t ResidentPages() const {
    std::vector<unsigned char> pages(page_count());
    EXPECT_EQ(mincore(memory_, size_, pages.data()), 0);
    return static_cast<size_t>(
        std::count_if(pages.begin(), pages.end(),
                      [](unsigned char page) { return (page & 1) != 0; }));
  }
  bool IsResident(size_t page) const {
    unsigned char flag = 0;
    char* const at = static_cast<char*>(memory_) + page * kPage;
    EXPECT_EQ(mincore(at, 1, &flag), 0);
    return (flag & 1) != 0;
  }
  // More than once, since the kernel may be at a page for a moment. Where pages
  // are all that there is of the file they stay.
  void DropPages() const {
    EXPECT_EQ(fsync(fd_), 0);
    for (int i = 0; i < 1000; ++i) {
      EXPECT_EQ(posix_fadvise(fd_, 0, 0, POSIX_FADV_DONTNEED), 0);
      if (ResidentPages() == 0) return;
      std::this_thread::yield();
    }
  }
  void ReadAll() const {
    std::string buffer(1 << 20, '\0');
    off_t at = 0;
    ssize_t got = 0;
    while ((got = pread(fd_, buffer.data(), buffer.size(), at)) > 0) at += got;
  }

  static constexpr size_t kPage = 4096;

 private:
  int fd_;
  size_t size_ = 0;
  void* memory_ = nullptr;
};

// Has the kernel cachestat(2), which tells of parts of a file (Linux 6.5)?
inline bool HasCacheStat() {
  constexpr long kCacheStatCall = 451;
  return syscall(kCacheStatCall, -1, nullptr, nullptr, 0) != 0 &&
         errno != ENOSYS;
}

// Why pages of files in `directory` do not come and go; empty if they do.
inline std::string WhyNoPageCache(const TempDir& directory) {
  const std::string path = directory.File("probe");
  std::ofstream(path) << std::string(8192, 'p');
  const MappedFile probe(path);
  probe.DropPages();
  return probe.ResidentPages() == 0
             ? ""
             : directory.path() + " keeps all pages in memory";
}

// Why files in `directory` do not show what direct I/O does; empty if they do.
inline std::string WhyNoDirectIo(const TempDir& directory) {
  const std::string path = directory.File("probe");
  const int fd =
      open(path.c_str(), O_RDONLY | O_CREAT | O_DIRECT | O_CLOEXEC, 0600);
  if (fd < 0) return directory.path() + " refuses O_DIRECT";
  close(fd);
  return WhyNoPageCache(directory);
}

#define SKIP_WITHOUT_PAGE_CACHE(directory)                               \
  if (const std::string why = WhyNoPageCache(directory); !why.empty()) { \
    printf("%s\n", why.c_str());                                         \
    GTEST_SKIP() << why;                                                 \
  }                                                                      \
  static_assert(true)

#define SKIP_WITHOUT_DIRECT_IO(directory)                               \
  if (const std::string why = WhyNoDirectIo(directory); !why.empty()) { \
    printf("%s\n", why.c_str());                                        \
    GTEST_SKIP() << why;                                                \
  }                                                                     \
  static_assert(true)

}  // namespace ROCKSDB_NAMESPACE

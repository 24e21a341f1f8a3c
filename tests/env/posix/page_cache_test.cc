#include "env/posix/page_cache.h"

#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>

#include <cerrno>
#include <cstddef>
#include <fstream>
#include <string>
#include <thread>

#include "tests/testing/page_cache.h"
#include "tests/testing/temp_dir.h"

namespace ROCKSDB_NAMESPACE {
namespace {

constexpr uint64_t kPage = MappedFile::kPage;
constexpr size_t kPages = 64;

// The calling thread's kernel does not have cachestat(2) any more. False: it
// takes no filters.
bool LoseCacheStat() {
  constexpr unsigned kCacheStatCall = 451;
  sock_filter rules[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, kCacheStatCall, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
  const sock_fprog filter{.len = 4, .filter = rules};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

class PageCacheTest : public ::testing::Test {
 protected:
  PageCacheTest() : directory_("page_cache") {
    std::ofstream(path_) << std::string(kPages * kPage + 100, 'v');
  }
  static uint64_t ResidentIn(const std::string& path) {
    uint64_t bytes = UINT64_MAX;
    const IOStatus s = ResidentBytes(path, &bytes);
    EXPECT_TRUE(s.ok()) << s.ToString();
    return bytes;
  }
  // What is dropped is not there, what is read is, page by page.
  void ExpectToFollowThePages() {
    const MappedFile mapped(path_);
    mapped.DropPages();
    EXPECT_EQ(ResidentIn(path_), 0u);
    EXPECT_EQ(mapped.ResidentPages(), 0u) << "asking brings none";
    mapped.ReadAll();
    EXPECT_EQ(ResidentIn(path_), kPages * kPage + 100) << "not more than it is";
    mapped.DropPages();
    const int fd = open(path_.c_str(), O_RDONLY | O_CLOEXEC);
    ASSERT_GE(fd, 0);
    EXPECT_EQ(posix_fadvise(fd, 0, 0, POSIX_FADV_RANDOM), 0);
    char byte = 0;
    for (const int page : {3, 10, 11}) {
      EXPECT_EQ(pread(fd, &byte, 1, static_cast<off_t>(kPage) * page), 1);
    }
    EXPECT_EQ(ResidentIn(path_), 3 * kPage);
    EXPECT_EQ(ResidentIn(path_), mapped.ResidentPages() * kPage);
    close(fd);
  }

  TempDir directory_;
  const std::string path_ = directory_.File("file");
};

TEST_F(PageCacheTest, BytesFollowThePages) {
  SKIP_WITHOUT_PAGE_CACHE(directory_);
  ExpectToFollowThePages();
}

TEST_F(PageCacheTest, AnOlderKernelIsAskedOtherwise) {
  SKIP_WITHOUT_PAGE_CACHE(directory_);
  bool has_filter = false;
  // A filter is that of one thread, and stays as long as it.
  std::thread old([&] {
    has_filter = LoseCacheStat();
    if (!has_filter) return;
    EXPECT_FALSE(HasCacheStat());
    ExpectToFollowThePages();
  });
  old.join();
  if (!has_filter) GTEST_SKIP() << "no system call can be taken away";
}

TEST_F(PageCacheTest, AnEmptyFileHasNoneAndAMissingOneIsAnError) {
  const std::string empty = directory_.File("empty");
  std::ofstream(empty).flush();
  EXPECT_EQ(ResidentIn(empty), 0u);
  uint64_t bytes = 7;
  EXPECT_TRUE(ResidentBytes(directory_.File("none"), &bytes).IsPathNotFound());
  EXPECT_EQ(bytes, 7u);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

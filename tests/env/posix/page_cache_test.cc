// The count of a file's bytes in the page cache follows its pages, on old and
// new kernels.
#include "env/posix/page_cache.h"

#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <fstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "env/resident_pages.h"
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
    std::vector<bool> has;
    ASSERT_TRUE(FindResidentPages(fd, &has));
    ASSERT_EQ(has.size(), kPages + 1);
    for (size_t page = 0; page < has.size(); ++page) {
      EXPECT_EQ(has[page], page == 3 || page == 10 || page == 11) << page;
    }
    const PageSet pages(kPage, std::move(has));
    EXPECT_TRUE(pages.Has(10 * kPage, 2 * kPage));
    EXPECT_TRUE(pages.Has(12 * kPage - 1, 1));
    EXPECT_FALSE(pages.Has(10 * kPage, 2 * kPage + 1));
    EXPECT_FALSE(pages.Has(10 * kPage - 1, 2));
    EXPECT_FALSE(pages.Has(10 * kPage, 0));
    EXPECT_FALSE(pages.Has(kPages * kPage + 99, kPage)) << "behind the end";
    mapped.DropPages();
    has.clear();
    EXPECT_TRUE(FindResidentPages(fd, &has));
    EXPECT_EQ(std::count(has.begin(), has.end(), true), 0);
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
  std::vector<bool> has{true};
  EXPECT_FALSE(FindResidentPages(-1, &has));
  EXPECT_TRUE(has.empty());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

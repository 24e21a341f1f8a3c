// A large table gets zeroed memory, in huge pages where the system has them.
#include "util/huge_pages.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace ROCKSDB_NAMESPACE {
namespace {

constexpr size_t kPage = 2 << 20;

bool IsZero(const HugePages& pages) {
  const char* const begin = static_cast<const char*>(pages.data());
  return std::all_of(begin, begin + pages.bytes(),
                     [](char byte) { return byte == 0; });
}

TEST(HugePagesTest, OrdinaryMemoryWithoutAPageSize) {
  for (const size_t page_size : {size_t{0}, size_t{1}, size_t{4096},
                                 size_t{3} << 20, size_t{1} << 62, SIZE_MAX}) {
    const HugePages pages(100, page_size);
    EXPECT_EQ(pages.source(), HugePages::Source::kHeap) << page_size;
    EXPECT_EQ(pages.bytes(), 100u);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(pages.data()) % 64, 0u);
    EXPECT_TRUE(IsZero(pages));
    std::memset(pages.data(), 0xff, pages.bytes());
  }
}

TEST(HugePagesTest, LessThanAPageIsOrdinaryMemory) {
  const HugePages pages(kPage - 1, kPage);
  EXPECT_EQ(pages.source(), HugePages::Source::kHeap);
  EXPECT_EQ(pages.bytes(), kPage - 1);
}

// Reserved pages are there on few machines; pages that the kernel may join on
// nearly all.
TEST(HugePagesTest, WholePagesAtPageBoundaries) {
  const HugePages pages(kPage + 1, kPage);
  EXPECT_TRUE(IsZero(pages));
  std::memset(pages.data(), 0xff, pages.bytes());
  if (pages.source() == HugePages::Source::kHeap) {
    GTEST_SKIP() << "the system has no huge pages";
  }
  EXPECT_EQ(pages.bytes(), 2 * kPage);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(pages.data()) % kPage, 0u);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

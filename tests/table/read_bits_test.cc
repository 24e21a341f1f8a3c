// Each part of a data block counts once as read, and the parts sum up to the
// block.
#include "table/read_bits.h"

#include <gtest/gtest.h>

#include <vector>

#include "util/random.h"

namespace ROCKSDB_NAMESPACE {
namespace {

TEST(ReadBits, CountsEveryPartOnce) {
  ReadBits bits(100, 16);
  EXPECT_EQ(bits.Mark(0, 1), 16u);
  EXPECT_EQ(bits.Mark(1, 16), 0u);
  EXPECT_EQ(bits.Mark(15, 17), 16u);
  // The last part is shorter.
  EXPECT_EQ(bits.Mark(99, 100), 4u);
  EXPECT_EQ(bits.Mark(0, 100), 64u);
  EXPECT_EQ(bits.Mark(0, 100), 0u);
}

TEST(ReadBits, RoundsDownToAPowerOfTwo) {
  ReadBits bits(64, 31);
  EXPECT_EQ(bits.Mark(0, 1), 16u);
  ReadBits whole(64, 1 << 30);
  EXPECT_EQ(whole.Mark(5, 6), 64u);
}

TEST(ReadBits, SumsUpToTheBlock) {
  for (uint64_t seed = 1; seed <= 300; ++seed) {
    Random64 random(seed);
    const size_t size = 1 + random.Uniform(5000);
    ReadBits bits(size, static_cast<uint32_t>(1 + random.Uniform(70)));
    size_t sum = 0;
    for (int i = 0; i < 20; ++i) {
      const size_t begin = random.Uniform(size);
      sum += bits.Mark(begin, begin + 1 + random.Uniform(size - begin));
    }
    EXPECT_LE(sum, size);
    sum += bits.Mark(0, size);
    EXPECT_EQ(sum, size);
    EXPECT_GT(bits.memory_bytes(), size / 8 / 64);
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

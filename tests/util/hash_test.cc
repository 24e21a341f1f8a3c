// The hash functions of the file formats give their known values.
#include "util/hash.h"

#include <gtest/gtest.h>

#include <string>

namespace ROCKSDB_NAMESPACE {
namespace {

// 00 01 02 ... ff 00 01 ...
std::string Counting(size_t n, int first = 0) {
  std::string s;
  for (size_t i = 0; i < n; ++i) {
    s.push_back(static_cast<char>(static_cast<size_t>(first) + i));
  }
  return s;
}

TEST(HashTest, FilterHashIsThePreviewXxh3) {
  const struct {
    size_t n;
    uint64_t preview;
    uint64_t final;
  } kVectors[] = {
      {0, 0x5342c3010fe1dd04, 0x2d06800538d394c2},
      {1, 0x7198d737cfe7f386, 0xc44bdff4074eecdb},
      {2, 0x391ee7c983900289, 0xd6645fc3051a9457},
      {3, 0xc0360a11b4791b98, 0x5f4299fc161c9cbb},
      {4, 0xf28e842dedde83ae, 0x60dab036a58211f2},
      {8, 0x223c9d9c7f17db6e, 0x3a1c2d7c85af88f8},
      {9, 0x93557756b5dae4dd, 0xe9612598145bb9dc},
      {16, 0x4bfe2ff1655e8360, 0x8355e3a6f61770db},
      {17, 0x6dff1ac96eef2848, 0x9ef341a99de37328},
      {32, 0x05e0c55fd9add145, 0x3523581fe96e4c05},
      {64, 0x85a0b1306d97b7f5, 0x6187eb9089b0ed55},
      {128, 0x7aa5db2c8097080b, 0x85c6174c7ff4c46b},
      {129, 0xa06d81743056cebc, 0xec7642b431ba3e5a},
      {240, 0xd1253a6dec8c35fc, 0x375a384d957fe865},
      {241, 0xb78df6016a18c222, 0x02e8cd95421c6d02},
      {256, 0x4ab6ef4d2088e650, 0x9408a4433b952d71},
      {512, 0xe11fa58fd0d0b0a5, 0x1059105ad19bfa09},
      {1024, 0xa63b91fd35ca4f09, 0xa870f92984398d22},
      {1025, 0x95936fd408f00c5e, 0x78c86e91ee939852},
      {2047, 0x5d369cc7ace6f96b, 0xebb4a67fecb7bb5a},
  };
  for (const auto& vector : kVectors) {
    const std::string input = Counting(vector.n);
    EXPECT_EQ(vector.preview, FilterHash64(input)) << vector.n;
    EXPECT_EQ(vector.final, Hash64(input)) << vector.n;
    EXPECT_EQ(vector.final, Hash64(input.data(), input.size(), 0)) << vector.n;
  }
}

TEST(HashTest, Hash32ExtendsTheSignOfTheTail) {
  const struct {
    size_t n;
    uint32_t data_block;
    uint32_t bloom;
  } kVectors[] = {
      {0, 0x0000018d, 0xbc9f1d34}, {1, 0xc5cd2b7f, 0x91b755f4},
      {2, 0x99800228, 0xebad273d}, {3, 0x876828db, 0xef2a8698},
      {4, 0x22775d24, 0xcfd06db8}, {5, 0xea149144, 0xbbfe2dd9},
      {7, 0xda6958fa, 0x476b6638}, {8, 0x0f784e96, 0x99a2d8c3},
  };
  for (const auto& vector : kVectors) {
    const std::string s = Counting(vector.n, 0x80);
    EXPECT_EQ(vector.data_block,
              Hash32(s.data(), s.size(), kDataBlockHashSeed));
    EXPECT_EQ(vector.bloom, Hash32(s.data(), s.size(), kLegacyBloomSeed));
  }
}

TEST(HashTest, FastRangeStaysInRange) {
  EXPECT_EQ(0u, FastRange32(0, 10));
  EXPECT_EQ(9u, FastRange32(UINT32_MAX, 10));
  EXPECT_EQ(0u, FastRange64(0, 10));
  EXPECT_EQ(9u, FastRange64(UINT64_MAX, 10));
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

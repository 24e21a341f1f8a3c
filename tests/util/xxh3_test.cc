// All variants of XXH3 give the same value for any bytes.
#include "util/xxh3.h"

#include <gtest/gtest.h>

#include <string>

#include "util/hash.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {
namespace {

TEST(Xxh3Test, AllVariantsGiveTheSame) {
  Random64 random(301);
  std::string bytes;
  while (bytes.size() < 70000) {
    bytes.push_back(static_cast<char>(random.Next()));
  }
  for (size_t n = 0; n < bytes.size(); n += n < 600 ? 1 : 1 + n / 7) {
    for (size_t begin = 0; begin < 3; ++begin) {
      const char* const data = bytes.data() + begin;
      const size_t length = std::min(n, bytes.size() - begin);
      const uint64_t expected = Hash64(data, length);
      EXPECT_EQ(xxh3::Value(data, length), expected) << length;
      EXPECT_EQ(xxh3::ValuePortable(data, length), expected) << length;
      if (!xxh3::WideIsSupported()) continue;
      EXPECT_EQ(xxh3::ValueWide(data, length), expected) << length;
    }
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

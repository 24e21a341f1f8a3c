// A file's image in memory reads like the file itself.
#include "file/fresh_image.h"

#include <gtest/gtest.h>

#include <string>

#include "util/random.h"

namespace ROCKSDB_NAMESPACE {
namespace {

TEST(FreshImageTest, GivesBackWhatItGot) {
  Random64 random(3);
  std::string all;
  FreshImage image;
  while (all.size() < 5 * FreshImage::kChunkBytes) {
    std::string part(random.Uniform(100'000), '\0');
    for (char& c : part) c = static_cast<char>(random.Next());
    image.Append(part);
    all += part;
  }
  ASSERT_EQ(image.size(), all.size());
  std::string scratch(all.size() + 10, '\0');
  for (int i = 0; i < 1000; ++i) {
    const size_t offset = random.Uniform(all.size() + 5);
    const size_t n = random.Uniform(all.size());
    const Slice got = image.Read(offset, n, scratch.data());
    const Slice want =
        offset < all.size()
            ? Slice(all.data() + offset, std::min(n, all.size() - offset))
            : Slice();
    ASSERT_EQ(got, want) << offset << " " << n;
  }
}

TEST(FreshImageTest, IsAFile) {
  const auto image = std::make_shared<FreshImage>();
  image->Append(std::string(100, 'i'));
  const auto file = NewFreshFile(image);
  char scratch[200];
  Slice result;
  ASSERT_TRUE(file->Read(90, 50, IOOptions(), &result, scratch, nullptr).ok());
  EXPECT_EQ(result, Slice("iiiiiiiiii"));
  uint64_t size = 0;
  ASSERT_TRUE(file->GetFileSize(&size).ok());
  EXPECT_EQ(size, 100u);
  EXPECT_FALSE(file->use_direct_io());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

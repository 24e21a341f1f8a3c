// A table's compression property finds the decompressor of its blocks, and a
// malformed one is Corruption.
#include "table/file_decompressor.h"

#include <gtest/gtest.h>

#include "rocksdb/advanced_compression.h"
#include "tests/table/own_codec.h"

namespace ROCKSDB_NAMESPACE {
namespace {

TEST(FileDecompressorTest, MalformedMarksAreCorruption) {
  for (const char* property :
       {"ZSTD", ";", "BuiltinV2;07", "BuiltinV2;7;", "BuiltinV2;0;",
        "BuiltinV2;0G;", "BuiltinV2;00;", "BuiltinV2;FF;", "BuiltinV2;07FF;"}) {
    std::shared_ptr<Decompressor> result;
    const Status s = FindDecompressor({7, property, nullptr}, &result);
    EXPECT_TRUE(s.IsCorruption()) << property << ": " << s.ToString();
    EXPECT_EQ(result, nullptr);
  }
}

TEST(FileDecompressorTest, BuiltInFilesShareOne) {
  const auto shared = GetBuiltinV2CompressionManager()->GetDecompressor();
  for (const char* property :
       {"", ";;", "BuiltinV2;;", "BuiltinV2;0407;", "BuiltinV2;07;more;"}) {
    for (const auto& configured : {std::shared_ptr<CompressionManager>(),
                                   GetBuiltinV2CompressionManager(),
                                   std::shared_ptr<CompressionManager>(
                                       CreateAutoSkipCompressionManager()),
                                   std::shared_ptr<CompressionManager>(
                                       std::make_shared<OwnManager>())}) {
      std::shared_ptr<Decompressor> result;
      ASSERT_TRUE(FindDecompressor({7, property, configured}, &result).ok())
          << property;
      EXPECT_EQ(result, shared) << property;
    }
  }
  // In older formats it is a name, which says less than the blocks do.
  for (const char* name : {"", "ZSTD", "NoCompression", "Nobody's"}) {
    std::shared_ptr<Decompressor> result;
    ASSERT_TRUE(FindDecompressor({5, name, nullptr}, &result).ok());
    EXPECT_EQ(result, shared);
    ASSERT_TRUE(FindDecompressor({1, name, nullptr}, &result).ok());
    EXPECT_NE(result, shared);
  }
}

TEST(FileDecompressorTest, TheTypesAreToldToTheManager) {
  class Listening final : public CompressionManagerWrapper {
   public:
    Listening() : CompressionManagerWrapper(std::make_shared<OwnManager>()) {}
    const char* Name() const override { return "Listening"; }
    std::shared_ptr<CompressionManager> FindCompatibleCompressionManager(
        Slice name) override {
      if (name == "throws") throw std::runtime_error("own fault");
      return name == "OwnCodec" ? shared_from_this() : nullptr;
    }
    std::shared_ptr<Decompressor> GetDecompressorForTypes(
        const CompressionType* begin, const CompressionType* end) override {
      types.assign(begin, end);
      return wrapped_->GetDecompressor();
    }
    std::vector<CompressionType> types;
  };
  const auto manager = std::make_shared<Listening>();
  std::shared_ptr<Decompressor> result;
  ASSERT_TRUE(FindDecompressor({7, "OwnCodec;8081FE;", manager}, &result).ok());
  EXPECT_EQ(manager->types,
            (std::vector{kCustomCompression80, kCustomCompression81,
                         kCustomCompressionFE}));
  EXPECT_STREQ(result->Name(), "OwnDecompressor");
  EXPECT_TRUE(
      FindDecompressor({7, "nobody;80;", manager}, &result).IsNotSupported());
  EXPECT_TRUE(
      FindDecompressor({7, "throws;80;", manager}, &result).IsAborted());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

// The built-in manager, and what compressors, decompressors and managers do
// where their class does not say.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "rocksdb/advanced_compression.h"
#include "util/builtin_compression.h"
#include "util/coding.h"
#include "util/compression.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// --- ManagedPtr

struct Lender {
  void TakeBack(int* thing) {
    returned.push_back(*thing);
    delete thing;
  }
  std::vector<int> returned;
};
using Loan = ManagedPtr<int, Lender, &Lender::TakeBack>;

TEST(ManagedPtrTest, GivesBackOnce) {
  Lender lender;
  {
    Loan empty;
    EXPECT_FALSE(empty);
    Loan a(std::make_unique<int>(1).release(), &lender);
    EXPECT_TRUE(a);
    EXPECT_EQ(*a, 1);
    EXPECT_EQ(a.owner(), &lender);
    Loan b(std::move(a));
    EXPECT_EQ(b.get() == nullptr, false);
    Loan c(std::make_unique<int>(2).release(), &lender);
    c = std::move(b);
    EXPECT_EQ(lender.returned, std::vector{2});
    EXPECT_EQ(*c, 1);
  }
  EXPECT_EQ(lender.returned, (std::vector{2, 1}));
}

// --- The built-in manager

std::string Text(size_t size) {
  std::string text;
  for (int i = 0; text.size() < size; ++i) {
    text += "key" + std::to_string(i % 50) + "=value;";
  }
  text.resize(size);
  return text;
}

std::vector<CompressionType> BuiltCodecs() {
  std::vector<CompressionType> types;
  for (unsigned i = 1; i <= kLastBuiltinCompression; ++i) {
    const auto type = static_cast<CompressionType>(i);
    if (CompressionTypeSupported(type)) types.push_back(type);
  }
  return types;
}

TEST(BuiltinManagerTest, Names) {
  CompressionManager& manager = *GetBuiltinV2CompressionManager();
  EXPECT_STREQ(manager.Name(), "BuiltinCompressionManagerV2");
  EXPECT_STREQ(manager.CompatibilityName(), "BuiltinV2");
  EXPECT_EQ(manager.GetId(), "BuiltinV2");
  EXPECT_STREQ(CompressionManager::Type(), "CompressionManager");
  EXPECT_TRUE(manager.SupportsCompressionType(kNoCompression));
  EXPECT_FALSE(manager.SupportsCompressionType(kCustomCompression80));
  EXPECT_FALSE(manager.SupportsCompressionType(kXpressCompression));
  EXPECT_EQ(manager.CompressionTypeToString(kCustomCompressionFE), "CustomFE");
  EXPECT_EQ(manager.FindCompatibleCompressionManager("BuiltinV2"),
            GetBuiltinV2CompressionManager());
  EXPECT_EQ(manager.FindCompatibleCompressionManager("Nobody"), nullptr);
  // Both show the wrapped one's name.
  for (const auto& wrapper : {CreateAutoSkipCompressionManager(),
                              CreateCostAwareCompressionManager()}) {
    EXPECT_STREQ(wrapper->Name(), "BuiltinCompressionManagerV2");
    EXPECT_STREQ(wrapper->CompatibilityName(), "BuiltinV2");
  }
}

TEST(BuiltinManagerTest, NoCompressorForWhatItLacks) {
  CompressionManager& manager = *GetBuiltinV2CompressionManager();
  for (const CompressionType type :
       {kNoCompression, kXpressCompression, kCustomCompression80,
        kDisableCompressionOption}) {
    EXPECT_EQ(manager.GetCompressor(CompressionOptions(), type), nullptr);
  }
}

TEST(BuiltinManagerTest, RoundTripsThroughTheInterface) {
  CompressionManager& manager = *GetBuiltinV2CompressionManager();
  const std::string raw = Text(5000);
  for (const CompressionType type : BuiltCodecs()) {
    const auto compressor = manager.GetCompressor(CompressionOptions(), type);
    ASSERT_NE(compressor, nullptr);
    EXPECT_EQ(compressor->GetPreferredCompressionType(), type);
    EXPECT_TRUE(compressor->GetSerializedDict().empty());
    for (const bool has_area : {false, true}) {
      Compressor::ManagedWorkingArea area;
      if (has_area) area = compressor->ObtainWorkingArea();
      std::string out(raw.size(), '\0');
      size_t size = out.size();
      CompressionType got = kNoCompression;
      ASSERT_TRUE(
          compressor->CompressBlock(raw, out.data(), &size, &got, &area).ok());
      EXPECT_EQ(got, type);
      ASSERT_LT(size, raw.size() / 2);
      std::string back;
      ASSERT_TRUE(ExpandInto(manager.GetDecompressorOptimizeFor(type).get(),
                             type, Slice(out.data(), size), &back)
                      .ok());
      EXPECT_EQ(back, raw);
      // Into less room it does not go, and nothing is written beyond.
      std::vector<char> room(size - 1);
      size = room.size();
      ASSERT_TRUE(
          compressor->CompressBlock(raw, room.data(), &size, &got, &area).ok());
      EXPECT_EQ(got, kNoCompression);
      EXPECT_GT(size, 0u);
    }
  }
}

TEST(BuiltinManagerTest, OneCompressorServesManyThreads) {
  for (const CompressionType type : BuiltCodecs()) {
    const auto compressor = GetBuiltinV2CompressionManager()->GetCompressor(
        CompressionOptions(), type);
    const auto decompressor = compressor->GetOptimizedDecompressor();
    std::vector<std::thread> threads;
    for (size_t t = 0; t < 4; ++t) {
      threads.emplace_back([&, t] {
        auto area = compressor->ObtainWorkingArea();
        for (size_t i = 0; i < 30; ++i) {
          const std::string raw = Text(1000 + 100 * t + i);
          std::string payload;
          std::string back;
          ASSERT_TRUE(CompressInto(compressor.get(), raw, raw.size(),
                                   i % 2 == 0 ? &area : nullptr, &payload));
          ASSERT_TRUE(
              ExpandInto(decompressor.get(), type, payload, &back).ok());
          ASSERT_EQ(back, raw);
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
  }
}

TEST(BuiltinManagerTest, AnAreaOfAnotherIsNotTouched) {
  if (BuiltCodecs().size() < 2) GTEST_SKIP();
  CompressionManager& manager = *GetBuiltinV2CompressionManager();
  const auto a = manager.GetCompressor(CompressionOptions(), BuiltCodecs()[0]);
  const auto b = manager.GetCompressor(CompressionOptions(), BuiltCodecs()[1]);
  auto area = b->ObtainWorkingArea();
  std::string payload;
  EXPECT_TRUE(CompressInto(a.get(), Text(1000), 1000, &area, &payload));
}

TEST(BuiltinManagerTest, DictionariesAreMadeAndKept) {
  for (const CompressionType type : BuiltCodecs()) {
    CompressionOptions options;
    options.max_dict_bytes = 600;
    CompressionManager& manager = *GetBuiltinV2CompressionManager();
    const auto plain = manager.GetCompressor(options, type);
    const bool takes_one =
        type != kSnappyCompression && type != kBZip2Compression;
    const auto guidance = plain->GetDictGuidance(CacheEntryRole::kDataBlock);
    const auto* sampling = std::get_if<Compressor::DictSampling>(&guidance);
    ASSERT_EQ(sampling != nullptr, takes_one);
    EXPECT_TRUE(std::holds_alternative<Compressor::DictDisabled>(
        plain->GetDictGuidance(CacheEntryRole::kIndexBlock)));
    Compressor::DictSamples samples{Text(1000), {400, 600}};
    EXPECT_TRUE(samples.Verify());
    auto special = plain->MaybeCloneSpecialized(CacheEntryRole::kDataBlock,
                                                std::move(samples));
    if (!takes_one) {
      EXPECT_EQ(special, nullptr);
      continue;
    }
    EXPECT_EQ(sampling->max_sample_bytes, 600u);
    ASSERT_NE(special, nullptr);
    EXPECT_EQ(special->GetSerializedDict(), Slice(Text(600)));
    // So has a clone of it, and its decompressor.
    const auto clone = special->Clone();
    EXPECT_EQ(clone->GetSerializedDict(), special->GetSerializedDict());
    std::string payload;
    const std::string raw = Text(500);
    ASSERT_TRUE(CompressInto(clone.get(), raw, 450, nullptr, &payload));
    std::string back;
    const auto expander = special->GetOptimizedDecompressor();
    EXPECT_EQ(expander->GetSerializedDict(), special->GetSerializedDict());
    EXPECT_GE(expander->ApproximateOwnedMemoryUsage(), 600u);
    ASSERT_TRUE(ExpandInto(expander.get(), type, payload, &back).ok());
    EXPECT_EQ(back, raw);
    // One without is asked for.
    const auto without = special->CloneMaybeSpecialized(
        CacheEntryRole::kIndexBlock, Compressor::DictDisabled{});
    EXPECT_TRUE(without->GetSerializedDict().empty());
  }
}

TEST(BuiltinManagerTest, SamplesThatDoNotAddUpMakeNone) {
  if (!CompressionTypeSupported(kZSTD)) GTEST_SKIP();
  CompressionOptions options;
  options.max_dict_bytes = 1000;
  options.zstd_max_train_bytes = 10000;
  const auto plain =
      GetBuiltinV2CompressionManager()->GetCompressor(options, kZSTD);
  Compressor::DictSamples wrong{Text(1000), {400, 700}};
  EXPECT_FALSE(wrong.Verify());
  EXPECT_EQ(plain->MaybeCloneSpecialized(CacheEntryRole::kDataBlock,
                                         std::move(wrong)),
            nullptr);
}

// --- Defaults

class BareCompressor : public Compressor {
 public:
  const char* Name() const override { return "Bare"; }
  std::unique_ptr<Compressor> Clone() const override {
    return std::make_unique<BareCompressor>();
  }
  Status CompressBlock(Slice, char*, size_t* size, CompressionType* type,
                       ManagedWorkingArea*) override {
    *size = 0;
    *type = kNoCompression;
    return Status::OK();
  }
};

class BareDecompressor : public Decompressor {
 public:
  const char* Name() const override { return "Bare"; }
  Status DecompressBlock(const Args&, char*) override { return Status::OK(); }
};

TEST(CompressionDefaultsTest, OfACompressor) {
  BareCompressor bare;
  EXPECT_EQ(bare.GetId(), "Bare");
  EXPECT_TRUE(std::holds_alternative<Compressor::DictDisabled>(
      bare.GetDictGuidance(CacheEntryRole::kDataBlock)));
  EXPECT_TRUE(bare.GetSerializedDict().empty());
  EXPECT_EQ(bare.GetPreferredCompressionType(), kNoCompression);
  EXPECT_FALSE(bare.ObtainWorkingArea());
  EXPECT_EQ(bare.GetOptimizedDecompressor(), nullptr);
  EXPECT_EQ(bare.MaybeCloneSpecialized(CacheEntryRole::kDataBlock,
                                       Compressor::DictDisabled{}),
            nullptr);
  EXPECT_NE(bare.CloneMaybeSpecialized(CacheEntryRole::kDataBlock,
                                       Compressor::DictDisabled{}),
            nullptr);
}

TEST(CompressionDefaultsTest, OfADecompressor) {
  BareDecompressor bare;
  EXPECT_TRUE(bare.GetSerializedDict().empty());
  EXPECT_FALSE(bare.ObtainWorkingArea(kZSTD));
  std::unique_ptr<Decompressor> out;
  EXPECT_TRUE(bare.MaybeCloneForDict("dictionary", &out).IsNotSupported());
  std::string payload;
  PutVarint64(&payload, 300);
  Decompressor::Args args;
  const std::string with_rest = payload + "rest";
  args.compressed_data = with_rest;
  ASSERT_TRUE(bare.ExtractUncompressedSize(args).ok());
  EXPECT_EQ(args.uncompressed_size, 300u);
  EXPECT_EQ(args.compressed_data, Slice("rest"));
  args.compressed_data = "\x80";
  EXPECT_TRUE(bare.ExtractUncompressedSize(args).IsCorruption());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

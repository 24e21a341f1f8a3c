// Every codec gives back what it was given, at all sizes and with dictionaries,
// and answers cut or arbitrary bytes without harm.
#include "util/compression.h"

#include <gtest/gtest.h>

#include <climits>
#include <functional>
#include <thread>
#include <vector>

#include "util/builtin_compression.h"
#include "util/coding.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {
namespace {

constexpr uint32_t kLayout1 = 1;
constexpr uint32_t kLayout2 = 5;

// Text that compresses, different for each seed.
std::string Compressible(uint64_t seed, size_t size) {
  Random64 random(seed);
  std::string text;
  while (text.size() < size) {
    text += "key" + std::to_string(random.Uniform(50)) + "=value;";
  }
  text.resize(size);
  return text;
}

class CompressionTest : public testing::TestWithParam<CompressionType> {
 protected:
  void SetUp() override {
    if (!CompressionTypeSupported(GetParam())) GTEST_SKIP() << "not built in";
  }

  // Compresses with the area of before, as one file's blocks are.
  class Codec {
   public:
    Codec(CompressionType type, const CompressionOptions& options,
          const std::string& dictionary)
        : options_(options) {
      const Status s =
          BuiltinCompressor::Create(type, options, dictionary, &compressor_);
      EXPECT_TRUE(s.ok()) << s.ToString();
      if (s.ok()) area_ = compressor_->ObtainWorkingArea();
    }
    bool Compress(const std::string& raw, std::string* out) {
      return CompressInto(compressor_.get(), raw,
                          MostCompressedBytes(options_, raw.size()), &area_,
                          out);
    }

   private:
    const CompressionOptions options_;
    std::unique_ptr<BuiltinCompressor> compressor_;
    Compressor::ManagedWorkingArea area_;
  };
  std::unique_ptr<Codec> NewCompressor(
      const std::string& dictionary = "",
      const CompressionOptions& options = CompressionOptions()) {
    return std::make_unique<Codec>(GetParam(), options, dictionary);
  }

  // A decompressor for each of the two layouts.
  struct Expanders {
    explicit Expanders(const std::string& dictionary)
        : old(BuiltinDecompressor::Layout::kOld, dictionary),
          with_sizes(BuiltinDecompressor::Layout::kWithSizes, dictionary) {}
    BuiltinDecompressor old;
    BuiltinDecompressor with_sizes;
  };
  static std::unique_ptr<Expanders> NewDecompressor(
      const std::string& dictionary = "") {
    return std::make_unique<Expanders>(dictionary);
  }

  std::string Payload(const std::string& raw,
                      const std::string& dictionary = "") {
    std::string payload;
    EXPECT_TRUE(NewCompressor(dictionary)->Compress(raw, &payload));
    return payload;
  }

  // The answer, or the status as text.
  std::string Expand(Expanders& decompressors, uint32_t format_version,
                     const std::string& payload) {
    // A heap copy of the exact size, so that a sanitizer sees an overrun.
    const std::vector<char> exact(payload.begin(), payload.end());
    const Slice in(exact.data(), exact.size());
    std::string out;
    const Status s = ExpandInto(
        format_version < 2 ? &decompressors.old : &decompressors.with_sizes,
        GetParam(), in, &out);
    return s.ok() ? out : s.ToString();
  }

  // The payload of layout 1 with the same content.
  std::string ToLayout1(const std::string& payload) {
    Slice rest(payload);
    uint32_t size = 0;
    EXPECT_TRUE(GetVarint32(&rest, &size));
    switch (GetParam()) {
      case kZlibCompression:
      case kBZip2Compression:
        return rest.ToString();
      case kLZ4Compression:
      case kLZ4HCCompression: {
        std::string result;
        PutFixed64(&result, size);
        return result + rest.ToString();
      }
      default:
        return payload;
    }
  }
};

TEST_P(CompressionTest, RoundTripsAllSizesWithOneCompressor) {
  const auto compressor = NewCompressor();
  const auto decompressor = NewDecompressor();
  for (const size_t size : {100, 1000, 4096, 20000, 65536, 300000, 4096, 700}) {
    const std::string raw = Compressible(size, size);
    std::string payload;
    ASSERT_TRUE(compressor->Compress(raw, &payload)) << size;
    EXPECT_LE(payload.size(), raw.size() * 896 / 1024);
    EXPECT_EQ(raw, Expand(*decompressor, kLayout2, payload));
    EXPECT_EQ(raw, Expand(*decompressor, kLayout1, ToLayout1(payload)));
  }
}

TEST_P(CompressionTest, RefusesWhatDoesNotShrink) {
  const auto compressor = NewCompressor();
  std::string payload;
  EXPECT_FALSE(compressor->Compress("", &payload));
  EXPECT_FALSE(compressor->Compress("ab", &payload));
  const std::string noise = Random64(1).RandomBytes(5000);
  EXPECT_FALSE(compressor->Compress(noise, &payload));
  // And is not confused by having refused.
  const std::string raw = Compressible(3, 5000);
  ASSERT_TRUE(compressor->Compress(raw, &payload));
  EXPECT_EQ(raw, Expand(*NewDecompressor(), kLayout2, payload));
}

TEST_P(CompressionTest, LimitIsAnOption) {
  CompressionOptions options;
  options.max_compressed_bytes_per_kb = 1;
  std::string payload;
  EXPECT_FALSE(
      NewCompressor("", options)->Compress(Compressible(1, 5000), &payload));
  options.SetMinRatio(1.5);
  EXPECT_EQ(683, options.max_compressed_bytes_per_kb);
}

TEST_P(CompressionTest, NumbersOutOfRangeAreTakenAsTheNearest) {
  const std::string raw = Compressible(4, 50000);
  for (const int number : {INT_MIN, -100, -16, -15, -8, 3, 15, 99, INT_MAX}) {
    for (int field = 0; field < 3; ++field) {
      CompressionOptions options;
      if (field == 0) options.level = number;
      if (field == 1) options.window_bits = number;
      if (field == 2) options.strategy = number;
      const auto compressor = NewCompressor("", options);
      ASSERT_NE(compressor, nullptr) << field << " " << number;
      std::string payload;
      // The fastest of ZSTD's and LZ4's levels find next to nothing.
      if (!compressor->Compress(raw, &payload)) {
        EXPECT_TRUE(field == 0 && number < 0) << field << " " << number;
        continue;
      }
      EXPECT_EQ(raw, Expand(*NewDecompressor(), kLayout2, payload));
    }
  }
}

TEST_P(CompressionTest, DictionaryRoundTrips) {
  const std::string raw = Compressible(5, 600);
  for (const size_t dictionary_size : {600u, 100000u}) {
    const std::string dictionary = Compressible(6, dictionary_size);
    const auto compressor = NewCompressor(dictionary);
    const auto decompressor = NewDecompressor(dictionary);
    for (int i = 0; i < 3; ++i) {
      std::string payload;
      ASSERT_TRUE(compressor->Compress(raw, &payload));
      EXPECT_EQ(raw, Expand(*decompressor, kLayout2, payload));
      const bool ignores_dictionary =
          GetParam() == kSnappyCompression || GetParam() == kBZip2Compression;
      if (ignores_dictionary) {
        EXPECT_EQ(Payload(raw).size(), payload.size());
      } else {
        EXPECT_LT(payload.size(), Payload(raw).size());
        EXPECT_NE(raw, Expand(*NewDecompressor(), kLayout2, payload));
      }
    }
  }
}

TEST_P(CompressionTest, CutOffPayloadIsCorruption) {
  const auto decompressor = NewDecompressor();
  const std::string raw = Compressible(7, 2000);
  const std::string payload = Payload(raw);
  const std::string old = ToLayout1(payload);
  for (size_t n = 0; n < payload.size(); ++n) {
    EXPECT_TRUE(Expand(*decompressor, kLayout2, payload.substr(0, n))
                    .starts_with("Corruption: "))
        << n;
  }
  for (size_t n = 0; n < old.size(); ++n) {
    EXPECT_TRUE(Expand(*decompressor, kLayout1, old.substr(0, n))
                    .starts_with("Corruption: "))
        << n;
  }
}

TEST_P(CompressionTest, AnyBytesAreAnsweredWithoutHarm) {
  const auto decompressor = NewDecompressor();
  const std::string payload = Payload(Compressible(8, 500));
  Random64 random(9);
  for (int i = 0; i < 3000; ++i) {
    std::string bad = payload;
    for (uint64_t flips = 1 + random.Uniform(3); flips > 0; --flips) {
      bad[random.Uniform(bad.size())] ^=
          static_cast<char>(1 << random.Uniform(8));
    }
    // Either the codec notices or the bytes are of the size they claim.
    Expand(*decompressor, kLayout2, bad);
    Expand(*decompressor, kLayout1, bad);
  }
}

TEST_P(CompressionTest, ImpossibleSizesAreNotBelieved) {
  const auto decompressor = NewDecompressor();
  std::string payload;
  PutVarint32(&payload, 0x7fffffff);
  payload += "0123456789";
  EXPECT_TRUE(
      Expand(*decompressor, kLayout2, payload).starts_with("Corruption: "));
  // Wrong by one, in either direction.
  const std::string raw = Compressible(10, 1000);
  Slice rest;
  uint32_t size = 0;
  const std::string good = Payload(raw);
  for (const int delta : {-1, 1}) {
    rest = Slice(good);
    ASSERT_TRUE(GetVarint32(&rest, &size));
    payload.clear();
    PutVarint32(&payload, static_cast<uint32_t>(1000 + delta));
    payload.append(rest.data(), rest.size());
    EXPECT_TRUE(
        Expand(*decompressor, kLayout2, payload).starts_with("Corruption: "));
  }
}

TEST_P(CompressionTest, DecompressorServesManyThreads) {
  const std::string dictionary = Compressible(11, 1000);
  const auto decompressor = NewDecompressor(dictionary);
  std::vector<std::thread> threads;
  for (uint64_t t = 0; t < 4; ++t) {
    const std::string raw = Compressible(t, 3000);
    threads.emplace_back([&, raw, payload = Payload(raw, dictionary)] {
      for (int i = 0; i < 50; ++i) {
        EXPECT_EQ(raw, Expand(*decompressor, kLayout2, payload));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

// Static objects of the main thread may.
TEST_P(CompressionTest, AThreadThatIsEndingExpandsToo) {
  struct AtEnd {
    AtEnd() = default;
    AtEnd(const AtEnd&) = delete;
    AtEnd& operator=(const AtEnd&) = delete;
    ~AtEnd() { run(); }
    std::function<void()> run;
  };
  const std::string raw = Compressible(17, 3000);
  const std::string payload = Payload(raw);
  const auto decompressor = NewDecompressor();
  const std::string old_payload = ToLayout1(payload);
  int count = 0;
  std::thread([&] {
    // It is made before what the codec keeps for the thread, and so ends after
    // it.
    static thread_local AtEnd at_end;
    at_end.run = [&] {
      EXPECT_EQ(raw, Expand(*decompressor, kLayout2, payload));
      EXPECT_EQ(raw, Expand(*decompressor, kLayout1, old_payload));
      ++count;
    };
    at_end.run();
  }).join();
  EXPECT_EQ(count, 2);
}

// What `type` makes of text at a level; empty: it did not shrink.
std::string AtLevel(CompressionType type, int level) {
  CompressionOptions options;
  options.level = level;
  options.max_compressed_bytes_per_kb = 1023;
  std::unique_ptr<BuiltinCompressor> compressor;
  const Status s = BuiltinCompressor::Create(type, options, "", &compressor);
  EXPECT_TRUE(s.ok()) << s.ToString();
  if (!s.ok()) return "";
  Compressor::ManagedWorkingArea area = compressor->ObtainWorkingArea();
  const std::string raw = Compressible(18, 20000);
  std::string out;
  CompressInto(compressor.get(), raw, MostCompressedBytes(options, raw.size()),
               &area, &out);
  return out;
}

TEST(CompressionLevelTest, Lz4AndLz4HcShareTheirs) {
  if (!CompressionTypeSupported(kLZ4Compression)) GTEST_SKIP();
  constexpr int kDefault = CompressionOptions::kDefaultCompressionLevel;
  for (const int level : {-20, -1, 0, 1, 4, 9, 12}) {
    EXPECT_EQ(AtLevel(kLZ4Compression, level),
              AtLevel(kLZ4HCCompression, level))
        << level;
  }
  EXPECT_EQ(AtLevel(kLZ4Compression, kDefault), AtLevel(kLZ4Compression, -1));
  EXPECT_EQ(AtLevel(kLZ4Compression, 0), AtLevel(kLZ4Compression, -1));
  EXPECT_EQ(AtLevel(kLZ4HCCompression, kDefault),
            AtLevel(kLZ4HCCompression, 9));
  EXPECT_LT(AtLevel(kLZ4Compression, 9).size(),
            AtLevel(kLZ4Compression, -1).size());
  EXPECT_GT(AtLevel(kLZ4Compression, -20).size(),
            AtLevel(kLZ4Compression, -1).size());
}

TEST(CompressionLevelTest, ZeroOfZstdLiesBelowOne) {
  if (!CompressionTypeSupported(kZSTD)) GTEST_SKIP();
  EXPECT_EQ(AtLevel(kZSTD, 0), AtLevel(kZSTD, -1));
  EXPECT_NE(AtLevel(kZSTD, 0), AtLevel(kZSTD, 3));
}

INSTANTIATE_TEST_SUITE_P(AllCodecs, CompressionTest,
                         testing::Values(kSnappyCompression, kZlibCompression,
                                         kBZip2Compression, kLZ4Compression,
                                         kLZ4HCCompression, kZSTD),
                         [](const auto& info) {
                           return CompressionTypeToString(info.param);
                         });

TEST(CompressionNamesTest, NamesAreThoseOfTableProperties) {
  EXPECT_EQ("NoCompression", CompressionTypeToString(kNoCompression));
  EXPECT_EQ("ZSTD", CompressionTypeToString(kZSTD));
  EXPECT_EQ("CustomFE", CompressionTypeToString(kCustomCompressionFE));
  for (unsigned value = 0; value < 0xff; ++value) {
    const auto type = static_cast<CompressionType>(value);
    auto found = kDisableCompressionOption;
    ASSERT_TRUE(
        CompressionTypeFromString(CompressionTypeToString(type), &found));
    EXPECT_EQ(type, found);
  }
  CompressionType type;
  EXPECT_FALSE(CompressionTypeFromString("zstd", &type));
}

TEST(CompressionNamesTest, UnknownCodecsAreNamed) {
  std::unique_ptr<BuiltinCompressor> compressor;
  const Status s = BuiltinCompressor::Create(
      kXpressCompression, CompressionOptions(), "", &compressor);
  EXPECT_TRUE(s.IsNotSupported());
  EXPECT_NE(std::string::npos, s.ToString().find("Xpress"));
  Decompressor& decompressor = *BuiltinDecompressor::Shared(kLayout2);
  for (const CompressionType type :
       {kXpressCompression, static_cast<CompressionType>(0x40),
        kCustomCompression80}) {
    std::string out;
    const Status unknown = ExpandInto(&decompressor, type, "abc", &out);
    EXPECT_TRUE(unknown.IsNotSupported());
    EXPECT_NE(std::string::npos,
              unknown.ToString().find(CompressionTypeToString(type)));
  }
  EXPECT_FALSE(CompressionTypeSupported(kXpressCompression));
  EXPECT_TRUE(CompressionTypeSupported(kNoCompression));
  EXPECT_FALSE(BuiltinCompressor::Create(kNoCompression, CompressionOptions(),
                                         "", &compressor)
                   .ok());
}

TEST(ZstdDictionaryTest, TrainsAndFinalizes) {
  if (!CompressionTypeSupported(kZSTD)) GTEST_SKIP();
  std::string samples;
  std::vector<size_t> sizes;
  for (uint64_t i = 0; i < 200; ++i) {
    samples += Compressible(i, 500);
    sizes.push_back(500);
  }
  ZstdTraining training{.samples = samples,
                        .sample_sizes = sizes.data(),
                        .sample_count = sizes.size(),
                        .max_dict_bytes = 4096};
  for (const bool use_trainer : {true, false}) {
    training.use_trainer = use_trainer;
    const std::string dictionary = TrainZstdDictionary(training);
    EXPECT_FALSE(dictionary.empty());
    EXPECT_LE(dictionary.size(), 4096u);
    std::unique_ptr<BuiltinCompressor> compressor;
    ASSERT_TRUE(BuiltinCompressor::Create(kZSTD, CompressionOptions(),
                                          dictionary, &compressor)
                    .ok());
    std::string payload;
    EXPECT_TRUE(CompressInto(compressor.get(), Compressible(999, 500), 450,
                             nullptr, &payload));
  }
  training.sample_count = 0;
  EXPECT_EQ("", TrainZstdDictionary(training));
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

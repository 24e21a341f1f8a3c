// Compressing on several threads gives the file that one thread writes, and
// whichever append fails Finish() says so.
#include "table/parallel_compressor.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "rocksdb/filter_policy.h"
#include "rocksdb/table.h"
#include "tests/table/table_fixture.h"
#include "tests/table/table_formats.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {
namespace {

std::vector<CompressionType> Codecs() {
  std::vector<CompressionType> codecs;
  for (const CompressionType type :
       {kSnappyCompression, kZlibCompression, kLZ4Compression, kZSTD}) {
    if (CompressionTypeSupported(type)) codecs.push_back(type);
  }
  return codecs;
}

std::string RandomText(Random64* random, size_t size) {
  std::string text;
  while (text.size() < size) {
    // Some of it compresses, some does not.
    text += random->OneIn(2) ? std::string(random->Uniform(50), 'a')
                             : std::to_string(random->Next());
  }
  return text;
}

BlockCompressor::Options OptionsOf(CompressionType type) {
  BlockCompressor::Options options;
  options.type = type;
  options.format_version = 5;
  options.verifies = true;
  return options;
}

Status Prepare(BlockCompressor* compressor) {
  const BlockBasedTableOptions table;
  return compressor->Prepare(FilterBuildingContext(table));
}

TEST(ParallelCompressorTest, BlocksComeInTheirOrder) {
  for (const CompressionType type : Codecs()) {
    for (const uint32_t threads : {1u, 3u, 1000u}) {
      Random64 random(threads);
      const std::string dictionary = RandomText(&random, 1000);
      BlockCompressor one(OptionsOf(type));
      ASSERT_TRUE(Prepare(&one).ok());
      ASSERT_TRUE(one.UseDictionary(dictionary).ok());
      ParallelCompressor many(one, threads);
      ASSERT_TRUE(many.Start().ok());
      std::vector<std::string> raw;
      size_t taken = 0;
      const auto take = [&] {
        const auto block = many.Take();
        ASSERT_TRUE(block->status.ok()) << block->status.ToString();
        ASSERT_EQ(block->raw, raw[taken]);
        BlockCompressor::Stored expected;
        ASSERT_TRUE(one.CompressData(raw[taken], &expected).ok());
        ASSERT_EQ(block->type, expected.type);
        ASSERT_EQ(block->payload(), expected.payload);
        ++taken;
      };
      for (int i = 0; i < 300; ++i) {
        raw.push_back(RandomText(&random, random.Uniform(5000)));
        many.Submit(raw.back(), CompressionEffort::kAsAsked);
        while (many.IsFull()) take();
        if (random.OneIn(3)) take();
      }
      while (!many.IsEmpty()) take();
      EXPECT_EQ(taken, raw.size());
      EXPECT_EQ(many.pending_bytes(), 0u);
      EXPECT_FALSE(many.IsOldestDone());
    }
  }
}

TEST(ParallelCompressorTest, MayEndBeforeItsWork) {
  for (const CompressionType type : Codecs()) {
    BlockCompressor one(OptionsOf(type));
    ASSERT_TRUE(Prepare(&one).ok());
    for (int i = 0; i < 20; ++i) {
      ParallelCompressor many(one, 4);
      ASSERT_TRUE(many.Start().ok());
      for (int n = 0; n < i; ++n)
        many.Submit(std::string(20000, 'a'), CompressionEffort::kAsAsked);
    }
  }
}

TEST(ParallelCompressorTest, ACodecThatThisBuildLacks) {
  BlockCompressor one(OptionsOf(kXpressCompression));
  EXPECT_TRUE(Prepare(&one).IsNotSupported());
  EXPECT_FALSE(one.is_enabled());
}

class ParallelTableTest : public ::testing::TestWithParam<TableFormat> {};

TEST_P(ParallelTableTest, BytesAreThoseOfOneThread) {
  const std::vector<TableEntry> entries = NumberedEntries(1500);
  for (const CompressionType type : Codecs()) {
    for (const uint32_t dictionary_bytes : {0u, 1000u}) {
      for (const uint64_t target_bytes : {uint64_t{0}, uint64_t{20000}}) {
        std::string expected;
        for (const uint32_t threads : {1u, 2u, 5u}) {
          TableFixture fixture;
          GetParam().prepare(&fixture);
          fixture.table.verify_compression = true;
          // Sizes would follow what the allocator hands out.
          fixture.table.optimize_filters_for_memory = false;
          fixture.compression = type;
          fixture.compression_options.max_dict_bytes = dictionary_bytes;
          fixture.compression_options.parallel_threads = threads;
          fixture.target_file_size = target_bytes;
          Status s;
          const std::string bytes = fixture.Build(entries, &s);
          ASSERT_TRUE(s.ok()) << s.ToString();
          if (threads == 1) expected = bytes;
          ASSERT_EQ(bytes.size(), expected.size());
          ASSERT_TRUE(bytes == expected) << threads;
        }
      }
    }
  }
}

TEST_P(ParallelTableTest, EmptyAndOneKey) {
  for (const size_t count : {0, 1}) {
    std::string expected;
    for (const uint32_t threads : {1u, 4u}) {
      TableFixture fixture;
      GetParam().prepare(&fixture);
      fixture.compression = Codecs().front();
      fixture.compression_options.parallel_threads = threads;
      Status s;
      const std::string bytes = fixture.Build(NumberedEntries(count), &s);
      ASSERT_TRUE(s.ok()) << s.ToString();
      if (threads == 1) expected = bytes;
      EXPECT_TRUE(bytes == expected);
    }
  }
}

// Whichever append fails, Finish() says so.
TEST_P(ParallelTableTest, EveryAppendFailsOnce) {
  TableFixture fixture;
  GetParam().prepare(&fixture);
  fixture.compression = Codecs().back();
  fixture.compression_options.parallel_threads = 3;
  fixture.write_buffer_bytes = 1;
  const std::vector<TableEntry> entries = NumberedEntries(200);
  const std::string whole = fixture.Build(entries);
  for (size_t limit = 0; limit < whole.size(); limit += 97) {
    fixture.write_limit = limit;
    Status s;
    fixture.Build(entries, &s);
    ASSERT_TRUE(s.IsIOError()) << limit << " " << s.ToString();
  }
}

INSTANTIATE_TEST_SUITE_P(Formats, ParallelTableTest,
                         ::testing::ValuesIn(TableFormats()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

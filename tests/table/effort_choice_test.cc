// The compression effort settles on the quickest that makes blocks no larger,
// and is tried again ever more rarely.
#include "table/effort_choice.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "rocksdb/compression_type.h"
#include "rocksdb/filter_policy.h"
#include "rocksdb/table.h"
#include "table/block_compressor.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {
namespace {

TEST(EffortChoiceTest, TrialsBecomeRareButNeverEnd) {
  EffortChoice choice;
  EXPECT_TRUE(choice.IsTrialDue()) << "the first block";
  int trials = 1;
  for (uint32_t i = 0; i < 2 * EffortChoice::kMostBetween; ++i) {
    trials += choice.IsTrialDue() ? 1 : 0;
  }
  EXPECT_GE(trials, 5);
  for (int round = 0; round < 20; ++round) {
    trials = 0;
    for (uint32_t i = 0; i < EffortChoice::kMostBetween; ++i) {
      trials += choice.IsTrialDue() ? 1 : 0;
    }
    EXPECT_EQ(trials, 1);
  }
}

TEST(EffortChoiceTest, TheQuickestThatMakesBlocksNoLarger) {
  using Effort = CompressionEffort;
  EffortChoice choice;
  choice.NoteTrial({1000, 1000, 1000, 1000});
  EXPECT_EQ(choice.effort(), Effort::kQuickest);
  choice.NoteTrial({1002, 1001, 1000, 1000});
  EXPECT_EQ(choice.effort(), Effort::kQuickest);
  choice.NoteTrial({1100, 1001, 1000, 1000});
  EXPECT_EQ(choice.effort(), Effort::kQuicker);
  choice.NoteTrial({1100, 1100, 1000, 1000});
  EXPECT_EQ(choice.effort(), Effort::kQuick);
  choice.NoteTrial({1100, 1100, 1100, 1000});
  EXPECT_EQ(choice.effort(), Effort::kAsAsked);
  // Other data: what was before is forgotten in time.
  for (int i = 0; i < 100; ++i) choice.NoteTrial({1000, 1000, 1000, 1000});
  EXPECT_EQ(choice.effort(), Effort::kQuickest);
  for (int i = 0; i < 10; ++i) choice.NoteTrial({1010, 1000, 1000, 1000});
  EXPECT_EQ(choice.effort(), Effort::kQuicker);
  for (int i = 0; i < 10; ++i) choice.NoteTrial({1010, 1010, 1010, 1000});
  EXPECT_EQ(choice.effort(), Effort::kAsAsked);
  // What is quickest need not be larger than what is less so.
  for (int i = 0; i < 100; ++i) choice.NoteTrial({1000, 1100, 1100, 1000});
  EXPECT_EQ(choice.effort(), Effort::kQuickest);
}

// ---- With ZSTD

// Pieces of 50 random letters, each twice.
std::string Repeats(Random64* random) {
  std::string block;
  while (block.size() < 4096) {
    std::string piece;
    for (int i = 0; i < 50; ++i) {
      piece += static_cast<char>(' ' + random->Uniform(95));
    }
    block += piece + piece;
  }
  return block;
}

// A block of 60 words of four letters, whose repetitions the quickest search
// does not find.
std::string Words(Random64* random) {
  Random64 letters(7);
  std::vector<std::string> words(60);
  for (std::string& word : words) {
    for (int i = 0; i < 4; ++i) {
      word += static_cast<char>('a' + letters.Uniform(26));
    }
  }
  std::string block;
  while (block.size() < 4096) block += words[random->Uniform(60)];
  return block;
}

class ZstdEffortTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!CompressionTypeSupported(kZSTD)) GTEST_SKIP() << "not built in";
  }
  // The payloads of 500 blocks that `make` makes.
  std::vector<std::string> Compress(int level, std::string (*make)(Random64*)) {
    BlockCompressor::Options options;
    options.type = kZSTD;
    options.compression.level = level;
    options.format_version = 5;
    options.verifies = true;
    BlockCompressor compressor(options);
    const BlockBasedTableOptions table;
    EXPECT_TRUE(compressor.Prepare(FilterBuildingContext(table)).ok());
    Random64 random(301);
    std::vector<std::string> payloads;
    for (int i = 0; i < 500; ++i) {
      const std::string block = make(&random);
      BlockCompressor::Stored stored;
      EXPECT_TRUE(compressor.CompressData(block, &stored).ok());
      payloads.push_back(stored.payload.ToString());
    }
    return payloads;
  }
  static size_t SizeOf(const std::vector<std::string>& payloads) {
    size_t total = 0;
    for (const std::string& payload : payloads) total += payload.size();
    return total;
  }

  static constexpr int kDefault = CompressionOptions::kDefaultCompressionLevel;
};

TEST_F(ZstdEffortTest, TheQuickLevelIsTakenWhereItIsAsGood) {
  const auto chosen = Compress(kDefault, &Repeats);
  const auto thorough = Compress(3, &Repeats);
  EXPECT_NE(chosen, thorough);
  EXPECT_LE(SizeOf(chosen), SizeOf(thorough) + SizeOf(thorough) / 256);
  // ZSTD's own level -4 compresses no literals, so its blocks are larger.
  EXPECT_GT(SizeOf(Compress(-4, &Repeats)), SizeOf(chosen) * 11 / 10);
}

TEST_F(ZstdEffortTest, MoreIsSpentWhereLessMakesThemLarger) {
  const size_t thorough = SizeOf(Compress(3, &Words));
  ASSERT_GT(SizeOf(Compress(1, &Words)), thorough * 4 / 3);
  // What suits the trial blocks suits nearly all others.
  EXPECT_LE(SizeOf(Compress(kDefault, &Words)), thorough + thorough / 128);
}

TEST_F(ZstdEffortTest, WhatDoesNotShrinkIsStoredAsItIs) {
  const auto noise = [](Random64* random) {
    std::string block(4096, '\0');
    for (char& c : block) c = static_cast<char>(random->Next());
    return block;
  };
  EXPECT_EQ(SizeOf(Compress(kDefault, noise)), 500u * 4096);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

// A bit that flips in a block in memory is noticed by walks and seeks, as
// surely as the size of the checksums allows.
#include "table/entry_checksums.h"

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <string>

#include "table/block_builder.h"
#include "table/block_cursor.h"

namespace ROCKSDB_NAMESPACE {
namespace {

constexpr int kEntries = 40;

std::string UserKey(int i) {
  return "a key that is " + std::to_string(100 + i);
}
std::string KeyOf(int i) {
  return InternalKey(UserKey(i), 7, kTypeValue).Encode().ToString();
}
std::string Target(int i) {
  return InternalKey(UserKey(i), kMaxSequenceNumber, kValueTypeForSeek)
      .Encode()
      .ToString();
}

class ProtectedBlock : public ::testing::Test {
 protected:
  void Make(size_t checksum_bytes) {
    BlockBuilder builder({.restart_interval = 8, .use_delta_encoding = true});
    for (int i = 0; i < kEntries; ++i) {
      builder.Add(KeyOf(i), "value " + std::to_string(i));
    }
    const Slice payload = builder.Finish();
    BlockMemory memory(payload.size());
    memcpy(memory.get(), payload.data(), payload.size());
    bytes_ = memory.get();
    const Slice data(memory.get(), payload.size());
    const char* problem = nullptr;
    block_ = Block::Parse(BlockBytes(std::move(memory), data), &problem);
    ASSERT_EQ(problem, nullptr);
    const size_t plain_bytes = block_->memory_bytes();
    if (checksum_bytes > 0) {
      ASSERT_EQ(block_->Protect(order_, checksum_bytes), nullptr);
      EXPECT_GE(block_->memory_bytes(),
                plain_bytes + kEntries * checksum_bytes);
    }
  }
  // Entries that a walk shows; -1: it ends with a problem.
  int Walk(bool is_forward) {
    BlockCursor cursor(&order_, KeyRewrite());
    cursor.Reset(&block_->layout());
    int count = 0;
    if (is_forward) {
      for (cursor.SeekToFirst(); cursor.Valid(); cursor.Next()) ++count;
    } else {
      for (cursor.SeekToLast(); cursor.Valid(); cursor.Prev()) ++count;
    }
    return cursor.problem() == nullptr ? count : -1;
  }
  // What a seek finds: the value, "none", or what is wrong.
  std::string Seek(int i) {
    BlockCursor cursor(&order_, KeyRewrite());
    cursor.Reset(&block_->layout());
    cursor.Seek(Target(i));
    if (cursor.problem() != nullptr) return cursor.problem();
    if (!cursor.Valid() || ExtractUserKey(cursor.key()) != Slice(UserKey(i))) {
      return "none";
    }
    return cursor.value().ToString();
  }

  InternalKeyComparator order_;
  std::unique_ptr<Block> block_;
  char* bytes_ = nullptr;
};

class EntryChecksumsTest : public ProtectedBlock,
                           public ::testing::WithParamInterface<size_t> {};

TEST_P(EntryChecksumsTest, AsWritten) {
  ASSERT_NO_FATAL_FAILURE(Make(GetParam()));
  EXPECT_EQ(Walk(true), kEntries);
  EXPECT_EQ(Walk(false), kEntries);
  for (int i = 0; i < kEntries; ++i) {
    EXPECT_EQ(Seek(i), "value " + std::to_string(i));
  }
  EXPECT_EQ(Seek(kEntries), "none");
}

// Every bit of every entry: its sizes, its key, its value.
TEST_P(EntryChecksumsTest, EveryFlippedBitIsNoticed) {
  ASSERT_NO_FATAL_FAILURE(Make(GetParam()));
  size_t missed = 0;
  const size_t bits = size_t{block_->layout().entries_end} * 8;
  for (size_t bit = 0; bit < bits; ++bit) {
    char* const byte = bytes_ + bit / 8;
    *byte = static_cast<char>(*byte ^ (1 << (bit % 8)));
    missed += Walk(true) == -1 ? 0 : 1;
    missed += Walk(false) == -1 ? 0 : 1;
    *byte = static_cast<char>(*byte ^ (1 << (bit % 8)));
  }
  // One byte of checksum is right by chance for one in 256.
  EXPECT_LE(missed, GetParam() == 1 ? bits / 50 : GetParam() == 2 ? 2 : 0);
  EXPECT_EQ(Walk(true), kEntries);
}

// A seek answers what is right, or that something is wrong.
TEST_P(EntryChecksumsTest, SeeksAreNotLedAstray) {
  if (GetParam() < 4) return;
  ASSERT_NO_FATAL_FAILURE(Make(GetParam()));
  size_t noticed = 0;
  for (size_t bit = 0; bit < size_t{block_->layout().entries_end} * 8; ++bit) {
    char* const byte = bytes_ + bit / 8;
    *byte = static_cast<char>(*byte ^ (1 << (bit % 8)));
    for (int i = 0; i < kEntries; i += 3) {
      const std::string found = Seek(i);
      if (found == "value " + std::to_string(i)) continue;
      ASSERT_NE(found, "none") << "bit " << bit << ", entry " << i;
      ASSERT_EQ(found.find("value"), std::string::npos) << found;
      ++noticed;
    }
    *byte = static_cast<char>(*byte ^ (1 << (bit % 8)));
  }
  EXPECT_GT(noticed, 100u);
}

INSTANTIATE_TEST_SUITE_P(Sizes, EntryChecksumsTest,
                         ::testing::Values(1, 2, 4, 8));

TEST_F(ProtectedBlock, WithoutChecksumsAChangedValueIsShown) {
  ASSERT_NO_FATAL_FAILURE(Make(0));
  char* const found = static_cast<char*>(
      memmem(bytes_, block_->size(), "value 5", strlen("value 5")));
  ASSERT_NE(found, nullptr);
  found[6] = '6';
  EXPECT_EQ(Seek(5), "value 6");
}

TEST(EntryChecksums, OtherPlacesDoNotMatch) {
  InternalKeyComparator order;
  BlockBuilder builder({.restart_interval = 2, .use_delta_encoding = true});
  builder.Add(KeyOf(1), "1");
  builder.Add(KeyOf(2), "2");
  const std::string payload = builder.Finish().ToString();
  BlockLayout layout;
  ASSERT_EQ(layout.Parse(payload), nullptr);
  const char* problem = nullptr;
  const auto checksums = EntryChecksums::Make(layout, order, 8, &problem);
  ASSERT_NE(checksums, nullptr);
  EXPECT_TRUE(checksums->Matches(0, KeyOf(1), "1"));
  EXPECT_FALSE(checksums->Matches(0, KeyOf(2), "2"));
  EXPECT_FALSE(checksums->Matches(0, KeyOf(1), "2"));
  EXPECT_FALSE(checksums->Matches(1, KeyOf(1), "1"));
  EXPECT_FALSE(checksums->Matches(1000000, KeyOf(1), "1"));
}

TEST(EntryChecksums, ABrokenBlockHasNone) {
  InternalKeyComparator order;
  BlockBuilder builder({.restart_interval = 2, .use_delta_encoding = true});
  builder.Add(KeyOf(1), "1");
  std::string payload = builder.Finish().ToString();
  payload[1] = '\x7f';  // the key's size
  BlockLayout layout;
  ASSERT_EQ(layout.Parse(payload), nullptr);
  const char* problem = nullptr;
  EXPECT_EQ(EntryChecksums::Make(layout, order, 8, &problem), nullptr);
  EXPECT_NE(problem, nullptr);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

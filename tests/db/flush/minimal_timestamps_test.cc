// Entries that lose their timestamps on a flush keep their order, and reads as
// of the newest timestamp find the same before and after.
#include "db/flush/minimal_timestamps.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>

#include "memtable/memtable.h"
#include "rocksdb/comparator.h"
#include "util/key/timestamps.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {
namespace {

std::string MinimalTs(uint64_t timestamp) {
  std::string bytes;
  PutFixed64(&bytes, timestamp);
  return bytes;
}

class MinimalTimestampsTest : public ::testing::Test {
 protected:
  MinimalTimestampsTest()
      : order_(BytewiseComparatorWithU64Ts()), memtable_(Options()) {}

  MemTableOptions Options() const {
    MemTableOptions options;
    options.order = order_;
    return options;
  }
  void Add(const std::string& key, uint64_t ts, SequenceNumber sequence,
           ValueType type = kTypeValue) {
    const std::string value =
        std::to_string(ts) + "/" + std::to_string(sequence);
    ASSERT_TRUE(memtable_.Add(sequence, type, key + MinimalTs(ts), value).ok());
  }
  std::unique_ptr<MinimalTimestamps> Minimal() {
    return std::make_unique<MinimalTimestamps>(&order_,
                                               memtable_.NewIterator());
  }
  // key@sequence=value, of all from here on; and all timestamps are zeros.
  static std::string Rest(InternalIterator* it) {
    std::string text;
    for (; it->Valid(); it->Next()) {
      const Slice stored = ExtractUserKey(it->key());
      EXPECT_EQ(TimestampOf(stored, 8), Slice(MinimalTs(0)));
      text += WithoutTimestamp(stored, 8).ToString() + "@" +
              std::to_string(ExtractSequence(it->key())) + "=" +
              it->value().ToString() + " ";
    }
    EXPECT_TRUE(it->status().ok());
    return text;
  }

  const InternalKeyComparator order_;
  MemTable memtable_;
};

TEST_F(MinimalTimestampsTest, VersionsKeepTheirOrder) {
  Add("a", 1, 1);
  Add("a", 2, 2);
  Add("b", 2, 3);
  Add("a", 5, 4);
  const auto it = Minimal();
  it->SeekToFirst();
  EXPECT_EQ(Rest(it.get()), "a@4=5/4 a@2=2/2 a@1=1/1 b@3=2/3 ");
  EXPECT_EQ(it->hidden_count(), 0u);
}

TEST_F(MinimalTimestampsTest, NothingStaysNothing) {
  const auto it = Minimal();
  it->SeekToFirst();
  EXPECT_FALSE(it->Valid());
  EXPECT_TRUE(it->status().ok());
}

TEST_F(MinimalTimestampsTest, WhatNoReadFindsIsLeftOut) {
  Add("a", 5, 1);
  Add("a", 3, 2);  // hidden by 5/1
  Add("a", 4, 3);  // likewise
  Add("a", 2, 0);
  Add("b", 7, 4, kTypeDeletionWithTimestamp);
  Add("b", 6, 5);  // hidden by the deletion
  const auto it = Minimal();
  it->SeekToFirst();
  EXPECT_EQ(Rest(it.get()), "a@1=5/1 a@0=2/0 b@4=7/4 ");
  EXPECT_EQ(it->hidden_count(), 3u);
}

TEST_F(MinimalTimestampsTest, BelowAnOperandAllIsKept) {
  Add("m", 8, 1, kTypeMerge);
  Add("m", 7, 2);
  Add("m", 9, 3, kTypeMerge);
  const auto it = Minimal();
  it->SeekToFirst();
  EXPECT_EQ(Rest(it.get()), "m@3=9/3 m@2=7/2 m@1=8/1 ");
  EXPECT_EQ(it->hidden_count(), 0u);
}

TEST_F(MinimalTimestampsTest, SeeksMeanTheNewKeys) {
  for (uint64_t i = 1; i <= 5; ++i) Add("a", i, i);
  Add("c", 9, 9);
  const auto it = Minimal();
  const auto seek = [&](const std::string& key, uint64_t ts,
                        SequenceNumber sequence) {
    const InternalKey target(key + MinimalTs(ts), sequence, kValueTypeForSeek);
    it->Seek(target.Encode());
    return Rest(it.get());
  };
  EXPECT_EQ(seek("a", 0, 2), "a@2=2/2 a@1=1/1 c@9=9/9 ");
  EXPECT_EQ(seek("a", 0, 0), "c@9=9/9 ");
  EXPECT_EQ(seek("a", 3, 0),
            "a@5=5/5 a@4=4/4 a@3=3/3 a@2=2/2 a@1=1/1 "
            "c@9=9/9 ");
  EXPECT_EQ(seek("b", 0, 0), "c@9=9/9 ");
  EXPECT_EQ(seek("d", 0, 0), "");
}

TEST_F(MinimalTimestampsTest, GoesForwardOnly) {
  Add("a", 1, 1);
  const auto it = Minimal();
  it->SeekToLast();
  EXPECT_FALSE(it->Valid());
  EXPECT_TRUE(it->status().IsNotSupported());
  it->SeekToFirst();
  EXPECT_TRUE(it->Valid());
  it->Prev();
  EXPECT_TRUE(it->status().IsNotSupported());
  it->SeekForPrev(InternalKey("a" + MinimalTs(1), 1, kTypeValue).Encode());
  EXPECT_TRUE(it->status().IsNotSupported());
}

// Whoever reads as of any sequence finds what he found with timestamps, and
// keys come in the order that files have.
TEST_F(MinimalTimestampsTest, ReadsOfTheNewestTimestampDoNotChange) {
  Random64 random(17);
  constexpr SequenceNumber kCount = 2000;
  std::map<std::string, std::map<SequenceNumber, std::string>> newest;
  std::map<std::string, std::map<uint64_t, std::string>> by_timestamp;
  for (SequenceNumber sequence = 1; sequence <= kCount; ++sequence) {
    const std::string key(1, static_cast<char>('a' + random.Uniform(20)));
    const uint64_t ts = random.Uniform(50);
    Add(key, ts, sequence);
    by_timestamp[key][ts] = std::to_string(ts) + "/" + std::to_string(sequence);
    newest[key][sequence] = by_timestamp[key].rbegin()->second;
  }
  const auto it = Minimal();
  std::map<std::string, std::map<SequenceNumber, std::string>> found;
  std::string before;
  for (it->SeekToFirst(); it->Valid(); it->Next()) {
    if (!before.empty()) {
      ASSERT_LT(order_.Compare(before, it->key()), 0);
    }
    before = it->key().ToString();
    const Slice given = WithoutTimestamp(ExtractUserKey(it->key()), 8);
    found[given.ToString()][ExtractSequence(it->key())] =
        it->value().ToString();
  }
  for (const auto& [key, states] : newest) {
    for (const auto& [sequence, value] : states) {
      const auto at = found[key].upper_bound(sequence);
      ASSERT_NE(at, found[key].begin());
      ASSERT_EQ(std::prev(at)->second, value) << key << sequence;
    }
  }
  EXPECT_GT(it->hidden_count(), 1000u);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

// A memtable's filter never hides a key that is there, and spares lookups and
// prefix seeks of those that are not.
#include "memtable/memtable_filter.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "memtable/memtable.h"
#include "rocksdb/comparator.h"
#include "rocksdb/options.h"
#include "rocksdb/perf_context.h"
#include "rocksdb/slice_transform.h"
#include "util/coding.h"

namespace ROCKSDB_NAMESPACE {
namespace {

using Extractor = std::shared_ptr<const SliceTransform>;

Extractor FixedPrefix(size_t bytes) {
  return Extractor(NewFixedPrefixTransform(bytes));
}
std::string NumberedKey(int i) { return "key" + std::to_string(i); }
std::string TargetOf(const std::string& user_key) {
  return InternalKey(user_key, kMaxSequenceNumber, kValueTypeForSeek)
      .Encode()
      .ToString();
}

TEST(MemTableFilterTest, NothingToAskForIsNoFilter) {
  EXPECT_EQ(MemTableFilter::Make({}), nullptr);
  EXPECT_EQ(MemTableFilter::Make({.bytes = 1000}), nullptr);
  EXPECT_EQ(MemTableFilter::Make({.has_whole_keys = true}), nullptr);
  EXPECT_NE(MemTableFilter::Make({.bytes = 1, .has_whole_keys = true}),
            nullptr);
  EXPECT_NE(
      MemTableFilter::Make({.bytes = 1000, .prefix_extractor = FixedPrefix(2)}),
      nullptr);
}

class ShapesTest : public ::testing::TestWithParam<MemTableFilter::Shape> {};

TEST_P(ShapesTest, HoldsWhatWasAddedAndLittleElse) {
  constexpr int kKeys = 10000;
  MemTableFilter::Shape shape = GetParam();
  shape.bytes = kKeys * 10 / 8;  // ten bits a key
  const auto filter = MemTableFilter::Make(shape);
  ASSERT_NE(filter, nullptr);
  EXPECT_LE(filter->memory_bytes(), shape.bytes);
  EXPECT_FALSE(filter->MayHoldKey(NumberedKey(0)));
  for (int i = 0; i < kKeys; ++i) filter->Add(NumberedKey(i));
  int false_answers = 0;
  for (int i = 0; i < kKeys; ++i) {
    ASSERT_TRUE(filter->MayHoldKey(NumberedKey(i)));
    false_answers += filter->MayHoldKey(NumberedKey(kKeys + i)) ? 1 : 0;
  }
  // About 1 % where bits may be anywhere, 1.5 % where they share a line.
  EXPECT_LT(false_answers, kKeys / 30);
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, ShapesTest,
    ::testing::Values(MemTableFilter::Shape{.has_whole_keys = true},
                      MemTableFilter::Shape{.has_whole_keys = true,
                                            .keeps_to_line = true},
                      // The whole key is its prefix.
                      MemTableFilter::Shape{
                          .prefix_extractor = Extractor(NewNoopTransform())}));

TEST(MemTableFilterTest, ThreadsAddAtTheSameTime) {
  const auto filter =
      MemTableFilter::Make({.bytes = 64 << 10, .has_whole_keys = true});
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&filter, t] {
      for (int i = t; i < 8000; i += 4) filter->Add(NumberedKey(i));
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (int i = 0; i < 8000; ++i)
    ASSERT_TRUE(filter->MayHoldKey(NumberedKey(i)));
}

TEST(MemTableFilterTest, KeysWithoutAPrefixAreNotAskedFor) {
  const auto filter =
      MemTableFilter::Make({.bytes = 4096, .prefix_extractor = FixedPrefix(3)});
  filter->Add("ab");  // outside the domain
  filter->Add("abcd");
  EXPECT_TRUE(filter->MayHoldKey("ab"));
  EXPECT_TRUE(filter->MayHoldKey("zz"));
  EXPECT_TRUE(filter->MayHoldKey("abcx"));
  EXPECT_FALSE(filter->MayHoldKey("abxd"));
}

TEST(MemTableFilterTest, SeeksAskOnlyForPrefixesThatTheyStayIn) {
  const auto filter =
      MemTableFilter::Make({.bytes = 4096,
                            .has_whole_keys = true,
                            .prefix_extractor = FixedPrefix(2)});
  filter->Add("aa1");
  ReadOptions read;
  EXPECT_TRUE(filter->MayHoldPrefix(read, "aa9"));
  EXPECT_FALSE(filter->MayHoldPrefix(read, "ab"));
  EXPECT_TRUE(filter->MayHoldPrefix(read, "b"));
  read.auto_prefix_mode = true;
  EXPECT_TRUE(filter->MayHoldPrefix(read, "ab"));
  const Slice near_end("ab9");
  read.iterate_upper_bound = &near_end;
  EXPECT_FALSE(filter->MayHoldPrefix(read, "ab"));
  const Slice far_end("ac");
  read.iterate_upper_bound = &far_end;
  EXPECT_TRUE(filter->MayHoldPrefix(read, "ab"));
}

TEST(MemTableFilterTest, AnotherExtractorHasOtherPrefixes) {
  const auto filter =
      MemTableFilter::Make({.bytes = 64, .prefix_extractor = FixedPrefix(2)});
  EXPECT_TRUE(filter->HasPrefixesOf(FixedPrefix(2).get()));
  EXPECT_FALSE(filter->HasPrefixesOf(FixedPrefix(3).get()));
  EXPECT_FALSE(filter->HasPrefixesOf(nullptr));
  const auto whole =
      MemTableFilter::Make({.bytes = 64, .has_whole_keys = true});
  EXPECT_FALSE(whole->HasPrefixesOf(FixedPrefix(2).get()));
}

// --- In a memtable

// The values that a lookup is fed.
struct FilterSink {
  std::vector<std::string> values;
  SequenceNumber tombstone = 0;
  void NoteTombstone(SequenceNumber sequence) { tombstone = sequence; }
  bool Add(const ParsedInternalKey&, const Slice& value, void*) {
    values.push_back(value.ToString());
    return false;
  }
  void NoteCorruption(const Status& s) { ADD_FAILURE() << s.ToString(); }
  bool IsDecided() const { return !values.empty(); }
};

FilterSink Get(const MemTable& memtable, const LookupKey& key) {
  FilterSink sink;
  memtable.Get(key, kMaxSequenceNumber, &sink);
  return sink;
}

class FilteredMemTableTest : public ::testing::Test {
 protected:
  FilteredMemTableTest() { SetPerfLevel(kEnableCount); }
  ~FilteredMemTableTest() override { SetPerfLevel(kDisable); }
  void SetUp() override { get_perf_context()->Reset(); }
  static uint64_t Hits() {
    return get_perf_context()->bloom_memtable_hit_count;
  }
  static uint64_t Misses() {
    return get_perf_context()->bloom_memtable_miss_count;
  }
};

TEST_F(FilteredMemTableTest, LookupsOfWhatIsNotThereEndAtTheFilter) {
  MemTableOptions options;
  options.filter = {.bytes = 4096, .has_whole_keys = true};
  MemTable memtable(options);
  EXPECT_GE(memtable.ApproximateMemoryUsage(), 4096u);
  ASSERT_TRUE(memtable.Add(1, kTypeValue, "b", "v").ok());
  EXPECT_EQ(Get(memtable, LookupKey("b", 9)).values.size(), 1u);
  EXPECT_EQ(Hits(), 1u);
  // Without the filter, it would be fed the next key.
  EXPECT_TRUE(Get(memtable, LookupKey("a", 9)).values.empty());
  EXPECT_EQ(Misses(), 1u);
}

TEST_F(FilteredMemTableTest, RangeTombstonesCoverKeysThatWereNeverAdded) {
  MemTableOptions options;
  options.filter = {.bytes = 4096, .has_whole_keys = true};
  MemTable memtable(options);
  ASSERT_TRUE(memtable.Add(5, kTypeRangeDeletion, "a", "m").ok());
  EXPECT_EQ(Get(memtable, LookupKey("c", 9)).tombstone, 5u);
  EXPECT_EQ(Misses(), 1u);
}

TEST_F(FilteredMemTableTest, TimestampsAreNoPartOfAKey) {
  MemTableOptions options;
  options.order = InternalKeyComparator(BytewiseComparatorWithU64Ts());
  options.filter = {.bytes = 4096, .has_whole_keys = true};
  MemTable memtable(options);
  std::string key = "key", now = "key";
  PutFixed64(&key, 3);
  PutFixed64(&now, 8);
  ASSERT_TRUE(memtable.Add(1, kTypeValue, key, "v").ok());
  EXPECT_EQ(Get(memtable, LookupKey(now, 9)).values.size(), 1u);
  EXPECT_EQ(Hits(), 1u);
}

TEST_F(FilteredMemTableTest, SeeksInAPrefixStopAtTheFilter) {
  MemTableOptions options;
  options.prefix_extractor = FixedPrefix(2);
  options.filter.bytes = 4096;
  MemTable memtable(options);
  ASSERT_TRUE(memtable.Add(1, kTypeValue, "bb1", "v").ok());
  const ReadOptions read;
  const auto it = memtable.NewIterator(
      {.read_options = &read,
       .prefix_extractor = options.prefix_extractor.get()});
  it->SeekInPrefix(TargetOf("ab"));
  EXPECT_FALSE(it->Valid());
  EXPECT_TRUE(it->status().ok());
  it->SeekInPrefix(TargetOf("bb0"));
  ASSERT_TRUE(it->Valid());
  EXPECT_EQ(it->value(), "v");
  it->SeekInPrefix(TargetOf("ab"));
  it->SeekToFirst();
  EXPECT_TRUE(it->Valid());
  it->SeekInPrefix(TargetOf("ab"));
  it->SeekForPrev(TargetOf("zz"));
  EXPECT_TRUE(it->Valid());
  it->Seek(TargetOf("ab"));
  EXPECT_TRUE(it->Valid());
  EXPECT_EQ(Misses(), 3u);
  EXPECT_EQ(Hits(), 1u);
}

TEST_F(FilteredMemTableTest, AnExtractorThatChangedIsNotAsked) {
  MemTableOptions options;
  options.prefix_extractor = FixedPrefix(3);
  options.filter.bytes = 4096;
  MemTable memtable(options);
  ASSERT_TRUE(memtable.Add(1, kTypeValue, "bbb", "v").ok());
  const ReadOptions read;
  const Extractor shorter = FixedPrefix(2);
  const auto it = memtable.NewIterator(
      {.read_options = &read, .prefix_extractor = shorter.get()});
  it->SeekInPrefix(TargetOf("bba"));
  EXPECT_TRUE(it->Valid());
  EXPECT_EQ(Misses(), 0u);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

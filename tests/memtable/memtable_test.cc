// Lookups and range tombstones of a memtable see the newest visible versions
// under many writers, and memory is counted towards flushes and stalls.
#include "memtable/memtable.h"

#include <gtest/gtest.h>

#include <barrier>
#include <memory>
#include <random>
#include <semaphore>
#include <string>
#include <thread>
#include <vector>

#include "rocksdb/convenience.h"
#include "rocksdb/memtablerep.h"
#include "rocksdb/slice_transform.h"
#include "rocksdb/write_buffer_manager.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// Takes what a lookup is fed until it has `wanted` versions of its key.
struct MemTableSink {
  std::string key;
  size_t wanted = 1;
  SequenceNumber tombstone = 0;
  std::vector<std::string> values;

  void NoteTombstone(SequenceNumber sequence) { tombstone = sequence; }
  bool Add(const ParsedInternalKey& version, const Slice& value, void*) {
    if (version.user_key != Slice(key)) return false;
    values.push_back(std::to_string(version.sequence) + "/" +
                     std::to_string(version.type) + "=" + value.ToString());
    return values.size() < wanted;
  }
  void NoteCorruption(const Status& s) { ADD_FAILURE() << s.ToString(); }
  bool IsDecided() const { return values.size() >= wanted; }
};

MemTableSink Get(const MemTable& memtable, const std::string& key,
                 SequenceNumber sequence, size_t wanted = 1) {
  MemTableSink sink;
  sink.key = key;
  sink.wanted = wanted;
  const LookupKey lookup(key, sequence);
  const bool decided = memtable.Get(lookup, sequence, &sink);
  EXPECT_EQ(decided, sink.IsDecided());
  return sink;
}

using Strings = std::vector<std::string>;

class MemTableTest : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    const Status s = MemTableRepFactory::CreateFromString(
        ConfigOptions(), GetParam(), &factory_);
    ASSERT_TRUE(s.ok()) << s.ToString();
  }
  MemTableOptions With(MemTableOptions options) const {
    options.rep_factory = factory_.get();
    options.prefix_extractor.reset(NewFixedPrefixTransform(2));
    return options;
  }

  std::shared_ptr<MemTableRepFactory> factory_;
};

TEST_P(MemTableTest, LookupsSeeTheNewestVisibleVersions) {
  MemTable memtable(With({}));
  EXPECT_TRUE(memtable.empty());
  ASSERT_TRUE(memtable.Add(3, kTypeValue, "b", "three").ok());
  ASSERT_TRUE(memtable.Add(1, kTypeValue, "b", "one").ok());
  ASSERT_TRUE(memtable.Add(5, kTypeDeletion, "b", "").ok());
  ASSERT_TRUE(memtable.Add(4, kTypeMerge, "c", "").ok());
  EXPECT_EQ(Get(memtable, "b", 9).values, Strings{"5/0="});
  EXPECT_EQ(Get(memtable, "b", 4).values, Strings{"3/1=three"});
  EXPECT_EQ(Get(memtable, "b", 2).values, Strings{"1/1=one"});
  EXPECT_TRUE(Get(memtable, "b", 0).values.empty());
  EXPECT_TRUE(Get(memtable, "a", 9).values.empty());
  EXPECT_EQ(Get(memtable, "b", 9, 10).values,
            (Strings{"5/0=", "3/1=three", "1/1=one"}));
  EXPECT_EQ(Get(memtable, "c", 9, 10).values, Strings{"4/2="});
}

TEST_P(MemTableTest, CountsWhatItHolds) {
  MemTable memtable(With({.id = 7, .earliest_sequence = 2}));
  EXPECT_EQ(memtable.counts().first_sequence(), 0u);
  ASSERT_TRUE(memtable.Add(9, kTypeValue, "key", "value").ok());
  ASSERT_TRUE(memtable.Add(8, kTypeDeletion, "key", "").ok());
  ASSERT_TRUE(memtable.Add(10, kTypeRangeDeletion, "a", "c").ok());
  if (factory_->CanHandleDuplicatedKey()) {
    EXPECT_TRUE(memtable.Add(8, kTypeDeletion, "key", "").IsTryAgain());
  }
  EXPECT_EQ(memtable.id(), 7u);
  EXPECT_EQ(memtable.options().earliest_sequence, 2u);
  EXPECT_EQ(memtable.counts().first_sequence(), 8u);
  EXPECT_EQ(memtable.entry_count(), 3u);
  EXPECT_EQ(memtable.counts().deletes(), 2u);
  EXPECT_EQ(memtable.counts().range_deletes(), 1u);
  EXPECT_EQ(memtable.counts().data_bytes(),
            (3 + 8 + 5) + (3 + 8) + (1 + 8 + 1));
}

// Counts its comparisons.
class CountingOrder final : public Comparator {
 public:
  const char* Name() const override { return "CountingOrder"; }
  int Compare(const Slice& a, const Slice& b) const override {
    ++count;
    return a.compare(b);
  }
  void FindShortestSeparator(std::string*, const Slice&) const override {}
  void FindShortSuccessor(std::string*) const override {}

  mutable size_t count = 0;
};

TEST_P(MemTableTest, LookupsBetweenRangeTombstonesSeeTheNewestOne) {
  MemTable memtable(With({}));
  std::mt19937 random(7);
  std::vector<std::pair<std::string, std::string>> ranges;
  const auto draw = [&random] { return std::to_string(100 + random() % 900); };
  for (SequenceNumber sequence = 1; sequence <= 400; ++sequence) {
    const std::string a = draw(), b = draw();
    ranges.emplace_back(std::min(a, b), std::max(a, b));
    ASSERT_TRUE(memtable
                    .Add(sequence, kTypeRangeDeletion, ranges.back().first,
                         ranges.back().second)
                    .ok());
    for (int lookup = random() % 8; lookup > 0; --lookup) {
      const std::string key = draw();
      const SequenceNumber limit = random() % (sequence + 2);
      SequenceNumber newest = 0;
      for (SequenceNumber i = 1; i <= std::min(limit, sequence); ++i) {
        const auto& [begin, end] = ranges[i - 1];
        if (begin <= key && key < end) newest = i;
      }
      ASSERT_EQ(Get(memtable, key, limit).tombstone, newest) << key;
      if (random() % 50 == 0) {
        ASSERT_FALSE(memtable.tombstones().All()->empty());
      }
    }
  }
}

// Not all of them are cut anew for each lookup.
TEST_P(MemTableTest, RangeTombstonesAndLookupsInTurnsAreCheap) {
  const CountingOrder order;
  MemTable memtable(With({.order = InternalKeyComparator(&order)}));
  constexpr size_t kPairs = 2000;
  for (size_t i = 0; i < kPairs; ++i) {
    const std::string key = std::to_string(100000 + i * 10);
    ASSERT_TRUE(memtable.Add(i + 1, kTypeRangeDeletion, key, key + "5").ok());
    ASSERT_EQ(Get(memtable, key, i + 1).tombstone, i + 1);
  }
  EXPECT_LT(order.count, kPairs * kPairs);
  // Nor are the same ones passed for ever.
  const size_t before = order.count;
  for (size_t i = 0; i < kPairs; ++i) Get(memtable, "100005", kPairs);
  EXPECT_LT(order.count - before, kPairs * 100);
}

TEST_P(MemTableTest, RangeTombstonesAreKeptApart) {
  MemTable memtable(With({.max_range_deletions = 3}));
  EXPECT_FALSE(memtable.tombstones().IsAny());
  EXPECT_TRUE(memtable.tombstones().All()->empty());
  ASSERT_TRUE(memtable.Add(5, kTypeRangeDeletion, "a", "m").ok());
  ASSERT_TRUE(memtable.Add(4, kTypeValue, "b", "v").ok());
  EXPECT_EQ(Get(memtable, "b", 9).tombstone, 5u);
  EXPECT_EQ(Get(memtable, "b", 4).tombstone, 0u);
  const auto before = memtable.tombstones().All();
  EXPECT_EQ(before, memtable.tombstones().All());
  ASSERT_TRUE(memtable.Add(7, kTypeRangeDeletion, "b", "z").ok());
  EXPECT_EQ(Get(memtable, "b", 9).tombstone, 7u);
  EXPECT_EQ(before->size(), 1u);
  EXPECT_EQ(memtable.tombstones().All()->size(), 3u);
  EXPECT_FALSE(memtable.ShouldFlush());
  ASSERT_TRUE(memtable.Add(8, kTypeRangeDeletion, "b", "z").ok());
  EXPECT_TRUE(memtable.ShouldFlush());
  const auto iter = memtable.NewIterator();
  iter->SeekToFirst();
  ASSERT_TRUE(iter->Valid());
  EXPECT_EQ(iter->value(), "v");
  iter->Next();
  EXPECT_FALSE(iter->Valid());
}

TEST_P(MemTableTest, IsFullAtItsSize) {
  constexpr size_t kLimit = 256 << 10;
  MemTable memtable(
      With({.write_buffer_size = kLimit, .arena_block_size = kLimit / 8}));
  SequenceNumber sequence = 1;
  while (!memtable.ShouldFlush()) {
    ASSERT_TRUE(memtable
                    .Add(sequence, kTypeValue, "key" + std::to_string(sequence),
                         std::string(100, 'v'))
                    .ok());
    ++sequence;
  }
  // What is beside the arena does not count to its size.
  constexpr size_t kBeside = 64 << 10;
  EXPECT_GE(memtable.ApproximateMemoryUsage(), kLimit);
  EXPECT_LT(memtable.ApproximateMemoryUsage(), kLimit + kLimit / 8 + kBeside);
  EXPECT_GT(memtable.counts().data_bytes(), kLimit / 2);
  EXPECT_TRUE(memtable.MarkFlushScheduled());
  EXPECT_FALSE(memtable.MarkFlushScheduled());
}

TEST_P(MemTableTest, RangeStatsAreNearTheTruth) {
  MemTable memtable(With({}));
  for (int i = 0; i < 10000; ++i) {
    char key[16];
    snprintf(key, sizeof(key), "%08d", (i * 7919) % 10000);
    ASSERT_TRUE(memtable.Add(i + 1, kTypeValue, key, "0123456789").ok());
  }
  const InternalKey begin("00002500", kMaxSequenceNumber, kValueTypeForSeek);
  const InternalKey end("00005000", kMaxSequenceNumber, kValueTypeForSeek);
  const auto stats = memtable.ApproximateStats(begin.Encode(), end.Encode());
  EXPECT_NEAR(static_cast<double>(stats.entry_count), 2500, 1000);
  EXPECT_EQ(stats.bytes, stats.entry_count * 26);
  EXPECT_EQ(memtable.ApproximateStats(end.Encode(), begin.Encode()).bytes, 0u);
}

TEST_P(MemTableTest, ManyWritersShareCountersAndTombstones) {
  MemTable memtable(With({}));
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&memtable, t] {
      MemTable::Delta delta;
      for (int i = 0; i < 2000; ++i) {
        const SequenceNumber sequence = 1 + i * 4 + t;
        const std::string key = std::to_string(sequence);
        const bool is_range = i % 500 == 0;
        EXPECT_TRUE(
            memtable
                .Add({sequence, is_range ? kTypeRangeDeletion : kTypeValue, key,
                      key + "x"},
                     &delta)
                .ok());
        if (i % 100 == 0) {
          EXPECT_EQ(Get(memtable, key, sequence).values.size(),
                    is_range ? 0u : 1u);
          EXPECT_EQ(memtable.tombstones().All()->MaxCovering(key, sequence) ==
                        sequence,
                    is_range);
        }
      }
      memtable.Count(delta);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(memtable.entry_count(), 8000u);
  EXPECT_EQ(memtable.counts().range_deletes(), 16u);
  EXPECT_EQ(memtable.counts().first_sequence(), 1u);
}

INSTANTIATE_TEST_SUITE_P(Reps, MemTableTest,
                         ::testing::Values("skip_list", "vector",
                                           "prefix_hash:100",
                                           "hash_linkedlist:3"));

class CountingStall : public StallInterface {
 public:
  void Block() override {}
  void Signal() override { ++signals; }
  int signals = 0;
};

TEST(WriteBufferManager, CountsMemTables) {
  WriteBufferManager manager(1 << 20);
  EXPECT_TRUE(manager.enabled());
  {
    MemTable memtable(
        {.arena_block_size = 64 << 10, .write_buffer_manager = &manager});
    for (int i = 0; i < 2000; ++i) {
      ASSERT_TRUE(
          memtable
              .Add(i + 1, kTypeValue, std::to_string(i), std::string(300, 'v'))
              .ok());
    }
    const size_t used = manager.memory_usage();
    EXPECT_GE(used, memtable.ApproximateMemoryUsage());
    EXPECT_EQ(manager.mutable_memtable_memory_usage(), used);
    memtable.MarkImmutable();
    EXPECT_EQ(manager.mutable_memtable_memory_usage(), 0u);
    EXPECT_EQ(manager.memory_usage(), used);
  }
  EXPECT_EQ(manager.memory_usage(), 0u);
}

// Blocks are as large as the pages; a memtable that is smaller has none.
TEST(WriteBufferManager, CountsHugePages) {
  constexpr size_t kPage = 2 << 20;
  for (const size_t write_buffer_size : {8 * kPage, kPage - 1}) {
    WriteBufferManager manager(64 << 20);
    MemTable memtable({.write_buffer_size = write_buffer_size,
                       .arena_block_size = 64 << 10,
                       .huge_page_size = kPage,
                       .write_buffer_manager = &manager});
    for (int i = 0; i < 100; ++i) {
      ASSERT_TRUE(
          memtable
              .Add(i + 1, kTypeValue, std::to_string(i), std::string(300, 'v'))
              .ok());
    }
    EXPECT_EQ(manager.memory_usage() >= kPage, write_buffer_size >= kPage);
    EXPECT_FALSE(memtable.ShouldFlush());
    EXPECT_EQ(memtable.entry_count(), 100u);
  }
}

TEST(WriteBufferManager, SaysWhenToFlush) {
  WriteBufferManager manager(800);
  manager.ReserveMem(700);
  EXPECT_FALSE(manager.ShouldFlush());
  manager.ReserveMem(1);
  EXPECT_TRUE(manager.ShouldFlush());
  manager.ScheduleFreeMem(301);
  manager.ReserveMem(99);
  EXPECT_TRUE(manager.ShouldFlush());  // full, and more than half is active
  manager.ScheduleFreeMem(200);
  EXPECT_FALSE(manager.ShouldFlush());  // a flush would not help
  EXPECT_FALSE(WriteBufferManager(0).ShouldFlush());
}

TEST(WriteBufferManager, StallsUntilMemoryIsFreed) {
  WriteBufferManager manager(100, nullptr, /*allow_stall=*/true);
  CountingStall stall;
  manager.BeginWriteStall(&stall);
  EXPECT_EQ(stall.signals, 1);  // no need
  manager.ReserveMem(150);
  EXPECT_TRUE(manager.ShouldStall());
  manager.BeginWriteStall(&stall);
  EXPECT_EQ(stall.signals, 1);
  EXPECT_TRUE(manager.IsStallActive());
  manager.ScheduleFreeMem(150);
  manager.FreeMem(20);
  EXPECT_EQ(stall.signals, 1);
  manager.FreeMem(130);
  EXPECT_EQ(stall.signals, 2);
  EXPECT_FALSE(manager.ShouldStall());

  manager.ReserveMem(150);
  manager.BeginWriteStall(&stall);
  manager.SetBufferSize(1000);
  EXPECT_EQ(stall.signals, 3);
  manager.SetBufferSize(100);
  manager.BeginWriteStall(&stall);
  manager.RemoveDBFromQueue(&stall);
  EXPECT_EQ(stall.signals, 4);
  manager.ScheduleFreeMem(150);
  manager.FreeMem(150);
  EXPECT_EQ(stall.signals, 4);
}

// Whoever begins to wait as the last memory is freed is told all the same.
TEST(WriteBufferManager, NoStallOutlivesWhatItWaitsFor) {
  class Waiting : public StallInterface {
   public:
    void Block() override { signal.acquire(); }
    void Signal() override { signal.release(); }
    std::counting_semaphore<> signal{0};
  } stall;
  WriteBufferManager manager(100, nullptr, /*allow_stall=*/true);
  std::barrier<> start(2);
  constexpr int kRounds = 20'000;
  std::thread freeing([&] {
    for (int i = 0; i < kRounds; ++i) {
      start.arrive_and_wait();
      manager.FreeMem(150);
      start.arrive_and_wait();
    }
  });
  for (int i = 0; i < kRounds; ++i) {
    manager.ReserveMem(150);
    manager.ScheduleFreeMem(150);
    start.arrive_and_wait();
    manager.BeginWriteStall(&stall);
    stall.Block();
    start.arrive_and_wait();
  }
  freeing.join();
  EXPECT_EQ(manager.memory_usage(), 0u);
  EXPECT_FALSE(manager.IsStallActive());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

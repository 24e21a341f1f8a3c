// Memtables of every kind, and the budget that all memtables share.
//
// Runs tests/testdata/memtables/entries.txt, in the words of memtable_script.h,
// and budget.txt:
//
//   budget BYTES [stalls]
//   reserve BYTES     a memtable takes them
//   sealed BYTES      a memtable that has them is sealed
//   free BYTES        and gone
//   resize BYTES      another limit
//   wait              a writer would wait, or is told at once
//   leave             it waits no longer
//
// After each step: what is used, of which so much is active; whether to flush,
// and to stall, and whether writers do; how often the writer was told.
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
#include "tests/memtable/memtable_script.h"
#include "tests/testing/script.h"

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
  EXPECT_EQ(memtable.counts().deletes(), 0u) << "they are no keys";
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

std::string BudgetAnswers(const ScriptCase& c) {
  const ScriptWords command(c.command);
  EXPECT_EQ(command.verb(), "budget");
  WriteBufferManager budget(std::stoull(command.Word(0)), nullptr,
                            command.HasWord("stalls"));
  CountingStall writer;
  std::string text;
  for (const std::string& line : LinesOf(c.body)) {
    const ScriptWords step(line);
    const std::string& verb = step.verb();
    const size_t bytes =
        step.words().empty() ? 0 : std::stoull(step.words()[0]);
    if (verb == "reserve") {
      budget.ReserveMem(bytes);
    } else if (verb == "sealed") {
      budget.ScheduleFreeMem(bytes);
    } else if (verb == "free") {
      budget.FreeMem(bytes);
    } else if (verb == "resize") {
      budget.SetBufferSize(bytes);
    } else if (verb == "wait") {
      budget.BeginWriteStall(&writer);
    } else {
      EXPECT_EQ(verb, "leave");
      budget.RemoveDBFromQueue(&writer);
    }
    text += std::to_string(budget.memory_usage()) + " used, " +
            std::to_string(budget.mutable_memtable_memory_usage()) + " active" +
            (budget.ShouldFlush() ? ", flush" : "") +
            (budget.ShouldStall() ? ", stall" : "") +
            (budget.IsStallActive() ? ", stalled" : "") + ", told " +
            std::to_string(writer.signals) + "\n";
  }
  return text;
}

TEST(MemTableScriptTest, KnowsWhichItIs) {
  const MemTable memtable({.id = 7, .earliest_sequence = 2});
  EXPECT_EQ(memtable.id(), 7u);
  EXPECT_EQ(memtable.options().earliest_sequence, 2u);
}

TEST(MemTableScriptTest, EveryCaseOfTheScripts) {
  EXPECT_GE(RunScript("memtables/entries.txt", MemTableScript::Answers), 20u)
      << "cases went missing";
  EXPECT_GE(RunScript("memtables/budget.txt", BudgetAnswers), 11u)
      << "cases went missing";
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

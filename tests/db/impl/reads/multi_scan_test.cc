// Scans of several ranges: what they show, what they refuse, and what they
// fetch ahead.
#include "rocksdb/multi_scan.h"

#include <algorithm>
#include <filesystem>
#include <initializer_list>

#include "rocksdb/io_dispatcher.h"
#include "rocksdb/perf_context.h"
#include "rocksdb/perf_level.h"
#include "rocksdb/slice_transform.h"
#include "rocksdb/utilities/write_batch_with_index.h"
#include "table/scan_job.h"
#include "tests/db/impl/damage.h"
#include "tests/db/impl/db_fixture.h"
#include "tests/db/impl/read_ways.h"
#include "tests/db/impl/timestamp_text.h"
#include "util/builtin_merge_operators.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// With keys of their own.
struct Ranges {
  Ranges(std::initializer_list<std::pair<std::string, std::string>> list)
      : keys(list) {
    for (const auto& [start, limit] : keys) args.insert(start, limit);
  }
  Ranges(const Ranges&) = delete;
  Ranges& operator=(const Ranges&) = delete;

  const std::vector<std::pair<std::string, std::string>> keys;
  MultiScanArgs args;
};

class MultiScanTest : public DbFixture {
 protected:
  MultiScanTest() {
    options_.disable_auto_compactions = true;
    options_.statistics = CreateDBStatistics();
    options_.merge_operator = NewStringAppendOperator(",");
  }
  void PutRange(int begin, int end, const std::string& value) {
    for (int i = begin; i < end; ++i) ASSERT_OK(Put(ScannedKey(i), value));
  }
  // "key=value ... | key=value ... |", or the status.
  std::string Text(const MultiScanArgs& args,
                   const ReadOptions& read = ReadOptions()) {
    return TextOf(
        db_->NewMultiScan(read, db_->DefaultColumnFamily(), args).get());
  }
  static std::string TextOf(MultiScan* scans) {
    std::string text;
    try {
      for (auto scan : *scans) {
        for (auto entry : scan) {
          text += entry.first.ToString() + "=" + entry.second.ToString() + " ";
        }
        text += "| ";
      }
    } catch (const MultiScanException& error) {
      EXPECT_FALSE(error.status().ok());
      return error.status().ToString();
    }
    return text;
  }
};

TEST_F(MultiScanTest, RangesComeOneAfterTheOther) {
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_NO_FATAL_FAILURE(PutRange(0, 9, "a"));
  ASSERT_OK(Flush());
  ASSERT_OK(CompactAll());
  ASSERT_OK(Put(ScannedKey(1), "b"));
  ASSERT_OK(Flush());
  ASSERT_OK(Delete(ScannedKey(5)));
  ASSERT_OK(db_->Merge(WriteOptions(), ScannedKey(6), "m"));
  ASSERT_OK(db_->DeleteRange(WriteOptions(), ScannedKey(7), ScannedKey(8)));
  MultiScanArgs args(BytewiseComparator());
  EXPECT_TRUE(args.empty());
  args.insert("key00001", "key00003");
  args.insert("key000031", "key000032", {});
  args.insert("key00005", "key00009");
  args.insert("x", "y");
  EXPECT_EQ(args.size(), 4u);
  EXPECT_EQ(Text(args),
            "key00001=b key00002=a | | key00006=a,m key00008=a | | ");
  args.reverse = true;
  EXPECT_EQ(Text(args),
            "key00002=a key00001=b | | key00008=a key00006=a,m | | ");
  MultiScanArgs down;
  down.CopyConfigFrom(args);
  down.insert("key00005", "key00009");
  down.insert("key00001", "key00003");
  EXPECT_EQ(Text(down), "key00008=a key00006=a,m | key00002=a key00001=b | ");
}

// A dispatcher limits what two scans hold together, and what they show is the
// same.
TEST_F(MultiScanTest, ADispatcherHasAWordInWhatIsFetched) {
  BlockBasedTableOptions table;
  table.no_block_cache = true;
  options_.table_factory.reset(NewBlockBasedTableFactory(table));
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_NO_FATAL_FAILURE(PutRange(0, 5000, std::string(100, 'v')));
  ASSERT_OK(Flush());
  Ranges ranges{{"key00100", "key00900"}, {"key02000", "key04000"}};
  const std::string expected = Text(ranges.args);
  EXPECT_EQ(Ticker(PREFETCH_MEMORY_REQUESTS_BLOCKED), 0u);
  IODispatcherOptions limit;
  limit.max_prefetch_memory_bytes = 1000;
  ranges.args.io_dispatcher.reset(NewIODispatcher(limit));
  const std::shared_ptr<IODispatcher> dispatcher = ranges.args.io_dispatcher;
  {
    const auto one = db_->NewMultiScan(ReadOptions(),
                                       db_->DefaultColumnFamily(), ranges.args);
    EXPECT_EQ(Text(ranges.args), expected);
    EXPECT_EQ(TextOf(one.get()), expected);
  }
  EXPECT_GT(Ticker(PREFETCH_MEMORY_REQUESTS_BLOCKED), 0u);
  // Options that are copied have it, too.
  MultiScanArgs copy;
  copy.CopyConfigFrom(ranges.args);
  EXPECT_EQ(copy.io_dispatcher, dispatcher);
  // Its own statistics count instead of the database's, where it has some.
  limit.statistics = nullptr;
  const std::shared_ptr<Statistics> own = CreateDBStatistics();
  limit.statistics = own.get();
  ranges.args.io_dispatcher.reset(NewIODispatcher(limit));
  const uint64_t before = Ticker(PREFETCH_MEMORY_REQUESTS_BLOCKED);
  EXPECT_EQ(Text(ranges.args), expected);
  EXPECT_EQ(Ticker(PREFETCH_MEMORY_REQUESTS_BLOCKED), before);
  EXPECT_GT(own->getTickerCount(PREFETCH_MEMORY_REQUESTS_BLOCKED), 0u);
}

TEST_F(MultiScanTest, ATrackingDispatcherTellsWhatWasRead) {
  BlockBasedTableOptions table;
  table.block_cache = NewLRUCache(8 << 20);
  options_.table_factory.reset(NewBlockBasedTableFactory(table));
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_NO_FATAL_FAILURE(PutRange(0, 5000, std::string(100, 'v')));
  ASSERT_OK(Flush());
  Ranges ranges{{"key00100", "key00900"}, {"key02000", "key04000"}};
  const std::string expected = Text(ranges.args);
  table.block_cache->EraseUnRefEntries();
  auto tracking = std::make_shared<TrackingIODispatcher>();
  ranges.args.io_dispatcher = tracking;
  for (const bool is_cached : {false, true}) {
    EXPECT_EQ(Text(ranges.args), expected);
    if (is_cached) break;
    ASSERT_EQ(tracking->GetReadSets().size(), 1u);
    const ReadSet& reads = *tracking->GetReadSets().front();
    EXPECT_GT(reads.GetNumBlocksPrefetched(), 10u);
    EXPECT_GT(reads.GetPrefetchBytes(), 2800u * 100);
    EXPECT_GT(reads.GetNumIORequests(), 0u);
    EXPECT_LT(reads.GetNumIORequests(), reads.GetNumBlocksPrefetched());
    EXPECT_EQ(reads.GetNumIORequests(), tracking->GetTotalIOOperations());
    EXPECT_EQ(reads.GetNumCacheHits(), 0u);
    EXPECT_FALSE(reads.IsBlockAvailable(0)) << "the scan is over";
  }
  // Where all blocks are in memory there is nothing to be handed in.
  EXPECT_EQ(tracking->GetReadSets().size(), 1u);
  tracking->ClearReadSets();
  EXPECT_EQ(tracking->GetTotalIOOperations(), 0u);
  // Some are.
  Ranges more{{"key00850", "key01200"}};
  MultiScanArgs plain = more.args;
  plain.io_dispatcher = nullptr;
  more.args.io_dispatcher = tracking;
  const std::string wanted = Text(more.args);
  EXPECT_GT(tracking->GetTotalCacheHits(), 0u);
  EXPECT_GT(tracking->GetTotalIOOperations(), 0u);
  EXPECT_EQ(Text(plain), wanted);
  std::shared_ptr<ReadSet> none;
  EXPECT_TRUE(tracking->SubmitJob(std::make_shared<IOJob>(), &none)
                  .IsInvalidArgument());
  EXPECT_TRUE(tracking->SubmitJob(nullptr, &none).IsInvalidArgument());
  ReadSet empty;
  EXPECT_EQ(empty.GetNumIORequests(), 0u);
  EXPECT_FALSE(empty.IsBlockAvailable(0));
}

// Hands every second job on, and looks into the first block of it.
class PickyDispatcher final : public IODispatcher {
 public:
  Status SubmitJob(const std::shared_ptr<IOJob>& job,
                   std::shared_ptr<ReadSet>* read_set) override {
    jobs.push_back(job);
    if (jobs.size() % 3 == 0) return Status::Busy("not now");
    if (jobs.size() % 3 == 1) return Status::OK();
    Status s = inner->SubmitJob(job, read_set);
    if (s.ok()) LookInto(**read_set);
    return s;
  }
  void LookInto(ReadSet& reads) {
    EXPECT_TRUE(reads.IsBlockAvailable(0));
    CachableEntry<Block> block, same;
    EXPECT_OK(reads.ReadIndex(0, &block));
    EXPECT_TRUE(static_cast<bool>(block));
    EXPECT_GT(block->size(), 0u);
    const size_t last = jobs.back()->block_handles.size() - 1;
    EXPECT_OK(reads.ReadOffset(
        static_cast<size_t>(jobs.back()->block_handles[last].offset), &same));
    EXPECT_TRUE(reads.ReadOffset(1, &same).IsInvalidArgument());
    EXPECT_TRUE(reads.ReadIndex(last + 1, &same).IsInvalidArgument());
    reads.ReleaseBlock(last);
    EXPECT_TRUE(reads.ReadIndex(last, &same).IsInvalidArgument());
    EXPECT_FALSE(reads.IsBlockAvailable(last));
  }

  const std::unique_ptr<IODispatcher> inner{NewIODispatcher()};
  std::vector<std::shared_ptr<IOJob>> jobs;
};

TEST_F(MultiScanTest, AnApplicationsDispatcherPassesJobsOn) {
  BlockBasedTableOptions table;
  table.no_block_cache = true;
  options_.table_factory.reset(NewBlockBasedTableFactory(table));
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_NO_FATAL_FAILURE(PutRange(0, 3000, std::string(100, 'v')));
  ASSERT_OK(Flush());
  Ranges ranges{{"key00100", "key00900"}, {"key01000", "key02500"}};
  const std::string expected = Text(ranges.args);
  const auto picky = std::make_shared<PickyDispatcher>();
  ranges.args.io_dispatcher = picky;
  for (int i = 0; i < 6; ++i) ASSERT_EQ(Text(ranges.args), expected) << i;
  ASSERT_EQ(picky->jobs.size(), 6u);
  // A job that is kept leads to no table that may be gone.
  std::shared_ptr<ReadSet> late;
  EXPECT_TRUE(
      picky->inner->SubmitJob(picky->jobs[1], &late).IsInvalidArgument());
}

// The parts of a walk over iterators of an application's own.
TEST_F(MultiScanTest, AScanGoesOnFromWhereAnIteratorIs) {
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_NO_FATAL_FAILURE(PutRange(0, 4, "a"));
  const std::unique_ptr<Iterator> it(db_->NewIterator(ReadOptions()));
  const auto text = [](class Scan* scan) {
    std::string keys;
    for (auto entry : *scan) keys += entry.first.ToString() + " ";
    return keys;
  };
  it->Seek(ScannedKey(2));
  class Scan scan(it.get());
  EXPECT_EQ(text(&scan), "key00002 key00003 ");
  EXPECT_EQ(text(&scan), "") << "the iterator is at its end";
  it->Seek(ScannedKey(1));
  scan.Reset(it.get(), /*reverse=*/true);
  EXPECT_EQ(text(&scan), "key00001 key00000 ");
  it->Seek(ScannedKey(3));
  ROCKSDB_NAMESPACE::Scan::ScanIterator entry(it.get());
  ASSERT_TRUE(entry != nullptr);
  EXPECT_EQ(entry->second, "a");
  ++entry;
  EXPECT_TRUE(entry == nullptr);
  EXPECT_THROW(++entry, std::logic_error);
  const std::unique_ptr<Iterator> bad(
      NewErrorIterator(Status::Corruption("bad")));
  class Scan broken(bad.get());
  EXPECT_THROW(broken.begin(), MultiScanException);
  MultiScan none(BytewiseComparator(),
                 std::unique_ptr<Iterator>(db_->NewIterator(ReadOptions())));
  EXPECT_EQ(TextOf(&none), "");
  MultiScan failed(
      BytewiseComparator(),
      std::unique_ptr<Iterator>(NewErrorIterator(Status::Corruption("bad"))));
  EXPECT_EQ(TextOf(&failed), Status::Corruption("bad").ToString());
}

TEST_F(MultiScanTest, RangesOfACallersIteratorSetItsBounds) {
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_NO_FATAL_FAILURE(PutRange(0, 9, "a"));
  for (const bool is_reverse : {false, true}) {
    const std::vector<ScanOptions> ranges = {
        ScanOptions("key00001", "key00003"), ScanOptions("key00007"),
        ScanOptions("key00004", "key00005")};
    Slice lower, upper;
    ReadOptions read;
    std::unique_ptr<Iterator> cursor;
    std::string keys;
    for (MultiScan::MultiScanIterator it(ranges, db_.get(),
                                         db_->DefaultColumnFamily(), read,
                                         &lower, &upper, cursor, is_reverse);
         it != nullptr; ++it) {
      for (auto entry : *it) keys += entry.first.ToString().substr(7) + " ";
      keys += "| ";
    }
    EXPECT_EQ(keys, is_reverse ? "2 1 | 8 7 | 4 | " : "1 2 | 7 8 | 4 | ");
    EXPECT_EQ(upper, "key00005");
    EXPECT_EQ(read.iterate_upper_bound, &upper);
  }
}

TEST_F(MultiScanTest, OneRangeAloneMayBeOpen) {
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_NO_FATAL_FAILURE(PutRange(0, 4, "a"));
  MultiScanArgs args;
  args.insert("key00002");
  EXPECT_EQ(Text(args), "key00002=a key00003=a | ");
  args.reverse = true;
  EXPECT_EQ(Text(args), "key00003=a key00002=a | ");
  const std::string bound = ScannedKey(3);
  const Slice upper(bound);
  ReadOptions read;
  read.iterate_upper_bound = &upper;
  EXPECT_EQ(Text(args, read), "key00002=a | ");
}

// The filters of files know the prefix of its start alone.
TEST_F(MultiScanTest, ARangeMayHoldSeveralPrefixes) {
  options_.prefix_extractor.reset(NewFixedPrefixTransform(1));
  BlockBasedTableOptions table;
  table.filter_policy.reset(NewBloomFilterPolicy(20));
  table.whole_key_filtering = false;
  options_.table_factory.reset(NewBlockBasedTableFactory(table));
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_OK(Put("a1", "v"));
  ASSERT_OK(Flush());
  for (const char* key : {"b1", "c1"}) ASSERT_OK(Put(key, "v"));
  ASSERT_OK(Flush());
  MultiScanArgs args;
  args.insert("a0", "b2");
  args.insert("b9", "d");
  EXPECT_EQ(Text(args), "a1=v b1=v | c1=v | ");
  ReadOptions same;
  same.prefix_same_as_start = true;
  EXPECT_EQ(Text(args, same), "a1=v | | ");
  args.reverse = true;
  EXPECT_EQ(Text(args), "b1=v a1=v | c1=v | ");
  MultiScanArgs open;
  open.insert("a0");
  EXPECT_EQ(Text(open), "a1=v b1=v c1=v | ");
}

TEST_F(MultiScanTest, SnapshotsAndBoundsHold) {
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_NO_FATAL_FAILURE(PutRange(0, 9, "a"));
  const Snapshot* snapshot = db_->GetSnapshot();
  ASSERT_NO_FATAL_FAILURE(PutRange(0, 9, "b"));
  ASSERT_OK(Flush());
  ReadOptions read;
  read.snapshot = snapshot;
  const std::string low = ScannedKey(2);
  const std::string high = ScannedKey(6);
  const Slice lower(low), upper(high);
  read.iterate_lower_bound = &lower;
  read.iterate_upper_bound = &upper;
  Ranges ranges{{ScannedKey(0), ScannedKey(1)},
                {ScannedKey(1), ScannedKey(4)},
                {ScannedKey(5), ScannedKey(7)},
                {ScannedKey(7), ScannedKey(8)}};
  for (const bool reverse : {false, true}) {
    ranges.args.reverse = reverse;
    EXPECT_EQ(Text(ranges.args, read),
              reverse ? "| key00003=a key00002=a | key00005=a | | "
                      : "| key00002=a key00003=a | key00005=a | | ");
  }
  db_->ReleaseSnapshot(snapshot);
}

TEST_F(MultiScanTest, OtherOrdersAndTimestamps) {
  options_.comparator = ReverseBytewiseComparator();
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_NO_FATAL_FAILURE(PutRange(0, 9, "a"));
  ASSERT_OK(Flush());
  const Ranges down{{ScannedKey(7), ScannedKey(5)},
                    {ScannedKey(2), ScannedKey(1)}};
  EXPECT_EQ(Text(down.args), "key00007=a key00006=a | key00002=a | ");
  MultiScanArgs bytewise(BytewiseComparator());
  bytewise.insert("b", "a");
  EXPECT_NE(Text(bytewise).find("Invalid argument"), std::string::npos);
  db_.reset();
  path_ += "-timed";
  options_.comparator = BytewiseComparatorWithU64Ts();
  ASSERT_NO_FATAL_FAILURE(Open());
  for (uint64_t time : {1, 2, 3}) {
    for (int i = 0; i < 5; ++i) {
      ASSERT_OK(db_->Put(WriteOptions(), ScannedKey(i), Ts(time),
                         std::to_string(time)));
    }
    if (time == 1) ASSERT_OK(Flush());
  }
  const Ranges timed{{ScannedKey(1), ScannedKey(2)},
                     {ScannedKey(3), ScannedKey(5)}};
  EXPECT_EQ(Text(timed.args, AsOf(2).options),
            "key00001=2 | key00003=2 key00004=2 | ");
}

TEST_F(MultiScanTest, WrongRangesAreRefused) {
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_NO_FATAL_FAILURE(PutRange(0, 9, "a"));
  const auto make = [](const std::vector<ScanOptions>& ranges, bool reverse) {
    MultiScanArgs args;
    for (const ScanOptions& one : ranges) {
      if (one.range.limit.has_value()) {
        args.insert(*one.range.start, *one.range.limit);
      } else {
        args.insert(*one.range.start);
      }
    }
    args.reverse = reverse;
    return args;
  };
  const std::vector<std::vector<ScanOptions>> wrong{
      {},
      {{"b", "a"}},
      {{"a", "a"}},
      {{"a", "c"}, {"b", "d"}},
      {{"a", "b"}, {"c", "d"}, {"b", "c"}},
      {ScanOptions("a"), {"b", "c"}},
      {{"a", "b"}, ScanOptions("c")},
  };
  for (size_t i = 0; i < wrong.size(); ++i) {
    for (const bool reverse : {false, true}) {
      SCOPED_TRACE(i);
      const MultiScanArgs args = make(wrong[i], reverse);
      EXPECT_NE(Text(args).find("Invalid argument"), std::string::npos);
      const std::unique_ptr<Iterator> it(db_->NewIterator(ReadOptions()));
      it->Prepare(args);
      EXPECT_TRUE(it->status().IsInvalidArgument());
      it->Seek(ScannedKey(1));
      EXPECT_FALSE(it->Valid());
      EXPECT_TRUE(it->status().IsInvalidArgument());
      it->Prepare(make({{"key00001", "key00003"}}, reverse));
      EXPECT_OK(it->status());
      it->Seek(ScannedKey(1));
      EXPECT_TRUE(it->Valid());
    }
  }
  EXPECT_NE(Text(make({{"c", "d"}, {"a", "b"}}, false)).find("out of order"),
            std::string::npos);
  EXPECT_EQ(Ticker(MULTISCAN_PREPARE_ERRORS), wrong.size() * 4 + 1);
  EXPECT_EQ(Ticker(MULTISCAN_PREPARE_CALLS), wrong.size() * 6 + 1);
  ReadOptions persisted;
  persisted.read_tier = kPersistedTier;
  MultiScanArgs good;
  good.insert("a", "b");
  EXPECT_NE(Text(good, persisted).find("Not implemented"), std::string::npos);
}

TEST_F(MultiScanTest, StepsBeyondAnEndAreThrownBack) {
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_NO_FATAL_FAILURE(PutRange(0, 9, "a"));
  const Ranges ranges{{ScannedKey(1), ScannedKey(2)},
                      {ScannedKey(4), ScannedKey(6)}};
  const std::unique_ptr<MultiScan> scans =
      db_->NewMultiScan(ReadOptions(), db_->DefaultColumnFamily(), ranges.args);
  auto at = scans->begin();
  auto first = *at;
  auto entry = first.begin();
  EXPECT_EQ(entry->first.ToString(), ScannedKey(1));
  EXPECT_TRUE(++entry == first.end());
  EXPECT_THROW(++entry, std::logic_error);
  ++at;
  auto second = at->begin();
  EXPECT_EQ(second->first.ToString(), ScannedKey(4));
  // A scan may be walked over again; that ends the other walk.
  entry = first.begin();
  EXPECT_EQ((*entry).first.ToString(), ScannedKey(1));
  EXPECT_THROW(++second, std::logic_error);
  EXPECT_TRUE(++at == scans->end());
  EXPECT_THROW(++at, std::logic_error);
  EXPECT_THROW(at->begin(), std::logic_error);
}

TEST_F(MultiScanTest, IteratorsAnswerOtherSeeksToo) {
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_NO_FATAL_FAILURE(PutRange(0, 1000, std::string(100, 'a')));
  ASSERT_OK(Flush());
  ASSERT_OK(CompactAll());
  ASSERT_NO_FATAL_FAILURE(Reopen());
  const std::unique_ptr<Iterator> it(db_->NewIterator(ReadOptions()));
  it->Seek(ScannedKey(3));
  it->Prepare(Ranges{{ScannedKey(100), ScannedKey(110)},
                     {ScannedKey(500), ScannedKey(510)}}
                  .args);
  EXPECT_FALSE(it->Valid());
  for (const int at : {500, 100, 7, 505, 999, 104}) {
    it->Seek(ScannedKey(at));
    ASSERT_TRUE(it->Valid());
    EXPECT_EQ(it->key().ToString(), ScannedKey(at));
    it->SeekForPrev(ScannedKey(at) + "x");
    EXPECT_EQ(it->key().ToString(), ScannedKey(at));
  }
  it->SeekToFirst();
  int count = 0;
  for (; it->Valid(); it->Next()) ++count;
  EXPECT_EQ(count, 1000);
  ASSERT_OK(it->Refresh());
  it->Seek(ScannedKey(100));
  EXPECT_EQ(it->key().ToString(), ScannedKey(100));
}

TEST_F(MultiScanTest, OverABatchToo) {
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_NO_FATAL_FAILURE(PutRange(0, 9, "a"));
  WriteBatchWithIndex batch;
  ASSERT_OK(batch.Put(ScannedKey(4), "batch"));
  const std::unique_ptr<Iterator> it(
      batch.NewIteratorWithBase(db_->NewIterator(ReadOptions())));
  MultiScanArgs args;
  args.insert("b", "a");
  it->Prepare(args);
  EXPECT_TRUE(it->status().IsInvalidArgument());
  it->Prepare(Ranges{{ScannedKey(3), ScannedKey(5)}}.args);
  it->Seek(ScannedKey(3));
  EXPECT_EQ(it->value().ToString(), "a");
  it->Next();
  EXPECT_EQ(it->value().ToString(), "batch");
}

// ---- What is fetched ----

class MultiScanFetchTest : public MultiScanTest,
                           public ::testing::WithParamInterface<ReadWay> {
 protected:
  static constexpr int kKeys = 20000;

  MultiScanFetchTest() {
    options_.use_direct_reads = GetParam().is_direct;
    options_.target_file_size_base = 256 << 10;
    options_.max_bytes_for_level_base = 1 << 30;
    options_.level_compaction_dynamic_level_bytes = false;
    options_.compression = kNoCompression;
    table_.block_size = 4096;
    table_.block_cache = NewLRUCache(64 << 20);
    options_.table_factory.reset(NewBlockBasedTableFactory(table_));
    args_.use_async_io = GetParam().is_async;
  }
  void Fill() {
    ASSERT_NO_FATAL_FAILURE(Open());
    ASSERT_NO_FATAL_FAILURE(PutRange(0, kKeys, std::string(100, 'v')));
    ASSERT_OK(Flush());
    ASSERT_OK(CompactAll(/*force=*/true));
    ASSERT_GT(FilesAt(1), 4);
    ASSERT_NO_FATAL_FAILURE(Reopen());
    ASSERT_OK(options_.statistics->Reset());
  }
  // Ranges of `width` keys, one every `stride`.
  void InsertRanges(int width, int stride) {
    for (int i = 0; i + width <= kKeys; i += stride) {
      keys_.push_back(ScannedKey(i));
      keys_.push_back(ScannedKey(i + width));
      expected_ += width;
    }
    if (args_.reverse) std::reverse(keys_.begin(), keys_.end());
    for (size_t i = 0; i < keys_.size(); i += 2) {
      args_.insert(keys_[i + (args_.reverse ? 1 : 0)],
                   keys_[i + (args_.reverse ? 0 : 1)]);
    }
  }
  // Blocks that the walk had to read by itself.
  uint64_t Walk(const ReadOptions& read = ReadOptions()) {
    const std::unique_ptr<MultiScan> scans =
        db_->NewMultiScan(read, db_->DefaultColumnFamily(), args_);
    SetPerfLevel(kEnableCount);
    get_perf_context()->Reset();
    int count = 0;
    for (auto scan : *scans) {
      for (auto entry : scan) {
        EXPECT_EQ(entry.second.size(), 100u);
        ++count;
      }
    }
    EXPECT_EQ(count, expected_);
    SetPerfLevel(kDisable);
    return get_perf_context()->block_read_count;
  }

  BlockBasedTableOptions table_;
  MultiScanArgs args_;
  std::vector<std::string> keys_;
  int expected_ = 0;
};

INSTANTIATE_TEST_SUITE_P(Ways, MultiScanFetchTest, EveryReadWay(), NameOf);

TEST_P(MultiScanFetchTest, AllBlocksAreFetchedAhead) {
  for (const bool reverse : {false, true}) {
    SCOPED_TRACE(reverse);
    ASSERT_NO_FATAL_FAILURE(Fill());
    keys_.clear();
    args_.clear();
    expected_ = 0;
    args_.reverse = reverse;
    args_.io_coalesce_threshold = 0;
    ASSERT_NO_FATAL_FAILURE(InsertRanges(20, 500));
    // Downwards, a range that begins with its block ends in the one before.
    EXPECT_LE(Walk(), reverse ? 8u : 0u);
    EXPECT_GE(Ticker(MULTISCAN_BLOCKS_PREFETCHED), 40u);
    EXPECT_LE(Ticker(MULTISCAN_BLOCKS_PREFETCHED), 120u);
    EXPECT_GE(Ticker(MULTISCAN_IO_REQUESTS), 40u);
    EXPECT_EQ(Ticker(MULTISCAN_BLOCKS_FROM_CACHE), 0u);
    EXPECT_EQ(Ticker(PREFETCH_BYTES), 0u);
    // They are in the cache now.
    ASSERT_OK(options_.statistics->Reset());
    EXPECT_EQ(Walk(), 0u);
    EXPECT_EQ(Ticker(MULTISCAN_BLOCKS_PREFETCHED), 0u);
    EXPECT_GE(Ticker(MULTISCAN_BLOCKS_FROM_CACHE), 40u);
    table_.block_cache->EraseUnRefEntries();
  }
}

TEST_P(MultiScanFetchTest, GapsAreReadWhereTheyAreSmall) {
  ASSERT_NO_FATAL_FAILURE(Fill());
  args_.io_coalesce_threshold = 1 << 20;
  ASSERT_NO_FATAL_FAILURE(InsertRanges(20, 500));
  EXPECT_EQ(Walk(), 0u);
  // One or two reads a file.
  EXPECT_LE(Ticker(MULTISCAN_IO_REQUESTS), 30u);
  EXPECT_GT(Ticker(MULTISCAN_IO_COALESCED_NONADJACENT), 10u);
  EXPECT_GT(Ticker(MULTISCAN_PREFETCH_BYTES), 1u << 20);
}

TEST_P(MultiScanFetchTest, ALimitIsNoError) {
  ASSERT_NO_FATAL_FAILURE(Fill());
  args_.max_prefetch_size = 16 << 10;
  ASSERT_NO_FATAL_FAILURE(InsertRanges(200, 400));
  EXPECT_EQ(Walk(), 0u);
  EXPECT_EQ(Ticker(MULTISCAN_PREFETCH_BLOCKS_WASTED), 0u);
  EXPECT_GT(Ticker(MULTISCAN_IO_REQUESTS), 150u);
}

TEST_P(MultiScanFetchTest, WhatIsNotWalkedOverIsWasted) {
  ASSERT_NO_FATAL_FAILURE(Fill());
  ASSERT_NO_FATAL_FAILURE(InsertRanges(20, 500));
  std::unique_ptr<MultiScan> scans =
      db_->NewMultiScan(ReadOptions(), db_->DefaultColumnFamily(), args_);
  auto first = *scans->begin();
  EXPECT_TRUE(first.begin() != first.end());
  scans.reset();
  EXPECT_GE(Ticker(MULTISCAN_PREFETCH_BLOCKS_WASTED), 30u);
  EXPECT_EQ(Ticker(MULTISCAN_SEEK_ERRORS), 0u);
}

TEST_P(MultiScanFetchTest, WithoutACacheAndPinned) {
  table_.no_block_cache = true;
  table_.block_cache = nullptr;
  options_.table_factory.reset(NewBlockBasedTableFactory(table_));
  ASSERT_NO_FATAL_FAILURE(Fill());
  ASSERT_NO_FATAL_FAILURE(InsertRanges(300, 700));
  ReadOptions read;
  read.pin_data = true;
  EXPECT_EQ(Walk(read), 0u);
  EXPECT_EQ(Walk(), 0u);
}

TEST_P(MultiScanFetchTest, CacheOnlyReadsFetchNothing) {
  ASSERT_NO_FATAL_FAILURE(Fill());
  ASSERT_NO_FATAL_FAILURE(InsertRanges(20, 500));
  ReadOptions read;
  read.read_tier = kBlockCacheTier;
  EXPECT_NE(Text(args_, read).find("Result incomplete"), std::string::npos);
  EXPECT_EQ(Ticker(MULTISCAN_IO_REQUESTS), 0u);
  EXPECT_EQ(Ticker(MULTISCAN_SEEK_ERRORS), 1u);
}

TEST_P(MultiScanFetchTest, ADamagedBlockEndsTheWalk) {
  ASSERT_NO_FATAL_FAILURE(Fill());
  db_.reset();
  const std::vector<std::string> tables = FilesOf(path_, kTableFile);
  ASSERT_GT(tables.size(), 4u);
  DamageFile(tables[3], {.harm = Harm::kFlip, .at = -5000});
  ASSERT_NO_FATAL_FAILURE(Open());
  // Every block of every file.
  ASSERT_NO_FATAL_FAILURE(InsertRanges(100, 100));
  for (const bool reverse : {false, true}) {
    args_.reverse = reverse;
    const std::string text = Text(args_);
    EXPECT_NE(text.find("Corruption"), std::string::npos) << text.substr(0, 99);
    EXPECT_NE(text.find("checksum"), std::string::npos);
  }
}

TEST_P(MultiScanFetchTest, ALostFileEndsTheWalk) {
  ASSERT_NO_FATAL_FAILURE(Fill());
  db_.reset();
  const std::vector<std::string> tables = FilesOf(path_, kTableFile);
  const std::string lost = tables[tables.size() - 2];
  std::filesystem::rename(lost, lost + ".away");
  options_.paranoid_checks = false;
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_NO_FATAL_FAILURE(InsertRanges(20, 500));
  const std::string text = Text(args_);
  EXPECT_NE(text.find("IO error"), std::string::npos) << text.substr(0, 99);
  // The next walk finds it.
  std::filesystem::rename(lost + ".away", lost);
  EXPECT_EQ(Text(args_).find("error"), std::string::npos);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

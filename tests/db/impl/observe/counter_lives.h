// What databases do when all goes well: reads of every form, filters, merges,
// compactions, blobs, read-ahead, ingestion. Each makes and drops its own.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "rocksdb/compaction_filter.h"
#include "rocksdb/file_checksum.h"
#include "rocksdb/io_dispatcher.h"
#include "rocksdb/merge_operator.h"
#include "rocksdb/perf_context.h"
#include "rocksdb/slice_transform.h"
#include "rocksdb/sst_file_writer.h"
#include "rocksdb/transaction_log.h"
#include "rocksdb/utilities/checkpoint.h"
#include "rocksdb/utilities/write_batch_with_index.h"
#include "tests/db/impl/counter_world.h"
#include "tests/db/impl/direct_fixture.h"
#include "tests/db/impl/timestamp_text.h"
#include "tests/env/timed_calls.h"
#include "util/builtin_merge_operators.h"
#include "util/compression.h"

namespace ROCKSDB_NAMESPACE {

inline BlockBasedTableOptions CachedTable() {
  BlockBasedTableOptions table;
  table.block_size = 1024;
  table.filter_policy.reset(NewBloomFilterPolicy(10));
  table.cache_index_and_filter_blocks = true;
  table.block_cache = NewLRUCache(8 << 20);
  return table;
}

inline void ReadInEveryForm(DB* db) {
  for (int i = 0; i < 40; ++i) {
    EXPECT_OK(GetInto(db, NumberKey(5 * i + 1)));
    EXPECT_TRUE(GetInto(db, NumberKey(5 * i + 1) + "no").IsNotFound());
  }
  std::vector<std::string> values;
  const std::vector<Slice> keys{"key100001", "key100002", "key100451"};
  for (const Status& s : db->MultiGet(ReadOptions(), keys, &values)) {
    EXPECT_OK(s);
  }
  EXPECT_GT(ScanAll(db), 0);
  const std::unique_ptr<Iterator> it(db->NewIterator(ReadOptions()));
  for (it->SeekToLast(); it->Valid(); it->Prev()) {
  }
  it->SeekForPrev(NumberKey(20));
  EXPECT_TRUE(it->Valid());
  it->Seek(NumberKey(20));
  EXPECT_TRUE(it->Valid());
}

inline void LiveAsATable(const CounterWorld& world) {
  Options options = world.Base();
  options.compression = kSnappyCompression;
  options.file_checksum_gen_factory = GetFileChecksumGenCrc32cFactory();
  options.table_factory.reset(NewBlockBasedTableFactory(CachedTable()));
  std::unique_ptr<DB> db = world.Open("table", options);
  WriteOptions synced;
  synced.sync = true;
  for (int round = 0; round < 2; ++round) {
    PutAll(db.get(), 0, 500, std::string(100, static_cast<char>('a' + round)));
    EXPECT_OK(db->Put(synced, NumberKey(500), "x"));
    for (int i = 0; i < 500; i += 5) {
      EXPECT_OK(db->Delete(WriteOptions(), NumberKey(i)));
    }
    FlushNow(db.get());
  }
  EXPECT_OK(db->Put(WriteOptions(), "memory", "m"));
  EXPECT_OK(GetInto(db.get(), "memory"));
  ReadInEveryForm(db.get());
  EXPECT_OK(db->VerifyChecksum());
  EXPECT_OK(db->VerifyFileChecksums(ReadOptions()));
  MoveTo(db.get(), 1);
  ReadInEveryForm(db.get());
  CompactWhole(db.get());
  MoveTo(db.get(), options.num_levels - 1);
  db.reset();
  // Nothing is in a cache, and what was in memory is flushed by the opening.
  options.table_factory.reset(NewBlockBasedTableFactory(CachedTable()));
  db = world.Open("table", options);
  ReadInEveryForm(db.get());
  PutAll(db.get(), 600, 610, "unflushed");
  std::unique_ptr<TransactionLogIterator> updates;
  EXPECT_OK(db->GetUpdatesSince(db->GetLatestSequenceNumber() - 5, &updates,
                                TransactionLogIterator::ReadOptions()));
  Checkpoint* raw = nullptr;
  EXPECT_OK(Checkpoint::Create(db.get(), &raw));
  const std::unique_ptr<Checkpoint> checkpoint(raw);
  EXPECT_OK(checkpoint->CreateCheckpoint(world.Path("copy"), UINT64_MAX));
  EXPECT_OK(db->Close());
  db = world.Open("table", options);
  EXPECT_OK(GetInto(db.get(), NumberKey(605)));
}

// Prefixes aa and cc are there, bb between them is not.
inline void LiveByPrefix(const CounterWorld& world) {
  Options options = world.Base();
  BlockBasedTableOptions table = CachedTable();
  table.whole_key_filtering = false;
  options.table_factory.reset(NewBlockBasedTableFactory(table));
  options.prefix_extractor.reset(NewFixedPrefixTransform(2));
  std::unique_ptr<DB> db = world.Open("prefix", options);
  for (const char* key : {"aa1", "aa2", "cc1", "cc2"}) {
    EXPECT_OK(db->Put(WriteOptions(), key, "v"));
  }
  FlushNow(db.get());
  for (const int level : {0, options.num_levels - 1}) {
    if (level > 0) {
      MoveTo(db.get(), level);
      // An open table counts for the level that it was opened at.
      db.reset();
      db = world.Open("prefix", options);
    }
    EXPECT_OK(GetInto(db.get(), "aa1"));
    EXPECT_TRUE(GetInto(db.get(), "bb1").IsNotFound());
    const std::unique_ptr<Iterator> it(db->NewIterator(ReadOptions()));
    it->Seek("aa2");
    EXPECT_TRUE(it->Valid());
    it->Seek("bb1");
    EXPECT_OK(it->status());
  }
}

// Two scans try to add a range tombstone. The second one is too late: the
// memtable that it sees has been flushed.
inline void LiveByDeleting(const CounterWorld& world) {
  Options options = world.Base();
  options.min_tombstones_for_range_conversion = 2;
  const std::unique_ptr<DB> db = world.Open("deleting", options);
  PutAll(db.get(), 0, 10, "v");
  for (int i = 2; i < 8; ++i) {
    EXPECT_OK(db->Delete(WriteOptions(), NumberKey(i)));
  }
  const std::unique_ptr<Iterator> it(db->NewIterator(ReadOptions()));
  EXPECT_EQ(ScanAll(db.get()), 4);
  FlushNow(db.get());
  for (it->SeekToFirst(); it->Valid();) it->Next();
  EXPECT_OK(it->status());
}

class FailingMerge : public AssociativeMergeOperator {
 public:
  const char* Name() const override { return "FailingMerge"; }
  bool Merge(const Slice& key, const Slice*, const Slice& value,
             std::string* result, Logger*) const override {
    result->assign(value.data(), value.size());
    return key != "bad";
  }
};

inline void LiveByMerging(const CounterWorld& world) {
  Options options = world.Base();
  options.merge_operator = std::make_shared<FailingMerge>();
  const std::unique_ptr<DB> db = world.Open("merge", options);
  for (int i = 0; i < 3; ++i) {
    EXPECT_OK(db->Merge(WriteOptions(), "good", std::to_string(i)));
  }
  EXPECT_OK(GetInto(db.get(), "good"));
  EXPECT_EQ(ScanAll(db.get()), 1);
  EXPECT_OK(db->Merge(WriteOptions(), "bad", "1"));
  EXPECT_OK(db->Merge(WriteOptions(), "bad", "2"));
  EXPECT_TRUE(GetInto(db.get(), "bad").IsCorruption());
}

inline void LiveInPlace(const CounterWorld& world) {
  Options options = world.Base();
  options.inplace_update_support = true;
  options.allow_concurrent_memtable_write = false;
  const std::unique_ptr<DB> db = world.Open("in place", options);
  PutAll(db.get(), 0, 1, "first");
  PutAll(db.get(), 0, 1, "later");
}

// Until somebody has met somebody else at the mutex.
inline void WaitAtTheMutex(const CounterWorld& world) {
  const std::unique_ptr<DB> db = world.Open("mutex", world.Base());
  std::atomic<bool> is_over{false};
  const auto visit = [&db] { db->ReleaseSnapshot(db->GetSnapshot()); };
  std::thread other([&] {
    while (!is_over.load()) visit();
  });
  const PerfContext& perf = *get_perf_context();
  while (perf.db_mutex_lock_nanos == 0 ||
         world.statistics()->getTickerCount(DB_MUTEX_WAIT_MICROS) == 0) {
    visit();
  }
  is_over = true;
  other.join();
}

class DropsEvenKeys : public CompactionFilter {
 public:
  const char* Name() const override { return "DropsEvenKeys"; }
  bool Filter(int, const Slice& key, const Slice&, std::string*,
              bool*) const override {
    return (key[key.size() - 1] - '0') % 2 == 0;
  }
};

inline void CallATimedEnv(const CounterWorld& world) {
  const std::unique_ptr<Env> env(NewTimedEnv(world.env()));
  const std::string directory = world.Path("timed");
  EXPECT_OK(env->CreateDir(directory));
  MakeTimedCalls(env.get(), directory,
                 [](EnvTime, const Status& s) { EXPECT_OK(s); });
}

inline void LiveByDropping(const CounterWorld& world) {
  const DropsEvenKeys filter;
  Options options = world.Base();
  options.compaction_filter = &filter;
  const std::unique_ptr<DB> db = world.Open("drop", options);
  PutAndFlush(db.get(), 0, 100, "v");
  EXPECT_OK(db->DeleteRange(WriteOptions(), db->DefaultColumnFamily(),
                            NumberKey(20), NumberKey(40)));
  {
    // Stands on a snapshot that what follows is newer than.
    const std::unique_ptr<Iterator> it(db->NewIterator(ReadOptions()));
    PutAll(db.get(), 10, 12, "w");
    for (int i = 0; i < 30; ++i) PutAll(db.get(), 50, 51, "often");
    for (it->SeekToFirst(); it->Valid(); it->Next()) {
    }
  }
  EXPECT_GT(ScanAll(db.get()), 0);
  FlushNow(db.get());
  CompactWhole(db.get());
}

// A deletion goes where no file below holds its key, though files below
// surround it.
inline void LiveOverAGap(const CounterWorld& world) {
  const std::unique_ptr<DB> db = world.Open("gap", world.Base());
  PutAndFlush(db.get(), 0, 10, "v");
  CompactFilesTo(db.get(), 0, 2);
  PutAndFlush(db.get(), 90, 100, "v");
  CompactFilesTo(db.get(), 0, 2);
  PutAndFlush(db.get(), 5, 95, "v");
  EXPECT_OK(db->Delete(WriteOptions(), NumberKey(50)));
  FlushNow(db.get());
  CompactFilesTo(db.get(), 0, 1);
}

inline void LiveInBlobs(const CounterWorld& world) {
  Options options = world.Base();
  options.enable_blob_files = true;
  options.min_blob_size = 100;
  options.blob_compression_type = kSnappyCompression;
  options.enable_blob_garbage_collection = true;
  options.blob_garbage_collection_age_cutoff = 1.0;
  options.blob_cache = NewLRUCache(1 << 20);
  std::unique_ptr<DB> db = world.Open("blobs", options);
  PutAndFlush(db.get(), 0, 50, std::string(1000, 'b'));
  PutAndFlush(db.get(), 0, 25, std::string(1000, 'c'));
  for (int i = 0; i < 2; ++i) EXPECT_OK(GetInto(db.get(), NumberKey(30)));
  CompactWhole(db.get());
  db.reset();
  options.blob_cache = NewLRUCache(100, 0, /*strict_capacity_limit=*/true);
  db = world.Open("blobs", options);
  EXPECT_OK(GetInto(db.get(), NumberKey(31)));
}

inline void LiveWithCodecs(const CounterWorld& world) {
  Options options = world.Base();
  // What the perf context counts when a file is opened is its thread's.
  options.max_file_opening_threads = 1;
  options.compression = kSnappyCompression;
  std::unique_ptr<DB> db = world.Open("codecs", options);
  PutAndFlush(db.get(), 0, 20, NoiseOf(2000));
  db.reset();
  // A dictionary, and more of index than the end of a file that is read first.
  options.compression =
      CompressionTypeSupported(kZSTD) ? kZSTD : kZlibCompression;
  options.compression_opts.max_dict_bytes = 4096;
  BlockBasedTableOptions table;
  table.block_size = 64;
  options.table_factory.reset(NewBlockBasedTableFactory(table));
  db = world.Open("codecs", options);
  PutAndFlush(db.get(), 0, 4000, std::string(50, 'z'));
  db.reset();
  db = world.Open("codecs", options);
  EXPECT_OK(GetInto(db.get(), NumberKey(7)));
}

// A read as of a time before all entries of the table skips the table.
inline void LiveInThePast(const CounterWorld& world) {
  Options options = world.Base();
  options.comparator = BytewiseComparatorWithU64Ts();
  const std::unique_ptr<DB> db = world.Open("past", options);
  EXPECT_OK(db->Put(WriteOptions(), "a", Ts(5), "five"));
  EXPECT_OK(db->Flush(FlushOptions()));
  EXPECT_EQ(GetText(db.get(), AsOf(5).options, "a"), "five@5");
  EXPECT_EQ(GetText(db.get(), AsOf(4).options, "a"), "none");
}

inline std::shared_ptr<FileSystem> InMemoryFiles() {
  MemFileSystemOptions options;
  options.implicit_directories = true;
  return std::make_shared<MemFileSystem>(SystemClock::Default(), options);
}

inline void LiveReadingAhead(const CounterWorld& world) {
  Options options = world.Base();
  BlockBasedTableOptions table;
  table.no_block_cache = true;
  options.table_factory.reset(NewBlockBasedTableFactory(table));
  const auto fs = std::make_shared<ReadRecorder>(InMemoryFiles());
  fs->is_async = true;
  const std::unique_ptr<Env> env = world.EnvOver(fs);
  options.env = env.get();
  std::unique_ptr<DB> db;
  ASSERT_OK(DB::Open(options, "/db", &db));
  PutAndFlush(db.get(), 0, 5000, std::string(100, 'r'));
  ReadOptions read;
  read.readahead_size = 32 << 10;
  for (const bool is_async : {false, true}) {
    read.async_io = is_async;
    EXPECT_EQ(ScanAll(db.get(), read), 5000);
    const std::string end = NumberKey(1000);
    const Slice upper(end);
    read.iterate_upper_bound = &upper;
    EXPECT_EQ(ScanAll(db.get(), read), 1000);
    read.iterate_upper_bound = nullptr;
    // Leaves what was read ahead, or is on its way.
    const std::unique_ptr<Iterator> it(db->NewIterator(read));
    it->SeekToFirst();
    for (int i = 0; i < 400; ++i) it->Next();
    it->Seek(NumberKey(4000));
    EXPECT_TRUE(it->Valid());
  }
  std::vector<std::string> values;
  for (const Status& s :
       db->MultiGet(read, {"key100001", "key103000"}, &values)) {
    EXPECT_OK(s);
  }
  EXPECT_OK(db->Close());
}

// The entries of all ranges.
inline int CountRanges(DB* db, const ReadOptions& read,
                       const MultiScanArgs& args) {
  int count = 0;
  const std::unique_ptr<MultiScan> scans =
      db->NewMultiScan(read, db->DefaultColumnFamily(), args);
  for (auto scan : *scans) {
    for (auto entry : scan) count += entry.first.empty() ? 0 : 1;
  }
  return count;
}

// Blocks fetched ahead, some of them in vain, and some found in the cache.
inline void LiveScanningRanges(const CounterWorld& world) {
  Options options = world.Base();
  options.table_factory.reset(NewBlockBasedTableFactory(CachedTable()));
  std::unique_ptr<DB> db = world.Open("ranges", options);
  PutAndFlush(db.get(), 0, 5000, std::string(100, 'r'));
  MultiScanArgs args;
  args.insert("key100100", "key100110");
  args.insert("key100150", "key100160");
  args.insert("key104000", "key104100");
  // Left before anything was read.
  db->NewMultiScan(ReadOptions(), db->DefaultColumnFamily(), args).reset();
  EXPECT_EQ(CountRanges(db.get(), ReadOptions(), args), 120);
  EXPECT_EQ(CountRanges(db.get(), ReadOptions(), args), 120);
  // Those that a dispatcher has no room for.
  IODispatcherOptions limit;
  limit.max_prefetch_memory_bytes = 1;
  MultiScanArgs limited;
  limited.io_dispatcher.reset(NewIODispatcher(limit));
  limited.insert("key103000", "key103100");
  EXPECT_EQ(CountRanges(db.get(), ReadOptions(), limited), 100);
  ReadOptions cached;
  cached.read_tier = kBlockCacheTier;
  args.insert("key104900", "key105000");
  EXPECT_THROW(CountRanges(db.get(), cached, args), MultiScanException);
  args.insert("a", "b");
  EXPECT_THROW(CountRanges(db.get(), cached, args), MultiScanException);
  EXPECT_OK(db->Close());
}

inline void LiveByIngesting(const CounterWorld& world) {
  const Options options = world.Base();
  const std::unique_ptr<DB> db = world.Open("ingest", options);
  const std::string path = world.Path("external.sst");
  SstFileWriter writer(EnvOptions(), options);
  EXPECT_OK(writer.Open(path));
  EXPECT_OK(writer.Put("a", "1"));
  EXPECT_OK(writer.Finish());
  EXPECT_OK(db->IngestExternalFile({path}, IngestExternalFileOptions()));
  const auto batch = std::make_shared<WriteBatchWithIndex>(
      BytewiseComparator(), 0, /*overwrite_key=*/true);
  EXPECT_OK(batch->Put("b", "2"));
  WriteOptions unlogged;
  unlogged.disableWAL = true;
  EXPECT_OK(db->IngestWriteBatchWithIndex(unlogged, batch));
}

inline void LiveAtTemperatures(const CounterWorld& world) {
  int number = 0;
  for (const Temperature temperature :
       {Temperature::kHot, Temperature::kWarm, Temperature::kCool,
        Temperature::kCold, Temperature::kIce}) {
    Options options = world.Base();
    options.default_temperature = temperature;
    const std::unique_ptr<DB> db =
        world.Open("temperature" + std::to_string(number++), options);
    PutAndFlush(db.get(), 0, 10, "v");
    EXPECT_OK(GetInto(db.get(), NumberKey(3)));
  }
}

// A log of some megabytes that the kernel is told to write back meanwhile.
inline void LiveByLongLog(const CounterWorld& world) {
  Options options = world.Base();
  options.wal_bytes_per_sync = 256 << 10;
  const std::unique_ptr<DB> db = world.Open("log", options);
  PutAll(db.get(), 0, 40, std::string(100 << 10, 'l'));
}

}  // namespace ROCKSDB_NAMESPACE

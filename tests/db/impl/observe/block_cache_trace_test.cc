// Traces of the block cache: which lookups of blocks are recorded, by whom, and
// what of them is told. The bytes of records are
// tests/monitoring/trace/block_cache_trace_test.cc's.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdio>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "monitoring/trace/block_cache_trace_format.h"
#include "rocksdb/cache.h"
#include "rocksdb/convenience.h"
#include "rocksdb/db.h"
#include "rocksdb/filter_policy.h"
#include "rocksdb/merge_operator.h"
#include "rocksdb/table.h"
#include "tests/testing/memory_trace.h"
#include "tests/testing/temp_dir.h"
#include "util/key/internal_key.h"

namespace ROCKSDB_NAMESPACE {
namespace {

constexpr int kKeyCount = 60;

std::string KeyOfNumber(int i) {
  char text[16];
  snprintf(text, sizeof(text), "key%05d", i);
  return text;
}

class BlockCacheTraceDbTest : public ::testing::Test {
 protected:
  BlockCacheTraceDbTest() : directory_("block_cache_trace") {
    table_.block_size = 512;
    table_.filter_policy.reset(NewBloomFilterPolicy(10));
    table_.cache_index_and_filter_blocks = true;
    table_.block_cache = NewLRUCache(8 << 20);
    options_.create_if_missing = true;
    options_.compression = kNoCompression;
    options_.disable_auto_compactions = true;
    EXPECT_TRUE(MergeOperator::CreateFromString(ConfigOptions(), "stringappend",
                                                &options_.merge_operator)
                    .ok());
  }

  // A table of sixty keys, whose data blocks nobody has read.
  void Open() {
    options_.table_factory.reset(NewBlockBasedTableFactory(table_));
    Status s = DB::Open(options_, directory_.path() + "/db", &db_);
    ASSERT_TRUE(s.ok()) << s.ToString();
    for (int i = 0; i < kKeyCount; ++i) {
      ASSERT_TRUE(
          db_->Put(WriteOptions(), KeyOfNumber(i), "value" + std::to_string(i))
              .ok());
    }
    ASSERT_TRUE(db_->Flush(FlushOptions()).ok());
  }
  void Start(const TraceOptions& options = TraceOptions()) {
    const Status s = db_->StartBlockCacheTrace(options, trace_.NewWriter());
    ASSERT_TRUE(s.ok()) << s.ToString();
  }
  // The accesses so far.
  std::vector<BlockCacheTraceRecord> Accesses() {
    std::vector<BlockCacheTraceRecord> accesses;
    bool is_first = true;
    for (const TraceInMemory::Record& record : trace_.Records()) {
      TraceRecordParts parts;
      EXPECT_TRUE(SplitTraceRecord(record.bytes, &parts).ok());
      if (is_first) {
        AccessTraceRelease release;
        EXPECT_TRUE(DecodeAccessTraceHeader(parts, &release).ok());
        is_first = false;
        continue;
      }
      const Status s = DecodeBlockAccess(parts, &accesses.emplace_back());
      EXPECT_TRUE(s.ok()) << s.ToString();
    }
    return accesses;
  }
  // Those since the last call.
  std::vector<BlockCacheTraceRecord> NewAccesses() {
    std::vector<BlockCacheTraceRecord> all = Accesses();
    all.erase(all.begin(), all.begin() + static_cast<ptrdiff_t>(seen_));
    seen_ += all.size();
    return all;
  }
  std::string Get(const std::string& key,
                  const ReadOptions& read = ReadOptions()) {
    std::string value;
    const Status s = db_->Get(read, key, &value);
    return s.ok() ? value : s.ToString();
  }

  TempDir directory_;
  BlockBasedTableOptions table_;
  Options options_;
  TraceInMemory trace_;
  std::unique_ptr<DB> db_;

 private:
  size_t seen_ = 0;
};

void ExpectUserKey(const std::string& internal_key, const std::string& key) {
  ASSERT_GE(internal_key.size(), kInternalKeyTrailerBytes);
  EXPECT_EQ(ExtractUserKey(internal_key).ToString(), key);
}

TEST_F(BlockCacheTraceDbTest, AGetIsFilterIndexAndData) {
  Open();
  Start();
  EXPECT_EQ(Get(KeyOfNumber(7)), "value7");
  std::vector<BlockCacheTraceRecord> accesses = NewAccesses();
  ASSERT_EQ(accesses.size(), 3u);
  EXPECT_EQ(accesses[0].block_type, kBlockTraceFilterBlock);
  EXPECT_EQ(accesses[1].block_type, kBlockTraceIndexBlock);
  EXPECT_EQ(accesses[2].block_type, kBlockTraceDataBlock);
  std::set<std::string> keys;
  for (const BlockCacheTraceRecord& access : accesses) {
    EXPECT_EQ(access.caller, kUserGet);
    EXPECT_EQ(access.get_id, 1u);
    EXPECT_FALSE(access.get_from_user_specified_snapshot);
    EXPECT_FALSE(access.no_insert);
    EXPECT_EQ(access.cf_id, 0u);
    EXPECT_EQ(access.cf_name, kDefaultColumnFamilyName);
    EXPECT_EQ(access.level, 0u);
    EXPECT_GT(access.sst_fd_number, 0u);
    EXPECT_GT(access.block_size, 0u);
    EXPECT_GT(access.access_timestamp, 0u);
    ExpectUserKey(access.referenced_key, KeyOfNumber(7));
    keys.insert(access.block_key);
  }
  EXPECT_EQ(keys.size(), 3u);
  EXPECT_TRUE(accesses[0].is_cache_hit && accesses[1].is_cache_hit);
  EXPECT_FALSE(accesses[2].is_cache_hit);
  // The sought key is that of a look-up, the found one that of an entry.
  EXPECT_EQ(ExtractSequence(accesses[2].referenced_key), 8u);
  EXPECT_EQ(accesses[0].referenced_key, accesses[1].referenced_key);
  EXPECT_NE(accesses[1].referenced_key, accesses[2].referenced_key);
  EXPECT_TRUE(accesses[2].referenced_key_exist_in_block);
  EXPECT_EQ(accesses[2].referenced_data_size, 8u + 6u);
  EXPECT_GT(accesses[2].num_keys_in_block, 10u);
  EXPECT_LT(accesses[2].num_keys_in_block, 60u);
  // The second time the block is there.
  EXPECT_EQ(Get(KeyOfNumber(7)), "value7");
  accesses = NewAccesses();
  ASSERT_EQ(accesses.size(), 3u);
  EXPECT_TRUE(accesses[2].is_cache_hit);
  EXPECT_EQ(accesses[2].get_id, 2u);
}

TEST_F(BlockCacheTraceDbTest, AnAbsentKeyEndsAtTheFilter) {
  Open();
  Start();
  EXPECT_EQ(Get("nokey"), "NotFound: ");
  const std::vector<BlockCacheTraceRecord> accesses = NewAccesses();
  // It is behind all keys of the file or stops at its filter.
  for (const BlockCacheTraceRecord& access : accesses) {
    EXPECT_EQ(access.block_type, kBlockTraceFilterBlock);
  }
  EXPECT_EQ(Get(KeyOfNumber(7) + "x"), "NotFound: ");
  ASSERT_EQ(NewAccesses().size(), 1u);
}

TEST_F(BlockCacheTraceDbTest, AKeyThatABlockHasNotIsTold) {
  table_.filter_policy.reset();
  Open();
  Start();
  EXPECT_EQ(Get(KeyOfNumber(7) + "x"), "NotFound: ");
  const std::vector<BlockCacheTraceRecord> accesses = NewAccesses();
  ASSERT_EQ(accesses.size(), 2u);
  EXPECT_EQ(accesses[1].block_type, kBlockTraceDataBlock);
  EXPECT_FALSE(accesses[1].referenced_key_exist_in_block);
  EXPECT_EQ(accesses[1].referenced_data_size, 0u);
  ExpectUserKey(accesses[1].referenced_key, KeyOfNumber(7) + "x");
}

TEST_F(BlockCacheTraceDbTest, SnapshotsOfUsersAreTold) {
  Open();
  Start();
  ReadOptions read;
  read.snapshot = db_->GetSnapshot();
  EXPECT_EQ(Get(KeyOfNumber(8), read), "value8");
  db_->ReleaseSnapshot(read.snapshot);
  const std::vector<BlockCacheTraceRecord> accesses = NewAccesses();
  ASSERT_EQ(accesses.size(), 3u);
  for (const BlockCacheTraceRecord& access : accesses) {
    EXPECT_TRUE(access.get_from_user_specified_snapshot);
  }
}

TEST_F(BlockCacheTraceDbTest, OperandsOfAMergeAreAllOfUse) {
  Open();
  ASSERT_TRUE(db_->Merge(WriteOptions(), "m", "one").ok());
  const Snapshot* const keeps_both = db_->GetSnapshot();
  ASSERT_TRUE(db_->Merge(WriteOptions(), "m", "two22").ok());
  ASSERT_TRUE(db_->Flush(FlushOptions()).ok());
  Start();
  EXPECT_EQ(Get("m"), "one,two22");
  db_->ReleaseSnapshot(keeps_both);
  uint64_t bytes = 0;
  for (const BlockCacheTraceRecord& access : NewAccesses()) {
    bytes += access.referenced_data_size;
  }
  EXPECT_EQ(bytes, 1u + 3u + 1u + 5u);
}

TEST_F(BlockCacheTraceDbTest, TheKeysOfAMultiGetShareTheirCallAndBlocks) {
  Open();
  Start();
  const std::string names[] = {KeyOfNumber(1), KeyOfNumber(2), KeyOfNumber(50)};
  const Slice keys[] = {names[0], names[1], names[2]};
  PinnableSlice values[3];
  Status statuses[3];
  db_->MultiGet(ReadOptions(), db_->DefaultColumnFamily(), 3, keys, values,
                statuses);
  for (const Status& s : statuses) EXPECT_TRUE(s.ok()) << s.ToString();
  std::vector<BlockCacheTraceRecord> data;
  for (BlockCacheTraceRecord& access : NewAccesses()) {
    EXPECT_EQ(access.caller, kUserMultiGet);
    EXPECT_EQ(access.get_id, 1u);
    if (access.block_type == kBlockTraceDataBlock) {
      data.push_back(std::move(access));
    } else {
      EXPECT_TRUE(access.referenced_key.empty());
    }
  }
  ASSERT_EQ(data.size(), 2u);
  ExpectUserKey(data[0].referenced_key, names[0]);
  EXPECT_EQ(data[0].referenced_data_size, 2 * (8u + 6u));
  ExpectUserKey(data[1].referenced_key, names[2]);
  EXPECT_EQ(data[1].referenced_data_size, 8u + 7u);
  EXPECT_FALSE(data[0].is_cache_hit || data[1].is_cache_hit);
  EXPECT_GT(data[0].block_size, 0u);
  // A call later they are there, and the call is another one.
  db_->MultiGet(ReadOptions(), db_->DefaultColumnFamily(), 3, keys, values,
                statuses);
  for (const BlockCacheTraceRecord& access : NewAccesses()) {
    EXPECT_TRUE(access.is_cache_hit);
    EXPECT_EQ(access.get_id, 2u);
  }
}

TEST_F(BlockCacheTraceDbTest, AnIteratorThatFillsNothing) {
  Open();
  EXPECT_EQ(Get(KeyOfNumber(50)), "value50");
  Start();
  ReadOptions read;
  read.fill_cache = false;
  std::unique_ptr<Iterator> it(db_->NewIterator(read));
  int count = 0;
  for (it->Seek(KeyOfNumber(40)); it->Valid(); it->Next()) ++count;
  EXPECT_EQ(count, 20);
  const std::vector<BlockCacheTraceRecord> accesses = NewAccesses();
  ASSERT_GE(accesses.size(), 3u);
  EXPECT_EQ(accesses[0].block_type, kBlockTraceIndexBlock);
  bool was_hit = false;
  bool was_missed = false;
  for (const BlockCacheTraceRecord& access : accesses) {
    EXPECT_EQ(access.caller, kUserIterator);
    EXPECT_TRUE(access.no_insert);
    EXPECT_EQ(access.get_id, BlockCacheTraceRecord::kReservedGetId);
    EXPECT_EQ(access.block_size != 0, access.is_cache_hit);
    if (access.block_type != kBlockTraceDataBlock) continue;
    (access.is_cache_hit ? was_hit : was_missed) = true;
  }
  EXPECT_TRUE(was_hit);
  EXPECT_TRUE(was_missed);
}

TEST_F(BlockCacheTraceDbTest, WhatTheCacheAloneMayAnswerIsToldAsMissed) {
  Open();
  Start();
  ReadOptions read;
  read.read_tier = kBlockCacheTier;
  std::string value;
  EXPECT_TRUE(db_->Get(read, KeyOfNumber(7), &value).IsIncomplete());
  const std::vector<BlockCacheTraceRecord> accesses = NewAccesses();
  ASSERT_EQ(accesses.size(), 3u);
  EXPECT_FALSE(accesses[2].is_cache_hit);
  EXPECT_EQ(accesses[2].block_size, 0u);
  EXPECT_TRUE(accesses[2].no_insert);
}

TEST_F(BlockCacheTraceDbTest, OthersThanReadersHaveTheirNames) {
  Open();
  Start();
  // A new table's index and filter come to the cache as it is opened.
  ASSERT_TRUE(db_->Put(WriteOptions(), "z", "value").ok());
  ASSERT_TRUE(db_->Flush(FlushOptions()).ok());
  std::vector<BlockCacheTraceRecord> accesses = NewAccesses();
  ASSERT_FALSE(accesses.empty());
  for (const BlockCacheTraceRecord& access : accesses) {
    EXPECT_EQ(access.caller, kPrefetch);
  }
  const std::string begin = KeyOfNumber(1);
  const std::string end = KeyOfNumber(30);
  const Range range(begin, end);
  uint64_t size = 0;
  SizeApproximationOptions exactly;
  exactly.files_size_error_margin = 0;
  ASSERT_TRUE(db_->GetApproximateSizes(exactly, db_->DefaultColumnFamily(),
                                       &range, 1, &size)
                  .ok());
  accesses = NewAccesses();
  ASSERT_FALSE(accesses.empty());
  EXPECT_EQ(accesses[0].caller, kUserApproximateSize);
}

TEST_F(BlockCacheTraceDbTest, OneTraceAtATime) {
  Open();
  EXPECT_TRUE(db_->EndBlockCacheTrace().ok());
  Start();
  TraceInMemory other;
  EXPECT_TRUE(
      db_->StartBlockCacheTrace(TraceOptions(), other.NewWriter()).IsBusy());
  EXPECT_TRUE(other.bytes.empty());
  EXPECT_EQ(other.closed, 1);
  EXPECT_TRUE(
      db_->StartBlockCacheTrace(TraceOptions(), nullptr).IsInvalidArgument());
  EXPECT_TRUE(db_->StartBlockCacheTrace(BlockCacheTraceOptions(), nullptr)
                  .IsInvalidArgument());
  EXPECT_TRUE(db_->EndBlockCacheTrace().ok());
  EXPECT_EQ(trace_.closed, 1);
  EXPECT_TRUE(db_->EndBlockCacheTrace().ok());
  const size_t size = trace_.bytes.size();
  EXPECT_EQ(Get(KeyOfNumber(7)), "value7");
  EXPECT_EQ(trace_.bytes.size(), size);
  // The numbers of look-ups begin anew.
  Status s = db_->StartBlockCacheTrace(
      BlockCacheTraceOptions(),
      NewBlockCacheTraceWriter(SystemClock::Default().get(), {},
                               other.NewWriter()));
  ASSERT_TRUE(s.ok()) << s.ToString();
  EXPECT_EQ(Get(KeyOfNumber(7)), "value7");
  db_.reset();
  EXPECT_EQ(other.closed, 2);
  EXPECT_EQ(other.Records().size(), 4u);
}

TEST_F(BlockCacheTraceDbTest, ASampleHasAllAccessesOfABlockOrNone) {
  Open();
  TraceOptions options;
  options.sampling_frequency = 3;
  Start(options);
  for (int round = 0; round < 5; ++round) {
    for (int i = 0; i < kKeyCount; ++i) {
      EXPECT_EQ(Get(KeyOfNumber(i)), "value" + std::to_string(i));
    }
  }
  std::map<std::string, int> counts;
  for (const BlockCacheTraceRecord& access : NewAccesses()) {
    ++counts[access.block_key];
  }
  // Each key was looked up five times, so all counts are five times that of
  // the keys in the block.
  for (const auto& [key, count] : counts) EXPECT_EQ(count % 5, 0);
}

// Which blocks are in it depends on the keys that the cache has for them, which
// no two runs have in common.
TEST_F(BlockCacheTraceDbTest, ASmallSampleLeavesBlocksOut) {
  Open();
  TraceOptions options;
  options.sampling_frequency = 1000000;
  Start(options);
  std::set<std::string> blocks;
  for (int i = 0; i < kKeyCount; ++i) {
    EXPECT_EQ(Get(KeyOfNumber(i)), "value" + std::to_string(i));
  }
  for (const BlockCacheTraceRecord& access : NewAccesses()) {
    blocks.insert(access.block_key);
  }
  EXPECT_LT(blocks.size(), 5u);
}

TEST_F(BlockCacheTraceDbTest, AFullTraceTakesNoMore) {
  Open();
  TraceOptions options;
  options.max_trace_file_size = 200;
  Start(options);
  for (int i = 0; i < 20; ++i) EXPECT_EQ(Get(KeyOfNumber(7)), "value7");
  EXPECT_GT(trace_.bytes.size(), 200u);
  EXPECT_LT(trace_.bytes.size(), 400u);
}

TEST_F(BlockCacheTraceDbTest, AFailureEndsTheTraceAlone) {
  Open();
  trace_.writes_left = 0;
  EXPECT_TRUE(db_->StartBlockCacheTrace(TraceOptions(), trace_.NewWriter())
                  .IsIOError());
  trace_.writes_left = 2;  // the header and one access
  Start();
  for (int i = 0; i < 5; ++i) EXPECT_EQ(Get(KeyOfNumber(7)), "value7");
  EXPECT_EQ(trace_.Records().size(), 2u);
  trace_.writes_left = -1;
  EXPECT_EQ(Get(KeyOfNumber(7)), "value7");
  EXPECT_EQ(trace_.Records().size(), 2u);
  EXPECT_TRUE(db_->EndBlockCacheTrace().ok());
}

TEST_F(BlockCacheTraceDbTest, TracesComeAndGoBesideReaders) {
  Open();
  std::atomic<bool> stop{false};
  std::vector<std::thread> readers;
  for (int t = 0; t < 3; ++t) {
    readers.emplace_back([&, t] {
      for (int i = t; !stop.load(); i = (i + 7) % kKeyCount) {
        EXPECT_EQ(Get(KeyOfNumber(i)), "value" + std::to_string(i));
      }
    });
  }
  for (int i = 0; i < 50; ++i) {
    Start();
    std::this_thread::yield();
    EXPECT_TRUE(db_->EndBlockCacheTrace().ok());
  }
  stop.store(true);
  for (std::thread& reader : readers) reader.join();
  EXPECT_EQ(trace_.closed, 50);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

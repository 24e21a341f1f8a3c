// What an index tells besides where blocks end spares reads of blocks: first
// keys, and the prefixes of a hash index. Counted are data blocks that were
// looked for.

#include "env/mem_file_system.h"
#include "rocksdb/comparator.h"
#include "rocksdb/filter_policy.h"
#include "rocksdb/slice_transform.h"
#include "rocksdb/statistics.h"
#include "tests/db/impl/db_fixture.h"
#include "util/random.h"
#include "utilities/fault_injection/fault_injection_fs.h"

namespace ROCKSDB_NAMESPACE {
namespace {

using Table = BlockBasedTableOptions;

class IndexHintsTest : public DbFixture {
 protected:
  IndexHintsTest() {
    options_.statistics = CreateDBStatistics();
    options_.disable_auto_compactions = true;
    table_.block_size = 1;  // An entry each.
    table_.index_shortening = Table::IndexShorteningMode::kNoShortening;
  }
  void OpenWith(Table::IndexType type) {
    table_.index_type = type;
    options_.table_factory.reset(NewBlockBasedTableFactory(table_));
    Open();
  }
  uint64_t Blocks() const {
    return options_.statistics->getTickerCount(BLOCK_CACHE_DATA_HIT) +
           options_.statistics->getTickerCount(BLOCK_CACHE_DATA_MISS);
  }
  // How many blocks `read` looks for.
  template <class Read>
  uint64_t BlocksFor(const Read& read) const {
    const uint64_t before = Blocks();
    read();
    return Blocks() - before;
  }
  uint64_t BlocksToGet(const std::string& key, const std::string& value) {
    return BlocksFor([&] { EXPECT_EQ(Get(key), value); });
  }
  // One file for each key, "a0" to "a4".
  void FileForEachKey() {
    for (char c = '4'; c >= '0'; --c) {
      const std::string key = std::string("a") + c;
      ASSERT_OK(Put(key, "value of " + key));
      ASSERT_OK(Flush());
    }
  }

  Table table_;
};

TEST_F(IndexHintsTest, AKeyBetweenBlocksNeedsNone) {
  for (const auto type :
       {Table::kBinarySearch, Table::kBinarySearchWithFirstKey}) {
    path_ += "-next";
    OpenWith(type);
    for (const char* key : {"b", "d", "f"}) ASSERT_OK(Put(key, key));
    ASSERT_OK(Flush());
    const bool tells = type == Table::kBinarySearchWithFirstKey;
    EXPECT_EQ(BlocksToGet("d", "d"), 1u);
    EXPECT_EQ(BlocksToGet("c", "NOT_FOUND"), tells ? 0u : 1u);
    EXPECT_EQ(BlocksToGet("e", "NOT_FOUND"), tells ? 0u : 1u);
    const uint64_t batch = BlocksFor([this] {
      const std::vector<Slice> keys = {"b", "c", "d", "e"};
      std::vector<std::string> values;
      const std::vector<Status> found =
          db_->MultiGet(ReadOptions(), keys, &values);
      EXPECT_TRUE(found[0].ok() && found[1].IsNotFound());
      EXPECT_TRUE(found[2].ok() && found[3].IsNotFound());
    });
    EXPECT_EQ(batch, tells ? 2u : 3u);
  }
}

// The versions of one key may lie in several blocks.
TEST_F(IndexHintsTest, MergesGoOnInTheNextBlock) {
  OpenWith(Table::kBinarySearchWithFirstKey);
  std::vector<const Snapshot*> snapshots;
  for (const char* value : {"1", "2", "3"}) {
    ASSERT_OK(Put("k", value));
    snapshots.push_back(db_->GetSnapshot());
  }
  ASSERT_OK(Put("l", "l"));
  ASSERT_OK(Flush());
  EXPECT_EQ(Get("k", snapshots[0]), "1");
  EXPECT_EQ(Get("k", snapshots[1]), "2");
  EXPECT_EQ(Get("k"), "3");
  EXPECT_EQ(Scan(), "k=3 l=l ");
  for (const Snapshot* snapshot : snapshots) db_->ReleaseSnapshot(snapshot);
}

TEST_F(IndexHintsTest, APrefixThatAFileLacksNeedsNoBlock) {
  options_.prefix_extractor.reset(NewFixedPrefixTransform(2));
  OpenWith(Table::kHashSearch);
  for (const char* key : {"aa1", "aa3", "cc1"}) ASSERT_OK(Put(key, key));
  ASSERT_OK(Flush());
  EXPECT_EQ(BlocksToGet("aa3", "aa3"), 1u);
  EXPECT_EQ(BlocksToGet("aa2", "NOT_FOUND"), 1u);
  EXPECT_EQ(BlocksToGet("bb1", "NOT_FOUND"), 0u);
  EXPECT_EQ(BlocksToGet("b", "NOT_FOUND"), 1u);  // It has no prefix.
  const auto seek = [this](const char* key, const ReadOptions& read) {
    const std::unique_ptr<Iterator> it(db_->NewIterator(read));
    it->Seek(key);
    EXPECT_OK(it->status());
    return it->Valid() ? it->key().ToString() : "end";
  };
  ReadOptions read;
  EXPECT_EQ(BlocksFor([&] { EXPECT_EQ(seek("bb1", read), "end"); }), 0u);
  EXPECT_EQ(BlocksFor([&] { EXPECT_EQ(seek("aa2", read), "aa3"); }), 1u);
  read.total_order_seek = true;
  EXPECT_EQ(BlocksFor([&] { EXPECT_EQ(seek("bb1", read), "cc1"); }), 1u);
  read.total_order_seek = false;
  read.auto_prefix_mode = true;
  EXPECT_EQ(seek("bb1", read), "cc1");
  const Slice bound("bb9");
  read.iterate_upper_bound = &bound;
  EXPECT_EQ(BlocksFor([&] { EXPECT_EQ(seek("bb1", read), "end"); }), 0u);
  // By another extractor the file cannot tell.
  options_.prefix_extractor.reset(NewFixedPrefixTransform(1));
  Reopen();
  EXPECT_EQ(BlocksToGet("bb1", "NOT_FOUND"), 1u);
  EXPECT_EQ(Get("cc1"), "cc1");
}

// The file has a filter, and nobody reads it: the index tells all there is.
TEST_F(IndexHintsTest, APrefixIsSoughtWhereTheFilterIsNotRead) {
  options_.prefix_extractor.reset(NewFixedPrefixTransform(2));
  table_.filter_policy.reset(NewBloomFilterPolicy(10));
  OpenWith(Table::kHashSearch);
  ASSERT_NO_FATAL_FAILURE(FileForEachKey());
  table_.filter_policy.reset();
  db_.reset();
  OpenWith(Table::kHashSearch);
  const std::unique_ptr<Iterator> it(db_->NewIterator(ReadOptions()));
  it->Seek("a3");
  ASSERT_TRUE(it->Valid());
  EXPECT_EQ(it->key(), "a3");
  it->Seek("b0");
  EXPECT_FALSE(it->Valid());
  EXPECT_OK(it->status());
}

TEST_F(IndexHintsTest, AnIteratorReadsTheBlockThatItShows) {
  for (const auto type :
       {Table::kBinarySearch, Table::kBinarySearchWithFirstKey}) {
    path_ += "-next";
    OpenWith(type);
    FileForEachKey();
    const bool tells = type == Table::kBinarySearchWithFirstKey;
    const std::unique_ptr<Iterator> it(db_->NewIterator(ReadOptions()));
    const uint64_t seek = BlocksFor([&] { it->Seek("a"); });
    ASSERT_TRUE(it->Valid());
    EXPECT_EQ(it->value().ToString(), "value of a0");
    EXPECT_EQ(seek, tells ? 1u : 5u);
    const uint64_t next = BlocksFor([&] { it->Next(); });
    EXPECT_EQ(it->value().ToString(), "value of a1");
    EXPECT_EQ(next, tells ? 1u : 0u);
    EXPECT_EQ(Scan().size(), ScanBackward().size());
  }
}

TEST_F(IndexHintsTest, AnUnpreparedValueIsNotRead) {
  OpenWith(Table::kBinarySearchWithFirstKey);
  FileForEachKey();
  ReadOptions read;
  read.allow_unprepared_value = true;
  const std::unique_ptr<Iterator> it(db_->NewIterator(read));
  EXPECT_EQ(BlocksFor([&] { it->Seek("a2"); }), 0u);
  ASSERT_TRUE(it->Valid());
  EXPECT_EQ(it->key().ToString(), "a2");
  EXPECT_EQ(BlocksFor([&] { EXPECT_TRUE(it->PrepareValue()); }), 1u);
  EXPECT_EQ(it->value().ToString(), "value of a2");
  EXPECT_EQ(BlocksFor([&] { EXPECT_TRUE(it->PrepareValue()); }), 0u);
  it->Next();
  ASSERT_TRUE(it->Valid());
  EXPECT_EQ(it->key().ToString(), "a3");
  it->Prev();
  ASSERT_TRUE(it->Valid());
  EXPECT_EQ(it->key().ToString(), "a2");
  ASSERT_TRUE(it->PrepareValue());
  EXPECT_EQ(it->value().ToString(), "value of a2");
  it->SeekToFirst();
  ASSERT_TRUE(it->Valid());
  EXPECT_EQ(it->key().ToString(), "a0");
  it->SeekToLast();
  ASSERT_TRUE(it->PrepareValue());
  EXPECT_EQ(it->value().ToString(), "value of a4");
}

TEST_F(IndexHintsTest, WhatCannotBeReadIsAnErrorWhenItIsAskedFor) {
  OpenWith(Table::kBinarySearchWithFirstKey);
  FileForEachKey();
  ReadOptions read;
  read.read_tier = kBlockCacheTier;
  std::unique_ptr<Iterator> it(db_->NewIterator(read));
  it->Seek("a1");
  EXPECT_FALSE(it->Valid());
  EXPECT_TRUE(it->status().IsIncomplete()) << it->status().ToString();
  read.allow_unprepared_value = true;
  it.reset(db_->NewIterator(read));
  it->Seek("a1");
  ASSERT_TRUE(it->Valid());
  EXPECT_FALSE(it->PrepareValue());
  EXPECT_FALSE(it->Valid());
  EXPECT_TRUE(it->status().IsIncomplete());
  // What comes into the cache meanwhile is there for the next seek.
  EXPECT_EQ(Get("a1"), "value of a1");
  it->Seek("a1");
  ASSERT_TRUE(it->Valid());
  EXPECT_TRUE(it->PrepareValue());
  EXPECT_EQ(it->value().ToString(), "value of a1");
}

// A filter that cannot be read once, in a seek that would find something.
TEST_F(IndexHintsTest, AFailedReadOfAFilterEndsTheSeek) {
  MemFileSystemOptions in_memory;
  in_memory.implicit_directories = true;
  const auto fs = std::make_shared<FaultInjectionFileSystem>(
      std::make_shared<MemFileSystem>(SystemClock::Default(), in_memory));
  const std::unique_ptr<Env> env = NewCompositeEnv(fs);
  options_.env = env.get();
  path_ = "/db";
  options_.prefix_extractor.reset(NewFixedPrefixTransform(2));
  table_.filter_policy.reset(NewBloomFilterPolicy(10));
  table_.partition_filters = true;
  table_.cache_index_and_filter_blocks = true;
  table_.pin_top_level_index_and_filter = false;
  table_.block_cache = NewLRUCache(0);
  OpenWith(Table::kTwoLevelIndexSearch);
  ASSERT_OK(Put("a0", "value"));
  ASSERT_OK(Put("a1", "value"));
  ASSERT_OK(Flush());
  int failed = 0;
  for (uint64_t call = 1; call <= 4; ++call) {
    const std::unique_ptr<Iterator> it(db_->NewIterator(ReadOptions()));
    fs->FailCall({.call = call,
                  .scope = FaultScope::kAllCalls,
                  .is_permanent = false,
                  .path_contains = ".sst"});
    it->Seek("a0");
    fs->ClearFault();
    if (!it->Valid()) {
      EXPECT_TRUE(it->status().IsIOError()) << it->status().ToString();
      ++failed;
      continue;
    }
    EXPECT_OK(it->status());
    it->Next();
    ASSERT_TRUE(it->Valid());
    EXPECT_EQ(it->key(), "a1");
  }
  EXPECT_GE(failed, 2);
  db_.reset();
}

TEST_F(IndexHintsTest, AFailedReadEndsTheIterator) {
  MemFileSystemOptions in_memory;
  in_memory.implicit_directories = true;
  const auto fs = std::make_shared<FaultInjectionFileSystem>(
      std::make_shared<MemFileSystem>(SystemClock::Default(), in_memory));
  const std::unique_ptr<Env> env = NewCompositeEnv(fs);
  options_.env = env.get();
  path_ = "/db";
  OpenWith(Table::kBinarySearchWithFirstKey);
  FileForEachKey();
  ReadOptions read;
  read.fill_cache = false;
  for (const bool is_unprepared : {false, true}) {
    read.allow_unprepared_value = is_unprepared;
    const std::unique_ptr<Iterator> it(db_->NewIterator(read));
    it->Seek("a0");
    ASSERT_TRUE(it->Valid());
    fs->FailCall({.call = 1,
                  .scope = FaultScope::kAllCalls,
                  .is_permanent = true,
                  .path_contains = ".sst"});
    it->Next();
    if (is_unprepared && it->Valid()) {
      EXPECT_FALSE(it->PrepareValue());
    }
    EXPECT_FALSE(it->Valid());
    EXPECT_TRUE(it->status().IsIOError()) << it->status().ToString();
    fs->ClearFault();
    it->Seek("a1");
    ASSERT_TRUE(it->Valid());
    ASSERT_TRUE(it->PrepareValue());
    EXPECT_EQ(it->value().ToString(), "value of a1");
  }
  db_.reset();
}

void Move(Iterator* it, uint64_t move, const std::string& target) {
  if (move == 0) {
    it->SeekToFirst();
  } else if (move == 1) {
    it->SeekToLast();
  } else if (move == 2 || !it->Valid()) {
    it->Seek(target);
  } else if (move == 3) {
    it->SeekForPrev(target);
  } else if (move < 6) {
    it->Next();
  } else {
    it->Prev();
  }
}

// A walk over every way to move, beside one over a plain index.
TEST_F(IndexHintsTest, WalksAsOverAPlainIndex) {
  table_.block_size = 64;
  std::unique_ptr<DB> plain;
  options_.max_sequential_skip_in_iterations = 2;
  OpenWith(Table::kBinarySearch);
  plain = std::move(db_);
  path_ += "-hints";
  OpenWith(Table::kBinarySearchWithFirstKey);
  Random64 random(301);
  const auto key = [&random] {
    return "k" + std::to_string(100 + random.Uniform(200));
  };
  for (int i = 0; i < 1500; ++i) {
    const std::string k = key();
    const std::string end = k + "5";
    const uint64_t kind = random.Uniform(20);
    for (DB* db : {plain.get(), db_.get()}) {
      if (kind == 0) {
        ASSERT_OK(db->DeleteRange(WriteOptions(), k, end));
      } else if (kind < 4) {
        ASSERT_OK(db->Delete(WriteOptions(), k));
      } else {
        ASSERT_OK(db->Put(WriteOptions(), k, std::to_string(i)));
      }
      if (i % 200 == 199) {
        ASSERT_OK(db->Flush(FlushOptions()));
      }
      if (i == 900) {
        ASSERT_OK(db->CompactRange(CompactRangeOptions(), nullptr, nullptr));
      }
    }
  }
  for (int round = 0; round < 40; ++round) {
    const std::string low = key();
    const std::string high = key() + "x";
    const Slice bounds[] = {low, high};
    ReadOptions read;
    if (random.OneIn(2)) read.iterate_lower_bound = &bounds[0];
    if (random.OneIn(2)) read.iterate_upper_bound = &bounds[1];
    read.pin_data = random.OneIn(4);
    const std::unique_ptr<Iterator> expected(plain->NewIterator(read));
    read.allow_unprepared_value = random.OneIn(2);
    const std::unique_ptr<Iterator> actual(db_->NewIterator(read));
    for (int step = 0; step < 60; ++step) {
      const std::string target = key();
      const uint64_t move = random.Uniform(8);
      const bool prepares = random.OneIn(2);
      Move(expected.get(), move, target);
      Move(actual.get(), move, target);
      ASSERT_OK(actual->status());
      ASSERT_EQ(actual->Valid(), expected->Valid());
      if (!actual->Valid()) continue;
      ASSERT_EQ(actual->key().ToString(), expected->key().ToString());
      if (read.allow_unprepared_value && !prepares) continue;
      ASSERT_TRUE(actual->PrepareValue());
      ASSERT_EQ(actual->value().ToString(), expected->value().ToString());
    }
  }
}

TEST_F(IndexHintsTest, TimestampsAreNoPartOfTheFirstKey) {
  options_.comparator = BytewiseComparatorWithU64Ts();
  OpenWith(Table::kBinarySearchWithFirstKey);
  std::string first_buffer;
  std::string second_buffer;
  const Slice first = EncodeU64Ts(1, &first_buffer);
  const Slice second = EncodeU64Ts(2, &second_buffer);
  for (const char* key : {"b", "d"}) {
    ASSERT_OK(db_->Put(WriteOptions(), key, first, "old"));
    ASSERT_OK(db_->Put(WriteOptions(), key, second, "new"));
  }
  ASSERT_OK(Flush());
  for (const Slice& time : {first, second}) {
    ReadOptions read;
    read.timestamp = &time;
    const std::string expected = time == first ? "old" : "new";
    std::string value;
    for (const char* key : {"b", "d"}) {
      ASSERT_OK(db_->Get(read, key, &value));
      EXPECT_EQ(value, expected);
    }
    EXPECT_TRUE(db_->Get(read, "c", &value).IsNotFound());
    EXPECT_EQ(Scan(read), "b=" + expected + " d=" + expected + " ");
    EXPECT_EQ(ScanBackward(read), "d=" + expected + " b=" + expected + " ");
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

// Dumped blocks of a cache, RocksDB's too, are found again by a database that
// loads them, and damaged dumps are refused.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/utilities/cache_dump_load.h"
#include "tests/db/impl/db_fixture.h"
#include "tests/testing/vectors.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// Keeps what it is given, and finds it again.
class KeptBlocks final : public SecondaryCache {
 public:
  const char* Name() const override { return "KeptBlocks"; }
  Status Insert(const Slice&, Cache::ObjectPtr, const Cache::CacheItemHelper*,
                bool) override {
    return Status::OK();
  }
  Status InsertSaved(const Slice& key, const Slice& saved, CompressionType type,
                     CacheTier) override {
    EXPECT_EQ(kNoCompression, type);
    if (fails) return Status::IOError("no room");
    blocks[key.ToString()] = saved.ToString();
    return Status::OK();
  }
  std::unique_ptr<SecondaryCacheResultHandle> Lookup(
      const Slice& key, const Cache::CacheItemHelper* helper,
      Cache::CreateContext* context, bool, bool, Statistics*,
      bool& kept) override {
    kept = true;
    const auto found = blocks.find(key.ToString());
    if (found == blocks.end()) return nullptr;
    auto result = std::make_unique<Result>();
    EXPECT_OK(helper->create_cb(found->second, kNoCompression,
                                CacheTier::kVolatileTier, context, nullptr,
                                &result->object, &result->charge));
    ++hits;
    return result;
  }
  bool SupportForceErase() const override { return false; }
  void Erase(const Slice& key) override { blocks.erase(key.ToString()); }
  void WaitAll(std::vector<SecondaryCacheResultHandle*>) override {}

  std::map<std::string, std::string> blocks;
  int hits = 0;
  bool fails = false;

 private:
  struct Result final : SecondaryCacheResultHandle {
    bool IsReady() override { return true; }
    void Wait() override {}
    Cache::ObjectPtr Value() override { return object; }
    size_t Size() override { return charge; }
    Cache::ObjectPtr object = nullptr;
    size_t charge = 0;
  };
};

class CacheDumpTest : public DbFixture {
 protected:
  CacheDumpTest() : dump_(directory_.File("dump")) {
    options_dump_.clock = SystemClock::Default().get();
  }

  void OpenWith(const std::shared_ptr<Cache>& cache) {
    BlockBasedTableOptions table;
    table.block_cache = cache;
    table.block_size = 512;
    table.cache_index_and_filter_blocks = true;
    table.filter_policy.reset(NewBloomFilterPolicy(10));
    options_.table_factory.reset(NewBlockBasedTableFactory(table));
    Open();
  }
  void Fill() {
    for (int i = 0; i < 100; ++i) {
      ASSERT_OK(Put("key" + std::to_string(100 + i), std::string(50, 'v')));
    }
    ASSERT_OK(Flush());
    for (int i = 0; i < 100; ++i) Get("key" + std::to_string(100 + i));
  }
  IOStatus Dump(const std::shared_ptr<Cache>& cache,
                const std::vector<DB*>* filter = nullptr) {
    std::unique_ptr<CacheDumpWriter> writer;
    IOStatus s = NewToFileCacheDumpWriter(FileSystem::Default(), FileOptions(),
                                          dump_, &writer);
    EXPECT_TRUE(s.ok());
    std::unique_ptr<CacheDumper> dumper;
    EXPECT_OK(NewDefaultCacheDumper(options_dump_, cache, std::move(writer),
                                    &dumper));
    if (filter != nullptr) EXPECT_OK(dumper->SetDumpFilter(*filter));
    return dumper->DumpCacheEntriesToWriter();
  }
  IOStatus Load(const std::string& path,
                const std::shared_ptr<KeptBlocks>& kept) {
    std::unique_ptr<CacheDumpReader> reader;
    IOStatus s = NewFromFileCacheDumpReader(FileSystem::Default(),
                                            FileOptions(), path, &reader);
    if (!s.ok()) return s;
    std::unique_ptr<CacheDumpedLoader> loader;
    EXPECT_OK(NewDefaultCacheDumpedLoader(options_dump_,
                                          BlockBasedTableOptions(), kept,
                                          std::move(reader), &loader));
    return loader->RestoreCacheEntriesToSecondaryCache();
  }
  IOStatus LoadBytes(const std::string& bytes,
                     const std::shared_ptr<KeptBlocks>& kept) {
    const std::string path = directory_.File("bytes");
    std::ofstream(path, std::ios::binary) << bytes;
    return Load(path, kept);
  }

  CacheDumpOptions options_dump_;
  const std::string dump_;
};

TEST_F(CacheDumpTest, DumpsOfRocksDb) {
  for (const char* name : {"r783_cache.dump", "r119_cache.dump"}) {
    const std::string path = VectorPath("utilities/" + std::string(name));
    if (path.empty()) GTEST_SKIP() << "the vectors are absent";
    const auto kept = std::make_shared<KeptBlocks>();
    const IOStatus s = Load(path, kept);
    EXPECT_TRUE(s.ok()) << s.ToString();
    EXPECT_EQ(7u, kept->blocks.size());
    for (const auto& [key, block] : kept->blocks) EXPECT_EQ(16u, key.size());
  }
}

TEST_F(CacheDumpTest, ADatabaseFindsItsBlocksAgain) {
  const std::shared_ptr<Cache> first = NewLRUCache(8 << 20);
  OpenWith(first);
  Fill();
  ASSERT_TRUE(Dump(first).ok());
  db_.reset();

  const auto kept = std::make_shared<KeptBlocks>();
  IOStatus s = Load(dump_, kept);
  ASSERT_TRUE(s.ok()) << s.ToString();
  EXPECT_GT(kept->blocks.size(), 5u);
  LRUCacheOptions second;
  second.capacity = 8 << 20;
  second.secondary_cache = kept;
  OpenWith(second.MakeSharedCache());
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(std::string(50, 'v'), Get("key" + std::to_string(100 + i)));
  }
  EXPECT_GT(kept->hits, 5);
}

TEST_F(CacheDumpTest, OnlyWhatTheFilterAndTheLimitsAllow) {
  const std::shared_ptr<Cache> cache = NewLRUCache(8 << 20);
  OpenWith(cache);
  Fill();
  const auto kept = std::make_shared<KeptBlocks>();
  const std::vector<DB*> mine{db_.get()};
  ASSERT_TRUE(Dump(cache, &mine).ok());
  ASSERT_TRUE(Load(dump_, kept).ok());
  const size_t all = kept->blocks.size();
  EXPECT_GT(all, 5u);

  const std::vector<DB*> nobody;
  ASSERT_TRUE(Dump(cache, &nobody).ok());
  kept->blocks.clear();
  ASSERT_TRUE(Load(dump_, kept).ok());
  EXPECT_EQ(0u, kept->blocks.size());

  options_dump_.max_size_bytes = 1500;
  ASSERT_TRUE(Dump(cache).ok());
  ASSERT_TRUE(Load(dump_, kept).ok());
  EXPECT_GT(kept->blocks.size(), 0u);
  EXPECT_LT(kept->blocks.size(), all);

  options_dump_.max_size_bytes = 0;
  options_dump_.deadline = std::chrono::microseconds(1);
  kept->blocks.clear();
  ASSERT_TRUE(Dump(cache).ok());
  ASSERT_TRUE(Load(dump_, kept).ok());
  EXPECT_EQ(0u, kept->blocks.size());
}

TEST_F(CacheDumpTest, TheFilterKnowsTheTablesOfEveryFamily) {
  const std::shared_ptr<Cache> cache = NewLRUCache(8 << 20);
  OpenWith(cache);
  ColumnFamilyHandle* other = nullptr;
  ASSERT_OK(db_->CreateColumnFamily(options_, "other", &other));
  ASSERT_OK(db_->Put(WriteOptions(), other, "k", "v"));
  ASSERT_OK(db_->Flush(FlushOptions(), other));
  std::string value;
  ASSERT_OK(db_->Get(ReadOptions(), other, "k", &value));
  const std::vector<DB*> mine{db_.get()};
  ASSERT_TRUE(Dump(cache, &mine).ok());
  const auto kept = std::make_shared<KeptBlocks>();
  ASSERT_TRUE(Load(dump_, kept).ok());
  EXPECT_GT(kept->blocks.size(), 0u);
  ASSERT_OK(db_->DestroyColumnFamilyHandle(other));
}

TEST_F(CacheDumpTest, DamagedAndCutFiles) {
  const std::shared_ptr<Cache> cache = NewLRUCache(8 << 20);
  OpenWith(cache);
  ASSERT_OK(Put("k", "v"));
  ASSERT_OK(Flush());
  ASSERT_EQ("v", Get("k"));
  ASSERT_TRUE(Dump(cache).ok());
  const std::string bytes = BytesOfFile(dump_);
  const auto kept = std::make_shared<KeptBlocks>();
  ASSERT_TRUE(LoadBytes(bytes, kept).ok());
  for (size_t i = 0; i < bytes.size(); i += 3) {
    std::string damaged = bytes;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x10);
    const IOStatus s = LoadBytes(damaged, kept);
    EXPECT_TRUE(s.IsCorruption()) << i << ": " << s.ToString();
    EXPECT_TRUE(LoadBytes(bytes.substr(0, i), kept).IsCorruption()) << i;
  }
  kept->fails = true;
  EXPECT_TRUE(LoadBytes(bytes, kept).IsIOError());
  EXPECT_FALSE(Load(directory_.File("absent"), kept).ok());
}

// Fails at a write of a given number.
class FailingWriter final : public CacheDumpWriter {
 public:
  FailingWriter(int fails_at, bool* is_closed)
      : fails_at_(fails_at), is_closed_(is_closed) {}
  IOStatus WriteMetadata(const Slice&) override { return Write(); }
  IOStatus WritePacket(const Slice&) override { return Write(); }
  IOStatus Close() override {
    *is_closed_ = true;
    return IOStatus::OK();
  }

 private:
  IOStatus Write() {
    return count_++ == fails_at_ ? IOStatus::NoSpace() : IOStatus::OK();
  }
  const int fails_at_;
  bool* const is_closed_;
  int count_ = 0;
};

TEST_F(CacheDumpTest, FailedWritesAndBadArguments) {
  const std::shared_ptr<Cache> cache = NewLRUCache(8 << 20);
  OpenWith(cache);
  Fill();
  std::unique_ptr<CacheDumper> dumper;
  for (int k = 0; k < 6; ++k) {
    bool is_closed = false;
    ASSERT_OK(NewDefaultCacheDumper(
        options_dump_, cache, std::make_unique<FailingWriter>(k, &is_closed),
        &dumper));
    EXPECT_TRUE(dumper->DumpCacheEntriesToWriter().IsNoSpace()) << k;
    EXPECT_TRUE(is_closed);
  }
  bool is_closed = false;
  const auto writer = [&] {
    return std::make_unique<FailingWriter>(-1, &is_closed);
  };
  EXPECT_TRUE(NewDefaultCacheDumper(options_dump_, nullptr, writer(), &dumper)
                  .IsInvalidArgument());
  EXPECT_TRUE(NewDefaultCacheDumper(options_dump_, cache, nullptr, &dumper)
                  .IsInvalidArgument());
  options_dump_.clock = nullptr;
  EXPECT_TRUE(NewDefaultCacheDumper(options_dump_, cache, writer(), &dumper)
                  .IsInvalidArgument());
  std::unique_ptr<CacheDumpedLoader> loader;
  EXPECT_TRUE(NewDefaultCacheDumpedLoader(options_dump_,
                                          BlockBasedTableOptions(), nullptr,
                                          nullptr, &loader)
                  .IsInvalidArgument());
  EXPECT_TRUE(dumper->SetDumpFilter({nullptr}).IsInvalidArgument());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

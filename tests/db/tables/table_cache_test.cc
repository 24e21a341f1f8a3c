// Each table is opened once and read through a shared or a private reader, the
// number of open ones is bounded, and no failure leaks a handle.
#include "db/tables/table_cache.h"

#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "file/file_util.h"
#include "tests/db/tables/table_files.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class TableCacheTest : public ::testing::TestWithParam<bool> {
 protected:
  void Open() { f.Open(GetParam()); }
  TableFiles f;
};

INSTANTIATE_TEST_SUITE_P(PinsReaders, TableCacheTest, ::testing::Bool());

TEST_P(TableCacheTest, OpensAFileOnce) {
  Open();
  const FileRef file = f.Write(7, TableFiles::Numbered("k", 100));
  EXPECT_EQ(f.Get(file, "k00042"), "=value of k00042");
  EXPECT_EQ(f.Get(file, "k00099"), "=value of k00099");
  EXPECT_EQ(f.Get(file, "k00100"), "none");
  std::unique_ptr<InternalIterator> iterator;
  ASSERT_TRUE(f.tables->NewIterator(f.Request(file, nullptr), &iterator).ok());
  EXPECT_EQ(KeysForward(iterator.get()).size(), 100u);
  EXPECT_EQ(f.Ticker(NO_FILE_OPENS), 1u);
  EXPECT_EQ(f.RandomHandles(), 1u);
  // Never directly, and nothing of the bypass is counted.
  EXPECT_EQ(f.fs->direct_read_opens(), 0u);
  EXPECT_EQ(f.Ticker(COMPACTION_DIRECT_READ_OPENS), 0u);
}

TEST_P(TableCacheTest, ManyThreadsOpenAFileOnce) {
  Open();
  const FileRef file = f.Write(7, TableFiles::Numbered("k", 100));
  std::atomic<int> good{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&]() {
      for (int i = 0; i < 100; ++i) {
        const std::string digits = std::to_string(100000 + i).substr(1);
        if (f.Get(file, "k" + digits) == "=value of k" + digits) ++good;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(good.load(), 800);
  EXPECT_EQ(f.Ticker(NO_FILE_OPENS), 1u);
}

TEST_P(TableCacheTest, ThePinnedReaderGoesWithTheFile) {
  Open();
  FileRef file = f.Write(7, TableFiles::Numbered("k", 10));
  EXPECT_EQ(f.Get(file, "k00003"), "=value of k00003");
  ASSERT_EQ(f.RandomHandles(), 1u);
  file.reset();
  EXPECT_EQ(f.RandomHandles(), GetParam() ? 0u : 1u);
  f.tables->Evict(7);
  EXPECT_EQ(f.RandomHandles(), 0u);
}

TEST_P(TableCacheTest, AnIteratorOutlivesEviction) {
  Open();
  const FileRef file = f.Write(7, TableFiles::Numbered("k", 50));
  std::unique_ptr<InternalIterator> iterator;
  ASSERT_TRUE(f.tables->NewIterator(f.Request(file, nullptr), &iterator).ok());
  f.tables->Evict(7);
  EXPECT_EQ(KeysForward(iterator.get()).size(), 50u);
  iterator.reset();
  EXPECT_EQ(f.RandomHandles(), GetParam() ? 1u : 0u);
}

TEST_P(TableCacheTest, CacheTierOpensNothing) {
  Open();
  const FileRef file = f.Write(7, TableFiles::Numbered("k", 50));
  f.read.read_tier = kBlockCacheTier;
  std::shared_ptr<const TableReader> reader;
  EXPECT_TRUE(
      f.tables->Find(f.read, *file, 1, *f.mutable_cf, &reader).IsIncomplete());
  std::unique_ptr<InternalIterator> iterator;
  EXPECT_TRUE(f.tables->NewIterator(f.Request(file, nullptr), &iterator)
                  .IsIncomplete());
  const BulkReadPolicy bulk = f.DirectPolicy();
  EXPECT_TRUE(
      f.tables->NewIterator(f.Request(file, &bulk), &iterator).IsIncomplete());
  EXPECT_TRUE(
      f.tables->Verify(f.read, *file, 1, *f.mutable_cf, bulk).IsIncomplete());
  EXPECT_EQ(f.Ticker(NO_FILE_OPENS), 0u);
  // Also once it is open.
  f.read.read_tier = kReadAllTier;
  ASSERT_TRUE(f.tables->Find(f.read, *file, 1, *f.mutable_cf, &reader).ok());
  f.read.read_tier = kBlockCacheTier;
  EXPECT_TRUE(f.tables->Find(f.read, *file, 1, *f.mutable_cf, &reader).ok());
  EXPECT_TRUE(
      f.tables->NewIterator(f.Request(file, &bulk), &iterator).IsIncomplete());
  EXPECT_EQ(f.fs->direct_read_opens(), 0u);
}

TEST_P(TableCacheTest, MissingOrWrongFiles) {
  Open();
  const FileRef file = f.Write(7, TableFiles::Numbered("k", 50));
  file->size_bytes += 1;
  EXPECT_NE(f.Get(file, "k00001").find("Corruption"), std::string::npos);
  EXPECT_NE(f.Get(file, "k00001").find("000007.sst"), std::string::npos);
  file->size_bytes -= 1;
  file->unique_id = {1, 2};
  EXPECT_NE(f.Get(file, "k00001").find("Corruption"), std::string::npos);
  file->unique_id = {};
  EXPECT_EQ(f.Get(file, "k00001"), "=value of k00001");  // Not remembered.
  file->number = 8;
  file->pinned_reader = nullptr;
  file->pinned_owner.reset();
  std::shared_ptr<const TableReader> reader;
  const Status s = f.tables->Find(f.read, *file, 1, *f.mutable_cf, &reader);
  EXPECT_TRUE(s.IsNotFound() || s.IsPathNotFound()) << s.ToString();
  EXPECT_EQ(reader, nullptr);
  const BulkReadPolicy bulk = f.DirectPolicy();
  std::unique_ptr<InternalIterator> iterator;
  EXPECT_FALSE(f.tables->NewIterator(f.Request(file, &bulk), &iterator).ok());
  f.tables->Evict(7);
  EXPECT_EQ(f.RandomHandles(), 0u);
}

TEST_P(TableCacheTest, FilesUnderTheirOldName) {
  Open();
  const FileRef file = f.Write(7, TableFiles::Numbered("k", 50));
  ASSERT_TRUE(
      f.fs->RenameFile("/db/000007.sst", "/db/000007.ldb", IOOptions(), nullptr)
          .ok());
  const BulkReadPolicy bulk = f.DirectPolicy();
  std::unique_ptr<InternalIterator> iterator;
  ASSERT_TRUE(f.tables->NewIterator(f.Request(file, &bulk), &iterator).ok());
  EXPECT_EQ(KeysForward(iterator.get()).size(), 50u);
  EXPECT_EQ(f.Get(file, "k00001"), "=value of k00001");
}

// --- the bypass

struct CacheState {
  size_t usage, count;
  uint64_t adds;
  bool operator==(const CacheState&) const = default;
};

CacheState StateOf(const TableFiles& f) {
  return {f.table.block_cache->GetUsage(),
          f.table.block_cache->GetOccupancyCount(), f.Ticker(BLOCK_CACHE_ADD)};
}

// With the reader open before or not, with metadata in the block cache or not.
TEST_P(TableCacheTest, ABulkIteratorReadsDirectlyAndCachesNothing) {
  for (const bool caches_metadata : {false, true}) {
    for (const bool is_open : {false, true}) {
      SCOPED_TRACE(caches_metadata);
      SCOPED_TRACE(is_open);
      TableFiles files;
      files.table.cache_index_and_filter_blocks = caches_metadata;
      files.Open(GetParam());
      const FileRef file = files.Write(7, TableFiles::Numbered("k", 500));
      if (is_open) {
        ASSERT_EQ(files.Get(file, "k00001"), "=value of k00001");
      }
      const size_t handles = files.RandomHandles();
      const size_t readers =
          GetParam() ? 0 : files.reader_cache->GetOccupancyCount();
      const CacheState before = StateOf(files);
      files.fs->ClearOpens();
      const BulkReadPolicy bulk = files.DirectPolicy();
      std::unique_ptr<InternalIterator> iterator;
      ASSERT_TRUE(
          files.tables->NewIterator(files.Request(file, &bulk), &iterator)
              .ok());
      ASSERT_EQ(files.fs->opens().size(), 1u);
      EXPECT_TRUE(files.fs->opens()[0].is_direct_read());
      EXPECT_EQ(files.RandomHandles(), handles + 1);
      EXPECT_EQ(files.fs->direct_read_handles(), 1u);
      EXPECT_EQ(KeysForward(iterator.get()).size(), 500u);
      EXPECT_EQ(KeysBackward(iterator.get()).size(), 500u);
      EXPECT_EQ(StateOf(files), before);
      EXPECT_EQ(files.Ticker(COMPACTION_DIRECT_READ_OPENS), 1u);
      EXPECT_EQ(files.Ticker(COMPACTION_EPHEMERAL_READERS_OPENED), 1u);
      EXPECT_EQ(files.Ticker(COMPACTION_EPHEMERAL_READERS_CLOSED), 0u);
      iterator.reset();
      EXPECT_EQ(files.RandomHandles(), handles);
      EXPECT_EQ(files.Ticker(COMPACTION_EPHEMERAL_READERS_CLOSED), 1u);
      EXPECT_EQ(StateOf(files), before);
      if (!GetParam()) {
        EXPECT_EQ(files.reader_cache->GetOccupancyCount(), readers);
      }
    }
  }
}

TEST_P(TableCacheTest, APolicyThatIsOffReadsThroughTheSharedReader) {
  Open();
  const FileRef file = f.Write(7, TableFiles::Numbered("k", 100));
  const BulkReadPolicy bulk;
  std::unique_ptr<InternalIterator> iterator;
  ASSERT_TRUE(f.tables->NewIterator(f.Request(file, &bulk), &iterator).ok());
  EXPECT_EQ(KeysForward(iterator.get()).size(), 100u);
  EXPECT_EQ(f.fs->direct_read_opens(), 0u);
  EXPECT_EQ(f.Ticker(COMPACTION_EPHEMERAL_READERS_OPENED), 0u);
}

// At whatever call it fails: no handle stays, no count is wrong.
TEST_P(TableCacheTest, AFailureAtAnyStepFreesTheHandle) {
  for (const bool is_open : {false, true}) {
    for (uint64_t k = 1;; ++k) {
      SCOPED_TRACE("call " + std::to_string(k));
      TableFiles files;
      files.table.cache_index_and_filter_blocks = true;
      files.Open(GetParam());
      const FileRef file = files.Write(7, TableFiles::Numbered("k", 300));
      if (is_open) {
        ASSERT_EQ(files.Get(file, "k00001"), "=value of k00001");
      }
      const size_t handles = files.RandomHandles();
      const BulkReadPolicy bulk = files.DirectPolicy();
      files.fs->FailCall({.call = k, .scope = FaultScope::kAllCalls});
      std::unique_ptr<InternalIterator> iterator;
      Status s =
          files.tables->NewIterator(files.Request(file, &bulk), &iterator);
      if (s.ok()) {
        size_t entries = 0;
        iterator->SeekToFirst();
        for (; iterator->Valid(); iterator->Next()) ++entries;
        s = iterator->status();
        // A read ahead that failed may be made again as a plain read.
        EXPECT_EQ(entries == 300, s.ok()) << files.fs->failed_call();
      } else {
        EXPECT_EQ(iterator, nullptr);
        EXPECT_EQ(files.RandomHandles(), handles);
        EXPECT_EQ(files.Ticker(COMPACTION_EPHEMERAL_READERS_OPENED), 0u);
      }
      EXPECT_TRUE(s.ok() || files.fs->failed()) << s.ToString();
      iterator.reset();
      EXPECT_EQ(files.RandomHandles(), handles);
      EXPECT_EQ(files.Ticker(COMPACTION_EPHEMERAL_READERS_OPENED),
                files.Ticker(COMPACTION_EPHEMERAL_READERS_CLOSED));
      if (!files.fs->failed()) {
        EXPECT_GT(k, 2u);
        break;
      }
    }
  }
}

// A file system that takes the open and refuses the first read.
TEST_P(TableCacheTest, ARefusedDirectReadNamesTheFile) {
  Open();
  const FileRef file = f.Write(7, TableFiles::Numbered("k", 300));
  ASSERT_EQ(f.Get(file, "k00001"), "=value of k00001");
  f.fs->FailDirectReads("000007.sst");
  const BulkReadPolicy bulk = f.DirectPolicy();
  std::unique_ptr<InternalIterator> iterator;
  ASSERT_TRUE(f.tables->NewIterator(f.Request(file, &bulk), &iterator).ok());
  iterator->SeekToFirst();
  EXPECT_FALSE(iterator->Valid());
  EXPECT_FALSE(iterator->status().ok());
  EXPECT_NE(iterator->status().ToString().find("000007.sst"),
            std::string::npos);
  iterator.reset();
  f.fs->RefuseDirectIo("000007.sst");
  EXPECT_FALSE(f.tables->NewIterator(f.Request(file, &bulk), &iterator).ok());
  EXPECT_EQ(f.RandomHandles(), 1u);
}

TEST_P(TableCacheTest, VerifyReadsTheWholeFile) {
  for (const bool is_direct : {false, true}) {
    SCOPED_TRACE(is_direct);
    TableFiles files;
    files.Open(GetParam());
    const FileRef file = files.Write(7, TableFiles::Numbered("k", 300));
    const BulkReadPolicy bulk =
        is_direct ? files.DirectPolicy() : BulkReadPolicy();
    const CacheState before = StateOf(files);
    EXPECT_TRUE(
        files.tables->Verify(files.read, *file, 1, *files.mutable_cf, bulk)
            .ok());
    EXPECT_EQ(files.fs->direct_read_opens() > 0, is_direct);
    if (is_direct) {
      EXPECT_EQ(files.fs->opens().back().is_direct_read(), true);
      EXPECT_EQ(StateOf(files), before);
      EXPECT_EQ(files.RandomHandles(), 0u);
    }
    // A flipped bit in a data block: seen although the file opens.
    std::string bytes;
    ASSERT_TRUE(
        ReadFileToString(files.fs.get(), "/db/000007.sst", &bytes).ok());
    bytes[100] = static_cast<char>(bytes[100] ^ 4);
    ASSERT_TRUE(CreateFile(files.fs.get(), "/db/000007.sst", bytes,
                           FileDurability::kBuffered)
                    .ok());
    FileMeta fresh;
    fresh.CopyManifestPartFrom(*file);
    files.tables->Evict(7);
    const Status s =
        files.tables->Verify(files.read, fresh, 1, *files.mutable_cf, bulk);
    EXPECT_TRUE(s.IsCorruption()) << s.ToString();
  }
}

// --- range tombstones and figures

std::string Covered(const FragmentedTombstones& tombstones,
                    const std::vector<std::string>& keys) {
  std::string covered;
  for (const std::string& key : keys) {
    if (tombstones.MaxCovering(key, kMaxSequenceNumber) != 0) covered += key;
  }
  return covered;
}

TEST_P(TableCacheTest, TombstonesAreCutToTheFile) {
  const std::vector<std::string> up = {"a", "b", "c", "d", "e", "f", "g"};
  for (const bool is_reverse : {false, true}) {
    SCOPED_TRACE(is_reverse);
    TableFiles files;
    std::vector<std::string> k = up;
    if (is_reverse) {
      files.family.comparator = ReverseBytewiseComparator();
      k = {"g", "f", "e", "d", "c", "b", "a"};
    }
    files.Open(GetParam());
    const FileRef file =
        files.Write(7, {{k[2], 9, "v"}, {k[4], 9, "v"}}, {{k[0], k[6], 20}});
    const auto covered = [&]() {
      std::shared_ptr<const FragmentedTombstones> tombstones;
      EXPECT_TRUE(
          files.tables
              ->Tombstones(files.read, *file, 1, *files.mutable_cf, &tombstones)
              .ok());
      return Covered(*tombstones, k);
    };
    // Its own bounds: nothing is cut.
    EXPECT_EQ(covered(), k[0] + k[1] + k[2] + k[3] + k[4] + k[5]);
    // Up to a sentinel: without that key.
    file->smallest = InternalKey(k[1], 20, kTypeRangeDeletion);
    file->largest = InternalKey::TombstoneSentinel(k[4]);
    EXPECT_EQ(covered(), k[1] + k[2] + k[3]);
    EXPECT_EQ(files.Get(file, k[2]), "none");
    EXPECT_EQ(files.Get(file, k[4]), "=v");  // Not in this file's bounds.
    // Up to a point: with that key and none beyond.
    file->largest = InternalKey(k[4], 9, kTypeValue);
    EXPECT_EQ(covered(), k[1] + k[2] + k[3] + k[4]);
    EXPECT_EQ(files.Get(file, k[4]), "none");
    files.read.ignore_range_deletions = true;
    EXPECT_EQ(files.Get(file, k[4]), "=v");
  }
}

TEST_P(TableCacheTest, TombstonesOutliveTheFile) {
  Open();
  std::shared_ptr<const FragmentedTombstones> tombstones;
  {
    const FileRef file = f.Write(7, {{"c", 9, "v"}}, {{"a", "e", 20}});
    ASSERT_TRUE(
        f.tables->Tombstones(f.read, *file, 1, *f.mutable_cf, &tombstones)
            .ok());
  }
  f.tables->Evict(7);
  ASSERT_EQ(f.RandomHandles(), 0u);
  EXPECT_EQ(Covered(*tombstones, {"a", "d", "e"}), "ad");
}

TEST_P(TableCacheTest, Figures) {
  Open();
  const FileRef file =
      f.Write(7, TableFiles::Numbered("k", 100), {{"a", "e", 20}});
  ASSERT_TRUE(f.tables->LoadFigures(file.get(), 1, *f.mutable_cf).ok());
  EXPECT_TRUE(file->has_properties.load());
  EXPECT_EQ(file->range_deletion_count.load(), 1u);
  EXPECT_EQ(file->entry_count.load(), 101u);
  EXPECT_GT(file->raw_key_bytes.load(), 100u);
  const InternalKey begin("k00050", kMaxSequenceNumber, kValueTypeForSeek);
  const InternalKey end("z", kMaxSequenceNumber, kValueTypeForSeek);
  uint64_t half = 0;
  ASSERT_TRUE(f.tables
                  ->ApproximateBytes(*file, 1, *f.mutable_cf,
                                     {begin.Encode(), end.Encode()}, &half)
                  .ok());
  EXPECT_LT(half, file->size_bytes);
  EXPECT_GT(half, file->size_bytes / 4);
}

TEST_P(TableCacheTest, CoverOfRanges) {
  Open();
  const FileRef file = f.Write(7, TableFiles::Numbered("k", 100));
  const auto cover = [&](const std::string& from, const std::string& to) {
    const InternalKey begin(from, kMaxSequenceNumber, kValueTypeForSeek);
    const InternalKey end(to, kMaxSequenceNumber, kValueTypeForSeek);
    return f.tables->CoverOf(*file, {begin.Encode(), end.Encode()});
  };
  EXPECT_EQ(cover("", "z"), TableCache::Cover::kAll);
  EXPECT_EQ(cover("k00000", "k00100"), TableCache::Cover::kAll);
  EXPECT_EQ(cover("", "k00099"), TableCache::Cover::kPart);
  EXPECT_EQ(cover("k00001", "z"), TableCache::Cover::kPart);
  EXPECT_EQ(cover("k00050", "k00060"), TableCache::Cover::kPart);
  EXPECT_EQ(cover("x", "z"), TableCache::Cover::kNone);
  EXPECT_EQ(cover("", "k00000"), TableCache::Cover::kNone);
}

TEST(TableCacheBounded, KeepsNoMoreReadersThanItMay) {
  TableFiles f;
  f.Open(false);
  f.reader_cache->SetCapacity(0);
  const FileRef file = f.Write(7, TableFiles::Numbered("k", 10));
  EXPECT_EQ(f.Get(file, "k00001"), "=value of k00001");
  EXPECT_EQ(f.Get(file, "k00002"), "=value of k00002");
  EXPECT_EQ(f.RandomHandles(), 0u);
  EXPECT_EQ(f.Ticker(NO_FILE_OPENS), 2u);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

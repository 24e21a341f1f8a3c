// What users read stays warm when its file is replaced: in the page cache, and
// in the block cache.
#include <cstdio>

#include "db/outputs/heat_keeper.h"
#include "env/composite_env.h"
#include "rocksdb/convenience.h"
#include "rocksdb/env.h"
#include "rocksdb/file_system.h"
#include "rocksdb/system_clock.h"
#include "tests/db/impl/db_fixture.h"
#include "tests/testing/page_cache.h"

namespace ROCKSDB_NAMESPACE {
namespace {

constexpr int kHeatKeys = 3000;
constexpr int kHotBegin = 1000;
constexpr int kHotEnd = 1100;

std::string Key(int i) {
  char text[16];
  snprintf(text, sizeof(text), "key%06d", i);
  return text;
}

// Refuses reads of the front of each file that is newer than the one that it
// was told.
class FrontReadsFail : public FileSystemWrapper {
 public:
  using FileSystemWrapper::FileSystemWrapper;
  const char* Name() const override { return "FrontReadsFail"; }
  IOStatus NewRandomAccessFile(const std::string& name,
                               const FileOptions& options,
                               std::unique_ptr<FSRandomAccessFile>* result,
                               IODebugContext* dbg) override {
    IOStatus s = target()->NewRandomAccessFile(name, options, result, dbg);
    if (s.ok() && !newest_.empty() && name > newest_) {
      *result = std::make_unique<File>(std::move(*result), this);
    }
    return s;
  }
  std::string newest_;  // set while no job runs
  std::atomic<bool> is_healed_{false};
  std::atomic<int> failed_{0};

 private:
  class File : public FSRandomAccessFileOwnerWrapper {
   public:
    File(std::unique_ptr<FSRandomAccessFile> file, FrontReadsFail* fs)
        : FSRandomAccessFileOwnerWrapper(std::move(file)), fs_(fs) {}
    IOStatus Read(uint64_t offset, size_t n, const IOOptions& options,
                  Slice* result, char* scratch,
                  IODebugContext* dbg) const override {
      if (!fs_->is_healed_ && offset < 8 << 20) {
        ++fs_->failed_;
        return IOStatus::IOError("the front of the file");
      }
      return FSRandomAccessFileOwnerWrapper::Read(offset, n, options, result,
                                                  scratch, dbg);
    }
    IOStatus ReadAsync(FSReadRequest& request, const IOOptions& options,
                       std::function<void(FSReadRequest&, void*)> callback,
                       void* argument, void** handle, IOHandleDeleter* deleter,
                       IODebugContext* dbg) override {
      if (!fs_->is_healed_ && request.offset < 8 << 20) {
        ++fs_->failed_;
        return IOStatus::IOError("the front of the file");
      }
      return FSRandomAccessFileOwnerWrapper::ReadAsync(
          request, options, callback, argument, handle, deleter, dbg);
    }

   private:
    FrontReadsFail* const fs_;
  };
};

// A hundredth as fast as that of the system: warming has time enough on a
// machine that is busy with other things. And years ahead, so that who waits
// for a moment waits until the database closes.
class SlowClock : public SystemClockWrapper {
 public:
  SlowClock() : SystemClockWrapper(SystemClock::Default()) {}
  const char* Name() const override { return "SlowClock"; }
  uint64_t NowMicros() override {
    return start_ + kAheadMicros + (target_->NowMicros() - start_) / 100;
  }
  Status GetCurrentTime(int64_t* seconds) override {
    *seconds = static_cast<int64_t>(NowMicros() / 1'000'000);
    return Status::OK();
  }

 private:
  static constexpr uint64_t kAheadMicros = 1'000'000'000'000'000;
  const uint64_t start_ = SystemClock::Default()->NowMicros();
};

class HeatTest : public DbFixture {
 protected:
  HeatTest()
      : clock_(std::make_shared<SlowClock>()),
        env_(Env::Default(), FileSystem::Default(), clock_) {
    options_.env = &env_;
    options_.disable_auto_compactions = true;
    options_.level_compaction_dynamic_level_bytes = false;
    options_.statistics = CreateDBStatistics();
    options_.use_direct_io_for_compaction_reads = true;
    options_.use_direct_io_for_flush_and_compaction = true;
    SetBlockCache(nullptr);
  }
  ~HeatTest() override { db_.reset(); }

  void SetBlockCache(std::shared_ptr<Cache> cache) {
    BlockBasedTableOptions table;
    table.no_block_cache = cache == nullptr;
    table.block_cache = std::move(cache);
    options_.table_factory.reset(NewBlockBasedTableFactory(table));
  }
  void Fill(char value, int step = 1) {
    for (int i = 0; i < kHeatKeys; i += step) {
      ASSERT_OK(Put(Key(i), std::string(4096, value)));
    }
    ASSERT_OK(Flush());
  }
  void ReadHot(int times, int begin = kHotBegin, int end = kHotEnd) {
    for (int time = 0; time < times; ++time) {
      for (int i = begin; i < end; ++i) {
        ASSERT_EQ(Get(Key(i)).size(), 4096u) << i;
      }
    }
  }
  std::vector<LiveFileMetaData> Files() {
    std::vector<LiveFileMetaData> files;
    db_->GetLiveFilesMetaData(&files);
    return files;
  }
  size_t ResidentPages() {
    size_t pages = 0;
    for (const LiveFileMetaData& file : Files()) {
      pages += MappedFile(file.db_path + file.name).ResidentPages();
    }
    return pages;
  }
  uint64_t FileBytes() {
    uint64_t bytes = 0;
    for (const LiveFileMetaData& file : Files()) bytes += file.size;
    return bytes;
  }
  // Two files; users read a part of the newer one; both become one.
  void CompactWithHotKeys() {
    Open();
    Fill('a');
    Fill('b');
    ReadHot(400);
    ASSERT_OK(CompactAll());
  }

  const std::shared_ptr<SlowClock> clock_;
  CompositeEnvWrapper env_;
};

TEST_F(HeatTest, AHotKeyIsInThePageCacheAfterCompaction) {
  SKIP_WITHOUT_DIRECT_IO(directory_);
  CompactWithHotKeys();
  const size_t warm = ResidentPages();
  ReadHot(1);
  EXPECT_EQ(ResidentPages(), warm);
  // No more than what is hot, and its neighbours in the same 64 KiB.
  const uint64_t hot_bytes = (kHotEnd - kHotBegin) * 4096;
  EXPECT_GE(Ticker(HEAT_WARMED_BYTES), hot_bytes);
  EXPECT_LE(Ticker(HEAT_WARMED_BYTES), hot_bytes + 4 * (64 << 10));
  EXPECT_EQ(Ticker(HEAT_CUT_SHORT), 0u);
  // A cold key does come from the device.
  ASSERT_EQ(Get(Key(10))[0], 'b');
  EXPECT_GT(ResidentPages(), warm);
}

// Before heat has gathered: in level 0 that takes some thirty reads of a page.
TEST_F(HeatTest, WhatThePageCacheHasStaysAtOnce) {
  SKIP_WITHOUT_DIRECT_IO(directory_);
  Open();
  Fill('a');
  Fill('b');
  ReadHot(20);
  ASSERT_OK(CompactAll());
  const size_t warm = ResidentPages();
  ReadHot(1);
  EXPECT_EQ(ResidentPages(), warm);
  const uint64_t hot_bytes = (kHotEnd - kHotBegin) * 4096;
  EXPECT_GE(Ticker(HEAT_WARMED_BYTES), hot_bytes);
  EXPECT_LE(Ticker(HEAT_WARMED_BYTES), hot_bytes + 4 * (64 << 10));
}

TEST_F(HeatTest, AFlushLooksIntoThePageCacheToo) {
  SKIP_WITHOUT_DIRECT_IO(directory_);
  Open();
  Fill('a');
  ReadHot(20);
  Fill('b', 5);
  const size_t warm = ResidentPages();
  ReadHot(1);
  EXPECT_EQ(ResidentPages(), warm);
  EXPECT_EQ(Get(Key(kHotBegin))[0], 'b');
}

TEST_F(HeatTest, UncachedOutputsAreKeptWarmToo) {
  SKIP_WITHOUT_PAGE_CACHE(directory_);
  options_.use_direct_io_for_compaction_reads = false;
  options_.use_direct_io_for_flush_and_compaction = false;
  options_.compaction_read_access = FileAccess::kUncached;
  options_.compaction_write_access = FileAccess::kUncached;
  CompactWithHotKeys();
  const size_t warm = ResidentPages();
  ReadHot(1);
  EXPECT_EQ(ResidentPages(), warm);
  EXPECT_GT(Ticker(HEAT_WARMED_BYTES), 0u);
  ASSERT_EQ(Get(Key(10))[0], 'b');
  EXPECT_GT(ResidentPages(), warm);
}

TEST_F(HeatTest, OffMeansCold) {
  SKIP_WITHOUT_DIRECT_IO(directory_);
  options_.compaction_keeps_hot_data = false;
  CompactWithHotKeys();
  const size_t cold = ResidentPages();
  ReadHot(1);
  EXPECT_GE(ResidentPages(), cold + (kHotEnd - kHotBegin));
  EXPECT_EQ(Ticker(HEAT_WARMED_BYTES), 0u);
}

TEST_F(HeatTest, HeatIsPassedOnFromFileToFile) {
  SKIP_WITHOUT_DIRECT_IO(directory_);
  CompactWithHotKeys();
  for (int i = 0; i < 3; ++i) {
    ASSERT_OK(CompactAll(/*force=*/true));  // Nobody read since.
    const size_t warm = ResidentPages();
    ReadHot(1);
    EXPECT_EQ(ResidentPages(), warm) << i;
  }
}

TEST_F(HeatTest, AFlushKeepsWarmWhatItReplaces) {
  SKIP_WITHOUT_DIRECT_IO(directory_);
  Open();
  Fill('a');
  ReadHot(400);
  Fill('b', 5);
  const size_t warm = ResidentPages();
  ReadHot(1);
  // Heat fades while a busy machine takes its time: a page may have gone cold.
  EXPECT_LE(ResidentPages(), warm + 2);
  EXPECT_EQ(Get(Key(kHotBegin))[0], 'b');
  EXPECT_GE(Ticker(HEAT_WARMED_BYTES),
            static_cast<uint64_t>(kHotEnd - kHotBegin) / 5 * 4096);
}

TEST_F(HeatTest, NoMoreThanUsersRead) {
  SKIP_WITHOUT_DIRECT_IO(directory_);
  Open();
  Fill('a');
  Fill('b');
  ReadHot(100, 0, kHeatKeys / 3);
  ASSERT_OK(CompactAll());
  EXPECT_GT(Ticker(HEAT_WARMED_BYTES), 0u);
  // Blocks at the border hold keys of both sides.
  EXPECT_LE(Ticker(HEAT_WARMED_BYTES), FileBytes() / 3 + (256 << 10));
}

TEST_F(HeatTest, AScanHeatsNothing) {
  SKIP_WITHOUT_DIRECT_IO(directory_);
  Open();
  Fill('a');
  Fill('b');
  EXPECT_GT(Scan().size(), static_cast<size_t>(kHeatKeys) * 4096);
  ASSERT_OK(CompactAll());
  EXPECT_EQ(Ticker(HEAT_WARMED_BYTES), 0u);
}

TEST_F(HeatTest, BufferedOutputsAreNotReadAgain) {
  options_.use_direct_io_for_compaction_reads = false;
  options_.use_direct_io_for_flush_and_compaction = false;
  CompactWithHotKeys();
  EXPECT_EQ(Ticker(HEAT_WARMED_BYTES), 0u);
  EXPECT_EQ(Ticker(HEAT_CACHED_BLOCKS), 0u);
}

class HeatCacheTest : public HeatTest,
                      public ::testing::WithParamInterface<bool> {
 protected:
  HeatCacheTest() {
    options_.use_direct_io_for_compaction_reads = false;
    options_.use_direct_io_for_flush_and_compaction = false;
    // What there is; a build without codecs has but the one.
    if (GetParam()) options_.compression = GetSupportedCompressions().back();
    SetBlockCache(NewLRUCache(64 << 20));
  }
  uint64_t MissesOfHotKeys() {
    const uint64_t before = Ticker(BLOCK_CACHE_DATA_MISS);
    ReadHot(1);
    return Ticker(BLOCK_CACHE_DATA_MISS) - before;
  }
};

TEST_P(HeatCacheTest, WhatWasInTheBlockCacheIsThereAgain) {
  CompactWithHotKeys();
  EXPECT_EQ(MissesOfHotKeys(), 0u);
  EXPECT_GT(Ticker(HEAT_CACHED_BLOCKS), 0u);
  EXPECT_EQ(Get(Key(kHotBegin)), std::string(4096, 'b'));
  EXPECT_EQ(Ticker(HEAT_WARMED_BYTES), 0u);
}

TEST_P(HeatCacheTest, OffMeansCold) {
  options_.compaction_keeps_hot_data = false;
  CompactWithHotKeys();
  EXPECT_GT(MissesOfHotKeys(), 0u);
  EXPECT_EQ(Ticker(HEAT_CACHED_BLOCKS), 0u);
}

INSTANTIATE_TEST_SUITE_P(Codecs, HeatCacheTest, ::testing::Bool());

TEST_F(HeatTest, AReadThatFailsLeavesItColdAndNothingElse) {
  auto fs = std::make_shared<FrontReadsFail>(FileSystem::Default());
  CompositeEnvWrapper env(Env::Default(), fs, clock_);
  options_.env = &env;
  options_.use_direct_io_for_compaction_reads = false;
  options_.use_direct_io_for_flush_and_compaction = false;
  SetBlockCache(NewLRUCache(64 << 20));
  Open();
  Fill('a');
  Fill('b');
  ReadHot(400);
  for (const LiveFileMetaData& file : Files()) {
    fs->newest_ = std::max(fs->newest_, file.db_path + file.name);
  }
  ASSERT_OK(CompactAll());
  EXPECT_GT(fs->failed_.load(), 0);
  EXPECT_EQ(Ticker(HEAT_CACHED_BLOCKS), 0u);
  fs->is_healed_ = true;
  ReadHot(1);
  EXPECT_EQ(FilesAt(0), 0);
  db_.reset();
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

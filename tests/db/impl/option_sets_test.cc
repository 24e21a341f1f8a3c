// Option sets drawn from the rows, one after the other on the same database:
// whatever set wrote the files, and whatever set reads them, every read answers
// as an ordered map does.
#include "options/random_options.h"
#include "rocksdb/secondary_cache.h"
#include "rocksdb/slice_transform.h"
#include "tests/db/impl/model_run.h"
#include "tests/testing/scale.h"
#include "util/builtin_merge_operators.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// Databases, and the sets that each is opened with: 200 sets a run.
constexpr uint64_t kDatabases = 40;
constexpr uint64_t kSetsEach = 5;
constexpr int kOperations = 250;

class OptionSets : public DbFixture,
                   public ::testing::WithParamInterface<uint64_t> {
 protected:
  void DrawOptions(Random64* random, bool is_universal) {
    BlockBasedTableOptions table;
    options_ = Options();
    if (random->OneIn(2)) {
      table.filter_policy.reset(random->OneIn(2)
                                    ? NewBloomFilterPolicy(10)
                                    : NewRibbonFilterPolicy(10, -1));
      table.whole_key_filtering = random->OneIn(2);
    }
    if (random->OneIn(3)) {
      table.index_type = BlockBasedTableOptions::kTwoLevelIndexSearch;
      table.metadata_block_size = random->OneIn(2) ? 128 : 1024;
      table.partition_filters = random->OneIn(2);
      table.cache_index_and_filter_blocks = random->OneIn(2);
    }
    RandomizeRunnableOptions(4, random, {&options_, &options_, &table});
    options_.create_if_missing = true;
    options_.merge_operator = NewStringAppendOperator(",");
    options_.compaction_style =
        is_universal ? kCompactionStyleUniversal : kCompactionStyleLevel;
    if (random->OneIn(2)) {
      options_.prefix_extractor.reset(
          NewFixedPrefixTransform(4 + random->Uniform(3)));
      if (!table.partition_filters && table.index_block_restart_interval == 1 &&
          random->OneIn(4)) {
        table.index_type = BlockBasedTableOptions::kHashSearch;
      }
    }
    if (random->OneIn(3)) {
      options_.enable_blob_files = true;
      options_.min_blob_size = 100;  // of values up to 200 bytes
      options_.enable_blob_garbage_collection = true;
    }
    const size_t cache_bytes = random->OneIn(2) ? 16 << 10 : 8 << 20;
    table.block_cache = DrawCache(random, cache_bytes);
    if (random->OneIn(3)) options_.row_cache = NewLRUCache(64 << 10);
    options_.table_factory.reset(NewBlockBasedTableFactory(table));
    // Small, so that there are levels.
    options_.write_buffer_size = 64 << 10;
    options_.target_file_size_base = 16 << 10;
    options_.max_bytes_for_level_base = 32 << 10;
    options_.info_log_level = InfoLogLevel::FATAL_LEVEL;
  }

  static std::shared_ptr<Cache> DrawCache(Random64* random, size_t bytes) {
    std::shared_ptr<SecondaryCache> secondary;
    if (random->OneIn(3)) {
      CompressedSecondaryCacheOptions compressed;
      compressed.capacity = 1 << 20;
      compressed.compression_type = kNoCompression;
      secondary = NewCompressedSecondaryCache(compressed);
    }
    LRUCacheOptions lru;
    HyperClockCacheOptions clock(bytes, 0);
    lru.capacity = bytes;
    lru.secondary_cache = clock.secondary_cache = secondary;
    return random->OneIn(2) ? lru.MakeSharedCache() : clock.MakeSharedCache();
  }

  // A read that must answer as any other does.
  static ReadOptions DrawRead(Random64* random, const Snapshot* snapshot) {
    ReadOptions read;
    read.snapshot = snapshot;
    read.auto_prefix_mode = random->OneIn(2);
    read.total_order_seek = !read.auto_prefix_mode;
    read.verify_checksums = random->OneIn(2);
    read.fill_cache = random->OneIn(2);
    read.async_io = random->OneIn(2);
    read.adaptive_readahead = random->OneIn(2);
    read.auto_readahead_size = random->OneIn(2);
    read.allow_unprepared_value = random->OneIn(3);
    read.readahead_size = random->OneIn(3) ? 12 << 10 : 0;
    read.pin_data = random->OneIn(3);
    read.background_purge_on_iterator_cleanup = random->OneIn(2);
    read.optimize_multiget_for_io = random->OneIn(2);
    read.tailing = snapshot == nullptr && random->OneIn(3);
    read.auto_refresh_iterator_with_snapshot =
        snapshot != nullptr && random->OneIn(2);
    return read;
  }

  void RunSet(uint64_t seed, Model* model) {
    Random64 random(seed + 1);
    ModelRun run(db_.get(), seed, model);
    run.WriteEntities();
    const Snapshot* snapshot = nullptr;
    Model at_snapshot;
    for (int i = 0; i < kOperations; ++i) {
      ASSERT_OK(run.Step());
      if (random.OneIn(120)) ASSERT_OK(Flush());
      if (random.OneIn(400)) ASSERT_OK(CompactAll(random.OneIn(2)));
      if (i == kOperations / 2) {
        snapshot = db_->GetSnapshot();
        at_snapshot = *model;
      }
    }
    ASSERT_NO_FATAL_FAILURE(run.CheckOnce(*model, DrawRead(&random, nullptr)));
    ASSERT_NO_FATAL_FAILURE(
        run.CheckOnce(at_snapshot, DrawRead(&random, snapshot)));
    db_->ReleaseSnapshot(snapshot);
  }
};

TEST_P(OptionSets, EverySetReadsAsTheModelDoes) {
  for (uint64_t scale = 0; scale < TestScale(); ++scale) {
    const uint64_t database = GetParam() + scale * kDatabases;
    db_.reset();
    path_ = directory_.path() + "/" + std::to_string(database);
    Model model;
    for (uint64_t set = 0; set < kSetsEach; ++set) {
      const uint64_t seed = database * kSetsEach + set;
      SCOPED_TRACE("option set " + std::to_string(seed));
      Random64 random(seed);
      DrawOptions(&random, /*is_universal=*/database % 4 == 3);
      ASSERT_NO_FATAL_FAILURE(Reopen());
      ASSERT_NO_FATAL_FAILURE(RunSet(seed, &model));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Databases, OptionSets,
                         ::testing::Range<uint64_t>(0, kDatabases));

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

// The presets of rocksdb/options.h.
#include <gtest/gtest.h>

#include "options/db_options.h"
#include "options/sanitize.h"
#include "rocksdb/filter_policy.h"
#include "rocksdb/options.h"
#include "rocksdb/table.h"

namespace ROCKSDB_NAMESPACE {
namespace {

TEST(OptionPresetsTest, PointLookup) {
  ColumnFamilyOptions options;
  options.OptimizeForPointLookup(8);
  const auto* table =
      options.table_factory->GetOptions<BlockBasedTableOptions>();
  ASSERT_NE(nullptr, table);
  EXPECT_NE(nullptr, table->filter_policy);
  EXPECT_EQ(size_t{8} << 20, table->block_cache->GetCapacity());
  EXPECT_EQ(0.02, options.memtable_prefix_bloom_size_ratio);
}

TEST(OptionPresetsTest, LevelStyle) {
  ColumnFamilyOptions options;
  options.OptimizeLevelStyleCompaction(uint64_t{64} << 20);
  EXPECT_EQ(size_t{16} << 20, options.write_buffer_size);
  EXPECT_EQ(uint64_t{64} << 20, options.max_bytes_for_level_base);
  ASSERT_EQ(7u, options.compression_per_level.size());
  EXPECT_EQ(kNoCompression, options.compression_per_level[1]);
}

TEST(OptionPresetsTest, BulkLoad) {
  Options options;
  options.PrepareForBulkLoad();
  EXPECT_TRUE(options.disable_auto_compactions);
  EXPECT_EQ(2, options.num_levels);
  // Sanitising leaves the far triggers as they are.
  const auto cf =
      SanitizeColumnFamilyOptions(ImmutableDBOptions(options), options);
  EXPECT_EQ(1 << 30, cf.level0_stop_writes_trigger);
}

TEST(OptionPresetsTest, SmallDatabaseSharesOneCache) {
  Options options;
  options.OptimizeForSmallDb();
  EXPECT_EQ(size_t{2} << 20, options.write_buffer_size);
  const auto* table =
      options.table_factory->GetOptions<BlockBasedTableOptions>();
  ASSERT_NE(nullptr, table);
  EXPECT_NE(nullptr, table->block_cache);
  EXPECT_NE(nullptr, options.write_buffer_manager);
}

TEST(OptionPresetsTest, FewerChecks) {
  Options options;
  options.DisableExtraChecks();
  EXPECT_FALSE(options.force_consistency_checks);
  EXPECT_FALSE(options.flush_verify_memtable_count);
  EXPECT_FALSE(options.compaction_verify_record_count);
  EXPECT_TRUE(options.paranoid_checks);
}

TEST(OptionPresetsTest, OldDefaults) {
  Options options;
  options.OldDefaults(4, 6);
  EXPECT_EQ(size_t{4} << 20, options.write_buffer_size);
  EXPECT_EQ(WALRecoveryMode::kTolerateCorruptedTailRecords,
            options.wal_recovery_mode);
  EXPECT_FALSE(options.level_compaction_dynamic_level_bytes);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

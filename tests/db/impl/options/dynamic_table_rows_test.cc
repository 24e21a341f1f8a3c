// The dynamic options of table files are in force once they are set: the cases
// of dynamic_family_rows.h for them.
#include <gtest/gtest.h>

#include <algorithm>

#include "options/enum_names.h"
#include "rocksdb/advanced_cache.h"
#include "rocksdb/advanced_compression.h"
#include "tests/db/impl/options/dynamic_family_rows.h"
#include "util/compression.h"

namespace ROCKSDB_NAMESPACE {

using Rows = DynamicFamilyRows;

namespace {

// A codec that this build has, and that is not the one of the fixture.
CompressionType CodecOfBuild() {
  for (const CompressionType type :
       {kLZ4Compression, kSnappyCompression, kZSTD, kZlibCompression}) {
    if (CompressionTypeSupported(type)) return type;
  }
  return kNoCompression;
}

std::string NameOfCodec() { return std::string(NameOfEnum(CodecOfBuild())); }

// The fixture's values are runs of one letter.
bool IsCompressed(const TableProperties& table) {
  return table.data_size < table.raw_value_size / 2;
}

int DataBlocksIn(Cache* cache) {
  int count = 0;
  cache->ApplyToAllEntries(
      [&count](const Slice&, Cache::ObjectPtr, size_t,
               const Cache::CacheItemHelper* helper) {
        if (helper != nullptr && helper->role == CacheEntryRole::kDataBlock) {
          ++count;
        }
      },
      Cache::ApplyToAllEntriesOptions());
  return count;
}

// Counts the tables for which it was asked for a compressor.
class CountingManager final : public CompressionManagerWrapper {
 public:
  CountingManager()
      : CompressionManagerWrapper(GetBuiltinV2CompressionManager()) {}
  const char* Name() const override { return "CountingManager"; }
  std::unique_ptr<Compressor> GetCompressorForSST(
      const FilterBuildingContext& context, const CompressionOptions& options,
      CompressionType preferred) override {
    ++asked;
    return CompressionManagerWrapper::GetCompressorForSST(context, options,
                                                          preferred);
  }

  std::atomic<int> asked{0};
};

}  // namespace

void Rows::compression() {
  Open();
  EXPECT_FALSE(IsCompressed(*Flushed()));
  Set("compression", NameOfCodec());
  EXPECT_TRUE(IsCompressed(*Flushed()));
}

void Rows::bottommost_compression() {
  Open();
  EXPECT_FALSE(IsCompressed(*Compacted()));
  Set("bottommost_compression", NameOfCodec());
  EXPECT_TRUE(IsCompressed(*Compacted()));
}

void Rows::compression_per_level() {
  Open();
  Set("compression_per_level", NameOfCodec() + ":kNoCompression");
  EXPECT_TRUE(IsCompressed(*Flushed()));
  EXPECT_FALSE(IsCompressed(*Compacted()));
}

void Rows::compression_opts() {
  options_.compression = CodecOfBuild();
  Open();
  Set("compression_opts", "{level=7}");
  EXPECT_NE(Flushed()->compression_options.find("level=7"), std::string::npos);
}

void Rows::bottommost_compression_opts() {
  options_.bottommost_compression = CodecOfBuild();
  Open();
  EXPECT_EQ(Compacted()->compression_options.find("level=7"),
            std::string::npos);
  Set("bottommost_compression_opts", "{level=7;enabled=true}");
  EXPECT_NE(Compacted()->compression_options.find("level=7"),
            std::string::npos);
}

void Rows::compression_manager() {
  const auto manager = std::make_shared<CountingManager>();
  options_.compression = CodecOfBuild();
  options_.compression_manager = manager;
  Open();
  Flushed();
  EXPECT_EQ(manager->asked, 1);
  Set("compression_manager", "BuiltinV2");
  Flushed();
  EXPECT_EQ(manager->asked, 1);
}

void Rows::prefix_extractor() {
  Open();
  Set("prefix_extractor", "rocksdb.FixedPrefix.3");
  EXPECT_EQ(Flushed()->prefix_extractor_name, "rocksdb.FixedPrefix.3");
}

void Rows::table_factory() {
  Open();
  const uint64_t before = Flushed()->num_data_blocks;
  Set("table_factory", "{block_size=256}");
  EXPECT_GT(Flushed()->num_data_blocks, 2 * before);
}

void Rows::uncache_aggressiveness() {
  Open();
  for (const bool is_set : {false, true}) {
    if (is_set) Set("uncache_aggressiveness", "1000");
    WriteFile(1, 1, 100);
    for (int i = 0; i < 100; ++i) ASSERT_EQ(Get(Key(i)), Value(i, 1));
    const int before = DataBlocksIn(table_.block_cache.get());
    ASSERT_GT(before, 10);
    ASSERT_OK(CompactAll(/*force=*/true));
    AwaitPurge();
    if (is_set) {
      EXPECT_EQ(DataBlocksIn(table_.block_cache.get()), 0);
    } else {
      EXPECT_EQ(DataBlocksIn(table_.block_cache.get()), before);
      table_.block_cache->EraseUnRefEntries();
    }
  }
}

void Rows::target_file_size_base() {
  Open();
  WriteFile(1);
  ASSERT_OK(CompactAll(/*force=*/true));
  EXPECT_GT(Tables().size(), 2u);
  Set("target_file_size_base", "8388608");
  ASSERT_OK(CompactAll(/*force=*/true));
  EXPECT_EQ(Tables().size(), 1u);
}

void Rows::target_file_size_multiplier() {
  Open();
  WriteFile(1);
  ASSERT_OK(CompactTo(0, 2));
  ASSERT_GT(FilesAt(2), 2);
  Set("target_file_size_multiplier", "100");
  ASSERT_OK(CompactAll(/*force=*/true));
  EXPECT_EQ(FilesAt(2), 1);
}

void Rows::target_file_size_is_upper_bound() {
  Open();
  const auto largest = [this] {
    EXPECT_OK(CompactAll(/*force=*/true));
    uint64_t bytes = 0;
    for (const LiveFileMetaData& table : Tables()) {
      bytes = std::max<uint64_t>(bytes, table.size);
    }
    return bytes;
  };
  WriteFile(1, 1, 5000);
  EXPECT_GT(largest(), options_.target_file_size_base);
  Set("target_file_size_is_upper_bound", "true");
  EXPECT_LE(largest(), options_.target_file_size_base);
}

void Rows::sample_for_compression() {
  Open();
  EXPECT_EQ(Flushed()->fast_compression_estimated_data_size, 0u);
  Set("sample_for_compression", "2");
  const auto table = Flushed();
  EXPECT_EQ(table->fast_compression_estimated_data_size +
                    table->slow_compression_estimated_data_size >
                0,
            CodecOfBuild() != kNoCompression);
}

void Rows::last_level_temperature() {
  Open();
  WriteFile(1, 1, 10);
  ASSERT_OK(CompactTo(0, 2));
  EXPECT_EQ(NewestTemperature(), Temperature::kUnknown);
  Set("last_level_temperature", "kCold");
  WriteFile(2, 1, 10);
  ASSERT_OK(CompactTree());
  EXPECT_EQ(NewestTemperature(), Temperature::kCold);
}

void Rows::default_write_temperature() {
  Open();
  Set("default_write_temperature", "kWarm");
  WriteFile(1, 1, 10);
  EXPECT_EQ(NewestTemperature(), Temperature::kWarm);
}

void Rows::block_protection_bytes_per_key() {
  Open();
  Set("block_protection_bytes_per_key", "4");
  ASSERT_OK(Put("key", "value"));
  ASSERT_OK(Flush());
  Damage("key");
  EXPECT_TRUE(IsCorrupt("key"));
}

// What was written is read once more.
void Rows::paranoid_file_checks() {
  Open();
  const auto flush = [this] { WriteFile(1); };
  const uint64_t before = BytesReadBy(flush);
  Set("paranoid_file_checks", "true");
  EXPECT_GT(BytesReadBy(flush), before + 100'000);
}

void Rows::verify_output_flags() {
  Open();
  WriteFile(1);
  ASSERT_OK(CompactAll(/*force=*/true));
  const auto rewrite = [this] { ASSERT_OK(CompactAll(/*force=*/true)); };
  const uint64_t before = BytesReadBy(rewrite);
  // Checksums of blocks, of local compactions.
  Set("verify_output_flags", "1025");
  EXPECT_GT(BytesReadBy(rewrite), before + 100'000);
}

void Rows::report_bg_io_stats() {
  Open();
  const auto written_in = [this] {
    jobs_->Take();
    Compacted();
    uint64_t nanos = 0;
    for (const CompactionJobInfo& job : jobs_->Take()) {
      nanos += job.stats.file_write_nanos;
    }
    return nanos;
  };
  EXPECT_EQ(written_in(), 0u);
  Set("report_bg_io_stats", "true");
  EXPECT_GT(written_in(), 0u);
}

void Rows::preserve_internal_time_seconds() {
  Open();
  EXPECT_TRUE(Flushed()->seqno_to_time_mapping.empty());
  Set("preserve_internal_time_seconds", "1000");
  EXPECT_FALSE(Flushed()->seqno_to_time_mapping.empty());
}

// What is young stays above the last level.
void Rows::preclude_last_level_data_seconds() {
  options_.compaction_style = kCompactionStyleUniversal;
  Open();
  WriteFile(1, 1, 10);
  ASSERT_OK(CompactAll());
  EXPECT_EQ(FilesAt(2), 1);
  Set("preclude_last_level_data_seconds", "1000");
  WriteFile(2, 1, 10);
  ASSERT_OK(CompactAll());
  EXPECT_EQ(FilesAt(1), 1);
}

}  // namespace ROCKSDB_NAMESPACE

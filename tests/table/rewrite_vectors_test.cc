// The files that accompany the format's specification, written again: where the
// format leaves no freedom, ours have the same bytes up to the properties.
//
// Trailers are left out of the comparison: from version 6 on they depend on a
// number that differs from file to file.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

#include "rocksdb/comparator.h"
#include "rocksdb/filter_policy.h"
#include "rocksdb/slice_transform.h"
#include "table/embedded_blob_stats.h"
#include "table/index_block.h"
#include "table/metaindex.h"
#include "table/properties_block.h"
#include "tests/table/table_fixture.h"
#include "util/value/wide_columns_coding.h"

namespace ROCKSDB_NAMESPACE {
namespace {

namespace fs = std::filesystem;
using Table = BlockBasedTableOptions;

fs::path VectorFolder() {
  const char* chosen = getenv("BASALT_SPEC_DIR");
  const fs::path spec = chosen != nullptr
                            ? fs::path(chosen)
                            : fs::path(BASALT_SOURCE_DIR) / "../shared/spec";
  return spec / "vectors/sst";
}

std::string ReadWhole(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::stringstream bytes;
  bytes << in.rdbuf();
  return bytes.str();
}

// What comes before the properties, with zeros for the trailers.
class Head {
 public:
  // `records` have trailers too, and no index tells of them.
  Head(const std::string& file, std::vector<BlockHandle> records)
      : bytes_(file), blocks_(std::move(records)) {
    Footer footer;
    EXPECT_TRUE(
        footer
            .DecodeFrom(Slice(file.data() + file.size() - Footer::kBytes,
                              Footer::kBytes),
                        file.size(), "vector")
            .ok());
    Metaindex metaindex;
    EXPECT_EQ(metaindex.Decode(At(footer.metaindex)), nullptr);
    const BlockHandle* properties = metaindex.Find(kPropertiesBlock);
    EXPECT_EQ(DecodeProperties(At(*properties), properties->offset, &p_),
              nullptr);
    encoding_.has_user_keys = p_.index_key_is_user_key != 0;
    encoding_.has_delta_values = p_.index_value_is_delta_encoded != 0;
    BlockHandle index = footer.index;
    for (const auto& [name, handle] : metaindex.blocks()) {
      if (name == kPropertiesBlock) continue;
      if (name == kIndexBlock) {
        index = handle;
      } else {
        blocks_.push_back(handle);
      }
      if (Slice(name).starts_with(kPartitionedFilterPrefix)) Walk(handle, 1);
    }
    const uint32_t type = CollectedFixed32(
        p_, BlockBasedTablePropertyNames::kIndexType, Table::kBinarySearch);
    encoding_.has_first_keys = type == Table::kBinarySearchWithFirstKey;
    blocks_.push_back(index);
    Walk(index, type == Table::kTwoLevelIndexSearch ? 2 : 1);
    bytes_.resize(properties->offset);
    for (const BlockHandle& block : blocks_) {
      const uint64_t end = block.offset + block.size;
      if (end + kBlockTrailerBytes > bytes_.size()) continue;
      bytes_.replace(end, kBlockTrailerBytes, kBlockTrailerBytes, '\0');
    }
  }

  const std::string& bytes() const { return bytes_; }
  const TableProperties& properties() const { return p_; }

 private:
  Slice At(const BlockHandle& handle) const {
    return Slice(bytes_.data() + handle.offset, handle.size);
  }
  void Walk(const BlockHandle& handle, int levels) {
    IndexBlock index(encoding_);
    EXPECT_EQ(index.Append(At(handle)), nullptr);
    for (size_t i = 0; i < index.size(); ++i) {
      blocks_.push_back(index.handle(i));
      if (levels > 1) Walk(index.handle(i), levels - 1);
    }
  }

  std::string bytes_;
  TableProperties p_;
  IndexEncoding encoding_;
  std::vector<BlockHandle> blocks_;
};

std::vector<TableEntry> Fruit() {
  return {{"apple", "red", 1}, {"apply", "green", 2}, {"banana", "yellow", 3}};
}

std::vector<TableEntry> Small(size_t count) {
  std::vector<TableEntry> entries = NumberedEntries(count);
  for (TableEntry& e : entries) e.value = "v";
  return entries;
}

std::vector<TableEntry> Reversed(size_t count) {
  std::vector<TableEntry> entries = NumberedEntries(count);
  std::reverse(entries.begin(), entries.end());
  return entries;
}

struct Rewrite {
  const char* name;
  std::vector<TableEntry> entries;
  std::function<void(TableFixture*)> prepare;
  std::vector<BlockHandle> records = {};
};

void Partition(TableFixture* f, bool is_decoupled, int restarts) {
  f->table.block_size = 128;
  f->table.metadata_block_size = 128;
  f->table.index_type = Table::kTwoLevelIndexSearch;
  f->table.partition_filters = true;
  f->table.decouple_partitioned_filters = is_decoupled;
  f->table.index_block_restart_interval = restarts;
  f->table.filter_policy.reset(NewBloomFilterPolicy(10));
}

void Prefix(TableFixture* f, size_t n) {
  f->family.prefix_extractor.reset(NewFixedPrefixTransform(n));
}

std::vector<Rewrite> IndexRewrites() {
  return {
      {"r783_v5_multi_block", NumberedEntries(40),
       [](TableFixture* f) {
         f->table.block_size = 128;
         f->table.block_restart_interval = 4;
         f->table.index_block_restart_interval = 4;
       }},
      {"r783_v5_noshort", NumberedEntries(20),
       [](TableFixture* f) {
         f->table.block_size = 128;
         f->table.index_shortening = Table::IndexShorteningMode::kNoShortening;
       }},
      {"r783_v5_shortsucc", NumberedEntries(20),
       [](TableFixture* f) {
         f->table.block_size = 128;
         f->table.index_shortening =
             Table::IndexShorteningMode::kShortenSeparatorsAndSuccessor;
       }},
      {"r783_v5_revcmp", Reversed(20),
       [](TableFixture* f) {
         f->table.block_size = 128;
         f->family.comparator = ReverseBytewiseComparator();
       }},
      {"r783_v5_first_key", NumberedEntries(20),
       [](TableFixture* f) {
         f->table.block_size = 128;
         f->table.index_block_restart_interval = 4;
         f->table.index_type = Table::kBinarySearchWithFirstKey;
       }},
      {"r783_v5_hash_index", NumberedEntries(30),
       [](TableFixture* f) {
         f->table.block_size = 128;
         f->table.index_type = Table::kHashSearch;
         Prefix(f, 6);
       }},
      {"r119_v7_uniform_index", NumberedEntries(40),
       [](TableFixture* f) {
         f->table.block_size = 128;
         f->table.uniform_cv_threshold = 10;
       }},
      {"r783_v5_partitioned", NumberedEntries(120),
       [](TableFixture* f) { Partition(f, false, 1); }},
      {"r119_v7_partitioned", NumberedEntries(120),
       [](TableFixture* f) { Partition(f, true, 4); }},
      {"r119_v7_partitioned_prefix", NumberedEntries(120),
       [](TableFixture* f) {
         Partition(f, true, 1);
         Prefix(f, 7);
       }},
      {"r119_v7_partitioned_coupled_prefix", NumberedEntries(120),
       [](TableFixture* f) {
         Partition(f, false, 1);
         Prefix(f, 7);
       }},
  };
}

std::vector<Rewrite> BlockRewrites() {
  return {
      {"r783_v5_block_align", NumberedEntries(20),
       [](TableFixture* f) {
         f->table.block_size = 128;
         f->table.block_align = true;
       }},
      {"r119_v7_superblock", NumberedEntries(40),
       [](TableFixture* f) {
         f->table.block_size = 128;
         f->table.super_block_alignment_size = 512;
         f->table.super_block_alignment_space_overhead_ratio = 4;
         f->table.index_block_restart_interval = 8;
       }},
      {"r783_v5_data_hash", NumberedEntries(20),
       [](TableFixture* f) {
         f->table.block_restart_interval = 4;
         f->table.data_block_index_type = Table::kDataBlockBinaryAndHash;
       }},
      {"r119_v7_sepkv", NumberedEntries(10),
       [](TableFixture* f) {
         f->table.block_restart_interval = 4;
         f->table.separate_key_value_in_data_block = true;
       }},
      {"r119_v7_sepkv_hash", NumberedEntries(10),
       [](TableFixture* f) {
         f->table.block_restart_interval = 4;
         f->table.separate_key_value_in_data_block = true;
         f->table.data_block_index_type = Table::kDataBlockBinaryAndHash;
       }},
  };
}

std::vector<Rewrite> TimestampRewrites() {
  const std::string zeros(8, '\0');
  return {{"r119_v7_udt_stripped",
           {{"k1" + zeros, "a", 1},
            {"k2" + zeros, "c", 2},
            {"k3" + zeros, "", 3, kTypeDeletionWithTimestamp}},
           [](TableFixture* f) {
             f->family.comparator = BytewiseComparatorWithU64Ts();
             f->family.persist_user_defined_timestamps = false;
           }}};
}

std::vector<Rewrite> FilterRewrites() {
  const auto bloom = [](double bits) {
    return [bits](TableFixture* f) {
      f->table.filter_policy.reset(NewBloomFilterPolicy(bits));
    };
  };
  return {
      {"r783_v5_xxh3_bloom10", Fruit(), bloom(10)},
      {"r119_v7_default", Fruit(), bloom(10)},
      {"r783_v5_bloom15_5", Small(200), bloom(15.5)},
      {"r783_v4_bloom_legacy", Small(200), bloom(10)},
      {"r783_v5_prefix_bloom", Fruit(),
       [](TableFixture* f) {
         f->table.filter_policy.reset(NewBloomFilterPolicy(10));
         Prefix(f, 3);
       }},
      {"r783_v5_ribbon10", Small(200),
       [](TableFixture* f) {
         f->table.filter_policy.reset(NewRibbonFilterPolicy(10, -1));
       }},
  };
}

void CheckRewrite(const Rewrite& rewrite) {
  SCOPED_TRACE(rewrite.name);
  const std::string theirs =
      ReadWhole(VectorFolder() / (std::string(rewrite.name) + ".sst"));
  TableFixture fixture;
  fixture.table.optimize_filters_for_memory = false;
  fixture.table.format_version =
      static_cast<uint32_t>(*(strchr(rewrite.name, '_') + 2) - '0');
  rewrite.prepare(&fixture);
  const Head expected(theirs, rewrite.records);
  const Head ours(fixture.Build(rewrite.entries), rewrite.records);
  EXPECT_EQ(Slice(ours.bytes()).ToString(true),
            Slice(expected.bytes()).ToString(true));
  const TableProperties& p = expected.properties();
  const TableProperties& q = ours.properties();
  EXPECT_EQ(p.index_size, q.index_size);
  EXPECT_EQ(p.index_partitions, q.index_partitions);
  EXPECT_EQ(p.top_level_index_size, q.top_level_index_size);
  EXPECT_EQ(p.num_uniform_blocks, q.num_uniform_blocks);
  EXPECT_EQ(p.filter_size, q.filter_size);
  EXPECT_EQ(p.num_filter_entries, q.num_filter_entries);
  EXPECT_EQ(p.data_size, q.data_size);
  EXPECT_EQ(p.raw_key_size, q.raw_key_size);
  EXPECT_EQ(p.raw_value_size, q.raw_value_size);
  EXPECT_EQ(p.index_value_is_delta_encoded, q.index_value_is_delta_encoded);
  const auto blobs = [](const TableProperties& of) {
    const UserCollectedProperties& own = of.user_collected_properties;
    const auto at = own.find(kEmbeddedBlobStatsProperty);
    return at != own.end() ? at->second : "none";
  };
  EXPECT_EQ(blobs(p), blobs(q));
  EXPECT_EQ(p.num_data_blocks, q.num_data_blocks);
  EXPECT_EQ(p.separate_key_value_in_data_block,
            q.separate_key_value_in_data_block);
  EXPECT_EQ(
      p.user_collected_properties.at(BlockBasedTablePropertyNames::kIndexType),
      q.user_collected_properties.at(BlockBasedTablePropertyNames::kIndexType));
}

void CheckAll(const std::vector<Rewrite>& rewrites) {
  if (!fs::exists(VectorFolder())) GTEST_SKIP() << "no " << VectorFolder();
  for (const Rewrite& rewrite : rewrites) CheckRewrite(rewrite);
}

TEST(RewriteVectors, Indexes) { CheckAll(IndexRewrites()); }

TEST(RewriteVectors, DataBlocks) { CheckAll(BlockRewrites()); }

TEST(RewriteVectors, Timestamps) { CheckAll(TimestampRewrites()); }

std::vector<Rewrite> EmbeddedRewrites() {
  std::string entity;
  EXPECT_TRUE(
      EncodeWideColumns(
          {{"", "dflt"}, {"c1", "AAAAAAAAAAAAAAAAAAAAAAAA"}, {"c2", "v2"}},
          &entity)
          .ok());
  return {{"r119_v7_embedded_blob",
           {{"big", "0123456789abcdef0123456789abcdef", 0},
            {"ent", entity, 0, kTypeWideColumnEntity},
            {"small", "x", 0}},
           [](TableFixture* f) { f->min_embedded_bytes = 20; },
           {{.offset = 0, .size = 32}, {.offset = 37, .size = 24}}}};
}

TEST(RewriteVectors, EmbeddedBlobs) { CheckAll(EmbeddedRewrites()); }

TEST(RewriteVectors, Filters) { CheckAll(FilterRewrites()); }

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

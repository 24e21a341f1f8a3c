// The files that accompany the format's specification, written again.
//
// Where the format leaves no freedom, ours have the same bytes up to the
// properties: data, filter and index blocks, range tombstones, padding. Their
// trailers too up to version 5; later ones depend on a number that each file
// draws for itself, and are left out of the comparison.
//
// The metaindex has the same names and handles, but for the size of the
// properties. These are the same but for times, ids, and names that are the
// database's own; releases before the newer format also lack some of them.
//
// What a codec makes of a block depends on its version and on how it is called,
// and how a dictionary is sampled is the writer's choice: of most compressed
// files the types and the expanded payloads of data blocks are compared, and
// the separators in the index.
//
// Nobody writes versions 0 and 1 any more.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "rocksdb/comparator.h"
#include "rocksdb/filter_policy.h"
#include "rocksdb/slice_transform.h"
#include "table/properties_block.h"
#include "tests/table/stored_table.h"
#include "tests/table/table_fixture.h"
#include "util/builtin_merge_operators.h"
#include "util/compression.h"
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

std::vector<TableEntry> Fruit() {
  return {{"apple", "red", 1}, {"apply", "green", 2}, {"banana", "yellow", 3}};
}

// The versions of a key fill several blocks.
std::vector<TableEntry> Versions() {
  return {{"k", "v3", 3}, {"k", "v2", 2}, {"k", "v1", 1}, {"q", "v4", 4}};
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
  // Properties that ours has other values of.
  std::set<std::string> differing = {};
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
  const auto small_blocks = [](TableFixture* f) {
    f->table.block_size = 128;
    f->table.block_restart_interval = 4;
    f->table.index_block_restart_interval = 4;
  };
  const auto tiny_blocks = [](TableFixture* f) { f->table.block_size = 16; };
  return {
      {"r783_v2_multi_block", NumberedEntries(20), small_blocks},
      {"r783_v3_multi_block", NumberedEntries(20), small_blocks},
      {"r783_v5_same_user_key_split", Versions(), tiny_blocks},
      {"r119_v7_same_user_key_split", Versions(), tiny_blocks},
      {"r783_v5_multi_block", NumberedEntries(40), small_blocks},
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

std::string Stamp(char number) { return number + std::string(7, '\0'); }

std::vector<TableEntry> Stamped() {
  return {{"k1" + Stamp(2), "b", 2},
          {"k1" + Stamp(1), "a", 1},
          {"k2" + Stamp(1), "c", 3},
          {"k3" + Stamp(2), "", 4, kTypeDeletionWithTimestamp}};
}

std::vector<Rewrite> TimestampRewrites() {
  const std::string zeros(8, '\0');
  return {{.name = "r783_v5_udt",
           .entries = Stamped(),
           .prepare =
               [](TableFixture* f) {
                 f->family.comparator = BytewiseComparatorWithU64Ts();
               },
           // It does not count deletions that have a timestamp.
           .differing = {TablePropertiesNames::kDeletedKeys}},
          {"r119_v7_udt", Stamped(),
           [](TableFixture* f) {
             f->family.comparator = BytewiseComparatorWithU64Ts();
             f->tombstones = {{"m" + Stamp(2), "p" + Stamp(2), 5}};
           }},
          {"r119_v7_udt_stripped",
           {{"k1" + zeros, "a", 1},
            {"k2" + zeros, "c", 2},
            {"k3" + zeros, "", 3, kTypeDeletionWithTimestamp}},
           [](TableFixture* f) {
             f->family.comparator = BytewiseComparatorWithU64Ts();
             f->family.persist_user_defined_timestamps = false;
           }}};
}

std::vector<Rewrite> ChecksumRewrites() {
  const auto with = [](ChecksumType type) {
    return [type](TableFixture* f) { f->table.checksum = type; };
  };
  const auto crc_and_bloom = [](TableFixture* f) {
    f->table.checksum = kCRC32c;
    f->table.filter_policy.reset(NewBloomFilterPolicy(10));
  };
  return {
      {"r783_v5_nochecksum", Fruit(), with(kNoChecksum)},
      {"r783_v5_crc32c", Fruit(), with(kCRC32c)},
      {"r783_v5_xxh32", Fruit(), with(kxxHash)},
      {"r783_v5_xxh64", Fruit(), with(kxxHash64)},
      {"r119_v7_ck0", Fruit(), with(kNoChecksum)},
      {"r119_v7_ck1", Fruit(), with(kCRC32c)},
      {"r119_v7_ck2", Fruit(), with(kxxHash)},
      {"r119_v7_ck3", Fruit(), with(kxxHash64)},
      {"r783_v2_crc32c_bloom10", Fruit(), crc_and_bloom},
      {"r783_v3_crc32c_bloom10", Fruit(), crc_and_bloom},
      {"r783_v4_crc32c_bloom10", Fruit(), crc_and_bloom},
  };
}

std::vector<TableEntry> EveryType() {
  std::string entity;
  EXPECT_TRUE(
      EncodeWideColumns({{"", "dflt"}, {"c1", "v1"}, {"c2", "v2"}}, &entity)
          .ok());
  return {{"a", "1", 1},
          {"b", "", 2, kTypeDeletion},
          {"c", "", 3, kTypeSingleDeletion},
          {"m", "op1,op2", 6, kTypeMerge},
          {"m", "base", 4},
          {"w", entity, 7, kTypeWideColumnEntity},
          {"x", "snap2", 11},
          {"x", "snap1", 10}};
}

std::vector<Rewrite> TypeRewrites() {
  return {
      {"r783_v5_types", EveryType(),
       [](TableFixture* f) {
         f->family.merge_operator = NewStringAppendOperator(",");
         f->tombstones = {{"d", "f", 8}, {"f", "g", 9}, {"g", "j", 9}};
       }},
      {"r783_v5_rangedel_only",
       {},
       [](TableFixture* f) {
         f->tombstones = {{"d", "e", 1}, {"e", "g", 2}, {"g", "k", 2}};
       }},
      // File 10, offset 65, size 32, no compression.
      {"r783_v5_blob",
       {{"big", std::string("\x01\x0a\x41\x20\x00", 5), 1, kTypeBlobIndex},
        {"small", "x", 2}},
       [](TableFixture*) {}},
      {"r119_v7_timedput",
       {{"a", "plain", 101},
        {"t", "timed" + std::string(8, '\0'), 102, kTypeValuePreferredSeqno}},
       [](TableFixture*) {}},
  };
}

std::vector<Rewrite> ExternalRewrites() {
  const std::vector<TableEntry> entries = {{"apple", "red", 0},
                                           {"apply", "green", 0},
                                           {"banana", "", 0, kTypeDeletion}};
  const auto with_tombstone = [](TableFixture* f) {
    f->is_external = true;
    f->tombstones = {{"c", "e", 0}};
  };
  return {
      {"r783_v5_external", entries, with_tombstone},
      {"r119_v7_external", entries, with_tombstone},
      {"r783_v5_global_seqno_written",
       {{"apple", "red", 0}, {"banana", "yellow", 0}},
       [](TableFixture* f) { f->is_external = true; }},
  };
}

std::vector<Rewrite> FilterRewrites() {
  const auto bloom = [](double bits) {
    return [bits](TableFixture* f) {
      f->table.filter_policy.reset(NewBloomFilterPolicy(bits));
    };
  };
  return {
      {"r783_v5_xxh3_bloom10", Fruit(), bloom(10)},
      {"r119_v6_default", Fruit(), bloom(10)},
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

using Names = TablePropertiesNames;

// Times, ids and the database's own names.
const std::set<std::string>& FreeProperties() {
  static const std::set<std::string> names = {
      Names::kDbId, Names::kDbSessionId, Names::kDbHostId,
      Names::kOriginalFileNumber, Names::kColumnFamilyId,
      Names::kColumnFamilyName, Names::kCreationTime, Names::kOldestKeyTime,
      Names::kNewestKeyTime, Names::kFileCreationTime,
      Names::kSequenceNumberTimeMapping,
      // Ingestion may write it.
      kExternalSstGlobalSeqnoProperty};
  return names;
}

// What 7.8 does not write; it also says version 0 of all files.
const std::set<std::string>& NewerProperties() {
  static const std::set<std::string> names = {
      Names::kNumUniformBlocks,
      Names::kNumDataBlocksCompressionRejected,
      Names::kNumDataBlocksCompressionBypassed,
      Names::kTailStartOffset,
      Names::kKeyLargestSeqno,
      Names::kKeySmallestSeqno,
      Names::kDataBlockRestartInterval,
      Names::kIndexBlockRestartInterval,
      BlockBasedTablePropertyNames::kDecoupledPartitionedFilters,
      Names::kFormatVersion};
  return names;
}

// A line for each property but `left_out`.
std::string PropertiesText(const StoredTable& of,
                           const std::set<std::string>& left_out) {
  std::string text;
  for (const auto& [name, value] : of.Properties()) {
    if (left_out.count(name) > 0) continue;
    text += name + " " + Slice(value).ToString(true) + "\n";
  }
  return text;
}

void CompareProperties(const Rewrite& rewrite, const StoredTable& ours,
                       const StoredTable& theirs) {
  std::set<std::string> left_out = FreeProperties();
  left_out.insert(rewrite.differing.begin(), rewrite.differing.end());
  left_out.insert(Names::kCompressionOptions);
  if (Slice(rewrite.name).starts_with("r783")) {
    left_out.insert(NewerProperties().begin(), NewerProperties().end());
  }
  EXPECT_EQ(PropertiesText(ours, left_out), PropertiesText(theirs, left_out));
  // Newer releases add to it.
  const std::string our_options =
      ours.Properties().at(Names::kCompressionOptions);
  const std::string their_options =
      theirs.Properties().at(Names::kCompressionOptions);
  EXPECT_TRUE(our_options.starts_with(their_options)) << our_options << "\n"
                                                      << their_options;
}

TableFixture FixtureOf(const Rewrite& rewrite) {
  TableFixture fixture;
  fixture.table.optimize_filters_for_memory = false;
  fixture.table.format_version =
      static_cast<uint32_t>(*(strchr(rewrite.name, '_') + 2) - '0');
  rewrite.prepare(&fixture);
  return fixture;
}

std::string VectorNamed(const char* name) {
  return ReadWhole(VectorFolder() / (std::string(name) + ".sst"));
}

void CheckRewrite(const Rewrite& rewrite) {
  SCOPED_TRACE(rewrite.name);
  TableFixture fixture = FixtureOf(rewrite);
  const StoredTable expected(VectorNamed(rewrite.name), rewrite.records);
  const StoredTable ours(fixture.Build(rewrite.entries), rewrite.records);
  EXPECT_EQ(Slice(ours.Head()).ToString(true),
            Slice(expected.Head()).ToString(true));
  EXPECT_EQ(ours.has_context_checksums(), ours.format_version() >= 6);
  EXPECT_EQ(ours.format_version(), expected.format_version());
  EXPECT_EQ(ours.checksum(), expected.checksum());
  EXPECT_EQ(ours.MetaindexText(), expected.MetaindexText());
  CompareProperties(rewrite, ours, expected);
}

void CheckAll(const std::vector<Rewrite>& rewrites) {
  if (!fs::exists(VectorFolder())) GTEST_SKIP() << "no " << VectorFolder();
  for (const Rewrite& rewrite : rewrites) CheckRewrite(rewrite);
}

TEST(RewriteVectors, Indexes) { CheckAll(IndexRewrites()); }

TEST(RewriteVectors, DataBlocks) { CheckAll(BlockRewrites()); }

TEST(RewriteVectors, Checksums) { CheckAll(ChecksumRewrites()); }

TEST(RewriteVectors, EntryTypes) { CheckAll(TypeRewrites()); }

TEST(RewriteVectors, FilesToIngest) { CheckAll(ExternalRewrites()); }

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
           [](TableFixture* f) {
             f->min_embedded_bytes = 20;
             f->is_external = true;
           },
           {{.offset = 0, .size = 32}, {.offset = 37, .size = 24}}}};
}

TEST(RewriteVectors, EmbeddedBlobs) { CheckAll(EmbeddedRewrites()); }

TEST(RewriteVectors, Filters) { CheckAll(FilterRewrites()); }

std::function<void(TableFixture*)> With(CompressionType codec) {
  return [codec](TableFixture* f) { f->compression = codec; };
}

// What these two make of a block has stayed the same.
std::vector<Rewrite> StableCodecRewrites() {
  return {
      {"r783_v5_comp_zlib", NumberedEntries(40), With(kZlibCompression)},
      {"r783_v5_comp_bzip2", NumberedEntries(40), With(kBZip2Compression)},
  };
}

TEST(RewriteVectors, CompressedFiles) {
  std::vector<Rewrite> rewrites = StableCodecRewrites();
  std::erase_if(rewrites, [](const Rewrite& rewrite) {
    return !CompressionTypeSupported(FixtureOf(rewrite).compression);
  });
  CheckAll(rewrites);
}

std::vector<Rewrite> CompressedRewrites() {
  const auto with_dictionary = [](CompressionType codec) {
    return [codec](TableFixture* f) {
      f->compression = codec;
      f->compression_options.max_dict_bytes = 512;
      f->table.block_size = 256;
    };
  };
  std::vector<TableEntry> at_the_bottom = NumberedEntries(60);
  for (TableEntry& e : at_the_bottom) e.sequence = 0;
  const std::vector<TableEntry> entries = NumberedEntries(40);
  std::vector<Rewrite> rewrites = {
      {"r783_v5_comp_snappy", entries, With(kSnappyCompression)},
      {"r783_v5_comp_lz4", entries, With(kLZ4Compression)},
      {"r783_v5_comp_lz4hc", entries, With(kLZ4HCCompression)},
      {"r783_v5_comp_zstd", entries, With(kZSTD)},
      {"r119_v7_lz4", entries, With(kLZ4Compression)},
      {"r119_v7_zstd", entries, With(kZSTD)},
      {"r783_v5_dict_zlib", at_the_bottom, with_dictionary(kZlibCompression)},
      {"r783_v5_dict_lz4", at_the_bottom, with_dictionary(kLZ4Compression)},
      {"r783_v5_dict_zstd", at_the_bottom, with_dictionary(kZSTD)},
  };
  for (Rewrite& rewrite : rewrites) {
    rewrite.differing = {Names::kDataSize, Names::kIndexSize,
                         Names::kTailStartOffset};
  }
  return rewrites;
}

TEST(RewriteVectors, AllThatCanBeWritten) {
  if (!fs::exists(VectorFolder())) GTEST_SKIP() << "no " << VectorFolder();
  std::set<std::string> names;
  for (const auto& rewrites :
       {IndexRewrites(), BlockRewrites(), ChecksumRewrites(), TypeRewrites(),
        ExternalRewrites(), TimestampRewrites(), EmbeddedRewrites(),
        FilterRewrites(), StableCodecRewrites(), CompressedRewrites()}) {
    for (const Rewrite& rewrite : rewrites) names.insert(rewrite.name);
  }
  for (const auto& entry : fs::directory_iterator(VectorFolder())) {
    const std::string name = entry.path().stem().string();
    if (entry.path().extension() != ".sst" || name.starts_with("r783_v0_") ||
        name.starts_with("r783_v1_")) {
      continue;
    }
    EXPECT_EQ(names.count(name), 1u) << name;
  }
}

TEST(RewriteVectors, CompressedBlocks) {
  if (!fs::exists(VectorFolder())) GTEST_SKIP() << "no " << VectorFolder();
  for (const Rewrite& rewrite : CompressedRewrites()) {
    SCOPED_TRACE(rewrite.name);
    TableFixture fixture = FixtureOf(rewrite);
    if (!CompressionTypeSupported(fixture.compression)) continue;
    const StoredTable expected(VectorNamed(rewrite.name), {});
    const StoredTable ours(fixture.Build(rewrite.entries), {});
    EXPECT_EQ(ours.DataBlocks(), expected.DataBlocks());
    EXPECT_EQ(ours.MetaindexNames(), expected.MetaindexNames());
    CompareProperties(rewrite, ours, expected);
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

// The small files that accompany the format's specification, written by
// RocksDB 7.8 and 11.9. They lie beside the source tree, in
// ../shared/spec/vectors/sst; where that folder is absent, the tests say so and
// pass.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>

#include "rocksdb/comparator.h"
#include "rocksdb/filter_policy.h"
#include "rocksdb/slice_transform.h"
#include "tests/table/table_fixture.h"
#include "util/value/wide_columns_coding.h"

namespace ROCKSDB_NAMESPACE {
namespace {

namespace fs = std::filesystem;

fs::path FolderOfVectors() {
  const char* chosen = getenv("BASALT_SPEC_DIR");
  const fs::path spec = chosen != nullptr
                            ? fs::path(chosen)
                            : fs::path(BASALT_SOURCE_DIR) / "../shared/spec";
  return spec / "vectors/sst";
}

std::string ReadVector(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::stringstream bytes;
  bytes << in.rdbuf();
  return bytes.str();
}

bool Contains(const std::string& text, const char* part) {
  return text.find(part) != std::string::npos;
}

// The options that a file's name calls for.
void Prepare(const std::string& name, TableFixture* fixture) {
  fixture->table.filter_policy.reset(NewBloomFilterPolicy(10));
  if (Contains(name, "revcmp")) {
    fixture->family.comparator = ReverseBytewiseComparator();
  }
  if (Contains(name, "_udt")) {
    fixture->family.comparator = BytewiseComparatorWithU64Ts();
  }
  size_t prefix = 0;
  if (Contains(name, "r783_v5_prefix_bloom")) prefix = 3;
  if (Contains(name, "hash_index")) prefix = 6;
  if (Contains(name, "partitioned") && Contains(name, "prefix")) prefix = 7;
  if (prefix != 0) {
    fixture->family.prefix_extractor.reset(NewFixedPrefixTransform(prefix));
  }
  // Ingestion gave it this number; the file has it too.
  if (Contains(name, "global_seqno_written")) fixture->largest_sequence = 3;
}

// What the README says of files with numbered keys: value and count.
struct Numbered {
  size_t count = 0;
  std::string value;  // empty: value-NNNNN-abcabcabc
  bool has_zero_sequence = false;
};
Numbered NumberedContent(const std::string& name) {
  if (Contains(name, "_v1_") && !Contains(name, "crc32c"))
    return {40, "", false};
  if (Contains(name, "_comp_") || Contains(name, "v7_lz4") ||
      Contains(name, "v7_zstd") || Contains(name, "superblock") ||
      Contains(name, "uniform") || Contains(name, "v5_multi_block")) {
    return {40, "", false};
  }
  if (Contains(name, "multi_block") || Contains(name, "block_align") ||
      Contains(name, "data_hash") || Contains(name, "first_key") ||
      Contains(name, "noshort") || Contains(name, "shortsucc")) {
    return {20, "", false};
  }
  if (Contains(name, "hash_index")) return {30, "", false};
  if (Contains(name, "partitioned")) return {120, "", false};
  if (Contains(name, "sepkv")) return {10, "", false};
  if (Contains(name, "_dict_")) return {60, "", true};
  if (Contains(name, "bloom_legacy") || Contains(name, "bloom15_5") ||
      Contains(name, "ribbon")) {
    return {200, "v", false};
  }
  return {};
}

KeyValues ExpectedOf(const Numbered& numbered) {
  std::vector<TableEntry> entries = NumberedEntries(numbered.count);
  for (TableEntry& e : entries) {
    if (!numbered.value.empty()) e.value = numbered.value;
    if (numbered.has_zero_sequence) e.sequence = 0;
  }
  return ToKeyValues(entries);
}

bool IsFruit(const std::string& name) {
  return Contains(name, "crc32c") || Contains(name, "_ck") ||
         Contains(name, "default") || Contains(name, "nochecksum") ||
         Contains(name, "xxh") || Contains(name, "prefix_bloom");
}

void CheckVector(const fs::path& path) {
  const std::string name = path.filename().string();
  SCOPED_TRACE(name);
  const std::string bytes = ReadVector(path);
  TableFixture fixture;
  Prepare(name, &fixture);
  std::unique_ptr<TableReader> reader;
  Status s = fixture.Open(bytes, &reader);
  ASSERT_TRUE(s.ok()) << s.ToString();
  s = reader->VerifyChecksum(ReadOptions(), nullptr);
  EXPECT_TRUE(s.ok()) << s.ToString();

  const ReadOptions read;
  auto iterator = reader->NewIterator({.read_options = &read});
  const KeyValues content = ScanForward(iterator.get());
  ASSERT_TRUE(iterator->status().ok()) << iterator->status().ToString();
  EXPECT_EQ(ScanBackward(iterator.get()), content);
  std::unique_ptr<InternalIterator> bulk;
  ASSERT_TRUE(reader
                  ->NewBulkIterator({.read_options = &read},
                                    fixture.Stream(bytes), &bulk)
                  .ok());
  EXPECT_EQ(ScanForward(bulk.get()), content);
  EXPECT_TRUE(bulk->status().ok());
  const auto p = reader->properties();
  EXPECT_EQ(content.size() + p->num_range_deletions, p->num_entries);

  const Numbered numbered = NumberedContent(name);
  if (numbered.count != 0) {
    KeyValues expected = ExpectedOf(numbered);
    EXPECT_EQ(content, expected);
  } else if (IsFruit(name)) {
    EXPECT_EQ(content, ToKeyValues({{"apple", "red", 1},
                                    {"apply", "green", 2},
                                    {"banana", "yellow", 3}}));
  }
  for (const auto& [key, value] : content) {
    iterator->Seek(key);
    ASSERT_TRUE(iterator->Valid());
    EXPECT_EQ(iterator->key(), Slice(key));
    iterator->SeekForPrev(key);
    ASSERT_TRUE(iterator->Valid());
    EXPECT_EQ(iterator->key(), Slice(key));
    if (ExtractType(key) == kTypeValue) {
      EXPECT_EQ(fixture.Get(*reader, ExtractUserKey(key).ToString(),
                            ExtractSequence(key)),
                "=" + value);
    }
  }
}

TEST(Vectors, EveryFileIsRead) {
  if (!fs::exists(FolderOfVectors())) {
    GTEST_SKIP() << "no " << FolderOfVectors();
  }
  size_t files = 0;
  for (const auto& entry : fs::directory_iterator(FolderOfVectors())) {
    if (entry.path().extension() != ".sst") continue;
    CheckVector(entry.path());
    ++files;
  }
  EXPECT_GT(files, 60u);
}

struct Opened {
  TableFixture fixture;
  std::unique_ptr<TableReader> reader;

  explicit Opened(const std::string& name) {
    Prepare(name, &fixture);
    const Status s =
        fixture.Open(ReadVector(FolderOfVectors() / (name + ".sst")), &reader);
    EXPECT_TRUE(s.ok()) << s.ToString();
  }
  KeyValues Content() const {
    const ReadOptions read;
    const auto iterator = reader->NewIterator({.read_options = &read});
    return ScanForward(iterator.get());
  }
};

#define SKIP_WITHOUT_VECTORS() \
  if (!fs::exists(FolderOfVectors())) GTEST_SKIP() << "no " << FolderOfVectors()

TEST(Vectors, RangeTombstones) {
  SKIP_WITHOUT_VECTORS();
  const Opened types("r783_v5_types");
  ASSERT_EQ(types.reader->range_tombstones()->size(), 3u);
  EXPECT_EQ(types.reader->range_tombstones()->MaxCovering("f", 100), 9u);
  EXPECT_EQ(types.reader->range_tombstones()->MaxCovering("d", 100), 8u);
  EXPECT_EQ(types.reader->range_tombstones()->MaxCovering("j", 100), 0u);
  const Opened only("r783_v5_rangedel_only");
  EXPECT_TRUE(only.Content().empty());
  EXPECT_EQ(only.reader->range_tombstones()->MaxCovering("f", 100), 2u);
  EXPECT_EQ(only.reader->properties()->num_range_deletions, 3u);
}

TEST(Vectors, GlobalSequenceNumber) {
  SKIP_WITHOUT_VECTORS();
  const Opened written("r783_v5_global_seqno_written");
  EXPECT_EQ(written.Content(),
            ToKeyValues({{"apple", "red", 3}, {"banana", "yellow", 3}}));
  TableFixture contradicting;
  contradicting.largest_sequence = 4;
  std::unique_ptr<TableReader> reader;
  EXPECT_TRUE(contradicting
                  .Open(ReadVector(FolderOfVectors() /
                                   "r783_v5_global_seqno_written.sst"),
                        &reader)
                  .IsCorruption());
}

TEST(Vectors, RangeTombstonesWithTimestamps) {
  SKIP_WITHOUT_VECTORS();
  const Opened opened("r119_v7_udt");
  const FragmentedTombstones& tombstones = *opened.reader->range_tombstones();
  ASSERT_EQ(tombstones.size(), 1u);
  const std::string two = "\x02" + std::string(7, '\0');
  const std::string one = "\x01" + std::string(7, '\0');
  EXPECT_EQ(tombstones.at(0).timestamp(0), two);
  EXPECT_EQ(tombstones.MaxCovering("n" + two, {100, two}), 5u);
  EXPECT_EQ(tombstones.MaxCovering("n" + one, {100, two}), 5u);
  EXPECT_EQ(tombstones.MaxCovering("n" + one, {100, one}), 0u);
  EXPECT_EQ(tombstones.MaxCovering("p" + two, {100, two}), 0u);
}

TEST(Vectors, TimestampsThatWereLeftOutComeBack) {
  SKIP_WITHOUT_VECTORS();
  const Opened stripped("r119_v7_udt_stripped");
  const std::string zeros(8, '\0');
  EXPECT_EQ(stripped.Content(),
            ToKeyValues({{"k1" + zeros, "a", 1},
                         {"k2" + zeros, "c", 2},
                         {"k3" + zeros, "", 3, kTypeDeletionWithTimestamp}}));
}

// Values beside the data blocks are shown as if they were inside.
TEST(Vectors, EmbeddedBlobs) {
  SKIP_WITHOUT_VECTORS();
  Opened opened("r119_v7_embedded_blob");
  const std::string big = "0123456789abcdef0123456789abcdef";
  const std::string column(24, 'A');
  std::string entity;
  ASSERT_TRUE(
      EncodeWideColumns({{"", "dflt"}, {"c1", column}, {"c2", "v2"}}, &entity)
          .ok());
  EXPECT_EQ(opened.Content(),
            ToKeyValues({{"big", big, 0},
                         {"ent", entity, 0, kTypeWideColumnEntity},
                         {"small", "x", 0}}));
  const TableReader& reader = *opened.reader;
  EXPECT_EQ(opened.fixture.Get(reader, "big"), "=" + big);
  EXPECT_EQ(opened.fixture.Get(reader, "ent"), "=dflt");
  EXPECT_EQ(opened.fixture.Get(reader, "small"), "=x");
  ReadOptions in_memory;
  in_memory.read_tier = kBlockCacheTier;
  const auto it = reader.NewIterator({.read_options = &in_memory});
  it->SeekToFirst();
  EXPECT_TRUE(it->status().IsIncomplete()) << it->status().ToString();

  // Every byte of the two records, one after the other.
  const std::string good =
      ReadVector(FolderOfVectors() / "r119_v7_embedded_blob.sst");
  for (size_t i = 0; i < 66; ++i) {
    std::string bad = good;
    bad[i] = static_cast<char>(bad[i] ^ 0x40);
    TableFixture fixture;
    Prepare("r119_v7_embedded_blob", &fixture);
    std::unique_ptr<TableReader> damaged;
    ASSERT_TRUE(fixture.Open(bad, &damaged).ok());
    EXPECT_TRUE(damaged->VerifyChecksum(ReadOptions(), nullptr).IsCorruption())
        << i;
    EXPECT_EQ(fixture.Get(*damaged, "small"), "=x");
    EXPECT_EQ(fixture.Get(*damaged, "big") == "=" + big, i >= 37) << i;
    EXPECT_EQ(fixture.Get(*damaged, "ent") == "=dflt", i < 37) << i;
  }
}

TEST(Vectors, FiltersExcludeAbsentKeys) {
  SKIP_WITHOUT_VECTORS();
  for (const char* name :
       {"r783_v5_ribbon10", "r783_v4_bloom_legacy", "r783_v5_bloom15_5",
        "r783_v5_partitioned", "r119_v7_partitioned"}) {
    SCOPED_TRACE(name);
    Opened file(name);
    const auto statistics = CreateDBStatistics();
    file.fixture.db.statistics = statistics;
    std::unique_ptr<TableReader> reader;
    ASSERT_TRUE(
        file.fixture
            .Open(ReadVector(FolderOfVectors() / (std::string(name) + ".sst")),
                  &reader)
            .ok());
    for (int i = 0; i < 1000; ++i) {
      EXPECT_EQ(file.fixture.Get(*reader, "key000" + std::to_string(i) + "x"),
                "none");
    }
    EXPECT_GT(statistics->getTickerCount(BLOOM_FILTER_USEFUL), 900u);
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

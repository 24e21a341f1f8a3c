// Table properties are stored and read back as the format says, and arbitrary
// bytes do no harm.
#include "table/properties_block.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "rocksdb/convenience.h"
#include "rocksdb/table.h"
#include "rocksdb/unique_id.h"
#include "table/block_builder.h"
#include "table/unique_id.h"
#include "util/coding.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {
namespace {

TableProperties SomeProperties() {
  TableProperties p;
  p.orig_file_number = 9;
  p.data_size = 1234567;
  p.num_entries = 300;
  p.num_deletions = 2;
  p.index_partitions = 3;
  p.key_largest_seqno = 77;
  p.column_family_name = "default";
  p.comparator_name = "leveldb.BytewiseComparator";
  p.compression_name = "BuiltinV2;07;";
  p.db_id = "faa7a530-9e8f-4116-8439-3195a5c928ab";
  p.db_session_id = "NVX5J2V5R5ORAM6WHLQV";
  p.user_collected_properties["my.own"] = std::string("\0\1\2", 3);
  return p;
}

TEST(PropertiesBlock, RoundTrip) {
  const TableProperties written = SomeProperties();
  TableProperties read;
  ASSERT_EQ(DecodeProperties(EncodeProperties(written), 0, &read), nullptr);
  EXPECT_EQ(read.orig_file_number, 9u);
  EXPECT_EQ(read.data_size, 1234567u);
  EXPECT_EQ(read.num_entries, 300u);
  EXPECT_EQ(read.num_deletions, 2u);
  EXPECT_EQ(read.index_partitions, 3u);
  EXPECT_EQ(read.key_largest_seqno, 77u);
  EXPECT_EQ(read.key_smallest_seqno, UINT64_MAX);  // unknown
  EXPECT_EQ(read.user_defined_timestamps_persisted, 1u);
  EXPECT_EQ(read.column_family_name, "default");
  EXPECT_EQ(read.compression_name, "BuiltinV2;07;");
  EXPECT_EQ(read.user_collected_properties["my.own"], std::string("\0\1\2", 3));
  EXPECT_EQ(GetDeletedKeys(read.user_collected_properties), 2u);
}

TEST(PropertiesBlock, TheGlobalSequenceNumberIsLocated) {
  TableProperties written = SomeProperties();
  std::string number;
  PutFixed64(&number, 0x1122334455667788);
  written.user_collected_properties[kExternalSstGlobalSeqnoProperty] = number;
  const std::string payload = EncodeProperties(written);
  TableProperties read;
  ASSERT_EQ(DecodeProperties(payload, 1000, &read), nullptr);
  const uint64_t at = read.external_sst_file_global_seqno_offset;
  ASSERT_GE(at, 1000u);
  EXPECT_EQ(DecodeFixed64(payload.data() + at - 1000), 0x1122334455667788u);
}

TEST(PropertiesBlock, RefusesUnsortedNames) {
  BlockBuilder block(100);
  block.Add("b", "1");
  block.Add("a", "1");
  TableProperties read;
  read.num_entries = 5;
  EXPECT_STREQ(DecodeProperties(block.Finish(), 0, &read),
               "properties unsorted");
  EXPECT_EQ(read.num_entries, 5u);  // untouched
}

TEST(PropertiesBlock, SurvivesArbitraryBytes) {
  const std::string good = EncodeProperties(SomeProperties());
  for (uint64_t seed = 1; seed <= 2000; ++seed) {
    Random64 random(seed);
    std::string bytes = good;
    for (uint64_t n = 1 + random.Uniform(4); n > 0; --n) {
      bytes[random.Uniform(bytes.size())] = static_cast<char>(random.Next());
    }
    const auto copy = std::make_unique<char[]>(bytes.size());
    memcpy(copy.get(), bytes.data(), bytes.size());
    TableProperties read;
    const char* problem =
        DecodeProperties(Slice(copy.get(), bytes.size()), 0, &read);
    if (problem != nullptr) {
      EXPECT_EQ(read.num_entries, 0u);
    }
  }
}

TEST(TableProperties, TotalsAndText) {
  TableProperties total = SomeProperties();
  total.Add(SomeProperties());
  EXPECT_EQ(total.num_entries, 600u);
  EXPECT_EQ(total.GetAggregatablePropertiesAsMap().at("num_entries"), 600u);
  EXPECT_NE(total.ToString("\n", ": ").find("# entries: 600\n"),
            std::string::npos);
}

// Section 12.13 of the specification.
TEST(UniqueId, KnownBytes) {
  const TableProperties p = SomeProperties();
  std::string id;
  ASSERT_TRUE(GetUniqueIdFromTableProperties(p, &id).ok());
  EXPECT_EQ(Slice(id).ToString(true), "2A99B1B5EF13078D08F1B2D64C7A9F2E");
  std::string longer;
  ASSERT_TRUE(GetExtendedUniqueIdFromTableProperties(p, &longer).ok());
  EXPECT_EQ(longer.size(), 24u);
  EXPECT_EQ(longer.substr(0, 16), id);
  EXPECT_TRUE(
      GetUniqueIdFromTableProperties(TableProperties(), &id).IsNotSupported());
}

TEST(PropertiesTextTest, ThereAndBack) {
  const ConfigOptions config;
  TableProperties properties;
  properties.num_entries = 7;
  properties.key_largest_seqno = 9;
  properties.uncompressed_data_size = 1000;
  properties.comparator_name = "a;b=c";
  properties.user_collected_properties["mine;"] = std::string("\0=;", 3);
  properties.readable_properties["shown="] = "yes;";
  std::string text;
  ASSERT_TRUE(properties.Serialize(config, &text).ok());
  TableProperties back;
  ASSERT_TRUE(TableProperties::Parse(config, text, &back).ok());
  std::string mismatch = "none";
  EXPECT_TRUE(properties.AreEqual(config, &back, &mismatch)) << mismatch;
  EXPECT_EQ("", mismatch);
  EXPECT_TRUE(back.HasKeyLargestSeqno());
  EXPECT_FALSE(back.HasKeySmallestSeqno());

  back.num_entries = 8;
  EXPECT_FALSE(properties.AreEqual(config, &back, &mismatch));
  EXPECT_EQ(TablePropertiesNames::kNumEntries, mismatch);
  for (const std::string& bad :
       {std::string(), std::string("00"), "x;" + text, text + ";zz",
        text.substr(0, text.find(';') - 2) + text.substr(text.find(';'))}) {
    TableProperties untouched;
    untouched.num_entries = 42;
    EXPECT_TRUE(TableProperties::Parse(config, bad, &untouched).IsCorruption())
        << bad;
    EXPECT_EQ(42u, untouched.num_entries);
  }
}

TEST(PropertiesTextTest, NamesOfCompression) {
  EXPECT_EQ("LZ4,ZSTD", ParseCompressionNameForDisplay("BuiltinV2;0407;"));
  EXPECT_EQ("NoCompression", ParseCompressionNameForDisplay("BuiltinV2;;"));
  EXPECT_EQ("NoCompression", ParseCompressionNameForDisplay(";;"));
  EXPECT_EQ("Snappy", ParseCompressionNameForDisplay("Snappy"));
  EXPECT_EQ("", ParseCompressionNameForDisplay(""));
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

// Properties of tables: as they are stored, as text, and what they tell.
//
// Runs tests/testdata/sst/properties.txt:
//
//   block                  a properties block of these lines, in their order:
//   NAME=TEXT, NAME=#NUMBER (as varint64), NAME=%BYTES
//   id [db:ID] [session:ID] file:NUMBER    the unique id of such a file
//   codecs [TEXT]          what the name of a table's compression tells
//   text TEXT              properties in their own text form
//
// The answer to "block" has the collected properties, and those others that
// PropertiesText() knows where they are not the defaults.
#include "table/properties_block.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>

#include "rocksdb/convenience.h"
#include "rocksdb/table.h"
#include "rocksdb/unique_id.h"
#include "table/block_builder.h"
#include "table/unique_id.h"
#include "tests/testing/script.h"
#include "tests/testing/script_lines.h"
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
  total.index_key_is_user_key = total.index_value_is_delta_encoded = 1;
  total.Add(total);
  EXPECT_NE(total.ToString().find("(user-key? 2, delta-value? 2)"),
            std::string::npos);
  EXPECT_EQ(total.num_entries, 600u);
  EXPECT_EQ(total.GetAggregatablePropertiesAsMap().at("num_entries"), 600u);
  EXPECT_NE(total.ToString("\n", ": ").find("# entries: 600\n"),
            std::string::npos);
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

std::string PropertiesText(const TableProperties& properties) {
  const TableProperties none;
  std::string text;
  const auto number = [&text](const char* name, uint64_t value,
                              uint64_t usual) {
    if (value == usual) return;
    JoinItem(&text, std::string(name) + " " + std::to_string(value), ", ");
  };
  const TableProperties& p = properties;
  number("entries", p.num_entries, none.num_entries);
  number("deletions", p.num_deletions, none.num_deletions);
  number("data", p.data_size, none.data_size);
  number("original file", p.orig_file_number, none.orig_file_number);
  number("largest sequence", p.key_largest_seqno, none.key_largest_seqno);
  number("smallest sequence", p.key_smallest_seqno, none.key_smallest_seqno);
  number("keeps timestamps", p.user_defined_timestamps_persisted,
         none.user_defined_timestamps_persisted);
  number("global sequence at", p.external_sst_file_global_seqno_offset,
         none.external_sst_file_global_seqno_offset);
  for (const auto& [name, value] :
       {std::pair("comparator ", p.comparator_name),
        std::pair("family ", p.column_family_name)}) {
    if (!value.empty()) JoinItem(&text, name + value, ", ");
  }
  for (const auto& [name, value] : p.user_collected_properties) {
    JoinItem(&text, "'" + name + "' is '" + TextOfBytes(value) + "'", ", ");
  }
  return TextOr(text, "none");
}

std::string PropertiesBlockAnswer(const std::string& body) {
  BlockBuilder block(100);
  for (const std::string& line : LinesOf(body)) {
    const size_t equals = line.find('=');
    std::string value = line.substr(equals + 1);
    if (value.starts_with("#")) {
      const uint64_t number = std::stoull(value.substr(1));
      value.clear();
      PutVarint64(&value, number);
    } else if (value.starts_with("%")) {
      value = BytesOfText(value.substr(1));
    }
    block.Add(line.substr(0, equals), value);
  }
  TableProperties properties;
  properties.num_entries = 123;
  const char* problem = DecodeProperties(block.Finish(), 1000, &properties);
  if (problem == nullptr) return PropertiesText(properties);
  EXPECT_EQ(properties.num_entries, 123u) << "untouched";
  return problem;
}

std::string UniqueIdAnswer(const ScriptWords& command) {
  TableProperties properties;
  properties.db_id = command.Text("db", "");
  properties.db_session_id = command.Text("session", "");
  properties.orig_file_number = command.Number("file", 0);
  std::string id, longer;
  const Status s = GetUniqueIdFromTableProperties(properties, &id);
  EXPECT_EQ(GetExtendedUniqueIdFromTableProperties(properties, &longer), s);
  if (!s.ok()) return s.ToString();
  EXPECT_EQ(longer.substr(0, 16), id);
  return Slice(id).ToString(true) + " " +
         Slice(longer).ToString(true).substr(32);
}

std::string PropertiesAnswer(const ScriptCase& c) {
  const ScriptWords command(c.command);
  const size_t space = c.command.find(' ');
  const std::string rest =
      space == std::string::npos ? "" : c.command.substr(space + 1);
  if (command.verb() == "block") return PropertiesBlockAnswer(c.body);
  if (command.verb() == "id") return UniqueIdAnswer(command);
  if (command.verb() == "codecs") {
    return "'" + ParseCompressionNameForDisplay(rest) + "'";
  }
  EXPECT_EQ(command.verb(), "text");
  TableProperties properties;
  const Status s = TableProperties::Parse(ConfigOptions(), rest, &properties);
  return s.ok() ? PropertiesText(properties) : s.ToString();
}

TEST(PropertiesBlock, EveryCaseOfTheScript) {
  EXPECT_GE(RunScript("sst/properties.txt", PropertiesAnswer), 34u)
      << "cases went missing";
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

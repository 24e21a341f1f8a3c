// Plain tables: both encodings, with and without prefixes, filters and a
// mapping; damage; and what they refuse.
//
// Runs tests/testdata/sst/plain_tables.txt: cases in the words of
// table_script.h, in every form of plain tables or in one of the forms below,
// and
//
//   index rows:BYTES buckets:N [lists:BYTES] WORD ..    an index as it is
//                         stored, with a word in hex for each bucket; which
//                         rows it names in a file that has so many bytes of
//                         them
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "rocksdb/slice_transform.h"
#include "table/plain/plain_file_index.h"
#include "table/plain/plain_row.h"
#include "table/plain/plain_table_format.h"
#include "tests/table/table_fixture.h"
#include "tests/table/table_script.h"
#include "tests/testing/script.h"
#include "tests/testing/script_lines.h"
#include "tests/testing/untouched_bytes.h"
#include "tests/testing/vectors.h"
#include "util/coding.h"

namespace ROCKSDB_NAMESPACE {
namespace {

struct PlainFormat {
  const char* name;
  EncodingType encoding = kPlain;
  uint32_t user_key_len = kPlainTableVariableLength;
  size_t prefix_size = 0;
  int bloom_bits = 10;
  double hash_ratio = 0.75;
  size_t sparseness = 16;
  bool is_mapped = true;
  bool stores_index = false;
  uint32_t bloom_locality = 0;
};

void PrintTo(const PlainFormat& format, std::ostream* out) {
  *out << format.name;
}

void Prepare(const PlainFormat& format, TableFixture* fixture) {
  PlainTableOptions options;
  options.encoding_type = format.encoding;
  options.user_key_len = format.user_key_len;
  options.bloom_bits_per_key = format.bloom_bits;
  options.hash_table_ratio = format.hash_ratio;
  options.index_sparseness = format.sparseness;
  options.store_index_in_file = format.stores_index;
  fixture->family.bloom_locality = format.bloom_locality;
  fixture->factory.reset(NewPlainTableFactory(options));
  fixture->is_mapped = format.is_mapped;
  if (format.prefix_size > 0) {
    fixture->family.prefix_extractor.reset(
        NewFixedPrefixTransform(format.prefix_size));
  }
}

std::vector<PlainFormat> PlainFormats() {
  return {PlainFormat{.name = "Plain"},
          PlainFormat{.name = "FixedLength", .user_key_len = 8},
          PlainFormat{.name = "Prefixes", .prefix_size = 6},
          PlainFormat{.name = "NoHash", .prefix_size = 6, .hash_ratio = 0},
          PlainFormat{.name = "NoFilter", .bloom_bits = 0, .sparseness = 1},
          PlainFormat{
              .name = "ParsedPrefixes", .encoding = kPrefix, .prefix_size = 6},
          PlainFormat{.name = "PartsWithoutPrefixes", .encoding = kPrefix},
          PlainFormat{.name = "PartsOfFixedLength",
                      .encoding = kPrefix,
                      .user_key_len = 8,
                      .prefix_size = 4,
                      .sparseness = 3},
          PlainFormat{.name = "InHeap", .prefix_size = 6, .is_mapped = false},
          PlainFormat{
              .name = "StoredIndex", .prefix_size = 6, .stores_index = true},
          PlainFormat{.name = "StoredIndexWithoutPrefixes",
                      .sparseness = 3,
                      .stores_index = true},
          PlainFormat{.name = "StoredIndexOfParts",
                      .encoding = kPrefix,
                      .prefix_size = 6,
                      .hash_ratio = 0,
                      .sparseness = 4,
                      .stores_index = true,
                      .bloom_locality = 1},
          PlainFormat{.name = "StoredIndexWithoutFilter",
                      .encoding = kPrefix,
                      .user_key_len = 8,
                      .prefix_size = 7,
                      .bloom_bits = 0,
                      .sparseness = 0,
                      .is_mapped = false,
                      .stores_index = true}};
}

class PlainTableTest : public ::testing::TestWithParam<PlainFormat> {
 protected:
  PlainTableTest() { Prepare(GetParam(), &fixture_); }
  void Write(const std::vector<TableEntry>& entries) {
    bytes_ = fixture_.Build(entries);
    const Status s = fixture_.Open(bytes_, &reader_);
    ASSERT_TRUE(s.ok()) << s.ToString();
  }

  TableFixture fixture_;
  std::string bytes_;
  std::unique_ptr<TableReader> reader_;
};

TEST_P(PlainTableTest, ScansAndSeeksFindEveryRow) {
  const std::vector<TableEntry> entries = NumberedEntries(500);
  ASSERT_NO_FATAL_FAILURE(Write(entries));
  ReadOptions read;
  read.total_order_seek = true;
  const KeyValues expected = ToKeyValues(entries);
  const auto it = reader_->NewIterator({.read_options = &read});
  EXPECT_EQ(ScanForward(it.get()), expected);
  EXPECT_EQ(ScanBackward(it.get()), expected);
  for (size_t i = 0; i < expected.size(); ++i) {
    it->Seek(expected[i].first);
    ASSERT_TRUE(it->Valid());
    ASSERT_EQ(it->value(), Slice(expected[i].second));
    it->SeekForPrev(expected[i].first);
    ASSERT_TRUE(it->Valid());
    ASSERT_EQ(it->key(), Slice(expected[i].first));
    if (i > 0) {
      it->Prev();
      ASSERT_TRUE(it->Valid());
      ASSERT_EQ(it->key(), Slice(expected[i - 1].first));
    }
  }
  it->Seek(InternalKey("z", 1, kTypeValue).Encode());
  EXPECT_FALSE(it->Valid());
  it->SeekForPrev(InternalKey("z", 1, kTypeValue).Encode());
  ASSERT_TRUE(it->Valid());
  EXPECT_EQ(it->key(), Slice(expected.back().first));
  it->SeekForPrev(InternalKey("a", 1, kTypeValue).Encode());
  EXPECT_FALSE(it->Valid());
  EXPECT_TRUE(it->status().ok());
  std::unique_ptr<InternalIterator> bulk;
  ASSERT_TRUE(reader_
                  ->NewBulkIterator({.read_options = &read},
                                    fixture_.Stream(bytes_), &bulk)
                  .ok());
  EXPECT_EQ(ScanForward(bulk.get()), expected);
  EXPECT_TRUE(reader_->VerifyChecksum(read, nullptr).ok());
  EXPECT_TRUE(reader_->range_tombstones()->empty());
}

TEST_P(PlainTableTest, LookupsFindVersionsTypesAndAbsence) {
  std::vector<TableEntry> entries;
  for (int i = 0; i < 300; ++i) {
    char key[16];
    snprintf(key, sizeof(key), "k%07d", 2 * i);
    // Sequence 0 of a value is stored in one byte.
    if (i % 3 == 0) {
      entries.push_back({key, "newer", 900});
      entries.push_back({key, "", 800, kTypeDeletion});
    }
    entries.push_back({key, "zero" + std::to_string(i), 0});
  }
  ASSERT_NO_FATAL_FAILURE(Write(entries));
  for (int i = 0; i < 300; ++i) {
    char key[16];
    snprintf(key, sizeof(key), "k%07d", 2 * i);
    const std::string zero = "=zero" + std::to_string(i);
    EXPECT_EQ(fixture_.Get(*reader_, key), i % 3 == 0 ? "=newer" : zero);
    EXPECT_EQ(fixture_.Get(*reader_, key, 850), i % 3 == 0 ? "deleted" : zero);
    EXPECT_EQ(fixture_.Get(*reader_, key, 5), zero);
    snprintf(key, sizeof(key), "k%07d", 2 * i + 1);
    EXPECT_EQ(fixture_.Get(*reader_, key), "none");
  }
  EXPECT_EQ(fixture_.Get(*reader_, "a0000000"), "none");
  EXPECT_EQ(fixture_.Get(*reader_, "z0000000"), "none");
}

TEST_P(PlainTableTest, PropertiesOffsetsAndAnchors) {
  const std::vector<TableEntry> entries = NumberedEntries(400);
  ASSERT_NO_FATAL_FAILURE(Write(entries));
  const auto properties = reader_->properties();
  EXPECT_EQ(properties->num_entries, 400u);
  EXPECT_EQ(properties->fixed_key_len, GetParam().user_key_len);
  EXPECT_LT(properties->data_size, bytes_.size());
  EXPECT_EQ(fixture_.built_size, bytes_.size());
  EXPECT_EQ(fixture_.tail_size, bytes_.size() - properties->data_size);
  uint64_t last = 0;
  for (const TableEntry& entry : entries) {
    const uint64_t offset = reader_->ApproximateOffsetOf(entry.Key());
    EXPECT_GT(offset, last);
    last = offset;
  }
  EXPECT_LT(last, properties->data_size);
  std::vector<TableReader::Anchor> anchors;
  ASSERT_TRUE(reader_->Anchors(ReadOptions(), 5, &anchors).ok());
  ASSERT_FALSE(anchors.empty());
  EXPECT_LE(anchors.size(), 5u);
  for (size_t i = 1; i < anchors.size(); ++i) {
    EXPECT_LT(anchors[i - 1].user_key, anchors[i].user_key);
  }
  EXPECT_GT(reader_->ApproximateMemoryUsage(), 0u);
}

// No checksum covers a row: a flip may change a value, and must never do more.
TEST_P(PlainTableTest, EveryByteFlippedOrCutIsSurvived) {
  const std::string whole = fixture_.Build(NumberedEntries(40));
  const auto visit = [&](const std::string& bytes) {
    std::unique_ptr<TableReader> reader;
    const Status s = fixture_.Open(bytes, &reader);
    if (!s.ok()) {
      EXPECT_TRUE(s.IsCorruption() || s.IsInvalidArgument() ||
                  s.IsNotSupported())
          << s.ToString();
      return;
    }
    ReadOptions read;
    read.total_order_seek = true;
    const auto it = reader->NewIterator({.read_options = &read});
    EXPECT_LE(ScanForward(it.get()).size(), 1000u);
    ScanBackward(it.get());
    fixture_.Get(*reader, "key00017");
    (void)reader->VerifyChecksum(read, nullptr).ok();
  };
  for (size_t i = 0; i < whole.size(); ++i) {
    std::string bytes = whole;
    bytes[i] = static_cast<char>(bytes[i] ^ (1 << (i % 8)));
    visit(bytes);
    visit(whole.substr(0, i));
  }
}

TEST_P(PlainTableTest, AFullDiskIsReported) {
  const std::string whole = fixture_.Build(NumberedEntries(40));
  fixture_.write_buffer_bytes = 0;
  for (size_t limit = 0; limit < whole.size(); limit += 37) {
    fixture_.write_limit = limit;
    Status s;
    fixture_.Build(NumberedEntries(40), &s);
    EXPECT_TRUE(s.IsIOError()) << limit;
  }
}

INSTANTIATE_TEST_SUITE_P(All, PlainTableTest,
                         ::testing::ValuesIn(PlainFormats()),
                         [](const auto& info) {
                           return std::string(info.param.name);
                         });

// The block of this name in a plain table.
std::string BlockOf(const std::string& bytes, const std::string& name) {
  const RandomAccessFileReader file(
      std::make_unique<StringReadFile>(bytes, true), "a", FileIoContext());
  std::shared_ptr<TableProperties> properties;
  Metaindex blocks;
  uint64_t end = 0;
  EXPECT_TRUE(
      ReadPlainTail(file, bytes.size(), &properties, &blocks, &end).ok());
  const BlockHandle* block = blocks.Find(name);
  return block == nullptr ? "" : bytes.substr(block->offset, block->size);
}

// Files of RocksDB's with an index: read by it, and written with the same one.
TEST(PlainTable, StoredIndexesOfRocksDB) {
  const PlainFormat formats[] = {
      {.name = "0", .prefix_size = 7, .sparseness = 2, .stores_index = true},
      {.name = "1",
       .user_key_len = 8,
       .prefix_size = 7,
       .sparseness = 2,
       .stores_index = true,
       .bloom_locality = 1},
      {.name = "2",
       .encoding = kPrefix,
       .prefix_size = 7,
       .sparseness = 4,
       .stores_index = true},
  };
  int count = 0;
  for (const std::string release : {"r783", "r119"}) {
    for (const PlainFormat& format : formats) {
      const std::string path = VectorPath(
          "utilities/" + release + "_plain_index_" + format.name + ".sst");
      if (path.empty()) continue;
      ++count;
      SCOPED_TRACE(path);
      const std::string bytes = BytesOfFile(path);
      TableFixture fixture;
      Prepare(format, &fixture);
      std::unique_ptr<TableReader> reader;
      const Status s = fixture.Open(bytes, &reader);
      ASSERT_TRUE(s.ok()) << s.ToString();
      std::vector<TableEntry> entries;
      for (uint64_t i = 0; i < 40; ++i) {
        char key[16];
        snprintf(key, sizeof key, "key%05d", static_cast<int>(3 * i));
        entries.push_back({key, "pv" + std::to_string(i), i + 1});
      }
      ReadOptions read;
      read.total_order_seek = true;
      const auto it = reader->NewIterator({.read_options = &read});
      EXPECT_EQ(ScanForward(it.get()), ToKeyValues(entries));
      EXPECT_EQ(ScanBackward(it.get()), ToKeyValues(entries));
      EXPECT_EQ(fixture.Get(*reader, "key00027"), "=pv9");
      EXPECT_EQ(fixture.Get(*reader, "key00028"), "none");
      EXPECT_EQ(fixture.Get(*reader, "other000"), "none");
      const std::string ours = fixture.Build(entries);
      EXPECT_EQ(BlockOf(ours, kPlainIndexBlock),
                BlockOf(bytes, kPlainIndexBlock));
      EXPECT_EQ(BlockOf(ours, kPlainFilterBlock),
                BlockOf(bytes, kPlainFilterBlock));
      EXPECT_FALSE(BlockOf(ours, kPlainFilterBlock).empty());
      std::unique_ptr<TableReader> again;
      ASSERT_TRUE(fixture.Open(ours, &again).ok());
      const TableProperties& theirs = *reader->properties();
      EXPECT_EQ(again->properties()->user_collected_properties,
                theirs.user_collected_properties);
      EXPECT_EQ(again->properties()->index_size, theirs.index_size);
      EXPECT_EQ(again->properties()->filter_size, theirs.filter_size);
    }
  }
  if (count == 0) GTEST_SKIP() << "the vectors are not here";
  EXPECT_EQ(count, 6);
}

TEST(PlainTable, RefusesAnEntryOf4GiB) {
  const UntouchedBytes bytes;
  TableFixture fixture;
  Prepare({.name = ""}, &fixture);
  fixture.last_value = bytes.OfSize(UINT32_MAX);
  Status s;
  fixture.Build(NumberedEntries(3), &s);
  EXPECT_TRUE(s.IsInvalidArgument()) << s.ToString();
}

// The filter of the file is asked, and spares lookups and seeks.
TEST(PlainTable, AStoredFilterIsAsked) {
  for (const size_t prefix_size : {size_t{0}, size_t{6}}) {
    TableFixture fixture;
    Prepare({.name = "", .prefix_size = prefix_size, .stores_index = true},
            &fixture);
    std::string bytes = fixture.Build(NumberedEntries(40));
    std::unique_ptr<TableReader> reader;
    ASSERT_TRUE(fixture.Open(bytes, &reader).ok());
    EXPECT_EQ(fixture.Get(*reader, "key00017").substr(0, 7), "=value-");
    const std::string filter = BlockOf(bytes, kPlainFilterBlock);
    ASSERT_FALSE(filter.empty());
    bytes.replace(bytes.find(filter), filter.size(),
                  std::string(filter.size(), '\0'));
    ASSERT_TRUE(fixture.Open(bytes, &reader).ok());
    EXPECT_EQ(fixture.Get(*reader, "key00017"), "none");
    // Another extractor than the file's, which the filter cannot answer.
    fixture.family.prefix_extractor.reset(NewFixedPrefixTransform(3));
    ASSERT_TRUE(fixture.Open(bytes, &reader).ok());
    EXPECT_EQ(fixture.Get(*reader, "key00017"),
              prefix_size == 0 ? "none" : "=value-00017-abcabcabc");
  }
}

// No row is looked at when such a file is opened.
TEST(PlainTable, AStoredIndexSparesTheScan) {
  for (const bool stores_index : {false, true}) {
    TableFixture fixture;
    Prepare({.name = "", .prefix_size = 6, .stores_index = stores_index},
            &fixture);
    std::string bytes = fixture.Build(NumberedEntries(100));
    // In a row that the index does not name: it would be found by a scan.
    const size_t at = bytes.find("key00003");
    ASSERT_NE(at, std::string::npos);
    bytes[at - 1] = '\xff';  // No length.
    std::unique_ptr<TableReader> reader;
    EXPECT_EQ(fixture.Open(bytes, &reader).ok(), stores_index);
    if (stores_index) {
      EXPECT_NE(fixture.Get(*reader, "key00050").substr(0, 1), "C");
      EXPECT_FALSE(reader->VerifyChecksum(ReadOptions(), nullptr).ok());
    }
  }
}

std::vector<TableForm> PlainForms() {
  std::vector<TableForm> forms;
  for (const PlainFormat& format : PlainFormats()) {
    forms.push_back({format.name, [format](TableFixture* fixture) {
                       Prepare(format, fixture);
                     }});
  }
  for (const EncodingType encoding : {kPlain, kPrefix}) {
    const PlainFormat format{
        .name = "", .encoding = encoding, .prefix_size = 200};
    forms.push_back({encoding == kPlain ? "LongPrefixes" : "PartsOfLong",
                     [format](TableFixture* f) { Prepare(format, f); }, false});
  }
  forms.push_back({"ScanAlone",
                   [](TableFixture* f) {
                     PlainTableOptions options;
                     options.full_scan_mode = true;
                     f->factory.reset(NewPlainTableFactory(options));
                     f->is_mapped = true;
                   },
                   false});
  forms.push_back({"Blocks", [](TableFixture*) {}, false});
  return forms;
}

std::string PlainIndexAnswer(const ScriptWords& command) {
  std::string block;
  if (command.Has("buckets")) {
    PutVarint32(&block, static_cast<uint32_t>(command.Number("buckets", 0)));
    PutVarint32(&block, 1);
  }
  for (const std::string& word : command.words()) {
    PutFixed32(&block, static_cast<uint32_t>(std::stoul(word, nullptr, 16)));
  }
  block += BytesOfText(command.Text("lists", ""));
  std::vector<uint64_t> offsets = {99};
  const char* problem =
      DecodePlainIndex(block, command.Number("rows", 0), &offsets);
  if (problem != nullptr) {
    EXPECT_EQ(offsets, std::vector<uint64_t>{99}) << "untouched";
    return problem;
  }
  std::string text;
  for (const uint64_t offset : offsets) {
    JoinItem(&text, std::to_string(offset));
  }
  return TextOr(text, "none");
}

TEST(PlainTable, EveryCaseOfTheScript) {
  const std::vector<TableForm> forms = PlainForms();
  const auto run = [&forms](const ScriptCase& c) {
    const ScriptWords command(c.command);
    return command.verb() == "index" ? PlainIndexAnswer(command)
                                     : TableScript::Answers(c, forms);
  };
  EXPECT_GE(RunScript("sst/plain_tables.txt", run), 29u)
      << "cases went missing";
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

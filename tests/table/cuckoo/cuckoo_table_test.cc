// Cuckoo tables: RocksDB's example files read and written anew, all forms,
// damage, and what they refuse.
//
// Runs tests/testdata/sst/cuckoo_tables.txt, in the words of table_script.h, in
// every form of cuckoo tables.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "rocksdb/comparator.h"
#include "table/cuckoo/cuckoo_format.h"
#include "table/cuckoo/cuckoo_layout.h"
#include "tests/table/table_fixture.h"
#include "tests/table/table_script.h"
#include "tests/testing/script.h"
#include "tests/testing/untouched_bytes.h"
#include "tests/testing/vectors.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {
namespace {

struct CuckooForm {
  const char* name;
  CuckooTableOptions options = {};
  bool is_mapped = true;
  // In the entries below; 0: the last level's form.
  SequenceNumber first_sequence = 1;
};

void PrintTo(const CuckooForm& form, std::ostream* out) { *out << form.name; }

void PrepareCuckoo(const CuckooForm& form, TableFixture* fixture) {
  fixture->factory.reset(NewCuckooTableFactory(form.options));
  fixture->is_mapped = form.is_mapped;
  fixture->db.allow_mmap_reads = true;
}

std::vector<TableEntry> EqualEntries(size_t count, SequenceNumber first) {
  std::vector<TableEntry> entries;
  for (size_t i = 0; i < count; ++i) {
    char key[32];
    char value[32];
    snprintf(key, sizeof key, "key%05zu", 2 * i);
    snprintf(value, sizeof value, "v%07zu", i);
    entries.push_back({.user_key = key,
                       .value = value,
                       .sequence = first == 0 ? 0 : first + i});
  }
  return entries;
}

CuckooTableOptions Options(double ratio, uint32_t block, bool identity,
                           bool modulo, uint32_t depth = 100) {
  CuckooTableOptions options = {};
  options.hash_table_ratio = ratio;
  options.cuckoo_block_size = block;
  options.identity_as_first_hash = identity;
  options.use_module_hash = modulo;
  options.max_search_depth = depth;
  return options;
}

std::vector<CuckooForm> CuckooForms() {
  return {
      CuckooForm{.name = "Default"},
      CuckooForm{.name = "LastLevel", .first_sequence = 0},
      CuckooForm{.name = "Copied", .is_mapped = false},
      CuckooForm{.name = "PowersOfTwo",
                 .options = Options(0.9, 5, true, false)},
      CuckooForm{.name = "FullAndNarrow",
                 .options = Options(1.0, 1, false, true),
                 .first_sequence = 0},
      CuckooForm{.name = "NoBlocks", .options = Options(0.5, 0, true, true)},
      CuckooForm{.name = "NoMoves",
                 .options = Options(0.5, 1, false, true, 0)}};
}

class CuckooTableTest : public ::testing::TestWithParam<CuckooForm> {
 protected:
  CuckooTableTest() { PrepareCuckoo(GetParam(), &fixture_); }
  std::vector<TableEntry> Entries(size_t count) const {
    return EqualEntries(count, GetParam().first_sequence);
  }
  void Write(const std::vector<TableEntry>& entries) {
    Status s;
    bytes_ = fixture_.Build(entries, &s);
    ASSERT_TRUE(s.ok()) << s.ToString();
    s = fixture_.Open(bytes_, &reader_);
    ASSERT_TRUE(s.ok()) << s.ToString();
  }

  TableFixture fixture_;
  std::string bytes_;
  std::unique_ptr<TableReader> reader_;
};

TEST_P(CuckooTableTest, ScansAndSeeksFindEveryEntry) {
  const std::vector<TableEntry> entries = Entries(500);
  ASSERT_NO_FATAL_FAILURE(Write(entries));
  const KeyValues expected = ToKeyValues(entries);
  const ReadOptions read;
  const auto it = reader_->NewIterator({.read_options = &read});
  EXPECT_FALSE(it->Valid());
  EXPECT_EQ(ScanForward(it.get()), expected);
  EXPECT_EQ(ScanBackward(it.get()), expected);
  for (size_t i = 0; i < expected.size(); ++i) {
    it->Seek(expected[i].first);
    ASSERT_TRUE(it->Valid());
    ASSERT_EQ(it->value(), Slice(expected[i].second));
    it->SeekForPrev(expected[i].first);
    ASSERT_TRUE(it->Valid());
    ASSERT_EQ(it->key(), Slice(expected[i].first));
    const InternalKey between(entries[i].user_key + "x", 1, kTypeValue);
    it->SeekForPrev(between.Encode());
    ASSERT_TRUE(it->Valid());
    ASSERT_EQ(it->key(), Slice(expected[i].first));
    it->Seek(between.Encode());
    ASSERT_EQ(it->Valid(), i + 1 < expected.size());
    if (it->Valid()) {
      ASSERT_EQ(it->key(), Slice(expected[i + 1].first));
    }
  }
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

TEST_P(CuckooTableTest, LookupsFindWhatIsThere) {
  const std::vector<TableEntry> entries = Entries(700);
  ASSERT_NO_FATAL_FAILURE(Write(entries));
  for (const TableEntry& e : entries) {
    ASSERT_EQ(fixture_.Get(*reader_, e.user_key), "=" + e.value);
    // Not what is newer than the read.
    if (e.sequence > 0) {
      ASSERT_EQ(fixture_.Get(*reader_, e.user_key, e.sequence), "=" + e.value);
      ASSERT_EQ(fixture_.Get(*reader_, e.user_key, e.sequence - 1), "none");
    }
    std::string absent = e.user_key;
    ++absent.back();
    ASSERT_EQ(fixture_.Get(*reader_, absent), "none");
  }
  for (const char* other : {"", "key", "key000000", "zzzzzzzz", "key0000/"}) {
    EXPECT_EQ(fixture_.Get(*reader_, other), "none") << other;
  }
}

TEST_P(CuckooTableTest, PropertiesAndAnchors) {
  const std::vector<TableEntry> entries = Entries(300);
  ASSERT_NO_FATAL_FAILURE(Write(entries));
  const TableProperties& p = *reader_->properties();
  const bool is_last = GetParam().first_sequence == 0;
  const uint64_t key_bytes = is_last ? 8 : 16;
  EXPECT_EQ(p.num_entries, 300u);
  EXPECT_EQ(p.fixed_key_len, key_bytes);
  EXPECT_EQ(p.num_data_blocks, 1u);
  EXPECT_EQ(p.raw_key_size, 300 * key_bytes);
  EXPECT_EQ(p.raw_value_size, 300u * 8);
  CuckooShape shape;
  ASSERT_EQ(shape.ReadFrom(p), nullptr);
  EXPECT_EQ(shape.is_last_level, is_last);
  EXPECT_EQ(p.data_size, shape.bucket_count() * (key_bytes + 8));
  EXPECT_EQ(fixture_.built_size, bytes_.size());
  EXPECT_EQ(fixture_.tail_size, bytes_.size() - p.data_size);
  std::vector<TableReader::Anchor> anchors;
  ASSERT_TRUE(reader_->Anchors(ReadOptions(), 4, &anchors).ok());
  ASSERT_EQ(anchors.size(), 4u);
  for (size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(anchors[i].user_key, entries[75 * (i + 1) - 1].user_key);
  }
  EXPECT_EQ(reader_->ApproximateOffsetOf(entries[100].Key()), 0u);
  EXPECT_GT(reader_->ApproximateMemoryUsage(), 0u);
}

// No checksum covers a bucket: a flip may change a value, and must never do
// more.
TEST_P(CuckooTableTest, EveryByteFlippedOrCutIsSurvived) {
  const std::string whole = fixture_.Build(Entries(30));
  const auto visit = [&](const std::string& bytes) {
    std::unique_ptr<TableReader> reader;
    const Status s = fixture_.Open(bytes, &reader);
    if (!s.ok()) {
      EXPECT_TRUE(s.IsCorruption() || s.IsInvalidArgument() ||
                  s.IsNotSupported())
          << s.ToString();
      return;
    }
    const ReadOptions read;
    const auto it = reader->NewIterator({.read_options = &read});
    EXPECT_LE(ScanForward(it.get()).size(), 30u);
    EXPECT_LE(ScanBackward(it.get()).size(), 30u);
    fixture_.Get(*reader, "key00018");
    (void)reader->VerifyChecksum(read, nullptr).ok();
  };
  for (size_t i = 0; i < whole.size(); ++i) {
    for (const int mask : {1 << (i % 8), 0xff}) {
      std::string bytes = whole;
      bytes[i] = static_cast<char>(bytes[i] ^ mask);
      visit(bytes);
    }
    visit(whole.substr(0, i));
  }
}

TEST_P(CuckooTableTest, AFullDiskIsReported) {
  const std::string whole = fixture_.Build(Entries(40));
  fixture_.write_buffer_bytes = 0;
  for (size_t limit = 0; limit < whole.size(); limit += 37) {
    fixture_.write_limit = limit;
    Status s;
    fixture_.Build(Entries(40), &s);
    EXPECT_TRUE(s.IsIOError()) << limit;
  }
}

INSTANTIATE_TEST_SUITE_P(Forms, CuckooTableTest,
                         ::testing::ValuesIn(CuckooForms()),
                         [](const auto& info) { return info.param.name; });

// --- RocksDB's example files

struct CuckooVector {
  std::string name;
  bool is_last_level;
  CuckooTableOptions options = {};
};

std::vector<CuckooVector> CuckooVectors() {
  CuckooTableOptions pow2;
  pow2.use_module_hash = false;
  pow2.identity_as_first_hash = true;
  std::vector<CuckooVector> all;
  for (const std::string release : {"r783", "r119"}) {
    for (const bool is_last : {true, false}) {
      for (const bool modulo : {true, false}) {
        all.push_back({"utilities/" + release + "_cuckoo_" +
                           (is_last ? "last_" : "flush_") +
                           (modulo ? "module.sst" : "pow2.sst"),
                       is_last, modulo ? CuckooTableOptions() : pow2});
      }
    }
  }
  return all;
}

std::vector<TableEntry> EntriesOfVector(bool is_last_level) {
  std::vector<TableEntry> entries;
  for (int i = 0; i < (is_last_level ? 20 : 12); ++i) {
    char key[16];
    snprintf(key, sizeof key, "key%05d", is_last_level ? 3 * i : i);
    const auto letter = static_cast<char>('a' + i);
    entries.push_back(
        {.user_key = key,
         .value = (is_last_level ? "val" : "v") + std::string(1, letter),
         .sequence = is_last_level ? 0 : static_cast<SequenceNumber>(i + 1)});
  }
  if (is_last_level) return entries;
  entries[3] = {"key00003", "", 14, kTypeDeletion};
  entries.push_back({"key00050", "", 13, kTypeDeletion});
  return entries;
}

TEST(CuckooVectorsTest, AreReadAndWrittenAlike) {
  int count = 0;
  for (const CuckooVector& vector : CuckooVectors()) {
    const std::string bytes = BytesOfFile(VectorPath(vector.name));
    if (bytes.empty()) continue;
    ++count;
    SCOPED_TRACE(vector.name);
    TableFixture fixture;
    PrepareCuckoo({.name = "", .options = vector.options}, &fixture);
    std::unique_ptr<TableReader> reader;
    const Status s = fixture.Open(bytes, &reader);
    ASSERT_TRUE(s.ok()) << s.ToString();
    const std::vector<TableEntry> entries =
        EntriesOfVector(vector.is_last_level);
    const ReadOptions read;
    const auto it = reader->NewIterator({.read_options = &read});
    const KeyValues found = ScanForward(it.get());
    ASSERT_EQ(found.size(), entries.size());
    for (size_t i = 0; i < entries.size(); ++i) {
      EXPECT_EQ(found[i].first, entries[i].Key()) << i;
      const bool is_deleted = entries[i].type == kTypeDeletion;
      if (!is_deleted) {
        EXPECT_EQ(found[i].second, entries[i].value);
      }
      EXPECT_EQ(fixture.Get(*reader, entries[i].user_key),
                is_deleted ? "deleted" : "=" + entries[i].value);
    }
    EXPECT_EQ(fixture.Get(*reader, "key00099"), "none");
    EXPECT_TRUE(reader->VerifyChecksum(read, nullptr).ok());
    // The same buckets, and the same properties of theirs.
    const std::string ours = fixture.Build(entries);
    const uint64_t data = reader->properties()->data_size;
    EXPECT_EQ(ours.substr(0, data), bytes.substr(0, data));
    std::unique_ptr<TableReader> again;
    ASSERT_TRUE(fixture.Open(ours, &again).ok());
    EXPECT_EQ(again->properties()->user_collected_properties,
              reader->properties()->user_collected_properties);
    EXPECT_EQ(again->properties()->raw_key_size,
              reader->properties()->raw_key_size);
    EXPECT_EQ(again->properties()->raw_value_size,
              reader->properties()->raw_value_size);
    EXPECT_EQ(again->properties()->num_deletions,
              reader->properties()->num_deletions);
    EXPECT_EQ(ours.size() - ours.rfind("rocksdb.properties"),
              bytes.size() - bytes.rfind("rocksdb.properties"));
  }
  if (count == 0) GTEST_SKIP() << "the vectors are not here";
  EXPECT_EQ(count, 8);
}

// --- What has no place

class CuckooRefusalsTest : public ::testing::Test {
 protected:
  CuckooRefusalsTest() { PrepareCuckoo({.name = ""}, &fixture_); }

  TableFixture fixture_;
};

TEST_F(CuckooRefusalsTest, AnotherOrderAndOptionsThatMakeNoTable) {
  const std::string bytes = fixture_.Build(EqualEntries(3, 1));
  fixture_.family.comparator = ReverseBytewiseComparator();
  std::unique_ptr<TableReader> reader;
  EXPECT_TRUE(fixture_.Open(bytes, &reader).IsInvalidArgument());
  for (const double ratio : {0.0, -1.0, 1.1}) {
    CuckooTableOptions options = {};
    options.hash_table_ratio = ratio;
    const std::unique_ptr<TableFactory> factory(NewCuckooTableFactory(options));
    EXPECT_TRUE(factory->ValidateOptions(DBOptions(), ColumnFamilyOptions())
                    .IsInvalidArgument());
  }
  const std::unique_ptr<TableFactory> factory(NewCuckooTableFactory());
  ColumnFamilyOptions family;
  EXPECT_TRUE(factory->ValidateOptions(DBOptions(), family).ok());
  family.comparator = BytewiseComparatorWithU64Ts();
  EXPECT_TRUE(factory->ValidateOptions(DBOptions(), family).IsNotSupported());
}

TEST_F(CuckooRefusalsTest, AnEntryOf4GiB) {
  const UntouchedBytes bytes;
  fixture_.last_value = bytes.OfSize(UINT32_MAX);
  Status s;
  fixture_.Build({}, &s);
  EXPECT_TRUE(s.IsInvalidArgument()) << s.ToString();
}

// Random keys under random shapes: each stands where a lookup finds it, with
// nothing empty before it.
TEST(CuckooLayoutTest, EveryKeyStandsWhereItIsFound) {
  Random64 random(301);
  for (int round = 0; round < 300; ++round) {
    const uint32_t count = 1 + static_cast<uint32_t>(random.Uniform(200));
    std::vector<std::string> keys;
    for (uint32_t i = 0; i < count; ++i) {
      const uint64_t number = random.Next() << 16 | i;
      keys.emplace_back(reinterpret_cast<const char*>(&number), sizeof number);
    }
    CuckooShape shape;
    shape.block_buckets = 1 + static_cast<uint32_t>(random.Uniform(5));
    shape.uses_modulo = random.Uniform(2) == 0;
    shape.identity_is_first_hash = random.Uniform(2) == 0;
    shape.home_count = count + random.Uniform(count / 4 + 1);
    if (!shape.uses_modulo) {
      uint64_t power = 2;
      while (power < shape.home_count) power *= 2;
      shape.home_count = power;
    }
    CuckooLayout layout(&shape, 5 + static_cast<uint32_t>(random.Uniform(20)),
                        [&](uint32_t entry) { return Slice(keys[entry]); });
    for (uint32_t i = 0; i < count; ++i) {
      ASSERT_TRUE(layout.Insert(i).ok());
    }
    for (uint32_t i = 0; i < count; ++i) {
      bool is_found = false;
      for (uint32_t hash = 0; hash < shape.hash_count && !is_found; ++hash) {
        const uint64_t home = shape.HomeOf(keys[i], hash);
        for (uint64_t b = 0; b < shape.block_buckets && !is_found; ++b) {
          ASSERT_NE(layout.buckets()[home + b], CuckooLayout::kEmpty);
          is_found = layout.buckets()[home + b] == i;
        }
      }
      ASSERT_TRUE(is_found) << round << " " << i;
    }
  }
}

// Keys that no hash tells apart.
TEST(CuckooLayoutTest, TooManyCollisionsAreRefused) {
  CuckooShape shape;
  shape.home_count = 1;
  CuckooLayout layout(&shape, 100, [](uint32_t) { return Slice("same"); });
  EXPECT_TRUE(layout.Insert(0).ok());
  const Status s = layout.Insert(1);
  EXPECT_TRUE(s.IsNotSupported());
  EXPECT_NE(s.ToString().find("Too many collisions. Unable to hash."),
            std::string::npos);
}

TEST(CuckooScriptTest, EveryCaseOfTheScript) {
  std::vector<TableForm> forms;
  for (const CuckooForm& form : CuckooForms()) {
    forms.push_back({form.name, [form](TableFixture* fixture) {
                       PrepareCuckoo(form, fixture);
                     }});
  }
  const auto run = [&forms](const ScriptCase& c) {
    return TableScript::Answers(c, forms);
  };
  EXPECT_GE(RunScript("sst/cuckoo_tables.txt", run), 26u)
      << "cases went missing";
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

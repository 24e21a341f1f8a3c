// Tables with an index of the application beside the built-in one: the trie,
// and one that notes what it is told.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "rocksdb/advanced_iterator.h"
#include "rocksdb/comparator.h"
#include "rocksdb/statistics.h"
#include "rocksdb/user_defined_index.h"
#include "table/trie/trie_index_factory.h"
#include "tests/table/table_fixture.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// What the builder is told, as text.
class NotedIndexBuilder final : public UserDefinedIndexBuilder {
 public:
  explicit NotedIndexBuilder(std::string* notes) : notes_(*notes) {}
  Slice AddIndexEntry(const Slice& last, const Slice* next,
                      const BlockHandle& handle, std::string*,
                      const IndexEntryContext& context) override {
    notes_ += "[" + last.ToString() + "@" +
              std::to_string(context.last_key_tag >> 8) + " | " +
              (next != nullptr ? next->ToString() + "@" +
                                     std::to_string(context.first_key_tag >> 8)
                               : "end") +
              (handle.size > 0 ? "] " : " without bytes] ");
    return last;
  }
  void OnKeyAdded(const Slice& key, ValueType type,
                  const Slice& value) override {
    notes_ += key.ToString() + "=" + std::to_string(type) + ":" +
              value.ToString() + " ";
  }
  Status Finish(Slice* contents) override {
    *contents = "noted";
    return Status::OK();
  }
  uint64_t EstimatedSize() const override { return 5; }

 private:
  std::string& notes_;
};

class NotedIndexFactory final : public UserDefinedIndexFactory {
 public:
  using UserDefinedIndexFactory::NewBuilder;
  using UserDefinedIndexFactory::NewReader;
  const char* Name() const override { return "test.Noted"; }
  UserDefinedIndexBuilder* NewBuilder() const override {
    return std::make_unique<NotedIndexBuilder>(&notes).release();
  }
  std::unique_ptr<UserDefinedIndexReader> NewReader(Slice&) const override {
    return nullptr;
  }

  mutable std::string notes;
};

class OwnIndexTest : public testing::Test {
 protected:
  void UseTrie() {
    fixture_.table.user_defined_index_factory =
        std::make_shared<TrieIndexFactory>();
    fixture_.table.block_size = 128;
    by_trie_.table_index_factory =
        fixture_.table.user_defined_index_factory.get();
  }
  void Open(const std::string& bytes) {
    const Status s = fixture_.Open(bytes, &reader_);
    ASSERT_TRUE(s.ok()) << s.ToString();
  }
  std::unique_ptr<InternalIterator> NewIterator(const ReadOptions& read) {
    return reader_->NewIterator({.read_options = &read});
  }
  // Every way of reading, by the trie and without it.
  void CheckAgrees(const std::vector<TableEntry>& entries,
                   const std::vector<std::string>& others) {
    const auto plain = NewIterator(built_in_);
    const auto own = NewIterator(by_trie_);
    const KeyValues all = ScanForward(plain.get());
    EXPECT_EQ(all, ScanForward(own.get()));
    EXPECT_EQ(all, ScanBackward(own.get()));
    EXPECT_EQ(entries.size(), all.size());
    for (const TableEntry& e : entries) {
      for (const SequenceNumber at :
           {e.sequence - 1, e.sequence, e.sequence + 1, kMaxSequenceNumber}) {
        ASSERT_NO_FATAL_FAILURE(
            CheckAt(plain.get(), own.get(), e.user_key, at));
      }
      const std::string behind = e.user_key + std::string(1, '\0');
      for (const std::string& key :
           {behind, e.user_key.substr(0, e.user_key.size() / 2)}) {
        ASSERT_NO_FATAL_FAILURE(
            CheckAt(plain.get(), own.get(), key, kMaxSequenceNumber));
      }
    }
    for (const std::string& key : others) {
      ASSERT_NO_FATAL_FAILURE(
          CheckAt(plain.get(), own.get(), key, kMaxSequenceNumber));
    }
  }
  void CheckAt(InternalIterator* plain, InternalIterator* own,
               const std::string& key, SequenceNumber sequence) {
    const InternalKey target(key, sequence, kValueTypeForSeek);
    plain->Seek(target.Encode());
    own->Seek(target.Encode());
    CheckSame(plain, own, key);
    plain->SeekForPrev(target.Encode());
    own->SeekForPrev(target.Encode());
    CheckSame(plain, own, key);
    EXPECT_EQ(fixture_.Get(*reader_, key, sequence, built_in_),
              fixture_.Get(*reader_, key, sequence, by_trie_))
        << key;
  }
  static void CheckSame(InternalIterator* plain, InternalIterator* own,
                        const std::string& key) {
    ASSERT_TRUE(own->status().ok()) << own->status().ToString();
    ASSERT_EQ(plain->Valid(), own->Valid()) << key;
    if (!plain->Valid()) return;
    ASSERT_EQ(plain->key(), own->key()) << key;
    ASSERT_EQ(plain->value(), own->value()) << key;
  }

  TableFixture fixture_;
  ReadOptions built_in_;
  ReadOptions by_trie_;
  std::unique_ptr<TableReader> reader_;
};

std::vector<TableEntry> RandomEntries(Random64* random) {
  std::vector<std::string> keys;
  for (size_t n = 1 + random->Uniform(500); n > 0; --n) {
    std::string key;
    for (size_t i = random->Uniform(10); i > 0; --i) {
      key.push_back(static_cast<char>('a' + random->Uniform(3)));
    }
    keys.push_back(key);
  }
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  std::vector<TableEntry> entries;
  for (const std::string& key : keys) {
    SequenceNumber sequence = 1000;
    for (size_t n = random->OneIn(10) ? 1 + random->Uniform(20) : 1; n > 0;
         --n) {
      const bool is_deleted = random->OneIn(10);
      entries.push_back(
          {.user_key = key,
           .value = is_deleted ? "" : "v" + std::to_string(sequence),
           .sequence = sequence,
           .type = is_deleted ? kTypeDeletion : kTypeValue});
      sequence -= 1 + random->Uniform(5);
    }
  }
  return entries;
}

TEST_F(OwnIndexTest, TheTrieFindsWhatTheBuiltInIndexFinds) {
  for (uint64_t seed = 0; seed < 8; ++seed) {
    SCOPED_TRACE(seed);
    Random64 random(seed);
    UseTrie();
    fixture_.table.block_size = 32 << random.Uniform(5);
    fixture_.table.use_udi_as_primary_index = random.OneIn(2);
    fixture_.table.index_type =
        fixture_.table.use_udi_as_primary_index || random.OneIn(2)
            ? BlockBasedTableOptions::kBinarySearch
            : BlockBasedTableOptions::kTwoLevelIndexSearch;
    // Held back for a dictionary, or not.
    fixture_.compression = random.OneIn(2) ? kLZ4Compression : kNoCompression;
    fixture_.compression_options.max_dict_bytes = random.OneIn(2) ? 1024 : 0;
    fixture_.is_mapped = random.OneIn(2);
    const std::vector<TableEntry> entries = RandomEntries(&random);
    const std::string bytes = fixture_.Build(entries);
    EXPECT_EQ(fixture_.table.use_udi_as_primary_index ? 1u : 0u,
              fixture_.built_properties.udi_is_primary_index);
    EXPECT_LE(fixture_.tail_size, bytes.size());
    // Primary: every read goes by it. The other goes by what is built in.
    fixture_.table.use_udi_as_primary_index = false;
    Open(bytes);
    ASSERT_NO_FATAL_FAILURE(CheckAgrees(entries, {"", "b", "zz", "aab"}));
    EXPECT_TRUE(reader_->VerifyChecksum(ReadOptions(), nullptr).ok());
  }
}

TEST_F(OwnIndexTest, BlocksAreTold) {
  std::vector<TableEntry> entries;
  for (const char* key : {"a", "b", "c"}) {
    entries.push_back({.user_key = key, .value = "1", .sequence = 5});
  }
  entries[1].type = kTypeDeletion;
  entries[1].value = "";
  entries[2].type = kTypeMerge;
  entries.push_back({.user_key = "c",
                     .value = "2" + std::string(8, '\0'),
                     .sequence = 3,
                     .type = kTypeValuePreferredSeqno});
  const auto factory = std::make_shared<NotedIndexFactory>();
  fixture_.table.user_defined_index_factory = factory;
  fixture_.table.block_size = 1;
  const char* const kExpected =
      "a=0:1 [a@5 | b@5] b=1: [b@5 | c@5] c=2:1 [c@5 | c@3] c=0:2 [c@3 | "
      "end] ";
  fixture_.Build(entries);
  EXPECT_EQ(kExpected, factory->notes);
  // The same where blocks are held back for a dictionary.
  factory->notes.clear();
  fixture_.compression = kLZ4Compression;
  fixture_.compression_options.max_dict_bytes = 1024;
  fixture_.Build(entries);
  EXPECT_EQ(kExpected, factory->notes);
  // And where so much is held that it is not held to the end.
  factory->notes.clear();
  fixture_.compression_options.max_dict_buffer_bytes = 1;
  fixture_.Build(entries);
  EXPECT_EQ(kExpected, factory->notes);
}

// In every layout that a data block can have.
TEST_F(OwnIndexTest, BlocksThatAreHeldBackAreTold) {
  const auto factory = std::make_shared<NotedIndexFactory>();
  BlockBasedTableOptions& table = fixture_.table;
  table.user_defined_index_factory = factory;
  table.block_size = 128;
  table.format_version = 7;
  const std::vector<TableEntry> entries = NumberedEntries(200);
  const auto notes_with = [&](CompressionType type, uint32_t dictionary_bytes) {
    fixture_.compression = type;
    fixture_.compression_options.max_dict_bytes = dictionary_bytes;
    factory->notes.clear();
    fixture_.Build(entries);
    return factory->notes;
  };
  for (const bool are_values_apart : {false, true}) {
    for (const bool has_hash_index : {false, true}) {
      for (const int restarts : {1, 3, 16}) {
        SCOPED_TRACE(testing::Message()
                     << are_values_apart << has_hash_index << " " << restarts);
        table.separate_key_value_in_data_block = are_values_apart;
        table.data_block_index_type =
            has_hash_index ? BlockBasedTableOptions::kDataBlockBinaryAndHash
                           : BlockBasedTableOptions::kDataBlockBinarySearch;
        table.block_restart_interval = restarts;
        const std::string expected = notes_with(kNoCompression, 0);
        EXPECT_NE("", expected);
        EXPECT_EQ(expected, notes_with(kZSTD, 1024));
        fixture_.compression_options.parallel_threads = 3;
        EXPECT_EQ(expected, notes_with(kZSTD, 1024));
        fixture_.compression_options.parallel_threads = 1;
      }
    }
  }
}

TEST_F(OwnIndexTest, AnotherNameIsRefused) {
  UseTrie();
  Open(fixture_.Build(NumberedEntries(50)));
  const NotedIndexFactory other;
  ReadOptions read;
  read.table_index_factory = &other;
  const char* const kText =
      "Invalid argument: Bad index name: test.Noted. Only supported UDI is "
      "trie_index";
  EXPECT_EQ(kText, NewIterator(read)->status().ToString());
  EXPECT_EQ(kText, fixture_.Get(*reader_, "key00003", 9, read));
  // Without a factory in the table's options the field means nothing.
  fixture_.table.user_defined_index_factory = nullptr;
  Open(fixture_.Build(NumberedEntries(50)));
  EXPECT_TRUE(NewIterator(read)->status().ok());
  EXPECT_EQ("=value-00003-abcabcabc",
            fixture_.Get(*reader_, "key00003", 9, read));
}

TEST_F(OwnIndexTest, TablesOfBefore) {
  const std::string bytes = fixture_.Build(NumberedEntries(50));
  UseTrie();
  fixture_.db.statistics = CreateDBStatistics();
  Open(bytes);
  EXPECT_EQ(1u, fixture_.db.statistics->getTickerCount(
                    SST_USER_DEFINED_INDEX_LOAD_FAIL_COUNT));
  EXPECT_EQ(50u, ScanForward(NewIterator(by_trie_).get()).size());
  for (bool BlockBasedTableOptions::*const option :
       {&BlockBasedTableOptions::fail_if_no_udi_on_open,
        &BlockBasedTableOptions::use_udi_as_primary_index}) {
    fixture_.table.*option = true;
    const Status s = fixture_.Open(bytes, &reader_);
    EXPECT_TRUE(s.IsCorruption()) << s.ToString();
    EXPECT_NE(std::string::npos,
              s.ToString().find("rocksdb.user_defined_index.trie_index"));
    fixture_.table.*option = false;
  }
}

TEST_F(OwnIndexTest, NoDataNoIndex) {
  UseTrie();
  fixture_.table.use_udi_as_primary_index = true;
  fixture_.tombstones = {{"a", "b", 7}};
  Open(fixture_.Build({}));
  EXPECT_TRUE(ScanForward(NewIterator(by_trie_).get()).empty());
}

TEST_F(OwnIndexTest, EveryFlippedByteOfTheFileIsFoundOrHarmless) {
  UseTrie();
  fixture_.table.use_udi_as_primary_index = true;
  const std::vector<TableEntry> entries = NumberedEntries(30);
  const std::string good = fixture_.Build(entries);
  for (size_t at = 0; at < good.size(); ++at) {
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 0x10);
    if (!fixture_.Open(bad, &reader_).ok()) continue;
    const auto it = NewIterator(built_in_);
    const KeyValues found = ScanForward(it.get());
    if (it->status().ok()) {
      EXPECT_EQ(ToKeyValues(entries), found) << at;
    }
  }
}

// --- files of RocksDB 11.9

std::string ReadUtilityVector(const std::string& name) {
  const char* chosen = getenv("BASALT_SPEC_DIR");
  const std::filesystem::path spec =
      chosen != nullptr
          ? std::filesystem::path(chosen)
          : std::filesystem::path(BASALT_SOURCE_DIR) / "../shared/spec";
  std::ifstream in(spec / "vectors/utilities" / name, std::ios::binary);
  std::stringstream bytes;
  bytes << in.rdbuf();
  return bytes.str();
}

class TrieVectorTest : public OwnIndexTest,
                       public testing::WithParamInterface<const char*> {};

TEST_P(TrieVectorTest, ReadsAsByTheBuiltInIndex) {
  const std::string bytes = ReadUtilityVector(GetParam());
  if (bytes.empty()) GTEST_SKIP() << "no vectors here";
  UseTrie();
  fixture_.table.fail_if_no_udi_on_open = true;
  Open(bytes);
  std::vector<TableEntry> entries;
  const auto it = NewIterator(built_in_);
  for (it->SeekToFirst(); it->Valid(); it->Next()) {
    ParsedInternalKey key;
    ASSERT_TRUE(ParseInternalKey(it->key(), &key));
    entries.push_back({.user_key = key.user_key.ToString(),
                       .value = it->value().ToString(),
                       .sequence = key.sequence,
                       .type = key.type});
  }
  EXPECT_FALSE(entries.empty());
  for (TableEntry& e : entries) e.sequence = std::max<uint64_t>(e.sequence, 1);
  ASSERT_NO_FATAL_FAILURE(CheckAgrees(entries, {"", "k", "zz", "key00006"}));
}

// The block with the trie, which is stored as it is.
std::string TrieOf(const std::string& file) {
  const size_t begin = file.find("EIRT");
  EXPECT_NE(std::string::npos, begin);
  return file.substr(begin);
}

// What we write of the same blocks is what RocksDB wrote; chains, which it adds
// in one of these, we leave out.
TEST_P(TrieVectorTest, ComesOutWithEqualBytes) {
  const std::string theirs = ReadUtilityVector(GetParam());
  if (theirs.empty()) GTEST_SKIP() << "no vectors here";
  UseTrie();
  Open(theirs);
  const auto it = NewIterator(built_in_);
  std::vector<TableEntry> entries;
  for (it->SeekToFirst(); it->Valid(); it->Next()) {
    ParsedInternalKey key;
    ASSERT_TRUE(ParseInternalKey(it->key(), &key));
    entries.push_back({.user_key = key.user_key.ToString(),
                       .value = it->value().ToString(),
                       .sequence = key.sequence,
                       .type = key.type});
  }
  const bool is_dense =
      std::string(GetParam()).find("dense") != std::string::npos;
  fixture_.table.block_size = is_dense ? 64 : 128;
  fixture_.table.format_version = 7;
  const std::string ours = TrieOf(fixture_.Build(entries));
  const std::string expected = TrieOf(theirs);
  size_t equal = 0;
  while (equal < expected.size() && equal < ours.size() &&
         ours[equal] == expected[equal]) {
    ++equal;
  }
  // Up to the number of chains; without any, up to the end: the last thing
  // that every block has is a tag or a count.
  const size_t wanted =
      is_dense                                                      ? 700
      : std::string(GetParam()).find("writer") != std::string::npos ? 1024
                                                                    : 552;
  EXPECT_GE(equal, wanted);
}

INSTANTIATE_TEST_SUITE_P(Files, TrieVectorTest,
                         testing::Values("r119_udi_trie_writer.sst",
                                         "r119_udi_trie_versions.sst",
                                         "r119_udi_trie_dense.sst"));

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

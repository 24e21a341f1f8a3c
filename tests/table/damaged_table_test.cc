// Damaged table files: right values or an error, never a wrong value, a crash
// or an endless loop.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "rocksdb/filter_policy.h"
#include "tests/table/stored_table.h"
#include "tests/table/table_fixture.h"
#include "tests/table/table_formats.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {
namespace {

bool IsDamageReport(const Status& s) {
  return s.IsCorruption() || s.IsNotSupported() || s.IsInvalidArgument();
}

// Reads everything in every way; each result is right or an error.
void ReadDamaged(TableFixture* fixture, const std::string& bytes,
                 const std::vector<TableEntry>& entries) {
  std::unique_ptr<TableReader> reader;
  Status s = fixture->Open(bytes, &reader);
  if (!s.ok()) {
    ASSERT_TRUE(IsDamageReport(s)) << s.ToString();
    ASSERT_NE(s.ToString().find("000007.sst"), std::string::npos)
        << s.ToString();
    return;
  }
  const KeyValues expected = ToKeyValues(entries);
  const ReadOptions read;
  const auto iterator = reader->NewIterator({.read_options = &read});
  const KeyValues forward = ScanForward(iterator.get());
  if (iterator->status().ok()) {
    ASSERT_EQ(forward, expected);
  } else {
    ASSERT_TRUE(IsDamageReport(iterator->status()));
    ASSERT_LE(forward.size(), expected.size());
    ASSERT_TRUE(std::equal(forward.begin(), forward.end(), expected.begin()));
  }
  const KeyValues backward = ScanBackward(iterator.get());
  if (iterator->status().ok()) {
    ASSERT_EQ(backward, expected);
  }
  for (const TableEntry& e : entries) {
    const std::string found = fixture->Get(*reader, e.user_key, e.sequence);
    if (found[0] == '=' || found == "none" || found == "deleted") {
      ASSERT_EQ(found, "=" + e.value) << e.user_key;
    }
  }
  s = reader->VerifyChecksum(read, nullptr);
  ASSERT_TRUE(s.ok() || IsDamageReport(s));
}

// Reads what no checksum vouches for: it must come to an end.
void SurviveDamage(TableFixture* fixture, const std::string& damaged,
                   const std::vector<TableEntry>& entries) {
  std::unique_ptr<TableReader> reader;
  if (!fixture->Open(damaged, &reader).ok()) return;
  const ReadOptions read;
  const auto iterator = reader->NewIterator({.read_options = &read});
  size_t steps = 0;
  for (iterator->SeekToFirst(); iterator->Valid(); iterator->Next()) {
    ASSERT_LE(++steps, damaged.size() * damaged.size());
  }
  steps = 0;
  for (iterator->SeekToLast(); iterator->Valid(); iterator->Prev()) {
    ASSERT_LE(++steps, damaged.size() * damaged.size());
  }
  for (const TableEntry& e : entries) fixture->Get(*reader, e.user_key);
}

class DamagedTable : public ::testing::TestWithParam<uint32_t> {
 protected:
  DamagedTable() {
    fixture_.table.format_version = GetParam();
    fixture_.table.block_size = 256;
    fixture_.table.no_block_cache = true;  // or the cache would hide damage
    fixture_.table.filter_policy.reset(NewBloomFilterPolicy(10));
    fixture_.compression = GetParam() % 2 == 0 ? kZSTD : kNoCompression;
    fixture_.tombstones = {{"x", "z", 3}};
    entries_ = NumberedEntries(30);
    bytes_ = fixture_.Build(entries_);
  }

  TableFixture fixture_;
  std::vector<TableEntry> entries_;
  std::string bytes_;
};

TEST_P(DamagedTable, EveryByteFlipped) {
  for (size_t i = 0; i < bytes_.size(); ++i) {
    SCOPED_TRACE("byte " + std::to_string(i));
    std::string damaged = bytes_;
    damaged[i] = static_cast<char>(damaged[i] ^ (1 << (i % 8)));
    ASSERT_NO_FATAL_FAILURE(ReadDamaged(&fixture_, damaged, entries_));
    damaged[i] = static_cast<char>(~bytes_[i]);
    ASSERT_NO_FATAL_FAILURE(ReadDamaged(&fixture_, damaged, entries_));
  }
}

TEST_P(DamagedTable, EveryLength) {
  for (size_t size = 0; size < bytes_.size(); ++size) {
    SCOPED_TRACE("size " + std::to_string(size));
    std::unique_ptr<TableReader> reader;
    const Status s = fixture_.Open(bytes_.substr(0, size), &reader);
    ASSERT_TRUE(IsDamageReport(s)) << s.ToString();
  }
}

// A table without its filter gives all answers; only a verifier is told.
TEST_P(DamagedTable, ADamagedFilterIsDoneWithout) {
  const StoredTable stored(bytes_);
  const BlockHandle filter =
      stored.BlockNamed("fullfilter.rocksdb.BuiltinBloomFilter");
  std::string damaged = bytes_;
  damaged[filter.offset + 3] = static_cast<char>(~damaged[filter.offset + 3]);
  for (const bool is_cached : {false, true}) {
    SCOPED_TRACE(is_cached);
    fixture_.table.no_block_cache = !is_cached;
    fixture_.table.cache_index_and_filter_blocks = is_cached;
    std::unique_ptr<TableReader> reader;
    const Status s = fixture_.Open(damaged, &reader);
    ASSERT_TRUE(s.ok()) << s.ToString();
    for (const TableEntry& e : entries_) {
      EXPECT_EQ(fixture_.Get(*reader, e.user_key), "=" + e.value);
    }
    EXPECT_EQ(fixture_.Get(*reader, "absent"), "none");
    EXPECT_TRUE(reader->VerifyChecksum(ReadOptions(), nullptr).IsCorruption());
  }
}

INSTANTIATE_TEST_SUITE_P(Versions, DamagedTable,
                         ::testing::Values(2, 4, 5, 6, 7));

class DamagedFormat : public ::testing::TestWithParam<TableFormat> {
 protected:
  DamagedFormat() {
    fixture_.table.format_version = 5;
    fixture_.table.block_size = 256;
    fixture_.table.filter_policy.reset(NewBloomFilterPolicy(10));
    fixture_.tombstones = {{"x", "z", 3}};
    GetParam().prepare(&fixture_);
    if (fixture_.table.cache_index_and_filter_blocks) {
      // Too small to hide damage.
      fixture_.table.block_cache = NewLRUCache(1, 0);
    } else {
      fixture_.table.no_block_cache = true;
    }
  }

  TableFixture fixture_;
};

TEST_P(DamagedFormat, EveryByteFlipped) {
  const std::vector<TableEntry> entries = NumberedEntries(30);
  const std::string bytes = fixture_.Build(entries);
  for (size_t i = 0; i < bytes.size(); ++i) {
    SCOPED_TRACE("byte " + std::to_string(i));
    std::string damaged = bytes;
    damaged[i] = static_cast<char>(damaged[i] ^ (1 << (i % 8)));
    ASSERT_NO_FATAL_FAILURE(ReadDamaged(&fixture_, damaged, entries));
  }
}

// Without checksums any answer will do but a crash, an endless loop or a read
// outside the file.
TEST_P(DamagedFormat, ArbitraryDamageWithoutChecksums) {
  fixture_.table.checksum = kNoChecksum;
  const std::vector<TableEntry> entries = NumberedEntries(60);
  const std::string bytes = fixture_.Build(entries);
  for (uint64_t seed = 1; seed <= 1000; ++seed) {
    SCOPED_TRACE(seed);
    Random64 random(seed);
    std::string damaged = bytes;
    for (uint64_t n = 1 + random.Uniform(3); n > 0; --n) {
      damaged[random.Uniform(damaged.size())] =
          static_cast<char>(random.Next());
    }
    ASSERT_NO_FATAL_FAILURE(SurviveDamage(&fixture_, damaged, entries));
  }
}

INSTANTIATE_TEST_SUITE_P(Formats, DamagedFormat,
                         ::testing::ValuesIn(TableFormats()),
                         [](const auto& one) { return one.param.name; });

// Without checksums nothing vouches for the bytes: any answer but a crash, an
// endless loop or a read outside the file will do.
TEST(DamagedTableWithoutChecksums, ArbitraryDamage) {
  TableFixture fixture;
  fixture.table.checksum = kNoChecksum;
  fixture.table.format_version = 5;
  fixture.table.block_size = 256;
  fixture.table.no_block_cache = true;
  fixture.table.filter_policy.reset(NewBloomFilterPolicy(10));
  const std::vector<TableEntry> entries = NumberedEntries(30);
  for (const CompressionType codec : {kNoCompression, kZSTD, kLZ4Compression}) {
    fixture.compression = codec;
    const std::string bytes = fixture.Build(entries);
    for (uint64_t seed = 1; seed <= 1500; ++seed) {
      Random64 random(seed);
      std::string damaged = bytes;
      for (uint64_t n = 1 + random.Uniform(3); n > 0; --n) {
        damaged[random.Uniform(damaged.size())] =
            static_cast<char>(random.Next());
      }
      ASSERT_NO_FATAL_FAILURE(SurviveDamage(&fixture, damaged, entries));
    }
  }
}

// The value of key00000 has another first byte; all else is as it was.
class DamagedValue : public ::testing::TestWithParam<uint32_t> {
 protected:
  DamagedValue() {
    fixture_.table.format_version = GetParam();
    fixture_.table.block_size = 256;
    fixture_.table.no_block_cache = true;
    bytes_ = fixture_.Build(NumberedEntries(30));
    const size_t at = bytes_.find("value-00000");
    EXPECT_NE(at, std::string::npos);
    bytes_[at] = 'V';
    EXPECT_TRUE(fixture_.Open(bytes_, &reader_).ok());
  }

  // What is read of the first entry in three ways, or the error.
  std::vector<std::string> FirstValues(const ReadOptions& read) {
    std::vector<std::string> values;
    values.push_back(
        fixture_.Get(*reader_, "key00000", kMaxSequenceNumber, read));
    const auto iterator = reader_->NewIterator({.read_options = &read});
    values.push_back(FirstOf(iterator.get()));
    std::unique_ptr<InternalIterator> bulk;
    EXPECT_TRUE(reader_
                    ->NewBulkIterator({.read_options = &read},
                                      fixture_.Stream(bytes_), &bulk)
                    .ok());
    values.push_back(FirstOf(bulk.get()));
    return values;
  }
  static std::string FirstOf(InternalIterator* iterator) {
    iterator->SeekToFirst();
    return iterator->Valid() ? "=" + iterator->value().ToString()
                             : iterator->status().ToString();
  }

  TableFixture fixture_;
  std::string bytes_;
  std::unique_ptr<TableReader> reader_;
};

TEST_P(DamagedValue, IsSeenWhereChecksumsAreVerified) {
  ReadOptions read;
  ASSERT_TRUE(read.verify_checksums);
  for (const std::string& value : FirstValues(read)) {
    EXPECT_NE(value.find("checksum mismatch"), std::string::npos) << value;
  }
  read.verify_checksums = false;
  for (const std::string& value : FirstValues(read)) {
    EXPECT_EQ(value, "=Value-00000-abcabcabc");
  }
  // VerifyChecksum() verifies although verify_checksums is off.
  EXPECT_TRUE(reader_->VerifyChecksum(read, nullptr).IsCorruption());
}

INSTANTIATE_TEST_SUITE_P(Versions, DamagedValue, ::testing::Values(2, 5, 7));

TEST(DamagedTableErrors, ErrorsNameFileAndOffset) {
  TableFixture fixture;
  fixture.table.block_size = 256;
  std::string bytes = fixture.Build(NumberedEntries(30));
  bytes[300] = static_cast<char>(bytes[300] ^ 1);
  std::unique_ptr<TableReader> reader;
  ASSERT_TRUE(fixture.Open(bytes, &reader).ok());
  const ReadOptions read;
  const auto iterator = reader->NewIterator({.read_options = &read});
  ScanForward(iterator.get());
  const std::string message = iterator->status().ToString();
  EXPECT_NE(message.find("000007.sst"), std::string::npos) << message;
  EXPECT_NE(message.find("at offset"), std::string::npos) << message;
  EXPECT_NE(message.find("checksum mismatch"), std::string::npos) << message;
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

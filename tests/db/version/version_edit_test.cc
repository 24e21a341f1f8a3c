// Version edits are written byte for byte as RocksDB writes them and read back,
// and any other bytes are answered OK or Corruption.

#if defined(__GNUC__) && !defined(__clang__)
// gcc 12 takes the text in an empty std::optional for used.
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

#include "db/version/version_edit.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "db/version/manifest_format.h"
#include "tests/db/manifest/manifest_fixture.h"
#include "util/coding.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {
namespace {

FileRef FullFile() {
  FileRef file = NewFileMeta(11, "apple", "melon", 9);
  file->path_id = 2;
  file->largest = InternalKey::TombstoneSentinel("melon");
  file->is_marked_for_compaction = true;
  file->oldest_blob_file = 77;
  file->oldest_ancestor_time = 1700000001;
  file->file_creation_time = 1700000002;
  file->checksum = std::string("\x01\x00\xff\x7f", 4);
  file->checksum_function = "FileChecksumCrc32c";
  file->temperature = Temperature::kCold;
  file->unique_id = {0x1122334455667788, 0x99aabbccddeeff00};
  file->compensated_range_deletion_bytes = 4096;
  file->tail_size_bytes = 300;
  file->has_persisted_timestamps = false;
  file->smallest_timestamp = "aaaaaaaa";
  file->largest_timestamp = "zzzzzzzz";
  file->open_metadata = std::string("\x00where\xff", 7);
  return file;
}

void ExpectSameFile(const FileMeta& a, const FileMeta& b) {
  EXPECT_EQ(a.number, b.number);
  EXPECT_EQ(a.path_id, b.path_id);
  EXPECT_EQ(a.size_bytes, b.size_bytes);
  EXPECT_EQ(a.smallest.Encode(), b.smallest.Encode());
  EXPECT_EQ(a.largest.Encode(), b.largest.Encode());
  EXPECT_EQ(a.smallest_sequence, b.smallest_sequence);
  EXPECT_EQ(a.largest_sequence, b.largest_sequence);
  EXPECT_EQ(a.is_marked_for_compaction, b.is_marked_for_compaction);
  EXPECT_EQ(a.oldest_blob_file, b.oldest_blob_file);
  EXPECT_EQ(a.oldest_ancestor_time, b.oldest_ancestor_time);
  EXPECT_EQ(a.file_creation_time, b.file_creation_time);
  EXPECT_EQ(a.epoch_number, b.epoch_number);
  EXPECT_EQ(a.checksum, b.checksum);
  EXPECT_EQ(a.checksum_function, b.checksum_function);
  EXPECT_EQ(a.temperature, b.temperature);
  EXPECT_EQ(a.unique_id, b.unique_id);
  EXPECT_EQ(a.compensated_range_deletion_bytes,
            b.compensated_range_deletion_bytes);
  EXPECT_EQ(a.tail_size_bytes, b.tail_size_bytes);
  EXPECT_EQ(a.has_persisted_timestamps, b.has_persisted_timestamps);
  EXPECT_EQ(a.smallest_timestamp, b.smallest_timestamp);
  EXPECT_EQ(a.largest_timestamp, b.largest_timestamp);
  EXPECT_EQ(a.open_metadata, b.open_metadata);
}

VersionEdit FullEdit() {
  VersionEdit edit;
  edit.db_id = "97297cef-b6c7-4770-a6ca-40a94ea2c0af";
  edit.comparator_name = "leveldb.BytewiseComparator";
  edit.log_number = 12;
  edit.previous_log_number = 0;
  edit.next_file_number = 19;
  edit.max_column_family = 3;
  edit.min_log_number_to_keep = 8;
  edit.last_sequence = kMaxSequenceNumber;
  edit.compaction_cursors.emplace_back(2, InternalKey("m", 7, kTypeValue));
  edit.DeleteFile(0, 9);
  edit.DeleteFile(3, 4);
  edit.AddFile(6, FullFile());
  edit.AddFile(0, NewFileMeta(13, "", "a", 10));
  edit.blob_additions.push_back({10, 2, 96, "method", "value"});
  edit.blob_garbage.push_back({10, 1, 48});
  edit.column_family = 3;
  edit.remaining_in_group = 2;
  edit.full_history_ts_low = "tttttttt";
  edit.persist_user_defined_timestamps = false;
  edit.manifest_compacted_size = 228;
  return edit;
}

TEST(VersionEdit, EveryFieldComesBack) {
  const VersionEdit edit = FullEdit();
  VersionEdit decoded;
  ASSERT_TRUE(decoded.DecodeFrom(Encode(edit)).ok());
  EXPECT_EQ(decoded.db_id, edit.db_id);
  EXPECT_EQ(decoded.comparator_name, edit.comparator_name);
  EXPECT_EQ(decoded.log_number, edit.log_number);
  EXPECT_EQ(decoded.previous_log_number, edit.previous_log_number);
  EXPECT_EQ(decoded.next_file_number, edit.next_file_number);
  EXPECT_EQ(decoded.max_column_family, edit.max_column_family);
  EXPECT_EQ(decoded.min_log_number_to_keep, edit.min_log_number_to_keep);
  EXPECT_EQ(decoded.last_sequence, edit.last_sequence);
  ASSERT_EQ(decoded.compaction_cursors.size(), 1u);
  EXPECT_EQ(decoded.compaction_cursors[0].first, 2);
  EXPECT_EQ(decoded.deleted_files, edit.deleted_files);
  ASSERT_EQ(decoded.new_files.size(), 2u);
  for (size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(decoded.new_files[i].level, edit.new_files[i].level);
    ExpectSameFile(*decoded.new_files[i].file, *edit.new_files[i].file);
  }
  ASSERT_EQ(decoded.blob_additions.size(), 1u);
  EXPECT_EQ(decoded.blob_additions[0].checksum_value, "value");
  ASSERT_EQ(decoded.blob_garbage.size(), 1u);
  EXPECT_EQ(decoded.blob_garbage[0].garbage_bytes, 48u);
  EXPECT_EQ(decoded.column_family, 3u);
  EXPECT_EQ(decoded.remaining_in_group, edit.remaining_in_group);
  EXPECT_EQ(decoded.full_history_ts_low, edit.full_history_ts_low);
  EXPECT_EQ(decoded.persist_user_defined_timestamps, false);
  EXPECT_EQ(decoded.manifest_compacted_size, edit.manifest_compacted_size);
  EXPECT_EQ(Encode(decoded), Encode(edit));
}

// Bounds go to the manifest without the timestamps that a file leaves out.
TEST(VersionEdit, BoundsLoseTimestampsAndGetThemBack) {
  const std::string zeros(8, '\0'), newest(8, '\xff'), some(8, 'x');
  struct Case {
    InternalKey largest;
    std::string restored;  // the timestamp of the largest key
  };
  const Case cases[] = {
      {InternalKey("z" + zeros, 5, kTypeValue), zeros},
      {InternalKey::TombstoneSentinel("z" + newest), newest},
      {InternalKey::TombstoneSentinel("z" + some), newest},
  };
  for (const Case& c : cases) {
    const FileRef file = NewFileMeta(13, "", "", 10);
    file->smallest = InternalKey("a" + zeros, 7, kTypeValue);
    file->largest = c.largest;
    file->LeaveOutTimestamps(8);
    EXPECT_EQ(file->smallest.user_key(), "a" + zeros);
    EXPECT_EQ(file->largest.user_key(), "z" + c.restored);
    VersionEdit edit, decoded;
    edit.AddFile(0, file);
    ASSERT_TRUE(decoded.DecodeFrom(Encode(edit)).ok());
    FileMeta& back = *decoded.new_files[0].file;
    EXPECT_FALSE(back.has_persisted_timestamps);
    EXPECT_EQ(back.smallest.user_key(), "a");
    EXPECT_EQ(back.largest.user_key(), "z");
    EXPECT_EQ(back.largest.sequence(), c.largest.sequence());
    EXPECT_EQ(back.largest.type(), c.largest.type());
    // What was read goes on as it is.
    EXPECT_EQ(Encode(decoded), Encode(edit));
    for (int i = 0; i < 2; ++i) {
      back.RestoreTimestamps(8);
      EXPECT_EQ(back.smallest.Encode(), file->smallest.Encode());
      EXPECT_EQ(back.largest.Encode(), file->largest.Encode());
    }
    EXPECT_EQ(Encode(decoded), Encode(edit));
  }
  const FileRef kept = NewFileMeta(14, "a", "b", 10);
  kept->RestoreTimestamps(8);
  EXPECT_EQ(kept->smallest.user_key(), "a");
  kept->LeaveOutTimestamps(0);
  EXPECT_TRUE(kept->has_persisted_timestamps);
}

TEST(VersionEdit, FamilyAndLogEditsComeBack) {
  VersionEdit add;
  add.column_family = 4;
  add.column_family_added = "cf one";
  VersionEdit drop;
  drop.column_family = 4;
  drop.column_family_dropped = true;
  VersionEdit wals;
  wals.wal_additions = {{4, 49}, {6, std::nullopt}};
  wals.wals_deleted_before = 4;
  VersionEdit decoded;
  ASSERT_TRUE(decoded.DecodeFrom(Encode(add)).ok());
  EXPECT_EQ(decoded.column_family_added, "cf one");
  EXPECT_TRUE(decoded.IsColumnFamilyManipulation());
  ASSERT_TRUE(decoded.DecodeFrom(Encode(drop)).ok());
  EXPECT_TRUE(decoded.column_family_dropped);
  EXPECT_FALSE(decoded.column_family_added);
  ASSERT_TRUE(decoded.DecodeFrom(Encode(wals)).ok());
  ASSERT_EQ(decoded.wal_additions.size(), 2u);
  EXPECT_EQ(decoded.wal_additions[0].synced_size, 49u);
  EXPECT_FALSE(decoded.wal_additions[1].synced_size);
  EXPECT_EQ(decoded.wals_deleted_before, 4u);
  EXPECT_TRUE(decoded.IsWalEdit());
  ASSERT_TRUE(decoded.DecodeFrom(Slice()).ok());
  EXPECT_TRUE(Encode(decoded).empty());
}

// The bytes that db-format.md 12.3 annotates.
TEST(VersionEdit, WritesTheBytesOfTheFormat) {
  VersionEdit edit;
  edit.wal_additions = {{4, 49}};
  EXPECT_EQ(Slice(Encode(edit)).ToString(true), "87400404023101");
  edit = VersionEdit();
  edit.wals_deleted_before = 8;
  EXPECT_EQ(Slice(Encode(edit)).ToString(true), "88400108");
  edit = VersionEdit();
  edit.previous_log_number = 0;
  edit.next_file_number = 10;
  edit.min_log_number_to_keep = 4;
  edit.last_sequence = 15;
  EXPECT_EQ(Slice(Encode(edit)).ToString(true), "0900030A0A04040F");
  edit = VersionEdit();
  edit.manifest_compacted_size = 228;
  EXPECT_EQ(Slice(Encode(edit)).ToString(true), "8B4002E401");
}

// What RocksDB 11.9 wrote, we write again byte for byte.
TEST(VersionEdit, RecordsOfRocksDbComeBackByteForByte) {
  size_t records = 0;
  for (const std::string& name : ManifestVectors()) {
    SCOPED_TRACE(name);
    const std::string bytes = ReadVector(name);
    ASSERT_FALSE(bytes.empty());
    for (const std::string& record : ManifestDirectory::RecordsOf(bytes)) {
      VersionEdit edit;
      Status s = edit.DecodeFrom(record);
      ASSERT_TRUE(s.ok()) << s.ToString();
      ++records;
      if (name.substr(0, 4) == "r783") continue;  // Knows no epochs.
      EXPECT_EQ(Slice(Encode(edit)).ToString(true),
                Slice(record).ToString(true));
    }
  }
  EXPECT_GT(records, 100u);
}

TEST(VersionEdit, AnyFlippedByteIsOkOrCorruption) {
  const std::string record = Encode(FullEdit());
  for (size_t i = 0; i < record.size(); ++i) {
    for (int flip = 1; flip < 256; ++flip) {
      std::string damaged = record;
      damaged[i] = static_cast<char>(damaged[i] ^ flip);
      VersionEdit edit;
      const Status s = edit.DecodeFrom(damaged);
      ASSERT_TRUE(s.ok() || s.IsCorruption()) << s.ToString();
      if (!s.ok()) {
        ASSERT_TRUE(edit.new_files.empty());  // Untouched on failure.
      }
    }
  }
}

TEST(VersionEdit, AnyPrefixAndAnyNoiseIsOkOrCorruption) {
  const std::string record = Encode(FullEdit());
  for (size_t n = 0; n < record.size(); ++n) {
    VersionEdit edit;
    const Status s = edit.DecodeFrom(Slice(record.data(), n));
    ASSERT_TRUE(s.ok() || s.IsCorruption()) << s.ToString();
  }
  Random64 random(301);
  for (int i = 0; i < 20000; ++i) {
    std::string noise;
    for (uint64_t n = random.Uniform(60); n > 0; --n) {
      noise.push_back(static_cast<char>(
          random.OneIn(3) ? record[random.Uniform(record.size())]
                          : random.Next()));
    }
    VersionEdit edit;
    const Status s = edit.DecodeFrom(noise);
    ASSERT_TRUE(s.ok() || s.IsCorruption()) << s.ToString();
  }
}

Status DecodeTagged(uint32_t tag, const std::string& rest) {
  std::string record;
  PutVarint32(&record, tag);
  record += rest;
  VersionEdit edit;
  return edit.DecodeFrom(record);
}

TEST(VersionEdit, UnknownTags) {
  // To be skipped, with its value; what follows counts.
  std::string record;
  PutVarint32(&record, 8210);
  PutLengthPrefixedSlice(&record, "whatever");
  PutVarint32(&record, 2);
  PutVarint64(&record, 77);
  VersionEdit edit;
  ASSERT_TRUE(edit.DecodeFrom(record).ok());
  EXPECT_EQ(edit.log_number, 77u);
  // The value reaches out of the record.
  EXPECT_TRUE(DecodeTagged(8210, "\x09 short").IsCorruption());
  for (const uint32_t tag : {8u, 11u, 99u, 101u, 104u, 204u, 301u, 402u}) {
    EXPECT_TRUE(DecodeTagged(tag, std::string(40, '\1')).IsCorruption()) << tag;
  }
}

std::string FieldOf(uint32_t tag, const std::string& value) {
  std::string field;
  PutVarint32(&field, tag);
  PutLengthPrefixedSlice(&field, value);
  return field;
}

Status DecodeFileWith(const std::string& fields, FileRef* file) {
  std::string record;
  PutVarint32(&record, 103);
  PutVarint32(&record, 2);
  PutVarint64(&record, 7);
  PutVarint64(&record, 4000);
  PutLengthPrefixedSlice(&record, InternalKey("a", 5, kTypeValue).Encode());
  PutLengthPrefixedSlice(&record, InternalKey("b", 4, kTypeValue).Encode());
  PutVarint64(&record, 4);
  PutVarint64(&record, 5);
  record += fields;
  PutVarint32(&record, 1);
  VersionEdit edit;
  Status s = edit.DecodeFrom(record);
  if (s.ok()) *file = edit.new_files.at(0).file;
  return s;
}

TEST(VersionEdit, FieldsOfNewFiles) {
  FileRef file;
  // Unknown ones: bit 6 says whether they may be skipped.
  EXPECT_TRUE(DecodeFileWith(FieldOf(30, "x"), &file).ok());
  EXPECT_TRUE(DecodeFileWith(FieldOf(66, "x"), &file).IsCorruption());
  // Sizes and ranges.
  EXPECT_TRUE(DecodeFileWith(FieldOf(65, std::string(1, '\3')), &file).ok());
  EXPECT_EQ(file->path_id, 3u);
  EXPECT_TRUE(
      DecodeFileWith(FieldOf(65, std::string(1, '\4')), &file).IsCorruption());
  EXPECT_TRUE(DecodeFileWith(FieldOf(65, ""), &file).IsCorruption());
  EXPECT_TRUE(
      DecodeFileWith(FieldOf(12, std::string(15, 'u')), &file).IsCorruption());
  EXPECT_TRUE(
      DecodeFileWith(FieldOf(3, std::string(7, '\0')), &file).IsCorruption());
  EXPECT_TRUE(DecodeFileWith(FieldOf(13, ""), &file).IsCorruption());
  EXPECT_TRUE(DecodeFileWith(FieldOf(9, "\x7f"), &file).ok());
  EXPECT_EQ(file->temperature, Temperature::kUnknown);
  EXPECT_TRUE(DecodeFileWith(FieldOf(9, "\x10"), &file).ok());
  EXPECT_EQ(file->temperature, Temperature::kIce);
}

TEST(VersionEdit, OldFormsOfNewFiles) {
  const std::string smallest =
      InternalKey("a", 5, kTypeValue).Encode().ToString();
  const std::string largest =
      InternalKey("b", 4, kTypeValue).Encode().ToString();
  for (const uint32_t tag : {7u, 100u, 102u}) {
    std::string record;
    PutVarint32(&record, tag);
    PutVarint32(&record, 3);
    PutVarint64(&record, 21);
    if (tag == 102) PutVarint32(&record, 1);
    PutVarint64(&record, 555);
    PutLengthPrefixedSlice(&record, smallest);
    PutLengthPrefixedSlice(&record, largest);
    if (tag != 7) PutVarint64(&record, 4);
    if (tag != 7) PutVarint64(&record, 5);
    VersionEdit edit;
    ASSERT_TRUE(edit.DecodeFrom(record).ok()) << tag;
    ASSERT_EQ(edit.new_files.size(), 1u);
    const FileMeta& file = *edit.new_files[0].file;
    EXPECT_EQ(edit.new_files[0].level, 3);
    EXPECT_EQ(file.number, 21u);
    EXPECT_EQ(file.size_bytes, 555u);
    EXPECT_EQ(file.path_id, tag == 102 ? 1u : 0u);
    EXPECT_EQ(file.smallest_sequence, tag == 7 ? kMaxSequenceNumber : 4u);
    EXPECT_EQ(file.largest_sequence, tag == 7 ? 0u : 5u);
    EXPECT_EQ(file.epoch_number, kUnknownEpoch);
    // What lacks an epoch is not written again.
    std::string again;
    EXPECT_TRUE(edit.EncodeTo(&again).IsCorruption());
  }
}

TEST(VersionEdit, BoundsOfTombstonesWithForeignTypesBecomeSentinels) {
  for (const uint8_t type : {0x0f, 0x18, 0x1a}) {
    std::string record;
    PutVarint32(&record, 7);
    PutVarint32(&record, 1);
    PutVarint64(&record, 21);
    PutVarint64(&record, 555);
    std::string smallest("a");
    PutFixed64(&smallest, uint64_t{5} << 8 | 0x1a);
    std::string largest("b");
    PutFixed64(&largest, kMaxSequenceNumber << 8 | type);
    PutLengthPrefixedSlice(&record, smallest);
    PutLengthPrefixedSlice(&record, largest);
    VersionEdit edit;
    ASSERT_TRUE(edit.DecodeFrom(record).ok());
    EXPECT_EQ(edit.new_files[0].file->smallest.type(), kTypeRangeDeletion);
    EXPECT_EQ(edit.new_files[0].file->smallest.sequence(), 5u);
    EXPECT_TRUE(edit.new_files[0].file->largest.IsTombstoneSentinel());
  }
}

TEST(VersionEdit, NumbersThatCannotBeAreCorruption) {
  std::string huge;
  PutVarint64(&huge, UINT64_MAX);
  for (const uint32_t tag : {2u, 3u, 4u, 9u, 10u}) {
    EXPECT_TRUE(DecodeTagged(tag, huge).IsCorruption()) << tag;
  }
  std::string deep;
  PutVarint32(&deep, 100000);
  EXPECT_TRUE(DecodeTagged(6, deep + '\7').IsCorruption());
  EXPECT_TRUE(DecodeTagged(6, '\1' + huge).IsCorruption());
  EXPECT_TRUE(DecodeTagged(8198, std::string(1, '\0')).IsCorruption());
  EXPECT_TRUE(DecodeTagged(8201, FieldOf(2, "xy").substr(1)).IsCorruption());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

// Version edits are written byte for byte as RocksDB writes them and read back,
// and any other bytes are answered OK or Corruption.

#if defined(__GNUC__) && !defined(__clang__)
// gcc 12 takes the text in an empty std::optional for used.
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

// Records of the manifest: which bytes an edit becomes, and what edits are read
// from bytes. The cases of tests/testdata/versions/records.txt are
//
//   edit        what comes back of an edit that is written and read
//   EDIT        as in edit_text.h, on any number of lines
//
//   bytes       the bytes of an edit, in hex
//   EDIT
//
//   record      what is read from a record
//   WORD ..     12: a varint; "text": bytes with their length; a@5:1: a key
//               with its length, sequence and type; \xHH: bytes as they are
#include "db/version/version_edit.h"

#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "db/version/manifest_format.h"
#include "tests/db/manifest/manifest_fixture.h"
#include "tests/db/version/edit_text.h"
#include "util/coding.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// An edit with each field.
VersionEdit FullEdit() {
  return ParseEdit(
      "db:97297cef-b6c7-4770-a6ca-40a94ea2c0af "
      "comparator:leveldb.BytewiseComparator log:12 previous:0 next:19 "
      "maxfamily:3 minlog:8 sequence:72057594037927935 cursor:2=m@7 -0:9 -3:4 "
      "+6:11:[apple-melon)b77!{path=2,ancestor=1700000001,created=1700000002,"
      "checksum=\\x01\\x00\\xFF\\x7F,function=FileChecksumCrc32c,"
      "temperature=12,id0=1234605616436508552,id1=11072869122414182144,"
      "compensated=4096,tail=300,timestamps=0,low=aaaaaaaa,high=zzzzzzzz,"
      "metadata=\\x00where\\xFF} +0:13:[-a] blob:10=2/96/method/value "
      "garbage:10=1/48 family:3 group:2 tslow:tttttttt keepstimestamps:0 "
      "compacted:228");
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

// --- the script

std::string TextOfDecoded(const Slice& record) {
  VersionEdit edit;
  const Status s = edit.DecodeFrom(record);
  if (!s.ok()) {
    EXPECT_EQ(TextOfEdit(edit), "") << "touched on failure";
    return s.ToString() + "\n";
  }
  std::string again;
  const Status written = edit.EncodeTo(&again);
  std::string text = TextOfEdit(edit);
  if (edit.IsWalEdit()) text += "about logs only\n";
  if (edit.IsColumnFamilyManipulation()) text += "about a family as a whole\n";
  if (!written.ok()) text += "not written again: " + written.ToString() + "\n";
  return text;
}

std::string RunEncodeCase(const ScriptCase& c) {
  const VersionEdit edit = ParseEdit(c.body);
  std::string record;
  const Status s = edit.EncodeTo(&record);
  if (!s.ok()) return s.ToString() + "\n";
  VersionEdit decoded;
  EXPECT_TRUE(decoded.DecodeFrom(record).ok());
  EXPECT_EQ(TextOfEdit(decoded), TextOfEdit(edit));
  EXPECT_EQ(Slice(Encode(decoded)).ToString(true),
            Slice(record).ToString(true));
  if (c.command == "bytes") return Slice(record).ToString(true) + "\n";
  return TextOfDecoded(record);
}

void AppendRecordWord(const std::string& word, std::string* record) {
  if (word[0] == '"') {
    EXPECT_EQ(word.back(), '"') << word;
    PutLengthPrefixedSlice(record,
                           BytesOfText(word.substr(1, word.size() - 2)));
  } else if (word[0] == '\\') {
    *record += BytesOfText(word);
  } else if (word.find('@') == std::string::npos) {
    PutVarint64(record, std::stoull(word));
  } else {
    // KEY@SEQUENCE:TYPE
    size_t at = word.find('@');
    std::string key = word.substr(0, at++);
    const uint64_t sequence = NumberAt(word, &at);
    uint64_t type = kTypeValue;
    if (at < word.size()) type = NumberAt(word, &++at);
    PutFixed64(&key, sequence << 8 | type);
    PutLengthPrefixedSlice(record, key);
  }
}

std::string RunEditCase(const ScriptCase& c) {
  if (c.command == "edit" || c.command == "bytes") return RunEncodeCase(c);
  EXPECT_EQ(c.command, "record");
  std::string record;
  std::istringstream words(c.body);
  for (std::string word; words >> word;) AppendRecordWord(word, &record);
  return TextOfDecoded(record);
}

TEST(VersionEdit, EveryCaseOfTheScript) {
  EXPECT_GE(RunScript("versions/records.txt", RunEditCase), 98u)
      << "cases went missing";
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

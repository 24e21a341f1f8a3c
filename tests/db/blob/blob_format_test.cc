// The bytes of blob files and references: vectors of RocksDB, what cannot be,
// and every bit flipped. The cases of tests/testdata/blobs/format.txt are
//
//   header family:N codec:N      the bytes, and what is read of them; with
//   footer count:N               xor:AT=BITS, cut:N or tail:BYTES of what is so
//                                damaged
//   record key:K value:V         its header
//   check key:K value:V for:KEY size:N   the record, for who looks for that
//   index file:N offset:N size:N codec:N, embedded offset:N size:N   a
//   reference read index|embedded          one of these bytes BYTES flow
//   stamps:N                what a compaction reads and writes again STEP see
//   RunBlobFlow()
#include "db/blob/blob_format.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "db/blob/blob_flow.h"
#include "tests/testing/script.h"
#include "util/coding.h"
#include "util/random.h"
#include "util/value/blob_index.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// Empty if the vectors are absent.
std::string ReadVector(const std::string& name) {
  const std::filesystem::path path = std::filesystem::path(BASALT_SOURCE_DIR) /
                                     "../shared/spec/vectors/db" / name;
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

const char* const kVectors[] = {
    "r783_blob.000010.blob", "r119_blob.000010.blob",
    "r783_blob_zstd.000010.blob", "r119_blob_zstd.000010.blob"};

TEST(BlobFormatTest, VectorsAreReadAndWrittenAgain) {
  for (const char* name : kVectors) {
    SCOPED_TRACE(name);
    const std::string bytes = ReadVector(name);
    if (bytes.empty()) GTEST_SKIP() << "the vectors are absent";
    const bool is_zstd = std::string(name).find("zstd") != std::string::npos;
    Slice rest(bytes);
    const auto take = [&rest](size_t n) {
      const Slice part(rest.data(), n);
      rest.remove_prefix(n);
      return part;
    };
    std::string written;
    BlobFileHeader header;
    ASSERT_TRUE(header.DecodeFrom(take(BlobFileHeader::kBytes)).ok());
    EXPECT_EQ(header.column_family, 0u);
    EXPECT_EQ(header.compression, is_zstd ? kZSTD : kNoCompression);
    header.EncodeTo(&written);
    uint64_t count = 0;
    while (rest.size() > BlobFileFooter::kBytes) {
      const Slice head = take(BlobRecordHeader::kBytes);
      BlobRecordHeader record;
      ASSERT_TRUE(record.DecodeFrom(head).ok());
      const Slice key = take(record.key_size);
      const Slice value = take(record.value_size);
      EXPECT_EQ(key.ToString(), "k" + std::to_string(++count));
      const Slice whole(head.data(), head.size() + key.size() + value.size());
      EXPECT_TRUE(CheckBlobRecord(whole, key, value.size()).ok());
      EXPECT_TRUE(CheckBlobRecord(whole, "k9", value.size()).IsCorruption());
      EXPECT_TRUE(CheckBlobRecord(whole, key, value.size() + 1).IsCorruption());
      BlobRecordHeader::Encode(key, value, &written);
      written.append(key.data(), key.size());
      written.append(value.data(), value.size());
    }
    BlobFileFooter footer;
    ASSERT_TRUE(footer.DecodeFrom(rest).ok());
    EXPECT_EQ(footer.blob_count, count);
    EXPECT_EQ(count, 2u);
    footer.EncodeTo(&written);
    EXPECT_EQ(written, bytes);
  }
}

TEST(BlobFormatTest, AFileWithoutFooterIsSeen) {
  const std::string bytes =
      ReadVector("r119_blob_direct_write_unsealed.000008.blob");
  if (bytes.empty()) GTEST_SKIP() << "the vectors are absent";
  ASSERT_GT(bytes.size(), BlobFileHeader::kBytes + BlobFileFooter::kBytes);
  BlobFileHeader header;
  EXPECT_TRUE(
      header.DecodeFrom(Slice(bytes.data(), BlobFileHeader::kBytes)).ok());
  BlobFileFooter footer;
  EXPECT_TRUE(footer
                  .DecodeFrom(Slice(
                      bytes.data() + bytes.size() - BlobFileFooter::kBytes,
                      BlobFileFooter::kBytes))
                  .IsCorruption());
}

TEST(BlobFormatTest, EveryFlippedBitOfARecordIsCorruption) {
  std::string record;
  const std::string key = "some key";
  const std::string value(100, 'v');
  BlobRecordHeader::Encode(key, value, &record);
  record += key + value;
  ASSERT_TRUE(CheckBlobRecord(record, key, value.size()).ok());
  // The expiry is part of the sum, so that no bit is free.
  for (size_t bit = 0; bit < record.size() * 8; ++bit) {
    std::string damaged = record;
    damaged[bit / 8] ^= static_cast<char>(1 << (bit % 8));
    EXPECT_TRUE(CheckBlobRecord(damaged, key, value.size()).IsCorruption())
        << bit;
  }
  EXPECT_TRUE(CheckBlobRecord(Slice(record.data(), record.size() - 1), key,
                              value.size())
                  .IsCorruption());
}

TEST(BlobFormatTest, FlippedBitsOfTheFooterAreCorruption) {
  std::string bytes;
  BlobFileFooter footer;
  footer.blob_count = 77;
  footer.EncodeTo(&bytes);
  for (size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    std::string damaged = bytes;
    damaged[bit / 8] ^= static_cast<char>(1 << (bit % 8));
    BlobFileFooter read;
    EXPECT_TRUE(read.DecodeFrom(damaged).IsCorruption()) << bit;
  }
}

TEST(BlobIndexTest, ArbitraryBytesAreOkOrCorruption) {
  Random64 random(17);
  for (int i = 0; i < 20000; ++i) {
    std::string bytes(random.Uniform(20), '\0');
    for (char& c : bytes) c = static_cast<char>(random.Next());
    if (!bytes.empty() && random.OneIn(2)) bytes[0] = 1;
    BlobIndex index;
    const Status s = index.DecodeFrom(bytes);
    ASSERT_TRUE(s.ok() || s.IsCorruption());
    BlobRecordHeader record;
    ASSERT_TRUE(record.DecodeFrom(bytes).IsCorruption());
  }
}

// --- the script

// The bytes with what is wrong with them: xor:AT=BITS, cut:N, tail:BYTES.
std::string DamagedBlob(std::string bytes, const ScriptWords& command) {
  if (command.Has("xor")) {
    const std::string damage = command.Text("xor", "");
    bytes.at(std::stoul(damage)) ^=
        static_cast<char>(std::stoi(damage.substr(damage.find('=') + 1)));
  }
  bytes.resize(bytes.size() - command.Number("cut", 0));
  return bytes + BytesOfText(command.Text("tail", ""));
}

bool IsDamaged(const ScriptWords& command) {
  return command.Has("xor") || command.Has("cut") || command.Has("tail");
}

CompressionType CodecOf(const ScriptWords& command) {
  return static_cast<CompressionType>(command.Number("codec", 0));
}

std::string RunBlobHeader(const ScriptWords& command) {
  BlobFileHeader header;
  header.column_family = static_cast<uint32_t>(command.Number("family", 0));
  header.compression = CodecOf(command);
  std::string bytes;
  header.EncodeTo(&bytes);
  std::string text =
      IsDamaged(command) ? "" : Slice(bytes).ToString(true) + "\n";
  BlobFileHeader read;
  const Status s = read.DecodeFrom(DamagedBlob(bytes, command));
  if (!s.ok()) return text + s.ToString() + "\n";
  return text + "family " + std::to_string(read.column_family) + " codec " +
         std::to_string(read.compression) + "\n";
}

std::string RunBlobFooter(const ScriptWords& command) {
  BlobFileFooter footer;
  footer.blob_count = command.Number("count", 0);
  std::string bytes;
  footer.EncodeTo(&bytes);
  std::string text =
      IsDamaged(command) ? "" : Slice(bytes).ToString(true) + "\n";
  BlobFileFooter read;
  const Status s = read.DecodeFrom(DamagedBlob(bytes, command));
  if (!s.ok()) return text + s.ToString() + "\n";
  return text + "count " + std::to_string(read.blob_count) + "\n";
}

// A record, or whether it is what somebody looks for.
std::string RunBlobRecord(const ScriptWords& command) {
  const std::string key = command.Text("key", "");
  const std::string value = command.Text("value", "");
  std::string bytes;
  BlobRecordHeader::Encode(key, value, &bytes);
  if (command.verb() == "record") {
    BlobRecordHeader read;
    const Status s = read.DecodeFrom(bytes);
    return Slice(bytes).ToString(true) + "\n" +
           (s.ok() ? std::to_string(read.key_size) + " and " +
                         std::to_string(read.value_size) + " bytes"
                   : s.ToString()) +
           "\n";
  }
  return CheckBlobRecord(DamagedBlob(bytes + key + value, command),
                         command.Text("for", key),
                         command.Number("size", value.size()))
             .ToString() +
         "\n";
}

std::string TextOfIndex(const BlobIndex& index) {
  return "file " + std::to_string(index.file_number) + " offset " +
         std::to_string(index.offset) + " size " + std::to_string(index.size) +
         " codec " + std::to_string(index.compression) + "\n";
}

std::string ReadIndex(const std::string& bytes, bool is_embedded) {
  BlobIndex read;
  const Status s =
      is_embedded ? read.DecodeEmbedded(bytes) : read.DecodeFrom(bytes);
  return s.ok() ? TextOfIndex(read) : s.ToString() + "\n";
}

std::string RunBlobIndex(const ScriptWords& command) {
  BlobIndex index;
  index.file_number = command.Number("file", 0);
  index.offset = command.Number("offset", 0);
  index.size = command.Number("size", 0);
  index.compression = CodecOf(command);
  const bool is_embedded = command.verb() == "embedded";
  std::string bytes;
  if (is_embedded) {
    index.EncodeEmbedded(&bytes);
  } else {
    index.EncodeTo(&bytes);
  }
  return Slice(bytes).ToString(true) + "\n" + ReadIndex(bytes, is_embedded);
}

// read KEY FILE SIZE, write KEY FILE SIZE, part, garbage, reads, of FILE COUNT
// BYTES
std::string RunBlobFlow(const std::string& body) {
  BlobFlow all, part;
  std::string text;
  for (const std::string& line : LinesOf(body)) {
    const ScriptWords words(line);
    const auto number = [&words](size_t i) {
      return std::stoull(words.Word(i));
    };
    BlobIndex index;
    if (words.verb() == "read" || words.verb() == "write") {
      index.file_number = number(1);
      index.size = number(2);
      const std::string& key = words.Word(0);
      words.verb() == "read" ? part.NoteRead(key, index)
                             : part.NoteWritten(key, index);
      continue;
    }
    all.Add(part);
    part = BlobFlow();
    std::vector<BlobFileGarbage> garbage;
    if (words.verb() == "reads") {
      text += std::to_string(all.read_count()) + " read\n";
    } else if (words.verb() == "of") {
      garbage.push_back(
          all.GarbageOf({number(0), number(1), number(2), "", ""}));
    } else if (words.verb() == "garbage") {
      garbage = all.Garbage();
      if (garbage.empty()) text += "no garbage\n";
    } else {
      EXPECT_EQ(words.verb(), "part");
    }
    for (const BlobFileGarbage& one : garbage) {
      text += "file " + std::to_string(one.number) + ": " +
              std::to_string(one.garbage_count) + ", " +
              std::to_string(one.garbage_bytes) + " bytes\n";
    }
  }
  return text;
}

std::string RunBlobCase(const ScriptCase& c) {
  const ScriptWords command(c.command);
  const std::string& verb = command.verb();
  if (verb == "header") return RunBlobHeader(command);
  if (verb == "footer") return RunBlobFooter(command);
  if (verb == "record" || verb == "check") return RunBlobRecord(command);
  if (verb == "index" || verb == "embedded") return RunBlobIndex(command);
  if (verb == "flow") return RunBlobFlow(c.body);
  EXPECT_EQ(verb, "read");
  const std::string bytes =
      c.body.empty() ? "" : BytesOfText(LinesOf(c.body).at(0));
  return ReadIndex(bytes, command.HasWord("embedded"));
}

TEST(BlobFormatTest, EveryCaseOfTheScript) {
  EXPECT_GE(RunScript("blobs/format.txt", RunBlobCase), 58u)
      << "cases went missing";
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

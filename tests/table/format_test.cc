// Footers, block handles and trailers of table files.
//
// Runs tests/testdata/sst/format.txt; each case is one line:
//
//   footer version:N [checksum:NAME] [index:OFFSET+SIZE] [file:BYTES]
//          [flip:AT..] [zero:AT]    the bytes of a footer at 1398, behind a
//                           metaindex of 102; what is read from them in a file
//                           of that size, or once bits of some bytes are
//                           turned, or four bytes are 0
//   no_footer size:BYTES [magic:HEX] [version:N]    what is read from so many
//                           bytes that end like this
//   fits OFFSET SIZE LIMIT  do such a block and its trailer end there?
//   trailer checksum:NAME [base:HEX]    the checksum of a known block at 0
#include "table/format.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <sstream>
#include <string>

#include "tests/testing/script.h"
#include "tests/testing/script_lines.h"

namespace ROCKSDB_NAMESPACE {
namespace {

constexpr uint64_t kFooterOffset = 1398;
constexpr uint64_t kFileSize = kFooterOffset + Footer::kBytes;

Footer MakeFooter(uint32_t version) {
  Footer footer;
  footer.format_version = version;
  footer.checksum = kXXH3;
  footer.metaindex = {.offset = 1291, .size = 102};
  if (version < kFirstContextChecksumVersion) {
    footer.index = {.offset = 146, .size = 18};
  } else {
    footer.base_context_checksum = 0x7785e3e4;
  }
  return footer;
}

// Every byte that is examined matters.
TEST(Footer, FlippedBytesOfVersion7AreFound) {
  std::string bytes;
  MakeFooter(7).EncodeTo(kFooterOffset, &bytes);
  for (size_t i = 0; i < bytes.size(); ++i) {
    for (const char bit : {'\x01', '\x80'}) {
      std::string damaged = bytes;
      damaged[i] = static_cast<char>(damaged[i] ^ bit);
      Footer read;
      const Status s = read.DecodeFrom(damaged, kFileSize, "f");
      EXPECT_FALSE(s.ok()) << "byte " << i;
    }
  }
}

ChecksumType ChecksumNamed(const std::string& name) {
  static const char* const kNames[] = {"none", "crc32c", "xxhash", "xxhash64",
                                       "xxh3"};
  for (size_t i = 0; i < std::size(kNames); ++i) {
    if (name == kNames[i]) return static_cast<ChecksumType>(i);
  }
  ADD_FAILURE() << name;
  return kNoChecksum;
}

std::string HexNumber(uint64_t number) {
  char text[32];
  (void)snprintf(text, sizeof(text), "%llx",
                 static_cast<unsigned long long>(number));
  return text;
}

std::string ReadFooterText(const std::string& bytes, uint64_t file_size) {
  Footer footer;
  footer.format_version = 99;
  const Status s = footer.DecodeFrom(bytes, file_size, "some-file");
  if (!s.ok()) {
    EXPECT_EQ(footer.format_version, 99u) << "untouched";
    return s.ToString();
  }
  return "version " + std::to_string(footer.format_version) + ", checksum " +
         std::to_string(footer.checksum) + ", base " +
         HexNumber(footer.base_context_checksum) + ", metaindex " +
         footer.metaindex.ToString() + ", index " + footer.index.ToString();
}

std::string FooterAnswer(const ScriptWords& command) {
  Footer footer =
      MakeFooter(static_cast<uint32_t>(command.Number("version", 7)));
  footer.checksum = ChecksumNamed(command.Text("checksum", "xxh3"));
  if (command.Has("index")) {
    const std::string index = command.Text("index", "");
    footer.index.offset = std::stoull(index);
    footer.index.size = std::stoull(index.substr(index.find('+') + 1));
  }
  std::string bytes;
  footer.EncodeTo(kFooterOffset, &bytes);
  std::istringstream places(command.Text("flip", ""));
  for (size_t at = 0; places >> at;) bytes.at(at) ^= 1;
  if (command.Has("zero")) bytes.replace(command.Number("zero", 0), 4, 4, '\0');
  // Cases of damage do not show the bytes: the error says enough.
  const bool shows_bytes =
      !command.Has("flip") && !command.Has("zero") && !command.Has("file");
  return (shows_bytes ? TextOfBytes(bytes) + "\n" : "") +
         ReadFooterText(bytes, command.Number("file", kFileSize));
}

std::string NoFooterAnswer(const ScriptWords& command) {
  const size_t size = command.Number("size", 0);
  std::string bytes(size, '\0');
  if (command.Has("magic")) {
    EncodeFixed64(&bytes.at(size - 8),
                  std::stoull(command.Text("magic", ""), nullptr, 16));
  }
  if (command.Has("version")) {
    EncodeFixed32(&bytes.at(size - 12),
                  static_cast<uint32_t>(command.Number("version", 0)));
  }
  const size_t tail = std::min(size, Footer::kBytes);
  return ReadFooterText(bytes.substr(size - tail), size);
}

// Section 12.2 of the specification: three entries and a restart.
std::string KnownBlock() {
  std::string payload;
  const auto entry = [&payload](size_t shared, const std::string& tail,
                                const std::string& value) {
    PutVarint32(&payload, static_cast<uint32_t>(shared));
    PutVarint32(&payload, static_cast<uint32_t>(tail.size()));
    PutVarint32(&payload, static_cast<uint32_t>(value.size()));
    payload += tail + value;
  };
  const auto suffix = [](char sequence) {
    return std::string("\x01") + sequence + std::string(6, '\0');
  };
  entry(0, "apple" + suffix(1), "red");
  entry(4, "y" + suffix(2), "green");
  entry(0, "banana" + suffix(3), "yellow");
  PutFixed32(&payload, 0);
  PutFixed32(&payload, 1);
  EXPECT_EQ(payload.size(), 67u);
  return payload;
}

std::string FormatAnswer(const ScriptCase& c) {
  const ScriptWords command(c.command);
  const std::string& verb = command.verb();
  if (verb == "footer") return FooterAnswer(command);
  if (verb == "no_footer") return NoFooterAnswer(command);
  if (verb == "fits") {
    const auto number = [&command](size_t i) {
      const std::string& word = command.Word(i);
      return word == "max" ? UINT64_MAX : std::stoull(word);
    };
    const BlockHandle handle{.offset = number(0), .size = number(1)};
    return handle.FitsBefore(number(2)) ? "yes" : "no";
  }
  EXPECT_EQ(verb, "trailer");
  Footer footer;
  footer.checksum = ChecksumNamed(command.Text("checksum", ""));
  footer.base_context_checksum = static_cast<uint32_t>(
      std::stoull(command.Text("base", "0"), nullptr, 16));
  const std::string payload = KnownBlock();
  return HexNumber(
      footer.TrailerChecksum(payload.data(), payload.size(), 0, 0));
}

TEST(Footer, EveryCaseOfTheScript) {
  EXPECT_GE(RunScript("sst/format.txt", FormatAnswer), 74u)
      << "cases went missing";
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

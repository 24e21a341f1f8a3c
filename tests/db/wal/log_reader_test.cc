// What each mode of recovery makes of a log: whole, torn, damaged, used before.
// The cases of tests/testdata/logs/reader.txt are
//
//   read OPTIONS     a log of these pieces, read in each mode
//   PIECE ..
//   stock FILE OPTIONS  a file of tests/testdata/wal
//
// with OPTIONS number:N (of the log; 7), growing, fail:N (that read fails). A
// PIECE is full:BYTES, first:BYTES, middle:BYTES, last:BYTES, or typeN:BYTES;
// behind the name @N makes it a recyclable one of log N. bad-PIECE has a wrong
// checksum, long-PIECE a wrong length. Others: zeros:N, block (zeros up to its
// end), cut:N (the last bytes are gone).
//
// A mode answers with the records and where each begins, what it reports, and
// what it drops; modes that answer the same share a line.
#include "db/wal/log_reader.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "tests/db/wal/log_file.h"
#include "tests/testing/script.h"
#include "util/coding.h"
#include "util/crc32c.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {
namespace {

constexpr WALRecoveryMode kTolerate =
    WALRecoveryMode::kTolerateCorruptedTailRecords;
constexpr WALRecoveryMode kAbsolute = WALRecoveryMode::kAbsoluteConsistency;
constexpr WALRecoveryMode kPointInTime = WALRecoveryMode::kPointInTimeRecovery;
constexpr WALRecoveryMode kSkip = WALRecoveryMode::kSkipAnyCorruptedRecords;

std::string PlainRecord(uint8_t type, const std::string& payload) {
  const std::string typed = static_cast<char>(type) + payload;
  std::string record;
  PutFixed32(&record, crc32c::Mask(crc32c::Value(typed.data(), typed.size())));
  PutFixed16(&record, static_cast<uint16_t>(payload.size()));
  return record + typed;
}

std::string RecyclableRecord(uint8_t type, uint32_t number,
                             const std::string& payload) {
  std::string with_number;
  PutFixed32(&with_number, number);
  // The length leaves the log number out.
  std::string record = PlainRecord(type, with_number + payload);
  EncodeFixed16(record.data() + 4, static_cast<uint16_t>(payload.size()));
  return record;
}

const std::string kA = PlainRecord(log::kFullType, "a");
const std::string kB = PlainRecord(log::kFullType, "b");

// `first` at the end of a block whose rest is zero, then `second`.
std::string InTwoBlocks(std::string first, const std::string& second) {
  first.resize(log::kBlockSize);
  return first + second;
}

// Less than a long header at the end of a block will never be data.
TEST(LogReader, AGrowingRecyclableLogGoesOnBehindPadding) {
  const std::string next =
      RecyclableRecord(log::kRecyclableFullType, 7, "next");
  for (size_t padding = 0; padding < log::kRecyclableHeaderSize; ++padding) {
    SCOPED_TRACE(padding);
    const std::string first(
        log::kBlockSize - log::kRecyclableHeaderSize - padding, 'a');
    const std::string contents =
        InTwoBlocks(RecyclableRecord(log::kRecyclableFullType, 7, first), next);
    log::Reader::Options options;
    options.log_number = 7;
    for (const bool is_growing : {false, true}) {
      options.is_growing = is_growing;
      for (const WALRecoveryMode mode : kAllModes) {
        const LogContents log = ReadLogWith(options, contents, mode);
        EXPECT_EQ(log.records, (std::vector<std::string>{first, "next"}));
        EXPECT_TRUE(log.reports.empty());
      }
    }
  }
}

// Wherever the last record is cut, the log ends in front of it.
TEST(LogReader, TornTails) {
  const std::string whole = kA + kB;
  for (size_t size = kA.size() + 1; size < whole.size(); ++size) {
    for (const WALRecoveryMode mode : kAllModes) {
      SCOPED_TRACE(size);
      const LogContents log = ReadLog(whole.substr(0, size), mode, 7);
      EXPECT_EQ(log.records, std::vector<std::string>{"a"});
      EXPECT_EQ(log.reports.empty(), mode == kTolerate || mode == kSkip);
    }
  }
}

// --- Files that RocksDB wrote

#ifdef ZSTD
LogContents ReadTestLog(const std::string& name, uint64_t number) {
  const std::string contents = TestLog(name);
  EXPECT_FALSE(contents.empty());
  return ReadLog(contents, kAbsolute, number);
}

TEST(LogReader, StockCompressedLogs) {
  for (const char* name : {"r119_wal_zstd.000004", "r783_wal_zstd.000004"}) {
    const LogContents log = ReadTestLog(name, 4);
    ASSERT_EQ(log.records.size(), 2u);
    EXPECT_TRUE(log.reports.empty());
    EXPECT_TRUE(Slice(log.records[0]).ends_with(std::string(200, 'x')));
    EXPECT_TRUE(Slice(log.records[1]).ends_with(std::string(300, 'y')));
  }
}
#endif

// --- Damage everywhere

bool IsSubsequence(const std::vector<std::string>& part,
                   const std::vector<std::string>& whole) {
  auto at = whole.begin();
  for (const std::string& record : part) {
    at = std::find(at, whole.end(), record);
    if (at == whole.end()) return false;
    ++at;
  }
  return true;
}

bool IsPrefix(const std::vector<std::string>& part,
              const std::vector<std::string>& whole) {
  return part.size() <= whole.size() &&
         std::equal(part.begin(), part.end(), whole.begin());
}

std::vector<std::string> DamageLogs() {
  std::vector<std::string> logs;
  for (bool recyclable : {false, true}) {
    std::string contents;
    const auto writer =
        NewLogWriter(&contents, {.log_number = 7, .recyclable = recyclable});
    for (int i = 0; i < 12; ++i) {
      EXPECT_TRUE(
          writer->AddRecord(std::string(5 * i + 1, static_cast<char>('a' + i)))
              .ok());
    }
    logs.push_back(contents);
  }
#ifdef ZSTD
  logs.push_back(TestLog("r119_wal_zstd.000004"));
#endif
  return logs;
}

TEST(LogReader, EveryFlippedBitIsNoticedOrHarmless) {
  for (const std::string& contents : DamageLogs()) {
    const std::vector<std::string> records =
        ReadLog(contents, kAbsolute, 7).records;
    ASSERT_FALSE(records.empty());
    for (size_t bit = 0; bit < contents.size() * 8; ++bit) {
      std::string damaged = contents;
      damaged[bit / 8] ^= static_cast<char>(1 << (bit % 8));
      for (WALRecoveryMode mode : kAllModes) {
        const LogContents log = ReadLog(damaged, mode, 7);
        ASSERT_TRUE(IsSubsequence(log.records, records)) << bit;
        ASSERT_NE(log.records, records) << bit;
        // Nothing is lost in silence where that is promised.
        if (mode == kAbsolute || mode == kPointInTime) {
          const bool recyclable = contents[6] == log::kRecyclableFullType;
          ASSERT_TRUE(recyclable || !log.reports.empty()) << bit;
        }
      }
    }
  }
}

TEST(LogReader, EveryTruncationGivesAPrefix) {
  for (const std::string& contents : DamageLogs()) {
    const std::vector<std::string> records =
        ReadLog(contents, kAbsolute, 7).records;
    for (size_t size = 0; size < contents.size(); ++size) {
      for (WALRecoveryMode mode : kAllModes) {
        const LogContents log = ReadLog(contents.substr(0, size), mode, 7);
        ASSERT_TRUE(IsPrefix(log.records, records)) << size;
        ASSERT_LT(log.records.size(), records.size());
        if (mode == kTolerate || mode == kSkip) {
          ASSERT_TRUE(log.reports.empty());
        }
      }
    }
  }
}

TEST(LogReader, RandomBytesAreNoRecords) {
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    Random64 random(seed);
    std::string contents(random.Uniform(3 * log::kBlockSize), '\0');
    for (char& c : contents) c = static_cast<char>(random.Next() >> 56);
    for (WALRecoveryMode mode : kAllModes) {
      EXPECT_TRUE(ReadLog(contents, mode, 7).records.empty()) << seed;
    }
  }
}

// db-format, observed behaviour: 3000 records, damaged, in the four modes.
TEST(LogReader, DamagedLogOfThreeThousandRecords) {
  std::string contents;
  const auto writer = NewLogWriter(&contents, {.log_number = 7});
  for (int i = 0; i < 3000; ++i) {
    ASSERT_TRUE(writer->AddRecord(std::string(121, 'v')).ok());
  }
  struct Outcome {
    size_t tolerate, point_in_time, skip;
    bool tolerate_reports;
  };
  const auto expect = [](const std::string& damaged, const Outcome& outcome) {
    const LogContents tolerate = ReadLog(damaged, kTolerate, 7);
    EXPECT_EQ(!tolerate.reports.empty(), outcome.tolerate_reports);
    if (!outcome.tolerate_reports) {
      EXPECT_EQ(tolerate.records.size(), outcome.tolerate);
    }
    EXPECT_EQ(ReadLog(damaged, kSkip, 7).records.size(), outcome.skip);
    // Recovery stops at the first report.
    LogContents first;
    log::Reader reader(std::make_unique<SequentialFileReader>(
                           std::make_unique<StringSource>(damaged), "test.log"),
                       &first, {.log_number = 7, .name = "test.log"});
    Slice record;
    std::string scratch;
    size_t count = 0;
    while (reader.ReadRecord(&record, &scratch, kPointInTime) &&
           first.reports.empty()) {
      ++count;
    }
    EXPECT_EQ(count, outcome.point_in_time);
  };
  const size_t size = contents.size();
  expect(contents.substr(0, size - 3), {2999, 2999, 2999, false});
  expect(contents.substr(0, size - 120), {2999, 2999, 2999, false});
  expect(contents + std::string(5000, '\0'), {3000, 3000, 3000, false});
  expect(contents.substr(0, 70000), {546, 546, 546, false});
  std::string flipped = contents;
  flipped[size - 20] ^= 1;
  expect(flipped, {0, 2999, 2999, true});
  flipped = contents;
  // In record 1500; the rest of its block is lost.
  flipped[size / 2 + 40] ^= 1;
  const LogContents skipped = ReadLog(flipped, kSkip, 7);
  EXPECT_LT(skipped.records.size(), 3000u);
  EXPECT_GT(skipped.records.size(), 2700u);
  std::string zeroed = contents;
  std::fill(zeroed.end() - 200, zeroed.end(), '\0');
  expect(zeroed, {0, 2998, 2998, true});
}

// --- The script

uint8_t TypeOfPiece(const std::string& name, bool is_recyclable) {
  static const std::map<std::string, uint8_t> kTypes = {
      {"full", log::kFullType},
      {"first", log::kFirstType},
      {"middle", log::kMiddleType},
      {"last", log::kLastType}};
  if (name.starts_with("type")) {
    return static_cast<uint8_t>(std::stoul(name.substr(4)));
  }
  const uint8_t type = kTypes.at(name);
  return is_recyclable ? type + log::kRecyclableTypeOffset : type;
}

// "full:a", "bad-full@7:a"
std::string PieceOfText(std::string text) {
  const size_t colon = text.find(':');
  const std::string payload = BytesOfText(text.substr(colon + 1));
  std::string name = text.substr(0, colon);
  const size_t dash = name.find('-');
  const std::string damage =
      dash == std::string::npos ? "" : name.substr(0, dash);
  if (dash != std::string::npos) name = name.substr(dash + 1);
  const size_t sign = name.find('@');
  const bool is_recyclable = sign != std::string::npos;
  const uint8_t type = TypeOfPiece(name.substr(0, sign), is_recyclable);
  std::string piece =
      is_recyclable
          ? RecyclableRecord(
                type, static_cast<uint32_t>(std::stoul(name.substr(sign + 1))),
                payload)
          : PlainRecord(type, payload);
  if (damage == "bad") piece.back() ^= 1;
  if (damage == "long") EncodeFixed16(piece.data() + 4, 0xffff);
  return piece;
}

std::string LogOfText(const std::string& text) {
  std::string bytes;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    const size_t colon = word.find(':');
    const std::string name = word.substr(0, colon);
    if (name == "zeros") {
      bytes.append(std::stoul(word.substr(colon + 1)), '\0');
    } else if (name == "cut") {
      bytes.resize(bytes.size() - std::stoul(word.substr(colon + 1)));
    } else if (name == "block") {
      const size_t rest = bytes.size() % log::kBlockSize;
      bytes.append(rest == 0 ? 0 : log::kBlockSize - rest, '\0');
    } else {
      bytes += PieceOfText(word);
    }
  }
  return bytes;
}

std::string TextOfRecord(const std::string& record) {
  constexpr size_t kMost = 30;
  if (record.size() <= kMost) return "'" + TextOfBytes(record) + "'";
  return "(" + std::to_string(record.size()) + " bytes)";
}

std::string TextOfSpecials(const log::Reader& reader) {
  std::string text;
  if (const auto& before = reader.predecessor(); before.has_value()) {
    text += "; behind log " + std::to_string(before->log_number) + ", " +
            std::to_string(before->size_bytes) + " bytes, sequence " +
            std::to_string(before->last_sequence);
  }
  for (const auto& [family, size] : reader.timestamp_sizes()) {
    text += "; family " + std::to_string(family) + " has timestamps of " +
            std::to_string(size);
  }
  if (reader.is_recycled()) text += "; recycled";
  return text;
}

// What one mode makes of a log.
std::string TextInMode(const std::string& contents, const ScriptWords& command,
                       WALRecoveryMode mode) {
  log::Reader::Options options;
  options.log_number = command.Number("number", 7);
  options.name = "test.log";
  options.is_growing = command.HasWord("growing");
  LogContents found;
  const int fail_at =
      command.Has("fail") ? static_cast<int>(command.Number("fail", 0)) : -1;
  log::Reader reader(
      std::make_unique<SequentialFileReader>(
          std::make_unique<StringSource>(contents, fail_at), "test.log"),
      &found, options);
  std::string text;
  Slice record;
  std::string scratch;
  while (reader.ReadRecord(&record, &scratch, mode)) {
    text += " " + TextOfRecord(record.ToString()) + "@" +
            std::to_string(reader.LastRecordOffset());
  }
  if (text.empty()) text = " nothing";
  for (const Status& s : found.reports) text += "; " + s.ToString();
  if (found.dropped_bytes > 0) {
    text += "; " + std::to_string(found.dropped_bytes) + " bytes dropped";
  }
  if (found.old_records > 0) text += "; then an old record";
  return text + TextOfSpecials(reader);
}

std::string RunLogCase(const ScriptCase& c) {
  const ScriptWords command(c.command);
  std::string contents;
  if (command.verb() == "stock") {
    contents = TestLog(command.Word(0));
    EXPECT_FALSE(contents.empty()) << c.command;
  } else {
    EXPECT_EQ(command.verb(), "read");
    contents = LogOfText(c.body);
  }
  const std::pair<const char*, WALRecoveryMode> modes[] = {
      {"tolerate", kTolerate},
      {"absolute", kAbsolute},
      {"point", kPointInTime},
      {"skip", kSkip}};
  // Modes that see the same share a line.
  std::vector<std::pair<std::string, std::string>> lines;
  for (const auto& [name, mode] : modes) {
    const std::string seen = TextInMode(contents, command, mode);
    const auto same =
        std::find_if(lines.begin(), lines.end(),
                     [&seen](const auto& line) { return line.second == seen; });
    if (same == lines.end()) {
      lines.emplace_back(name, seen);
    } else {
      same->first += std::string(" ") + name;
    }
  }
  if (lines.size() == 1) return "all:" + lines[0].second + "\n";
  std::string text;
  for (const auto& [names, seen] : lines) text += names + ":" + seen + "\n";
  return text;
}

TEST(LogReader, EveryCaseOfTheScript) {
  EXPECT_GE(RunScript("logs/reader.txt", RunLogCase), 79u)
      << "cases went missing";
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

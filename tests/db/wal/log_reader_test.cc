// Logs are read back in every recovery mode, RocksDB's and recycled ones too; a
// damaged record is noticed and never returned.
#include "db/wal/log_reader.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/db/wal/log_file.h"
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

// How a log is read in each mode: records, and whether something is reported.
struct Expected {
  std::vector<std::string> records;
  bool reported;
};

void ExpectInModes(const std::string& contents, const Expected& tolerate,
                   const Expected& absolute, const Expected& point_in_time,
                   const Expected& skip) {
  const Expected* expected[] = {&tolerate, &absolute, &point_in_time, &skip};
  for (int i = 0; i < 4; ++i) {
    SCOPED_TRACE(i);
    const LogContents log = ReadLog(contents, kAllModes[i], 7);
    EXPECT_EQ(log.records, expected[i]->records);
    EXPECT_EQ(!log.reports.empty(), expected[i]->reported);
    for (const Status& s : log.reports) {
      EXPECT_TRUE(s.IsCorruption());
      EXPECT_NE(s.ToString().find("test.log"), std::string::npos);
    }
  }
}

void ExpectInAllModes(const std::string& contents, const Expected& expected) {
  ExpectInModes(contents, expected, expected, expected, expected);
}

const std::string kA = PlainRecord(log::kFullType, "a");
const std::string kB = PlainRecord(log::kFullType, "b");

// `first` at the end of a block whose rest is zero, then `second`.
std::string InTwoBlocks(std::string first, const std::string& second) {
  first.resize(log::kBlockSize);
  return first + second;
}

TEST(LogReader, EmptyLogsAndZeros) {
  ExpectInAllModes("", {{}, false});
  ExpectInAllModes(kA + std::string(5000, '\0'), {{"a"}, false});
  ExpectInAllModes(kA + std::string(100000, '\0'), {{"a"}, false});
  ExpectInAllModes(InTwoBlocks(kA, kB), {{"a", "b"}, false});
}

// A block whose rest was zeros when it was read may have been filled since.
TEST(LogReader, AGrowingLogEndsAtZerosAndHalves) {
  log::Reader::Options options;
  options.log_number = 7;
  options.is_growing = true;
  const std::string begun = PlainRecord(log::kFirstType, "x");
  for (const WALRecoveryMode mode : kAllModes) {
    for (const std::string& contents :
         {InTwoBlocks(kA, kB), InTwoBlocks(kA + begun, kB),
          kA + std::string(100000, '\0'), kA}) {
      const LogContents log = ReadLogWith(options, contents, mode);
      EXPECT_EQ(log.records, std::vector<std::string>{"a"});
      EXPECT_TRUE(log.reports.empty());
    }
    std::string half = kB;
    half.back() = '\0';
    const LogContents log =
        ReadLogWith(options, InTwoBlocks(kA + half, kB), mode);
    EXPECT_EQ(log.records, std::vector<std::string>{"a"});
    EXPECT_EQ(log.reports.size(), 1u);
  }
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

TEST(LogReader, TornTails) {
  const std::string whole = kA + kB;
  for (size_t size = kA.size() + 1; size < whole.size(); ++size) {
    SCOPED_TRACE(size);
    ExpectInModes(whole.substr(0, size), {{"a"}, false}, {{"a"}, true},
                  {{"a"}, true}, {{"a"}, false});
  }
  // Inside a record in pieces, at a border of pieces.
  ExpectInModes(kA + PlainRecord(log::kFirstType, "x"), {{"a"}, false},
                {{"a"}, true}, {{"a"}, true}, {{"a"}, false});
}

TEST(LogReader, BadChecksumDropsTheBlock) {
  std::string bad = kB;
  bad.back() ^= 1;
  const Expected reported{{"a", "b"}, true};
  ExpectInAllModes(InTwoBlocks(kA + bad + kB, kB), reported);
  // And the pieces before it.
  ExpectInAllModes(
      InTwoBlocks(kA + PlainRecord(log::kFirstType, "x") + bad, kB), reported);
}

TEST(LogReader, BadLengthInsideTheLog) {
  std::string bad = kB;
  EncodeFixed16(bad.data() + 4, 0xffff);
  ExpectInAllModes(InTwoBlocks(kA + bad, kB), {{"a", "b"}, true});
}

TEST(LogReader, UnknownTypes) {
  ExpectInAllModes(kA + PlainRecord(12, "?") + kB, {{"a", "b"}, true});
  ExpectInAllModes(kA + PlainRecord(127, "?") + kB, {{"a", "b"}, true});
  // Bit 7: to be ignored.
  ExpectInAllModes(kA + PlainRecord(132, "?") + kB, {{"a", "b"}, false});
  ExpectInAllModes(kA + PlainRecord(255, "?") + kB, {{"a", "b"}, false});
  ExpectInAllModes(kA + PlainRecord(log::kZeroType, "?") + kB,
                   {{"a", "b"}, true});
}

TEST(LogReader, PiecesInWrongOrder) {
  const std::string first = PlainRecord(log::kFirstType, "x");
  const std::string last = PlainRecord(log::kLastType, "y");
  const std::string middle = PlainRecord(log::kMiddleType, "z");
  ExpectInAllModes(first + middle + last, {{"xzy"}, false});
  ExpectInAllModes(first + kA, {{"a"}, true});
  ExpectInAllModes(first + first + last, {{"xy"}, true});
  ExpectInAllModes(last + kA, {{"a"}, true});
  ExpectInAllModes(middle + kA, {{"a"}, true});
  // An empty first piece is no loss.
  ExpectInAllModes(PlainRecord(log::kFirstType, "") + kA, {{"a"}, false});
  ExpectInAllModes(InTwoBlocks(first, kA), {{"a"}, true});
}

TEST(LogReader, RecordsOfAnOlderLog) {
  const std::string mine = RecyclableRecord(log::kRecyclableFullType, 7, "a");
  const std::string old = RecyclableRecord(log::kRecyclableFullType, 6, "o");
  ExpectInModes(mine + old + mine, {{"a"}, false}, {{"a"}, false},
                {{"a"}, false}, {{"a", "a"}, false});
  EXPECT_EQ(ReadLog(mine + old, kPointInTime, 7).old_records, 1);
  EXPECT_EQ(ReadLog(mine + old, kAbsolute, 7).old_records, 0);
  // Inside a record.
  const std::string first = RecyclableRecord(log::kRecyclableFirstType, 7, "x");
  ExpectInModes(mine + first + old + mine, {{"a"}, false}, {{"a"}, true},
                {{"a"}, true}, {{"a", "a"}, false});
  // A bad checksum in a log that took over a file is its end when tails are
  // tolerated.
  std::string bad = mine;
  bad.back() ^= 1;
  ExpectInModes(InTwoBlocks(mine + bad, mine), {{"a"}, false},
                {{"a", "a"}, true}, {{"a", "a"}, true}, {{"a", "a"}, true});
}

TEST(LogReader, PlainAndRecyclableRecordsDoNotMix) {
  const std::string recyclable =
      RecyclableRecord(log::kRecyclableFullType, 7, "r");
  ExpectInAllModes(kA + recyclable + kB, {{"a", "b"}, true});
  ExpectInAllModes(recyclable + kA, {{"r"}, true});
}

TEST(LogReader, SpecialRecords) {
  std::string sizes;
  PutFixed32(&sizes, 3);
  PutFixed16(&sizes, 8);
  std::string zero_size = sizes;
  zero_size[4] = 0;
  const std::string good = PlainRecord(log::kTimestampSizeType, sizes);
  ExpectInAllModes(good + kA, {{"a"}, false});
  ExpectInAllModes(good + good + kA, {{"a"}, true});
  ExpectInAllModes(PlainRecord(log::kTimestampSizeType, "") + kA,
                   {{"a"}, true});
  ExpectInAllModes(PlainRecord(log::kTimestampSizeType, "12345") + kA,
                   {{"a"}, true});
  ExpectInAllModes(PlainRecord(log::kTimestampSizeType, zero_size) + kA,
                   {{"a"}, true});

  const std::string predecessor =
      PlainRecord(log::kPredecessorInfoType, std::string(24, '\1'));
  ExpectInAllModes(predecessor + kA, {{"a"}, false});
  ExpectInAllModes(predecessor + predecessor + kA, {{"a"}, true});
  ExpectInAllModes(
      PlainRecord(log::kPredecessorInfoType, std::string(23, '\1')) + kA,
      {{"a"}, true});

  const auto codec = [](uint32_t value) {
    std::string payload;
    PutFixed32(&payload, value);
    return PlainRecord(log::kSetCompressionType, payload);
  };
  ExpectInAllModes(codec(0) + kA, {{"a"}, false});
  ExpectInAllModes(codec(4) + kA, {{"a"}, true});
  ExpectInAllModes(PlainRecord(log::kSetCompressionType, "1") + kA,
                   {{"a"}, true});
  ExpectInAllModes(kA + codec(7) + kB, {{"a", "b"}, true});
}

TEST(LogReader, ReadErrorsAreReportedAndEndTheLog) {
  const std::string contents = InTwoBlocks(kA, kB);
  for (WALRecoveryMode mode : kAllModes) {
    LogContents log = ReadLog(contents, mode, 7, /*fail_at=*/1);
    EXPECT_EQ(log.records, std::vector<std::string>{"a"});
    ASSERT_EQ(log.reports.size(), 1u);
    EXPECT_TRUE(log.reports[0].IsIOError());
    log = ReadLog(contents, mode, 7, /*fail_at=*/0);
    EXPECT_TRUE(log.records.empty());
    EXPECT_EQ(log.reports.size(), 1u);
  }
}

// --- Files that RocksDB wrote

LogContents ReadTestLog(const std::string& name, uint64_t number) {
  const std::string contents = TestLog(name);
  EXPECT_FALSE(contents.empty());
  return ReadLog(contents, kAbsolute, number);
}

TEST(LogReader, StockLogs) {
  LogContents log = ReadTestLog("r119_two_cf.000004", 4);
  ASSERT_EQ(log.records.size(), 3u);
  EXPECT_EQ(log.records[0].size(), 174u);
  EXPECT_TRUE(log.reports.empty());
  log = ReadTestLog("r783_two_cf.000004", 4);
  EXPECT_EQ(log.records.size(), 3u);
  EXPECT_TRUE(log.reports.empty());

  log = ReadTestLog("r119_block_boundary.000004", 4);
  EXPECT_EQ(log.records.size(), 3u);
  EXPECT_TRUE(log.reports.empty());
  log = ReadTestLog("r119_recycled.000010", 10);
  EXPECT_EQ(log.records.size(), 3u);
  EXPECT_TRUE(log.reports.empty());
  EXPECT_EQ(ReadTestLog("r119_point_in_time_marker.000008", 8).records[0],
            std::string("\x05\0\0\0\0\0\0\0\0\0\0\0", 12));
}

#ifdef ZSTD
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

TEST(LogReader, StockRecycledLogWithAnOldTail) {
  const std::string contents = TestLog("r119_recycled_stale_tail.000012");
  for (WALRecoveryMode mode : kAllModes) {
    const LogContents log = ReadLog(contents, mode, 12);
    ASSERT_EQ(log.records.size(), 1u);
    EXPECT_EQ(log.records[0][0], 27);
    EXPECT_EQ(!log.reports.empty(), mode == kAbsolute || mode == kPointInTime);
  }
}

TEST(LogReader, StockSpecialRecords) {
  LogContents reporter;
  std::string scratch;
  Slice record;
  const auto open = [&](const std::string& name, uint64_t number) {
    log::Reader::Options options;
    options.log_number = number;
    return std::make_unique<log::Reader>(
        std::make_unique<SequentialFileReader>(
            std::make_unique<StringSource>(TestLog(name)), name),
        &reporter, options);
  };
  auto reader = open("r119_predecessor_info.000010", 10);
  EXPECT_TRUE(reader->ReadRecord(&record, &scratch, kAbsolute));
  ASSERT_TRUE(reader->predecessor().has_value());
  EXPECT_EQ(reader->predecessor()->log_number, 8u);
  EXPECT_EQ(reader->predecessor()->size_bytes, 80u);
  EXPECT_EQ(reader->predecessor()->last_sequence, 3u);
  EXPECT_EQ(reader->LastRecordOffset(), 31u);
  EXPECT_FALSE(reader->ReadRecord(&record, &scratch, kAbsolute));

  reader = open("r119_predecessor_info_recyclable.000010", 10);
  EXPECT_TRUE(reader->ReadRecord(&record, &scratch, kAbsolute));
  EXPECT_TRUE(reader->is_recycled());
  EXPECT_EQ(reader->predecessor()->size_bytes, 92u);

  reader = open("r119_udt.000008", 8);
  EXPECT_TRUE(reader->ReadRecord(&record, &scratch, kAbsolute));
  EXPECT_EQ(reader->timestamp_sizes(), (std::map<uint32_t, uint16_t>{{0, 8}}));
  EXPECT_TRUE(reporter.reports.empty());
}

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

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

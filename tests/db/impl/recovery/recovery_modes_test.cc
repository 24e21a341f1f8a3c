// What an open makes of damaged logs, in each recovery mode (db-format.md 2.6,
// 2.7, 12.10).
#include <gtest/gtest.h>

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/env.h"
#include "rocksdb/file_system.h"
#include "tests/db/impl/damage.h"
#include "tests/db/impl/families_fixture.h"
#include "util/coding.h"
#include "utilities/fault_injection/fault_injection_fs.h"

namespace ROCKSDB_NAMESPACE {
namespace {

constexpr int kModeCount = 4;
constexpr int kFails = -1;
constexpr size_t kBlockBytes = 32768;
constexpr size_t kHeaderBytes = 7;
constexpr size_t kValueBytes = 100;
// Batch header, tag, two lengths, key and value.
constexpr size_t kPayloadBytes = 12 + 1 + 1 + 8 + 1 + kValueBytes;

std::string RecoveryKey(int i) {
  char text[16];
  snprintf(text, sizeof(text), "key%05d", i);
  return text;
}
std::string Value(int i) {
  return std::string(kValueBytes, static_cast<char>('a' + i % 26));
}

// Where the records of a log of equal puts lie.
struct Piece {
  int record;
  size_t begin, end;
};
std::vector<Piece> PiecesOf(int count) {
  std::vector<Piece> pieces;
  size_t at = 0;
  for (int i = 0; i < count; ++i) {
    size_t left = kPayloadBytes;
    do {
      const size_t room = kBlockBytes - at % kBlockBytes;
      if (room < kHeaderBytes) {
        at += room;
        continue;
      }
      const size_t n = std::min(left, room - kHeaderBytes);
      pieces.push_back({i, at, at + kHeaderBytes + n});
      at = pieces.back().end;
      left -= n;
    } while (left > 0);
  }
  return pieces;
}

// What is left of a log of equal puts.
struct Survivors {
  int before;     // records that end before the damage
  int elsewhere;  // records with no piece in the rest of its block
};
Survivors SurvivorsOfFlip(int count, size_t at) {
  const std::vector<Piece> pieces = PiecesOf(count);
  Survivors result{0, count};
  size_t from = 0;
  for (const Piece& piece : pieces) {
    if (piece.begin <= at && at < piece.end) {
      result.before = piece.record;
      from = piece.begin;
    }
  }
  const size_t block_end = (at / kBlockBytes + 1) * kBlockBytes;
  int last_lost = -1;
  for (const Piece& piece : pieces) {
    if (piece.begin < from || piece.begin >= block_end) continue;
    if (piece.record != last_lost) --result.elsewhere;
    last_lost = piece.record;
  }
  return result;
}
int SurvivorsOfCut(int count, size_t at) {
  const std::vector<Piece> pieces = PiecesOf(count);
  int result = 0;
  for (size_t i = 0; i < pieces.size(); ++i) {
    const bool is_last_piece =
        i + 1 == pieces.size() || pieces[i + 1].record != pieces[i].record;
    if (is_last_piece && pieces[i].end <= at) result = pieces[i].record + 1;
  }
  return result;
}

struct DamagedLog {
  const char* name;
  Damage damage;
  int expected[kModeCount];  // keys found, or kFails
};

// What becomes of a log of `kCount` equal puts and `size` bytes.
constexpr int kCount = 3000;
std::vector<DamagedLog> DamagedLogs(int64_t size) {
  const int64_t middle = size / 2;
  const Survivors flip = SurvivorsOfFlip(kCount, static_cast<size_t>(middle));
  constexpr int64_t kCutAt = 70000;
  const int below_cut = SurvivorsOfCut(kCount, kCutAt);
  return {
      {"nothing", {Harm::kCut, 0}, {kCount, kCount, kCount, kCount}},
      {"cut by 3",
       {Harm::kCut, 3},
       {kCount - 1, kFails, kCount - 1, kCount - 1}},
      {"cut by 120",
       {Harm::kCut, 120},
       {kCount - 1, kFails, kCount - 1, kCount - 1}},
      {"cut to 4 bytes of a header",
       {Harm::kCut, static_cast<int64_t>(kPayloadBytes) + 3},
       {kCount - 1, kFails, kCount - 1, kCount - 1}},
      {"cut at a record's end",
       {Harm::kCut, static_cast<int64_t>(kPayloadBytes + kHeaderBytes)},
       {kCount - 1, kCount - 1, kCount - 1, kCount - 1}},
      {"cut in the middle",
       {Harm::kCut, -kCutAt},
       {below_cut, kFails, below_cut, below_cut}},
      {"flip in the middle",
       {Harm::kFlip, -middle},
       {kFails, kFails, flip.before, flip.elsewhere}},
      {"flip at the end",
       {Harm::kFlip, 20},
       {kFails, kFails, kCount - 1, kCount - 1}},
      {"zeros at the end",
       {Harm::kZero, 200},
       {kFails, kFails, kCount - 2, kCount - 2}},
      {"zeros added",
       {Harm::kAppend, 5000, '\0'},
       {kCount, kCount, kCount, kCount}},
      {"rubbish added",
       {Harm::kAppend, 5000, '\1'},
       {kFails, kFails, kCount, kCount}},
      {"all cut", {Harm::kCut, size}, {0, 0, 0, 0}},
  };
}

class RecoveryModesTest : public FamiliesFixture {
 protected:
  // Puts the keys [from, to) in a session, and so in a log, of its own. The
  // logs of the sessions before stay.
  void Session(int from, int to) {
    options_.avoid_flush_during_recovery = true;
    Reopen();
    for (int i = from; i < to; ++i) ASSERT_OK(Put(RecoveryKey(i), Value(i)));
    db_.reset();
    options_.avoid_flush_during_recovery = false;
  }

  // The state before the damage, to be restored for each mode.
  void Keep() { CopyDatabase(path_, path_ + ".kept"); }
  void Restore() {
    db_.reset();
    CopyDatabase(path_ + ".kept", path_);
  }

  Status OpenIn(int mode) {
    options_.wal_recovery_mode = static_cast<WALRecoveryMode>(mode);
    return TryOpen();
  }

  // How many keys are there; all must have their values.
  int CountKeys() {
    const std::unique_ptr<Iterator> it(db_->NewIterator(ReadOptions()));
    int count = 0;
    for (it->SeekToFirst(); it->Valid(); it->Next(), ++count) {
      const int i = std::stoi(it->key().ToString().substr(3));
      EXPECT_EQ(it->key(), RecoveryKey(i));
      EXPECT_EQ(it->value(), Value(i));
    }
    EXPECT_OK(it->status());
    return count;
  }
  // The first `count` keys, and no other.
  void ExpectPrefix(int count) {
    EXPECT_EQ(CountKeys(), count);
    if (count > 0) {
      EXPECT_EQ(Get(RecoveryKey(count - 1)), Value(count - 1));
    }
    EXPECT_EQ(Get(RecoveryKey(count)), "NOT_FOUND");
  }

  std::vector<std::string> Logs() { return FilesOf(path_, kWalFile); }
};

TEST_F(RecoveryModesTest, OneDamagedLog) {
  Session(0, kCount);
  Keep();
  const std::vector<std::string> logs = Logs();
  ASSERT_EQ(logs.size(), 1u);
  const std::string bytes = ReadBytes(logs[0]);
  ASSERT_EQ(PiecesOf(kCount).back().end, bytes.size());
  for (const DamagedLog& one :
       DamagedLogs(static_cast<int64_t>(bytes.size()))) {
    for (int mode = 0; mode < kModeCount; ++mode) {
      SCOPED_TRACE(std::string(one.name) + ", mode " + std::to_string(mode));
      Restore();
      if (one.damage.at != 0) DamageFile(logs[0], one.damage);
      const Status s = OpenIn(mode);
      if (one.expected[mode] == kFails) {
        EXPECT_TRUE(s.IsCorruption()) << s.ToString();
        EXPECT_NE(s.ToString().find(logs[0]), std::string::npos)
            << s.ToString();
        continue;
      }
      ASSERT_OK(s);
      const bool has_hole = mode == 3 && one.expected[2] != one.expected[3];
      if (has_hole) {
        EXPECT_EQ(CountKeys(), one.expected[mode]);
      } else {
        ExpectPrefix(one.expected[mode]);
      }
      // What was recovered stays, whatever mode comes next.
      const int count = CountKeys();
      ASSERT_OK(Put(RecoveryKey(99999), Value(99999)));
      ASSERT_OK(OpenIn(2));
      EXPECT_EQ(CountKeys(), count + 1);
    }
  }
}

// Records of 4 KiB, eight a block: a block of the device that did not survive
// leaves zeros up to the next one of the log, which begins with a record.
TEST_F(RecoveryModesTest, ZerosHideNoHole) {
  constexpr size_t kRecordBytes = 4096;
  Open();
  for (int i = 0; i < 20; ++i) {
    // Without headers, tag, lengths and key.
    ASSERT_OK(Put(RecoveryKey(i), std::string(kRecordBytes - 7 - 24, 'v')));
  }
  db_.reset();
  const std::vector<std::string> logs = Logs();
  ASSERT_EQ(logs.size(), 1u);
  std::string bytes = ReadBytes(logs[0]);
  ASSERT_EQ(bytes.size(), 20 * kRecordBytes);
  std::fill(bytes.begin() + 6 * kRecordBytes, bytes.begin() + kBlockBytes,
            '\0');
  WriteBytes(logs[0], bytes);
  ASSERT_OK(TryOpen());
  EXPECT_NE(Get(RecoveryKey(5)), "NOT_FOUND");
  for (int i = 6; i < 20; ++i) EXPECT_EQ(Get(RecoveryKey(i)), "NOT_FOUND") << i;
}

TEST_F(RecoveryModesTest, TheFirstOfTwoLogsIsDamaged) {
  constexpr int kFirst = 500, kSecond = 100;
  Session(0, kFirst);
  Session(kFirst, kFirst + kSecond);
  Keep();
  const std::vector<std::string> logs = Logs();
  ASSERT_EQ(logs.size(), 2u);
  const int64_t half =
      static_cast<int64_t>(PiecesOf(kFirst)[kFirst / 2].begin) + 20;
  const struct {
    Damage damage;
    int expected[kModeCount];
    bool second_in_mode[kModeCount];
  } cases[] = {
      {{Harm::kFlip, -half},
       {kFails, kFails, kFirst / 2, 0},
       {false, false, false, true}},
      {{Harm::kCut, 3},
       {kFirst - 1 + kSecond, kFails, kFirst - 1, kFirst - 1 + kSecond},
       {true, false, false, true}},
  };
  for (const auto& one : cases) {
    for (int mode = 0; mode < kModeCount; ++mode) {
      SCOPED_TRACE(std::to_string(one.damage.at) + ", mode " +
                   std::to_string(mode));
      Restore();
      DamageFile(logs[0], one.damage);
      const Status s = OpenIn(mode);
      if (one.expected[mode] == kFails) {
        EXPECT_TRUE(s.IsCorruption()) << s.ToString();
        EXPECT_NE(s.ToString().find(logs[0]), std::string::npos)
            << s.ToString();
        continue;
      }
      ASSERT_OK(s);
      if (one.expected[mode] > 0) {
        EXPECT_EQ(CountKeys(), one.expected[mode]);
      }
      const std::string of_second = Value(kFirst + kSecond - 1);
      EXPECT_EQ(Get(RecoveryKey(kFirst + kSecond - 1)),
                one.second_in_mode[mode] ? of_second : "NOT_FOUND");
      EXPECT_GE(db_->GetLatestSequenceNumber(),
                static_cast<SequenceNumber>(one.expected[mode]));
      if (mode == 2) {
        // An empty batch says where the history goes on.
        const std::string log = ReadBytes(Logs().back());
        ASSERT_GE(log.size(), kHeaderBytes + 12);
        EXPECT_EQ(log.find_first_not_of('\0', kHeaderBytes + 12), log.npos);
        EXPECT_EQ(DecodeFixed64(&log[kHeaderBytes]),
                  static_cast<SequenceNumber>(one.expected[mode]) + 1);
        EXPECT_EQ(DecodeFixed32(&log[kHeaderBytes + 8]), 0u);
      }
      // What is written on top of it is not taken for damage later.
      const int count = CountKeys();
      ASSERT_OK(Put(RecoveryKey(99999), Value(99999)));
      ASSERT_OK(OpenIn(2));
      EXPECT_EQ(CountKeys(), count + 1);
      EXPECT_EQ(Get(RecoveryKey(99999)), Value(99999));
    }
  }
}

// What was written after the damage was found must be found at each open.
TEST_F(RecoveryModesTest, HistoryGoesOnBehindADamagedLogThatStays) {
  Session(0, 500);
  Session(500, 600);
  DamageFile(Logs()[0], {Harm::kFlip, 20});
  options_.avoid_flush_during_recovery = true;
  ASSERT_OK(OpenIn(2));
  ExpectPrefix(499);
  for (int i = 700; i < 710; ++i) {
    ASSERT_OK(Put(RecoveryKey(i), Value(i)));
    ASSERT_OK(OpenIn(2));
    EXPECT_EQ(CountKeys(), 499 + (i - 700) + 1);
  }
  EXPECT_EQ(Get(RecoveryKey(550)), "NOT_FOUND");
}

TEST_F(RecoveryModesTest, TheSecondOfTwoLogsIsDamaged) {
  Session(0, 50);
  Session(50, 100);
  Keep();
  const std::vector<std::string> logs = Logs();
  ASSERT_EQ(logs.size(), 2u);
  for (int mode = 0; mode < kModeCount; ++mode) {
    SCOPED_TRACE(mode);
    Restore();
    DamageFile(logs[1], {Harm::kFlip, 20});
    const Status s = OpenIn(mode);
    if (mode < 2) {
      EXPECT_TRUE(s.IsCorruption()) << s.ToString();
      EXPECT_NE(s.ToString().find(logs[1]), std::string::npos);
      continue;
    }
    ASSERT_OK(s);
    ExpectPrefix(99);
  }
}

TEST_F(RecoveryModesTest, FamiliesAreCutAtTheSameMoment) {
  Open();
  CreateFamily("two");
  for (int i = 0; i < 200; ++i) {
    WriteBatch batch;
    ASSERT_OK(batch.Put(RecoveryKey(i), Value(i)));
    ASSERT_OK(batch.Put(handles_[0], RecoveryKey(i), Value(i)));
    ASSERT_OK(db_->Write(WriteOptions(), &batch));
  }
  CloseFamilies();
  Keep();
  const std::vector<std::string> logs = Logs();
  ASSERT_EQ(logs.size(), 1u);
  const auto size = static_cast<int64_t>(ReadBytes(logs[0]).size());
  for (const Harm harm : {Harm::kCut, Harm::kFlip, Harm::kZero}) {
    for (const int64_t at : {size / 3, size / 2, int64_t{40}}) {
      for (const bool skips : {false, true}) {
        CloseFamilies();
        Restore();
        DamageFile(logs[0], {harm, at});
        options_.wal_recovery_mode =
            skips ? WALRecoveryMode::kSkipAnyCorruptedRecords
                  : WALRecoveryMode::kPointInTimeRecovery;
        OpenFamilies({"default", "two"});
        EXPECT_EQ(ScanOf(0), ScanOf(1));
        if (!skips) ExpectPrefix(CountKeys());
        EXPECT_GT(CountKeys(), 0);
        EXPECT_LT(CountKeys(), 200);
      }
    }
  }
}

TEST_F(RecoveryModesTest, AFamilyWithTablesBeyondTheDamageIsNotLeftAhead) {
  Open();
  CreateFamily("two");
  ASSERT_OK(Put("a", "1"));
  ASSERT_OK(PutIn(0, "a", "1"));
  ASSERT_OK(Put("b", "1"));
  ASSERT_OK(db_->Flush(FlushOptions(), handles_[0]));
  CloseFamilies();
  Keep();
  const std::vector<std::string> logs = Logs();
  ASSERT_GE(logs.size(), 1u);
  for (int mode = 0; mode < kModeCount; ++mode) {
    SCOPED_TRACE(mode);
    CloseFamilies();
    Restore();
    DamageFile(logs[0], {Harm::kFlip, 2});
    options_.wal_recovery_mode = static_cast<WALRecoveryMode>(mode);
    const Status s = TryOpenFamilies({"default", "two"});
    if (mode != 3) {
      EXPECT_TRUE(s.IsCorruption()) << s.ToString();
      EXPECT_NE(s.ToString().find(logs[0]), std::string::npos) << s.ToString();
      continue;
    }
    ASSERT_OK(s);
    EXPECT_EQ(GetFrom(0, "a"), "1");
    EXPECT_EQ(GetFrom(1, "a"), "1");
    EXPECT_EQ(GetFrom(0, "b"), "NOT_FOUND");
  }
}

// Once the logs before it are gone, nobody knows where a damaged log that has
// no record left ended, and whether the next goes on from there.
TEST_F(RecoveryModesTest, NoDamagedLogIsKept) {
  options_.avoid_flush_during_recovery = true;
  options_.avoid_flush_during_shutdown = true;
  Open();
  CreateFamily("two");
  ASSERT_OK(Put("a", "1"));
  ASSERT_OK(PutIn(0, "a", "1"));
  ASSERT_OK(db_->Flush(FlushOptions(), handles_[0]));
  ASSERT_OK(Put("b", "1"));
  CloseFamilies();
  ASSERT_EQ(Logs().size(), 2u);
  DamageFile(Logs()[1], {Harm::kFlip, -2});
  ASSERT_OK(TryOpenFamilies({"default", "two"}));
  ASSERT_OK(PutIn(0, "c", "1"));
  ASSERT_OK(PutIn(1, "c", "1"));
  CloseFamilies();
  ASSERT_OK(TryOpenFamilies({"default", "two"}));
  ASSERT_OK(db_->Flush(FlushOptions(), handles_[0]));
  CloseFamilies();
  ASSERT_OK(TryOpenFamilies({"default", "two"}));
  for (const int family : {0, 1}) {
    EXPECT_EQ(GetFrom(family, "a"), "1");
    EXPECT_EQ(GetFrom(family, "c"), "1");
  }
  EXPECT_EQ(GetFrom(0, "b"), "NOT_FOUND");
}

// Synced writes are there after a crash, and what is there is a prefix.
TEST_F(RecoveryModesTest, SyncedWritesSurviveACrash) {
  constexpr int kSynced = 120, kWritten = 300;
  for (const int survival : {0, 50, 100}) {
    for (uint64_t seed = 1; seed <= 8; ++seed) {
      SCOPED_TRACE(std::to_string(survival) + "%, seed " +
                   std::to_string(seed));
      db_.reset();
      std::filesystem::remove_all(path_);
      const auto fs = std::make_shared<FaultInjectionFileSystem>(
          FileSystem::Default(), seed);
      const std::unique_ptr<Env> env = NewCompositeEnv(fs);
      options_.env = env.get();
      ASSERT_OK(OpenIn(2));
      for (int i = 0; i < kWritten; ++i) {
        WriteOptions write;
        write.sync = i < kSynced && (i % 40 == 39);
        ASSERT_OK(db_->Put(write, RecoveryKey(i), Value(i)));
      }
      fs->Deactivate();
      db_.reset();
      CrashOptions crash;
      crash.survival_percent = survival;
      ASSERT_OK(fs->CrashAndHeal(crash));
      ASSERT_OK(OpenIn(2));
      const int count = CountKeys();
      EXPECT_GE(count, kSynced);
      EXPECT_LE(count, kWritten);
      ExpectPrefix(count);
      db_.reset();
      options_.env = Env::Default();
    }
  }
}

TEST_F(RecoveryModesTest, ManualLogFlushDecidesWhatSurvives) {
  options_.manual_wal_flush = true;
  Open();
  ASSERT_OK(Put("a", "1"));
  ASSERT_OK(db_->FlushWAL(/*sync=*/false));
  ASSERT_OK(Put("b", "1"));
  ASSERT_OK(db_->FlushWAL(/*sync=*/true));
  ASSERT_OK(Put("c", "1"));
  CopyDatabase(path_, path_ + ".killed");
  EXPECT_EQ(Scan(), "a=1 b=1 c=1 ");
  Reopen();  // A clean end loses nothing.
  EXPECT_EQ(Scan(), "a=1 b=1 c=1 ");
  db_.reset();
  path_ += ".killed";
  Open();
  EXPECT_EQ(Scan(), "a=1 b=1 ");
}

TEST_F(RecoveryModesTest, WritesWithoutLogSurviveThroughAFlushOnly) {
  Open();
  WriteOptions unlogged;
  unlogged.disableWAL = true;
  ASSERT_OK(db_->Put(unlogged, "a", "1"));
  ASSERT_OK(Flush());
  ASSERT_OK(db_->Put(unlogged, "b", "1"));
  ASSERT_OK(Put("c", "1"));
  CopyDatabase(path_, path_ + ".killed");
  Reopen();  // A clean end flushes them.
  EXPECT_EQ(Scan(), "a=1 b=1 c=1 ");
  db_.reset();
  path_ += ".killed";
  Open();
  EXPECT_EQ(Scan(), "a=1 c=1 ");
}

TEST_F(RecoveryModesTest, AReadOnlyOpenReplaysAndChangesNothing) {
  Session(0, 10);
  Session(10, 20);
  const auto names = [&] {
    std::vector<std::string> result;
    for (const auto& e : std::filesystem::directory_iterator(path_)) {
      result.push_back(e.path().string() + " " + std::to_string(e.file_size()));
    }
    std::sort(result.begin(), result.end());
    return result;
  };
  const auto before = names();
  ASSERT_OK(DB::OpenForReadOnly(options_, path_, &db_));
  ExpectPrefix(20);
  db_.reset();
  EXPECT_EQ(names(), before);
  const Status refused = DB::OpenForReadOnly(options_, path_, &db_,
                                             /*error_if_wal_file_exists=*/true);
  EXPECT_TRUE(refused.IsCorruption()) << refused.ToString();
  EXPECT_NE(refused.ToString().find(Logs()[0]), std::string::npos);
  DamageFile(Logs()[1], {Harm::kCut, 3});
  ASSERT_OK(DB::OpenForReadOnly(options_, path_, &db_));
  ExpectPrefix(19);
}

TEST_F(RecoveryModesTest, AMissingLogIsAHole) {
  Session(0, 10);
  Session(10, 20);
  const std::vector<std::string> logs = Logs();
  ASSERT_EQ(logs.size(), 2u);
  std::filesystem::remove(logs[0]);
  options_.wal_recovery_mode = WALRecoveryMode::kAbsoluteConsistency;
  const Status s = TryOpen();
  EXPECT_TRUE(s.IsCorruption()) << s.ToString();
  EXPECT_NE(s.ToString().find(logs[0]), std::string::npos) << s.ToString();
  const std::string copy = path_ + ".skip";
  std::filesystem::copy(path_, copy);
  options_.wal_recovery_mode = WALRecoveryMode::kPointInTimeRecovery;
  ASSERT_OK(TryOpen());
  EXPECT_EQ(CountKeys(), 0);
  db_.reset();
  path_ = copy;
  options_.wal_recovery_mode = WALRecoveryMode::kSkipAnyCorruptedRecords;
  ASSERT_OK(TryOpen());
  EXPECT_EQ(Get(RecoveryKey(0)), "NOT_FOUND");
  EXPECT_EQ(CountKeys(), 10);
}

// A crash of the system may keep a newer log and cut an older one at the end
// of a record, where nothing looks damaged.
TEST_F(RecoveryModesTest, AnOlderLogThatLostItsEndIsAHole) {
  Session(0, 10);
  const std::uintmax_t whole = std::filesystem::file_size(Logs()[0]);
  Session(10, 11);
  const std::vector<std::string> logs = Logs();
  ASSERT_EQ(logs.size(), 2u);
  // Records of one key each, all of one size.
  ASSERT_EQ(whole % 10, 0u);
  std::filesystem::resize_file(logs[0], whole - whole / 10);
  ASSERT_OK(TryOpen());
  ExpectPrefix(9);
}

TEST_F(RecoveryModesTest, LogsBelowTheMinimumAreNotReplayed) {
  Open();
  ASSERT_OK(Put("a", "old"));
  ASSERT_OK(Put("b", "old"));
  CopyDatabase(path_, path_ + ".kept");
  const std::string log = Logs()[0];
  ASSERT_OK(Flush());
  ASSERT_OK(Put("a", "new"));
  ASSERT_OK(Delete("b"));
  ASSERT_OK(Flush());
  db_.reset();
  ASSERT_FALSE(std::filesystem::exists(log));
  std::filesystem::copy_file(
      path_ + ".kept/" + std::filesystem::path(log).filename().string(), log);
  Open();
  EXPECT_EQ(Scan(), "a=new ");
  EXPECT_FALSE(std::filesystem::exists(log));
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

// What an open makes of damaged logs, in each recovery mode (db-format.md 2.6,
// 2.7, 12.10): tests/testdata/databases/recovery/modes.txt, in the language of
// database_script.h, and beside it
//
//   recover MODE         opens: tail, absolute, point, skip
//   batches N            a key in every family at once, N times
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/env.h"
#include "rocksdb/file_system.h"
#include "tests/db/impl/damage.h"
#include "tests/db/impl/database_script.h"
#include "tests/db/impl/families_fixture.h"
#include "util/coding.h"
#include "utilities/fault_injection/fault_injection_fs.h"

namespace ROCKSDB_NAMESPACE {
namespace {

std::string RecoverBy(ScriptDatabase& database, const ScriptLine& line) {
  static const std::map<std::string, std::string> kModes{
      {"tail", "kTolerateCorruptedTailRecords"},
      {"absolute", "kAbsoluteConsistency"},
      {"point", "kPointInTimeRecovery"},
      {"skip", "kSkipAnyCorruptedRecords"}};
  const std::string& mode = kModes.at(line.words.Word(0));
  return AnswerOf(line,
                  database.Open(ScriptLine("open wal_recovery_mode:" + mode)));
}

std::string WriteBatches(ScriptDatabase& database, const ScriptLine& line) {
  const int count = std::stoi(line.words.Word(0));
  for (int i = 0; i < count; ++i) {
    WriteBatch batch;
    for (const std::string& family : database.families()) {
      const Status s = batch.Put(database.Family(family),
                                 "key" + std::to_string(1000 + i), "value");
      if (!s.ok()) return AnswerOf(line, s);
    }
    const Status s = database.db()->Write(WriteOptions(), &batch);
    if (!s.ok()) return AnswerOf(line, s);
  }
  return "";
}

TEST(RecoveryModesScript, EveryCase) {
  EXPECT_GE(
      RunDatabases("databases/recovery/modes.txt", ScriptDatabase::Defaults(),
                   {{"recover", RecoverBy}, {"batches", WriteBatches}}),
      25u);
}

// Reads by keys of equal puts.
std::string RecoveryKey(int i) {
  char text[16];
  snprintf(text, sizeof(text), "key%05d", i);
  return text;
}
std::string Value(int i) {
  return std::string(100, static_cast<char>('a' + i % 26));
}

class RecoveryModesTest : public FamiliesFixture {
 protected:
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
};

// An empty batch says where the history goes on behind a hole.
TEST(RecoveryModes, AnEmptyBatchStandsForWhatIsLost) {
  constexpr size_t kHeaderBytes = 7;
  ScriptDatabase database(ScriptDatabase::Defaults());
  const auto open = [&](const std::string& options) {
    EXPECT_OK(database.Open(ScriptLine("open " + options)));
  };
  const auto put = [&](const std::string& key) {
    EXPECT_OK(database.db()->Put(WriteOptions(), key, "v"));
  };
  for (const auto& [damage, expected] :
       {std::pair(Damage{Harm::kFlip, -1000}, SequenceNumber{41}),
        std::pair(Damage{Harm::kCut, 3}, SequenceNumber{50})}) {
    open("");
    for (int i = 0; i < 50; ++i) put(std::to_string(10 + i));
    open("avoid_flush_during_recovery:true");
    put("second");
    database.Close();
    DamageFile(FilesOf(database.path(), kWalFile)[0], damage);
    open("avoid_flush_during_recovery:false");
    const std::string log =
        ReadBytes(FilesOf(database.path(), kWalFile).back());
    ASSERT_GE(log.size(), kHeaderBytes + 12);
    EXPECT_EQ(log.find_first_not_of('\0', kHeaderBytes + 12), log.npos);
    EXPECT_EQ(DecodeFixed64(&log[kHeaderBytes]), expected);
    EXPECT_EQ(DecodeFixed32(&log[kHeaderBytes + 8]), 0u);
    database.Close();
    ASSERT_OK(DestroyDB(database.path(), database.options()));
  }
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
      ASSERT_OK(TryOpen());
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
      ASSERT_OK(TryOpen());
      const int count = CountKeys();
      EXPECT_GE(count, kSynced);
      EXPECT_LE(count, kWritten);
      ExpectPrefix(count);
      db_.reset();
      options_.env = Env::Default();
    }
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

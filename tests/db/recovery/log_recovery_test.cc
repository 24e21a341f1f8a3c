// What an opening makes of the logs. The cases of
// tests/testdata/opening/logs.txt are
//
//   recover NAME:VALUE ..     options of the database
//   STEP                      one a line
//
// A STEP is log N BATCH | BATCH (batches as in batch_text.h, a record each),
// damage N (of its first record), cut N BYTES, flush ENTRIES (as in
// text_entries.h, to a table), family NAME, edit EDIT (as in edit_text.h, of
// the default family), used N (a number), replay, leave (the logs are left for
// a later opening), crash, reopen, written (the sequences of the records of the
// new log), tracked (the logs that the manifest tells of).
//
// A replay answers with the tables of the default family, what is in memory,
// and the smallest log that is needed. "The new log" is that of the session.
#include "db/recovery/log_recovery.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <sstream>
#include <string>
#include <unordered_map>
#include <vector>

#include "db/version/version_edit.h"
#include "db/wal/prepared_sections.h"
#include "rocksdb/convenience.h"
#include "rocksdb/write_buffer_manager.h"
#include "tests/db/recovery/recovery_world.h"
#include "tests/db/version/edit_text.h"
#include "tests/db/wal/batch_text.h"
#include "tests/testing/script.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// --- memory

TEST(LogRecoveryTest, AFullMemtableGoesToATableAtOnce) {
  RecoveryWorld w([](JobWorld* world) {
    RecoveryWorld::KeepLogs(world);
    world->f.family.write_buffer_size = 64 << 10;
  });
  const std::string large(200 << 10, 'x');
  w.WriteLog(10, {LoggedPut(1, "a", large), LoggedPut(2, "b", large),
                  LoggedPut(3, "c")});
  ASSERT_TRUE(w.Replay().ok());
  EXPECT_EQ(w.world.Files(0).size(), 3u);
  // Some is in tables: nothing of the logs is kept.
  EXPECT_EQ(w.InMemory(w.world.cfd), 0u);
  EXPECT_EQ(w.MinLogToKeep(), w.CurrentLog());
}

// Another database has it. What this one has counts from an eighth on.
TEST(LogRecoveryTest, TheLargestMemtableGoesToATableWhenMemoryIsShort) {
  for (const bool is_enforced : {true, false}) {
    const auto memory = std::make_shared<WriteBufferManager>(16 << 20);
    memory->ReserveMem(16 << 20);
    RecoveryWorld w([&](JobWorld* world) {
      world->f.db_options.write_buffer_manager = memory;
      world->f.db_options.enforce_write_buffer_manager_during_recovery =
          is_enforced;
    });
    ColumnFamilyData* const other = w.Add("other");
    const std::string large(3 << 20, 'x');
    w.WriteLog(10, {LoggedPut(1, "a"), LoggedPut(2, "b", large, other->id()),
                    LoggedPut(3, "c", "v", other->id()), LoggedPut(4, "d")});
    ASSERT_TRUE(w.Replay().ok());
    memory->FreeMem(16 << 20);
    EXPECT_EQ(w.world.Dump(), "L0 [a@1=v d@4=v]");
    MutexLock lock(&w.world.mutex);
    EXPECT_EQ(other->current()->storage().FileCount(), is_enforced ? 2u : 1u);
  }
}

// --- faults

TEST(LogRecoveryTest, WhatCannotBeReadIsAnError) {
  RecoveryWorld w;
  w.WriteLog(10, {LoggedPut(1, "a")});
  Fault fault;
  fault.call = 1;
  fault.scope = FaultScope::kAllCalls;
  for (const char* const path : {"/db", ".log"}) {  // the list, and a log
    fault.path_contains = path;
    w.world.f.fs->FailCall(fault);
    EXPECT_TRUE(w.Replay().IsIOError()) << path;
    EXPECT_TRUE(w.world.f.fs->failed());
  }
}

// Each call that changes a file fails once, and then everything that was not
// synced is lost: the next open finds all.
TEST(LogRecoveryTest, AReplayThatFailsLosesNothing) {
  for (uint64_t call = 1;; ++call) {
    SCOPED_TRACE("call " + std::to_string(call));
    RecoveryWorld::Files files;
    bool has_failed = false;
    {
      RecoveryWorld w;
      files = w.world.f.fs;
      w.WriteLog(10, {LoggedPut(1, "a")});
      w.WriteLog(11, {LoggedPut(2, "b")});
      files->FailCall({.call = call});
      const Status s = w.Replay();
      has_failed = files->failed();
      EXPECT_TRUE(has_failed || s.ok()) << s.ToString();
      files->ClearFault();
    }
    ASSERT_TRUE(files->CrashAndHeal().ok());
    RecoveryWorld next({}, files);
    const Status s = next.Replay();
    ASSERT_TRUE(s.ok()) << s.ToString();
    EXPECT_EQ(next.world.Dump(), "L0 [a@1=v b@2=v]");
    EXPECT_EQ(next.LastSequence(), 2u);
    if (!has_failed) break;
    ASSERT_LT(call, 200u);
  }
}

// A log that has no record yet says what the one before it had, which has lost
// its last record as a whole.
TEST(LogRecoveryTest, ALogWithoutRecordsTellsOfTheOneBefore) {
  for (const WALRecoveryMode mode :
       {WALRecoveryMode::kTolerateCorruptedTailRecords,
        WALRecoveryMode::kAbsoluteConsistency,
        WALRecoveryMode::kPointInTimeRecovery,
        WALRecoveryMode::kSkipAnyCorruptedRecords}) {
    SCOPED_TRACE(static_cast<int>(mode));
    RecoveryWorld w([mode](JobWorld* world) {
      world->f.db_options.wal_recovery_mode = mode;
      world->f.db_options.track_and_verify_wals = true;
    });
    w.WriteLog(10, {LoggedPut(1, "a")});
    std::string bytes;
    {
      const auto writer = NewLogWriter(&bytes, {.log_number = 11});
      const log::PredecessorInfo before{
          .log_number = 10, .size_bytes = 1000, .last_sequence = 2};
      ASSERT_TRUE(writer->AddPredecessor(before).ok());
      ASSERT_TRUE(writer->Close().ok());
    }
    ASSERT_TRUE(CreateFile(w.world.f.fs.get(), LogFileName("/db", 11), bytes,
                           FileDurability::kSynced)
                    .ok());
    const Status s = w.Replay();
    const bool goes_on = mode == WALRecoveryMode::kPointInTimeRecovery ||
                         mode == WALRecoveryMode::kSkipAnyCorruptedRecords;
    EXPECT_EQ(s.ok(), goes_on) << s.ToString();
    EXPECT_EQ(s.IsCorruption(), !goes_on) << s.ToString();
    if (!s.ok()) continue;
    EXPECT_EQ(w.world.Dump(), "L0 [a@1=v]");
    // Where it has stopped, a mark says where history goes on.
    const bool has_stopped = mode == WALRecoveryMode::kPointInTimeRecovery;
    EXPECT_EQ(w.Sequences(w.CurrentLog()).size(), has_stopped ? 1u : 0u);
  }
}

TEST(LogRecoveryTest, AReaderWritesNothing) {
  RecoveryWorld w;
  w.WriteLog(10, {LoggedPut(1, "a")});
  LogRecovery::Context context = w.Context();
  context.logs = nullptr;
  context.targets = nullptr;
  w.recovery = std::make_unique<LogRecovery>(context);
  w.world.f.fs->FailCall({.call = 1, .is_permanent = true});
  EXPECT_TRUE(w.LeaveLogs().ok());
  EXPECT_FALSE(w.world.f.fs->failed());
  EXPECT_EQ(w.LastSequence(), 1u);
  w.world.f.fs->ClearFault();
  SuperVersion* const state = w.world.cfd->AcquireReferenced();
  ColumnFamilyData::Release(state);
}

// --- the script

class RecoverScript {
 public:
  explicit RecoverScript(const ScriptWords& options)
      : options_(options.named().begin(), options.named().end()) {
    Open({});
  }

  // "": the step has no answer.
  std::string Step(const std::string& line) {
    const size_t space = line.find(' ');
    const std::string verb = line.substr(0, space);
    const std::string rest =
        space == std::string::npos ? "" : line.substr(space + 1);
    if (verb == "replay") return Told(w_->Replay());
    if (verb == "leave") return Told(w_->LeaveLogs());
    if (verb == "written") return "the new log has " + Written() + "\n";
    if (verb == "tracked") return Tracked();
    if (verb == "log") {
      WriteLog(rest);
    } else if (verb == "damage") {
      w_->DamageLog(std::stoull(rest));
    } else if (verb == "cut") {
      Cut(std::stoull(rest), std::stoull(rest.substr(rest.find(' '))));
    } else if (verb == "flush") {
      EXPECT_TRUE(w_->world.Flush(rest).ok());
    } else if (verb == "family") {
      others_.push_back(w_->Add(rest));
    } else if (verb == "edit") {
      VersionEdit edit = ParseEdit(rest);
      w_->LogEdit(edit.IsWalEdit() ? nullptr : w_->world.cfd, &edit);
    } else if (verb == "used") {
      newest_ = std::max<uint64_t>(newest_, std::stoull(rest));
      w_->world.versions->MarkFileNumberUsed(std::stoull(rest));
    } else if (verb == "crash") {
      EXPECT_TRUE(w_->world.f.fs->CrashAndHeal().ok());
    } else if (verb == "reopen") {
      const RecoveryWorld::Files files = w_->world.f.fs;
      w_.reset();
      Open(files);
    } else {
      ADD_FAILURE() << "what is " << verb << "?";
    }
    return "";
  }

 private:
  void Open(const RecoveryWorld::Files& files) {
    const auto prepare = [this](JobWorld* world) {
      const DBOptions before = world->f.db_options;
      const Status s = GetDBOptionsFromMap(ConfigOptions(), before, options_,
                                           &world->f.db_options);
      EXPECT_TRUE(s.ok()) << s.ToString();
    };
    w_ = std::make_unique<RecoveryWorld>(prepare, files);
  }
  // "10 BATCH | BATCH", a record each
  void WriteLog(const std::string& text) {
    const uint64_t number = std::stoull(text);
    newest_ = std::max(newest_, number);
    std::vector<WriteBatch> batches;
    const size_t space = text.find(' ');
    if (space != std::string::npos) {
      std::istringstream parts(text.substr(space));
      for (std::string part; std::getline(parts, part, '|');) {
        batches.push_back(BatchOfText(part));
      }
    }
    w_->WriteLog(number, batches);
  }
  void Cut(uint64_t number, uint64_t bytes) {
    const auto fs = w_->world.f.fs;
    const std::string path = LogFileName("/db", number);
    uint64_t size = 0;
    EXPECT_TRUE(fs->GetFileSize(path, IOOptions(), &size, nullptr).ok());
    EXPECT_TRUE(fs->Truncate(path, size - bytes, IOOptions(), nullptr).ok());
  }

  std::string Told(const Status& s) {
    if (!s.ok()) return s.ToString() + "\n";
    EXPECT_GT(w_->CurrentLog(), newest_);
    CheckPublished();
    const std::string tables = w_->world.Dump();
    std::string text = "tables " + (tables.empty() ? "none" : tables) + "\n";
    for (ColumnFamilyData* cfd : others_) {
      MutexLock lock(&w_->world.mutex);
      text += cfd->name() + " has " +
              std::to_string(cfd->current()->storage().FileCount()) +
              " tables\n";
    }
    text += "memory " + Memory() + "\n";
    text += "sequence " + std::to_string(w_->LastSequence()) + "\n";
    text += "needs " + NameOfLog(w_->MinLogToKeep()) + ", family " +
            NameOfLog(w_->world.cfd->log_number()) + "\n";
    const std::string written = Written();
    if (written != "nothing") text += "the new log has " + written + "\n";
    for (const auto& [name, section] : w_->recovery->prepared().sections()) {
      MutexLock lock(&w_->world.mutex);
      text += "prepared " + name + ", holds log " +
              std::to_string(w_->world.versions->logs()->held()) + "\n";
    }
    return text;
  }
  // Users see what there is.
  void CheckPublished() {
    SuperVersion* const state = w_->world.cfd->AcquireReferenced();
    const size_t seen = state->current->storage().FileCount();
    ColumnFamilyData::Release(state);
    MutexLock lock(&w_->world.mutex);
    EXPECT_EQ(seen, w_->world.cfd->current()->storage().FileCount());
  }
  std::string Memory() {
    const size_t count = w_->InMemory(w_->world.cfd);
    MutexLock lock(&w_->world.mutex);
    // There are logs to be let go later.
    const bool has_logs = w_->logs->wal()->TotalBytes() > 0;
    return std::to_string(count) + " entries" +
           (has_logs ? ", of logs from " +
                           NameOfLog(w_->world.cfd->mem()->log_number())
                     : "");
  }
  std::string NameOfLog(uint64_t number) const {
    return number == w_->CurrentLog() ? "the new log"
                                      : "log " + std::to_string(number);
  }
  // Sequences of its records.
  std::string Written() {
    std::string text;
    for (const SequenceNumber sequence : w_->Sequences(w_->CurrentLog())) {
      text += (text.empty() ? "" : " ") + std::to_string(sequence);
    }
    return text.empty() ? "nothing" : text;
  }
  std::string Tracked() {
    MutexLock lock(&w_->world.mutex);
    std::string text = "tracked";
    for (const auto& [number, size] :
         w_->world.versions->logs()->synced_sizes()) {
      text += " " + std::to_string(number) + "=" + std::to_string(size);
    }
    return text + "\n";
  }

  const std::unordered_map<std::string, std::string> options_;
  std::unique_ptr<RecoveryWorld> w_;
  std::vector<ColumnFamilyData*> others_;
  uint64_t newest_ = 0;  // the largest number of a log, or marked as used
};

std::string RunRecoverCase(const ScriptCase& c) {
  const ScriptWords command(c.command);
  EXPECT_EQ(command.verb(), "recover");
  RecoverScript script(command);
  std::string text;
  for (const std::string& line : LinesOf(c.body)) text += script.Step(line);
  return text;
}

TEST(LogRecoveryTest, EveryCaseOfTheScript) {
  EXPECT_GE(RunScript("opening/logs.txt", RunRecoverCase), 28u)
      << "cases went missing";
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

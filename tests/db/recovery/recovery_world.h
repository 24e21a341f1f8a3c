// What an open has when it comes to the logs, over the parts of a JobsWorld:
// families from the manifest with empty memtables. A test writes the logs.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "db/files/log_keeper.h"
#include "db/manifest/needed_logs.h"
#include "db/recovery/log_recovery.h"
#include "db/version/version_edit.h"
#include "db/wal/wal_manager.h"
#include "db/wal/write_batch_internal.h"
#include "db/write/write_memory.h"
#include "file/file_util.h"
#include "file/page_cache_room.h"
#include "tests/db/jobs/jobs_world.h"
#include "tests/db/wal/log_file.h"

namespace ROCKSDB_NAMESPACE {

// A record of a log, with one entry.
inline WriteBatch LoggedPut(SequenceNumber sequence, const std::string& key,
                            const std::string& value = "v",
                            uint32_t family = 0) {
  WriteBatch batch;
  const Slice slices[] = {key, value};
  const SliceParts parts[] = {{&slices[0], 1}, {&slices[1], 1}};
  EXPECT_TRUE(
      WriteBatchInternal::Add(&batch, kTypeValue, family, parts[0], &parts[1])
          .ok());
  WriteBatchInternal::SetSequence(&batch, sequence);
  return batch;
}

class RecoveryWorld : private ColumnFamilyMemTables {
 public:
  using Files = std::shared_ptr<FaultInjectionFileSystem>;
  using Prepare = std::function<void(JobWorld*)>;

  static void KeepLogs(JobWorld* world) {
    world->f.db_options.avoid_flush_during_recovery = true;
  }
  static Prepare In(WALRecoveryMode mode) {
    return [mode](JobWorld* world) {
      world->f.db_options.wal_recovery_mode = mode;
    };
  }
  // `prepare` may change the options. `files`: those that another one has left;
  // null: a new database.
  explicit RecoveryWorld(const Prepare& prepare = {}, const Files& files = {})
      : parts([&](JobWorld* world) {
          if (files != nullptr) world->f.fs = files;
          if (prepare != nullptr) prepare(world);
        }) {
    const ImmutableDBOptions* const db = world.f.db.get();
    logs = std::make_unique<LogKeeper>(
        LogKeeper::Context{.db = db,
                           .wal_dir = "/db",
                           .file_options = FileOptions(),
                           .page_cache = &page_cache_,
                           .mutex = &world.mutex,
                           .options = parts.options.get(),
                           .versions = world.versions.get(),
                           .manifest_directory = world.directory.get(),
                           .obsolete = parts.obsolete.get()});
    EXPECT_TRUE(logs->Open().ok());
    memory_ = std::make_unique<WriteMemory>(
        WriteMemory::Context{.db = db,
                             .families = &parts.families,
                             .publisher = parts.publisher.get()});
    recovery = std::make_unique<LogRecovery>(Context());
  }
  ~RecoveryWorld() override {
    {
      MutexLock lock(&world.mutex);
      for (ColumnFamilyData* cfd : parts.families.All()) {
        parts.states->Withdraw(cfd);
      }
    }
    parts.states->Free();
    recovery.reset();
    IgnoreError(logs->Close(), "the test is over");
  }

  LogRecovery::Context Context() {
    return {.db = world.f.db.get(),
            .db_name = "/db",
            .wal_dir = "/db",
            .mutex = &world.mutex,
            .options = parts.options.get(),
            .families = &parts.families,
            .versions = world.versions.get(),
            .directory = world.directory.get(),
            .publisher = parts.publisher.get(),
            .jobs = parts.contexts.get(),
            .memory = memory_.get(),
            .logs = logs.get(),
            .targets = this};
  }
  Status Replay() {
    MutexLock lock(&world.mutex);
    return recovery->Replay();
  }
  Status LeaveLogs() {
    MutexLock lock(&world.mutex);
    return recovery->LeaveLogs();
  }
  // A family that is in the manifest.
  ColumnFamilyData* Add(const std::string& name) {
    MutexLock lock(&world.mutex);
    ColumnFamilyData* cfd = nullptr;
    const Status s = world.versions->CreateFamily(name, world.f.family, 0,
                                                  world.directory.get(), &cfd);
    EXPECT_TRUE(s.ok()) << s.ToString();
    cfd->SwitchMemTable(cfd->NewMemTable(0));
    const auto entry = std::make_shared<FamilyEntry>(cfd->shared_from_this());
    std::unique_ptr<FSDirectory> directory;
    EXPECT_TRUE(
        world.f.fs->NewDirectory("/db", IOOptions(), &directory, nullptr).ok());
    entry->directories.push_back(std::move(directory));
    parts.families.Add(entry);
    return cfd;
  }

  // --- logs, durable with their names
  void WriteLog(uint64_t number, const std::vector<WriteBatch>& batches) {
    std::string bytes;
    {
      const auto writer = NewLogWriter(&bytes, {.log_number = number});
      for (const WriteBatch& batch : batches) {
        EXPECT_TRUE(writer->AddRecord(batch.Data()).ok());
      }
      EXPECT_TRUE(writer->Close().ok());
    }
    WriteBytes(number, bytes);
  }
  // A byte of its first record is wrong.
  void DamageLog(uint64_t number) {
    std::string bytes;
    EXPECT_TRUE(ReadFileToString(world.f.fs.get(), LogFileName("/db", number),
                                 IOOptions(), &bytes)
                    .ok());
    bytes[10] ^= 1;
    WriteBytes(number, bytes);
  }

  // The manifest has it, too.
  void LogEdit(ColumnFamilyData* cfd, VersionEdit* edit) {
    MutexLock lock(&world.mutex);
    const Status s =
        world.versions->LogAndApply({{cfd, edit}}, world.directory.get());
    EXPECT_TRUE(s.ok()) << s.ToString();
  }

  // --- what there is
  SequenceNumber LastSequence() {
    MutexLock lock(&world.mutex);
    return world.versions->LastSequence();
  }
  uint64_t CurrentLog() const { return logs->wal()->current_number(); }
  uint64_t MinLogToKeep() {
    MutexLock lock(&world.mutex);
    return world.versions->logs()->min_to_keep();
  }
  size_t InMemory(ColumnFamilyData* cfd) {
    MutexLock lock(&world.mutex);
    return cfd->mem()->entry_count();
  }
  // The sequences of the records of that log.
  std::vector<SequenceNumber> Sequences(uint64_t number) {
    std::string bytes;
    EXPECT_TRUE(ReadFileToString(world.f.fs.get(), LogFileName("/db", number),
                                 IOOptions(), &bytes)
                    .ok());
    std::vector<SequenceNumber> sequences;
    for (const std::string& record :
         ReadLog(bytes, WALRecoveryMode::kTolerateCorruptedTailRecords, number)
             .records) {
      sequences.push_back(WriteBatchInternal::Sequence(WriteBatch(record)));
    }
    return sequences;
  }

  JobsWorld parts;
  JobWorld& world = parts.world;
  std::unique_ptr<LogKeeper> logs;
  std::unique_ptr<LogRecovery> recovery;

 private:
  void WriteBytes(uint64_t number, const std::string& bytes) {
    EXPECT_TRUE(CreateFile(world.f.fs.get(), LogFileName("/db", number), bytes,
                           FileDurability::kSynced)
                    .ok());
    EXPECT_TRUE(world.directory->Fsync(IOOptions(), nullptr).ok());
  }
  bool Find(uint32_t id, Target* target) override {
    const FamilyRef family = parts.families.Find(id);
    if (family == nullptr) return false;
    target->memtable = family->cfd->mem().get();
    target->log_number = family->cfd->log_number();
    return true;
  }
  void OnFull(uint32_t, MemTable*) override {}

  PageCacheRoom page_cache_;
  std::unique_ptr<WriteMemory> memory_;
};

}  // namespace ROCKSDB_NAMESPACE

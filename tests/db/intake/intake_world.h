// What stands around the parts that take writes, put together over a version
// set, its logs and a file system that fails on purpose, without a database
// around them. What is scheduled runs when a test says so.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "db/background/background_scheduler.h"
#include "db/background/background_work.h"
#include "db/background/error_handler.h"
#include "db/background/job_errors.h"
#include "db/background/manual_queue.h"
#include "db/background/stop_signals.h"
#include "db/files/log_keeper.h"
#include "db/files/obsolete_files.h"
#include "db/intake/group_log.h"
#include "db/intake/memtable_switch.h"
#include "db/intake/section_keeper.h"
#include "db/intake/wal_lock.h"
#include "db/intake/writer_stalls.h"
#include "db/jobs/clean_up.h"
#include "db/jobs/flush_desk.h"
#include "db/manifest/needed_logs.h"
#include "db/observe/database_stats.h"
#include "db/registry/change_signal.h"
#include "db/registry/current_options.h"
#include "db/registry/family_registry.h"
#include "db/registry/state_publisher.h"
#include "db/wal/predecessor_record.h"
#include "db/wal/wal_manager.h"
#include "db/wal/write_batch_internal.h"
#include "db/write/family_publisher.h"
#include "db/write/leader_attention.h"
#include "db/write/stall_control.h"
#include "db/write/write_controller.h"
#include "db/write/write_memory.h"
#include "db/write/write_thread.h"
#include "env/job_threads.h"
#include "file/io_governor.h"
#include "file/page_cache_room.h"
#include "memtable/memtable.h"
#include "monitoring/trace/query_tracer.h"
#include "options/sanitize.h"
#include "tests/db/compaction/job_world.h"
#include "tests/db/jobs/held_env.h"
#include "tests/db/wal/log_file.h"
#include "tests/testing/mock_clock.h"

namespace ROCKSDB_NAMESPACE {

// "a=1 del b blob:x": what a batch has, in its order.
inline std::string BatchText(const Slice& bytes) {
  std::string text;
  for (BatchReader reader(bytes); !reader.AtEnd();) {
    BatchEntry entry;
    const Status s = reader.Next(&entry);
    EXPECT_TRUE(s.ok()) << s.ToString();
    if (!s.ok()) break;
    if (!text.empty()) text += " ";
    if (entry.column_family_id != 0) {
      text += std::to_string(entry.column_family_id) + ":";
    }
    switch (entry.type) {
      case kTypeValue:
        text += entry.key.ToString() + "=" + entry.value.ToString();
        break;
      case kTypeDeletion:
        text += "del " + entry.key.ToString();
        break;
      case kTypeLogData:
        text += "blob:" + entry.key.ToString();
        break;
      default:
        text += "<" + std::to_string(entry.type) + ">";
    }
  }
  return text;
}

class IntakeWorld : private BackgroundWork, private JobErrors {
 public:
  struct Told {
    Status status;
    BackgroundErrorReason reason;
  };

  IntakeWorld() { f.family.max_write_buffer_number = 4; }
  ~IntakeWorld() override {
    if (states == nullptr) return;
    EXPECT_FALSE(scheduler.HasThreads());
    {
      MutexLock lock(mutex);
      for (ColumnFamilyData* cfd : families.All()) states->Withdraw(cfd);
    }
    states->Free();
    FamilyRegistry::Map taken;
    {
      MutexLock lock(mutex);
      taken = families.TakeAll();
    }
    taken.clear();
    IgnoreError(logs->Close(), "the test is over");
  }

  // After the options in `f` are set: with a default family and a log.
  void Open() {
    stored.Create();
    f.db->clock = &clock;
    const ImmutableDBOptions* const db = f.db.get();
    states = std::make_unique<StatePublisher>(mutex, db->stats);
    governor = std::make_unique<GovernorMembership>(db->fs, IoLimits());
    options = std::make_unique<CurrentOptions>(mutex, f.db_options);
    ObsoleteFiles::Callbacks none;
    none.on_deleted = [](const std::string&, FileType, uint64_t,
                         const Status&) {};
    none.forget = [](UnreferencedTable) {};
    none.on_unattended = [] {};
    obsolete = std::make_shared<ObsoleteFiles>(db, nullptr, std::move(none));
    MakeLogs();
    MakeParts();
    MutexLock lock(mutex);
    stalls->SetDelayedRate(1 << 20);
    default_family = stored.cfd;
    Attach(default_family);
    const Status s = logs->Switch(logs->NextNumber(), 4096);
    ASSERT_TRUE(s.ok()) << s.ToString();
    default_family->mem()->set_log_number(logs->wal()->current_number());
  }

  // A family that begins with the current log.
  ColumnFamilyData* Add(const std::string& name,
                        const ColumnFamilyOptions& family) {
    MutexLock lock(mutex);
    ColumnFamilyData* cfd = nullptr;
    const uint64_t log_number = logs->wal()->current_number();
    const Status s = versions()->CreateFamily(
        name, SanitizeColumnFamilyOptions(*f.db, family), log_number,
        stored.directory.get(), &cfd);
    EXPECT_TRUE(s.ok()) << s.ToString();
    Attach(cfd);
    cfd->mem()->set_log_number(log_number);
    return cfd;
  }
  ColumnFamilyData* Add(const std::string& name) { return Add(name, f.family); }
  // It is dropped, and its last handle has gone.
  void Drop(ColumnFamilyData* cfd) {
    FamilyRef held;  // It goes without the mutex.
    MutexLock lock(mutex);
    held = families.Find(cfd->id());
    const Status s = versions()->DropFamily(cfd, stored.directory.get());
    EXPECT_TRUE(s.ok()) << s.ToString();
    states->Withdraw(cfd);
    families.Remove(cfd->id());
  }

  // An entry of the family that is in the memtable alone.
  void Insert(ColumnFamilyData* cfd, const std::string& key,
              const std::string& value = "v") {
    MutexLock lock(mutex);
    const SequenceNumber sequence = versions()->LastSequence() + 1;
    const Status s = cfd->mem()->Add(sequence, kTypeValue, key, value);
    EXPECT_TRUE(s.ok()) << s.ToString();
    versions()->SetLastSequence(sequence);
  }
  // The same in the log alone.
  void Log(const std::string& key) {
    WriteBatch batch;
    EXPECT_TRUE(batch.Put(key, "v").ok());
    EXPECT_TRUE(logs->wal()->Append(batch.Data()).ok());
  }

  // What a reader makes of that log.
  LogContents Contents(uint64_t log_number) const {
    std::string bytes;
    const Status s = ReadFileToString(
        f.fs.get(), LogFileName("/db", log_number), IOOptions(), &bytes);
    EXPECT_TRUE(s.ok()) << s.ToString();
    return ReadLog(bytes, WALRecoveryMode::kTolerateCorruptedTailRecords,
                   log_number);
  }
  // Its records, each as "sequence: entries", but for the one that speaks of
  // the log before.
  std::vector<std::string> Records(uint64_t log_number) const {
    std::vector<std::string> records;
    for (const std::string& record : Contents(log_number).records) {
      LogPredecessor predecessor;
      if (DecodePredecessor(record, &predecessor)) continue;
      WriteBatch batch(record);
      records.push_back(std::to_string(WriteBatchInternal::Sequence(batch)) +
                        ": " + BatchText(batch.Data()));
    }
    return records;
  }
  std::vector<std::string> Records() const {
    return Records(logs->wal()->current_number());
  }
  // The next call that changes a file whose path contains that fails.
  void FailNext(const std::string& path_contains) const {
    Fault fault;
    fault.call = 1;
    fault.path_contains = path_contains;
    f.fs->FailCall(fault);
  }
  void FailNextLog() const {
    FailNext(LogFileName("/db", versions()->next_file_number()));
  }
  void FailWrites() {
    MutexLock lock(mutex);
    errors.Set(Status::IOError("no room"), BackgroundErrorReason::kFlush);
    EXPECT_TRUE(errors.BlocksWrites());
  }
  uint64_t HeldLog() const {
    MutexLock lock(mutex);
    return versions()->logs()->held();
  }
  // "[a@1 b@2]"
  static std::string TextOf(const MemTable& memtable) {
    std::string text = "[";
    const std::unique_ptr<InternalIterator> it = memtable.NewIterator();
    for (it->SeekToFirst(); it->Valid(); it->Next()) {
      text += (text.size() > 1 ? " " : "") +
              ExtractUserKey(it->key()).ToString() + "@" +
              std::to_string(ExtractSequence(it->key()));
    }
    return text + "]";
  }
  // Those that readers have: "[c@3] [a@1 b@2]", the active one first.
  std::string Memtables(ColumnFamilyData* cfd) const {
    SuperVersion* const state = cfd->AcquireReferenced();
    std::string text = TextOf(*state->mem);
    for (const MemTableRef& sealed : *state->imm) {
      text += " " + TextOf(*sealed);
    }
    EXPECT_FALSE(ColumnFamilyData::Release(state));
    return text;
  }
  VersionSet* versions() const { return stored.versions.get(); }
  JobErrors* job_errors() { return this; }

  MockClock clock;
  JobWorld stored;
  TableFiles& f = stored.f;
  Mutex* const mutex = &stored.mutex;
  ChangeSignal changes{mutex};
  StopSignals stop;
  ErrorHandler errors{/*paranoid_checks=*/true};
  ManualQueue manual;
  WriteController controller;
  HeldEnv env;
  LeaderAttention attention;
  FamilyRegistry families;
  JobThreads threads;
  PageCacheRoom page_cache;
  DatabaseStats counts{0};
  QueryTracer tracer{&clock};
  WriteThread writes{1 << 20, YieldingWait::Limits()};
  WriteThread log_only{1 << 20, YieldingWait::Limits()};
  BackgroundScheduler scheduler{{.env = &env,
                                 .mutex = mutex,
                                 .changes = &changes,
                                 .stop = &stop,
                                 .errors = &errors,
                                 .manual = &manual,
                                 .writes = &controller,
                                 .work = this}};
  WalLock wal_lock{{.mutex = mutex,
                    .writes = &writes,
                    .log_only = &log_only,
                    .changes = &changes,
                    .attention = &attention,
                    .stop = &stop}};
  std::vector<Told> told;
  ColumnFamilyData* default_family = nullptr;
  std::unique_ptr<StatePublisher> states;
  std::unique_ptr<GovernorMembership> governor;
  std::unique_ptr<CurrentOptions> options;
  std::shared_ptr<ObsoleteFiles> obsolete;
  std::unique_ptr<LogKeeper> logs;
  std::unique_ptr<StallControl> stalls;
  std::unique_ptr<FamilyPublisher> publisher;
  std::unique_ptr<WriteMemory> memory;
  std::unique_ptr<FlushDesk> flushes;
  std::unique_ptr<CleanUp> clean_up;
  std::unique_ptr<SectionKeeper> sections;
  std::unique_ptr<MemtableSwitch> memtables;
  std::unique_ptr<WriterStalls> waits;
  std::unique_ptr<GroupLog> group_log;

 private:
  void MakeLogs() {
    logs = std::make_unique<LogKeeper>(
        LogKeeper::Context{.db = f.db.get(),
                           .wal_dir = "/db",
                           .file_options = FileOptions(),
                           .page_cache = &page_cache,
                           .mutex = mutex,
                           .options = options.get(),
                           .versions = versions(),
                           .manifest_directory = stored.directory.get(),
                           .obsolete = obsolete.get()});
    ASSERT_TRUE(logs->Open().ok());
  }
  void MakeParts() {
    const ImmutableDBOptions* const db = f.db.get();
    stalls = std::make_unique<StallControl>(
        StallControl::Context{.db = db,
                              .families = &families,
                              .writes = &controller,
                              .changes = &changes,
                              .io_governor = governor.get()});
    publisher = std::make_unique<FamilyPublisher>(
        FamilyPublisher::Context{.db = db,
                                 .mutex = mutex,
                                 .families = &families,
                                 .states = states.get(),
                                 .stalls = stalls.get(),
                                 .attention = &attention});
    memory = std::make_unique<WriteMemory>(WriteMemory::Context{
        .db = db, .families = &families, .publisher = publisher.get()});
    flushes =
        std::make_unique<FlushDesk>(FlushDesk::Context{.db = db,
                                                       .mutex = mutex,
                                                       .families = &families,
                                                       .scheduler = &scheduler,
                                                       .errors = &errors,
                                                       .stop = &stop,
                                                       .changes = &changes});
    clean_up =
        std::make_unique<CleanUp>(CleanUp::Context{.env = Env::Default(),
                                                   .mutex = mutex,
                                                   .stop = &stop,
                                                   .scheduler = &scheduler,
                                                   .publisher = publisher.get(),
                                                   .obsolete = obsolete.get(),
                                                   .wal = logs->wal(),
                                                   .threads = &threads});
    sections = std::make_unique<SectionKeeper>(mutex, versions(),
                                               f.db->section_policy);
    memtables = std::make_unique<MemtableSwitch>(
        MemtableSwitch::Context{.db = db,
                                .mutex = mutex,
                                .options = options.get(),
                                .families = &families,
                                .scheduler = &scheduler,
                                .stalls = stalls.get(),
                                .versions = versions(),
                                .publisher = publisher.get(),
                                .flushes = flushes.get(),
                                .logs = logs.get(),
                                .memory = memory.get(),
                                .attention = &attention,
                                .errors = this});
    MakeLines();
  }
  void MakeLines() {
    const ImmutableDBOptions* const db = f.db.get();
    waits = std::make_unique<WriterStalls>(
        WriterStalls::Context{.db = db,
                              .mutex = mutex,
                              .errors = &errors,
                              .writes = &writes,
                              .controller = &controller,
                              .memory = memory.get(),
                              .memtables = memtables.get(),
                              .flushes = flushes.get(),
                              .attention = &attention,
                              .counts = &counts,
                              .changes = &changes,
                              .stop = &stop});
    group_log =
        std::make_unique<GroupLog>(GroupLog::Context{.db = db,
                                                     .mutex = mutex,
                                                     .error = &errors,
                                                     .log_only = &log_only,
                                                     .versions = versions(),
                                                     .logs = logs.get(),
                                                     .wal_lock = &wal_lock,
                                                     .flushes = flushes.get(),
                                                     .sections = sections.get(),
                                                     .clean_up = clean_up.get(),
                                                     .attention = &attention,
                                                     .counts = &counts,
                                                     .tracer = &tracer,
                                                     .stop = &stop,
                                                     .errors = this});
  }
  void Attach(ColumnFamilyData* cfd) {
    if (cfd->mem() == nullptr) {
      cfd->SwitchMemTable(cfd->NewMemTable(versions()->LastSequence()));
    }
    const auto entry = std::make_shared<FamilyEntry>(cfd->shared_from_this());
    std::unique_ptr<FSDirectory> directory;
    EXPECT_TRUE(
        f.db->fs->NewDirectory("/db", IOOptions(), &directory, nullptr).ok());
    entry->directories.push_back(std::move(directory));
    families.Add(entry);
    publisher->Publish(cfd);
  }
  // Worlds that run jobs override these.
  void FlushInBackground() override { ADD_FAILURE(); }
  void CompactInBackground() override { ADD_FAILURE(); }
  void CompactToBottomInBackground() override { ADD_FAILURE(); }
  void OnBackgroundError(const Status& status,
                         BackgroundErrorReason reason) override {
    mutex->AssertHeld();
    told.push_back({status, reason});
    errors.Set(status, reason);
  }
  bool OnManifestError(const Status& status) override {
    if (status.IsColumnFamilyDropped() || status.IsInvalidArgument()) {
      return false;
    }
    OnBackgroundError(status, BackgroundErrorReason::kManifestWrite);
    return true;
  }
  void CheckSpaceLimit() override {}
};

}  // namespace ROCKSDB_NAMESPACE

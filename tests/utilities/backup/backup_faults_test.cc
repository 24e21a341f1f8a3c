// Backups on a file system whose k-th call fails, for every k, or after whose
// k-th call the power goes: what is listed is complete, what was answered OK is
// listed, and the next attempt is good.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <set>
#include <thread>

#include "env/mem_file_system.h"
#include "file/buffer_pool.h"
#include "rocksdb/utilities/backup_engine.h"
#include "tests/db/impl/db_fixture.h"
#include "tests/testing/scale.h"
#include "tests/utilities/backup/backup_fixture.h"
#include "util/ignore_error.h"
#include "utilities/fault_injection/fault_injection_fs.h"

namespace ROCKSDB_NAMESPACE {
namespace {

constexpr char kExpectedScan[] = "a=table b=later c=log ";

class BackupWorld {
 public:
  enum class Faults { kPossible, kNone };
  // Without faults nothing is remembered for a crash either: fit for long runs.
  explicit BackupWorld(uint64_t seed, Faults faults = Faults::kPossible)
      : memory_(std::make_shared<MemFileSystem>()),
        fs_(std::make_shared<FaultInjectionFileSystem>(memory_, seed)),
        env_(faults == Faults::kNone ? NewCompositeEnv(memory_)
                                     : NewCompositeEnv(fs_)) {
    options_.env = env_.get();
    options_.create_if_missing = true;
    options_.compression = kNoCompression;
    options_.enable_blob_files = true;
    options_.min_blob_size = 5;
    backup_options_.schema_version = 1 + static_cast<int>(seed % 2);
  }
  ~BackupWorld() {
    engine_.reset();
    db_.reset();
  }

  // A database of two tables, a blob file and a log, with one backup before the
  // last two.
  Status SetUp() {
    Status s = DB::Open(options_, "/db", &db_);
    if (s.ok()) s = db_->Put(WriteOptions(), "a", "table");
    if (s.ok()) s = db_->Flush(FlushOptions());
    if (s.ok()) s = OpenEngine();
    if (s.ok()) s = engine_->CreateNewBackup(db_.get());
    if (s.ok()) s = db_->Put(WriteOptions(), "b", "later");
    if (s.ok()) s = db_->Flush(FlushOptions());
    WriteOptions synced;
    synced.sync = true;
    if (s.ok()) s = db_->Put(synced, "c", "log");
    return s;
  }
  Status OpenEngine() {
    engine_.reset();
    BackupEngine* engine = nullptr;
    IOStatus s = BackupEngine::Open(backup_options_, env_.get(), &engine);
    engine_.reset(engine);
    return s;
  }
  Status Create() { return engine_->CreateNewBackup(db_.get()); }
  Status Restore(BackupID id) {
    return engine_->RestoreDBFromBackup(id, "/restored", "/restored");
  }
  std::string ScanRestored() {
    std::unique_ptr<DB> db;
    Options options = options_;
    options.create_if_missing = false;
    const Status s = DB::Open(options, "/restored", &db);
    if (!s.ok()) return s.ToString();
    std::string text;
    const std::unique_ptr<Iterator> it(db->NewIterator(ReadOptions()));
    for (it->SeekToFirst(); it->Valid(); it->Next()) {
      text += it->key().ToString() + "=" + it->value().ToString() + " ";
    }
    return it->status().ok() ? text : it->status().ToString();
  }
  bool IsListed(BackupID id) const {
    BackupInfo info;
    return engine_->GetBackupInfo(id, &info).ok();
  }
  std::string Missing() const {
    std::vector<BackupID> damaged;
    engine_->GetCorruptedBackups(&damaged);
    std::string text;
    for (const BackupID id : damaged) {
      text += engine_->VerifyBackup(id).ToString() + "; ";
    }
    return text;
  }
  // What is there beside the one backup.
  std::string Garbage() const {
    BackupInfo info;
    if (!engine_->GetLatestBackupInfo(&info, true).ok()) return "no backup";
    std::set<std::string> expected{"/backup/meta/" +
                                   std::to_string(info.backup_id)};
    for (const BackupFileInfo& file : info.file_details) {
      expected.insert("/backup/" + file.relative_filename);
    }
    std::string text;
    for (const std::string& folder :
         {std::string("/backup/meta"), std::string("/backup/shared_checksum"),
          info.name_for_open}) {
      std::vector<std::string> names;
      if (!env_->GetChildren(folder, &names).ok()) return folder;
      for (const std::string& name : names) {
        if (name == "." || name == "..") continue;
        const std::string path = folder + "/" + name;
        if (expected.erase(path) == 0) text += path + " ";
      }
    }
    for (const std::string& path : expected) text += "no " + path + " ";
    std::vector<std::string> names;
    if (!env_->GetChildren("/backup/private", &names).ok()) return "private";
    std::erase_if(names, [](const auto& n) { return n == "." || n == ".."; });
    return names.size() == 1 ? text : text + "private directories";
  }
  // After a crash: all that was open is gone.
  Status Reopen() {
    engine_.reset();
    db_.reset();
    Status s = DB::Open(options_, "/db", &db_);
    return s.ok() ? OpenEngine() : s;
  }

  const std::shared_ptr<MemFileSystem> memory_;
  const std::shared_ptr<FaultInjectionFileSystem> fs_;
  const std::unique_ptr<Env> env_;
  Options options_;
  BackupEngineOptions backup_options_{"/backup"};
  std::unique_ptr<DB> db_;
  std::unique_ptr<BackupEngine> engine_;
};

// What must hold after `step`, whatever happened to it.
struct BackupFaultCase {
  const char* name;
  std::function<Status(BackupWorld*)> step;
  // Which backup is there if the step was OK, and which need not be there
  // whatever it answered. 0: none.
  BackupID made = 0;
  BackupID deleted = 0;
};

const BackupFaultCase kBackupFaultCases[] = {
    {"open", [](BackupWorld* world) { return world->OpenEngine(); }, 0, 0},
    {"create", [](BackupWorld* world) { return world->Create(); }, 2, 0},
    {"delete",
     [](BackupWorld* world) -> Status {
       return world->engine_->DeleteBackup(1);
     },
     0, 1},
    {"purge",
     [](BackupWorld* world) -> Status {
       Status s = world->Create();
       return s.ok() ? world->engine_->PurgeOldBackups(1) : s;
     },
     2, 1},
    {"garbage",
     [](BackupWorld* world) -> Status {
       return world->engine_->GarbageCollect();
     },
     0, 0},
    {"verify",
     [](BackupWorld* world) -> Status {
       return world->engine_->VerifyBackup(1, true);
     },
     0, 0},
    {"restore", [](BackupWorld* world) { return world->Restore(1); }, 0, 0},
};

enum class BackupEnding { kGoesOn, kPowerGoes };

// Empty if all is well.
std::string RunBackupCase(const BackupFaultCase& test, const Fault& fault,
                          BackupEnding ending, bool* struck) {
  BackupWorld world(fault.call);
  if (Status s = world.SetUp(); !s.ok()) return "set up: " + s.ToString();
  world.fs_->FailCall(fault);
  const Status answer = test.step(&world);
  *struck = world.fs_->failed();
  const std::string where = std::string(test.name) + ", after " +
                            world.fs_->failed_call() + ": " +
                            answer.ToString() + ": ";
  // The database may have stopped: its own calls failed too.
  if (ending == BackupEnding::kPowerGoes) {
    // The file system cannot undo names in a directory that is gone.
    world.fs_->ClearFault();
    const bool is_gone = !world.env_->FileExists("/backup/private/1").ok();
    const int percent = is_gone ? 100 : static_cast<int>(fault.call % 3) * 50;
    IOStatus s = world.fs_->CrashAndHeal({.survival_percent = percent});
    if (!s.ok()) return where + s.ToString();
  } else {
    world.fs_->Heal();
  }
  Status s = world.Reopen();
  if (!s.ok()) return where + "reopening: " + s.ToString();
  if (const std::string missing = world.Missing(); !missing.empty()) {
    return where + "damaged: " + missing;
  }
  if (test.made != 0 && answer.ok() && !world.IsListed(test.made)) {
    return where + "the backup is not there";
  }
  if (test.deleted != 1 && !world.IsListed(1)) return where + "1 is gone";
  std::vector<BackupInfo> infos;
  world.engine_->GetBackupInfo(&infos);
  for (const BackupInfo& info : infos) {
    s = world.engine_->VerifyBackup(info.backup_id, true);
    if (!s.ok()) return where + s.ToString();
  }
  // And all of it can be done again.
  if (s = world.Create(); !s.ok()) return where + "again: " + s.ToString();
  BackupInfo newest;
  s = world.engine_->GetLatestBackupInfo(&newest);
  if (s.ok()) s = world.Restore(newest.backup_id);
  if (!s.ok()) return where + "restoring: " + s.ToString();
  const std::string found = world.ScanRestored();
  if (found != kExpectedScan) return where + "found " + found;
  if (s = world.engine_->PurgeOldBackups(1); !s.ok()) return where + "purge";
  if (const std::string garbage = world.Garbage(); !garbage.empty()) {
    return where + "garbage stays: " + garbage;
  }
  world.engine_.reset();
  world.db_.reset();
  if (world.fs_->open_handles() != 0) return where + "handles leak";
  if (BufferPool::Default()->LeasedBytes() != 0) return where + "buffers leak";
  return "";
}

class BackupFaultsTest : public ::testing::TestWithParam<BackupFaultCase> {};

TEST_P(BackupFaultsTest, EveryCallFailsOnce) {
  for (uint64_t k = 1;; ++k) {
    ASSERT_LT(k, 2000u);
    bool struck = false;
    const Fault fault{
        .call = k,
        .kind = k % 3 == 0 ? FaultKind::kNoSpace : FaultKind::kIOError,
        .scope = FaultScope::kAllCalls};
    const std::string wrong =
        RunBackupCase(GetParam(), fault, BackupEnding::kGoesOn, &struck);
    ASSERT_EQ(wrong, "") << "call " << k;
    if (!struck) break;
  }
}

TEST_P(BackupFaultsTest, ThePowerGoesAtEveryCall) {
  for (uint64_t k = 1;; ++k) {
    ASSERT_LT(k, 2000u);
    bool struck = false;
    const Fault fault{
        .call = k, .scope = FaultScope::kMutatingCalls, .is_permanent = true};
    const std::string wrong =
        RunBackupCase(GetParam(), fault, BackupEnding::kPowerGoes, &struck);
    ASSERT_EQ(wrong, "") << "call " << k;
    if (!struck) break;
  }
}

INSTANTIATE_TEST_SUITE_P(Steps, BackupFaultsTest,
                         ::testing::ValuesIn(kBackupFaultCases),
                         [](const auto& test) {
                           return std::string(test.param.name);
                         });

// What a backup that was cut off has copied is not copied again.
TEST(BackupResumeTest, CopiesAreUsedAfterACrash) {
  BackupWorld world(1);
  ASSERT_OK(world.SetUp());
  world.fs_->FailCall(
      {.call = 1, .is_permanent = true, .path_contains = "meta/.2.tmp"});
  EXPECT_FALSE(world.Create().ok());
  ASSERT_OK(world.fs_->CrashAndHeal({.survival_percent = 100}));
  ASSERT_OK(world.Reopen());
  std::vector<std::string> copied;
  ASSERT_OK(world.env_->GetChildren("/backup/shared_checksum", &copied));
  std::erase_if(copied, [](const auto& n) { return n == "." || n == ".."; });
  EXPECT_EQ(copied.size(), 4u) << "two tables and two blob files";
  world.fs_->ClearOpens();
  ASSERT_OK(world.Create());
  for (const OpenRecord& open : world.fs_->opens()) {
    if (open.kind != FileKind::kWritable) continue;
    for (const std::string& name : copied) {
      EXPECT_EQ(open.path.find(name), std::string::npos) << open.path;
    }
  }
  EXPECT_OK(world.engine_->VerifyBackup(2, true));
  ASSERT_OK(world.Restore(2));
  EXPECT_EQ(world.ScanRestored(), kExpectedScan);
}

// Whatever is written meanwhile, a backup is all that was written up to some
// moment of its making, without a hole, in all families.
TEST(BackupHistoryTest, ABackupUnderLoadIsAPrefix) {
  BackupWorld world(1, BackupWorld::Faults::kNone);
  world.options_.write_buffer_size = 64 << 10;
  // Short, as each round reads it.
  world.options_.max_manifest_file_size = 32 << 10;
  world.options_.enable_blob_garbage_collection = true;
  world.options_.blob_garbage_collection_age_cutoff = 1.0;
  world.backup_options_.max_background_operations = 2;
  ASSERT_OK(world.SetUp());
  ColumnFamilyHandle* second = nullptr;
  ASSERT_OK(world.db_->CreateColumnFamily(ColumnFamilyOptions(world.options_),
                                          "second", &second));
  // Until the writer has ended.
  const std::unique_ptr<ColumnFamilyHandle> owned(second);
  std::atomic<bool> stops{false};
  std::atomic<int> written{0};
  std::thread writer([&] {
    for (int i = 0; !stops; ++i) {
      WriteBatch batch;
      const std::string value = std::to_string(i) + std::string(100, 'x');
      EXPECT_OK(batch.Put("n" + std::to_string(i % 50), value));
      EXPECT_OK(batch.Put(second, "n" + std::to_string(i % 50), value));
      EXPECT_OK(world.db_->Write(WriteOptions(), &batch));
      written.store(i + 1);
    }
  });
  const StopAndJoin ends(&stops, &writer);
  const uint64_t rounds = 30 * TestScale();
  for (uint64_t round = 0; round < rounds; ++round) {
    CreateBackupOptions options;
    options.flush_before_backup = round % 3 == 0;
    const int at_least = written.load();
    ASSERT_OK(world.engine_->CreateNewBackup(options, world.db_.get()));
    const int at_most = written.load() + 1;
    BackupInfo info;
    ASSERT_OK(world.engine_->GetLatestBackupInfo(&info));
    ASSERT_OK(world.Restore(info.backup_id));
    ASSERT_OK(world.engine_->PurgeOldBackups(2));
    const ColumnFamilyOptions family(world.options_);
    std::vector<ColumnFamilyHandle*> handles;
    std::unique_ptr<DB> db;
    ASSERT_OK(DB::OpenForReadOnly(DBOptions(world.options_), "/restored",
                                  {{"default", family}, {"second", family}},
                                  &handles, &db));
    std::vector<int> found[2];
    for (size_t f = 0; f < 2; ++f) {
      const std::unique_ptr<Iterator> it(
          db->NewIterator(ReadOptions(), handles[f]));
      for (it->Seek("n"); it->Valid(); it->Next()) {
        found[f].push_back(std::stoi(it->value().ToString()));
      }
      EXPECT_OK(it->status());
      EXPECT_OK(db->DestroyColumnFamilyHandle(handles[f]));
      std::sort(found[f].begin(), found[f].end());
    }
    ASSERT_EQ(found[0], found[1]);
    const int count = found[0].empty() ? 0 : found[0].back() + 1;
    ASSERT_GE(count, at_least);
    ASSERT_LE(count, at_most);
    ASSERT_EQ(found[0].size(), static_cast<size_t>(std::min(count, 50)));
    if (count > 0) {
      ASSERT_EQ(found[0].front(), std::max(count - 50, 0));
    }
  }
}

// A restore that was cut off leaves no database, and the next one is good.
TEST(BackupResumeTest, RestoreIsAllOrNothing) {
  for (uint64_t k = 1;; ++k) {
    ASSERT_LT(k, 1000u);
    BackupWorld world(k);
    ASSERT_OK(world.SetUp());
    ASSERT_OK(world.Create());
    ASSERT_OK(world.Restore(1));
    world.fs_->FailCall({.call = k, .is_permanent = true});
    const Status s = world.Restore(2);
    const bool struck = world.fs_->failed();
    const std::string where = world.fs_->failed_call();
    ASSERT_OK(world.fs_->CrashAndHeal(
        {.survival_percent = static_cast<int>(k % 3) * 50}));
    const std::string found = world.ScanRestored();
    if (s.ok()) {
      EXPECT_EQ(found, kExpectedScan) << where;
    } else {
      // The old one, the new one, or none.
      EXPECT_TRUE(found == kExpectedScan || found == "a=table " ||
                  found.find("CURRENT") != std::string::npos)
          << where << ": " << found;
    }
    ASSERT_OK(world.Reopen());
    ASSERT_EQ(world.Restore(2).ToString(), "OK") << where;
    EXPECT_EQ(world.ScanRestored(), kExpectedScan) << where;
    if (!struck) break;
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

// One operation of a database in which the k-th call to the file system fails,
// for every k and each kind of error: the operation takes place or does not,
// nothing that was there is lost, now or after a crash that follows, nothing is
// left over, and the operation works when it is tried again.
//
// fault_loop_test.cc has all of a database's life in one scenario; here each
// operation is met by each error in the state that makes most of it.
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "db/wal/log_writer.h"
#include "db/wal/write_batch_internal.h"
#include "file/buffer_pool.h"
#include "file/filename.h"
#include "file/writable_file_writer.h"
#include "rocksdb/convenience.h"
#include "rocksdb/sst_file_writer.h"
#include "rocksdb/utilities/checkpoint.h"
#include "rocksdb/utilities/option_change_migration.h"
#include "tests/db/impl/fault_world.h"
#include "tests/testing/scale.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// Keys that are no part of the history.
constexpr const char* kIngestedKey = "x-ingested";
constexpr const char* kPreparedKey = "x-prepared";
constexpr const char* kExportedKey = "x-exported";
constexpr const char* kExternalFile = "/x/file";

// The state in which an operation is met by a fault.
class OperationWorld : public FaultWorld {
 public:
  OperationWorld(uint64_t seed, bool is_direct)
      : FaultWorld(seed, is_direct, 500) {
    history_.UseEntities();
    history_.LeaveOut("imported");
    history_.LeaveOut("side");
  }

  // Tables of two levels, blobs in files and in memory, a family that may go.
  Status SetUp() {
    Status s = Open();
    for (const char* family : {"b", "dropped"}) {
      if (s.ok()) s = CreateFamily(family);
    }
    for (int round = 0; round < 2 && s.ok(); ++round) {
      s = WriteSome(8);
      if (s.ok()) s = FlushAll();
      if (s.ok() && round == 0) s = CompactAll(Handle("b"));
    }
    if (s.ok()) s = WriteSome(4);
    return s;
  }
  Status WriteSome(int count) {
    Status s;
    for (int i = 0; i < count && s.ok(); ++i) {
      s = Write(i % 2 == 0 ? kDefaultColumnFamilyName : "b");
    }
    return s;
  }
  // Whether the key, which belongs to no history, is there.
  bool Has(const std::string& family, const std::string& key) {
    std::string value;
    return Handle(family) != nullptr &&
           db_->Get(ReadOptions(), Handle(family), key, &value).ok();
  }
  // A log of one record behind all that are there.
  Status AppendLog(WriteBatch record) {
    Status s = Open();
    if (!s.ok()) return s;
    WriteBatchInternal::SetSequence(&record,
                                    db_->GetLatestSequenceNumber() + 1);
    s = Close();
    std::vector<std::string> names;
    if (s.ok()) s = watch_->GetChildren(kPath, IOOptions(), &names, nullptr);
    uint64_t newest = 0;
    for (const std::string& name : names) {
      uint64_t number = 0;
      FileType type = kTempFile;
      if (ParseFileName(name, &number, &type))
        newest = std::max(newest, number);
    }
    std::unique_ptr<WritableFileWriter> file;
    if (s.ok()) {
      s = WritableFileWriter::Create(
          watch_.get(), LogFileName(kPath, newest + 10), FileOptions(), &file);
    }
    if (!s.ok()) return s;
    log::Writer writer(std::move(file), {.log_number = newest + 10});
    s = writer.AddRecord(record.Data());
    if (s.ok()) s = writer.Sync(/*use_fsync=*/false);
    if (s.ok()) s = writer.Close();
    return s.ok() ? SyncDirectory(kPath) : s;
  }
  Status SyncDirectory(const std::string& path) {
    std::unique_ptr<FSDirectory> directory;
    Status s = watch_->NewDirectory(path, IOOptions(), &directory, nullptr);
    return s.ok() ? directory->Fsync(IOOptions(), nullptr) : s;
  }

  std::unique_ptr<ExportImportFilesMetaData> exported_;
};

struct Failure {
  const char* name;
  FaultKind kind;
  FaultScope scope;
  bool is_direct;
};
const Failure kFailures[] = {
    {"IOError", FaultKind::kIOError, FaultScope::kAllCalls, false},
    {"NoSpace", FaultKind::kNoSpace, FaultScope::kMutatingCalls, true},
    {"ShortTransfer", FaultKind::kShort, FaultScope::kAllCalls, false},
    {"Sync", FaultKind::kSyncFailure, FaultScope::kMutatingCalls, true},
    // Only direct reads fail like this; opening the file succeeded.
    {"InvalidArgument", FaultKind::kInvalidArgument, FaultScope::kAllCalls,
     true},
};

struct Operation {
  const char* name;
  // The error that it meets in each run; a soak has all of them.
  FaultKind usual;
  // What is done before the fault is planned.
  std::function<Status(OperationWorld*)> prepare;
  std::function<Status(OperationWorld*)> run;
  // What must hold when the operation has succeeded, also after the crash.
  std::function<bool(OperationWorld*)> holds;
  // The database is not open when it is met.
  bool is_closed = false;
  bool has_blobs = true;
  // It removes a directory when it fails: what was in it no crash can undo.
  bool removes_directory = false;
};

Status Nothing(OperationWorld* /*world*/) { return Status::OK(); }
bool Always(OperationWorld* /*world*/) { return true; }
Status CloseIt(OperationWorld* world) { return world->Close(); }
Status OpenIt(OperationWorld* world) { return world->Open(); }
Status CompactBoth(OperationWorld* world) {
  Status s = world->CompactAll(world->Handle("b"));
  return s.ok() ? world->CompactAll(world->Handle(kDefaultColumnFamilyName))
                : s;
}

Status MakeExternalFile(OperationWorld* world) {
  Status s = world->watch_->CreateDirIfMissing("/x", IOOptions(), nullptr);
  SstFileWriter writer(EnvOptions(), world->options_);
  if (s.ok()) s = writer.Open(kExternalFile);
  if (s.ok()) s = writer.Put(kIngestedKey, std::string(300, 'i'));
  if (s.ok()) s = writer.Finish();
  return s.ok() ? world->SyncDirectory("/x") : s;
}
Status Ingest(OperationWorld* world) {
  return world->db_->IngestExternalFile(world->Handle("b"), {kExternalFile},
                                        IngestExternalFileOptions());
}

// Where it has failed before, a new directory is taken.
std::string NewPath(OperationWorld* world, const std::string& stem) {
  std::string path = stem;
  while (world->env_->FileExists(path).ok()) path += "+";
  return path;
}
Status MakeCheckpoint(OperationWorld* world) {
  Checkpoint* made = nullptr;
  Status s = Checkpoint::Create(world->db_.get(), &made);
  const std::unique_ptr<Checkpoint> checkpoint(made);
  return s.ok() ? checkpoint->CreateCheckpoint(NewPath(world, "/copy"), 1 << 20)
                : s;
}
Status Export(OperationWorld* world) {
  Checkpoint* made = nullptr;
  Status s = Checkpoint::Create(world->db_.get(), &made);
  if (!s.ok()) return s;
  const std::unique_ptr<Checkpoint> checkpoint(made);
  ExportImportFilesMetaData* exported = nullptr;
  s = checkpoint->ExportColumnFamily(world->Handle("b"),
                                     NewPath(world, "/export"), &exported);
  if (s.ok()) world->exported_.reset(exported);
  return s;
}
Status Import(OperationWorld* world) {
  if (world->Handle("imported") != nullptr) return Status::OK();
  ColumnFamilyHandle* handle = nullptr;
  Status s = world->db_->CreateColumnFamilyWithImport(
      ColumnFamilyOptions(world->options_), "imported",
      ImportColumnFamilyOptions(), *world->exported_, &handle);
  if (handle != nullptr) world->handles_.push_back(handle);
  return s;
}
Status PrepareImport(OperationWorld* world) {
  Status s =
      world->db_->Put(WriteOptions(), world->Handle("b"), kExportedKey, "1");
  if (s.ok()) s = Export(world);
  return s.ok() ? world->SyncDirectory("/export") : s;
}

Status CreateNew(OperationWorld* world) {
  if (world->Handle("new") != nullptr) return Status::OK();
  return world->CreateFamily("new");
}
Status DropOld(OperationWorld* world) {
  ColumnFamilyHandle* handle = world->Handle("dropped");
  if (handle == nullptr) return Status::OK();
  world->history_.Forget("dropped");
  Status s = world->db_->DropColumnFamily(handle);
  if (!s.ok()) return s;
  std::erase(world->handles_, handle);
  return world->db_->DestroyColumnFamilyHandle(handle);
}
Status ChangeOptions(OperationWorld* world) {
  Status s = world->db_->SetOptions({{"max_write_buffer_number", "5"}});
  return s.ok() ? world->db_->SetDBOptions({{"max_background_jobs", "3"}}) : s;
}

std::vector<std::string> FilesAt(OperationWorld* world,
                                 const std::string& family, size_t level) {
  ColumnFamilyMetaData metadata;
  world->db_->GetColumnFamilyMetaData(world->Handle(family), &metadata);
  std::vector<std::string> names;
  for (const SstFileMetaData& file : metadata.levels.at(level).files) {
    names.push_back(file.name);
  }
  return names;
}
Status CompactSomeFiles(OperationWorld* world) {
  std::vector<std::string> names = FilesAt(world, "b", 0);
  // Tried again, they lie at the bottom.
  if (names.empty()) names = FilesAt(world, "b", 6);
  return world->db_->CompactFiles(CompactionOptions(), world->Handle("b"),
                                  names, 6);
}

// A family of two files in level 0, whose keys lie apart.
constexpr const char* kSideKeys[] = {"x-first", "x-second"};
Status MakeSide(OperationWorld* world) {
  Status s = world->CreateFamily("side");
  for (const char* key : kSideKeys) {
    ColumnFamilyHandle* const side = world->Handle("side");
    if (s.ok()) s = world->db_->Put(WriteOptions(), side, key, "1");
    if (s.ok()) s = world->db_->Flush(FlushOptions(), side);
  }
  return s;
}
Status PromoteSide(OperationWorld* world) {
  if (FilesAt(world, "side", 0).empty()) return Status::OK();
  return world->db_->PromoteL0(world->Handle("side"), 2);
}
// A later open takes the files from level 2 to the last one.
bool IsPromoted(OperationWorld* world) {
  return FilesAt(world, "side", 0).empty() &&
         world->Has("side", kSideKeys[0]) && world->Has("side", kSideKeys[1]);
}
Status MakePromotedSide(OperationWorld* world) {
  Status s = MakeSide(world);
  return s.ok() ? PromoteSide(world) : s;
}
// Two ranges; in the second there is no file.
Status DeleteFirstFile(OperationWorld* world) {
  const Slice begin("x-a"), end("x-g"), behind("x-t"), last("x-z");
  const RangePtr ranges[] = {{&begin, &end}, {&behind, &last}};
  return DeleteFilesInRanges(world->db_.get(), world->Handle("side"), ranges,
                             2);
}

// A database of its own: migration takes those of one family alone.
constexpr const char* kMigratedPath = "/migrated";
Options OldShape(OperationWorld* world) {
  Options options = world->options_;
  options.num_levels = 4;
  options.level_compaction_dynamic_level_bytes = false;
  options.target_file_size_base = 4 << 10;
  return options;
}
Options NewShape(OperationWorld* world) {
  Options options = world->options_;
  options.compaction_style = kCompactionStyleUniversal;
  options.num_levels = 1;
  return options;
}
std::string MigratedValue(int i) { return std::string(500, char('a' + i)); }
Status MakeOldShape(OperationWorld* world) {
  std::unique_ptr<DB> db;
  Status s = DB::Open(OldShape(world), kMigratedPath, &db);
  for (int i = 0; i < 20 && s.ok(); ++i) {
    s = db->Put(WriteOptions(), "k" + std::to_string(i), MigratedValue(i));
    if (s.ok() && i % 8 == 7) s = db->Flush(FlushOptions());
    if (s.ok() && i == 15) s = db->CompactRange({}, nullptr, nullptr);
  }
  if (s.ok()) s = db->Flush(FlushOptions());
  return s.ok() ? db->Close() : s;
}
Status Migrate(OperationWorld* world) {
  Status s =
      OptionChangeMigration(kMigratedPath, OldShape(world), NewShape(world));
  std::unique_ptr<DB> db;
  if (s.ok()) s = DB::Open(NewShape(world), kMigratedPath, &db);
  for (int i = 0; i < 20 && s.ok(); ++i) {
    std::string value;
    s = db->Get(ReadOptions(), "k" + std::to_string(i), &value);
    if (s.ok() && value != MigratedValue(i)) s = Status::Corruption(value);
  }
  return s.ok() ? db->Close() : s;
}

Status LogPrepared(OperationWorld* world) {
  WriteBatch record;
  WriteBatchInternal::AddMarker(&record, kTypeNoop);
  Status s = record.Put(kPreparedKey, std::string(300, 'p'));
  if (s.ok()) {
    s = WriteBatchInternal::MarkEndPrepare(&record, "name",
                                           kTypeBeginPrepareXID);
  }
  world->options_.allow_2pc = true;
  return s.ok() ? world->AppendLog(std::move(record)) : s;
}
// The session that finds the transaction prepared, and leaves it so.
Status LivePrepared(OperationWorld* world) {
  Status s = world->Open();
  if (s.ok()) s = world->Write(kDefaultColumnFamilyName, true);
  if (s.ok()) s = world->FlushAll();
  return s;
}
bool CommitsPrepared(OperationWorld* world) {
  WriteBatch record;
  WriteBatchInternal::AddTransactionMarker(&record, kTypeCommitXID, "name");
  return !world->Has(kDefaultColumnFamilyName, kPreparedKey) &&
         world->AppendLog(std::move(record)).ok() && world->Open().ok() &&
         world->Has(kDefaultColumnFamilyName, kPreparedKey);
}

const Operation kOperations[] = {
    {.name = "Open",
     .usual = FaultKind::kIOError,
     .prepare =
         [](OperationWorld* world) {
           Status s = world->FlushAll();
           return s.ok() ? world->Close() : s;
         },
     .run = OpenIt,
     .holds = Always,
     .is_closed = true},
    {.name = "Recovery",
     .usual = FaultKind::kShort,
     .prepare = CloseIt,
     .run = OpenIt,
     .holds = Always,
     .is_closed = true},
    {.name = "Flush",
     .usual = FaultKind::kNoSpace,
     .prepare = Nothing,
     .run = [](OperationWorld* world) { return world->FlushAll(); },
     .holds = Always},
    {.name = "Compaction",
     .usual = FaultKind::kInvalidArgument,
     .prepare = Nothing,
     .run = CompactBoth,
     .holds = Always},
    {.name = "CompactFiles",
     .usual = FaultKind::kShort,
     .prepare = [](OperationWorld* world) { return world->FlushAll(); },
     .run = CompactSomeFiles,
     .holds =
         [](OperationWorld* world) { return FilesAt(world, "b", 0).empty(); }},
    {.name = "PromoteL0",
     .usual = FaultKind::kIOError,
     .prepare = MakeSide,
     .run = PromoteSide,
     .holds = IsPromoted},
    {.name = "DeleteFilesInRanges",
     .usual = FaultKind::kNoSpace,
     .prepare = MakePromotedSide,
     .run = DeleteFirstFile,
     .holds =
         [](OperationWorld* world) {
           return !world->Has("side", kSideKeys[0]) &&
                  world->Has("side", kSideKeys[1]);
         }},
    {.name = "OptionChangeMigration",
     .usual = FaultKind::kIOError,
     .prepare = MakeOldShape,
     .run = Migrate,
     .holds = [](OperationWorld* world) { return Migrate(world).ok(); }},
    {.name = "Ingestion",
     .usual = FaultKind::kSyncFailure,
     .prepare = MakeExternalFile,
     .run = Ingest,
     .holds =
         [](OperationWorld* world) { return world->Has("b", kIngestedKey); }},
    {.name = "Checkpoint",
     .usual = FaultKind::kShort,
     .prepare = Nothing,
     .run = MakeCheckpoint,
     .holds = Always,
     .removes_directory = true},
    {.name = "Export",
     .usual = FaultKind::kNoSpace,
     .prepare = Nothing,
     .run = Export,
     .holds = Always,
     .has_blobs = false,
     .removes_directory = true},
    {.name = "Import",
     .usual = FaultKind::kIOError,
     .prepare = PrepareImport,
     .run = Import,
     .holds =
         [](OperationWorld* world) {
           return world->Has("imported", kExportedKey);
         },
     .has_blobs = false},
    {.name = "CreateFamily",
     .usual = FaultKind::kSyncFailure,
     .prepare = Nothing,
     .run = CreateNew,
     .holds =
         [](OperationWorld* world) { return world->Handle("new") != nullptr; }},
    {.name = "DropFamily",
     .usual = FaultKind::kNoSpace,
     .prepare = Nothing,
     .run = DropOld,
     .holds =
         [](OperationWorld* world) {
           return world->Handle("dropped") == nullptr;
         }},
    {.name = "Options",
     .usual = FaultKind::kIOError,
     .prepare = Nothing,
     .run = ChangeOptions,
     .holds = Always},
    {.name = "Prepared",
     .usual = FaultKind::kIOError,
     .prepare = LogPrepared,
     .run = LivePrepared,
     .holds = CommitsPrepared,
     .is_closed = true},
    {.name = "Close",
     .usual = FaultKind::kSyncFailure,
     .prepare = Nothing,
     .run = CloseIt,
     .holds = Always},
};

// What is wrong after the operation.
std::string LookBehind(const Operation& operation, OperationWorld* world,
                       const Status& done) {
  if (world->db_ == nullptr) {
    if (Status s = world->Open(); !s.ok()) return "open: " + s.ToString();
  }
  if (!done.ok()) {
    IgnoreError(world->db_->Resume(), "there may be nothing to resume");
  }
  std::string wrong = world->Check(/*is_live=*/true);
  if (!wrong.empty()) return "live, " + wrong;
  // Two-phase commits look at it after the crash only: it ends the transaction.
  if (done.ok() && !operation.is_closed && !operation.holds(world)) {
    return "it has succeeded and does not hold";
  }
  return "";
}

std::string CrashAndLook(const Operation& operation, OperationWorld* world,
                         const Status& done) {
  IgnoreError(world->Close(), "a crash follows");
  if (world->fs_->open_handles() != 0) return "handles leak";
  if (BufferPool::Default()->LeasedBytes() != 0) return "a buffer leaks";
  for (const std::string& use : world->watch_->violations()) {
    return use + " of a file whose sync had failed";
  }
  if (done.ok() || !operation.removes_directory) {
    if (IOStatus s = world->fs_->CrashAndHeal(); !s.ok()) return s.ToString();
  }
  world->fs_->Heal();
  Status s = world->Open();
  if (!s.ok()) return "after the crash: " + s.ToString();
  for (const std::string& orphan : world->Orphans()) {
    return orphan + " is left over";
  }
  std::string wrong = world->Check(/*is_live=*/false);
  if (!wrong.empty()) return "after the crash, " + wrong;
  world->history_.TakeOver();
  if (done.ok() && !operation.holds(world))
    return "it does not outlive a crash";
  return "";
}

std::string TryAgain(const Operation& operation, OperationWorld* world) {
  if (operation.is_closed) {
    IgnoreError(world->Close(), "it is opened again");
  }
  Status s = operation.run(world);
  if (!s.ok()) return "tried again: " + s.ToString();
  if (world->db_ == nullptr) s = world->Open();
  if (s.ok()) s = world->Write(kDefaultColumnFamilyName, true);
  if (!s.ok()) return "a write after it: " + s.ToString();
  const std::string wrong = world->Check(/*is_live=*/true);
  if (!wrong.empty()) return "at last, " + wrong;
  s = world->Close();
  if (!s.ok()) return "closing: " + s.ToString();
  return world->fs_->open_handles() == 0 ? "" : "handles leak at last";
}

std::string RunWithFault(const Operation& operation, const Failure& failure,
                         uint64_t call, bool* struck) {
  OperationWorld world(call, failure.is_direct);
  if (operation.has_blobs) world.UseBlobs();
  world.options_.use_direct_reads = failure.kind == FaultKind::kInvalidArgument;
  Status s = world.SetUp();
  if (s.ok()) s = operation.prepare(&world);
  if (!s.ok()) return "before the fault: " + s.ToString();
  world.fs_->FailCall(
      {.call = call, .kind = failure.kind, .scope = failure.scope});
  const Status done = operation.run(&world);
  *struck = world.fs_->failed();
  const std::string where =
      " after " + world.fs_->failed_call() + ": " + done.ToString();
  world.fs_->ClearFault();
  if (!done.ok() && !*struck) return "it fails by itself" + where;
  std::string wrong = LookBehind(operation, &world, done);
  if (wrong.empty()) wrong = CrashAndLook(operation, &world, done);
  if (wrong.empty()) wrong = TryAgain(operation, &world);
  return wrong.empty() ? "" : wrong + where;
}

struct Meeting {
  const Operation* operation = nullptr;
  const Failure* failure = nullptr;
};

std::vector<Meeting> Meetings() {
  std::vector<Meeting> all;
  for (const Operation& operation : kOperations) {
    for (const Failure& failure : kFailures) {
      if (TestScale() > 1 || failure.kind == operation.usual) {
        all.push_back({&operation, &failure});
      }
    }
  }
  return all;
}

class FaultScenarios : public ::testing::TestWithParam<Meeting> {};

TEST_P(FaultScenarios, EveryCallFailsOnce) {
  int failures = 0;
  bool struck = true;
  for (uint64_t k = 1; struck; k += TestShare()) {
    ASSERT_LT(k, 2000u) << "the operation never runs through";
    const std::string wrong =
        RunWithFault(*GetParam().operation, *GetParam().failure, k, &struck);
    EXPECT_EQ(wrong, "") << "k = " << k;
    if (!wrong.empty() && ++failures == 3) break;
  }
}

INSTANTIATE_TEST_SUITE_P(All, FaultScenarios, ::testing::ValuesIn(Meetings()),
                         [](const auto& info) {
                           return std::string(info.param.operation->name) +
                                  info.param.failure->name;
                         });

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

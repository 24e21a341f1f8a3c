// Ingested files get the deepest place and the sequence that their keys allow,
// in all families at once, and a failure leaves nothing of them behind.
#include "db/intake/ingestion.h"

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "db/background/level_placing.h"
#include "db/ingest/prepared_file_info.h"
#include "db/registry/family_handle.h"
#include "rocksdb/sst_file_writer.h"
#include "tests/db/intake/flushing_world.h"

namespace ROCKSDB_NAMESPACE {
namespace {

using Lines = std::vector<std::string>;

class IngestionListener final : public EventListener {
 public:
  void OnExternalFileIngested(DB*,
                              const ExternalFileIngestionInfo& info) override {
    told.push_back(info.cf_name + " " + info.external_file_path);
  }
  void OnFlushBegin(DB*, const FlushJobInfo&) override {
    if (on_flush != nullptr) on_flush();
  }
  Lines told;
  std::function<void()> on_flush;
};

class IngestionTest : public ::testing::Test {
 protected:
  IngestionTest() { world_.f.db_options.listeners.push_back(listener_); }
  ~IngestionTest() override { handles_.clear(); }

  void SetUp() override {
    ASSERT_TRUE(
        world_.f.fs->CreateDirIfMissing("/ext", IOOptions(), nullptr).ok());
    world_.Open();
    ingestion_ = Make();
    AddHandle(world_.default_family);
  }
  std::unique_ptr<Ingestion> Make() {
    Ingestion::Context context;
    static_cast<EditContext&>(context) = world_.Edits();
    context.db = world_.f.db.get();
    context.placing = &placing_;
    context.writes = &world_.writes;
    context.wal_lock = &world_.wal_lock;
    context.logs = world_.logs.get();
    context.flush_requests = world_.requests.get();
    context.reads = world_.reads.get();
    context.jobs = world_.contexts.get();
    return std::make_unique<Ingestion>(context);
  }
  void AddHandle(ColumnFamilyData* cfd) {
    handles_.push_back(std::make_unique<ColumnFamilyHandleImpl>(
        nullptr, cfd->shared_from_this(), nullptr));
  }
  // A file with a put of each key.
  std::string MakeFile(const std::string& name, const Lines& keys) {
    std::string path = "/ext/" + name;
    Options options(world_.f.db_options, world_.f.family);
    options.listeners.clear();
    SstFileWriter writer(EnvOptions(), options);
    EXPECT_TRUE(writer.Open(path).ok());
    for (const std::string& key : keys) {
      EXPECT_TRUE(writer.Put(key, "new").ok());
    }
    EXPECT_TRUE(writer.Finish().ok());
    return path;
  }
  IngestExternalFileArg Arg(const std::string& path, size_t family = 0) {
    IngestExternalFileArg arg;
    arg.column_family = handles_[family].get();
    arg.external_files = {path};
    arg.options = options_;
    return arg;
  }
  Status Ingest(const std::string& path) {
    return ingestion_->Ingest({Arg(path)});
  }
  std::string Get(const std::string& key, size_t family = 0) {
    PinnableSlice value;
    const Status s = world_.reads->Get(ReadOptions(), handles_[family].get(),
                                       key, &value, nullptr);
    return s.ok() ? value.ToString() : s.IsNotFound() ? "none" : s.ToString();
  }
  void Put(const std::string& key) {
    WriteBatch batch;
    ASSERT_TRUE(batch.Put(key, "old").ok());
    ASSERT_TRUE(world_.pipeline->Write(WriteOptions(), &batch, nullptr).ok());
  }
  // Nothing has come, and nothing is left of what was copied.
  void ExpectNothing() {
    EXPECT_EQ(world_.Tables(), "");
    EXPECT_EQ(world_.stored.FilesOnDisk(), std::set<uint64_t>());
    EXPECT_EQ(listener_->told, Lines());
    EXPECT_EQ(world_.versions()->LastSequence(), last_sequence_);
    EXPECT_FALSE(IsPlacing());
  }
  bool IsPlacing() const {
    MutexLock lock(world_.mutex);
    return placing_.is_begun();
  }

  const std::shared_ptr<IngestionListener> listener_ =
      std::make_shared<IngestionListener>();
  FlushingWorld world_;
  LevelPlacing placing_{&world_.changes};
  std::unique_ptr<Ingestion> ingestion_;
  std::vector<std::unique_ptr<ColumnFamilyHandle>> handles_;
  IngestExternalFileOptions options_;
  SequenceNumber last_sequence_ = 0;
};

TEST_F(IngestionTest, AFileThatNothingOverlapsGoesToTheBottom) {
  const std::string path = MakeFile("1.sst", {"a", "b"});
  const Status s = Ingest(path);
  ASSERT_TRUE(s.ok()) << s.ToString();
  EXPECT_EQ(world_.Tables(), "L3 [a@0=new b@0=new]");
  EXPECT_EQ(Get("a"), "new");
  EXPECT_EQ(listener_->told, (Lines{"default /ext/1.sst"}));
  EXPECT_EQ(world_.stored.FilesOnDisk(), world_.stored.FilesInVersion());
  EXPECT_TRUE(world_.f.fs->FileExists(path, IOOptions(), nullptr).ok());
  EXPECT_FALSE(IsPlacing());
}

TEST_F(IngestionTest, ASnapshotDoesNotSeeTheFile) {
  const Snapshot* const before = world_.reads->GetSnapshot();
  ASSERT_TRUE(Ingest(MakeFile("1.sst", {"a"})).ok());
  EXPECT_EQ(world_.versions()->LastSequence(), 1u);
  EXPECT_EQ(Get("a"), "new");
  ReadOptions read;
  read.snapshot = before;
  PinnableSlice value;
  EXPECT_TRUE(world_.reads->Get(read, handles_[0].get(), "a", &value, nullptr)
                  .IsNotFound());
  world_.reads->ReleaseSnapshot(before);
}

TEST_F(IngestionTest, WhatTheMemtablesHaveOfItsKeysIsFlushedBefore) {
  Put("a");
  std::thread job([this] { world_.env.AwaitAndRun(); });
  const Status s = Ingest(MakeFile("1.sst", {"a"}));
  job.join();
  ASSERT_TRUE(s.ok()) << s.ToString();
  EXPECT_EQ(world_.Tables(), "L0 [a@2=new] [a@1=old]");
  EXPECT_EQ(Get("a"), "new");
  EXPECT_EQ(world_.versions()->LastSequence(), 2u);
}

TEST_F(IngestionTest, WritesGoOnDuringThatFlush) {
  Put("a");
  listener_->on_flush = [this] { Put("z"); };
  std::thread job([this] { world_.env.AwaitAndRun(); });
  EXPECT_TRUE(Ingest(MakeFile("1.sst", {"a"})).ok());
  job.join();
  EXPECT_EQ(Get("a"), "new");
  EXPECT_EQ(Get("z"), "old");
}

TEST_F(IngestionTest, OtherKeysStayInMemory) {
  Put("z");
  ASSERT_TRUE(Ingest(MakeFile("1.sst", {"a"})).ok());
  EXPECT_FALSE(world_.default_family->mem()->empty());
  EXPECT_EQ(Get("z"), "old");
}

TEST_F(IngestionTest, AFlushMayBeForbidden) {
  Put("a");
  last_sequence_ = 1;
  options_.allow_blocking_flush = false;
  EXPECT_TRUE(Ingest(MakeFile("1.sst", {"a"})).IsInvalidArgument());
  ExpectNothing();
  EXPECT_FALSE(world_.default_family->mem()->empty());
}

TEST_F(IngestionTest, FilesOfSeveralFamiliesComeInOneStep) {
  AddHandle(world_.Add("other"));
  const std::string first = MakeFile("1.sst", {"a"});
  const std::string second = MakeFile("2.sst", {"b"});
  ASSERT_TRUE(ingestion_->Ingest({Arg(first, 0), Arg(second, 1)}).ok());
  EXPECT_EQ(Get("a"), "new");
  EXPECT_EQ(Get("b"), "none");
  EXPECT_EQ(Get("b", 1), "new");
  EXPECT_EQ(listener_->told, (Lines{"default /ext/1.sst", "other /ext/2.sst"}));
}

// --- what is refused

TEST_F(IngestionTest, ArgumentsAreOfDifferentFamiliesOfThisDatabase) {
  EXPECT_TRUE(ingestion_->Ingest({}).IsInvalidArgument());
  const std::string path = MakeFile("1.sst", {"a"});
  EXPECT_TRUE(ingestion_->Ingest({Arg(path), Arg(path)}).IsInvalidArgument());
  IngestExternalFileArg none = Arg(path);
  none.column_family = nullptr;
  EXPECT_TRUE(ingestion_->Ingest({none}).IsInvalidArgument());
  ColumnFamilyData* const other = world_.Add("other");
  AddHandle(other);
  world_.Drop(other);
  EXPECT_TRUE(ingestion_->Ingest({Arg(path, 1)}).IsColumnFamilyDropped());
  ExpectNothing();
}

TEST_F(IngestionTest, AFileThatIsMissingLeavesNothingOfTheOthers) {
  AddHandle(world_.Add("other"));
  const std::string path = MakeFile("1.sst", {"a"});
  EXPECT_FALSE(
      ingestion_->Ingest({Arg(path, 0), Arg("/ext/none.sst", 1)}).ok());
  EXPECT_FALSE(
      ingestion_->Ingest({Arg("/ext/none.sst", 1), Arg(path, 0)}).ok());
  ExpectNothing();
}

TEST_F(IngestionTest, NothingComesWhereNothingIsWritten) {
  const std::string path = MakeFile("1.sst", {"a"});
  world_.FailWrites();
  EXPECT_TRUE(Ingest(path).IsIOError());
  ExpectNothing();
}

TEST_F(IngestionTest, WhoeverClosesLetsNothingIn) {
  const std::string path = MakeFile("1.sst", {"a"});
  world_.stop.ShutDown();
  EXPECT_TRUE(Ingest(path).IsShutdownInProgress());
  ExpectNothing();
}

// --- what fails on the way

TEST_F(IngestionTest, ACopyThatFailsLeavesNothing) {
  const std::string path = MakeFile("1.sst", {"a"});
  world_.FailNext("/db/");
  EXPECT_TRUE(Ingest(path).IsIOError());
  ExpectNothing();
  EXPECT_TRUE(Ingest(path).ok());
}

// Else the files would be there and what was written before them would not.
TEST_F(IngestionTest, NothingComesBeforeTheLogIsSynced) {
  Put("z");
  last_sequence_ = 1;
  const std::string path = MakeFile("1.sst", {"a"});
  world_.FailNext(LogFileName("/db", world_.logs->wal()->current_number()));
  EXPECT_TRUE(Ingest(path).IsIOError());
  ExpectNothing();
  ASSERT_EQ(world_.told.size(), 1u);
  EXPECT_EQ(world_.told[0].reason, BackgroundErrorReason::kWriteCallback);
}

// The manifest may name it.
TEST_F(IngestionTest, AFileStaysWhereTheManifestFails) {
  const std::string path = MakeFile("1.sst", {"a"});
  world_.FailNext("MANIFEST");
  EXPECT_TRUE(Ingest(path).IsIOError());
  EXPECT_EQ(world_.Tables(), "");
  EXPECT_EQ(world_.stored.FilesOnDisk().size(), 1u);
  EXPECT_EQ(listener_->told, Lines());
  ASSERT_EQ(world_.told.size(), 1u);
  EXPECT_EQ(world_.told[0].reason, BackgroundErrorReason::kManifestWrite);
  EXPECT_FALSE(IsPlacing());
  // Nothing keeps compactions out any more.
  MutexLock lock(world_.mutex);
  EXPECT_FALSE(
      world_.families.Find(0)->picker->IsWriting(3, Slice("a"), Slice("b")));
}

// --- in two steps

TEST_F(IngestionTest, APreparedFileComesWithItsCommit) {
  Ingestion::Handle handle;
  ASSERT_TRUE(
      ingestion_->PrepareHandle({Arg(MakeFile("1.sst", {"a"}))}, &handle).ok());
  EXPECT_EQ(Get("a"), "none");
  EXPECT_EQ(world_.stored.FilesOnDisk().size(), 1u);
  std::vector<Ingestion::Handle> handles;
  handles.push_back(std::move(handle));
  ASSERT_TRUE(ingestion_->CommitHandles(handles).ok());
  EXPECT_EQ(Get("a"), "new");
  EXPECT_TRUE(ingestion_->CommitHandles(handles).IsInvalidArgument());
  handles.clear();
  EXPECT_EQ(Get("a"), "new");
}

TEST_F(IngestionTest, APreparedFileGoesWithItsHandle) {
  const std::string path = MakeFile("1.sst", {"a"});
  Ingestion::Handle handle;
  ASSERT_TRUE(ingestion_->PrepareHandle({Arg(path)}, &handle).ok());
  handle.reset();
  ExpectNothing();
  ASSERT_TRUE(ingestion_->PrepareHandle({Arg(path)}, &handle).ok());
  EXPECT_TRUE(handle->Abort().ok());
  ExpectNothing();
  std::vector<Ingestion::Handle> handles;
  handles.push_back(std::move(handle));
  EXPECT_TRUE(ingestion_->CommitHandles(handles).IsInvalidArgument());
}

TEST_F(IngestionTest, HandlesOfOneCommitAreOfItsDatabaseAndOfOneFamilyEach) {
  const std::string path = MakeFile("1.sst", {"a"});
  EXPECT_TRUE(
      ingestion_->PrepareHandle({Arg(path)}, nullptr).IsInvalidArgument());
  std::vector<Ingestion::Handle> handles;
  EXPECT_TRUE(ingestion_->CommitHandles(handles).IsInvalidArgument());
  handles.resize(1);
  EXPECT_TRUE(ingestion_->CommitHandles(handles).IsInvalidArgument());
  ASSERT_TRUE(ingestion_->PrepareHandle({Arg(path)}, &handles[0]).ok());
  EXPECT_TRUE(Make()->CommitHandles(handles).IsInvalidArgument());
  handles.resize(2);
  ASSERT_TRUE(ingestion_->PrepareHandle({Arg(path)}, &handles[1]).ok());
  EXPECT_TRUE(ingestion_->CommitHandles(handles).IsInvalidArgument());
  handles.clear();
  ExpectNothing();
}

// --- what is known of a file before

TEST_F(IngestionTest, AFileIsOpenedInTheOrderOfItsFamily) {
  const std::string path = MakeFile("1.sst", {"a", "b", "c"});
  std::shared_ptr<const PreparedFileInfo> info;
  ASSERT_TRUE(ingestion_->Learn(path, &info).ok());
  ASSERT_NE(info, nullptr);
  EXPECT_EQ(info->properties->num_entries, 3u);
  EXPECT_GT(info->meta.size_bytes, 0u);
  std::shared_ptr<const PreparedFileInfo> none;
  EXPECT_FALSE(ingestion_->Learn("/ext/none.sst", &none).ok());
  EXPECT_EQ(none, nullptr);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

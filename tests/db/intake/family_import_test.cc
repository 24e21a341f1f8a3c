// The tables of an exported family keep their levels and sequences when they
// are imported, and whichever call fails, the family comes as a whole or not at
// all.
#include "db/intake/family_import.h"

#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "db/background/level_placing.h"
#include "db/registry/family_handle.h"
#include "rocksdb/file_checksum.h"
#include "tests/db/intake/flushing_world.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// Does something while tables are on their way in: they are checksummed then.
class MeanwhileFactory final : public FileChecksumGenFactory {
 public:
  const char* Name() const override { return "Meanwhile"; }
  std::unique_ptr<FileChecksumGenerator> CreateFileChecksumGenerator(
      const FileChecksumGenContext& context) override {
    if (auto work = std::exchange(once, nullptr)) work();
    return crc_->CreateFileChecksumGenerator(context);
  }
  std::function<void()> once;

 private:
  const std::shared_ptr<FileChecksumGenFactory> crc_ =
      GetFileChecksumGenCrc32cFactory();
};

// A database whose family "new" gets tables from /ext.
class ImportingWorld {
 public:
  ImportingWorld() {
    w.f.db_options.file_checksum_gen_factory = meanwhile;
    EXPECT_TRUE(w.f.fs->CreateDirIfMissing("/ext", IOOptions(), nullptr).ok());
  }
  void Open() {
    w.Open();
    FamilyImport::Context context;
    static_cast<EditContext&>(context) = w.Edits();
    context.placing = &placing;
    context.writes = &w.writes;
    context.wal_lock = &w.wal_lock;
    context.logs = w.logs.get();
    context.jobs = w.contexts.get();
    import = std::make_unique<FamilyImport>(context);
    cfd = w.Add("new")->shared_from_this();
  }
  // An exported table of the level: its keys have one sequence.
  void Export(int level, SequenceNumber sequence,
              const std::vector<std::string>& keys) {
    const uint64_t number = 900 + exported.files.size();
    std::vector<TestEntry> entries;
    for (const std::string& key : keys) {
      entries.push_back({key, sequence, "v" + std::to_string(sequence)});
    }
    const FileRef meta = w.f.Write(number, entries);
    LiveFileMetaData file;
    file.db_path = "/ext";
    file.name = TableFileName("", number);
    const std::string inside = TableFileName("/db", number);
    EXPECT_TRUE(w.f.env->RenameFile(inside, "/ext" + file.name).ok());
    file.level = level;
    file.size = meta->size_bytes;
    file.smallest_seqno = file.largest_seqno = sequence;
    file.smallest = meta->smallest.Encode().ToString();
    file.largest = meta->largest.Encode().ToString();
    file.epoch_number = number;
    exported.files.push_back(std::move(file));
  }
  Status Import() { return import->Import(cfd, options, {&exported}); }
  void Put(const std::string& key) {
    WriteBatch batch;
    ColumnFamilyHandleImpl handle(nullptr, cfd, nullptr);
    ASSERT_TRUE(batch.Put(&handle, key, "put").ok());
    ASSERT_TRUE(w.pipeline->Write(WriteOptions(), &batch, nullptr).ok());
  }
  std::string Get(const std::string& key) const {
    ColumnFamilyHandleImpl handle(nullptr, cfd, nullptr);
    PinnableSlice value;
    const Status s = w.reads->Get(ReadOptions(), &handle, key, &value, nullptr);
    return s.ok() ? value.ToString() : s.ToString();
  }
  // Each table, by its level and how much it holds: "L0:1 L2:5".
  std::string Tables() const {
    MutexLock lock(w.mutex);
    std::string text;
    for (int level = 0; level < cfd->ioptions().num_levels; ++level) {
      for (const FileRef& file : cfd->current()->storage().files(level)) {
        text += (text.empty() ? "L" : " L") + std::to_string(level) + ":" +
                std::to_string(file->entry_count.load());
      }
    }
    return text;
  }
  SequenceNumber LastSequence() const { return w.versions()->LastSequence(); }
  bool IsPlacing() const {
    MutexLock lock(w.mutex);
    return placing.is_begun();
  }
  bool HasOriginal() const {
    return w.f.env->FileExists("/ext" + exported.files[0].name).ok();
  }
  // Nothing has come, nothing is left of what was copied, and nothing is held.
  void ExpectNothing() {
    EXPECT_EQ(Tables(), "");
    EXPECT_EQ(w.stored.FilesOnDisk(), std::set<uint64_t>());
    EXPECT_FALSE(IsPlacing());
    EXPECT_TRUE(HasOriginal());
  }

  const std::shared_ptr<MeanwhileFactory> meanwhile =
      std::make_shared<MeanwhileFactory>();
  mutable FlushingWorld w;
  LevelPlacing placing{&w.changes};
  std::unique_ptr<FamilyImport> import;
  ColumnFamilyRef cfd;
  ExportImportFilesMetaData exported;
  ImportColumnFamilyOptions options;
};

class FamilyImportTest : public ::testing::Test, protected ImportingWorld {
 protected:
  void SetUp() override { Open(); }
};

TEST_F(FamilyImportTest, TablesKeepTheirLevelsAndSequences) {
  Export(0, 7, {"a"});
  Export(2, 3, {"a", "b"});
  Export(2, 2, {"c"});
  const Status s = Import();
  ASSERT_TRUE(s.ok()) << s.ToString();
  EXPECT_EQ(Tables(), "L0:1 L2:2 L2:1");
  EXPECT_EQ(Get("a") + Get("b") + Get("c"), "v7v3v2");
  EXPECT_EQ(w.stored.FilesOnDisk().size(), 3u);
  EXPECT_TRUE(HasOriginal());
}

TEST_F(FamilyImportTest, LaterWritesAreNewerAndEarlierOnesStay) {
  for (const char* key : {"x", "y", "z"}) Put(key);
  Export(1, 2, {"a"});
  ASSERT_TRUE(Import().ok());
  EXPECT_EQ(LastSequence(), 3u);
  EXPECT_EQ(Get("a") + Get("x"), "v2put");
  cfd = w.Add("newer")->shared_from_this();
  Export(1, 7, {"b"});
  ASSERT_TRUE(Import().ok());
  EXPECT_EQ(LastSequence(), 7u);
  Put("b");
  EXPECT_EQ(Get("b"), "put");
}

TEST_F(FamilyImportTest, TablesMayBeMoved) {
  options.move_files = true;
  Export(1, 2, {"a"});
  ASSERT_TRUE(Import().ok());
  EXPECT_EQ(Get("a"), "v2");
  EXPECT_FALSE(HasOriginal());
}

TEST_F(FamilyImportTest, WithoutTablesThereIsNothingToDo) {
  w.stop.ShutDown();  // Nobody looks.
  EXPECT_TRUE(Import().ok());
  EXPECT_TRUE(import->Import(cfd, options, {}).ok());
  EXPECT_EQ(Tables(), "");
}

TEST_F(FamilyImportTest, CompactionsThatAreDueBegin) {
  for (SequenceNumber i = 1; i <= 4; ++i) Export(0, i, {"a"});
  ASSERT_TRUE(Import().ok());
  ASSERT_EQ(w.env.job_count(), 1u);
  w.env.RunNext();
}

// --- what is refused

TEST_F(FamilyImportTest, TablesMustFitTheLevelsAndTheExport) {
  Export(1, 2, {"a", "c"});
  LiveFileMetaData& file = exported.files[0];
  file.level = 4;
  EXPECT_TRUE(Import().IsInvalidArgument());
  file.level = 1;
  ++file.size;
  EXPECT_TRUE(Import().IsCorruption());
  --file.size;
  Export(1, 3, {"b"});
  EXPECT_TRUE(Import().IsInvalidArgument());
  exported.files[1].level = 2;
  exported.files[1].name = "/none.sst";
  EXPECT_TRUE(Import().IsPathNotFound());
  ExpectNothing();
}

TEST_F(FamilyImportTest, AFamilyThatHasTablesGetsNoOthers) {
  Export(1, 2, {"a"});
  ASSERT_TRUE(Import().ok());
  exported.files.clear();
  Export(1, 3, {"b"});
  EXPECT_TRUE(Import().IsInvalidArgument());
  EXPECT_EQ(Tables(), "L1:1");
  EXPECT_EQ(w.stored.FilesOnDisk().size(), 1u);
  EXPECT_EQ(LastSequence(), 2u);
}

TEST_F(FamilyImportTest, AFamilyThatIsGoneGetsNone) {
  Export(1, 2, {"a"});
  meanwhile->once = [this] { w.Drop(cfd.get()); };
  EXPECT_TRUE(Import().IsColumnFamilyDropped());
  ExpectNothing();
  EXPECT_TRUE(Import().IsColumnFamilyDropped());
}

TEST_F(FamilyImportTest, NothingComesWhereNothingIsWritten) {
  Export(1, 2, {"a"});
  meanwhile->once = [this] { w.FailWrites(); };
  EXPECT_TRUE(Import().IsIOError());
  meanwhile->once = [this] { w.stop.ShutDown(); };
  EXPECT_TRUE(Import().IsShutdownInProgress());
  ExpectNothing();
}

// The log and what has come are one moment for whoever copies them.
TEST_F(FamilyImportTest, NothingComesWhileTheLogRests) {
  Export(1, 2, {"a"});
  ASSERT_TRUE(w.wal_lock.Take([] { return Status::OK(); }).ok());
  w.attention.Clear();
  std::atomic<bool> is_over{false};
  std::thread thread([&] {
    EXPECT_TRUE(Import().ok());
    is_over.store(true);
  });
  // Whoever waits for the lock asks for it.
  while (!w.attention.IsAsked() && !is_over.load()) std::this_thread::yield();
  EXPECT_EQ(Tables(), "");
  ASSERT_TRUE(w.wal_lock.GiveBack().ok());
  thread.join();
  EXPECT_EQ(Tables(), "L1:1");
}

// --- what fails on the way

// Else the tables would be there and what was written before them would not.
TEST_F(FamilyImportTest, NothingComesBeforeTheLogIsSynced) {
  Put("z");
  Export(1, 2, {"a"});
  w.FailNext(LogFileName("/db", w.logs->wal()->current_number()));
  EXPECT_TRUE(Import().IsIOError());
  ExpectNothing();
  EXPECT_EQ(w.told.at(0).reason, BackgroundErrorReason::kWriteCallback);
}

// The manifest may name them.
TEST_F(FamilyImportTest, TablesStayWhereTheManifestFails) {
  options.move_files = true;
  Export(1, 2, {"a"});
  w.FailNext("MANIFEST");
  EXPECT_TRUE(Import().IsIOError());
  EXPECT_EQ(Tables(), "");
  EXPECT_EQ(w.stored.FilesOnDisk().size(), 1u);
  EXPECT_TRUE(HasOriginal());
  EXPECT_EQ(LastSequence(), 0u);
  EXPECT_EQ(w.told.at(0).reason, BackgroundErrorReason::kManifestWrite);
}

TEST(FamilyImportFaultTest, EachCallFailsOnce) {
  for (uint64_t k = 1;; ++k) {
    SCOPED_TRACE("call " + std::to_string(k));
    ImportingWorld world;
    world.Open();
    world.Export(0, 7, {"a"});
    world.Export(2, 3, {"a", "b"});
    world.w.f.fs->FailCall({.call = k, .scope = FaultScope::kAllCalls});
    const Status s = world.Import();
    const std::string failed = world.w.f.fs->failed_call();
    world.w.f.fs->ClearFault();
    if (s.ok()) {
      EXPECT_EQ(world.Tables(), "L0:1 L2:2") << failed;
      EXPECT_EQ(world.Get("a") + world.Get("b"), "v7v3") << failed;
      if (failed.empty()) break;
    } else if (world.w.told.empty()) {
      world.ExpectNothing();
      EXPECT_TRUE(world.Import().ok()) << failed;
    } else {
      EXPECT_EQ(world.Tables(), "") << failed;
      EXPECT_FALSE(world.IsPlacing());
    }
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

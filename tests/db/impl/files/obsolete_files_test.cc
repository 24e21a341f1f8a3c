// Files that no version lists any more go from where they lie.
#include <algorithm>
#include <atomic>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <thread>

#include "rocksdb/compaction_filter.h"
#include "rocksdb/sst_file_writer.h"
#include "rocksdb/statistics.h"
#include "tests/db/impl/compaction_gate.h"
#include "tests/db/impl/damage.h"
#include "tests/db/impl/db_fixture.h"
#include "tests/db/impl/fault_world.h"
#include "tests/db/impl/job_count.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class ObsoleteFilesTest : public DbFixture {
 protected:
  static int CountIn(const std::string& path, const std::string& ending) {
    std::vector<std::string> names;
    EXPECT_OK(Env::Default()->GetChildren(path, &names));
    return static_cast<int>(std::count_if(
        names.begin(), names.end(),
        [&](const std::string& name) { return name.ends_with(ending); }));
  }
  static int TablesIn(const std::string& path) { return CountIn(path, ".sst"); }
  std::string NewestTable() const {
    std::vector<LiveFileMetaData> live;
    db_->GetLiveFilesMetaData(&live);
    EXPECT_EQ(live.size(), 1u);
    return path_ + live.front().name;
  }
  // A table of some 9 MiB.
  void WriteLargeTable(char fill) {
    for (int i = 0; i < 9; ++i) {
      ASSERT_OK(Put("large" + std::to_string(i), std::string(1 << 20, fill)));
    }
    ASSERT_OK(Flush());
  }
  void UseLargeTables() {
    options_.disable_auto_compactions = true;
    options_.statistics = CreateDBStatistics();
    Open();
    ASSERT_NO_FATAL_FAILURE(WriteLargeTable('a'));
    ASSERT_NO_FATAL_FAILURE(WriteLargeTable('b'));
  }
};

TEST_F(ObsoleteFilesTest, GoFromTheFamilysOwnPaths) {
  options_.cf_paths = {{path_ + ".family", 1 << 30}};
  options_.disable_auto_compactions = true;
  Open();
  for (const char* value : {"1", "2", "3"}) {
    ASSERT_OK(Put("a", value));
    ASSERT_OK(Flush());
  }
  EXPECT_EQ(TablesIn(path_ + ".family"), 3);
  ASSERT_OK(CompactAll());
  AwaitPurge();
  EXPECT_EQ(TablesIn(path_ + ".family"), 1);
  EXPECT_EQ(TablesIn(path_), 0);
  EXPECT_EQ(Get("a"), "3");
}

// A file that an iterator reads stays until it has done.
TEST_F(ObsoleteFilesTest, WaitForTheirReaders) {
  options_.disable_auto_compactions = true;
  Open();
  for (const char* value : {"1", "2"}) {
    ASSERT_OK(Put("a", value));
    ASSERT_OK(Flush());
  }
  std::unique_ptr<Iterator> it(db_->NewIterator(ReadOptions()));
  ASSERT_OK(CompactAll());
  AwaitPurge();
  EXPECT_EQ(TablesIn(path_), 3);
  it->SeekToFirst();
  ASSERT_TRUE(it->Valid());
  EXPECT_EQ(it->value().ToString(), "2");
  it.reset();
  AwaitPurge();
  EXPECT_EQ(TablesIn(path_), 1);
}

// Deleted files of the database that this process has open, and their room.
int OpenThoughDeleted(const std::string& path) {
  int count = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator("/proc/self/fd")) {
    std::error_code error;
    const std::string target =
        std::filesystem::read_symlink(entry.path(), error).string();
    if (target.starts_with(path) && target.ends_with(".sst (deleted)")) ++count;
  }
  return count;
}

// Holds one thread where it counts something.
class HoldingStatistics final : public Statistics {
 public:
  const char* Name() const override { return "HoldingStatistics"; }
  uint64_t getTickerCount(uint32_t) const override { return 0; }
  void histogramData(uint32_t, HistogramData*) const override {}
  void setTickerCount(uint32_t, uint64_t) override {}
  uint64_t getAndResetTickerCount(uint32_t) override { return 0; }
  void recordTick(uint32_t ticker, uint64_t) override {
    const std::thread::id self = std::this_thread::get_id();
    MutexLock lock(&mutex_);
    if (ticker != ticker_ || held_ != self) return;
    is_holding_ = true;
    changed_.SignalAll();
    while (held_ == self) changed_.Wait();
  }
  void HoldThisThread(uint32_t ticker) {
    MutexLock lock(&mutex_);
    held_ = std::this_thread::get_id();
    ticker_ = ticker;
  }
  void Await() {
    MutexLock lock(&mutex_);
    while (!is_holding_) changed_.Wait();
  }
  void LetGo() {
    MutexLock lock(&mutex_);
    held_ = std::thread::id();
    changed_.SignalAll();
  }

 private:
  Mutex mutex_;
  CondVar changed_{&mutex_};
  std::thread::id held_;
  uint32_t ticker_ = 0;
  bool is_holding_ = false;
};

// A user may give back the last reference, when the job that would have deleted
// the files is over.
class LastReferenceTest : public ObsoleteFilesTest {
 protected:
  ~LastReferenceTest() override { db_.reset(); }

  void WriteTwoFiles() {
    options_.env = &jobs_;
    options_.statistics = statistics_;
    options_.compaction_filter = &gate_;
    options_.level0_file_num_compaction_trigger = 2;
    options_.disable_auto_compactions = true;
    Open();
    for (const char* value : {"1", "2"}) {
      ASSERT_OK(Put("a", value));
      ASSERT_OK(Flush());
    }
    jobs_.AwaitNone();
  }
  void BeginCompaction() {
    EXPECT_OK(db_->SetOptions({{"disable_auto_compactions", "false"}}));
  }
  void ExpectThatTheyGoWith(std::thread* user) {
    gate_.Open();
    jobs_.AwaitNone();
    EXPECT_EQ(TablesIn(path_), 3);
    statistics_->LetGo();
    user->join();
    jobs_.AwaitNone();
    EXPECT_EQ(TablesIn(path_), 1);
  }

  JobCount jobs_;
  CompactionGate gate_;
  const std::shared_ptr<HoldingStatistics> statistics_ =
      std::make_shared<HoldingStatistics>();
};

// Java joins a thread before it has quite ended, so the thread may give back
// what its reads see while the database closes.
TEST_F(LastReferenceTest, OfAThreadThatEndsWhileTheDatabaseCloses) {
  WriteTwoFiles();
  std::thread user([this] {
    // The thread keeps what its reads see.
    EXPECT_EQ(Get("a"), "2");
    statistics_->HoldThisThread(NUMBER_SUPERVERSION_RELEASES);
  });
  statistics_->Await();
  std::thread opener([this] { statistics_->LetGo(); });
  db_.reset();
  opener.join();
  user.join();
}

TEST_F(LastReferenceTest, OfWhoeverChangedWhatReadsSee) {
  ASSERT_NO_FATAL_FAILURE(WriteTwoFiles());
  std::thread user([&] {
    statistics_->HoldThisThread(NUMBER_SUPERVERSION_CLEANUPS);
    BeginCompaction();
  });
  statistics_->Await();
  ExpectThatTheyGoWith(&user);
}

TEST_F(LastReferenceTest, OfARead) {
  ASSERT_NO_FATAL_FAILURE(WriteTwoFiles());
  std::thread user([&] {
    statistics_->HoldThisThread(MEMTABLE_MISS);
    EXPECT_EQ(Get("a"), "2");
  });
  statistics_->Await();
  BeginCompaction();
  ExpectThatTheyGoWith(&user);
}

TEST_F(LastReferenceTest, OfAReadOfManyKeys) {
  ASSERT_NO_FATAL_FAILURE(WriteTwoFiles());
  std::thread user([&] {
    statistics_->HoldThisThread(MEMTABLE_MISS);
    std::vector<std::string> values;
    EXPECT_OK(db_->MultiGet(ReadOptions(), {"a"}, &values).front());
  });
  statistics_->Await();
  BeginCompaction();
  ExpectThatTheyGoWith(&user);
}

// It holds the files, not a state of the database.
TEST_F(LastReferenceTest, OfAVerification) {
  ASSERT_NO_FATAL_FAILURE(WriteTwoFiles());
  std::thread user([&] {
    statistics_->HoldThisThread(VERIFY_CHECKSUM_READ_BYTES);
    EXPECT_OK(db_->VerifyChecksum());
  });
  statistics_->Await();
  BeginCompaction();
  ExpectThatTheyGoWith(&user);
}

// The jobs of one CompactRange() do not keep each other's inputs.
TEST_F(ObsoleteFilesTest, InputsGoBeforeTheNextJobOfTheSameCall) {
  class GateCloser : public EventListener {
   public:
    explicit GateCloser(CompactionGate* gate) : gate_(gate) {}
    void OnCompactionCompleted(DB*, const CompactionJobInfo&) override {
      if (!is_first_) return;
      is_first_ = false;
      gate_->Close();
    }

   private:
    CompactionGate* const gate_;
    bool is_first_ = true;
  };
  JobCount jobs;
  CompactionGate gate;
  gate.Open();
  options_.env = &jobs;
  options_.compaction_filter = &gate;
  options_.listeners = {std::make_shared<GateCloser>(&gate)};
  options_.disable_auto_compactions = true;
  options_.level_compaction_dynamic_level_bytes = false;
  Open();
  for (const char* value : {"1", "2"}) {
    ASSERT_OK(Put("a", value));
    ASSERT_OK(Flush());
  }
  jobs.AwaitNone();
  std::thread user([&] { EXPECT_OK(CompactAll(/*force=*/true)); });
  jobs.AwaitEnded(Env::Priority::LOW, 1);
  gate.Await();
  EXPECT_EQ(TablesIn(path_), 1);
  gate.Open();
  user.join();
  jobs.AwaitNone();
  EXPECT_EQ(TablesIn(path_), 1);
  db_.reset();
}

TEST_F(ObsoleteFilesTest, AreClosed) {
  options_.disable_auto_compactions = true;
  for (const int max_open_files : {-1, 100}) {
    options_.max_open_files = max_open_files;
    Open();
    for (const char* value : {"1", "2", "3"}) {
      ASSERT_OK(Put("a", value));
      ASSERT_OK(Flush());
    }
    EXPECT_EQ(Get("a"), "3");
    ASSERT_OK(CompactAll(true));
    AwaitPurge();
    ASSERT_EQ(TablesIn(path_), 1);
    EXPECT_EQ(OpenThoughDeleted(path_), 0) << max_open_files;
    EXPECT_EQ(Get("a"), "3");
  }
}

// What keeps their names does not keep them open.
TEST_F(ObsoleteFilesTest, AreClosedThoughDeletionsAreDisabled) {
  options_.disable_auto_compactions = true;
  for (const int max_open_files : {-1, 100}) {
    options_.max_open_files = max_open_files;
    Open();
    for (const char* value : {"1", "2"}) {
      ASSERT_OK(Put("a", value));
      ASSERT_OK(Flush());
    }
    EXPECT_EQ(Get("a"), "2");
    ASSERT_OK(db_->DisableFileDeletions());
    ASSERT_OK(CompactAll(true));
    AwaitPurge();
    for (const std::string& dead : FilesOf(path_, kTableFile)) {
      if (dead != NewestTable()) std::filesystem::remove(dead);
    }
    EXPECT_EQ(OpenThoughDeleted(path_), 0) << max_open_files;
    ASSERT_OK(db_->EnableFileDeletions());
  }
}

// Large ones leave their names at once, and their blocks in steps.
TEST_F(ObsoleteFilesTest, LargeOnesGoThroughTheTrash) {
  ASSERT_NO_FATAL_FAILURE(UseLargeTables());
  ASSERT_OK(CompactAll());
  AwaitPurge();
  EXPECT_EQ(TablesIn(path_), 1);
  EXPECT_EQ(CountIn(path_, ".trash"), 0);
  // Logs of that size do so too.
  EXPECT_GE(Ticker(FILES_MARKED_TRASH), 2u);
  EXPECT_EQ(Ticker(FILES_DELETED_FROM_TRASH_QUEUE), Ticker(FILES_MARKED_TRASH));
  Reopen();
  EXPECT_EQ(Get("large3"), std::string(1 << 20, 'b'));
}

// Answers what no compaction can act on once a key is reached.
class FailingFilter : public CompactionFilter {
 public:
  const char* Name() const override { return "FailingFilter"; }
  Decision FilterV2(int, const Slice& key, ValueType, const Slice&,
                    std::string*, std::string*) const override {
    return key == "large8" ? Decision::kUndetermined : Decision::kKeep;
  }
};

TEST_F(ObsoleteFilesTest, OutputsOfAFailedCompactionGoThroughTheTrash) {
  FailingFilter filter;
  options_.compaction_filter = &filter;
  ASSERT_NO_FATAL_FAILURE(UseLargeTables());
  AwaitPurge();
  const uint64_t before = Ticker(FILES_MARKED_TRASH);
  EXPECT_TRUE(CompactAll().IsNotSupported());
  EXPECT_EQ(TablesIn(path_), 2);
  EXPECT_GT(Ticker(FILES_MARKED_TRASH), before);
  EXPECT_EQ(Get("large8"), std::string(1 << 20, 'b'));
  ASSERT_OK(db_->Close());
  EXPECT_EQ(CountIn(path_, ".trash"), 0);
  EXPECT_EQ(Ticker(FILES_DELETED_FROM_TRASH_QUEUE), Ticker(FILES_MARKED_TRASH));
}

TEST_F(ObsoleteFilesTest, CopiesOfAnIngestionThatFailsGoThroughTheTrash) {
  ASSERT_NO_FATAL_FAILURE(UseLargeTables());
  const std::string outside = directory_.path() + "/outside.sst";
  SstFileWriter writer(EnvOptions(), options_);
  ASSERT_OK(writer.Open(outside));
  for (int i = 0; i < 9; ++i) {
    ASSERT_OK(
        writer.Put("large" + std::to_string(i), std::string(1 << 20, 'c')));
  }
  ASSERT_OK(writer.Finish());
  AwaitPurge();
  const uint64_t before = Ticker(FILES_MARKED_TRASH);
  IngestExternalFileOptions ingest;
  // Refused once the file is copied and its place is looked for.
  ingest.allow_global_seqno = false;
  const Status s = db_->IngestExternalFile({outside}, ingest);
  EXPECT_TRUE(s.IsInvalidArgument()) << s.ToString();
  EXPECT_EQ(TablesIn(path_), 2);
  EXPECT_EQ(Ticker(FILES_MARKED_TRASH), before + 1);
  AwaitPurge();
  EXPECT_EQ(CountIn(path_, ".trash"), 0);
  EXPECT_TRUE(std::filesystem::exists(outside));
}

TEST_F(ObsoleteFilesTest, WithoutAGovernorTheyGoAtOnce) {
  options_.background_io_target_delay_micros = 0;
  ASSERT_NO_FATAL_FAILURE(UseLargeTables());
  ASSERT_OK(CompactAll());
  AwaitPurge();
  EXPECT_EQ(TablesIn(path_), 1);
  EXPECT_EQ(Ticker(FILES_MARKED_TRASH), 0u);
  EXPECT_GE(Ticker(FILES_DELETED_IMMEDIATELY), 2u);
}

// Whoever has a link of a table keeps all of it.
TEST_F(ObsoleteFilesTest, LinksStayWhole) {
  namespace fs = std::filesystem;
  ASSERT_NO_FATAL_FAILURE(UseLargeTables());
  const std::string other = directory_.path() + "/links";
  fs::create_directory(other);
  std::map<std::string, uintmax_t> sizes;
  for (const auto& entry : fs::directory_iterator(path_)) {
    if (entry.path().extension() != ".sst") continue;
    const std::string link = other + "/" + entry.path().filename().string();
    fs::create_hard_link(entry.path(), link);
    sizes[link] = entry.file_size();
  }
  ASSERT_EQ(sizes.size(), 2u);
  ASSERT_OK(CompactAll());
  AwaitPurge();
  EXPECT_EQ(TablesIn(path_), 1);
  for (const auto& [link, size] : sizes) EXPECT_EQ(fs::file_size(link), size);
}

// A secondary instance reads on from files that its primary has deleted.
TEST_F(ObsoleteFilesTest, WhatASecondaryHasOpenStaysWhole) {
  ASSERT_NO_FATAL_FAILURE(UseLargeTables());
  std::unique_ptr<DB> other;
  Options options = options_;
  options.max_open_files = -1;
  ASSERT_OK(DB::OpenAsSecondary(options, path_, directory_.path() + "/second",
                                &other));
  // Opens the handles.
  ASSERT_OK(other->VerifyChecksum(ReadOptions()));
  ASSERT_OK(CompactAll());
  AwaitPurge();
  EXPECT_EQ(TablesIn(path_), 1);
  EXPECT_OK(other->VerifyChecksum(ReadOptions()));
  std::string value;
  EXPECT_OK(other->Get(ReadOptions(), "large8", &value));
  EXPECT_EQ(value, std::string(1 << 20, 'b'));
}

TEST_F(ObsoleteFilesTest, AManifestGoesWhenAnotherIsInForce) {
  options_.max_manifest_file_size = 1;
  options_.max_manifest_space_amp_pct = 0;
  Open();
  const std::vector<std::string> first = FilesOf(path_, kDescriptorFile);
  for (const char* value : {"1", "2", "3"}) {
    ASSERT_OK(Put("a", value));
    ASSERT_OK(Flush());
  }
  AwaitPurge();
  const std::vector<std::string> now = FilesOf(path_, kDescriptorFile);
  EXPECT_EQ(now.size(), 1u);
  EXPECT_NE(now, first);
}

TEST_F(ObsoleteFilesTest, ClosingLeavesNoTrash) {
  ASSERT_NO_FATAL_FAILURE(UseLargeTables());
  ASSERT_OK(CompactAll());
  ASSERT_OK(db_->Close());
  db_.reset();
  EXPECT_EQ(TablesIn(path_), 1);
  EXPECT_EQ(CountIn(path_, ".trash"), 0);
}

TEST_F(ObsoleteFilesTest, TrashOfAnotherProcessGoesWithTheDatabase) {
  Open();
  ASSERT_OK(Put("a", "1"));
  db_.reset();
  const auto leave = [&] {
    EXPECT_OK(WriteStringToFile(Env::Default(), std::string(100, 'x'),
                                path_ + "/000099.sst.trash"));
  };
  leave();
  Open();
  AwaitPurge();
  EXPECT_EQ(CountIn(path_, ".trash"), 0);
  EXPECT_EQ(Get("a"), "1");
  db_.reset();
  leave();
  ASSERT_OK(DestroyDB(path_, options_));
  EXPECT_FALSE(std::filesystem::exists(path_));
}

// A crash at every step of a deletion: what is left goes at the next open, and
// nothing that is needed went.
TEST(ObsoleteFilesCrash, InTheMiddleOfADeletion) {
  int struck = 0;
  for (uint64_t k = 1;; ++k) {
    ASSERT_LT(k, 100u);
    FaultWorld world(k, /*is_direct=*/k % 2 == 1, 100);
    ASSERT_OK(world.Open());
    for (char fill : {'a', 'b'}) {
      for (int i = 0; i < 9; ++i) {
        ASSERT_OK(world.db_->Put(WriteOptions(), std::to_string(i),
                                 std::string(1 << 20, fill)));
      }
      ASSERT_OK(world.FlushAll());
    }
    // Keeps the old tables until the fault is planned.
    std::unique_ptr<Iterator> it(world.db_->NewIterator(ReadOptions()));
    ASSERT_OK(world.CompactAll(world.db_->DefaultColumnFamily()));
    world.fs_->FailCall(
        {.call = k, .is_permanent = true, .path_contains = ".sst"});
    it.reset();
    WaitForCompactOptions purge;
    purge.wait_for_purge = true;
    IgnoreError(world.db_->WaitForCompact(purge), "the device is gone");
    const bool has_failed = world.fs_->failed();
    const std::string where = world.fs_->failed_call();
    IgnoreError(world.Close(), "the device is gone");
    ASSERT_TRUE(
        world.fs_
            ->CrashAndHeal({.survival_percent = static_cast<int>(k % 3) * 50})
            .ok());
    ASSERT_OK(world.Open());
    ASSERT_OK(world.db_->WaitForCompact(purge));
    EXPECT_EQ(world.Orphans(), std::vector<std::string>()) << where;
    for (int i = 0; i < 9; ++i) {
      std::string value;
      ASSERT_OK(world.db_->Get(ReadOptions(), std::to_string(i), &value));
      EXPECT_EQ(value, std::string(1 << 20, 'b')) << where;
    }
    if (!has_failed) break;
    ++struck;
  }
  EXPECT_GE(struck, 4);
}

// Holds the deletion of a table until it is let go on.
class HoldingFileSystem : public FileSystemWrapper {
 public:
  HoldingFileSystem() : FileSystemWrapper(FileSystem::Default()) {}
  const char* Name() const override { return "HoldingFileSystem"; }
  IOStatus DeleteFile(const std::string& path, const IOOptions& options,
                      IODebugContext* dbg) override {
    if (path.ends_with(".sst")) {
      MutexLock lock(&mutex_);
      is_deleting_ = true;
      changed_.SignalAll();
      while (is_held_) changed_.Wait();
    }
    return FileSystemWrapper::DeleteFile(path, options, dbg);
  }
  void Hold() {
    MutexLock lock(&mutex_);
    is_held_ = true;
    is_deleting_ = false;
  }
  void AwaitDeletion() {
    MutexLock lock(&mutex_);
    while (!is_deleting_) changed_.Wait();
  }
  void Release() {
    MutexLock lock(&mutex_);
    is_held_ = false;
    changed_.SignalAll();
  }

 private:
  Mutex mutex_;
  CondVar changed_{&mutex_};
  bool is_held_ = false;
  bool is_deleting_ = false;
};

// A purge that is under way when deletions are disabled ends with the file that
// it is at, for which the call waits.
TEST_F(ObsoleteFilesTest, NoneGoesOnceDeletionsAreDisabled) {
  const auto fs = std::make_shared<HoldingFileSystem>();
  const std::unique_ptr<Env> env = NewCompositeEnv(fs);
  options_.env = env.get();
  options_.disable_auto_compactions = true;
  Open();
  for (const char* value : {"1", "2", "3", "4"}) {
    ASSERT_OK(Put("a", value));
    ASSERT_OK(Flush());
  }
  fs->Hold();
  std::thread compaction([this] { EXPECT_OK(CompactAll()); });
  fs->AwaitDeletion();
  std::atomic<int> left{-1};
  std::thread user([&] {
    EXPECT_OK(db_->DisableFileDeletions());
    left = TablesIn(path_);
  });
  fs->Release();
  user.join();
  compaction.join();
  ASSERT_GE(left, 1);
  EXPECT_EQ(TablesIn(path_), left);
  ASSERT_OK(db_->EnableFileDeletions());
  AwaitPurge();
  EXPECT_EQ(TablesIn(path_), 1);
  db_.reset();
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

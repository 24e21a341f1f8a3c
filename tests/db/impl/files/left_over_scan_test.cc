// delete_obsolete_files_period_micros: files that are left over in a running
// database are found, and no others go.
#include <atomic>
#include <filesystem>
#include <functional>
#include <map>
#include <thread>

#include "env/composite_env.h"
#include "rocksdb/listener.h"
#include "rocksdb/sst_file_writer.h"
#include "rocksdb/system_clock.h"
#include "tests/db/impl/damage.h"
#include "tests/db/impl/families_fixture.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {
namespace {

constexpr uint64_t kHourMicros = uint64_t{3600} * 1'000'000;

// Ahead of the operating system's, as far as it is set.
class HourClock : public SystemClockWrapper {
 public:
  HourClock() : SystemClockWrapper(SystemClock::Default()) {}
  const char* Name() const override { return "HourClock"; }
  uint64_t NowNanos() override { return target_->NowNanos() + ahead_.load(); }
  void PassHours(uint64_t hours) { ahead_ += hours * kHourMicros * 1000; }

 private:
  std::atomic<uint64_t> ahead_{0};
};

// Refuses removals and listings as it is told, and calls back before it does
// some things.
class StubbornFs : public FileSystemWrapper {
 public:
  StubbornFs() : FileSystemWrapper(FileSystem::Default()) {}
  const char* Name() const override { return "StubbornFs"; }

  IOStatus DeleteFile(const std::string& path, const IOOptions& options,
                      IODebugContext* dbg) override {
    if (refuses_removals && path.ends_with(".sst")) {
      return IOStatus::IOError(path, "is not removed");
    }
    return FileSystemWrapper::DeleteFile(path, options, dbg);
  }
  IOStatus GetChildren(const std::string& path, const IOOptions& options,
                       std::vector<std::string>* names,
                       IODebugContext* dbg) override {
    ++listings;
    Call(&before_listing);
    if (refuses_listings) return IOStatus::IOError(path, "is not listed");
    return FileSystemWrapper::GetChildren(path, options, names, dbg);
  }
  IOStatus LinkFile(const std::string& from, const std::string& to,
                    const IOOptions& options, IODebugContext* dbg) override {
    IOStatus s = FileSystemWrapper::LinkFile(from, to, options, dbg);
    Call(&after_link);
    return s;
  }
  IOStatus RenameFile(const std::string& from, const std::string& to,
                      const IOOptions& options, IODebugContext* dbg) override {
    Call(&before_rename);
    return FileSystemWrapper::RenameFile(from, to, options, dbg);
  }

  IOStatus ReuseWritableFile(const std::string& path, const std::string& old,
                             const FileOptions& options,
                             std::unique_ptr<FSWritableFile>* result,
                             IODebugContext* dbg) override {
    Call(&before_reuse);
    return FileSystemWrapper::ReuseWritableFile(path, old, options, result,
                                                dbg);
  }

  std::atomic<bool> refuses_removals{false};
  std::atomic<bool> refuses_listings{false};
  std::atomic<int> listings{0};
  // Each is called once.
  std::function<void()> before_listing, after_link, before_rename, before_reuse;

 private:
  static void Call(std::function<void()>* call) {
    if (*call == nullptr) return;
    const std::function<void()> once = std::exchange(*call, nullptr);
    once();
  }
};

// Stops where a table of the family "held" is made, but not yet installed; and
// counts what is told of deletions.
class HoldingListener : public EventListener {
 public:
  const char* Name() const override { return "HoldingListener"; }
  void OnTableFileCreated(const TableFileCreationInfo& info) override {
    if (info.cf_name != "held") return;
    MutexLock lock(&mutex_);
    if (is_open_) return;
    path_ = info.file_path;
    changed_.SignalAll();
    while (!is_open_) changed_.Wait();
  }
  void OnTableFileDeleted(const TableFileDeletionInfo& info) override {
    MutexLock lock(&mutex_);
    ++deletions_[info.file_path];
    changed_.SignalAll();
  }
  void Close() {
    MutexLock lock(&mutex_);
    is_open_ = false;
    path_.clear();
  }
  // The path of the table.
  std::string Await() {
    MutexLock lock(&mutex_);
    while (path_.empty()) changed_.Wait();
    return path_;
  }
  void Open() {
    MutexLock lock(&mutex_);
    is_open_ = true;
    changed_.SignalAll();
  }
  void AwaitDeletions(const std::string& path, int count) {
    MutexLock lock(&mutex_);
    while (deletions_[path] < count) changed_.Wait();
  }
  std::map<std::string, int> deletions() {
    MutexLock lock(&mutex_);
    return deletions_;
  }

 private:
  Mutex mutex_;
  CondVar changed_{&mutex_};
  bool is_open_ = true;
  std::string path_;
  std::map<std::string, int> deletions_;
};

class LeftOverScanTest : public FamiliesFixture {
 protected:
  LeftOverScanTest()
      : fs_(std::make_shared<StubbornFs>()),
        clock_(std::make_shared<HourClock>()),
        env_(Env::Default(), fs_, clock_),
        listener_(std::make_shared<HoldingListener>()) {
    options_.env = &env_;
    options_.disable_auto_compactions = true;
    options_.listeners.push_back(listener_);
  }
  ~LeftOverScanTest() override { CloseFamilies(); }

  int Tables() const {
    return static_cast<int>(FilesOf(path_, kTableFile).size());
  }
  // Those that belong to the database.
  int Live() const {
    std::vector<LiveFileMetaData> live;
    db_->GetLiveFilesMetaData(&live);
    return static_cast<int>(live.size());
  }
  std::vector<std::string> Names() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(path_)) {
      names.push_back(entry.path().filename());
    }
    std::sort(names.begin(), names.end());
    return names;
  }
  // A job, and whatever comes after it.
  void RunJob() {
    ASSERT_OK(Put("job", std::to_string(++jobs_)));
    ASSERT_OK(Flush());
    AwaitPurge();
  }
  // Tables that nothing needs and that could not be removed, and one.
  void LeaveSome() {
    for (const char* value : {"1", "2"}) {
      ASSERT_OK(Put("a", value));
      ASSERT_OK(Flush());
    }
    fs_->refuses_removals = true;
    ASSERT_OK(CompactAll(true));
    AwaitPurge();
    fs_->refuses_removals = false;
    ASSERT_EQ(Live(), 1);
    ASSERT_GE(Tables(), 3);
  }
  std::string Log() const { return ReadBytes(path_ + "/LOG"); }

  const std::shared_ptr<StubbornFs> fs_;
  const std::shared_ptr<HourClock> clock_;
  CompositeEnvWrapper env_;
  const std::shared_ptr<HoldingListener> listener_;
  int jobs_ = 0;
};

TEST_F(LeftOverScanTest, AFailedRemovalIsMadeGoodAfterThePeriod) {
  Open();
  ASSERT_NO_FATAL_FAILURE(LeaveSome());
  const int before = Tables();
  clock_->PassHours(5);
  int listings = fs_->listings;
  RunJob();
  EXPECT_EQ(Tables(), before + 1);
  EXPECT_EQ(fs_->listings, listings);
  clock_->PassHours(1);
  RunJob();
  EXPECT_EQ(Tables(), Live());
  EXPECT_GT(fs_->listings, listings);
  // At most once in a period.
  listings = fs_->listings;
  RunJob();
  EXPECT_EQ(fs_->listings, listings);
  EXPECT_EQ(Get("a"), "2");
  EXPECT_OK(db_->VerifyChecksum());
}

TEST_F(LeftOverScanTest, ACompactionIsAnOccasionToo) {
  Open();
  ASSERT_NO_FATAL_FAILURE(LeaveSome());
  clock_->PassHours(6);
  ASSERT_OK(CompactAll(true));
  AwaitPurge();
  EXPECT_EQ(Tables(), 1);
  ASSERT_NO_FATAL_FAILURE(LeaveSome());
  clock_->PassHours(6);
  std::vector<LiveFileMetaData> live;
  db_->GetLiveFilesMetaData(&live);
  ASSERT_EQ(live.size(), 1u);
  ASSERT_OK(db_->CompactFiles(CompactionOptions(), {live[0].name}, 6));
  EXPECT_EQ(Tables(), 1);
}

TEST_F(LeftOverScanTest, ZeroIsAfterEveryJob) {
  options_.delete_obsolete_files_period_micros = 0;
  Open();
  for (int i = 0; i < 3; ++i) {
    for (const char* value : {"1", "2"}) {
      ASSERT_OK(Put("a", value));
      ASSERT_OK(Flush());
    }
    fs_->refuses_removals = true;
    ASSERT_OK(CompactAll(true));
    AwaitPurge();
    EXPECT_GT(Tables(), 1);
    fs_->refuses_removals = false;
    ASSERT_OK(Put("a", "3"));
    ASSERT_OK(Flush());
    AwaitPurge();
    EXPECT_EQ(Tables(), 2);
  }
}

TEST_F(LeftOverScanTest, ThePeriodIsChangedWhileTheDatabaseIsOpen) {
  Open();
  ASSERT_NO_FATAL_FAILURE(LeaveSome());
  const int before = Tables();
  clock_->PassHours(1);
  ASSERT_OK(db_->SetDBOptions({{"delete_obsolete_files_period_micros",
                                std::to_string(2 * kHourMicros)}}));
  RunJob();
  EXPECT_EQ(Tables(), before + 1);
  ASSERT_OK(db_->SetDBOptions(
      {{"delete_obsolete_files_period_micros", std::to_string(kHourMicros)}}));
  RunJob();
  EXPECT_EQ(Tables(), Live());
}

// Each kind of file, some of them put there by nobody.
TEST_F(LeftOverScanTest, WhatNobodyNeedsGoesAndAllElseStays) {
  options_.enable_blob_files = true;
  options_.WAL_ttl_seconds = 3600;
  Open();
  ASSERT_OK(Put("a", "in a blob file"));
  ASSERT_OK(Flush());
  ASSERT_OK(db_->SetOptions({{"ttl", "1000"}}));
  ASSERT_OK(Put("a", "in another"));
  ASSERT_OK(Flush());
  AwaitPurge();
  ASSERT_EQ(FilesOf(path_, kBlobFile).size(), 2u);
  for (const char* foreign :
       {"notes.txt", "backup.sst", "LOG.old.1", "123456789.sst",
        "123456789.blob", "123456789.log", "123456789.dbtmp", "MANIFEST-900"}) {
    WriteBytes(path_ + "/" + foreign, "kept");
  }
  WriteBytes(path_ + "/archive/000001.log", "kept");
  const std::vector<std::string> before = Names();
  constexpr const char* kDead[] = {"000001.sst", "000001.blob", "000001.dbtmp",
                                   "OPTIONS-000002.dbtmp", "MANIFEST-000001"};
  for (const char* dead : kDead) WriteBytes(path_ + "/" + dead, "dead");
  const std::string log =
      std::filesystem::path(FilesOf(path_, kWalFile).front()).filename();
  ASSERT_GT(Names().size(), before.size());
  clock_->PassHours(6);
  RunJob();
  const std::vector<std::string> after = Names();
  const auto is_there = [&after](const std::string& name) {
    return std::find(after.begin(), after.end(), name) != after.end();
  };
  for (const char* dead : kDead) EXPECT_FALSE(is_there(dead)) << dead;
  // A flush takes none away but the log.
  for (const std::string& name : before) {
    EXPECT_TRUE(is_there(name) || name == log) << name;
  }
  EXPECT_TRUE(std::filesystem::exists(path_ + "/archive/000001.log"));
  EXPECT_FALSE(std::filesystem::exists(path_ + "/" + log));
  EXPECT_EQ(Get("a"), "in another");
  EXPECT_OK(db_->VerifyChecksum());
}

TEST_F(LeftOverScanTest, OldLogsGoAndThoseToBeReusedStay) {
  options_.recycle_log_file_num = 2;
  Open();
  for (int i = 0; i < 4; ++i) RunJob();
  const std::vector<std::string> kept = FilesOf(path_, kWalFile);
  ASSERT_GE(kept.size(), 2u);
  WriteBytes(LogFileName(path_, 1), "dead");
  ASSERT_OK(db_->SetDBOptions({{"delete_obsolete_files_period_micros", "0"}}));
  for (int i = 0; i < 4; ++i) {
    RunJob();
    EXPECT_EQ(FilesOf(path_, kWalFile).size(), kept.size());
  }
  EXPECT_FALSE(std::filesystem::exists(LogFileName(path_, 1)));
  ASSERT_OK(Put("a", "in the log"));
  Reopen();
  EXPECT_EQ(Get("a"), "in the log");
}

class PendingOutputScanTest : public LeftOverScanTest {
 protected:
  PendingOutputScanTest() { options_.delete_obsolete_files_period_micros = 0; }
  void OpenTwo() {
    Open();
    CreateFamily("held");
    ASSERT_OK(Put("a", "1"));
    ASSERT_OK(PutIn(0, "a", "1"));
    ASSERT_OK(db_->Flush(FlushOptions(), handles_[0]));
    ASSERT_OK(Flush());
  }
  // Beside a job that is held. What a job leaves to do is done when the next
  // one has gone as far, in the same thread.
  void ScanTwice(const std::function<void()>& job) {
    const std::string dead = TableFileName(path_, 1);
    for (int count = 1; count <= 2; ++count) {
      WriteBytes(dead, "dead");
      job();
      listener_->AwaitDeletions(dead, count);
    }
  }
};

TEST_F(PendingOutputScanTest, AFlushKeepsItsOutput) {
  OpenTwo();
  ASSERT_OK(PutIn(0, "a", "2"));
  listener_->Close();
  std::thread flush(
      [this] { EXPECT_OK(db_->Flush(FlushOptions(), handles_[0])); });
  const std::string output = listener_->Await();
  // In another pool of threads than flushes.
  ScanTwice([this] { EXPECT_OK(CompactAll(true)); });
  EXPECT_TRUE(std::filesystem::exists(output));
  listener_->Open();
  flush.join();
  EXPECT_EQ(GetFrom(0, "a"), "2");
  EXPECT_OK(db_->VerifyChecksum());
}

TEST_F(PendingOutputScanTest, ACompactionKeepsItsOutputs) {
  OpenTwo();
  ASSERT_OK(PutIn(0, "a", "2"));
  ASSERT_OK(db_->Flush(FlushOptions(), handles_[0]));
  listener_->Close();
  std::thread compaction([this] {
    EXPECT_OK(db_->CompactRange(CompactRangeOptions(), handles_[0], nullptr,
                                nullptr));
  });
  const std::string output = listener_->Await();
  ScanTwice([this] {
    EXPECT_OK(Put("a", "3"));
    EXPECT_OK(Flush());
  });
  EXPECT_TRUE(std::filesystem::exists(output));
  listener_->Open();
  compaction.join();
  EXPECT_EQ(GetFrom(0, "a"), "2");
  EXPECT_EQ(Get("a"), "3");
  EXPECT_OK(db_->VerifyChecksum());
}

TEST_F(PendingOutputScanTest, AnIngestionKeepsItsFiles) {
  OpenTwo();
  const std::string external = directory_.path() + "/external.sst";
  SstFileWriter writer(EnvOptions(), options_);
  ASSERT_OK(writer.Open(external));
  ASSERT_OK(writer.Put("b", "ingested"));
  ASSERT_OK(writer.Finish());
  IngestExternalFileOptions ingest;
  ingest.move_files = true;
  int listings = 0;
  fs_->after_link = [&] {
    listings = fs_->listings;
    RunJob();
    listings = fs_->listings - listings;
  };
  ASSERT_OK(db_->IngestExternalFile({external}, ingest));
  EXPECT_GT(listings, 0);
  EXPECT_EQ(Get("b"), "ingested");
  EXPECT_OK(db_->VerifyChecksum());
}

TEST_F(PendingOutputScanTest, AnOptionsFileOnItsWayStays) {
  OpenTwo();
  std::vector<LiveFileMetaData> live;
  db_->GetLiveFilesMetaData(&live);
  std::string table;
  for (const LiveFileMetaData& file : live) {
    if (file.column_family_name == "default") table = file.name;
  }
  int listings = 0;
  fs_->before_rename = [&] {
    listings = fs_->listings;
    EXPECT_OK(db_->CompactFiles(CompactionOptions(), {table}, 6));
    listings = fs_->listings - listings;
  };
  ASSERT_OK(db_->SetOptions({{"ttl", "1000"}}));
  EXPECT_GT(listings, 0);
  EXPECT_EQ(Get("a"), "1");
}

// Between the list of those that are kept for it and its new name.
TEST_F(PendingOutputScanTest, ALogThatIsUsedAgainStays) {
  options_.recycle_log_file_num = 1;
  Open();
  for (int i = 0; i < 3; ++i) RunJob();
  int listings = 0;
  fs_->before_reuse = [&] {
    std::vector<LiveFileMetaData> live;
    db_->GetLiveFilesMetaData(&live);
    ASSERT_FALSE(live.empty());
    listings = fs_->listings;
    EXPECT_OK(db_->CompactFiles(CompactionOptions(), {live[0].name}, 6));
    listings = fs_->listings - listings;
  };
  RunJob();
  EXPECT_GT(listings, 0);
  RunJob();
  EXPECT_EQ(Get("job"), std::to_string(jobs_));
}

// Readers keep what no current version lists.
TEST_F(PendingOutputScanTest, FilesThatAreReadStay) {
  Open();
  for (const char* value : {"1", "2"}) {
    ASSERT_OK(Put("a", value));
    ASSERT_OK(Flush());
  }
  std::unique_ptr<Iterator> it(db_->NewIterator(ReadOptions()));
  ASSERT_OK(CompactAll(true));
  for (int i = 0; i < 3; ++i) RunJob();
  EXPECT_EQ(Tables(), 6);
  it->SeekToFirst();
  ASSERT_TRUE(it->Valid());
  EXPECT_EQ(it->value().ToString(), "2");
  it.reset();
  AwaitPurge();
  EXPECT_EQ(Tables(), 4);
  // Each is told of once.
  for (const auto& [path, count] : listener_->deletions()) {
    EXPECT_EQ(count, 1) << path;
  }
}

TEST_F(PendingOutputScanTest, NothingIsLookedForWhileDeletionsAreDisabled) {
  Open();
  fs_->refuses_removals = true;
  for (const char* value : {"1", "2"}) {
    ASSERT_OK(Put("a", value));
    ASSERT_OK(Flush());
  }
  ASSERT_OK(db_->DisableFileDeletions());
  ASSERT_OK(CompactAll(true));
  AwaitPurge();
  const int listings = fs_->listings;
  const int before = Tables();
  EXPECT_GT(before, Live());
  RunJob();
  EXPECT_EQ(fs_->listings, listings);
  EXPECT_EQ(Tables(), before + 1);
  fs_->refuses_removals = false;
  ASSERT_OK(db_->EnableFileDeletions());
  AwaitPurge();
  EXPECT_EQ(Tables(), Live());
  for (const auto& [path, count] : listener_->deletions()) {
    EXPECT_EQ(count, 1) << path;
  }
}

// What is found before they are disabled waits.
TEST_F(PendingOutputScanTest, DeletionsDisabledWhileItLooksWait) {
  Open();
  ASSERT_NO_FATAL_FAILURE(LeaveSome());
  const int before = Tables();
  fs_->before_listing = [&] { EXPECT_OK(db_->DisableFileDeletions()); };
  RunJob();
  EXPECT_EQ(Tables(), before + 1);
  ASSERT_OK(db_->EnableFileDeletions());
  EXPECT_EQ(Tables(), Live());
}

TEST_F(PendingOutputScanTest, AListingThatFailsIsLogged) {
  Open();
  ASSERT_NO_FATAL_FAILURE(LeaveSome());
  const std::string text = "cannot look for left-over files in " + path_;
  EXPECT_EQ(Log().find(text), std::string::npos);
  const int before = Tables();
  fs_->refuses_listings = true;
  RunJob();
  EXPECT_NE(Log().find(text), std::string::npos);
  EXPECT_EQ(Tables(), before + 1);
  EXPECT_EQ(Get("a"), "2");
  fs_->refuses_listings = false;
  RunJob();
  EXPECT_EQ(Tables(), Live());
}

// Else the call inside would wait for its own thread.
TEST_F(PendingOutputScanTest, TheDatabaseIsNotLockedWhileItLooks) {
  Open();
  std::string identity;
  fs_->before_listing = [&] { EXPECT_OK(db_->GetDbIdentity(identity)); };
  RunJob();
  EXPECT_FALSE(identity.empty());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

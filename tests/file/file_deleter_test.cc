// Dead files: what goes at once, what goes in steps, and what is never cut.
#include "file/file_deleter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "env/file_holders.h"
#include "env/mem_file_system.h"
#include "tests/testing/set_back_clock.h"

namespace ROCKSDB_NAMESPACE {
namespace {

constexpr uint64_t kDeletedMiB = 1 << 20;
constexpr uint64_t kFarMicros = 4'000'000'000'000'000;

// Notes what is done to files, and what the governor knew of it.
class WatchedFiles : public FileSystemWrapper, public FileHolders {
 public:
  explicit WatchedFiles(std::shared_ptr<IoGovernor> governor)
      : FileSystemWrapper(std::make_shared<MemFileSystem>()),
        governor_(std::move(governor)) {}
  const char* Name() const override { return "WatchedFiles"; }

  bool IsClosedEverywhere(const std::string& path) const override {
    return dynamic_cast<const FileHolders*>(target())->IsClosedEverywhere(path);
  }
  IOStatus Truncate(const std::string& path, size_t size,
                    const IOOptions& options, IODebugContext* dbg) override {
    uint64_t before = 0;
    IOStatus s = target()->GetFileSize(path, options, &before, dbg);
    if (s.ok()) s = Note("truncate", before - size);
    return s.ok() ? target()->Truncate(path, size, options, dbg) : s;
  }
  IOStatus DeleteFile(const std::string& path, const IOOptions& options,
                      IODebugContext* dbg) override {
    uint64_t before = 0;
    IOStatus s = target()->GetFileSize(path, options, &before, dbg);
    if (s.ok()) s = Note("delete", before);
    return s.ok() ? target()->DeleteFile(path, options, dbg) : s;
  }
  IOStatus RenameFile(const std::string& from, const std::string& to,
                      const IOOptions& options, IODebugContext* dbg) override {
    IOStatus s = Note("rename", 0);
    if (s.ok()) s = target()->RenameFile(from, to, options, dbg);
    if (after_rename) after_rename();
    return s;
  }

  struct Step {
    std::string call;
    uint64_t bytes = 0;
    size_t in_flight = 0;
    size_t cap = 0;
  };
  std::vector<Step> Steps() {
    MutexLock lock(&mutex_);
    return steps_;
  }
  size_t Count(const std::string& call) {
    const std::vector<Step> steps = Steps();
    return static_cast<size_t>(
        std::count_if(steps.begin(), steps.end(),
                      [&](const Step& s) { return s.call == call; }));
  }
  // From the step of this name with this index (from 0) on.
  void FailFrom(const std::string& call, int index) {
    MutexLock lock(&mutex_);
    failing_ = call;
    fail_index_ = index;
  }

  // What somebody else does then; may be empty.
  std::function<void()> after_rename;

 private:
  IOStatus Note(const std::string& call, uint64_t bytes) {
    const IoGovernorStats stats = governor_->Stats();
    size_t in_flight = 0;
    for (const auto& each : stats.classes) in_flight += each.bytes_in_flight;
    MutexLock lock(&mutex_);
    if (call == failing_ && fail_index_-- <= 0) {
      return IOStatus::IOError("told to fail");
    }
    steps_.push_back({call, bytes, in_flight, stats.cap_bytes});
    return IOStatus::OK();
  }

  const std::shared_ptr<IoGovernor> governor_;
  Mutex mutex_;
  std::vector<Step> steps_ GUARDED_BY(mutex_);
  std::string failing_ GUARDED_BY(mutex_);
  int fail_index_ GUARDED_BY(mutex_) = 0;
};

class FileDeleterTest : public testing::Test {
 protected:
  FileDeleterTest()
      : clock_(kFarMicros),
        governor_(std::make_shared<IoGovernor>(&clock_)),
        fs_(std::make_shared<WatchedFiles>(governor_)),
        statistics_(CreateDBStatistics()) {
    EXPECT_TRUE(fs_->CreateDir("/d", IOOptions(), nullptr).ok());
    governor_->Join(limits_);
  }
  ~FileDeleterTest() override { governor_->Leave(limits_); }

  std::unique_ptr<FileDeleter> Make(int64_t rate = 0) {
    FileDeleterOptions options;
    options.fs = fs_;
    options.clock = &clock_;
    options.statistics = statistics_;
    options.bytes_per_second = rate;
    options.max_trash_ratio = 1.0;
    options.max_chunk_bytes = kDeletedMiB;
    return std::make_unique<FileDeleter>(std::move(options));
  }
  DeadFile MakeFile(const std::string& path, uint64_t bytes) {
    EXPECT_TRUE(
        WriteStringToFile(fs_.get(), std::string(bytes, 'x'), path).ok());
    return {.path = path, .size_bytes = bytes, .governor = governor_};
  }
  bool Exists(const std::string& path) {
    return fs_->FileExists(path, IOOptions(), nullptr).ok();
  }
  std::vector<std::string> Names() {
    std::vector<std::string> names;
    EXPECT_TRUE(fs_->GetChildren("/d", IOOptions(), &names, nullptr).ok());
    std::sort(names.begin(), names.end());
    return names;
  }
  uint64_t Ticks(Tickers ticker) { return statistics_->getTickerCount(ticker); }

  const IoLimits limits_;
  SetBackClock clock_;
  const std::shared_ptr<IoGovernor> governor_;
  const std::shared_ptr<WatchedFiles> fs_;
  const std::shared_ptr<Statistics> statistics_;
};

TEST_F(FileDeleterTest, SmallFilesGoAtOnce) {
  const auto deleter = Make();
  EXPECT_TRUE(deleter->Delete(MakeFile("/d/1", 4 * kDeletedMiB)).ok());
  EXPECT_TRUE(Names().empty());
  EXPECT_EQ(fs_->Count("truncate"), 0u);
  EXPECT_EQ(Ticks(FILES_DELETED_IMMEDIATELY), 1u);
  EXPECT_EQ(Ticks(FILES_MARKED_TRASH), 0u);
  const WatchedFiles::Step step = fs_->Steps().back();
  EXPECT_EQ(step.in_flight, 4 * kDeletedMiB / FileDeleter::kFreedPerMoved);
  EXPECT_FALSE(deleter->Delete({"/d/1", 0, governor_}).ok()) << "it is gone";
}

TEST_F(FileDeleterTest, WhereNothingGovernsAllGoAtOnce) {
  const auto deleter = Make();
  DeadFile file = MakeFile("/d/1", 20 * kDeletedMiB);
  file.governor = nullptr;
  EXPECT_TRUE(deleter->Delete(file).ok());
  EXPECT_TRUE(Names().empty());
  ASSERT_EQ(fs_->Steps().size(), 1u);
  EXPECT_EQ(fs_->Steps()[0].in_flight, 0u);
}

TEST_F(FileDeleterTest, LargeFilesGoInAdmittedSteps) {
  const auto deleter = Make();
  EXPECT_TRUE(deleter->Delete(MakeFile("/d/1", 21 * kDeletedMiB)).ok());
  EXPECT_FALSE(Exists("/d/1")) << "its name is gone at once";
  deleter->WaitForGoverned();
  EXPECT_TRUE(Names().empty());
  EXPECT_EQ(deleter->trash_bytes(), 0u);
  EXPECT_EQ(Ticks(FILES_MARKED_TRASH), 1u);
  EXPECT_EQ(Ticks(FILES_DELETED_FROM_TRASH_QUEUE), 1u);
  uint64_t freed = 0;
  for (const WatchedFiles::Step& step : fs_->Steps()) {
    if (step.call == "rename") continue;
    freed += step.bytes;
    EXPECT_LE(step.bytes, step.in_flight * FileDeleter::kFreedPerMoved);
    EXPECT_LE(step.in_flight, step.cap);
    EXPECT_LE(step.in_flight, IoGovernor::kMaxRequestBytes);
  }
  EXPECT_EQ(freed, 21 * kDeletedMiB);
  EXPECT_EQ(fs_->Count("truncate"), 5u);
  const IoGovernorStats stats = governor_->Stats();
  const auto& own = stats.classes[static_cast<size_t>(IoClass::kMaintenance)];
  EXPECT_EQ(own.requests, 6u);
  EXPECT_EQ(own.bytes_in_flight, 0u);
}

TEST_F(FileDeleterTest, StepsAreAsSmallAsTheCap) {
  const IoLimits tight{.max_bytes_in_flight = 96 << 10};
  governor_->Join(tight);
  const auto deleter = Make();
  EXPECT_TRUE(deleter->Delete(MakeFile("/d/1", 5 * kDeletedMiB)).ok());
  deleter->WaitForGoverned();
  for (const WatchedFiles::Step& step : fs_->Steps()) {
    EXPECT_LE(step.bytes, kDeletedMiB) << step.call;
    EXPECT_LE(step.in_flight, 96u << 10);
  }
  EXPECT_EQ(fs_->Count("truncate"), 4u);
  governor_->Leave(tight);
}

// Even a small file waits while the device has enough to do, but whoever
// deletes it does not.
TEST_F(FileDeleterTest, ABusyDeviceKeepsNobodyWaiting) {
  const auto deleter = Make();
  const size_t other = governor_->Admit(IoClass::kDeep, 256 << 10, 1);
  size_t most = other;
  std::vector<size_t> others{other};
  while (const size_t more =
             governor_->TryAdmit(IoClass::kDeep, 256 << 10, 1)) {
    others.push_back(more);
    most += more;
  }
  ASSERT_GE(most + (256 << 10), governor_->Stats().cap_bytes);
  EXPECT_TRUE(deleter->Delete(MakeFile("/d/1", 4 * kDeletedMiB)).ok());
  EXPECT_EQ(Names(), std::vector<std::string>{"1.trash"});
  EXPECT_FALSE(deleter->WaitForGoverned(0));
  for (size_t bytes : others) governor_->Finish(IoClass::kDeep, bytes, 0);
  EXPECT_TRUE(deleter->WaitForGoverned());
  EXPECT_TRUE(Names().empty());
  for (const WatchedFiles::Step& step : fs_->Steps()) {
    if (step.call == "rename") continue;
    EXPECT_LE(step.in_flight, step.cap);
  }
}

TEST_F(FileDeleterTest, LinkedFilesAreNeverCut) {
  const auto deleter = Make();
  const DeadFile file = MakeFile("/d/1", 20 * kDeletedMiB);
  ASSERT_TRUE(fs_->LinkFile("/d/1", "/d/link", IOOptions(), nullptr).ok());
  EXPECT_TRUE(deleter->Delete(file).ok());
  deleter->WaitForGoverned();
  EXPECT_EQ(Names(), std::vector<std::string>{"link"});
  EXPECT_EQ(fs_->Count("truncate"), 0u);
  uint64_t bytes = 0;
  ASSERT_TRUE(fs_->GetFileSize("/d/link", IOOptions(), &bytes, nullptr).ok());
  EXPECT_EQ(bytes, 20 * kDeletedMiB);
}

TEST_F(FileDeleterTest, OpenFilesAreNeverCut) {
  const auto deleter = Make();
  const DeadFile file = MakeFile("/d/1", 20 * kDeletedMiB);
  std::unique_ptr<FSRandomAccessFile> reader;
  ASSERT_TRUE(
      fs_->NewRandomAccessFile("/d/1", FileOptions(), &reader, nullptr).ok());
  EXPECT_TRUE(deleter->Delete(file).ok());
  deleter->WaitForGoverned();
  EXPECT_TRUE(Names().empty());
  EXPECT_EQ(fs_->Count("truncate"), 0u);
  char scratch[4];
  Slice last;
  ASSERT_TRUE(
      reader
          ->Read(20 * kDeletedMiB - 4, 4, IOOptions(), &last, scratch, nullptr)
          .ok());
  EXPECT_EQ(last.ToString(), "xxxx");
}

// A file system that cannot tell who has a file open.
TEST_F(FileDeleterTest, WhatIsNotKnownIsNotCut) {
  class Silent : public FileSystemWrapper {
   public:
    using FileSystemWrapper::FileSystemWrapper;
    const char* Name() const override { return "Silent"; }
  };
  FileDeleterOptions options;
  options.fs = std::make_shared<Silent>(fs_);
  options.clock = &clock_;
  FileDeleter deleter(std::move(options));
  EXPECT_TRUE(deleter.Delete(MakeFile("/d/1", 20 * kDeletedMiB)).ok());
  deleter.WaitForGoverned();
  EXPECT_TRUE(Names().empty());
  EXPECT_EQ(fs_->Count("truncate"), 0u);
}

TEST_F(FileDeleterTest, AFailedStepLetsTheRestGoAsAWhole) {
  fs_->FailFrom("truncate", 2);
  const auto deleter = Make();
  EXPECT_TRUE(deleter->Delete(MakeFile("/d/1", 20 * kDeletedMiB)).ok());
  deleter->WaitForGoverned();
  EXPECT_TRUE(Names().empty());
  EXPECT_EQ(fs_->Count("truncate"), 2u);
  EXPECT_EQ(fs_->Steps().back().bytes, 12 * kDeletedMiB);
  EXPECT_EQ(deleter->trash_bytes(), 0u);
}

TEST_F(FileDeleterTest, WhatCannotBeDeletedStaysForTheNext) {
  fs_->FailFrom("delete", 0);
  {
    const auto deleter = Make();
    EXPECT_TRUE(deleter->Delete(MakeFile("/d/1", 20 * kDeletedMiB)).ok());
    deleter->WaitForGoverned();
    EXPECT_EQ(Names(), std::vector<std::string>{"1.trash"});
    EXPECT_EQ(deleter->trash_bytes(), 0u) << "nobody is at it any more";
    EXPECT_FALSE(deleter->Delete(MakeFile("/d/2", 10)).ok());
  }
  fs_->FailFrom("", 0);
  const auto deleter = Make();
  EXPECT_TRUE(deleter->AdoptTrash("/d", governor_).ok());
  deleter->WaitForGoverned();
  EXPECT_EQ(Names(), std::vector<std::string>{"2"});
}

TEST_F(FileDeleterTest, WithoutTrashFilesGoAtOnce) {
  fs_->FailFrom("rename", 0);
  const auto deleter = Make();
  EXPECT_TRUE(deleter->Delete(MakeFile("/d/1", 20 * kDeletedMiB)).ok());
  EXPECT_TRUE(Names().empty());
  EXPECT_EQ(Ticks(FILES_MARKED_TRASH), 0u);
}

// While users read, the clock must move on between the steps; who closes does
// not wait for it.
TEST_F(FileDeleterTest, StepsAreSpreadWhileUsersRead) {
  for (int i = 0; i < 40; ++i) governor_->NoteUserRead(100, true);
  ASSERT_TRUE(governor_->users_read());
  const auto deleter = Make();
  EXPECT_TRUE(deleter->Delete(MakeFile("/d/1", 100 * kDeletedMiB)).ok());
  while (deleter->trash_bytes() == 100 * kDeletedMiB) std::this_thread::yield();
  for (int i = 0; i < 1000; ++i) std::this_thread::yield();
  EXPECT_EQ(fs_->Count("truncate"), 1u);
  EXPECT_EQ(deleter->TrashFiles().at("/d/1.trash"), 96 * kDeletedMiB);
  deleter->FinishNow();
  EXPECT_TRUE(Names().empty());
  EXPECT_EQ(fs_->Count("truncate"), 1u);
  EXPECT_EQ(fs_->Steps().back().bytes, 96 * kDeletedMiB);
  EXPECT_TRUE(deleter->Delete(MakeFile("/d/2", 20 * kDeletedMiB)).ok());
  EXPECT_TRUE(Names().empty()) << "what comes later goes at once";
}

TEST_F(FileDeleterTest, AClockThatIsSetBackHoldsNoTrash) {
  for (int i = 0; i < 40; ++i) governor_->NoteUserRead(100, true);
  const auto deleter = Make();
  EXPECT_TRUE(deleter->Delete(MakeFile("/d/1", 20 * kDeletedMiB)).ok());
  while (deleter->trash_bytes() == 20 * kDeletedMiB) std::this_thread::yield();
  clock_.SetBack(3'600'000'000);
  clock_.Advance(1'000'000);  // Users read no more.
  // A guard: else a deleter that waits for an hour would hang.
  const auto give_up =
      std::chrono::steady_clock::now() + std::chrono::minutes(5);
  while (deleter->trash_bytes() > 0 &&
         std::chrono::steady_clock::now() < give_up) {
    deleter->SetRate(0);  // Wakes the deleter.
    std::this_thread::yield();
  }
  EXPECT_EQ(deleter->trash_bytes(), 0u);
}

// Two databases share the deleter and the directory.
TEST_F(FileDeleterTest, WhatIsAdoptedOnItsWayToTheTrashCountsOnce) {
  const auto deleter = Make(/*rate=*/1);
  fs_->after_rename = [&] {
    EXPECT_TRUE(deleter->AdoptTrash("/d", governor_).ok());
  };
  EXPECT_TRUE(deleter->Delete(MakeFile("/d/1", 10 * kDeletedMiB)).ok());
  EXPECT_LE(deleter->trash_bytes(), 10 * kDeletedMiB);
  deleter->FinishNow();
  EXPECT_TRUE(Names().empty());
  EXPECT_EQ(deleter->trash_bytes(), 0u);
  EXPECT_EQ(Ticks(FILES_DELETED_FROM_TRASH_QUEUE), 1u);
}

TEST_F(FileDeleterTest, ARateAndAGovernorTogether) {
  const auto deleter = Make(/*rate=*/1);
  EXPECT_TRUE(deleter->Delete(MakeFile("/d/1", 10 * kDeletedMiB)).ok());
  while (deleter->trash_bytes() == 10 * kDeletedMiB) std::this_thread::yield();
  EXPECT_EQ(fs_->Count("truncate"), 1u);
  EXPECT_EQ(deleter->trash_bytes(), 9 * kDeletedMiB);
  deleter->WaitForGoverned();  // That one does not wait for the governor.
  deleter->SetRate(0);
  deleter->WaitForEmptyTrash();
  EXPECT_TRUE(Names().empty());
  EXPECT_EQ(fs_->Count("truncate"), 9u);
  for (const WatchedFiles::Step& step : fs_->Steps()) {
    EXPECT_LE(step.bytes, kDeletedMiB);
    if (step.call == "rename") continue;
    EXPECT_GT(step.in_flight, 0u);
  }
}

TEST_F(FileDeleterTest, NamesInTheTrashDoNotCollide) {
  const auto deleter = Make();
  MakeFile("/d/1.trash", 10);
  EXPECT_TRUE(deleter->Delete(MakeFile("/d/1", 20 * kDeletedMiB)).ok());
  deleter->WaitForGoverned();
  EXPECT_EQ(Names(), std::vector<std::string>{"1.trash"});
  EXPECT_TRUE(FileDeleter::IsTrash("1.trash"));
  EXPECT_FALSE(FileDeleter::IsTrash(".trash"));
  EXPECT_FALSE(FileDeleter::IsTrash("1.trash.sst"));
}

TEST_F(FileDeleterTest, ManyThreadsDelete) {
  const auto deleter = Make();
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 20; ++i) {
        const std::string path = "/d/" + std::to_string(t * 100 + i);
        const uint64_t bytes = i % 5 == 0 ? 9 * kDeletedMiB : 100;
        EXPECT_TRUE(deleter->Delete(MakeFile(path, bytes)).ok());
        EXPECT_FALSE(Exists(path));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  deleter->WaitForGoverned();
  EXPECT_TRUE(Names().empty());
  EXPECT_EQ(deleter->trash_bytes(), 0u);
  for (const WatchedFiles::Step& step : fs_->Steps()) {
    EXPECT_LE(step.in_flight, step.cap);
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

// Which files of jobs leave the page cache as they are written.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "tests/db/compaction/job_world.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// Knows the files whose pages were dropped.
class DropWatch : public FileSystemWrapper {
 public:
  using FileSystemWrapper::FileSystemWrapper;
  const char* Name() const override { return "DropWatch"; }
  IOStatus NewWritableFile(const std::string& path, const FileOptions& options,
                           std::unique_ptr<FSWritableFile>* result,
                           IODebugContext* dbg) override {
    IOStatus s = target()->NewWritableFile(path, options, result, dbg);
    if (s.ok()) {
      *result = std::make_unique<File>(std::move(*result), path, this);
    }
    return s;
  }
  bool HasDropped(const FileRef& file) {
    MutexLock lock(&mutex_);
    return dropped_.contains(TableFileName("/db", file->number));
  }

 private:
  class File : public FSWritableFileOwnerWrapper {
   public:
    File(std::unique_ptr<FSWritableFile>&& file, std::string path,
         DropWatch* watch)
        : FSWritableFileOwnerWrapper(std::move(file)),
          path_(std::move(path)),
          watch_(watch) {}
    IOStatus InvalidateCache(size_t offset, size_t length) override {
      EXPECT_GT(length, 0u);
      MutexLock lock(&watch_->mutex_);
      watch_->dropped_.insert(path_);
      return FSWritableFileOwnerWrapper::InvalidateCache(offset, length);
    }

   private:
    const std::string path_;
    DropWatch* const watch_;
  };

  Mutex mutex_;
  std::set<std::string> dropped_ GUARDED_BY(mutex_);
};

class PageCacheTest : public ::testing::Test {
 protected:
  PageCacheTest() : watch_(std::make_shared<DropWatch>(world_.f.fs)) {
    world_.file_system = watch_;
    world_.page_cache = &room_;
    world_.Create();
  }
  ~PageCacheTest() override { world_.Close(); }
  // Does the new file of level 0, or the last one of level 1, leave?
  bool FlushLeaves(const std::string& entries) {
    EXPECT_TRUE(world_.Flush(entries).ok());
    return watch_->HasDropped(world_.Files(0)[0]);
  }
  bool CompactionLeaves() {
    EXPECT_TRUE(world_.Compact(0, 1).ok());
    return watch_->HasDropped(world_.Files(1).back());
  }

  JobWorld world_;
  const std::shared_ptr<DropWatch> watch_;
  uint64_t free_bytes_ = 0;
  PageCacheRoom room_{[this] { return free_bytes_; }};
};

TEST_F(PageCacheTest, OutputsLeaveWhereThereIsNoRoom) {
  EXPECT_FALSE(FlushLeaves("a@1=x")) << "nothing is known yet";
  EXPECT_TRUE(CompactionLeaves());
  EXPECT_TRUE(FlushLeaves("b@2=y")) << "as the latest compaction's";
  EXPECT_EQ(world_.Dump(), "L0 [b@2=y]; L1 [a@0=x]");

  free_bytes_ = 1 << 30;
  EXPECT_TRUE(FlushLeaves("c@3=z")) << "no compaction has looked";
  EXPECT_FALSE(CompactionLeaves());
  EXPECT_FALSE(FlushLeaves("d@4=w"));
  EXPECT_EQ(world_.Dump(), "L0 [d@4=w]; L1 [a@0=x] [b@0=y c@0=z]");
}

TEST_F(PageCacheTest, NothingLeavesWhereOptionsDoNotAskForIt) {
  world_.page_cache = nullptr;
  EXPECT_FALSE(FlushLeaves("a@1=x"));
  EXPECT_FALSE(CompactionLeaves());
  EXPECT_FALSE(room_.is_short());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

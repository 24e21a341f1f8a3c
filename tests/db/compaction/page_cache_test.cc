// Which files of jobs leave the page cache as they are written. Runs
// tests/testdata/compaction/page_cache.txt:
//
//   jobs [keep]           with "keep" options do not ask for it
//   STEPS                 a line each
//
// STEPs: flush ENTRIES, as in text_entries.h; compact FROM TO (levels); room
// BYTES (that are free for pages, as the system says). What a job has written
// is told, and whether its last file left.
#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <sstream>
#include <string>

#include "tests/db/compaction/job_world.h"
#include "tests/testing/script.h"
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

class PageCacheScript {
 public:
  explicit PageCacheScript(const ScriptWords& command)
      : watch_(std::make_shared<DropWatch>(world_.f.fs)) {
    EXPECT_EQ(command.verb(), "jobs");
    world_.file_system = watch_;
    if (!command.HasWord("keep")) world_.page_cache = &room_;
    world_.Create();
  }
  ~PageCacheScript() { world_.Close(); }
  PageCacheScript(const PageCacheScript&) = delete;
  PageCacheScript& operator=(const PageCacheScript&) = delete;

  std::string Run(const std::string& line) {
    std::istringstream words(line);
    std::string verb;
    words >> verb;
    int level = 0;
    Status s;
    if (verb == "room") {
      words >> free_bytes_;
      return "";
    }
    if (verb == "flush") {
      s = world_.Flush(line.substr(verb.size()));
    } else {
      EXPECT_EQ(verb, "compact");
      int from = 0;
      words >> from >> level;
      s = world_.Compact(from, level);
    }
    EXPECT_TRUE(s.ok()) << s.ToString();
    // Level 0 has the newest first.
    const std::vector<FileRef> files = world_.Files(level);
    const FileRef& file = level == 0 ? files.front() : files.back();
    return "L" + std::to_string(level) + " [" + world_.Content(file) + "] " +
           (watch_->HasDropped(file) ? "left" : "stayed") +
           (room_.is_short() ? "; short of room\n" : "\n");
  }

 private:
  JobWorld world_;
  const std::shared_ptr<DropWatch> watch_;
  uint64_t free_bytes_ = 0;
  PageCacheRoom room_{[this] { return free_bytes_; }};
};

TEST(PageCacheTest, EveryCaseOfTheScript) {
  const auto run = [](const ScriptCase& c) {
    PageCacheScript script{ScriptWords(c.command)};
    std::string text;
    for (const std::string& line : LinesOf(c.body)) text += script.Run(line);
    return text;
  };
  EXPECT_GE(RunScript("compaction/page_cache.txt", run), 6u)
      << "cases went missing";
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

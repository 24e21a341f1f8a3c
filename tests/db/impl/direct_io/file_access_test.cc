// compaction_read_access and compaction_write_access: what is chosen at Open,
// and how table files are opened from then on.
#include <gtest/gtest.h>

#include <cstdarg>
#include <cstdio>
#include <memory>
#include <string>

#include "tests/db/impl/direct_fixture.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// Keeps what goes to LOG.
class MemoryLogger : public Logger {
 public:
  using Logger::Logv;
  void Logv(const char* format, va_list arguments) override {
    char line[4096];
    (void)vsnprintf(line, sizeof(line), format, arguments);
    MutexLock lock(&mutex_);
    text_.append(line).push_back('\n');
  }
  std::string text() {
    MutexLock lock(&mutex_);
    return text_;
  }

 private:
  Mutex mutex_;
  std::string text_ GUARDED_BY(mutex_);
};

class FileAccessTest : public DirectFixture {
 protected:
  FileAccessTest() {
    options_.use_direct_io_for_compaction_reads = false;
    Ask(FileAccess::kDefault, FileAccess::kDefault);
  }

  // And begins a new LOG.
  void Ask(FileAccess reads, FileAccess writes) {
    log_ = std::make_shared<MemoryLogger>();
    options_.info_log = log_;
    options_.compaction_read_access = reads;
    options_.compaction_write_access = writes;
  }
  // The line of LOG about it; empty if there is none.
  std::string Line() {
    const std::string log = log_->text();
    const size_t at = log.find("file access: ");
    if (at == std::string::npos) return "";
    EXPECT_EQ(log.find("file access: ", at + 1), std::string::npos);
    return log.substr(at, log.find('\n', at) - at);
  }
  bool Says(const std::string& text) {
    return Line().find(text) != std::string::npos;
  }
  struct Opens {
    size_t buffered = 0, uncached = 0, direct = 0;
  };
  // How often table files were opened in each way.
  Opens OpensOf(FileKind kind) const {
    Opens result;
    for (const OpenRecord& open : fs_->opens()) {
      if (open.kind != kind || !open.path.ends_with(".sst")) continue;
      if (open.is_direct_read() || open.is_direct_write()) {
        ++result.direct;
      } else {
        ++(open.options.use_uncached_io ? result.uncached : result.buffered);
      }
    }
    return result;
  }
  // Compacts a tree anew, and counts.
  void Work() {
    Forget();
    MakeTree();
    // All inputs are open for users by now.
    inputs_ = static_cast<size_t>(FilesAt(0) + FilesAt(1) + FilesAt(2));
    writes_ = OpensOf(FileKind::kWritable);
    Forget();
    ASSERT_OK(CompactTree());
    reads_ = OpensOf(FileKind::kRandomAccess);
    const Opens outputs = OpensOf(FileKind::kWritable);
    writes_.buffered += outputs.buffered;
    writes_.uncached += outputs.uncached;
    writes_.direct += outputs.direct;
    ExpectTree();
    ASSERT_OK(db_->VerifyChecksum());
  }

  std::shared_ptr<MemoryLogger> log_;
  size_t inputs_ = 0;
  Opens reads_;   // table files that one compaction opened to read
  Opens writes_;  // table files that flushes and compactions made
};

TEST_F(FileAccessTest, WithoutTheOptionsLogSaysNothing) {
  Open();
  EXPECT_EQ(Line(), "");
  Work();
  EXPECT_EQ(reads_.uncached + reads_.direct, 0u);
  EXPECT_EQ(writes_.uncached + writes_.direct, 0u);
}

TEST_F(FileAccessTest, TheBooleansAreTheDefault) {
  options_.use_direct_io_for_compaction_reads = true;
  options_.use_direct_io_for_flush_and_compaction = true;
  Open();
  EXPECT_EQ(Line(), "");
  Work();
  EXPECT_EQ(reads_.direct, inputs_);
  EXPECT_GT(writes_.direct, 0u);
  EXPECT_EQ(writes_.buffered, 0u);
}

TEST_F(FileAccessTest, Direct) {
  Ask(FileAccess::kDirect, FileAccess::kDirect);
  Open();
  EXPECT_EQ(Line(),
            "file access: compaction_read_access = direct: direct; "
            "compaction_write_access = direct: direct");
  Work();
  EXPECT_EQ(reads_.direct, inputs_);
  EXPECT_EQ(reads_.uncached, 0u);
  EXPECT_EQ(Ticker(COMPACTION_EPHEMERAL_READERS_OPENED), inputs_);
  EXPECT_GT(writes_.direct, 0u);
  EXPECT_EQ(writes_.buffered + writes_.uncached, 0u);
}

TEST_F(FileAccessTest, Uncached) {
  Ask(FileAccess::kUncached, FileAccess::kUncached);
  Open();
  EXPECT_EQ(Line(),
            "file access: compaction_read_access = uncached: uncached; "
            "compaction_write_access = uncached: uncached");
  Work();
  // Each input by a handle of its own; the outputs then for users, buffered.
  EXPECT_EQ(reads_.uncached, inputs_);
  EXPECT_EQ(reads_.buffered, static_cast<size_t>(FilesAt(2)));
  EXPECT_EQ(Ticker(COMPACTION_EPHEMERAL_READERS_OPENED), inputs_);
  EXPECT_EQ(Ticker(COMPACTION_EPHEMERAL_READERS_CLOSED), inputs_);
  EXPECT_EQ(Ticker(COMPACTION_DIRECT_READ_OPENS), 0u);
  EXPECT_GT(writes_.uncached, 0u);
  EXPECT_EQ(writes_.buffered, 0u);
  EXPECT_EQ(fs_->direct_read_opens() + fs_->direct_write_opens(), 0u);
}

TEST_F(FileAccessTest, LogsAndManifestsStayBuffered) {
  Ask(FileAccess::kUncached, FileAccess::kUncached);
  Open();
  Work();
  for (const OpenRecord& open : fs_->opens()) {
    EXPECT_TRUE(open.path.ends_with(".sst") || !open.options.use_uncached_io)
        << open.path;
  }
}

TEST_F(FileAccessTest, ReadsAndWritesAreChosenApart) {
  Ask(FileAccess::kUncached, FileAccess::kDefault);
  Open();
  EXPECT_TRUE(Says("compaction_write_access = default: buffered"));
  Work();
  EXPECT_EQ(reads_.uncached, inputs_);
  EXPECT_EQ(writes_.uncached + writes_.direct, 0u);
  db_.reset();
  path_ += "-2";
  Ask(FileAccess::kBuffered, FileAccess::kUncached);
  Open();
  EXPECT_TRUE(Says("compaction_read_access = buffered: buffered"));
  Work();
  EXPECT_EQ(reads_.uncached + reads_.direct, 0u);
  EXPECT_EQ(writes_.buffered + writes_.direct, 0u);
}

TEST_F(FileAccessTest, AutoIsDirectWhereEveryPathAcceptsIt) {
  Ask(FileAccess::kAuto, FileAccess::kAuto);
  Open();
  EXPECT_EQ(Line(),
            "file access: compaction_read_access = auto: direct; "
            "compaction_write_access = auto: direct");
  Work();
  EXPECT_EQ(reads_.direct, inputs_);
  EXPECT_EQ(writes_.buffered + writes_.uncached, 0u);
}

TEST_F(FileAccessTest, AutoIsUncachedWhereOnePathRefuses) {
  const std::string paths[] = {path_ + "-p1", path_ + "-c1", path_ + "/"};
  options_.db_paths.emplace_back(paths[0], 1 << 30);
  options_.cf_paths.emplace_back(paths[1], 1 << 30);
  for (const std::string& path : paths) {
    SCOPED_TRACE(path);
    db_.reset();
    Ask(FileAccess::kAuto, FileAccess::kAuto);
    fs_->RefuseDirectIo(path);
    ASSERT_OK(TryOpen());
    EXPECT_TRUE(Says("compaction_read_access = auto: uncached (")) << Line();
    EXPECT_TRUE(Says("compaction_write_access = auto: uncached (")) << Line();
    EXPECT_TRUE(Says("refuses direct reads")) << Line();
    EXPECT_TRUE(Says("refuses direct writes")) << Line();
    fs_->AcceptDirectIo();
  }
  // Decided once: what is accepted later changes nothing.
  Work();
  EXPECT_EQ(reads_.uncached, inputs_);
  EXPECT_EQ(reads_.direct, 0u);
  EXPECT_EQ(writes_.buffered + writes_.direct, 0u);
}

TEST_F(FileAccessTest, AutoNeedsReadsThatWork) {
  Ask(FileAccess::kAuto, FileAccess::kAuto);
  fs_->FailDirectReads(path_ + "/");
  Open();
  EXPECT_TRUE(Says("compaction_read_access = auto: uncached (")) << Line();
  EXPECT_TRUE(Says("compaction_write_access = auto: direct")) << Line();
}

TEST_F(FileAccessTest, AutoFollowsAFileSystemThatTakesTheFlagAway) {
  recorder_->strips = true;
  Ask(FileAccess::kAuto, FileAccess::kAuto);
  Open();
  EXPECT_TRUE(Says("compaction_read_access = auto: uncached (")) << Line();
  Work();
  EXPECT_EQ(reads_.uncached, inputs_);
  EXPECT_EQ(reads_.direct, 0u);
}

TEST_F(FileAccessTest, AutoWithDirectReadsOfUsersIsDirect) {
  options_.use_direct_reads = true;
  Ask(FileAccess::kAuto, FileAccess::kDefault);
  Open();
  EXPECT_TRUE(Says("compaction_read_access = auto: direct")) << Line();
  Work();
  EXPECT_EQ(reads_.uncached + reads_.buffered, 0u);
  EXPECT_EQ(Ticker(COMPACTION_EPHEMERAL_READERS_OPENED), 0u);
  db_.reset();
  fs_->RefuseDirectIo(path_);
  const Status s = TryOpen();
  EXPECT_TRUE(s.IsInvalidArgument()) << s.ToString();
  EXPECT_NE(s.ToString().find("use_direct_reads"), std::string::npos);
}

TEST_F(FileAccessTest, AutoWithMappedReadsIsBuffered) {
  options_.allow_mmap_reads = true;
  Ask(FileAccess::kAuto, FileAccess::kDefault);
  Open();
  EXPECT_TRUE(Says("compaction_read_access = auto: buffered")) << Line();
}

TEST_F(FileAccessTest, DirectIsRefusedAtOpen) {
  fs_->RefuseDirectIo(path_);
  for (const bool reads : {true, false}) {
    Ask(reads ? FileAccess::kDirect : FileAccess::kDefault,
        reads ? FileAccess::kDefault : FileAccess::kDirect);
    const Status s = TryOpen();
    EXPECT_TRUE(s.IsInvalidArgument()) << s.ToString();
    EXPECT_NE(s.ToString().find(reads ? "compaction_read_access = direct"
                                      : "compaction_write_access = direct"),
              std::string::npos)
        << s.ToString();
    EXPECT_NE(s.ToString().find(path_), std::string::npos) << s.ToString();
    EXPECT_EQ(fs_->open_handles(), 0u);
  }
  Ask(FileAccess::kUncached, FileAccess::kUncached);
  Open();
  Work();
}

TEST_F(FileAccessTest, AFamilyMadeLaterHasToAllowWhatWasChosen) {
  Ask(FileAccess::kAuto, FileAccess::kAuto);
  Open();
  const std::string path = path_ + "-late";
  fs_->RefuseDirectIo(path);
  ColumnFamilyOptions family(options_);
  family.cf_paths = {{path, 1 << 30}};
  ColumnFamilyHandle* handle = nullptr;
  Status s = db_->CreateColumnFamily(family, "late", &handle);
  EXPECT_TRUE(s.IsInvalidArgument()) << s.ToString();
  EXPECT_NE(s.ToString().find("compaction_read_access = auto"),
            std::string::npos)
      << s.ToString();
  EXPECT_NE(s.ToString().find(path), std::string::npos) << s.ToString();
  Work();
  EXPECT_EQ(reads_.direct, inputs_);
  // An uncached database asks nobody.
  path_ += "-2";
  Ask(FileAccess::kUncached, FileAccess::kUncached);
  Open();
  ASSERT_OK(db_->CreateColumnFamily(family, "late", &handle));
  ASSERT_OK(db_->Put(WriteOptions(), handle, "a", "1"));
  ASSERT_OK(db_->Flush(FlushOptions(), handle));
  ASSERT_OK(db_->DestroyColumnFamilyHandle(handle));
}

TEST_F(FileAccessTest, AReadOnlyDatabaseProbesNothing) {
  Open();
  MakeTree();
  db_.reset();
  fs_->RefuseDirectIo(path_);
  Ask(FileAccess::kAuto, FileAccess::kAuto);
  Forget();
  ASSERT_OK(DB::OpenForReadOnly(options_, path_, &db_));
  ExpectTree();
  ASSERT_OK(db_->VerifyChecksum());
  EXPECT_EQ(OpensOf(FileKind::kWritable).buffered, 0u);
  EXPECT_GT(OpensOf(FileKind::kRandomAccess).uncached, 0u);
}

TEST_F(FileAccessTest, TheOptionsAreKept) {
  Ask(FileAccess::kAuto, FileAccess::kUncached);
  Open();
  // GetDBOptions() has the values that were given, not what they resolve to.
  EXPECT_EQ(db_->GetDBOptions().compaction_read_access, FileAccess::kAuto);
  EXPECT_EQ(db_->GetDBOptions().compaction_write_access, FileAccess::kUncached);
  Reopen();
  EXPECT_EQ(db_->GetDBOptions().compaction_read_access, FileAccess::kAuto);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

// The way to access table files is the best that every directory of a database
// allows; one that was asked for by name and is refused is an error.
#include "db/files/file_access_chooser.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "env/mem_file_system.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// Has direct files but where it is told to refuse them.
class PickyFileSystem : public FileSystemWrapper {
 public:
  PickyFileSystem() : FileSystemWrapper(std::make_shared<MemFileSystem>()) {}
  const char* Name() const override { return "PickyFileSystem"; }
  IOStatus NewRandomAccessFile(const std::string& path,
                               const FileOptions& options,
                               std::unique_ptr<FSRandomAccessFile>* file,
                               IODebugContext* dbg) override {
    ++opens;
    if (options.use_direct_reads && path.starts_with(refused_reads + "/")) {
      return IOStatus::InvalidArgument(path, "no direct reads here");
    }
    return target()->NewRandomAccessFile(path, options, file, dbg);
  }
  IOStatus NewWritableFile(const std::string& path, const FileOptions& options,
                           std::unique_ptr<FSWritableFile>* file,
                           IODebugContext* dbg) override {
    ++opens;
    if (options.use_direct_writes && path.starts_with(refused_writes + "/")) {
      return IOStatus::InvalidArgument(path, "no direct writes here");
    }
    return target()->NewWritableFile(path, options, file, dbg);
  }

  std::string refused_reads = "/none", refused_writes = "/none";
  int opens = 0;
};

class FileAccessChooserTest : public ::testing::Test {
 protected:
  FileAccessChooserTest() { Ask(FileAccess::kDefault, FileAccess::kDefault); }

  void Ask(FileAccess reads, FileAccess writes) {
    options_.compaction_read_access = reads;
    options_.compaction_write_access = writes;
    db_ = std::make_unique<ImmutableDBOptions>(options_);
    db_->fs = fs_.get();
    chosen_ = std::make_unique<MutableDBOptions>(options_);
  }
  FileAccessChooser Chooser(FileAccessChooser::Probing probing =
                                FileAccessChooser::Probing::kByFiles) const {
    return FileAccessChooser(db_.get(), FileOptions(), probing);
  }
  Status Choose() const {
    return Chooser().ChooseAtOpen(paths_, chosen_.get());
  }

  const std::shared_ptr<PickyFileSystem> fs_ =
      std::make_shared<PickyFileSystem>();
  const std::vector<std::string> paths_{"/db", "/slow"};
  DBOptions options_;
  std::unique_ptr<ImmutableDBOptions> db_;
  std::unique_ptr<MutableDBOptions> chosen_;
};

TEST_F(FileAccessChooserTest, AutoTakesTheBestThatEveryDirectoryAllows) {
  Ask(FileAccess::kAuto, FileAccess::kAuto);
  ASSERT_TRUE(Choose().ok());
  EXPECT_EQ(chosen_->read_access, FileAccess::kDirect);
  EXPECT_EQ(chosen_->write_access, FileAccess::kDirect);
  fs_->refused_writes = "/slow";
  ASSERT_TRUE(Choose().ok());
  EXPECT_EQ(chosen_->read_access, FileAccess::kDirect);
  EXPECT_EQ(chosen_->write_access, FileAccess::kUncached);
  fs_->refused_reads = "/db";
  ASSERT_TRUE(Choose().ok());
  EXPECT_EQ(chosen_->read_access, FileAccess::kUncached);
}

TEST_F(FileAccessChooserTest, WhatIsAskedForByNameAndRefusedIsAnError) {
  Ask(FileAccess::kDirect, FileAccess::kDefault);
  fs_->refused_reads = "/slow";
  Status s = Choose();
  EXPECT_TRUE(s.IsInvalidArgument());
  EXPECT_NE(s.ToString().find("compaction_read_access = "), std::string::npos);
  EXPECT_NE(s.ToString().find("/slow refuses direct reads"), std::string::npos);
  Ask(FileAccess::kDefault, FileAccess::kDirect);
  fs_->refused_writes = "/db";
  s = Choose();
  EXPECT_TRUE(s.IsInvalidArgument());
  EXPECT_NE(s.ToString().find("/db refuses direct writes"), std::string::npos);
}

TEST_F(FileAccessChooserTest, NothingIsTriedWhereNothingIsAskedForOrWritten) {
  ASSERT_TRUE(Choose().ok());
  EXPECT_EQ(chosen_->read_access, FileAccess::kBuffered);
  EXPECT_EQ(fs_->opens, 0);
  Ask(FileAccess::kDirect, FileAccess::kDirect);
  fs_->refused_reads = fs_->refused_writes = "/db";
  ASSERT_TRUE(Chooser(FileAccessChooser::Probing::kNone)
                  .ChooseAtOpen(paths_, chosen_.get())
                  .ok());
  EXPECT_EQ(chosen_->read_access, FileAccess::kDirect);
  EXPECT_EQ(fs_->opens, 0);
}

TEST_F(FileAccessChooserTest, AChangeKeepsWhatIsNotAskedForAnew) {
  Ask(FileAccess::kAuto, FileAccess::kAuto);
  fs_->refused_reads = "/db";
  ASSERT_TRUE(Choose().ok());
  ASSERT_EQ(chosen_->read_access, FileAccess::kUncached);
  // Would be chosen now; but nobody asks.
  fs_->refused_reads = "/none";
  options_.compaction_write_access = FileAccess::kBuffered;
  MutableDBOptions next(options_);
  ASSERT_TRUE(Chooser().Change(*chosen_, paths_, &next).ok());
  EXPECT_EQ(next.read_access, FileAccess::kUncached);
  EXPECT_EQ(next.write_access, FileAccess::kBuffered);
  options_.compaction_read_access = FileAccess::kDirect;
  MutableDBOptions direct(options_);
  ASSERT_TRUE(Chooser().Change(next, paths_, &direct).ok());
  EXPECT_EQ(direct.read_access, FileAccess::kDirect);
}

TEST_F(FileAccessChooserTest, NewDirectoriesMustAllowWhatWasChosen) {
  Ask(FileAccess::kAuto, FileAccess::kAuto);
  ASSERT_TRUE(Choose().ok());
  EXPECT_TRUE(Chooser().Check(*chosen_, {"/more"}).ok());
  fs_->refused_reads = "/more";
  EXPECT_TRUE(Chooser().Check(*chosen_, {"/more"}).IsInvalidArgument());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

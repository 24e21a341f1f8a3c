// File names are made and parsed alike, foreign ones are refused, and CURRENT
// and IDENTITY are replaced in an order that a crash cannot harm.
#include "file/filename.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "env/mem_file_system.h"

namespace ROCKSDB_NAMESPACE {

namespace {

struct Parsed {
  const char* name;
  uint64_t number;
  FileType type;
};

TEST(FilenameTest, ParsesEveryKind) {
  const Parsed cases[] = {
      {"100.log", 100, kWalFile},
      {"0.log", 0, kWalFile},
      {"000007.sst", 7, kTableFile},
      {"7.ldb", 7, kTableFile},
      {"000012.blob", 12, kBlobFile},
      {"CURRENT", 0, kCurrentFile},
      {"LOCK", 0, kDBLockFile},
      {"IDENTITY", 0, kIdentityFile},
      {"MANIFEST-2", 2, kDescriptorFile},
      {"METADB-2", 2, kMetaDatabase},
      {"LOG", 0, kInfoLogFile},
      {"LOG.old", 0, kInfoLogFile},
      {"LOG.old.6688", 6688, kInfoLogFile},
      {"OPTIONS-000005", 5, kOptionsFile},
      {"OPTIONS-000005.dbtmp", 5, kTempFile},
      {"000003.dbtmp", 3, kTempFile},
      {"COMPACTION_PROGRESS-17", 17, kCompactionProgressFile},
      {"COMPACTION_PROGRESS-17.dbtmp", 17, kTempFile},
      {"archive/000009.log", 9, kWalFile},
      {"18446744073709551615.log", UINT64_MAX, kWalFile},
  };
  for (const Parsed& c : cases) {
    uint64_t number = 4711;
    FileType type;
    ASSERT_TRUE(ParseFileName(c.name, &number, &type)) << c.name;
    EXPECT_EQ(number, c.number) << c.name;
    EXPECT_EQ(type, c.type) << c.name;
  }
}

TEST(FilenameTest, RefusesWhatIsNotOurs) {
  const char* const names[] = {
      "",
      "foo",
      "foo-dx-100.log",
      ".log",
      "1.Log",
      "manifest",
      "CURREN",
      "CURRENTX",
      "MANIFES",
      "MANIFEST",
      "MANIFEST-",
      "XMANIFEST-3",
      "/MANIFEST-3",
      "MANIFEST-3x",
      "LOC",
      "LOCKx",
      "LO",
      "LOGx",
      "LOG.old.",
      "LOG.old.1x",
      "18446744073709551616.log",
      "184467440737095516150.log",
      "100",
      "100.",
      "100.lop",
      "-1.log",
      "+1.log",
      " 1.log",
      "1.log.trash",
      "OPTIONS-",
      "OPTIONS-1.tmp",
      "MANIFEST-1.dbtmp",
      "archive/1.sst",
      "archive/archive/1.log",
      "archive",
  };
  for (const char* name : names) {
    uint64_t number;
    FileType type;
    EXPECT_FALSE(ParseFileName(name, &number, &type)) << name;
  }
}

TEST(FilenameTest, TellsArchivedWals) {
  uint64_t number;
  FileType type;
  WalFileType wal = kAliveLogFile;
  ASSERT_TRUE(ParseFileName("archive/000009.log", &number, &type, &wal));
  EXPECT_EQ(wal, kArchivedLogFile);
  ASSERT_TRUE(ParseFileName("000009.log", &number, &type, &wal));
  EXPECT_EQ(wal, kAliveLogFile);
}

TEST(FilenameTest, WhatIsMadeIsParsed) {
  uint64_t number;
  FileType type;
  const std::pair<std::string, FileType> cases[] = {
      {LogFileName(12), kWalFile},
      {MakeTableFileName(12), kTableFile},
      {BlobFileName(12), kBlobFile},
      {DescriptorFileName(12), kDescriptorFile},
      {OptionsFileName(12), kOptionsFile},
      {TempFileName("d", 12).substr(2), kTempFile},
      {TempOptionsFileName("d", 12).substr(2), kTempFile},
      {MetaDatabaseName("d", 12).substr(2), kMetaDatabase},
      {OldInfoLogFileName("d", 12).substr(2), kInfoLogFile},
  };
  for (const auto& [name, expected] : cases) {
    ASSERT_TRUE(ParseFileName(name, &number, &type)) << name;
    EXPECT_EQ(number, 12u) << name;
    EXPECT_EQ(type, expected) << name;
  }
}

TEST(FilenameTest, HasTheShapeOnDisk) {
  EXPECT_EQ(LogFileName("db", 4), "db/000004.log");
  EXPECT_EQ(TableFileName("db", 1234567), "db/1234567.sst");
  EXPECT_EQ(DescriptorFileName("db", 5), "db/MANIFEST-000005");
  EXPECT_EQ(TempFileName("db", 0), "db/000000.dbtmp");
  EXPECT_EQ(ArchivedLogFileName("wal", 3), "wal/archive/000003.log");
  EXPECT_EQ(LegacyTableFileName("db/000003.sst"), "db/000003.ldb");
  EXPECT_EQ(LegacyTableFileName("db/000003.ldb"), "db/000003.ldb");
  EXPECT_EQ(NormalizePath("//a///b//"), "/a/b");
  EXPECT_EQ(NormalizePath("/"), "/");
}

TEST(FilenameTest, APathIdBeyondTheListIsTheLast) {
  std::vector<DbPath> paths;
  paths.emplace_back();
  paths.back().path = "p0";
  paths.emplace_back();
  paths.back().path = "p1";
  EXPECT_EQ(TableFileName(paths, 9, 0), "p0/000009.sst");
  EXPECT_EQ(TableFileName(paths, 9, 1), "p1/000009.sst");
  EXPECT_EQ(TableFileName(paths, 9, 7), "p1/000009.sst");
}

TEST(FilenameTest, FlattensThePathForALogDirectory) {
  EXPECT_EQ(InfoLogPrefix(false, "/a/b"), "LOG");
  EXPECT_EQ(InfoLogPrefix(true, "/data/my db/x-1.2"), "data_my_db_x-1.2_LOG");
  EXPECT_EQ(InfoLogFileName("db", "/data/db", "logs"), "logs/data_db_LOG");
  EXPECT_EQ(OldInfoLogFileName("db", 7, "/data/db", "logs"),
            "logs/data_db_LOG.old.7");
  uint64_t number;
  FileType type;
  EXPECT_TRUE(
      ParseFileName("data_db_LOG.old.7", "data_db_LOG", &number, &type));
  EXPECT_EQ(number, 7u);
  EXPECT_EQ(type, kInfoLogFile);
  EXPECT_FALSE(ParseFileName("other_LOG", "data_db_LOG", &number, &type));
}

// Notes every change to names and every sync, in order.
class NotingFileSystem : public FileSystemWrapper {
 public:
  NotingFileSystem() : FileSystemWrapper(std::make_shared<MemFileSystem>()) {
    EXPECT_TRUE(CreateDir("/db", IOOptions(), nullptr).ok());
  }
  const char* Name() const override { return "Noting"; }

  class NotingFile : public FSWritableFileOwnerWrapper {
   public:
    NotingFile(std::unique_ptr<FSWritableFile> file, NotingFileSystem* fs)
        : FSWritableFileOwnerWrapper(std::move(file)), fs_(fs) {}
    IOStatus Sync(const IOOptions& o, IODebugContext* d) override {
      fs_->events.push_back("sync");
      if (fs_->fail_sync) return IOStatus::IOError("sync", "told to fail");
      return FSWritableFileOwnerWrapper::Sync(o, d);
    }

   private:
    NotingFileSystem* const fs_;
  };
  class NotingDirectory : public FSDirectory {
   public:
    explicit NotingDirectory(NotingFileSystem* fs) : fs_(fs) {}
    IOStatus Fsync(const IOOptions&, IODebugContext*) override {
      fs_->events.push_back("syncdir");
      return IOStatus::OK();
    }

   private:
    NotingFileSystem* const fs_;
  };

  IOStatus NewWritableFile(const std::string& name, const FileOptions& options,
                           std::unique_ptr<FSWritableFile>* result,
                           IODebugContext* dbg) override {
    events.push_back("create " + name);
    std::unique_ptr<FSWritableFile> file;
    IOStatus s = target()->NewWritableFile(name, options, &file, dbg);
    if (s.ok()) *result = std::make_unique<NotingFile>(std::move(file), this);
    return s;
  }
  IOStatus RenameFile(const std::string& from, const std::string& to,
                      const IOOptions& options, IODebugContext* dbg) override {
    events.push_back("rename " + from + " " + to);
    return target()->RenameFile(from, to, options, dbg);
  }
  IOStatus DeleteFile(const std::string& name, const IOOptions& options,
                      IODebugContext* dbg) override {
    events.push_back("delete " + name);
    return target()->DeleteFile(name, options, dbg);
  }
  IOStatus NewDirectory(const std::string&, const IOOptions&,
                        std::unique_ptr<FSDirectory>* result,
                        IODebugContext*) override {
    *result = std::make_unique<NotingDirectory>(this);
    return IOStatus::OK();
  }

  std::vector<std::string> events;
  bool fail_sync = false;
};

TEST(CurrentFileTest, IsWrittenInTheSafeOrder) {
  NotingFileSystem fs;
  ASSERT_TRUE(SetCurrentFile(&fs, "/db", 5).ok());
  EXPECT_EQ(fs.events, (std::vector<std::string>{
                           "create /db/000005.dbtmp", "sync",
                           "rename /db/000005.dbtmp /db/CURRENT", "syncdir"}));
  std::string text;
  ASSERT_TRUE(ReadFileToString(&fs, "/db/CURRENT", &text).ok());
  EXPECT_EQ(text, "MANIFEST-000005\n");
  std::string path;
  uint64_t number = 0;
  ASSERT_TRUE(ReadCurrentFile(&fs, "/db", &path, &number).ok());
  EXPECT_EQ(path, "/db/MANIFEST-000005");
  EXPECT_EQ(number, 5u);
}

TEST(CurrentFileTest, AFailureBeforeTheRenameLeavesNothing) {
  NotingFileSystem fs;
  ASSERT_TRUE(SetCurrentFile(&fs, "/db", 5).ok());
  fs.fail_sync = true;
  fs.events.clear();
  EXPECT_TRUE(SetCurrentFile(&fs, "/db", 6).IsIOError());
  EXPECT_EQ(fs.events,
            (std::vector<std::string>{"create /db/000006.dbtmp", "sync",
                                      "delete /db/000006.dbtmp"}));
  uint64_t number = 0;
  std::string path;
  ASSERT_TRUE(ReadCurrentFile(&fs, "/db", &path, &number).ok());
  EXPECT_EQ(number, 5u);
}

TEST(CurrentFileTest, RefusesATextThatNamesNoManifest) {
  MemFileSystem fs;
  ASSERT_TRUE(fs.CreateDir("/db", IOOptions(), nullptr).ok());
  for (const char* text :
       {"", "\n", "MANIFEST-000005", "MANIFEST-\n", "MANIFEST-5x\n",
        "/MANIFEST-5\n", "000005.log\n", "MANIFEST-5\n\n"}) {
    ASSERT_TRUE(WriteStringToFile(&fs, text, "/db/CURRENT").ok());
    std::string path = "untouched";
    uint64_t number = 9;
    Status s = ReadCurrentFile(&fs, "/db", &path, &number);
    EXPECT_TRUE(s.IsCorruption()) << text << s.ToString();
    EXPECT_NE(s.ToString().find("/db/CURRENT"), std::string::npos);
    EXPECT_EQ(path, "untouched");
    EXPECT_EQ(number, 9u);
  }
  ASSERT_TRUE(fs.DeleteFile("/db/CURRENT", IOOptions(), nullptr).ok());
  std::string path;
  uint64_t number;
  EXPECT_FALSE(ReadCurrentFile(&fs, "/db", &path, &number).ok());
}

TEST(IdentityFileTest, IsWrittenInTheSafeOrder) {
  NotingFileSystem fs;
  const std::string id = "97297cef-b6c7-4770-a6ca-40a94ea2c0af";
  ASSERT_TRUE(SetIdentityFile(&fs, "/db", id).ok());
  EXPECT_EQ(fs.events, (std::vector<std::string>{
                           "create /db/000000.dbtmp", "sync",
                           "rename /db/000000.dbtmp /db/IDENTITY", "syncdir"}));
  std::string text;
  ASSERT_TRUE(ReadFileToString(&fs, "/db/IDENTITY", &text).ok());
  EXPECT_EQ(text, id);
  ASSERT_TRUE(WriteStringToFile(&fs, id + "\n", "/db/IDENTITY").ok());
  std::string read;
  ASSERT_TRUE(ReadIdentityFile(&fs, "/db", &read).ok());
  EXPECT_EQ(read, id);
}

}  // namespace

}  // namespace ROCKSDB_NAMESPACE

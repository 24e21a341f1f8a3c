// Names of files, and the two small files that are replaced as a whole:
// testdata/file/filename.txt.
//
//   parse NAME, parse_log NAME LOG_NAME      what a directory entry is
//   make KIND NUMBER                         its name, which is parsed again
//   table NUMBER PATH_ID PATH..              in one of several directories
//   legacy NAME, normal PATH, archived DIRECTORY NUMBER
//   log_prefix PATH [in_directory], log_name PATH DIRECTORY [TIME]
//   current NUMBER [sync_fails]      CURRENT, which named MANIFEST-000005; what
//                                    was done, and what it names then
//   identity ID                      the same for IDENTITY
//   read_current TEXT, read_identity TEXT    what such a text says
#include "file/filename.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "env/mem_file_system.h"
#include "tests/testing/script_calls.h"

namespace ROCKSDB_NAMESPACE {

namespace {

std::string KindOfFile(FileType type) {
  const std::map<FileType, std::string> names = {
      {kWalFile, "WAL"},
      {kDBLockFile, "lock"},
      {kTableFile, "table"},
      {kDescriptorFile, "manifest"},
      {kCurrentFile, "CURRENT"},
      {kTempFile, "temporary"},
      {kInfoLogFile, "info log"},
      {kMetaDatabase, "meta database"},
      {kIdentityFile, "identity"},
      {kOptionsFile, "options"},
      {kBlobFile, "blob"},
      {kCompactionProgressFile, "compaction progress"}};
  return names.at(type);
}

std::string ParsedName(const CallArguments& a, bool has_log_name) {
  uint64_t number = 4711;
  FileType type = kTempFile;
  WalFileType wal = kAliveLogFile;
  const bool is_ours = has_log_name
                           ? ParseFileName(a[0], a[1], &number, &type, &wal)
                           : ParseFileName(a[0], &number, &type, &wal);
  uint64_t again = 0;
  FileType again_type = kTempFile;
  if (!has_log_name) {
    EXPECT_EQ(ParseFileName(a[0], &again, &again_type), is_ours);
  }
  if (!is_ours) return "none of ours";
  return (wal == kArchivedLogFile ? "archived " : "") + KindOfFile(type) + " " +
         std::to_string(number);
}

std::string MadeName(const CallArguments& a) {
  const uint64_t number = a.Number(1);
  const std::map<std::string, std::pair<std::string, FileType>> kinds = {
      {"log", {LogFileName("db", number), kWalFile}},
      {"table", {TableFileName("db", number), kTableFile}},
      {"blob", {BlobFileName("db", number), kBlobFile}},
      {"manifest", {DescriptorFileName("db", number), kDescriptorFile}},
      {"options", {OptionsFileName("db", number), kOptionsFile}},
      {"temporary", {TempFileName("db", number), kTempFile}},
      {"temporary_options", {TempOptionsFileName("db", number), kTempFile}},
      {"meta_database", {MetaDatabaseName("db", number), kMetaDatabase}},
      {"old_info_log", {OldInfoLogFileName("db", number), kInfoLogFile}},
      {"current", {CurrentFileName("db"), kCurrentFile}},
      {"identity", {IdentityFileName("db"), kIdentityFile}},
      {"lock", {LockFileName("db"), kDBLockFile}},
  };
  const auto& [path, type] = kinds.at(a[0]);
  uint64_t parsed = 0;
  FileType parsed_type = kTempFile;
  EXPECT_TRUE(ParseFileName(path.substr(3), &parsed, &parsed_type)) << path;
  EXPECT_EQ(parsed, number);
  EXPECT_EQ(parsed_type, type);
  return path;
}

std::string TableInPaths(const CallArguments& a) {
  std::vector<DbPath> paths;
  for (const std::string& path : a.From(2)) paths.emplace_back(path, 0);
  return TableFileName(paths, a.Number(0), static_cast<uint32_t>(a.Number(1)));
}

// The names without their directory.
TEST(FilenameTest, NamesWithoutDirectory) {
  EXPECT_EQ(LogFileName(12), "000012.log");
  EXPECT_EQ(MakeTableFileName(12), "000012.sst");
  EXPECT_EQ(BlobFileName(12), "000012.blob");
  EXPECT_EQ(DescriptorFileName(12), "MANIFEST-000012");
  EXPECT_EQ(OptionsFileName(12), "OPTIONS-000012");
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

  std::string Events() {
    std::string text;
    for (const std::string& event : std::exchange(events, {})) {
      text += (text.empty() ? "" : ", ") + event;
    }
    return text;
  }

  std::vector<std::string> events;
  bool fail_sync = false;
};

std::string NamedByCurrent(FileSystem* fs) {
  std::string path = "untouched";
  uint64_t number = 9;
  const Status s = ReadCurrentFile(fs, "/db", &path, &number);
  if (s.ok()) return path + " " + std::to_string(number);
  EXPECT_EQ(path, "untouched");
  EXPECT_EQ(number, 9u);
  return s.ToString();
}

std::string ReplacedCurrent(const CallArguments& a) {
  NotingFileSystem fs;
  EXPECT_TRUE(SetCurrentFile(&fs, "/db", 5).ok());
  fs.events.clear();
  fs.fail_sync = a.Has(1);
  const Status s = SetCurrentFile(&fs, "/db", a.Number(0));
  std::string text;
  EXPECT_TRUE(ReadFileToString(&fs, "/db/CURRENT", &text).ok());
  return s.ToString() + ": " + fs.Events() + "; " + ShownBytes(text) + ", " +
         NamedByCurrent(&fs);
}
std::string ReplacedIdentity(const CallArguments& a) {
  NotingFileSystem fs;
  const Status s = SetIdentityFile(&fs, "/db", a[0]);
  std::string text;
  EXPECT_TRUE(ReadFileToString(&fs, "/db/IDENTITY", &text).ok());
  return s.ToString() + ": " + fs.Events() + "; " + ShownBytes(text);
}

std::string ReadTextOfCurrent(const CallArguments& a) {
  NotingFileSystem fs;
  if (a[0] != "-") {
    EXPECT_TRUE(WriteStringToFile(&fs, a[0], "/db/CURRENT").ok());
  }
  return NamedByCurrent(&fs);
}
std::string ReadTextOfIdentity(const CallArguments& a) {
  NotingFileSystem fs;
  EXPECT_TRUE(WriteStringToFile(&fs, a[0], "/db/IDENTITY").ok());
  std::string id = "untouched";
  const Status s = ReadIdentityFile(&fs, "/db", &id);
  return s.ok() ? ShownBytes(id) : s.ToString();
}

TEST(FilenameTest, CallsOfTheScript) {
  using Arguments = const CallArguments&;
  const ScriptCalls calls = {
      {"parse", [](Arguments a) { return ParsedName(a, false); }},
      {"parse_log", [](Arguments a) { return ParsedName(a, true); }},
      {"make", MadeName},
      {"table", TableInPaths},
      {"legacy", [](Arguments a) { return LegacyTableFileName(a[0]); }},
      {"normal", [](Arguments a) { return ShownBytes(NormalizePath(a[0])); }},
      {"archived",
       [](Arguments a) { return ArchivedLogFileName(a[0], a.Number(1)); }},
      {"log_prefix", [](Arguments a) { return InfoLogPrefix(a.Has(1), a[0]); }},
      {"log_name",
       [](Arguments a) {
         return a.Has(2) ? OldInfoLogFileName("db", a.Number(2), a[0], a[1])
                         : InfoLogFileName("db", a[0], a[1]);
       }},
      {"current", ReplacedCurrent},
      {"identity", ReplacedIdentity},
      {"read_current", ReadTextOfCurrent},
      {"read_identity", ReadTextOfIdentity},
  };
  EXPECT_GE(RunCalls("file/filename.txt", calls), 136u) << "calls went missing";
}

}  // namespace

}  // namespace ROCKSDB_NAMESPACE

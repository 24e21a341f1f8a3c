// What tells of the files that make up a database.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <string>

#include "rocksdb/env.h"
#include "rocksdb/file_checksum.h"
#include "rocksdb/file_system.h"
#include "rocksdb/listener.h"
#include "rocksdb/utilities/options_util.h"
#include "tests/db/impl/ingest_fixture.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class LiveFilesTest : public IngestFixture {
 protected:
  // Copies what is listed, as a checkpoint does.
  void CopyTo(const std::vector<LiveFileStorageInfo>& files,
              const std::string& directory) {
    ASSERT_OK(options_.env->CreateDirIfMissing(directory));
    for (const LiveFileStorageInfo& file : files) {
      std::string bytes = file.replacement_contents;
      if (bytes.empty()) {
        ASSERT_OK(ReadFileToString(
            options_.env, file.directory + "/" + file.relative_filename,
            &bytes));
      }
      if (file.trim_to_size) {
        ASSERT_GE(bytes.size(), file.size) << file.relative_filename;
        bytes.resize(file.size);
      }
      ASSERT_EQ(bytes.size(), file.size) << file.relative_filename;
      ASSERT_OK(WriteStringToFile(options_.env, bytes,
                                  directory + "/" + file.relative_filename));
    }
  }
};

TEST_F(LiveFilesTest, WhatIsListedIsADatabase) {
  Open();
  ASSERT_OK(Put("a", "table"));
  ASSERT_OK(Flush());
  ASSERT_OK(Put("b", "log"));
  for (const uint64_t limit :
       {std::numeric_limits<uint64_t>::max(), uint64_t{1} << 30, uint64_t{0}}) {
    LiveFilesStorageInfoOptions options;
    options.wal_size_for_flush = limit;
    ASSERT_OK(db_->DisableFileDeletions());
    std::vector<LiveFileStorageInfo> files;
    ASSERT_OK(db_->GetLiveFilesStorageInfo(options, &files));
    ASSERT_OK(Put("c", "later " + std::to_string(limit)));
    const std::string copy =
        directory_.path() + "/copy" + std::to_string(limit);
    CopyTo(files, copy);
    ASSERT_OK(db_->EnableFileDeletions());
    std::unique_ptr<DB> other;
    ASSERT_OK(DB::Open(options_, copy, &other));
    std::string value;
    EXPECT_OK(other->Get(ReadOptions(), "a", &value));
    EXPECT_OK(other->Get(ReadOptions(), "b", &value));
    EXPECT_EQ(value, "log");
    const Status s = other->Get(ReadOptions(), "c", &value);
    EXPECT_TRUE(limit == std::numeric_limits<uint64_t>::max() ? s.IsNotFound()
                                                              : s.ok());
    const size_t tables = std::count_if(
        files.begin(), files.end(),
        [](const auto& file) { return file.file_type == kTableFile; });
    EXPECT_EQ(tables, limit == 0 ? 2u : 1u) << "flushed when asked to";
  }
}

// Changes of options take numbers that no manifest hears of before a crash.
TEST_F(LiveFilesTest, OptionsOfACrashedSessionAreNotTheNewest) {
  Open();
  std::string options_file;
  ASSERT_OK(GetLatestOptionsFileName(path_, options_.env, &options_file));
  db_.reset();
  for (const char* left : {"/OPTIONS-000901", "/OPTIONS-000902"}) {
    std::filesystem::copy_file(path_ + "/" + options_file, path_ + left);
  }
  options_.max_open_files = 77;
  Open();
  std::vector<std::string> names;
  uint64_t manifest_bytes = 0;
  ASSERT_OK(db_->GetLiveFiles(names, &manifest_bytes));
  for (const std::string& name : names) {
    EXPECT_TRUE(std::filesystem::exists(path_ + name)) << name;
  }
  DBOptions loaded;
  std::vector<ColumnFamilyDescriptor> families;
  ASSERT_OK(LoadLatestOptions(ConfigOptions(), path_, &loaded, &families));
  EXPECT_EQ(loaded.max_open_files, 77);
}

TEST_F(LiveFilesTest, Checksums) {
  Open();
  ASSERT_OK(Put("before", "v"));
  ASSERT_OK(Flush());
  EXPECT_TRUE(db_->VerifyFileChecksums(ReadOptions()).IsInvalidArgument());
  options_.file_checksum_gen_factory = GetFileChecksumGenCrc32cFactory();
  Reopen();
  ASSERT_OK(Put("a", "v"));
  ASSERT_OK(Flush());
  EXPECT_OK(db_->VerifyFileChecksums(ReadOptions()));
  const std::unique_ptr<FileChecksumList> list(NewFileChecksumList());
  ASSERT_OK(db_->GetLiveFilesChecksumInfo(list.get()));
  EXPECT_EQ(list->size(), 2u);
  LiveFilesStorageInfoOptions options;
  options.include_checksum_info = true;
  std::vector<LiveFileStorageInfo> files;
  ASSERT_OK(db_->GetLiveFilesStorageInfo(options, &files));
  std::map<std::string, int> functions;
  for (const LiveFileStorageInfo& file : files) {
    if (file.file_type == kTableFile) {
      ++functions[file.file_checksum_func_name];
    } else {
      EXPECT_EQ(file.file_checksum_func_name, kUnknownFileChecksumFuncName)
          << file.relative_filename;
      EXPECT_EQ(file.file_checksum, "");
    }
  }
  EXPECT_GT(files.size(), 4u) << "manifest, CURRENT, options, log";
  EXPECT_EQ(functions,
            (std::map<std::string, int>{{kUnknownFileChecksumFuncName, 1},
                                        {kStandardDbFileChecksumFuncName, 1}}));
  std::map<std::string, int> of_metadata;
  for (const LiveFileMetaData& file : Tables()) {
    ++of_metadata[file.file_checksum_func_name];
  }
  EXPECT_EQ(of_metadata, functions);
  options.include_checksum_info = false;
  ASSERT_OK(db_->GetLiveFilesStorageInfo(options, &files));
  for (const LiveFileStorageInfo& file : files) {
    EXPECT_EQ(file.file_checksum_func_name, "") << file.relative_filename;
  }
  ASSERT_OK(CompactAll(true));
  EXPECT_OK(db_->VerifyFileChecksums(ReadOptions()));
  std::vector<LiveFileMetaData> live;
  db_->GetLiveFilesMetaData(&live);
  ASSERT_EQ(live.size(), 1u);
  const std::string table = live[0].db_path + live[0].name;
  std::string bytes;
  ASSERT_OK(ReadFileToString(options_.env, table, &bytes));
  bytes[bytes.size() / 2] ^= 1;
  ASSERT_OK(WriteStringToFile(options_.env, bytes, table));
  const Status s = db_->VerifyFileChecksums(ReadOptions());
  EXPECT_TRUE(s.IsCorruption()) << s.ToString();
  EXPECT_NE(s.ToString().find(live[0].relative_filename), std::string::npos);
}

TEST_F(LiveFilesTest, AgeOfTheOldestFile) {
  Open();
  uint64_t time = 1;
  ASSERT_OK(db_->GetCreationTimeOfOldestFile(&time));
  EXPECT_EQ(time, std::numeric_limits<uint64_t>::max()) << "there is none";
  ASSERT_OK(Put("a", "v"));
  ASSERT_OK(Flush());
  ASSERT_OK(db_->GetCreationTimeOfOldestFile(&time));
  std::vector<LiveFileMetaData> live;
  db_->GetLiveFilesMetaData(&live);
  EXPECT_EQ(time, live[0].file_creation_time);
  EXPECT_GT(time, 0u);
  // What is in force counts, not what it was opened with.
  ASSERT_OK(db_->SetDBOptions({{"max_open_files", "100"}}));
  EXPECT_TRUE(db_->GetCreationTimeOfOldestFile(&time).IsNotSupported());
  options_.max_open_files = 100;
  Reopen();
  EXPECT_TRUE(db_->GetCreationTimeOfOldestFile(&time).IsNotSupported());
  ASSERT_OK(db_->SetDBOptions({{"max_open_files", "-1"}}));
  ASSERT_OK(db_->GetCreationTimeOfOldestFile(&time));
  EXPECT_EQ(time, live[0].file_creation_time);
}

TEST_F(LiveFilesTest, MemtableStats) {
  Open();
  for (int i = 0; i < 99; ++i) ASSERT_OK(Put(Key(i), std::string(100, 'v')));
  uint64_t count = 0, bytes = 0;
  db_->GetApproximateMemTableStats(Range(Key(20), Key(40)), &count, &bytes);
  // So few are counted one by one.
  EXPECT_EQ(count, 20u);
  EXPECT_GE(bytes, count * 100);
  db_->GetApproximateMemTableStats(Range("x", "z"), &count, &bytes);
  EXPECT_EQ(count, 0u);
  EXPECT_EQ(bytes, 0u);
}

// The sizes of one key among others, of many versions of a key, and of a range
// that has only a range tombstone.
TEST_F(LiveFilesTest, SizesInMemory) {
  Open();
  const auto size_of = [&](const std::string& begin, const std::string& end) {
    const Range range(begin, end);
    SizeApproximationOptions memory;
    memory.include_memtables = true;
    memory.include_files = false;
    uint64_t size = 0;
    EXPECT_OK(db_->GetApproximateSizes(memory, db_->DefaultColumnFamily(),
                                       &range, 1, &size));
    uint64_t count = 0, bytes = 0;
    db_->GetApproximateMemTableStats(range, &count, &bytes);
    EXPECT_EQ(bytes, size);
    return size;
  };
  const std::string value(100, 'v');
  ASSERT_OK(Put("key", value));
  const uint64_t one = 3 + 8 + 100;
  EXPECT_EQ(size_of("key", "key0"), one);
  EXPECT_EQ(size_of("a", "b"), 0u);
  EXPECT_EQ(size_of("key", "key"), 0u);
  EXPECT_EQ(size_of("z", "a"), 0u);
  for (int i = 1; i < 1000; ++i) ASSERT_OK(Put("key", value));
  EXPECT_EQ(size_of("key", "key0"), 1000 * one);
  for (int i = 0; i < 100; ++i) ASSERT_OK(Put("k" + Key(i), value));
  const uint64_t average = 100;
  EXPECT_GE(size_of("k" + Key(7), "k" + Key(8)), average);
  ASSERT_OK(db_->DeleteRange(WriteOptions(), "a", "b"));
  EXPECT_GE(size_of("k" + Key(7), "k" + Key(8)), average);
  EXPECT_EQ(size_of("a", "b"), 0u);
}

TEST_F(LiveFilesTest, MetaDataOfAllFamilies) {
  Open();
  CreateFamily("b");
  ASSERT_OK(PutIn(0, "a", "v"));
  ASSERT_OK(db_->Flush(FlushOptions(), handles_[0]));
  std::vector<ColumnFamilyMetaData> all;
  db_->GetAllColumnFamilyMetaData(&all);
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].name, "default");
  EXPECT_EQ(all[0].file_count, 0u);
  EXPECT_EQ(all[1].name, "b");
  EXPECT_EQ(all[1].file_count, 1u);
}

// Calls back before a table is opened.
class OpeningWatch final : public FileSystemWrapper {
 public:
  OpeningWatch() : FileSystemWrapper(FileSystem::Default()) {}
  static const char* kClassName() { return "OpeningWatch"; }
  const char* Name() const override { return kClassName(); }
  IOStatus NewRandomAccessFile(const std::string& name,
                               const FileOptions& options,
                               std::unique_ptr<FSRandomAccessFile>* result,
                               IODebugContext* dbg) override {
    if (before_table != nullptr && name.ends_with(".sst")) before_table();
    return target()->NewRandomAccessFile(name, options, result, dbg);
  }

  std::function<void()> before_table;
};

// A new table is opened once the manifest names it, before its version is
// there: a listing then has neither.
TEST_F(LiveFilesTest, NothingIsListedHalf) {
  const auto watch = std::make_shared<OpeningWatch>();
  const std::unique_ptr<Env> env = NewCompositeEnv(watch);
  options_.env = env.get();
  Open();
  ASSERT_OK(Put("a", "1"));
  ASSERT_OK(db_->DisableFileDeletions());
  std::vector<std::string> copies;
  watch->before_table = [&] {
    LiveFilesStorageInfoOptions options;
    options.wal_size_for_flush = std::numeric_limits<uint64_t>::max();
    std::vector<LiveFileStorageInfo> files;
    ASSERT_OK(db_->GetLiveFilesStorageInfo(options, &files));
    copies.push_back(directory_.path() + "/copy" +
                     std::to_string(copies.size()));
    CopyTo(files, copies.back());
    std::vector<std::string> names;
    uint64_t manifest_bytes = 0;
    ASSERT_OK(db_->GetLiveFiles(names, &manifest_bytes, false));
    const auto manifest = std::find_if(
        files.begin(), files.end(), [](const LiveFileStorageInfo& file) {
          return file.file_type == kDescriptorFile;
        });
    ASSERT_NE(manifest, files.end());
    EXPECT_EQ(manifest_bytes, manifest->size);
  };
  ASSERT_OK(Flush());
  watch->before_table = nullptr;
  ASSERT_FALSE(copies.empty());
  for (const std::string& copy : copies) {
    std::unique_ptr<DB> other;
    SCOPED_TRACE(copy);
    ASSERT_OK(DB::Open(options_, copy, &other));
    std::string value;
    ASSERT_OK(other->Get(ReadOptions(), "a", &value));
    EXPECT_EQ(value, "1");
  }
  db_.reset();
}

class BeforeFlush final : public EventListener {
 public:
  void OnFlushBegin(DB* /*db*/, const FlushJobInfo& info) override {
    if (info.cf_name == family && call != nullptr) call();
  }

  std::string family;
  std::function<void()> call;
};

// Whoever flushes all families is not stopped by one that goes meanwhile.
TEST_F(LiveFilesTest, AFamilyIsDroppedWhileItIsWaitedFor) {
  const auto listener = std::make_shared<BeforeFlush>();
  listener->family = "x";
  options_.listeners = {listener};
  Open();
  listener->call = [&] {
    ColumnFamilyHandle* const handle = handles_.back();
    handles_.pop_back();
    ASSERT_OK(db_->DropColumnFamily(handle));
    ASSERT_OK(db_->DestroyColumnFamilyHandle(handle));
  };
  const std::function<Status()> calls[] = {
      [&] {
        std::vector<std::string> files;
        uint64_t manifest_bytes = 0;
        return db_->GetLiveFiles(files, &manifest_bytes, true);
      },
      [&] {
        std::vector<LiveFileStorageInfo> files;
        return db_->GetLiveFilesStorageInfo({}, &files);
      },
      [&] {
        WaitForCompactOptions options;
        options.flush = true;
        return db_->WaitForCompact(options);
      }};
  for (const auto& call : calls) {
    CreateFamily("x");
    ASSERT_OK(db_->Put(WriteOptions(), handles_.back(), "k", "v"));
    ASSERT_OK(Put("a", "1"));
    EXPECT_OK(call());
    EXPECT_TRUE(handles_.empty());
  }
}

// The family for which a log was kept is dropped; the manifest still asks for
// the log, on behalf of one that has written nothing.
TEST_F(LiveFilesTest, ALogThatOnlyTheManifestAsksFor) {
  Open();
  CreateFamily("x");
  CreateFamily("y");
  ASSERT_OK(PutIn(0, "in x", "1"));
  ASSERT_OK(Put("a", "1"));
  ASSERT_OK(Flush());
  ASSERT_OK(Put("b", "2"));
  ASSERT_OK(db_->DropColumnFamily(handles_[0]));
  LiveFilesStorageInfoOptions options;
  options.wal_size_for_flush = std::numeric_limits<uint64_t>::max();
  std::vector<LiveFileStorageInfo> files;
  ASSERT_OK(db_->GetLiveFilesStorageInfo(options, &files));
  const std::string copy = directory_.path() + "/copy";
  CopyTo(files, copy);
  std::vector<ColumnFamilyHandle*> handles;
  std::unique_ptr<DB> other;
  ASSERT_OK(DB::Open(DBOptions(options_), copy,
                     {{"default", ColumnFamilyOptions(options_)},
                      {"y", ColumnFamilyOptions(options_)}},
                     &handles, &other));
  std::string value;
  EXPECT_OK(other->Get(ReadOptions(), "b", &value));
  EXPECT_EQ(value, "2");
  for (ColumnFamilyHandle* handle : handles) {
    EXPECT_OK(other->DestroyColumnFamilyHandle(handle));
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

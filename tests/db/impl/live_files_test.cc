// What tells of the files that make up a database.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <map>
#include <memory>
#include <string>

#include "rocksdb/file_checksum.h"
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
    if (file.file_type == kTableFile) ++functions[file.file_checksum_func_name];
  }
  EXPECT_EQ(functions,
            (std::map<std::string, int>{{kUnknownFileChecksumFuncName, 1},
                                        {kStandardDbFileChecksumFuncName, 1}}));
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
  options_.max_open_files = 100;
  Reopen();
  EXPECT_TRUE(db_->GetCreationTimeOfOldestFile(&time).IsNotSupported());
}

TEST_F(LiveFilesTest, MemtableStats) {
  Open();
  for (int i = 0; i < 99; ++i) ASSERT_OK(Put(Key(i), std::string(100, 'v')));
  uint64_t count = 0, bytes = 0;
  db_->GetApproximateMemTableStats(Range(Key(20), Key(40)), &count, &bytes);
  // Estimates.
  EXPECT_GE(count, 10u);
  EXPECT_LE(count, 40u);
  EXPECT_GE(bytes, count * 100);
  db_->GetApproximateMemTableStats(Range("x", "z"), &count, &bytes);
  EXPECT_EQ(count, 0u);
  EXPECT_EQ(bytes, 0u);
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

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

// fast_sst_open: what a file system says of a table that was written is kept in
// the manifest, and told to it when the table is opened.
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "rocksdb/file_system.h"
#include "rocksdb/sst_file_writer.h"
#include "tests/db/impl/db_fixture.h"
#include "tests/testing/shell.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {
namespace {

std::string BaseName(const std::string& path) {
  return path.substr(path.rfind('/') + 1);
}

// Says of each file its name, filled up to so many bytes, or what fails.
class SayingFileSystem final : public FileSystemWrapper {
 public:
  using FileSystemWrapper::FileSystemWrapper;
  const char* Name() const override { return "SayingFileSystem"; }

  IOStatus NewRandomAccessFile(const std::string& path,
                               const FileOptions& options,
                               std::unique_ptr<FSRandomAccessFile>* result,
                               IODebugContext* dbg) override {
    std::unique_ptr<FSRandomAccessFile> file;
    IOStatus s = target()->NewRandomAccessFile(path, options, &file, dbg);
    if (!s.ok()) return s;
    MutexLock lock(&mutex_);
    const std::string name = BaseName(path);
    if (options.file_metadata != nullptr) told_[name] = *options.file_metadata;
    *result = std::make_unique<File>(std::move(file), size_, failure_, name);
    return s;
  }

  static std::string SaidOf(const std::string& name, size_t size) {
    std::string text = name;
    text.resize(size, '\0');
    return text;
  }
  void Say(size_t size) {
    MutexLock lock(&mutex_);
    size_ = size;
  }
  void FailWith(const IOStatus& failure) {
    MutexLock lock(&mutex_);
    failure_ = failure;
  }
  // What it was told of each file since the last call.
  std::map<std::string, std::string> TakeTold() {
    MutexLock lock(&mutex_);
    return std::exchange(told_, {});
  }

 private:
  class File final : public FSRandomAccessFileOwnerWrapper {
   public:
    File(std::unique_ptr<FSRandomAccessFile> file, size_t size,
         IOStatus failure, std::string name)
        : FSRandomAccessFileOwnerWrapper(std::move(file)),
          size_(size),
          failure_(std::move(failure)),
          name_(std::move(name)) {}
    IOStatus GetFileOpenMetadata(std::string* metadata) override {
      if (failure_.ok()) *metadata = SaidOf(name_, size_);
      return failure_;
    }

   private:
    const size_t size_;
    const IOStatus failure_;
    const std::string name_;
  };

  Mutex mutex_;
  size_t size_ GUARDED_BY(mutex_) = 100;
  IOStatus failure_ GUARDED_BY(mutex_);
  std::map<std::string, std::string> told_ GUARDED_BY(mutex_);
};

class FastSstOpenTest : public DbFixture {
 protected:
  FastSstOpenTest()
      : files_(std::make_shared<SayingFileSystem>(FileSystem::Default())),
        env_(NewCompositeEnv(files_)) {
    options_.env = env_.get();
    options_.fast_sst_open = true;
    options_.disable_auto_compactions = true;
    options_.statistics = CreateDBStatistics();
  }
  ~FastSstOpenTest() override { db_.reset(); }

  void WriteTable(const std::string& key) {
    ASSERT_OK(Put(key, "v"));
    ASSERT_OK(Flush());
  }
  // What the file system says of each live table, in `size` bytes.
  std::map<std::string, std::string> SaidOfTables(size_t size) {
    std::map<std::string, std::string> said;
    for (const std::string& table : TableNames()) {
      const std::string name = BaseName(table);
      said[name] = SayingFileSystem::SaidOf(name, size);
    }
    return said;
  }
  void ReopenAndForget() {
    db_.reset();
    files_->TakeTold();
    ASSERT_NO_FATAL_FAILURE(Open());
  }

  const std::shared_ptr<SayingFileSystem> files_;
  const std::unique_ptr<Env> env_;
};

TEST_F(FastSstOpenTest, ItIsToldWhatItHasSaid) {
  ASSERT_NO_FATAL_FAILURE(Open());
  for (const size_t size : {1, 100, 8192}) {
    files_->Say(size);
    ASSERT_NO_FATAL_FAILURE(WriteTable("a"));
    ASSERT_NO_FATAL_FAILURE(WriteTable("b"));
    ASSERT_OK(CompactAll(/*force=*/true));
    EXPECT_GE(Ticker(FILE_OPEN_METADATA_RETRIEVED), 3u);
    // More than once: it is kept when the manifest is written anew.
    for (int i = 0; i < 3; ++i) {
      ASSERT_OK(options_.statistics->Reset());
      ASSERT_NO_FATAL_FAILURE(ReopenAndForget());
      EXPECT_EQ(Get("a"), "v");
      EXPECT_EQ(files_->TakeTold(), SaidOfTables(size));
      EXPECT_EQ(Ticker(FILE_OPEN_METADATA_PASSED), 1u);
    }
    ASSERT_OK(options_.statistics->Reset());
  }
}

TEST_F(FastSstOpenTest, TooMuchIsDropped) {
  ASSERT_NO_FATAL_FAILURE(Open());
  files_->Say(8193);
  ASSERT_NO_FATAL_FAILURE(WriteTable("a"));
  EXPECT_EQ(Ticker(FILE_OPEN_METADATA_RETRIEVED), 0u);
  ASSERT_NO_FATAL_FAILURE(ReopenAndForget());
  EXPECT_EQ(Get("a"), "v");
  EXPECT_TRUE(files_->TakeTold().empty());
}

TEST_F(FastSstOpenTest, WhatFailsToSayOpensAsOthersDo) {
  ASSERT_NO_FATAL_FAILURE(Open());
  for (const IOStatus& failure :
       {IOStatus::NotSupported(), IOStatus::IOError("no more")}) {
    files_->FailWith(failure);
    ASSERT_NO_FATAL_FAILURE(WriteTable("a"));
  }
  files_->FailWith(IOStatus::OK());
  files_->Say(0);
  ASSERT_NO_FATAL_FAILURE(WriteTable("a"));
  EXPECT_EQ(Ticker(FILE_OPEN_METADATA_RETRIEVED), 0u);
  ASSERT_NO_FATAL_FAILURE(ReopenAndForget());
  EXPECT_EQ(Get("a"), "v");
  EXPECT_TRUE(files_->TakeTold().empty());
  EXPECT_EQ(Ticker(FILE_OPEN_METADATA_PASSED), 0u);
}

TEST_F(FastSstOpenTest, OnlyWhileItIsOn) {
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_NO_FATAL_FAILURE(WriteTable("a"));
  const auto said = SaidOfTables(100);
  options_.fast_sst_open = false;
  ASSERT_NO_FATAL_FAILURE(ReopenAndForget());
  EXPECT_EQ(Get("a"), "v");
  EXPECT_TRUE(files_->TakeTold().empty());
  ASSERT_NO_FATAL_FAILURE(WriteTable("b"));
  ASSERT_OK(db_->SetDBOptions({{"fast_sst_open", "true"}}));
  ASSERT_NO_FATAL_FAILURE(WriteTable("c"));
  EXPECT_EQ(Ticker(FILE_OPEN_METADATA_RETRIEVED), 2u);
  // The first is known from the manifest, the second is not.
  options_.fast_sst_open = true;
  const auto of_all = SaidOfTables(100);
  ASSERT_NO_FATAL_FAILURE(ReopenAndForget());
  EXPECT_EQ(Scan(), "a=v b=v c=v ");
  const auto told = files_->TakeTold();
  EXPECT_EQ(told.size(), 2u);
  for (const auto& [name, text] : told) EXPECT_EQ(text, of_all.at(name));
  EXPECT_TRUE(told.contains(said.begin()->first));
}

TEST_F(FastSstOpenTest, IngestedTablesAreToldOf) {
  const std::string file = path_ + "-ingested";
  SstFileWriter writer(EnvOptions(), options_);
  ASSERT_OK(writer.Open(file));
  ASSERT_OK(writer.Put("a", "v"));
  ASSERT_OK(writer.Finish());
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_OK(db_->IngestExternalFile({file}, IngestExternalFileOptions()));
  EXPECT_EQ(Ticker(FILE_OPEN_METADATA_RETRIEVED), 1u);
  ASSERT_NO_FATAL_FAILURE(ReopenAndForget());
  EXPECT_EQ(Get("a"), "v");
  EXPECT_EQ(files_->TakeTold(), SaidOfTables(100));
}

TEST_F(FastSstOpenTest, WithFewOpenFiles) {
  options_.max_open_files = 20;
  ASSERT_NO_FATAL_FAILURE(Open());
  for (int i = 0; i < 15; ++i) {
    ASSERT_NO_FATAL_FAILURE(WriteTable("k" + std::to_string(10 + i)));
  }
  EXPECT_EQ(Ticker(FILE_OPEN_METADATA_RETRIEVED), 15u);
  ASSERT_NO_FATAL_FAILURE(ReopenAndForget());
  for (int i = 0; i < 15; ++i)
    EXPECT_EQ(Get("k" + std::to_string(10 + i)), "v");
  EXPECT_EQ(files_->TakeTold(), SaidOfTables(100));
}

TEST_F(FastSstOpenTest, StockToolsPassOverIt) {
  if (!HasProgram("ldb")) GTEST_SKIP() << "ldb is not installed";
  BlockBasedTableOptions table;
  table.format_version = 5;
  options_.table_factory.reset(NewBlockBasedTableFactory(table));
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_NO_FATAL_FAILURE(WriteTable("a"));
  db_.reset();
  int status = 0;
  const std::string output =
      RunShell("ldb --ignore_unknown_options --db=" + path_ + " scan", &status);
  EXPECT_EQ(status, 0) << output;
  EXPECT_NE(output.find("a : v"), std::string::npos) << output;
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

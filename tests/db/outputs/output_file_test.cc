// A file that a job writes: on the device once it is joined, whatever call
// fails on the way.
#include "db/outputs/output_file.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "db/outputs/table_output.h"
#include "file/file_util.h"
#include "rocksdb/file_checksum.h"
#include "tests/db/compaction/job_world.h"

namespace ROCKSDB_NAMESPACE {
namespace {

constexpr char kPath[] = "/db/000123.blob";

class OutputFileTest : public ::testing::Test {
 protected:
  ~OutputFileTest() override { world_.Close(); }

  void Create() {
    ASSERT_NO_FATAL_FAILURE(world_.Create());
    job_ = world_.Context();
  }
  Status Begin(std::unique_ptr<OutputFile>* file) {
    OutputFileRequest request;
    request.job = &job_;
    request.type = kBlobFile;
    request.options = OutputFileOptions(job_);
    request.write_histogram = BLOB_DB_BLOB_FILE_WRITE_MICROS;
    request.sync_histogram = BLOB_DB_BLOB_FILE_SYNC_MICROS;
    return OutputFile::Create(request, kPath, file);
  }
  // All of it; the file is given up where something fails.
  Status Write(const std::string& bytes, std::unique_ptr<OutputFile>* file) {
    Status s = Begin(file);
    if (!s.ok()) return s;
    s = (*file)->writer()->Append(bytes);
    if (s.ok()) s = (*file)->Seal();
    if (s.ok()) s = (*file)->Join();
    if (!s.ok()) (*file)->GiveUp();
    return s;
  }
  std::string Read() {
    std::string bytes;
    EXPECT_TRUE(ReadFileToString(world_.f.fs.get(), kPath, &bytes).ok());
    return bytes;
  }

  JobWorld world_;
  JobContext job_;
};

TEST_F(OutputFileTest, IsOnTheDeviceOnceItIsJoined) {
  Create();
  std::unique_ptr<OutputFile> file;
  ASSERT_TRUE(Write("all of it", &file).ok());
  EXPECT_EQ(file->path(), kPath);
  ASSERT_TRUE(SyncOutputDirectory(job_, 0).ok());
  ASSERT_TRUE(world_.f.fs->DropUnsyncedData().ok());
  EXPECT_EQ(Read(), "all of it");
}

TEST_F(OutputFileTest, IsNotBeforeItIsSealed) {
  Create();
  std::unique_ptr<OutputFile> file;
  ASSERT_TRUE(Begin(&file).ok());
  ASSERT_TRUE(file->writer()->Append("all of it").ok());
  file->GiveUp();
  ASSERT_TRUE(SyncOutputDirectory(job_, 0).ok());
  ASSERT_TRUE(world_.f.fs->DropUnsyncedData().ok());
  EXPECT_EQ(Read(), "");
}

TEST_F(OutputFileTest, EachCallThatFailsIsToldOnce) {
  Create();
  for (uint64_t k = 1;; ++k) {
    world_.f.fs->FailCall({.call = k, .path_contains = "000123"});
    std::unique_ptr<OutputFile> file;
    const Status s = Write("all of it", &file);
    const bool has_failed = world_.f.fs->failed();
    const std::string call = world_.f.fs->failed_call();
    world_.f.fs->ClearFault();
    if (!has_failed) {
      ASSERT_TRUE(s.ok()) << s.ToString();
      // Made, written, synced and closed, at least.
      EXPECT_GT(k, 3u);
      break;
    }
    EXPECT_FALSE(s.ok()) << call;
    EXPECT_NE(s.ToString().find("000123"), std::string::npos) << s.ToString();
  }
  EXPECT_EQ(world_.f.fs->open_handles(FileKind::kWritable), 0u);
}

TEST_F(OutputFileTest, HasNoChecksumWhereNoneIsAskedFor) {
  Create();
  std::string value = "as it was";
  std::string method = value;
  std::unique_ptr<OutputFile> file;
  ASSERT_TRUE(Write("all of it", &file).ok());
  file->GetChecksum(&value, &method);
  EXPECT_EQ(value, "as it was");
  EXPECT_EQ(method, "as it was");
}

TEST_F(OutputFileTest, TellsItsChecksum) {
  world_.f.db_options.file_checksum_gen_factory =
      GetFileChecksumGenCrc32cFactory();
  Create();
  std::unique_ptr<OutputFile> file;
  ASSERT_TRUE(Write("all of it", &file).ok());
  std::string value;
  std::string method;
  file->GetChecksum(&value, &method);
  EXPECT_EQ(method, "FileChecksumCrc32c");
  EXPECT_EQ(value.size(), 4u);
}

TEST_F(OutputFileTest, TimesOfWritesAndSyncsGoToTheirHistograms) {
  world_.f.db_options.statistics->set_stats_level(StatsLevel::kAll);
  Create();
  std::unique_ptr<OutputFile> file;
  ASSERT_TRUE(Write("all of it", &file).ok());
  const Statistics& statistics = *world_.f.db_options.statistics;
  HistogramData data;
  statistics.histogramData(BLOB_DB_BLOB_FILE_WRITE_MICROS, &data);
  EXPECT_EQ(data.count, 1u);
  statistics.histogramData(BLOB_DB_BLOB_FILE_SYNC_MICROS, &data);
  EXPECT_EQ(data.count, 1u);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

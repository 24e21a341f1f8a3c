// Traces of I/O: which operations on which files a database's trace has, and
// what is told of them.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "monitoring/trace/io_trace_format.h"
#include "monitoring/trace/trace_format.h"
#include "rocksdb/db.h"
#include "rocksdb/env.h"
#include "rocksdb/table.h"
#include "tests/testing/memory_trace.h"
#include "tests/testing/temp_dir.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class IoTraceTest : public ::testing::Test {
 protected:
  IoTraceTest() : directory_("io_trace") {
    options_.create_if_missing = true;
    options_.compression = kNoCompression;
    Open();
  }
  void Open() {
    const Status s = DB::Open(options_, directory_.path() + "/db", &db_);
    ASSERT_TRUE(s.ok()) << s.ToString();
  }
  void Start(const TraceOptions& options = TraceOptions()) {
    const Status s = db_->StartIOTrace(options, trace_.NewWriter());
    ASSERT_TRUE(s.ok()) << s.ToString();
  }
  std::vector<IoTraceRecord> Operations() {
    std::vector<IoTraceRecord> operations;
    bool is_first = true;
    for (const TraceInMemory::Record& record : trace_.Records()) {
      if (is_first) {
        EXPECT_EQ(record.type, kTraceBegin);
        is_first = false;
        continue;
      }
      EXPECT_EQ(record.type, kIOTracer);
      IoTraceRecord& operation = operations.emplace_back();
      operation.access_nanos = record.time;
      const Status s = DecodeIoTraceRecord(record.payload, &operation);
      EXPECT_TRUE(s.ok()) << s.ToString();
    }
    return operations;
  }
  std::vector<IoTraceRecord> Of(const std::string& operation,
                                const std::string& suffix) {
    std::vector<IoTraceRecord> found;
    for (IoTraceRecord& one : Operations()) {
      if (one.operation == operation && Slice(one.file_name).ends_with(suffix))
        found.push_back(std::move(one));
    }
    return found;
  }

  TempDir directory_;
  Options options_;
  TraceInMemory trace_;
  std::unique_ptr<DB> db_;
};

TEST_F(IoTraceTest, FilesFromBeforeAndOfTheTraceAreInIt) {
  Start();
  ASSERT_TRUE(db_->Put(WriteOptions(), "new", "value").ok());
  ASSERT_TRUE(db_->Flush(FlushOptions()).ok());
  std::string value;
  ASSERT_TRUE(db_->Get(ReadOptions(), "new", &value).ok());
  // The log was open before.
  const std::vector<IoTraceRecord> appends = Of("Append", ".log");
  ASSERT_FALSE(appends.empty());
  EXPECT_GT(appends[0].operands.length.value_or(0), 10u);
  EXPECT_FALSE(appends[0].operands.offset.has_value());
  ASSERT_EQ(Of("NewWritableFile", ".sst").size(), 1u);
  ASSERT_EQ(Of("NewRandomAccessFile", ".sst").size(), 1u);
  ASSERT_FALSE(Of("Append", ".sst").empty());
  ASSERT_EQ(Of("Close", ".sst").size(), 1u);
  const std::vector<IoTraceRecord> reads = Of("Read", ".sst");
  ASSERT_FALSE(reads.empty());
  EXPECT_TRUE(reads[0].operands.length.has_value());
  EXPECT_TRUE(reads[0].operands.offset.has_value());
  uint64_t before = 0;
  for (const IoTraceRecord& operation : Operations()) {
    EXPECT_EQ(operation.status, "OK");
    EXPECT_EQ(operation.file_name.find('/'), std::string::npos);
    EXPECT_FALSE(operation.request_id.has_value());
    EXPECT_LE(operation.latency_nanos, operation.access_nanos);
    EXPECT_GE(operation.access_nanos, before);
    before = operation.access_nanos;
  }
}

TEST_F(IoTraceTest, TheSizesAreThoseOfTheFiles) {
  Start();
  ASSERT_TRUE(db_->Put(WriteOptions(), "new", std::string(5000, 'v')).ok());
  ASSERT_TRUE(db_->Flush(FlushOptions()).ok());
  std::vector<LiveFileMetaData> files;
  db_->GetLiveFilesMetaData(&files);
  ASSERT_EQ(files.size(), 1u);
  uint64_t written = 0;
  for (const IoTraceRecord& one : Of("Append", ".sst")) {
    written += one.operands.length.value_or(0);
  }
  EXPECT_EQ(written, files[0].size);
  const std::vector<IoTraceRecord> sizes = Of("GetFileSize", ".sst");
  ASSERT_FALSE(sizes.empty());
  EXPECT_EQ(sizes.back().operands.file_size.value_or(0), files[0].size);
}

TEST_F(IoTraceTest, FailuresAreToldAsTheyAre) {
  ASSERT_TRUE(db_->Put(WriteOptions(), "new", "value").ok());
  ASSERT_TRUE(db_->Flush(FlushOptions()).ok());
  std::vector<LiveFileMetaData> files;
  db_->GetLiveFilesMetaData(&files);
  ASSERT_EQ(files.size(), 1u);
  // Nobody has it open when it goes.
  db_.reset();
  options_.max_open_files = 10;
  options_.skip_stats_update_on_db_open = true;
  Open();
  trace_.bytes.clear();
  Start();
  ASSERT_TRUE(
      Env::Default()->DeleteFile(files[0].db_path + files[0].name).ok());
  std::string value;
  EXPECT_FALSE(db_->Get(ReadOptions(), "new", &value).ok());
  const std::vector<IoTraceRecord> opens = Of("NewRandomAccessFile", ".sst");
  ASSERT_FALSE(opens.empty());
  EXPECT_EQ(opens[0].status.substr(0, 8), "IO error");
}

TEST_F(IoTraceTest, OneTraceAtATime) {
  EXPECT_TRUE(db_->EndIOTrace().ok());
  EXPECT_TRUE(db_->StartIOTrace(TraceOptions(), nullptr).IsInvalidArgument());
  Start();
  TraceInMemory other;
  EXPECT_TRUE(db_->StartIOTrace(TraceOptions(), other.NewWriter()).IsBusy());
  EXPECT_TRUE(db_->EndIOTrace().ok());
  EXPECT_EQ(trace_.closed, 1);
  const size_t size = trace_.bytes.size();
  ASSERT_TRUE(db_->Put(WriteOptions(), "new", "value").ok());
  ASSERT_TRUE(db_->Flush(FlushOptions()).ok());
  EXPECT_EQ(trace_.bytes.size(), size);
  ASSERT_TRUE(db_->StartIOTrace(TraceOptions(), other.NewWriter()).ok());
  db_.reset();
  EXPECT_EQ(other.closed, 1);
}

TEST_F(IoTraceTest, EachSoManyethOperationIsInASample) {
  TraceOptions options;
  options.sampling_frequency = 5;
  Start(options);
  for (int i = 0; i < 10; ++i) {
    ASSERT_TRUE(db_->Put(WriteOptions(), "new", "value").ok());
  }
  // Two, but for operations of other threads in between.
  const size_t sampled = Of("Append", ".log").size();
  EXPECT_GE(sampled, 1u);
  EXPECT_LE(sampled, 3u);
}

TEST_F(IoTraceTest, AFullTraceTakesNoMore) {
  TraceOptions options;
  options.max_trace_file_size = 300;
  Start(options);
  for (int i = 0; i < 20; ++i) {
    ASSERT_TRUE(db_->Put(WriteOptions(), "new", "value").ok());
  }
  EXPECT_GT(trace_.bytes.size(), 300u);
  EXPECT_LT(trace_.bytes.size(), 450u);
}

TEST_F(IoTraceTest, AFailureEndsTheTraceAlone) {
  trace_.writes_left = 0;
  EXPECT_TRUE(
      db_->StartIOTrace(TraceOptions(), trace_.NewWriter()).IsIOError());
  trace_.writes_left = 3;
  Start();
  for (int i = 0; i < 20; ++i) {
    ASSERT_TRUE(db_->Put(WriteOptions(), "new", "value").ok());
  }
  trace_.writes_left = -1;
  ASSERT_TRUE(db_->Put(WriteOptions(), "new", "value").ok());
  EXPECT_EQ(trace_.Records().size(), 3u);
  EXPECT_TRUE(db_->EndIOTrace().ok());
}

TEST_F(IoTraceTest, TheFileSystemOfUsersIsTheirs) {
  EXPECT_EQ(db_->GetFileSystem(), Env::Default()->GetFileSystem().get());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

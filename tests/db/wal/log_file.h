// Log files in memory, for the tests of the writer and the reader.
#pragma once

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "db/wal/log_reader.h"
#include "db/wal/log_writer.h"
#include "file/sequential_file_reader.h"
#include "file/writable_file_writer.h"
#include "rocksdb/file_system.h"

namespace ROCKSDB_NAMESPACE {

// Appends to a string. Call number `fail_at` (appends, flushes, syncs) fails.
class StringSink : public FSWritableFile {
 public:
  explicit StringSink(std::string* contents, int fail_at = -1)
      : contents_(contents), fail_at_(fail_at) {}

  IOStatus Append(const Slice& data, const IOOptions&,
                  IODebugContext*) override {
    if (Fails()) return IOStatus::IOError("append");
    contents_->append(data.data(), data.size());
    return IOStatus::OK();
  }
  using FSWritableFile::Append;
  IOStatus Close(const IOOptions&, IODebugContext*) override {
    return IOStatus::OK();
  }
  IOStatus Flush(const IOOptions&, IODebugContext*) override {
    return Fails() ? IOStatus::IOError("flush") : IOStatus::OK();
  }
  IOStatus Sync(const IOOptions&, IODebugContext*) override {
    return Fails() ? IOStatus::IOError("sync") : IOStatus::OK();
  }

 private:
  bool Fails() { return fail_at_ >= 0 && fail_at_-- == 0; }

  std::string* const contents_;
  int fail_at_;
};

// Reads a string. Read number `fail_at` fails.
class StringSource : public FSSequentialFile {
 public:
  explicit StringSource(std::string contents, int fail_at = -1)
      : contents_(std::move(contents)), fail_at_(fail_at) {}

  IOStatus Read(size_t n, const IOOptions&, Slice* result, char* scratch,
                IODebugContext*) override {
    if (fail_at_ >= 0 && fail_at_-- == 0) return IOStatus::IOError("read");
    n = std::min(n, contents_.size() - position_);
    std::memcpy(scratch, contents_.data() + position_, n);
    *result = Slice(scratch, n);
    position_ += n;
    return IOStatus::OK();
  }
  IOStatus Skip(uint64_t n) override {
    position_ += std::min<uint64_t>(n, contents_.size() - position_);
    return IOStatus::OK();
  }

 private:
  const std::string contents_;
  size_t position_ = 0;
  int fail_at_;
};

inline std::unique_ptr<log::Writer> NewLogWriter(
    std::string* contents, const log::WriterOptions& options,
    int fail_at = -1) {
  return std::make_unique<log::Writer>(
      std::make_unique<WritableFileWriter>(
          std::make_unique<StringSink>(contents, fail_at), "test.log",
          FileOptions()),
      options);
}

// What a reader made of a log.
struct LogContents : public log::Reader::Reporter {
  std::vector<std::string> records;
  std::vector<Status> reports;
  size_t dropped_bytes = 0;
  int old_records = 0;
  std::map<uint32_t, uint16_t> timestamp_sizes;

  void Corruption(size_t bytes, const Status& status) override {
    dropped_bytes += bytes;
    reports.push_back(status);
  }
  void OldLogRecord(size_t) override { ++old_records; }
};

inline LogContents ReadLogWith(log::Reader::Options options,
                               const std::string& contents,
                               WALRecoveryMode mode, int fail_at = -1) {
  LogContents result;
  options.name = "test.log";
  log::Reader reader(
      std::make_unique<SequentialFileReader>(
          std::make_unique<StringSource>(contents, fail_at), "test.log"),
      &result, options);
  Slice record;
  std::string scratch;
  while (reader.ReadRecord(&record, &scratch, mode)) {
    result.records.push_back(record.ToString());
  }
  result.timestamp_sizes = reader.timestamp_sizes();
  return result;
}

inline LogContents ReadLog(const std::string& contents, WALRecoveryMode mode,
                           uint64_t log_number = 0, int fail_at = -1) {
  log::Reader::Options options;
  options.log_number = log_number;
  return ReadLogWith(options, contents, mode, fail_at);
}

inline constexpr WALRecoveryMode kAllModes[] = {
    WALRecoveryMode::kTolerateCorruptedTailRecords,
    WALRecoveryMode::kAbsoluteConsistency,
    WALRecoveryMode::kPointInTimeRecovery,
    WALRecoveryMode::kSkipAnyCorruptedRecords};

// A file of tests/testdata/wal.
inline std::string TestLog(const std::string& name) {
  std::ifstream file(
      std::string(BASALT_SOURCE_DIR) + "/tests/testdata/wal/" + name + ".log",
      std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

}  // namespace ROCKSDB_NAMESPACE

// Traces in files (monitoring/trace/trace_format.h).
#include <cstring>
#include <memory>
#include <string>
#include <utility>

#include "file/sequential_file_reader.h"
#include "file/writable_file_writer.h"
#include "monitoring/trace/trace_format.h"
#include "rocksdb/trace_reader_writer.h"
#include "util/coding.h"

namespace ROCKSDB_NAMESPACE {

namespace {

constexpr size_t kTraceReadAheadBytes = 1 << 20;

class FileTraceWriter final : public TraceWriter {
 public:
  explicit FileTraceWriter(std::unique_ptr<WritableFileWriter> file)
      : file_(std::move(file)) {}

  Status Write(const Slice& data) override { return file_->Append(data); }
  Status Close() override { return file_->Close(); }
  uint64_t GetFileSize() override { return file_->GetFileSize(); }

 private:
  const std::unique_ptr<WritableFileWriter> file_;
};

// The file is held against its size, so that a damaged length does not ask for
// memory.
class FileTraceReader final : public TraceReader {
 public:
  FileTraceReader(std::shared_ptr<FileSystem> fs, std::string path,
                  const FileOptions& options)
      : fs_(std::move(fs)), path_(std::move(path)), options_(options) {}

  Status Open() {
    uint64_t size = 0;
    Status s = fs_->GetFileSize(path_, IOOptions(), &size, nullptr);
    if (!s.ok()) return s;
    std::unique_ptr<SequentialFileReader> file;
    s = SequentialFileReader::Create(fs_.get(), path_, options_, &file,
                                     kTraceReadAheadBytes);
    if (!s.ok()) return s;
    file_ = std::move(file);
    left_ = size;
    return s;
  }

  Status Read(std::string* data) override {
    if (file_ == nullptr) return Closed();
    if (left_ == 0) return Status::Incomplete();
    std::string record(kTraceRecordHeadBytes, '\0');
    Status s = ReadBytes(record.size(), record.data());
    if (!s.ok()) return s;
    const uint32_t length =
        DecodeFixed32(record.data() + kTraceRecordHeadBytes - sizeof(uint32_t));
    if (length > left_) return CutOff();
    record.resize(kTraceRecordHeadBytes + length);
    s = ReadBytes(length, record.data() + kTraceRecordHeadBytes);
    if (s.ok()) *data = std::move(record);
    return s;
  }
  Status Close() override {
    file_.reset();
    return Status::OK();
  }
  Status Reset() override { return file_ == nullptr ? Closed() : Open(); }

 private:
  static Status Closed() { return Status::IOError("TraceReader is closed."); }
  static Status CutOff() { return Status::Corruption("Corrupted trace file."); }

  Status ReadBytes(size_t n, char* bytes) {
    if (n > left_) return CutOff();
    Slice read;
    Status s = file_->Read(n, &read, bytes);
    if (!s.ok()) return s;
    if (read.size() != n) return CutOff();
    if (read.data() != bytes) memcpy(bytes, read.data(), n);
    left_ -= n;
    return s;
  }

  const std::shared_ptr<FileSystem> fs_;
  const std::string path_;
  const FileOptions options_;
  std::unique_ptr<SequentialFileReader> file_;  // null: closed
  uint64_t left_ = 0;
};

}  // namespace

Status NewFileTraceWriter(Env* env, const EnvOptions& env_options,
                          const std::string& trace_filename,
                          std::unique_ptr<TraceWriter>* trace_writer) {
  std::unique_ptr<WritableFileWriter> file;
  Status s =
      WritableFileWriter::Create(env->GetFileSystem().get(), trace_filename,
                                 FileOptions(env_options), &file);
  if (s.ok()) {
    *trace_writer = std::make_unique<FileTraceWriter>(std::move(file));
  }
  return s;
}

Status NewFileTraceReader(Env* env, const EnvOptions& env_options,
                          const std::string& trace_filename,
                          std::unique_ptr<TraceReader>* trace_reader) {
  auto reader = std::make_unique<FileTraceReader>(
      env->GetFileSystem(), trace_filename, FileOptions(env_options));
  Status s = reader->Open();
  if (s.ok()) *trace_reader = std::move(reader);
  return s;
}

}  // namespace ROCKSDB_NAMESPACE

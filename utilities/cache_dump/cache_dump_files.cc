// Dumps of caches in files.
#include <memory>
#include <string>
#include <utility>

#include "file/sequential_file_reader.h"
#include "file/writable_file_writer.h"
#include "rocksdb/utilities/cache_dump_load.h"
#include "util/coding.h"

namespace ROCKSDB_NAMESPACE {

namespace {

class CacheDumpFileWriter final : public CacheDumpWriter {
 public:
  explicit CacheDumpFileWriter(std::unique_ptr<WritableFileWriter> file)
      : file_(std::move(file)) {}

  IOStatus WriteMetadata(const Slice& metadata) override {
    return Write(metadata);
  }
  IOStatus WritePacket(const Slice& data) override { return Write(data); }
  IOStatus Close() override {
    IOStatus s = file_->Sync(/*use_fsync=*/false);
    const IOStatus closed = file_->Close();
    return s.ok() ? closed : s;
  }

 private:
  IOStatus Write(const Slice& bytes) {
    std::string length;
    PutFixed32(&length, static_cast<uint32_t>(bytes.size()));
    IOStatus s = file_->Append(length);
    return s.ok() ? file_->Append(bytes) : s;
  }

  const std::unique_ptr<WritableFileWriter> file_;
};

// Lengths are held against the size of the file, so that a damaged one does not
// ask for memory.
class CacheDumpFileReader final : public CacheDumpReader {
 public:
  CacheDumpFileReader(std::unique_ptr<SequentialFileReader> file,
                      uint64_t file_size)
      : file_(std::move(file)), left_(file_size) {}

  IOStatus ReadMetadata(std::string* metadata) override {
    return Read(metadata);
  }
  IOStatus ReadPacket(std::string* data) override { return Read(data); }

 private:
  IOStatus Read(std::string* bytes) {
    bytes->clear();
    if (left_ == 0) return IOStatus::OK();
    std::string length;
    IOStatus s = ReadBytes(sizeof(uint32_t), &length);
    if (!s.ok()) return s;
    return ReadBytes(DecodeFixed32(length.data()), bytes);
  }
  IOStatus ReadBytes(size_t n, std::string* bytes) {
    if (n > left_) {
      return IOStatus::Corruption(file_->file_name(), "ends within a unit");
    }
    bytes->resize(n);
    Slice read;
    IOStatus s = file_->Read(n, &read, bytes->data());
    if (!s.ok()) return s;
    if (read.size() != n) {
      return IOStatus::Corruption(file_->file_name(), "ends within a unit");
    }
    if (read.data() != bytes->data()) bytes->assign(read.data(), n);
    left_ -= n;
    return s;
  }

  const std::unique_ptr<SequentialFileReader> file_;
  uint64_t left_;
};

constexpr size_t kDumpReadAheadBytes = 1 << 20;

}  // namespace

IOStatus NewToFileCacheDumpWriter(const std::shared_ptr<FileSystem>& fs,
                                  const FileOptions& file_opts,
                                  const std::string& file_name,
                                  std::unique_ptr<CacheDumpWriter>* writer) {
  std::unique_ptr<WritableFileWriter> file;
  IOStatus s =
      WritableFileWriter::Create(fs.get(), file_name, file_opts, &file);
  if (s.ok()) *writer = std::make_unique<CacheDumpFileWriter>(std::move(file));
  return s;
}

IOStatus NewFromFileCacheDumpReader(const std::shared_ptr<FileSystem>& fs,
                                    const FileOptions& file_opts,
                                    const std::string& file_name,
                                    std::unique_ptr<CacheDumpReader>* reader) {
  uint64_t size = 0;
  IOStatus s = fs->GetFileSize(file_name, IOOptions(), &size, nullptr);
  if (!s.ok()) return s;
  std::unique_ptr<SequentialFileReader> file;
  s = SequentialFileReader::Create(fs.get(), file_name, file_opts, &file,
                                   kDumpReadAheadBytes);
  if (s.ok()) {
    *reader = std::make_unique<CacheDumpFileReader>(std::move(file), size);
  }
  return s;
}

}  // namespace ROCKSDB_NAMESPACE

#include "table/external/counted_reads.h"

#include <string>
#include <utility>

#include "file/random_access_file_reader.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

class CountedFile final : public FSRandomAccessFileWrapper {
 public:
  explicit CountedFile(std::unique_ptr<RandomAccessFileReader> reader)
      : FSRandomAccessFileWrapper(reader->file()), reader_(std::move(reader)) {}

  IOStatus Read(uint64_t offset, size_t n, const IOOptions& options,
                Slice* result, char* scratch,
                IODebugContext* /*dbg*/) const override {
    return reader_->Read(options, offset, n, result, scratch, nullptr);
  }
  // One by one: of direct reads each then has its own place.
  IOStatus MultiRead(FSReadRequest* requests, size_t count,
                     const IOOptions& options, IODebugContext* dbg) override {
    for (size_t i = 0; i < count; ++i) {
      FSReadRequest& request = requests[i];
      request.status = Read(request.offset, request.len, options,
                            &request.result, request.scratch, dbg);
    }
    return IOStatus::OK();
  }

 private:
  const std::unique_ptr<RandomAccessFileReader> reader_;
};

class CountedFileSystem final : public FileSystemWrapper {
 public:
  CountedFileSystem(const std::shared_ptr<FileSystem>& target,
                    FileIoContext context)
      : FileSystemWrapper(target), context_(std::move(context)) {}

  const char* Name() const override { return "CountedReads"; }

  IOStatus NewRandomAccessFile(const std::string& name,
                               const FileOptions& options,
                               std::unique_ptr<FSRandomAccessFile>* result,
                               IODebugContext* /*dbg*/) override {
    INVARIANT(result != nullptr);
    std::unique_ptr<RandomAccessFileReader> reader;
    IOStatus s = RandomAccessFileReader::Create(target(), name, options,
                                                &reader, context_);
    if (s.ok()) *result = std::make_unique<CountedFile>(std::move(reader));
    return s;
  }

 private:
  const FileIoContext context_;
};

}  // namespace

std::shared_ptr<FileSystem> CountReads(
    const std::shared_ptr<FileSystem>& target, const FileIoContext& context) {
  return std::make_shared<CountedFileSystem>(target, context);
}

}  // namespace ROCKSDB_NAMESPACE

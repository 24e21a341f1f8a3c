// A pipe or a device that a dump is written to, such as /dev/stdout.
//
// Bytes go out one behind the other: there are no places to write at, nothing
// to sync and nothing to take back. FileSystem's files write at offsets, which
// a pipe refuses.
//
// Threads    One.
// Ownership  Owns the stream. The destructor closes and ignores errors.
// Errors     IOError with what the system says.
#pragma once

#include <cstdio>
#include <memory>
#include <string>
#include <utility>

#include "rocksdb/file_system.h"
#include "rocksdb/io_status.h"

namespace ROCKSDB_NAMESPACE {

// Whether this machine has a pipe or a character device of that name.
bool IsStream(const std::string& path);

class StreamFile : public FSWritableFile {
 public:
  struct CloseStream {
    void operator()(std::FILE* stream) const { std::fclose(stream); }
  };
  using Stream = std::unique_ptr<std::FILE, CloseStream>;

  // A named pipe waits here for its reader.
  static IOStatus Open(const std::string& path,
                       std::unique_ptr<FSWritableFile>* result);

  // For Open() only.
  StreamFile(std::string path, Stream stream)
      : path_(std::move(path)), stream_(std::move(stream)) {}

  using FSWritableFile::Append;
  IOStatus Append(const Slice& data, const IOOptions& options,
                  IODebugContext* dbg) override;
  IOStatus Close(const IOOptions& options, IODebugContext* dbg) override;
  IOStatus Flush(const IOOptions& options, IODebugContext* dbg) override;
  IOStatus Sync(const IOOptions& options, IODebugContext* dbg) override;

 private:
  const std::string path_;
  Stream stream_;  // null: closed
};

}  // namespace ROCKSDB_NAMESPACE

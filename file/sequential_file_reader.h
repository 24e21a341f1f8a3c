// Reads a file from front to back, buffered or direct, with read-ahead.
//
// Threads    One at a time.
// Ownership  Owns the file.
// Errors     Name the file. Fewer bytes than asked for: the file ends.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "file/aligned_buffer.h"
#include "file/file_io_context.h"
#include "rocksdb/file_system.h"
#include "rocksdb/io_status.h"
#include "rocksdb/slice.h"

namespace ROCKSDB_NAMESPACE {

class SequentialFileReader {
 public:
  // Reads ahead up to `readahead_bytes`; 0: only what is asked for (direct:
  // only the units that cover it).
  SequentialFileReader(std::unique_ptr<FSSequentialFile> file,
                       std::string file_name, size_t readahead_bytes = 0,
                       FileIoContext context = {});
  SequentialFileReader(const SequentialFileReader&) = delete;
  SequentialFileReader& operator=(const SequentialFileReader&) = delete;

  static IOStatus Create(FileSystem* fs, const std::string& file_name,
                         const FileOptions& options,
                         std::unique_ptr<SequentialFileReader>* result,
                         size_t readahead_bytes = 0);

  // Up to `n` bytes; `scratch` has room for them. Limited at `priority`;
  // IO_TOTAL: not limited.
  IOStatus Read(size_t n, Slice* result, char* scratch,
                Env::IOPriority priority = Env::IO_TOTAL);

  // Passes over `n` bytes, or to the end of the file.
  IOStatus Skip(uint64_t n);

  const std::string& file_name() const { return file_name_; }
  FSSequentialFile* file() const { return file_.get(); }
  bool use_direct_io() const { return is_direct_; }

 private:
  // Takes what the buffer has.
  size_t TakeBuffered(size_t n, char* destination);
  // Fills the empty buffer from the current position.
  IOStatus FillBuffer(size_t at_least, Env::IOPriority priority);
  IOStatus ReadFile(size_t n, Env::IOPriority priority, Slice* result,
                    char* destination);
  IOStatus ReadOnce(uint64_t offset, size_t n, Slice* result,
                    char* destination);

  const std::unique_ptr<FSSequentialFile> file_;
  const std::string file_name_;
  const FileIoContext context_;
  const bool is_direct_;
  const size_t alignment_;
  const size_t readahead_bytes_;

  // Offset of the next byte for the caller.
  uint64_t position_ = 0;
  AlignedBuffer buffer_;
  // The file's bytes from buffer_offset_ on, buffer_size_ of them.
  uint64_t buffer_offset_ = 0;
  size_t buffer_size_ = 0;
};

}  // namespace ROCKSDB_NAMESPACE

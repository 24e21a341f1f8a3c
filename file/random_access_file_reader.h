// Reads a file anywhere, buffered or direct.
//
// A direct file is read in whole alignment units into an aligned buffer; the
// caller gets the bytes it asked for.
//
// Threads    Safe for concurrent use.
// Ownership  Owns the file. With direct I/O the result points into `aligned`
//            if the caller gives one, else it is copied to `scratch`.
// Errors     Name file, offset and length. A result shorter than asked for is
//            no error here: the file ends there.
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

using RandomAccessFileReaderOptions = FileIoContext;

class RandomAccessFileReader {
 public:
  RandomAccessFileReader(std::unique_ptr<FSRandomAccessFile> file,
                         std::string file_name, FileIoContext context = {});
  RandomAccessFileReader(const RandomAccessFileReader&) = delete;
  RandomAccessFileReader& operator=(const RandomAccessFileReader&) = delete;

  static IOStatus Create(FileSystem* fs, const std::string& file_name,
                         const FileOptions& options,
                         std::unique_ptr<RandomAccessFileReader>* result,
                         FileIoContext context = {});

  // Up to `n` bytes from `offset`. `scratch` has room for `n`; with a direct
  // file and `aligned` it may be null. The result may also point into memory
  // of the file (mmap).
  IOStatus Read(const IOOptions& options, uint64_t offset, size_t n,
                Slice* result, char* scratch, AlignedBuf* aligned) const;

  // Many reads at once, in ascending order of offset. OK: look at each
  // request's own status. Direct: all results point into `aligned`, and the
  // requests' scratch is not used; reads that share a unit are made once.
  IOStatus MultiRead(const IOOptions& options, FSReadRequest* requests,
                     size_t count, AlignedBuf* aligned) const;

  // Asks the operating system for bytes that will be read soon.
  IOStatus Prefetch(const IOOptions& options, uint64_t offset, size_t n) const;

  bool use_direct_io() const { return is_direct_; }
  size_t alignment() const { return alignment_; }
  FSRandomAccessFile* file() const { return file_.get(); }
  const std::string& file_name() const { return file_name_; }
  const FileIoContext& context() const { return context_; }

 private:
  // Reads the units that cover the range into `aligned`.
  IOStatus ReadDirect(const IOOptions& options, uint64_t offset, size_t n,
                      Slice* result, AlignedBuf* aligned) const;
  IOStatus MultiReadDirect(const IOOptions& options, FSReadRequest* requests,
                           size_t count, AlignedBuf* aligned) const;
  IOStatus SubmitAll(const IOOptions& options, FSReadRequest* requests,
                     size_t count) const;
  // One call, or several where a rate limiter wants them small.
  IOStatus ReadLimited(const IOOptions& options, uint64_t offset, size_t n,
                       Slice* result, char* scratch) const;
  bool IsLimited(const IOOptions& options) const;

  const std::unique_ptr<FSRandomAccessFile> file_;
  const std::string file_name_;
  const FileIoContext context_;
  const bool is_direct_;
  const size_t alignment_;
};

}  // namespace ROCKSDB_NAMESPACE

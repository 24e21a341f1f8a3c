// Files of the operating system, for reading: in order, anywhere, mapped.
//
// Threads    As the base classes say.
// Ownership  Each owns its descriptor or mapping.
// Errors     IOStatus with the path, the offset and the length.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "env/posix/posix_io.h"
#include "env/posix/uncached_io.h"
#include "env/resident_pages.h"
#include "rocksdb/file_system.h"

namespace ROCKSDB_NAMESPACE {

class PosixSequentialFile : public FSSequentialFile {
 public:
  PosixSequentialFile(const std::string& path, FileDescriptor&& fd,
                      Caching caching);

  IOStatus Read(size_t n, const IOOptions& options, Slice* result,
                char* scratch, IODebugContext* dbg) override;
  IOStatus Skip(uint64_t n) override;
  IOStatus PositionedRead(uint64_t offset, size_t n, const IOOptions& options,
                          Slice* result, char* scratch,
                          IODebugContext* dbg) override;
  IOStatus InvalidateCache(size_t offset, size_t length) override;
  bool use_direct_io() const override { return caching_ == Caching::kDirect; }
  size_t GetRequiredBufferAlignment() const override { return alignment_; }

 private:
  FileRead ReadOf(uint64_t offset, size_t n, char* out) const;

  const std::string path_;
  const FileDescriptor fd_;
  const Caching caching_;
  const size_t alignment_;
  uint64_t position_ = 0;
};

class PosixRandomAccessFile : public FSRandomAccessFile, public ResidentPages {
 public:
  // `use` matter to an uncached file only.
  PosixRandomAccessFile(const std::string& path, FileDescriptor&& fd,
                        Caching caching,
                        DontCacheUse* use = DontCacheUse::OfThisProcess());

  IOStatus Read(uint64_t offset, size_t n, const IOOptions& options,
                Slice* result, char* scratch,
                IODebugContext* dbg) const override;
  IOStatus Prefetch(uint64_t offset, size_t n, const IOOptions& options,
                    IODebugContext* dbg) override;
  // One trip into the kernel for all, where io_uring is at hand.
  IOStatus MultiRead(FSReadRequest* reqs, size_t num_reqs,
                     const IOOptions& options, IODebugContext* dbg) override;
  IOStatus ReadAsync(FSReadRequest& req, const IOOptions& options,
                     std::function<void(FSReadRequest&, void*)> cb,
                     void* cb_arg, void** io_handle, IOHandleDeleter* del_fn,
                     IODebugContext* dbg) override;
  size_t GetUniqueId(char* id, size_t max_size) const override {
    return FileIdOf(fd_.get(), id, max_size);
  }
  void Hint(AccessPattern pattern) override;
  IOStatus InvalidateCache(size_t offset, size_t length) override;
  bool use_direct_io() const override { return caching_ == Caching::kDirect; }
  size_t GetRequiredBufferAlignment() const override { return alignment_; }
  IOStatus GetFileSize(uint64_t* result) override {
    return SizeOf(fd_.get(), path_, result);
  }
  bool ReadResident(uint64_t offset, size_t n, char* out) const override;
  PageSet FindResident() const override;

 private:
  FileRead ReadOf(uint64_t offset, size_t n, char* out) const;
  // A read that nothing is known of but its place, by ordinary calls.
  int ReadNow(FileRead* read) const;
  // What has to be remembered of an uncached read while it is under way.
  AbsentPages BeforeRead(const FileRead& read) const;
  // Ends it: repeats it if the kernel refused the flag, or drops its pages.
  int AfterRead(const AbsentPages& absent, int error, FileRead* read) const;

  const std::string path_;
  const FileDescriptor fd_;
  const Caching caching_;
  const size_t alignment_;
  // Null unless the file is uncached.
  const std::unique_ptr<DontCacheChoice> uncached_;
};

// The result of Read() points into the mapping and lives as long as the file.
class PosixMmapReadableFile : public FSRandomAccessFile {
 public:
  static IOStatus Open(const std::string& path, FileDescriptor&& fd,
                       std::unique_ptr<FSRandomAccessFile>* result);
  PosixMmapReadableFile(const std::string& path, FileDescriptor&& fd,
                        void* base, size_t length);
  ~PosixMmapReadableFile() override;

  IOStatus Read(uint64_t offset, size_t n, const IOOptions& options,
                Slice* result, char* scratch,
                IODebugContext* dbg) const override;
  void Hint(AccessPattern pattern) override;
  IOStatus InvalidateCache(size_t offset, size_t length) override;
  size_t GetUniqueId(char* id, size_t max_size) const override {
    return FileIdOf(fd_.get(), id, max_size);
  }
  IOStatus GetFileSize(uint64_t* result) override {
    *result = length_;
    return IOStatus::OK();
  }

 private:
  const std::string path_;
  const FileDescriptor fd_;
  char* const base_;
  const size_t length_;
};

}  // namespace ROCKSDB_NAMESPACE

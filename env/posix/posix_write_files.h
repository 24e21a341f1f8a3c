// Files of the operating system, for writing: growing, mapped, anywhere.
//
// Threads    As the base classes say; Sync() of a PosixWritableFile may run
//            beside an append.
// Ownership  Each owns its descriptor or mapping.
// Errors     IOStatus with the path. After a failed sync every later sync of
//            the file fails too: the kernel has marked the pages clean, so a
//            second, successful one would promise what is not so.

#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "env/async_writable_file.h"
#include "env/posix/append_window.h"
#include "env/posix/posix_io.h"
#include "env/posix/uncached_io.h"
#include "env/write_back_file.h"
#include "rocksdb/file_system.h"

namespace ROCKSDB_NAMESPACE {

// Runs the calls that make a file durable, and remembers a failure.
class SyncGate {
 public:
  enum class Depth { kData, kAll };

  IOStatus Sync(int fd, const std::string& path, Depth depth);
  // Write-back has failed elsewhere, and the kernel tells that only once.
  void NoteFailure() { has_failed_.store(true); }

 private:
  std::atomic<bool> has_failed_{false};
};

struct WritableFileStart {
  Caching caching = Caching::kBuffered;
  // Used only for an uncached file.
  DontCacheUse* use = DontCacheUse::OfThisProcess();
  // Bytes that are there and will be appended to.
  uint64_t size = 0;
};

class PosixWritableFile : public FSWritableFile,
                          public AsyncWritableFile,
                          public WriteBackFile {
 public:
  PosixWritableFile(const std::string& path, FileDescriptor&& fd,
                    const WritableFileStart& start, const FileOptions& options);
  ~PosixWritableFile() override;

  using FSWritableFile::Append;
  using FSWritableFile::PositionedAppend;
  IOStatus Append(const Slice& data, const IOOptions& options,
                  IODebugContext* dbg) override;
  IOStatus PositionedAppend(const Slice& data, uint64_t offset,
                            const IOOptions& options,
                            IODebugContext* dbg) override;
  IOStatus Truncate(uint64_t size, const IOOptions& options,
                    IODebugContext* dbg) override;
  IOStatus Close(const IOOptions& options, IODebugContext* dbg) override;
  IOStatus Flush(const IOOptions& options, IODebugContext* dbg) override;
  IOStatus Sync(const IOOptions& options, IODebugContext* dbg) override;
  IOStatus Fsync(const IOOptions& options, IODebugContext* dbg) override;
  bool IsSyncThreadSafe() const override { return true; }
  bool use_direct_io() const override { return caching_ == Caching::kDirect; }
  size_t GetRequiredBufferAlignment() const override { return alignment_; }
  void SetWriteLifeTimeHint(Env::WriteLifeTimeHint hint) override;
  uint64_t GetFileSize(const IOOptions& options, IODebugContext* dbg) override {
    (void)options;
    (void)dbg;
    return size_;
  }
  IOStatus InvalidateCache(size_t offset, size_t length) override;
  IOStatus RangeSync(uint64_t offset, uint64_t nbytes, const IOOptions& options,
                     IODebugContext* dbg) override;
  IOStatus Allocate(uint64_t offset, uint64_t len, const IOOptions& options,
                    IODebugContext* dbg) override;
  size_t GetUniqueId(char* id, size_t max_size) const override {
    return FileIdOf(fd_.get(), id, max_size);
  }

  bool Start(Write* write) override;
  bool Finish(Write* write, Patience patience) override;
  IOStatus StartWriteBack(uint64_t offset, uint64_t n) override;
  bool TellsWriteBack() const override;
  bool IsWrittenBack(uint64_t offset, uint64_t n) override;
  IOStatus FinishWriteBack(uint64_t offset, uint64_t n) override;

 private:
  IOStatus WriteAt(const Slice& data, uint64_t offset);
  int WriteUncached(const Slice& data, uint64_t offset);
  IOStatus SyncAll(SyncGate::Depth depth);
  IOStatus SyncRange(uint64_t offset, uint64_t n, unsigned flags);
  IOStatus WriteError(size_t length, uint64_t offset, int error) const;

  const std::string path_;
  FileDescriptor fd_;
  const Caching caching_;
  const size_t alignment_;
  const bool keeps_size_when_allocating_;
  bool may_allocate_;
  bool has_allocated_ = false;
  uint64_t size_;
  // Null unless the file's appends are mapped.
  const std::unique_ptr<AppendWindow> window_;
  SyncGate sync_gate_;
  // Null unless the file is uncached. The bytes before `start_` were there when
  // it was opened: others may use their pages, so that these are not dropped.
  const std::unique_ptr<DontCacheChoice> uncached_;
  const uint64_t start_;
  DropBehindWrites drop_behind_;
};

// Appends by copying into a mapping that moves along the file.
class PosixMmapWritableFile : public FSWritableFile {
 public:
  PosixMmapWritableFile(const std::string& path, FileDescriptor&& fd,
                        const FileOptions& options);
  ~PosixMmapWritableFile() override;

  using FSWritableFile::Append;
  IOStatus Append(const Slice& data, const IOOptions& options,
                  IODebugContext* dbg) override;
  IOStatus Close(const IOOptions& options, IODebugContext* dbg) override;
  IOStatus Flush(const IOOptions& options, IODebugContext* dbg) override;
  IOStatus Sync(const IOOptions& options, IODebugContext* dbg) override;
  IOStatus Fsync(const IOOptions& options, IODebugContext* dbg) override;
  uint64_t GetFileSize(const IOOptions& options, IODebugContext* dbg) override {
    (void)options;
    (void)dbg;
    return size_;
  }
  IOStatus InvalidateCache(size_t offset, size_t length) override;
  IOStatus Allocate(uint64_t offset, uint64_t len, const IOOptions& options,
                    IODebugContext* dbg) override;

 private:
  IOStatus MapNextWindow();
  IOStatus Unmap();
  IOStatus SyncMapping(SyncGate::Depth depth);

  const std::string path_;
  FileDescriptor fd_;
  const bool may_allocate_;
  const size_t window_bytes_;
  char* window_ = nullptr;
  uint64_t window_offset_ = 0;
  uint64_t size_ = 0;
  SyncGate sync_gate_;
};

class PosixRandomRWFile : public FSRandomRWFile {
 public:
  PosixRandomRWFile(const std::string& path, FileDescriptor&& fd)
      : path_(path), fd_(std::move(fd)) {}

  IOStatus Write(uint64_t offset, const Slice& data, const IOOptions& options,
                 IODebugContext* dbg) override;
  IOStatus Read(uint64_t offset, size_t n, const IOOptions& options,
                Slice* result, char* scratch,
                IODebugContext* dbg) const override;
  IOStatus Flush(const IOOptions& options, IODebugContext* dbg) override;
  IOStatus Sync(const IOOptions& options, IODebugContext* dbg) override;
  IOStatus Fsync(const IOOptions& options, IODebugContext* dbg) override;
  IOStatus Close(const IOOptions& options, IODebugContext* dbg) override;

 private:
  const std::string path_;
  FileDescriptor fd_;
  SyncGate sync_gate_;
};

class PosixMemoryMappedFileBuffer : public MemoryMappedFileBuffer {
 public:
  using MemoryMappedFileBuffer::MemoryMappedFileBuffer;
  ~PosixMemoryMappedFileBuffer() override;
};

class PosixDirectory : public FSDirectory {
 public:
  PosixDirectory(const std::string& path, FileDescriptor&& fd)
      : path_(path), fd_(std::move(fd)) {}

  IOStatus Fsync(const IOOptions& options, IODebugContext* dbg) override;
  IOStatus Close(const IOOptions& options, IODebugContext* dbg) override;
  size_t GetUniqueId(char* id, size_t max_size) const override {
    return FileIdOf(fd_.get(), id, max_size);
  }

 private:
  const std::string path_;
  FileDescriptor fd_;
};

}  // namespace ROCKSDB_NAMESPACE

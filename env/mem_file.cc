#include "env/mem_file.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <utility>

#include "util/coding.h"

namespace ROCKSDB_NAMESPACE {

bool MemSpace::Change(int64_t delta) {
  uint64_t used = used_bytes.load();
  uint64_t wanted;
  do {
    wanted = used + static_cast<uint64_t>(delta);
    if (delta > 0 && wanted > capacity_bytes) return false;
  } while (!used_bytes.compare_exchange_weak(used, wanted));
  return true;
}

MemFile::MemFile(Kind kind, uint64_t number,
                 const std::shared_ptr<MemSpace>& space,
                 const std::shared_ptr<SystemClock>& clock)
    : kind_(kind), number_(number), space_(space), clock_(clock) {
  Touch();
}

MemFile::~MemFile() { space_->Change(-static_cast<int64_t>(bytes_.size())); }

void MemFile::Touch() {
  modified_seconds_.store(clock_->NowMicros() / 1'000'000);
}

uint64_t MemFile::Size() const {
  ReadLock lock(&mutex_);
  return bytes_.size();
}

size_t MemFile::Read(uint64_t offset, size_t n, char* out) const {
  ReadLock lock(&mutex_);
  if (offset >= bytes_.size()) return 0;
  const size_t available =
      std::min(n, bytes_.size() - static_cast<size_t>(offset));
  memcpy(out, bytes_.data() + offset, available);
  return available;
}

bool MemFile::ResizeLocked(uint64_t size) {
  const int64_t delta =
      static_cast<int64_t>(size) - static_cast<int64_t>(bytes_.size());
  if (!space_->Change(delta)) return false;
  bytes_.resize(size);
  return true;
}

bool MemFile::WriteLocked(uint64_t offset, const Slice& data) {
  const uint64_t end = offset + data.size();
  if (end > bytes_.size() && !ResizeLocked(end)) return false;
  if (!data.empty()) memcpy(bytes_.data() + offset, data.data(), data.size());
  Touch();
  return true;
}

bool MemFile::Write(uint64_t offset, const Slice& data) {
  WriteLock lock(&mutex_);
  return WriteLocked(offset, data);
}

bool MemFile::Resize(uint64_t size) {
  WriteLock lock(&mutex_);
  Touch();
  return ResizeLocked(size);
}

namespace {

IOStatus CheckAligned(const MemHandle& handle, uint64_t offset, size_t n,
                      const char* buffer) {
  const uint64_t mixed = offset | n | reinterpret_cast<uintptr_t>(buffer);
  if (!handle.is_direct || mixed % handle.alignment == 0) {
    return IOStatus::OK();
  }
  return IOStatus::InvalidArgument(
      "Direct transfer of " + std::to_string(n) + " bytes at offset " +
          std::to_string(offset) + " is not aligned to " +
          std::to_string(handle.alignment) + " bytes",
      handle.path);
}

IOStatus NoRoom(const MemHandle& handle) {
  IOStatus status = IOStatus::NoSpace("While writing: " + handle.path,
                                      "the file system is full");
  status.SetRetryable(true);
  return status;
}

IOStatus ReadAt(const MemHandle& handle, uint64_t offset, size_t n,
                Slice* result, char* scratch) {
  if (IOStatus s = CheckAligned(handle, offset, n, scratch); !s.ok()) return s;
  *result = Slice(scratch, handle.file->Read(offset, n, scratch));
  return IOStatus::OK();
}

size_t UniqueId(const MemHandle& handle, char* id, size_t max_size) {
  if (max_size < kMaxVarint64Length) return 0;
  return static_cast<size_t>(EncodeVarint64(id, handle.file->number()) - id);
}

class MemSequentialFile : public FSSequentialFile {
 public:
  explicit MemSequentialFile(MemHandle&& handle) : handle_(std::move(handle)) {}

  IOStatus Read(size_t n, const IOOptions& /*options*/, Slice* result,
                char* scratch, IODebugContext* /*dbg*/) override {
    IOStatus status = ReadAt(handle_, position_, n, result, scratch);
    if (status.ok()) position_ += result->size();
    return status;
  }
  IOStatus Skip(uint64_t n) override {
    const uint64_t size = handle_.file->Size();
    if (position_ < size) position_ += std::min(n, size - position_);
    return IOStatus::OK();
  }
  IOStatus PositionedRead(uint64_t offset, size_t n,
                          const IOOptions& /*options*/, Slice* result,
                          char* scratch, IODebugContext* /*dbg*/) override {
    return ReadAt(handle_, offset, n, result, scratch);
  }
  bool use_direct_io() const override { return handle_.is_direct; }
  size_t GetRequiredBufferAlignment() const override {
    return handle_.alignment;
  }
  IOStatus InvalidateCache(size_t /*offset*/, size_t /*length*/) override {
    return IOStatus::OK();
  }

 private:
  const MemHandle handle_;
  uint64_t position_ = 0;
};

class MemRandomAccessFile : public FSRandomAccessFile {
 public:
  explicit MemRandomAccessFile(MemHandle&& handle)
      : handle_(std::move(handle)) {}

  IOStatus Read(uint64_t offset, size_t n, const IOOptions& /*options*/,
                Slice* result, char* scratch,
                IODebugContext* /*dbg*/) const override {
    return ReadAt(handle_, offset, n, result, scratch);
  }
  IOStatus Prefetch(uint64_t /*offset*/, size_t /*n*/,
                    const IOOptions& /*options*/,
                    IODebugContext* /*dbg*/) override {
    if (handle_.is_direct) {
      return IOStatus::NotSupported("Prefetch of a direct file", handle_.path);
    }
    return IOStatus::OK();
  }
  size_t GetUniqueId(char* id, size_t max_size) const override {
    return UniqueId(handle_, id, max_size);
  }
  bool use_direct_io() const override { return handle_.is_direct; }
  size_t GetRequiredBufferAlignment() const override {
    return handle_.alignment;
  }
  IOStatus InvalidateCache(size_t /*offset*/, size_t /*length*/) override {
    return IOStatus::OK();
  }
  IOStatus GetFileSize(uint64_t* result) override {
    *result = handle_.file->Size();
    return IOStatus::OK();
  }

 private:
  const MemHandle handle_;
};

class MemWritableFile : public FSWritableFile {
 public:
  MemWritableFile(MemHandle&& handle, uint64_t start,
                  const FileOptions& options)
      : FSWritableFile(options), handle_(std::move(handle)), size_(start) {}

  using FSWritableFile::Append;
  using FSWritableFile::PositionedAppend;
  IOStatus Append(const Slice& data, const IOOptions& /*options*/,
                  IODebugContext* /*dbg*/) override {
    return WriteAt(size_, data);
  }
  IOStatus PositionedAppend(const Slice& data, uint64_t offset,
                            const IOOptions& /*options*/,
                            IODebugContext* /*dbg*/) override {
    return WriteAt(offset, data);
  }
  IOStatus Truncate(uint64_t size, const IOOptions& /*options*/,
                    IODebugContext* /*dbg*/) override {
    if (!handle_.file->Resize(size)) return NoRoom(handle_);
    size_ = size;
    return IOStatus::OK();
  }
  IOStatus Close(const IOOptions& /*options*/,
                 IODebugContext* /*dbg*/) override {
    return IOStatus::OK();
  }
  IOStatus Flush(const IOOptions& /*options*/,
                 IODebugContext* /*dbg*/) override {
    return IOStatus::OK();
  }
  IOStatus Sync(const IOOptions& /*options*/,
                IODebugContext* /*dbg*/) override {
    return IOStatus::OK();
  }
  bool IsSyncThreadSafe() const override { return true; }
  bool use_direct_io() const override { return handle_.is_direct; }
  size_t GetRequiredBufferAlignment() const override {
    return handle_.alignment;
  }
  uint64_t GetFileSize(const IOOptions& /*options*/,
                       IODebugContext* /*dbg*/) override {
    return size_;
  }
  IOStatus InvalidateCache(size_t /*offset*/, size_t /*length*/) override {
    return IOStatus::OK();
  }
  size_t GetUniqueId(char* id, size_t max_size) const override {
    return UniqueId(handle_, id, max_size);
  }

 private:
  IOStatus WriteAt(uint64_t offset, const Slice& data) {
    IOStatus status = CheckAligned(handle_, offset, data.size(), data.data());
    if (!status.ok()) return status;
    if (!handle_.file->Write(offset, data)) return NoRoom(handle_);
    size_ = offset + data.size();
    return status;
  }

  const MemHandle handle_;
  uint64_t size_;
};

class MemRandomRWFile : public FSRandomRWFile {
 public:
  explicit MemRandomRWFile(MemHandle&& handle) : handle_(std::move(handle)) {}

  IOStatus Write(uint64_t offset, const Slice& data,
                 const IOOptions& /*options*/,
                 IODebugContext* /*dbg*/) override {
    return handle_.file->Write(offset, data) ? IOStatus::OK() : NoRoom(handle_);
  }
  IOStatus Read(uint64_t offset, size_t n, const IOOptions& /*options*/,
                Slice* result, char* scratch,
                IODebugContext* /*dbg*/) const override {
    return ReadAt(handle_, offset, n, result, scratch);
  }
  IOStatus Flush(const IOOptions& /*options*/,
                 IODebugContext* /*dbg*/) override {
    return IOStatus::OK();
  }
  IOStatus Sync(const IOOptions& /*options*/,
                IODebugContext* /*dbg*/) override {
    return IOStatus::OK();
  }
  IOStatus Close(const IOOptions& /*options*/,
                 IODebugContext* /*dbg*/) override {
    return IOStatus::OK();
  }

 private:
  const MemHandle handle_;
};

class MemDirectory : public FSDirectory {
 public:
  explicit MemDirectory(MemHandle&& handle) : handle_(std::move(handle)) {}

  IOStatus Fsync(const IOOptions& /*options*/,
                 IODebugContext* /*dbg*/) override {
    return IOStatus::OK();
  }
  IOStatus Close(const IOOptions& /*options*/,
                 IODebugContext* /*dbg*/) override {
    return IOStatus::OK();
  }
  size_t GetUniqueId(char* id, size_t max_size) const override {
    return UniqueId(handle_, id, max_size);
  }

 private:
  const MemHandle handle_;
};

}  // namespace

std::unique_ptr<FSSequentialFile> NewMemSequentialFile(MemHandle&& handle) {
  return std::make_unique<MemSequentialFile>(std::move(handle));
}

std::unique_ptr<FSRandomAccessFile> NewMemRandomAccessFile(MemHandle&& handle) {
  return std::make_unique<MemRandomAccessFile>(std::move(handle));
}

std::unique_ptr<FSWritableFile> NewMemWritableFile(MemHandle&& handle,
                                                   MemWriteStart start,
                                                   const FileOptions& options) {
  const uint64_t size = start == MemWriteStart::kEnd ? handle.file->Size() : 0;
  return std::make_unique<MemWritableFile>(std::move(handle), size, options);
}

std::unique_ptr<FSRandomRWFile> NewMemRandomRWFile(MemHandle&& handle) {
  return std::make_unique<MemRandomRWFile>(std::move(handle));
}

std::unique_ptr<FSDirectory> NewMemDirectory(MemHandle&& handle) {
  return std::make_unique<MemDirectory>(std::move(handle));
}

}  // namespace ROCKSDB_NAMESPACE

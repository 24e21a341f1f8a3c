// The older file interfaces, answered by the newer ones.
//
// Threads    As the file behind.
// Ownership  Each owns the file behind.

#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "rocksdb/env.h"
#include "rocksdb/file_system.h"

namespace ROCKSDB_NAMESPACE {

class EnvSequentialFile : public SequentialFile {
 public:
  explicit EnvSequentialFile(std::unique_ptr<FSSequentialFile>&& file)
      : file_(std::move(file)) {}

  Status Read(size_t n, Slice* result, char* scratch) override {
    return file_->Read(n, IOOptions(), result, scratch, nullptr);
  }
  Status Skip(uint64_t n) override { return file_->Skip(n); }
  bool use_direct_io() const override { return file_->use_direct_io(); }
  size_t GetRequiredBufferAlignment() const override {
    return file_->GetRequiredBufferAlignment();
  }
  Status InvalidateCache(size_t offset, size_t length) override {
    return file_->InvalidateCache(offset, length);
  }
  Status PositionedRead(uint64_t offset, size_t n, Slice* result,
                        char* scratch) override {
    return file_->PositionedRead(offset, n, IOOptions(), result, scratch,
                                 nullptr);
  }

 private:
  const std::unique_ptr<FSSequentialFile> file_;
};

class EnvRandomAccessFile : public RandomAccessFile {
 public:
  explicit EnvRandomAccessFile(std::unique_ptr<FSRandomAccessFile>&& file)
      : file_(std::move(file)) {}

  Status Read(uint64_t offset, size_t n, Slice* result,
              char* scratch) const override {
    return file_->Read(offset, n, IOOptions(), result, scratch, nullptr);
  }
  Status MultiRead(ReadRequest* reqs, size_t num_reqs) override {
    std::vector<FSReadRequest> requests(num_reqs);
    for (size_t i = 0; i < num_reqs; ++i) {
      requests[i].offset = reqs[i].offset;
      requests[i].len = reqs[i].len;
      requests[i].scratch = reqs[i].scratch;
    }
    Status status =
        file_->MultiRead(requests.data(), num_reqs, IOOptions(), nullptr);
    for (size_t i = 0; i < num_reqs; ++i) {
      const FSReadRequest& own = requests[i];
      reqs[i].result = own.result;
      reqs[i].status = own.status;
      // Memory of the file system's ends with `requests`.
      if (own.fs_scratch == nullptr || !own.status.ok()) continue;
      const size_t n = std::min(own.result.size(), own.len);
      if (n > 0) memmove(reqs[i].scratch, own.result.data(), n);
      reqs[i].result = Slice(reqs[i].scratch, n);
    }
    return status;
  }
  Status Prefetch(uint64_t offset, size_t n) override {
    return file_->Prefetch(offset, n, IOOptions(), nullptr);
  }
  size_t GetUniqueId(char* id, size_t max_size) const override {
    return file_->GetUniqueId(id, max_size);
  }
  void Hint(AccessPattern pattern) override {
    file_->Hint(static_cast<FSRandomAccessFile::AccessPattern>(pattern));
  }
  bool use_direct_io() const override { return file_->use_direct_io(); }
  size_t GetRequiredBufferAlignment() const override {
    return file_->GetRequiredBufferAlignment();
  }
  Status InvalidateCache(size_t offset, size_t length) override {
    return file_->InvalidateCache(offset, length);
  }
  Status GetFileSize(uint64_t* result) override {
    return file_->GetFileSize(result);
  }

 private:
  const std::unique_ptr<FSRandomAccessFile> file_;
};

class EnvWritableFile : public WritableFile {
 public:
  explicit EnvWritableFile(std::unique_ptr<FSWritableFile>&& file)
      : file_(std::move(file)) {}

  using WritableFile::Append;
  using WritableFile::PositionedAppend;
  Status Append(const Slice& data) override {
    return file_->Append(data, IOOptions(), nullptr);
  }
  Status Append(const Slice& data, const DataVerificationInfo& info) override {
    return file_->Append(data, IOOptions(), info, nullptr);
  }
  Status PositionedAppend(const Slice& data, uint64_t offset) override {
    return file_->PositionedAppend(data, offset, IOOptions(), nullptr);
  }
  Status PositionedAppend(const Slice& data, uint64_t offset,
                          const DataVerificationInfo& info) override {
    return file_->PositionedAppend(data, offset, IOOptions(), info, nullptr);
  }
  Status Truncate(uint64_t size) override {
    return file_->Truncate(size, IOOptions(), nullptr);
  }
  Status Close() override { return file_->Close(IOOptions(), nullptr); }
  Status Flush() override { return file_->Flush(IOOptions(), nullptr); }
  Status Sync() override { return file_->Sync(IOOptions(), nullptr); }
  Status Fsync() override { return file_->Fsync(IOOptions(), nullptr); }
  bool IsSyncThreadSafe() const override { return file_->IsSyncThreadSafe(); }
  bool use_direct_io() const override { return file_->use_direct_io(); }
  size_t GetRequiredBufferAlignment() const override {
    return file_->GetRequiredBufferAlignment();
  }
  void SetWriteLifeTimeHint(Env::WriteLifeTimeHint hint) override {
    file_->SetWriteLifeTimeHint(hint);
  }
  Env::WriteLifeTimeHint GetWriteLifeTimeHint() override {
    return file_->GetWriteLifeTimeHint();
  }
  void SetIOPriority(Env::IOPriority pri) override {
    file_->SetIOPriority(pri);
  }
  Env::IOPriority GetIOPriority() override { return file_->GetIOPriority(); }
  uint64_t GetFileSize() override {
    return file_->GetFileSize(IOOptions(), nullptr);
  }
  void SetPreallocationBlockSize(size_t size) override {
    file_->SetPreallocationBlockSize(size);
  }
  void GetPreallocationStatus(size_t* block_size,
                              size_t* last_allocated_block) override {
    file_->GetPreallocationStatus(block_size, last_allocated_block);
  }
  size_t GetUniqueId(char* id, size_t max_size) const override {
    return file_->GetUniqueId(id, max_size);
  }
  Status InvalidateCache(size_t offset, size_t length) override {
    return file_->InvalidateCache(offset, length);
  }
  Status RangeSync(uint64_t offset, uint64_t nbytes) override {
    return file_->RangeSync(offset, nbytes, IOOptions(), nullptr);
  }
  void PrepareWrite(size_t offset, size_t len) override {
    file_->PrepareWrite(offset, len, IOOptions(), nullptr);
  }
  Status Allocate(uint64_t offset, uint64_t len) override {
    return file_->Allocate(offset, len, IOOptions(), nullptr);
  }

 private:
  const std::unique_ptr<FSWritableFile> file_;
};

class EnvRandomRWFile : public RandomRWFile {
 public:
  explicit EnvRandomRWFile(std::unique_ptr<FSRandomRWFile>&& file)
      : file_(std::move(file)) {}

  bool use_direct_io() const override { return file_->use_direct_io(); }
  size_t GetRequiredBufferAlignment() const override {
    return file_->GetRequiredBufferAlignment();
  }
  Status Write(uint64_t offset, const Slice& data) override {
    return file_->Write(offset, data, IOOptions(), nullptr);
  }
  Status Read(uint64_t offset, size_t n, Slice* result,
              char* scratch) const override {
    return file_->Read(offset, n, IOOptions(), result, scratch, nullptr);
  }
  Status Flush() override { return file_->Flush(IOOptions(), nullptr); }
  Status Sync() override { return file_->Sync(IOOptions(), nullptr); }
  Status Fsync() override { return file_->Fsync(IOOptions(), nullptr); }
  Status Close() override { return file_->Close(IOOptions(), nullptr); }

 private:
  const std::unique_ptr<FSRandomRWFile> file_;
};

class EnvDirectory : public Directory {
 public:
  explicit EnvDirectory(std::unique_ptr<FSDirectory>&& directory)
      : directory_(std::move(directory)) {}

  Status Fsync() override { return directory_->Fsync(IOOptions(), nullptr); }
  Status Close() override { return directory_->Close(IOOptions(), nullptr); }
  size_t GetUniqueId(char* id, size_t max_size) const override {
    return directory_->GetUniqueId(id, max_size);
  }

 private:
  const std::unique_ptr<FSDirectory> directory_;
};

}  // namespace ROCKSDB_NAMESPACE

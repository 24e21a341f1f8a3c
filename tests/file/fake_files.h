// Files that keep note of what is done to them, and fail on demand.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/file_system.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

// What a file to write has been through; outlives the file.
struct WriteLog {
  std::string content;
  std::vector<std::string> calls;
  size_t alignment = 4096;
  bool is_direct = false;
  // The call with this index (from 0) fails; -1: none.
  int fail_at = -1;
  IOStatus error = IOStatus::IOError("fake", "told to fail");

  IOStatus Note(const std::string& call) {
    calls.push_back(call);
    const bool fails = static_cast<int>(calls.size()) - 1 == fail_at;
    return fails ? error : IOStatus::OK();
  }
  size_t Count(const std::string& call) const {
    return static_cast<size_t>(std::count(calls.begin(), calls.end(), call));
  }
};

class FakeWritableFile : public FSWritableFile {
 public:
  explicit FakeWritableFile(WriteLog* log) : log_(log) {}

  using FSWritableFile::Append;
  using FSWritableFile::PositionedAppend;
  IOStatus Append(const Slice& data, const IOOptions&,
                  IODebugContext*) override {
    if (log_->is_direct) return IOStatus::InvalidArgument("not positioned");
    IOStatus s = log_->Note("append");
    if (s.ok()) log_->content.append(data.data(), data.size());
    return s;
  }
  IOStatus PositionedAppend(const Slice& data, uint64_t offset,
                            const IOOptions&, IODebugContext*) override {
    const size_t alignment = log_->alignment;
    if (offset % alignment != 0 || data.size() % alignment != 0 ||
        reinterpret_cast<uintptr_t>(data.data()) % alignment != 0) {
      return IOStatus::InvalidArgument("not aligned");
    }
    IOStatus s = log_->Note("append");
    if (!s.ok()) return s;
    if (log_->content.size() < offset + data.size()) {
      log_->content.resize(offset + data.size());
    }
    memcpy(log_->content.data() + offset, data.data(), data.size());
    return s;
  }
  IOStatus Truncate(uint64_t size, const IOOptions&, IODebugContext*) override {
    IOStatus s = log_->Note("truncate");
    if (s.ok()) log_->content.resize(size);
    return s;
  }
  IOStatus Close(const IOOptions&, IODebugContext*) override {
    return log_->Note("close");
  }
  IOStatus Flush(const IOOptions&, IODebugContext*) override {
    return IOStatus::OK();
  }
  IOStatus Sync(const IOOptions&, IODebugContext*) override {
    return log_->Note("sync");
  }
  IOStatus Fsync(const IOOptions&, IODebugContext*) override {
    return log_->Note("fsync");
  }
  bool IsSyncThreadSafe() const override { return true; }
  IOStatus RangeSync(uint64_t offset, uint64_t bytes, const IOOptions&,
                     IODebugContext*) override {
    return log_->Note("range " + std::to_string(offset) + "+" +
                      std::to_string(bytes));
  }
  IOStatus InvalidateCache(size_t offset, size_t length) override {
    return log_->Note("drop " + std::to_string(offset) + "+" +
                      std::to_string(length));
  }
  bool use_direct_io() const override { return log_->is_direct; }
  size_t GetRequiredBufferAlignment() const override { return log_->alignment; }

 private:
  WriteLog* const log_;
};

// A file to read, and what was asked of it; outlives the file. Several threads
// may read; what is set here is set while none does.
struct ReadLog {
  std::string content;
  bool is_direct = false;
  size_t alignment = 4096;
  bool knows_size = true;
  // No call answers more than this.
  size_t max_bytes = SIZE_MAX;
  // From the call with this index (from 0) on, `error` is the answer, for
  // `fail_count` calls.
  int fail_at = -1;
  int fail_count = 1 << 30;
  IOStatus error = IOStatus::IOError("fake", "told to fail");

  struct Call {
    uint64_t offset;
    size_t length;
  };
  std::vector<Call> Calls() const {
    MutexLock lock(&mutex);
    return calls;
  }
  void ForgetCalls() {
    MutexLock lock(&mutex);
    calls.clear();
  }

  // How often the file was closed.
  int close_count = 0;

  mutable Mutex mutex;
  std::vector<Call> calls GUARDED_BY(mutex);
};

class FakeReadableFile : public FSRandomAccessFile {
 public:
  explicit FakeReadableFile(ReadLog* log) : log_(log) {}
  ~FakeReadableFile() override { ++log_->close_count; }

  IOStatus Read(uint64_t offset, size_t n, const IOOptions&, Slice* result,
                char* scratch, IODebugContext*) const override {
    const int index = NoteCall(offset, n);
    if (log_->fail_at >= 0 && index >= log_->fail_at &&
        index < log_->fail_at + log_->fail_count) {
      return log_->error;
    }
    const size_t alignment = log_->is_direct ? log_->alignment : 1;
    if (offset % alignment != 0 || n % alignment != 0 ||
        reinterpret_cast<uintptr_t>(scratch) % alignment != 0) {
      return IOStatus::InvalidArgument("not aligned");
    }
    const size_t size = log_->content.size();
    const size_t left = offset < size ? size - offset : 0;
    const size_t bytes = std::min({n, left, log_->max_bytes});
    if (bytes > 0) memcpy(scratch, log_->content.data() + offset, bytes);
    *result = Slice(scratch, bytes);
    return IOStatus::OK();
  }
  IOStatus GetFileSize(uint64_t* size) override {
    if (!log_->knows_size) return IOStatus::NotSupported("size");
    *size = log_->content.size();
    return IOStatus::OK();
  }
  bool use_direct_io() const override { return log_->is_direct; }
  size_t GetRequiredBufferAlignment() const override { return log_->alignment; }

 private:
  int NoteCall(uint64_t offset, size_t n) const {
    MutexLock lock(&log_->mutex);
    log_->calls.push_back({offset, n});
    return static_cast<int>(log_->calls.size()) - 1;
  }

  ReadLog* const log_;
};

// A file that answers many reads at once in memory of its own, whatever buffers
// it was given. What it has lent is overwritten when a request lets go of it.
class LendingFile : public FakeReadableFile {
 public:
  using FakeReadableFile::FakeReadableFile;

  IOStatus MultiRead(FSReadRequest* requests, size_t count,
                     const IOOptions& options, IODebugContext* debug) override {
    for (size_t i = 0; i < count; ++i) {
      FSReadRequest& one = requests[i];
      const size_t unit = GetRequiredBufferAlignment();
      const size_t room = (one.len + unit) / unit * unit;
      char* const memory = static_cast<char*>(aligned_alloc(unit, room));
      lent_.emplace_back(memory);
      one.status =
          Read(one.offset, one.len, options, &one.result, memory, debug);
      one.fs_scratch = FSAllocationPtr(
          memory, [room](void* lent) { memset(lent, 'x', room); });
    }
    return IOStatus::OK();
  }

 private:
  struct Free {
    void operator()(char* bytes) const { free(bytes); }
  };
  std::vector<std::unique_ptr<char, Free>> lent_;
};

// Bytes that tell their own offset.
inline std::string PatternBytes(size_t n) {
  std::string bytes(n, '\0');
  uint64_t state = 88172645463325252u;
  for (char& c : bytes) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    c = static_cast<char>(state);
  }
  return bytes;
}

}  // namespace ROCKSDB_NAMESPACE

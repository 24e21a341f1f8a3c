// The files of a FileSystem, and what travels with a call to one.
//
// Threads    FSRandomAccessFile and FSDirectory are safe for concurrent use;
//            the other files serve one thread at a time.
// Ownership  A file closes itself when destroyed; WritableFiles should be
//            closed first, since a destructor cannot tell of an error.
// Errors     IOStatus, which adds to Status whether a retry may help.

#pragma once

#include <any>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <shared_mutex>
#include <string>
#include <unordered_map>
#include <utility>

#include "rocksdb/checksum_type.h"
#include "rocksdb/env_interface.h"
#include "rocksdb/io_status.h"
#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/slice.h"
#include "rocksdb/types.h"

namespace folly {
class IOExecutor;
}

namespace ROCKSDB_NAMESPACE {

// Urgency of one call.
enum class IOPriority : uint8_t {
  kIOLow,
  kIOHigh,
  kIOTotal,
};

// What the bytes are.
enum class IOType : uint8_t {
  kData,
  kFilter,
  kIndex,
  kMetadata,
  kWAL,
  kManifest,
  kLog,
  kUnknown,
  kInvalid,
};

// Bit numbers in the answer of FileSystem::SupportedOps().
enum FSSupportedOps {
  // ReadAsync() does not wait for the device.
  kAsyncIO,
  // Reads may return memory of the file system (FSReadRequest::fs_scratch).
  kFSBuffer,
  // Reads obey verify_and_reconstruct_read.
  kVerifyAndReconstructRead,
  // Prefetch() has an effect.
  kFSPrefetch,
};

// What the opener of a file promises, so that the file system may do less.
enum class FileOpenContract : uint8_t {
  kDefault = 0,
  kNoReopenForWrite = 1 << 0,
  kNoReadersWhileOpenForWrite = 1 << 1,
};

inline FileOpenContract operator|(FileOpenContract a, FileOpenContract b) {
  return static_cast<FileOpenContract>(static_cast<uint8_t>(a) |
                                       static_cast<uint8_t>(b));
}
inline FileOpenContract& operator|=(FileOpenContract& a, FileOpenContract b) {
  return a = a | b;
}
// Whether all of `contract` is promised.
inline bool HasFileOpenContract(FileOpenContract contracts,
                                FileOpenContract contract) {
  return (contracts | contract) == contracts;
}

// What one call may want. A file system obeys what it knows.
struct IOOptions {
  // Longest time for the call; 0: none.
  std::chrono::microseconds timeout = std::chrono::microseconds::zero();
  // Obsolete; see rate_limiter_priority.
  IOPriority prio = IOPriority::kIOLow;
  // Priority at the rate limiter; IO_TOTAL: not limited.
  Env::IOPriority rate_limiter_priority = Env::IO_TOTAL;
  IOType type = IOType::kUnknown;
  // For agreements between an application and its own file system.
  std::unordered_map<std::string, std::string> property_bag;
  // Sync the directory even where the file system keeps entries by itself.
  bool force_dir_fsync = false;
  // GetChildren() does not descend into directories.
  bool do_not_recurse = false;
  // After a checksum error: read every copy and mend the bytes.
  bool verify_and_reconstruct_read = false;
  Env::IOActivity io_activity = Env::IOActivity::kUnknown;

  IOOptions() = default;
  explicit IOOptions(bool force_dir_fsync_)
      : force_dir_fsync(force_dir_fsync_) {}
};

// Why a directory is synced.
struct DirFsyncOptions {
  enum FsyncReason : uint8_t {
    kNewFileSynced,
    kFileRenamed,
    kDirRenamed,
    kFileDeleted,
    kDefault,
  } reason = kDefault;
  // With kFileRenamed.
  std::string renamed_new_name;

  DirFsyncOptions() = default;
  explicit DirFsyncOptions(std::string file_renamed_new_name)
      : reason(kFileRenamed),
        renamed_new_name(std::move(file_renamed_new_name)) {}
  explicit DirFsyncOptions(FsyncReason fsync_reason) : reason(fsync_reason) {}
};

// How one file is opened.
struct FileOptions : EnvOptions {
  // For the open call itself.
  IOOptions io_options;
  // Kind of device that is wanted (write) or known to hold the file (read).
  Temperature temperature = Temperature::kUnknown;
  FileOpenContract open_contract = FileOpenContract::kDefault;
  // Checksum that accompanies each append.
  ChecksumType handoff_checksum_type = ChecksumType::kCRC32c;
  // Expected life of the data, of files that are written.
  Env::WriteLifeTimeHint write_hint = Env::WLTH_NOT_SET;
  // Known checksum of a file to be read, and its function.
  std::string file_checksum;
  std::string file_checksum_func_name;
  // Opaque text of the file system about the file: in for reading, out for
  // writing. Not owned; may be null.
  std::string* file_metadata = nullptr;

  FileOptions() = default;
  explicit FileOptions(const DBOptions& opts) : EnvOptions(opts) {}
  // NOLINTNEXTLINE: an EnvOptions is a FileOptions with defaults.
  FileOptions(const EnvOptions& opts) : EnvOptions(opts) {}
  FileOptions(const FileOptions&) = default;
  FileOptions& operator=(const FileOptions&) = default;
};

// What a file system tells about one call, for tracing. One thread.
struct IODebugContext {
  // In: the file, where the call does not name it.
  std::string file_path;
  // Out: named counts.
  std::map<std::string, uint64_t> counters;
  // Out: free text.
  std::string msg;
  // In: an id that follows the request; bit kRequestID of trace_data.
  const std::string* request_id = nullptr;
  enum TraceData : char { kRequestID = 0 };
  uint64_t trace_data = 0;
  // Out: what the call cost, in the file system's own terms.
  std::any cost_info;
  // For file systems that fill it in from several threads. Each copy has its
  // own.
  std::shared_mutex mutex;

  IODebugContext() = default;
  IODebugContext(const IODebugContext& other) { *this = other; }
  IODebugContext& operator=(const IODebugContext& other) {
    if (this == &other) return *this;
    file_path = other.file_path;
    counters = other.counters;
    msg = other.msg;
    request_id = other.request_id;
    trace_data = other.trace_data;
    cost_info = other.cost_info;
    return *this;
  }

  void AddCounter(const std::string& name, uint64_t value) {
    counters.emplace(name, value);
  }
  void SetRequestId(const std::string* id) {
    request_id = id;
    trace_data |= uint64_t{1} << TraceData::kRequestID;
  }
  std::string ToString() const;
};

// Frees a buffer that a file system handed out.
using FSAllocationPtr = std::unique_ptr<void, std::function<void(void*)>>;
// Frees the handle of an asynchronous read.
using IOHandleDeleter = std::function<void(void*)>;

// One read. `scratch` has room for `len` bytes, or is null where the file
// system supports kFSBuffer and keeps the bytes in `fs_scratch`.
struct FSReadRequest {
  uint64_t offset = 0;
  size_t len = 0;
  char* scratch = nullptr;
  // Out: what was read, shorter than `len` only where the file ends.
  Slice result;
  IOStatus status;
  FSAllocationPtr fs_scratch;
};

// A file read from front to back.
class FSSequentialFile {
 public:
  FSSequentialFile() = default;
  virtual ~FSSequentialFile() = default;

  // Reads up to `n` bytes into `scratch` (or points `result` at memory of the
  // file); fewer only at the end.
  virtual IOStatus Read(size_t n, const IOOptions& options, Slice* result,
                        char* scratch, IODebugContext* dbg) = 0;
  // Passes over `n` bytes.
  virtual IOStatus Skip(uint64_t n) = 0;

  virtual bool use_direct_io() const { return false; }
  virtual size_t GetRequiredBufferAlignment() const { return kDefaultPageSize; }

  // Drops cached pages of a range; length 0: to the end.
  virtual IOStatus InvalidateCache(size_t /*offset*/, size_t /*length*/) {
    return IOStatus::NotSupported("FSSequentialFile::InvalidateCache");
  }

  // Direct files only: an aligned read that leaves the position alone.
  virtual IOStatus PositionedRead(uint64_t /*offset*/, size_t /*n*/,
                                  const IOOptions& /*options*/,
                                  Slice* /*result*/, char* /*scratch*/,
                                  IODebugContext* /*dbg*/) {
    return IOStatus::NotSupported("FSSequentialFile::PositionedRead");
  }

  virtual Temperature GetTemperature() const { return Temperature::kUnknown; }
};

// A file read anywhere, by any number of threads.
class FSRandomAccessFile {
 public:
  FSRandomAccessFile() = default;
  virtual ~FSRandomAccessFile() = default;

  // Reads up to `n` bytes from `offset`; fewer only where the file ends. A
  // file opened for direct I/O wants offset, n and scratch aligned to
  // GetRequiredBufferAlignment().
  virtual IOStatus Read(uint64_t offset, size_t n, const IOOptions& options,
                        Slice* result, char* scratch,
                        IODebugContext* dbg) const = 0;

  // Asks for bytes that will be read soon; does not wait.
  virtual IOStatus Prefetch(uint64_t /*offset*/, size_t /*n*/,
                            const IOOptions& /*options*/,
                            IODebugContext* /*dbg*/) {
    return IOStatus::NotSupported("FSRandomAccessFile::Prefetch");
  }

  // Many reads at once. OK: every request has its own status. An error: no
  // request may be used.
  virtual IOStatus MultiRead(FSReadRequest* reqs, size_t num_reqs,
                             const IOOptions& options, IODebugContext* dbg);

  // Starts a read, and calls cb(request with the outcome, cb_arg) from Poll()
  // of the same thread, or before returning. `*io_handle`, freed through
  // `*del_fn`, stands for the read until then and is null where it is done.
  // The buffer must live until the callback or AbortIO().
  virtual IOStatus ReadAsync(FSReadRequest& req, const IOOptions& options,
                             std::function<void(FSReadRequest&, void*)> cb,
                             void* cb_arg, void** io_handle,
                             IOHandleDeleter* del_fn, IODebugContext* dbg);

  // Writes an id of this file into `id`; its length is the answer, 0 if there
  // is none. Existing files have different ids, none a prefix of another.
  virtual size_t GetUniqueId(char* /*id*/, size_t /*max_size*/) const {
    return 0;
  }

  enum AccessPattern { kNormal, kRandom, kSequential, kWillNeed, kWontNeed };
  virtual void Hint(AccessPattern /*pattern*/) {}

  virtual bool use_direct_io() const { return false; }
  virtual size_t GetRequiredBufferAlignment() const { return kDefaultPageSize; }

  virtual IOStatus InvalidateCache(size_t /*offset*/, size_t /*length*/) {
    return IOStatus::NotSupported("FSRandomAccessFile::InvalidateCache");
  }

  // Size of the open file, without looking up its name again.
  virtual IOStatus GetFileSize(uint64_t* /*result*/) {
    return IOStatus::NotSupported("FSRandomAccessFile::GetFileSize");
  }

  virtual Temperature GetTemperature() const { return Temperature::kUnknown; }

  // Starts a read that calls `cb` from a thread of the file system's; false: it
  // was not started, and `cb` is not called. This engine uses ReadAsync().
  virtual bool SubmitReadAsync(FSReadRequest& /*req*/,
                               const IOOptions& /*options*/,
                               std::function<void(FSReadRequest&)> /*cb*/,
                               IODebugContext* /*dbg*/) {
    return false;
  }

  // Longest text of the next call, bytes.
  static constexpr size_t kMaxFileOpenMetadataSize = 8 * 1024;
  // Text by which the file opens more quickly the next time it is given in
  // FileOptions::file_metadata.
  virtual IOStatus GetFileOpenMetadata(std::string* /*metadata*/) {
    return IOStatus::NotSupported("FSRandomAccessFile::GetFileOpenMetadata");
  }
};

// A file that grows.
class FSWritableFile {
 public:
  FSWritableFile() = default;
  explicit FSWritableFile(const FileOptions& options)
      : write_hint_(options.write_hint),
        strict_bytes_per_sync_(options.strict_bytes_per_sync) {}
  FSWritableFile(const FSWritableFile&) = delete;
  FSWritableFile& operator=(const FSWritableFile&) = delete;
  virtual ~FSWritableFile() = default;

  // Appends; after an error the length of the file is not known.
  virtual IOStatus Append(const Slice& data, const IOOptions& options,
                          IODebugContext* dbg) = 0;
  virtual IOStatus Append(const Slice& data, const IOOptions& options,
                          const DataVerificationInfo& /*verification_info*/,
                          IODebugContext* dbg) {
    return Append(data, options, dbg);
  }

  // Direct files: writes an aligned block at an aligned offset.
  virtual IOStatus PositionedAppend(const Slice& /*data*/, uint64_t /*offset*/,
                                    const IOOptions& /*options*/,
                                    IODebugContext* /*dbg*/) {
    return IOStatus::NotSupported("FSWritableFile::PositionedAppend");
  }
  virtual IOStatus PositionedAppend(
      const Slice& data, uint64_t offset, const IOOptions& options,
      const DataVerificationInfo& /*verification_info*/, IODebugContext* dbg) {
    return PositionedAppend(data, offset, options, dbg);
  }

  // Sets the length, as after the padding of the last direct write.
  virtual IOStatus Truncate(uint64_t /*size*/, const IOOptions& /*options*/,
                            IODebugContext* /*dbg*/) {
    return IOStatus::OK();
  }
  virtual IOStatus Close(const IOOptions& options, IODebugContext* dbg) = 0;
  // To the operating system.
  virtual IOStatus Flush(const IOOptions& options, IODebugContext* dbg) = 0;
  // To the device: data and length; with Fsync all metadata too. After a
  // failure the file is not to be used again.
  virtual IOStatus Sync(const IOOptions& options, IODebugContext* dbg) = 0;
  virtual IOStatus Fsync(const IOOptions& options, IODebugContext* dbg) {
    return Sync(options, dbg);
  }
  // True if Sync may run while another thread appends.
  virtual bool IsSyncThreadSafe() const { return false; }

  virtual bool use_direct_io() const { return false; }
  virtual size_t GetRequiredBufferAlignment() const { return kDefaultPageSize; }

  virtual void SetWriteLifeTimeHint(Env::WriteLifeTimeHint hint) {
    write_hint_ = hint;
  }
  virtual Env::WriteLifeTimeHint GetWriteLifeTimeHint() { return write_hint_; }
  virtual void SetIOPriority(Env::IOPriority pri) { io_priority_ = pri; }
  virtual Env::IOPriority GetIOPriority() { return io_priority_; }

  // Bytes written so far.
  virtual uint64_t GetFileSize(const IOOptions& /*options*/,
                               IODebugContext* /*dbg*/) {
    return 0;
  }

  // PrepareWrite() reserves space in steps of this size; 0: not at all.
  virtual void SetPreallocationBlockSize(size_t size) {
    preallocation_block_size_ = size;
  }
  virtual void GetPreallocationStatus(size_t* block_size,
                                      size_t* last_allocated_block) {
    *last_allocated_block = last_preallocated_block_;
    *block_size = preallocation_block_size_;
  }

  virtual size_t GetUniqueId(char* /*id*/, size_t /*max_size*/) const {
    return 0;
  }

  virtual IOStatus InvalidateCache(size_t /*offset*/, size_t /*length*/) {
    return IOStatus::NotSupported("FSWritableFile::InvalidateCache");
  }

  // Starts write-back of a range; nothing is durable by it.
  virtual IOStatus RangeSync(uint64_t /*offset*/, uint64_t /*nbytes*/,
                             const IOOptions& options, IODebugContext* dbg) {
    if (strict_bytes_per_sync_) return Sync(options, dbg);
    return IOStatus::OK();
  }

  // Before `len` bytes are written at `offset`: reserves space for them.
  virtual void PrepareWrite(size_t offset, size_t len, const IOOptions& options,
                            IODebugContext* dbg);

  virtual IOStatus Allocate(uint64_t /*offset*/, uint64_t /*len*/,
                            const IOOptions& /*options*/,
                            IODebugContext* /*dbg*/) {
    return IOStatus::OK();
  }

 protected:
  size_t preallocation_block_size() const { return preallocation_block_size_; }

 private:
  size_t last_preallocated_block_ = 0;
  size_t preallocation_block_size_ = 0;

 protected:
  Env::IOPriority io_priority_ = Env::IO_TOTAL;
  Env::WriteLifeTimeHint write_hint_ = Env::WLTH_NOT_SET;
  const bool strict_bytes_per_sync_ = false;
};

// A file read and written anywhere.
class FSRandomRWFile {
 public:
  FSRandomRWFile() = default;
  FSRandomRWFile(const FSRandomRWFile&) = delete;
  FSRandomRWFile& operator=(const FSRandomRWFile&) = delete;
  virtual ~FSRandomRWFile() = default;

  virtual bool use_direct_io() const { return false; }
  virtual size_t GetRequiredBufferAlignment() const { return kDefaultPageSize; }

  virtual IOStatus Write(uint64_t offset, const Slice& data,
                         const IOOptions& options, IODebugContext* dbg) = 0;
  virtual IOStatus Read(uint64_t offset, size_t n, const IOOptions& options,
                        Slice* result, char* scratch,
                        IODebugContext* dbg) const = 0;
  virtual IOStatus Flush(const IOOptions& options, IODebugContext* dbg) = 0;
  virtual IOStatus Sync(const IOOptions& options, IODebugContext* dbg) = 0;
  virtual IOStatus Fsync(const IOOptions& options, IODebugContext* dbg) {
    return Sync(options, dbg);
  }
  virtual IOStatus Close(const IOOptions& options, IODebugContext* dbg) = 0;

  virtual Temperature GetTemperature() const { return Temperature::kUnknown; }
};

using FSMemoryMappedFileBuffer = MemoryMappedFileBuffer;

// An open directory.
class FSDirectory {
 public:
  virtual ~FSDirectory() = default;

  // Makes its entries durable.
  virtual IOStatus Fsync(const IOOptions& options, IODebugContext* dbg) = 0;
  virtual IOStatus FsyncWithDirOptions(const IOOptions& options,
                                       IODebugContext* dbg,
                                       const DirFsyncOptions& /*dir_options*/) {
    return Fsync(options, dbg);
  }
  virtual IOStatus Close(const IOOptions& /*options*/,
                         IODebugContext* /*dbg*/) {
    return IOStatus::NotSupported("FSDirectory::Close");
  }
  virtual size_t GetUniqueId(char* /*id*/, size_t /*max_size*/) const {
    return 0;
  }
};

}  // namespace ROCKSDB_NAMESPACE

// Writes a file from front to back, through a buffer.
//
// Append() is a copy into the buffer; Flush() is one write call. A direct file
// is written in whole alignment units: the last partial one is padded, and
// written again when it has grown; Close() cuts the padding off.
//
// Once a call has failed, the bytes of the file are not known, and a kernel
// that failed a sync has forgotten the pages: the file takes no more appends
// and no more syncs, for ever. Close() still frees it, and answers the error.
//
// Threads    One at a time, except SyncWithoutFlush(), which may run beside
//            appends where the file allows that.
// Ownership  Owns the file. The destructor closes and ignores errors.
// Errors     Name the file; those after a failure say what that was.
#pragma once

#include <atomic>
#include <cassert>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>

#include "file/aligned_buffer.h"
#include "file/file_io_context.h"
#include "rocksdb/file_checksum.h"
#include "rocksdb/file_system.h"
#include "rocksdb/io_status.h"
#include "rocksdb/slice.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

class EarlyWriteBack;
class OutputStream;

using WritableFileWriterOptions = FileIoContext;

class WritableFileWriter {
 public:
  // Space is reserved as if no file became larger than this: a size that is
  // only a limit, or a guess, must not take the whole disk.
  static constexpr uint64_t kMostReservedBytes = uint64_t{1} << 30;

  WritableFileWriter(std::unique_ptr<FSWritableFile> file,
                     std::string file_name, const FileOptions& options,
                     FileIoContext context = {});
  ~WritableFileWriter();
  WritableFileWriter(const WritableFileWriter&) = delete;
  WritableFileWriter& operator=(const WritableFileWriter&) = delete;

  // Creates the file, emptying an existing one.
  static IOStatus Create(FileSystem* fs, const std::string& file_name,
                         const FileOptions& options,
                         std::unique_ptr<WritableFileWriter>* result,
                         FileIoContext context = {});

  IOStatus Append(const Slice& data) {
    const size_t n = data.size();
    assert(used_ <= buffer_.capacity());
    if (n > buffer_.capacity() - used_ || n == 0 || seen_error()) {
      return AppendSlow(data);
    }
    if (is_tapped_) [[unlikely]]
      Tap(data);
    memcpy(buffer_.data() + used_, data.data(), n);
    used_ += n;
    // Relaxed: one thread writes; others only want a recent value.
    file_size_.store(file_size_.load(std::memory_order_relaxed) + n,
                     std::memory_order_relaxed);
    return IOStatus::OK();
  }

  // Appends zero bytes, which become part of the file.
  IOStatus Pad(size_t pad_bytes);

  // What was appended to the operating system.
  IOStatus Flush();

  // From here on write-back is started as `options` say of bytes_per_sync.
  void SetWriteBack(const FileOptions& options);

  // Flush(), and on to the device: data and length, with `use_fsync` all
  // metadata too.
  IOStatus Sync(bool use_fsync);

  // Syncs what was flushed. NotSupported unless the file is safe for that.
  IOStatus SyncWithoutFlush(bool use_fsync);

  // Flushes and closes. A second call does nothing.
  IOStatus Close();

  // Bytes appended so far; safe to ask from other threads.
  uint64_t GetFileSize() const {
    return file_size_.load(std::memory_order_relaxed);
  }
  // Bytes of them that the operating system has.
  uint64_t GetFlushedSize() const {
    return flushed_size_.load(std::memory_order_acquire);
  }
  size_t BufferedBytes() const { return used_; }
  bool BufferIsEmpty() const { return used_ == 0; }

  IOStatus InvalidateCache(size_t offset, size_t length) {
    return file_->InvalidateCache(offset, length);
  }

  const std::string& file_name() const { return file_name_; }
  FSWritableFile* writable_file() const { return file_.get(); }
  bool use_direct_io() const { return is_direct_; }
  bool seen_error() const {
    // acquire: pairs with the release in Fail().
    return seen_error_.load(std::memory_order_acquire);
  }

  // After Close(): the checksum of the file and the name of its function, or
  // kUnknownFileChecksum and kUnknownFileChecksumFuncName.
  std::string GetFileChecksum() const;
  const char* GetFileChecksumFuncName() const;

 private:
  size_t Alignment() const;
  // Shows the bytes to those who want them all.
  void Tap(const Slice& data);
  IOStatus AppendSlow(const Slice& data);
  IOStatus AppendBuffered(const Slice& data);
  IOStatus AppendDirect(Slice data);
  void CopyToBuffer(const char* data, size_t n);
  // Grows the buffer for `n` more bytes, within its limit.
  void GrowBuffer(size_t n);
  // Empties the buffer into the file. Direct: with `with_tail` the partial
  // unit too, which also stays as the buffer's new beginning.
  IOStatus WriteOut(bool with_tail);
  IOStatus WriteBuffered(Slice data);
  IOStatus WriteDirect(bool with_tail);
  IOStatus WriteUnits(size_t bytes);
  IOStatus StreamUnits(size_t bytes);
  IOStatus DrainStream();
  // Before the limiter may have the thread wait.
  void SettleIfLimited() const;
  // Makes one call to the file, with a checksum where the context wants one.
  IOStatus HandOver(const Slice& data, uint64_t offset);
  IOStatus HandOverChecked(const Slice& data, uint64_t offset);
  // The same, counted and told to the listeners.
  IOStatus WriteOnce(const Slice& data, uint64_t offset);
  IOStatus SyncFile(bool use_fsync);
  // Direct: cuts off the padding behind the last byte.
  IOStatus TrimPadding();
  IOStatus FinishFile();
  IOStatus CloseFile();
  Env::IOPriority Priority() const;
  // Remembers a failure for ever.
  IOStatus Fail(IOStatus status);
  IOStatus PriorError() const;

  std::unique_ptr<FSWritableFile> file_;  // null after Close()
  const std::string file_name_;
  const FileIoContext context_;
  const bool is_direct_;
  const size_t max_buffer_size_;

  // Direct: reserved space counts to the file's size until it is cut off.
  const bool extends_size_;
  std::unique_ptr<OutputStream> stream_;  // overlaps_writes
  // Through the page cache: null where the kernel writes back by itself.
  std::unique_ptr<EarlyWriteBack> write_back_;

  AlignedBuffer buffer_;
  // Bytes in the buffer.
  size_t used_ = 0;
  // Direct: offset in the file of the buffer's first byte.
  uint64_t write_offset_ = 0;
  // Direct: bytes at the buffer's beginning that are in the file already.
  size_t tail_written_ = 0;
  // Direct: where the file ends for the file system, padding included.
  uint64_t physical_size_ = 0;
  // Direct: the size that the padding was cut off at; 0: none yet.
  uint64_t trimmed_size_ = 0;
  std::atomic<uint64_t> file_size_{0};
  std::atomic<uint64_t> flushed_size_{0};
  // True at first: a new file is to be synced even if it is empty.
  bool is_sync_pending_ = true;
  std::atomic<bool> seen_error_{false};
  mutable Mutex error_mutex_;
  std::string first_error_ GUARDED_BY(error_mutex_);
  bool is_tapped_ = false;
  std::unique_ptr<FileChecksumGenerator> checksum_;
  std::string checksum_value_;
};

}  // namespace ROCKSDB_NAMESPACE

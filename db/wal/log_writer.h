// Appends logical records to a log file (log_format.h).
//
// Threads    One thread at a time, except SyncFlushed(), which may run beside
//            the others.
// Ownership  Owns the file.
// Errors     The first error of the file sticks: the log is abandoned, since
//            nobody knows which bytes reached it, and every later call answers
//            that error.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "db/wal/log_format.h"
#include "rocksdb/io_status.h"
#include "rocksdb/slice.h"

namespace ROCKSDB_NAMESPACE {

class WritableFileWriter;

namespace log {

class Compression;

struct WriterOptions {
  uint64_t log_number = 0;  // 0 for a manifest
  // Writes recyclable headers: the file may be an old one, renamed.
  bool recyclable = false;
  // Records stay in the buffer until Flush().
  bool manual_flush = false;
  // Where the next record goes: the length of a file that is continued.
  uint64_t file_offset = 0;
  // Records are compressed. The first record of the file says so.
  bool is_compressed = false;
};

class Writer {
 public:
  Writer(std::unique_ptr<WritableFileWriter> file,
         const WriterOptions& options);
  ~Writer();
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  // Says what the log before was, ahead of all records.
  IOStatus AddPredecessor(const PredecessorInfo& predecessor);
  // Says what timestamps the keys of column families end with, unless this log
  // says so already. Before the first batch with such keys.
  IOStatus AddTimestampSizes(const std::map<uint32_t, uint16_t>& sizes);
  // Appends one record, and hands it to the operating system unless
  // manual_flush is set.
  IOStatus AddRecord(const Slice& record);
  // Hands everything to the operating system.
  IOStatus Flush();
  // Makes everything durable. After a failure the file must not be synced
  // again: the pages may be marked clean though they were not written.
  IOStatus Sync(bool use_fsync);
  // The same for what was flushed, beside appends; NotSupported where the file
  // does not allow that.
  IOStatus SyncFlushed(bool use_fsync);
  // Cuts off what a file that was used before holds behind the last record.
  IOStatus CutTail();
  // Flushes and closes the file, cut to its data.
  IOStatus Close();

  WritableFileWriter* file() { return file_.get(); }
  const WritableFileWriter* file() const { return file_.get(); }
  uint64_t log_number() const { return options_.log_number; }
  bool recyclable() const { return options_.recyclable; }
  // The first error; OK if there was none.
  const IOStatus& status() const { return status_; }
  // Has it one, or a sync beside it?
  bool has_failed() const;
  // The length of the log up to and with the last record.
  uint64_t size() const { return size_; }

 private:
  IOStatus Begin();
  IOStatus AddPieces(const Slice& record);
  IOStatus EmitPhysicalRecord(uint8_t type, const Slice& payload);
  IOStatus PadBlock();
  IOStatus EndBlock();
  [[gnu::always_inline]] IOStatus Remember(IOStatus status) {
    if (!status.ok()) [[unlikely]]
      KeepFirst(status);
    return status;
  }
  void KeepFirst(const IOStatus& error);

  static constexpr size_t kTypeCount = kRecyclablePredecessorInfoType + 1;

  const WriterOptions options_;
  const size_t header_size_;
  const std::unique_ptr<WritableFileWriter> file_;
  size_t block_offset_;  // in the current block
  uint64_t size_;
  IOStatus status_;
  // What AddTimestampSizes() has said.
  std::map<uint32_t, uint16_t> timestamp_sizes_;
  std::unique_ptr<Compression> compression_;
  std::string frame_;
  // The checksums of each type byte, with the log number where there is one.
  uint32_t type_crc_[kTypeCount];
};

}  // namespace log
}  // namespace ROCKSDB_NAMESPACE

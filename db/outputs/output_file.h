// A file that a flush or compaction writes, whatever is in it: made as the job
// writes its files, and at its end synced by another thread, and closed.
//
// Contract   Create(), writer()..., Seal(), Join(). Between the last two the
//            device makes the file durable, while the job goes on with the
//            next one. GiveUp() at any time before Join() has returned.
// Errors     Name the file.
// Threads    One thread; no lock needed.
// Ownership  Owns the file being written; its bytes on disk are the caller's
//            to delete.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "db/outputs/job_context.h"
#include "file/writable_file_writer.h"
#include "rocksdb/options.h"

namespace ROCKSDB_NAMESPACE {

class BackgroundSync;
class FreshImage;
class IoPace;

struct OutputFileRequest {
  const JobContext* job = nullptr;
  FileType type = kTableFile;
  FileOptions options;
  Env::IOPriority io_priority = Env::IO_TOTAL;
  IoClass io_class = IoClass::kDeep;
  IoPace* pace = nullptr;        // null: not spread over time
  FreshImage* image = nullptr;   // null: none is kept
  uint64_t reserved_bytes = 0;   // how much space at a time; 0: not known
  uint32_t write_histogram = 0;  // takes the time of each write
  uint32_t sync_histogram = 0;   // takes the time of the sync
};

class OutputFile {
  struct PassKey {};  // Only Create() makes one.

 public:
  static Status Create(const OutputFileRequest& request,
                       const std::string& path,
                       std::unique_ptr<OutputFile>* result);
  OutputFile(PassKey, const OutputFileRequest& request,
             std::unique_ptr<WritableFileWriter> writer);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  const std::string& path() const { return writer_->file_name(); }
  WritableFileWriter* writer() const { return writer_.get(); }

  // All is written: has it synced by another thread. Join() reports what fails
  // there.
  Status Seal();
  // Waits for the sync, and closes the file. Once, after a good Seal().
  Status Join();
  // What a good Join() has found out; stay as they are where nobody asks for
  // checksums.
  void GetChecksum(std::string* value, std::string* method) const;
  // The file goes away: closes it, whatever it lacks.
  void GiveUp();

 private:
  const OutputFileRequest request_;
  const std::unique_ptr<WritableFileWriter> writer_;
  std::unique_ptr<BackgroundSync> sync_;  // null: none has begun
};

// How a job opens the files that it writes.
FileOptions OutputFileOptions(const JobContext& job);

}  // namespace ROCKSDB_NAMESPACE

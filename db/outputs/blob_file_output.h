// One blob file that a flush or compaction writes: opened, filled, finished,
// synced, and described by a record for the manifest.
//
// Contract   Open(), Append()..., Seal(), Join(). Between the last two the
//            device makes the file durable, while the job goes on with the
//            next one. A file that is not joined well is deleted: by Join()
//            when it fails, else by the destructor.
// Errors     Name the file. A failed Append() ends the file.
// Threads    One thread; no lock needed.
// Ownership  Owns the file being written.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "db/blob/blob_file.h"
#include "db/outputs/job_context.h"
#include "db/outputs/output_file.h"
#include "rocksdb/options.h"

namespace ROCKSDB_NAMESPACE {

struct MutableCFOptions;

struct BlobOutputRequest {
  const JobContext* job = nullptr;
  const MutableCFOptions* options = nullptr;
  BlobFileCreationReason reason = BlobFileCreationReason::kFlush;
  Env::IOPriority io_priority = Env::IO_TOTAL;
  IoClass io_class = IoClass::kDeep;
  IoPace* pace = nullptr;  // null: not spread over time
};

class BlobFileOutput {
  struct PassKey {};  // Only Open() makes one.

 public:
  static Status Open(const BlobOutputRequest& request,
                     std::unique_ptr<BlobFileOutput>* result);
  BlobFileOutput(PassKey, const BlobOutputRequest& request,
                 std::unique_ptr<OutputFile> file, uint64_t number);
  ~BlobFileOutput();
  BlobFileOutput(const BlobFileOutput&) = delete;
  BlobFileOutput& operator=(const BlobFileOutput&) = delete;

  // `stored` is the value in the form that the family's codec gives it.
  // *offset: where it lies.
  Status Append(const Slice& user_key, const Slice& stored, uint64_t* offset);

  uint64_t number() const { return record_.number; }
  uint64_t size_bytes() const { return file_->writer()->GetFileSize(); }

  // Writes the footer, and has the file synced by another thread. Join()
  // reports what fails.
  void Seal();
  // Waits for the sync, and closes the file.
  Status Join();

  // Complete after Join().
  const BlobFileAddition& record() const { return record_; }

 private:
  Status WriteHeader();
  Status WriteFooter();
  Status CheckWritten() const;
  void NotifyStarted() const;
  void NotifyFinished(const Status& status) const;
  void Drop();

  const BlobOutputRequest request_;
  const std::unique_ptr<OutputFile> file_;
  BlobFileAddition record_;
  std::string scratch_;
  // The first failure.
  Status status_;
  bool is_sealed_ = false;
  bool is_closed_ = false;
};

}  // namespace ROCKSDB_NAMESPACE

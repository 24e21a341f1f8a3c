// One blob file that values are appended to before the log has the references
// to them (enable_blob_direct_write). No version lists it until the memtable
// that refers to it is flushed, and it has an end only then.
//
//   open --Append(), Flush(), Sync()--> open --Seal()--> sealed
//                  \-- a call fails --> cut off --Sync(), Seal()--> sealed
//
// A file whose writing has failed takes nothing more. What the operating system
// had of it before is copied to a file with an end, which takes its place: a
// kernel that failed a sync has forgotten the pages, so that no later sync of
// the same file would prove anything.
//
// The file is never deleted here: logs may refer to it. One that nothing refers
// to is a left-over file.
//
// Threads    Append() and Flush() by the leader of all writes; the rest by any
//            thread, beside them.
// Ownership  Owns its handles; the family's GrowingBlobs shares the reader.
// Errors     Name the file.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "db/blob/blob_file.h"
#include "db/blob/blob_file_reader.h"
#include "db/blob/growing_blobs.h"
#include "db/outputs/job_context.h"
#include "file/writable_file_writer.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

struct MutableCFOptions;

class GrowingBlobFile {
  struct PassKey {};  // Only Open() makes one.

 public:
  // `job` outlives the file.
  static Status Open(const JobContext& job, const MutableCFOptions& options,
                     std::unique_ptr<GrowingBlobFile>* result);
  GrowingBlobFile(PassKey, const JobContext& job, CompressionType compression,
                  std::unique_ptr<WritableFileWriter> writer, uint64_t number);
  // Closes the file as it is.
  ~GrowingBlobFile();
  GrowingBlobFile(const GrowingBlobFile&) = delete;
  GrowingBlobFile& operator=(const GrowingBlobFile&) = delete;

  uint64_t number() const { return number_; }
  CompressionType compression() const { return compression_; }
  const std::string& path() const { return path_; }
  // Of what was flushed, of a file without its end; 0: it has no blob, or its
  // end.
  uint64_t unsealed_bytes() const;
  // With the records that are not flushed yet.
  uint64_t size_bytes() const;
  // False: it was cut off, or sealed.
  bool TakesMore() const;

  // `stored` is the value in the form of compression(). *offset: where it lies.
  Status Append(const Slice& record_key, const Slice& stored, uint64_t* offset);
  // What was appended can be read, and outlives the process.
  Status Flush();
  // What was flushed outlives the machine.
  Status Sync();
  // The same, with an end. *record: for the manifest; no blobs: the file is not
  // to be listed. Once it is sealed, answers the same again.
  Status Seal(BlobFileAddition* record);

 private:
  Status WriteHeader();
  Status OpenReader();
  Status SyncLocked() REQUIRES(mutex_);
  Status WriteEnd() REQUIRES(mutex_);
  Status SealCutOff() REQUIRES(mutex_);
  void NoteSealed() REQUIRES(mutex_);

  const JobContext& job_;
  const CompressionType compression_;
  const uint64_t number_;
  const std::string path_;
  const std::shared_ptr<GrowingBlobs> growing_;
  std::shared_ptr<BlobFileReader> reader_;

  mutable Mutex mutex_;
  std::unique_ptr<WritableFileWriter> writer_ GUARDED_BY(mutex_);
  BlobFileAddition record_ GUARDED_BY(mutex_);   // of what was flushed
  BlobFileAddition pending_ GUARDED_BY(mutex_);  // with what was not
  bool is_dirty_ GUARDED_BY(mutex_) = true;      // behind the last sync
  bool is_in_directory_ GUARDED_BY(mutex_) = false;
  bool is_cut_off_ GUARDED_BY(mutex_) = false;
  bool is_sealed_ GUARDED_BY(mutex_) = false;
};

}  // namespace ROCKSDB_NAMESPACE

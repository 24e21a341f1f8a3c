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
// Logs may refer to it: it is deleted only when this goes, which is when the
// memtable does, and if no version lists it then. While a database is closed
// it stays.
//
// Threads    Append() and Flush() by the leader of all writes; the rest by any
//            thread, beside them. Appends do not wait for the device.
// Ownership  Owns its handles; the family's GrowingBlobs shares the reader. May
//            outlive the family.
// Errors     Name the file.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "db/blob/blob_file.h"
#include "db/blob/growing_blobs.h"
#include "db/outputs/blob_file_events.h"
#include "db/tables/file_meta.h"
#include "file/writable_file_writer.h"
#include "rocksdb/file_system.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

class BlobFileReader;
class BlobSource;

// What such files of one family need of the database.
struct GrowingBlobContext {
  explicit GrowingBlobContext(const JobContext& job);

  BlobFileOrigin origin;
  VersionSet* versions;
  std::shared_ptr<ObsoleteFileSink> sink;
  std::function<std::shared_ptr<const void>()> hold_outputs;
  FileOptions file_options;
};

class GrowingBlobFile {
  struct PassKey {};  // Only Open() makes one.

 public:
  // `context` outlives the file.
  static Status Open(const GrowingBlobContext& context,
                     const BlobSource& source, CompressionType compression,
                     std::unique_ptr<GrowingBlobFile>* result);
  GrowingBlobFile(PassKey, const GrowingBlobContext& context,
                  const BlobSource& source, CompressionType compression,
                  uint64_t number);
  ~GrowingBlobFile();
  GrowingBlobFile(const GrowingBlobFile&) = delete;
  GrowingBlobFile& operator=(const GrowingBlobFile&) = delete;

  uint64_t number() const { return number_; }
  CompressionType compression() const { return compression_; }
  const std::string& path() const { return path_; }
  // Without an end, of what was flushed; 0: it has no blob.
  uint64_t flushed_bytes() const;
  // With the records that are not flushed yet.
  uint64_t size_bytes() const;
  // False: it was cut off, or sealed.
  bool TakesMore() const;

  // `stored` is the value in the form of compression(). *offset: where it lies.
  Status Append(const Slice& record_key, const Slice& stored, uint64_t* offset);
  // What was appended can be read, and outlives the process.
  Status Flush();
  // What was flushed outlives the machine.
  Status Sync() EXCLUDES(sync_mutex_, mutex_);
  // The same, with an end. *record: for the manifest; no blobs: the file is not
  // to be listed. Once it is sealed, answers the same again.
  Status Seal(BlobFileAddition* record) EXCLUDES(sync_mutex_, mutex_);

 private:
  Status HasFailed() const;
  Status Create();
  Status WriteHeader();
  Status OpenReader(const BlobSource& source);
  Status SyncFlushed() REQUIRES(sync_mutex_) EXCLUDES(mutex_);
  Status SyncName() REQUIRES(sync_mutex_);
  Status WriteEnd() REQUIRES(sync_mutex_, mutex_);
  Status SealCutOff() REQUIRES(sync_mutex_) EXCLUDES(mutex_);
  Status SyncFile() REQUIRES(sync_mutex_) EXCLUDES(mutex_);
  Status SealFile(BlobFileAddition* record) REQUIRES(sync_mutex_)
      EXCLUDES(mutex_);
  void NoteSealed() REQUIRES(sync_mutex_, mutex_);
  // Listeners are told without a lock.
  void TellIfSealed() EXCLUDES(sync_mutex_, mutex_);

  const GrowingBlobContext& context_;
  const ImmutableDBOptions& db_;
  const uint32_t family_id_;
  const CompressionType compression_;
  const uint64_t number_;
  const std::string directory_;
  const std::string path_;
  const std::shared_ptr<GrowingBlobs> growing_;
  BlobFileRef reader_;  // null: none is listed

  // Held by whoever syncs or seals, before the other one. Files are synced
  // without that, beside appends.
  Mutex sync_mutex_;
  bool is_in_directory_ GUARDED_BY(sync_mutex_) = false;
  uint64_t synced_count_ GUARDED_BY(sync_mutex_) = 0;  // blobs on the device

  mutable Mutex mutex_;
  // Replaced by whoever holds both.
  std::unique_ptr<WritableFileWriter> writer_ GUARDED_BY(mutex_);
  BlobFileAddition record_ GUARDED_BY(mutex_);   // counts flushed blobs
  BlobFileAddition pending_ GUARDED_BY(mutex_);  // counts all blobs
  bool is_cut_off_ GUARDED_BY(mutex_) = false;
  bool is_sealed_ GUARDED_BY(mutex_) = false;
  bool is_told_ GUARDED_BY(mutex_) = false;
};

}  // namespace ROCKSDB_NAMESPACE

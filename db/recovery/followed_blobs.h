// Blob files of one family that logs refer to and no manifest names, as whoever
// reads the logs and may not change the files needs them: readable up to where
// they are written by now.
//
// Kept by the memtables that the logs become.
//
// Threads    Want() by the thread that replays; the files are read by any.
// Ownership  Shares the files; may outlive the family.
// Errors     Want(): NotFound for a file that is not there; Incomplete for one
//            that does not reach as far as the blob.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "db/blob/blob_file.h"
#include "db/blob/growing_blobs.h"
#include "memtable/memtable_attachment.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {

class BlobSource;
class FileSystem;
struct BlobIndex;

class FollowedBlobs final : public MemTableAttachment {
 public:
  enum class Trust : uint8_t {
    // What it logs is in the files.
    kWriterLives,
    // A crash may have taken of the files what the log still refers to: they
    // are read up to the last record that is whole.
    kNobodyWrites,
  };
  FollowedBlobs(const BlobSource& source, Trust trust);
  ~FollowedBlobs() override;

  // The blob can be read from here on. `source`: the one from before.
  Status Want(FileSystem* fs, const BlobSource& source, const BlobIndex& blob);

  struct Followed {
    BlobFileRef file;
    uint64_t size_bytes = 0;  // where the last blob that is referred to ends
    uint64_t whole_bytes = UINT64_MAX;
  };
  const std::vector<Followed>& files() const { return files_; }

 private:
  Status Find(FileSystem* fs, const BlobSource& source, const BlobIndex& blob,
              Followed** followed);

  const Trust trust_;
  const std::shared_ptr<GrowingBlobs> growing_;
  std::vector<Followed> files_;  // by ascending number
};

}  // namespace ROCKSDB_NAMESPACE

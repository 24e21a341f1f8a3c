// The blob files that one flush or sub-compaction writes: takes values, gives
// references, and starts a new file where one is full.
//
// Threads    One thread.
// Ownership  The files that were finished are the job's to install or delete.
// Errors     The first one sticks; the unfinished files are gone.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "db/outputs/blob_file_output.h"

namespace ROCKSDB_NAMESPACE {

class BlobCompressor;

class BlobOutputs {
 public:
  explicit BlobOutputs(BlobOutputRequest request);
  ~BlobOutputs();

  // *reference: the stored form of a reference to `value`; empty if the codec
  // cannot take a value of this size, which then has to stay where it is.
  Status Add(const Slice& user_key, const Slice& value, std::string* reference);
  // After the last value. All files are durable then.
  Status Finish();
  // Deletes the files that are not finished.
  void Abandon();

  const std::vector<BlobFileAddition>& files() const { return files_; }

 private:
  Status Prepare();
  void SealCurrent();
  Status JoinOldest();

  const BlobOutputRequest request_;
  std::unique_ptr<BlobCompressor> compressor_;  // null: not asked for yet
  std::string padded_key_;
  std::unique_ptr<BlobFileOutput> current_;
  // Full, and on their way to the device; oldest first.
  std::deque<std::unique_ptr<BlobFileOutput>> sealed_;
  std::vector<BlobFileAddition> files_;
};

}  // namespace ROCKSDB_NAMESPACE

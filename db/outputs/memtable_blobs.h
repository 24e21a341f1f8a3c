// The blob files whose values the entries of one memtable refer to, where these
// were written first (enable_blob_direct_write): one that is appended to for
// each partition, and those that are full.
//
// Threads    Add() and Flush() by the leader of all writes; the rest by any
//            thread, beside them.
// Ownership  Owned by the memtable; owns the files.
// Errors     Of Add() and Flush(): what was added since the last Flush() is
//            nobody's, and later calls go to other files. Of the rest: may be
//            tried again.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "db/blob/blob_file.h"
#include "db/outputs/job_context.h"
#include "memtable/memtable_attachment.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

class BlobCompressor;
class GrowingBlobFile;
class MemTable;
struct BlobIndex;
struct MutableCFOptions;

class MemTableBlobs final : public MemTableAttachment {
 public:
  explicit MemTableBlobs(JobContext job);
  ~MemTableBlobs() override;

  // Null: it has none.
  static MemTableBlobs* Of(const MemTable& memtable);

  struct NewBlob {
    uint32_t partition = 0;
    Slice user_key;
    Slice value;
  };
  // Appends the value to the partition's file, or to a new one. *is_added =
  // false: the codec cannot take it, so that it stays where it is.
  Status Add(const MutableCFOptions& options, const NewBlob& blob,
             BlobIndex* reference, bool* is_added);
  // What was added can be read, and outlives the process.
  Status Flush();
  // What was flushed outlives the machine.
  Status Sync();
  // No Add() comes any more: gives all files their end, durably. Those without
  // a blob are left out.
  Status Seal(std::vector<BlobFileAddition>* files);
  // Files without their end that have a blob.
  struct Unsealed {
    std::string path;
    uint64_t number = 0;
    uint64_t size_bytes = 0;  // of what was flushed
  };
  void ListUnsealed(std::vector<Unsealed>* files) const;

 private:
  using Files = std::vector<GrowingBlobFile*>;
  Status Prepare(const MutableCFOptions& options, uint32_t partition,
                 uint64_t record_bytes, GrowingBlobFile** file);
  Files All() const;

  const JobContext job_;
  // The leader's.
  std::unique_ptr<BlobCompressor> compressor_;
  Files current_;  // by partition; null: none yet
  Files touched_;  // since the last Flush()
  mutable Mutex mutex_;
  std::vector<std::unique_ptr<GrowingBlobFile>> files_ GUARDED_BY(mutex_);
};

}  // namespace ROCKSDB_NAMESPACE

// The blob files whose values the entries of one memtable refer to, where these
// were written first (enable_blob_direct_write): one that is appended to for
// each partition, and those that are full.
//
// Threads    Add() and Flush() by the leader of all writes; marked (mutex):
//            under the DB mutex; the rest by any thread, beside them.
// Ownership  Owned by the memtable; owns the files. May outlive the family.
// Errors     Of Add() and Flush(): what was added since the last Flush() is
//            nobody's, and later calls go to other files. Of the rest: may be
//            tried again.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "db/blob/blob_file.h"
#include "db/outputs/growing_blob_file.h"
#include "memtable/memtable_attachment.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

class BlobCompressor;
class MemTable;
struct BlobIndex;
struct MutableCFOptions;

// A blob file that no version lists, for whoever copies it: it has no end yet.
struct UnlistedBlobFile {
  std::string path;
  uint64_t number = 0;
  uint64_t size_bytes = 0;  // bytes that were flushed
};

class MemTableBlobs final : public MemTableAttachment {
 public:
  // `job`: of the memtable's family.
  explicit MemTableBlobs(const JobContext& job);
  ~MemTableBlobs() override;

  // Null: it has none.
  static MemTableBlobs* Of(const MemTable& memtable);

  struct NewBlob {
    const BlobSource& family;
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
  // The memtable is flushed: versions list what tables refer to of the files.
  // (mutex)
  void NoteListed() { is_listed_.store(true, std::memory_order_relaxed); }
  // The files that have a blob, as long as no version lists them. (mutex, for
  // an answer that fits the versions.)
  void ListUnlisted(std::vector<UnlistedBlobFile>* files) const;

 private:
  using Files = std::vector<GrowingBlobFile*>;
  // The partition's file, or a new one, that has room for the record.
  Status Prepare(const MutableCFOptions& options, const NewBlob& blob,
                 uint64_t record_bytes, GrowingBlobFile** file);
  Files All() const;

  const GrowingBlobContext context_;
  std::atomic<bool> is_listed_{false};
  // The leader's.
  std::unique_ptr<BlobCompressor> compressor_;
  Files current_;  // by partition; null: none yet
  Files touched_;  // since the last Flush()
  mutable Mutex mutex_;
  std::vector<std::unique_ptr<GrowingBlobFile>> files_ GUARDED_BY(mutex_);
};

}  // namespace ROCKSDB_NAMESPACE

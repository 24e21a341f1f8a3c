// The blobs of one column family, as reads get them: from the blob cache, or
// through the open readers of its blob files.
//
// With max_open_files = -1 each reader is pinned in its BlobFile; else readers
// live in the LRU cache of the database's tables.
//
// Threads    Any thread, no external lock.
// Ownership  A value pins its cache entry or owns its bytes.
// Errors     Name the file. read_tier = kBlockCacheTier and not in the cache:
//            Incomplete.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "cache/cache_key.h"
#include "db/blob/blob_file.h"
#include "db/blob/blob_file_reader.h"
#include "rocksdb/cache.h"
#include "rocksdb/file_system.h"
#include "rocksdb/options.h"
#include "rocksdb/status.h"
#include "util/key/internal_key.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

class CacheReservation;
class GrowingBlobs;
class IoGovernor;
struct ImmutableDBOptions;

class BlobSource {
 public:
  struct Context {
    const ImmutableDBOptions* db = nullptr;
    uint32_t column_family = 0;
    std::string directory;           // where the family's blob files are
    FileOptions file_options;        // for user reads
    std::shared_ptr<Cache> readers;  // number -> reader; unused if pinned
    // Whether max_open_files is -1 now; null: always.
    const std::atomic<bool>* pins_readers = nullptr;
    std::string db_session_id;
    IoGovernor* governor = nullptr;
    std::shared_ptr<Cache> blob_cache;  // null: none
    // Where room is reserved for what the blob cache holds; null: nowhere.
    std::shared_ptr<CacheReservation> cache_charge;
    size_t left_out_timestamp_bytes = 0;
  };
  explicit BlobSource(Context context);

  // The uncompressed value. *value must be fresh or reset.
  Status Get(const ReadOptions& options, const BlobFile& file,
             const BlobRead& read, PinnableSlice* value) const;

  // Several values, or parts of them, at once. A part of a value that is in the
  // cache comes from there; one that is not is read alone, and not kept.
  void GetTogether(const ReadOptions& options, const BlobFile& file,
                   std::vector<WantedBlob>* blobs) const;

  // The reader of `file`, opened if need be; kept alive by *reader.
  using ReaderRef = std::shared_ptr<const BlobFileReader>;
  Status Find(const BlobFile& file, ReaderRef* reader) const;
  // The shared reader, if it is open; else null.
  ReaderRef FindOpen(const BlobFile& file) const;
  // A reader of its own handle, opened with `options`, that nobody else gets.
  Status OpenPrivate(const BlobFile& file, const FileOptions& options,
                     ReaderRef* reader) const;
  // Corruption: it is missing, or of another size than the manifest says.
  Status CheckSize(const BlobFile& file) const;
  // Just the handle.
  Status OpenHandle(const BlobFile& file, const FileOptions& options,
                    std::unique_ptr<FSRandomAccessFile>* handle) const;

  // Puts a value that was just written into the blob cache, if there is one.
  void Warm(uint64_t file_number, uint64_t offset, const Slice& value) const;
  // Tells a file of a new version where it is.
  void Adopt(BlobFile* file) const;
  // Drops the reader of a file that is about to be deleted.
  void Evict(uint64_t file_number) const;

  // Whether files that are opened stay open (max_open_files).
  bool pins_readers() const {
    return context_.pins_readers == nullptr ||
           context_.pins_readers->load(std::memory_order_relaxed);
  }
  const std::string& directory() const { return context_.directory; }
  std::string FilePath(uint64_t file_number) const;
  // Files that no version lists yet; memtables that need some may outlive this.
  const std::shared_ptr<GrowingBlobs>& growing() const { return growing_; }
  // Opens one of them, of which readers see nothing before SetRecordsEnd().
  Status OpenGrowing(uint64_t file_number, CompressionType compression,
                     BlobFileRef* file) const;
  // The file that a reference names: of `listed`, or one that is being
  // written. Null: there is none.
  const BlobFileState* FindFile(const BlobFileList& listed,
                                uint64_t file_number) const;
  uint32_t column_family() const { return context_.column_family; }
  FileIoContext IoContext() const;
  Cache* blob_cache() const { return context_.blob_cache.get(); }
  // The key as readers want it: without a timestamp that files leave out.
  Slice RecordKey(const Slice& user_key) const {
    return WithoutTimestamp(user_key, context_.left_out_timestamp_bytes);
  }
  // The key as the record of a new blob has it: with zeros for a timestamp that
  // files leave out. *padded keeps it.
  Slice NewRecordKey(const Slice& user_key, std::string* padded) const;

 private:
  void ReadTogether(const ReadOptions& options, const BlobFile& file,
                    std::vector<BlobFileReader::Together>* wanted) const;
  void Keep(const BlobFile& file, const ReaderRef& reader) const;
  bool FindCached(const CacheKey& key, PinnableSlice* value) const;
  CacheKey KeyOf(uint64_t file_number, uint64_t offset) const;
  // The blob cache holds more, or something else.
  void ChargeCache() const;
  void Yield(const CacheKey& key, bool fill_cache,
             std::unique_ptr<BlobContents> blob, PinnableSlice* value) const;

  const Context context_;
  const std::shared_ptr<GrowingBlobs> growing_;
  mutable std::array<Mutex, 16> open_locks_;  // by file number
};

}  // namespace ROCKSDB_NAMESPACE

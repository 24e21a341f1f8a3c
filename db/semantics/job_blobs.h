// The blobs that a compaction needs: those that its filter wants to see, that
// operands are merged onto, and that garbage collection moves.
//
// References come in the order of keys, and so do the blobs of one file: each
// file is read front to back, by a stream of its own.
//
// The bypass   Where compaction reads tables through private handles, it reads
//              blob files so too, by the same rules (table_cache.h): a handle
//              opened with the policy's options, no block in the blob cache, no
//              reader in the table cache, both counted. Header and footer come
//              from the shared reader, if the file has one. Else the stream
//              goes over the shared reader's handle, if read-ahead is asked
//              for, or the blob comes as it does to users.
// Limit        At most kMostStreams files are open at a time.
//
// Threads    One thread.
// Ownership  Borrows what the context names; owns its streams.
// Errors     As VersionBlobs.
#pragma once

#include <cstdint>
#include <map>
#include <memory>

#include "db/tables/table_cache.h"
#include "db/version/version_storage.h"
#include "table/blob_fetcher.h"

namespace ROCKSDB_NAMESPACE {

class BlobSource;
struct BlobRead;

class JobBlobs final : public BlobFetcher {
 public:
  struct Context {
    const VersionStorage* storage = nullptr;
    const BlobSource* source = nullptr;
    const ReadOptions* read_options = nullptr;
    const BulkReadPolicy* bulk = nullptr;
    const ImmutableDBOptions* db = nullptr;
    uint64_t readahead_bytes = 0;  // blob_compaction_readahead_size
  };
  static constexpr size_t kMostStreams = 16;

  explicit JobBlobs(const Context& context);
  ~JobBlobs() override;

  Status Fetch(const Slice& user_key, const Slice& reference,
               PinnableSlice* value) const override;

  uint64_t read_count() const { return read_count_; }
  uint64_t read_bytes() const { return read_bytes_; }

 private:
  struct Stream;

  bool UsesStreams() const {
    return context_.bulk->open_ephemeral_reader || context_.readahead_bytes > 0;
  }
  Status FindStream(const BlobFile& file, Stream** stream) const;
  Status OpenStream(const BlobFile& file, Stream* stream) const;
  Status OpenHandle(const BlobFile& file, Stream* stream,
                    std::unique_ptr<FSRandomAccessFile>* handle) const;
  Status ReadStream(const BlobFile& file, const BlobRead& read,
                    PinnableSlice* value) const;
  void CloseOldest() const;

  const Context context_;
  // By file number.
  mutable std::map<uint64_t, std::unique_ptr<Stream>> streams_;
  mutable uint64_t read_count_ = 0;
  mutable uint64_t read_bytes_ = 0;
};

}  // namespace ROCKSDB_NAMESPACE

// The blobs that the entries of one version refer to, as one read sees them.
//
// Threads    As the read: one at a time.
// Ownership  Borrows all; the version must stay alive.
// Errors     Corruption for a reference that is malformed or names a file that
//            the version does not have, and nobody writes; else as BlobSource.
#pragma once

#include "db/version/version_storage.h"
#include "rocksdb/options.h"
#include "table/blob_fetcher.h"

namespace ROCKSDB_NAMESPACE {

class BlobSource;
struct BlobIndex;

class VersionBlobs final : public BlobFetcher {
 public:
  VersionBlobs(const ReadOptions* options, const VersionStorage* storage,
               const BlobSource* source)
      : options_(options), storage_(storage), source_(source) {
    assert(options_ != nullptr);
    assert(storage_ != nullptr && source_ != nullptr);
  }

  Status Fetch(const Slice& user_key, const Slice& reference,
               PinnableSlice* value) const override;

 private:
  const ReadOptions* options_;
  const VersionStorage* storage_;
  const BlobSource* source_;
};

// The blob file that `reference` names, and what it says about the blob.
Status ResolveBlob(const VersionStorage& storage, const BlobSource& source,
                   const Slice& reference, BlobIndex* index,
                   const BlobFileState** file);

}  // namespace ROCKSDB_NAMESPACE

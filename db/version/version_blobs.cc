#include "db/version/version_blobs.h"

#include "db/blob/blob_source.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

Status ResolveBlob(const VersionStorage& storage, const BlobSource& source,
                   const Slice& reference, BlobIndex* index,
                   const BlobFileState** file) {
  INVARIANT(index != nullptr && file != nullptr);
  Status s = index->DecodeFrom(reference);
  if (!s.ok()) return s;
  *file = source.FindFile(storage.blobs(), index->file_number);
  if (*file != nullptr) return s;
  return Status::Corruption("an entry refers to a blob file that is not there",
                            std::to_string(index->file_number));
}

Status VersionBlobs::Fetch(const Slice& user_key, const Slice& reference,
                           PinnableSlice* value) const {
  assert(value != nullptr);
  BlobRead read;
  read.user_key = source_->RecordKey(user_key);
  read.verify_checksums = options_->verify_checksums;
  const BlobFileState* file = nullptr;
  Status s = ResolveBlob(*storage_, *source_, reference, &read.index, &file);
  if (!s.ok()) return s;
  assert(file->number() == read.index.file_number);
  return source_->Get(*options_, *file->file, read, value);
}

}  // namespace ROCKSDB_NAMESPACE

#include "db/recovery/followed_blobs.h"

#include <algorithm>
#include <utility>

#include "db/blob/blob_file_reader.h"
#include "db/blob/blob_format.h"
#include "db/blob/blob_source.h"
#include "db/blob/unsealed_blob_file.h"
#include "rocksdb/file_system.h"
#include "util/invariant.h"
#include "util/value/blob_index.h"

namespace ROCKSDB_NAMESPACE {

namespace {

Status FindWholeBytes(FileSystem* fs, const std::string& path,
                      uint64_t* bytes) {
  UnsealedBlobFile file;
  UnsealedBlobFile::WholePart part;
  BlobFileHeader header;
  Status s = file.Open(fs, path);
  if (s.ok()) s = file.ReadHeader(&header);
  if (s.IsCorruption()) {
    *bytes = 0;
    return Status::OK();
  }
  if (s.ok()) s = file.FindWholePart(&part);
  if (s.ok()) *bytes = part.end;
  return s;
}

}  // namespace

FollowedBlobs::FollowedBlobs(const BlobSource& source, Trust trust)
    : trust_(trust), growing_(source.growing()) {}

FollowedBlobs::~FollowedBlobs() {
  for (const Followed& one : files_) {
    growing_->RemoveUser(one.file->record.number);
  }
}

Status FollowedBlobs::Find(FileSystem* fs, const BlobSource& source,
                           const BlobIndex& blob, Followed** followed) {
  const uint64_t number = blob.file_number;
  const auto place = std::lower_bound(files_.begin(), files_.end(), number,
                                      [](const Followed& one, uint64_t n) {
                                        return one.file->record.number < n;
                                      });
  if (place != files_.end() && place->file->record.number == number) {
    *followed = &*place;
    return Status::OK();
  }
  // An earlier round may have it open.
  BlobFileRef file = growing_->AddUser(number);
  if (file == nullptr) {
    Status s = source.OpenGrowing(number, blob.compression, &file);
    if (s.IsPathNotFound()) s = Status::NotFound(source.FilePath(number));
    if (!s.ok()) return s;
    growing_->Add(file);
  }
  Followed found{.file = std::move(file)};
  Status s;
  if (trust_ == Trust::kNobodyWrites) {
    s = FindWholeBytes(fs, source.FilePath(number), &found.whole_bytes);
  }
  *followed = &*files_.insert(place, std::move(found));
  return s;
}

Status FollowedBlobs::Want(FileSystem* fs, const BlobSource& source,
                           const BlobIndex& blob) {
  INVARIANT(fs != nullptr && source.growing() == growing_);
  Followed* followed = nullptr;
  Status s = Find(fs, source, blob, &followed);
  if (!s.ok()) return s;
  const BlobFileReader& reader = *followed->file->pinned_owner;
  const std::string path = source.FilePath(blob.file_number);
  if (blob.offset > UINT64_MAX - blob.size) {
    return Status::Corruption(path, "a reference reaches beyond any file");
  }
  const uint64_t end = blob.offset + blob.size;
  if (end > reader.records_end()) {
    uint64_t size = 0;
    s = fs->GetFileSize(path, IOOptions(), &size, nullptr);
    if (!s.ok()) return s;
    size = std::min(size, followed->whole_bytes);
    if (end > size) {
      return Status::Incomplete(path, "has " + std::to_string(size) +
                                          " bytes, of " + std::to_string(end) +
                                          " that the log refers to");
    }
    reader.SetRecordsEnd(end);
  }
  followed->size_bytes = std::max(followed->size_bytes, end);
  return s;
}

}  // namespace ROCKSDB_NAMESPACE

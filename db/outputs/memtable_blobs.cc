#include "db/outputs/memtable_blobs.h"

#include <algorithm>
#include <utility>

#include "db/blob/blob_format.h"
#include "db/blob/blob_source.h"
#include "db/outputs/blob_compressor.h"
#include "memtable/memtable.h"
#include "util/invariant.h"
#include "util/value/blob_index.h"

namespace ROCKSDB_NAMESPACE {

MemTableBlobs::MemTableBlobs(const JobContext& job) : context_(job) {}

MemTableBlobs::~MemTableBlobs() = default;

MemTableBlobs* MemTableBlobs::Of(const MemTable& memtable) {
  return static_cast<MemTableBlobs*>(memtable.attachment());
}

MemTableBlobs::Files MemTableBlobs::All() const {
  MutexLock lock(&mutex_);
  Files files;
  for (const auto& file : files_) files.push_back(file.get());
  return files;
}

Status MemTableBlobs::Prepare(const MutableCFOptions& options,
                              const NewBlob& blob, uint64_t record_bytes,
                              GrowingBlobFile** file) {
  if (current_.size() <= blob.partition) {
    current_.resize(blob.partition + size_t{1});
  }
  GrowingBlobFile*& current = current_[blob.partition];
  if (current != nullptr) {
    const bool has_room =
        current->size_bytes() + record_bytes + BlobFileFooter::kBytes <=
        options.blob_file_size;
    const bool is_empty = current->size_bytes() <= BlobFileHeader::kBytes;
    if (!current->TakesMore() || (!has_room && !is_empty) ||
        current->compression() != options.blob_compression_type) {
      current = nullptr;
    }
  }
  if (current == nullptr) {
    std::unique_ptr<GrowingBlobFile> opened;
    Status s = GrowingBlobFile::Open(context_, blob.family,
                                     options.blob_compression_type, &opened);
    if (!s.ok()) return s;
    current = opened.get();
    MutexLock lock(&mutex_);
    files_.push_back(std::move(opened));
  }
  *file = current;
  return Status::OK();
}

Status MemTableBlobs::Add(const MutableCFOptions& options, const NewBlob& blob,
                          BlobIndex* reference, bool* is_added) {
  INVARIANT(reference != nullptr && is_added != nullptr);
  INVARIANT(!blob.value.empty());
  *is_added = false;
  if (compressor_ == nullptr ||
      compressor_->type() != options.blob_compression_type) {
    compressor_ =
        std::make_unique<BlobCompressor>(*context_.origin.db, options);
  }
  if (!compressor_->status().ok()) return compressor_->status();
  Slice stored;
  if (!compressor_->Compress(blob.value, &stored)) return Status::OK();
  const Slice record_key = blob.family.RecordKey(blob.user_key);
  GrowingBlobFile* file = nullptr;
  Status s = Prepare(options, blob,
                     BlobValueOffset(record_key.size()) + stored.size(), &file);
  if (!s.ok()) return s;
  if (std::find(touched_.begin(), touched_.end(), file) == touched_.end()) {
    touched_.push_back(file);
  }
  s = file->Append(record_key, stored, &reference->offset);
  if (!s.ok()) return s;
  reference->file_number = file->number();
  reference->size = stored.size();
  reference->compression = file->compression();
  *is_added = true;
  if (options.prepopulate_blob_cache == PrepopulateBlobCache::kFlushOnly) {
    blob.family.Warm(reference->file_number, reference->offset, blob.value);
  }
  return s;
}

Status MemTableBlobs::Flush() {
  Status result;
  for (GrowingBlobFile* file : std::exchange(touched_, {})) {
    Status s = file->Flush();
    if (result.ok()) result = std::move(s);
  }
  return result;
}

Status MemTableBlobs::Sync() {
  for (GrowingBlobFile* file : All()) {
    if (Status s = file->Sync(); !s.ok()) return s;
  }
  return Status::OK();
}

Status MemTableBlobs::Seal(std::vector<BlobFileAddition>* files) {
  INVARIANT(files != nullptr);
  for (GrowingBlobFile* file : All()) {
    BlobFileAddition record;
    if (Status s = file->Seal(&record); !s.ok()) return s;
    if (record.total_count > 0) files->push_back(std::move(record));
  }
  return Status::OK();
}

void MemTableBlobs::ListUnlisted(std::vector<UnlistedBlobFile>* files) const {
  INVARIANT(files != nullptr);
  if (is_listed_.load(std::memory_order_relaxed)) return;
  for (const GrowingBlobFile* file : All()) {
    const uint64_t bytes = file->flushed_bytes();
    if (bytes > 0) files->push_back({file->path(), file->number(), bytes});
  }
}

}  // namespace ROCKSDB_NAMESPACE

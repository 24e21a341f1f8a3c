#include "db/outputs/blob_outputs.h"

#include "db/blob/blob_source.h"
#include "db/family/column_family.h"
#include "db/outputs/blob_compressor.h"
#include "util/invariant.h"
#include "util/value/blob_index.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// The same bound as for table files, for the same reason (CompactionOutputs).
constexpr size_t kMostSealedBlobs = 3;
static_assert(kMostSealedBlobs > 0, "else nothing overlaps with a sync");

}  // namespace

BlobOutputs::BlobOutputs(BlobOutputRequest request)
    : request_(std::move(request)) {
  INVARIANT(request_.job != nullptr);
  INVARIANT(request_.options != nullptr);
}

BlobOutputs::~BlobOutputs() = default;

// A file and a codec for the next value.
Status BlobOutputs::Prepare() {
  if (current_ != nullptr) return Status::OK();
  if (compressor_ == nullptr) {
    compressor_ =
        std::make_unique<BlobCompressor>(*request_.job->db, *request_.options);
  }
  Status s = compressor_->status();
  return s.ok() ? BlobFileOutput::Open(request_, &current_) : s;
}

Status BlobOutputs::Add(const Slice& user_key, const Slice& value,
                        std::string* reference) {
  INVARIANT(reference != nullptr);
  INVARIANT(!value.empty());
  reference->clear();
  Status s = Prepare();
  if (!s.ok()) return s;
  Slice stored;
  if (!compressor_->Compress(value, &stored)) return s;
  BlobIndex index;
  index.file_number = current_->number();
  index.size = stored.size();
  index.compression = request_.options->blob_compression_type;
  const BlobSource& blobs = *request_.job->cfd->blobs();
  s = current_->Append(blobs.NewRecordKey(user_key, &padded_key_), stored,
                       &index.offset);
  if (!s.ok()) return s;
  index.EncodeTo(reference);
  const bool is_warmed = request_.reason == BlobFileCreationReason::kFlush &&
                         request_.options->prepopulate_blob_cache ==
                             PrepopulateBlobCache::kFlushOnly;
  if (is_warmed) {
    blobs.Warm(index.file_number, index.offset, value);
  }
  if (current_->size_bytes() < request_.options->blob_file_size) return s;
  SealCurrent();
  return sealed_.size() > kMostSealedBlobs ? JoinOldest() : s;
}

void BlobOutputs::SealCurrent() {
  INVARIANT(current_ != nullptr);
  sealed_.push_back(std::move(current_));
  sealed_.back()->Seal();
}

Status BlobOutputs::JoinOldest() {
  INVARIANT(!sealed_.empty());
  const std::unique_ptr<BlobFileOutput> done = std::move(sealed_.front());
  sealed_.pop_front();
  if (Status s = done->Join(); !s.ok()) return s;
  assert(done->record().total_count > 0);
  assert(files_.empty() || files_.back().number < done->record().number);
  files_.push_back(done->record());
  return Status::OK();
}

Status BlobOutputs::Finish() {
  if (current_ != nullptr) {
    // The one value that it was opened for may have stayed where it was.
    if (current_->record().total_count > 0) {
      SealCurrent();
    } else {
      current_.reset();
    }
  }
  Status s;
  while (s.ok() && !sealed_.empty()) s = JoinOldest();
  return s;
}

void BlobOutputs::Abandon() {
  current_.reset();
  sealed_.clear();
}

}  // namespace ROCKSDB_NAMESPACE

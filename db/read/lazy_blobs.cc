#include "db/read/lazy_blobs.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "db/blob/blob_source.h"
#include "db/family/column_family.h"
#include "db/family/super_version.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// The caller's snapshot, timestamp and bounds may be gone when blobs are read.
ReadOptions BlobOptionsOf(const ReadOptions& options) {
  ReadOptions own;
  own.verify_checksums = options.verify_checksums;
  own.fill_cache = options.fill_cache;
  own.read_tier = options.read_tier;
  own.deadline = options.deadline;
  own.io_timeout = options.io_timeout;
  own.rate_limiter_priority = options.rate_limiter_priority;
  own.io_activity = options.io_activity;
  return own;
}

// Is the whole value wanted? The value must not be compressed.
bool IsWhole(const WantedColumn& wanted) {
  return wanted.offset == 0 && wanted.length >= wanted.blob.size;
}

Status BehindEnd(const WantedColumn& wanted, uint64_t size) {
  return Status::InvalidArgument("the column's value has " +
                                     std::to_string(size) +
                                     " bytes, and the range begins at",
                                 std::to_string(wanted.offset));
}

// Cuts the whole value to the part that is wanted.
Status CutToPart(const WantedColumn& wanted) {
  PinnableSlice* const value = wanted.result;
  if (wanted.offset > value->size()) {
    const Status s = BehindEnd(wanted, value->size());
    value->Reset();
    return s;
  }
  value->remove_prefix(static_cast<size_t>(wanted.offset));
  if (value->size() > wanted.length) {
    value->remove_suffix(value->size() - wanted.length);
  }
  return Status::OK();
}

}  // namespace

LazyBlobs::LazyBlobs(std::shared_ptr<const SuperVersion> state,
                     const ReadOptions& options)
    : state_(std::move(state)), options_(BlobOptionsOf(options)) {
  INVARIANT(state_ != nullptr);
}

void LazyBlobs::Read(std::vector<WantedColumn> wanted) const {
  std::stable_sort(wanted.begin(), wanted.end(),
                   [](const WantedColumn& a, const WantedColumn& b) {
                     return a.blob.file_number < b.blob.file_number;
                   });
  WantedColumn* begin = wanted.data();
  WantedColumn* const end = begin + wanted.size();
  while (begin != end) {
    WantedColumn* const next =
        std::find_if(begin, end, [begin](const WantedColumn& one) {
          return one.blob.file_number != begin->blob.file_number;
        });
    ReadFile(begin, next);
    begin = next;
  }
}

void LazyBlobs::ReadFile(WantedColumn* begin, WantedColumn* end) const {
  assert(begin != end);
  const BlobSource& source = *state_->cfd->blobs();
  const BlobFileState* file = source.FindFile(
      state_->current->storage().blobs(), begin->blob.file_number);
  if (file == nullptr) {
    for (WantedColumn* one = begin; one != end; ++one) {
      *one->status =
          Status::Corruption("an entry refers to a blob file that is not there",
                             std::to_string(one->blob.file_number));
    }
    return;
  }
  std::vector<WantedBlob> blobs;
  std::vector<WantedColumn*> columns;  // which they are for
  for (WantedColumn* one = begin; one != end; ++one) {
    const bool has_plain_size = one->blob.compression == kNoCompression;
    if (has_plain_size && one->offset > one->blob.size) {
      *one->status = BehindEnd(*one, one->blob.size);
      continue;
    }
    WantedBlob blob;
    blob.read.user_key = source.RecordKey(one->user_key);
    blob.read.index = one->blob;
    blob.read.verify_checksums = options_.verify_checksums || one->force_verify;
    if (has_plain_size && !one->force_verify && !IsWhole(*one)) {
      const uint64_t left = one->blob.size - one->offset;
      blob.part = {one->offset,
                   static_cast<size_t>(std::min<uint64_t>(left, one->length))};
    }
    blob.value = one->result;
    blobs.push_back(blob);
    columns.push_back(one);
  }
  source.GetTogether(options_, *file->file, &blobs);
  for (size_t i = 0; i < blobs.size(); ++i) {
    *columns[i]->status = blobs[i].status;
    if (blobs[i].status.ok() && !blobs[i].part.has_value()) {
      *columns[i]->status = CutToPart(*columns[i]);
    }
  }
}

}  // namespace ROCKSDB_NAMESPACE

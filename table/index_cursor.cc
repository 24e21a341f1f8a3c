#include "table/index_cursor.h"

#include <algorithm>
#include <cassert>

#include "util/key/timestamps.h"

namespace ROCKSDB_NAMESPACE {

Status IndexCursor::Open() {
  assert(!top_);
  Status s = parts_.FindIndex(read_, &top_);
  if (!s.ok()) return s;
  is_split_ = parts_.is_index_split();
  if (!is_split_) {
    block_ = top_.get();
    position_.entry = block_->size();
  }
  return s;
}

Status IndexCursor::Load(size_t partition) {
  assert(is_split_);
  if (block_ != nullptr && position_.partition == partition) {
    return Status::OK();
  }
  Leave();
  if (partition >= top_->size()) return Status::OK();
  Status s = parts_.FindIndexPartition(read_, *top_, partition, &part_);
  if (!s.ok()) return s;
  block_ = part_.get();
  position_ = {partition, block_->size()};
  return s;
}

Status IndexCursor::SeekInPartitions(const Slice& target) {
  const size_t partition = top_->Seek(parts_.order, target);
  Status s = Load(partition);
  if (!s.ok() || block_ == nullptr) return s;
  assert(position_.partition == partition);
  position_.entry = block_->Seek(parts_.order, target);
  // A damaged top level may promise more than the partition has.
  return Valid() ? s : ToNextPartition();
}

Status IndexCursor::SeekToFirst() {
  if (is_split_) {
    Status s = Load(0);
    if (!s.ok() || block_ == nullptr) return s;
  }
  position_.entry = 0;
  return Valid() || !is_split_ ? Status::OK() : ToNextPartition();
}

Status IndexCursor::SeekToLast() {
  if (is_split_) {
    Leave();
    if (top_->size() == 0) return Status::OK();
    Status s = Load(top_->size() - 1);
    if (!s.ok()) return s;
  }
  assert(block_ != nullptr);
  if (block_->size() > 0) {
    position_.entry = block_->size() - 1;
    return Status::OK();
  }
  position_.entry = 0;
  return is_split_ ? ToPartitionBefore() : Status::OK();
}

Status IndexCursor::ToNextPartition() {
  assert(is_split_);
  while (block_ != nullptr && position_.entry >= block_->size()) {
    Status s = Load(position_.partition + 1);
    if (!s.ok()) return s;
    if (block_ != nullptr) position_.entry = 0;
  }
  return Status::OK();
}

Status IndexCursor::ToPartitionBefore() {
  assert(position_.entry == 0);
  if (!is_split_) {
    position_.entry = block_->size();
    return Status::OK();
  }
  for (size_t partition = position_.partition; partition-- > 0;) {
    Status s = Load(partition);
    if (!s.ok()) return s;
    assert(block_ != nullptr);
    if (block_->size() > 0) {
      position_.entry = block_->size() - 1;
      return s;
    }
  }
  Leave();
  return Status::OK();
}

Status IndexCursor::MoveTo(const Position& position) {
  if (is_split_) {
    Status s = Load(position.partition);
    if (!s.ok()) return s;
  }
  assert(block_ != nullptr && position.entry <= block_->size());
  position_ = position;
  return Status::OK();
}

IndexCursor::Range IndexCursor::DataRange(const Slice* lower,
                                          const Slice* upper) const {
  Range range{0, parts_.properties->data_size};
  if (range.end == 0) range.end = parts_.file.size;
  IndexCursor bound(parts_, read_, BlockRef<IndexBlock>::Borrowed(top_.get()));
  if (is_split_) {
    bound.is_split_ = true;
    bound.block_ = nullptr;
  } else if (top_->size() > 0) {
    range.begin = top_->handle(0).offset;
    range.end = top_->handle(top_->size() - 1).end_with_trailer();
  }
  assert(top_);
  const size_t timestamp_bytes = parts_.timestamp_bytes;
  const auto seek = [&bound, timestamp_bytes](const Slice* user_key) {
    const InternalKey key(WithMaxTimestamp(*user_key, timestamp_bytes),
                          kMaxSequenceNumber, kValueTypeForSeek);
    return bound.Seek(key.Encode()).ok() && bound.Valid();
  };
  if (lower != nullptr && seek(lower)) range.begin = bound.handle().offset;
  if (upper != nullptr && seek(upper)) {
    range.end = bound.handle().end_with_trailer();
  }
  return range;
}

}  // namespace ROCKSDB_NAMESPACE

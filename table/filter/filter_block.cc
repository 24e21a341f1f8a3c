#include "table/filter/filter_block.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace ROCKSDB_NAMESPACE {

FilterBlock::FilterBlock(BlockBytes bytes,
                         std::unique_ptr<FilterBitsReader> reader) {
  AddPartition(std::move(bytes), std::move(reader));
}

void FilterBlock::AddPartition(BlockBytes bytes,
                               std::unique_ptr<FilterBitsReader> reader) {
  assert(reader != nullptr);
  assert(!index_.has_value() || parts_.size() < index_->size());
  parts_.push_back({std::move(bytes), std::move(reader)});
}

bool FilterBlock::PartitionFor(const InternalKeyComparator& order,
                               const Slice& internal_key,
                               size_t* number) const {
  assert(index_.has_value());
  if (index_->size() == 0) return false;
  // The last partition also answers for keys after it.
  *number = std::min(index_->Seek(order, internal_key), index_->size() - 1);
  return true;
}

bool FilterBlock::MayMatch(const InternalKeyComparator& order,
                           const Slice& entry,
                           const Slice& internal_key) const {
  assert(!is_split_);
  size_t part = 0;
  if (index_.has_value()) {
    assert(index_->size() == parts_.size());
    if (!PartitionFor(order, internal_key, &part)) return false;
  }
  return parts_[part].reader->MayMatch(entry);
}

size_t FilterBlock::memory_bytes() const {
  assert(!index_.has_value() || is_split_ || index_->size() == parts_.size());
  size_t total = sizeof(*this) + parts_.capacity() * sizeof(Part);
  if (index_.has_value()) total += index_->memory_bytes();
  for (const Part& part : parts_) {
    total += part.bytes.memory_bytes() + 2 * sizeof(void*);
  }
  return total;
}

}  // namespace ROCKSDB_NAMESPACE

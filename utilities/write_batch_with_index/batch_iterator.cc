#include "utilities/write_batch_with_index/batch_iterator.h"

#include <iterator>

#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

WriteType TypeOf(ValueType type) {
  switch (type) {
    case kTypeValue:
      return kPutRecord;
    case kTypeMerge:
      return kMergeRecord;
    case kTypeDeletion:
      return kDeleteRecord;
    case kTypeSingleDeletion:
      return kSingleDeleteRecord;
    case kTypeWideColumnEntity:
      return kPutEntityRecord;
    default:
      return kUnknownRecord;
  }
}

}  // namespace

void BatchIterator::StandAt(Place place) {
  clear_count_ = index_->clear_count();
  is_valid_ = place != index_->entries().end();
  if (is_valid_) entry_ = *place;
}

void BatchIterator::StandBefore(Place place) {
  clear_count_ = index_->clear_count();
  is_valid_ = place != index_->entries().begin();
  if (is_valid_) entry_ = *std::prev(place);
}

void BatchIterator::SeekToFirst() { StandAt(index_->entries().begin()); }
void BatchIterator::SeekToLast() { StandBefore(index_->entries().end()); }
void BatchIterator::Seek(const Slice& key) {
  StandAt(index_->entries().lower_bound(key));
}
void BatchIterator::SeekForPrev(const Slice& key) {
  StandBefore(index_->entries().upper_bound(key));
}

void BatchIterator::Next() {
  if (!Valid()) return;
  StandAt(index_->entries().upper_bound(entry_));
}

void BatchIterator::Prev() {
  if (!Valid()) return;
  StandBefore(index_->entries().lower_bound(entry_));
}

WriteEntry BatchIterator::Entry() const {
  if (!Valid()) return {};
  const BatchEntry read = index_->Read(entry_);
  WriteEntry result;
  result.type = TypeOf(read.type);
  result.key = index_->KeyOf(entry_);
  result.value = read.value;
  return result;
}

bool BatchIterator::HasOverWrittenSingleDel() const {
  return Valid() && index_->HasReplacedSingleDelete(entry_);
}

uint32_t BatchIterator::GetUpdateCount() const {
  return Valid() ? entry_.update_count : 0;
}

bool BatchKeys::IsBelow(const Slice& key) const {
  return bounds_.lower != nullptr &&
         CompareGiven(*index_->order(), key, *bounds_.lower) < 0;
}

bool BatchKeys::IsAbove(const Slice& key) const {
  return bounds_.upper != nullptr &&
         CompareGiven(*index_->order(), key, *bounds_.upper) >= 0;
}

void BatchKeys::StandAt(Place place) {
  is_valid_ = false;
  change_count_ = index_->change_count();
  if (place == index_->entries().end()) return;
  const Slice key = index_->KeyOf(*place);
  if (IsBelow(key) || IsAbove(key)) return;
  key_.assign(key.data(), key.size());
  is_valid_ = true;
}

void BatchKeys::StandBefore(Place place) {
  is_valid_ = false;
  change_count_ = index_->change_count();
  if (place != index_->entries().begin()) StandAt(std::prev(place));
}

void BatchKeys::SeekToFirst() {
  if (bounds_.lower != nullptr) return Seek(*bounds_.lower);
  StandAt(index_->entries().begin());
}

void BatchKeys::SeekToLast() {
  if (bounds_.upper != nullptr) return SeekBefore(*bounds_.upper);
  StandBefore(index_->entries().end());
}

void BatchKeys::Seek(const Slice& key) {
  StandAt(index_->entries().lower_bound(IsBelow(key) ? *bounds_.lower : key));
}

void BatchKeys::SeekAfter(const Slice& key) {
  StandAt(index_->entries().upper_bound(key));
}

void BatchKeys::SeekForPrev(const Slice& key) {
  if (IsAbove(key)) return SeekBefore(*bounds_.upper);
  StandBefore(index_->entries().upper_bound(key));
}

void BatchKeys::SeekBefore(const Slice& key) {
  StandBefore(index_->entries().lower_bound(key));
}

}  // namespace ROCKSDB_NAMESPACE

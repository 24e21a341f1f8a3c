#include "utilities/write_batch_with_index/family_index.h"

#include <algorithm>
#include <cassert>

#include "util/ignore_error.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

Slice KeyIn(const WriteBatch& batch, const IndexEntry& entry) {
  assert(entry.key_offset + entry.key_size <= batch.GetDataSize());
  return Slice(batch.Data().data() + entry.key_offset, entry.key_size);
}

}  // namespace

int CompareGiven(const Comparator& order, const Slice& a, const Slice& b) {
  return order.timestamp_size() == 0
             ? order.Compare(a, b)
             : order.CompareWithoutTimestamp(a, false, b, false);
}

bool FamilyIndex::Less::operator()(const IndexEntry& a,
                                   const IndexEntry& b) const {
  const int c = CompareGiven(*order, KeyIn(*batch, a), KeyIn(*batch, b));
  return c != 0 ? c < 0 : a.offset > b.offset;
}

bool FamilyIndex::Less::operator()(const IndexEntry& a,
                                   const Slice& key) const {
  return CompareGiven(*order, KeyIn(*batch, a), key) < 0;
}

bool FamilyIndex::Less::operator()(const Slice& key,
                                   const IndexEntry& b) const {
  return CompareGiven(*order, key, KeyIn(*batch, b)) < 0;
}

FamilyIndex::FamilyIndex(const Comparator* order, const WriteBatch* batch,
                         Keeps keeps)
    : order_(order),
      batch_(batch),
      keeps_(keeps),
      entries_(Less{order, batch}) {
  INVARIANT(order_ != nullptr);
  INVARIANT(batch_ != nullptr);
}

void FamilyIndex::SetOrder(const Comparator* order) {
  INVARIANT(order != nullptr);
  INVARIANT(entries_.empty());
  if (order == order_) return;
  order_ = order;
  entries_ = Entries(Less{order_, batch_});
}

void FamilyIndex::Add(const BatchEntry& entry, size_t offset) {
  assert(IsDataEntry(entry.type));
  const char* const begin = batch_->Data().data();
  INVARIANT(entry.key.data() >= begin + offset);
  IndexEntry added;
  added.offset = offset;
  added.key_offset = static_cast<size_t>(entry.key.data() - begin);
  // The place for a timestamp behind it is no part of the key.
  const size_t timestamp_size = order_->timestamp_size();
  added.key_size =
      entry.key.size() - std::min<size_t>(entry.key.size(), timestamp_size);
  const Slice key = KeyIn(*batch_, added);
  const auto newest = entries_.lower_bound(key);
  if (IsAtKey(newest, key)) {
    // It says for all before it how many there were, and of which kind.
    added.update_count = newest->update_count;
    added.had_single_delete =
        newest->had_single_delete || Read(*newest).type == kTypeSingleDeletion;
    if (keeps_ == Keeps::kNewest && entry.type != kTypeMerge) {
      entries_.erase(newest, entries_.upper_bound(key));
    }
  }
  ++added.update_count;
  [[maybe_unused]] const bool is_new = entries_.insert(added).second;
  assert(is_new);
  ++change_count_;
}

BatchEntry FamilyIndex::Read(const IndexEntry& entry) const {
  BatchEntry read;
  BatchReader reader(batch_->Data(), entry.offset);
  // It was read when it was added, and its bytes do not change.
  const Status s = reader.Next(&read);
  INVARIANT(s.ok());
  return read;
}

Slice FamilyIndex::KeyOf(const IndexEntry& entry) const {
  return KeyIn(*batch_, entry);
}

bool FamilyIndex::HasReplacedSingleDelete(const IndexEntry& entry) const {
  return entry.had_single_delete && Read(entry).type != kTypeMerge;
}

bool FamilyIndex::IsAtKey(Entries::const_iterator place,
                          const Slice& key) const {
  return place != entries_.end() &&
         CompareGiven(*order_, KeyOf(*place), key) == 0;
}

bool FamilyIndex::Gather(const IndexEntry& entry, BatchAnswer* answer) const {
  const BatchEntry read = Read(entry);
  switch (read.type) {
    case kTypeMerge:
      answer->operands.push_back(read.value);
      return true;
    case kTypeValue:
      answer->base = BatchAnswer::Base::kPlain;
      break;
    case kTypeWideColumnEntity:
      answer->base = BatchAnswer::Base::kEntity;
      break;
    default:
      assert(read.type == kTypeDeletion || read.type == kTypeSingleDeletion);
      answer->base = BatchAnswer::Base::kDeleted;
      return false;
  }
  answer->value = read.value;
  return false;
}

BatchAnswer FamilyIndex::Lookup(const Slice& key) const {
  BatchAnswer answer;
  for (auto it = entries_.lower_bound(key);
       IsAtKey(it, key) && Gather(*it, &answer); ++it) {
  }
  std::reverse(answer.operands.begin(), answer.operands.end());
  return answer;
}

}  // namespace ROCKSDB_NAMESPACE

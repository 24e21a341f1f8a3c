#include "memtable/memtable_tombstones.h"

#include <algorithm>

#include "memtable/entry_check.h"
#include "memtable/entry_tree.h"
#include "util/key/timestamps.h"

namespace ROCKSDB_NAMESPACE {

void MemTableTombstones::Add(SequenceNumber sequence, const char* entry) {
  const Slice begin = ExtractUserKey(EntryTree::KeyOf(entry));
  MutexLock lock(&mutex_);
  tombstones_.push_back(
      {.begin = begin,
       .end = EntryTree::ValueOf(entry),
       .sequence = sequence,
       .timestamp = TimestampOf(begin, order_->timestamp_size())});
  // release: pairs with the acquire in IsAny().
  count_.store(tombstones_.size(), std::memory_order_release);
}

std::shared_ptr<const FragmentedTombstones> MemTableTombstones::All() const {
  MutexLock lock(&mutex_);
  Cut();
  return fragments_;
}

void MemTableTombstones::Cut() const {
  if (fragments_ != nullptr && cut_count_ == tombstones_.size()) return;
  fragments_ =
      FragmentedTombstones::Build(tombstones_, order_->user_comparator());
  cut_count_ = tombstones_.size();
  passed_count_ = 0;
}

SequenceNumber MemTableTombstones::Newest(const Slice& user_key,
                                          const TombstoneLimit& limit) const {
  // Cutting one costs about as much as passing so many.
  constexpr size_t kPassesPerCut = 4;
  std::shared_ptr<const FragmentedTombstones> cut;
  SequenceNumber newest = 0;
  {
    MutexLock lock(&mutex_);
    if (fragments_ == nullptr ||
        passed_count_ >= kPassesPerCut * tombstones_.size()) {
      Cut();
    }
    cut = fragments_;
    passed_count_ += tombstones_.size() - cut_count_;
    for (size_t i = cut_count_; i < tombstones_.size(); ++i) {
      const RangeTombstone& one = tombstones_[i];
      if (one.sequence > newest && limit.Allows(one, *cut->order()) &&
          cut->CompareKeys(one.begin, user_key) <= 0 &&
          cut->CompareKeys(user_key, one.end) < 0) {
        newest = one.sequence;
      }
    }
  }
  return std::max(newest, cut->MaxCovering(user_key, limit));
}

Status MemTableTombstones::Verify() const {
  if (checksum_bytes_ == 0 || !IsAny()) return Status::OK();
  MutexLock lock(&mutex_);
  for (const RangeTombstone& tombstone : tombstones_) {
    // The begin lies in its entry, with the trailer behind it.
    const Slice key(tombstone.begin.data(),
                    tombstone.begin.size() + kInternalKeyTrailerBytes);
    Status s = VerifyEntry(key, tombstone.end, checksum_bytes_, key_text_);
    if (!s.ok()) return s;
  }
  return Status::OK();
}

size_t MemTableTombstones::memory_bytes() const {
  if (!IsAny()) return 0;
  MutexLock lock(&mutex_);
  size_t bytes = tombstones_.capacity() * sizeof(RangeTombstone);
  if (fragments_ != nullptr) bytes += fragments_->memory_bytes();
  return bytes;
}

}  // namespace ROCKSDB_NAMESPACE

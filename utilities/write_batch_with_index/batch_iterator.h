// A cursor over the updates of one column family in an indexed batch.
//
// It keeps the place of its update, not the index's node: the batch may grow
// while it stands. When the batch is cleared or rolled back it stands nowhere,
// until it is moved by a seek.
//
// Threads  As the batch.
#pragma once

#include <string>

#include "rocksdb/utilities/write_batch_with_index.h"
#include "utilities/write_batch_with_index/family_index.h"

namespace ROCKSDB_NAMESPACE {

class BatchIterator final : public WBWIIterator {
 public:
  explicit BatchIterator(const FamilyIndex* index) : index_(index) {}

  bool Valid() const override {
    return is_valid_ && clear_count_ == index_->clear_count();
  }
  void SeekToFirst() override;
  void SeekToLast() override;
  void Seek(const Slice& key) override;
  void SeekForPrev(const Slice& key) override;
  void Next() override;
  void Prev() override;
  WriteEntry Entry() const override;
  Status status() const override { return Status::OK(); }
  bool HasOverWrittenSingleDel() const override;
  uint32_t GetUpdateCount() const override;

 private:
  using Place = FamilyIndex::Entries::const_iterator;

  void StandAt(Place place);
  void StandBefore(Place place);

  const FamilyIndex* const index_;
  bool is_valid_ = false;
  // The index's clear_count() when the iterator came to its place.
  uint64_t clear_count_ = 0;
  IndexEntry entry_;
};

// The keys of a family in the batch, each once, within bounds.
class BatchKeys {
 public:
  // Null bounds are open; `upper` is not in.
  struct Bounds {
    const Slice* lower = nullptr;
    const Slice* upper = nullptr;
  };
  BatchKeys(const FamilyIndex* index, const Bounds& bounds)
      : index_(index), bounds_(bounds) {}

  bool Valid() const { return is_valid_; }
  const std::string& key() const { return key_; }
  // Has the batch changed since?
  bool IsStale() const { return change_count_ != index_->change_count(); }

  void SeekToFirst();
  void SeekToLast();
  // To the first key at or after, or only after, `key`.
  void Seek(const Slice& key);
  void SeekAfter(const Slice& key);
  // To the last key at or before, or only before, `key`.
  void SeekForPrev(const Slice& key);
  void SeekBefore(const Slice& key);

 private:
  using Place = FamilyIndex::Entries::const_iterator;

  void StandAt(Place place);
  void StandBefore(Place place);
  bool IsBelow(const Slice& key) const;
  bool IsAbove(const Slice& key) const;

  const FamilyIndex* const index_;
  const Bounds bounds_;
  bool is_valid_ = false;
  uint64_t change_count_ = 0;
  std::string key_;
};

}  // namespace ROCKSDB_NAMESPACE

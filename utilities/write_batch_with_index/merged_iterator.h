// A cursor over a database as if a batch had been written to it.
//
// Both are walked side by side by key; what the batch says of a key goes before
// what the database has.
//
// Threads    One thread at a time, that of the batch.
// Ownership  Owns the database's cursor, borrows the rest.
// Errors     Of the database's cursor, and of merging: it is not valid then.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "db/read/scan_prefix.h"
#include "rocksdb/db.h"
#include "rocksdb/iterator.h"
#include "utilities/write_batch_with_index/batch_iterator.h"
#include "utilities/write_batch_with_index/batch_value.h"
#include "utilities/write_batch_with_index/family_index.h"

namespace ROCKSDB_NAMESPACE {

class MergedIterator final : public Iterator {
 public:
  struct Context {
    const FamilyIndex* index = nullptr;
    ColumnFamilyHandle* family = nullptr;  // null: there is no merge operator
    BatchKeys::Bounds bounds;
    // Set for prefix_same_as_start; null: the walk may leave its prefix. The
    // database's cursor may be held to its own first prefix, or to none.
    std::shared_ptr<const SliceTransform> prefix_extractor;
  };
  MergedIterator(std::unique_ptr<Iterator> base, const Context& context);

  bool Valid() const override { return at_ != At::kNothing; }
  void SeekToFirst() override;
  void SeekToLast() override;
  void Seek(const Slice& target) override;
  void SeekForPrev(const Slice& target) override;
  void Next() override;
  void Prev() override;
  Slice key() const override;
  Slice value() const override;
  const WideColumns& columns() const override;
  Slice timestamp() const override;
  Status status() const override;
  bool PrepareValue() override;
  void Prepare(const MultiScanArgs& scan_opts) override;

 private:
  enum class At { kNothing, kBase, kBatch };
  enum class Direction { kForward, kBackward };

  void Move(Direction direction);
  // Where it stood in a batch that has changed since.
  void FindBatchPlace();
  // Past key_, where they stand at it.
  void Step();
  // From where both stand, to the first key that is there.
  void Settle();
  int Compare(const Slice& a, const Slice& b) const;
  // Which of them comes first; both where they stand at one key.
  void Choose();
  // The walk stays in the prefix of `key`, if it is to stay in one.
  void NotePrefix(const Slice& key);
  bool IsInPrefix(const Slice& key) const {
    return !prefix_ || prefix_->Has(key);
  }
  // The database's cursor goes to key_, or to what follows it on the way.
  void TurnBase();
  // The value of key_; NotFound if it is gone.
  Status TakeFromBatch();
  Status BaseForMerge(std::string* stored, MergeBase* below);

  const std::unique_ptr<Iterator> base_;
  const Context context_;
  BatchKeys batch_;
  Direction direction_ = Direction::kForward;
  At at_ = At::kNothing;
  bool is_at_base_ = false;
  bool is_at_batch_ = false;
  std::string key_;
  BatchValue merged_;
  Slice value_;
  WideColumns columns_;
  Status status_;
  std::optional<ScanPrefix> prefix_;
};

}  // namespace ROCKSDB_NAMESPACE

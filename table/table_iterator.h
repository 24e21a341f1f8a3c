#pragma once

// A cursor over a table file: a position in the flat index, and a cursor in the
// data block there.
//
// Threads    One thread.
// Ownership  Borrows the open table, which must outlive it.
// Errors     status() names file and offset; the cursor is then not valid.

#include <algorithm>
#include <cassert>
#include <memory>
#include <string>
#include <utility>

#include "rocksdb/slice_transform.h"
#include "table/block_cursor.h"
#include "table/block_source.h"
#include "table/index_block.h"
#include "table/table_filter.h"
#include "table/table_parts.h"
#include "util/key/internal_iterator.h"

namespace ROCKSDB_NAMESPACE {

template <class Source>
class TableIterator final : public InternalIterator {
 public:
  // Over CachedBlocks. `index` is that of `parts`.
  TableIterator(const TableParts& parts, const ReadOptions& read,
                BlockRef<IndexBlock> index, const FilterCheck& filter)
      : parts_(parts),
        read_(read),
        index_(std::move(index)),
        filter_(filter),
        source_(parts, read, static_cast<Cleanable*>(this)),
        position_(index_->size()),
        cursor_(&parts.order, parts.rewrite) {}
  // Over StreamedBlocks, without a filter.
  TableIterator(const TableParts& parts, const ReadOptions& read,
                BlockRef<IndexBlock> index, std::unique_ptr<InputStream> data)
      : parts_(parts),
        read_(read),
        index_(std::move(index)),
        filter_{.is_skipped = true},
        source_(parts, read, std::move(data)),
        position_(index_->size()),
        cursor_(&parts.order, parts.rewrite) {}

  bool Valid() const override { return cursor_.Valid(); }
  Slice key() const override { return cursor_.key(); }
  Slice value() const override { return cursor_.value(); }
  Status status() const override { return status_; }
  ReadaheadProgress readahead_progress() const override {
    return source_.readahead_progress();
  }
  void ResumeReadahead(const ReadaheadProgress& progress) override {
    source_.ResumeReadahead(progress);
  }
  bool IsKeyPinned() const override {
    return source_.PinsBlocks() && cursor_.IsKeyInBlock();
  }
  bool IsValuePinned() const override { return source_.PinsBlocks(); }

  void SeekToFirst() override {
    assert(index_);
    status_ = Status::OK();
    SetReadaheadRange();
    if (OpenBlock(0)) {
      cursor_.SeekToFirst();
      SkipForward();
    }
  }
  void SeekToLast() override {
    status_ = Status::OK();
    if (index_->size() == 0) {
      Leave();
      return;
    }
    SetReadaheadRange();
    if (OpenBlock(index_->size() - 1)) {
      assert(position_ + 1 == index_->size());
      cursor_.SeekToLast();
      SkipBackward();
    }
  }
  void Seek(const Slice& target) override {
    assert(target.size() >= kInternalKeyTrailerBytes);
    status_ = Status::OK();
    if (!FilterAllows(target)) return;
    SetReadaheadRange();
    if (OpenBlock(index_->Seek(parts_.order, target))) {
      cursor_.Seek(target);
      SkipForward();
    }
  }
  void SeekForPrev(const Slice& target) override {
    assert(target.size() >= kInternalKeyTrailerBytes);
    status_ = Status::OK();
    // What lies before the target may have another prefix.
    SetReadaheadRange();
    const size_t found = index_->Seek(parts_.order, target);
    if (found == index_->size()) {
      SeekToLast();
    } else if (OpenBlock(found)) {
      cursor_.SeekForPrev(target);
      SkipBackward();
    }
  }
  void Next() override {
    assert(Valid() && status_.ok());
    cursor_.Next();
    if (!cursor_.Valid()) [[unlikely]]
      SkipForward();
  }
  void Prev() override {
    assert(Valid() && status_.ok());
    cursor_.Prev();
    if (!cursor_.Valid()) [[unlikely]]
      SkipBackward();
  }
  bool NextAndGetKey(Slice* new_key) override {
    assert(Valid() && status_.ok());
    cursor_.Next();
    if (!cursor_.Valid()) [[unlikely]] {
      SkipForward();
      if (!cursor_.Valid()) return false;
    }
    *new_key = cursor_.key();
    return true;
  }

 private:
  void Leave() {
    cursor_.Reset(nullptr);
    source_.Clear();
    position_ = index_->size();
    assert(!Valid());
  }
  void Fail(Status status) {
    assert(!status.ok());
    Leave();
    status_ = std::move(status);
  }
  bool FilterAllows(const Slice& target) {
    bool may_match = true;
    Status s = filter_.MayMatchPrefix(parts_, read_, target, &may_match);
    if (!s.ok()) {
      Fail(std::move(s));
    } else if (!may_match) {
      Leave();
    }
    return s.ok() && may_match;
  }
  // Puts the cursor on a block, before its first entry. False: no such block,
  // or an error.
  bool OpenBlock(size_t position) {
    if (position >= index_->size()) {
      Leave();
      return false;
    }
    if (position == position_) return true;  // A seek inside the block.
    cursor_.Reset(nullptr);
    const BlockLayout* layout = nullptr;
    Status s = source_.Load(index_->handle(position), &layout);
    if (!s.ok()) {
      Fail(std::move(s));
      return false;
    }
    assert(layout != nullptr);
    position_ = position;
    cursor_.Reset(layout);
    assert(!cursor_.Valid());
    return true;
  }
  // True if what is wrong ends the way.
  bool HasProblem() {
    if (cursor_.problem() == nullptr) [[likely]]
      return false;
    Fail(parts_.file.Corrupt(index_->handle(position_).offset,
                             cursor_.problem()));
    return true;
  }
  // Is every key behind this block at the upper bound or beyond it?
  bool EndsAtUpperBound() const {
    assert(position_ < index_->size());
    const Slice* bound = read_.iterate_upper_bound;
    return bound != nullptr &&
           UserKeyCompare(index_->user_key(position_), *bound) >= 0;
  }
  int UserKeyCompare(const Slice& user_key, const Slice& bound) const {
    if (parts_.timestamp_bytes == 0) {
      return parts_.order.CompareUserKeys(user_key, bound);
    }
    return parts_.order.user_comparator()->CompareWithoutTimestamp(
        user_key, true, bound, false);
  }
  void SkipForward() {
    while (!cursor_.Valid()) {
      if (HasProblem()) return;
      assert(position_ < index_->size());
      if (position_ + 1 >= index_->size() || EndsAtUpperBound()) {
        Leave();
        return;
      }
      if (!OpenBlock(position_ + 1)) return;
      cursor_.SeekToFirst();
    }
  }
  void SkipBackward() {
    while (!cursor_.Valid()) {
      if (HasProblem()) return;
      assert(position_ < index_->size());
      if (position_ == 0) {
        Leave();
        return;
      }
      if (!OpenBlock(position_ - 1)) return;
      cursor_.SeekToLast();
    }
  }
  // Nothing is read ahead but data blocks, and those within the bounds.
  void SetReadaheadRange() {
    if (has_range_ || index_->size() == 0) return;
    has_range_ = true;
    size_t first = 0;
    size_t last = index_->size() - 1;
    if (read_.auto_readahead_size && parts_.timestamp_bytes == 0) {
      if (read_.iterate_lower_bound != nullptr) {
        first = std::min(BlockOf(*read_.iterate_lower_bound), last);
      }
      if (read_.iterate_upper_bound != nullptr) {
        last = std::min(BlockOf(*read_.iterate_upper_bound), last);
      }
    }
    source_.SetReadaheadRange(index_->handle(first).offset,
                              index_->handle(last).end_with_trailer());
  }
  size_t BlockOf(const Slice& user_key) const {
    std::string key;
    AppendInternalKey(&key, user_key, kMaxSequenceNumber, kValueTypeForSeek);
    return index_->Seek(parts_.order, key);
  }

  const TableParts& parts_;
  const ReadOptions& read_;
  const BlockRef<IndexBlock> index_;
  const FilterCheck filter_;
  Source source_;
  size_t position_;  // of the block; index_->size() when there is none
  BlockCursor cursor_;
  Status status_;
  bool has_range_ = false;
};

}  // namespace ROCKSDB_NAMESPACE

#pragma once

// A cursor over a table file: a position in the index, and a cursor in the data
// block there.
//
// Threads    One thread.
// Ownership  Borrows the open table, which must outlive it.
// Errors     status() names file and offset; the cursor is then not valid.

#include <cassert>
#include <cstdint>
#include <memory>
#include <utility>

#include "monitoring/perf_context_imp.h"
#include "monitoring/statistics_impl.h"
#include "rocksdb/slice_transform.h"
#include "table/block_cursor.h"
#include "table/block_source.h"
#include "table/index_cursor.h"
#include "table/own_index.h"
#include "table/table_filter.h"
#include "table/table_parts.h"
#include "util/key/internal_iterator.h"
#include "util/key/timestamps.h"

namespace ROCKSDB_NAMESPACE {

// When a data block is read whose first key the index tells: once the iterator
// is there, or once its value is asked for.
enum class ReadTime : uint8_t { kAtOnce, kLate };

// `Index` is IndexCursor, or OwnIndexCursor.
template <class Source, ReadTime kReadTime = ReadTime::kAtOnce,
          class Index = IndexCursor>
class TableIterator final : public InternalIterator {
 public:
  // Over CachedBlocks. `index` is open.
  TableIterator(const TableParts& parts, const ReadOptions& read, Index index,
                const FilterCheck& filter)
      : parts_(parts),
        read_(read),
        index_(std::move(index)),
        filter_(filter),
        source_(parts, read, static_cast<Cleanable*>(this)),
        cursor_(&parts.order, parts.rewrite) {}
  // Over StreamedBlocks, without a filter.
  TableIterator(const TableParts& parts, const ReadOptions& read,
                BlockRef<IndexBlock> index, std::unique_ptr<InputStream> data)
      : parts_(parts),
        read_(read),
        index_(parts, read, std::move(index)),
        filter_{.is_skipped = true},
        source_(parts, read, std::move(data)),
        cursor_(&parts.order, parts.rewrite) {}

  bool Valid() const override { return cursor_.Valid() || IsPutOff(); }
  Slice key() const override {
    return IsPutOff() ? index_.first_key() : cursor_.key();
  }
  Slice value() const override {
    assert(HasValue());
    source_.NoteUse(cursor_);
    return cursor_.value();
  }
  bool HasValue() const override { return !IsPutOff(); }
  bool GetValue(Slice* result) override {
    if (IsPutOff() && !ReadNow()) return false;
    source_.NoteUse(cursor_);
    *result = cursor_.value();
    return true;
  }
  bool GetWholeBlock(WholeBlock* block) const override {
    return !IsPutOff() && source_.GetWholeBlock(cursor_, block);
  }
  Status status() const override { return status_; }
  ReadaheadProgress readahead_progress() const override {
    return source_.readahead_progress();
  }
  void ResumeReadahead(const ReadaheadProgress& progress) override {
    source_.ResumeReadahead(progress);
  }
  void Prepare(const ScanPart& part) override {
    Leave();
    status_ = Status::OK();
    if (IndexCursor* const index = index_.ForScan(part)) {
      source_.Prepare(part, index);
    }
    // The bounds may be others for each range.
    const IndexCursor::Range all = index_.DataRange(nullptr, nullptr);
    source_.SetReadaheadRange(all.begin, all.end);
    has_range_ = true;
  }
  bool IsKeyPinned() const override {
    return source_.PinsBlocks() && !IsPutOff() && cursor_.IsKeyInBlock();
  }
  bool IsValuePinned() const override { return source_.PinsBlocks(); }

  void SeekToFirst() override {
    status_ = Status::OK();
    SetReadaheadRange();
    Status s = index_.SeekToFirst();
    if (s.ok() && PutOff(nullptr)) return;
    if (OpenBlock(std::move(s))) {
      cursor_.SeekToFirst();
      SkipForward();
    }
  }
  void SeekToLast() override {
    status_ = Status::OK();
    SetReadaheadRange();
    if (OpenBlock(index_.SeekToLast())) {
      cursor_.SeekToLast();
      SkipBackward();
    }
  }
  void Seek(const Slice& target) override {
    assert(target.size() >= kInternalKeyTrailerBytes);
    status_ = Status::OK();
    SeekInOrder(target);
  }
  void SeekInPrefix(const Slice& target) override {
    assert(target.size() >= kInternalKeyTrailerBytes);
    status_ = Status::OK();
    if (FilterAllows(target)) SeekInOrder(target);
  }
  void SeekForPrev(const Slice& target) override {
    assert(target.size() >= kInternalKeyTrailerBytes);
    status_ = Status::OK();
    // What lies before the target may have another prefix.
    SetReadaheadRange();
    Status s = index_.Seek(target);
    if (s.ok() && !index_.Valid()) {
      SeekToLast();
    } else if (OpenBlock(std::move(s))) {
      PERF_TIMER_GUARD(block_seek_nanos);
      cursor_.SeekForPrev(target);
      PERF_TIMER_STOP(block_seek_nanos);
      SkipBackward();
    }
  }
  void Next() override {
    assert(Valid() && status_.ok());
    if (IsPutOff() && !ReadNow()) return;
    cursor_.Next();
    if (!cursor_.Valid()) [[unlikely]]
      SkipForward();
  }
  void Prev() override {
    assert(Valid() && status_.ok());
    if (IsPutOff() && !ReadNow()) return;
    cursor_.Prev();
    if (!cursor_.Valid()) [[unlikely]]
      SkipBackward();
  }
  bool NextAndGetKey(Slice* new_key) override {
    assert(Valid() && status_.ok());
    if (IsPutOff() && !ReadNow()) return false;
    cursor_.Next();
    if (!cursor_.Valid()) [[unlikely]] {
      SkipForward();
      if (!Valid()) return false;
    }
    *new_key = key();
    return true;
  }

 private:
  bool IsPutOff() const {
    if constexpr (kReadTime == ReadTime::kLate) return is_put_off_;
    return false;
  }
  // True if the block that the index is at can wait: the iterator is then on
  // its first key, which is at or after `target` (null: any), or at its end.
  bool PutOff(const Slice* target) {
    if constexpr (kReadTime == ReadTime::kAtOnce) return false;
    if (!index_.Valid() || (is_open_ && index_.position() == block_position_)) {
      return false;
    }
    const Slice first = index_.first_key();
    if (first.empty() ||
        (target != nullptr && parts_.order.Compare(first, *target) < 0)) {
      return false;
    }
    Leave();
    const Slice* bound = read_.iterate_upper_bound;
    is_put_off_ = bound == nullptr || parts_.order.CompareToGiven(
                                          ExtractUserKey(first), *bound) < 0;
    return true;
  }
  // To the first entry of the block that was put off. False: it cannot be read.
  bool ReadNow() {
    assert(IsPutOff() && index_.Valid());
    if (!OpenBlock(Status::OK())) return false;
    cursor_.SeekToFirst();
    if (cursor_.Valid() && cursor_.key() == index_.first_key()) return true;
    if (!HasProblem()) {
      Fail(parts_.file.Corrupt(index_.handle().offset,
                               "does not begin with the key in the index"));
    }
    return false;
  }
  // A seek has come to a data block.
  void CountSeek() const {
    RecordTick(parts_.file.statistics,
               parts_.file.reader->context().is_last_level
                   ? LAST_LEVEL_SEEK_DATA
                   : NON_LAST_LEVEL_SEEK_DATA);
  }
  void Leave() {
    cursor_.Reset(nullptr);
    source_.Clear();
    is_open_ = false;
    is_put_off_ = false;
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
      return false;
    }
    if (!may_match) Leave();
    return may_match;
  }
  void SeekInOrder(const Slice& target) {
    SetReadaheadRange();
    Status s = index_.Seek(target);
    if (s.ok() && PutOff(&target)) return;
    if (OpenBlock(std::move(s))) {
      CountSeek();
      PERF_TIMER_GUARD(block_seek_nanos);
      cursor_.Seek(target);
      PERF_TIMER_STOP(block_seek_nanos);
      SkipForward();
    }
  }
  // Puts the cursor on the block that the index is at, before its first entry,
  // if the way there went well. False: no such block, or an error.
  bool OpenBlock(Status s) {
    is_put_off_ = false;
    if (!s.ok()) {
      Fail(std::move(s));
      return false;
    }
    if (!index_.Valid()) {
      Leave();
      return false;
    }
    if (is_open_ && index_.position() == block_position_) {
      return true;  // A seek inside the block.
    }
    cursor_.Reset(nullptr);
    const BlockLayout* layout = nullptr;
    s = source_.Load(index_.handle(), &layout);
    if (!s.ok()) {
      Fail(std::move(s));
      return false;
    }
    assert(layout != nullptr);
    is_open_ = true;
    block_position_ = index_.position();
    cursor_.Reset(layout);
    assert(!cursor_.Valid());
    return true;
  }
  // True if what is wrong ends the way.
  bool HasProblem() {
    if (cursor_.problem() == nullptr) [[likely]]
      return false;
    Fail(parts_.file.Corrupt(index_.handle().offset, cursor_.problem()));
    return true;
  }
  // Is every key behind this block at the upper bound or beyond it?
  bool EndsAtUpperBound() const {
    const Slice* bound = read_.iterate_upper_bound;
    return bound != nullptr &&
           parts_.order.CompareToGiven(index_.user_key(), *bound) >= 0;
  }
  void SkipForward() {
    while (!cursor_.Valid()) {
      if (HasProblem()) return;
      assert(is_open_);
      if (EndsAtUpperBound()) {
        Leave();
        return;
      }
      Status s = index_.Next();
      if (s.ok() && PutOff(nullptr)) return;
      if (!OpenBlock(std::move(s))) return;
      cursor_.SeekToFirst();
    }
  }
  void SkipBackward() {
    while (!cursor_.Valid()) {
      if (HasProblem()) return;
      assert(is_open_);
      if (!OpenBlock(index_.Prev())) return;
      cursor_.SeekToLast();
    }
  }
  // Nothing is read ahead but data blocks, and those within the bounds.
  void SetReadaheadRange() {
    if (has_range_) return;
    has_range_ = true;
    const IndexCursor::Range range =
        read_.auto_readahead_size ? index_.DataRange(read_.iterate_lower_bound,
                                                     read_.iterate_upper_bound)
                                  : index_.DataRange(nullptr, nullptr);
    source_.SetReadaheadRange(range.begin, range.end);
  }

  const TableParts& parts_;
  const ReadOptions& read_;
  Index index_;
  const FilterCheck filter_;
  Source source_;
  // A block is loaded, the one of this position.
  bool is_open_ = false;
  // The iterator is on the first key of the block that the index is at, which
  // is not read.
  bool is_put_off_ = false;
  typename Index::Position block_position_ = {};
  BlockCursor cursor_;
  Status status_;
  bool has_range_ = false;
};

}  // namespace ROCKSDB_NAMESPACE

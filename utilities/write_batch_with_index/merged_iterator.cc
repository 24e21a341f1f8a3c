#include "utilities/write_batch_with_index/merged_iterator.h"

#include <utility>

#include "util/invariant.h"
#include "util/value/wide_columns_coding.h"

namespace ROCKSDB_NAMESPACE {

MergedIterator::MergedIterator(std::unique_ptr<Iterator> base,
                               const Context& context)
    : base_(std::move(base)),
      context_(context),
      batch_(context.index, context.bounds) {
  INVARIANT(base_ != nullptr);
  INVARIANT(context_.index != nullptr);
}

void MergedIterator::SeekToFirst() {
  direction_ = Direction::kForward;
  prefix_.reset();
  base_->SeekToFirst();
  batch_.SeekToFirst();
  Settle();
  if (Valid()) NotePrefix(key());
}

void MergedIterator::SeekToLast() {
  direction_ = Direction::kBackward;
  prefix_.reset();
  base_->SeekToLast();
  batch_.SeekToLast();
  Settle();
  if (Valid()) NotePrefix(key());
}

void MergedIterator::Seek(const Slice& target) {
  direction_ = Direction::kForward;
  NotePrefix(target);
  base_->Seek(target);
  batch_.Seek(target);
  Settle();
}

void MergedIterator::SeekForPrev(const Slice& target) {
  direction_ = Direction::kBackward;
  NotePrefix(target);
  base_->SeekForPrev(target);
  batch_.SeekForPrev(target);
  Settle();
}

void MergedIterator::Next() { Move(Direction::kForward); }
void MergedIterator::Prev() { Move(Direction::kBackward); }

void MergedIterator::Move(Direction direction) {
  if (!Valid()) {
    if (status().ok()) {
      status_ = Status::NotSupported(direction == Direction::kForward
                                         ? "Next() on invalid iterator"
                                         : "Prev() on invalid iterator");
    }
    return;
  }
  // What comes into the batch before the place where the walk stands in it is
  // not seen until the next seek, as with RocksDB: programs write while they
  // walk.
  if (batch_.IsStale()) FindBatchPlace();
  if (direction != direction_) {
    if (at_ == At::kBase) key_ = base_->key().ToString();
    // The other one stands on the wrong side of the key.
    direction_ = direction;
    TurnBase();
    is_at_batch_ = true;
  }
  Step();
  Settle();
}

// Its key may have been taken back.
void MergedIterator::FindBatchPlace() {
  if (!batch_.Valid()) return;
  const std::string place = batch_.key();
  direction_ == Direction::kForward ? batch_.Seek(place)
                                    : batch_.SeekForPrev(place);
}

void MergedIterator::Step() {
  const bool is_forward = direction_ == Direction::kForward;
  if (is_at_base_) is_forward ? base_->Next() : base_->Prev();
  if (is_at_batch_) {
    is_forward ? batch_.SeekAfter(key_) : batch_.SeekBefore(key_);
  }
}

// By steps while it stands somewhere: a seek would have it stay in the prefix
// of key_, where the walk may be in none. A seek forward would also ask filters
// for that prefix, and could miss keys with others; it is not needed where the
// walk keeps to no prefix, since no key of the database is before key_.
void MergedIterator::TurnBase() {
  const bool is_forward = direction_ == Direction::kForward;
  const auto order = [&] {
    const int forward = Compare(base_->key(), key_);
    return is_forward ? forward : -forward;
  };
  if (!base_->Valid()) {
    if (!is_forward) {
      base_->SeekForPrev(key_);
    } else if (prefix_) {
      base_->Seek(key_);
    } else {
      base_->SeekToFirst();
      // One that has such keys after all was at the end of a prefix of its own.
      if (base_->Valid() && order() < 0) base_->Seek(key_);
    }
  }
  while (base_->Valid() && order() < 0) {
    is_forward ? base_->Next() : base_->Prev();
  }
  is_at_base_ = base_->Valid() && order() == 0;
}

void MergedIterator::NotePrefix(const Slice& key) {
  ScanPrefix prefix;
  prefix_.reset();
  if (prefix.Take(context_.prefix_extractor, key)) prefix_ = std::move(prefix);
}

int MergedIterator::Compare(const Slice& a, const Slice& b) const {
  return CompareGiven(*context_.index->order(), a, b);
}

void MergedIterator::Choose() {
  is_at_base_ = base_->Valid() && IsInPrefix(base_->key());
  is_at_batch_ = batch_.Valid() && IsInPrefix(batch_.key());
  if (!is_at_base_ || !is_at_batch_) return;
  int order = Compare(base_->key(), batch_.key());
  if (direction_ == Direction::kBackward) order = -order;
  is_at_base_ = order <= 0;
  is_at_batch_ = order >= 0;
}

void MergedIterator::Settle() {
  at_ = At::kNothing;
  status_ = Status::OK();
  while (base_->Valid() || base_->status().ok()) {
    Choose();
    if (!is_at_batch_) {
      if (is_at_base_) at_ = At::kBase;
      return;
    }
    key_ = batch_.key();
    status_ = TakeFromBatch();
    if (status_.ok()) at_ = At::kBatch;
    if (!status_.IsNotFound()) return;
    status_ = Status::OK();
    Step();
  }
}

Status MergedIterator::BaseForMerge(std::string* stored, MergeBase* below) {
  *below = MergeBase::None();
  if (!is_at_base_) return Status::OK();
  if (!base_->PrepareValue()) return base_->status();
  // Programs' own cursors need not know columns.
  if (base_->columns().empty() && !base_->value().empty()) {
    *below = MergeBase::Plain(base_->value());
    return Status::OK();
  }
  return MakeMergeBase(base_->columns(), stored, below);
}

Status MergedIterator::TakeFromBatch() {
  const BatchAnswer answer = context_.index->Lookup(key_);
  std::string stored;
  MergeBase below;
  if (!answer.operands.empty() && answer.NeedsMore()) {
    if (Status s = BaseForMerge(&stored, &below); !s.ok()) return s;
  }
  Status s = merged_.Set(answer, below, context_.family, key_);
  // Programs write to the batch before they look at the value.
  if (s.ok()) merged_.Own();
  if (s.ok()) s = merged_.PlainValue(&value_);
  if (!s.ok()) return s;
  columns_.clear();
  if (merged_.is_entity()) return DecodeWideColumns(merged_.bytes(), &columns_);
  columns_.emplace_back(kDefaultWideColumnName, value_);
  return s;
}

Slice MergedIterator::key() const {
  if (!Valid()) return Slice();
  return at_ == At::kBase ? base_->key() : Slice(key_);
}

Slice MergedIterator::value() const {
  if (!Valid()) return Slice();
  return at_ == At::kBase ? base_->value() : value_;
}

const WideColumns& MergedIterator::columns() const {
  if (!Valid()) return kNoWideColumns;
  return at_ == At::kBase ? base_->columns() : columns_;
}

Slice MergedIterator::timestamp() const {
  if (!Valid()) return Slice();
  return at_ == At::kBase ? base_->timestamp() : Slice();
}

Status MergedIterator::status() const {
  return status_.ok() ? base_->status() : status_;
}

bool MergedIterator::PrepareValue() {
  if (!Valid()) return false;
  if (at_ != At::kBase || base_->PrepareValue()) return true;
  at_ = At::kNothing;
  return false;
}

void MergedIterator::Prepare(const MultiScanArgs& scan_opts) {
  at_ = At::kNothing;
  status_ = Status::OK();
  base_->Prepare(scan_opts);
}

}  // namespace ROCKSDB_NAMESPACE

// A cursor over (internal key, value) pairs: what memtables, tables, levels
// and merges of them offer to reads, flushes and compactions.
//
// Contract
//  - After any positioning call either Valid(), or !Valid() with status() OK
//    (the end) or not OK (an error; the cursor must not be trusted to be at
//    the end). An error is sticky until the next seek.
//  - An iterator may put off reading what holds its value: HasValue() is then
//    false, and only GetValue() gives it.
//  - key() and value() stay good until the next positioning call, or, when
//    IsKeyPinned() / IsValuePinned(), as long as the iterator lives.
//  - Next() and Prev() need Valid(). Targets of seeks are internal keys.
//
// Threads  One thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "rocksdb/cleanable.h"
#include "rocksdb/slice.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {

struct ScanPart;
struct WholeBlock;

// What a scan's read-ahead has earned in one file, for the file that follows.
struct ReadaheadProgress {
  size_t next_bytes = 0;
  uint64_t sequential_reads = 0;
  bool goes_down = false;
};

class InternalIterator : public Cleanable {
 public:
  InternalIterator() = default;
  InternalIterator(const InternalIterator&) = delete;
  InternalIterator& operator=(const InternalIterator&) = delete;
  virtual ~InternalIterator() = default;

  virtual bool Valid() const = 0;
  virtual void SeekToFirst() = 0;
  virtual void SeekToLast() = 0;
  // To the first entry at or after `target`.
  virtual void Seek(const Slice& target) = 0;
  // The same for one who wants keys with the prefix of `target` alone: what
  // filters know to have none of them is passed over, up to the next seek.
  virtual void SeekInPrefix(const Slice& target) { Seek(target); }
  // To the last entry at or before `target`.
  virtual void SeekForPrev(const Slice& target) = 0;
  virtual void Next() = 0;
  virtual void Prev() = 0;
  virtual Slice key() const = 0;
  virtual Slice value() const = 0;
  virtual Status status() const = 0;

  // Next(), and the new key if there is one: one virtual call where a merge
  // would need three. False: see Valid() and status().
  virtual bool NextAndGetKey(Slice* new_key) {
    Next();
    if (!Valid()) return false;
    *new_key = key();
    return true;
  }

  // Is value() there without a read?
  virtual bool HasValue() const { return true; }
  // value(), read now if need be. False: it cannot be read, and the iterator
  // is no longer valid; see status().
  virtual bool GetValue(Slice* result) {
    *result = value();
    return true;
  }

  // True: the entry is alone in a compressed block of a table file, and *block
  // good until the next positioning call.
  virtual bool GetWholeBlock(WholeBlock* /*block*/) const { return false; }

  // Zeros: nothing was read ahead.
  virtual ReadaheadProgress readahead_progress() const { return {}; }
  // Before the first positioning call: goes on where another file ended.
  virtual void ResumeReadahead(const ReadaheadProgress& /*progress*/) {}

  // Says what will be read, so that it can be fetched ahead, and ends the plan
  // before. The iterator is not valid until the next seek.
  virtual void Prepare(const ScanPart& /*part*/) {}

  virtual bool IsKeyPinned() const { return false; }
  virtual bool IsValuePinned() const { return false; }
};

// An iterator without entries that carries `status`.
std::unique_ptr<InternalIterator> NewEmptyInternalIterator(Status status);

// A child of a merge: caches validity and key, so that comparing children
// makes no virtual call.
class IteratorWrapper {
 public:
  IteratorWrapper() = default;
  explicit IteratorWrapper(std::unique_ptr<InternalIterator> iterator)
      : iterator_(std::move(iterator)) {
    Update();
  }

  InternalIterator* iterator() const { return iterator_.get(); }
  bool Valid() const { return valid_; }
  Slice key() const { return key_; }
  Slice value() const { return iterator_->value(); }
  bool HasValue() const { return iterator_->HasValue(); }
  bool GetValue(Slice* result) {
    if (iterator_->GetValue(result)) [[likely]]
      return true;
    Update();
    return false;
  }
  Status status() const { return iterator_->status(); }
  void Next() { valid_ = iterator_->NextAndGetKey(&key_); }
  void Prev() { iterator_->Prev(), Update(); }
  void Seek(const Slice& target) { iterator_->Seek(target), Update(); }
  void SeekInPrefix(const Slice& target) {
    iterator_->SeekInPrefix(target), Update();
  }
  void SeekForPrev(const Slice& target) {
    iterator_->SeekForPrev(target), Update();
  }
  void SeekToFirst() { iterator_->SeekToFirst(), Update(); }
  void SeekToLast() { iterator_->SeekToLast(), Update(); }

 private:
  void Update() {
    valid_ = iterator_->Valid();
    if (valid_) key_ = iterator_->key();
  }

  std::unique_ptr<InternalIterator> iterator_;
  Slice key_;
  bool valid_ = false;
};

}  // namespace ROCKSDB_NAMESPACE

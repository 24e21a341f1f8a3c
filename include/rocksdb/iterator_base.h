#pragma once

// A cursor over sorted keys; Iterator adds their values.
//
// Threads  One thread at a time; another thread may use it later.

#include "rocksdb/cleanable.h"
#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/slice.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {

class Snapshot;

class IteratorBase : public Cleanable {
 public:
  IteratorBase() = default;
  IteratorBase(const IteratorBase&) = delete;
  IteratorBase& operator=(const IteratorBase&) = delete;
  virtual ~IteratorBase() = default;

  // True on an entry. False past either end and after an error; status()
  // tells which.
  virtual bool Valid() const = 0;

  virtual void SeekToFirst() = 0;
  virtual void SeekToLast() = 0;
  // To the first key at or after `target`.
  virtual void Seek(const Slice& target) = 0;
  // To the last key at or before `target`.
  virtual void SeekForPrev(const Slice& target) = 0;

  // One entry forward or back. REQUIRES: Valid().
  virtual void Next() = 0;
  virtual void Prev() = 0;

  // The current key, until the cursor moves. REQUIRES: Valid().
  virtual Slice key() const = 0;

  virtual Status status() const = 0;

  // Loads a value that ReadOptions::allow_unprepared_value left out. False on
  // error, and the cursor is no longer valid then. REQUIRES: Valid().
  virtual bool PrepareValue() { return true; }

  // Moves the view to the present state, or to `snapshot` if one is given; the
  // cursor is not valid until the next seek. When the last handle of a dropped
  // family is gone the view stays where it is, unless it holds the family's
  // last state, which has every moment: ColumnFamilyDropped if another snapshot
  // is asked for then.
  virtual Status Refresh() { return Refresh(nullptr); }
  virtual Status Refresh(const Snapshot* /*snapshot*/) {
    return Status::NotSupported("Refresh() is not supported");
  }
};

}  // namespace ROCKSDB_NAMESPACE

#pragma once

// A cursor over the entries of a database, a table file or a batch.
//
// Threads    One thread at a time; another thread may use it later.
// Ownership  Iterators must be deleted before their DB is closed. While one
//            lives, the memory and files of its view stay.

#include <memory>
#include <sstream>
#include <string>

#include "rocksdb/iterator_base.h"
#include "rocksdb/options.h"
#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/wide_columns.h"

namespace ROCKSDB_NAMESPACE {

class MultiScanArgs;

class Iterator : public IteratorBase {
 public:
  Iterator() = default;
  ~Iterator() override = default;

  // The current value; of an entity, its default column. It stays until the
  // cursor moves. REQUIRES: Valid().
  virtual Slice value() const = 0;

  // The current value as columns. REQUIRES: Valid().
  virtual const WideColumns& columns() const { return kNoWideColumns; }

  // Facts about the cursor, as text:
  // "rocksdb.iterator.is-key-pinned", "rocksdb.iterator.is-value-pinned": "1"
  //     if the slice stays until the iterator is deleted, else "0".
  // "rocksdb.iterator.super-version-number": the view it reads.
  // "rocksdb.iterator.internal-key": the stored key, for debugging.
  // "rocksdb.iterator.write-time": when the entry was written, if known.
  virtual Status GetProperty(std::string prop_name, std::string* prop);

  // The timestamp of the current entry. REQUIRES: Valid().
  virtual Slice timestamp() const { return Slice(); }

  // Says which ranges will be read, and in which order, so that their blocks
  // are fetched ahead. What is read does not change: set
  // ReadOptions::iterate_upper_bound to a slice that is given each range's
  // limit before the seek to its start; other seeks are answered too. The
  // cursor is not valid until the next seek. Another call takes the place of
  // the one before. After Refresh() nothing more is fetched ahead.
  //
  // Errors  status() is InvalidArgument, and so is it after every seek, if
  //         MultiScanArgs does not allow such ranges, until Prepare() is given
  //         others.
  virtual void Prepare(const MultiScanArgs& /*scan_opts*/) {}
};

// An iterator without entries. The caller owns it.
Iterator* NewEmptyIterator();
// The same with a status.
Iterator* NewErrorIterator(const Status& status);

}  // namespace ROCKSDB_NAMESPACE

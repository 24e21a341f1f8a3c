#pragma once

// Entities of which large columns are read when they are asked for, and no
// others: what DB::GetEntityLazy() and DB::MultiGetEntityLazy() fill in.
//
//   LazyWideColumns columns;
//   Status s = db->GetEntityLazy(options, family, key, &columns);
//   for (const LazyWideColumn& column : columns) {
//     if (!column.is_reference()) Use(column.inline_value().value());
//   }
//   PinnableSlice part;
//   if (s.ok()) s = columns.ResolveColumnRange(columns[1], 0, 4096, &part);
//
// Columns whose values are in blob files are references: name and, unless the
// blob is compressed, size are known, the value is read by one of the calls
// below. All other values are there at once.
//
// Threads   One thread at a time for one object.
// Lifetime  Must be reset or destroyed before the DB is closed: what it refers
//           to is kept on disk for it. Results that are pinned likewise; they
//           may outlive the object that resolved them.
// Errors    InvalidArgument: a column of another object, no place for a
//           result, or a range that begins behind the value's end. Otherwise
//           those of reads of blob files: Incomplete where the read tier
//           forbids them, Corruption, IOError, TimedOut.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/slice.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {

class LazyEntity;
class LazyWideColumn;

// The length that means "up to the end of the value".
const size_t kLazyWholeColumn = std::numeric_limits<size_t>::max();

// One value, or a part of one, that MultiResolve() is asked for.
struct LazyColumnReadRequest {
  // A column of the object whose MultiResolve() is called.
  const LazyWideColumn* column = nullptr;
  // The range of bytes to read. One that goes beyond the value's end is cut
  // there.
  uint64_t offset = 0;
  size_t length = kLazyWholeColumn;
  // Reads the whole value and checks it, even where a part is asked for or
  // ReadOptions::verify_checksums is off. Otherwise a part of a value is read
  // alone, unchecked. A value that is in the blob cache is not checked again.
  bool force_verify = false;
  // Where the bytes go. Must not be null.
  PinnableSlice* result = nullptr;
  // How it went; may be null.
  Status* status = nullptr;
};

// One column. It and what it shows are good until the object that it belongs
// to is reset, moved to or destroyed.
class LazyWideColumn {
 public:
  const Slice& name() const { return name_; }
  // Which one of the entity's columns it is.
  size_t index() const { return index_; }
  // None for a reference.
  OptSlice inline_value() const {
    if (is_reference()) return OptSlice();
    return OptSlice(inline_data_, static_cast<size_t>(*size_));
  }
  // True: the value has to be resolved.
  bool is_reference() const { return inline_data_ == nullptr; }
  // Bytes of the value; none where they are not known before it is read.
  std::optional<uint64_t> logical_size() const { return size_; }

 protected:
  LazyWideColumn() = default;

  Slice name_;
  const char* inline_data_ = nullptr;
  std::optional<uint64_t> size_;
  size_t index_ = 0;
};

// The columns of one entity, in the order of their names. A plain value is one
// column with an empty name.
class LazyWideColumns {
 public:
  class Iterator {
   public:
    Iterator(const LazyWideColumns* owner, size_t pos)
        : owner_(owner), pos_(pos) {}
    const LazyWideColumn& operator*() const { return (*owner_)[pos_]; }
    const LazyWideColumn* operator->() const { return &(*owner_)[pos_]; }
    Iterator& operator++() {
      ++pos_;
      return *this;
    }
    bool operator==(const Iterator& other) const {
      return owner_ == other.owner_ && pos_ == other.pos_;
    }
    bool operator!=(const Iterator& other) const { return !(*this == other); }

   private:
    const LazyWideColumns* owner_;
    size_t pos_;
  };

  LazyWideColumns();
  ~LazyWideColumns();
  LazyWideColumns(const LazyWideColumns&) = delete;
  LazyWideColumns& operator=(const LazyWideColumns&) = delete;
  // The other is empty then.
  LazyWideColumns(LazyWideColumns&& other) noexcept;
  LazyWideColumns& operator=(LazyWideColumns&& other) noexcept;
  // What the engine found.
  explicit LazyWideColumns(std::unique_ptr<LazyEntity> entity);

  size_t size() const;
  bool empty() const { return size() == 0; }
  // REQUIRES: i < size().
  const LazyWideColumn& operator[](size_t i) const;
  Iterator begin() const { return Iterator(this, 0); }
  Iterator end() const { return Iterator(this, size()); }

  // Several values at once: those of one file are read together. Each request
  // gets a status of its own; the answer is that of the first that failed.
  Status MultiResolve(size_t num_reads, LazyColumnReadRequest* reads);
  Status MultiResolve(std::vector<LazyColumnReadRequest>& reads);
  Status ResolveColumnRange(const LazyWideColumn& column, uint64_t offset,
                            size_t length, PinnableSlice* result);
  Status ResolveColumn(const LazyWideColumn& column, PinnableSlice* result);

  // Lets go of everything.
  void Reset();

 private:
  friend class LazyWideColumnsBatch;

  std::unique_ptr<LazyEntity> entity_;  // null: none
};

// The entities of several keys; one that was not found has no columns.
class LazyWideColumnsBatch {
 public:
  class Iterator {
   public:
    Iterator(const LazyWideColumnsBatch* owner, size_t pos)
        : owner_(owner), pos_(pos) {}
    const LazyWideColumns& operator*() const { return (*owner_)[pos_]; }
    const LazyWideColumns* operator->() const { return &(*owner_)[pos_]; }
    Iterator& operator++() {
      ++pos_;
      return *this;
    }
    bool operator==(const Iterator& other) const {
      return owner_ == other.owner_ && pos_ == other.pos_;
    }
    bool operator!=(const Iterator& other) const { return !(*this == other); }

   private:
    const LazyWideColumnsBatch* owner_;
    size_t pos_;
  };

  LazyWideColumnsBatch();
  ~LazyWideColumnsBatch();
  LazyWideColumnsBatch(const LazyWideColumnsBatch&) = delete;
  LazyWideColumnsBatch& operator=(const LazyWideColumnsBatch&) = delete;
  LazyWideColumnsBatch(LazyWideColumnsBatch&& other) noexcept;
  LazyWideColumnsBatch& operator=(LazyWideColumnsBatch&& other) noexcept;
  explicit LazyWideColumnsBatch(std::vector<LazyWideColumns> entities);

  size_t size() const { return entities_.size(); }
  bool empty() const { return entities_.empty(); }
  // REQUIRES: i < size().
  const LazyWideColumns& operator[](size_t i) const { return entities_[i]; }
  LazyWideColumns& operator[](size_t i) { return entities_[i]; }
  Iterator begin() const { return Iterator(this, 0); }
  Iterator end() const { return Iterator(this, size()); }

  // Like LazyWideColumns::MultiResolve(), for columns of all the entities.
  Status MultiResolve(size_t num_reads, LazyColumnReadRequest* reads);
  Status MultiResolve(std::vector<LazyColumnReadRequest>& reads);

  void Reset();

 private:
  std::vector<LazyWideColumns> entities_;
};

}  // namespace ROCKSDB_NAMESPACE

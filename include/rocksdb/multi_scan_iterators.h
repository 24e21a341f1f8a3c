#pragma once

// A walk over several ranges of keys, as DB::NewMultiScan() makes it:
//
//   for (auto scan : *multi_scan) {
//     for (auto entry : scan) {
//       // entry.first is the key, entry.second the value.
//     }
//   }
//
// Ranges come in the order in which they were given, entries in that of their
// keys, or in the opposite one with MultiScanArgs::reverse. There is one cursor
// for all: the walk over one range ends the walk over another. A range may be
// walked over again; its blocks are not fetched ahead then.
//
// Threads   One thread at a time.
// Lifetime  Must be deleted before its DB is closed, as an iterator. Key and
//           value are good until the next step. What ReadOptions points to must
//           outlive it.
// Errors    A range-for can return no status, so MultiScanException is thrown,
//           by the call that meets the error: begin() or ++. A step beyond the
//           end throws std::logic_error.

#include <cstddef>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "rocksdb/iterator.h"
#include "rocksdb/options.h"
#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/slice.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {

class ColumnFamilyHandle;
class DB;

class MultiScanException : public std::runtime_error {
 public:
  explicit MultiScanException(Status& status)
      : std::runtime_error(status.ToString()), status_(status) {}

  Status& status() { return status_; }
  const Status& status() const { return status_; }

 private:
  Status status_;
};

// One of the ranges, or what one iterator of an application's own still has.
class Scan {
 public:
  class ScanIterator {
   public:
    using self_type = ScanIterator;
    using iterator_category = std::input_iterator_tag;
    using value_type = std::pair<Slice, Slice>;
    using difference_type = int;
    using pointer = value_type*;
    using reference = value_type&;

    // The end.
    ScanIterator() = default;
    // From where *db_iter is, up to its end or, in reverse, its beginning.
    explicit ScanIterator(Iterator* db_iter, bool reverse = false);

    reference operator*() { return entry_; }
    pointer operator->() { return &entry_; }
    ScanIterator& operator++();
    ScanIterator operator++(int) {
      ScanIterator before = *this;
      ++*this;
      return before;
    }
    // At the end?
    bool operator==(std::nullptr_t) const { return cursor_ == nullptr; }
    bool operator!=(std::nullptr_t) const { return cursor_ != nullptr; }
    // Only ends are equal, or places in one walk.
    bool operator==(const ScanIterator& other) const {
      return cursor_ == other.cursor_ && step_ == other.step_;
    }
    bool operator!=(const ScanIterator& other) const {
      return !(*this == other);
    }

   private:
    friend class Scan;
    void Show();

    Iterator* cursor_ = nullptr;  // null: at the end
    bool is_reverse_ = false;
    // How often the cursor has moved, and had when it came here; null: nobody
    // counts.
    size_t* steps_ = nullptr;
    size_t step_ = 0;
    value_type entry_;
  };

  // *db_iter must outlive it, and stand where the scan begins.
  explicit Scan(Iterator* db_iter, bool reverse = false);
  // Makes it the scan that a constructor with these arguments makes.
  void Reset(Iterator* db_iter, bool reverse = false);

  // A new walk over the range.
  ScanIterator begin();
  std::nullptr_t end() { return nullptr; }

 private:
  friend class MultiScan;
  struct Walk;  // over several ranges
  Scan(Walk* walk, size_t index) : walk_(walk), index_(index) {}

  Walk* walk_ = nullptr;  // null: over an iterator
  size_t index_ = 0;
  Iterator* cursor_ = nullptr;
  bool is_reverse_ = false;
};

class MultiScan {
 public:
  class MultiScanIterator {
   public:
    using self_type = MultiScanIterator;
    using iterator_category = std::input_iterator_tag;
    using value_type = Scan;
    using difference_type = int;
    using pointer = Scan*;
    using reference = Scan&;

    // Over ranges of the caller's, with an iterator of the caller's whose
    // bounds are *lower_bound and *upper_bound: each range sets them. Where
    // *db_iter is null, or a range has no limit and the iterator a bound, or
    // the other way round, it is made anew with `read_options`, whose bounds
    // are then set likewise. All that it is given must outlive it.
    MultiScanIterator(const std::vector<ScanOptions>& scan_opts, DB* db,
                      ColumnFamilyHandle* cfh, ReadOptions& read_options,
                      Slice* lower_bound, Slice* upper_bound,
                      std::unique_ptr<Iterator>& db_iter, bool reverse);
    ~MultiScanIterator();
    MultiScanIterator(const MultiScanIterator&) = delete;
    MultiScanIterator& operator=(const MultiScanIterator&) = delete;

    reference operator*() { return current_; }
    pointer operator->() { return &current_; }
    MultiScanIterator& operator++();
    // Behind the last range?
    bool operator==(std::nullptr_t) const;
    bool operator!=(std::nullptr_t) const { return !(*this == nullptr); }

   private:
    friend class MultiScan;
    explicit MultiScanIterator(Scan::Walk* walk);

    std::unique_ptr<Scan::Walk> own_;  // null: a MultiScan's
    Scan::Walk* walk_;
    Scan current_;
  };

  // DB::NewMultiScan() says what comes of it.
  MultiScan(const ReadOptions& options, const MultiScanArgs& scan_opts, DB* db,
            ColumnFamilyHandle* column_family);
  // Without a range: only the iterator's error shows, if it has one.
  MultiScan(const Comparator* comp, std::unique_ptr<Iterator>&& db_iter);
  MultiScan(const MultiScan&) = delete;
  MultiScan& operator=(const MultiScan&) = delete;
  ~MultiScan();

  MultiScanIterator begin();
  std::nullptr_t end() { return nullptr; }

 private:
  std::unique_ptr<Scan::Walk> walk_;
  std::unique_ptr<Iterator> cursor_;
};

}  // namespace ROCKSDB_NAMESPACE

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
class MultiScan;

class MultiScanException : public std::runtime_error {
 public:
  explicit MultiScanException(const Status& status)
      : std::runtime_error(status.ToString()), status_(status) {}

  const Status& status() const { return status_; }

 private:
  Status status_;
};

// One of the ranges.
class Scan {
 public:
  class ScanIterator {
   public:
    using iterator_category = std::input_iterator_tag;
    using value_type = std::pair<Slice, Slice>;
    using difference_type = std::ptrdiff_t;
    using pointer = const value_type*;
    using reference = const value_type&;

    // The end.
    ScanIterator() = default;

    reference operator*() const { return entry_; }
    pointer operator->() const { return &entry_; }
    ScanIterator& operator++();
    ScanIterator operator++(int) {
      ScanIterator before = *this;
      ++*this;
      return before;
    }
    // Only ends are equal, or places in one walk.
    bool operator==(const ScanIterator& other) const {
      return scan_ == other.scan_ && step_ == other.step_;
    }
    bool operator!=(const ScanIterator& other) const {
      return !(*this == other);
    }

   private:
    friend class Scan;
    explicit ScanIterator(MultiScan* scan);
    void Show();

    MultiScan* scan_ = nullptr;  // null: at the end
    size_t step_ = 0;
    value_type entry_;
  };

  // A new walk over the range.
  ScanIterator begin();
  ScanIterator end() { return ScanIterator(); }

 private:
  friend class MultiScan;
  Scan(MultiScan* scan, size_t index) : scan_(scan), index_(index) {}

  MultiScan* scan_;
  size_t index_;
};

class MultiScan {
 public:
  class MultiScanIterator {
   public:
    using iterator_category = std::input_iterator_tag;
    using value_type = Scan;
    using difference_type = std::ptrdiff_t;
    using pointer = Scan*;
    using reference = Scan&;

    reference operator*() { return current_; }
    pointer operator->() { return &current_; }
    MultiScanIterator& operator++();
    MultiScanIterator operator++(int) {
      MultiScanIterator before = *this;
      ++*this;
      return before;
    }
    bool operator==(const MultiScanIterator& other) const {
      return current_.scan_ == other.current_.scan_ &&
             current_.index_ == other.current_.index_;
    }
    bool operator!=(const MultiScanIterator& other) const {
      return !(*this == other);
    }

   private:
    friend class MultiScan;
    MultiScanIterator(MultiScan* scan, size_t index) : current_(scan, index) {}

    Scan current_;
  };

  // DB::NewMultiScan() says what comes of it.
  MultiScan(const ReadOptions& options, const MultiScanArgs& scan_opts, DB* db,
            ColumnFamilyHandle* column_family);
  MultiScan(const MultiScan&) = delete;
  MultiScan& operator=(const MultiScan&) = delete;

  MultiScanIterator begin();
  MultiScanIterator end() { return MultiScanIterator(this, ranges_.size()); }

 private:
  friend class Scan;
  friend class Scan::ScanIterator;

  struct OwnRange {
    std::string start;
    std::string limit;
    bool has_limit = false;
  };
  void CopyRanges(const MultiScanArgs& scan_opts);
  // To the first entry of a range.
  void Start(size_t index);
  void Step();
  void CheckCursor() const;

  std::vector<OwnRange> ranges_;
  const Comparator* order_;
  // The user's bounds, and those of the range that is walked over.
  const Slice* user_lower_;
  const Slice* user_upper_;
  Slice lower_;
  Slice upper_;
  bool is_reverse_;
  // How often the cursor has moved.
  size_t step_ = 0;
  std::unique_ptr<Iterator> cursor_;
};

}  // namespace ROCKSDB_NAMESPACE

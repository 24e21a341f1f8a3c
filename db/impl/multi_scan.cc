// A walk over several ranges: one cursor, whose bounds change.
#include "rocksdb/multi_scan.h"

#include <cassert>
#include <deque>

#include "rocksdb/comparator.h"
#include "rocksdb/db.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

bool IsLess(const Comparator* order, const Slice& a, const Slice& b) {
  const int result = order->timestamp_size() == 0
                         ? order->Compare(a, b)
                         : order->CompareWithoutTimestamp(a, false, b, false);
  return result < 0;
}

const Comparator* OrderOf(ColumnFamilyHandle* family) {
  return family != nullptr ? family->GetComparator() : BytewiseComparator();
}

void CheckCursor(const Iterator& cursor) {
  if (cursor.Valid()) return;
  Status s = cursor.status();
  if (!s.ok()) throw MultiScanException(s);
}

}  // namespace

// ---- Several ranges ----

// What the scans over them, and their iterators, share.
struct Scan::Walk {
  struct Range {
    Slice start;
    Slice limit;
    bool has_limit = false;
  };
  // kOfTheCaller: the ranges' keys are not copied. The caller's iterator may be
  // used after the scan, and has the bounds of the last range then.
  enum class Keys { kCopied, kOfTheCaller };
  // Makes the caller's cursor anew.
  struct Remaking {
    DB* db = nullptr;
    ColumnFamilyHandle* family = nullptr;
    ReadOptions* options = nullptr;
    std::unique_ptr<Iterator>* cursor = nullptr;
  };

  Walk(const std::vector<ScanOptions>& given, Keys keys) {
    for (const ScanOptions& one : given) {
      Range range;
      if (one.range.start.has_value())
        range.start = Hold(*one.range.start, keys);
      range.has_limit = one.range.limit.has_value();
      if (range.has_limit) range.limit = Hold(*one.range.limit, keys);
      ranges.push_back(range);
    }
  }

  Slice Hold(const Slice& key, Keys keys) {
    return keys == Keys::kCopied ? Slice(copies.emplace_back(key.ToString()))
                                 : key;
  }

  // To the first entry of a range.
  void Start(size_t index) {
    if (index >= ranges.size()) {
      throw std::logic_error("there is no scan behind the last");
    }
    const Range& range = ranges[index];
    *lower = range.start;
    *upper = range.limit;
    if (user_lower != nullptr && IsLess(order, *lower, *user_lower)) {
      *lower = *user_lower;
    }
    if (user_upper != nullptr && IsLess(order, *user_upper, *upper)) {
      *upper = *user_upper;
    }
    if (remaking.cursor != nullptr) FitBounds(range);
    ++steps;
    if (is_reverse) {
      cursor->SeekToLast();
    } else {
      cursor->Seek(*lower);
    }
    CheckCursor(*cursor);
  }

  // An iterator either has an upper bound or not.
  void FitBounds(const Range& range) {
    ReadOptions& options = *remaking.options;
    const Slice* const bound = range.has_limit ? upper : nullptr;
    if (*remaking.cursor == nullptr || options.iterate_upper_bound != bound ||
        options.iterate_lower_bound != lower) {
      options.iterate_lower_bound = lower;
      options.iterate_upper_bound = bound;
      remaking.cursor->reset(
          remaking.db->NewIterator(options, remaking.family));
    }
    cursor = remaking.cursor->get();
  }

  std::deque<std::string> copies;
  std::vector<Range> ranges;
  const Comparator* order = nullptr;
  // The user's bounds, and those of the range that is walked over.
  const Slice* user_lower = nullptr;
  const Slice* user_upper = nullptr;
  Slice own_lower;
  Slice own_upper;
  Slice* lower = &own_lower;
  Slice* upper = &own_upper;
  bool is_reverse = false;
  size_t steps = 0;  // how often the cursor has moved
  Iterator* cursor = nullptr;
  Remaking remaking;
};

// ---- One range ----

Scan::ScanIterator::ScanIterator(Iterator* db_iter, bool reverse)
    : cursor_(db_iter), is_reverse_(reverse) {
  if (cursor_ == nullptr) return;
  CheckCursor(*cursor_);
  Show();
}

void Scan::ScanIterator::Show() {
  assert(cursor_ != nullptr);
  if (steps_ != nullptr) step_ = *steps_;
  if (cursor_->Valid()) {
    entry_ = {cursor_->key(), cursor_->value()};
  } else {
    *this = ScanIterator();
  }
}

Scan::ScanIterator& Scan::ScanIterator::operator++() {
  if (cursor_ == nullptr) {
    throw std::logic_error("a step beyond the end of a scan");
  }
  if (steps_ != nullptr && step_ != *steps_) {
    throw std::logic_error("the cursor of this scan has gone elsewhere");
  }
  if (steps_ != nullptr) {
    ++*steps_;
  } else {
    ++step_;
  }
  if (is_reverse_) {
    cursor_->Prev();
  } else {
    cursor_->Next();
  }
  CheckCursor(*cursor_);
  Show();
  return *this;
}

Scan::Scan(Iterator* db_iter, bool reverse)
    : cursor_(db_iter), is_reverse_(reverse) {}

void Scan::Reset(Iterator* db_iter, bool reverse) {
  *this = Scan(db_iter, reverse);
}

Scan::ScanIterator Scan::begin() {
  if (walk_ == nullptr) return ScanIterator(cursor_, is_reverse_);
  walk_->Start(index_);
  ScanIterator first;
  first.cursor_ = walk_->cursor;
  first.is_reverse_ = walk_->is_reverse;
  first.steps_ = &walk_->steps;
  first.Show();
  return first;
}

// ---- All ranges ----

MultiScan::MultiScanIterator::MultiScanIterator(Scan::Walk* walk)
    : walk_(walk), current_(walk, 0) {}

MultiScan::MultiScanIterator::MultiScanIterator(
    const std::vector<ScanOptions>& scan_opts, DB* db, ColumnFamilyHandle* cfh,
    ReadOptions& read_options, Slice* lower_bound, Slice* upper_bound,
    std::unique_ptr<Iterator>& db_iter, bool reverse)
    : own_(std::make_unique<Scan::Walk>(scan_opts,
                                        Scan::Walk::Keys::kOfTheCaller)),
      walk_(own_.get()),
      current_(walk_, 0) {
  INVARIANT(db != nullptr && lower_bound != nullptr && upper_bound != nullptr);
  walk_->order = OrderOf(cfh);
  walk_->lower = lower_bound;
  walk_->upper = upper_bound;
  walk_->is_reverse = reverse;
  walk_->remaking = {
      .db = db, .family = cfh, .options = &read_options, .cursor = &db_iter};
}

MultiScan::MultiScanIterator::~MultiScanIterator() = default;

bool MultiScan::MultiScanIterator::operator==(std::nullptr_t) const {
  return current_.index_ >= walk_->ranges.size();
}

MultiScan::MultiScanIterator& MultiScan::MultiScanIterator::operator++() {
  if (*this == nullptr) {
    throw std::logic_error("a step beyond the last scan");
  }
  current_ = Scan(walk_, current_.index_ + 1);
  return *this;
}

MultiScan::MultiScan(const ReadOptions& options, const MultiScanArgs& scan_opts,
                     DB* db, ColumnFamilyHandle* column_family)
    : walk_(std::make_unique<Scan::Walk>(scan_opts.GetScanRanges(),
                                         Scan::Walk::Keys::kCopied)) {
  INVARIANT(db != nullptr);
  Scan::Walk& walk = *walk_;
  walk.order = OrderOf(column_family);
  walk.user_lower = options.iterate_lower_bound;
  walk.user_upper = options.iterate_upper_bound;
  walk.is_reverse = scan_opts.reverse;
  ReadOptions own = options;
  own.iterate_lower_bound = walk.lower;
  own.allow_unprepared_value = false;
  // A range may hold keys of other prefixes than that of its start.
  if (!own.total_order_seek && !own.prefix_same_as_start) {
    own.auto_prefix_mode = true;
  }
  const bool is_open =
      walk.ranges.size() == 1 && !walk.ranges.front().has_limit;
  if (!is_open) own.iterate_upper_bound = walk.upper;
  cursor_.reset(db->NewIterator(own, column_family));
  walk.cursor = cursor_.get();
  if (cursor_->status().ok()) cursor_->Prepare(scan_opts);
}

MultiScan::MultiScan(const Comparator* comp,
                     std::unique_ptr<Iterator>&& db_iter)
    : walk_(std::make_unique<Scan::Walk>(std::vector<ScanOptions>(),
                                         Scan::Walk::Keys::kCopied)),
      cursor_(std::move(db_iter)) {
  INVARIANT(cursor_ != nullptr);
  walk_->order = comp;
  walk_->cursor = cursor_.get();
}

MultiScan::~MultiScan() = default;

MultiScan::MultiScanIterator MultiScan::begin() {
  CheckCursor(*cursor_);
  return MultiScanIterator(walk_.get());
}

std::unique_ptr<MultiScan> DB::NewMultiScan(const ReadOptions& options,
                                            ColumnFamilyHandle* column_family,
                                            const MultiScanArgs& scan_opts) {
  return std::make_unique<MultiScan>(options, scan_opts, this, column_family);
}

}  // namespace ROCKSDB_NAMESPACE

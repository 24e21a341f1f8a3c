// A walk over several ranges: one cursor, whose bounds change.
#include "rocksdb/multi_scan.h"

#include <cassert>

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

}  // namespace

// ---- One range ----

Scan::ScanIterator::ScanIterator(MultiScan* scan) : scan_(scan) { Show(); }

void Scan::ScanIterator::Show() {
  assert(scan_ != nullptr);
  step_ = scan_->step_;
  const Iterator& cursor = *scan_->cursor_;
  if (cursor.Valid()) {
    entry_ = {cursor.key(), cursor.value()};
  } else {
    *this = ScanIterator();
  }
}

Scan::ScanIterator& Scan::ScanIterator::operator++() {
  if (scan_ == nullptr) {
    throw std::logic_error("a step beyond the end of a scan");
  }
  if (step_ != scan_->step_) {
    throw std::logic_error("the cursor of this scan has gone elsewhere");
  }
  scan_->Step();
  Show();
  return *this;
}

Scan::ScanIterator Scan::begin() {
  scan_->Start(index_);
  return ScanIterator(scan_);
}

// ---- All ranges ----

MultiScan::MultiScanIterator& MultiScan::MultiScanIterator::operator++() {
  if (current_.index_ >= current_.scan_->ranges_.size()) {
    throw std::logic_error("a step beyond the last scan");
  }
  ++current_.index_;
  return *this;
}

MultiScan::MultiScan(const ReadOptions& options, const MultiScanArgs& scan_opts,
                     DB* db, ColumnFamilyHandle* column_family)
    : order_(column_family != nullptr ? column_family->GetComparator()
                                      : BytewiseComparator()),
      user_lower_(options.iterate_lower_bound),
      user_upper_(options.iterate_upper_bound),
      is_reverse_(scan_opts.reverse) {
  INVARIANT(db != nullptr);
  CopyRanges(scan_opts);
  ReadOptions own = options;
  own.iterate_lower_bound = &lower_;
  own.allow_unprepared_value = false;
  const bool is_open = ranges_.size() == 1 && !ranges_.front().has_limit;
  if (!is_open) own.iterate_upper_bound = &upper_;
  cursor_.reset(db->NewIterator(own, column_family));
  if (cursor_->status().ok()) cursor_->Prepare(scan_opts);
}

void MultiScan::CopyRanges(const MultiScanArgs& scan_opts) {
  for (const ScanOptions& one : scan_opts.GetScanRanges()) {
    OwnRange own;
    if (one.range.start.has_value()) own.start = one.range.start->ToString();
    own.has_limit = one.range.limit.has_value();
    if (own.has_limit) own.limit = one.range.limit->ToString();
    ranges_.push_back(std::move(own));
  }
}

MultiScan::MultiScanIterator MultiScan::begin() {
  CheckCursor();
  return MultiScanIterator(this, 0);
}

void MultiScan::Start(size_t index) {
  if (index >= ranges_.size()) {
    throw std::logic_error("there is no scan behind the last");
  }
  const OwnRange& range = ranges_[index];
  lower_ = range.start;
  upper_ = range.limit;
  if (user_lower_ != nullptr && IsLess(order_, lower_, *user_lower_)) {
    lower_ = *user_lower_;
  }
  if (user_upper_ != nullptr && IsLess(order_, *user_upper_, upper_)) {
    upper_ = *user_upper_;
  }
  ++step_;
  if (is_reverse_) {
    cursor_->SeekToLast();
  } else {
    cursor_->Seek(lower_);
  }
  CheckCursor();
}

void MultiScan::Step() {
  ++step_;
  if (is_reverse_) {
    cursor_->Prev();
  } else {
    cursor_->Next();
  }
  CheckCursor();
}

void MultiScan::CheckCursor() const {
  if (cursor_->Valid()) return;
  const Status s = cursor_->status();
  if (!s.ok()) throw MultiScanException(s);
}

std::unique_ptr<MultiScan> DB::NewMultiScan(const ReadOptions& options,
                                            ColumnFamilyHandle* column_family,
                                            const MultiScanArgs& scan_opts) {
  return std::make_unique<MultiScan>(options, scan_opts, this, column_family);
}

}  // namespace ROCKSDB_NAMESPACE

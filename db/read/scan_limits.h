// Where a scan ends before the data do: at its bounds, and where its prefix
// ends (ReadOptions::prefix_same_as_start).
//
// Threads   One, that of the iterator.
// Lifetime  Borrows the options, whose bounds may change between seeks.
#pragma once

#include <memory>
#include <optional>
#include <utility>

#include "db/read/scan_prefix.h"
#include "rocksdb/options.h"
#include "util/key/internal_key.h"

namespace ROCKSDB_NAMESPACE {

class ScanLimits {
 public:
  explicit ScanLimits(const ReadOptions* options) : options_(*options) {}

  // A seek begins: the next one to tell its prefix.
  void Begin() { prefix_.reset(); }
  // The scan stays in the prefix of `key`, a key as users give it, if it is to
  // stay in one and the key has one.
  void NotePrefix(const std::shared_ptr<const SliceTransform>& extractor,
                  const Slice& key) {
    if (!options_.prefix_same_as_start) return;
    ScanPrefix prefix;
    if (prefix.Take(extractor, key)) prefix_ = std::move(prefix);
  }

  // The key is a stored user key.
  bool IsBeyondUpper(const InternalKeyComparator& order,
                     const Slice& stored) const {
    const Slice* upper = options_.iterate_upper_bound;
    if (upper != nullptr && order.CompareToGiven(stored, *upper) >= 0) {
      return true;
    }
    return LeavesPrefix(order, stored);
  }
  bool IsBeforeLower(const InternalKeyComparator& order,
                     const Slice& stored) const {
    const Slice* lower = options_.iterate_lower_bound;
    if (lower != nullptr && order.CompareToGiven(stored, *lower) < 0) {
      return true;
    }
    return LeavesPrefix(order, stored);
  }

 private:
  bool LeavesPrefix(const InternalKeyComparator& order,
                    const Slice& stored) const {
    return prefix_ &&
           !prefix_->Has(WithoutTimestamp(stored, order.timestamp_size()));
  }

  const ReadOptions& options_;
  std::optional<ScanPrefix> prefix_;
};

}  // namespace ROCKSDB_NAMESPACE

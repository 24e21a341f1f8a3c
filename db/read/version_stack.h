// The visible versions of one key that make its value: merge operands, and
// what they apply to. A walk puts them here, newest first or oldest first.
//
// Ownership  Copies what it is given: the stream goes on meanwhile.
// Threads    One thread at a time.
// Errors     Of the merge operator, and of the blobs of what it applies to.
#pragma once

#include <algorithm>
#include <cassert>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "db/read/entry_rules.h"
#include "db/read/merge_base.h"
#include "db/read/shown_entry.h"
#include "monitoring/perf_context_imp.h"
#include "monitoring/statistics_impl.h"
#include "table/full_merge.h"

namespace ROCKSDB_NAMESPACE {

class VersionStack {
 public:
  // The operator of the family that is read from now on.
  void Begin(const MergeContext& merge) { merge_ = merge; }

  // Another key, or versions that something newer hides.
  void Clear() {
    operands_.clear();
    base_type_.reset();
  }
  void AddOperand(const Slice& operand) {
    operands_.push_back(operand.ToString());
  }
  // What operands apply to; where keys have timestamps it has one of its own.
  void SetBase(ValueType type, const Slice& value) {
    base_type_ = type;
    base_.assign(value.data(), value.size());
  }
  void SetBaseKey(const Slice& stored) {
    base_key_.assign(stored.data(), stored.size());
  }
  // A whole value, newer than all so far.
  void DropOperands() { operands_.clear(); }
  // Operands came newest first.
  void Reverse() { std::reverse(operands_.begin(), operands_.end()); }

  bool has_operands() const { return !operands_.empty(); }
  bool has_base() const { return base_type_.has_value(); }

  // Shows what the operands, oldest first, make of the base, as the value of
  // shown->key(). False: that failed.
  bool ShowMerged(const EntryRules& rules, ShownEntry* shown, Status* problem) {
    Status s = Merge(rules, *shown);
    if (s.ok()) return shown->ShowOwn(merged_.type, merged_.value, problem);
    *problem = std::move(s);
    return false;
  }
  // The base by itself, for want of operands.
  bool ShowBase(ShownEntry* shown, Status* problem) const {
    assert(has_base() && !has_operands());
    return shown->ShowOwn(*base_type_, base_, problem);
  }

 private:
  Status Merge(const EntryRules& rules, const ShownEntry& shown) {
    assert(has_operands());
    MergeBase onto = MergeBase::None();
    PinnableSlice blob;
    if (base_type_) {
      const Slice stored =
          rules.timestamp_size() != 0 ? Slice(base_key_) : shown.key();
      Status s = MakeMergeBase({*base_type_, stored, &base_}, shown.blobs(),
                               &blob, &onto);
      if (!s.ok()) return s;
    }
    const std::vector<Slice> operands(operands_.begin(), operands_.end());
    PERF_COUNTER_ADD(internal_merge_count, operands.size());
    RecordInHistogram(merge_.statistics, READ_NUM_MERGE_OPERANDS,
                      operands.size());
    return FullMerge(merge_, rules.Given(shown.key()), onto, operands,
                     &merged_);
  }

  MergeContext merge_;
  std::vector<std::string> operands_;   // oldest first once it is asked for
  std::optional<ValueType> base_type_;  // the type of what they apply to
  std::string base_;
  std::string base_key_;  // with timestamps
  MergeResult merged_;
};

}  // namespace ROCKSDB_NAMESPACE

// The merge operands of one key in one stripe, as a walk meets them: the newest
// first. What a reader's walk puts together is in version_stack.h; of these,
// each keeps its place in the order of writing.
//
// Hot path   Their memory is used again.
// Ownership  Copies what it is given: the input goes on meanwhile.
// Threads    One thread.
#pragma once

#include <cassert>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "db/semantics/pending_entries.h"
#include "rocksdb/slice.h"
#include "rocksdb/types.h"
#include "util/key/internal_key.h"

namespace ROCKSDB_NAMESPACE {

class OperandRun {
 public:
  struct Operand {
    SequenceNumber sequence = 0;
    std::string value;
    std::string timestamp;  // empty where keys have none
  };

  void Clear() { count_ = 0; }
  void Add(SequenceNumber sequence, const Slice& timestamp,
           const Slice& value) {
    // With timestamps, what is older may have been written later.
    assert(count_ == 0 || sequence < operands_[count_ - 1].sequence ||
           !timestamp.empty());
    if (count_ == operands_.size()) operands_.emplace_back();
    Operand& operand = operands_[count_++];
    operand.sequence = sequence;
    operand.timestamp.assign(timestamp.data(), timestamp.size());
    operand.value.assign(value.data(), value.size());
  }

  bool empty() const { return count_ == 0; }
  size_t size() const { return count_; }
  const Operand& newest() const {
    assert(!empty());
    return operands_.front();
  }
  // The values in the order in which merge operators take them; good until the
  // next Add().
  std::vector<Slice> OldestFirst() const {
    std::vector<Slice> values;
    values.reserve(count_);
    for (size_t i = count_; i-- > 0;) values.emplace_back(operands_[i].value);
    return values;
  }
  // Moves the operands to `pending` unmerged, to be shown one after the other.
  // The run is empty then.
  void MoveTo(PendingEntries* pending) {
    for (size_t i = 0; i < count_; ++i) {
      PendingEntries::Entry* const entry = pending->Add();
      entry->trailer = PackSequenceAndType(operands_[i].sequence, kTypeMerge);
      std::swap(entry->value, operands_[i].value);
      std::swap(entry->timestamp, operands_[i].timestamp);
    }
    Clear();
  }

 private:
  std::vector<Operand> operands_;  // count_ of them count
  size_t count_ = 0;
};

}  // namespace ROCKSDB_NAMESPACE

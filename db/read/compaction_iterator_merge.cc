// CompactionIterator: merge operands (db-format.md 9.4).
#include <algorithm>
#include <cassert>

#include "db/read/compaction_iterator.h"
#include "db/read/older_data.h"
#include "db/read/snapshot_stripes.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

// key_ and the input are on the newest operand of its stripe. The operands of
// the stripe are combined, with what they apply to if that can be seen.
CompactionIterator::Found CompactionIterator::TakeMerge(size_t stripe) {
  assert(in_valid_);
  assert(InputType() == kTypeMerge);
  assert(pending_count_ == 0);
  if (r_.merge.merge_operator == nullptr) {
    // Nobody can say what the operands mean: everything in the stripe down to
    // the first version that is none stays as it is.
    done_stripe_ = kNoStripe;
    input_is_ahead_ = false;
    return Show(r_.input->value());
  }
  const RunEnd end = CollectOperands(stripe);
  if (!status_.ok() || end == RunEnd::kSkipped) return Found::kNothing;
  if (operand_count_ == 0) {
    // The filter removed them all. What they stood on is a version like any.
    if (end == RunEnd::kBase || end == RunEnd::kDeleted) {
      done_stripe_ = kNoStripe;
    }
    return Found::kNothing;
  }
  return EmitMerged(end);
}

// Reads operands, newest first, until the stripe says what they apply to, or
// ends. Leaves the input on the version that ended the run.
CompactionIterator::RunEnd CompactionIterator::CollectOperands(size_t stripe) {
  assert(r_.merge.merge_operator != nullptr);
  assert(r_.stripes->Of(InputSequence()) == stripe);
  operand_count_ = 0;
  RunEnd end = RunEnd::kUserKey;
  while (HoldsOperand(stripe, &end)) {
    Advance();
    if (!in_valid_ || !IsAtCurrentUserKey()) {
      // Versions with older timestamps are what the operands apply to.
      return HasOlderTimestamp() ? RunEnd::kStripe : RunEnd::kUserKey;
    }
    if (r_.stripes->Of(InputSequence()) != stripe) return RunEnd::kStripe;
    if (IsCovered(stripe)) return RunEnd::kDeleted;
    switch (InputType()) {
      case kTypeMerge:
        break;
      case kTypeDeletion:
      case kTypeDeletionWithTimestamp:
      case kTypeSingleDeletion:
        return RunEnd::kDeleted;
      default:
        return RunEnd::kBase;
    }
  }
  return end;
}

// Keeps the operand that the input is on, if the filter lets it live; it is not
// asked about those that a snapshot sees. False if it skips the whole key.
bool CompactionIterator::HoldsOperand(size_t stripe, RunEnd* end) {
  assert(end != nullptr);
  assert(InputType() == kTypeMerge);
  assert(operand_count_ <= operands_.size());
  Slice value = r_.input->value();
  if (filter_.is_wanted() && !r_.stripes->IsSeenBySnapshots(stripe)) {
    using Decision = CompactionFilter::Decision;
    const Decision decision =
        AskFilter(CompactionFilter::ValueType::kMergeOperand, value);
    if (!status_.ok()) return false;
    switch (decision) {
      case Decision::kKeep:
        break;
      case Decision::kChangeValue:
        value = filter_.value();
        break;
      case Decision::kRemove:
      case Decision::kPurge:
        ++stats_.dropped_by_filter;
        return true;
      case Decision::kRemoveAndSkipUntil:
        ++stats_.dropped_by_filter;
        SkipTo(filter_.skip_until());
        *end = RunEnd::kSkipped;
        return false;
      default:
        Fail(Status::NotSupported("this decision on a merge operand",
                                  filter_.name()));
        return false;
    }
  }
  if (operand_count_ == operands_.size()) operands_.emplace_back();
  Operand& operand = operands_[operand_count_++];
  operand.sequence = InputSequence();
  if (timestamp_size_ != 0) operand.timestamp = InputTimestamp().ToString();
  operand.value.assign(value.data(), value.size());
  return true;
}

CompactionIterator::Found CompactionIterator::EmitMerged(RunEnd end) {
  INVARIANT(operand_count_ > 0);
  INVARIANT(operand_count_ <= operands_.size());
  INVARIANT(end != RunEnd::kSkipped);
  const SequenceNumber newest = operands_[0].sequence;
  const bool has_base = end == RunEnd::kBase || end == RunEnd::kDeleted ||
                        (end == RunEnd::kUserKey && r_.is_bottommost);
  if (pending_.empty()) pending_.resize(1);
  if (has_base) {
    MergeResult result;
    Status s = MergeWithBase(end, &result);
    if (!status_.ok()) return Found::kNothing;
    if (s.ok()) {
      pending_[0] = {FinalTrailer(newest, result.type), std::move(result.value),
                     operands_[0].timestamp};
      pending_count_ = 1;
      return ShowPending();
    }
    if (result.failure_scope != MergeOperator::OpFailureScope::kMustMerge) {
      Fail(std::move(s));
      return Found::kNothing;
    }
    // A reader may still need the operands, and what they apply to.
    if (end == RunEnd::kBase || end == RunEnd::kDeleted) {
      done_stripe_ = kNoStripe;
    }
    return EmitOperands();
  }
  if (operand_count_ >= 2) {
    std::vector<Slice> oldest_first;
    for (size_t i = operand_count_; i-- > 0;) {
      oldest_first.push_back(operands_[i].value);
    }
    if (PartialMerge(r_.merge, MergeKey(), oldest_first, &pending_[0].value)) {
      pending_[0].trailer = PackSequenceAndType(newest, kTypeMerge);
      pending_[0].timestamp = operands_[0].timestamp;
      pending_count_ = 1;
      return ShowPending();
    }
  }
  return EmitOperands();
}

Status CompactionIterator::MergeWithBase(RunEnd end, MergeResult* result) {
  assert(result != nullptr);
  INVARIANT(operand_count_ > 0);
  INVARIANT(end != RunEnd::kStripe);
  std::vector<Slice> oldest_first;
  oldest_first.reserve(operand_count_);
  for (size_t i = operand_count_; i-- > 0;) {
    oldest_first.push_back(operands_[i].value);
  }
  MergeBase base = MergeBase::None();
  if (end == RunEnd::kBase) {
    assert(in_valid_);
    assert(IsAtCurrentUserKey());
    Slice value = r_.input->value();
    switch (InputType()) {
      case kTypeValue:
        base = MergeBase::Plain(value);
        break;
      case kTypeWideColumnEntity:
        // The operator is not to blame: this fails the compaction as a whole.
        if (!FetchEntity()) return status_;
        base = MergeBase::Entity(entity_);
        break;
      case kTypeValuePreferredSeqno:
        if (value.size() < sizeof(uint64_t)) {
          return Status::Corruption("a value without its preferred sequence",
                                    InternalKeyText(in_key_, r_.key_text));
        }
        value.remove_suffix(sizeof(uint64_t));
        base = MergeBase::Plain(value);
        break;
      case kTypeBlobIndex:
        if (!FetchBlob()) return status_;
        base = MergeBase::Plain(blob_);
        break;
      default:
        return Status::NotSupported("merging onto this kind of value",
                                    InternalKeyText(in_key_, r_.key_text));
    }
  }
  return FullMerge(r_.merge, MergeKey(), base, oldest_first, result);
}

CompactionIterator::Found CompactionIterator::EmitOperands() {
  INVARIANT(operand_count_ > 0);
  assert(pending_count_ == 0);
  if (pending_.size() < operand_count_) pending_.resize(operand_count_);
  for (size_t i = 0; i < operand_count_; ++i) {
    assert(i == 0 || operands_[i].sequence < operands_[i - 1].sequence ||
           timestamp_size_ != 0);
    pending_[i].trailer =
        PackSequenceAndType(operands_[i].sequence, kTypeMerge);
    std::swap(pending_[i].value, operands_[i].value);
    std::swap(pending_[i].timestamp, operands_[i].timestamp);
  }
  pending_count_ = operand_count_;
  pending_index_ = 0;
  return ShowPending();
}

}  // namespace ROCKSDB_NAMESPACE

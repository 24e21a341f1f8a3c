#include <cassert>
#include <utility>

#include "db/semantics/compaction_steps.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// What ended a run of operands.
enum class RunEnd : uint8_t { kBase, kDeleted, kStripe, kUserKey, kSkipped };

// Is the input on a version of the stripe that is no operand?
bool IsOnVersion(RunEnd end) {
  return end == RunEnd::kBase || end == RunEnd::kDeleted;
}

// Keeps the operand that the input is on, if the filter lets it live; it is not
// asked about those that a snapshot sees. False: it skips the whole key, or the
// run has failed.
bool HoldsOperand(CompactionState* state, size_t stripe) {
  using Decision = CompactionFilter::Decision;
  CompactionInput& input = state->input;
  assert(input.type() == kTypeMerge);
  Slice value = input.value();
  if (state->filter.is_wanted() && !state->rules.IsSeenBySnapshots(stripe)) {
    const Decision decision = AskOfOperand(state, value);
    if (state->HasFailed()) return false;
    switch (decision) {
      case Decision::kKeep:
        break;
      case Decision::kChangeValue:
        value = state->filter.value();
        break;
      case Decision::kRemove:
      case Decision::kPurge:
        ++state->stats.dropped_by_filter;
        return true;
      case Decision::kRemoveAndSkipUntil:
        ++state->stats.dropped_by_filter;
        SkipAsFiltered(state);
        return false;
      default:
        return state->Fail(Status::NotSupported(
            "this decision on a merge operand", state->filter.name()));
    }
  }
  state->operands.Add(input.sequence(), input.timestamp(), value);
  return true;
}

// Reads operands, newest first, until the stripe says what they apply to, or
// ends. Leaves the input on the version that ended the run.
RunEnd CollectOperands(CompactionState* state, size_t stripe) {
  CompactionInput& input = state->input;
  assert(state->rules.StripeOf(input.sequence()) == stripe);
  state->operands.Clear();
  while (HoldsOperand(state, stripe)) {
    input.Next();
    if (!input.Valid() || !state->IsAtCurrentKey()) {
      // Versions with older timestamps are what the operands apply to.
      return state->HasOlderTimestamp() ? RunEnd::kStripe : RunEnd::kUserKey;
    }
    if (state->rules.StripeOf(input.sequence()) != stripe) {
      return RunEnd::kStripe;
    }
    if (state->IsCovered(stripe)) return RunEnd::kDeleted;
    if (IsPointDeletion(input.type())) return RunEnd::kDeleted;
    if (input.type() != kTypeMerge) return RunEnd::kBase;
  }
  return RunEnd::kSkipped;
}

// What the input is on, for operands to be applied to. It refers to the input's
// memory.
Status BaseOfInput(CompactionState* state, MergeBase* base) {
  CompactionInput& input = state->input;
  assert(input.Valid() && state->IsAtCurrentKey());
  Slice value = input.value();
  switch (input.type()) {
    case kTypeValue:
      break;
    case kTypeWideColumnEntity:
      if (!input.FetchEntity(&value)) return input.status();
      *base = MergeBase::Entity(value);
      return Status::OK();
    case kTypeValuePreferredSeqno:
      if (value.size() < sizeof(uint64_t)) {
        return Status::Corruption("a value without its preferred sequence",
                                  input.TextOfKey());
      }
      value.remove_suffix(sizeof(uint64_t));
      break;
    case kTypeBlobIndex:
      if (!input.FetchBlob(&value)) return input.status();
      break;
    default:
      return Status::NotSupported("merging onto this kind of value",
                                  input.TextOfKey());
  }
  *base = MergeBase::Plain(value);
  return Status::OK();
}

// A reader may still need the operands, and what they apply to.
bool ShowOperands(CompactionState* state) {
  assert(state->pending.empty());
  INVARIANT(!state->operands.empty());
  state->operands.MoveTo(&state->pending);
  return state->ShowPending();
}

// Shows what all operands make of what they apply to.
bool ShowMerged(CompactionState* state, RunEnd end) {
  INVARIANT(end != RunEnd::kStripe && end != RunEnd::kSkipped);
  const OperandRun& operands = state->operands;
  MergeBase base = MergeBase::None();
  if (end == RunEnd::kBase) {
    // The operator is not to blame: this fails the compaction as a whole.
    Status s = BaseOfInput(state, &base);
    if (!s.ok()) return state->Fail(std::move(s));
  }
  MergeResult result;
  Status s = FullMerge(state->merge, state->GivenKey(), base,
                       operands.OldestFirst(), &result);
  if (s.ok()) {
    PendingEntries::Entry* const merged = state->pending.Add();
    merged->trailer =
        state->FinalTrailer(operands.newest().sequence, result.type);
    merged->value = std::move(result.value);
    merged->timestamp = operands.newest().timestamp;
    return state->ShowPending();
  }
  if (result.failure_scope != MergeOperator::OpFailureScope::kMustMerge) {
    return state->Fail(std::move(s));
  }
  if (IsOnVersion(end)) state->seen.Reopen();
  return ShowOperands(state);
}

// Shows one operand for all, if the operator can make it.
bool ShowCombined(CompactionState* state) {
  const OperandRun& operands = state->operands;
  const size_t least =
      state->merge.merge_operator->AllowSingleOperand() ? 1 : 2;
  if (operands.size() < least) return ShowOperands(state);
  PendingEntries::Entry* const combined = state->pending.Add();
  if (!PartialMerge(state->merge, state->GivenKey(), operands.OldestFirst(),
                    &combined->value)) {
    state->pending.Clear();
    return ShowOperands(state);
  }
  combined->trailer =
      PackSequenceAndType(operands.newest().sequence, kTypeMerge);
  combined->timestamp = operands.newest().timestamp;
  return state->ShowPending();
}

}  // namespace

bool TakeMerge(CompactionState* state, size_t stripe) {
  assert(state->input.type() == kTypeMerge);
  assert(state->pending.empty());
  if (state->merge.merge_operator == nullptr) {
    // Nobody can say what the operands mean: everything in the stripe down to
    // the first version that is none stays as it is.
    state->seen.Reopen();
    return state->ShowOfInput(state->input.value());
  }
  const RunEnd end = CollectOperands(state, stripe);
  if (state->HasFailed() || end == RunEnd::kSkipped) return false;
  if (state->operands.empty()) {
    // The filter removed them all. What they stood on is a version like any.
    if (IsOnVersion(end)) state->seen.Reopen();
    return false;
  }
  const bool shows_whole = IsOnVersion(end) || (end == RunEnd::kUserKey &&
                                                state->rules.is_bottommost());
  return shows_whole ? ShowMerged(state, end) : ShowCombined(state);
}

}  // namespace ROCKSDB_NAMESPACE

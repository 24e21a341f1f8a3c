#include <string>

#include "db/semantics/compaction_steps.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

using Decision = CompactionFilter::Decision;

std::string UnfitDecision(Decision decision) {
  if (decision == Decision::kChangeBlobIndex) {
    return "kChangeBlobIndex is for stacked blob stores only";
  }
  return "decision " + std::to_string(static_cast<int>(decision)) +
         " on a value";
}

// The filter's verdict on the version that the input is on.
Decision AskOfValue(CompactionState* state, CompactionFilter::ValueType type,
                    const Slice& value) {
  Status problem;
  const Decision decision =
      state->filter.Ask(type, state->entry.user_key(), value, &problem);
  if (!problem.ok()) state->Fail(std::move(problem));
  return decision;
}

// The verdict from the key alone, or, where the filter wants it, from the value
// that is fetched for it.
Decision AskOfBlob(CompactionState* state) {
  assert(state->input.type() == kTypeBlobIndex);
  Status problem;
  const Decision decision =
      state->filter.AskByKey(state->entry.user_key(), &problem);
  if (!problem.ok()) state->Fail(std::move(problem));
  if (decision != Decision::kUndetermined) return decision;
  Slice blob;
  if (!state->input.FetchBlob(&blob)) return Decision::kKeep;
  return AskOfValue(state, CompactionFilter::ValueType::kValue, blob);
}

// The verdict by the kind of value; kKeep where the run has failed.
Decision AskOfInput(CompactionState* state) {
  const ValueType type = state->input.type();
  if (type == kTypeBlobIndex) return AskOfBlob(state);
  Slice value = state->input.value();
  if (type == kTypeWideColumnEntity) {
    if (!state->filter.ResolvesBlobs() && !state->input.FetchEntity(&value)) {
      return Decision::kKeep;
    }
    return AskOfValue(state, CompactionFilter::ValueType::kWideColumnEntity,
                      value);
  }
  if (type == kTypeValuePreferredSeqno) {
    if (value.size() < sizeof(uint64_t)) {
      state->Fail(Status::Corruption("a value without its preferred sequence"));
      return Decision::kKeep;
    }
    value.remove_suffix(sizeof(uint64_t));
  }
  return AskOfValue(state, CompactionFilter::ValueType::kValue, value);
}

// Shows the filter's new value instead of the input's.
bool ShowReplaced(CompactionState* state, Decision decision) {
  assert(state->input.Valid());
  ValueType type = kTypeValue;
  if (decision == Decision::kChangeWideColumnEntity) {
    type = kTypeWideColumnEntity;
    Status s = state->filter.EncodeColumns(&state->filter.value());
    if (!s.ok()) return state->Fail(std::move(s));
  } else if (decision != Decision::kChangeValue) {
    return state->Fail(
        Status::NotSupported(state->filter.name(), UnfitDecision(decision)));
  }
  state->SetFinal(state->input.sequence(), type);
  return state->ShowOfInput(state->filter.value());
}

}  // namespace

bool TakeFiltered(CompactionState* state, size_t stripe) {
  assert(state->seen.is_first());
  assert(state->IsAtCurrentKey());
  const Decision decision = AskOfInput(state);
  if (state->HasFailed()) return false;
  switch (decision) {
    case Decision::kKeep:
      return ShowInputValue(state);
    case Decision::kRemove:
    case Decision::kPurge: {
      ++state->stats.dropped_by_filter;
      const ValueType type = decision == Decision::kPurge ? kTypeSingleDeletion
                             : state->rules.timestamp_size() != 0
                                 ? kTypeDeletionWithTimestamp
                                 : kTypeDeletion;
      state->entry.SetTrailer(
          PackSequenceAndType(state->input.sequence(), type));
      return TakeTombstone(state, stripe);
    }
    case Decision::kRemoveAndSkipUntil:
      ++state->stats.dropped_by_filter;
      SkipAsFiltered(state);
      return false;
    default:
      return ShowReplaced(state, decision);
  }
}

void SkipAsFiltered(CompactionState* state) {
  const Slice target = state->filter.skip_until();
  INVARIANT(state->entry.has_key());
  // Backwards it would meet what it has yielded already.
  INVARIANT(state->rules.order().CompareUserKeys(target,
                                                 state->entry.user_key()) > 0);
  state->input.SkipTo(target);
}

Decision AskOfOperand(CompactionState* state, const Slice& operand) {
  return AskOfValue(state, CompactionFilter::ValueType::kMergeOperand, operand);
}

}  // namespace ROCKSDB_NAMESPACE

#include "db/semantics/compaction_iterator.h"

#include "db/semantics/compaction_steps.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

CompactionIterator::CompactionIterator(const CompactionIteratorRequest& request)
    : s_(request),
      filter_(request.filter),
      keeps_stats_before_key_(request.keeps_stats_before_key) {}

void CompactionIterator::SeekToFirst() {
  INVARIANT(!Valid());
  INVARIANT(!s_.entry.has_key());
  INVARIANT(s_.pending.empty());
  if (filter_ != nullptr && !filter_->IgnoreSnapshots()) {
    s_.Fail(Status::NotSupported(filter_->Name(),
                                 "a compaction filter must ignore snapshots"));
    return;
  }
  s_.input.SeekToFirst();
  FindEntry();
}

void CompactionIterator::Next() {
  assert(Valid());
  if (!s_.pending.empty() && s_.pending.MoveOn()) {
    s_.ShowPending();
    return;
  }
  if (!s_.input_is_ahead) s_.input.Next();
  FindEntry();
}

void CompactionIterator::FindEntry() {
  assert(s_.pending.empty());
  s_.entry.Hide();
  s_.input_is_ahead = true;
  CompactionInput& input = s_.input;
  if (!input.Valid() || input.MustStop()) return;
  while (input.Valid()) {
    // Trimmed versions are a key's newest and so come before its others: no
    // later step meets one.
    if (s_.rules.HasTrimming() && s_.rules.IsTrimmed(input.timestamp()))
        [[unlikely]] {
      ++s_.stats.dropped_by_filter;
      input.Next();
      continue;
    }
    const bool is_same = s_.IsAtCurrentKey();
    if (!is_same) BeginKey();
    assert(s_.entry.has_key());
    const size_t stripe = s_.rules.StripeOf(input.sequence());
    if (PassOver(stripe)) continue;
    if (is_same) s_.entry.SetKey(input.key());
    const bool is_shown = Take(stripe);
    s_.seen.PassFirst();
    if (is_shown) return;
    assert(!Valid());
  }
}

// Passes over the version that the input is on, if something newer hides it.
inline bool CompactionIterator::PassOver(size_t stripe) {
  CompactionInput& input = s_.input;
  const bool is_hidden = s_.seen.Meet(stripe);
  // A hidden single deletion still has a value of its own to annihilate.
  // Without it, a later one would meet the newer value, and this one's would
  // come back to life.
  if (is_hidden && input.type() != kTypeSingleDeletion) {
    ++s_.stats.dropped_hidden;
    input.Next();
    return true;
  }
  if (!is_hidden) s_.seen.Hide(stripe);
  if (!s_.IsCovered(stripe)) return false;
  // What is older in this stripe is covered too: it counts as hidden.
  ++s_.stats.dropped_by_range;
  s_.seen.PassFirst();
  input.Next();
  return true;
}

// The input is on the first version of a key, or, with timestamps, of one of
// its timestamps.
[[gnu::always_inline]] inline void CompactionIterator::BeginKey() {
  using Next = SeenVersions::Next;
  const CompactionInput& input = s_.input;
  const SurvivalRules& rules = s_.rules;
  assert(input.Valid());
  Next next = Next::kKey;
  if (s_.entry.has_key()) {
    if constexpr (kDeepChecks) {
      INVARIANT(rules.order().CompareUserKeys(s_.entry.user_key(),
                                              input.user_key()) <= 0);
    }
    if (rules.timestamp_size() != 0 &&
        rules.order().EqualUserKeys(input.user_key(), s_.entry.user_key())) {
      next = Next::kTimestamp;
    }
  }
  if (keeps_stats_before_key_ && next == Next::kKey) [[unlikely]] {
    stats_before_key_ = s_.stats;
    --stats_before_key_.records_in;  // It is this one.
  }
  s_.entry.SetKey(input.key());
  s_.seen.Begin(next);
  if (rules.timestamp_size() != 0) {
    s_.seen.SetHistory(rules.IsHistory(input.timestamp()));
  }
  if (!s_.tombstones.empty()) s_.tombstones.MoveTo(s_.entry.user_key());
}

[[gnu::always_inline]] inline bool CompactionIterator::Take(size_t stripe) {
  switch (s_.input.type()) {
    case kTypeValue:
    case kTypeWideColumnEntity:
    case kTypeValuePreferredSeqno:
    case kTypeBlobIndex:
      if (filter_ != nullptr && s_.seen.is_first()) [[unlikely]] {
        return TakeFiltered(&s_, stripe);
      }
      return ShowInputValue(&s_);
    case kTypeDeletion:
    case kTypeDeletionWithTimestamp:
      ++s_.stats.deletions_in;
      return TakeTombstone(&s_, stripe);
    case kTypeSingleDeletion:
      ++s_.stats.deletions_in;
      return TakeSingleDelete(&s_, stripe);
    case kTypeMerge:
      return TakeMerge(&s_, stripe);
    default:
      ++s_.stats.corrupt_keys;
      return s_.Fail(Status::Corruption(
          "compaction input: type that cannot be here", s_.input.TextOfKey()));
  }
}

}  // namespace ROCKSDB_NAMESPACE

// One run of a compaction's iterator: the parts that its steps share, and what
// takes several of them to say.
//
// A plain struct, as ScanState is for the scans of users: a step sees every
// load. Each part keeps its own rules.
//
// Threads  One thread.
#pragma once

#include <cassert>
#include <memory>
#include <string>
#include <utility>

#include "db/semantics/compaction_input.h"
#include "db/semantics/covering_tombstones.h"
#include "db/semantics/filter_call.h"
#include "db/semantics/operand_run.h"
#include "db/semantics/pending_entries.h"
#include "db/semantics/seen_versions.h"
#include "db/semantics/survival_rules.h"
#include "db/semantics/surviving_entry.h"
#include "db/semantics/timed_values.h"
#include "table/full_merge.h"

namespace ROCKSDB_NAMESPACE {

struct CompactionIteratorRequest {
  const InternalKeyComparator* order = nullptr;
  CompactionInput::Context input;
  SurvivalRules::Context rules;
  // The range tombstones of all inputs together; null: there are none.
  std::shared_ptr<const FragmentedTombstones> tombstones;
  MergeContext merge;
  const CompactionFilter* filter = nullptr;
  int start_level = 0;  // for the filter
  TimedValues timed_values;
  bool enforce_single_delete_contracts = true;
  // Keeps stats_before_key(), which costs a copy for each user key.
  bool keeps_stats_before_key = false;
};

struct CompactionState {
  explicit CompactionState(const CompactionIteratorRequest& request)
      : rules(request.rules, *request.order),
        input(request.input, *request.order, &stats),
        tombstones(request.tombstones, *request.order,
                   request.rules.full_history_ts_low),
        filter({.filter = request.filter,
                .start_level = request.start_level,
                .blobs = request.input.blobs,
                .merge = request.merge,
                .order = request.order}),
        merge(request.merge),
        timed_values(request.timed_values),
        enforces_single_deletes(request.enforce_single_delete_contracts) {
    INVARIANT(request.start_level >= 0);
  }
  CompactionState(const CompactionState&) = delete;
  CompactionState& operator=(const CompactionState&) = delete;

  // Nothing is shown, now or later.
  bool Fail(Status problem) {
    input.Fail(std::move(problem));
    return false;
  }
  bool HasFailed() const { return !input.status().ok(); }

  // --- keys
  // Is the input on another version of what the entry is a version of?
  [[gnu::always_inline]] bool IsAtCurrentKey() const {
    return entry.has_key() &&
           rules.order().EqualUserKeys(input.user_key(), entry.user_key()) &&
           (rules.timestamp_size() == 0 || IsAtCurrentTimestamp());
  }
  // Must the entry be there for those who read as of its timestamp?
  bool IsReadAsOf() const {
    return rules.timestamp_size() != 0 && !seen.is_history();
  }
  // Is the input on an older version of the same key, which those who read as
  // of its timestamp see?
  bool HasOlderTimestamp() const {
    return IsReadAsOf() && input.Valid() &&
           rules.order().EqualUserKeys(input.user_key(), entry.user_key());
  }
  // The user key that merge operators are told.
  Slice GivenKey() const {
    return WithoutTimestamp(entry.user_key(), rules.timestamp_size());
  }

  // --- what counts
  // Does a range tombstone of `stripe` cover the version that the input is on?
  [[gnu::always_inline]] bool IsCovered(size_t stripe) const {
    return !tombstones.empty() &&
           tombstones.NewestUpTo(rules.UpperOf(stripe), input.timestamp()) >
               input.sequence();
  }
  bool CanDropTombstone(size_t stripe) const {
    return !IsReadAsOf() && rules.HasNothingToDelete(stripe, entry.user_key());
  }
  bool LosesSequence(SequenceNumber sequence, ValueType type) const {
    return rules.LosesSequence(sequence, type) && !IsReadAsOf();
  }
  uint64_t FinalTrailer(SequenceNumber sequence, ValueType type) const {
    return PackSequenceAndType(LosesSequence(sequence, type) ? 0 : sequence,
                               type);
  }
  // The entry's trailer. Where the sequence goes, nobody asks for the
  // timestamp of what is history either; only a blob file knows the key by it.
  [[gnu::always_inline]] void SetFinal(SequenceNumber sequence, ValueType type,
                                       bool refers_to_blobs = false) {
    const bool loses_sequence = LosesSequence(sequence, type);
    entry.SetTrailer(PackSequenceAndType(loses_sequence ? 0 : sequence, type));
    if (rules.timestamp_size() != 0 && loses_sequence && !refers_to_blobs) {
      entry.SetTimestamp(std::string(rules.timestamp_size(), '\0'));
    }
  }

  // --- showing (all are true)
  bool Show(const Slice& value) {
    assert(!HasFailed());
    entry.Show(value);
    seen.NoteShown();
    return true;
  }
  // The same of the version that the input is on, and stays on.
  bool ShowOfInput(const Slice& value) {
    input_is_ahead = false;
    return Show(value);
  }
  bool ShowPending() {
    const PendingEntries::Entry& next = pending.current();
    entry.SetTrailer(next.trailer);
    if (rules.timestamp_size() != 0) entry.SetTimestamp(next.timestamp);
    input_is_ahead = true;
    return Show(next.value);
  }

  CompactionIteratorStats stats;
  const SurvivalRules rules;
  CompactionInput input;
  CoveringTombstones tombstones;
  SeenVersions seen;
  SurvivingEntry entry;
  // The input stands behind the entry that is shown, not on it.
  bool input_is_ahead = true;
  PendingEntries pending;
  OperandRun operands;
  FilterCall filter;
  const MergeContext merge;
  const TimedValues timed_values;
  std::string timed_value;  // that is shown
  const bool enforces_single_deletes;

 private:
  // Versions come newest timestamp first: behind one that is history all are.
  bool IsAtCurrentTimestamp() const {
    return seen.is_history() ||
           rules.CompareTimestamps(
               input.timestamp(),
               TimestampOf(entry.user_key(), rules.timestamp_size())) == 0;
  }
};

}  // namespace ROCKSDB_NAMESPACE

// The walk forward (scan_walks.h).
#include <cassert>
#include <optional>

#include "db/read/iterator_host.h"
#include "db/read/scan_state.h"
#include "db/read/scan_walks.h"

namespace ROCKSDB_NAMESPACE {

namespace {

class ForwardWalk {
 public:
  explicit ForwardWalk(ScanState* scan)
      : s_(*scan), rules_(s_.view.rules()), source_(s_.view.source()) {}

  void Run() {
    assert(s_.direction == ScanState::Direction::kForward);
    assert(s_.view.status().ok());
    s_.skip_limit.BeginCall();
    s_.valid = false;
    ParsedInternalKey entry;
    while (source_.Valid()) {
      if (!s_.Parse(&entry)) return;
      if (s_.limits.IsBeyondUpper(rules_.order(), entry.user_key)) return;
      if (s_.forward.is_skipping &&
          rules_.order().EqualUserKeys(entry.user_key, s_.saved_key)) {
        s_.watch.NoteHidden(entry.sequence);
        PERF_COUNTER_ADD(internal_key_skipped_count, 1);
        if (s_.SkippedTooMany()) return;
        SkipVersion();
        continue;
      }
      if (!rules_.IsVisible(entry)) {
        s_.watch.NoteHidden(entry.sequence);
        if (s_.run.is_on()) PassNewer(entry.user_key);
        if (s_.SkippedTooMany()) return;
        SkipInvisible(entry.user_key);
        continue;
      }
      s_.forward.is_skipping = false;
      s_.skipped = 0;
      if (Take(entry)) return;
    }
    s_.FailsWithStream();
  }

  // All that the stream has before it, from where the walk began, was seen.
  std::optional<Slice> End() const {
    if (s_.valid) return s_.shown.key();
    if (!s_.status.ok()) return std::nullopt;
    // Beyond the bound, parts of the stream may have stopped.
    const Slice* upper = s_.view.options().iterate_upper_bound;
    std::optional<Slice> end;
    if (upper != nullptr) end = *upper;
    if (!source_.Valid()) return end;
    const Slice at = source_.user_key();
    return end && rules_.order().CompareUserKeys(at, *end) > 0 ? end : at;
  }

 private:
  void PassNewer(const Slice& user_key) {
    if (s_.run.IsLong()) s_.HideRun(user_key);
    s_.run.PassNewer();
  }

  // One more version of a key that is done with.
  void SkipVersion() {
    assert(s_.forward.is_skipping);
    if (!s_.ShouldReseek()) return source_.Next();
    source_.CountSeek();
    source_.SeekBehind(rules_, rules_.Given(s_.saved_key));
  }

  // A version newer than the moment: the visible ones follow it.
  void SkipInvisible(const Slice& user_key) {
    PERF_COUNTER_ADD(internal_recent_skipped_count, 1);
    if (!s_.ShouldReseek()) return source_.Next();
    if (rules_.timestamp_size() == 0 || rules_.IsTooNew(user_key)) {
      source_.SeekToVisible(rules_, rules_.Given(user_key));
    } else {
      source_.SeekToSequence(rules_, user_key);
    }
  }

  // The newest visible version of a user key. True: the search ends, with an
  // entry to show or an error.
  bool Take(const ParsedInternalKey& entry) {
    assert(!s_.forward.is_skipping);
    switch (rules_.MeaningOf(entry, &s_.status)) {
      case EntryMeaning::kValue:
        ShowValue(entry);
        return true;
      case EntryMeaning::kOperand:
        ShowMerged(entry.user_key);
        return true;
      case EntryMeaning::kDeletion:
        s_.watch.NoteHidden(entry.sequence);
        PERF_COUNTER_ADD(internal_delete_skipped_count, 1);
        if (s_.SkippedTooMany()) return true;
        if (s_.run.is_on()) s_.run.Add(entry.user_key, entry.sequence);
        break;
      case EntryMeaning::kCovered:
        s_.watch.NoteHidden(entry.sequence);
        // What a range tombstone hides is none of the entries that count.
        if (s_.IsAtLimit()) return true;
        break;
      case EntryMeaning::kUnknown:
        return true;
    }
    s_.SaveKey(entry.user_key);
    s_.forward.is_skipping = true;
    source_.Next();
    return false;
  }

  void ShowValue(const ParsedInternalKey& entry) {
    s_.shown.SetKey(entry.user_key);
    s_.forward.is_at_entry = true;
    s_.forward.is_merged = false;
    if (s_.view.options().allow_unprepared_value && !source_.HasValue()) {
      s_.shown.ShowUnread(entry.type);
      s_.valid = true;
      return;
    }
    Slice value;
    if (!source_.GetValue(&value)) return s_.Fail(source_.status());
    if (s_.shown.pins_data()) [[unlikely]]
      Pin(&value);
    s_.valid = s_.shown.Show(entry.type, value, &s_.status);
  }

  // What the stream pins goes with it, and a step may replace the stream.
  void Pin(Slice* value) {
    const ReadOptions& options = s_.view.options();
    const bool changes_view =
        options.tailing || options.auto_refresh_iterator_with_snapshot;
    const InternalIterator& at = *source_.stream();
    if (changes_view || !at.IsKeyPinned()) {
      s_.shown.SetKey(s_.shown.Keep(s_.shown.key()));
    }
    if (changes_view || !at.IsValuePinned()) *value = s_.shown.Keep(*value);
  }

  // The stream is on the newest visible version, a merge operand.
  void ShowMerged(const Slice& user_key) {
    s_.SaveKey(user_key);
    if (!GatherVersions(&s_)) return;
    // What is left of the key is passed over by the next step.
    s_.forward.is_at_entry = s_.versions.has_base();
    s_.forward.is_merged = true;
    s_.shown.SetKey(s_.saved_key);
    s_.valid = s_.versions.ShowMerged(rules_, &s_.shown, &s_.status);
  }

  ScanState& s_;
  EntryRules& rules_;
  EntryCursor& source_;
};

}  // namespace

void WalkForward(ScanState* scan) {
  scan->run.BeginForward();
  ForwardWalk walk(scan);
  walk.Run();
  if (scan->run.IsLong()) scan->HideRun(walk.End());
}

uint64_t LeaveForward(ScanState* scan) {
  assert(scan->valid);
  EntryCursor& source = scan->view.source();
  const Slice key = scan->shown.key();
  scan->SaveKey(key);
  scan->forward.is_skipping = true;
  scan->skipped = 0;
  if (scan->direction == ScanState::Direction::kBackward) {
    scan->direction = ScanState::Direction::kForward;
    const EntryRules& rules = scan->view.rules();
    source.SeekBehind(rules, rules.Given(scan->saved_key));
    return 0;
  }
  if (!scan->forward.is_at_entry) return 0;
  source.Next();
  return scan->forward.is_merged ? 0 : 1;
}

bool GatherVersions(ScanState* scan) {
  EntryRules& rules = scan->view.rules();
  const bool has_timestamps = rules.timestamp_size() != 0;
  EntryCursor& source = scan->view.source();
  VersionStack& versions = scan->versions;
  versions.Clear();
  for (; source.Valid(); source.Next()) {
    ParsedInternalKey entry;
    if (!scan->Parse(&entry)) return false;
    if (!rules.order().EqualUserKeys(entry.user_key, scan->saved_key)) break;
    // Written later, as of an older timestamp.
    if (!rules.IsVisible(entry)) continue;
    if (has_timestamps && !versions.has_operands()) {
      scan->SaveKey(entry.user_key);
    }
    const EntryMeaning meaning = rules.MeaningOf(entry, &scan->status);
    if (meaning == EntryMeaning::kUnknown) return false;
    if (meaning != EntryMeaning::kOperand && meaning != EntryMeaning::kValue) {
      break;
    }
    if (meaning == EntryMeaning::kValue && has_timestamps) {
      versions.SetBaseKey(entry.user_key);
    }
    Slice value;
    if (!source.GetValue(&value)) {
      scan->Fail(source.status());
      return false;
    }
    if (meaning == EntryMeaning::kValue) {
      versions.SetBase(entry.type, value);
      break;
    }
    versions.AddOperand(value);
  }
  versions.Reverse();
  return !scan->FailsWithStream();
}

}  // namespace ROCKSDB_NAMESPACE

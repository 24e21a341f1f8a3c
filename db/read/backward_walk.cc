// The walk back (scan_walks.h).
#include <cassert>
#include <optional>

#include "db/read/scan_state.h"
#include "db/read/scan_walks.h"

namespace ROCKSDB_NAMESPACE {

namespace {

class BackwardWalk {
 public:
  explicit BackwardWalk(ScanState* scan)
      : s_(*scan), rules_(s_.view.rules()), source_(s_.view.source()) {}

  void Run() {
    assert(s_.direction == ScanState::Direction::kBackward);
    assert(s_.view.status().ok());
    s_.skip_limit.BeginCall();
    s_.valid = false;
    while (source_.Valid()) {
      ParsedInternalKey entry;
      if (!s_.Parse(&entry)) return;
      if (s_.limits.IsBeforeLower(rules_.order(), entry.user_key)) return;
      if (Take(entry.user_key)) return;
    }
    s_.FailsWithStream();
  }

 private:
  // All versions of a user key. True: the search ends, with an entry to show
  // or an error.
  bool Take(const Slice& user_key) {
    s_.SaveKey(user_key);
    s_.versions.Clear();
    deleted_at_ = 0;
    is_covered_ = has_newer_ = false;
    if (!Gather()) return true;
    s_.shown.SetKey(s_.saved_key);
    if (s_.versions.has_operands()) {
      s_.valid = s_.versions.ShowMerged(rules_, &s_.shown, &s_.status);
      return true;
    }
    if (s_.versions.has_base()) {
      s_.valid = s_.versions.ShowBase(&s_.shown, &s_.status);
      return true;
    }
    // The key is hidden: so is its last entry.
    if (s_.run.is_on()) PassHidden();
    return is_covered_ ? s_.IsAtLimit() : s_.SkippedTooMany();
  }

  // Puts what counts of the versions of saved_key on the stack, and leaves the
  // stream before all of them. False: the walk ends.
  bool Gather() {
    for (uint64_t seen = 0; source_.Valid(); source_.Prev(), ++seen) {
      ParsedInternalKey entry;
      if (!s_.Parse(&entry)) return false;
      if (!rules_.order().EqualUserKeys(entry.user_key, s_.saved_key)) break;
      if (seen > 0 && s_.SkippedTooMany()) return false;
      if (seen > s_.reseek_after) {
        has_newer_ = true;  // Perhaps: they are passed over.
        return SeekVersions();
      }
      if (!rules_.IsVisible(entry)) {
        PERF_COUNTER_ADD(internal_recent_skipped_count, 1);
        has_newer_ = true;
        continue;
      }
      if (!AddNewer(entry)) return false;
    }
    return !s_.FailsWithStream();
  }

  // One more visible version of saved_key, on those that were before it.
  // False: an error.
  bool AddNewer(const ParsedInternalKey& entry) {
    VersionStack& versions = s_.versions;
    // The newest of them is the one to show.
    if (rules_.timestamp_size() != 0) {
      s_.SaveKey(entry.user_key);
    }
    const EntryMeaning meaning = rules_.MeaningOf(entry, &s_.status);
    switch (meaning) {
      case EntryMeaning::kUnknown:
        return false;
      case EntryMeaning::kCovered:
        versions.Clear();
        deleted_at_ = 0;
        is_covered_ = true;
        return true;
      case EntryMeaning::kDeletion:
        PERF_COUNTER_ADD(internal_key_skipped_count, 1);
        PERF_COUNTER_ADD(internal_delete_skipped_count, 1);
        versions.Clear();
        deleted_at_ = entry.sequence;
        is_covered_ = false;
        return true;
      case EntryMeaning::kOperand:
      case EntryMeaning::kValue:
        break;
    }
    PERF_COUNTER_ADD(internal_key_skipped_count, 1);
    Slice value;
    if (!source_.GetValue(&value)) {
      s_.Fail(source_.status());
      return false;
    }
    if (meaning == EntryMeaning::kOperand) {
      versions.AddOperand(value);
      return true;
    }
    if (rules_.timestamp_size() != 0) versions.SetBaseKey(entry.user_key);
    versions.SetBase(entry.type, value);
    versions.DropOperands();
    return true;
  }

  // After many versions of a key a seek to the newest visible one is cheaper
  // than the rest of the way. False: an error.
  bool SeekVersions() {
    s_.CountReseek();
    source_.SeekToVisible(rules_, rules_.Given(s_.saved_key));
    if (!GatherVersions(&s_)) return false;
    source_.SeekBefore(rules_, rules_.Given(s_.saved_key));
    return !s_.FailsWithStream();
  }

  // Notes that saved_key is hidden. A key that may have newer versions ends the
  // run of deletions.
  void PassHidden() {
    if (has_newer_) {
      if (s_.run.IsLong()) s_.HideRun(std::nullopt);
      s_.run.BeginBelow(s_.saved_key);
    } else if (deleted_at_ > 0) {
      s_.run.Add(s_.saved_key, deleted_at_);
    }
  }

  ScanState& s_;
  EntryRules& rules_;
  EntryCursor& source_;
  // What the walk knows of the key that it is at.
  SequenceNumber deleted_at_ = 0;  // sequence of its point deletion; 0: none
  bool is_covered_ = false;        // a range tombstone hides it
  bool has_newer_ = false;         // it may have versions after the moment
};

}  // namespace

void WalkBackward(ScanState* scan) {
  BackwardWalk(scan).Run();
  if (scan->run.IsLong()) scan->HideRun(std::nullopt);
}

void LeaveBackward(ScanState* scan) {
  assert(scan->valid);
  if (scan->run.is_on()) scan->run.BeginBelow(scan->shown.key());
  scan->skipped = 0;
  // Else the stream is before the key already.
  if (scan->direction == ScanState::Direction::kBackward) return;
  const Slice key = scan->shown.key();
  scan->SaveKey(key);
  scan->direction = ScanState::Direction::kBackward;
  const EntryRules& rules = scan->view.rules();
  scan->view.source().SeekBefore(rules, rules.Given(scan->saved_key));
}

}  // namespace ROCKSDB_NAMESPACE

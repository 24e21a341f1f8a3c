// The semantics of a flush or compaction: reads one sorted stream of versions
// and yields those that must be written again (db-format.md 9.1 to 9.5).
//
// Hot path   A value, the newest of its stripe, costs a comparison of its user
//            key with the one before and one copy of the key; its value is
//            the input's own slice. Nothing is allocated.
// Timestamps Versions of a key with different user-defined timestamps are as
//            different keys, as long as somebody may read as of each of them.
//            Those older than full_history_ts_low are one key: its history.
// Contract   Entries come in internal-key order, at most one for each
//            (key, stripe), but for merge operands that could not be combined
//            and single deletions that did not meet their value yet.
// Errors     status() after the end: the input's, a corrupt key, a merge or
//            filter that failed, or a stop that was asked for. Entries may be
//            missing then, so the output must not be used.
// Threads    One thread.
#pragma once

#include <atomic>
#include <cassert>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "db/read/covering_tombstones.h"
#include "db/read/filter_call.h"
#include "rocksdb/compaction_filter.h"
#include "table/full_merge.h"
#include "util/key/internal_iterator.h"
#include "util/key/range_tombstones.h"

namespace ROCKSDB_NAMESPACE {

class BlobFetcher;
class BlobFlow;
class OlderData;
class SequenceTimes;
class SnapshotStripes;

struct CompactionIteratorRequest {
  InternalIterator* input = nullptr;
  const InternalKeyComparator* order = nullptr;
  const SnapshotStripes* stripes = nullptr;
  // Of all inputs together; null: there are none.
  std::shared_ptr<const FragmentedTombstones> tombstones;
  MergeContext merge;
  // The values of references to blobs; null: the input has none.
  const BlobFetcher* blobs = nullptr;
  // Is told of every reference that is read; may be null.
  BlobFlow* blob_flow = nullptr;
  const CompactionFilter* filter = nullptr;
  int output_level = 0;  // for the filter
  // Null: anything may be below, so tombstones stay (a flush).
  OlderData* older = nullptr;
  // Nothing at all is below: versions that all see lose their sequence.
  bool is_bottommost = false;
  // But those with larger ones, which tell when they were written.
  SequenceNumber zeroes_up_to = kMaxSequenceNumber;
  // A value that is said to have been written at some time has that time in
  // memory (kWritten), in tables the sequence number that it would have had.
  enum class TimedValues : uint8_t { kWritten, kPreferred };
  TimedValues timed_values = TimedValues::kPreferred;
  // To tell that number from the time; null: nobody asks for the age.
  const SequenceTimes* sequence_times = nullptr;
  uint64_t old_by_seconds = 0;  // and who does, not of what is older
  bool enforce_single_delete_contracts = true;
  KeyText key_text = KeyText::kRedacted;
  // Nobody reads as of an older timestamp; empty = somebody may.
  Slice full_history_ts_low;
  // Versions with a newer one are left out; empty = none are.
  Slice trim_ts;
  // Only stored user keys in [begin, end); with timestamps, those bounds have
  // the newest.
  std::optional<Slice> begin;
  std::optional<Slice> end;
  // Keeps stats_before_key(), which costs a copy for each user key.
  bool keeps_stats_before_key = false;
  // Set by others to stop; may be null.
  const std::atomic<bool>* shutting_down = nullptr;
  const std::atomic<bool>* canceled = nullptr;
  const std::atomic<int>* disablers = nullptr;
  const std::atomic<int>* aborts = nullptr;
  const std::atomic<int>* family_aborts = nullptr;  // of this family alone
};

struct CompactionIteratorStats {
  uint64_t records_in = 0;
  uint64_t deletions_in = 0;
  uint64_t dropped_hidden = 0;     // a newer version of the stripe
  uint64_t dropped_obsolete = 0;   // a tombstone with nothing below
  uint64_t dropped_by_range = 0;   // a range tombstone
  uint64_t dropped_by_filter = 0;  // the user, or trim_ts
  uint64_t single_delete_fallthrough = 0;
  uint64_t single_delete_mismatch = 0;
  uint64_t corrupt_keys = 0;
  // The filter jumped ahead: not all of the input was read.
  bool has_skipped = false;

  void Add(const CompactionIteratorStats& other);
};

class CompactionIterator {
 public:
  explicit CompactionIterator(CompactionIteratorRequest request);
  CompactionIterator(const CompactionIterator&) = delete;
  CompactionIterator& operator=(const CompactionIterator&) = delete;

  void SeekToFirst();
  bool Valid() const { return valid_; }
  void Next();

  // Good until Next().
  Slice key() const { return Slice(key_.data(), key_.size()); }
  Slice user_key() const { return CurrentUserKey(); }
  Slice value() const { return value_; }
  // The input's block that the entry may be from; see InternalIterator.
  bool GetWholeBlock(WholeBlock* block) const {
    return !input_is_ahead_ && r_.input->GetWholeBlock(block);
  }
  // The first entry of its user key, whatever the timestamp: an output may be
  // cut before it.
  bool IsFirstOfUserKey() const { return is_first_of_user_key_; }

  const Status& status() const { return status_; }
  const CompactionIteratorStats& stats() const { return stats_; }
  // What they were before the first version of the current user key, whatever
  // its timestamp, was read.
  const CompactionIteratorStats& stats_before_key() const {
    assert(r_.keeps_stats_before_key);
    return stats_before_key_;
  }

 private:
  // An entry that is not the input's current one.
  struct Pending {
    uint64_t trailer = 0;
    std::string value;
    std::string timestamp;  // of its own
  };
  struct Operand {
    SequenceNumber sequence = 0;
    std::string value;
    std::string timestamp;
  };
  enum class Found : uint8_t { kEntry, kNothing };

  Slice CurrentUserKey() const {
    return Slice(key_.data(), key_.size() - kInternalKeyTrailerBytes);
  }
  // What a merge operator calls the key.
  Slice MergeKey() const {
    return WithoutTimestamp(CurrentUserKey(), timestamp_size_);
  }
  SequenceNumber InputSequence() const { return ExtractSequence(in_key_); }
  ValueType InputType() const { return ExtractType(in_key_); }
  // Is the input on another version of what key_ is a version of?
  bool IsAtCurrentUserKey() const {
    return has_key_ &&
           r_.order->EqualUserKeys(ExtractUserKey(in_key_), CurrentUserKey()) &&
           (timestamp_size_ == 0 || IsAtCurrentTimestamp());
  }

  // --- timestamps (compaction_iterator_history.cc)
  bool IsAtCurrentTimestamp() const;
  Slice InputTimestamp() const {
    return TimestampOf(ExtractUserKey(in_key_), timestamp_size_);
  }
  // Must key_ be there for those who read as of its timestamp?
  bool IsReadAsOf() const { return timestamp_size_ != 0 && !is_history_; }
  // Is the input on an older version of the same key, which those who read as
  // of its timestamp see?
  bool HasOlderTimestamp() const;
  void NoteHistory();
  bool IsTrimmed() const;
  void SetTimestamp(const Slice& timestamp);

  // --- the input
  void Advance();
  void Load();
  void Fail(Status status);
  bool MustStop();
  void NoteReferences();
  // The value behind the reference that the input is on, in blob_. False: it
  // failed.
  bool FetchBlob();
  // The entity that the input is on, whole, in entity_. False: it failed.
  bool FetchEntity();
  void SkipTo(const Slice& user_key);

  // --- one version
  void FindEntry();
  void BeginUserKey();
  Found Take(size_t stripe);
  Found TakeValue(size_t stripe);
  Found TakeTombstone(size_t stripe);
  Found TakeSingleDelete(size_t stripe);
  Found PairSingleDelete(size_t stripe);
  SequenceNumber CoveringSequence(size_t stripe) const;
  bool IsCovered(size_t stripe) const {
    return !tombstones_.empty() && CoveringSequence(stripe) > InputSequence();
  }
  bool CanDropTombstone(size_t stripe);
  void CopyKey() { key_.assign(in_key_.data(), in_key_.size()); }
  void SetTrailer(SequenceNumber sequence, ValueType type);
  bool LosesSequence(SequenceNumber sequence, ValueType type) const;
  uint64_t FinalTrailer(SequenceNumber sequence, ValueType type) const;
  void SetFinal(SequenceNumber sequence, ValueType type,
                bool refers_to_blobs = false);
  Found ShowInputValue();
  Found ShowTimedValue();
  SequenceNumber PreferredSequence(uint64_t write_seconds) const;
  Found Show(const Slice& value);
  Found ShowPending();

  // --- merging
  enum class RunEnd : uint8_t { kBase, kDeleted, kStripe, kUserKey, kSkipped };
  Found TakeMerge(size_t stripe);
  RunEnd CollectOperands(size_t stripe);
  Found EmitMerged(RunEnd end);
  Found EmitOperands();
  Status MergeWithBase(RunEnd end, MergeResult* result);
  bool HoldsOperand(size_t stripe, RunEnd* end);

  // --- the filter (compaction_iterator_filter.cc)
  CompactionFilter::Decision AskFilter(CompactionFilter::ValueType type,
                                       const Slice& value);
  CompactionFilter::Decision AskFilterOfBlob();
  Found TakeFiltered(size_t stripe);
  Found Obey(CompactionFilter::Decision decision, size_t stripe);
  bool ReplaceByFilter(CompactionFilter::Decision decision);

  const CompactionIteratorRequest r_;
  const size_t timestamp_size_;
  Status status_;
  CompactionIteratorStats stats_;
  CompactionIteratorStats stats_before_key_;

  bool in_valid_ = false;
  Slice in_key_;
  // The input stands behind the entry that is shown, not on it.
  bool input_is_ahead_ = true;

  bool valid_ = false;
  std::string key_;  // of the shown entry, or of the last version looked at
  Slice value_;
  bool has_key_ = false;
  bool has_shown_user_key_ = false;  // an entry of this user key was shown
  bool is_first_of_user_key_ = false;
  bool is_first_version_ = false;   // of its user key in the input
  size_t done_stripe_ = kNoStripe;  // its newest version has been seen
  bool is_hidden_ = false;          // this version is not that one
  bool is_history_ = false;         // key_ is older than full_history_ts_low
  CoveringTombstones tombstones_;

  std::vector<Pending> pending_;
  size_t pending_count_ = 0;
  size_t pending_index_ = 0;
  std::vector<Operand> operands_;  // newest first; reused
  size_t operand_count_ = 0;

  PinnableSlice blob_;
  std::string entity_;
  std::string timed_value_;
  FilterCall filter_;

  static constexpr size_t kNoStripe = SIZE_MAX;
};

}  // namespace ROCKSDB_NAMESPACE

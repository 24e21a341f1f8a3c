#include "db/read/compaction_iterator.h"

#include <cassert>

#include "db/blob/blob_flow.h"
#include "db/read/older_data.h"
#include "db/read/snapshot_stripes.h"
#include "table/blob_fetcher.h"
#include "table/entity_blobs.h"
#include "util/coding.h"
#include "util/invariant.h"
#include "util/key/sequence_times.h"
#include "util/key/timestamps.h"
#include "util/value/blob_references.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// How many records pass between two looks at the stop flags.
constexpr uint64_t kRecordsPerLook = 1024;

}  // namespace

void CompactionIteratorStats::Add(const CompactionIteratorStats& other) {
  records_in += other.records_in;
  deletions_in += other.deletions_in;
  dropped_hidden += other.dropped_hidden;
  dropped_obsolete += other.dropped_obsolete;
  dropped_by_range += other.dropped_by_range;
  dropped_by_filter += other.dropped_by_filter;
  single_delete_fallthrough += other.single_delete_fallthrough;
  single_delete_mismatch += other.single_delete_mismatch;
  corrupt_keys += other.corrupt_keys;
  has_skipped = has_skipped || other.has_skipped;
}

CompactionIterator::CompactionIterator(CompactionIteratorRequest request)
    : r_(std::move(request)),
      timestamp_size_(r_.order->timestamp_size()),
      tombstones_(r_.tombstones, *r_.order, r_.full_history_ts_low),
      filter_({.filter = r_.filter,
               .output_level = r_.output_level,
               .blobs = r_.blobs,
               .merge = r_.merge,
               .order = r_.order}) {
  INVARIANT(r_.input != nullptr);
  INVARIANT(r_.order != nullptr);
  INVARIANT(r_.stripes != nullptr);
  // Only a compaction knows what is below.
  INVARIANT(!r_.is_bottommost || r_.older != nullptr);
  INVARIANT(r_.output_level >= 0);
  INVARIANT(r_.full_history_ts_low.empty() ||
            r_.full_history_ts_low.size() == timestamp_size_);
  INVARIANT(r_.trim_ts.empty() || r_.trim_ts.size() == timestamp_size_);
}

void CompactionIterator::SeekToFirst() {
  INVARIANT(!valid_);
  INVARIANT(pending_count_ == 0);
  if (r_.filter != nullptr && !r_.filter->IgnoreSnapshots()) {
    return Fail(Status::NotSupported(
        r_.filter->Name(), "a compaction filter must ignore snapshots"));
  }
  if (r_.begin) {
    r_.input->Seek(BeforeAllVersions(*r_.begin, timestamp_size_).Encode());
  } else {
    r_.input->SeekToFirst();
  }
  in_valid_ = r_.input->Valid();
  if (in_valid_) in_key_ = r_.input->key();
  has_key_ = false;
  Load();
  FindEntry();
}

void CompactionIterator::Next() {
  assert(valid_);
  assert(has_key_);
  assert(pending_index_ <= pending_count_);
  if (pending_index_ + 1 < pending_count_) {
    ++pending_index_;
    ShowPending();
    return;
  }
  pending_count_ = pending_index_ = 0;
  if (!input_is_ahead_) Advance();
  FindEntry();
}

// ---------------------------------------------------------------- the input

void CompactionIterator::Fail(Status status) {
  INVARIANT(!status.ok());
  if (status_.ok()) status_ = std::move(status);
  in_valid_ = false;
  valid_ = false;
}

void CompactionIterator::Advance() {
  assert(in_valid_);
  in_valid_ = r_.input->NextAndGetKey(&in_key_);
  Load();
}

// Looks at what the input has moved to: an end that is an error, the end of
// the range, a key that is none.
inline void CompactionIterator::Load() {
  if (!in_valid_) [[unlikely]] {
    Status s = r_.input->status();
    if (!s.ok()) Fail(std::move(s));
    return;
  }
  if (in_key_.size() < kInternalKeyTrailerBytes + timestamp_size_ ||
      !IsStoredType(InputType())) [[unlikely]] {
    ++stats_.corrupt_keys;
    return Fail(Status::Corruption("compaction input: not an internal key",
                                   InternalKeyText(in_key_, r_.key_text)));
  }
  if (r_.end &&
      r_.order->CompareUserKeys(ExtractUserKey(in_key_), *r_.end) >= 0) {
    in_valid_ = false;
    return;
  }
  if (++stats_.records_in % kRecordsPerLook == 0 && MustStop()) return;
  if (MayReferToBlobs(InputType())) [[unlikely]] {
    NoteReferences();
  }
  if constexpr (kDeepChecks) {
    if (has_key_) {
      INVARIANT(r_.order->CompareUserKeys(CurrentUserKey(),
                                          ExtractUserKey(in_key_)) <= 0);
    }
  }
}

void CompactionIterator::NoteReferences() {
  assert(in_valid_);
  if (r_.blob_flow == nullptr) return;
  Status s = ForEachReference(
      InputType(), r_.input->value(), [this](const BlobIndex& index) {
        r_.blob_flow->NoteRead(ExtractUserKey(in_key_), index);
      });
  if (!s.ok()) Fail(std::move(s));
}

bool CompactionIterator::FetchEntity() {
  assert(in_valid_);
  assert(InputType() == kTypeWideColumnEntity);
  const Slice stored = r_.input->value();
  entity_.assign(stored.data(), stored.size());
  Status s = InlineBlobs(r_.blobs, ExtractUserKey(in_key_), &entity_);
  if (!s.ok()) Fail(std::move(s));
  return status_.ok();
}

bool CompactionIterator::FetchBlob() {
  assert(in_valid_);
  assert(InputType() == kTypeBlobIndex);
  if (r_.blobs == nullptr) {
    Fail(Status::NotSupported("a reference to a blob file where none can be"));
    return false;
  }
  blob_.Reset();
  Status s =
      r_.blobs->Fetch(ExtractUserKey(in_key_), r_.input->value(), &blob_);
  if (!s.ok()) Fail(std::move(s));
  return status_.ok();
}

bool CompactionIterator::MustStop() {
  // relaxed: a stop that is seen a thousand records late is in time.
  const auto is_set = [](const auto* flag) {
    return flag != nullptr && flag->load(std::memory_order_relaxed) != 0;
  };
  if (is_set(r_.shutting_down)) {
    Fail(Status::ShutdownInProgress("compaction"));
  } else if (is_set(r_.aborts) || is_set(r_.family_aborts)) {
    Fail(Status::Incomplete(Status::SubCode::kCompactionAborted));
  } else if (is_set(r_.canceled) || is_set(r_.disablers)) {
    Fail(Status::Incomplete(Status::SubCode::kManualCompactionPaused));
  }
  return !status_.ok();
}

void CompactionIterator::SkipTo(const Slice& user_key) {
  INVARIANT(has_key_);
  // Backwards it would meet what it has yielded already.
  INVARIANT(r_.order->CompareUserKeys(user_key, CurrentUserKey()) > 0);
  r_.input->Seek(BeforeAllVersions(user_key, timestamp_size_).Encode());
  stats_.has_skipped = true;
  in_valid_ = r_.input->Valid();
  if (in_valid_) in_key_ = r_.input->key();
  Load();
}

// -------------------------------------------------------------- one version

void CompactionIterator::FindEntry() {
  assert(pending_count_ == 0);
  valid_ = false;
  input_is_ahead_ = true;
  if (!in_valid_ || MustStop()) return;
  while (in_valid_) {
    // Of a key these come first: they are met nowhere else.
    if (!r_.trim_ts.empty() && IsTrimmed()) [[unlikely]] {
      ++stats_.dropped_by_filter;
      Advance();
      continue;
    }
    const bool is_same = IsAtCurrentUserKey();
    if (!is_same) BeginUserKey();
    assert(has_key_);
    const size_t stripe = r_.stripes->Of(InputSequence());
    // With timestamps, what is behind may have been written later: it is in a
    // newer stripe, and hidden all the same.
    is_hidden_ = done_stripe_ != kNoStripe && stripe >= done_stripe_;
    // A hidden single deletion still has a value of its own to annihilate.
    // Without it, a later one would meet the newer value, and this one's
    // would come back to life.
    if (is_hidden_ && InputType() != kTypeSingleDeletion) {
      ++stats_.dropped_hidden;
      Advance();
      continue;
    }
    assert(done_stripe_ == kNoStripe || stripe <= done_stripe_ ||
           timestamp_size_ != 0);
    if (!is_hidden_) done_stripe_ = stripe;
    if (IsCovered(stripe)) {
      // What is older in this stripe is covered too: it counts as hidden.
      ++stats_.dropped_by_range;
      is_first_version_ = false;
      Advance();
      continue;
    }
    if (is_same) CopyKey();
    const Found found = Take(stripe);
    is_first_version_ = false;
    if (found == Found::kEntry) return;
    assert(!valid_);
  }
}

void CompactionIterator::BeginUserKey() {
  assert(in_valid_);
  assert(in_key_.size() >= kInternalKeyTrailerBytes);
  const bool is_older =
      timestamp_size_ != 0 && has_key_ &&
      r_.order->EqualUserKeys(ExtractUserKey(in_key_), CurrentUserKey());
  if (r_.keeps_stats_before_key && !is_older) [[unlikely]] {
    stats_before_key_ = stats_;
    --stats_before_key_.records_in;  // It is this one.
  }
  CopyKey();
  has_key_ = true;
  // Of the key as users see it.
  has_shown_user_key_ = is_older && has_shown_user_key_;
  if (timestamp_size_ != 0) NoteHistory();
  is_first_version_ = true;
  done_stripe_ = kNoStripe;
  if (!tombstones_.empty()) tombstones_.MoveTo(CurrentUserKey());
}

// The newest tombstone of `stripe` over the version that the input is on;
// 0 = none.
SequenceNumber CompactionIterator::CoveringSequence(size_t stripe) const {
  return tombstones_.NewestUpTo(r_.stripes->UpperOf(stripe), InputTimestamp());
}

CompactionIterator::Found CompactionIterator::Take(size_t stripe) {
  switch (InputType()) {
    case kTypeValue:
    case kTypeWideColumnEntity:
    case kTypeValuePreferredSeqno:
    case kTypeBlobIndex:
      return TakeValue(stripe);
    case kTypeDeletion:
    case kTypeDeletionWithTimestamp:
      ++stats_.deletions_in;
      return TakeTombstone(stripe);
    case kTypeSingleDeletion:
      ++stats_.deletions_in;
      return TakeSingleDelete(stripe);
    case kTypeMerge:
      return TakeMerge(stripe);
    default:
      ++stats_.corrupt_keys;
      Fail(Status::Corruption("compaction input: type that cannot be here",
                              InternalKeyText(in_key_, r_.key_text)));
      return Found::kNothing;
  }
}

CompactionIterator::Found CompactionIterator::TakeValue(size_t stripe) {
  if (r_.filter != nullptr && is_first_version_) [[unlikely]] {
    return TakeFiltered(stripe);
  }
  return ShowInputValue();
}

CompactionIterator::Found CompactionIterator::ShowInputValue() {
  assert(in_valid_);
  assert(key_.size() == in_key_.size());
  if (InputType() == kTypeValuePreferredSeqno) [[unlikely]] {
    return ShowTimedValue();
  }
  const Slice value = r_.input->value();
  SetFinal(InputSequence(), InputType(), RefersToBlobs(InputType(), value));
  input_is_ahead_ = false;
  return Show(value);
}

// What a write at that time would have had, or a later one: no value may pass
// for older than it is said to be.
SequenceNumber CompactionIterator::PreferredSequence(
    uint64_t write_seconds) const {
  if (r_.sequence_times == nullptr) return kMaxSequenceNumber;
  if (write_seconds <= r_.old_by_seconds) return 0;
  return r_.sequence_times->CoveringAllBy(write_seconds);
}

// Where a value loses its sequence it takes the one that it would have had at
// its time of writing: every reader sees it, nothing older is below, and the
// tombstones between the two go by the same rule.
CompactionIterator::Found CompactionIterator::ShowTimedValue() {
  using TimedValues = CompactionIteratorRequest::TimedValues;
  const Slice stored = r_.input->value();
  if (stored.size() < sizeof(uint64_t)) {
    Fail(Status::Corruption("a value without its preferred sequence",
                            InternalKeyText(in_key_, r_.key_text)));
    return Found::kNothing;
  }
  const Slice plain(stored.data(), stored.size() - sizeof(uint64_t));
  const uint64_t number = DecodeFixed64(plain.data() + plain.size());
  const SequenceNumber own = InputSequence();
  SequenceNumber preferred = number;
  if (r_.timed_values == TimedValues::kWritten) {
    preferred = PreferredSequence(number);
  }
  input_is_ahead_ = false;
  if (preferred >= own) {  // Written now, or in time to come.
    SetFinal(own, kTypeValue);
    return Show(plain);
  }
  const bool is_final = r_.is_bottommost &&
                        SnapshotStripes::IsSeenByAll(r_.stripes->Of(own)) &&
                        !IsReadAsOf();
  if (is_final) {
    SetFinal(preferred, kTypeValue);
    return Show(plain);
  }
  SetTrailer(own, kTypeValuePreferredSeqno);
  timed_value_.assign(plain.data(), plain.size());
  PutFixed64(&timed_value_, preferred);
  return Show(timed_value_);
}

CompactionIterator::Found CompactionIterator::Show(const Slice& value) {
  assert(status_.ok());
  assert(has_key_);
  value_ = value;
  is_first_of_user_key_ = !has_shown_user_key_;
  has_shown_user_key_ = true;
  valid_ = true;
  return Found::kEntry;
}

void CompactionIterator::SetTrailer(SequenceNumber sequence, ValueType type) {
  assert(key_.size() >= kInternalKeyTrailerBytes);
  EncodeFixed64(key_.data() + key_.size() - kInternalKeyTrailerBytes,
                PackSequenceAndType(sequence, type));
}

// Sequence 0 is safe at the bottom: every live snapshot already sees this
// version, no deeper run holds an older one to outrank, and the range
// tombstones below it that it outranks are dropped by the same rule. Equal
// trailers compress away.
bool CompactionIterator::LosesSequence(SequenceNumber sequence,
                                       ValueType type) const {
  return r_.is_bottommost && sequence <= r_.zeroes_up_to &&
         (type == kTypeValue || type == kTypeWideColumnEntity ||
          type == kTypeBlobIndex) &&
         SnapshotStripes::IsSeenByAll(r_.stripes->Of(sequence)) &&
         !IsReadAsOf();
}

uint64_t CompactionIterator::FinalTrailer(SequenceNumber sequence,
                                          ValueType type) const {
  return PackSequenceAndType(LosesSequence(sequence, type) ? 0 : sequence,
                             type);
}

// Where the sequence goes, nobody asks for the timestamp of what is history
// either; only a blob file knows the key by it.
void CompactionIterator::SetFinal(SequenceNumber sequence, ValueType type,
                                  bool refers_to_blobs) {
  assert(key_.size() >= kInternalKeyTrailerBytes);
  EncodeFixed64(key_.data() + key_.size() - kInternalKeyTrailerBytes,
                FinalTrailer(sequence, type));
  if (timestamp_size_ != 0 && !refers_to_blobs &&
      LosesSequence(sequence, type)) {
    SetTimestamp(std::string(timestamp_size_, '\0'));
  }
}

CompactionIterator::Found CompactionIterator::ShowPending() {
  assert(pending_index_ < pending_count_);
  assert(pending_count_ <= pending_.size());
  const Pending& entry = pending_[pending_index_];
  EncodeFixed64(key_.data() + key_.size() - kInternalKeyTrailerBytes,
                entry.trailer);
  if (timestamp_size_ != 0) SetTimestamp(entry.timestamp);
  input_is_ahead_ = true;
  return Show(entry.value);
}

// A point tombstone that every reader sees may go once nothing is below it.
bool CompactionIterator::CanDropTombstone(size_t stripe) {
  return !IsReadAsOf() && r_.older != nullptr &&
         SnapshotStripes::IsSeenByAll(stripe) &&
         !r_.older->MayHold(CurrentUserKey());
}

// The newest of its stripe, whose type is in key_; the input is on it.
CompactionIterator::Found CompactionIterator::TakeTombstone(size_t stripe) {
  assert(in_valid_);
  if (CanDropTombstone(stripe)) {
    ++stats_.dropped_obsolete;
    Advance();
    return Found::kNothing;
  }
  if (!r_.is_bottommost || IsReadAsOf()) {
    input_is_ahead_ = false;
    return Show(Slice());
  }
  // At the bottom only older stripes of this input can need it.
  Advance();
  while (in_valid_ && IsAtCurrentUserKey() &&
         r_.stripes->Of(InputSequence()) >= stripe) {
    ++stats_.dropped_hidden;
    Advance();
  }
  if (!status_.ok()) return Found::kNothing;
  if (in_valid_ && IsAtCurrentUserKey()) return Show(Slice());
  ++stats_.dropped_obsolete;
  return Found::kNothing;
}

// A single deletion and the one version that it deletes annihilate each other
// (db-format.md 9.3).
CompactionIterator::Found CompactionIterator::TakeSingleDelete(size_t stripe) {
  assert(in_valid_);
  assert(InputType() == kTypeSingleDeletion);
  while (true) {
    Advance();
    if (!status_.ok()) return Found::kNothing;
    if (!in_valid_ || !IsAtCurrentUserKey()) {
      if (CanDropTombstone(stripe) || (r_.is_bottommost && !IsReadAsOf())) {
        ++stats_.dropped_obsolete;
        ++stats_.single_delete_fallthrough;
        return Found::kNothing;
      }
      return Show(Slice());
    }
    if (r_.stripes->Of(InputSequence()) != stripe) return Show(Slice());
    const ValueType type = InputType();
    if (type != kTypeSingleDeletion && type != kTypeDeletion &&
        type != kTypeDeletionWithTimestamp) {
      return PairSingleDelete(stripe);
    }
    ++stats_.single_delete_mismatch;
    ++stats_.dropped_hidden;
    if (type != kTypeSingleDeletion && r_.enforce_single_delete_contracts) {
      Fail(Status::Corruption("a SingleDelete meets a Delete of the same key",
                              InternalKeyText(in_key_, r_.key_text)));
      return Found::kNothing;
    }
    // The older tombstone does all that the newer one did.
    if (type != kTypeSingleDeletion) {
      done_stripe_ = is_hidden_ ? stripe : kNoStripe;
      return Found::kNothing;
    }
    CopyKey();
    ++stats_.deletions_in;
  }
}

// key_ is the single deletion, the input is on the version it deletes. Values
// that are older in this stripe, which the contract of SingleDelete forbids,
// stay hidden.
CompactionIterator::Found CompactionIterator::PairSingleDelete(size_t stripe) {
  assert(pending_count_ == 0);
  assert(IsAtCurrentUserKey());
  assert(r_.stripes->Of(InputSequence()) == stripe);
  assert(ExtractType(key()) == kTypeSingleDeletion);
  if (has_shown_user_key_ || SnapshotStripes::IsSeenByAll(stripe)) {
    stats_.dropped_obsolete += 1;
    stats_.dropped_hidden += 1;
    Advance();
    return Found::kNothing;
  }
  // A transaction with an older snapshot may look here for a write conflict:
  // the versions stay, the value is not needed.
  if (pending_.size() < 2) pending_.resize(2);
  pending_[0].trailer = ExtractTrailer(Slice(key_.data(), key_.size()));
  pending_[0].value.clear();
  pending_[0].timestamp =
      TimestampOf(CurrentUserKey(), timestamp_size_).ToString();
  pending_[1].trailer = PackSequenceAndType(InputSequence(), kTypeValue);
  pending_[1].value.clear();
  pending_[1].timestamp = InputTimestamp().ToString();
  pending_count_ = 2;
  pending_index_ = 0;
  Advance();
  return status_.ok() ? ShowPending() : Found::kNothing;
}

}  // namespace ROCKSDB_NAMESPACE

#include "db/read/history_iterator.h"

#include <cassert>
#include <optional>
#include <string>

#include "db/read/prepared_ranges.h"
#include "db/read/read_timestamp.h"
#include "db/read/scan_source.h"
#include "db/read/tombstone_view.h"
#include "db/read/version_blobs.h"
#include "db/version/column_family.h"
#include "monitoring/perf_context_imp.h"
#include "monitoring/statistics_impl.h"
#include "rocksdb/slice_transform.h"
#include "rocksdb/snapshot.h"
#include "table/entity_blobs.h"
#include "util/invariant.h"
#include "util/key/timestamps.h"
#include "util/value/wide_columns_coding.h"

namespace ROCKSDB_NAMESPACE {

namespace {

class HistoryIterator final : public Iterator {
 public:
  explicit HistoryIterator(UserIteratorRequest request)
      : request_(std::move(request)),
        newest_bytes_(request_.options.timestamp->ToString()),
        oldest_bytes_(request_.options.iter_start_ts->ToString()),
        newest_(newest_bytes_),
        oldest_(oldest_bytes_) {
    INVARIANT(request_.super_version != nullptr);
    INVARIANT(request_.host != nullptr);
    request_.options.timestamp = &newest_;
    request_.options.iter_start_ts = &oldest_;
    // Prefix filters would hide what follows the prefix that was asked for.
    request_.options.total_order_seek = true;
    Build();
  }
  ~HistoryIterator() override {
    RecordTick(request_.super_version->cfd->statistics(), NO_ITERATOR_DELETED);
    Drop();
  }

  bool Valid() const override { return valid_; }
  Slice key() const override {
    assert(valid_);
    return key_;
  }
  Slice timestamp() const override {
    assert(valid_);
    return TimestampOf(ExtractUserKey(key_), order_->timestamp_size());
  }
  Slice value() const override {
    assert(valid_);
    return value_;
  }
  const WideColumns& columns() const override {
    assert(valid_);
    return columns_;
  }
  Status status() const override { return status_; }

  void SeekToFirst() override {
    const Slice* lower = request_.options.iterate_lower_bound;
    if (lower != nullptr) return SeekForward(*lower);
    if (!Begin()) return;
    source_.SeekToFirst();
    FindForward();
    NotePrefixOfShown();
  }
  void Seek(const Slice& target) override {
    request_.seek_trace.Seek(target, request_.options);
    SeekForward(target);
  }
  void SeekToLast() override {
    SeekBackward(nullptr);
    NotePrefixOfShown();
  }
  void SeekForPrev(const Slice& target) override {
    request_.seek_trace.SeekForPrev(target, request_.options);
    SeekBackward(&target);
  }
  void Next() override {
    assert(valid_);
    PERF_COUNTER_ADD(iter_next_count, 1);
    if (!stands_forward_) {
      // Behind all writes of this key and timestamp.
      AimFromShown(0, kValueTypeForSeekForPrev);
      source_.Seek(target_);
    }
    FindForward();
  }
  void Prev() override {
    assert(valid_);
    PERF_COUNTER_ADD(iter_prev_count, 1);
    if (stands_forward_) {
      AimFromShown(kMaxSequenceNumber, kValueTypeForSeek);
      source_.SeekForPrev(target_);
    }
    FindBackward();
  }

  void Prepare(const MultiScanArgs& args) override {
    valid_ = false;
    if (!build_status_.ok()) return;
    prepared_.Prepare(args,
                      {.order = order_,
                       .is_async = request_.options.async_io,
                       .statistics = request_.super_version->cfd->statistics(),
                       .clock = request_.clock},
                      source_.iterator());
    status_ = prepared_.status();
  }

  Status Refresh(const Snapshot* snapshot) override {
    if (!request_.host->duties().renews) {
      return Status::NotSupported("Refresh() of this iterator");
    }
    if (snapshot != nullptr && !request_.has_snapshots) {
      return Status::NotSupported("Refresh() to a snapshot");
    }
    valid_ = false;
    SequenceNumber newest = 0;
    SuperVersion* const state = request_.host->Acquire(&newest);
    Drop();
    request_.super_version = state;
    request_.snapshot =
        snapshot != nullptr ? snapshot->GetSequenceNumber() : newest;
    Build();
    return status_;
  }

  Status GetProperty(std::string name, std::string* value) override {
    INVARIANT(value != nullptr);
    if (name == "rocksdb.iterator.super-version-number") {
      *value = std::to_string(request_.super_version->number);
    } else if (!valid_) {
      return Status::InvalidArgument("Iterator is not valid.");
    } else if (name == "rocksdb.iterator.internal-key") {
      *value = key_;
    } else if (name == "rocksdb.iterator.is-key-pinned" ||
               name == "rocksdb.iterator.is-value-pinned") {
      *value = "0";
    } else {
      return Status::InvalidArgument("Unidentified property.", name);
    }
    return Status::OK();
  }

 private:
  void Build() {
    const SuperVersion& state = *request_.super_version;
    INVARIANT(state.cfd != nullptr && state.options != nullptr);
    INVARIANT(!tombstones_.has_value());
    order_ = &state.cfd->order();
    INVARIANT(order_->timestamp_size() == newest_.size());
    blobs_.emplace(&request_.options, &state.current->storage(),
                   state.cfd->blobs());
    tombstones_.emplace(state, request_.options, request_.snapshot);
    build_status_ = request_.options.tailing
                        ? Status::NotSupported("tailing with iter_start_ts")
                        : CheckHistory(request_.options, state);
    if (build_status_.ok()) build_status_ = tombstones_->Init();
    if (build_status_.ok()) {
      ScanSource source;
      build_status_ = NewScanSource({.options = &request_.options,
                                     .state = &state,
                                     .snapshot = request_.snapshot,
                                     .has_tombstones = !tombstones_->empty()},
                                    &source);
      if (build_status_.ok()) {
        source_ = IteratorWrapper(std::move(source.entries));
      }
    }
    status_ = build_status_;
  }
  void Drop() {
    INVARIANT(request_.super_version != nullptr);
    source_ = IteratorWrapper();
    prepared_.Forget();
    tombstones_.reset();
    blob_.Reset();
    request_.host->Release(request_.super_version);
  }

  bool Begin() {
    valid_ = false;
    key_.clear();
    prefix_.reset();
    PERF_COUNTER_ADD(iter_seek_count, 1);
    status_ = build_status_.ok() ? prepared_.status() : build_status_;
    return status_.ok();
  }
  void Fail(Status status) {
    valid_ = false;
    status_ = std::move(status);
  }

  // To the last version of all, or at or before `target`, that the upper bound
  // allows.
  void SeekForward(const Slice& target) {
    if (!Begin()) return;
    const Slice* lower = request_.options.iterate_lower_bound;
    const bool is_before =
        lower != nullptr && order_->CompareGiven(target, *lower) < 0;
    const Slice from = is_before ? *lower : target;
    NotePrefix(target);
    Aim(from, newest_, kMaxSequenceNumber, kValueTypeForSeek);
    source_.Seek(target_);
    FindForward();
  }
  void SeekBackward(const Slice* target) {
    if (!Begin()) return;
    if (target != nullptr) NotePrefix(*target);
    const Slice* upper = request_.options.iterate_upper_bound;
    if (upper != nullptr &&
        (target == nullptr || order_->CompareGiven(*target, *upper) >= 0)) {
      target_ = WithMaxTimestamp(*upper, order_->timestamp_size());
      AppendInternalKey(&target_, Slice(), kMaxSequenceNumber,
                        kValueTypeForSeek);
      source_.SeekForPrev(target_);
    } else if (target != nullptr) {
      Aim(*target, oldest_, 0, kValueTypeForSeekForPrev);
      source_.SeekForPrev(target_);
    } else {
      source_.SeekToLast();
    }
    FindBackward();
  }

  // target_ is a key that a user gave, with a timestamp.
  void Aim(const Slice& given, const Slice& timestamp, SequenceNumber sequence,
           ValueType type) {
    target_.assign(given.data(), given.size());
    AppendInternalKey(&target_, timestamp, sequence, type);
  }
  void AimFromShown(SequenceNumber sequence, ValueType type) {
    target_.clear();
    AppendInternalKey(&target_, ExtractUserKey(key_), sequence, type);
  }

  const SliceTransform* PrefixExtractor() const {
    return request_.super_version->options->prefix_extractor.get();
  }
  void NotePrefix(const Slice& given) {
    const SliceTransform* extractor = PrefixExtractor();
    if (!request_.options.prefix_same_as_start || extractor == nullptr ||
        !extractor->InDomain(given)) {
      return;
    }
    prefix_ = extractor->Transform(given).ToString();
  }
  void NotePrefixOfShown() {
    if (!valid_) return;
    NotePrefix(
        WithoutTimestamp(ExtractUserKey(key_), order_->timestamp_size()));
  }
  bool IsOutside(const Slice& stored) const {
    const Slice* lower = request_.options.iterate_lower_bound;
    const Slice* upper = request_.options.iterate_upper_bound;
    if (lower != nullptr && order_->CompareToGiven(stored, *lower) < 0) {
      return true;
    }
    if (upper != nullptr && order_->CompareToGiven(stored, *upper) >= 0) {
      return true;
    }
    if (!prefix_) return false;
    const Slice given = WithoutTimestamp(stored, order_->timestamp_size());
    return !PrefixExtractor()->InDomain(given) ||
           PrefixExtractor()->Transform(given) != Slice(*prefix_);
  }

  bool Parse(ParsedInternalKey* parsed) {
    assert(source_.Valid());
    if (ParseInternalKey(source_.key(), parsed) &&
        parsed->user_key.size() >= order_->timestamp_size()) {
      return true;
    }
    Fail(Status::Corruption("scan met a malformed internal key",
                            InternalKeyText(source_.key(), request_.key_text)));
    return false;
  }
  // Is the source's entry one to show? An error ends the walk.
  bool IsWanted(const ParsedInternalKey& entry) {
    if (entry.sequence > request_.snapshot) return false;
    const Comparator& user = *order_->user_comparator();
    const Slice own = TimestampOf(entry.user_key, order_->timestamp_size());
    if (user.CompareTimestamp(own, newest_) > 0) return false;
    if (user.CompareTimestamp(own, oldest_) < 0) return false;
    bool deleted = false;
    Status s = tombstones_->IsDeleted(entry.user_key, entry.sequence, &deleted);
    if (!s.ok()) Fail(std::move(s));
    return status_.ok() && !deleted;
  }
  bool HasShownKey(const Slice& stored) const {
    return !key_.empty() &&
           order_->CompareStored(stored, ExtractUserKey(key_)) == 0;
  }
  bool SkippedTooMany(uint64_t* skipped) {
    const uint64_t limit = request_.options.max_skippable_internal_keys;
    if (limit == 0 || ++*skipped <= limit) return false;
    Fail(Status::Incomplete("Too many internal keys skipped."));
    return true;
  }

  // From the source's position on. Writes of the key and timestamp that were
  // shown last are passed over: they are older, or it is what was shown.
  void FindForward() {
    stands_forward_ = true;
    valid_ = false;
    uint64_t skipped = 0;
    for (; source_.Valid(); source_.Next()) {
      ParsedInternalKey entry;
      if (!Parse(&entry)) return;
      if (IsOutside(entry.user_key)) return;
      if (!HasShownKey(entry.user_key) && IsWanted(entry)) {
        const std::string key = source_.key().ToString();
        Slice value;
        if (!source_.GetValue(&value)) break;
        Show(key, value.ToString());
        return;
      }
      if (!status_.ok() || SkippedTooMany(&skipped)) return;
    }
    if (!source_.status().ok()) Fail(source_.status());
  }

  // From the source's position back: of the writes of one key and timestamp,
  // which come oldest first, the last that is wanted. The source ends up
  // before them all.
  void FindBackward() {
    stands_forward_ = false;
    valid_ = false;
    uint64_t skipped = 0;
    std::string found_key;
    std::string found_value;
    for (; source_.Valid(); source_.Prev()) {
      ParsedInternalKey entry;
      if (!Parse(&entry)) return;
      const bool is_next =
          !found_key.empty() &&
          order_->CompareStored(entry.user_key, ExtractUserKey(found_key)) != 0;
      if (is_next || IsOutside(entry.user_key)) break;
      if (!HasShownKey(entry.user_key) && IsWanted(entry)) {
        found_key = source_.key().ToString();
        Slice value;
        if (!source_.GetValue(&value)) break;
        found_value = value.ToString();
      } else if (!status_.ok() || SkippedTooMany(&skipped)) {
        return;
      }
    }
    if (!source_.Valid() && !source_.status().ok()) {
      return Fail(source_.status());
    }
    if (!found_key.empty()) Show(found_key, found_value);
  }

  void Show(const std::string& key, const std::string& value) {
    key_ = key;
    value_bytes_ = value;
    value_ = value_bytes_;
    columns_.clear();
    Status s;
    switch (ExtractType(key_)) {
      case kTypeBlobIndex:
        blob_.Reset();
        s = blobs_->Fetch(ExtractUserKey(key_), value_bytes_, &blob_);
        value_ = blob_;
        break;
      case kTypeValuePreferredSeqno:
        if (value_.size() < sizeof(uint64_t)) {
          s = Status::Corruption("value without its preferred sequence");
        } else {
          value_.remove_suffix(sizeof(uint64_t));
        }
        break;
      case kTypeWideColumnEntity:
        s = InlineBlobs(&*blobs_, ExtractUserKey(key_), &value_bytes_);
        if (s.ok()) s = DecodeWideColumns(value_bytes_, &columns_);
        value_.clear();
        if (s.ok() && !columns_.empty() && columns_.front().name().empty()) {
          value_ = columns_.front().value();
        }
        break;
      default:
        break;
    }
    if (!s.ok()) return Fail(std::move(s));
    if (columns_.empty()) columns_.emplace_back(kDefaultWideColumnName, value_);
    valid_ = true;
  }

  UserIteratorRequest request_;
  // What is read as of, and the oldest to show.
  const std::string newest_bytes_;
  const std::string oldest_bytes_;
  const Slice newest_;
  const Slice oldest_;
  const InternalKeyComparator* order_ = nullptr;
  PreparedRanges prepared_;
  IteratorWrapper source_;
  std::optional<TombstoneView> tombstones_;
  std::optional<VersionBlobs> blobs_;
  Status build_status_;

  bool valid_ = false;
  // The source is at what is shown, or else before it.
  bool stands_forward_ = true;
  Status status_;
  std::string key_;  // internal; of what was shown last
  std::string value_bytes_;
  Slice value_;
  WideColumns columns_;
  PinnableSlice blob_;
  std::string target_;
  std::optional<std::string> prefix_;
};

}  // namespace

std::unique_ptr<Iterator> NewHistoryIterator(UserIteratorRequest request) {
  INVARIANT(request.options.timestamp != nullptr);
  INVARIANT(request.options.iter_start_ts != nullptr);
  return std::make_unique<HistoryIterator>(std::move(request));
}

}  // namespace ROCKSDB_NAMESPACE

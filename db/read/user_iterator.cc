#include "db/read/user_iterator.h"

#include <algorithm>
#include <cassert>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "db/read/deletion_run.h"
#include "db/read/iterator_properties.h"
#include "db/read/merge_base.h"
#include "db/read/prepared_ranges.h"
#include "db/read/read_timestamp.h"
#include "db/read/scan_counts.h"
#include "db/read/scan_limits.h"
#include "db/read/scan_source.h"
#include "db/read/scan_watch.h"
#include "db/read/tombstone_view.h"
#include "db/read/version_blobs.h"
#include "db/version/column_family.h"
#include "monitoring/perf_context_imp.h"
#include "monitoring/stop_watch.h"
#include "rocksdb/snapshot.h"
#include "table/entity_blobs.h"
#include "table/full_merge.h"
#include "util/coding.h"
#include "util/invariant.h"
#include "util/key/timestamps.h"
#include "util/value/blob_references.h"
#include "util/value/wide_columns_coding.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// The view of one moment: sources and tombstones, and what holds them.
class UserIterator final : public Iterator {
 public:
  explicit UserIterator(UserIteratorRequest request)
      : request_(std::move(request)) {
    INVARIANT(request_.super_version != nullptr);
    INVARIANT(request_.host != nullptr);
    ReadOptions& read = request_.options;
    if (read.timestamp != nullptr) {
      timestamp_bytes_ = read.timestamp->ToString();
      timestamp_ = timestamp_bytes_;
      read.timestamp = &timestamp_;
    }
    if (!host().duties().renews) {
      read.tailing = read.auto_refresh_iterator_with_snapshot = false;
    }
    has_snapshot_ = read.snapshot != nullptr;
    changes_view_ = read.tailing || read.auto_refresh_iterator_with_snapshot;
    asks_prefix_filters_ = read.auto_prefix_mode || !read.total_order_seek;
    // Tables of an application's own factory read this; what a seek may pass
    // over is said by the seek.
    read.total_order_seek = true;
    Build();
  }
  ~UserIterator() override {
    counts_.TellAll(statistics_);
    RecordTick(statistics_, NO_ITERATOR_DELETED);
    Drop();
  }

  bool Valid() const override { return valid_; }
  Slice key() const override {
    assert(valid_);
    return Given(key_);
  }
  Slice timestamp() const override {
    assert(valid_);
    return TimestampOf(key_, timestamp_size_);
  }
  Slice value() const override {
    assert(valid_);
    return value_;
  }
  // A plain value is its entity's default column; made only when asked for.
  const WideColumns& columns() const override {
    assert(valid_);
    if (columns_.empty() && !is_entity_) {
      columns_.emplace_back(kDefaultWideColumnName, value_);
    }
    return columns_;
  }
  Status status() const override { return status_; }

  bool PrepareValue() override {
    assert(valid_);
    if (!is_unprepared_) return true;
    is_unprepared_ = false;
    if (!is_unread_) {
      return is_entity_ ? ShowEntity(unprepared_) : ShowBlob(unprepared_);
    }
    is_unread_ = false;
    return ReadUnread();
  }

  void SeekToFirst() override {
    if (!Begin(Direction::kForward)) return;
    const OperationWatch watch(request_.clock, statistics_, DB_SEEK);
    PERF_CPU_TIMER_GUARD(iter_seek_cpu_nanos);
    PERF_TIMER_GUARD(seek_internal_seek_time);
    const Slice* lower = request_.options.iterate_lower_bound;
    if (lower != nullptr) {
      AimAtVisible(*lower);
      SeekSource();
    } else {
      source_.SeekToFirst();
    }
    PERF_TIMER_STOP(seek_internal_seek_time);
    PERF_TIMER_GUARD(find_next_user_entry_time);
    FindForward();
    if (valid_) NotePrefix(key());
    CountSeek();
    if (watch_.EndSeek()) AskForFlush();
  }

  void Seek(const Slice& target) override {
    request_.seek_trace.Seek(target, request_.options);
    const Slice sought = Outlasting(target);
    if (!Begin(Direction::kForward)) return;
    const OperationWatch watch(request_.clock, statistics_, DB_SEEK);
    PERF_CPU_TIMER_GUARD(iter_seek_cpu_nanos);
    const Slice* lower = request_.options.iterate_lower_bound;
    const bool is_below =
        lower != nullptr && order_->CompareGiven(sought, *lower) < 0;
    NotePrefix(sought);
    AimAtVisible(is_below ? *lower : sought);
    // A seek below the bound must not use the filter for the bound's prefix:
    // the caller asked for a smaller key.
    const bool is_in_prefix = asks_prefix_filters_ && !is_below;
    PERF_TIMER_GUARD(seek_internal_seek_time);
    if (is_in_prefix) {
      PERF_COUNTER_ADD(seek_child_seek_count, merged_runs_);
      source_.SeekInPrefix(target_);
    } else {
      SeekSource();
    }
    PERF_TIMER_STOP(seek_internal_seek_time);
    misses_prefixes_ =
        is_in_prefix && request_.super_version->options->prefix_extractor;
    PERF_TIMER_GUARD(find_next_user_entry_time);
    FindForward();
    CountSeek();
    if (watch_.EndSeek()) AskForFlush();
  }

  void SeekToLast() override {
    SeekBackward(nullptr);
    if (valid_) NotePrefix(key());
  }

  void SeekForPrev(const Slice& target) override {
    request_.seek_trace.SeekForPrev(target, request_.options);
    const Slice sought = Outlasting(target);
    SeekBackward(&sought);
  }

  void Next() override {
    assert(valid_);
    PerfTimer timer = counts_.BeginNext();
    timer.Start();
    if (changes_view_ && !ChangeView()) return;
    uint64_t passed = 0;
    if (direction_ == Direction::kBackward) {
      TurnForward();
    } else {
      // The source stands on the entry that was shown, or, after a merge, on
      // what the operands went onto, or behind them.
      saved_key_.assign(key_.data(), key_.size());
      if (source_at_entry_) {
        source_.Next();
        passed = is_merged_ ? 0 : 1;
      }
      skipping_ = true;
    }
    skipped_ = 0;
    FindForward();
    counts_.EndNext(valid_, FoundBytes(), passed);
    if (watch_.EndStep()) AskForFlush();
  }

  void Prev() override {
    assert(valid_);
    PerfTimer timer = counts_.BeginPrev();
    timer.Start();
    if (changes_view_ && !ChangeView()) return;
    if (run_.is_on()) run_.BeginBelow(key_);
    if (direction_ == Direction::kForward) {
      saved_key_.assign(key_.data(), key_.size());
      direction_ = Direction::kBackward;
      SeekBefore(Given(saved_key_));
    }
    skipped_ = 0;
    FindBackward();
    counts_.EndPrev(valid_, FoundBytes());
  }

  void Prepare(const MultiScanArgs& args) override {
    valid_ = false;
    if (!build_status_.ok()) return;
    const bool is_async = request_.options.async_io;
    prepared_.Prepare(args, {order_, is_async, statistics_, request_.clock},
                      source_.iterator());
    status_ = prepared_.status();
  }

  Status Refresh(const Snapshot* snapshot) override {
    if (!host().duties().renews) {
      return Status::NotSupported("Refresh() of this iterator");
    }
    if (snapshot != nullptr && !request_.has_snapshots) {
      return Status::NotSupported("Refresh() to a snapshot");
    }
    valid_ = false;
    has_snapshot_ = snapshot != nullptr;
    SequenceNumber newest = 0;
    SuperVersion* const state = host().Acquire(&newest);
    Rebuild(state, has_snapshot_ ? snapshot->GetSequenceNumber() : newest);
    return status_;
  }

  Status GetProperty(std::string name, std::string* value) override {
    INVARIANT(value != nullptr);
    IteratorState state{.super_version_number = request_.super_version->number,
                        .pins_data = pins_data()};
    if (valid_) state.key = key_;
    return IteratorProperty(state, name, value);
  }

 private:
  using Direction = DeletionRun::Direction;

  IteratorHost& host() const { return *request_.host; }
  void Build() {
    const SuperVersion& state = *request_.super_version;
    INVARIANT(state.cfd != nullptr);
    INVARIANT(state.options != nullptr);
    // What the view before held is gone.
    INVARIANT(!tombstones_.has_value());
    order_ = &state.cfd->order();
    timestamp_size_ = order_->timestamp_size();
    statistics_ = state.cfd->statistics();
    reseek_after_ = state.options->max_sequential_skip_in_iterations;
    if (host().duties().flushes) {
      watch_.Begin(*state.mem, *state.options);
    }
    if (host().duties().takes_dead_ranges) {
      run_.Watch(state, request_.options, request_.snapshot);
    }
    merge_.merge_operator = state.cfd->ioptions().merge_operator.get();
    merge_.statistics = statistics_;
    merge_.clock = request_.clock;
    blobs_.emplace(&request_.options, &state.current->storage(),
                   state.cfd->blobs());
    tombstones_.emplace(state, request_.options, request_.snapshot);
    build_status_ = CheckHistory(request_.options, state);
    if (build_status_.ok()) build_status_ = tombstones_->Init();
    if (build_status_.ok()) {
      ScanSource source;
      build_status_ = NewScanSource({.options = &request_.options,
                                     .state = &state,
                                     .snapshot = request_.snapshot,
                                     .has_tombstones = !tombstones_->empty()},
                                    &source);
      merged_runs_ = source.merged_runs;
      if (build_status_.ok()) {
        source_ = IteratorWrapper(std::move(source.entries));
      }
    }
    status_ = build_status_;
    has_tombstones_ = !tombstones_->empty();
  }

  void Drop() {
    INVARIANT(request_.super_version != nullptr);
    source_ = IteratorWrapper();
    prepared_.Forget();
    tombstones_.reset();
    blob_.Reset();  // It may pin an entry of the family's cache.
    host().Release(request_.super_version);
  }

  // Goes over to `state`, of which one reference passes over.
  void Rebuild(SuperVersion* state, SequenceNumber snapshot) {
    INVARIANT(state != nullptr);
    Drop();
    request_.super_version = state;
    request_.snapshot = snapshot;
    Build();
  }

  // A tailing iterator sees what has been written since. False: nothing has.
  bool CatchUp() {
    uint64_t newest_state = 0;
    const SequenceNumber newest = host().Newest(&newest_state);
    const SuperVersion& state = *request_.super_version;
    if (newest_state == state.number && newest == request_.snapshot) {
      return false;
    }
    // The memtable may show what is new by itself, but for range tombstones.
    if (newest_state == state.number && state.mem->HasLiveCursors() &&
        !state.mem->HasRangeTombstones() && !has_tombstones_) {
      request_.snapshot = newest;
      return true;
    }
    SequenceNumber snapshot = 0;
    SuperVersion* const present = host().Acquire(&snapshot);
    Rebuild(present, snapshot);
    return true;
  }

  // Lets go of files that only this iterator still holds. False: there are
  // none.
  bool FollowFiles() {
    uint64_t newest_state = 0;
    (void)host().Newest(&newest_state);
    if (!has_snapshot_ || newest_state == request_.super_version->number) {
      return false;
    }
    SequenceNumber unused = 0;
    SuperVersion* const present = host().Acquire(&unused);
    Rebuild(present, request_.snapshot);
    return true;
  }

  // Before a step: goes over to what there is now, and stands there beside the
  // present key, as after a turn. False: there is no view to step in.
  bool ChangeView() {
    saved_key_.assign(key_.data(), key_.size());
    if (!(request_.options.tailing ? CatchUp() : FollowFiles())) return true;
    key_ = saved_key_;
    source_at_entry_ = false;
    valid_ = build_status_.ok();
    if (!valid_) return false;
    if (direction_ == Direction::kForward) {
      AimBehind(Given(saved_key_));
      source_.Seek(target_);
    } else {
      SeekBefore(Given(saved_key_));
    }
    return true;
  }

  // A tailing iterator may leave the view that its key, the target perhaps, is
  // in.
  Slice Outlasting(const Slice& target) {
    if (!request_.options.tailing) return target;
    sought_.assign(target.data(), target.size());
    return sought_;
  }

  // Clears the state of the position before. False: the iterator could not be
  // made at all.
  bool Begin(Direction direction) {
    valid_ = false;
    if (request_.options.tailing) CatchUp();
    direction_ = direction;
    skipping_ = false;
    skipped_ = 0;
    limits_.Begin();
    misses_prefixes_ = false;
    status_ = build_status_.ok() ? prepared_.status() : build_status_;
    return status_.ok();
  }

  void Fail(Status status) {
    valid_ = false;
    status_ = std::move(status);
  }

  // To the last entry of all, or at or before `target`, that the upper bound
  // allows.
  void SeekBackward(const Slice* target) {
    if (!Begin(Direction::kBackward)) return;
    const OperationWatch watch(request_.clock, statistics_, DB_SEEK);
    PERF_CPU_TIMER_GUARD(iter_seek_cpu_nanos);
    if (target != nullptr) NotePrefix(*target);
    const Slice* upper = request_.options.iterate_upper_bound;
    PERF_TIMER_GUARD(seek_internal_seek_time);
    if (upper != nullptr &&
        (target == nullptr || order_->CompareGiven(*target, *upper) >= 0)) {
      SeekBefore(*upper);
    } else if (target != nullptr) {
      AimBehind(*target);
      SeekSourceForPrev();
    } else {
      source_.SeekToLast();
    }
    PERF_TIMER_STOP(seek_internal_seek_time);
    PERF_TIMER_GUARD(find_next_user_entry_time);
    run_.BeginBelow(Slice());
    FindBackward();
    CountSeek();
  }

  void NotePrefix(const Slice& target) {
    limits_.NotePrefix(request_.super_version->options->prefix_extractor,
                       target);
  }

  // The key as the user gives it.
  Slice Given(const Slice& stored) const {
    assert(stored.size() >= timestamp_size_);
    return Slice(stored.data(), stored.size() - timestamp_size_);
  }
  // target_ is where the versions of `given` begin that can be seen, or behind
  // all of its versions.
  void AimAtVisible(const Slice& given) {
    SetSeekKey(given, timestamp_, request_.snapshot, &target_);
  }
  void AimBehind(const Slice& given) {
    SetKeyBehind(given, timestamp_size_, &target_);
  }

  void SeekSource() {
    PERF_COUNTER_ADD(seek_child_seek_count, merged_runs_);
    source_.Seek(target_);
  }
  void SeekSourceForPrev() {
    PERF_COUNTER_ADD(seek_child_seek_count, merged_runs_);
    source_.SeekForPrev(target_);
  }

  // The source goes to the last entry before every version of `given`.
  void SeekBefore(const Slice& given) {
    assert(direction_ == Direction::kBackward);
    SetKeyBefore(given, timestamp_size_, &target_);
    source_.SeekForPrev(target_);
    // A boundary of a table may carry the very key that was asked for.
    while (source_.Valid() &&
           order_->CompareToGiven(ExtractUserKey(source_.key()), given) >= 0) {
      source_.Prev();
    }
  }

  void TurnForward() {
    assert(valid_);
    assert(direction_ == Direction::kBackward);
    direction_ = Direction::kForward;
    saved_key_.assign(key_.data(), key_.size());
    AimBehind(Given(saved_key_));
    source_.Seek(target_);
    skipping_ = true;
  }

  // Too many hidden entries in a row for one call.
  bool SkippedTooMany() {
    ++counts_.skipped;
    return IsAtLimit();
  }
  bool IsAtLimit() {
    const uint64_t limit = request_.options.max_skippable_internal_keys;
    if (limit == 0 || ++skipped_total_ <= limit) return false;
    Fail(Status::Incomplete("Too many internal keys skipped."));
    return true;
  }

  bool Parse(ParsedInternalKey* parsed) {
    assert(parsed != nullptr);
    assert(source_.Valid());
    if (ParseInternalKey(source_.key(), parsed) &&
        parsed->user_key.size() >= timestamp_size_) {
      return true;
    }
    Fail(Status::Corruption("scan met a malformed internal key",
                            InternalKeyText(source_.key(), request_.key_text)));
    return false;
  }

  // From the source's position on, the first user key that has a visible
  // value. While skipping_, versions of saved_key_ are passed over.
  void FindForward() {
    run_.BeginForward();
    WalkForward();
    if (run_.IsLong()) HideRun(EndOfWalk());
  }

  // All that the source has before it, from where the walk began, was seen.
  std::optional<Slice> EndOfWalk() const {
    if (valid_) return key_;
    if (!status_.ok()) return std::nullopt;
    // Beyond the bound, parts of the source may have stopped.
    const Slice* upper = request_.options.iterate_upper_bound;
    std::optional<Slice> end;
    if (upper != nullptr) end = *upper;
    if (!source_.Valid()) return end;
    const Slice at = ExtractUserKey(source_.key());
    return end && order_->CompareUserKeys(at, *end) > 0 ? end : at;
  }

  void HideRun(const std::optional<Slice>& end) {
    // Of too many in a row it has seen those before.
    const bool is_sure = status_.ok() || status_.IsIncomplete();
    if (!is_sure || misses_prefixes_ || prepared_.is_active()) return;
    RangeTombstone dead;
    if (run_.Take(direction_, end, &dead)) {
      host().HideRange(*request_.super_version, dead);
    }
  }

  void PassNewer(const Slice& user_key) {
    if (run_.IsLong()) HideRun(user_key);
    run_.PassNewer();
  }

  void WalkForward() {
    assert(direction_ == Direction::kForward);
    assert(build_status_.ok());
    skipped_total_ = 0;
    valid_ = false;
    ParsedInternalKey entry;
    while (source_.Valid()) {
      if (!Parse(&entry)) return;
      if (limits_.IsBeyondUpper(*order_, entry.user_key)) return;
      if (skipping_ && order_->EqualUserKeys(entry.user_key, saved_key_)) {
        watch_.NoteHidden(entry.sequence);
        PERF_COUNTER_ADD(internal_key_skipped_count, 1);
        if (SkippedTooMany()) return;
        SkipVersion();
        continue;
      }
      if (!IsVisible(entry)) {
        watch_.NoteHidden(entry.sequence);
        if (run_.is_on()) PassNewer(entry.user_key);
        if (SkippedTooMany()) return;
        SkipInvisible(entry.user_key);
        continue;
      }
      skipping_ = false;
      skipped_ = 0;
      if (ShowForward(entry)) return;
    }
    if (!source_.status().ok()) Fail(source_.status());
  }

  void AskForFlush() { host().FlushSoon(*request_.super_version); }

  // One more version of a key that is done with: after many, a seek behind
  // the last of them is cheaper.
  void SkipVersion() {
    assert(skipping_);
    assert(source_.Valid());
    if (++skipped_ <= reseek_after_) {
      source_.Next();
      return;
    }
    skipped_ = 0;
    RecordTick(statistics_, NUMBER_OF_RESEEKS_IN_ITERATION);
    AimBehind(Given(saved_key_));
    SeekSource();
    // The last possible version may itself be there.
    if (source_.Valid() && source_.key() == Slice(target_)) source_.Next();
  }

  bool IsVisible(const ParsedInternalKey& entry) const {
    return entry.sequence <= request_.snapshot &&
           (timestamp_size_ == 0 || !IsTooNew(entry.user_key));
  }
  bool IsTooNew(const Slice& user_key) const {
    return order_->user_comparator()->CompareTimestamp(
               TimestampOf(user_key, timestamp_size_), timestamp_) > 0;
  }

  // A version newer than the snapshot, or than the timestamp that is read as
  // of: the visible ones follow it.
  void SkipInvisible(const Slice& user_key) {
    assert(source_.Valid());
    PERF_COUNTER_ADD(internal_recent_skipped_count, 1);
    if (++skipped_ <= reseek_after_) {
      source_.Next();
      return;
    }
    skipped_ = 0;
    RecordTick(statistics_, NUMBER_OF_RESEEKS_IN_ITERATION);
    if (timestamp_size_ == 0 || IsTooNew(user_key)) {
      AimAtVisible(Given(user_key));
    } else {
      // Those of its own timestamp first.
      SetSeekKey(user_key, Slice(), request_.snapshot, &target_);
    }
    SeekSource();
  }

  // The newest visible version of a user key. True: the search ends, with an
  // entry to show or an error.
  bool ShowForward(const ParsedInternalKey& entry) {
    assert(!skipping_);
    assert(entry.sequence <= request_.snapshot);
    bool deleted = false;
    if (has_tombstones_ && !CheckDeleted(entry, &deleted)) return true;
    if (deleted || IsPointDeletion(entry.type)) {
      watch_.NoteHidden(entry.sequence);
      if (deleted) {
        // What a range tombstone hides is none of the entries that count.
        if (IsAtLimit()) return true;
      } else {
        PERF_COUNTER_ADD(internal_delete_skipped_count, 1);
        if (SkippedTooMany()) return true;
      }
      saved_key_.assign(entry.user_key.data(), entry.user_key.size());
      if (run_.is_on() && !deleted) run_.Add(saved_key_, entry.sequence);
      skipping_ = true;
      source_.Next();
      return false;
    }
    if (entry.type == kTypeMerge) {
      MergeForward(entry.user_key);
      return true;
    }
    key_ = entry.user_key;
    source_at_entry_ = true;
    is_merged_ = false;
    if (request_.options.allow_unprepared_value && !source_.HasValue()) {
      ShowUnread(entry.type);
      return true;
    }
    Slice value;
    if (!ReadValue(&value)) return true;
    if (pins_data()) [[unlikely]] {
      const InternalIterator& at = *source_.iterator();
      if (changes_view_ || !at.IsKeyPinned()) key_ = Keep(key_);
      if (changes_view_ || !at.IsValuePinned()) value = Keep(value);
    }
    Show(entry.type, value);
    return true;
  }

  // The value of the source's entry. False: it cannot be read.
  bool ReadValue(Slice* value) {
    const bool is_read = source_.GetValue(value);
    if (!is_read) Fail(source_.status());
    return is_read;
  }
  // The current entry is the source's, whose block has not been read.
  void ShowUnread(ValueType type) {
    assert(source_at_entry_);
    Show(kTypeValue, Slice());
    is_unprepared_ = is_unread_ = true;
    unread_type_ = type;
  }
  bool ReadUnread() {
    assert(valid_ && source_at_entry_);
    valid_ = false;
    Slice value;
    if (!ReadValue(&value)) return false;
    Show(unread_type_, value);
    // Asked for is asked for: its blob too.
    return valid_ && (!is_unprepared_ || PrepareValue());
  }

  bool CheckDeleted(const ParsedInternalKey& entry, bool* deleted) {
    assert(deleted != nullptr);
    assert(tombstones_.has_value());
    Status s = tombstones_->IsDeleted(entry.user_key, entry.sequence, deleted);
    if (s.ok()) return true;
    Fail(std::move(s));
    return false;
  }

  bool pins_data() const { return request_.options.pin_data; }
  // A copy that stays as long as the iterator.
  Slice Keep(const Slice& bytes) {
    return kept_.emplace_back(bytes.data(), bytes.size());
  }
  // (key_, value) are in memory that the next step writes over.
  void ShowOwn(ValueType type, const Slice& value) {
    if (!pins_data()) return Show(type, value);
    key_ = Keep(key_);
    Show(type, Keep(value));
  }

  // Makes (key_, value) the current entry.
  void Show(ValueType type, const Slice& value) {
    assert(!valid_);
    assert(status_.ok());
    if (!columns_.empty()) columns_.clear();
    is_entity_ = type == kTypeWideColumnEntity;
    is_unprepared_ = false;
    is_unread_ = false;
    switch (type) {
      case kTypeValue:
        value_ = value;
        break;
      case kTypeValuePreferredSeqno:
        if (value.size() < sizeof(uint64_t)) {
          Fail(Status::Corruption("value without its preferred sequence"));
          return;
        }
        value_ = Slice(value.data(), value.size() - sizeof(uint64_t));
        break;
      case kTypeWideColumnEntity:
      case kTypeBlobIndex:
        is_unprepared_ = request_.options.allow_unprepared_value &&
                         RefersToBlobs(type, value);
        if (is_unprepared_) {
          unprepared_.assign(value.data(), value.size());
          value_.clear();
        } else if (is_entity_ ? !ShowEntity(value) : !ShowBlob(value)) {
          return;
        }
        break;
      default:
        Fail(Status::Corruption("scan met a value of unknown type",
                                std::to_string(static_cast<int>(type))));
        return;
    }
    valid_ = true;
  }

  bool ShowBlob(const Slice& reference) {
    assert(!is_unprepared_);
    blob_.Reset();
    Status s = blobs_->Fetch(key_, reference, &blob_);
    if (!s.ok()) {
      Fail(std::move(s));
      return false;
    }
    value_ = pins_data() ? Keep(blob_) : blob_;
    if (!columns_.empty()) columns_.clear();
    return true;
  }

  bool ShowEntity(Slice entity) {
    assert(columns_.empty() && is_entity_);
    Status s;
    if (RefersToBlobs(entity)) {
      entity_.assign(entity.data(), entity.size());
      s = InlineBlobs(&*blobs_, key_, &entity_);
      entity = pins_data() ? Keep(entity_) : Slice(entity_);
    }
    if (s.ok()) s = DecodeWideColumns(entity, &columns_);
    if (!s.ok()) {
      Fail(std::move(s));
      return false;
    }
    value_.clear();
    if (!columns_.empty() && columns_.front().name().empty()) {
      value_ = columns_.front().value();
    }
    return true;
  }

  // The source stands on the newest visible version, a merge operand.
  void MergeForward(const Slice& user_key) {
    assert(direction_ == Direction::kForward);
    saved_key_.assign(user_key.data(), user_key.size());
    if (!GatherVersions()) return;
    // The first entry is an operand, or this were not called.
    assert(!operands_.empty());
    // What is left of the key is passed over by the next Next().
    source_at_entry_ = base_type_.has_value();
    is_merged_ = true;
    key_ = saved_key_;
    ShowMerged();
  }

  // The source stands at or before the newest visible version of saved_key_,
  // which gets its timestamp: from there down, operands_ and what they stand
  // on. The source is left behind what it used. False: an error.
  bool GatherVersions() {
    operands_.clear();
    base_type_.reset();
    for (; source_.Valid(); source_.Next()) {
      ParsedInternalKey entry;
      if (!Parse(&entry)) return false;
      if (!order_->EqualUserKeys(entry.user_key, saved_key_)) break;
      // Written later, as of an older timestamp.
      if (!IsVisible(entry)) continue;
      if (operands_.empty() && timestamp_size_ != 0) {
        saved_key_.assign(entry.user_key.data(), entry.user_key.size());
      }
      bool deleted = false;
      if (has_tombstones_ && !CheckDeleted(entry, &deleted)) return false;
      if (deleted || IsPointDeletion(entry.type)) break;
      Slice value;
      if (!ReadValue(&value)) return false;
      if (entry.type != kTypeMerge) {
        base_type_ = entry.type;
        base_.assign(value.data(), value.size());
        if (timestamp_size_ != 0) base_key_ = entry.user_key.ToString();
        break;
      }
      operands_.push_back(value.ToString());
    }
    if (!source_.Valid() && !source_.status().ok()) {
      Fail(source_.status());
      return false;
    }
    std::reverse(operands_.begin(), operands_.end());
    return true;
  }

  void ShowMerged() {
    assert(!operands_.empty());
    MergeBase onto = MergeBase::None();
    Status s;
    if (base_type_) {
      const Slice stored = timestamp_size_ != 0 ? Slice(base_key_) : key_;
      s = MakeMergeBase({*base_type_, stored, &base_}, &*blobs_, &blob_, &onto);
    }
    const std::vector<Slice> operands(operands_.begin(), operands_.end());
    PERF_COUNTER_ADD(internal_merge_count, operands.size());
    RecordInHistogram(statistics_, READ_NUM_MERGE_OPERANDS, operands.size());
    if (s.ok()) s = FullMerge(merge_, Given(key_), onto, operands, &merged_);
    if (!s.ok()) return Fail(std::move(s));
    ShowOwn(merged_.type, merged_.value);
  }

  // From the source's position back, the first user key that has a visible
  // value. The source ends up before all its versions.
  void FindBackward() {
    assert(direction_ == Direction::kBackward);
    assert(build_status_.ok());
    skipped_total_ = 0;
    valid_ = false;
    while (source_.Valid()) {
      ParsedInternalKey entry;
      if (!Parse(&entry)) break;
      if (limits_.IsBeforeLower(*order_, entry.user_key)) break;
      if (ShowBackward(entry.user_key)) break;
    }
    if (!source_.Valid() && !source_.status().ok()) Fail(source_.status());
    if (run_.IsLong()) HideRun(std::nullopt);
  }

  // Versions come oldest first: the last visible one decides. True: the
  // search ends.
  bool ShowBackward(const Slice& user_key) {
    assert(source_.Valid());
    saved_key_.assign(user_key.data(), user_key.size());
    operands_.clear();
    base_.clear();
    base_type_.reset();
    deleted_at_ = 0;
    is_covered_ = false;
    bool has_newer = false;
    for (uint64_t seen = 0; source_.Valid(); source_.Prev(), ++seen) {
      ParsedInternalKey entry;
      if (!Parse(&entry)) return true;
      if (!order_->EqualUserKeys(entry.user_key, saved_key_)) break;
      if (seen > 0 && SkippedTooMany()) return true;
      if (seen > reseek_after_) {
        if (!SeekVersions()) return true;
        has_newer = true;  // Perhaps: they are passed over.
        break;
      }
      if (!IsVisible(entry)) {
        PERF_COUNTER_ADD(internal_recent_skipped_count, 1);
        has_newer = true;
        continue;
      }
      if (!AddNewer(entry)) return true;
    }
    if (!source_.Valid() && !source_.status().ok()) {
      Fail(source_.status());
      return true;
    }
    key_ = saved_key_;
    if (!operands_.empty()) {
      ShowMerged();
      return true;
    }
    // The key is hidden: so is its last entry.
    if (!base_type_) {
      if (run_.is_on()) PassHidden(has_newer);
      return is_covered_ ? IsAtLimit() : SkippedTooMany();
    }
    ShowOwn(*base_type_, base_);
    return true;
  }

  // saved_key_ is hidden; `has_newer`: by what is in the view, at least.
  void PassHidden(bool has_newer) {
    if (has_newer) {
      if (run_.IsLong()) HideRun(std::nullopt);
      run_.BeginBelow(saved_key_);
    } else if (deleted_at_ > 0) {
      run_.Add(saved_key_, deleted_at_);
    }
  }

  // One more visible version of saved_key_, on those that were before it.
  // False: an error.
  bool AddNewer(const ParsedInternalKey& entry) {
    // The newest of them is the one to show.
    if (timestamp_size_ != 0) {
      saved_key_.assign(entry.user_key.data(), entry.user_key.size());
    }
    bool deleted = false;
    if (has_tombstones_ && !CheckDeleted(entry, &deleted)) return false;
    if (!deleted) PERF_COUNTER_ADD(internal_key_skipped_count, 1);
    if (deleted || IsPointDeletion(entry.type)) {
      if (!deleted) PERF_COUNTER_ADD(internal_delete_skipped_count, 1);
      base_type_.reset();
      operands_.clear();
      deleted_at_ = deleted ? 0 : entry.sequence;
      is_covered_ = deleted;
      return true;
    }
    if (entry.type != kTypeMerge && timestamp_size_ != 0) {
      base_key_ = entry.user_key.ToString();
    }
    Slice value;
    if (!ReadValue(&value)) return false;
    if (entry.type == kTypeMerge) {
      operands_.push_back(value.ToString());
      return true;
    }
    base_type_ = entry.type;
    base_.assign(value.data(), value.size());
    operands_.clear();
    return true;
  }

  // After many versions of a key a seek to the newest visible one is cheaper
  // than the rest of the way: gathers from there, and leaves the source before
  // all of them. False: an error.
  bool SeekVersions() {
    assert(direction_ == Direction::kBackward);
    RecordTick(statistics_, NUMBER_OF_RESEEKS_IN_ITERATION);
    AimAtVisible(Given(saved_key_));
    SeekSource();
    if (!GatherVersions()) return false;
    SeekBefore(Given(saved_key_));
    return true;
  }

  void CountSeek() {
    counts_.EndSeek(valid_, FoundBytes(), statistics_);
    if (!status_.ok() && prepared_.is_active()) {
      RecordTick(statistics_, MULTISCAN_SEEK_ERRORS);
    }
  }
  size_t FoundBytes() const { return valid_ ? key_.size() + value_.size() : 0; }

  UserIteratorRequest request_;
  ScanLimits limits_{&request_.options};
  ScanCounts counts_;
  ScanWatch watch_;
  DeletionRun run_;
  bool misses_prefixes_ = false;  // since a seek that asked their filters
  const InternalKeyComparator* order_ = nullptr;
  size_t timestamp_size_ = 0;
  // What is read as of; empty = keys have no timestamps.
  std::string timestamp_bytes_;
  Slice timestamp_;
  Statistics* statistics_ = nullptr;
  MergeContext merge_;
  uint64_t reseek_after_ = 0;
  PreparedRanges prepared_;
  IteratorWrapper source_;  // one virtual call a step
  size_t merged_runs_ = 0;
  std::optional<TombstoneView> tombstones_;
  std::optional<VersionBlobs> blobs_;
  bool has_tombstones_ = false;
  Status build_status_;

  Direction direction_ = Direction::kForward;
  bool valid_ = false;
  bool skipping_ = false;  // versions of saved_key_ are passed over
  // Forward: the source is on the last entry that is shown, or merged.
  bool source_at_entry_ = false;
  bool is_merged_ = false;
  uint64_t skipped_ = 0;
  uint64_t skipped_total_ = 0;
  Status status_;
  Slice key_;  // stored: with its timestamp
  Slice value_;
  mutable WideColumns columns_;
  bool is_entity_ = false;
  std::string entity_;  // whole, of one whose columns are in blob files
  std::string saved_key_;
  std::string target_;
  std::string sought_;
  std::vector<std::string> operands_;   // oldest first
  std::optional<ValueType> base_type_;  // of what they apply to, if anything
  SequenceNumber deleted_at_ = 0;  // backward: of the point deletion on top
  bool is_covered_ = false;        // backward: by a range tombstone
  std::string base_;
  std::string base_key_;          // with timestamps
  std::deque<std::string> kept_;  // pin_data
  // What the source pins goes with it, and each step may replace it.
  bool changes_view_ = false;
  // By the user's options.
  bool asks_prefix_filters_ = false;
  // The moment shown is a snapshot of the user's.
  bool has_snapshot_ = false;
  MergeResult merged_;
  PinnableSlice blob_;      // what value_ points to, if it is a blob
  std::string unprepared_;  // the reference to a blob that is not read yet
  bool is_unprepared_ = false;
  bool is_unread_ = false;  // nor is the block that it is in
  ValueType unread_type_ = kTypeValue;
};

}  // namespace

std::unique_ptr<Iterator> NewUserIterator(UserIteratorRequest request) {
  return std::make_unique<UserIterator>(std::move(request));
}

}  // namespace ROCKSDB_NAMESPACE

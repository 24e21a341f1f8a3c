#include "db/read/history_iterator.h"

#include <cassert>
#include <string>
#include <utility>

#include "db/family/column_family.h"
#include "db/read/iterator_properties.h"
#include "db/read/scan_limits.h"
#include "db/read/scan_view.h"
#include "db/read/shown_entry.h"
#include "db/read/skip_limit.h"
#include "monitoring/perf_context_imp.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// Every version is an entry of its own: a walk looks at one after the other,
// and combines nothing.
class HistoryIterator final : public Iterator {
 public:
  explicit HistoryIterator(UserIteratorRequest request)
      : view_(std::move(request)),
        limits_(&options()),
        skip_limit_(options().max_skippable_internal_keys),
        shown_(ShownEntry::Load::kAtOnce, /*pins_data=*/false) {
    BeginView();
  }

  bool Valid() const override { return valid_; }
  Slice key() const override {
    assert(valid_);
    return key_;
  }
  Slice timestamp() const override {
    assert(valid_);
    return TimestampOf(ExtractUserKey(key_), view_.rules().timestamp_size());
  }
  Slice value() const override {
    assert(valid_);
    return shown_.value();
  }
  const WideColumns& columns() const override {
    assert(valid_);
    return shown_.columns();
  }
  Status status() const override { return status_; }

  void SeekToFirst() override {
    const Slice* lower = options().iterate_lower_bound;
    if (lower != nullptr) return SeekForward(*lower);
    if (!Begin()) return;
    source().SeekToFirst();
    FindForward();
    NotePrefixOfShown();
  }
  void Seek(const Slice& target) override {
    view_.seek_trace().Seek(target, options());
    SeekForward(target);
  }
  void SeekToLast() override {
    SeekBackward(nullptr);
    NotePrefixOfShown();
  }
  void SeekForPrev(const Slice& target) override {
    view_.seek_trace().SeekForPrev(target, options());
    SeekBackward(&target);
  }
  void Next() override {
    assert(valid_);
    PERF_COUNTER_ADD(iter_next_count, 1);
    if (stands_forward_) {
      source().Next();
    } else {
      source().SeekBehindVersion(ExtractUserKey(key_));
    }
    FindForward();
  }
  void Prev() override {
    assert(valid_);
    PERF_COUNTER_ADD(iter_prev_count, 1);
    if (stands_forward_) source().SeekBeforeVersion(ExtractUserKey(key_));
    FindBackward();
  }

  void Prepare(const MultiScanArgs& args) override {
    valid_ = false;
    if (!view_.status().ok()) return;
    view_.Prepare(args);
    status_ = view_.SeekStatus();
  }

  Status Refresh(const Snapshot* snapshot) override {
    if (Status s = view_.CheckRefresh(snapshot); !s.ok()) return s;
    valid_ = false;
    shown_.LetGo();
    if (Status s = view_.Refresh(snapshot); !s.ok()) return s;
    BeginView();
    return status_;
  }

  Status GetProperty(std::string name, std::string* value) override {
    INVARIANT(value != nullptr);
    IteratorState state{.super_version_number = view_.state().number};
    if (valid_) state.key = key_;
    return IteratorProperty(state, name, value);
  }

 private:
  const ReadOptions& options() const { return view_.options(); }
  EntryCursor& source() { return view_.source(); }

  void BeginView() {
    const SuperVersion& state = view_.state();
    shown_.Begin(options(), state.current->storage(), *state.cfd->blobs());
    status_ = view_.status();
  }

  bool Begin() {
    valid_ = false;
    key_.clear();
    limits_.Begin();
    PERF_COUNTER_ADD(iter_seek_count, 1);
    status_ = view_.SeekStatus();
    return status_.ok();
  }
  void Fail(Status status) {
    valid_ = false;
    status_ = std::move(status);
  }

  void SeekForward(const Slice& target) {
    if (!Begin()) return;
    const EntryRules& rules = view_.rules();
    const Slice* lower = options().iterate_lower_bound;
    const bool is_before =
        lower != nullptr && rules.order().CompareGiven(target, *lower) < 0;
    NotePrefix(target);
    source().SeekToVisible(rules, is_before ? *lower : target);
    FindForward();
  }
  // To the last version of all, or at or before `target`, that the upper bound
  // allows.
  void SeekBackward(const Slice* target) {
    if (!Begin()) return;
    if (target != nullptr) NotePrefix(*target);
    const EntryRules& rules = view_.rules();
    const Slice* upper = options().iterate_upper_bound;
    if (upper != nullptr && (target == nullptr || rules.order().CompareGiven(
                                                      *target, *upper) >= 0)) {
      source().SeekBefore(rules, *upper);
    } else if (target != nullptr) {
      std::string oldest = target->ToString();
      oldest.append(options().iter_start_ts->data(),
                    options().iter_start_ts->size());
      source().SeekBackToVersion(oldest);
    } else {
      source().SeekToLast();
    }
    FindBackward();
  }

  void NotePrefix(const Slice& given) {
    limits_.NotePrefix(view_.state().options->prefix_extractor, given);
  }
  void NotePrefixOfShown() {
    if (valid_) NotePrefix(view_.rules().Given(ExtractUserKey(key_)));
  }

  bool Parse(ParsedInternalKey* entry) {
    if (source().Parse(view_.rules(), entry)) return true;
    Fail(view_.DamagedKey());
    return false;
  }
  // Is the source's entry one to show? An error ends the walk.
  bool IsWanted(const ParsedInternalKey& entry) {
    EntryRules& rules = view_.rules();
    if (!rules.IsVisible(entry)) return false;
    const Slice oldest = *options().iter_start_ts;
    if (rules.CompareTimestamp(entry.user_key, oldest) < 0) return false;
    const EntryMeaning meaning = rules.MeaningOf(entry, &status_);
    return meaning != EntryMeaning::kUnknown &&
           meaning != EntryMeaning::kCovered;
  }
  bool HasShownKey(const Slice& stored) const {
    return !key_.empty() && view_.rules().order().CompareStored(
                                stored, ExtractUserKey(key_)) == 0;
  }

  // From the source's position on. Writes of the key and timestamp that were
  // shown last are passed over: they are older.
  void FindForward() {
    stands_forward_ = true;
    valid_ = false;
    skip_limit_.BeginCall();
    for (; source().Valid(); source().Next()) {
      ParsedInternalKey entry;
      if (!Parse(&entry)) return;
      if (limits_.IsBeyondUpper(view_.rules().order(), entry.user_key)) return;
      if (!HasShownKey(entry.user_key) && IsWanted(entry)) {
        if (Take()) Show();
        return;
      }
      if (!status_.ok() || skip_limit_.IsPassed(&status_)) return;
    }
    if (!source().status().ok()) Fail(source().status());
  }

  // From the source's position back: of the writes of one key and timestamp,
  // which come oldest first, the last that is wanted. The source ends up
  // before them all.
  void FindBackward() {
    stands_forward_ = false;
    valid_ = false;
    skip_limit_.BeginCall();
    bool has_found = false;
    for (; source().Valid(); source().Prev()) {
      ParsedInternalKey entry;
      if (!Parse(&entry)) return;
      const bool is_same = HasShownKey(entry.user_key);
      if (has_found && !is_same) break;
      if (limits_.IsBeforeLower(view_.rules().order(), entry.user_key)) break;
      if ((has_found || !is_same) && IsWanted(entry)) {
        if (!Take()) return;
        has_found = true;
      } else if (!status_.ok() || skip_limit_.IsPassed(&status_)) {
        return;
      }
    }
    if (!source().Valid() && !source().status().ok()) {
      return Fail(source().status());
    }
    if (has_found) Show();
  }

  // Keeps the source's entry. False: its value cannot be read.
  bool Take() {
    const Slice key = source().key();
    key_.assign(key.data(), key.size());
    Slice value;
    if (!source().GetValue(&value)) {
      Fail(source().status());
      return false;
    }
    value_.assign(value.data(), value.size());
    return true;
  }

  // Deletions and operands as they were written.
  void Show() {
    shown_.SetKey(ExtractUserKey(key_));
    const ValueType type = ExtractType(key_);
    const bool is_value = type != kTypeMerge && !IsPointDeletion(type);
    valid_ = shown_.Show(is_value ? type : kTypeValue, value_, &status_);
  }

  ScanView view_;
  ScanLimits limits_;
  SkipLimit skip_limit_;
  ShownEntry shown_;

  bool valid_ = false;
  // The source is at what is shown, or else before it.
  bool stands_forward_ = true;
  Status status_;
  std::string key_;  // internal; of what was shown last
  std::string value_;
};

}  // namespace

std::unique_ptr<Iterator> NewHistoryIterator(UserIteratorRequest request) {
  INVARIANT(request.options.timestamp != nullptr);
  INVARIANT(request.options.iter_start_ts != nullptr);
  return std::make_unique<HistoryIterator>(std::move(request));
}

}  // namespace ROCKSDB_NAMESPACE

#include "db/read/user_iterator.h"

#include <cassert>
#include <string>
#include <utility>

#include "db/read/iterator_properties.h"
#include "db/read/scan_state.h"
#include "db/read/scan_walks.h"
#include "monitoring/perf_context_imp.h"
#include "monitoring/stop_watch.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// What each call does to the scan, in which order, and what it counts.
class UserIterator final : public Iterator {
 public:
  using Direction = ScanState::Direction;

  UserIterator(UserIteratorRequest request, bool asks_prefix_filters)
      : scan_(std::move(request)),
        changes_view_(options().tailing ||
                      options().auto_refresh_iterator_with_snapshot),
        asks_prefix_filters_(asks_prefix_filters) {}
  ~UserIterator() override { scan_.counts.TellAll(view().statistics()); }

  bool Valid() const override { return scan_.valid; }
  Slice key() const override {
    assert(scan_.valid);
    return view().rules().Given(shown().key());
  }
  Slice timestamp() const override {
    assert(scan_.valid);
    return TimestampOf(shown().key(), view().rules().timestamp_size());
  }
  Slice value() const override {
    assert(scan_.valid);
    return shown().value();
  }
  const WideColumns& columns() const override {
    assert(scan_.valid);
    return shown().columns();
  }
  Status status() const override { return scan_.status; }

  bool PrepareValue() override {
    assert(scan_.valid);
    if (scan_.shown.is_unread() && !ReadUnread()) return false;
    // Asked for is asked for: its blob too.
    scan_.valid = scan_.shown.Prepare(&scan_.status);
    return scan_.valid;
  }

  void SeekToFirst() override {
    if (!Begin(Direction::kForward)) return;
    const OperationWatch watch(view().clock(), view().statistics(), DB_SEEK);
    PERF_CPU_TIMER_GUARD(iter_seek_cpu_nanos);
    PERF_TIMER_GUARD(seek_internal_seek_time);
    const Slice* lower = options().iterate_lower_bound;
    if (lower != nullptr) {
      source().SeekToVisible(view().rules(), *lower);
    } else {
      source().SeekToFirst();
    }
    PERF_TIMER_STOP(seek_internal_seek_time);
    PERF_TIMER_GUARD(find_next_user_entry_time);
    WalkForward(&scan_);
    if (scan_.valid) NotePrefix(key());
    EndSeek();
    if (scan_.watch.EndSeek()) AskForFlush();
  }

  void Seek(const Slice& target) override {
    view().seek_trace().Seek(target, options());
    const Slice sought = CopyIfTailing(target);
    if (!Begin(Direction::kForward)) return;
    const OperationWatch watch(view().clock(), view().statistics(), DB_SEEK);
    PERF_CPU_TIMER_GUARD(iter_seek_cpu_nanos);
    const Slice* lower = options().iterate_lower_bound;
    const bool is_below =
        lower != nullptr &&
        view().rules().order().CompareGiven(sought, *lower) < 0;
    NotePrefix(sought);
    PERF_TIMER_GUARD(seek_internal_seek_time);
    if (is_below) {
      // Not by the filter for the bound's prefix, since the caller asked
      // for a smaller key.
      source().SeekToVisible(view().rules(), *lower);
    } else if (asks_prefix_filters_) {
      source().SeekToVisibleInPrefix(view().rules(), sought);
      scan_.misses_prefixes =
          view().state().options->prefix_extractor != nullptr;
    } else {
      source().SeekToVisible(view().rules(), sought);
    }
    PERF_TIMER_STOP(seek_internal_seek_time);
    PERF_TIMER_GUARD(find_next_user_entry_time);
    WalkForward(&scan_);
    EndSeek();
    if (scan_.watch.EndSeek()) AskForFlush();
  }

  void SeekToLast() override {
    SeekBackward(nullptr);
    if (scan_.valid) NotePrefix(key());
  }

  void SeekForPrev(const Slice& target) override {
    view().seek_trace().SeekForPrev(target, options());
    const Slice sought = CopyIfTailing(target);
    SeekBackward(&sought);
  }

  void Next() override {
    assert(scan_.valid);
    PerfTimer timer = scan_.counts.BeginNext();
    timer.Start();
    if (changes_view_ && !ChangeView()) return;
    const uint64_t passed = LeaveForward(&scan_);
    WalkForward(&scan_);
    scan_.counts.EndNext(scan_.valid, FoundBytes(), passed);
    if (scan_.watch.EndStep()) AskForFlush();
  }

  void Prev() override {
    assert(scan_.valid);
    PerfTimer timer = scan_.counts.BeginPrev();
    timer.Start();
    if (changes_view_ && !ChangeView()) return;
    LeaveBackward(&scan_);
    WalkBackward(&scan_);
    scan_.counts.EndPrev(scan_.valid, FoundBytes());
  }

  void Prepare(const MultiScanArgs& args) override {
    scan_.valid = false;
    if (!view().status().ok()) return;
    view().Prepare(args);
    scan_.status = view().SeekStatus();
  }

  Status Refresh(const Snapshot* snapshot) override {
    if (Status s = view().CheckRefresh(snapshot); !s.ok()) return s;
    scan_.valid = false;
    scan_.shown.LetGo();
    if (Status s = view().Refresh(snapshot); !s.ok()) return s;
    scan_.BeginView();
    return scan_.status;
  }

  Status GetProperty(std::string name, std::string* value) override {
    INVARIANT(value != nullptr);
    IteratorState state{.super_version_number = view().state().number,
                        .pins_data = shown().pins_data()};
    if (scan_.valid) state.key = shown().key();
    return IteratorProperty(state, name, value);
  }

 private:
  ScanView& view() { return scan_.view; }
  const ScanView& view() const { return scan_.view; }
  const ReadOptions& options() const { return view().options(); }
  EntryCursor& source() { return view().source(); }
  const ShownEntry& shown() const { return scan_.shown; }

  // A scan begins, of what has been written up to now if it tails. False: it
  // cannot.
  bool Begin(Direction direction) {
    scan_.valid = false;
    if (options().tailing) FollowView();
    return scan_.BeginSeek(direction);
  }

  // Goes over to what there is now. True: the stream is another one.
  bool FollowView() {
    scan_.shown.LetGo();
    const ScanView::Change change =
        options().tailing ? view().CatchUp() : view().FollowFiles();
    if (change == ScanView::Change::kState) scan_.BeginView();
    return change != ScanView::Change::kNone;
  }

  // Before a step: goes over to what there is now, and stands there beside the
  // present key, as after a turn. False: there is no view to step in.
  bool ChangeView() {
    const Slice key = shown().key();
    scan_.SaveKey(key);
    if (!FollowView()) return true;
    scan_.shown.SetKey(scan_.saved_key);
    scan_.forward.is_at_entry = false;
    scan_.valid = view().status().ok();
    if (!scan_.valid) return false;
    const Slice given = view().rules().Given(scan_.saved_key);
    if (scan_.direction == Direction::kForward) {
      source().SeekBehind(view().rules(), given);
    } else {
      source().SeekBefore(view().rules(), given);
    }
    return true;
  }

  // A tailing iterator may leave the view that its key, the target perhaps, is
  // in.
  Slice CopyIfTailing(const Slice& target) {
    if (!options().tailing) return target;
    sought_.assign(target.data(), target.size());
    return sought_;
  }

  // To the last entry of all, or at or before `target`, that the upper bound
  // allows.
  void SeekBackward(const Slice* target) {
    if (!Begin(Direction::kBackward)) return;
    const OperationWatch watch(view().clock(), view().statistics(), DB_SEEK);
    PERF_CPU_TIMER_GUARD(iter_seek_cpu_nanos);
    if (target != nullptr) NotePrefix(*target);
    const EntryRules& rules = view().rules();
    const Slice* upper = options().iterate_upper_bound;
    PERF_TIMER_GUARD(seek_internal_seek_time);
    if (upper != nullptr && (target == nullptr || rules.order().CompareGiven(
                                                      *target, *upper) >= 0)) {
      source().SeekBefore(rules, *upper);
    } else if (target != nullptr) {
      source().SeekBackToKey(rules, *target);
    } else {
      source().SeekToLast();
    }
    PERF_TIMER_STOP(seek_internal_seek_time);
    PERF_TIMER_GUARD(find_next_user_entry_time);
    scan_.run.BeginBelow(Slice());
    WalkBackward(&scan_);
    EndSeek();
  }

  void NotePrefix(const Slice& target) {
    scan_.limits.NotePrefix(view().state().options->prefix_extractor, target);
  }

  bool ReadUnread() {
    assert(scan_.forward.is_at_entry);
    scan_.valid = false;
    Slice value;
    if (!source().GetValue(&value)) {
      scan_.Fail(source().status());
      return false;
    }
    scan_.valid = scan_.shown.Show(shown().unread_type(), value, &scan_.status);
    return scan_.valid;
  }

  void AskForFlush() { view().host().FlushSoon(view().state()); }

  void EndSeek() {
    scan_.counts.EndSeek(scan_.valid, FoundBytes(), view().statistics());
    if (!scan_.status.ok() && view().is_prepared()) {
      RecordTick(view().statistics(), MULTISCAN_SEEK_ERRORS);
    }
  }
  size_t FoundBytes() const { return scan_.valid ? shown().bytes() : 0; }

  ScanState scan_;
  // Each step may go over to another stream.
  const bool changes_view_;
  // A seek may pass over what does not have the prefix of its target.
  const bool asks_prefix_filters_;
  std::string sought_;
};

}  // namespace

std::unique_ptr<Iterator> NewUserIterator(UserIteratorRequest request) {
  const bool asks_prefix_filters =
      request.options.auto_prefix_mode || !request.options.total_order_seek;
  return std::make_unique<UserIterator>(std::move(request),
                                        asks_prefix_filters);
}

}  // namespace ROCKSDB_NAMESPACE

#include "db/read/scan_source.h"

#include <cassert>
#include <string>
#include <utility>
#include <vector>

#include "db/family/column_family.h"
#include "db/read/tombstone_view.h"
#include "db/tables/level_iterator.h"
#include "memtable/memtable.h"
#include "monitoring/perf_context_imp.h"
#include "util/invariant.h"
#include "util/key/merging_iterator.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// Covered entries that are stepped over before a seek is worth its cost.
constexpr int kStepsBeforeSeek = 4;

// One run, without what newer runs' tombstones cover.
class UncoveredRun final : public InternalIterator {
 public:
  UncoveredRun(std::unique_ptr<InternalIterator> run,
               std::unique_ptr<TombstoneView> newer, const ReadOptions& options,
               const InternalKeyComparator& order)
      : run_(std::move(run)),
        newer_(std::move(newer)),
        options_(options),
        order_(order) {
    INVARIANT(run_ != nullptr);
    INVARIANT(newer_ != nullptr && !newer_->empty());
  }

  bool Valid() const override { return valid_; }
  Slice key() const override {
    assert(valid_);
    return run_->key();
  }
  Slice value() const override {
    assert(valid_);
    return run_->value();
  }
  bool HasValue() const override { return run_->HasValue(); }
  bool GetValue(Slice* result) override {
    assert(valid_);
    valid_ = run_->GetValue(result);
    return valid_;
  }
  Status status() const override {
    return status_.ok() ? run_->status() : status_;
  }
  void Prepare(const ScanPart& part) override {
    valid_ = false;
    run_->Prepare(part);
  }
  bool IsKeyPinned() const override { return run_->IsKeyPinned(); }
  bool IsValuePinned() const override { return run_->IsValuePinned(); }

  void SeekToFirst() override {
    run_->SeekToFirst();
    SkipUp();
  }
  void SeekToLast() override {
    run_->SeekToLast();
    SkipDown();
  }
  void Seek(const Slice& target) override {
    run_->Seek(target);
    SkipUp();
  }
  void SeekInPrefix(const Slice& target) override {
    run_->SeekInPrefix(target);
    SkipUp();
  }
  void SeekForPrev(const Slice& target) override {
    run_->SeekForPrev(target);
    SkipDown();
  }
  void Next() override {
    assert(valid_);
    run_->Next();
    SkipUp();
  }
  void Prev() override {
    assert(valid_);
    run_->Prev();
    SkipDown();
  }

 private:
  // Is the run's entry covered? An error, or a key that makes no sense, is
  // left for the reader to see.
  bool IsCovered(TombstoneView::Cover* cover) {
    ParsedInternalKey entry;
    if (!ParseInternalKey(run_->key(), &entry)) return false;
    status_ = newer_->FindCover(entry.user_key, entry.sequence, cover);
    if (!status_.ok()) valid_ = false;
    return status_.ok() && cover->newest > entry.sequence;
  }
  // The run is where it is, unless it failed.
  bool Arrive() {
    status_ = Status::OK();
    valid_ = run_->Valid();
    return valid_;
  }

  void SkipUp() {
    int steps = 0;
    while (Arrive()) {
      TombstoneView::Cover cover;
      if (!IsCovered(&cover)) return;
      const Slice* upper = options_.iterate_upper_bound;
      if (cover.end.has_value() && upper != nullptr &&
          order_.CompareToGiven(*cover.end, *upper) >= 0) {
        valid_ = false;  // Nothing is left that the reader may see.
        return;
      }
      if (++steps <= kStepsBeforeSeek || !SeekTo(cover.end)) run_->Next();
    }
  }
  // To the first entry from the tombstones' end on. False: that leads nowhere.
  bool SeekTo(const std::optional<Slice>& end) {
    if (!end.has_value()) return false;
    target_.clear();
    AppendInternalKey(&target_, *end, kMaxSequenceNumber, kValueTypeForSeek);
    if (order_.Compare(target_, run_->key()) <= 0) return false;
    PERF_COUNTER_ADD(internal_range_del_reseek_count, 1);
    run_->Seek(target_);
    return true;
  }

  void SkipDown() {
    int steps = 0;
    while (Arrive()) {
      TombstoneView::Cover cover;
      if (!IsCovered(&cover)) return;
      const Slice* lower = options_.iterate_lower_bound;
      if (cover.begin.has_value() && lower != nullptr &&
          order_.CompareToGiven(*cover.begin, *lower) <= 0) {
        valid_ = false;
        return;
      }
      if (++steps <= kStepsBeforeSeek || !SeekBefore(cover.begin)) {
        run_->Prev();
      }
    }
  }
  // To the last entry before the tombstones' begin.
  bool SeekBefore(const std::optional<Slice>& begin) {
    if (!begin.has_value()) return false;
    target_.clear();
    AppendInternalKey(&target_, *begin, kMaxSequenceNumber, kValueTypeForSeek);
    if (order_.Compare(target_, run_->key()) >= 0) return false;
    PERF_COUNTER_ADD(internal_range_del_reseek_count, 1);
    run_->SeekForPrev(target_);
    return true;
  }

  const std::unique_ptr<InternalIterator> run_;
  const std::unique_ptr<TombstoneView> newer_;
  const ReadOptions& options_;
  const InternalKeyComparator& order_;
  bool valid_ = false;
  Status status_;
  std::string target_;
};

// Gathers the runs of a super version, newest first.
class RunGatherer {
 public:
  explicit RunGatherer(const ScanSourceRequest& request)
      : request_(request), options_(*request.options), state_(*request.state) {
    INVARIANT(state_.mem != nullptr);
    INVARIANT(state_.imm != nullptr);
    INVARIANT(state_.current != nullptr);
    table_.mutable_cf = state_.options.get();
    table_.table.read_options = &options_;
    table_.table.prefix_extractor = state_.options->prefix_extractor.get();
    table_.table.skip_filters = table_.table.prefix_extractor == nullptr;
    // Pinned values are there from the start.
    table_.table.puts_off_reads = !options_.pin_data;
  }

  Status Run(ScanSource* result) {
    const MemTableScan scan{.read_options = &options_,
                            .prefix_extractor = table_.table.prefix_extractor};
    Status s = Add(state_.mem->NewIterator(scan));
    for (const MemTableRef& mem : *state_.imm) {
      if (s.ok()) s = Add(mem->NewIterator(scan));
    }
    if (s.ok() && options_.read_tier != kMemtableTier) s = AddFiles();
    if (!s.ok()) return s;
    assert(!runs_.empty());
    const bool merges = runs_.size() > 1 || request_.has_tombstones;
    result->merged_runs = merges ? runs_.size() : 0;
    result->entries =
        NewMergingIterator(&state_.cfd->order(), std::move(runs_));
    return s;
  }

 private:
  Status AddFiles() {
    const VersionStorage& storage = state_.current->storage();
    for (const FileRef& file : storage.level0()) {
      table_.file = file.get();
      table_.level = 0;
      std::unique_ptr<InternalIterator> run;
      Status s = state_.cfd->tables()->NewIterator(table_, &run);
      if (s.ok()) s = Add(std::move(run));
      if (!s.ok()) return s;
    }
    for (int level = 1; level < storage.level_count(); ++level) {
      if (storage.files(level).empty()) {
        ++newer_runs_;
        continue;
      }
      table_.level = level;
      LevelIteratorRequest request;
      request.files = &storage.level(level);
      request.tables = state_.cfd->tables();
      request.table = table_;
      request.order = &state_.cfd->order();
      if (Status s = Add(NewLevelIterator(request)); !s.ok()) return s;
    }
    return Status::OK();
  }

  // The next older run.
  Status Add(std::unique_ptr<InternalIterator> run) {
    INVARIANT(run != nullptr);
    if (request_.has_tombstones) {
      auto newer =
          std::make_unique<TombstoneView>(state_, options_, request_.snapshot);
      Status s = newer->Init(newer_runs_++);
      if (!s.ok()) return s;
      if (!newer->empty()) {
        run = std::make_unique<UncoveredRun>(std::move(run), std::move(newer),
                                             options_, state_.cfd->order());
      }
    }
    runs_.push_back(std::move(run));
    return Status::OK();
  }

  const ScanSourceRequest& request_;
  const ReadOptions& options_;
  const SuperVersion& state_;
  TableCache::IteratorRequest table_;
  size_t newer_runs_ = 0;
  std::vector<std::unique_ptr<InternalIterator>> runs_;
};

}  // namespace

Status NewScanSource(const ScanSourceRequest& request, ScanSource* result) {
  INVARIANT(request.options != nullptr && request.state != nullptr);
  INVARIANT(result != nullptr);
  assert(request.snapshot <= kMaxSequenceNumber);
  return RunGatherer(request).Run(result);
}

}  // namespace ROCKSDB_NAMESPACE

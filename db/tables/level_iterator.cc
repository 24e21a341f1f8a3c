#include "db/tables/level_iterator.h"

#include <algorithm>
#include <cassert>
#include <deque>
#include <utility>
#include <vector>

#include "util/ignore_error.h"
#include "util/invariant.h"
#include "util/key/scan_plan.h"
#include "util/key/timestamps.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// Open ahead of a scan whose ranges are known.
constexpr size_t kMaxFilesAhead = 64;

class LevelIterator final : public InternalIterator {
 public:
  explicit LevelIterator(const LevelIteratorRequest& request)
      : request_(request),
        files_(*request.files),
        end_(std::min(request.end_index, files_.size())),
        begin_(std::min(request.begin_index, end_)),
        index_(end_) {
    INVARIANT(request_.tables != nullptr);
    INVARIANT(request_.order != nullptr);
    INVARIANT(request_.table.table.read_options != nullptr);
    if (request.table.bulk != nullptr) {
      bulk_ = *request.table.bulk;
      request_.table.bulk = &bulk_;
      request_.table.on_all_read = [this] { OpenAhead(); };
    }
    const ReadOptions& read = *request_.table.table.read_options;
    pins_data_ = read.pin_data && request.table.bulk == nullptr;
    lower_bound_ = read.iterate_lower_bound;
    upper_bound_ = read.iterate_upper_bound;
  }

  bool Valid() const override { return file_ != nullptr && file_->Valid(); }
  Slice key() const override {
    assert(Valid());
    return file_->key();
  }
  Slice value() const override {
    assert(Valid());
    return file_->value();
  }
  bool HasValue() const override {
    assert(Valid());
    return file_->HasValue();
  }
  bool GetValue(Slice* result) override {
    assert(Valid());
    return file_->GetValue(result);
  }
  bool GetWholeBlock(WholeBlock* block) const override {
    assert(Valid());
    return file_->GetWholeBlock(block);
  }
  // Without pin_data what a file pins goes with its iterator, at the next one.
  bool IsKeyPinned() const override {
    return pins_data_ && Valid() && file_->IsKeyPinned();
  }
  bool IsValuePinned() const override {
    return pins_data_ && Valid() && file_->IsValuePinned();
  }

  Status status() const override {
    if (!status_.ok()) return status_;
    return file_ != nullptr ? file_->status() : Status::OK();
  }

  void SeekToFirst() override {
    if (!Enter(begin_)) return;
    file_->SeekToFirst();
    SkipForward();
  }
  void SeekToLast() override {
    if (begin_ == end_) {
      Leave();
      return;
    }
    if (!Enter(end_ - 1)) return;
    file_->SeekToLast();
    SkipBackward();
  }
  void Seek(const Slice& target) override {
    if (!EnterAtOrAfter(target)) return;
    file_->Seek(target);
    SkipForward();
  }
  void SeekInPrefix(const Slice& target) override {
    if (!EnterAtOrAfter(target)) return;
    file_->SeekInPrefix(target);
    SkipForward();
  }
  void SeekForPrev(const Slice& target) override {
    if (begin_ == end_) {
      Leave();
      return;
    }
    size_t index = files_.FirstEndingAtOrAfter(target);
    index = std::clamp(index, begin_, end_ - 1);
    // A file that begins after the target has nothing before it.
    if (index > begin_ &&
        request_.order->Compare(files_.at(index)->smallest.Encode(), target) >
            0) {
      --index;
    }
    if (!Enter(index)) return;
    file_->SeekForPrev(target);
    SkipBackward();
  }
  void Next() override {
    assert(Valid());
    file_->Next();
    SkipForward();
  }
  void Prev() override {
    assert(Valid());
    file_->Prev();
    SkipBackward();
  }
  void Prepare(const ScanPart& part) override {
    Leave();
    prepared_.clear();
    wanted_.clear();
    next_wanted_ = 0;
    plan_ = part.plan;
    if (plan_ == nullptr) return;
    for (size_t i = part.begin; i < part.end; ++i) WantFilesOf(i);
    PrepareAhead();
  }
  bool NextAndGetKey(Slice* new_key) override {
    assert(Valid());
    if (file_->NextAndGetKey(new_key)) [[likely]]
      return true;
    SkipForward();
    if (!Valid()) return false;
    *new_key = file_->key();
    return true;
  }

 private:
  // Enter() of the first file that ends at or after `target`.
  bool EnterAtOrAfter(const Slice& target) {
    return Enter(std::max(begin_, files_.FirstEndingAtOrAfter(target)));
  }
  // True when the open file is at its end without an error. An iterator that
  // failed stays where it is: to go on would skip what could not be read.
  bool IsExhausted() const {
    return file_ != nullptr && !file_->Valid() && file_->status().ok();
  }
  void SkipForward() {
    while (IsExhausted()) {
      if (EndsAtUpperBound()) {
        Leave();
        return;
      }
      if (!Follow(index_ + 1)) return;
      file_->SeekToFirst();
    }
  }
  void SkipBackward() {
    while (IsExhausted()) {
      if (index_ == begin_ || BeginsAtLowerBound()) {
        Leave();
        return;
      }
      if (!Follow(index_ - 1)) return;
      file_->SeekToLast();
    }
  }
  // Enter() of the neighbour of the file that was read to its end.
  bool Follow(size_t index) {
    assert(file_ != nullptr);
    const bool adapts = request_.table.bulk == nullptr &&
                        request_.table.table.read_options->adaptive_readahead;
    const ReadaheadProgress progress =
        adapts ? file_->readahead_progress() : ReadaheadProgress();
    if (!Enter(index)) return false;
    if (adapts) file_->ResumeReadahead(progress);
    return true;
  }
  // Nothing beyond the open file is within the reader's bounds.
  bool EndsAtUpperBound() const {
    return upper_bound_ != nullptr && index_ + 1 < end_ &&
           request_.order->CompareToGiven(
               files_.at(index_ + 1)->smallest.user_key(), *upper_bound_) >= 0;
  }
  bool BeginsAtLowerBound() const {
    assert(index_ > begin_);
    return lower_bound_ != nullptr &&
           request_.order->CompareToGiven(
               files_.at(index_ - 1)->largest.user_key(), *lower_bound_) < 0;
  }

  // The open file is closed before the next is opened, if not by its stream
  // before: at most one handle.
  void CloseFile() {
    if (pins_data_ && file_ != nullptr) {
      if (plan_ != nullptr) file_->Prepare({});
      retired_.push_back(std::move(file_));
    }
    file_.reset();
  }
  void Leave() {
    CloseFile();
    ahead_.reset();
    index_ = end_;
    status_ = Status::OK();
  }

  // Makes file `index` the open one. False: there is none, or it failed to
  // open (status_).
  bool Enter(size_t index) {
    assert(index >= begin_);
    if (index >= end_) {
      Leave();
      return false;
    }
    if (file_ != nullptr && index == index_) {
      status_ = Status::OK();
      return true;
    }
    CloseFile();
    index_ = index;
    if (ahead_index_ != index) ahead_.reset();
    if (ahead_ != nullptr) {
      file_ = std::move(ahead_);
      status_ = Status::OK();
      return true;
    }
    std::unique_ptr<InternalIterator> opened = TakePrepared(index);
    status_ = opened != nullptr ? Status::OK() : Open(index, &opened);
    if (!status_.ok()) return false;
    INVARIANT(opened != nullptr);
    file_ = std::move(opened);
    if (plan_ != nullptr) PrepareAhead();
    return true;
  }
  Status Open(size_t index, std::unique_ptr<InternalIterator>* result) {
    TableCache::IteratorRequest table = request_.table;
    table.file = files_.at(index).get();
    return request_.tables->NewIterator(table, result);
  }

  // The files that hold keys of a range of the plan, as it will come to them.
  void WantFilesOf(size_t range) {
    const InternalKeyComparator& order = *request_.order;
    assert(range < plan_->ranges.size());
    const ScanPlan::Range& keys = plan_->ranges[range];
    const InternalKey start(
        WithMaxTimestamp(keys.start, order.timestamp_size()),
        kMaxSequenceNumber, kValueTypeForSeek);
    const size_t first =
        std::max(begin_, files_.FirstEndingAtOrAfter(start.Encode()));
    size_t last = first;
    while (last < end_ &&
           order.CompareToGiven(files_.at(last)->smallest.user_key(),
                                keys.limit) < 0) {
      ++last;
    }
    for (size_t i = first; i < last; ++i) {
      const size_t index = plan_->goes_down ? last - 1 - (i - first) : i;
      if (!wanted_.empty() && wanted_.back().index == index) {
        wanted_.back().end = range + 1;
      } else {
        wanted_.push_back({.index = index, .begin = range, .end = range + 1});
      }
    }
  }
  void PrepareAhead() {
    while (next_wanted_ < wanted_.size() && prepared_.size() < kMaxFilesAhead &&
           plan_->bytes_left > 0) {
      if (!PrepareNext()) return;
    }
  }
  // Opens the next file of the plan. False: that failed.
  bool PrepareNext() {
    assert(plan_ != nullptr && next_wanted_ < wanted_.size());
    const Wanted& wanted = wanted_[next_wanted_];
    std::unique_ptr<InternalIterator> file;
    Status s = Open(wanted.index, &file);
    if (!s.ok()) {
      IgnoreError(s, "Enter() opens it again, and reports");
      return false;
    }
    file->Prepare({plan_, wanted.begin, wanted.end});
    prepared_.push_back({wanted.index, std::move(file)});
    ++next_wanted_;
    return true;
  }
  // Null: the plan does not come to that file, or not any more. What it comes
  // to before is passed.
  std::unique_ptr<InternalIterator> TakePrepared(size_t index) {
    if (plan_ == nullptr) return nullptr;
    const auto is_it = [index](const auto& one) { return one.index == index; };
    auto found = std::find_if(prepared_.begin(), prepared_.end(), is_it);
    if (found == prepared_.end()) {
      const auto wanted =
          std::find_if(wanted_.begin() + static_cast<ptrdiff_t>(next_wanted_),
                       wanted_.end(), is_it);
      if (wanted == wanted_.end()) return nullptr;
      prepared_.clear();
      next_wanted_ = static_cast<size_t>(wanted - wanted_.begin());
      if (!PrepareNext()) return nullptr;
      found = prepared_.begin();
    }
    std::unique_ptr<InternalIterator> file = std::move(found->file);
    prepared_.erase(prepared_.begin(), found + 1);
    return file;
  }

  // The open file has been read to its end: while that is consumed, the next
  // one's first bytes come. What fails here is tried again by Enter().
  void OpenAhead() {
    if (index_ + 1 >= end_ || EndsAtUpperBound()) return;
    TableCache::IteratorRequest table = request_.table;
    table.file = files_.at(index_ + 1).get();
    ahead_.reset();
    ahead_index_ = index_ + 1;
    IgnoreError(request_.tables->NewIterator(table, &ahead_),
                "Enter() opens it again, and reports");
  }

  LevelIteratorRequest request_;
  BulkReadPolicy bulk_;
  const LevelFiles& files_;
  const size_t end_;
  const size_t begin_;
  const Slice* lower_bound_ = nullptr;
  const Slice* upper_bound_ = nullptr;
  size_t index_;  // the open file's; end_ when there is none
  std::unique_ptr<InternalIterator> file_;
  // A bulk read's next file, already open.
  std::unique_ptr<InternalIterator> ahead_;
  size_t ahead_index_ = SIZE_MAX;
  // A file that the plan comes to, and the ranges that it reads there.
  struct Wanted {
    size_t index = 0;
    size_t begin = 0;
    size_t end = 0;
  };
  struct Prepared {
    size_t index = 0;
    std::unique_ptr<InternalIterator> file;
  };
  ScanPlan* plan_ = nullptr;
  std::vector<Wanted> wanted_;
  size_t next_wanted_ = 0;
  std::deque<Prepared> prepared_;
  Status status_;
  bool pins_data_ = false;
  std::vector<std::unique_ptr<InternalIterator>> retired_;  // pins_data_
};

}  // namespace

std::unique_ptr<InternalIterator> NewLevelIterator(
    const LevelIteratorRequest& request) {
  INVARIANT(request.files != nullptr);
  return std::make_unique<LevelIterator>(request);
}

}  // namespace ROCKSDB_NAMESPACE

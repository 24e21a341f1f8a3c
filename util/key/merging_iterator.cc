#include "util/key/merging_iterator.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "util/invariant.h"
#include "util/key/key_prefix.h"

namespace ROCKSDB_NAMESPACE {

namespace {

enum class Direction { kForward, kReverse };

// A binary heap of the children that are valid, the one to be read next on
// top. While the top child keeps winning, a step compares it with the better
// of the two below it and touches nothing else.
class MergingIterator final : public InternalIterator {
 public:
  MergingIterator(const InternalKeyComparator* order,
                  std::vector<std::unique_ptr<InternalIterator>> children)
      : order_(order), children_(children.size()) {
    heap_.reserve(children.size());
    for (size_t i = 0; i < children.size(); ++i) {
      INVARIANT(children[i] != nullptr);
      children_[i].iter = IteratorWrapper(std::move(children[i]));
      children_[i].index = i;
      if (!children_[i].iter.Valid()) Check(children_[i]);
    }
  }

  bool Valid() const override { return !heap_.empty(); }
  Status status() const override { return status_; }
  Slice key() const override { return Top().iter.key(); }
  Slice value() const override { return Top().iter.value(); }
  bool HasValue() const override { return Top().iter.HasValue(); }
  bool GetValue(Slice* result) override {
    assert(Valid());
    Child* const top = heap_[0];
    if (top->iter.GetValue(result)) [[likely]]
      return true;
    const bool is_sound = Check(*top);
    INVARIANT(!is_sound);
    return false;
  }
  bool GetWholeBlock(WholeBlock* block) const override {
    return Top().iter.iterator()->GetWholeBlock(block);
  }
  void Prepare(const ScanPart& part) override {
    heap_.clear();
    for (Child& child : children_) child.iter.iterator()->Prepare(part);
  }
  bool IsKeyPinned() const override {
    return Top().iter.iterator()->IsKeyPinned();
  }
  bool IsValuePinned() const override {
    return Top().iter.iterator()->IsValuePinned();
  }

  void SeekToFirst() override {
    Position<Direction::kForward>(
        [](IteratorWrapper* iter) { iter->SeekToFirst(); });
  }
  void SeekToLast() override {
    Position<Direction::kReverse>(
        [](IteratorWrapper* iter) { iter->SeekToLast(); });
  }
  void Seek(const Slice& target) override {
    Position<Direction::kForward>(
        [&target](IteratorWrapper* iter) { iter->Seek(target); });
  }
  void SeekInPrefix(const Slice& target) override {
    Position<Direction::kForward>(
        [&target](IteratorWrapper* iter) { iter->SeekInPrefix(target); });
  }
  void SeekForPrev(const Slice& target) override {
    Position<Direction::kReverse>(
        [&target](IteratorWrapper* iter) { iter->SeekForPrev(target); });
  }

  void Next() override {
    assert(Valid());
    if (direction_ != Direction::kForward) return TurnForward();
    Child* const top = heap_[0];
    top->iter.Next();
    Advanced<Direction::kForward>(top);
  }

  void Prev() override {
    assert(Valid());
    if (direction_ != Direction::kReverse) return TurnReverse();
    Child* const top = heap_[0];
    top->iter.Prev();
    Advanced<Direction::kReverse>(top);
  }

  bool NextAndGetKey(Slice* new_key) override {
    Next();
    if (heap_.empty()) return false;
    *new_key = heap_[0]->iter.key();
    return true;
  }

 private:
  struct Child {
    IteratorWrapper iter;
    uint64_t prefix = 0;  // KeyPrefix() of the present user key, if bytewise
    size_t index = 0;     // among the children
  };

  const Child& Top() const {
    assert(Valid());
    return *heap_[0];
  }

  // The order of the merge: by key, then by child. Mostly the prefixes decide,
  // and no call is needed.
  [[gnu::always_inline]] int Compare(const Child& a, const Child& b) const {
    if (a.prefix == b.prefix) [[unlikely]]
      return CompareWhole(a, b);
    CountComparisons(1);
    return a.prefix < b.prefix ? -1 : 1;
  }
  [[gnu::noinline]] int CompareWhole(const Child& a, const Child& b) const {
    const int order = order_->Compare(a.iter.key(), b.iter.key());
    if (order != 0) return order;
    return a.index < b.index ? -1 : 1;
  }

  template <Direction D>
  bool Before(const Child& a, const Child& b) const {
    const int order = Compare(a, b);
    return D == Direction::kForward ? order < 0 : order > 0;
  }

  // To be called after each move of a child. False if the child failed, and
  // with it the merge.
  bool Check(Child& child) {
    if (child.iter.Valid()) {
      if (order_->is_bytewise()) {
        const Slice key = ExtractUserKey(child.iter.key());
        child.prefix = KeyPrefix(key.data(), key.size());
      }
      return true;
    }
    status_ = child.iter.status();
    if (status_.ok()) return true;
    heap_.clear();
    return false;
  }

  template <Direction D, class Move>
  void Position(const Move& move) {
    direction_ = D;
    status_ = Status::OK();
    heap_.clear();
    for (Child& child : children_) {
      move(&child.iter);
      if (!Check(child)) return;
    }
    BuildHeap<D>();
  }

  template <Direction D>
  void BuildHeap() {
    heap_.clear();
    for (Child& child : children_) {
      if (child.iter.Valid()) heap_.push_back(&child);
    }
    for (size_t i = heap_.size() / 2; i-- > 0;) SiftDown<D>(i);
    FindRunnerUp<D>();
  }

  template <Direction D>
  void SiftDown(size_t index) {
    Child* const child = heap_[index];
    const size_t size = heap_.size();
    for (;;) {
      size_t below = 2 * index + 1;
      if (below >= size) break;
      if (below + 1 < size && Before<D>(*heap_[below + 1], *heap_[below])) {
        ++below;
      }
      if (!Before<D>(*heap_[below], *child)) break;
      heap_[index] = heap_[below];
      index = below;
    }
    heap_[index] = child;
  }

  template <Direction D>
  void FindRunnerUp() {
    if (heap_.size() < 2) {
      runner_up_ = nullptr;
    } else if (heap_.size() == 2 || Before<D>(*heap_[1], *heap_[2])) {
      runner_up_ = heap_[1];
    } else {
      runner_up_ = heap_[2];
    }
  }

  // The top child has moved one step.
  template <Direction D>
  void Advanced(Child* top) {
    if (!Check(*top)) return;
    if (top->iter.Valid()) {
      if (runner_up_ == nullptr || Before<D>(*top, *runner_up_)) return;
    } else {
      heap_[0] = heap_.back();
      heap_.pop_back();
      if (heap_.empty()) return;
    }
    SiftDown<D>(0);
    FindRunnerUp<D>();
  }

  // Every other child goes to its first entry behind the present one.
  void TurnForward() {
    Child* const top = heap_[0];
    const std::string target = top->iter.key().ToString();
    for (Child& child : children_) {
      if (&child == top) continue;
      child.iter.Seek(target);
      if (!Check(child)) return;
      const bool was_read = child.index < top->index && IsAt(child, target);
      if (was_read) {
        child.iter.Next();
        if (!Check(child)) return;
      }
    }
    direction_ = Direction::kForward;
    top->iter.Next();
    if (Check(*top)) BuildHeap<Direction::kForward>();
  }

  // Every other child goes to its last entry before the present one.
  void TurnReverse() {
    Child* const top = heap_[0];
    const std::string target = top->iter.key().ToString();
    for (Child& child : children_) {
      if (&child == top) continue;
      child.iter.SeekForPrev(target);
      if (!Check(child)) return;
      const bool is_behind = child.index > top->index && IsAt(child, target);
      if (is_behind) {
        child.iter.Prev();
        if (!Check(child)) return;
      }
    }
    direction_ = Direction::kReverse;
    top->iter.Prev();
    if (Check(*top)) BuildHeap<Direction::kReverse>();
  }

  bool IsAt(const Child& child, const Slice& target) const {
    return child.iter.Valid() && order_->Compare(child.iter.key(), target) == 0;
  }

  const InternalKeyComparator* const order_;
  std::vector<Child> children_;
  std::vector<Child*> heap_;  // empty = not valid
  Child* runner_up_ = nullptr;
  Direction direction_ = Direction::kForward;
  Status status_;
};

}  // namespace

std::unique_ptr<InternalIterator> NewMergingIterator(
    const InternalKeyComparator* order,
    std::vector<std::unique_ptr<InternalIterator>> children) {
  if (children.empty()) return NewEmptyInternalIterator(Status::OK());
  if (children.size() == 1) return std::move(children[0]);
  return std::make_unique<MergingIterator>(order, std::move(children));
}

}  // namespace ROCKSDB_NAMESPACE

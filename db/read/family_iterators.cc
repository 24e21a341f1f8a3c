#include "db/read/family_iterators.h"

#include <algorithm>
#include <cassert>
#include <string>
#include <utility>

#include "rocksdb/comparator.h"
#include "util/invariant.h"
#include "util/key/internal_key.h"

namespace ROCKSDB_NAMESPACE {

const AttributeGroups kNoAttributeGroups;
const IteratorAttributeGroups kNoIteratorAttributeGroups;

namespace {

// The walk that both kinds share. There are few families: the next key is
// looked for among all of them.
class FamilyWalk {
 public:
  explicit FamilyWalk(FamilyCursors families)
      : order_(families.order),
        stops_(families.stops),
        stay_in_prefix_(families.stay_in_prefix),
        renew_(std::move(families.renew)),
        families_(std::move(families.cursors)) {
    INVARIANT(order_ != nullptr);
    INVARIANT(renew_ != nullptr);
    INVARIANT(!families_.empty());
  }

  bool Valid() const { return !at_.empty(); }
  Slice key() const { return shown().key(); }
  Slice timestamp() const { return shown().timestamp(); }
  const Status& status() const { return status_; }
  // Those whose cursors stand at the key, in the order given.
  const std::vector<FamilyCursor*>& at() const { return at_; }
  // None of a deletion.
  const WideColumns& ColumnsOf(const FamilyCursor& cursor) const {
    return IsDeletion(*cursor.iterator) ? kNoWideColumns
                                        : cursor.iterator->columns();
  }

  void Prepare(const MultiScanArgs& scan_opts) {
    at_.clear();
    status_ = Status::OK();
    ForEach([&](Iterator* it) {
      it->Prepare(scan_opts);
      if (status_.ok()) status_ = it->status();
    });
  }

  void SeekToFirst() {
    ForEach([](Iterator* it) { it->SeekToFirst(); });
    Gather(Direction::kUp);
  }
  void SeekToLast() {
    ForEach([](Iterator* it) { it->SeekToLast(); });
    Gather(Direction::kDown);
  }
  void Seek(const Slice& target) {
    ForEach([&](Iterator* it) { it->Seek(target); });
    Gather(Direction::kUp);
  }
  void SeekForPrev(const Slice& target) {
    ForEach([&](Iterator* it) { it->SeekForPrev(target); });
    Gather(Direction::kDown);
  }
  void Next() {
    assert(Valid());
    if (direction_ == Direction::kDown) {
      TurnUp();
    } else {
      for (FamilyCursor* cursor : at_) cursor->iterator->Next();
    }
    Gather(Direction::kUp);
  }
  void Prev() {
    assert(Valid());
    if (direction_ == Direction::kUp) {
      const std::string from = key().ToString();
      const std::string given = Given(from).ToString();
      ForEach([&](Iterator* it) {
        it->SeekForPrev(given);
        while (it->Valid() && Compare(it->key(), from) >= 0) it->Prev();
      });
    } else {
      for (FamilyCursor* cursor : at_) cursor->iterator->Prev();
    }
    Gather(Direction::kDown);
  }

  // Each cursor by itself would come to a moment of its own; to one whose
  // family is gone nothing is written any more.
  Status Refresh(const Snapshot* snapshot) {
    at_.clear();
    status_ = Status::OK();
    std::vector<Iterator*> made;
    Status s = renew_(snapshot, &made);
    std::vector<std::unique_ptr<Iterator>> renewed(made.begin(), made.end());
    if (!s.ok()) return s;
    INVARIANT(renewed.size() == families_.size());
    for (size_t i = 0; i < renewed.size(); ++i) {
      if (renewed[i] != nullptr) continue;
      s = families_[i].iterator->Refresh(snapshot);
      if (!s.ok()) return s;
    }
    for (size_t i = 0; i < renewed.size(); ++i) {
      if (renewed[i] == nullptr) continue;
      families_[i].iterator = std::move(renewed[i]);
    }
    return s;
  }

  // Loads the values at the key.
  bool PrepareValue() {
    assert(Valid());
    for (FamilyCursor* cursor : at_) {
      if (cursor->iterator->PrepareValue()) continue;
      status_ = cursor->iterator->status();
      at_.clear();
      return false;
    }
    return true;
  }

 private:
  enum class Direction { kUp, kDown };

  // Each cursor goes to its first key behind the present one. It stands at the
  // last key up to that, or there is none. A seek would ask the filters for the
  // prefix of the present key, and could miss keys with others.
  void TurnUp() {
    const std::string from = key().ToString();
    const std::string given = Given(from).ToString();
    ForEach([&](Iterator* it) {
      if (!it->Valid()) stay_in_prefix_ ? it->Seek(given) : it->SeekToFirst();
      while (it->Valid() && Compare(it->key(), from) <= 0) it->Next();
    });
  }

  template <class Call>
  void ForEach(const Call& call) {
    for (FamilyCursor& family : families_) call(family.iterator.get());
  }

  // Keys as the cursors tell them: without timestamps, or versions.
  int Compare(const Slice& a, const Slice& b) const {
    if (stops_ == Stops::kVersions) {
      return order_->Compare(ExtractUserKey(a), ExtractUserKey(b));
    }
    return order_->timestamp_size() == 0
               ? order_->Compare(a, b)
               : order_->CompareWithoutTimestamp(a, false, b, false);
  }
  // The key to seek for.
  Slice Given(const Slice& key) const {
    return stops_ == Stops::kKeys ? key
                                  : WithoutTimestamp(ExtractUserKey(key),
                                                     order_->timestamp_size());
  }
  bool IsDeletion(const Iterator& it) const {
    return stops_ == Stops::kVersions && IsPointDeletion(ExtractType(it.key()));
  }
  // The iterator whose key is shown. With versions that is the last family's
  // that is not at a deletion, if there is one.
  const Iterator& shown() const {
    assert(Valid());
    if (stops_ == Stops::kVersions) {
      for (size_t i = at_.size(); i-- > 0;) {
        if (!IsDeletion(*at_[i]->iterator)) return *at_[i]->iterator;
      }
    }
    return *at_.front()->iterator;
  }

  // Finds the next key in `direction`, and the cursors that stand at it.
  void Gather(Direction direction) {
    direction_ = direction;
    at_.clear();
    status_ = Status::OK();
    for (FamilyCursor& family : families_) {
      Iterator* it = family.iterator.get();
      if (!it->Valid()) {
        // What is missing here might come next.
        if (status_.ok()) status_ = it->status();
        continue;
      }
      int order = at_.empty() ? 0 : Compare(it->key(), key());
      if (direction == Direction::kDown) order = -order;
      if (order < 0) at_.clear();
      if (order <= 0) at_.push_back(&family);
    }
    if (!status_.ok()) at_.clear();
  }

  const Comparator* const order_;
  const Stops stops_;
  const bool stay_in_prefix_;
  const decltype(FamilyCursors::renew) renew_;
  std::vector<FamilyCursor> families_;
  Direction direction_ = Direction::kUp;
  std::vector<FamilyCursor*> at_;
  Status status_;
};

// What both kinds show of the walk.
template <class Base>
class WalkingIterator : public Base {
 public:
  explicit WalkingIterator(FamilyCursors families)
      : walk_(std::move(families)) {}

  bool Valid() const override { return walk_.Valid(); }
  Slice key() const override { return walk_.key(); }
  Status status() const override { return walk_.status(); }
  void SeekToFirst() override { walk_.SeekToFirst(), Show(); }
  void SeekToLast() override { walk_.SeekToLast(), Show(); }
  void Seek(const Slice& target) override { walk_.Seek(target), Show(); }
  void SeekForPrev(const Slice& target) override {
    walk_.SeekForPrev(target), Show();
  }
  void Next() override { walk_.Next(), Show(); }
  void Prev() override { walk_.Prev(), Show(); }
  Status Refresh(const Snapshot* snapshot) override {
    Status s = walk_.Refresh(snapshot);
    Show();
    return s;
  }
  bool PrepareValue() override {
    const bool is_ready = walk_.PrepareValue();
    Show();
    return is_ready;
  }

 protected:
  // The walk has moved.
  virtual void Show() = 0;

  FamilyWalk walk_;
};

class CoalescingIterator final : public WalkingIterator<Iterator> {
 public:
  using WalkingIterator::WalkingIterator;

  Slice value() const override {
    assert(Valid());
    return value_;
  }
  const WideColumns& columns() const override {
    assert(Valid());
    return columns_;
  }
  // The timestamp is that of the first family that has the key.
  Slice timestamp() const override { return walk_.timestamp(); }
  void Prepare(const MultiScanArgs& scan_opts) override {
    walk_.Prepare(scan_opts);
    Show();
  }

 private:
  void Show() override {
    columns_.clear();
    value_ = Slice();
    if (!walk_.Valid()) return;
    for (const FamilyCursor* cursor : walk_.at()) {
      const WideColumns& own = walk_.ColumnsOf(*cursor);
      columns_.insert(columns_.end(), own.begin(), own.end());
    }
    // A later family's column replaces an earlier one of the same name:
    // reversed, it comes first, and std::unique() keeps it.
    std::reverse(columns_.begin(), columns_.end());
    std::stable_sort(columns_.begin(), columns_.end(),
                     [](const WideColumn& a, const WideColumn& b) {
                       return a.name().compare(b.name()) < 0;
                     });
    const auto end = std::unique(columns_.begin(), columns_.end(),
                                 [](const WideColumn& a, const WideColumn& b) {
                                   return a.name() == b.name();
                                 });
    columns_.erase(end, columns_.end());
    if (!columns_.empty() && columns_.front().name().empty()) {
      value_ = columns_.front().value();
    }
  }

  WideColumns columns_;
  Slice value_;
};

class AttributeGroupIteratorImpl final
    : public WalkingIterator<AttributeGroupIterator> {
 public:
  using WalkingIterator::WalkingIterator;

  const IteratorAttributeGroups& attribute_groups() const override {
    assert(Valid());
    return groups_;
  }

 private:
  void Show() override {
    groups_.clear();
    if (!walk_.Valid()) return;
    for (const FamilyCursor* cursor : walk_.at()) {
      groups_.emplace_back(cursor->family, &walk_.ColumnsOf(*cursor));
    }
  }

  IteratorAttributeGroups groups_;
};

class FailedGroupIterator final : public AttributeGroupIterator {
 public:
  explicit FailedGroupIterator(const Status& status) : status_(status) {}

  bool Valid() const override { return false; }
  void SeekToFirst() override {}
  void SeekToLast() override {}
  void Seek(const Slice&) override {}
  void SeekForPrev(const Slice&) override {}
  void Next() override { INVARIANT(false); }
  void Prev() override { INVARIANT(false); }
  Slice key() const override {
    INVARIANT(false);
    return Slice();
  }
  Status status() const override { return status_; }
  const IteratorAttributeGroups& attribute_groups() const override {
    return kNoIteratorAttributeGroups;
  }

 private:
  const Status status_;
};

}  // namespace

std::unique_ptr<Iterator> MakeCoalescingIterator(FamilyCursors families) {
  return std::make_unique<CoalescingIterator>(std::move(families));
}

std::unique_ptr<AttributeGroupIterator> MakeAttributeGroupIterator(
    FamilyCursors families) {
  return std::make_unique<AttributeGroupIteratorImpl>(std::move(families));
}

std::unique_ptr<AttributeGroupIterator> NewAttributeGroupErrorIterator(
    const Status& status) {
  return std::make_unique<FailedGroupIterator>(status);
}

}  // namespace ROCKSDB_NAMESPACE

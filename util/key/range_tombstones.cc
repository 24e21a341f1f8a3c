#include "util/key/range_tombstones.h"

#include <algorithm>
#include <cassert>
#include <set>

#include "util/invariant.h"
#include "util/key/timestamps.h"

namespace ROCKSDB_NAMESPACE {

bool FragmentedTombstones::NewestFirst::operator()(const Stamp& a,
                                                   const Stamp& b) const {
  if (a.sequence != b.sequence) return a.sequence > b.sequence;
  return !a.timestamp.empty() &&
         order->CompareTimestamp(a.timestamp, b.timestamp) > 0;
}

// Sweeps over the borders in ascending order and keeps the set of tombstones
// that are open: each stretch between two neighbouring borders with at least
// one open tombstone is a fragment.
std::shared_ptr<const FragmentedTombstones> FragmentedTombstones::Build(
    const std::vector<RangeTombstone>& tombstones, const Comparator* order) {
  INVARIANT(order != nullptr);
  auto result = std::shared_ptr<FragmentedTombstones>(
      std::make_unique<FragmentedTombstones>(PassKey{}, order));
  struct Border {
    Slice key;
    Stamp stamp;
    bool opens;
  };
  std::vector<Border> borders;
  borders.reserve(tombstones.size() * 2);
  for (const RangeTombstone& t : tombstones) {
    INVARIANT(t.timestamp.size() == result->timestamp_size_);
    if (result->CompareKeys(t.begin, t.end) >= 0) continue;
    borders.push_back({t.begin, {t.sequence, t.timestamp}, true});
    borders.push_back({t.end, {t.sequence, t.timestamp}, false});
  }
  std::sort(borders.begin(), borders.end(),
            [&result](const Border& a, const Border& b) {
              return result->CompareKeys(a.key, b.key) < 0;
            });

  std::multiset<Stamp, NewestFirst> open(NewestFirst{order});
  Slice begin;
  for (const Border& border : borders) {
    if (!open.empty() && result->CompareKeys(begin, border.key) < 0) {
      result->Append(begin, border.key, open);
    }
    begin = border.key;
    if (border.opens) {
      open.insert(border.stamp);
    } else {
      const auto closed = open.find(border.stamp);
      // A tombstone is not empty, so its begin is before its end.
      INVARIANT(closed != open.end());
      open.erase(closed);
    }
  }
  INVARIANT(open.empty());
  return result;
}

size_t FragmentedTombstones::Store(const Slice& key) {
  // The end of a fragment is mostly the begin of the next.
  const size_t offset = bytes_.size();
  if (key.size() > 0 && key.size() <= offset &&
      Slice(bytes_.data() + offset - key.size(), key.size()) == key) {
    return offset - key.size();
  }
  bytes_.append(key.data(), key.size());
  return offset;
}

size_t FragmentedTombstones::StoreBorder(const Slice& key) {
  if (timestamp_size_ == 0) return Store(key);
  return Store(WithMaxTimestamp(WithoutTimestamp(key, timestamp_size_),
                                timestamp_size_));
}

template <class Stamps>
void FragmentedTombstones::Append(const Slice& begin, const Slice& end,
                                  const Stamps& newest_first) {
  // Equal: one key, by Clip() with an inclusive bound.
  assert(CompareKeys(begin, end) <= 0);
  assert(!newest_first.empty());
  Piece piece;
  piece.begin_offset = StoreBorder(begin);
  piece.begin_size = begin.size();
  piece.end_offset = StoreBorder(end);
  piece.end_size = end.size();
  piece.first_sequence = sequences_.size();
  Slice last_timestamp;
  for (const Stamp& stamp : newest_first) {
    if (sequences_.size() > piece.first_sequence &&
        sequences_.back() == stamp.sequence &&
        last_timestamp == stamp.timestamp) {
      continue;
    }
    sequences_.push_back(stamp.sequence);
    timestamps_.append(stamp.timestamp.data(), stamp.timestamp.size());
    last_timestamp = stamp.timestamp;
  }
  assert(timestamps_.size() == sequences_.size() * timestamp_size_);
  piece.sequence_count = sequences_.size() - piece.first_sequence;
  newest_ = std::max(newest_, sequences_[piece.first_sequence]);
  fragments_.push_back(piece);
}

FragmentedTombstones::Fragment FragmentedTombstones::at(size_t index) const {
  assert(index < fragments_.size());
  const Piece& piece = fragments_[index];
  return {.begin = Slice(bytes_.data() + piece.begin_offset, piece.begin_size),
          .end = Slice(bytes_.data() + piece.end_offset, piece.end_size),
          .sequences = std::span<const SequenceNumber>(
              sequences_.data() + piece.first_sequence, piece.sequence_count),
          .timestamps =
              Slice(timestamps_.data() + piece.first_sequence * timestamp_size_,
                    piece.sequence_count * timestamp_size_)};
}

std::shared_ptr<const FragmentedTombstones> FragmentedTombstones::Clip(
    const Slice* lower, const Slice* upper, UpperBound kind) const {
  auto result = std::shared_ptr<FragmentedTombstones>(
      std::make_unique<FragmentedTombstones>(PassKey{}, order_));
  const bool is_inclusive = kind == UpperBound::kInclusive;
  const size_t first = lower == nullptr ? 0 : FirstEndingAfter(*lower);
  for (size_t i = first; i < size(); ++i) {
    Fragment fragment = at(i);
    bool includes_end = includes_last_end_ && i + 1 == size();
    if (lower != nullptr && CompareKeys(fragment.begin, *lower) < 0) {
      fragment.begin = *lower;
    }
    if (upper != nullptr) {
      const int begin = CompareKeys(fragment.begin, *upper);
      if (begin > 0 || (begin == 0 && !is_inclusive)) break;
      const int end = CompareKeys(fragment.end, *upper);
      if (end > 0) fragment.end = *upper;
      if (end > 0) includes_end = is_inclusive;
      if (end == 0) includes_end = includes_end && is_inclusive;
    }
    std::vector<Stamp> stamps;
    for (size_t n = 0; n < fragment.sequences.size(); ++n) {
      stamps.push_back({fragment.sequences[n], fragment.timestamp(n)});
    }
    result->Append(fragment.begin, fragment.end, stamps);
    // True for the last one only: no fragment begins after its bound.
    INVARIANT(!result->includes_last_end_);
    result->includes_last_end_ = includes_end;
  }
  return result;
}

size_t FragmentedTombstones::memory_bytes() const {
  return sizeof(*this) + bytes_.capacity() +
         fragments_.capacity() * sizeof(Piece) +
         sequences_.capacity() * sizeof(SequenceNumber) +
         timestamps_.capacity();
}

bool FragmentedTombstones::EndsBefore(size_t index,
                                      const Slice& user_key) const {
  const int order = CompareKeys(at(index).end, user_key);
  if (order != 0) return order < 0;
  return !includes_last_end_ || index + 1 != size();
}

size_t FragmentedTombstones::FirstEndingAfter(const Slice& user_key) const {
  size_t low = 0;
  size_t high = fragments_.size();
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (EndsBefore(middle, user_key)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

SequenceNumber FragmentedTombstones::NewestUpTo(
    size_t index, const TombstoneLimit& limit) const {
  const Fragment fragment = at(index);
  const bool has_timestamp = timestamp_size_ != 0 && !limit.timestamp.empty();
  for (size_t i = 0; i < fragment.sequences.size(); ++i) {
    if (fragment.sequences[i] > limit.sequence) continue;
    if (has_timestamp &&
        order_->CompareTimestamp(fragment.timestamp(i), limit.timestamp) > 0) {
      continue;
    }
    return fragment.sequences[i];
  }
  return 0;
}

SequenceNumber FragmentedTombstones::MaxCovering(
    const Slice& user_key, const TombstoneLimit& limit) const {
  const size_t index = FirstEndingAfter(user_key);
  if (index == size()) return 0;
  if (CompareKeys(user_key, at(index).begin) < 0) return 0;
  return NewestUpTo(index, limit);
}

TombstoneCursor::TombstoneCursor(
    std::shared_ptr<const FragmentedTombstones> tombstones,
    const TombstoneLimit& limit)
    : tombstones_(std::move(tombstones)), limit_(limit) {
  INVARIANT(tombstones_ != nullptr);
}

SequenceNumber TombstoneCursor::MaxCovering(const Slice& user_key) {
  if (!located_ || !IsInInterval(user_key)) Locate(user_key);
  return answer_;
}

bool TombstoneCursor::IsInInterval(const Slice& user_key) const {
  const size_t size = tombstones_->size();
  const bool begins_later =
      index_ < size &&
      tombstones_->CompareKeys(user_key, tombstones_->at(index_).begin) < 0;
  if (is_inside_) {
    return !begins_later && !tombstones_->EndsBefore(index_, user_key);
  }
  if (index_ < size && !begins_later) return false;
  return index_ == 0 || tombstones_->EndsBefore(index_ - 1, user_key);
}

void TombstoneCursor::Locate(const Slice& user_key) {
  const size_t size = tombstones_->size();
  // A scan moves to the next interval mostly: look there first.
  const bool is_next =
      located_ && index_ < size && tombstones_->EndsBefore(index_, user_key) &&
      (index_ + 1 == size || !tombstones_->EndsBefore(index_ + 1, user_key));
  index_ = is_next ? index_ + 1 : tombstones_->FirstEndingAfter(user_key);
  is_inside_ =
      index_ < size &&
      tombstones_->CompareKeys(tombstones_->at(index_).begin, user_key) <= 0;
  answer_ = is_inside_ ? tombstones_->NewestUpTo(index_, limit_) : 0;
  located_ = true;
}

std::optional<Slice> TombstoneCursor::AnswerEnd() const {
  assert(located_);
  if (index_ == tombstones_->size()) return std::nullopt;
  const FragmentedTombstones::Fragment fragment = tombstones_->at(index_);
  return is_inside_ ? fragment.end : fragment.begin;
}

std::optional<Slice> TombstoneCursor::AnswerBegin() const {
  assert(located_);
  if (is_inside_) return tombstones_->at(index_).begin;
  if (index_ == 0) return std::nullopt;
  return tombstones_->at(index_ - 1).end;
}

}  // namespace ROCKSDB_NAMESPACE

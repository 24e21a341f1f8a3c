#include "util/key/sequence_times.h"

#include <algorithm>
#include <cassert>

#include "util/coding.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

using Pair = SequenceTimes::Pair;

bool EndsBefore(const Pair& pair, SequenceNumber sequence) {
  return pair.sequence < sequence;
}

bool Ascend(const std::vector<Pair>& pairs) {
  return std::adjacent_find(
             pairs.begin(), pairs.end(), [](const Pair& a, const Pair& b) {
               return a.sequence >= b.sequence || a.seconds >= b.seconds;
             }) == pairs.end();
}

// Every other pair goes, but for the last.
void Halve(std::vector<Pair>* pairs) {
  std::vector<Pair> kept;
  for (size_t i = 0; i < pairs->size(); i += 2) kept.push_back((*pairs)[i]);
  if (pairs->size() % 2 == 0) kept.push_back(pairs->back());
  *pairs = std::move(kept);
}

}  // namespace

void SequenceTimes::Note(SequenceNumber sequence, uint64_t now_seconds,
                         uint64_t apart_seconds) {
  INVARIANT(sequence <= kMaxSequenceNumber);
  if (sequence == 0) return;
  if (!pairs_.empty()) {
    const Pair& last = pairs_.back();
    // Nothing was written since, or the clock was set back.
    if (sequence <= last.sequence || now_seconds < last.seconds) return;
    const size_t count = pairs_.size();
    const bool is_close =
        now_seconds == last.seconds ||
        (count >= 2 &&
         last.seconds - pairs_[count - 2].seconds < apart_seconds);
    // The later pair says less of the entries before it, and is as true.
    if (is_close) pairs_.pop_back();
  }
  pairs_.push_back({sequence, now_seconds});
  Thin(kMostPairs);
  assert(pairs_.size() <= kMostPairs);
}

void SequenceTimes::Merge(const SequenceTimes& other) {
  std::vector<Pair> all = pairs_;
  all.insert(all.end(), other.pairs_.begin(), other.pairs_.end());
  std::sort(all.begin(), all.end(), [](const Pair& a, const Pair& b) {
    return a.sequence != b.sequence ? a.sequence > b.sequence
                                    : a.seconds < b.seconds;
  });
  // From the newest on: a pair says something only if it names an earlier time
  // than those that cover as much.
  pairs_.clear();
  for (const Pair& pair : all) {
    if (pairs_.empty() || (pair.seconds < pairs_.back().seconds &&
                           pair.sequence < pairs_.back().sequence)) {
      pairs_.push_back(pair);
    }
  }
  std::reverse(pairs_.begin(), pairs_.end());
  Thin(kMostPairs);
}

void SequenceTimes::ForgetBefore(uint64_t seconds) {
  const auto first_young =
      std::find_if(pairs_.begin(), pairs_.end(),
                   [&](const Pair& pair) { return pair.seconds > seconds; });
  const auto old_count = first_young - pairs_.begin();
  if (old_count > 1) pairs_.erase(pairs_.begin(), first_young - 1);
}

SequenceNumber SequenceTimes::WrittenBy(uint64_t seconds) const {
  const auto after =
      std::find_if(pairs_.begin(), pairs_.end(),
                   [&](const Pair& pair) { return pair.seconds > seconds; });
  return after == pairs_.begin() ? 0 : (after - 1)->sequence;
}

SequenceNumber SequenceTimes::CoveringAllBy(uint64_t seconds) const {
  const auto first =
      std::find_if(pairs_.begin(), pairs_.end(),
                   [&](const Pair& pair) { return pair.seconds >= seconds; });
  return first == pairs_.end() ? kMaxSequenceNumber : first->sequence;
}

SequenceTimes SequenceTimes::Around(SequenceNumber smallest,
                                    SequenceNumber largest) const {
  assert(smallest <= largest);
  auto first =
      std::lower_bound(pairs_.begin(), pairs_.end(), smallest, EndsBefore);
  if (first != pairs_.begin()) --first;
  auto last =
      std::lower_bound(pairs_.begin(), pairs_.end(), largest, EndsBefore);
  if (last != pairs_.end()) ++last;
  SequenceTimes part;
  // A file whose entries have no sequences any more has no use for times.
  if (largest > 0 && first < last) part.pairs_.assign(first, last);
  part.Thin(kMostPairsInFile);
  return part;
}

// Old data may be told less exactly: each time that pair goes whose loss is
// smallest against its age.
void SequenceTimes::Thin(size_t most) {
  INVARIANT(most >= 4);
  // Only a strange file has so many.
  while (pairs_.size() > 2 * most) Halve(&pairs_);
  while (pairs_.size() > most) {
    const uint64_t newest = pairs_.back().seconds;
    size_t least = 1;
    double least_loss = 0;
    for (size_t i = 1; i + 1 < pairs_.size(); ++i) {
      const auto gap =
          static_cast<double>(pairs_[i + 1].seconds - pairs_[i - 1].seconds);
      const auto age = static_cast<double>(newest - pairs_[i].seconds + 1);
      const double loss = gap / age;
      if (i > 1 && loss >= least_loss) continue;
      least = i;
      least_loss = loss;
    }
    pairs_.erase(pairs_.begin() + static_cast<std::ptrdiff_t>(least));
  }
  if constexpr (kDeepChecks) INVARIANT(Ascend(pairs_));
}

std::string SequenceTimes::Encode() const {
  std::string text;
  if (pairs_.empty()) return text;
  PutVarint64(&text, pairs_.size());
  Pair before;
  for (const Pair& pair : pairs_) {
    assert(pair.sequence > before.sequence || pair.seconds > before.seconds);
    PutVarint64(&text, pair.sequence - before.sequence);
    PutVarint64(&text, pair.seconds - before.seconds);
    before = pair;
  }
  return text;
}

Status SequenceTimes::DecodeFrom(Slice text) {
  std::vector<Pair> pairs;
  if (!text.empty()) {
    const auto bad = [](const char* what) {
      return Status::Corruption("map of sequences to times", what);
    };
    uint64_t count = 0;
    if (!GetVarint64(&text, &count)) return bad("no count");
    // Each pair takes two bytes or more.
    if (count > text.size() / 2) return bad("more pairs than bytes");
    Pair pair;
    for (uint64_t i = 0; i < count; ++i) {
      uint64_t sequence = 0, seconds = 0;
      if (!GetVarint64(&text, &sequence) || !GetVarint64(&text, &seconds)) {
        return bad("cut short");
      }
      if (sequence > kMaxSequenceNumber - pair.sequence ||
          seconds > UINT64_MAX - pair.seconds) {
        return bad("a number too large");
      }
      pair = {pair.sequence + sequence, pair.seconds + seconds};
      pairs.push_back(pair);
    }
    if (!text.empty()) return bad("bytes behind the last pair");
  }
  // Others may have written pairs that say the same: those are left out.
  pairs_.clear();
  SequenceTimes read;
  read.pairs_ = std::move(pairs);
  Merge(read);
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE

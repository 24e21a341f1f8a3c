#include "db/registry/sequence_clock.h"

#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

void SequenceClock::SetAges(uint64_t shortest_seconds,
                            uint64_t longest_seconds) {
  INVARIANT(shortest_seconds <= longest_seconds);
  INVARIANT((shortest_seconds == 0) == (longest_seconds == 0));
  shortest_ = shortest_seconds;
  longest_ = longest_seconds;
  if (!is_on()) {
    times_.reset();
  } else if (times_ == nullptr) {
    times_ = std::make_shared<const SequenceTimes>();
  }
  INVARIANT(is_on() == (times_ != nullptr));
}

void SequenceClock::Note(SequenceNumber last, uint64_t now_seconds) {
  if (!is_on()) return;
  SequenceTimes changed = *times_;
  changed.Note(last, now_seconds, period_seconds());
  if (now_seconds > longest_) changed.ForgetBefore(now_seconds - longest_);
  if (changed.pairs() == times_->pairs()) return;
  times_ = std::make_shared<const SequenceTimes>(std::move(changed));
}

void SequenceClock::Learn(const SequenceTimes& times) {
  INVARIANT(is_on());
  SequenceTimes changed = *times_;
  changed.Merge(times);
  times_ = std::make_shared<const SequenceTimes>(std::move(changed));
}

bool SequenceClock::ReachesBackFrom(uint64_t now_seconds) const {
  INVARIANT(is_on());
  return OlderThan(longest_, now_seconds) > 0;
}

SequenceNumber SequenceClock::OlderThan(uint64_t age_seconds,
                                        uint64_t now_seconds) const {
  if (!is_on() || age_seconds > now_seconds) return 0;
  return times_->WrittenBy(now_seconds - age_seconds);
}

}  // namespace ROCKSDB_NAMESPACE

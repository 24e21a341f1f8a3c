#include "db/write/write_controller.h"

#include <algorithm>

#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

void WriteController::Update(WriteStallCondition condition, uint64_t rate) {
  INVARIANT(condition != WriteStallCondition::kDelayed || rate > 0);
  rate_.store(rate, std::memory_order_relaxed);
  // release: whoever sees the condition sees the rate.
  condition_.store(condition, std::memory_order_release);
}

uint64_t WriteController::delayed_rate() const {
  if (condition() != WriteStallCondition::kDelayed) return 0;
  return rate_.load(std::memory_order_relaxed);
}

uint64_t WriteController::ChargeDelay(uint64_t bytes, uint64_t now_micros) {
  const uint64_t rate = delayed_rate();
  if (rate == 0) return 0;
  // Time that was not used is not saved up for a burst, but for a millisecond
  // that covers the clock's grain.
  constexpr uint64_t kGrainMicros = 1000;
  const uint64_t oldest =
      now_micros > kGrainMicros ? now_micros - kGrainMicros : 0;
  paid_until_micros_ = std::max(paid_until_micros_, oldest);
  paid_until_micros_ += bytes * 1000000 / rate;
  return paid_until_micros_ > now_micros ? paid_until_micros_ - now_micros : 0;
}

}  // namespace ROCKSDB_NAMESPACE

#include "file/io_pace.h"

#include <algorithm>
#include <cassert>

#include "util/invariant.h"
#include "util/monotonic.h"

namespace ROCKSDB_NAMESPACE {

namespace {

constexpr uint64_t kMicrosPerSecond = 1'000'000;
constexpr uint64_t kBurstMicros = 20'000;
// One request of a stream.
constexpr uint64_t kMinBurstBytes = 256 << 10;
constexpr uint64_t kMaxWaitMicros = 100'000;
// Faster than any device; keeps the account's products within 64 bits.
constexpr uint64_t kMaxRate = uint64_t{1} << 40;
static_assert(kMaxRate <= INT64_MAX / kMicrosPerSecond);

int64_t BurstBytes(uint64_t rate) {
  return static_cast<int64_t>(
      std::max(kMinBurstBytes, rate * kBurstMicros / kMicrosPerSecond));
}

}  // namespace

IoPace::IoPace(SystemClock* clock)
    : clock_(clock != nullptr ? clock : SystemClock::Default().get()) {
  INVARIANT(clock_ != nullptr);
}

void IoPace::SetRate(uint64_t bytes_per_second) {
  MutexLock lock(&mutex_);
  const uint64_t before = rate();
  const uint64_t now = std::min(bytes_per_second, kMaxRate);
  if (now == before) return;
  // What came in so far came at the old rate.
  Fill(MonotonicMicros(clock_));
  if (before == 0) credit_ = BurstBytes(now);
  rate_.store(now, std::memory_order_relaxed);
  changed_.SignalAll();
}

void IoPace::Fill(uint64_t now_micros) {
  const uint64_t last = filled_at_micros_;
  filled_at_micros_ = now_micros;
  const uint64_t own = rate();
  // A clock that goes back brings nothing.
  if (own == 0 || now_micros <= last) return;
  const uint64_t micros = std::min(now_micros - last, kMicrosPerSecond);
  credit_ =
      std::min(credit_ + static_cast<int64_t>(own * micros / kMicrosPerSecond),
               BurstBytes(own));
  assert(credit_ <= BurstBytes(own));
}

bool IoPace::HasCredit() {
  if (rate() == 0) return true;
  MutexLock lock(&mutex_);
  Fill(MonotonicMicros(clock_));
  return credit_ > 0;
}

void IoPace::WaitForCredit() {
  MutexLock lock(&mutex_);
  const uint64_t start = MonotonicMicros(clock_);
  uint64_t now = start;
  while (true) {
    Fill(now);
    const uint64_t own = rate();
    if (own == 0 || credit_ > 0 || now < start ||
        now - start >= kMaxWaitMicros) {
      break;
    }
    const auto owed = static_cast<uint64_t>(1 - credit_);
    const uint64_t micros = owed * kMicrosPerSecond / own + 1;
    changed_.WaitFor(std::min(micros, kMaxWaitMicros));
    now = MonotonicMicros(clock_);
  }
  if (now > start) {
    wait_micros_.fetch_add(now - start, std::memory_order_relaxed);
  }
}

void IoPace::Charge(uint64_t bytes) {
  if (rate() == 0) return;
  MutexLock lock(&mutex_);
  INVARIANT(bytes <= INT64_MAX);
  credit_ -= static_cast<int64_t>(bytes);
}

}  // namespace ROCKSDB_NAMESPACE

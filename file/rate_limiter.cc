#include "file/rate_limiter.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "monitoring/statistics_impl.h"
#include "options/builtin_objects.h"
#include "rocksdb/statistics.h"
#include "util/invariant.h"
#include "util/monotonic.h"
#include "util/string_util.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// How often the rate is tuned, and by how much.
constexpr int64_t kTunePeriods = 100;
constexpr int64_t kLowDrainPercent = 50;
constexpr int64_t kHighDrainPercent = 90;
constexpr int64_t kTunePercent = 5;
constexpr int64_t kMaxToMinRate = 20;
static_assert(kLowDrainPercent < kHighDrainPercent);

// A refill is at least one byte, or nobody would ever be served.
int64_t BytesOfPeriod(int64_t bytes_per_second, int64_t period_micros) {
  constexpr int64_t kMicros = 1'000'000;
  const int64_t whole = bytes_per_second / kMicros;
  if (whole > std::numeric_limits<int64_t>::max() / period_micros / 2) {
    return std::numeric_limits<int64_t>::max() / 2;
  }
  const int64_t rest = bytes_per_second % kMicros;
  return std::max<int64_t>(
      1, whole * period_micros + rest * period_micros / kMicros);
}

struct OpTickers {
  uint32_t bytes;
  uint32_t requests;
  uint32_t delayed_requests;
  uint32_t wait_micros;
  uint32_t wait_histogram;
};

OpTickers TickersOf(RateLimiter::OpType op_type) {
  if (op_type == RateLimiter::OpType::kRead) {
    return {RATE_LIMITER_BYTES_READ, RATE_LIMITER_REQUESTS_READ,
            RATE_LIMITER_DELAYED_REQUESTS_READ,
            RATE_LIMITER_TOTAL_WAIT_MICROS_READ, RATE_LIMITER_WAIT_MICROS_READ};
  }
  return {RATE_LIMITER_BYTES_WRITE, RATE_LIMITER_REQUESTS_WRITE,
          RATE_LIMITER_DELAYED_REQUESTS_WRITE,
          RATE_LIMITER_TOTAL_WAIT_MICROS_WRITE, RATE_LIMITER_WAIT_MICROS_WRITE};
}

}  // namespace

size_t RateLimiter::RequestToken(size_t bytes, size_t alignment,
                                 Env::IOPriority io_priority, Statistics* stats,
                                 RateLimiter::OpType op_type) {
  if (io_priority >= Env::IO_TOTAL || !IsRateLimited(op_type)) return bytes;
  // A limiter of an application may know no bursts.
  if (const int64_t burst = GetSingleBurstBytes(); burst > 0) {
    bytes = std::min(bytes, static_cast<size_t>(burst));
  }
  if (alignment > 1) {
    bytes = std::max(alignment, bytes / alignment * alignment);
  }
  Request(static_cast<int64_t>(bytes), io_priority, stats, op_type);
  return bytes;
}

GenericRateLimiter::GenericRateLimiter(
    const RateLimiterSettings& settings,
    const std::shared_ptr<SystemClock>& clock, uint64_t seed)
    : RateLimiter(settings.mode),
      clock_(clock),
      refill_period_micros_(
          std::max<int64_t>(settings.refill_period_micros, 1)),
      fairness_(std::clamp(settings.fairness, 1, 100)),
      is_auto_tuned_(settings.is_auto_tuned),
      random_(seed),
      max_bytes_per_second_(std::max<int64_t>(settings.bytes_per_second, 1)),
      burst_bytes_(std::max<int64_t>(settings.single_burst_bytes, 0)),
      next_refill_micros_(MonotonicMicros(clock_.get())) {
  MutexLock lock(&mutex_);
  // Tuned rates start in the middle and move from there.
  SetRateLocked(is_auto_tuned_ ? std::max<int64_t>(max_bytes_per_second_ / 2, 1)
                               : max_bytes_per_second_);
}

GenericRateLimiter::~GenericRateLimiter() {
  MutexLock lock(&mutex_);
  INVARIANT(!HasWaitersLocked());
  INVARIANT(!has_leader_);
}

void GenericRateLimiter::SetRateLocked(int64_t bytes_per_second) {
  INVARIANT(bytes_per_second > 0);
  bytes_per_second_ = bytes_per_second;
  refill_bytes_ = BytesOfPeriod(bytes_per_second, refill_period_micros_);
}

void GenericRateLimiter::SetBytesPerSecond(int64_t bytes_per_second) {
  MutexLock lock(&mutex_);
  max_bytes_per_second_ = std::max<int64_t>(bytes_per_second, 1);
  SetRateLocked(max_bytes_per_second_);
}

Status GenericRateLimiter::SetSingleBurstBytes(int64_t single_burst_bytes) {
  if (single_burst_bytes < 0) {
    return Status::InvalidArgument("single_burst_bytes must not be negative",
                                   std::to_string(single_burst_bytes));
  }
  MutexLock lock(&mutex_);
  burst_bytes_ = single_burst_bytes;
  return Status::OK();
}

int64_t GenericRateLimiter::GetSingleBurstBytes() const {
  MutexLock lock(&mutex_);
  return burst_bytes_ != 0 ? burst_bytes_ : refill_bytes_;
}

int64_t GenericRateLimiter::GetBytesPerSecond() const {
  MutexLock lock(&mutex_);
  return bytes_per_second_;
}

void GenericRateLimiter::Request(const int64_t bytes, const Env::IOPriority pri,
                                 Statistics* stats) {
  if (bytes <= 0 || pri >= Env::IO_TOTAL) return;
  if (Acquire(bytes, pri) > 0) RecordTick(stats, NUMBER_RATE_LIMITER_DRAINS);
}

void GenericRateLimiter::Request(const int64_t bytes, const Env::IOPriority pri,
                                 Statistics* stats, OpType op_type) {
  if (bytes <= 0 || pri >= Env::IO_TOTAL || !IsRateLimited(op_type)) return;
  const uint64_t waited_micros = Acquire(bytes, pri);
  const OpTickers tickers = TickersOf(op_type);
  RecordTick(stats, tickers.bytes, static_cast<uint64_t>(bytes));
  RecordTick(stats, tickers.requests);
  if (waited_micros == 0) return;
  RecordTick(stats, NUMBER_RATE_LIMITER_DRAINS);
  RecordTick(stats, tickers.delayed_requests);
  RecordTick(stats, tickers.wait_micros, waited_micros);
  RecordInHistogram(stats, tickers.wait_histogram, waited_micros);
}

bool GenericRateLimiter::HasWaitersLocked() const {
  return std::any_of(queues_.begin(), queues_.end(),
                     [](const auto& queue) { return !queue.empty(); });
}

bool GenericRateLimiter::TakeAtOnceLocked(int64_t bytes) {
  // Those who wait came first.
  if (HasWaitersLocked()) return false;
  RefillIfDueLocked(MonotonicMicros(clock_.get()));
  if (available_bytes_ < bytes) return false;
  available_bytes_ -= bytes;
  return true;
}

uint64_t GenericRateLimiter::Acquire(int64_t bytes, Env::IOPriority pri) {
  assert(bytes > 0);
  assert(pri >= Env::IO_LOW && pri < Env::IO_TOTAL);
  const auto index = static_cast<size_t>(pri);
  MutexLock lock(&mutex_);
  ++requests_[index];
  bytes_through_[index] += bytes;
  if (TakeAtOnceLocked(bytes)) return 0;

  const uint64_t start = MonotonicMicros(clock_.get());
  Waiter waiter(&mutex_, bytes);
  queues_[index].push_back(&waiter);
  if (!has_leader_) ServeQueuesLocked();
  while (waiter.missing_bytes > 0) {
    if (has_leader_) {
      waiter.wake.Wait();
    } else {
      LeadLocked();
    }
  }
  WakeNextLeaderLocked();
  return std::max<uint64_t>(MonotonicMicros(clock_.get()) - start, 1);
}

void GenericRateLimiter::LeadLocked() {
  INVARIANT(!has_leader_);
  has_leader_ = true;
  const uint64_t now = MonotonicMicros(clock_.get());
  if (next_refill_micros_ > now) {
    const auto period = static_cast<uint64_t>(refill_period_micros_);
    // What is left of a period that an `int` cannot hold, the next leader
    // sleeps for.
    const uint64_t pause =
        std::min({next_refill_micros_ - now, period,
                  uint64_t{std::numeric_limits<int>::max()}});
    MutexUnlock unlock(&mutex_);
    clock_->SleepForMicroseconds(static_cast<int>(pause));
  }
  has_leader_ = false;
  RefillIfDueLocked(MonotonicMicros(clock_.get()));
  ServeQueuesLocked();
}

void GenericRateLimiter::WakeNextLeaderLocked() {
  if (has_leader_) return;
  for (const auto& queue : queues_) {
    if (queue.empty()) continue;
    queue.front()->wake.Signal();
    return;
  }
}

void GenericRateLimiter::RefillIfDueLocked(uint64_t now_micros) {
  if (now_micros < next_refill_micros_) return;
  const auto period = static_cast<uint64_t>(refill_period_micros_);
  if (is_auto_tuned_) {
    const uint64_t late = (now_micros - next_refill_micros_) / period;
    TuneLocked(static_cast<int64_t>(1 + late));
  }
  available_bytes_ = refill_bytes_;
  next_refill_micros_ = now_micros + period;
}

void GenericRateLimiter::ServeQueueLocked(int priority) {
  auto& queue = queues_[static_cast<size_t>(priority)];
  while (!queue.empty() && available_bytes_ > 0) {
    Waiter* const waiter = queue.front();
    INVARIANT(waiter->missing_bytes > 0);
    const int64_t granted = std::min(waiter->missing_bytes, available_bytes_);
    waiter->missing_bytes -= granted;
    available_bytes_ -= granted;
    if (waiter->missing_bytes > 0) return;
    queue.pop_front();
    waiter->wake.Signal();
  }
}

void GenericRateLimiter::ServeQueuesLocked() {
  assert(available_bytes_ >= 0);
  ServeQueueLocked(Env::IO_USER);
  if (random_.OneIn(static_cast<uint64_t>(fairness_))) {
    for (int pri = Env::IO_LOW; pri < Env::IO_USER; ++pri) {
      ServeQueueLocked(pri);
    }
    return;
  }
  for (int pri = Env::IO_USER - 1; pri >= Env::IO_LOW; --pri) {
    ServeQueueLocked(pri);
  }
}

void GenericRateLimiter::TuneLocked(int64_t passed_periods) {
  INVARIANT(passed_periods > 0);
  periods_ += passed_periods;
  // A late refill has kept those who wait for it from draining the others.
  if (available_bytes_ == 0) {
    drained_periods_ += HasWaitersLocked() ? passed_periods : 1;
  }
  assert(drained_periods_ <= periods_);
  if (periods_ < kTunePeriods) return;
  const int64_t drained_percent = drained_periods_ * 100 / periods_;
  periods_ = 0;
  drained_periods_ = 0;
  const int64_t min_rate =
      std::max<int64_t>(max_bytes_per_second_ / kMaxToMinRate, 1);
  const int64_t step =
      std::max<int64_t>(bytes_per_second_ / 100 * kTunePercent, 1);
  if (drained_percent == 0) {
    SetRateLocked(min_rate);
  } else if (drained_percent < kLowDrainPercent) {
    SetRateLocked(std::max(min_rate, bytes_per_second_ - step));
  } else if (drained_percent > kHighDrainPercent) {
    SetRateLocked(std::min(max_bytes_per_second_, bytes_per_second_ + step));
  }
}

int64_t GenericRateLimiter::SumLocked(
    const std::array<int64_t, Env::IO_TOTAL>& counts,
    Env::IOPriority pri) const {
  if (pri != Env::IO_TOTAL) return counts[static_cast<size_t>(pri)];
  int64_t sum = 0;
  for (const int64_t count : counts) sum += count;
  return sum;
}

int64_t GenericRateLimiter::GetTotalBytesThrough(
    const Env::IOPriority pri) const {
  MutexLock lock(&mutex_);
  return SumLocked(bytes_through_, pri);
}

int64_t GenericRateLimiter::GetTotalRequests(const Env::IOPriority pri) const {
  MutexLock lock(&mutex_);
  return SumLocked(requests_, pri);
}

Status GenericRateLimiter::GetTotalPendingRequests(
    int64_t* total_pending_requests, const Env::IOPriority pri) const {
  if (total_pending_requests == nullptr) {
    return Status::InvalidArgument("GetTotalPendingRequests", "null result");
  }
  MutexLock lock(&mutex_);
  std::array<int64_t, Env::IO_TOTAL> waiting{};
  for (size_t i = 0; i < waiting.size(); ++i) {
    waiting[i] = static_cast<int64_t>(queues_[i].size());
  }
  *total_pending_requests = SumLocked(waiting, pri);
  return Status::OK();
}

RateLimiter* NewGenericRateLimiter(int64_t rate_bytes_per_sec,
                                   int64_t refill_period_us, int32_t fairness,
                                   RateLimiter::Mode mode, bool auto_tuned,
                                   int64_t single_burst_bytes) {
  const RateLimiterSettings settings{.bytes_per_second = rate_bytes_per_sec,
                                     .refill_period_micros = refill_period_us,
                                     .fairness = fairness,
                                     .mode = mode,
                                     .is_auto_tuned = auto_tuned,
                                     .single_burst_bytes = single_burst_bytes};
  return std::make_unique<GenericRateLimiter>(settings, SystemClock::Default())
      .release();
}

namespace {

// By the number of bytes a second.
void AddRateLimiters() {
  BuiltinLibrary()->AddFactory<RateLimiter>(
      std::make_unique<NumberEntry>(),
      [](const std::string& id, auto* guard, std::string* message) {
        int64_t bytes_per_second = 0;
        if (ParseInt64(id, &bytes_per_second) && bytes_per_second > 0) {
          guard->reset(NewGenericRateLimiter(bytes_per_second));
        } else {
          *message = "rate limit must be above 0";
        }
        return guard->get();
      });
}

ROCKSDB_REGISTER_OBJECTS(AddRateLimiters);

}  // namespace

}  // namespace ROCKSDB_NAMESPACE

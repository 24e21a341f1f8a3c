#include "monitoring/tick_clock.h"

#include <time.h>

#include <fstream>
#include <string>

#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// CurrentMoment() errs by less than a microsecond: a ten thousandth of this.
constexpr uint64_t kComparedNanos = 10'000'000;

struct Moment {
  uint64_t nanos = 0;
  uint64_t ticks = 0;
};

// A Moment in two numbers that any thread may read.
std::atomic<uint64_t> first_nanos{0};
std::atomic<uint64_t> first_ticks{0};

// Both clocks are read one after the other. A thread may be stopped in between,
// so it tries a few times, and the shortest try counts.
Moment CurrentMoment() {
  constexpr int kTries = 5;
  Moment moment;
  uint64_t least_ticks = UINT64_MAX;
  for (int i = 0; i < kTries; ++i) {
    timespec now;
    const uint64_t ticks = TickClock::Ticks();
    clock_gettime(CLOCK_MONOTONIC, &now);
    const uint64_t taken = TickClock::Ticks() - ticks;
    if (taken >= least_ticks) continue;
    least_ticks = taken;
    moment = {.nanos = static_cast<uint64_t>(now.tv_sec) * 1'000'000'000 +
                       static_cast<uint64_t>(now.tv_nsec),
              .ticks = ticks};
  }
  return moment;
}

// The kernel goes by the counter only where it runs evenly, and alike on all
// processors.
bool KernelGoesByTicks() {
#if defined(__x86_64__)
  std::ifstream source(
      "/sys/devices/system/clocksource/clocksource0/current_clocksource");
  std::string name;
  return std::getline(source, name) && name == "tsc";
#else
  return false;
#endif
}

}  // namespace

std::atomic<const SystemClock*> TickClock::candidate_{nullptr};
std::atomic<const SystemClock*> TickClock::replaced_{nullptr};
std::atomic<double> TickClock::nanos_per_tick_{0};

void TickClock::StandFor(const SystemClock* clock) {
  INVARIANT(clock != nullptr);
  if (!KernelGoesByTicks()) return;
  const Moment first = CurrentMoment();
  first_nanos.store(first.nanos, std::memory_order_relaxed);
  first_ticks.store(first.ticks, std::memory_order_relaxed);
  // release: whoever sees the clock sees the moment.
  candidate_.store(clock, std::memory_order_release);
}

bool TickClock::Compare() {
  const Moment now = CurrentMoment();
  const uint64_t nanos =
      now.nanos - first_nanos.load(std::memory_order_relaxed);
  const uint64_t ticks =
      now.ticks - first_ticks.load(std::memory_order_relaxed);
  if (nanos < kComparedNanos || ticks == 0) return false;
  nanos_per_tick_.store(static_cast<double>(nanos) / static_cast<double>(ticks),
                        std::memory_order_relaxed);
  // release: pairs with the acquire in Replaces().
  replaced_.store(candidate_.load(std::memory_order_relaxed),
                  std::memory_order_release);
  return true;
}

}  // namespace ROCKSDB_NAMESPACE

#include "monitoring/tick_clock.h"

#include <time.h>

#include <fstream>
#include <string>

#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// Reading both clocks one after the other errs by less than a microsecond: a
// ten thousandth of this.
constexpr uint64_t kComparedNanos = 10'000'000;

struct Moment {
  uint64_t nanos = 0;
  uint64_t ticks = 0;
};

// A Moment in two numbers that any thread may read.
std::atomic<uint64_t> first_nanos{0};
std::atomic<uint64_t> first_ticks{0};

Moment CurrentMoment() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return {.nanos = static_cast<uint64_t>(now.tv_sec) * 1'000'000'000 +
                   static_cast<uint64_t>(now.tv_nsec),
          .ticks = TickClock::Ticks()};
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
